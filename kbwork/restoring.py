"""Putting a backup back: what is there goes into a safety copy, what opens the data is void, and whoever was shut out
stays out."""

import contextlib
import shutil
from functools import partial
from pathlib import Path

from kbwork.app import open_data
from kbwork.base.clock import Clock
from kbwork.db import backup
from kbwork.db.apart import take
from kbwork.db.backup import Manifest
from kbwork.db.check import check
from kbwork.db.connection import Unusable
from kbwork.db.folder import Folder, sync
from kbwork.modules.backups import carrying

_ASIDE = "restoring"
"""The folder in which the data are made ready; one that is left there by a restore that was cut off goes."""


def put_back(archive: Path, folder: Path, clock: Clock) -> tuple[Manifest, Path | None]:
    """Put the data of an archive into a folder that nobody serves; answers its manifest and the safety copy.

    The new data are made ready beside the old ones and take their place in one step: cut off before, nothing changed.
    Raises Unusable with one line, and then nothing changed.
    """
    manifest = backup.read(archive)
    place = Folder(folder)
    place.prepare()
    aside = place.path / _ASIDE
    held, safety = carrying.Since(), None
    try:
        _lay_ready(archive, aside)
        if place.file.exists():
            held = _since(place.path, clock)
            safety = _safety(place, clock)
        _settle(aside, place, held, manifest, clock)
        _swap(aside, place)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return manifest, safety


def _lay_ready(archive: Path, aside: Path) -> None:
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    backup.unpack(archive, aside / "kbwork.db")
    if fault := next(check(aside / "kbwork.db"), None):
        raise backup.Unfit(f"{archive} is not sound: {fault}")


def _since(folder: Path, clock: Clock) -> carrying.Since:
    """Who was shut out of the data that go; all of the log is in the file afterwards."""
    database = open_data(folder, clock)
    try:
        return database.read_now(carrying.since)
    finally:
        database.close()


def _safety(place: Folder, clock: Clock) -> Path:
    home = place.path / "backups"
    home.mkdir(mode=0o700, exist_ok=True)
    safety = home / f"{backup.name(clock.now(), 'safety')}.zip"
    take(str(place.file), str(safety), {"at": clock.now(), "kind": "safety", "note": "before a restore"})
    return safety


def _settle(aside: Path, place: Folder, held: carrying.Since, manifest: Manifest, clock: Clock) -> None:
    """Open the data where they are made ready, with the key of their folder to be, and settle them."""
    with backup.opened(aside / "kbwork.db", write=True) as connection:
        connection.execute("update counter set value = max(value, ?) where name = 'seq'", (held.seq,))
    place.master_key()
    with contextlib.suppress(FileNotFoundError):  # it is in the environment
        shutil.copy2(place.path / "master.key", aside / "master.key")
    told = {"scope": "all", "at": manifest.at, "seq": manifest.seq, "version": manifest.version}
    database = open_data(aside, clock)
    try:
        database.write_now(partial(carrying.settle, held=held, told=told))
    finally:
        database.close()


def _swap(aside: Path, place: Folder) -> None:
    """The new file takes the place of the old one, beside which no log may lie: it would be played into the new one."""
    place.lock()
    try:
        for path in (aside / "kbwork.db", place.file):
            log = Path(f"{path}-wal")
            if log.exists() and log.stat().st_size:
                raise Unusable(f"{log} is not empty: another program has {path} open")
        for end in ("-wal", "-shm"):
            Path(f"{place.file}{end}").unlink(missing_ok=True)
        (aside / "kbwork.db").rename(place.file)
        sync(place.path)
    finally:
        place.unlock()
