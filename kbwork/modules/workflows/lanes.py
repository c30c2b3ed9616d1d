"""The lanes that workflows are made of, as rows."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read


def rows(tx: Read) -> list[LaneRow]:
    """All lanes in order, those too that go and are not empty yet."""
    found: list[LaneRow] = tx.cached(
        "lanes", lambda: tx.all("select * from lane order by position, id", LaneRow)
    )
    return found


def by_id(tx: Read) -> dict[int, LaneRow]:
    """All lanes, those that go too, by their internal ids."""
    found: dict[int, LaneRow] = tx.cached("lanes by id", lambda: {row["id"]: row for row in rows(tx)})
    return found


def staying(tx: Read) -> list[LaneRow]:
    """The lanes that people see, in order."""
    return [row for row in rows(tx) if row["heir"] is None]


def by_name(tx: Read, name: str, *, field: str = "status") -> LaneRow:
    """A lane by key, id or name, without case. Raises InvalidInput naming the nearest."""
    wanted = folded(name.strip())
    for row in staying(tx):
        if wanted in (row["key"].lower(), folded(row["name"]), str(row["id"])):
            return row
    known = [] if tx.caller.guest else [row["key"] for row in staying(tx)]
    raise InvalidInput(f"There is no lane {name!r}.{did_you_mean(name, known)}", field=field, allowed=known)


def one(tx: Read, lane: int) -> LaneRow:
    """The lane with this internal id, which must exist."""
    return by_id(tx)[lane]
