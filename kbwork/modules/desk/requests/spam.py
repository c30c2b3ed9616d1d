"""What nobody asked for."""

from kbwork.base.errors import NotAllowed
from kbwork.base.model import Input, Ok
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.customers import accounts
from kbwork.modules.desk.model import DeskCustomerBlocked
from kbwork.modules.desk.requests import rows


class DeskSpam(Input):
    key: IssueRef
    block: bool | None = None
    """Also refuses the sender from now on: they are signed out, and what they mail is ignored."""


@write(
    "desk.spam",
    scope="issues:write",
    guests=False,
    words="mark as spam, junk ticket, this is no request, block a spammer, throw away unwanted mail",
    undo="trash.restore brings the request back, and desk.customer_block lets the sender in",
    emits=[DeskCustomerBlocked],
    example={"key": "WEB-6", "block": False},
)
def spam(tx: Write, args: DeskSpam) -> Ok:
    """Put a request into the trash that is none, and tell its sender nothing. For members of the project; an issue that
    is no request of a desk is 409, as is one of an archived project.

    With `block` whoever sent it is shut out, at all desks. That is for members of all desks that they have to do with;
    for others an admin does it by desk.customer_block (403).
    """
    issue = issues.get(tx, args.key)
    access.require_member(tx, issue["project"])
    issues.preconditions.require_awake(tx, issue)
    request = rows.asked_of(tx, issue)
    if args.block:
        _block(tx, request.row["customer"])
    issues.discard(tx, issue)
    return Ok(ok=True)


def _block(tx: Write, customer: int) -> None:
    row = accounts.stored(tx, customer)
    if row["blocked_at"] is not None:
        return
    if _is_elsewhere(tx, customer):
        raise NotAllowed(
            "They have to do with other desks, too: an admin blocks them by desk.customer_block."
        )
    accounts.block(tx, row)


def _is_elsewhere(tx: Read, customer: int) -> bool:
    found = tx.value(
        f"select 1 from customer c where c.id = :id and {access.ELSEWHERE}",
        id=customer,
        **visibility.binds(tx),
    )
    return found is not None
