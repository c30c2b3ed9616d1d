"""One SDK key at an edge: what it opens, how old that is, and who listens to it."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from kbwork.api.sdk.gate import CLIENT
from kbwork.api.sdk.snapshot import ServedSnapshot, SnapshotChange
from kbwork.api.sdk.subscriber import Subscriber, tell
from kbwork.base import ids
from kbwork.base.clock import Clock
from kbwork.core.ports.flags import EnvironmentData, SdkKeyRecord
from kbwork.edge.key_cache import KeyCache, SealedCache
from kbwork.edge.key_file import masked
from kbwork.flagengine.envelope import SnapshotKey
from kbwork.flags.cache import Cache
from kbwork.flags.feeds import Served
from kbwork.flags.follower import Follower
from kbwork.flags.options import Options
from kbwork.flags.wire import Wire

_IDENT_BYTES: Final = 8
_SALT_BYTES: Final = 16
_SPREAD_S: Final = 0.1
"""Edges are few, and many wait behind each."""
_LONGEST_PAUSE_S: Final = 5.0
_MARKED_S: Final = 60
"""So often at most it is written down that what is kept was confirmed, while it is followed."""
KeyState = Literal["served", "empty", "stale", "refused"]
"""Nothing is known of it yet; nothing was heard of it for too long; it ended."""


class EdgeFollower(Follower):
    """Follows for all who ask at an edge."""

    def __init__(
        self,
        options: Options,
        cache: KeyCache,
        *,
        changed: Callable[[Served], None],
        confirmed: Callable[[], None],
        refused: Callable[[], None],
    ) -> None:
        self._own, self._confirmed = cache, confirmed
        super().__init__(Wire(options), options, changed=changed, settled=_nothing, refused=refused)

    def _cache_at(self, _: str | Path) -> Cache:
        return self._own

    def _spread_s(self) -> float:
        return random.uniform(0, _SPREAD_S)  # noqa: S311  # spreads load

    def _pause_s(self, tries: int, longest_s: float) -> float:
        return super()._pause_s(tries, min(longest_s, _LONGEST_PAUSE_S))

    def _confirm(self) -> None:
        super()._confirm()
        self._confirmed()

    def close(self) -> None:
        """Stop at once, without waiting for threads that wait for upstream: there may be two hundred of them."""
        self._end()


class ServedKey:
    """Followed on threads; what is served is exchanged on the loop."""

    def __init__(self, number: int, key: str, upstream: str, folder: Path, clock: Clock) -> None:
        digest = ids.digest(key)
        self.number = number
        """Tells it from the others of this edge."""
        self.key = key
        self.digest = digest
        self.ident = digest[:_IDENT_BYTES].hex()
        self.kind: Literal["server", "client"] = "client" if key.startswith(CLIENT) else "server"
        self.edition: ServedSnapshot | None = None
        self.record: SdkKeyRecord | None = None
        self.is_refused = False
        self.subscribers: set[Subscriber] = set()
        self.log = logging.getLogger(f"kbwork.edge.{masked(key)}")
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._newest: ServedSnapshot | None = None
        """What the threads have made last."""
        self._closed = False
        self._seal = SnapshotKey.of(key, ids.random_bytes(_SALT_BYTES))
        path = folder / f"{self.ident}.flags"
        self._cache = SealedCache(path, key) if self.kind == "client" else KeyCache(path)
        self._confirmed_at = self._cache.confirmed_at
        self._marked_at = self._confirmed_at or 0
        named: dict[str, str | None] = {"client_id": None, "sdk_key": None}
        named["client_id" if self.kind == "client" else "sdk_key"] = key
        options = Options(
            sdk_key=named["sdk_key"],
            client_id=named["client_id"],
            base_url=upstream,
            cache_path=path,
            logger=self.log,
        )
        self.wire = Wire(options)
        self.follower = EdgeFollower(
            options, self._cache, changed=self._changed, confirmed=self._confirm, refused=self._refused
        )
        self._telling: set[asyncio.Task[None]] = set()

    @property
    def environment(self) -> str | None:
        """The key of the environment that it opens, as far as that is known."""
        found = self.edition.found.data["environment"] if self.edition is not None else {}
        key = found.get("key")
        return key if type(key) is str else None

    @property
    def age_s(self) -> int | None:
        """So long ago upstream last said that what is served is so; None where it never did."""
        at = self._confirmed_at
        return None if at is None else max(0, self._clock.now() - at)

    def state(self, stale_s: int) -> KeyState:
        """Whether it is served, where nothing that is older than that is."""
        if self.is_refused:
            return "refused"
        if self.edition is None:
            return "empty"
        age_s = self.age_s
        return "stale" if age_s is None or age_s > stale_s else "served"

    def begin(self) -> None:
        """Serve what is on disk, and follow upstream. Blocks for the disk."""
        self.follower.start()

    def close(self, *, for_good: bool) -> None:
        """Follow no more; for good nothing is kept of it either. Blocks for the disk."""
        self.follower.close()
        if not for_good:
            self.mark()
        self._closed = True
        if for_good:
            self._forget()

    def end_streams(self) -> None:
        """End every stream at once."""
        for subscriber in self.subscribers:
            subscriber.end()

    def revoke(self) -> None:
        """From now on nothing is served by it, and who listens is told so."""
        self.is_refused = True
        self.edition = None
        self._tell(Subscriber.revoke)

    @property
    def is_to_be_marked(self) -> bool:
        """Whether what is kept was confirmed at quite another time than it says."""
        at = self._confirmed_at
        return at is not None and not self._closed and abs(at - self._marked_at) >= _MARKED_S

    def mark(self) -> None:
        """Write down when what is kept was confirmed; on a thread."""
        at = self._confirmed_at
        if at is None or self._closed:
            return
        self._marked_at = at
        try:
            self._cache.confirm(at)
        except OSError as error:
            self.log.warning("what is kept on disk cannot be marked: %s", error)

    # -- on the threads of the follower -------------------------------------------------------------

    def _changed(self, served: Served) -> None:
        """What came, as the doors serve it. Counts are told apart by the number of the key."""
        data = {name: part for name, part in served.snapshot.data.items() if name != "edition"}
        found = EnvironmentData(served.version, str(data.get("keySalt", "")), data, {})
        before = self._newest
        edition = self._newest = ServedSnapshot(self.number, found, before)
        change = edition.change(before, public=self.kind == "client") if before is not None else None
        self._soon(partial(self._serve, edition, change))

    def _confirm(self) -> None:
        self._confirmed_at = self._clock.now()

    def _refused(self) -> None:
        self.log.error("the key is refused upstream: it is served no more, and nothing is kept of it")
        self._closed = True
        self._forget()
        self._soon(self.revoke)

    def _forget(self) -> None:
        try:
            self._cache.forget()
        except OSError as error:
            self.log.warning("what is kept on disk cannot be taken away: %s", error)

    def _soon(self, call: Callable[[], Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the edge has stopped
            self._loop.call_soon_threadsafe(call)

    # -- on the loop --------------------------------------------------------------------------------

    def _serve(self, edition: ServedSnapshot, change: SnapshotChange | None) -> None:
        if self.is_refused:
            return
        if self.record is None:
            environment = edition.found.data["environment"]
            self.record = SdkKeyRecord(
                id=self.number,
                kind=self.kind,
                environment=environment.get("id", 0),
                ident=self._seal.ident,
                secret=self._seal.secret,
                salt=self._seal.salt,
                expires_at=None,
            )
        self.edition = edition
        if change is not None:
            self._tell(partial(Subscriber.push, change=change))

    def _tell(self, how: Callable[[Subscriber], None]) -> None:
        if self.subscribers:
            telling = self._loop.create_task(tell(list(self.subscribers), how))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)


def _nothing() -> None:
    """Nobody waits for the first word."""
