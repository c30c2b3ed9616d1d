"""Tickets from the SQLite database of a Trac 1.x environment (`db/trac.db`)."""

import re
from pathlib import Path
from typing import Any

from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.parse import markup, sqlite_file, words
from kbwork.modules.imports.sources.parse.document import SourceValue

_MOST_NUMBER = 2**31 - 1
_MOST_MICROS = 253_402_300_799_000_000
_MICROS = 10**11
"""Times above are in microseconds, as since Trac 0.12; below in seconds."""
_OWN = ("severity", "version", "cc", "resolution")


def read(path: Path, place: str, into: RecordCollector) -> None:
    """Raises SourceRefused with the table and row of whatever does not fit."""
    sqlite_file.read(path, lambda other: _Trac(other, place, into).read())


class _Trac:
    def __init__(self, other: sqlite_file.ForeignDatabase, place: str, into: RecordCollector) -> None:
        self._other = other
        self._into = into
        self._id = f"trac:{place}"
        self._name = place
        self._custom: dict[int, dict[str, Any]] = {}
        self._closed: dict[int, int] = {}
        self._said: dict[tuple[int, str], str] = {}
        """Ticket and number of a comment -> its id, or that of the comment which its thread began with."""

    def read(self) -> None:
        self._other.require("ticket", "ticket_change", what="Trac")
        project = self._into.project(self._id, self._name)
        self._people()
        for row in self._other.rows("component"):
            self._into.component(project, row.text("name"), row.place)
        self._read_beside()
        for row in self._other.rows("ticket", "id"):
            self._ticket(row, project)
        for row in self._other.rows("ticket_change", "time"):
            if row.text_or("field") == "comment" and row.text_or("newvalue"):
                self._comment(row)
        for row in self._other.rows("attachment", "filename"):
            if row.text_or("type") == "ticket":
                self._file(row)
        self._lost()

    def _read_beside(self) -> None:
        """What tickets hold in other tables."""
        for row in self._other.rows("ticket_custom"):
            if value := row.text_or("value"):
                self._custom.setdefault(row.whole("ticket"), {})[row.text("name")] = value
        for row in self._other.rows("ticket_change", "time"):
            if row.text_or("field") == "status" and row.text_or("newvalue") == "closed":
                self._closed[row.whole("ticket")] = _time(row, "time") or 0

    def _people(self) -> None:
        about: dict[str, dict[str, str]] = {}
        for row in self._other.rows("session_attribute"):
            name = row.text_or("name")
            if name in {"name", "email"} and (value := row.text_or("value")):
                about.setdefault(row.text("sid"), {})[name] = value
        for sid, known in about.items():
            self._into.person(sid, "session_attribute", known.get("name"), sid, known.get("email"))

    def _ticket(self, row: SourceValue, project: str) -> None:
        number = row.whole("id", _MOST_NUMBER)
        status, resolution = row.text_or("status") or "new", row.text_or("resolution")
        outcome = (words.outcome(resolution) or "completed") if status == "closed" else None
        values: dict[str, Any] = {name: row.text_or(name) for name in _OWN}
        keywords = re.split(r"[,;\s]+", row.text_or("keywords") or "")
        aims = [row.text_or("milestone")]
        owner = _somebody(row.text_or("owner"))
        created_at, updated_at = _time(row, "time"), _time(row, "changetime")
        self._into.issue(
            row.place,
            id=f"{self._id}#{number}",
            project=project,
            number=number or None,
            type=row.text_or("type") or "",
            title=row.text_or("summary") or "",
            body=markup.from_trac(row.text_or("description") or ""),
            author=_somebody(row.text_or("reporter")),
            status=status,
            done=outcome is not None,
            outcome=outcome,
            priority=row.text_or("priority"),
            assignees=[owner] if owner else [],
            labels=[word for word in keywords if word] + [words.milestone(aim) for aim in aims if aim],
            components=[name] if (name := row.text_or("component")) else [],
            created_at=created_at,
            updated_at=updated_at,
            done_at=(self._closed.get(number) or updated_at) if outcome else None,
            values=values | self._custom.pop(number, {}),
        )

    def _comment(self, row: SourceValue) -> None:
        """`oldvalue` is the number of the comment, `3`, or `1.3` for an answer to the first."""
        ticket = row.whole("ticket")
        issue = f"{self._id}#{ticket}"
        if not self._into.knows_issue(issue):
            self._into.lose("comments on tickets that are not in the file are left out", row.place)
            return
        at = _time(row, "time")
        answered, _, number = (row.text_or("oldvalue") or "").rpartition(".")
        told = number or f"at-{row.whole('time', _MOST_MICROS)}"
        id = f"{issue}/comment/{told}"
        parent = self._said.get((ticket, answered.rpartition(".")[2])) if answered else None
        if number:
            self._said[ticket, number] = parent or id
        self._into.comment(
            row.place,
            id=id,
            issue=issue,
            parent=parent,
            author=_somebody(row.text_or("author")),
            body=markup.from_trac(row.text("newvalue")),
            created_at=at,
            updated_at=at,
        )

    def _file(self, row: SourceValue) -> None:
        """The bytes lie in the folder of the environment."""
        issue, name = f"{self._id}#{row.text('id')}", row.text("filename")
        if not self._into.knows_issue(issue):
            self._into.lose("files on tickets that are not in the file are left out", row.place)
            return
        at = _time(row, "time")
        self._into.comment(
            row.place,
            id=f"{issue}/file/{name}",
            issue=issue,
            author=_somebody(row.text_or("author")),
            body=words.file_named(name, row.whole_or("size"), row.text_or("description")),
            created_at=at,
            updated_at=at,
        )

    def _lost(self) -> None:
        for table, what in (
            ("attachment", "files lie outside the database: a comment on the ticket keeps the name of each"),
            ("wiki", "wiki pages are left out"),
            ("milestone", "milestones are kept as labels, such as milestone:1.0, without their days"),
        ):
            if count := self._other.count(table):
                self._into.lose(what, count=count)


def _time(row: SourceValue, name: str) -> int | None:
    """Unix seconds; none for zero."""
    found = row.whole_or(name, _MOST_MICROS) or 0
    return (found // 1_000_000 if found > _MICROS else found) or None


def _somebody(name: str | None) -> str | None:
    return None if name in {None, "", "somebody"} else name
