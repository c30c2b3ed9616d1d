"""Issues from a table in text, as Jira, GitHub, Trello, Asana, Linear, Redmine and spreadsheets export them."""

import hashlib
import re
from pathlib import Path
from typing import Any

from kbwork.issuefields import IMPORTED, IssueField
from kbwork.modules.imports.records import MAX_RECORDS
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.parse import times, words
from kbwork.modules.imports.sources.parse.columns import (
    TIMES,
    ColumnProfile,
    SourceColumn,
    columns,
    number,
)
from kbwork.modules.imports.sources.parse.delimited import DelimitedTable
from kbwork.modules.imports.sources.refusal import SourceRefused, shown

_MOST_PARTS = 1_000
_KEY = re.compile(r"(?:([A-Z][A-Z0-9_]{0,30})-|#)?(\d{1,10})\Z")
_MAIL = re.compile(r"(?:(.*?)\s*<)?([^@\s<>]+@[^@\s<>]+)>?\Z")
_COLOR = re.compile(
    r" \((?:[a-z]+_)?(?:green|yellow|orange|red|purple|blue|sky|lime|pink|black)(?:_[a-z]+)?\)\Z"
)


def read(path: Path, place: str, into: RecordCollector) -> None:
    """Two passes: the first finds out how days are written. Raises SourceRefused for what is no such table; a cell that
    does not fit its field is left out, and told."""
    table = DelimitedTable(path, into)
    header = [into.line(name, "row 1") for name in table.header]
    found = columns(header, into.columns)
    _profile(table, found, into)
    into.columns = {column.name: column.told for column in reversed(found)}
    into.guessed = list(dict.fromkeys(column.name for column in found if not column.asked))
    for column in found:
        if column.stands_in:
            into.lose(f"no column is called a title: {column.name} is taken for it; map another to title")
    fields = {column.field for column in found}
    if "id" not in fields:
        into.lose(
            "no column tells rows apart: they are known by their place, so only the same file can come again"
        )
    reader = _Rows(place, found, into)
    for row, cells in table.rows():
        reader.issue(row, cells)


def _profile(table: DelimitedTable, found: list[SourceColumn], into: RecordCollector) -> None:
    """Settle the order of days; a column whose cells mostly do not fit its guessed field becomes one of its own."""
    typed = {column.index: (column, ColumnProfile()) for column in found if column.profiled}
    count = 0
    for row, cells in table.rows(tell=False):
        count += 1
        if count > MAX_RECORDS:
            raise SourceRefused(f"row {row}: more than {MAX_RECORDS:,} rows; bring them in in parts")
        for index, (column, profile) in typed.items():
            if cells[index].strip():
                profile.add(column, cells[index], row)
    if not count:
        raise SourceRefused("row 1: there is a header, but no row below it")
    for column, profile in typed.values():
        if not column.asked and profile.fit * 2 < profile.cells:
            into.lose(f"column {column.name} does not hold what its name says and is kept as text")
            column.field = "values"
    sure = {order for _, profile in typed.values() for order in profile.orders if order != "?"}
    for column, profile in typed.values():
        if column.dated and column.order is None and profile.orders:
            _settle(column, profile, sure, into)


def _settle(column: SourceColumn, profile: ColumnProfile, sure: set[str], into: RecordCollector) -> None:
    own = profile.orders - {"?"}
    decided = own or sure
    column.order = "d/m" if decided == {"d/m"} else "m/d"
    if not decided:
        into.lose(
            f"days of the column {column.name} are read as month/day; map it to '{column.field} d/m' for day/month",
            profile.first,
        )


