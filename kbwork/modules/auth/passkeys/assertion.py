"""A passkey signs: its answer looked at outside a transaction, and taken or refused inside the one that it ends."""

import logging
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.operations.external import External
from kbwork.db.rows import PasskeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import attempts, login
from kbwork.modules.auth.passkeys import ceremonies, stored
from kbwork.modules.auth.passkeys.relying_party import relying_party

log = logging.getLogger("kbwork.auth")


@dataclass(frozen=True, slots=True)
class Assertion:
    """An answer and the passkey that it names, as that was stored when the answer was looked at."""

    passkey: PasskeyRow | None
    count: int | None
    """How often the passkey says that it has signed; None: it did not sign this."""
    user: str | None
    """Whose the authenticator took it for."""
    account: bytes
    """What a failure is filed under where nobody has such a passkey."""


async def examine(out: External, token: str, response: dict[str, Any]) -> Assertion:
    """Look at an answer. Raises RateLimited after too many failures of its holder, and Conflict where this server has
    no name."""
    credential = ceremonies.credential_of(response)
    account = attempts.account(f"passkey {ceremonies.base64url(credential)}")

    def look(tx: Read) -> PasskeyRow | None:
        row = stored.of_credential(tx, credential)
        holder = login.by_id(tx, row["member"]) if row is not None else None
        member = holder["id"] if holder is not None else None
        attempts.require_room(tx, attempts.account_of(holder) if holder is not None else account, member)
        return row

    row = await out.read(look)
    party = await out.read(relying_party)
    count = None
    if row is not None:
        try:
            count = await out.thread(ceremonies.count_signed, response, token, party, row["public_key"])
        except ceremonies.NotVerified as refusal:
            log.info("passkey %s was refused: %s", row["id"], refusal)
    return Assertion(row, count, ceremonies.user_of(response), account)


def take(tx: Write, assertion: Assertion) -> str | None:
    """Judge it where it counts, and keep what the passkey counts; None, or why it is refused.

    One that counts must count on. Where it does not, somebody may have copied it: `clone`.
    """
    before, count = assertion.passkey, assertion.count
    now = stored.of_credential(tx, before["credential"]) if before is not None else None
    if before is None or now is None or count is None or now["public_key"] != before["public_key"]:
        return "signature"
    if assertion.user is not None and assertion.user != now["member"]:
        return "signature"
    if (count or now["count"]) and count <= now["count"]:
        return "clone"
    tx.update("passkey", now["id"], count=count, last_used_at=tx.now)
    return None
