"""Projects from a kbz file, which another kbwork wrote: every line as it was, and files by their checksum."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from kbwork.modules.attachments import MOST_BYTES
from kbwork.modules.imports.kbz import line_types
from kbwork.modules.imports.kbz.erased_people import ErasedPeople, named
from kbwork.modules.imports.kbz.line_types import FILES, FORMAT, HOLDS, LINE, LINES, MANIFEST, PROGRAM
from kbwork.modules.imports.records import AttachmentRecord, ComponentMore, PastRecord
from kbwork.modules.imports.sources.collector import RecordCollector, short
from kbwork.modules.imports.sources.refusal import SourceRefused
from kbwork.modules.imports.validation_message import unfit

_MOST_MANIFEST = 1_000_000
_MOST_MEMBERS = 1_000_000
_MOST_LINE = 64_000_000
_MOST_GROWN = 100
_FREE = 100_000_000
"""Members together hold at most this, and so many times the bytes of the file."""
_PIECE = 1_000_000
_MOST_HELD = 50_000
"""Elements in all the lists of a project's line, which comes in at once."""
_AT_ONCE = 100
"""Elements of a list of an issue that come in at once, before others may write."""
_FILE = re.compile(re.escape(FILES) + r"[0-9a-f]{64}\Z")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


def read(path: Path, _place: str, into: RecordCollector) -> None:
    """Raises SourceRefused with the member and the line of whatever does not fit."""
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN as error:
        raise SourceRefused(f"this is no kbz file, or it is cut short: {error}") from None
    with archive:
        _Kbz(_Archive(archive, path.stat().st_size), into).read()


