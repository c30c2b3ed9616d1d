"""Where an issue stands: the columns that go with a lane, and lanes that go away under it."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core import named
from kbwork.db.rows import IssueRow, LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import event_payloads
from kbwork.modules.issues.events import IssueBlocked, IssueTransitioned, IssueUnblocked, IssueUpdated
from kbwork.modules.issues.relations import blocked
from kbwork.modules.workflows import lanes

TRANSITION_EVENTS = (IssueUpdated, IssueTransitioned, IssueBlocked, IssueUnblocked)
"""What moving an issue to another lane emits."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """How an issue comes to another lane: the transition, or what moved it; `auto` where that ran by itself."""

    name: str
    outcome: str | None = None
    auto: bool = False


def lane_columns(
    tx: Read, row: IssueRow, lane: LaneRow, target: LaneRow, outcome: str | None = None
) -> dict[str, Any]:
    """The columns of an issue that stands in the target lane from now on."""
    done = target["category"] == "done"
    was_done = lane["category"] == "done"
    own = row["outcome"] if lane["id"] == target["id"] else target["outcome"]
    kept = (outcome or own) if done else None
    columns: dict[str, Any] = {"lane": target["id"], "category": target["category"], "outcome": kept}
    if lane["id"] != target["id"]:
        columns["status_at"] = tx.now
    if done != was_done:
        columns["done_at"] = tx.now if done else None
    if target["category"] == "in_progress" and row["started_at"] is None:
        columns["started_at"] = tx.now
    return columns


def move(tx: Write, row: IssueRow, target: LaneRow, way: StatusChange) -> None:
    """Put an issue into another lane without asking the workflow, and tell how it came there."""
    lane = lanes.one(tx, row["lane"])
    columns = lane_columns(tx, row, lane, target, way.outcome)
    differing = named.diff(row, columns)
    with blocked.emit_changes(tx, row):
        tx.update("issue", row["id"], **differing)
        event_payloads.updated(tx, row, event_payloads.field_changes(tx, row, differing))
        event_payloads.transitioned(tx, row, (lane, target, way.name), columns["outcome"], auto=way.auto)


def move_lane(tx: Write, lane: LaneRow, target: LaneRow, most: int) -> int:
    """Move so many issues of a lane at most to another, with history: the lane goes away. Answers how many moved."""
    rows = tx.all(
        "select * from issue where lane = :lane order by id limit :most", IssueRow, lane=lane["id"], most=most
    )
    for row in rows:
        move(tx, row, target, StatusChange("lane_deleted"))
    return len(rows)
