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
from kbwork.modules.auth.passkeys import assertion, stored
from kbwork.modules.auth.passwords import own_password, verified
from kbwork.modules.auth.totp import factor


class AuthElevatePasskey(Input):
    challenge: Secret
    """The challenge that `auth.passkey_begin` answered."""
    response: dict[str, JsonValue]
    """What `navigator.credentials.get` answered, as JSON."""


class AuthElevate(Input):
    password: Secret | None = None
    """Your present password."""
    code: Secret | None = None
    """Six digits from the authenticator app, or a recovery code."""
    passkey: AuthElevatePasskey | None = None
    """A passkey of yours, that signed what `auth.passkey_begin` answered for `purpose` `elevate`."""


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
    """Confirm that it is you, with one of password, code and passkey: the session is elevated for ten minutes.

    A wrong one is 422, and counts as a failed sign-in, with its 429. Whoever has none of them goes to their sign-in
    provider once more, by auth.oidc_start.
    """
    field = _given(args)

    def look(tx: Read) -> str | None:
        row = own_password(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        stored_password: str | None = row["password"]
        return stored_password

    def refusal(tx: Write, row: Row) -> str | None:
        if shown is not None:
            return _not_signed(tx, args, shown)
        if args.code is not None:
            return None if factor.use(tx, row["id"], args.code) is not None else "code"
        return None if right and row["password"] == password else "password"

    def judge(tx: Write) -> Elevated | None:
        row = own_password(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        refused = refusal(tx, row)
        if refused is not None:
            told = {"reason": "clone"} if refused == "clone" else {}
            attempts.failed(tx, attempts.account_of(row), row["id"], "elevate", **told)
            return None
        until = tx.now + callers.ELEVATED_S
        tx.update("session", tx.caller.session, elevated_until=until)
        return Elevated(elevated_until=until)

    password = await out.read(look)
    shown = None
    if args.passkey is not None:
        shown = await assertion.examine(out, args.passkey.challenge, args.passkey.response)
    right = args.password is not None and await out.in_turn(verified, password, args.password)
    answer = await out.conclude(judge)
    if answer is None:
        raise InvalidInput(f"This {field} is wrong.", field=field)
    return answer


def _not_signed(tx: Write, args: AuthElevate, shown: assertion.Assertion) -> str | None:
    """Why a passkey does not confirm it; None where it does."""
    assert args.passkey is not None
    asked = stored.answered(tx, args.passkey.challenge, "elevate")
    if asked is None or asked.member != tx.caller.member or asked.data["session"] != tx.caller.session:
        return "challenge"
    if shown.passkey is None or shown.passkey["member"] != tx.caller.member:
        return "signature"
    return assertion.take(tx, shown)


def _given(args: AuthElevate) -> str:
    """Which of them came. Raises InvalidInput unless it is one."""
    given = [name for name in ("password", "code", "passkey") if getattr(args, name) is not None]
    if len(given) != 1:
        raise InvalidInput("Send one of password, code and passkey.", field="password")
    return given[0]
