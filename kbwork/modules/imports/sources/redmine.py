"""Issues of every project in the SQLite database of a Redmine."""

from pathlib import Path
from typing import Any

from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.parse import markup, sqlite_file, words
from kbwork.modules.imports.sources.parse.columns import number
from kbwork.modules.imports.sources.parse.document import SourceValue

_MOST_NUMBER = 2**31 - 1


def read(path: Path, place: str, into: RecordCollector) -> None:
    """Raises SourceRefused with the table and row of whatever does not fit."""
    sqlite_file.read(path, lambda other: _Redmine(other, place, into).read())


class _Redmine:
    def __init__(self, other: sqlite_file.ForeignDatabase, place: str, into: RecordCollector) -> None:
        self._other = other
        self._into = into
        self._id = f"redmine:{place}"
        self._projects: dict[int, str] = {}
        self._people: dict[int, str] = {}
        self._names: dict[str, dict[int, str]] = {}
        self._closed: set[int] = set()
        self._custom: dict[int, dict[str, Any]] = {}
        self._text = markup.as_it_is

    def read(self) -> None:
        self._other.require(
            *("issues", "projects", "trackers", "issue_statuses", "users", "journals"), what="Redmine"
        )
        for table in (
            "trackers",
            "issue_statuses",
            "issue_categories",
            "versions",
            "enumerations",
            "custom_fields",
        ):
            self._names[table] = {
                row.whole("id"): row.text_or("name") or "" for row in self._other.rows(table)
            }
        self._closed = {
            row.whole("id") for row in self._other.rows("issue_statuses") if _true(row, "is_closed")
        }
        for row in self._other.rows("settings"):
            if row.text_or("name") == "text_formatting" and row.text_or("value") == "textile":
                self._text = markup.from_textile
        for row in self._other.rows("projects", "id"):
            self._project(row)
        self._read_people()
        self._read_custom()
        for row in self._other.rows("issues", "id"):
            self._issue(row)
        for row in self._other.rows("journals", "id"):
            self._comment(row)
        for row in self._other.rows("attachments", "id"):
            self._file(row)
        for row in self._other.rows("issue_relations"):
            one, other = row.whole("issue_from_id"), row.whole("issue_to_id")
            kind = row.text_or("relation_type") or "relates"
            self._into.relation(row.place, self._of(one), kind, self._of(other))
        self._lost()

    def _of(self, issue: int) -> str:
        return f"{self._id}#{issue}"

    def _project(self, row: SourceValue) -> None:
        id, identifier = row.whole("id"), row.text_or("identifier") or ""
        description = self._text(row.text_or("description") or "")
        self._projects[id] = self._into.project(
            f"{self._id}/{identifier or id}", row.text("name"), identifier.upper(), description
        )

    def _read_people(self) -> None:
        mails: dict[int, str] = {}
        for row in self._other.rows("email_addresses"):
            mail = row.text_or("address")
            if mail and (_true(row, "is_default") or row.whole("user_id") not in mails):
                mails[row.whole("user_id")] = mail
        for row in self._other.rows("users", "id"):
            id, login = row.whole("id"), row.text_or("login") or ""
            name = f"{row.text_or('firstname') or ''} {row.text_or('lastname') or ''}".strip()
            known = login or name
            if known and row.text_or("type") != "AnonymousUser":
                mail = mails.get(id) or row.text_or("mail")
                self._people[id] = self._into.person(known, row.place, name, login, mail) or known

    def _read_custom(self) -> None:
        """A field with several values has a row for each."""
        for row in self._other.rows("custom_values"):
            value = row.text_or("value")
            if row.text_or("customized_type") != "Issue" or not value:
                continue
            values = self._custom.setdefault(row.whole("customized_id"), {})
            name = self._name("custom_fields", row, "custom_field_id") or "custom field"
            before = values.get(name)
            values[name] = (
                value if before is None else [*(before if isinstance(before, list) else [before]), value]
            )

    def _name(self, table: str, row: SourceValue, column: str) -> str | None:
        """The name of what a column points at; None for nothing and for what is not there."""
        id = row.whole_or(column)
        return None if id is None else self._names[table].get(id) or None

    def _person(self, row: SourceValue, column: str) -> str | None:
        id = row.whole_or(column)
        return None if id is None else self._people.get(id)

    def _issue(self, row: SourceValue) -> None:
        id = row.whole("id", _MOST_NUMBER)
        project = self._projects.get(row.whole("project_id"))
        if project is None:
            raise row.refuse("project_id", "names no project")
        status = self._name("issue_statuses", row, "status_id") or "open"
        closed = row.whole("status_id") in self._closed
        assignee, category = (
            self._person(row, "assigned_to_id"),
            self._name("issue_categories", row, "category_id"),
        )
        parent = row.whole_or("parent_id")
        values: dict[str, Any] = {}
        version = self._name("versions", row, "fixed_version_id")
        if done := row.whole_or("done_ratio"):
            values["% Done"] = done
        if _true(row, "is_private"):
            self._into.lose("private issues become issues like any other", row.place)
        self._into.issue(
            row.place,
            id=self._of(id),
            project=project,
            number=id or None,
            type=self._name("trackers", row, "tracker_id") or "",
            title=row.text("subject"),
            body=self._text(row.text_or("description") or ""),
            author=self._person(row, "author_id"),
            status=status,
            done=closed,
            outcome=(words.outcome(status) or "completed") if closed else None,
            priority=self._name("enumerations", row, "priority_id"),
            assignees=[assignee] if assignee else [],
            labels=[words.milestone(version)] if version else [],
            components=[category] if category else [],
            parent=None if parent is None else self._of(parent),
            estimate=self._hours(row),
            start_date=row.day_or("start_date"),
            due_date=row.day_or("due_date"),
            created_at=row.time_or("created_on"),
            updated_at=row.time_or("updated_on"),
            done_at=(row.time_or("closed_on") or row.time_or("updated_on")) if closed else None,
            values=values | self._custom.pop(id, {}),
        )

    def _hours(self, row: SourceValue) -> float | None:
        value = row.value.get("estimated_hours")
        if value is None:
            return None
        found = number(f"{value:.6f}" if isinstance(value, float) else str(value))
        if found is None:
            raise row.refuse("estimated_hours", "should be a number")
        self._into.lose("estimates are in hours", row.place)
        return found

    def _comment(self, row: SourceValue) -> None:
        notes = row.text_or("notes")
        if row.text_or("journalized_type") != "Issue" or not notes or not notes.strip():
            return
        issue = self._of(row.whole("journalized_id"))
        if not self._into.knows_issue(issue):
            self._into.lose("comments on issues that are not in the file are left out", row.place)
            return
        self._into.comment(
            row.place,
            id=f"{issue}/comment/{row.whole('id')}",
            issue=issue,
            author=self._person(row, "user_id"),
            body=self._text(notes),
            created_at=row.time_or("created_on"),
            updated_at=row.time_or("updated_on"),
            internal=_true(row, "private_notes"),
        )

    def _file(self, row: SourceValue) -> None:
        """The bytes lie in the folder `files`."""
        issue = f"{self._id}#{row.whole_or('container_id')}"
        if row.text_or("container_type") != "Issue" or not self._into.knows_issue(issue):
            self._into.lose("files on anything but issues are left out", row.place)
            return
        at = row.time_or("created_on")
        self._into.comment(
            row.place,
            id=f"{issue}/file/{row.whole('id')}",
            issue=issue,
            author=self._person(row, "author_id"),
            body=words.file_named(
                row.text_or("filename") or "file", row.whole_or("filesize"), row.text_or("description")
            ),
            created_at=at,
            updated_at=at,
        )

    def _lost(self) -> None:
        for table, what in (
            ("attachments", "files lie outside the database: a comment on the issue keeps the name of each"),
            ("versions", "versions are kept as labels, such as milestone:1.0, without their days"),
            ("time_entries", "time entries are left out"),
            ("wiki_pages", "wiki pages are left out"),
            ("news", "news are left out"),
            ("watchers", "watchers are left out"),
        ):
            if count := self._other.count(table):
                self._into.lose(what, count=count)


def _true(row: SourceValue, name: str) -> bool:
    """SQLite has no truth: Rails writes 1 and 0, or t and f."""
    return row.value.get(name) in {1, "1", "t", "true"}
