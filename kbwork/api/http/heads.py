"""Heads that came before on a connection: who keeps one open mostly sends the same again, but for the body's length."""

import re
from typing import NamedTuple

from kbwork.api.http.exchange import Fields, Straight

_MOST = 4
"""So many are kept of one connection, the latest."""
_MOST_BYTES = 1024
"""So long a head is at most that is kept."""
_MOST_FIELDS = 24
"""Each takes a hundred bytes beside its own."""
_LENGTH = re.compile(rb"\r\ncontent-length: ?([0-9]{1,9})\r\n", re.IGNORECASE)


class WholeRequest(NamedTuple):
    """A piece of what is read that may be one request, of this length."""

    head: bytes
    """Without the length that it names: two pieces with the same are read alike but for that, since the place of the
    length is where the head has none."""
    length: bytes
    body: bytes


class KnownHead(NamedTuple):
    """What was found of a head whose request goes to somebody who answers it straight."""

    url: bytes
    straight: Straight
    fields: Fields


class KnownHeads:
    """The heads of one connection that named no header twice, and what was found of them."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[bytes, KnownHead] = {}

    def find(self, request: WholeRequest) -> KnownHead | None:
        """What was found of this head when it came before."""
        return self._known.get(request.head)

    def keep(self, request: WholeRequest, found: KnownHead) -> None:
        """Keep what was found of this head, if it is as small as most."""
        if len(found.fields) > _MOST_FIELDS:
            return
        if len(self._known) == _MOST:
            del self._known[next(iter(self._known))]
        self._known[request.head] = found


def whole(data: bytes) -> WholeRequest | None:
    """The piece as a request that is there as a whole, with nothing behind it; None where it may be anything else."""
    end = data.find(b"\r\n\r\n", 0, _MOST_BYTES)
    if end < 0:
        return None
    named = _LENGTH.search(data, 0, end + 2)
    if named is None:
        return None
    first, last = named.span(1)
    length = data[first:last]
    if len(data) - end - 4 != int(length):
        return None
    return WholeRequest(data[:first] + data[last:end], length, data[end + 4 :])
