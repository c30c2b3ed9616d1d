"""Who is told of which change: of each snapshot, of one flag's rules, of what one context gets."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from kbwork.flagengine import Context, Detail, Snapshot
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.json_values import clean
from kbwork.flagengine.reasons import failed

_NOT_READY = failed("CLIENT_NOT_READY")
_Told = Callable[[Snapshot], None]


class Listeners:
    """Told one after another, on the thread that serves a snapshot, once it is served. One that fails stops nobody."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._heard: list[_Told] = []

    def add(self, heard: _Told) -> Callable[[], None]:
        """Answers what ends it."""
        own = _Own(heard)
        with self._lock:
            self._heard.append(own)

        def end() -> None:
            with self._lock:
                if own in self._heard:
                    self._heard.remove(own)

        return end

    def tell(self, snapshot: Snapshot) -> None:
        with self._lock:
            heard = list(self._heard)
        for one in heard:
            try:
                one(snapshot)
            except Exception:  # whoever listens may fail; the flags are served all the same
                self._log.exception("a subscriber failed")

    def forget(self) -> None:
        """Behind a fork, in the child: another thread of the parent may have held the lock."""
        self._lock = threading.Lock()


class _Own:
    """One call of `add`: the same function may listen twice."""

    def __init__(self, heard: _Told) -> None:
        self._heard = heard

    def __call__(self, snapshot: Snapshot) -> None:
        self._heard(snapshot)


class FlagListener:
    """Hears where the rules of a flag are others than before, or those of what it rests on."""

    def __init__(self, key: str, now: Snapshot | None, heard: Callable[[str], None]) -> None:
        self._key = key
        self._before = None if now is None else _rests_on(now, key)
        self._heard = heard

    def __call__(self, snapshot: Snapshot) -> None:
        before, self._before = self._before, _rests_on(snapshot, self._key)
        if self._before != before:
            self._heard(self._key)


class ValueListener:
    """Hears where a context gets another value of a flag than before. What it looks at is not counted."""

    def __init__(
        self, key: str, context: object, now: Snapshot | None, heard: Callable[[Detail], None]
    ) -> None:
        self._key = key
        self._context = context if type(context) is Context else Context(clean(context))
        self._before = self._look(now)
        self._heard = heard

    def __call__(self, snapshot: Snapshot) -> None:
        before, self._before = self._before, self._look(snapshot)
        if not _same(before, self._before):
            self._heard(self._before)

    def _look(self, snapshot: Snapshot | None) -> Detail:
        return _NOT_READY if snapshot is None else snapshot.evaluate(self._key, self._context)


def _same(one: Detail, other: Detail) -> bool:
    """True is not 1 here."""
    told = [(detail.variation, repr(clean(detail.value))) for detail in (one, other)]
    return told[0] == told[1]


def _rests_on(snapshot: Snapshot, key: str) -> dict[tuple[str, str], Any]:
    """The flag as it is, with all flags and segments that it rests on."""
    found: dict[tuple[str, str], Any] = {}
    waiting = [("flags", key)]
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        there = snapshot.data.get(place[0])
        found[place] = one = there.get(place[1]) if type(there) is dict else None
        if type(one) is dict:
            waiting += _named(one)
    return found


def _named(owner: dict[str, Any]) -> list[tuple[str, str]]:
    """The flags and segments that a flag or a segment asks for."""
    flags = [one.get("key") for one in _objects(owner.get("prerequisites"))]
    segments = [
        value
        for rule in _objects(owner.get("rules"))
        for clause in _objects(rule.get("clauses"))
        if clause.get("op") == SEGMENT_MATCH and type(clause.get("values")) is list
        for value in clause["values"]
    ]
    found = [("flags", key) for key in flags] + [("segments", key) for key in segments]
    return [(kind, key) for kind, key in found if type(key) is str]


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if type(one) is dict] if type(value) is list else []
