"""Telling of an issue: what its events say beside what happened."""

import contextlib
from collections.abc import Iterator
from typing import Any

from kbwork.db.rows import IssueRow, LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import ports, queries
from kbwork.modules.issues.events import (
    IssueAssigned,
    IssueParentChanged,
    IssueTransitioned,
    IssueUnvoted,
    IssueUnwatched,
    IssueUpdated,
    IssueVoted,
    IssueWatched,
)
from kbwork.modules.workflows import lanes

Changes = dict[str, Any]
"""Field -> (before, after), or the sizes of a long text."""


def common_payload(tx: Read, row: IssueRow) -> dict[str, Any]:
    """What every event of an issue says."""
    key = queries.key_of(tx, row)
    return {"key": key, "project": key.rpartition("-")[0]}


def field_changes(tx: Read, row: IssueRow, columns: dict[str, Any]) -> Changes:
    """Changed columns as fields of the shape, each with its value before and after."""
    changes: Changes = {}
    for name, value in columns.items():
        before = row[name]
        if before == value or name in ("body", "body_doc", "category", "status_at", "started_at", "done_at"):
            continue
        if name == "lane":
            changes["status"] = (lanes.one(tx, before)["name"], lanes.one(tx, value)["name"])
        elif name == "parent":
            changes["parent"] = (_key_of(tx, before), _key_of(tx, value))
        else:
            changes[name] = (before, value)
    return changes


def updated(tx: Write, row: IssueRow, changes: Changes) -> None:
    """`issue.updated` with every change, and the stamp of it on the issue; inside `updated_once` behind it."""
    if tx.gathering == f"issue:{row['id']}":
        tx.gathered.append(changes)
        return
    seq = tx.emit(
        IssueUpdated(subject=f"issue:{row['id']}", payload=common_payload(tx, row), changes=changes)
    )
    tx.execute(
        "update issue set seq = :seq, updated_at = :now where id = :id", seq=seq, now=tx.now, id=row["id"]
    )
    ports.reconsider_approvals(tx, row["id"])


@contextlib.contextmanager
def updated_once(tx: Write, issue: int) -> Iterator[None]:
    """What changes of an issue inside is told by one `issue.updated` behind it.

    Who raises inside takes all of it back.
    """
    outer = (tx.gathering, tx.gathered)
    tx.gathering, tx.gathered = f"issue:{issue}", []
    try:
        yield
        gathered = tx.gathered
    finally:
        tx.gathering, tx.gathered = outer
    if changes := _joined(gathered):
        updated(tx, queries.stored(tx, issue), changes)


def _joined(parts: list[Changes]) -> Changes:
    """Changes one after the other as one: from what was there first to what is there last."""
    joined: Changes = {}
    for part in parts:
        for name, sides in part.items():
            joined[name] = _from_to(joined[name], sides) if name in joined else sides
    return {name: sides for name, sides in joined.items() if isinstance(sides, dict) or sides[0] != sides[1]}


def _from_to(first: Any, last: Any) -> Any:
    """The revision of a long text that was there before both is that of the first."""
    return first | {"to_size": last["to_size"]} if isinstance(first, dict) else (first[0], last[1])


def transitioned(
    tx: Write, row: IssueRow, road: tuple[LaneRow, LaneRow, str], outcome: str | None, *, auto: bool = False
) -> None:
    """`issue.transitioned` from a lane to another, by the transition of this name; `auto`: it ran by itself."""
    lane, target, name = road
    payload = common_payload(tx, row) | {
        "transition": name,
        "from": lane["name"],
        "to": target["name"],
        "from_category": lane["category"],
        "to_category": target["category"],
        "outcome": outcome,
        "seconds_in_lane": max(0, tx.now - row["status_at"]),
    }
    if lane["category"] == "done" and target["category"] != "done":
        payload["reopened"] = True
    if auto:
        payload["auto"] = True
    changes: Changes = {"status": (lane["name"], target["name"])}
    if row["outcome"] != outcome:
        changes["outcome"] = (row["outcome"], outcome)
    tx.emit(IssueTransitioned(subject=f"issue:{row['id']}", payload=payload, changes=changes))


def parent_changed(tx: Write, row: IssueRow, changes: Changes) -> None:
    """`issue.parent_changed`, where the changes say so."""
    if "parent" not in changes:
        return
    before, after = changes["parent"]
    payload = common_payload(tx, row) | {"from": before, "to": after}
    tx.emit(
        IssueParentChanged(subject=f"issue:{row['id']}", payload=payload, changes={"parent": (before, after)})
    )


def assigned(tx: Write, row: IssueRow, before: list[str], after: list[str]) -> None:
    """`issue.assigned`: who has it now and had it not, and the other way round."""
    payload = common_payload(tx, row) | {
        "added": [who for who in after if who not in before],
        "removed": [who for who in before if who not in after],
    }
    changes = {"assignees": (before, after)}
    tx.emit(IssueAssigned(subject=f"issue:{row['id']}", payload=payload, changes=changes))


def _key_of(tx: Read, issue: int | None) -> str | None:
    return queries.key_of(tx, queries.stored(tx, issue)) if issue is not None else None


def emit_about(
    tx: Write,
    row: IssueRow,
    kind: type[IssueWatched] | type[IssueUnwatched] | type[IssueVoted] | type[IssueUnvoted],
    who: str,
) -> None:
    tx.emit(kind(subject=f"issue:{row['id']}", payload=common_payload(tx, row) | {"who": who}))


def touch(tx: Write, issue: int) -> None:
    """Something that hangs on the issue changed: `updated_at` says so, `seq` of its fields does not."""
    tx.execute("update issue set updated_at = :now where id = :id", now=tx.now, id=issue)
