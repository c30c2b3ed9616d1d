"""The archives where they lie. What is known of one stands in a small file beside it, since a restore takes the data
file back and not the shelf."""

import json
import os
import re
from pathlib import Path
from typing import Any, cast

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.core.outside import Out
from kbwork.db.folder import Places
from kbwork.modules.backups.model import Backup

HOME = "backups"
"""What the place beside the data is called."""
_ID = re.compile(r"\d{8}T\d{6}Z-(manual|scheduled|safety)-[0-9a-z]{4}", re.ASCII)
MOST = 1000


def folder_of(places: Places, place: str) -> Path:
    return places.home if place == HOME else places.named[place]


def archive_of(places: Places, backup: Backup) -> Path:
    """The archive itself."""
    return folder_of(places, backup["place"]) / f"{backup['id']}.zip"


def keep(places: Places, backup: Backup) -> None:
    """Write down what is known of an archive."""
    path = archive_of(places, backup).with_suffix(".json")
    part = path.with_suffix(".json.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(backup, file)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def remove(places: Places, backup: Backup) -> None:
    """Take an archive and what is known of it away."""
    path = archive_of(places, backup)
    path.unlink(missing_ok=True)
    path.with_suffix(".json").unlink(missing_ok=True)


def shown(ident: str, place: str, told: dict[str, Any]) -> Backup:
    """An archive in its shape, from what `describe` or `take` says of it."""
    return Backup(
        id=ident,
        at=told["at"],
        kind=told["kind"],
        bytes=told["archive_bytes"],
        sha256=told["archive_sha256"],
        seq=told["seq"],
        version=told["version"],
        verified_at=None,
        place=place,
        note=told["note"],
    )


async def every(out: Out, places: Places) -> list[Backup]:
    """All archives, the latest first. One that was laid there by hand is looked into once."""
    found: list[Backup] = []
    for place in (HOME, *sorted(places.named)):
        known, strange = await out.thread(_known, folder_of(places, place), place)
        found += known
        for ident in strange:
            told = await _described(out, folder_of(places, place) / f"{ident}.zip")
            if told is not None:
                backup = shown(ident, place, told)
                await out.thread(keep, places, backup)
                found.append(backup)
    return sorted(found, key=lambda one: (one["at"], one["id"]), reverse=True)[:MOST]


async def one(out: Out, places: Places, ident: str) -> Backup:
    """Raises NotFound."""
    for backup in await every(out, places) if _ID.fullmatch(ident) else ():
        if backup["id"] == ident:
            return backup
    raise NotFound(f"There is no backup {ident!r}; backups.list shows them.")


def require_place(places: Places, target: str | None) -> str:
    """The place of this name. Raises InvalidInput."""
    if target is None:
        return HOME
    if target not in places.named:
        raise InvalidInput(
            f"There is no place {target!r}: the operator names them in kbwork.toml, [backup] places.",
            field="target",
            allowed=sorted(places.named),
        )
    return target


def prepared(folder: Path) -> None:
    """Make the folder, where it is missing. Raises Conflict where it cannot be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Conflict(f"{folder.name} cannot be written: {error.strerror}.") from None


def _known(folder: Path, place: str) -> tuple[list[Backup], list[str]]:
    """(what is known of the archives there, ids of those that nothing is known of)."""
    known, strange = [], []
    for path in sorted(folder.glob("*.zip")) if folder.is_dir() else ():
        if _ID.fullmatch(path.stem) is None:
            continue
        try:
            held = cast("Backup", json.loads(path.with_suffix(".json").read_text()))
            known.append(Backup(**{**held, "id": path.stem, "place": place}))
        except (OSError, ValueError, TypeError):
            strange.append(path.stem)
    return known, strange


async def _described(out: Out, archive: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = await out.apart("describe", archive=str(archive))
    except Conflict:  # it is no backup that this version can read: it is not on the list
        return None
    return found
