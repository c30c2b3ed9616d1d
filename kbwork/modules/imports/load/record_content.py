"""What records say: whether they stay out, where they go, and what an issue says field by field."""

from collections.abc import Container
from typing import Any

from kbwork.base.errors import NotFound
from kbwork.issuefields import IMPORTED
from kbwork.modules.imports.model import Mapping
from kbwork.modules.imports.queries import ImportJobRow
from kbwork.modules.imports.records import IssueRecord, Record, Value

_KINDS = {
    "label": "labels",
    "component": "components",
    "comment": "comments",
    "relation": "relations",
    "attachment": "attachments",
}
OWN = "field:"
"""Before the key of an own field."""
_SAME = (
    "title",
    "body",
    "priority",
    "labels",
    "assignees",
    "components",
    *(field.input for field in IMPORTED),
)


def is_skipped(record: Record, skip: Container[str], since: int | None) -> bool:
    """Whether somebody asked that it stays out."""
    kind = record["kind"]
    if _KINDS.get(kind, kind) in skip:
        return True
    if record["kind"] == "project":
        return record["id"] in skip
    if record["kind"] in ("label", "component", "issue", "attachment", "past") and record["project"] in skip:
        return True
    if record["kind"] == "issue" and record["type"] in skip:
        return True
    if record["kind"] not in ("issue", "comment") or since is None:
        return False
    at = record["updated_at"] if record["updated_at"] is not None else record["created_at"]
    return at is not None and at <= since


def place_of(record: Record) -> str:
    """What a record is called where it is told of."""
    if record["kind"] == "relation":
        return f"{record['from']} {record['relation']} {record['to']}"
    return record["id"]


def key_of(mapping: Mapping, row: ImportJobRow, project: str) -> str:
    """Where a project of the source goes. Raises NotFound."""
    found = mapping["projects"].get(project) or row["project"]
    if not found:
        raise NotFound(f"Say with imports.map_set where {project} goes.")
    return str(found)


def values_of(record: IssueRecord, mapping: Mapping) -> dict[str, Value]:
    """What the source holds for own fields here, by their keys."""
    found = {name: mapping["fields"].get(name, "") for name in record["values"]}
    return {
        field.removeprefix(OWN): record["values"][name]
        for name, field in found.items()
        if field.startswith(OWN)
    }


def source_values(record: IssueRecord, mapping: Mapping) -> dict[str, Any]:
    """What the source says of an issue, by the field that it becomes."""
    found: dict[str, Any] = {name: record[name] for name in _SAME}
    found["status"] = [record["status"], record["outcome"]]
    if "private" in record:
        found["level"] = record["private"]
    return found | {"parent": record["parent"], "values": values_of(record, mapping)}


def present_values(issue: dict[str, Any]) -> dict[str, Any]:
    """What an issue says of itself here, by the same names."""
    found = {name: issue[name] for name in (*_SAME, "parent", "values", "level")}
    return found | {"status": [issue["lane"], issue["outcome"]]}
