"""A trial of the replica: what it holds is restored beside the data, checked, and compared with them.

`python -m kbwork.replica.drill` does it for a server, which must not open its file twice: `file` and `at` as JSON on
standard input, and `ok` and `detail` as its answer.
"""

import json
import os
import shutil
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from kbwork.db.archives.backup import facts
from kbwork.db.connection import Unusable
from kbwork.replica.restoration import RestoredData, restore
from kbwork.settings import ReplicateSettings

ASIDE = "replica-drill"
_TRIES = 3
_PAUSE_S = 3.0
"""So long what was just written is on its way."""


def tried(at: ReplicateSettings, file: Path, environ: Mapping[str, str]) -> RestoredData:
    """What came out of the replica of a data file, which may be served. Not for the process that serves it: the file is
    opened. Raises Unusable where the replica is not fit."""
    seq, _, counts = facts(file)
    for again in range(_TRIES):
        if again:
            threading.Event().wait(_PAUSE_S)
        found = _restored(at, file, environ)
        if found.seq >= seq:
            break
    else:
        raise Unusable(
            f"the replica ends with event {found.seq:,}, the data had {seq:,} when the trial began"
        )
    if lost := sorted(name for name, rows in counts.items() if rows and not found.counts.get(name)):
        raise Unusable(f"the replica has no rows of {', '.join(lost[:5])}, the data have")
    if found.seq == seq and found.counts["events"] != counts["events"]:
        raise Unusable(f"the replica has {found.counts['events']:,} events, the data {counts['events']:,}")
    return found


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
        told = {"ok": True, "detail": f"{sum(found.counts.values()):,} rows up to event {found.seq:,}"}
    except Unusable as error:
        told = {"ok": False, "detail": str(error)}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
