"""Folding duplicates into one issue."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import workflows
from kbwork.modules.issues import event_payloads, preconditions, queries
from kbwork.modules.issues.events import (
    IssueBlocked,
    IssueMerged,
    IssueRelated,
    IssueTransitioned,
    IssueUnblocked,
    IssueUpdated,
)
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import blocked, relation_kinds, relations
from kbwork.modules.issues.transitions import status
from kbwork.modules.workflows import lanes


class IssuesMerge(Input):
    from_: Annotated[list[Text], Field(alias="from", min_length=1, max_length=100)]
    """Keys of the duplicates, which are closed."""
    into: Text
    """The issue that stays."""
    comments: bool | None = None
    """Whether their comments move; they do unless it is false."""


@write(
    "issues.merge",
    scope="issues:write",
    words=(
        "merge duplicates, mark as a duplicate, same bug twice, combine tickets, fold into, "
        "two tickets are the same"
    ),
    emits=[IssueUpdated, IssueTransitioned, IssueMerged, IssueRelated, IssueBlocked, IssueUnblocked],
    example={"from": ["WEB-2"], "into": "WEB-1"},
)
def merge(tx: Write, args: IssuesMerge) -> Issue:
    """Fold duplicates into an issue: they are closed with the outcome `duplicate` and a `duplicates` relation.

    Their comments, files, votes and watchers move to the issue that stays; who voted for both has one vote. You may
    change all of them. They go to the workflow's lane for duplicates, or its first done lane (409 where it has none),
    whatever transitions lead there. One undo takes all of it back. Customers whose request is folded go on reading
    there what they were told, and customers of the issue that stays read none of it.
    """
    into = preconditions.movable(tx, args.into)
    rows = {row["id"]: row for row in (preconditions.movable(tx, key) for key in args.from_)}
    if into["id"] in rows:
        raise InvalidInput("An issue is not folded into itself.", field="from")
    duplicates, _ = relation_kinds.by_name(tx, "duplicates")
    for row in rows.values():
        _close(tx, row)
        _hand_over(tx, row, into, comments=args.comments is not False)
        relations.add(tx, duplicates, queries.stored(tx, row["id"]), queries.stored(tx, into["id"]))
        payload = event_payloads.common_payload(tx, row) | {"into": queries.key_of(tx, into)}
        tx.emit(IssueMerged(subject=f"issue:{row['id']}", payload=payload))
    event_payloads.touch(tx, into["id"])
    return queries.one(tx, into["id"])


def _close(tx: Write, row: IssueRow) -> None:
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    done = [lane for lane in graph.lanes if lane["category"] == "done"]
    if not done:
        raise Conflict(f"The workflow {graph.name} has no done lane for {queries.key_of(tx, row)}.")
    target = next((lane for lane in done if lane["outcome"] == "duplicate"), done[0])
    lane = lanes.one(tx, row["lane"])
    if lane["category"] != "done":
        status.move(tx, row, target, status.StatusChange("merged", "duplicate"))
    elif row["outcome"] != "duplicate":
        with blocked.emit_changes(tx, row):
            tx.update("issue", row["id"], outcome="duplicate")
            event_payloads.updated(tx, row, {"outcome": (row["outcome"], "duplicate")})


def _hand_over(tx: Write, row: IssueRow, into: IssueRow, *, comments: bool) -> None:
    """Comments, files, votes and watchers go to the other issue."""
    for part in tx.registry.cascades:
        if part.move is not None and (comments or part.name != "comments"):
            part.move(tx, f"issue:{row['id']}", f"issue:{into['id']}", None)
    for table in ("issue_vote", "issue_watcher"):
        for held in _people(tx, table, row["id"]):
            if tx.stored(table, [into["id"], held["who"]]) is None:
                tx.insert(table, **held | {"issue": into["id"]})
            tx.delete(table, (row["id"], held["who"]))


def _people(tx: Read, table: str, issue: int) -> list[Row]:
    return tx.all(f"select * from {table} where issue = :id order by who", id=issue)
