"""Whom a customer shares a request with."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
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
        for at, address in enumerate(args.add or ()):
            _add(tx, request, customer, address, f"add[{at}]")
        for at, address in enumerate(args.remove or ()):
            _remove(tx, request, address, f"remove[{at}]")
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
    own = {customer["email"].lower(), customer["name"].lower()}
    if args.add or any(one.strip().lower() not in own for one in args.remove or ()):
        raise NotAllowed("Whoever asked shares a request; you may leave it.")


def _add(tx: Write, request: OwnRequest, customer: CustomerRow, address: str, path: str) -> None:
    email = accounts.require_address(address, field=path)
    found = accounts.by_email(tx, email)
    if not request.desk["open_signup"]:
        if _host(email) != _host(customer["email"]):
            raise InvalidInput("Colleagues have addresses at the same host as yours.", field=path)
        if found is None:
            raise InvalidInput("Nobody is known here by this address: ask for them to be added.", field=path)
    today = tx.value(
        "select count(*) from request_customer where added_by = :me and at > :since",
        me=customer["id"],
        since=tx.now - _DAY_S,
    )
    if today >= MOST_A_DAY:
        raise Conflict(f"You shared with {MOST_A_DAY} others today: go on tomorrow.")
    if found is None:
        found = accounts.make(
            tx, accounts.Outsider(email.partition("@")[0], email), password=None, how="shared"
        )
    if creation.share(tx, request.issue["id"], found["id"], by=customer["id"]):
        letters.share(tx, request, found, customer)


def _host(email: str) -> str:
    return email.rpartition("@")[2].lower()


def _remove(tx: Write, request: OwnRequest, address: str, path: str) -> None:
    said = address.strip().lower()
    gone = [one for one in _others(tx, request) if (one["email"] or one["name"]).lower() == said]
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
