"""Who looks at what right now, or writes on it: kept in memory, for as long as they say so, and in no file.

A module lets people say it; the stream tells it to those who see the thing. Nothing of it outlives the process.
"""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any, Literal, NamedTuple

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.core.events.feed import EventFilter, kind_fits
from kbwork.db.tx import Read

LASTS_S = 30
"""So long somebody is there after they said so."""
MOST_EACH = 40
"""Places at which one member is; the one that was told of longest ago goes first."""
MOST = 20_000
"""Places in all; likewise."""
_MOST_TOLD = 100
"""People on one thing who are told."""
_MOST_LOOKED_AT = 300
"""Windows on one thing that are looked through for them, the latest that came: thousands may look at one page."""
_MOST_CHANGED = 5_000
"""Things of which it is known when somebody came or went."""
SCOPE = "activity:read"
KIND = "presence"
State = Literal["viewing", "editing", "replying"]
_STRENGTH: dict[State, int] = {"editing": 0, "replying": 1, "viewing": 2}


class Present(TypedDict):
    """Somebody who is there."""

    who: str
    """A member's id, or `agent:<name>`."""
    state: State
    """What they do there; of several windows the one that does most, and of those one that says where."""
    since: int
    """Since when they do that, in Unix seconds."""
    cursor: dict[str, Any] | None
    """Where in it they are, as their client says; null: it does not say."""


class PresentOn(TypedDict):
    """Who is on one thing."""

    subject: str
    """What they look at, such as `issue:12`."""
    people: list[Present]
    """Those who are there, whoever came first before the others."""


class PresencePlace(NamedTuple):
    """One window of somebody, on one thing."""

    subject: str
    member: str
    who: str
    window: str


@dataclass(slots=True)
class _Beat:
    state: State
    cursor: dict[str, Any] | None
    since: int
    last: int

    def over(self, now: int) -> bool:
        """A clock that was set back ends it, too."""
        return not 0 <= now - self.last <= LASTS_S


def _most_told(held: tuple[PresencePlace, _Beat]) -> tuple[int, bool, int]:
    """Sorts the windows of one person. What says where somebody is tells others what to get, too: one that says nothing
    more may not hide it."""
    _, beat = held
    return _STRENGTH[beat.state], beat.cursor is None, -beat.last


