"""Customers as agents keep them: look, add, give a new password, shut out."""

from kbwork.base import ids
from kbwork.base.errors import Conflict
from kbwork.base.model import Email, Id, Input, Name, Text
from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.operations.external import External
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk import access
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import (
    NOT_TAKEN_BACK,
    CustomerPassword,
    DeskCustomer,
    DeskCustomerBlocked,
    DeskCustomerCreated,
)

MOST = 1000
_PASSWORD_SIGNS = 16


class DeskCustomers(Input):
    q: Text | None = None
    """Words in name or address."""


@read(
    "desk.customers",
    scope="issues:read",
    words="who are our customers, find a customer, client list, requesters, portal accounts",
    example={"q": "rivers"},
)
def customers(tx: Read, args: DeskCustomers) -> list[DeskCustomer]:
    """List customers by name, the first thousand: those who have to do with requests of desks where you work, and those
    who have to do with none.

    For members and leads of a project that is a desk (403).
    """
    access.require_agent(tx)
    rows = tx.all(
        f"select c.* from customer c where {access.CUSTOMER_SEEN} order by lower(c.name), c.id",
        CustomerRow,
        **visibility.binds(tx),
    )
    words = fold(args.q or "").split()
    found = [row for row in rows if all(word in fold(f"{row['name']} {row['email']}") for word in words)]
    return accounts.shown(tx, found[:MOST])


class DeskCustomerAdd(Input):
    email: Email
    """Their address, which no other customer has."""
    name: Name
    """What they are called."""


@write(
    "desk.customer_add",
    scope="issues:write",
    guests=False,
    words="new customer, add a client, make a portal account, invite a customer to the portal",
    undo=NOT_TAKEN_BACK,
    emits=[DeskCustomerCreated],
    example={"email": "rita@rivers.example", "name": "Rita Rivers"},
)
async def customer_add(out: External, args: DeskCustomerAdd) -> CustomerPassword:
    """Add a customer, with a password to hand over: it is in the answer and never shown again.

    It opens the desks where you work, and all once they set one of their own by mail. An address that a customer has is
    409. For members and leads of a project that is a desk.
    """

    def look(tx: Read) -> None:
        access.require_agent(tx)
        _require_free(tx, accounts.require_address(args.email))

    def add(tx: Write) -> CustomerPassword:
        access.require_agent(tx)
        email = accounts.require_address(args.email)
        _require_free(tx, email)
        row = accounts.make(tx, accounts.Outsider(args.name, email), password=None, how="added")
        accounts.set_password(tx, row["id"], hashed, desks=access.desks_at_work(tx))
        after = accounts.stored(tx, row["id"])
        return CustomerPassword(customer=accounts.shown(tx, [after])[0], password=password)

    await out.read(look)
    password = ids.short(_PASSWORD_SIGNS)
    hashed = await out.in_turn(auth.hashed, password)
    return await out.conclude(add)


class DeskCustomerReset(Input):
    id: Id
    """Id of the customer."""


@write(
    "desk.customer_reset",
    scope="issues:write",
    guests=False,
    words="customer forgot the password, new password for a customer, reset a portal account",
    undo=NOT_TAKEN_BACK,
    emits=[],
    example={"id": 2},
)
async def customer_reset(out: External, args: DeskCustomerReset) -> CustomerPassword:
    """Give a customer a new password to hand over: it is in the answer and never shown again.

    It opens the desks where you work, until they set one of their own by mail. They are signed out everywhere. Refused
    (409) for a customer who is blocked, and while they have to do with requests of desks where you do not work.
    """

    def look(tx: Read) -> None:
        _resettable(tx, args.id)

    def reset(tx: Write) -> CustomerPassword:
        row = _resettable(tx, args.id)
        accounts.set_password(tx, row["id"], hashed, desks=access.desks_at_work(tx))
        accounts.sign_out(tx, row["id"])
        after = accounts.stored(tx, row["id"])
        return CustomerPassword(customer=accounts.shown(tx, [after])[0], password=password)

    await out.read(look)
    password = ids.short(_PASSWORD_SIGNS)
    hashed = await out.in_turn(auth.hashed, password)
    return await out.conclude(reset)


class DeskCustomerBlock(Input):
    id: Id
    """Id of the customer."""
    blocked: bool
    """False lets them in again."""


@write(
    "desk.customer_block",
    scope="admin",
    words="shut out a customer, ban a customer, block a portal account, unblock",
    undo="call it with the other `blocked`",
    emits=[DeskCustomerBlocked],
    example={"id": 2, "blocked": True},
)
def customer_block(tx: Write, args: DeskCustomerBlock) -> DeskCustomer:
    """Shut a customer out, or let them in again. A block ends their tokens at once, and what they mail is ignored.

    For admins who work at a desk that the customer has to do with, or where they have to do with none.
    """
    row = access.customer(tx, args.id)
    if (row["blocked_at"] is not None) != args.blocked:
        change = accounts.block if args.blocked else accounts.unblock
        change(tx, row)
    return accounts.shown(tx, [accounts.stored(tx, row["id"])])[0]


def _require_free(tx: Read, email: str) -> None:
    if accounts.by_email(tx, email) is not None:
        raise Conflict("A customer has this address already.")


def _resettable(tx: Read, ident: int) -> CustomerRow:
    row = access.customer(tx, ident)
    if row["blocked_at"] is not None:
        raise Conflict("They are blocked: let them in again first.")
    elsewhere = tx.value(
        f"select 1 from customer c where c.id = :id and {access.ELSEWHERE}", id=ident, **visibility.binds(tx)
    )
    if elsewhere is not None:
        raise Conflict("They have to do with requests of other desks: have them set a new password by mail.")
    return row
