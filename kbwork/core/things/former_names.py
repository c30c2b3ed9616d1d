"""What things with names were called before. Triggers keep it, so that undo and every way to rename are in it."""

from kbwork.db.tx import Read


def former_names(tx: Read, kind: str) -> dict[int, tuple[str, ...]]:
    """Id -> names that it had; `kind` is the table of the things."""
    found: dict[int, tuple[str, ...]] = {}
    for row in tx.all("select id, name from former_name where kind = :kind order by id, name", kind=kind):
        found[row["id"]] = (*found.get(row["id"], ()), row["name"])
    return found
