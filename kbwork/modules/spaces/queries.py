"""Spaces as rows and as answers."""

from collections.abc import Iterable

from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.spaces import access
from kbwork.modules.spaces.model import Space
from kbwork.modules.spaces.ports import content


def one(tx: Read, ident: int) -> Space:
    """One that the caller sees, as an answer."""
    row = tx.stored("space", [ident])
    assert row is not None
    return shown(tx, [row])[0]


def shown(tx: Read, rows: list[SpaceRow]) -> list[Space]:
    """Rows that the caller sees, as answers."""
    held = content(tx)
    counts = held.counts(tx, [row["id"] for row in rows])
    homes = held.seen(tx, [row["home"] for row in rows if row["home"] is not None])
    projects = dict(
        tx.tuples(
            "select id, key from project where id in (select value from json_each(:ids))",
            ids=json_array(row["project"] for row in rows if row["project"] is not None),
        )
    )
    levels = access.levels(tx)
    return [
        Space(
            key=row["key"],
            name=row["name"],
            kind=row["kind"],
            description=row["description"],
            icon=row["icon"],
            project=projects.get(row["project"]),
            visibility=row["visibility"],
            home=str(row["home"]) if row["home"] in homes else None,
            owner=row["owner"],
            review_days=row["review_days"],
            pages=counts.get(row["id"], 0),
            my_level=levels[row["id"]],
            archived_at=row["archived_at"],
            former_keys=[],
        )
        for row in rows
    ]


def keys(tx: Read, idents: Iterable[int]) -> dict[int, str]:
    """What spaces are called by, seen or not."""
    return dict(
        tx.tuples(
            "select id, key from space where id in (select value from json_each(:ids))",
            ids=json_array(idents),
        )
    )
