"""Prove again who one is: to be elevated, and to change the password."""

from pydantic import JsonValue

from kbwork.base.errors import InvalidInput, Unauthenticated
from kbwork.base.model import Input, Ok, Secret
from kbwork.core import callers
from kbwork.core.operation import write
from kbwork.core.outside import Out
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth import attempts, factors
from kbwork.modules.auth.model import NOT_UNDONE, AuthFailed, AuthPasswordChanged, Elevated
from kbwork.modules.auth.passwords import hashed, require_fitting, store, verified


class AuthElevate(Input):
    password: Secret | None = None
    code: Secret | None = None
    """Six digits from the authenticator app, or a recovery code."""
    passkey: dict[str, JsonValue] | None = None
    """Not offered by this version."""


@write(
    "auth.elevate",
    scope="auth:write",
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthFailed],
    example={"password": "correct horse battery"},
)
async def elevate(out: Out, args: AuthElevate) -> Elevated:
    """Confirm that it is you, with one of password and code: the session is elevated for ten minutes.

    A wrong one is 422, and counts as a failed sign-in, with its 429.
    """
    _require_one(args)

    def look(tx: Read) -> str | None:
        row = _me(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        stored: str | None = row["password"]
        return stored

    def proves(tx: Write, row: Row) -> bool:
        if args.code is not None:
            return factors.use(tx, row["id"], args.code) is not None
        return right and row["password"] == stored

    def judge(tx: Write) -> Elevated | None:
        row = _me(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        if not proves(tx, row):
            attempts.failed(tx, attempts.account_of(row), row["id"], "elevate")
            return None
        until = tx.now + callers.ELEVATED_S
        tx.update("session", tx.caller.session, elevated_until=until)
        return Elevated(elevated_until=until)

    stored = await out.read(look)
    right = args.password is not None and await out.thread(verified, stored, args.password)
    answer = await out.conclude(judge)
    if answer is None:
        field = "code" if args.code is not None else "password"
        raise InvalidInput(f"This {field} is wrong.", field=field)
    return answer


class AuthPasswordChange(Input):
    current: Secret
    password: Secret
    """The new one: `password_min` of the policy (10 at first) to 256 characters."""


@write(
    "auth.password_change",
    scope="auth:write",
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthPasswordChanged, AuthFailed],
    example={"current": "correct horse battery", "password": "a longer sentence of mine"},
)
async def password_change(out: Out, args: AuthPasswordChange) -> Ok:
    """Change your password. Your other sessions end, and other browsers are known no longer; keys stay.

    A wrong present password is 422 and counts as a failed sign-in, with its 429.
    """

    def look(tx: Read) -> str | None:
        require_fitting(tx, args.password)
        row = _me(tx)
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        stored: str | None = row["password"]
        return stored

    def judge(tx: Write) -> Ok | None:
        row = _me(tx)
        account = attempts.account_of(row)
        attempts.require_room(tx, account, row["id"])
        if not right or row["password"] != stored:
            attempts.failed(tx, account, row["id"], "password_change")
            return None
        store(tx, row["id"], made)
        ended = callers.end_sessions(tx, row["id"], but=tx.caller.session)
        attempts.forget_devices(tx, row["id"])
        tx.execute("delete from challenge where member = :member", member=row["id"])
        tx.emit(AuthPasswordChanged(subject=f"member:{row['id']}", payload={"sessions_ended": ended}))
        return Ok(ok=True)

    stored = await out.read(look)
    right = await out.thread(verified, stored, args.current)
    made = await out.thread(hashed, args.password) if right else ""
    answer = await out.conclude(judge)
    if answer is None:
        raise InvalidInput("This is not your present password.", field="current")
    return answer


def _me(tx: Read) -> Row:
    """The caller's member and password. Raises Unauthenticated where the session was ended meanwhile."""
    row = tx.one(
        "select m.id, m.email, c.password from session s join member m on m.id = s.member"
        " left join credential c on c.member = m.id where s.id = :session",
        session=tx.caller.session,
    )
    if row is None:
        raise Unauthenticated("This session ended meanwhile: sign in again.")
    return row


def _require_one(args: AuthElevate) -> None:
    given = [name for name in ("password", "code", "passkey") if getattr(args, name) is not None]
    if len(given) != 1:
        raise InvalidInput("Send one of password and code.", field="password")
    if args.passkey is not None:
        raise InvalidInput(
            "Passkeys are not offered by this version; send password or code.", field="passkey"
        )
