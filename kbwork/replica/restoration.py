"""Data out of a replica: into a file of their own, checked before they count."""

import datetime
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kbwork import __version__
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import SystemClock, TrustedTime
from kbwork.base.dataclasses import dataclass
from kbwork.db import migrate
from kbwork.db.archives.amend import amend
from kbwork.db.archives.backup import FILE, copy, facts
from kbwork.db.archives.check import check
from kbwork.db.connection import Unusable
from kbwork.db.readers import Readers
from kbwork.db.tx import Catalogue
from kbwork.modules.backups import carry_over, stage
from kbwork.modules.backups.carry_over import AHEAD, LEAP, CarriedOver
from kbwork.replica.engine import environment, program, write_configuration
from kbwork.replica.owner import read_owner
from kbwork.replica.target import ReplicaTarget, Unsound, began, target_of
from kbwork.settings import ReplicateSettings

_LONGEST_S = 6 * 3600
_MOST_THREADS = 4
_ONE_AFTER_ANOTHER = {"GOMAXPROCS": "1"}
"""Litestream unpacks, adds up and writes page by page: to hand each from core to core takes a sixth of its time."""


@dataclass(frozen=True, slots=True)
class RestoredData:
    """What came out."""

    seq: int
    counts: dict[str, int]
    """Rows by table."""
    generation: str


@dataclass(frozen=True, slots=True)
class PastData:
    """Data as they were at a moment, settled: who was shut out since stays out, as far as that is known here."""

    restored: RestoredData
    known_by: str
    """Which newer data tell what ended since, in words; empty: none are at hand."""
    known_seq: int
    """The last event of those."""
    ended: list[str]
    """A line for each thing of that moment that is not to come about any more."""
    unread: list[str]
    """A line for each newer data that could not be read."""


def restore(
    at: ReplicateSettings,
    file: Path,
    environ: Mapping[str, str],
    of: float | str | None = None,
    *,
    alone: bool = False,
) -> RestoredData:
    """Make `file`, which is not there yet, of the newest that lies there, `of` what lay there at a moment in Unix
    seconds, or of a generation by its name. `alone`: nobody is served meanwhile, so that each core may check it.
    Raises Unusable with one line, Unsound where it came out and is not data, and then nothing is there."""
    found, target = program(at), target_of(at, environ)
    moment = None if isinstance(of, str) else of
    generation = of if isinstance(of, str) else _generation(target, moment)
    aside = file.with_name(f"{file.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    try:
        new = aside / "restored.db"
        config = write_configuration(aside / "kbwork.db", target.engine(generation), at.days)
        words = [str(found), "restore", "-config", str(config), "-no-expand-env", "-o", str(new)]
        if moment is not None:
            stamp = datetime.datetime.fromtimestamp(moment, datetime.UTC)
            words += ["-timestamp", f"{stamp:%Y-%m-%dT%H:%M:%SZ}"]
        _run([*words, str(aside / "kbwork.db")], environment(target, environ) | _ONE_AFTER_ANOTHER, new)
        threads = min(_MOST_THREADS, os.cpu_count() or 1) if alone else 1
        if (fault := next(check(new, threads=threads), None)) is not None:
            raise Unsound(f"what lies in the replica {target.place} is not sound: {fault}")
        seq, _, counts = facts(new)
        new.chmod(0o600)
        new.rename(file)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return RestoredData(seq, counts, generation)


def restore_past(
    at: ReplicateSettings, file: Path, environ: Mapping[str, str], moment: float, present: Path
) -> PastData:
    """Make `file` of what lay there at a moment, and settle it, as a backup that is put back is. What was revoked since
    is read off the newest that lies there, or off the `present` data file of that org, where one is there: whichever is
    the newer. Either may be what somebody goes back behind, so that one which cannot be read is no reason to stop.

    No number is given twice behind it: see `begin_behind`. Raises as `restore`, and then nothing is there.
    """
    aside = file.with_name(f"{file.name}.past")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    try:
        then = aside / FILE
        restored = restore(at, then, environ, moment, alone=True)
        migrate.migrate(then, SystemClock(), copy=False)
        begin_behind(then)
        place, held, unread = _newer(at, aside, environ, present)
        told: dict[str, Any] = {
            "scope": "all",
            "at": int(moment),
            "seq": restored.seq,
            "version": __version__,
            "origin": "replica",
        }
        known_seq = held.seq
        stage.settled_alone(aside, carry_over.leapt(held) if place else held, told, SystemClock())
        then.rename(file)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return PastData(restored, place, known_seq, told["ended"], unread)


def _newer(
    at: ReplicateSettings, aside: Path, environ: Mapping[str, str], present: Path
) -> tuple[str, CarriedOver, list[str]]:
    """Whose word counts, what it knows, and a line for each that could not be asked. One copy lies there at a time."""
    (whose, _), new = read_owner(aside / FILE, b""), aside / "newer.db"
    takes: dict[str, Callable[[], object]] = {
        "the newest in the replica": lambda: restore(at, new, environ, alone=True)
    }
    if present.is_file():
        takes[f"the data in {present.parent}"] = lambda: copy(present, new)
    found, unread = [("", CarriedOver())], []
    for place, take in takes.items():
        try:
            take()
            migrate.migrate(new, SystemClock(), copy=False)
            other, _ = read_owner(new, b"")
            if whose is not None and other is not None and whose.created_at == other.created_at:
                found.append((place, _since(new)))
        except Unusable as error:
            unread.append(f"{place} cannot be read: {error}")
        finally:
            for left in aside.glob(f"{new.name}*"):
                left.unlink()
    place, held = max(found, key=lambda one: one[1].seq)
    return place, held, unread


def _since(file: Path) -> CarriedOver:
    clock = SystemClock()
    readers = Readers(file, clock, Catalogue(TrustedTime(clock)))
    try:
        return readers.read_now(carry_over.since, SYSTEM)
    finally:
        readers.close()


def _generation(target: ReplicaTarget, moment: float | None) -> str:
    """The last that holds data, or did at a moment. Raises Unusable."""
    for one in reversed(target.generations()):
        if (moment is None or began(one) <= moment) and target.newest(one) is not None:
            return one
    since = "" if moment is None else " of that time"
    raise Unusable(f"the replica {target.place} holds no data{since}")


def _run(words: list[str], environ: dict[str, str], new: Path) -> None:
    try:
        ran = subprocess.run(  # noqa: S603 - the operator's own program
            words,
            env=environ,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"Litestream cannot be run: {error}") from None
    if ran.returncode or not new.exists():
        lines = (ran.stderr.strip() or ran.stdout.strip() or f"it ended with {ran.returncode}").splitlines()
        raise Unusable(f"Litestream could not restore: {lines[-1][:300]}")


def begin_behind(file: Path) -> None:
    """Have no number of an event, or version of what flag clients hold, given twice: what was lost had some. Raises
    Unusable."""
    amend(file, AHEAD, {"leap": LEAP})


def private(path: Path, content: bytes) -> None:
    """Lay a file for its owner alone, where there is none yet."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)