class _Rows:
    """Rows into issues with their comments and relations."""

    def __init__(self, place: str, found: list[SourceColumn], into: RecordCollector) -> None:
        self._place = place
        self._row = 0
        self._into = into
        self._columns = found
        self._single = {column.field: column for column in found if column.field not in {"values", ""}}

    def issue(self, row: int, cells: list[str]) -> None:
        self._row = row
        known = self._known(row, cells)
        project, number_ = self._project(known, cells)
        id = self._id(known)
        resolution, status = self._cell(cells, "resolution"), self._cell(cells, "status")
        outcome = words.outcome(resolution, status)
        done_at = self._time("done_at", row, cells)
        if outcome is None and done_at is not None:
            outcome = "completed"
        values = self._values(cells)
        if resolution:
            values["Resolution"] = resolution
        self._into.issue(
            f"row {row}",
            id=id,
            project=project,
            number=number_,
            type=self._cell(cells, "type"),
            title=self._cell(cells, "title"),
            body=self._cell(cells, "body"),
            author=self._person(self._cell(cells, "author"), row),
            status=status or ("done" if outcome else "open"),
            done=outcome is not None,
            outcome=outcome,
            priority=self._cell(cells, "priority"),
            assignees=[self._person(who, row) for who in self._many(cells, "assignees")],
            labels=[_COLOR.sub("", label) for label in self._many(cells, "labels")],
            components=self._many(cells, "components"),
            parent=self._other(self._cell(cells, "parent")),
            **{field.input: self._simple(field, row, cells) for field in IMPORTED},
            **{time: self._time(time, row, cells) for time in TIMES if time != "done_at"},
            done_at=done_at if outcome else None,
            url=self._cell(cells, "url"),
            values=values,
        )
        for other in self._all(cells, "other_id"):
            self._into.alias(self._id(other.lstrip("#")), id)
        self._comments(id, row, cells)
        self._relations(id, row, cells)

    def _known(self, row: int, cells: list[str]) -> str:
        text = self._cell(cells, "id").lstrip("#")
        if text:
            return self._into.line(text, f"row {row}")
        if "id" in self._single:
            self._into.lose("rows without an id are known by their place", f"row {row}")
        return f"row-{row}"

    def _project(self, known: str, cells: list[str]) -> tuple[str, int | None]:
        """The project of a row, by its column or by what its key begins with; and its number there."""
        key = _KEY.match(known)
        prefix = key[1] if key else None
        name = self._into.line(self._cell(cells, "project"), "project") or prefix
        id = f"csv:{self._place}/{name}" if name else f"csv:{self._place}"
        found = int(key[2]) if key else 0
        project = self._into.project(id, name or self._place, prefix or name)
        return project, found if 0 < found < 2**31 else None

    def _id(self, known: str) -> str:
        return f"csv:{self._place}#{known}"

    def _other(self, text: str) -> str | None:
        return self._id(text.lstrip("#")) if text else None

    def _cell(self, cells: list[str], field: str) -> str:
        column = self._single.get(field)
        return cells[column.index].strip() if column else ""

    def _all(self, cells: list[str], field: str) -> list[str]:
        found = [cells[column.index].strip() for column in self._columns if column.field == field]
        return [cell for cell in found if cell]

    def _many(self, cells: list[str], field: str) -> list[str]:
        place = f"row {self._row}, {field}"
        return [part for cell in self._all(cells, field) for part in _split(cell, place, self._into)]

    def _values(self, cells: list[str]) -> dict[str, Any]:
        """A column that is there more than once is a list."""
        values: dict[str, Any] = {}
        for column in self._columns:
            cell = cells[column.index].strip()
            if column.field != "values" or not cell:
                continue
            before = values.get(column.name)
            if before is None:
                values[column.name] = cell
            else:
                values[column.name] = [*(before if isinstance(before, list) else [before]), cell]
        return values

    def _person(self, text: str, row: int) -> str | None:
        mail = _MAIL.match(text) if len(text) <= 500 else None
        if mail is None:
            return self._into.person(text, f"row {row}")
        return self._into.person(text, f"row {row}", name=mail[1] or text, email=mail[2])

    def _moment(self, field: str, row: int, cells: list[str]) -> times.SourceTime | None:
        column = self._single.get(field)
        cell = self._cell(cells, field)
        if column is None or not cell:
            return None
        found = times.read(cell, column.order or "m/d")
        if found is None:
            self._leave_out(column, cell, row, "day or time from 1970 to 9999")
        return found

    def _leave_out(self, column: SourceColumn, cell: str, row: int, wanted: str) -> None:
        """A cell that does not fit its field: its row comes in without it."""
        self._into.lose(
            f"cells of the column {column.name} that are no {wanted} are left out; mend them, or map it to values",
            f"row {row}: {shown(cell)}",
        )

    def _simple(self, field: IssueField, row: int, cells: list[str]) -> str | float | None:
        if field.kind == "number":
            return self._number(field.input, row, cells)
        if field.kind == "date":
            found = self._moment(field.input, row, cells)
            return found.day if found else None
        return self._into.text(self._cell(cells, field.input), f"row {row}") or None

    def _time(self, field: str, row: int, cells: list[str]) -> int | None:
        found = self._moment(field, row, cells)
        if found is not None and not found.zoned:
            column = self._single[field].name
            self._into.lose(f"times of the column {column} name no zone and are read as UTC", f"row {row}")
        return found.at if found else None

    def _number(self, field: str, row: int, cells: list[str]) -> float | None:
        cell = self._cell(cells, field)
        found = number(cell) if cell else None
        if cell and found is None:
            self._leave_out(self._single[field], cell, row, "number up to 10^15")
        return found

    def _comments(self, issue: str, row: int, cells: list[str]) -> None:
        """`time;author;text`, as Jira writes it, or the text alone."""
        same: dict[str, int] = {}
        for cell in self._all(cells, "comment"):
            head, _, rest = cell.partition(";")
            author, between, body = rest.partition(";")
            at = times.read(head, self._single["comment"].order or "m/d") if between else None
            if at is None:
                author, body = "", cell
            digest = hashlib.sha256(cell.encode(errors="replace")).hexdigest()[:16]
            same[digest] = same.get(digest, 0) + 1
            self._into.comment(
                f"row {row}",
                id=f"{issue}/comment/{digest}{f'-{same[digest]}' if same[digest] > 1 else ''}",
                issue=issue,
                author=self._person(author.strip(), row),
                body=body,
                created_at=at.at if at else None,
            )

    def _relations(self, issue: str, row: int, cells: list[str]) -> None:
        for column in self._columns:
            if column.field.startswith("relation:"):
                for part in _split(cells[column.index], f"row {row}, column {column.name}", self._into):
                    ends = (issue, self._id(part.lstrip("#")))
                    one, other = reversed(ends) if column.back else ends
                    self._into.relation(f"row {row}", one, column.field.removeprefix("relation:"), other)


def _split(cell: str, place: str, into: RecordCollector) -> list[str]:
    """Several values of one cell: by line, else by the first of `;`, `|` and `,` that is in it; the first thousand."""
    sign = next((sign for sign in "\n;|," if sign in cell.strip()), None)
    parts = cell.split(sign, _MOST_PARTS) if sign else [cell]
    if len(parts) > _MOST_PARTS:
        into.lose(f"of more than {_MOST_PARTS:,} values in one cell the others are left out", place)
        parts.pop()
    return [part.strip() for part in parts if part.strip()]
