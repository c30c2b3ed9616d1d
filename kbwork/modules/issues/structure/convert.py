"""Giving an issue another type."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.model import Input, Text
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow, IssueTypeRow, LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules import fields, types, workflows
from kbwork.modules.issues import access, event_payloads, preconditions, queries
from kbwork.modules.issues.event_payloads import Changes
from kbwork.modules.issues.events import (
    IssueBlocked,
    IssueConverted,
    IssueParentChanged,
    IssueTransitioned,
    IssueUnblocked,
    IssueUpdated,
)
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import blocked
from kbwork.modules.issues.transitions import automatic, status
from kbwork.modules.workflows import lanes


class IssuesConvert(Input):
    key: IssueRef
    type: Text
    """Key or name of a type of its project."""
    parent: Text | None = None
    """Where it stands from now on; an empty text takes it off its parent."""
    values: dict[str, Any] | None = None
    """Fields that the new type asks for."""


@write(
    "issues.convert",
    scope="issues:write",
    words=(
        "turn a bug into a story, change the type, make it an epic, make it a subtask, "
        "wrong issue type, make a task of it"
    ),
    emits=[
        IssueUpdated,
        IssueConverted,
        IssueParentChanged,
        IssueTransitioned,
        IssueBlocked,
        IssueUnblocked,
    ],
    example={"key": "WEB-1", "type": "story"},
)
def convert(tx: Write, args: IssuesConvert) -> Issue:
    """Give an issue another type of its project, with the level and the workflow of that type.

    Parent and children must still fit: a parent stands on a higher level than its child (409; `parent` names another).
    A lane that the new workflow does not have becomes its first one of the same category, else its start. Values that
    the new type does not have go; what it asks for must be there (422).
    """
    row = preconditions.movable(tx, args.key)
    wanted = types.by_name(types.of_project(tx, row["project"]), args.type)
    if wanted["id"] == row["type"] and args.parent is None:
        return queries.one(tx, row["id"])
    _require_children_fit(tx, row, wanted)
    parent = _parent(tx, row, wanted, args.parent)
    values = fields.resolve(tx, row["project"], wanted["id"], args.values or {}, issue=row["id"])
    with automatic.after_change(tx, row):
        change_type(tx, row, wanted, parent, values)
        if wanted["id"] != row["type"]:
            _require_values(tx, queries.stored(tx, row["id"]))
    return queries.one(tx, row["id"])


def change_type(
    tx: Write, row: IssueRow, wanted: IssueTypeRow, parent: int | None, values: fields.Resolved
) -> None:
    """Give an issue a type, in the lane of its workflow that stands for the present one, and tell of it."""
    lane = lanes.one(tx, row["lane"])
    to = workflows.places.nearest(workflows.of_issue_type(tx, row["project"], wanted["id"]), lane)
    columns = {
        "type": wanted["id"],
        "level_no": wanted["level"],
        "parent": parent,
        **status.lane_columns(tx, row, lane, to),
    }
    differing = named.diff(row, columns)
    if not differing and not values:
        return
    with blocked.emit_changes(tx, row):
        tx.update("issue", row["id"], **differing)
        changes = fields.drop_unknown(tx, row["id"], row["project"], wanted["id"]).changes
        changes |= fields.write(tx, row["id"], values)
        _tell(tx, row, differing | changes, (lane, to, wanted))


def _require_values(tx: Read, row: IssueRow) -> None:
    """What the layout of the new type asks for is there. Raises InvalidInput."""
    facts = resolve.facts(
        tx, row, assignees=queries.assignees(tx, row["id"]), labels=queries.labels(tx, row["id"])
    )
    fields.required(tx, row["project"], row["type"], fields.held(tx, row["id"]), facts)


def _tell(
    tx: Write, row: IssueRow, differing: dict[str, Any], became: tuple[LaneRow, LaneRow, IssueTypeRow]
) -> None:
    """`differing` are columns as they are to be, and values with both sides."""
    lane, to, wanted = became
    columns = {
        name: value for name, value in differing.items() if name in row and name not in ("type", "level_no")
    }
    changes: Changes = event_payloads.field_changes(tx, row, columns)
    changes |= {name: sides for name, sides in differing.items() if name not in row}
    if "type" in differing:
        before = tx.value("select key from issue_type where id = :id", id=row["type"])
        changes["type"] = (before, wanted["key"])
    event_payloads.updated(tx, row, changes)
    if "type" in changes:
        from_type, to_type = changes["type"]
        payload = event_payloads.common_payload(tx, row) | {"from_type": from_type, "to_type": to_type}
        tx.emit(
            IssueConverted(
                subject=f"issue:{row['id']}", payload=payload, changes={"type": (from_type, to_type)}
            )
        )
    event_payloads.parent_changed(tx, row, changes)
    if lane["id"] != to["id"]:
        event_payloads.transitioned(
            tx, row, (lane, to, "converted"), differing.get("outcome", row["outcome"])
        )


def _require_children_fit(tx: Read, row: IssueRow, wanted: IssueTypeRow) -> None:
    highest = tx.value(
        "select max(level_no) from issue where parent = :id and deleted_at is null", id=row["id"]
    )
    if highest is not None and highest >= wanted["level"]:
        raise Conflict(
            f"{queries.key_of(tx, row)} has children that a {wanted['name']} cannot have: move or convert them first."
        )


def _parent(tx: Read, row: IssueRow, wanted: IssueTypeRow, named: str | None) -> int | None:
    if named:
        found: int = resolve.parent_row(tx, named, wanted["level"], child=row["id"])["id"]
        return found
    if named == "" or row["parent"] is None:
        return None
    parent = queries.stored(tx, row["parent"])
    if parent["level_no"] <= wanted["level"]:
        seen = access.find(tx, f"issue:{parent['id']}") is not None
        raise Conflict(
            f"A {wanted['name']} cannot stand under {queries.key_of(tx, parent) if seen else 'its parent'}:"
            " name another parent, or an empty text for none."
        )
    return int(row["parent"])
