"""How far somebody followed the events: a place in their order that moves in the transaction of what comes of it."""

from collections.abc import Collection

from kbwork.core.events import feed
from kbwork.db.tx import Read, Row, Write, json_array


def last(tx: Read) -> int:
    """The number of the last event."""
    return int(tx.value("select value from counter where name = 'seq'"))


def place(tx: Read, name: str) -> int:
    """The last event that was followed."""
    return int(tx.value("select value from counter where name = :name", name=name) or 0)


def move(tx: Write, name: str, seq: int) -> None:
    """All up to this event was followed."""
    tx.execute("update counter set value = :seq where name = :name", seq=seq, name=name)


def events(tx: Read, after: int, until: int, kinds: Collection[str], most: int) -> list[Row]:
    """The next of these kinds, with what `visibility.heard` needs, so many at most; none for the audit log alone."""
    return tx.all(
        f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq > :after and e.seq <= :until"
        " and e.kind in (select value from json_each(:kinds)) and e.audience <> 'audit'"
        " order by e.seq limit :most",
        after=after,
        until=until,
        kinds=json_array(kinds),
        most=most,
    )
