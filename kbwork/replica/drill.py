"""A trial of the replica: what it holds is restored beside the data, checked, and compared with them.

`python -m kbwork.replica.drill` does it for a server, which must not open its file twice: `file` and `at` as JSON on
standard input, and `ok`, `detail` and whether it is `unsound` as its answer.
"""

import itertools
import json
import os
import shutil
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from kbwork.db.archives.backup import FileFacts, facts
from kbwork.db.connection import Unusable
from kbwork.replica.epoch import DataEpoch
from kbwork.replica.restoration import RestoredData, restore
from kbwork.replica.target import Unsound, epoch_of, target_of
from kbwork.settings import ReplicateSettings

ASIDE = "replica-drill"
_TRIES = 3
_PAUSE_S = 3.0
"""So long what was just written is on its way."""


def tried(at: ReplicateSettings, file: Path, environ: Mapping[str, str]) -> RestoredData:
    """What came out of the replica of a data file, which may be served. Not for the process that serves it: the file is
    opened. Raises Unusable where the replica is not fit, Unsound where it will not become so by what follows."""
    _require_epoch(at, file, environ)
    for tries in itertools.count(1):
        before = facts(file)
        if tries > 1:
            threading.Event().wait(_PAUSE_S)
        found, after = _restored(at, file, environ), facts(file)
        fault = _fault(found, before, after)
        if fault is None:
            break
        if tries == _TRIES:
            raise fault
    return found


def _require_epoch(at: ReplicateSettings, file: Path, environ: Mapping[str, str]) -> None:
    """That the data are of the epoch in which the replica is. Raises Unusable."""
    ours, there = DataEpoch.known(file.parent).epoch, target_of(at, environ).generations()
    if ours and there and epoch_of(there[-1]) != ours:
        raise Unusable(
            f"these data are of epoch {ours}, the replica is in epoch {epoch_of(there[-1])}: they are not compared"
        )


def _fault(found: RestoredData, before: FileFacts, after: FileFacts) -> Unusable | None:
    """What is wrong with it, beside the data as they were before and after it was restored. Some tables are written to
    without an event, and rows of queues come and go: what counts is what the data had both times."""
    if found.seq < before.seq:
        return Unusable(
            f"the replica ends with event {found.seq:,}, the data had {before.seq:,} when the trial began"
        )
    kept = {name: rows for name, rows in before.counts.items() if rows and after.counts.get(name)}
    if lost := sorted(name for name in kept if not found.counts.get(name)):
        return Unsound(f"the replica has no rows of {', '.join(lost[:5])}, the data have")
    same = before.seq == after.seq == found.seq and before.counts["events"] == after.counts["events"]
    if same and found.counts["events"] != before.counts["events"]:
        return Unsound(
            f"the replica has {found.counts['events']:,} events, the data {before.counts['events']:,}"
        )
    return None


def _restored(at: ReplicateSettings, file: Path, environ: Mapping[str, str]) -> RestoredData:
    aside = file.with_name(ASIDE)
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    try:
        return restore(at, aside / "kbwork.db", environ)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def main() -> None:
    os.umask(0o077)
    asked = json.load(sys.stdin)
    try:
        found = tried(ReplicateSettings(**asked["at"]), Path(asked["file"]), os.environ)
        rows = sum(found.counts.values())
        told = {"ok": True, "detail": f"{rows:,} rows up to event {found.seq:,}", "unsound": False}
    except Unusable as error:
        told = {"ok": False, "detail": str(error), "unsound": isinstance(error, Unsound)}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