class _Archive:
    """The members of a zip, none of which is what it says it is until it was read."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._zip = archive
        self._require_bounded(size)
        self.manifest = self._manifest()
        self.files = {name for name in self._zip.namelist() if name.startswith(FILES)}

    def _require_bounded(self, size: int) -> None:
        entries = self._zip.infolist()
        if len(entries) > _MOST_MEMBERS:
            raise SourceRefused(f"the file has more than {_MOST_MEMBERS:,} members")
        names = set()
        for entry in entries:
            name = entry.orig_filename
            if name in names:
                raise SourceRefused(f"{name}: the member is in the file twice")
            if name not in (MANIFEST, *LINES) and not _FILE.match(name):
                raise SourceRefused(f"{name}: this is no member of a kbz file")
            if entry.flag_bits & 1:
                raise SourceRefused(f"{name}: the member is encrypted")
            if name.startswith(FILES) and entry.file_size > MOST_BYTES:
                raise SourceRefused(
                    f"{name}: it has {entry.file_size:,} bytes; a file holds at most {MOST_BYTES:,}"
                )
            names.add(name)
        grown = sum(entry.file_size for entry in entries)
        if grown > size * _MOST_GROWN + _FREE:
            raise SourceRefused(f"the members hold {grown:,} bytes, too many for a file of {size:,}")

    def _manifest(self) -> line_types.KbzManifest:
        text, said = self._said()
        if said.get("program") != PROGRAM:
            raise SourceRefused(f"{MANIFEST}: another program wrote this")
        if "schema" in said:
            raise SourceRefused(
                "this is a whole backup: backups.restore takes it, and a project out of it too"
            )
        if isinstance(said.get("format"), int) and said["format"] > FORMAT:
            raise SourceRefused(
                f"{MANIFEST}: a newer kbwork wrote this (format {said['format']}; this one reads {FORMAT})"
            )
        try:
            manifest = line_types.MANIFEST_LINE.validate_json(text)
        except ValidationError as error:
            raise SourceRefused(f"{MANIFEST}: {unfit(error)}") from None
        if manifest["holds"] != HOLDS:
            raise SourceRefused(f"{MANIFEST}: it holds {manifest['holds']}, not {HOLDS}")
        self._require_as_told(manifest)
        return manifest

    def _require_as_told(self, manifest: line_types.KbzManifest) -> None:
        """Raises SourceRefused where the members are not those that the manifest tells of."""
        parts, counts, members = manifest["parts"], manifest["counts"], set(self._zip.namelist())
        for name in LINES:
            if name not in parts or name not in members:
                raise SourceRefused(f"{name}: the member is missing")
            size = self._zip.getinfo(name).file_size
            if parts[name]["bytes"] != size:
                raise SourceRefused(
                    f"{name}: it has {size:,} bytes, and {parts[name]['bytes']:,} by {MANIFEST}"
                )
        held = {name.removesuffix(".jsonl"): part["rows"] for name, part in parts.items()}
        held["files"] = sum(name.startswith(FILES) for name in members)
        for name in {*held, *counts}:
            if held.get(name) != counts.get(name):
                raise SourceRefused(f"{MANIFEST}: counts.{name[:100]}: it does not fit what is in the file")

    def _said(self) -> tuple[bytes, dict[str, Any]]:
        """The manifest, as text and as an object."""
        if MANIFEST not in self._zip.namelist():
            raise SourceRefused(f"there is no {MANIFEST}: this is no kbz file")
        if self._zip.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
            raise SourceRefused(f"{MANIFEST}: it is larger than {_MOST_MANIFEST:,} bytes")
        try:
            text = self._zip.read(MANIFEST)
            said = json.loads(text)
        except _BROKEN as error:
            raise SourceRefused(f"{MANIFEST}: it is damaged: {error}") from None
        except ValueError:
            raise SourceRefused(f"{MANIFEST}: it is not JSON") from None
        if not isinstance(said, dict):
            raise SourceRefused(f"{MANIFEST}: it is not an object")
        return text, said

    def lines(self, name: str) -> Iterator[tuple[str, Any]]:
        """(place, line) of a member. Its checksum is known behind the last one."""
        part = self.manifest["parts"][name]
        digest, rows = hashlib.sha256(), 0
        try:
            with self._zip.open(name) as member:
                while text := member.readline(_MOST_LINE):
                    rows += 1
                    place = f"{name} line {rows}"
                    if not text.endswith(b"\n"):
                        raise SourceRefused(f"{place}: it is cut, or longer than {_MOST_LINE:,} bytes")
                    digest.update(text)
                    yield place, self._line(name, place, text)
        except _BROKEN as error:
            raise SourceRefused(f"{name}: it is damaged: {error}") from None
        if digest.hexdigest() != part["sha256"]:
            raise SourceRefused(f"{name}: it is not what was written: the checksum is another")
        if rows != part["rows"]:
            raise SourceRefused(f"{name}: it has {rows:,} lines, and {part['rows']:,} by {MANIFEST}")

    def _line(self, name: str, place: str, text: bytes) -> Any:
        try:
            return LINE[name].validate_json(text)
        except ValidationError as error:
            raise SourceRefused(f"{place}: {unfit(error)}") from None

    def require_whole(self, name: str, size: int) -> None:
        """Raises SourceRefused where the bytes of a file are not those that it is called by."""
        digest, seen = hashlib.sha256(), 0
        try:
            with self._zip.open(name) as member:
                while piece := member.read(_PIECE):
                    digest.update(piece)
                    seen += len(piece)
        except _BROKEN as error:
            raise SourceRefused(f"{name}: it is damaged: {error}") from None
        if digest.hexdigest() != name.removeprefix(FILES) or seen != size:
            raise SourceRefused(f"{name}: it is not what was written: the checksum is another")


class _Kbz:
    def __init__(self, archive: _Archive, into: RecordCollector) -> None:
        self._archive = archive
        self._into = into
        self._keys: set[str] = set()
        self._lanes: dict[str, bool] = {}
        self._references: set[str] = set()
        """Own fields whose values are issues."""
        self._outside: dict[str, list[Any]] = {}
        self._comments: dict[int, str] = {}
        self._people: set[str] = set()
        self._source = f"kbz:{archive.manifest['org']}/"
        self._former = ErasedPeople(into.erased)

    def read(self) -> None:
        self._each("people.jsonl", self._person)
        self._each("projects.jsonl", self._project)
        self._each("labels.jsonl", self._label)
        self._each("components.jsonl", self._component)
        self._each("relations.jsonl", self._note_outside)
        self._each("issues.jsonl", self._issue)
        self._each("comments.jsonl", self._comment)
        self._each("relations.jsonl", self._relation)
        self._each("attachments.jsonl", self._attachment)
        self._each("projects.jsonl", self._end)

    def _each(self, name: str, take: Callable[[str, Any], None]) -> None:
        for place, line in self._archive.lines(name):
            take(place, self._former.line(line))

    def _label(self, place: str, line: line_types.KbzLabel) -> None:
        project, more = self._of(place, line["project"]), {"family": line["family"]}
        self._into.label(project, line["name"], place, line["color"], line["description"], more=more)

    def _component(self, place: str, line: line_types.KbzComponent) -> None:
        self._require_people(place, line)
        project = self._of(place, line["project"])
        self._into.component(project, line["name"], place, _only(line, "ComponentMore"))

    def _end(self, place: str, line: line_types.KbzProject) -> None:
        self._into.past(_past(self._of(place, line["key"]), None, line), place)

    def _person(self, place: str, line: line_types.KbzPerson) -> None:
        line = self._former.person(line)
        self._into.person(line["id"], place, line["name"], line["handle"], line["email"], known=line["known"])
        self._people.add(line["id"])

    def _project(self, place: str, line: line_types.KbzProject) -> None:
        if line["key"] in self._keys:
            raise SourceRefused(f"{place}: {line['key']} is in the file twice")
        self._keys.add(line["key"])
        for lane in line["words"]["lanes"]:
            self._lanes[lane["key"]] = lane["category"] == "done"
        held = _held(line)
        if held > _MOST_HELD:
            raise SourceRefused(f"{place}: its lists hold {held:,} elements, of {_MOST_HELD:,} at most")
        self._former.learn(line["words"]["fields"])
        line = self._former.line(line)
        self._references |= {one["key"] for one in line["words"]["fields"] if one["kind"] == "issue"}
        self._into.project(
            f"{self._source}{line['key']}",
            line["name"],
            line["key"],
            line["description"],
            _only(line, "ProjectMore"),
        )
        self._require_people(place, line)

    def _of(self, place: str, key: str) -> str:
        if key not in self._keys:
            raise SourceRefused(f"{place}: there is no project {key} in projects.jsonl")
        return f"{self._source}{key}"

    def _require_people(self, place: str, value: Any) -> None:
        """Raises SourceRefused where somebody is named who is not in people.jsonl."""
        for who in named(value):
            if who not in self._people and not who.startswith("team:") and who != "system":
                raise SourceRefused(f"{place}: there is nobody called {who!r} in people.jsonl")

    def _issue(self, place: str, line: line_types.KbzIssue) -> None:
        project = self._of(place, line["project"])
        self._require_people(place, line)
        if line["lane"] not in self._lanes:
            raise SourceRefused(f"{place}: there is no lane {line['lane']!r} in projects.jsonl")
        done = self._lanes[line["lane"]]
        ident = f"{project}#{line['number']}"
        more: Any = _only(line, "IssueMore") | {"checks": []}
        more |= {name: line[name][:_AT_ONCE] for name in _BESIDE}  # type: ignore[literal-required]  # names of below
        late = [one for one in line["held"] if one["field"] in self._references]
        more["held"] = [one for one in line["held"] if one["field"] not in self._references]
        same = (
            *("number", "type", "title", "body", "priority", "assignees", "labels", "components", "estimate"),
            *("start_date", "due_date", "created_at", "updated_at"),
        )
        self._into.issue(
            place,
            **{name: line[name] for name in same},  # type: ignore[literal-required]  # names of above
            id=ident,
            project=project,
            author=line["reporter"],
            status=line["lane"],
            done=done,
            outcome=line["outcome"],
            parent=f"{self._source}{line['parent']}" if line["parent"] else None,
            done_at=line["done_at"] if done else None,
            url=line["source"],
            values={name: value for name, value in line["values"].items() if _fits(value)},
            more=more,
        )
        past = _past(project, ident, cast("dict[str, Any]", line))
        past["late"], past["outside"] = late, self._outside.pop(ident, [])
        self._into.past(past, place)
        for later in _later(past, cast("dict[str, Any]", line)):
            self._into.past(later, place)

    def _comment(self, place: str, line: line_types.KbzComment) -> None:
        issue = f"{self._source}{line['issue']}"
        if not self._into.knows_issue(issue):
            raise SourceRefused(f"{place}: there is no issue {line['issue']} in issues.jsonl")
        self._require_people(place, line)
        ident = f"{issue}/comment/{line['id']}"
        parent = self._comments.get(line["parent"]) if line["parent"] is not None else None
        if line["parent"] is not None and parent is None:
            raise SourceRefused(f"{place}: there is no comment {line['parent']} before it")
        self._comments[line["id"]] = ident
        self._into.comment(
            place,
            id=ident,
            issue=issue,
            parent=parent,
            author=line["author"] or None,
            body=line["body"],
            created_at=line["created_at"],
            updated_at=line["edited_at"] or line["created_at"],
            internal=line["internal"],
            more=_only(line, "CommentMore"),
        )

    def _note_outside(self, place: str, line: line_types.KbzRelation) -> None:
        inside = [end.partition("#")[0] in self._keys for end in (line["one"], line["other"])]
        if not any(inside):
            raise SourceRefused(f"{place}: neither of its issues is of a project of this file")
        if all(inside):
            return
        own, other = (line["one"], line["other"]) if inside[0] else (line["other"], line["one"])
        told = {
            "relation": line["kind"],
            "key": other.replace("#", "-"),
            "turned": not inside[0],
            "more": _of_relation(line),
        }
        self._outside.setdefault(f"{self._source}{own}", []).append(told)

    def _relation(self, place: str, line: line_types.KbzRelation) -> None:
        self._require_people(place, line)
        if all(end.partition("#")[0] in self._keys for end in (line["one"], line["other"])):
            one, other = f"{self._source}{line['one']}", f"{self._source}{line['other']}"
            self._into.relation(place, one, line["kind"], other, _of_relation(line))

    def _attachment(self, place: str, line: line_types.KbzAttachment) -> None:
        project = self._of(place, line["project"])
        self._require_people(place, line)
        issue = f"{self._source}{line['issue']}" if line["issue"] else None
        comment = self._comments.get(line["comment"]) if line["comment"] is not None else None
        if (issue and not self._into.knows_issue(issue)) or (line["comment"] is not None and comment is None):
            raise SourceRefused(f"{place}: what it hangs on is not in the file")
        name = f"{FILES}{line['sha256']}"
        if line["there"]:
            if name not in self._archive.files:
                raise SourceRefused(f"{name}: the member is missing")
            self._archive.require_whole(name, line["size"])
        else:
            self._into.lose("files whose bytes the backup does not hold are left out", place)
        self._into.attachment(
            AttachmentRecord(
                kind="attachment",
                id=short(f"{issue or project}/file/{line['id']}"),
                project=project,
                issue=issue,
                comment=comment,
                name=line["name"],
                content_type=line["content_type"],
                size=line["size"],
                sha256=line["sha256"],
                there=line["there"],
                text=line["text"],
                author=line["created_by"],
                created_at=line["created_at"],
            ),
            place,
        )


_MORE: dict[str, Any] = {
    "ProjectMore": line_types.KbzProjectMore,
    "ComponentMore": ComponentMore,
    "IssueMore": line_types.KbzIssueMore,
    "CommentMore": line_types.KbzCommentMore,
}


def _only(line: Any, shape: str) -> Any:
    """The members of a line that stand in `more` of its record."""
    return {name: line[name] for name in _MORE[shape].__annotations__}


_BESIDE = ("watchers", "votes", "revisions")
_LISTS = (*_BESIDE, "spans", "history")


def _past(project: str, issue: str | None, line: Any) -> PastRecord:
    """What is put on an issue, or on the project, when all else is there."""
    if issue:  # what an issue holds now comes first: it is there before anybody works on it here
        line["spans"].sort(key=lambda one: one["to_at"] is not None)
    return PastRecord(
        kind="past",
        id=f"{issue or project}/past",
        project=project,
        issue=issue,
        first=True,
        watchers=[],
        votes=[],
        revisions=[],
        updated_at=line["updated_at"] if issue else None,
        archived_at=line["archived_at"],
        locked=line["locked"] if issue else False,
        lock_reason=line["lock_reason"] if issue else None,
        spans=line["spans"][:_AT_ONCE] if issue else [],
        history=line["history"][:_AT_ONCE] if issue else [],
        outside=[],
        late=[],
        checks=line["checks"] if issue else [],
    )


def _later(first: PastRecord, line: dict[str, Any]) -> Iterator[PastRecord]:
    """What of an issue's lists is more than comes in at once, in parts."""
    number = 1
    for name in _LISTS:
        for start in range(_AT_ONCE, len(line[name]), _AT_ONCE):
            number += 1
            later: Any = {**first, "id": f"{first['id']}/{number}", "first": False}
            later |= {one: [] for one in (*_LISTS, "outside", "late", "checks")}
            yield later | {name: line[name][start : start + _AT_ONCE]}


def _held(value: Any) -> int:
    """How many elements all lists in a value have."""
    if isinstance(value, dict):
        return sum(_held(one) for one in value.values())
    return len(value) + sum(_held(one) for one in value) if isinstance(value, list) else 0


def _of_relation(line: line_types.KbzRelation) -> Any:
    return {"lag_days": line["lag_days"], "created_at": line["created_at"], "created_by": line["created_by"]}


def _fits(value: Any) -> bool:
    """Whether it is a value as records hold it."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | float | bool)
