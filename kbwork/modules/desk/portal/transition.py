"""What a customer may do with the status of a request: close it, reopen it, agree or refuse where they are asked."""

from typing import Literal

from kbwork.base.errors import Conflict, Problem
from kbwork.base.model import Body, Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Write
from kbwork.modules import approvals, issues
from kbwork.modules.desk.customers import quota
from kbwork.modules.desk.model import NOT_TAKEN_BACK, PortalRequest
from kbwork.modules.desk.portal.own_account import me
from kbwork.modules.desk.portal.requests import RequestRef, require_open, say_here
from kbwork.modules.desk.requests import rows
from kbwork.modules.desk.requests.rows import OwnRequest
from kbwork.modules.issues import automatic, engine
from kbwork.modules.workflows import TransitionStep

_DAY_S = 86400


class DeskPortalTransition(Input):
    key: RequestRef
    action: Literal["close", "reopen", "approve", "reject"]
    """`approve` and `reject` are for who is asked to agree."""
    note: Body | None = None
    """What to say with it, in Markdown; it is said on the request as by desk.portal_comment."""


@write(
    "desk.portal_transition",
    scope="desk:portal",
    words="close my ticket, it works again, reopen my request, still broken, approve a request as a customer",
    undo=NOT_TAKEN_BACK,
    emits=[],
    example={"key": "WEB-7", "action": "close", "note": "It came today."},
)
def portal_transition(tx: Write, args: DeskPortalTransition) -> PortalRequest:
    """Close a request of yours, or reopen one that is closed, as long as the desk allows it; or, where you are asked to
    agree before it goes on, do that or refuse.

    It goes the first way of its workflow that leads there, asks for nothing and needs nobody to agree. Where there is
    none, where it is closed or open already, and where nothing asks you it is 409. What you asked for yourself others
    decide, unless the workflow lets you (403). After twenty requests, answers and changes of yours in an hour it is
    429.
    """
    customer = me(tx)
    request = rows.find(tx, customer["id"], args.key)
    require_open(tx, request)
    if args.note is not None and args.note.strip():
        say_here(tx, customer, request, args.note, field="note")
    else:
        counted = quota.require_room(tx, customer)
        quota.note(tx, request.issue["project"], counted, quota.Sent("commented", request.issue["id"]))
    if args.action in ("approve", "reject"):
        _vote(tx, request, approve=args.action == "approve", note=args.note)
    else:
        _move(tx, request, closes=args.action == "close")
    return rows.summary(tx, customer["id"], request.issue["id"])


def _move(tx: Write, request: OwnRequest, *, closes: bool) -> None:
    row = issues.stored(tx, request.issue["id"])
    if (row["category"] == "done") == closes:
        raise Conflict("It is closed already." if closes else "It is open: write on it what is new.")
    if not closes:
        _require_recent(tx, request)
    with automatic.after_change(tx, row):
        for step in engine.available(tx, row, engine.standing_of(tx, row)):
            if (step.to["category"] == "done") == closes and _goes(tx, request, step):
                return
    raise Conflict(f"{request.desk['name']} does that: write on the request what you need.")


def _goes(tx: Write, request: OwnRequest, step: TransitionStep) -> bool:
    """Whether it went this way; what stands against it leaves it where it was."""
    if step.transition["approvers"]:
        return False
    try:
        with tx.attempt():
            going = engine.TransitionRequest(freely=True)
            engine.execute(tx, issues.stored(tx, request.issue["id"]), step, going)
    except (
        Problem
    ):  # it asks for something, a check fails, or it does what no customer may: the next way counts
        return False
    return True


def _require_recent(tx: Read, request: OwnRequest) -> None:
    days, done_at = request.desk["reopen_days"], request.issue["done_at"]
    if days is not None and done_at is not None and tx.now > done_at + days * _DAY_S:
        raise Conflict("It was closed too long ago: make another request.")


def _vote(tx: Write, request: OwnRequest, *, approve: bool, note: str | None) -> None:
    if not approvals.decide_from_outside(tx, request.issue, approve=approve, note=(note or "")[:2000]):
        raise Conflict("Nothing waits for you to agree.")
