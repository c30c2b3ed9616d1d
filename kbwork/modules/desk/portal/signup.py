"""Making an account on the portal."""

import json

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Email, Input, Name, Secret
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports import mail
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk.customers import accounts, links
from kbwork.modules.desk.model import DeskCustomerCreated, PortalSession, PortalSignup
from kbwork.modules.desk.portal.login import NOT_UNDONE
from kbwork.modules.desk.portal.open_desks import lets_sign_up


class DeskPortalSignup(Input):
    email: Email
    """Address of whoever signs up."""
    name: Name
    """What they are called."""
    password: Secret
    """What they want to sign in with; what fits says auth.password_change."""


@write(
    "desk.portal_signup",
    scope="desk:public",
    words="customer makes an account, sign up on the portal, register at the help desk",
    undo=NOT_UNDONE,
    emits=[DeskCustomerCreated],
    example={"email": "nat@north.example", "name": "Nat North", "password": "four birds on a wire"},
)
async def portal_signup(out: External, args: DeskPortalSignup) -> PortalSignup:
    """Make an account. A link is mailed to the address, and desk.portal_verify finishes by it; till then there is none.

    An address that a customer has gets the very same answer, and a letter that says so. A server that sends no mail
    signs in at once, and there a known address is 409. Where no open desk has `open_signup` it is 403. After ten
    letters to an address in an hour, three of them asked for from one network address, it is 429.
    """

    def look(tx: Read) -> None:
        _require_open(tx)
        email = accounts.require_address(args.email)
        auth.require_fitting(tx, args.password, (args.name, email))

    def make(tx: Write) -> PortalSignup:
        _require_open(tx)
        email = accounts.require_address(args.email)
        if mail.sends(tx):
            links.ask(tx, email, "signup", name=args.name, password=hashed)
            return PortalSignup(customer=None, token=None, verify=True)
        auth.attempts.asked(tx, email, "portal signup")
        if accounts.by_email(tx, email) is not None:
            raise Conflict("A customer has this address already: sign in.")
        row = accounts.make(tx, accounts.Outsider(args.name, email), password=hashed, how="signed_up")
        token = accounts.sign_in(tx, row["id"])
        return PortalSignup(customer=accounts.shown_to_themselves(tx, row), token=token, verify=False)

    await out.read(look)
    hashed = await out.in_turn(auth.hashed, args.password)
    return await out.conclude(make)


class DeskPortalVerify(Input):
    token: Secret
    """From the link."""
    password: Secret | None = None
    """What they sign in with: whoever reads the mail says it, and not whoever asked. Left out: that of the sign-up."""


@write(
    "desk.portal_verify",
    scope="desk:public",
    words="finish the sign-up, confirm the mail address of a customer",
    undo=NOT_UNDONE,
    emits=[DeskCustomerCreated],
    example={"token": "kbl_from-the-link"},
)
async def portal_verify(out: External, args: DeskPortalVerify) -> PortalSession:
    """Finish a sign-up by the link that was mailed: the account is made, and signed in. A link that is used, over after
    a day, or mistyped is 404; where somebody with the address became a customer meanwhile it is 409. Where no open desk
    has `open_signup` any more it is 403; the link stays for its day.
    """

    def look(tx: Read) -> None:
        link = links.require(tx, args.token, "signup")
        _require_new(tx, link["email"])
        if args.password is not None:
            auth.require_fitting(tx, args.password, (json.loads(link["data"])["name"], link["email"]))

    def make(tx: Write) -> PortalSession:
        link = links.require(tx, args.token, "signup")
        data = json.loads(link["data"])
        _require_new(tx, link["email"])
        links.end(tx, link["email"])
        who = accounts.Outsider(data["name"], link["email"])
        row = accounts.make(tx, who, password=hashed or data["password"], how="signed_up")
        token = accounts.sign_in(tx, row["id"])
        return PortalSession(customer=accounts.shown_to_themselves(tx, row), token=token)

    await out.read(look)
    hashed = await out.in_turn(auth.hashed, args.password) if args.password is not None else None
    return await out.conclude(make)


def _require_new(tx: Read, email: str) -> None:
    """Raises Conflict for who is a customer now, and NotAllowed for others once nobody signs up any more: whoever
    closes that lets nobody else in, such as the many who asked before, whatever lies in mailboxes."""
    if accounts.by_email(tx, email) is not None:
        raise Conflict("There is an account with this address now: sign in, or set a new password.")
    _require_open(tx)


def _require_open(tx: Read) -> None:
    if not lets_sign_up(tx):
        raise NotAllowed("Nobody signs up here by themselves: ask to be added.")
