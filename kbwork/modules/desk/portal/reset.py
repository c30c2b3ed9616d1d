"""A customer's forgotten password."""

from kbwork.base.model import Input, Ok, Secret, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk.customers import accounts, links
from kbwork.modules.desk.model import PortalSession
from kbwork.modules.desk.portal.login import NOT_UNDONE


class DeskPortalStartReset(Input):
    email: Text
    """Address that the link is mailed to."""


@write(
    "desk.portal_start_reset",
    scope="desk:public",
    words="customer forgot the password, lost my portal password",
    undo=NOT_UNDONE,
    emits=[],
    example={"email": "rita@rivers.example"},
)
def portal_start_reset(tx: Write, args: DeskPortalStartReset) -> Ok:
    """Ask for a link by which a customer sets a new password. It is mailed in a moment, works once, and lives half an
    hour.

    The answer is the same, and comes as soon, where no customer has the address, where they are blocked, and where this
    server sends no mail. After ten letters to an address in an hour, three of them asked for from one network address,
    it is 429.
    """
    links.ask(tx, args.email, "reset")
    return Ok(ok=True)


class DeskPortalSubmitReset(Input):
    token: Secret
    """From the link."""
    password: Secret
    """The new one; what fits says auth.password_change."""


@write(
    "desk.portal_submit_reset",
    scope="desk:public",
    words="customer sets a new password by the link, first password of a customer",
    undo=NOT_UNDONE,
    emits=[],
    example={"token": "kbl_from-the-link", "password": "four birds on a wire"},
)
async def portal_submit_reset(out: External, args: DeskPortalSubmitReset) -> PortalSession:
    """Set a customer's password by a link, and sign them in. All their other tokens and links end.

    A link that is used, over or mistyped is 404; a password that does not fit is 422 and uses nothing up.
    """

    def look(tx: Read) -> CustomerRow:
        row = links.holder(tx, args.token)
        auth.require_fitting(tx, args.password, (row["name"], row["email"]))
        return row

    def change(tx: Write) -> PortalSession:
        row = look(tx)
        accounts.set_password(tx, row["id"], hashed)
        accounts.sign_out(tx, row["id"])
        auth.attempts.forgive(tx, accounts.attempts_key(row["email"]))
        token = accounts.sign_in(tx, row["id"])
        return PortalSession(
            customer=accounts.shown_to_themselves(tx, accounts.stored(tx, row["id"])), token=token
        )

    await out.read(look)
    hashed = await out.in_turn(auth.hashed, args.password)
    return await out.conclude(change)
