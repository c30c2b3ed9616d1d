"""What stands behind the doors of an edge: keys of a file, each followed upstream, and their counts spooled."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from kbwork.api.sdk.snapshot import ServedSnapshot
from kbwork.api.sdk.subscriber import Subscriber
from kbwork.base import ids
from kbwork.base.clock import Clock
from kbwork.base.errors import Busy, Unauthenticated
from kbwork.core.ports.flags import CountBatch, SdkKeyRecord
from kbwork.edge.counts import EdgeCounters
from kbwork.edge.key_file import FileStamp, KeysUnusable, read_keys, stamp
from kbwork.edge.sender import SpoolSender
from kbwork.edge.served_key import KeyState, ServedKey
from kbwork.edge.spool import CountSpool, SpoolFull
from kbwork.flags.follower import Fault
from kbwork.flags.wire import Wire

log = logging.getLogger("kbwork.edge")
_LOOK_S: Final = 1.0
_AGAIN_S: Final = 30
_UNKNOWN_S: Final = 86400
"""So long counts wait for a key that the file does not name."""
_STATES: Final[tuple[KeyState, ...]] = ("served", "empty", "stale", "refused")
_FAULTS: Final[tuple[Fault, ...]] = ("cache", "older", "unusable")


class EdgeOptions(NamedTuple):
    """What an edge is told when it is started."""

    upstream: str
    keys: Path
    state: Path
    """A folder of its own."""
    stale_s: int
    """Nothing is served that nobody upstream has confirmed for so long."""


class KeyFigures(NamedTuple):
    """How it stands with one key; nothing in it tells which key it is."""

    kind: str
    environment: str | None
    state: KeyState
    version: int | None
    age_seconds: int | None
    """So long ago upstream last said that this is the newest version."""
    connected: bool


class EdgeKeys:
    """The keys of the file, by their digests."""

    def __init__(self, stale_s: int) -> None:
        self._stale_s = stale_s
        self.by_digest: dict[bytes, ServedKey] = {}
        self.by_number: dict[int, ServedKey] = {}
        self.wires: dict[str, Wire] = {}
        """By ident, of keys that are gone too: their counts may wait. Another object after each change, since threads
        read it."""

    def find(self, token: str) -> SdkKeyRecord | None:
        """The key that this token is. Raises Busy while nothing can be served by it."""
        return self.living(ids.digest(token))

    def living(self, digest: bytes) -> SdkKeyRecord | None:
        """The same by its SHA-256."""
        found = self.by_digest.get(digest)
        if found is None or found.is_refused:
            return None
        if found.record is None or found.edition is None:
            raise Busy("This edge has no flags for this key yet: it waits for upstream", retry_after_s=2)
        age_s = found.age_s
        if age_s is None or age_s > self._stale_s:
            raise Busy("This edge has heard nothing of upstream for too long", retry_after_s=_AGAIN_S)
        return found.record

    def set(self, keys: list[ServedKey]) -> None:
        """These are the keys from now on."""
        self.by_digest = {one.digest: one for one in keys}
        self.by_number = {one.number: one for one in keys}
        self.wires = self.wires | {one.ident: one.wire for one in keys}


class EdgeDelivery:
    """As the doors ask it."""

    def __init__(self, options: EdgeOptions, clock: Clock) -> None:
        """Raises OSError where the folder cannot be used."""
        self._options = options
        self._clock = clock
        self.keys = EdgeKeys(options.stale_s)
        self.spool = CountSpool(options.state / "spool")
        self.tally = EdgeCounters(self.spool, self._idents, clock)
        self._sender = SpoolSender(self.spool, lambda: self.keys.wires)
        self._number = 0
        self._stamp: FileStamp | None = None
        self._key_file_fault: str | None = None
        self._faults: Counter[Fault] = Counter()
        """Those of keys that are gone."""
        self._stale: set[int] = set()
        self._asked = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._ended = False

    def _idents(self) -> Mapping[int, str]:
        return {number: one.ident for number, one in self.keys.by_number.items()}

    # -- asked by doors -------------------------------------------------------------------------------

    async def snapshot(self, key: SdkKeyRecord) -> ServedSnapshot:
        """What a key opens. Raises Unauthenticated where it ended meanwhile."""
        found = self.keys.by_number.get(key.id)
        if found is None or found.edition is None:
            raise Unauthenticated("This SDK key ended.")
        return found.edition

    async def join(self, subscriber: Subscriber) -> ServedSnapshot:
        """Tell this one of changes from now on; answers what it begins with."""
        edition = await self.snapshot(subscriber.key)
        if self._ended:
            raise Busy("The edge stops; try again in a moment")
        self.keys.by_number[subscriber.key.id].subscribers.add(subscriber)
        return edition

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no more."""
        found = self.keys.by_number.get(subscriber.key.id)
        if found is not None:
            found.subscribers.discard(subscriber)

    async def count(self, batch: CountBatch) -> int | None:
        """Spool what a client counted; answers how many events did, None where the batch waits already. Raises Busy."""
        found = self.keys.by_number.get(batch.key.id)
        if found is None or not batch.counts:
            return 0
        try:
            is_new = await asyncio.to_thread(self.spool.put, found.ident, batch.id, batch.counts)
        except (SpoolFull, OSError):
            raise Busy(
                "This edge keeps as many counts as it can; try again later", retry_after_s=_AGAIN_S
            ) from None
        return len(batch.counts) if is_new else None

    # -- asked by people ------------------------------------------------------------------------------

    @property
    def shown(self) -> list[KeyFigures]:
        """How it stands with each key."""
        found = []
        for one in self.keys.by_digest.values():
            version = one.edition.version if one.edition is not None else None
            state, connected = one.state(self._options.stale_s), one.follower.status.connected
            found.append(KeyFigures(one.kind, one.environment, state, version, one.age_s, connected))
        return found

    @property
    def figures(self) -> dict[str, float]:
        """For the metrics."""
        shown = self.shown
        found: dict[str, float] = {f"keys_{state}": 0 for state in _STATES}
        for one in shown:
            found[f"keys_{one.state}"] += 1
        faults = Counter(self._faults)
        for key in self.keys.by_digest.values():
            faults.update(key.follower.faults)
        return found | {
            "connected": sum(one.connected for one in shown),
            "age_seconds": max((one.age_seconds or 0 for one in shown), default=0),
            "key_file_unusable": int(self._key_file_fault is not None),
            **{f"{fault}_total": faults[fault] for fault in _FAULTS},
        }

    @property
    def streams(self) -> dict[str, int]:
        """For the metrics."""
        return {"open": sum(len(one.subscribers) for one in self.keys.by_digest.values())}

    # -- the file of keys -----------------------------------------------------------------------------

    async def read_keys(self) -> None:
        """Serve the keys that the file names, and no others. Keys that were refused are asked for again.

        Where the file cannot be used nothing changes, and that is said once.
        """
        self._stamp = stamp(self._options.keys)
        try:
            named = read_keys(self._options.keys)
        except KeysUnusable as error:
            if str(error) != self._key_file_fault:
                log.warning("the keys stay as they are: %s", error)
            self._key_file_fault = str(error)
            return
        self._key_file_fault = None
        before = {one.key: one for one in self.keys.by_digest.values()}
        kept = {key: one for key, one in before.items() if key in named and not one.is_refused}
        gone = [one for key, one in before.items() if key not in kept]
        made = {key: self._made(key) for key in named if key not in kept}
        if gone:
            await self.tally.flush()
        self.keys.set([kept.get(key) or made[key] for key in named])
        await asyncio.gather(*(asyncio.to_thread(one.begin) for one in made.values()))
        await asyncio.gather(*(self._end(one, for_good=one.key not in named) for one in gone))
        if before:
            log.info("the file names %d keys, %d of them new; %d are gone", len(named), len(made), len(gone))

    def _made(self, key: str) -> ServedKey:
        self._number += 1
        return ServedKey(self._number, key, self._options.upstream, self._options.state, self._clock)

    async def _end(self, one: ServedKey, *, for_good: bool) -> None:
        self._faults.update(one.follower.faults)
        if for_good:
            one.revoke()
        await asyncio.to_thread(one.close, for_good=for_good)

    # -- the life of it -------------------------------------------------------------------------------

    async def start(self) -> None:
        """Serve what is on disk, and follow."""
        await self.read_keys()
        await asyncio.to_thread(
            self.spool.drop_unknown, self.keys.wires.keys(), self._clock.now() - _UNKNOWN_S
        )
        await asyncio.sleep(0)  # what the threads have found is taken over
        self.tally.start()
        self._sender.start()
        self._looking = asyncio.create_task(self._look())

    def ask(self) -> None:
        """Read the file of keys now, though it may be as before."""
        self._stamp = None
        self._asked.set()

    def end_streams(self) -> None:
        """End every stream at once: the edge stops."""
        self._ended = True
        for one in self.keys.by_digest.values():
            one.end_streams()

    async def stop(self) -> None:
        """End streams, and spool what was counted."""
        self.end_streams()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        await self.tally.stop()
        await asyncio.to_thread(self._sender.stop)
        await asyncio.gather(
            *(asyncio.to_thread(one.close, for_good=False) for one in self.keys.by_digest.values())
        )

    async def _look(self) -> None:
        """Each second: whether the file names others, and whether something is too old."""
        while True:
            try:
                async with asyncio.timeout(_LOOK_S):
                    await self._asked.wait()
            except TimeoutError:
                pass
            self._asked.clear()
            try:
                if stamp(self._options.keys) != self._stamp:
                    await self.read_keys()
                for one in list(self.keys.by_digest.values()):
                    self._tell_stale(one)
                    if one.is_to_be_marked:
                        await asyncio.to_thread(one.mark)
            except Exception:
                log.exception("the keys could not be looked after; it is tried again")

    def _tell_stale(self, one: ServedKey) -> None:
        """Say once that a key is not served any more, and end its streams; and once that it is again."""
        is_stale = one.state(self._options.stale_s) == "stale"
        if is_stale and one.number not in self._stale:
            self._stale.add(one.number)
            hours = self._options.stale_s / 3600
            one.log.error(
                "nothing was heard of upstream for %g hours: it is not served until that answers", hours
            )
            one.end_streams()
        elif not is_stale and one.number in self._stale:
            self._stale.discard(one.number)
            one.log.info("it is served again")
