"""What one reading of a source gathers: records with cleaned texts, what was found, and what was lost on the way."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from kbwork.base.text import cleaned, folded
from kbwork.issuefields import IMPORTED
from kbwork.modules.imports.records import (
    MAX_FOUND,
    MAX_TEXT,
    AttachmentRecord,
    CommentRecord,
    ComponentRecord,
    FoundContent,
    FoundField,
    FoundPerson,
    FoundStatus,
    IssueRecord,
    LabelRecord,
    PastRecord,
    PersonRecord,
    ProjectRecord,
    ReaderAnswer,
    Record,
)
from kbwork.modules.imports.sources.refusal import SourceRefused, line
from kbwork.modules.imports.sources.spool import Spool

_WORD = 500
_ID = 200
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEY = re.compile(r"[A-Z][A-Z0-9]{1,9}\Z")
_MOST_NAMED = 100_000
"""Labels, components, people and fields, each."""


class RecordCollector:
    """Used as a context; without `finish` nothing remains."""

    def __init__(self, out: Path) -> None:
        self._spool = Spool(out)
        self._losses: dict[str, tuple[int, str]] = {}
        self._projects: dict[str, ProjectRecord] = {}
        self._labels: dict[tuple[str, str], LabelRecord] = {}
        self._components: dict[tuple[str, str], ComponentRecord] = {}
        self._people: dict[str, PersonRecord] = {}
        self._aliases: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {}
        self._statuses: dict[str, FoundStatus] = {}
        self._highest: dict[str, int] = {}
        self._fields: dict[str, FoundField] = {}
        self.columns: dict[str, str] = {}
        """Of a table, column -> field: what was asked for, and after the reading what was taken."""
        self.guessed: list[str] = []
        """Those of the columns of which nothing was asked for."""
        self.erased: frozenset[str] = frozenset()
        """Members who were erased here: what a source calls them is not to come in."""

    def __enter__(self) -> "RecordCollector":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spool.close()

    def lose(self, what: str, place: str = "", count: int = 1) -> None:
        """Tell of something that is not brought in as it is; the first place is kept."""
        before, first = self._losses.get(what, (0, place))
        self._losses[what] = (before + count, first)

    def text(self, text: str, place: str) -> str:
        """A text as it can be kept: without NUL and lone surrogates, not too long."""
        if "\0" in text:
            self.lose("texts with the character U+0000 are kept without it", place)
            text = text.replace("\0", "")
        if not text.isascii() and _SURROGATE.search(text):
            self.lose("broken characters are replaced by U+FFFD", place)
            text = _SURROGATE.sub("\ufffd", text)
        if len(text) > MAX_TEXT:
            self.lose(f"texts longer than {MAX_TEXT:,} characters are cut", place)
            text = text[:MAX_TEXT]
        return text

    def line(self, text: str, place: str, otherwise: str = "") -> str:
        """A title or name: one line of at most 500 characters; `otherwise` for what shows nothing."""
        text = " ".join(cleaned(self.text(text, place)).split())
        if len(text) > _WORD:
            self.lose(f"names and titles longer than {_WORD} characters are cut", place)
            text = text[:_WORD].rstrip()
        return text or otherwise

    def project(
        self, id: str, name: str, key: str | None = None, description: str = "", more: Any = None
    ) -> str:
        """The id under which it is kept."""
        id = short(id)
        if id not in self._projects:
            self._bound(self._projects, "projects")
            key = key if key and _KEY.match(key) else None
            self._projects[id] = ProjectRecord(
                kind="project",
                id=id,
                key=key,
                name=self.line(name, id, id),
                description=self.text(description, id),
            )
            if more is not None:
                self._projects[id]["more"] = more
        return id

    def label(  # noqa: PLR0913 - what a label is, by name
        self,
        project: str,
        name: str,
        place: str,
        color: str | None = None,
        description: str | None = None,
        *,
        more: Any = None,
    ) -> str | None:
        """The name under which it is kept: the first spelling; None for one that shows nothing."""
        name = self.line(name, place)
        if not name:
            return None
        place_id = (project, folded(name))
        if place_id not in self._labels:
            self._bound(self._labels, "labels")
            self._labels[place_id] = LabelRecord(
                kind="label",
                id=short(f"{project}/label/{folded(name)}"),
                project=project,
                name=name,
                color=_color(color),
                description=None if description is None else self.text(description, place),
            )
            if more is not None:
                self._labels[place_id]["more"] = more
        return self._labels[place_id]["name"]

    def component(self, project: str, name: str, place: str, more: Any = None) -> str | None:
        """The name under which it is kept."""
        name = self.line(name, place)
        if not name:
            return None
        place_id = (project, folded(name))
        if place_id not in self._components:
            self._bound(self._components, "components")
            self._components[place_id] = ComponentRecord(
                kind="component", id=short(f"{project}/component/{folded(name)}"), project=project, name=name
            )
            if more is not None:
                self._components[place_id]["more"] = more
        return self._components[place_id]["name"]

    def person(  # noqa: PLR0913 - what is known of somebody, by name
        self,
        id: str | None,
        place: str,
        name: str | None = None,
        handle: str | None = None,
        email: str | None = None,
        *,
        known: str | None = None,
    ) -> str | None:
        """The id under which somebody is kept; None for nobody."""
        id = self.line(id or "", place)
        if not id:
            return None
        if id not in self._people:
            self._bound(self._people, "people")
            self._people[id] = PersonRecord(
                kind="person",
                id=id,
                name=self.line(name or "", place, id),
                handle=self.line(handle or "", place) or None,
                email=self.line(email or "", place) or None,
            )
            if known is not None:
                self._people[id]["known"] = known
                # Whoever stands in a file of ours is named in it, be it by a project alone.
                self._count("person", id, 0)
        return id

    def alias(self, other: str, id: str) -> None:
        """Another id by which parents and relations may name an issue."""
        self._aliases.setdefault(short(other), short(id))

    def knows_issue(self, id: str) -> bool:
        return self._spool.has_issue(short(id))

    def knows(self, id: str) -> bool:
        """Whether a comment has this id."""
        return self._spool.has(short(id))

    def issue(self, place: str, **given: Any) -> None:
        """An issue of these fields, texts as the source has them; whom and what it names is kept, too."""
        record = cast(IssueRecord, _BLANK | given)
        project = record["project"] = short(record["project"])
        record["id"] = short(record["id"])
        record["parent"] = short(record["parent"]) if record["parent"] else None
        record["title"] = self.line(record["title"], place, "(no title)")
        record["body"] = self.text(record["body"], place)
        record["url"] = self.text(record["url"], place) if record["url"] else None
        record["author"] = self.person(record["author"], place)
        record["assignees"] = _each(self.person(who, place) for who in record["assignees"])
        record["labels"] = _each(self.label(project, name, place) for name in record["labels"])
        record["components"] = _each(self.component(project, name, place) for name in record["components"])
        for name in ("type", "status"):
            record[name] = self.line(record[name], place, "issue" if name == "type" else "open")
        record["priority"] = self.line(record["priority"] or "", place) or None
        record["outcome"] = record["outcome"] if record["done"] else None
        record["values"] = self._values(record["values"], place)
        self._spool.issue(record, place)
        self._found(record)

    def comment(self, place: str, **given: Any) -> None:
        """A comment on an issue that is there already."""
        record = cast(CommentRecord, _BLANK_COMMENT | given)
        record["id"], record["issue"] = short(record["id"]), short(record["issue"])
        record["parent"] = short(record["parent"]) if record["parent"] else None
        record["author"] = self.person(record["author"], place)
        body = self.text(record["body"], place)
        record["body"] = body if cleaned(body).strip() else "(no text)"
        self._spool.add(record, place)
        self._count("kind", "comment")
        self._count("person", record["author"])

    def relation(self, place: str, one: str, relation: str, other: str, more: Any = None) -> None:
        """`one` relation `other`; both may come later."""
        relation = self.line(relation, place, "relates")
        record: Any = {"kind": "relation", "from": short(one), "to": short(other), "relation": relation}
        self._spool.add(record if more is None else record | {"more": more}, place)
        self._count("kind", "relation")
        self._count("relation", relation)

    def attachment(self, record: AttachmentRecord, place: str) -> None:
        """A file on what is there already."""
        self.person(record["author"], place)
        self._spool.add(record, place)
        self._count("kind", "attachment")

    def past(self, record: PastRecord, place: str) -> None:
        """What is put on an issue or project at the end."""
        self._spool.add(record, place)

    def finish(self) -> ReaderAnswer:
        """Write the file of records."""
        head: list[Record] = [
            *self._people.values(),
            *self._projects.values(),
            *self._labels.values(),
            *self._components.values(),
        ]
        for lost in self._spool.finish(head, self._aliases):
            self.lose(lost)
            if lost.startswith("relations"):
                self._counts["kind"]["relation"] -= 1
        return {"found": self._all_found(), "losses": [*self._told()][:MAX_FOUND]}

    def _bound(self, named: dict[Any, Any], what: str) -> None:
        if len(named) >= _MOST_NAMED:
            raise SourceRefused(f"the file names more than {_MOST_NAMED:,} {what}")

    def _values(self, values: dict[str, Any], place: str) -> dict[str, Any]:
        kept = {}
        for name, value in values.items():
            clean = self.line(name, place, "(no name)")
            if isinstance(value, str):
                value = self.text(value, place)  # noqa: PLW2901 - the same value, cleaned
            elif isinstance(value, list):
                value = [self.text(one, place) for one in value]  # noqa: PLW2901 - the same value, cleaned
            if value not in (None, "", []):
                kept[clean] = value
                self._sample(clean, value)
        return kept

    def _sample(self, name: str, value: Any) -> None:
        if name not in self._fields:
            self._bound(self._fields, "fields")
            self._fields[name] = FoundField(count=0, samples=[])
        found = self._fields[name]
        found["count"] += 1
        text = str(value[0] if isinstance(value, list) else value)[:100]
        if len(found["samples"]) < 5 and text not in found["samples"]:
            found["samples"].append(text)

    def _found(self, record: IssueRecord) -> None:
        self._count("kind", "issue")
        self._count("project", record["project"])
        highest = self._highest.get(record["project"], 0)
        self._highest[record["project"]] = max(highest, record["number"] or 0)
        self._count("type", record["type"])
        self._count("priority", record["priority"])
        for name in ("labels", "components"):
            for value in record[name]:
                self._count(name, value)
        for who in (record["author"], *record["assignees"]):
            self._count("person", who)
        if record["status"] not in self._statuses:
            self._bound(self._statuses, "statuses")
            self._statuses[record["status"]] = FoundStatus(count=0, done=False, outcomes={})
        status = self._statuses[record["status"]]
        status["count"] += 1
        status["done"] = status["done"] or record["done"]
        if record["outcome"]:
            status["outcomes"][record["outcome"]] = status["outcomes"].get(record["outcome"], 0) + 1

    def _count(self, what: str, value: str | None, times: int = 1) -> None:
        if value is not None:
            self._counts.setdefault(what, Counter())[value] += times

    def _most(self, what: str) -> dict[str, int]:
        return dict(self._counts.get(what, Counter()).most_common(MAX_FOUND))

    def _all_found(self) -> FoundContent:
        kinds = self._counts.get("kind", Counter())
        return FoundContent(
            counts={
                "project": len(self._projects),
                "label": len(self._labels),
                "component": len(self._components),
                "person": len(self._people),
                **{kind: kinds[kind] for kind in ("issue", "comment", "relation", "attachment")},
            },
            projects=[
                {
                    "id": id,
                    "key": record["key"],
                    "name": record["name"],
                    "issues": self._counts.get("project", Counter())[id],
                    "highest": self._highest.get(id, 0),
                }
                for id, record in list(self._projects.items())[:MAX_FOUND]
            ],
            types=self._most("type"),
            statuses=dict(
                sorted(self._statuses.items(), key=lambda item: -item[1]["count"])[:MAX_FOUND],
            ),
            priorities=self._most("priority"),
            relations=self._most("relation"),
            people=[self._person_found(id, count) for id, count in self._most("person").items()],
            labels=self._most("labels"),
            components=self._most("components"),
            fields=dict(sorted(self._fields.items(), key=lambda item: -item[1]["count"])[:MAX_FOUND]),
            columns=self.columns,
            guessed=self.guessed,
        )

    def _person_found(self, id: str, count: int) -> FoundPerson:
        person = self._people[id]
        found = FoundPerson(
            id=id, name=person["name"], handle=person["handle"], email=person["email"], count=count
        )
        if "known" in person:
            found["known"] = person["known"]
        return found

    def _told(self) -> list[str]:
        return [line(_loss(what, count, first)) for what, (count, first) in self._losses.items()]


_BLANK: dict[str, Any] = {
    "kind": "issue",
    "id": "",
    "project": "",
    "number": None,
    "type": "issue",
    "title": "",
    "body": "",
    "author": None,
    "status": "open",
    "done": False,
    "outcome": None,
    "priority": None,
    "assignees": [],
    "labels": [],
    "components": [],
    "parent": None,
    **{field.input: None for field in IMPORTED},
    "created_at": None,
    "updated_at": None,
    "done_at": None,
    "url": None,
    "values": {},
}
_BLANK_COMMENT: dict[str, Any] = {
    "kind": "comment",
    "id": "",
    "issue": "",
    "parent": None,
    "author": None,
    "body": "",
    "created_at": None,
    "updated_at": None,
    "internal": False,
}


def short(id: str) -> str:
    """An id that can be printed, within its limit: one that is long, or has signs that cannot, ends in a digest."""
    if id.isprintable() and len(id) <= _ID:
        return id
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in id)
    return f"{shown[: _ID - 33]}~{hashlib.sha256(id.encode(errors='surrogatepass')).hexdigest()[:32]}"


def _each(names: Any) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))


def _color(color: str | None) -> str | None:
    if not color or not re.fullmatch(r"#?[0-9A-Fa-f]{6}", color):
        return None
    return f"#{color.lstrip('#').lower()}"


def _loss(what: str, count: int, first: str) -> str:
    if count == 1:
        return f"{what} ({first})" if first else what
    return f"{what} ({count:,}, first at {first})" if first else f"{what} ({count:,})"
