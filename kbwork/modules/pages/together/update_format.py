"""What an update of a shared document may hold, looked at before a library reads it: letters of one text, and which of
them are gone.

The format is version 1 of the updates of Yjs. Whoever sends one may mean harm: each number is bounded, and what is no
text of the document `body` is refused.
"""

import re

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput

NAME = "body"
MOST_BYTES = 4_500_000
"""A million letters in UTF-8, and half as much beside."""
MOST_PARTS = 20_000
_MOST_CLIENT = 2**53
_MOST_CLOCK = 2**31
_GONE, _DELETED, _STRING, _SKIPPED = 0, 1, 4, 10
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class UpdateContent:
    """What an update says."""

    clients: frozenset[int]
    """All that it names."""
    ends: dict[int, int]
    """Client -> up to where it speaks of its letters."""


def looked_at(data: bytes, *, whole: bool = False) -> UpdateContent:
    """Raises InvalidInput for what is none, or holds something else than text, or has more parts than are looked
    through while others wait. `whole`: it is a state that was kept, of updates that were looked at each by itself, and
    has as many bytes as it has."""
    if len(data) > MOST_BYTES and not whole:
        raise InvalidInput(f"An update holds {MOST_BYTES:,} bytes at most.", field="update")
    try:
        return _Look(data, MOST_PARTS).found()
    except (IndexError, ValueError):
        raise InvalidInput(
            f"This is no update (version 1) of a document whose one text is `{NAME}`.", field="update"
        ) from None


def known(data: bytes, ends: dict[int, int]) -> bool:
    """Whether what a document says that it has goes so far: its clients, each with a clock."""
    look = _Look(data, len(data))
    waiting = dict(ends)
    for _ in range(look.number(len(data) + 1)):
        client, clock = look.number(_MOST_CLIENT), look.number(_MOST_CLOCK)
        if waiting.pop(client, 0) > clock:
            return False
        if not waiting:
            return True
    return not waiting


class _Look:
    """Goes through an update once. Raises IndexError at its end, ValueError for what it may not hold."""

    def __init__(self, data: bytes, most_parts: int) -> None:
        self._data = data
        self._most_parts = most_parts
        self._at = 0
        self._parts = 0
        self._clients: set[int] = set()
        self._ends: dict[int, int] = {}

    def found(self) -> UpdateContent:
        for _ in range(self._count()):
            structs, client, clock = self._count(), self._client(), self.number(_MOST_CLOCK)
            for _ in range(structs):
                clock = self._end(client, clock + self._struct())
        for _ in range(self._count()):
            client = self._client()
            for _ in range(self._count()):
                self._end(client, self.number(_MOST_CLOCK) + self.number(_MOST_CLOCK))
        if self._at != len(self._data):
            raise ValueError("something stands behind it")
        return UpdateContent(frozenset(self._clients), self._ends)

    def number(self, most: int) -> int:
        """The next one, below this."""
        found = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            found |= (byte & 0x7F) << shift
            if found >= most or shift > 56:
                raise ValueError("a number is too large")
            if byte < 0x80:
                return found
            shift += 7

    def _count(self) -> int:
        found = self.number(self._most_parts + 1)
        self._parts += found
        if self._parts > self._most_parts:
            raise ValueError("it has too many parts")
        return found

    def _client(self) -> int:
        found = self.number(_MOST_CLIENT)
        self._clients.add(found)
        return found

    def _end(self, client: int, clock: int) -> int:
        if clock >= _MOST_CLOCK:
            raise ValueError("a clock is too large")
        self._ends[client] = max(self._ends.get(client, 0), clock)
        return clock

    def _letter(self) -> None:
        self._client()
        self.number(_MOST_CLOCK)

    def _struct(self) -> int:
        """How many letters it is about."""
        info = self._data[self._at]
        self._at += 1
        kind = info & 0x1F
        if kind in (_GONE, _SKIPPED):
            return self._length()
        if kind not in (_DELETED, _STRING):
            raise ValueError("it is no text")
        if info & 0x80:
            self._letter()
        if info & 0x40:
            self._letter()
        if not info & 0xC0 and (self.number(2) != 1 or self._text() != NAME or info & 0x20):
            raise ValueError("it stands in no text of this name")
        return self._length() if kind == _DELETED else self._string()

    def _length(self) -> int:
        found = self.number(_MOST_CLOCK)
        if not found:
            raise ValueError("it is about nothing")
        return found

    def _text(self) -> str:
        size = self.number(len(self._data) + 1)
        text = self._data[self._at : self._at + size]
        if len(text) != size:
            raise IndexError(size)
        self._at += size
        return text.decode()

    def _string(self) -> int:
        text = self._text()
        if not text or _CONTROL.search(text):
            raise ValueError("it holds signs that no text has")
        return len(text) + sum(sign > "\uffff" for sign in text) if not text.isascii() else len(text)
