"""Who listens to an environment: what they have not been told yet, and what they sleep on."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from kbwork.api.sdk.snapshot import SnapshotChange
from kbwork.core.events.bus import settle
from kbwork.core.ports.flags import SdkKeyRecord

_TOLD_AT_ONCE: Final = 100
"""Streams that are told in one turn of the loop."""


class Subscriber:
    """One open stream."""

    def __init__(self, key: SdkKeyRecord, digest: bytes) -> None:
        self.key = key
        self.digest = digest
        """The SHA-256 of the key, by which it is looked up again."""
        self.public = key.kind == "client"
        self.revoked = False
        """The key ended."""
        self.ended = False
        """Nothing more is said: the server stops, other data come, or the client went away."""
        self._changes: list[SnapshotChange] = []
        self._bell: asyncio.Future[bool] | None = None

    def push(self, change: SnapshotChange) -> None:
        """The environment moved."""
        self._changes.append(change)
        self._ring()

    def revoke(self) -> None:
        """The key ended."""
        self.revoked = True
        self._ring()

    def end(self, _: object = None) -> None:
        """It is over."""
        self.ended = True
        self._ring()

    def taken(self) -> SnapshotChange | None:
        """What is to be told now; of several changes what they are together."""
        changes, self._changes = self._changes, []
        if len(changes) < 2:
            return changes[0] if changes else None
        return SnapshotChange.joined(changes)

    async def wait(self, seconds: float) -> bool:
        """Until there is something; False when it was quiet for so long."""
        if self._changes or self.revoked or self.ended:
            return True
        loop = asyncio.get_running_loop()
        self._bell = loop.create_future()
        timer = loop.call_later(seconds, settle, self._bell, False)
        try:
            return await self._bell
        finally:
            timer.cancel()
            self._bell = None

    def _ring(self) -> None:
        if self._bell is not None:
            settle(self._bell, True)


async def tell(subscribers: Sequence[Subscriber], how: Callable[[Subscriber], None]) -> None:
    """Tell many, some in each turn of the loop."""
    for place, subscriber in enumerate(subscribers):
        how(subscriber)
        if place % _TOLD_AT_ONCE == _TOLD_AT_ONCE - 1:
            await asyncio.sleep(0)
