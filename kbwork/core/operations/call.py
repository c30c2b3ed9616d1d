"""What a door hands in and gets back."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kbwork.base.caller import Caller
from kbwork.core.access.identify import Known
from kbwork.core.operations.declare import Operation

CLIENT_CHARS = 64
"""Characters, of printable ASCII, in which a program says what it is."""


class Credentials(NamedTuple):
    """Who says they are calling, from where, and how."""

    token: str | None = None
    address: str | None = None
    request: str | None = None
    """Request id: in problems, in the log and in the audit log."""
    browser: bool = False
    """The request carries an `Origin` of this site: a session goes into a cookie."""
    device: str | None = None
    mcp: bool = False
    """The request came to the MCP door, where alone the tokens of connected clients count."""
    client: str | None = None
    """What the program that calls says of itself: it comes back as `origin` in the events of what it writes."""


class Pass:
    """A token that was judged as it was shown from one place: whose it is, and what it was found to open."""

    __slots__ = ("_ends", "_since", "access", "caller", "opens")

    def __init__(self, caller: Caller, known: Known, access: int) -> None:
        self.caller = caller
        self.access = access
        """The state of access at which it was judged."""
        self.opens: set[str] = set()
        """Operations."""
        self._since, self._ends = known.known_at, min(known.expires_at, known.asked_again_at)

    def holds(self, now: int) -> bool:
        """Whether it may still be taken for judged, as far as the clock decides."""
        return self._since <= now < self._ends

    def end(self) -> None:
        """From now on it is judged anew."""
        self._ends = 0


class AuthorizedCall(NamedTuple):
    """A call that passed operation, caller, scope and rate: its body may be read now."""

    op: Operation
    caller: Caller
    who: Credentials
    access: int
    """The state of access that they were judged by; when it moved since, they are judged again."""
    bucket: str
    """Whose rate paid for the call."""
    rate_headers: Mapping[str, str] = MappingProxyType({})
    known: Pass | None = None
    """By which they were judged, where they showed a token."""


class OperationResult(NamedTuple):
    """An answer: JSON bytes, or nothing where the caller's ETag still holds (`fresh` is False then)."""

    body: bytes
    seq: int
    etag: str | None = None
    fresh: bool = True
    replayed: bool = False


async def begin_task() -> None:
    """Go on in a task: a door may run a call without one until it first waits, and libraries ask in which they run."""
    await asyncio.sleep(0)
