"""Room on the disk for what a restore lays beside the data, seen to before any of it is written."""

from pathlib import Path

from kbwork.base.errors import StorageFull
from kbwork.core.operations.external import External
from kbwork.db.folder import Folder, Places
from kbwork.modules.backups import store


async def require_for_all(out: External, places: Places, archive: Path) -> None:
    """For the data that come, and for packing those that go. Raises StorageFull, Conflict for what is no backup,
    or was changed since it was made here."""
    await _require(out, places, archive, 1, 2 * places.file.stat().st_size)


async def require_for_part(out: External, places: Places, archive: Path) -> None:
    """For the data of the archive, the project's file and what is made of that. Raises as `require_for_all`."""
    await _require(out, places, archive, 3, 0)


async def _require(out: External, places: Places, archive: Path, times: int, more: int) -> None:
    manifest = await out.file_work("look", archive=str(archive), key=await store.signing_key(out))
    needed = times * manifest["bytes"] + more
    if not Folder(places.file.parent).has_room(needed):
        raise StorageFull(
            f"Restoring needs {needed // 1_000_000 + 1:,} MB of free space beside the data: make room."
        )
