"""Customers as rows: made, found by address, shown as the caller sees them, signed in and out."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from kbwork.base import ids
from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.core.access.identify import OF_CUSTOMER, PORTAL
from kbwork.core.ports import mail
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.desk.model import DeskCustomer, DeskCustomerBlocked, DeskCustomerCreated
from kbwork.modules.projects import ISSUE_SEEN

TOKEN_LIVES_S = 30 * 86400
MOST_TOKENS = 20
"""Of one customer; of more the oldest end."""
_MADE = (
    "select r.customer, count(*) as requests from customer_request r join issue i on i.id = r.issue"
    f" where r.customer in (select value from json_each(:ids)) and {ISSUE_SEEN} group by r.customer"
)
_OWN = (
    "select count(*) from customer_request r join issue i on i.id = r.issue"
    " join project p on p.id = i.project and p.deleted_at is null join desk d on d.project = i.project and d.enabled"
    " where r.customer = :customer and i.deleted_at is null"
    " and (:desks is null or i.project in (select value from json_each(:desks)))"
)


def by_email(tx: Read, email: str) -> CustomerRow | None:
    """Whoever has this address, in any case."""
    return tx.one("select * from customer where email_key = :key", CustomerRow, key=key_of(email))


def stored(tx: Read, ident: int) -> CustomerRow:
    """The row of a customer, who must be there."""
    row = tx.stored("customer", [ident])
    assert row is not None
    return row


def key_of(email: str) -> str:
    """One form of an address for all its spellings."""
    return folded(email.strip())


def attempts_key(email: str) -> bytes:
    """What attempts on an address are filed under, apart from those on a member with the same."""
    return ids.digest("customer account:" + key_of(email))


def require_address(email: str, *, field: str = "email") -> str:
    """The address without blanks around it. Raises InvalidInput for one that no letter goes to."""
    email = email.strip()
    if not mail.reaches(email):
        raise InvalidInput("Write it as name@example.com.", field=field)
    return email


class Outsider(NamedTuple):
    """Who somebody outside is. `key` is what whoever has no address is known by."""

    name: str
    email: str
    key: str | None = None


def make(tx: Write, who: Outsider, *, password: str | None, how: str) -> CustomerRow:
    """A new customer, whom nobody is known as. `password` is a hash; `how` they came is told."""
    ident = tx.insert(
        "customer",
        name=who.name,
        email=who.email,
        email_key=who.key or key_of(who.email),
        password=password,
        notify=1,
        created_at=tx.now,
    )
    tx.emit(DeskCustomerCreated(subject=f"customer:{ident}", payload={"customer": ident, "how": how}))
    return stored(tx, ident)


def sign_in(tx: Write, customer: int) -> str:
    """A new token of a customer; answers it, of which a hash alone is kept."""
    token = ids.token(OF_CUSTOMER)
    tx.insert(
        "customer_token",
        digest=ids.digest(token),
        customer=customer,
        created_at=tx.now,
        expires_at=tx.now + TOKEN_LIVES_S,
        desks=stored(tx, customer)["password_desks"],
    )
    tx.execute(
        "delete from customer_token where customer = :customer and digest not in (select digest from customer_token"
        " where customer = :customer order by created_at desc, digest limit :most)",
        customer=customer,
        most=MOST_TOKENS,
    )
    return token


def sign_out_here(tx: Write) -> None:
    """End the token that the caller came with."""
    session = tx.caller.session or ""
    digest = bytes.fromhex(session.removeprefix(PORTAL))
    tx.execute("delete from customer_token where digest = :digest", digest=digest)


def sign_out_elsewhere(tx: Write, customer: int, desks: str | None) -> None:
    """End the other tokens of the customer who calls, and the links that were mailed to them. This token opens what the
    new password does."""
    here = bytes.fromhex((tx.caller.session or "").removeprefix(PORTAL))
    tx.execute(
        "delete from customer_token where customer = :customer and digest <> :here",
        customer=customer,
        here=here,
    )
    tx.execute("update customer_token set desks = :desks where digest = :here", desks=desks, here=here)
    tx.execute("delete from customer_link where customer = :customer", customer=customer)


def sign_out(tx: Write, customer: int) -> None:
    """End all tokens of a customer, and the links that were mailed to them."""
    tx.execute("delete from customer_token where customer = :customer", customer=customer)
    tx.execute("delete from customer_link where customer = :customer", customer=customer)


def block(tx: Write, row: CustomerRow) -> None:
    """Shut a customer out at once, and tell."""
    tx.execute("update customer set blocked_at = :now where id = :id", now=tx.now, id=row["id"])
    sign_out(tx, row["id"])
    _tell_block(tx, row["id"], blocked=True)


def unblock(tx: Write, row: CustomerRow) -> None:
    """Let one in again, and tell."""
    tx.execute("update customer set blocked_at = null where id = :id", id=row["id"])
    _tell_block(tx, row["id"], blocked=False)


def _tell_block(tx: Write, customer: int, *, blocked: bool) -> None:
    payload = {"customer": customer, "blocked": blocked}
    tx.emit(DeskCustomerBlocked(subject=f"customer:{customer}", payload=payload))


def shown(tx: Read, rows: Iterable[CustomerRow]) -> list[DeskCustomer]:
    """Customers whom the caller sees, with how many of their requests they see."""
    found = list(rows)
    made = dict(
        tx.tuples(_MADE, ids=json_array(row["id"] for row in found), **visibility.binds(tx)) if found else ()
    )
    return [_shown(row, made.get(row["id"], 0)) for row in found]


def shown_to_themselves(tx: Read, row: CustomerRow) -> DeskCustomer:
    """A customer, as the portal tells them."""
    signs_in = tx.caller.customer is None
    desks = row["password_desks"] if signs_in else desks_open(tx, row["id"])
    return _shown(row, tx.value(_OWN, customer=row["id"], desks=desks))


def set_password(tx: Write, customer: int, password: str, *, desks: str | None = None) -> None:
    """A hash, and which desks it opens: those of the agent who made it, or all where it is the customer's own."""
    tx.execute(
        "update customer set password = :password, password_desks = :desks where id = :id",
        password=password,
        desks=desks,
        id=customer,
    )


def desks_open(tx: Read, customer: int) -> str | None:
    """Which desks the customer who calls finds open, as a JSON list of projects; None: all, also where the server acts
    for them."""
    session = tx.caller.session or ""
    if tx.caller.customer != customer or not session.startswith(PORTAL):
        return None
    found: str | None = tx.value(
        "select desks from customer_token where digest = :digest",
        digest=bytes.fromhex(session.removeprefix(PORTAL)),
    )
    return found


def require_desk(tx: Read, customer: int, project: int) -> None:
    """Raises NotAllowed for a desk that the customer who calls does not find open."""
    desks = desks_open(tx, customer)
    if desks is not None and project not in json.loads(desks):
        raise NotAllowed("Your password was made at another desk: ask for a new one by mail to use this one.")


def _shown(row: CustomerRow, requests: int) -> DeskCustomer:
    return DeskCustomer(
        id=row["id"],
        name=row["name"],
        email=row["email"],
        active=row["password"] is not None,
        blocked=row["blocked_at"] is not None,
        requests=requests,
        created_at=row["created_at"],
        last_seen_at=row["last_seen_at"],
        locale=row["locale"],
        notify=bool(row["notify"]),
        limited=row["password_desks"] is not None,
    )
