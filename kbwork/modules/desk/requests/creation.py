"""Making a request: an issue of a customer, by whichever way it came in."""

import json
from typing import Any

from kbwork.base.caller import of_customer
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core.access import impersonate
from kbwork.core.operations.validate import validate
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import CustomerRow, ProjectRow, RequestTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import approvals, issues
from kbwork.modules.desk.model import Channel, DeskRequestCreated
from kbwork.modules.desk.request_types import form

MOST_OPEN = 500
"""Requests of one customer that are not done."""
MOST_PEOPLE = 50
"""Customers who see one request."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, by which way."""

    customer: CustomerRow
    channel: Channel
    written_down: bool = False
    """Whether somebody of the desk writes it down for them."""


def of_form(tx: Write, asking: Asking, kind: RequestTypeRow, title: str, values: dict[str, Any]) -> int:
    """A request of a type, with the answers to its form. Answers the number of its issue. Raises InvalidInput."""
    filled = form.answered(tx, kind, values, title=title)
    filled.require_whole()
    key = tx.value("select key from issue_type where id = :id", id=kind["issue_type"])
    given = {"title": title, "type": key, **filled.plain}
    if filled.values:
        given["values"] = filled.values
    if kind["template"] is not None:
        given["template"] = kind["template"]
    return _make(tx, asking, given, kind["project"], kind)


def of_text(tx: Write, asking: Asking, project: int, title: str, body: str) -> int:
    """A request without a form, as it comes by mail or chat."""
    return _make(tx, asking, {"title": title, "body": body}, project, None)


def _make(tx: Write, asking: Asking, given: dict[str, Any], project: int, kind: RequestTypeRow | None) -> int:
    home: ProjectRow | None = tx.stored("project", [project])
    assert home is not None
    customer = asking.customer
    _require_room(tx, customer)
    args = validate(issues.IssuesCreate, {"project": home["key"]} | given)
    assert isinstance(args, issues.IssuesCreate)
    theirs = of_customer(customer["id"], address=tx.caller.address)
    with impersonate.instead(tx, tx.caller if asking.written_down else theirs):
        issue = issues.create_from_outside(tx, home, args, asked=kind is not None, reporter=theirs.actor)
        join(tx, issue, asking, kind["id"] if kind is not None else None)
        payload = issues.event_payloads.common_payload(tx, issues.stored(tx, issue))
        payload |= {
            "channel": asking.channel,
            "customer": customer["id"],
            "request_type": kind["id"] if kind is not None else None,
        }
        tx.emit(DeskRequestCreated(subject=f"issue:{issue}", payload=payload))
        approvers = json.loads(kind["approvers"]) if kind is not None else []
        if approvers:
            approvals.ask_from_outside(tx, issues.stored(tx, issue), approvers)
            _show(tx, issue, approvers)
    return issue


def _show(tx: Write, issue: int, approvers: list[str]) -> None:
    """A customer who is asked to agree sees what it is about."""
    for who in approvers:
        kind, ref = ref_of(who)
        if kind == "customer":
            share(tx, issue, int(ref))


def join(tx: Write, issue: int, asking: Asking, kind: int | None) -> None:
    """An issue is a request of this customer from now on."""
    tx.insert(
        "customer_request",
        issue=issue,
        customer=asking.customer["id"],
        type=kind,
        channel=asking.channel,
        created_at=tx.now,
    )
    share(tx, issue, asking.customer["id"])


def share(tx: Write, issue: int, customer: int, *, by: int | None = None) -> bool:
    """A customer sees a request from now on; False where they did. `by` is the customer who says so. Raises Conflict
    where too many do."""
    if tx.stored("request_customer", [issue, customer]) is not None:
        return False
    if tx.value("select count(*) from request_customer where issue = :id", id=issue) >= MOST_PEOPLE:
        raise Conflict(f"{MOST_PEOPLE} customers see this request, and more are not to.")
    tx.insert("request_customer", issue=issue, customer=customer, at=tx.now, added_by=by)
    return True


def open_kind(tx: Read, ident: int) -> RequestTypeRow | None:
    """A request type that customers may ask for; None for one that is hidden, or of a desk that is shut."""
    return tx.one(
        "select t.* from request_type t join desk d on d.project = t.project and d.enabled"
        " join project p on p.id = t.project and p.deleted_at is null and p.archived_at is null"
        " where t.id = :id and not t.hidden",
        RequestTypeRow,
        id=ident,
    )


def _require_room(tx: Read, customer: CustomerRow) -> None:
    waiting = tx.value(
        "select count(*) from customer_request r join issue i on i.id = r.issue"
        " where r.customer = :id and i.deleted_at is null and i.category <> 'done'",
        id=customer["id"],
    )
    if waiting >= MOST_OPEN:
        raise Conflict(f"{MOST_OPEN} requests of yours are open: wait for some of them to be answered.")
