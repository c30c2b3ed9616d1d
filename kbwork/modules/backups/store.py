"""The archives where they lie. What is known of one stands in a small file beside it, since a restore takes the data
file back and not the shelf."""

import contextlib
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from kbwork.base import ids
from kbwork.base.dataclasses import asdict
from kbwork.base.errors import Conflict, InvalidInput, NotFound, StorageFull
from kbwork.core.operations.external import External
from kbwork.db.archives.backup import ID, MOST_COUNT, MOST_MOMENT
from kbwork.db.archives.origin import key_of
from kbwork.db.folder import Folder, Places
from kbwork.modules.backups.model import Backup, BackupKind

HOME = "backups"
"""What the place beside the data is called."""
MOST = 1000
"""So many of a place are shown, the latest."""


def _encoded(text: str) -> str:
    """Raises ValueError for halves of a character, which JSON may hold and no answer can."""
    text.encode()
    return text


_Words = Annotated[str, AfterValidator(_encoded)]
_Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
_Moment = Annotated[int, Field(ge=0, le=MOST_MOMENT)]


@with_config(ConfigDict(defer_build=True))
class _Note(TypedDict):
    """What is said of an archive beside it. Which one it is, and where, says the name of the file alone."""

    at: _Moment
    kind: BackupKind
    bytes: _Count
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    seq: _Count
    version: _Words
    verified_at: _Moment | None
    note: _Words


_NOTE = TypeAdapter(_Note)


async def signing_key(out: External) -> str:
    """What signs the archives of this server."""
    return key_of(await out.read(lambda tx: tx.secret))


def folder_of(places: Places, place: str) -> Path:
    """Where archives of a place lie or, of those in a store, what is known of them."""
    if place in places.buckets:
        return places.home / place
    return places.home if place == HOME else places.named[place]


def bucket_of(places: Places, place: str) -> dict[str, Any]:
    """A store as work of another process takes it."""
    return asdict(places.buckets[place])


def archive_of(places: Places, backup: Backup) -> Path:
    """The archive itself. Raises NotFound for an id that is none: no other path is ever made of one."""
    return path_of(places, backup["place"], backup["id"])


def path_of(places: Places, place: str, ident: str) -> Path:
    """The same by place and id."""
    if ID.fullmatch(ident) is None:
        raise NotFound(f"There is no backup {ident[:100]!r}; backups.list shows them.")
    return folder_of(places, place) / f"{ident}.zip"


