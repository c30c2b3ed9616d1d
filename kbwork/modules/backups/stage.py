"""Making the data of an archive ready beside those that are served, or that lie there: the same for both."""

import contextlib
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.base.clock import Clock
from kbwork.db.archives import backup
from kbwork.db.database import Database
from kbwork.db.folder import Folder
from kbwork.modules.backups import carry_over

FILE = "kbwork.db"


def told_of(manifest: dict[str, Any]) -> dict[str, Any]:
    """What the event says of a whole restore."""
    return {"scope": "all", **{name: manifest[name] for name in ("at", "seq", "version", "origin")}}


def settled(
    aside: Path, place: Folder, held: carry_over.CarriedOver, told: dict[str, Any], clock: Clock
) -> Path:
    """Open the data in the folder `aside` with the key of their folder to be, and settle them; answers the file.

    It is closed again and lacks nothing but its place. `told` gets what was `ended` in the data, a line each.
    """
    place.master_key()
    with contextlib.suppress(FileNotFoundError):  # it is in the environment
        shutil.copy2(place.path / "master.key", aside / "master.key")
    return settled_alone(aside, held, told, clock)


def settled_alone(aside: Path, held: carry_over.CarriedOver, told: dict[str, Any], clock: Clock) -> Path:
    """The same with whatever key lies there, or a new one: nothing is sealed by it."""
    file = aside / FILE
    with backup.opened(file, write=True) as connection:
        connection.execute("update counter set value = max(value, ?) where name = 'seq'", (held.seq,))
    database = Database(aside, clock)
    try:
        database.write_now(partial(carry_over.settle, held=held, told=told))
    finally:
        database.close()
    return file
