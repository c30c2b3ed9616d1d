"""One's own passkeys: add, list, remove."""

import json
from typing import Annotated

from pydantic import Field, JsonValue

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Empty, Input, Name, Secret, Text
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import ways_in
from kbwork.modules.auth.model import NOT_UNDONE, AuthFactorAdded, AuthFactorRemoved, Passkey
from kbwork.modules.auth.passkeys import ceremonies, stored
from kbwork.modules.auth.passkeys.begin import require_room
from kbwork.modules.auth.passkeys.relying_party import RelyingParty, relying_party

_OVER = "The challenge ended, or was for something else: begin again with auth.passkey_begin."


@read(
    "auth.passkeys",
    scope="auth:read",
    words="my passkeys, my security keys, which devices sign me in, registered authenticators",
    example={},
)
def passkeys(tx: Read, args: Empty) -> list[Passkey]:
    """List your passkeys, oldest first."""
    return stored.shown(tx, tx.caller.me())


class AuthPasskeyAdd(Input):
    name: Annotated[Name, Field(max_length=100)]
    """What you call it, so that you know it later: 1 to 100 characters, each of your passkeys another."""
    challenge: Secret
    """The challenge that `auth.passkey_begin` answered."""
    response: dict[str, JsonValue]
    """What `navigator.credentials.create` answered, as JSON (`PublicKeyCredential.toJSON`)."""


@write(
    "auth.passkey_add",
    scope="auth:write",
    words="register a passkey, add a security key, set up face id, sign in without password, enroll fido2",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthFactorAdded],
    example={"name": "Laptop", "challenge": "kbl_from-passkey-begin", "response": {"type": "public-key"}},
)
async def passkey_add(out: External, args: AuthPasskeyAdd) -> list[Passkey]:
    """Add a passkey. From then on it signs you in, and signing in with your password asks for it as the second factor.

    Asks for an elevated session. The passkey must have verified you (by PIN, finger or face) for this site. A challenge
    that ended and an answer that does not fit are 422; a name or passkey that is there already, and more than 20, are
    409. A passkey lost is removed by you, or by an admin with auth.totp_disable: have two, or an authenticator app.
    """

    def look(tx: Read) -> RelyingParty:
        if not _is_mine(tx, stored.asked(tx, args.challenge, "register")):
            raise InvalidInput(_OVER, field="challenge")
        return relying_party(tx)

    def keep(tx: Write) -> list[Passkey] | None:
        if not _is_mine(tx, stored.answered(tx, args.challenge, "register")):
            raise InvalidInput(_OVER, field="challenge")
        if made is None:
            return None
        me = tx.caller.me()
        _require_new(tx, me, args.name, made.credential)
        added = "p_" + ids.short()
        tx.insert(
            "passkey",
            id=added,
            member=me,
            credential=made.credential,
            public_key=made.public_key,
            name=args.name,
            transports=json.dumps(ceremonies.transports_of(args.response)),
            count=made.count,
            created_at=tx.now,
        )
        payload = {"method": "passkey", "passkey": added, "name": args.name}
        tx.emit(AuthFactorAdded(subject=f"member:{me}", payload=payload))
        return stored.shown(tx, me)

    party = await out.read(look)
    made, why = None, ""
    try:
        made = await out.thread(ceremonies.registered, args.response, args.challenge, party)
    except ceremonies.NotVerified as refusal:
        why = str(refusal)
    answer = await out.conclude(keep)
    if answer is None:
        raise InvalidInput(
            f"This is no passkey that was made for {party.origin} with a PIN, finger or face: begin again there.",
            field="response",
            internal=why,
        )
    return answer


def _is_mine(tx: Read, asked: stored.Question | None) -> bool:
    return (
        asked is not None and asked.member == tx.caller.member and asked.data["session"] == tx.caller.session
    )


def _require_new(tx: Read, me: str, name: str, credential: bytes) -> None:
    held = stored.of_member(tx, me)
    require_room(len(held))
    if any(row["name"].casefold() == name.casefold() for row in held):
        raise Conflict(f"One of your passkeys is called {name!r} already; give this one another name.")
    if stored.of_credential(tx, credential) is not None:
        raise Conflict("This passkey is registered here already; take another one.")


class AuthPasskeyDelete(Input):
    id: Text
    """Id of the passkey, as auth.passkeys lists it."""


@destructive(
    "auth.passkey_delete",
    scope="auth:write",
    words="remove a passkey, lost security key, old phone, delete authenticator",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthFactorRemoved],
    example={"id": "p_2k3f9x7c1q8m"},
)
def passkey_delete(tx: Write, args: AuthPasskeyDelete) -> list[Passkey]:
    """Remove one of your passkeys; it signs you in no more. Answers those left.

    Asks for an elevated session. Refused with 409 where no other way to sign in would be left to you that the policy
    takes. Delete it on the device, too, which is not told.
    """
    me = tx.caller.me()
    row = next((row for row in stored.of_member(tx, me) if row["id"] == args.id), None)
    if row is None:
        raise NotFound(f"You have no passkey {args.id!r}; auth.passkeys lists yours.")
    tx.delete("passkey", row["id"])
    if not ways_in.of_member(tx, me):
        raise Conflict(
            "Nothing else lets you in, as the sign-in policy stands: add another passkey first, or set a password where"
            " the policy takes one."
        )
    payload = {"method": "passkey", "passkey": row["id"], "name": row["name"]}
    tx.emit(AuthFactorRemoved(subject=f"member:{me}", payload=payload))
    return stored.shown(tx, me)