def keep(places: Places, backup: Backup) -> None:
    """Write down what is known of an archive; several may at once."""
    path = archive_of(places, backup).with_suffix(".json")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(f".{ids.short(6)}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(backup, file)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


async def remove(out: External, places: Places, backup: Backup) -> None:
    """Take an archive and what is known of it away. Raises Conflict where a store refuses."""
    if backup["place"] in places.buckets:
        await out.file_work("bucket_remove", place=bucket_of(places, backup["place"]), ident=backup["id"])
    await out.thread(_removed, archive_of(places, backup))


def _removed(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_suffix(".json").unlink(missing_ok=True)


async def noted(out: External, places: Places, backup: Backup, place: str) -> Backup | None:
    """What is known of the same archive at another place; None where it is not there."""
    path = path_of(places, place, backup["id"]).with_suffix(".json")
    return await out.thread(_read, path, place)


async def sent(out: External, places: Places, backup: Backup, place: str) -> Backup:
    """Send an archive that lies at home to a store, where it is from then on. Raises Conflict where that refuses."""
    there = Backup(**{**backup, "place": place})
    archive = archive_of(places, backup)
    await out.file_work("bucket_put", place=bucket_of(places, place), archive=str(archive), known=dict(there))
    await out.thread(keep, places, there)
    await out.thread(_removed, archive)
    return there


@contextlib.asynccontextmanager
async def at_hand(out: External, places: Places, backup: Backup) -> AsyncIterator[Path]:
    """The archive on a disk of this machine; from a store it is fetched for the while. Raises Conflict."""
    if backup["place"] not in places.buckets:
        yield archive_of(places, backup)
        return
    path = places.home / f"fetched-{ids.short(6)}.zip"
    place = bucket_of(places, backup["place"])
    await out.thread(prepared, places.home)
    if not Folder(places.home).has_room(backup["bytes"]):
        raise StorageFull(
            f"Fetching it needs {backup['bytes'] // 1_000_000 + 1:,} MB of free space beside the backups: make room."
        )
    same = {"ident": backup["id"], "size": backup["bytes"], "sha256": backup["sha256"]}
    try:
        await out.file_work("bucket_get", place=place, to=str(path), **same)
        yield path
    finally:
        path.unlink(missing_ok=True)


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


async def every(out: External, places: Places) -> list[Backup]:
    """All archives, the latest first. One that was laid there by hand is looked into once."""
    found: list[Backup] = []
    for place in (HOME, *sorted(places.named)):
        found += _latest(await _in_folder(out, places, place))
    for place in sorted(places.buckets):
        found += _latest(await _in_bucket(out, places, place))
    return sorted(found, key=_when, reverse=True)


def _latest(found: list[Backup]) -> list[Backup]:
    """Of each place so many: what lies in one never crowds out what lies in another."""
    return sorted(found, key=_when, reverse=True)[:MOST]


def _when(backup: Backup) -> tuple[int, str]:
    return backup["at"], backup["id"]


async def one(out: External, places: Places, ident: str) -> Backup:
    """Raises NotFound."""
    for backup in await every(out, places) if ID.fullmatch(ident) else ():
        if backup["id"] == ident:
            return backup
    raise NotFound(f"There is no backup {ident!r}; backups.list shows them.")


def require_place(places: Places, target: str | None) -> str:
    """The place of this name. Raises InvalidInput."""
    if target is None:
        return HOME
    if target not in places.names:
        raise InvalidInput(
            f"There is no place {target!r}: the operator names them in kbwork.toml, [backup] places.",
            field="target",
            allowed=places.names,
        )
    return target


def prepared(folder: Path) -> None:
    """Make the folder, where it is missing. Raises Conflict where it cannot be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Conflict(f"{folder.name} cannot be written: {error.strerror}.") from None


async def _in_folder(out: External, places: Places, place: str) -> list[Backup]:
    found, strange = await out.thread(_known, folder_of(places, place), place)
    for ident in strange:
        told = await _described(out, path_of(places, place, ident))
        if told is not None:
            backup = shown(ident, place, told)
            await out.thread(keep, places, backup)
            found.append(backup)
    return found


def _known(folder: Path, place: str) -> tuple[list[Backup], list[str]]:
    """(what is known of the archives there, ids of those that nothing is known of)."""
    known, strange = [], []
    for path in sorted(folder.glob("*.zip")) if folder.is_dir() else ():
        if ID.fullmatch(path.stem) is None:
            continue
        backup = _read(path.with_suffix(".json"), place)
        if backup is not None:
            known.append(backup)
        else:
            strange.append(path.stem)
    return known, strange


async def _in_bucket(out: External, places: Places, place: str) -> list[Backup]:
    """What a store holds; while it cannot be asked, what it held last.

    Whoever may write there may have laid any note: one that does not fit is left out, as a file at home that is no
    backup is.
    """
    folder = folder_of(places, place)
    known = {backup["id"]: backup for backup in await out.thread(_noted, folder, place)}
    try:
        there = await out.file_work("bucket_listed", place=bucket_of(places, place), known=sorted(known))
    except Conflict:
        return list(known.values())
    for ident, note in there["notes"].items():
        backup = _fitting(note, ident, place)
        if backup is not None:
            await out.thread(keep, places, backup)
            known[ident] = backup
    for gone in known.keys() - set(there["ids"]):
        await out.thread(_removed, path_of(places, place, gone))
    return [known[ident] for ident in there["ids"] if ident in known]


def _noted(folder: Path, place: str) -> list[Backup]:
    read = [_read(path, place) for path in folder.glob("*.json")] if folder.is_dir() else []
    return [backup for backup in read if backup is not None]


def _read(path: Path, place: str) -> Backup | None:
    """What a note says; None where there is none that fits."""
    try:
        return _fitting(json.loads(path.read_text()), path.stem, place)
    except (OSError, ValueError):
        return None


def _fitting(note: Any, ident: str, place: str) -> Backup | None:
    """A note as what it is about, or None where it has another shape."""
    try:
        held = _NOTE.validate_python(note, strict=True)
    except ValidationError:
        return None
    return Backup(id=ident, place=place, **held) if ID.fullmatch(ident) else None


async def _described(out: External, archive: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = await out.file_work("describe", archive=str(archive))
    except Conflict:  # it is no backup that this version can read: it is not on the list
        return None
    return found
