"""Moving an issue along its workflow."""

from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Input, Int, Text
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, event_payloads, ports, preconditions, queries
from kbwork.modules.issues.model import Issue, IssueTransition
from kbwork.modules.issues.transitions import automatic, engine, status
from kbwork.modules.workflows import Outcome, lanes


class IssuesTransition(Input):
    key: IssueRef
    to_status: Text
    """A lane, by key or name, that a transition from the present one leads to."""
    values: dict[str, Any] | None = None
    """Fields that the transition asks for, by name: own ones, and `assignee`, `due`, `priority` and the like."""
    comment: Body | None = None
    """What to say beside, in Markdown."""
    outcome: Outcome | None = None
    """For a done lane; the lane's own unless given."""
    if_seq: Int | None = None
    """Refuse (409 `stale`, with `current`) where the issue's `seq` is another one."""


@write(
    "issues.transition",
    scope="issues:write",
    words=(
        "close, finish, done, complete, resolve, reopen, start work, in progress, move to review, "
        "change status, change the state, move to another column, move across the board, "
        "mark as done, won't fix, cancel a ticket, set status, begin, ready for testing, "
        "deployed, push to qa"
    ),
    emits=list(status.TRANSITION_EVENTS),
    example={"key": "WEB-1", "to_status": "in_progress"},
)
def transition(tx: Write, args: IssuesTransition) -> Issue:
    """Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.

    Members go any way that names nobody; a reporter of the project goes those that name `reporter`, with their own.
    No transition, one whose conditions hide it, one that is for others, a check that fails with the given `values` and,
    where the project says so, open blockers of an issue that is closed are 409 `workflow-refused` with the `rule`; one
    with approvers is 409 `approval-needed`. Of several transitions to the lane the first counts that is open to you.
    What it asks for and does not get is 422 at `values.<name>`, as is what it does not ask for. The lane it is in
    already is no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both.

    What the transition does behind the move runs with your rights, and what is refused then refuses the move, unless
    the workflow says that it may. More than 1,000 actions in one call are refused, too (409, rule `then`).
    """
    row = preconditions.changeable(tx, args.key, args.if_seq)
    step = engine.find(tx, row, args.to_status, field="to_status")
    target = step.to if step is not None else lanes.one(tx, row["lane"])
    if args.outcome and target["category"] != "done":
        raise InvalidInput(f"{target['name']} is no done lane: only those have an outcome.", field="outcome")
    with automatic.after_change(tx, row):
        if step is not None:
            engine.execute(
                tx, row, step, engine.TransitionRequest(args.values or {}, args.comment, args.outcome)
            )
        else:
            _stay(tx, row, args)
    return queries.one(tx, row["id"])


class IssuesTransitions(Input):
    key: IssueRef


@read(
    "issues.transitions",
    scope="issues:read",
    words=(
        "which statuses can it go to, next steps, why can I not close it, possible moves, "
        "allowed statuses, what is needed to close, stuck"
    ),
    example={"key": "WEB-1"},
)
def transitions(tx: Read, args: IssuesTransitions) -> list[IssueTransition]:
    """List the ways on from the lane that an issue is in; `why` says what closes one to you.

    Those whose conditions fail are not there. `fields` are what it asks for on the way.
    """
    return engine.transitions(tx, access.get(tx, args.key))


def _stay(tx: Write, row: IssueRow, args: IssuesTransition) -> None:
    """It is there already: another outcome and a comment may be said."""
    if args.values:
        raise InvalidInput("It moves nowhere: nothing asks for values.", field="values", allowed=[])
    if args.outcome and args.outcome != row["outcome"]:
        tx.update("issue", row["id"], outcome=args.outcome)
        event_payloads.updated(tx, row, {"outcome": (row["outcome"], args.outcome)})
    if args.comment:
        ports.say(tx, row["id"], args.comment)
