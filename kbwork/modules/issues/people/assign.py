"""Who has an issue."""

from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Write
from kbwork.modules.issues import event_payloads, preconditions, queries
from kbwork.modules.issues.events import IssueAssigned, IssueUpdated
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.people.watch import add_watcher
from kbwork.modules.issues.transitions import automatic


class IssuesAssign(Input):
    key: IssueRef
    assignees: Annotated[list[Text], Field(max_length=20)]
    """Members, `agent:<name>` or `me`; the first leads; `[]` is nobody."""
    mode: Literal["set", "add", "remove"] | None = None
    """`set` the whole list (unless given), `add` to it or `remove` from it."""


@write(
    "issues.assign",
    scope="issues:write",
    words=(
        "assign, assign to me, give it to somebody, who should do it, unassign, take over, "
        "take the ticket, hand a ticket to, put somebody on it, add an assignee, responsible, "
        "delegate, pick up, reassign"
    ),
    emits=[IssueUpdated, IssueAssigned],
    example={"key": "WEB-1", "assignees": ["me"]},
)
def assign(tx: Write, args: IssuesAssign) -> Issue:
    """Say who has an issue: `set` (the default) the whole list, `add` to it or `remove` from it.

    Assignees are active members who see the issue and agents, 20 at most; they watch it from then on.
    """
    row = preconditions.changeable(tx, args.key)
    before = queries.assignees(tx, row["id"])
    if args.mode == "remove":
        gone = {resolve.assigned(tx, ref, before) for ref in args.assignees}
        after = [who for who in before if who not in gone]
    else:
        named = resolve.assignee_ids(tx, args.assignees)
        after = named if args.mode in (None, "set") else list(dict.fromkeys((*before, *named)))
    if len(after) > resolve.MOST_ASSIGNEES:
        raise InvalidInput(f"An issue has at most {resolve.MOST_ASSIGNEES} assignees.", field="assignees")
    if after == before:
        return queries.one(tx, row["id"])
    with automatic.after_change(tx, row):
        _hand(tx, row, before, after)
    return queries.one(tx, row["id"])


def _hand(tx: Write, row: IssueRow, before: list[str], after: list[str]) -> None:
    write_assignees(tx, row["id"], before, after)
    added = [who for who in after if who not in before]
    resolve.require_assignees_see(tx, row["project"], added)
    for who in added:
        add_watcher(tx, row["id"], who, "assignee")
    event_payloads.updated(tx, row, {"assignees": (before, after)})
    event_payloads.assigned(tx, row, before, after)


def write_assignees(tx: Write, issue: int, before: list[str], after: list[str]) -> None:
    for who in before:
        if who not in after:
            tx.delete("issue_assignee", (issue, who))
    for position, who in enumerate(after):
        if who in before:
            tx.update("issue_assignee", (issue, who), position=position)
        else:
            tx.insert("issue_assignee", issue=issue, who=who, position=position)
