"""Putting a backup back into a folder that nobody serves: what is there goes into a safety copy, what opens the data
is void, and whoever was shut out stays out."""

import shutil
from pathlib import Path
from typing import Any

from kbwork.app import open_data
from kbwork.base.clock import Clock
from kbwork.db.archives import backup
from kbwork.db.archives.file_worker import lay, take
from kbwork.db.folder import Folder, refused
from kbwork.db.swap import ASIDE, put_in_place, tidy
from kbwork.modules.backups import carry_over, stage


def put_back(archive: Path, folder: Path, clock: Clock) -> tuple[dict[str, Any], Path | None]:
    """Put the data of an archive into a folder; answers its manifest with its origin and what was `ended` in the data,
    a line each, and the safety copy.

    The folder is held from the first look to the last. The new data are made ready beside the old ones and take their
    place in one step: cut off before, nothing changed. Raises Unusable with one line, and then nothing changed.
    """
    backup.read(archive)
    place = Folder(folder)
    place.prepare()
    place.lock()
    try:
        return _put_back(archive, place, clock)
    except OSError as error:
        raise refused(error, place.path) from error
    finally:
        place.unlock()


def _put_back(archive: Path, place: Folder, clock: Clock) -> tuple[dict[str, Any], Path | None]:
    tidy(place.path, place.file)
    aside = place.path / ASIDE
    held, safety = carry_over.CarriedOver(), None
    try:
        manifest = lay(str(archive), str(aside), place.archive_key())
        if place.file.exists():
            held = _since(place, clock)
            safety = _safety(place, clock)
        told = stage.told_of(manifest)
        new = stage.settled(aside, place, held, told, clock)
        put_in_place(new, place.file, None)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return manifest | {"ended": told["ended"]}, safety


def _since(place: Folder, clock: Clock) -> carry_over.CarriedOver:
    """Who was shut out of the data that go; all of the log is in the file afterwards."""
    database = open_data(place.path, clock, held=place)
    try:
        return database.read_now(carry_over.since)
    finally:
        database.close()


def _safety(place: Folder, clock: Clock) -> Path:
    home = place.path / "backups"
    home.mkdir(mode=0o700, exist_ok=True)
    safety = home / f"{backup.name(clock.now(), 'safety')}.zip"
    label = {"at": clock.now(), "kind": "safety", "note": "before a restore"}
    take(str(place.file), str(safety), label, place.archive_key())
    return safety
