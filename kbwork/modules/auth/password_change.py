"""Change the own password."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Ok, Secret
from kbwork.core.access import callers
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import attempts
from kbwork.modules.auth.links import letters
from kbwork.modules.auth.model import NOT_UNDONE, AuthFailed, AuthPasswordChanged
from kbwork.modules.auth.passwords import hashed, own_password, require_fitting, store, verified


class AuthPasswordChange(Input):
    current: Secret
    """Your present password."""
    password: Secret
    """The new one: `password_min` of the policy (10 at first) to 256 characters, and not soon guessed: no common
    words, rows of the keyboard, or what names you or your org, with digits and signs around."""


@write(
    "auth.password_change",
    scope="auth:write",
    words="new password, change my password, update password",
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthPasswordChanged, AuthFailed],
    example={"current": "correct horse battery", "password": "a longer sentence of mine"},
)
async def password_change(out: External, args: AuthPasswordChange) -> Ok:
    """Change your password. Your other sessions end, and other browsers are known no longer; keys stay. You are told by
    mail where this server sends some.

    A wrong present password is 422 and counts as a failed sign-in, with its 429. A new one that is too short or soon
    guessed is 422 and counts as nothing.
    """

    def look(tx: Read) -> str | None:
        row = own_password(tx)
        require_fitting(tx, args.password, (row["name"], row["handle"], row["email"]))
        attempts.require_room(tx, attempts.account_of(row), row["id"])
        stored: str | None = row["password"]
        return stored

    def judge(tx: Write) -> Ok | None:
        row = own_password(tx)
        account = attempts.account_of(row)
        attempts.require_room(tx, account, row["id"])
        if not right or row["password"] != stored:
            attempts.failed(tx, account, row["id"], "password_change")
            return None
        store(tx, row["id"], made)
        ended = callers.end_sessions(tx, row["id"], but=tx.caller.session)
        attempts.forget_devices(tx, row["id"])
        tx.execute("delete from challenge where member = :member", member=row["id"])
        payload = {"sessions_ended": ended, "how": "change"}
        tx.emit(AuthPasswordChanged(subject=f"member:{row['id']}", payload=payload))
        letters.tell_of_change(tx, row)
        return Ok(ok=True)

    stored = await out.read(look)
    right = await out.in_turn(verified, stored, args.current)
    made = await out.in_turn(hashed, args.password) if right else ""
    answer = await out.conclude(judge)
    if answer is None:
        raise InvalidInput("This is not your present password.", field="current")
    return answer
