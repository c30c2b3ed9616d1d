"""Prove again who one is, to be elevated."""

from pydantic import JsonValue

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Secret
from kbwork.core.access import callers
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth import attempts
from kbwork.modules.auth.model import NOT_UNDONE, AuthFailed, Elevated
from kbwork.modules.auth.passwords import own_password, verified
from kbwork.modules.auth.totp import factor


class AuthElevate(Input):
    password: Secret | None = None
    """Your present password."""
    code: Secret | None = None
    """Six digits from the authenticator app, or a recovery code."""
    passkey: dict[str, JsonValue] | None = None
    """Not offered by this version."""


@write(
    "auth.elevate",
    scope="auth:write",
    words="confirm my password, sudo, step up, re-enter password, prove it is me, elevated session",
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthFailed],
    example={"password": "correct horse battery"},
)
async def elevate(out: External, args: AuthElevate) -> Elevated:
    """Confirm that it is you, with one of password and code: the session is elevated for ten minutes.

    A wrong one is 422, and counts as a failed sign-in, with its 429.
    """
    _require_one(args)

    def look(tx: Read) -> str | None:
        row = own_password(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        stored: str | None = row["password"]
        return stored

    def proves(tx: Write, row: Row) -> bool:
        if args.code is not None:
            return factor.use(tx, row["id"], args.code) is not None
        return right and row["password"] == stored

    def judge(tx: Write) -> Elevated | None:
        row = own_password(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        if not proves(tx, row):
            attempts.failed(tx, attempts.account_of(row), row["id"], "elevate")
            return None
        until = tx.now + callers.ELEVATED_S
        tx.update("session", tx.caller.session, elevated_until=until)
        return Elevated(elevated_until=until)

    stored = await out.read(look)
    right = args.password is not None and await out.in_turn(verified, stored, args.password)
    answer = await out.conclude(judge)
    if answer is None:
        field = "code" if args.code is not None else "password"
        raise InvalidInput(f"This {field} is wrong.", field=field)
    return answer


def _require_one(args: AuthElevate) -> None:
    given = [name for name in ("password", "code", "passkey") if getattr(args, name) is not None]
    if len(given) != 1:
        raise InvalidInput("Send one of password and code.", field="password")
    if args.passkey is not None:
        raise InvalidInput(
            "Passkeys are not offered by this version; send password or code.", field="passkey"
        )
