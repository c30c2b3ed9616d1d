"""Deleting a space, bringing it back from the trash, and purging it with its pages."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, InTrash, Text
from kbwork.core.operations.declare import destructive
from kbwork.core.things.thing import Trashed
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, Write
from kbwork.modules import trash
from kbwork.modules.spaces import access
from kbwork.modules.spaces.model import SpaceDeleted, SpaceRef, SpaceRestored
from kbwork.modules.spaces.ports import content


class SpacesDelete(Input):
    key: SpaceRef
    confirm_key: Text
    """The key once more: with the space go its pages and all else in it."""


@destructive(
    "spaces.delete",
    scope="admin",
    words="remove a space, drop a wiki, delete a knowledge base",
    emits=[SpaceDeleted],
    example={"key": "HAND", "confirm_key": "HAND"},
)
def delete(tx: Write, args: SpacesDelete) -> InTrash:
    """Put a space with all its pages into the trash; trash.restore brings it back as it was. Its key stays taken.

    For admins who manage it: everybody's but personal spaces, and those of private projects that they do not lead. An
    archived one can be deleted.
    """
    row = access.space(tx, args.key)
    access.require(tx, row, "manage")
    if args.confirm_key.strip().upper() != row["key"]:
        raise InvalidInput(f"This is not the key {row['key']}.", field="confirm_key")
    pages = content(tx).contents(tx, row["id"])
    tx.update("space", row["id"], deleted_at=tx.now)
    payload = {"space": row["key"], "name": row["name"]}
    tx.emit(SpaceDeleted(subject=f"space:{row['key']}", payload=payload))
    title = f"{row['key']} {row['name']}"
    entry = trash.put(tx, f"space:{row['key']}", title, project=row["project"], items=pages)
    return InTrash(ok=True, trash=entry)


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a space back with its pages."""
    row = stored(tx, thing.ref)
    assert row is not None
    tx.update("space", row["id"], deleted_at=None)
    payload = {"space": row["key"], "name": row["name"]}
    seq = tx.emit(SpaceRestored(subject=f"space:{row['key']}", payload=payload))
    tx.execute("update space set seq = :seq where id = :id", seq=seq, id=row["id"])


def emptied(tx: Write, ref: str) -> bool:
    """Purge its pages, some at a time."""
    row = stored(tx, ref)
    return row is None or content(tx).purge(tx, row["id"])


def purge(tx: Write, ref: str) -> bool:
    """Remove what it held. Its row and its key stay, empty: a key never comes again."""
    tx.execute(
        "update space set name = '', description = '', icon = null, home = null, project = null where key = :key",
        key=ref,
    )
    return True


def stored(tx: Read, ref: str) -> SpaceRow | None:
    """The row with this key, wherever it is."""
    return tx.one("select * from space where key = :key", SpaceRow, key=ref.upper())
