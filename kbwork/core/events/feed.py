"""The events that a caller may hear of, in order: what `api.changes`, the stream and activity are made of."""

import json
from typing import Any, Literal, NotRequired

import jiter
from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row


class Event(TypedDict):
    """One event. `payload` is as emitted: each changed field with `from` and `to`."""

    seq: int
    """Sequence number: one more than that of the org's event before it."""
    kind: str
    """What happened, such as `issue.created`."""
    subject: str
    """What it happened to, such as `issue:WEB-1`."""
    actor: str
    """Who did it: a member's id, `agent:<name>`, `system` or the like."""
    actor_kind: Literal["human", "key", "agent", "system", "automation"]
    """Sort of actor: a person, a key or agent acting for one, an automation or the server itself."""
    created_at: int
    """When it happened, in Unix seconds."""
    payload: Any
    """What is told of it, any JSON by kind of event; `changes` has each changed field with `from` and `to`."""
    title: NotRequired[str | None]
    """Title of the subject as it is now; null where it has none any more."""
    via: str | None
    """Key or agent that did it in a person's name; null: none."""
    origin: str | None
    """The header `X-KB-Client` of the call that did it: a program knows its own by this; null: it had none."""


COLUMNS = "e.seq, e.kind, e.subject, e.actor, e.actor_kind, e.via, e.at, e.origin, json(e.payload) as payload"

HEARD_BY = "e.audience, e.scope"
"""What `visibility.heard` needs of a row beside them."""


@dataclass(frozen=True, slots=True)
class EventFilter:
    """What a stream asks for; empty tuples stand for everything."""

    since: int = 0
    kinds: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    def fits(self, event: Event) -> bool:
        if self.subjects and event["subject"] not in self.subjects:
            return False
        return not self.kinds or any(kind_fits(event["kind"], kind) for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some events; `next` also skips those that the caller may not see.

    `oldest` is set where `since` is no longer kept.
    """

    events: list[Event]
    next: int
    more: bool
    oldest: int | None = None


def kind_fits(kind: str, pattern: str) -> bool:
    """`issue.*` fits every kind that begins so."""
    return kind.startswith(pattern[:-1]) if pattern.endswith("*") else kind == pattern


def page(tx: Read, since: int, limit: int, wanted: EventFilter | None = None) -> EventPage:
    """Scan at most `limit` events after `since`, oldest first."""
    last = tx.value("select coalesce(max(seq), 0) from events")
    if since >= last:
        return EventPage([], min(since, last), more=False)
    oldest = tx.value("select min(seq) from events")
    if 0 < since < oldest - 1:
        return EventPage([], since, more=False, oldest=oldest)
    rows = tx.all(
        f"select {COLUMNS}, {HEARD_BY} from events e where e.seq > :since order by e.seq limit :limit",
        since=since,
        limit=limit,
    )
    events = [event(tx, row) for row in visibility.heard(tx, rows)]
    if wanted is not None:
        events = [found for found in events if wanted.fits(found)]
    reached = rows[-1]["seq"] if rows else last
    return EventPage(events, reached, more=reached < last)


def event(tx: Read, row: Row) -> Event:
    """A stored event as told to the caller, without a title."""
    return Event(
        seq=row["seq"],
        kind=row["kind"],
        subject=row["subject"],
        actor=row["actor"],
        actor_kind=row["actor_kind"],
        created_at=row["at"],
        payload=payload(tx, row),
        via=row["via"],
        origin=row["origin"],
    )


def payload(tx: Read, row: Row) -> dict[str, Any]:
    """What a stored event says, as told to a caller who may hear of it."""
    told = stored_payload(row["payload"])
    kind = tx.registry.events.get(row["kind"])
    if kind is not None and kind.names:
        told = _veiled(tx, told, kind.names)
    if kind is not None:
        for name, counted in kind.counts.items():
            if isinstance(told.get(name), list):
                told[name] = visibility.count(tx, counted, told[name])
    return told


def stored_payload(stored: str) -> dict[str, Any]:
    """As `json.loads` reads it, in a quarter of the time."""
    found: dict[str, Any]
    try:
        found = jiter.from_json(stored.encode(), cache_mode="keys")
    except ValueError:  # nested deeper than it reads
        found = json.loads(stored)
    return found


def _veiled(tx: Read, payload: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The payload without the names of other subjects that the caller does not see."""
    answer = {name: _seen(tx, names.get(name), value) for name, value in payload.items()}
    if "changes" in payload:
        answer["changes"] = {
            field: {side: _seen(tx, names.get(field), value) for side, value in sides.items()}
            for field, sides in payload["changes"].items()
        }
    return answer


def _seen(tx: Read, kind: str | None, value: Any) -> Any:
    if kind is None or value is None:
        return value
    subject = f"{kind}:{value}"
    seen = tx.memoized(("named in an event", subject), lambda: visibility.find(tx, subject) is not None)
    return value if seen else None
