"""Telling of comments: an internal one is told to the team alone, and no event holds a body."""

from typing import Any

from kbwork.base.events import Event
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import issues


def common(tx: Read, row: Row, issue: Row) -> dict[str, Any]:
    """What every event of a comment says."""
    key = issues.key_of(tx, issue)
    payload = {
        "key": key,
        "project": key.rpartition("-")[0],
        "comment": row["id"],
        "internal": bool(row["internal"]),
    }
    return payload | ({"parent": row["parent"]} if row["parent"] is not None else {})


def tell(tx: Write, kind: type[Event], row: Row, issue: Row, /, **more: Any) -> None:
    """Tell of a comment on its issue. `changes` are the event's, whatever else is given its payload's."""
    changes = more.pop("changes", {})
    tx.emit(
        kind(
            subject=f"issue:{issue['id']}",
            payload=common(tx, row, issue) | more,
            changes=changes,
            heard_by="team" if row["internal"] else None,
        )
    )


def touch(tx: Write, row: Row, issue: Row) -> None:
    """The issue's time moves with what is said on it, never with internal notes."""
    if not row["internal"]:
        issues.touch(tx, issue["id"])
