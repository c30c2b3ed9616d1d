"""Streams of changes for client libraries: they hear that there is something new, and fetch it."""

import asyncio
import contextlib
from collections import Counter
from typing import Final

from pydantic_core import to_json
from starlette.types import Receive, Send

from kbwork.api.sdk.endpoint import SdkRequest
from kbwork.api.sdk.gate import FlagDelivery
from kbwork.api.sdk.snapshot import SnapshotChange
from kbwork.api.sdk.subscriber import Subscriber
from kbwork.base import ids
from kbwork.base.clock import Clock
from kbwork.base.errors import Busy, RateLimited
from kbwork.core.ports.flags import SdkKeyRecord
from kbwork.settings import StreamSettings

_QUIET_S: Final = 25.0
_HEADERS: Final = [
    ("content-type", "text/event-stream; charset=utf-8"),
    ("cache-control", "no-store"),
    ("x-accel-buffering", "no"),
]
_BEGIN: Final = b"retry: 2000\n\n"
_REVOKED: Final = b"event: revoked\ndata: {}\n\n"
_STILL_THERE: Final = b":\n\n"


class SdkStreams:
    """Open streams, counted by key; they end when the key does."""

    def __init__(self, delivery: FlagDelivery, limits: StreamSettings, clock: Clock) -> None:
        self._snapshots = delivery
        self._limits = limits
        self._clock = clock
        self._quiet_s = min(_QUIET_S, limits.ping_seconds)
        self._open: Counter[int] = Counter()
        self._texts: dict[SnapshotChange, bytes] = {}

    async def run(self, visit: SdkRequest, key: SdkKeyRecord) -> None:
        """Tell of changes until the key ends, the client goes away or the server stops. Raises RateLimited or Busy."""
        self._require_room(key)
        assert visit.token is not None
        subscriber = Subscriber(key, ids.digest(visit.token))
        self._open[key.id] += 1
        try:
            edition = await self._snapshots.join(subscriber)
            try:
                await self._begin(visit)
                await self._until_gone(visit.receive, visit.send, subscriber, edition.version)
            finally:
                self._snapshots.leave(subscriber)
        finally:
            self._open[key.id] -= 1
            if not self._open[key.id]:
                del self._open[key.id]

    def _require_room(self, key: SdkKeyRecord) -> None:
        most = self._limits.per_sdk_key
        if self._open[key.id] >= most:
            raise RateLimited(f"At most {most} streams at once by one key; close one first.", retry_after_s=5)
        if self._open.total() >= self._limits.all:
            raise Busy("Too many streams are open; try again later.", retry_after_s=30)

    async def _begin(self, visit: SdkRequest) -> None:
        headers = [(name.encode(), value.encode()) for name, value in (*visit.headers, *_HEADERS)]
        await visit.send({"type": "http.response.start", "status": 200, "headers": headers})

    async def _until_gone(self, receive: Receive, send: Send, subscriber: Subscriber, version: int) -> None:
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(subscriber.end)
        try:
            with contextlib.suppress(Busy):  # the data are exchanged: it ends
                await self._tell(send, subscriber, version)
        finally:
            left = gone.done()
            gone.cancel()
        if not left:
            await send({"type": "http.response.body", "body": b""})

    async def _tell(self, send: Send, subscriber: Subscriber, version: int) -> None:
        await _say(send, _BEGIN + _event("hello", version, {"version": version}))
        while not subscriber.ended:
            if self._snapshots.keys.living(subscriber.digest) is None:
                await _say(send, _REVOKED)
                return
            change = subscriber.taken()
            if change is not None:
                await _say(send, self._text(change))
            elif not await subscriber.wait(self._wait_s(subscriber.key)):
                await _say(send, _STILL_THERE)

    def _wait_s(self, key: SdkKeyRecord) -> float:
        """Until something is said to keep the road open, or the key ends by the clock."""
        if key.expires_at is None:
            return self._quiet_s
        return min(self._quiet_s, max(1.0, key.expires_at - self._clock.now()))

    def _text(self, change: SnapshotChange) -> bytes:
        """Made once for all who hear the same."""
        found = self._texts.get(change)
        if found is None:
            version = change.version
            told = {"version": version, "flags": sorted(change.flags), "segments": sorted(change.segments)}
            refetch = {"type": "refetchEvaluation", "etag": str(version)}
            found = _event("change", version, told) + b"event: message\ndata: " + to_json(refetch) + b"\n\n"
            self._texts = {change: found}
        return found


def _event(kind: str, version: int, data: object) -> bytes:
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), version, to_json(data))


async def _say(send: Send, text: bytes) -> None:
    await send({"type": "http.response.body", "body": text, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
