"""What the doctor says of the replica, with or without a server beside."""

import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from kbwork.base.clock import monotonic
from kbwork.core.data_check import Finding, shown
from kbwork.db.connection import Unusable
from kbwork.db.folder import Folder
from kbwork.replica import escrow, lease, owner
from kbwork.replica.engine import program
from kbwork.replica.epoch import DataEpoch, generation_of
from kbwork.replica.keeper import LATE_S
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
        beside = [*_key(target, file.parent), *([_lease(target, file.parent)] if at.lease else [])]
    except Unusable as error:
        yield Finding("replica", False, str(error))
        return
    yield from beside
    if not sealed:
        yield Finding(
            "replica", False, "master.key is not in the replica, nor in backups: kbwork replica key"
        )
    when = f"what was written until {shown(int(held))}" if held else "nothing yet"
    said = f"the replica {target.place} holds {when}"
    if not file.exists():
        yield Finding("replica", True, said)
    elif behind > LATE_S:
        newer = f", and the data are {behind:.0f} s newer" if held else ""
        yield Finding("replica", False, f"{said}{newer}: is the server running?")
    else:
        yield Finding("replica", True, said)


def _key(target: ReplicaTarget, folder: Path) -> Iterator[Finding]:
    known, key_file = owner.found_in(target), folder / "master.key"
    if known is None or not key_file.exists():
        return
    if owner.known_by(Folder(folder).master_key()) != known.key:
        yield Finding("replica", False, owner.OTHER_KEY.format(place=target.place))


def _lease(target: ReplicaTarget, folder: Path) -> Finding:
    """Who may write."""
    seen, data = lease.read(target, monotonic), DataEpoch.known(folder)
    if seen is None:
        return Finding(
            "replica-lease", False, f"there is no lease in {target.place} yet: is the server running?"
        )
    record = seen.record
    if not data.is_of(record.epoch, record.holder):
        return Finding("replica-lease", False, lease.over(data, record, folder))
    said = f"the lease is held by {record.name} in epoch {record.epoch}"
    return Finding("replica-lease", True, said if record.state == "held" else f"{said} no more")


def _behind(target: ReplicaTarget, file: Path) -> tuple[float, float]:
    """By how much the data are newer than what lies there, in seconds; and when the newest of that was written."""
    written = max((_changed(Path(f"{file}{end}")) for end in ("", "-wal")), default=0.0)
    generation = generation_of(file.parent) or next(reversed(target.generations()), "")
    last = target.newest(generation) if generation else None
    held = last.at if last is not None else 0.0
    return max(0.0, written - held), held


def _changed(path: Path) -> float:
    try:
        return os.stat(path).st_mtime  # noqa: PTH116 - the file is not opened
    except OSError:
        return 0.0
