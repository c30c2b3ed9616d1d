"""Records in the shape that the operations take: words of the source as words of here."""

from collections.abc import Callable
from typing import Any

from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueTypeRow, LaneRow, ProjectRow
from kbwork.db.tx import Read
from kbwork.issuefields import IMPORTED
from kbwork.modules import types, workflows
from kbwork.modules.imports.load.field_values import cast_to
from kbwork.modules.imports.load.record_content import values_of
from kbwork.modules.imports.mapping import default_words, people
from kbwork.modules.imports.model import Mapping
from kbwork.modules.imports.records import IssueRecord

_MOST_LABELS = 100
_MOST_ASSIGNEES = 20
_NOBODY = "unknown"
"""Who said what the source names nobody for."""
Warn = Callable[[str, str], None]
"""Told the place in the source, and what is not as it was."""


class RecordTranslator:
    """By one mapping, for as long as one transaction."""

    def __init__(self, tx: Read, source: str, mapping: Mapping, warn: Warn) -> None:
        self._tx = tx
        self._source = source
        self._mapping = mapping
        self._warn = warn
        self._skip = frozenset(mapping["skip"])
        self._names: dict[str, str] = {}
        self._kinds: dict[str, str] | None = None

    def issue(self, record: IssueRecord, project: ProjectRow, parent: str | None) -> dict[str, Any]:
        """The input of issues.create for a record. What cannot be as it was is logged."""
        lane = self._lane(record, project)
        done = lane["category"] == "done"
        at = record["updated_at"] or record["created_at"]
        return {
            "project": project["key"],
            "title": record["title"],
            "status": lane["key"],
            "imported": {
                "author": self.who(record["author"]),
                "number": record["number"],
                "created_at": record["created_at"],
                "updated_at": at,
                "done_at": (record["done_at"] or at) if done else None,
                "outcome": record["outcome"] if done else None,
            },
            "type": self._mapping["types"].get(record["type"]),
            "source": (record["url"] or "")[:2000] or None,
            "external": record["id"],
        } | self._fields(record, project, parent)

    def _fields(self, record: IssueRecord, project: ProjectRow, parent: str | None) -> dict[str, Any]:
        """What an issue says of itself, as issues.create and issues.update take it."""
        assignees = [self.who(who) for who in record["assignees"]]
        return {
            "body": record["body"],
            "priority": default_words.priority(record["priority"]) or "none",
            "assignees": list(dict.fromkeys(assignees))[:_MOST_ASSIGNEES],
            "labels": [] if "labels" in self._skip else record["labels"][:_MOST_LABELS],
            "components": [] if "components" in self._skip else record["components"][:_MOST_LABELS],
            "parent": parent if parent and self._fits_under(record, parent, project) else None,
            "values": self._values(record),
            "level": "private" if record.get("private") else None,
        } | self._simple(record)

    def _simple(self, record: IssueRecord) -> dict[str, Any]:
        """What goes as it is; no start behind the day that it is due."""
        found = {field.input: record[field.input] for field in IMPORTED}
        start, due = found["start_date"], found["due_date"]
        if start and due and start > due:
            self._warn(
                record["id"], f"It starts on {start}, behind the day that it is due: the start is left out."
            )
            found["start_date"] = None
        return found

    def _values(self, record: IssueRecord) -> dict[str, Any]:
        """What own fields are to hold, as they take it."""
        if self._kinds is None:
            self._kinds = {row["key"]: row["kind"] for row in self._tx.all("select key, kind from field")}
        kinds = self._kinds
        return {
            key: cast_to(kinds.get(key, ""), value) for key, value in values_of(record, self._mapping).items()
        }

    def _fits_under(self, record: IssueRecord, parent: str, project: ProjectRow) -> bool:
        above = self._tx.value("select level_no from issue where id = :id", id=int(ref_of(parent)[1]))
        own = self._type(record, project)["level"]
        if above is not None and above > own:
            return True
        self._warn(record["id"], "Its parent's type does not stand above its own: it has no parent here.")
        return False

    def _type(self, record: IssueRecord, project: ProjectRow) -> IssueTypeRow:
        rows = types.of_project(self._tx, project["id"])
        if name := self._mapping["types"].get(record["type"]):
            return types.by_name(rows, name)
        return next((row for row in rows if row["id"] == project["default_type"]), rows[0])

    def _lane(self, record: IssueRecord, project: ProjectRow) -> LaneRow:
        """The lane of a status, as far as the workflow of its type has it."""
        graph = workflows.of_issue_type(self._tx, project["id"], self._type(record, project)["id"])
        statuses = self._mapping["statuses"]
        name = statuses.get(f"{record['status']}:{record['outcome']}") or statuses.get(record["status"])
        lane = workflows.lanes.by_name(self._tx, name) if name else None
        if lane is not None and graph.has(lane["id"]):
            return lane
        done = [one for one in graph.lanes if one["category"] == "done"]
        return done[0] if record["done"] and done else graph.start

    def who(self, person: str | None) -> str:
        """A member's id, or the bare name under which somebody stays who is none."""
        who = person or _NOBODY
        known = self._mapping["members"].get(who, "name_only")
        if known not in ("invite", "name_only"):
            return known
        if who not in self._names:
            self._names[who] = people.bare(self._tx, self._source, who)
        return self._names[who]
