"""Writes projects of a data file to a kbz file: `python -m kbwork.modules.imports.kbz.write`.

It takes a `WriteRequest` as JSON on stdin, and answers the manifest or `refused` on stdout. The data file is one that
nobody serves, or a backup.
"""

import contextlib
import errno
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

import kbwork.modules
from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import Clock, SystemClock, TrustedTime
from kbwork.core.operations.registry import collect
from kbwork.db import migrate
from kbwork.db.archives import backup
from kbwork.db.connection import Unusable
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Catalogue, Read, Row
from kbwork.modules import attachments
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.kbz import portable_names as names
from kbwork.modules.imports.kbz.lines import LineWriter
from kbwork.modules.imports.kbz.portable_names import People, PortableNames
from kbwork.modules.imports.kbz.zip_writer import ZipWriter
from kbwork.modules.imports.validation_message import unfit


class WriteRequest(TypedDict):
    """What is to be written: of the backup `archive`, which is laid into the folder `aside` for the while, the projects
    with these keys, into the file `to`. Who is `erased` by now is not named in it."""

    archive: str
    aside: str
    projects: list[str]
    to: str
    erased: NotRequired[list[str]]


_RELATIONS = "relations.jsonl"
_WISH = TypeAdapter(WriteRequest)


def of_backup(wish: WriteRequest, clock: Clock) -> Row:
    """Write projects of a backup, brought to today's schema first.

    Raises Unusable with one line, and nothing is left then.
    """
    aside = Path(wish["aside"])
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700, parents=True)
    try:
        file = aside / "kbwork.db"
        backup.unpack(Path(wish["archive"]), file)
        backup.require_ours(file, Path(wish["archive"]))
        migrate.migrate(file, clock, copy=False)
        return _of_data(file, wish, clock)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _of_data(file: Path, wish: WriteRequest, clock: Clock) -> Row:
    """Write projects of a data file that nobody writes. Raises Unusable for a project that is not there."""
    with backup.opened(file) as connection:
        catalogue = Catalogue(TrustedTime(clock))
        catalogue.registry = collect(kbwork.modules.MODULES)
        writer = _Writer(connection, catalogue, clock.now(), wish)
        pack = ZipWriter(Path(wish["to"]))
        try:
            return writer.write(pack)
        except BaseException:
            pack.drop()
            raise


class _Writer:
    def __init__(self, connection: Any, catalogue: Catalogue, now: int, wish: WriteRequest) -> None:
        self._now = now
        self._parts: list[LineWriter] = []
        self._people = People(wish.get("erased", ()))
        self._plain = Read(connection, catalogue, SYSTEM, now)
        self.keys: list[str] = []
        for key in dict.fromkeys(wish["projects"]):
            row = self._plain.one(
                "select p.* from project_key k join project p on p.id = k.project"
                " where k.key = :key and p.deleted_at is null",
                ProjectRow,
                key=key,
            )
            if row is None:
                raise Unusable(f"there is no project {key} in it")
            tx = Read(connection, catalogue, _caller(self._plain, row["id"]), now)
            self._parts.append(LineWriter(tx, row, PortableNames(tx, row, self._people)))
            self.keys.append(row["key"])

    def write(self, pack: ZipWriter) -> Row:
        files: dict[str, None] = {}
        for name, shape in manifest.lines().items():
            if shape.line is not manifest.PEOPLE:
                every = chain.from_iterable(part.lines(shape) for part in self._parts)
                pack.lines(name, _noted(_once(every) if name == _RELATIONS else every, files))
        pack.lines(manifest.PEOPLE.file, self._people.known.values())
        for sha256 in files:
            digest = bytes.fromhex(sha256)
            pack.file(sha256, attachments.whole(self._plain, digest))
        return pack.close(self._now, names.org(self._plain), self.keys)


def _caller(tx: Read, project: int) -> Caller:
    """Whose eyes see all of a project: an owner who is one of its people."""
    who = tx.value(
        "select who from project_member where project = :project and who glob 'm_*'"
        " order by role = 'lead' desc, who limit 1",
        project=project,
    )
    return Caller(member=who, role="owner", kind="human", scopes=frozenset({"admin"}))


def _once(lines: Iterable[Row]) -> Iterator[Row]:
    """A relation between two projects of one file stands in it once."""
    seen = set()
    for line in lines:
        known = (line["one"], line["kind"], line["other"])
        if known not in seen:
            seen.add(known)
            yield line


def _noted(lines: Iterable[Row], files: dict[str, None]) -> Iterator[Row]:
    """The lines; the checksums of files whose bytes are there are noted on the way."""
    for line in lines:
        if line.get("there"):
            files[line["sha256"]] = None
        yield line


def main(_argv: list[str]) -> int:
    """Do what stdin asks for."""
    os.umask(0o077)
    try:
        wish = _WISH.validate_json(sys.stdin.buffer.read())
        answer: dict[str, Any] = {"done": of_backup(wish, SystemClock())}
    except ValidationError as error:
        answer = {"refused": f"what stands there cannot be written: {unfit(error)}", "full": False}
    except (Unusable, OSError) as error:
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        answer = {"refused": str(error), "full": full or "disk is full" in str(error)}
    with contextlib.suppress(BrokenPipeError):
        json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
