"""Telling of comments: an internal one is told to the team alone, and no event holds a body."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.events import DomainEvent
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Write


def common_payload(row: CommentRow, on: CommentTarget) -> dict[str, Any]:
    """What every event of a comment says."""
    payload = on.told | {"comment": row["id"], "internal": bool(row["internal"])}
    return payload | ({"parent": row["parent"]} if row["parent"] is not None else {})


def emit(tx: Write, kind: type[DomainEvent], row: CommentRow, on: CommentTarget, /, **more: Any) -> None:
    """Tell of a comment on its subject. `changes` are the event's, whatever else is given its payload's."""
    changes = more.pop("changes", {})
    tx.emit(
        kind(
            subject=on.subject,
            payload=common_payload(row, on) | more,
            changes=changes,
            heard_by="team" if row["internal"] else None,
        )
    )


def touch(tx: Write, row: CommentRow, on: CommentTarget) -> None:
    """The time of a thing moves with what is said on it, never with internal notes."""
    if not row["internal"]:
        on.touch(tx)


@dataclass(frozen=True, kw_only=True)
class CommentHearers(Extension):
    """Declared by a module that takes what is said further, such as to customers by mail."""

    said: Callable[[Write, CommentRow], None]
    """A comment was made, in the same transaction; not one that was brought in from elsewhere."""


def said(tx: Write, row: CommentRow) -> None:
    """Something was said: who takes it further does."""
    found: list[CommentHearers] = tx.registry.of(CommentHearers)
    for one in found:
        one.said(tx, row)
