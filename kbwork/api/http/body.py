"""Bodies on their way: how much of them a server holds at once, in all, of one address and of people it does not know.

Whoever sends slowly has what they sent held for as long as a body may take. What came with its head in one piece is
answered in its turn and not counted.
"""

import sys
from collections import Counter

from starlette.types import Message, Receive

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Busy

PUBLIC_BYTES = 64 * 1024
"""The largest body of a call that asks for no sign-in."""
ALWAYS_BYTES = 16 * 1024
"""So much of a body is taken in whatever else is held: a sign-in gets through a flood. A header may be as long."""
_MANY_BYTES = 8 * 1024 * 1024
"""Once more than that was held, the C library is asked to give it back to the system."""


class Bodies:
    """The bodies that one server holds; `bytes` in all. `largest_bytes` is the most that one of them holds."""

    def __init__(self, largest_bytes: int) -> None:
        self.largest_bytes = largest_bytes
        self._most = 3 * largest_bytes
        self._most_of_one = 2 * largest_bytes
        self._most_unknown = largest_bytes
        self._of_unknown = 0
        self._by_peer: Counter[str] = Counter()
        self._peak = 0
        self.bytes = 0
        self.refused = 0

    @property
    def figures(self) -> dict[str, float]:
        """For the metrics."""
        return {"bytes": self.bytes, "refused_total": self.refused}

    @property
    def crowded(self) -> bool:
        """Whether what flows should be passed on as it comes, not in larger pieces."""
        return self.bytes > self._most_unknown

    def add(self, body: "Body", size: int) -> None:
        """Count so many bytes more, or less, as held for a body."""
        self.bytes += size
        self._peak = max(self._peak, self.bytes)
        self._by_peer[body.peer] += size
        if not self._by_peer[body.peer]:
            del self._by_peer[body.peer]
        if not body.known:
            self._of_unknown += size
        if not self.bytes and self._peak > _MANY_BYTES:
            self._peak = 0
            _give_back()

    def require_room(self, body: "Body") -> None:
        """Raises Busy where too much is held already for more of this body."""
        if self._by_peer[body.peer] > self._most_of_one:
            raise self._refusal(
                "More is being sent from this address than the server takes at once; send one thing after the other"
            )
        if self.bytes > self._most or (not body.known and self._of_unknown > self._most_unknown):
            raise self._refusal("The server is taking in as much as it can hold; try again in a moment")

    def _refusal(self, detail: str) -> Busy:
        """No frame may hold what it raises: that is a circle, in which the body would stay until it is collected."""
        self.refused += 1
        problem = Busy(detail, retry_after_s=2)
        problem.headers["Connection"] = "close"  # what is left of the body is not waited for
        return problem


@dataclass(slots=True, eq=False)
class Body:
    """One body as it comes: `receive` of ASGI, counted. It is held until it is let go."""

    receive: Receive
    bodies: Bodies
    peer: str
    known: bool = False
    """Whether its sender was let in; said before it is read."""
    flows: bool = False
    """Whether it is let go piece by piece as it comes: then it is never refused."""
    bytes: int = 0

    async def __call__(self) -> Message:
        """The next message. Raises Busy where the server holds too much to take it."""
        message = await self.receive()
        size = len(message.get("body", b""))
        if size and (self.bytes or message.get("more_body", False)):
            self.bytes += size
            self.bodies.add(self, size)
            if self.bytes > ALWAYS_BYTES and not self.flows:
                self.bodies.require_room(self)
        return message

    def let_go(self) -> None:
        """What came of it is held no more."""
        if self.bytes:
            self.bodies.add(self, -self.bytes)
            self.bytes = 0


def _give_back() -> None:
    """Pieces of bodies lie between what stays, so that freeing them alone leaves the process as large as it was."""
    import ctypes  # noqa: PLC0415 - a start needs none

    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
