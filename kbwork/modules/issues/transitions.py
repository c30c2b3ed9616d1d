"""Moving an issue along its workflow."""

from typing import Any

from kbwork.base.errors import ApprovalNeeded, InvalidInput, WorkflowRefused
from kbwork.base.model import Body, Input, Int, Text
from kbwork.core import inside
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import workflows
from kbwork.modules.issues import access, blocking, opening, parts, queries, standing, telling
from kbwork.modules.issues.model import Issue, IssueTransition
from kbwork.modules.workflows import lanes
from kbwork.modules.workflows.model import Outcome


class IssuesTransition(Input):
    key: Text
    to_status: Text
    """A lane, by key or name, that a transition from the present one leads to."""
    values: dict[str, Any] | None = None
    """Fields that the transition asks for."""
    comment: Body | None = None
    outcome: Outcome | None = None
    """For a done lane; the lane's own unless given."""
    if_seq: Int | None = None


@write(
    "issues.transition",
    scope="issues:write",
    emits=list(standing.MOVES),
    example={"key": "WEB-1", "to_status": "in_progress"},
)
def transition(tx: Write, args: IssuesTransition) -> Issue:
    """Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.

    No transition is 409 `workflow-refused`, one with approvers 409 `approval-needed`. The lane it is in already is
    no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both. Where the project says so,
    an issue that open ones block is not closed (409).
    """
    row = opening.changeable(tx, args.key, args.if_seq)
    if args.values:
        raise InvalidInput("This transition asks for no fields.", field="values", allowed=[])
    lane = lanes.one(tx, row["lane"])
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    step = parts.step_to(tx, graph, lane, args.to_status, field="to_status")
    target = step.to if step is not None else lane
    if args.outcome and target["category"] != "done":
        raise InvalidInput(f"{target['name']} is no done lane: only those have an outcome.", field="outcome")
    if step is not None:
        if step.transition["approvers"]:
            raise ApprovalNeeded(f"{step.transition['name']} has to be approved first.")
        _require_free(tx, row, target)
        standing.move(tx, row, target, name=step.transition["key"], outcome=args.outcome)
    elif args.outcome and args.outcome != row["outcome"]:
        tx.update("issue", row["id"], outcome=args.outcome)
        telling.updated(tx, row, {"outcome": (row["outcome"], args.outcome)})
    if args.comment:
        inside.run(
            tx, "comments.create", {"subject": f"issue:{row['id']}", "body": args.comment}, about="comment: "
        )
    return queries.one(tx, row["id"])


class IssuesTransitions(Input):
    key: Text


@read("issues.transitions", scope="issues:read", example={"key": "WEB-1"})
def transitions(tx: Read, args: IssuesTransitions) -> list[IssueTransition]:
    """List the ways on from the lane that an issue is in; `why` says what closes one to you."""
    return queries.transitions(tx, access.issue(tx, args.key))


def _require_free(tx: Read, row: Row, target: Row) -> None:
    """Raises WorkflowRefused where open issues block it and the project keeps such ones open."""
    closes = target["category"] == "done" and row["category"] != "done"
    if not closes or not row["blockers"]:
        return
    if tx.value("select blockers from project where id = :id", id=row["project"]) != "refuse":
        return
    blockers = blocking.open_blockers(tx, row["id"])
    seen = [queries.key_of(tx, one) for one in blockers if access.find(tx, f"issue:{one['id']}")]
    named = ", ".join(seen) or "issues that you do not see"
    raise WorkflowRefused(
        f"Open issues block {queries.key_of(tx, row)}: {named}. Close them first, or take the relation away.",
        rule="open-blockers",
    )
