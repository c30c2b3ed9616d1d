"""A dry run: what would become of each record, without writing."""

from collections import Counter

from kbwork.base.errors import NotFound, Problem
from kbwork.base.text import folded
from kbwork.db.rows import ImportItemRow, ProjectRow
from kbwork.db.tx import Read
from kbwork.modules.imports import imported_items, queries
from kbwork.modules.imports.load.record_content import is_skipped, key_of, place_of, source_values
from kbwork.modules.imports.queries import ImportJobRow
from kbwork.modules.imports.records import IssueRecord, Record
from kbwork.modules.projects import access as projects

_MADE = {
    "component": "components",
    "comment": "comments",
    "relation": "relations",
    "attachment": "attachments",
}


class DryRunLoader:
    """Looks at records as a run would: `tally` counts what it would do. `out` are issues that stay out."""

    def __init__(self, tx: Read, row: ImportJobRow, since: int | None, out: set[str]) -> None:
        self.tx = tx
        self.tally: Counter[str] = Counter()
        self._row = row
        self._since = since
        self._mapping = queries.mapping_of(row)
        self._out = out
        self._projects: dict[str, ProjectRow | None] = {}

    def record(self, record: Record) -> None:
        """Count one."""
        left = is_skipped(record, self._mapping["skip"], self._since)
        if left and record["kind"] == "issue":
            self._out.add(record["id"])
        if left or (record["kind"] == "comment" and record["issue"] in self._out):
            self.tally["skipped"] += 1
            return
        try:
            self._look(record)
        except Problem:
            self.tally["errors"] += 1

    def _look(self, record: Record) -> None:
        match record["kind"]:
            case "project":
                self.tally["projects"] += self._project(record["id"]) is None
            case "label":
                self.tally["labels"] += folded(record["name"]) not in self._labels(record["project"])
            case "issue":
                self._issue(record)
            case "component" | "comment" | "relation" | "attachment":
                self.tally["same" if self._brought(place_of(record)) else _MADE[record["kind"]]] += 1

    def _issue(self, record: IssueRecord) -> None:
        item = self._brought(record["id"])
        if item is None:
            self.tally["issues"] += 1
            self.tally[f"type:{record['type']}"] += 1
        else:
            same = imported_items.sides(item)[0] == imported_items.hashed(
                source_values(record, self._mapping)
            )
            self.tally["same" if same else "changed"] += 1

    def _brought(self, external: str) -> ImportItemRow | None:
        """What came in before from this place of the source."""
        there = filter(None, map(self._project, self._mapping["projects"]))
        found = (imported_items.find(self.tx, project["id"], external) for project in there)
        return next((item for item in found if item is not None), None)

    def _labels(self, source: str) -> set[str]:
        """The labels that issues of the project may carry."""
        project = self._project(source)
        return labels_of(self.tx, project["id"]) if project is not None else set()

    def _project(self, source: str) -> ProjectRow | None:
        """The project where one of the source goes; None where it is still to be made."""
        if source not in self._projects:
            self._projects[source] = project_row(self.tx, key_of(self._mapping, self._row, source))
        return self._projects[source]


def project_row(tx: Read, key: str) -> ProjectRow | None:
    """The project with this key, as far as the caller sees one."""
    try:
        return projects.project(tx, key)
    except NotFound:
        return None


def labels_of(tx: Read, project: int) -> set[str]:
    """The names of the labels that issues of a project may carry, folded."""
    return set(
        tx.column("select name_key from label where coalesce(project, :project) = :project", project=project)
    )
