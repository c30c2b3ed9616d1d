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
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import Clock, SystemClock
from kbwork.core.operations.registry import collect
from kbwork.db import backup, migrate
from kbwork.db.connection import Unusable
from kbwork.db.tx import Catalogue, Read, Row
from kbwork.modules.imports.kbz import portable_names as names
from kbwork.modules.imports.kbz import project_lines as projects
from kbwork.modules.imports.kbz.issue_lines import IssueLines
from kbwork.modules.imports.kbz.line_types import KbzManifest
from kbwork.modules.imports.kbz.portable_names import Choices, People, PortableNames
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


_WISH = TypeAdapter(WriteRequest)


def of_backup(wish: WriteRequest, clock: Clock) -> KbzManifest:
    """Write projects of a backup, brought to today's schema first.

    Raises Unusable with one line, and nothing is left then.
    """
    aside = Path(wish["aside"])
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700, parents=True)
    try:
        file = aside / "kbwork.db"
        backup.unpack(Path(wish["archive"]), file)
        migrate.migrate(file, clock, copy=False)
        return _of_data(file, wish, clock.now())
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _of_data(file: Path, wish: WriteRequest, now: int) -> KbzManifest:
    """Write projects of a data file that nobody writes. Raises Unusable for a project that is not there."""
    with backup.opened(file) as connection:
        catalogue = Catalogue()
        catalogue.registry = collect(kbwork.modules.MODULES)
        writer = _Writer(connection, catalogue, now, wish)
        pack = ZipWriter(Path(wish["to"]))
        try:
            return writer.write(pack)
        except BaseException:
            pack.drop()
            raise


class _Writer:
    def __init__(self, connection: Any, catalogue: Catalogue, now: int, wish: WriteRequest) -> None:
        self._now = now
        self._parts: list[tuple[Read, Row, PortableNames, Choices, IssueLines]] = []
        self._people = People(wish.get("erased", ()))
        plain = Read(connection, catalogue, SYSTEM, now)
        self._org = names.org(plain)
        for key in dict.fromkeys(wish["projects"]):
            row = plain.one(
                "select p.* from project_key k join project p on p.id = k.project"
                " where k.key = :key and p.deleted_at is null",
                key=key,
            )
            if row is None:
                raise Unusable(f"there is no project {key} in it")
            tx = Read(connection, catalogue, projects.caller(plain, row["id"]), now)
            naming = PortableNames(tx, row, self._people)
            choices = Choices(tx, naming)
            self._parts.append((tx, row, naming, choices, IssueLines(tx, row, naming, choices)))

    def write(self, pack: ZipWriter) -> KbzManifest:
        every = [lines for *_, lines in self._parts]
        pack.lines("projects.jsonl", [projects.line(*part[:4]) for part in self._parts])
        pack.lines("labels.jsonl", chain(*(lines.labels() for lines in every)))
        pack.lines("components.jsonl", chain(*(lines.components() for lines in every)))
        pack.lines("issues.jsonl", chain(*(lines.issues() for lines in every)))
        pack.lines("comments.jsonl", chain(*(lines.comments() for lines in every)))
        pack.lines("relations.jsonl", _once(chain(*(lines.relations() for lines in every))))
        files: dict[str, bytes] = {}
        pack.lines("attachments.jsonl", _noted(chain(*(lines.attachments() for lines in every)), files))
        pack.lines("people.jsonl", self._people.known.values())
        for sha256, digest in files.items():
            content = self._parts[0][0].value("select bytes from blob where hash = :digest", digest=digest)
            pack.file(sha256, content)
        return pack.close(self._now, self._org, [row["key"] for _, row, *_ in self._parts])


def _once(lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A relation between two projects of one file stands in it once."""
    seen = set()
    for line in lines:
        known = (line["one"], line["kind"], line["other"])
        if known not in seen:
            seen.add(known)
            yield line


def _noted(
    lines: Iterable[tuple[dict[str, Any], bytes]], files: dict[str, bytes]
) -> Iterator[dict[str, Any]]:
    """The lines of files; the checksums of those whose bytes are there are noted on the way."""
    for line, digest in lines:
        if line["there"]:
            files[line["sha256"]] = digest
        yield line


def main() -> int:
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
    sys.exit(main())
