"""What somebody of the desk writes down for a customer who called, came by, or wrote elsewhere."""

from typing import Literal

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Name
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow, RequestTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.model import (
    NOT_TAKEN_BACK,
    DeskCustomerCreated,
    DeskRequestCreated,
    FormValues,
)
from kbwork.modules.desk.requests import creation, letters, rows
from kbwork.modules.desk.requests.requester import CustomerRef, customer_of
from kbwork.modules.projects import access as projects


class DeskRequestCreate(Input):
    project: ProjectRef
    type: Id
    """Id of the request type, from desk.request_types; hidden ones count."""
    customer: CustomerRef
    """Who asks: an address that no customer has becomes one."""
    title: Name
    """What is asked for, on one line."""
    values: FormValues | None = None
    channel: Literal["phone", "mail", "chat", "walk_in"] | None = None
    """By which way it came; by phone unless given."""


@write(
    "desk.request_create",
    scope="issues:write",
    guests=False,
    words=(
        "a customer called, log a phone call, open a ticket for a customer, on behalf of a customer, "
        "somebody came to the counter, new request for somebody"
    ),
    undo=NOT_TAKEN_BACK,
    emits=[DeskRequestCreated, DeskCustomerCreated],
    example={
        "project": "WEB",
        "type": 2,
        "customer": "tess@rivers.example",
        "title": "She asks for an invoice",
        "channel": "phone",
    },
)
def request_create(tx: Write, args: DeskRequestCreate) -> issues.Issue:
    """Write a request down for a customer, who is told by mail that it is here and sees it on the portal. For members
    of the project.

    The form is judged as on the portal: what does not fit and what is missing is 422 at `values.<key>`, all of it at
    once. The reporter is the customer, and whoever writes it down watches it. A customer who is blocked, one with 500
    open requests, and a desk that is shut are 409.
    """
    project, desk = access.desk(tx, args.project)
    access.require_member(tx, project["id"])
    projects.require_open(project)
    if not desk["enabled"]:
        raise Conflict("The desk is shut: nothing comes in.")
    kind = _kind(tx, project, args.type)
    customer = customer_of(tx, args.customer, "customer")
    if customer["blocked_at"] is not None:
        raise Conflict("They are blocked: let them in again first.")
    asking = creation.Asking(customer, args.channel or "phone", written_down=True)
    issue = creation.of_form(tx, asking, kind, args.title, args.values or {})
    if tx.notify is not False:
        letters.acknowledge(tx, rows.of_issue(tx, issue), customer)
    return issues.by_ids(tx, [issue])[0]


def _kind(tx: Read, project: ProjectRow, ident: int) -> RequestTypeRow:
    """Raises NotFound, also for a type of another desk."""
    row = tx.stored("request_type", [ident])
    found = row if row is not None and row["project"] == project["id"] else None
    return named.known(found, "request type", ident, "desk.request_types")
