"""Events as messages, and where in the events a stream ends."""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.events import cursors
from kbwork.db.tx import Read, Row
from kbwork.modules.org.setup import is_set_up

MOST = 200
"""Of one read: what they take of the loop is two milliseconds."""
_TOLD = ("seq", "kind", "subject", "actor", "actor_kind", "created_at", "via", "origin")
_SENT = "seq > :after and audience <> 'audit'"
"""As in `analytics.query`: all projects' events, and nothing that stands in the audit log alone."""


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One event."""

    seq: int
    kind: str
    head: str
    """All that is said of it but its payload: JSON without the last brace."""
    payload: str

    @property
    def body(self) -> bytes:
        return f'{self.head},"payload":{self.payload}}}'.encode()

    @property
    def stub(self) -> bytes:
        """What is sent where all of it is too much for one message."""
        return f'{self.head},"payload":null}}'.encode()


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """Where a stream ends, as the stream itself says."""

    sequence: int
    """The stream's own number of its last message, whether that is there still or not; 0: there never was one."""
    first: int = 0
    """Its number of the first that is there, or of the next where none is."""
    name: str = ""
    """The org by which its last message is named; empty: it holds none of ours."""
    told: tuple[int, str, str, int] | None = None
    """Of the event in it: number, kind, subject, time."""
    after: int = 0
    """An empty stream gets the events behind this one."""
    age_s: float = 0.0
    """It forgets what is older; 0: it forgets nothing by age."""


def org(tx: Read) -> str | None:
    """The name of the org in a stream; None: there is no org yet."""
    return str(org_settings.get(tx, "org.slug")) if is_set_up(tx) else None


def place(tx: Read, name: str, end: StreamEnd, reached: int | None) -> int | str:
    """The last event that went to a stream; or why it is no stream of these data, in words. `reached` is what went
    there, where that is known."""
    last = cursors.last(tx)
    if end.told is None:
        return reached if end.sequence and reached is not None else _beginning(tx, end, last)
    seq, *told = end.told
    if seq > last:
        return (
            f"it ends with event {seq:,} and the data with {last:,}: they were put back as they were before, or are"
            " other ones"
        )
    row = tx.one("select kind, subject, at from events where seq = :seq", seq=seq)
    if row is None:
        return (
            seq if end.name == name else f"it holds events of the org {end.name}, these are those of {name}"
        )
    if [row["kind"], row["subject"], row["at"]] != told:
        return (
            f"its event {seq:,} is another than that of these data: it is of another org, or of another past"
        )
    return seq


def _beginning(tx: Read, end: StreamEnd, last: int) -> int:
    """What an age has emptied held all that is older: of that nothing goes there twice."""
    if not (end.age_s and end.sequence):
        return end.after
    young = tx.value("select min(seq) from events where at > :before", before=tx.now - int(end.age_s))
    return max(end.after, last if young is None else young - 1)


def first_waiting(tx: Read, after: int) -> int | None:
    """When the first event happened that is to be sent; None: there is none."""
    found: int | None = tx.value(f"select at from events where {_SENT} order by seq limit 1", after=after)  # noqa: S608 - a constant of this file
    return found


def following(tx: Read, after: int, most: int = MOST) -> tuple[list[EventMessage], int]:
    """The next messages, and up to which event they are all."""
    last = cursors.last(tx)
    rows = tx.all(
        "select seq, kind, subject, actor, actor_kind, at as created_at, via, origin, json(payload) as payload"  # noqa: S608 - likewise
        f" from events where {_SENT} order by seq limit :most",
        after=after,
        most=most,
    )
    found = [_message(row) for row in rows]
    return found, found[-1].seq if len(found) == most else last


def _message(row: Row) -> EventMessage:
    head = json.dumps({name: row[name] for name in _TOLD}, ensure_ascii=False, separators=(",", ":"))
    return EventMessage(row["seq"], row["kind"], head[:-1], row["payload"])
