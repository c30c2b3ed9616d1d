"""Whose request an issue is, and who else sees it."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import whole_number
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import CustomerRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import DeskCustomerCreated, DeskRequestShared, RequestPeople
from kbwork.modules.desk.requests import creation

CustomerRef = Annotated[Text, Field(max_length=254, description="A customer: id or e-mail address.")]
People = Annotated[list[CustomerRef], Field(max_length=creation.MOST_PEOPLE)]


class DeskRequesterSet(Input):
    key: IssueRef
    requester: CustomerRef | None = None
    """Who asked. An issue that is no request becomes one; who asked before sees it no more, unless they are added."""
    add: People | None = None
    """Customers who see it from now on and are mailed what is said, by id or address."""
    remove: People | None = None
    """Customers who do no more."""


@write(
    "desk.requester_set",
    scope="issues:write",
    guests=False,
    words=(
        "this ticket is of another customer, add a colleague of the customer, cc a customer, participants, "
        "make an issue a customer's request, share a request"
    ),
    emits=[DeskRequestShared, DeskCustomerCreated],
    undo="customers may have read it meanwhile: set it anew",
    example={"key": "WEB-6", "add": ["2"]},
)
def requester_set(tx: Write, args: DeskRequesterSet) -> RequestPeople:
    """Say whose request an issue is and who takes part in it. For members of the project, which must be a desk.

    They read title, description and status, and what is said from then on; of what was said before it was a request
    they read nothing. Somebody by an address that no customer has becomes one, and who is a customer of other desks is
    one of this desk then, too: its people see them. An issue that is no request needs a `requester` (409).
    """
    row = issues.get(tx, args.key)
    project_key = issues.key_of(tx, row).rpartition("-")[0]
    access.desk(tx, project_key)
    access.require_member(tx, row["project"])
    issues.preconditions.require_awake(tx, row)
    before = _people(tx, row)
    _set_requester(tx, row, args.requester)
    for at, ref in enumerate(args.add or ()):
        creation.share(tx, row["id"], customer_of(tx, ref, f"add[{at}]")["id"])
    for at, ref in enumerate(args.remove or ()):
        _remove(tx, row, customer_of(tx, ref, f"remove[{at}]", known=True), f"remove[{at}]")
    after = _people(tx, row)
    if after != before:
        _tell(tx, row, before, after)
    return shown(tx, row["id"])


def shown(tx: Read, issue: int) -> RequestPeople:
    """Who sees a request."""
    (requester, people) = _people(tx, issues.stored(tx, issue))
    assert requester is not None
    others = [accounts.stored(tx, one) for one in sorted(people) if one != requester]
    return RequestPeople(
        requester=accounts.shown(tx, [accounts.stored(tx, requester)])[0],
        participants=accounts.shown(tx, others),
    )


def _people(tx: Read, row: IssueRow) -> tuple[int | None, frozenset[int]]:
    """(who asked, all who see it)."""
    request = tx.stored("customer_request", [row["id"]])
    found = tx.column("select customer from request_customer where issue = :id", id=row["id"])
    return (request["customer"] if request is not None else None), frozenset(found)


def _set_requester(tx: Write, row: IssueRow, ref: str | None) -> None:
    request = tx.stored("customer_request", [row["id"]])
    if ref is None:
        if request is None:
            raise Conflict(f"{issues.key_of(tx, row)} is no request: name the `requester`.")
        return
    who = customer_of(tx, ref, "requester")
    if request is None:
        creation.join(tx, row["id"], creation.Asking(who, "phone"), None)
    elif request["customer"] != who["id"]:
        tx.delete("request_customer", (row["id"], request["customer"]))
        tx.update("customer_request", row["id"], customer=who["id"])
        creation.share(tx, row["id"], who["id"])


def _remove(tx: Write, row: IssueRow, who: CustomerRow, path: str) -> None:
    request = tx.stored("customer_request", [row["id"]])
    if request is not None and request["customer"] == who["id"]:
        raise InvalidInput("Whoever asked stays: name another `requester` first.", field=path)
    tx.delete("request_customer", (row["id"], who["id"]))


def customer_of(tx: Write, ref: str, path: str, *, known: bool = False) -> CustomerRow:
    """A customer by id, whom the caller sees, or by address; a new one where nobody has it. Where that will not do, one
    whom the caller does not see is as one who never was: nothing would come of it that tells of the look."""
    number = whole_number(ref.removeprefix("customer:"))
    if number is not None:
        return access.customer(tx, number)
    email = accounts.require_address(ref, field=path)
    found = accounts.by_email(tx, email)
    if known and (found is None or access.seen_customer(tx, found["id"]) is None):
        raise InvalidInput(f"No customer whom you see has the address {email}.", field=path)
    if found is None:
        who = accounts.Outsider(email.partition("@")[0], email)
        found = accounts.make(tx, who, password=None, how="added")
    return found


def _tell(
    tx: Write,
    row: IssueRow,
    before: tuple[int | None, frozenset[int]],
    after: tuple[int | None, frozenset[int]],
) -> None:
    payload = issues.event_payloads.common_payload(tx, row) | {
        "customer": after[0],
        "added": sorted(after[1] - before[1]),
        "removed": sorted(before[1] - after[1]),
    }
    tx.emit(DeskRequestShared(subject=f"issue:{row['id']}", payload=payload))
