"""What the doctor says of the replica, with or without a server beside."""

import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from kbwork.core.data_check import Finding, shown
from kbwork.db.connection import Unusable
from kbwork.replica import escrow
from kbwork.replica.engine import program
from kbwork.replica.keeper import KNOWN, LATE_S
from kbwork.replica.target import ReplicaTarget, target_of
from kbwork.settings import ReplicateSettings

_PATIENCE_S = 3.0
"""So long what was just written is on its way."""


def look(at: ReplicateSettings, file: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether it can be filled, and is."""
    try:
        program(at)
        target = target_of(at, environ)
        sealed = target.read(escrow.NAME) is not None
        behind, held = _behind(target, file)
        if behind > LATE_S:
            threading.Event().wait(_PATIENCE_S)
            behind, held = _behind(target, file)
    except Unusable as error:
        yield Finding("replica", False, str(error))
        return
    if not sealed:
        yield Finding(
            "replica", False, "master.key is not in the replica, nor in backups: kbwork replica key"
        )
    when = f"what was written until {shown(int(held))}" if held else "nothing yet"
    said = f"the replica {target.place} holds {when}"
    if not file.exists():
        yield Finding("replica", True, said)
    elif behind > LATE_S:
        yield Finding(
            "replica", False, f"{said}, and the data are {behind:.0f} s newer: is the server running?"
        )
    else:
        yield Finding("replica", True, said)


def _behind(target: ReplicaTarget, file: Path) -> tuple[float, float]:
    """By how much the data are newer than what lies there, in seconds; and when the newest of that was written."""
    written = max((_changed(Path(f"{file}{end}")) for end in ("", "-wal")), default=0.0)
    known = file.with_name(KNOWN)
    generation = known.read_text("ascii") if known.exists() else next(reversed(target.generations()), "")
    held = (target.newest(generation) if generation else None) or 0.0
    return max(0.0, written - held), held


def _changed(path: Path) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 - the file is not opened
    except OSError:
        return 0.0
