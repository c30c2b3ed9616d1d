"""A forgotten password: ask for a link, and set a new password by it."""

from kbwork.base.model import Input, Ok, Secret, Text
from kbwork.core.access import callers
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import attempts, login
from kbwork.modules.auth.links import letters, mailed_links
from kbwork.modules.auth.model import NOT_UNDONE, AuthLinkSent, AuthPasswordChanged
from kbwork.modules.auth.passwords import hashed, require_fitting, store


class AuthPasswordForgot(Input):
    email: Text
    """Address that the link is mailed to."""


@write(
    "auth.password_forgot",
    scope="desk:public",
    words="forgot password, lost my password, cannot log in, reset mail",
    undo=NOT_UNDONE,
    emits=[AuthLinkSent],
    example={"email": "ana@acme.example"},
)
def password_forgot(tx: Write, args: AuthPasswordForgot) -> Ok:
    """Ask for a link by which a new password is set. It is mailed in a moment, works once, and lives 30 minutes.

    The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
    this server sends no mail. Ten links are mailed to an address in an hour, three of them asked for from one network
    address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
    """
    mailed_links.ask(tx, args.email, "password")
    return Ok(ok=True)


class AuthPasswordReset(Input):
    token: Secret
    """From the link."""
    password: Secret
    """The new one; what fits says auth.password_change."""


@write(
    "auth.password_reset",
    scope="desk:public",
    words="set a new password with the link, reset password token",
    undo=NOT_UNDONE,
    emits=[AuthPasswordChanged],
    example={"token": "kbl_from-the-link", "password": "a longer sentence of mine"},
)
async def password_reset(out: External, args: AuthPasswordReset) -> Ok:
    """Set a new password by a link. It signs nobody in: a second factor in force is asked for at the next sign-in.

    All sessions of the member end, their other links too, and other browsers are known no longer; keys stay. They are
    told by mail. Failed sign-ins on the account from this address are forgotten, as nobody but who forgot is likely to
    have made them here. A link that is used, ended or mistyped is 404; a password that does not fit is 422 and uses
    nothing up.
    """

    def look(tx: Read) -> None:
        row, _ = mailed_links.require_holder(tx, args.token, "password")
        require_fitting(tx, args.password, (row["name"], row["handle"], row["email"]))

    def change(tx: Write) -> Ok:
        row, by = mailed_links.require_holder(tx, args.token, "password")
        require_fitting(tx, args.password, (row["name"], row["handle"], row["email"]))
        store(tx, row["id"], made)
        ended = callers.end_sessions(tx, row["id"])
        attempts.forget_devices(tx, row["id"])
        attempts.forgive(tx, attempts.account_of(row))
        tx.execute("delete from challenge where member = :member", member=row["id"])
        with login.in_name_of(tx, row["id"]):
            payload = {"sessions_ended": ended, "how": by}
            tx.emit(AuthPasswordChanged(subject=f"member:{row['id']}", payload=payload))
        letters.tell_of_change(tx, row)
        return Ok(ok=True)

    await out.read(look)
    made = await out.in_turn(hashed, args.password)
    return await out.conclude(change)
