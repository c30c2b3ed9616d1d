"""Whom a customer shares a request with."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core.events import feed
from kbwork.core.operations.declare import write
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import (
    NOT_TAKEN_BACK,
    DeskCustomerCreated,
    DeskRequestShared,
    PortalParticipants,
)
from kbwork.modules.desk.portal.own_account import me
from kbwork.modules.desk.portal.requests import RequestRef, require_open
from kbwork.modules.desk.requests import creation, letters, rows
from kbwork.modules.desk.requests.rows import OwnRequest

MOST_A_DAY = 20
"""Others whom one customer adds: each is mailed."""
_DAY_S = 86400
Addresses = Annotated[list[Annotated[Text, Field(max_length=254)]], Field(max_length=MOST_A_DAY)]


class DeskPortalWatch(Input):
    key: RequestRef
    add: Addresses | None = None
    """Addresses of colleagues who see the request from now on and are mailed what is said."""
    remove: Addresses | None = None
    """Addresses, as `participants` has them, of those who do no more."""


@write(
    "desk.portal_watch",
    scope="desk:portal",
    words="share my request with a colleague, cc somebody on my ticket, who else sees it, leave a request",
    undo=NOT_TAKEN_BACK,
    emits=[DeskRequestShared, DeskCustomerCreated],
    example={"key": "WEB-6", "add": ["tess@rivers.example"]},
)
def portal_watch(tx: Write, args: DeskPortalWatch) -> PortalParticipants:
    """Share a request of yours, or say who sees it no more; without both, who does. Whoever asked shares it, and others
    may leave (403).

    Where the desk lets anybody sign up, an address that is not known becomes a customer, who is mailed. Elsewhere the
    colleague is a customer with an address at the same host as yours (422). After twenty in a day, and with fifty who
    see it, it is 409.
    """
    customer = me(tx)
    request = rows.find(tx, customer["id"], args.key)
    if args.add or args.remove:
        require_open(tx, request)
        _require_rights(tx, request, customer, args)
        before = _idents(tx, request)
        lately = _shared_lately(tx, customer)
        for at, address in enumerate(args.add or ()):
            if lately + len(_idents(tx, request) - before) >= MOST_A_DAY:
                raise Conflict(f"You shared with {MOST_A_DAY} others today: go on tomorrow.")
            _add(tx, request, customer, address, f"add[{at}]")
        _require_apart(args)
        for at, address in enumerate(args.remove or ()):
            _remove(tx, request, customer, address, f"remove[{at}]")
        _tell(tx, request, before, _idents(tx, request))
    return PortalParticipants(participants=[one["email"] or one["name"] for one in _others(tx, request)])


def _others(tx: Read, request: OwnRequest) -> list[CustomerRow]:
    return tx.all(
        "select c.* from request_customer w join customer c on c.id = w.customer"
        " where w.issue = :issue and c.id <> :asked order by lower(c.email), c.id",
        CustomerRow,
        issue=request.issue["id"],
        asked=request.row["customer"],
    )


def _idents(tx: Read, request: OwnRequest) -> set[int]:
    return {one["id"] for one in _others(tx, request)}


def _require_rights(tx: Read, request: OwnRequest, customer: CustomerRow, args: DeskPortalWatch) -> None:
    if request.row["customer"] == customer["id"]:
        return
    own = _called(customer)
    if args.add or any(one.strip().lower() != own for one in args.remove or ()):
        raise NotAllowed("Whoever asked shares a request; you may leave it.")


def _require_apart(args: DeskPortalWatch) -> None:
    """Raises InvalidInput for who is to come and to go: they would be mailed, and nothing would tell of it."""
    added = {one.strip().lower() for one in args.add or ()}
    for at, address in enumerate(args.remove or ()):
        if address.strip().lower() in added:
            raise InvalidInput("Add them or remove them.", field=f"remove[{at}]")


def _shared_lately(tx: Read, customer: CustomerRow) -> int:
    """With how many others they shared requests within a day, be they there still or not."""
    rows = tx.all(
        f"select {feed.COLUMNS} from events e where e.actor = :me and e.kind = :kind and e.at > :since",
        me=f"customer:{customer['id']}",
        kind=DeskRequestShared.kind,
        since=tx.now - _DAY_S,
    )
    return sum(len(feed.stored_payload(row["payload"]).get("added", ())) for row in rows)


def _add(tx: Write, request: OwnRequest, customer: CustomerRow, address: str, path: str) -> None:
    email = accounts.require_address(address, field=path)
    found = accounts.by_email(tx, email)
    if not request.desk["open_signup"]:
        if _host(email) != _host(customer["email"]):
            raise InvalidInput("Colleagues have addresses at the same host as yours.", field=path)
        if found is None:
            raise InvalidInput("Nobody is known here by this address: ask for them to be added.", field=path)
    if found is None:
        found = accounts.make(
            tx, accounts.Outsider(email.partition("@")[0], email), password=None, how="shared"
        )
    if creation.share(tx, request.issue["id"], found["id"], by=customer["id"]):
        letters.share(tx, request, found, customer)


def _host(email: str) -> str:
    return email.rpartition("@")[2].lower()


def _called(customer: CustomerRow) -> str:
    return (customer["email"] or customer["name"]).lower()


def _remove(tx: Write, request: OwnRequest, customer: CustomerRow, address: str, path: str) -> None:
    """Whoever did not ask takes out themselves, whatever others are called."""
    said = address.strip().lower()
    asked = request.row["customer"] == customer["id"]
    gone = [
        one for one in _others(tx, request) if _called(one) == said and (asked or one["id"] == customer["id"])
    ]
    if not gone:
        raise InvalidInput("They do not take part.", field=path)
    tx.delete("request_customer", (request.issue["id"], gone[0]["id"]))


def _tell(tx: Write, request: OwnRequest, before: set[int], after: set[int]) -> None:
    if before == after:
        return
    payload = issues.event_payloads.common_payload(tx, request.issue) | {
        "customer": request.row["customer"],
        "added": sorted(after - before),
        "removed": sorted(before - after),
    }
    tx.emit(DeskRequestShared(subject=f"issue:{request.issue['id']}", payload=payload))
