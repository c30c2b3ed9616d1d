"""Data out of a replica: into a file of their own, checked before they count."""

import datetime
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from kbwork.base.dataclasses import dataclass
from kbwork.db.archives.amend import amend
from kbwork.db.archives.backup import facts
from kbwork.db.archives.check import check
from kbwork.db.connection import Unusable
from kbwork.modules.backups.carry_over import AHEAD, LEAP
from kbwork.replica.engine import environment, program, write_configuration
from kbwork.replica.target import ReplicaTarget, Unsound, began, target_of
from kbwork.settings import ReplicateSettings

_LONGEST_S = 6 * 3600


@dataclass(frozen=True, slots=True)
class RestoredData:
    """What came out."""

    seq: int
    counts: dict[str, int]
    """Rows by table."""
    generation: str


def restore(
    at: ReplicateSettings,
    file: Path,
    environ: Mapping[str, str],
    moment: float | None = None,
    *,
    generation: str = "",
) -> RestoredData:
    """Make `file`, which is not there yet, of the newest that lies there, of what lay there at a moment in Unix
    seconds, or of a generation. Raises Unusable with one line, Unsound where it came out and is not data, and then
    nothing is there."""
    found, target = program(at), target_of(at, environ)
    generation = generation or _generation(target, moment)
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
        _run([*words, str(aside / "kbwork.db")], environment(target, environ), new)
        if (fault := next(check(new), None)) is not None:
            raise Unsound(f"what lies in the replica {target.place} is not sound: {fault}")
        seq, _, counts = facts(new)
        new.chmod(0o600)
        new.rename(file)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return RestoredData(seq, counts, generation)


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
