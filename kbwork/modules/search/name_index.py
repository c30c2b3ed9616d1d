"""Things by the beginnings of the words of their names, found without reading every name at each keystroke."""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from kbwork.base.text import fold
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry
from kbwork.db.tx import Read, Row

T = TypeVar("T")
_LAST = chr(0x10FFFF)


class NameIndex(Generic[T]):
    """Made once of (thing, its names); `find` keeps their order."""

    def __init__(self, things: Iterable[tuple[T, str]]) -> None:
        self._things: list[T] = []
        words: set[tuple[str, int]] = set()
        for number, (thing, names) in enumerate(things):
            self._things.append(thing)
            words.update((word, number) for word in _words(names))
        self._words = sorted(words)

    def find(self, words: list[str]) -> list[T]:
        """The things that have, for each of these words, one that begins with it."""
        found = [self._begun(fold(word)) for word in words]
        return [self._things[number] for number in sorted(set.intersection(*found))] if found else []

    def _begun(self, start: str) -> set[int]:
        first = bisect_left(self._words, (start, 0))
        last = bisect_left(self._words, (start + _LAST, 0))
        return {number for _, number in self._words[first:last]}


def _words(names: str) -> list[str]:
    return fold(names).replace(".", " ").replace("_", " ").split()


def people(tx: Read) -> NameIndex[Row]:
    """Active members (id, name, handle) by name and handle, whether or not the caller sees them."""

    def make() -> NameIndex[Row]:
        rows = tx.all("select id, name, handle from member where state = 'active' order by lower(name), id")
        return NameIndex((row, f"{row['handle']} {row['name']}") for row in rows)

    found: NameIndex[Row] = tx.cached("names of people", make)
    return found


def projects(tx: Read) -> NameIndex[Row]:
    """Projects (id, key, name) that are not archived, by key and name, whether or not the caller sees them."""

    def make() -> NameIndex[Row]:
        rows = tx.all(
            "select id, key, name from project where archived_at is null and deleted_at is null order by lower(name)"
        )
        return NameIndex((row, f"{row['key']} {row['name']}") for row in rows)

    found: NameIndex[Row] = tx.cached("names of projects", make)
    return found


@cache
def operations(registry: Registry) -> NameIndex[Operation]:
    """Operations by id and by what they do."""
    return NameIndex((op, f"{op.id} {op.summary}") for op in registry.operations.values() if not op.public)
