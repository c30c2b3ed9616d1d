"""Records on disk while a source is read, and the file that they become: parents before children, ends that exist."""

import contextlib
import json
import os
import shutil
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kbwork.modules.imports.records import MAX_RECORDS, BadRecord, IssueRecord, Record, dumped
from kbwork.modules.imports.sources.refusal import SourceRefused

_KINDS = ("issue", "comment", "relation", "attachment", "past")


class Spool:
    """The records of kinds that may be many, each kind in a file of a folder beside the target."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._part = out.with_name(f"{out.name}.part")
        self._folder = out.with_name(f"{out.name}.parts")
        self.clear()
        self._folder.mkdir(mode=0o700)
        self._files: dict[str, IO[bytes]] = {kind: (self._folder / kind).open("w+b") for kind in _KINDS}
        self._issues: dict[str, int] = {}
        self._offsets = array("q")
        self._parents: dict[int, str] = {}
        self._ids: set[str] = set()
        self._count = 0

    def clear(self) -> None:
        """What is left of this reading or of one that was cut goes."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._part.unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing but a finished target remains, not even where a full disk keeps what is left from being written."""
        for file in self._files.values():
            with contextlib.suppress(OSError):
                file.close()
        self.clear()

    def has_issue(self, id: str) -> bool:
        return id in self._issues

    def has(self, id: str) -> bool:
        """Whether a record other than an issue is there under this id."""
        return id in self._ids

    def issue(self, record: IssueRecord, place: str) -> None:
        """Raises SourceRefused for an id that is there already."""
        if record["id"] in self._issues:
            raise SourceRefused(f"{place}: {record['id']} is in the file twice")
        if record["parent"] is not None:
            self._parents[len(self._offsets)] = record["parent"]
        self._issues[record["id"]] = len(self._offsets)
        self._offsets.append(self._files["issue"].tell())
        self.add(record, place)

    def add(self, record: Record, place: str) -> None:
        """Raises SourceRefused for an id that is there already, for what is no record, and for one too many."""
        self._count += 1
        if self._count > MAX_RECORDS:
            raise SourceRefused(
                f"{place}: the file holds more than {MAX_RECORDS:,} records; bring it in in parts"
            )
        if record["kind"] in {"comment", "attachment"}:
            id = str(record.get("id"))
            if id in self._ids:
                raise SourceRefused(f"{place}: {id} is in the file twice")
            self._ids.add(id)
        self._files[record["kind"]].write(_line(record, place))

    def finish(self, head: list[Record], aliases: dict[str, str]) -> Iterator[str]:
        """Write the target whole; tells the losses on the way, one each time. `aliases`: other ids of issues."""
        with self._part.open("wb") as out:
            for record in head:
                out.write(_line(record, str(record.get("id"))))
            yield from self._write_issues(out, aliases)
            shutil.copyfileobj(self._rewound("comment"), out)
            yield from self._write_relations(out, aliases)
            shutil.copyfileobj(self._rewound("attachment"), out)
            shutil.copyfileobj(self._rewound("past"), out)
            out.flush()
            os.fsync(out.fileno())
        self._part.replace(self._out)

    def _rewound(self, kind: str) -> IO[bytes]:
        file = self._files[kind]
        file.seek(0)
        return file

    def _write_issues(self, out: IO[bytes], aliases: dict[str, str]) -> Iterator[str]:
        file = self._rewound("issue")
        if not self._parents:
            shutil.copyfileobj(file, out)
            return
        parents: dict[int, int | None] = {}
        names = {}
        for child, named in self._parents.items():
            parents[child] = self._issues.get(aliases.get(named, named))
            names[child] = named
        changed = set()
        for child in [child for child, parent in parents.items() if parent is None]:
            changed.add(child)
            yield "issues whose parent is not in the file stand alone"
        for child in _circular(parents):
            parents[child] = None
            changed.add(child)
            yield "issues that stand under themselves stand alone"
        ids = list(self._issues)
        for index in _ordered(len(ids), parents):
            file.seek(self._offsets[index])
            line = file.readline()
            if index in parents:
                parent = parents[index]
                line = json_with(line, parent=None if parent is None else ids[parent])
            out.write(line)

    def _write_relations(self, out: IO[bytes], aliases: dict[str, str]) -> Iterator[str]:
        known: set[tuple[str, str, str]] = set()
        for line in self._rewound("relation"):
            record = json.loads(line)
            ends = tuple(aliases.get(record[end], record[end]) for end in ("from", "to"))
            found = (ends[0], ends[1], record["relation"])
            if not (ends[0] in self._issues and ends[1] in self._issues):
                yield "relations to issues that are not in the file are left out"
            elif ends[0] != ends[1] and found not in known:
                known.add(found)
                out.write(json_with(line, **{"from": ends[0], "to": ends[1]}))


def json_with(line: bytes, **changed: str | None) -> bytes:
    """A line with some members changed."""
    return json.dumps(json.loads(line) | changed, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _line(record: Record, place: str) -> bytes:
    try:
        return dumped(record)
    except BadRecord as error:
        raise SourceRefused(f"{place}: {error}") from None


def _circular(parents: dict[int, int | None]) -> list[int]:
    """One child of each circle, so that cutting it from its parent opens the circle."""
    found = []
    seen: dict[int, int] = {}
    for start in parents:
        at: int | None = start
        while at is not None and at not in seen:
            seen[at] = start
            at = parents.get(at)
        if at is not None and seen[at] == start:
            found.append(at)
    return found


def _ordered(count: int, parents: dict[int, int | None]) -> Iterator[int]:
    """Every index once, in order, but for ancestors that come before. The parents hold no circle."""
    written = bytearray(count)
    for index in range(count):
        chain = []
        at: int | None = index
        while at is not None and not written[at]:
            written[at] = 1
            chain.append(at)
            at = parents.get(at)
        yield from reversed(chain)
