"""Spaces that are archived and brought back."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.spaces import access, queries
from kbwork.modules.spaces.model import Space, SpaceArchived, SpaceRef


class SpacesArchive(Input):
    key: SpaceRef
    on: bool
    """false brings it back."""


@write(
    "spaces.archive",
    scope="pages:write",
    words="close a space, put a wiki aside, reactivate a space, unarchive a space",
    emits=[SpaceArchived],
    example={"key": "HAND", "on": True},
)
def archive(tx: Write, args: SpacesArchive) -> Space:
    """Put a space aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.

    For whoever manages it (403). Its pages stay as they are.
    """
    row = access.space(tx, args.key)
    access.require(tx, row, "manage")
    if (row["archived_at"] is not None) != args.on:
        tx.update("space", row["id"], archived_at=tx.now if args.on else None)
        payload = {"space": row["key"], "name": row["name"], "on": args.on}
        seq = tx.emit(SpaceArchived(subject=f"space:{row['key']}", payload=payload))
        tx.execute("update space set seq = :seq where id = :id", seq=seq, id=row["id"])
    return queries.one(tx, row["id"])
