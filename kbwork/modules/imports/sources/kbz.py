"""Projects from a kbz file, which another kbwork wrote: every line as it was, and files by their checksum."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from kbwork.core import named
from kbwork.core.ports.archive import MANY, ArchivePeople
from kbwork.modules.attachments import MOST_BYTES
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.kbz.manifest import FILES, HOLDS, MANIFEST, PROGRAM
from kbwork.modules.imports.records import AttachmentRecord, IssueRecord, PastRecord
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
Line = dict[str, Any]
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
        self.told = self._manifest()
        self.people = ArchivePeople()
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
            if name not in (MANIFEST, *manifest.lines()) and not _FILE.match(name):
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

    def _manifest(self) -> Line:
        text, said = self._said()
        if said.get("program") != PROGRAM:
            raise SourceRefused(f"{MANIFEST}: another program wrote this")
        if "schema" in said:
            raise SourceRefused(
                "this is a whole backup: backups.restore takes it, and a project out of it too"
            )
        if isinstance(said.get("format"), int) and said["format"] > manifest.current():
            raise SourceRefused(
                f"{MANIFEST}: a newer kbwork wrote this (format {said['format']};"
                f" this one reads {manifest.current()})"
            )
        try:
            found = manifest.manifest_line().validate_json(text)
        except ValidationError as error:
            raise SourceRefused(f"{MANIFEST}: {unfit(error)}") from None
        if found["holds"] != HOLDS:
            raise SourceRefused(f"{MANIFEST}: it holds {found['holds']}, not {HOLDS}")
        self._require_as_told(found)
        return found

    def _require_as_told(self, said: Line) -> None:
        """Raises SourceRefused where the members are not those that the manifest tells of."""
        parts, counts, members = said["parts"], said["counts"], set(self._zip.namelist())
        for name in manifest.lines():
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
        part = self.told["parts"][name]
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

    def _line(self, name: str, place: str, text: bytes) -> Line:
        try:
            line = manifest.read(name, self.told["format"], text, self.people)
        except ValidationError as error:
            raise SourceRefused(f"{place}: {unfit(error)}") from None
        if self.people.missing is not None:
            raise SourceRefused(f"{place}: there is nobody called {self.people.missing!r} in people.jsonl")
        return line

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
        self._source = f"kbz:{archive.told['org']}/"

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

    def _each(self, name: str, take: Callable[[str, Line], None]) -> None:
        for place, line in self._archive.lines(name):
            take(place, line)

    def _person(self, place: str, line: Line) -> None:
        people, known = self._archive.people, line["known"]
        if known in self._into.erased:
            people.erased[line["id"]] = known
            line = {"id": known, "name": named.FORMER_MEMBER, "known": known, "handle": None, "email": None}
        self._into.person(line["id"], place, line["name"], line["handle"], line["email"], known=known)
        people.known.add(line["id"])

    def _project(self, place: str, line: Line) -> None:
        if line["key"] in self._keys:
            raise SourceRefused(f"{place}: {line['key']} is in the file twice")
        self._keys.add(line["key"])
        for lane in line["words"]["lanes"]:
            self._lanes[lane["key"]] = lane["category"] == "done"
        held = _held(line)
        if held > _MOST_HELD:
            raise SourceRefused(f"{place}: its lists hold {held:,} elements, of {_MOST_HELD:,} at most")
        self._references |= {one["key"] for one in line["words"]["fields"] if one["kind"] == "issue"}
        more = _without(line, "key", "name", "description")
        self._into.project(
            f"{self._source}{line['key']}", line["name"], line["key"], line["description"], more
        )

    def _end(self, place: str, line: Line) -> None:
        nothing = {"updated_at": None, "locked": False, "lock_reason": None}
        past = _past(self._of(place, line["key"]), None, line | nothing)
        self._into.past(cast(PastRecord, past), place)

    def _label(self, place: str, line: Line) -> None:
        project, more = self._of(place, line["project"]), {"family": line["family"]}
        self._into.label(project, line["name"], place, line["color"], line["description"], more=more)

    def _component(self, place: str, line: Line) -> None:
        project = self._of(place, line["project"])
        self._into.component(project, line["name"], place, _without(line, "project", "name"))

    def _of(self, place: str, key: str) -> str:
        if key not in self._keys:
            raise SourceRefused(f"{place}: there is no project {key} in projects.jsonl")
        return f"{self._source}{key}"

    def _issue(self, place: str, line: Line) -> None:
        project = self._of(place, line["project"])
        if line["lane"] not in self._lanes:
            raise SourceRefused(f"{place}: there is no lane {line['lane']!r} in projects.jsonl")
        done = self._lanes[line["lane"]]
        ident = f"{project}#{line['number']}"
        late = [one for one in line["held"] if one["field"] in self._references]
        # What it holds now comes first: that is there before anybody works on it here.
        line["spans"].sort(key=lambda one: one["to_at"] is not None)
        parts = {name: line[name][:_AT_ONCE] for name in _in_parts()}
        more = _without(line | parts, *_said())
        more["held"] = [one for one in line["held"] if one["field"] not in self._references]
        same = {name: line[name] for name in line if name in IssueRecord.__annotations__}
        self._into.issue(
            place,
            **same
            | {
                "id": ident,
                "project": project,
                "author": line["reporter"],
                "status": line["lane"],
                "done": done,
                "parent": f"{self._source}{line['parent']}" if line["parent"] else None,
                "done_at": line["done_at"] if done else None,
                "url": line["source"],
                "values": {name: value for name, value in line["values"].items() if _fits(value)},
                "more": more,
            },
        )
        first = _past(project, ident, line) | {name: (line | parts)[name] for name in _late()}
        first |= {"late": late, "outside": self._outside.pop(ident, [])}
        self._into.past(cast(PastRecord, first), place)
        for later in _later(first, line):
            self._into.past(later, place)

    def _comment(self, place: str, line: Line) -> None:
        issue = f"{self._source}{line['issue']}"
        if not self._into.knows_issue(issue):
            raise SourceRefused(f"{place}: there is no issue {line['issue']} in issues.jsonl")
        ident = f"{issue}/comment/{line['id']}"
        parent = self._comments.get(line["parent"]) if line["parent"] is not None else None
        if line["parent"] is not None and parent is None:
            raise SourceRefused(f"{place}: there is no comment {line['parent']} before it")
        self._comments[line["id"]] = ident
        same = ("body", "created_at", "internal")
        self._into.comment(
            place,
            **{name: line[name] for name in same},
            id=ident,
            issue=issue,
            parent=parent,
            author=line["author"] or None,
            updated_at=line["edited_at"] or line["created_at"],
            more=_without(line, *same, "id", "issue", "parent", "author"),
        )

    def _note_outside(self, place: str, line: Line) -> None:
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
            "more": _without(line, *_ENDS),
        }
        self._outside.setdefault(f"{self._source}{own}", []).append(told)

    def _relation(self, place: str, line: Line) -> None:
        if all(end.partition("#")[0] in self._keys for end in (line["one"], line["other"])):
            one, other = f"{self._source}{line['one']}", f"{self._source}{line['other']}"
            self._into.relation(place, one, line["kind"], other, _without(line, *_ENDS))

    def _attachment(self, place: str, line: Line) -> None:
        project = self._of(place, line["project"])
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
        record: Any = {
            "kind": "attachment",
            "id": short(f"{issue or project}/file/{line['id']}"),
            "project": project,
            "issue": issue,
            "comment": comment,
            **_without(line, "id", "project", "issue", "comment", "created_at", "created_by"),
            "author": line["created_by"],
            "created_at": line["created_at"],
        }
        self._into.attachment(cast(AttachmentRecord, record), place)


_ENDS = ("one", "kind", "other")
_ALONE = ("updated_at", "archived_at", "locked", "lock_reason")


def _without(line: Line, *names: str) -> Line:
    """The members of a line that stand in `more` of its record: all but those that it has itself."""
    own = frozenset(names)
    return {name: value for name, value in line.items() if name not in own}


@cache
def _said() -> list[str]:
    """The members of an issue that its record has itself, or that come in one of its past."""
    return [*IssueRecord.__annotations__, "reporter", "lane", "source", *_late()]


@cache
def _in_parts() -> list[str]:
    """The lists of an issue that may be long."""
    return [one.name for one in manifest.lines()["issues.jsonl"].lists.values() if one.most == MANY]


@cache
def _late() -> list[str]:
    """The lists of an issue that come when all else is there."""
    return [one.name for one in manifest.lines()["issues.jsonl"].lists.values() if one.late]


def _past(project: str, issue: str | None, line: Line) -> Line:
    """What is put on an issue, or on the project, when all else is there; its lists are empty still."""
    return {
        "kind": "past",
        "id": f"{issue or project}/past",
        "project": project,
        "issue": issue,
        "first": True,
        **{name: line[name] for name in _ALONE},
        "outside": [],
        "late": [],
        **{name: [] for name in (*_in_parts(), *_late())},
    }


def _later(first: Line, line: Line) -> Iterator[PastRecord]:
    """What of an issue's lists is more than comes in at once, in parts."""
    number = 1
    nothing: Line = {name: [] for name, value in first.items() if isinstance(value, list)}
    for name in _in_parts():
        for start in range(_AT_ONCE, len(line[name]), _AT_ONCE):
            number += 1
            later: Any = {**first, **nothing, "id": f"{first['id']}/{number}", "first": False}
            yield later | {name: line[name][start : start + _AT_ONCE]}


def _held(value: Any) -> int:
    """How many elements all lists in a value have."""
    if isinstance(value, dict):
        return sum(_held(one) for one in value.values())
    return len(value) + sum(_held(one) for one in value) if isinstance(value, list) else 0


def _fits(value: Any) -> bool:
    """Whether it is a value as records hold it."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | float | bool)