class PresenceBoard:
    """Who is where on the things of one data file. Asked and told from any thread."""

    def __init__(self) -> None:
        self.number = 0
        """Counts the changes."""
        self._lock = threading.Lock()
        self._beats: OrderedDict[PresencePlace, _Beat] = OrderedDict()
        """The one that was told of longest ago first."""
        self._on: dict[str, dict[PresencePlace, None]] = {}
        self._of: dict[str, dict[PresencePlace, None]] = {}
        """Member -> where they are, in the same order."""
        self._changed: OrderedDict[str, int] = OrderedDict()
        """Thing -> the number of its last change, the latest last."""
        self._heard: list[Callable[[], None]] = []

    def listen(self, heard: Callable[[], None]) -> None:
        """Call this after each change, on whatever thread it was made."""
        self._heard.append(heard)

    def beat(self, place: PresencePlace, state: State, cursor: dict[str, Any] | None, now: int) -> None:
        """Somebody is there."""
        with self._changes():
            self._expire(now)
            held = self._beats.get(place)
            if held is None:
                self._make_room(place.member)
                self._beats[place] = _Beat(state, cursor, now, now)
                self._on.setdefault(place.subject, {})[place] = None
                self._note(place.subject)
            else:
                if (held.state, held.cursor) != (state, cursor):
                    held.since = now if held.state != state else held.since
                    held.state, held.cursor = state, cursor
                    self._note(place.subject)
                held.last = now
                self._beats.move_to_end(place)
            mine = self._of.setdefault(place.member, {})
            mine.pop(place, None)
            mine[place] = None

    def leave(self, place: PresencePlace) -> None:
        """They are there no more."""
        with self._changes():
            if place in self._beats:
                self._drop(place)

    def expire(self, now: int) -> None:
        """Those who said nothing for so long have left."""
        with self._changes():
            self._expire(now)

    def clear(self) -> None:
        """Other data are there."""
        with self._changes():
            for place in list(self._beats):
                self._drop(place)

    def people(self, subject: str, now: int) -> list[tuple[str, Present]]:
        """(member, what is told of them or their agent) of those who are on it, each once."""
        with self._lock:
            latest = islice(reversed(self._on.get(subject, {})), _MOST_LOOKED_AT)
            held = [(place, self._beats[place]) for place in latest]
            held = [(place, beat) for place, beat in held if not beat.over(now)]
            found: dict[str, tuple[str, _Beat]] = {}
            for place, beat in sorted(held, key=_most_told):
                found.setdefault(place.who, (place.member, beat))
            told = [
                (member, Present(who=who, state=beat.state, since=beat.since, cursor=beat.cursor))
                for who, (member, beat) in found.items()
            ]
        return sorted(told, key=lambda one: (one[1]["since"], one[1]["who"]))[:_MOST_TOLD]

    def changed(self, after: int) -> tuple[int, list[str]]:
        """The number of the last change, and the things on which somebody came, went or did something else behind this
        one, the latest first."""
        with self._lock:
            found = []
            for subject, number in reversed(self._changed.items()):
                if number <= after:
                    break
                found.append(subject)
            return self.number, found

    # -- under the lock ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _changes(self) -> Iterator[None]:
        """Under the lock; who listens is told behind it, where something did change."""
        with self._lock:
            before = self.number
            yield
            moved = self.number != before
        for heard in self._heard if moved else ():
            heard()

    def _expire(self, now: int) -> None:
        while self._beats:
            place, beat = next(iter(self._beats.items()))
            if not beat.over(now):
                return
            self._drop(place)

    def _make_room(self, member: str) -> None:
        mine = self._of.get(member, {})
        if len(mine) >= MOST_EACH:
            self._drop(next(iter(mine)))
        if len(self._beats) >= MOST:
            self._drop(next(iter(self._beats)))

    def _drop(self, place: PresencePlace) -> None:
        del self._beats[place]
        for held, name in ((self._on, place.subject), (self._of, place.member)):
            del held[name][place]
            if not held[name]:
                del held[name]
        self._note(place.subject)

    def _note(self, subject: str) -> None:
        self.number += 1
        self._changed[subject] = self.number
        self._changed.move_to_end(subject)
        if len(self._changed) > _MOST_CHANGED:
            self._changed.popitem(last=False)


def of(tx: Read) -> PresenceBoard:
    """That of these data."""
    found: PresenceBoard = tx.beside("presence", PresenceBoard)
    return found


def told(tx: Read, subjects: Collection[str]) -> Iterator[PresentOn]:
    """Who is on these things, which the caller sees: guests are told of those alone whom they may know."""
    board = of(tx)
    found = {subject: board.people(subject, tx.now) for subject in subjects}
    known = None
    if tx.caller.guest:
        members = {f"member:{member}" for people in found.values() for member, _ in people}
        known = visibility.fitting(tx, members, lambda kind: kind.seen)
    for subject, people in found.items():
        yield PresentOn(
            subject=subject,
            people=[one for member, one in people if known is None or f"member:{member}" in known],
        )


class PresenceNews(NamedTuple):
    """What changed, and up to which change."""

    things: list[PresentOn]
    number: int


def news(tx: Read, after: int, wanted: EventFilter) -> PresenceNews:
    """The things on which something changed behind this number, as far as the caller sees them, with who is there."""
    number, subjects = of(tx).changed(after)
    if wanted.subjects:
        subjects = [subject for subject in subjects if subject in wanted.subjects]
    if SCOPE not in tx.caller.scopes or not subjects:
        return PresenceNews([], number)
    seen = visibility.fitting(tx, subjects, lambda kind: kind.seen)
    return PresenceNews(list(told(tx, [subject for subject in subjects if subject in seen])), number)


def is_wanted(wanted: EventFilter) -> bool:
    """Whether a stream asks for it."""
    return not wanted.kinds or any(kind_fits(KIND, kind) for kind in wanted.kinds)
