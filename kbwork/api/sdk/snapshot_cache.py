"""The memory behind the doors of flags: environments that somebody asks for, each at its newest version.

A commit that moved versions is looked at a tenth of a second later, together with those that follow it; what moved is
loaded beside the requests, which go on with the old until the new takes its place as one reference.
"""

import asyncio
import logging
from functools import partial
from typing import Final, Protocol

from kbwork.api.sdk.counters import EvaluationCounters
from kbwork.api.sdk.keys import SdkKeyCache
from kbwork.api.sdk.snapshot import ServedSnapshot
from kbwork.api.sdk.subscriber import Subscriber, tell
from kbwork.base.clock import monotonic
from kbwork.base.errors import Busy, Unauthenticated
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.ports import flags
from kbwork.core.ports.flags import CountBatch, FlagSource, SdkKeyRecord

log = logging.getLogger("kbwork.flags")
TOGETHER_S: Final = 0.1
_AGAIN_S: Final = 1.0
_KEPT_S: Final = 600.0
_READ: Final = "flag snapshot"


class _Commit(Protocol):
    @property
    def tables(self) -> frozenset[str]: ...


class _Environment:
    """One environment that somebody asks for."""

    def __init__(self, environment: int) -> None:
        self.environment = environment
        self.edition: ServedSnapshot | None = None
        self.loading: asyncio.Task[ServedSnapshot] | None = None
        self.subscribers: set[Subscriber] = set()
        self.asked = 0.0

    @property
    def wanted(self) -> bool:
        """Whether somebody listens, or asked within the last minutes."""
        return bool(self.subscribers) or monotonic() - self.asked < _KEPT_S


class SnapshotCache:
    """What is served now, to whom, and who is told of changes."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        (self._source,) = dispatcher.registry.of(FlagSource)
        self._database = dispatcher.database
        self.keys = SdkKeyCache(self._database, self._source, dispatcher.clock)
        self.tally = EvaluationCounters(self._database, self._source, dispatcher.clock)
        self._environments: dict[int, _Environment] = {}
        self._round = 0
        """Counts how often all of this was void."""
        self._moved = False
        self._following: asyncio.Task[None] | None = None
        self._ended = False
        self._database.listen(self._committed)
        self._database.add_swap_participant(self)
        self._database.start_on_thread(_READ)

    @property
    def figures(self) -> dict[str, int]:
        """What the metrics show."""
        return {"open": sum(len(place.subscribers) for place in self._environments.values())}

    # -- asked by doors -----------------------------------------------------------------------------

    async def snapshot(self, key: SdkKeyRecord) -> ServedSnapshot:
        """The environment that a key opens, at the newest version in memory. Raises Unauthenticated or Busy."""
        place = self._environments.get(key.environment)
        if place is None:
            place = self._environments[key.environment] = _Environment(key.environment)
        place.asked = monotonic()
        return place.edition or await self._first(place)

    async def join(self, subscriber: Subscriber) -> ServedSnapshot:
        """Tell this one of changes from now on; answers what it begins with. Raises as `snapshot`, and then it is not
        told."""
        edition = await self.snapshot(subscriber.key)
        place = self._environments.get(subscriber.key.environment)
        if place is None or self._ended:
            raise Busy("The server stops, or other data are put in place; try again in a moment")
        place.subscribers.add(subscriber)
        flags.opened(self._database.folder.file, subscriber.key.environment)
        return edition

    def leave(self, subscriber: Subscriber) -> None:
        """Tell it no more."""
        flags.closed(self._database.folder.file, subscriber.key.environment)
        place = self._environments.get(subscriber.key.environment)
        if place is not None:
            place.subscribers.discard(subscriber)

    async def count(self, batch: CountBatch) -> int | None:
        """Write down what a client library counted; answers how many events did, None where the batch came before."""
        return await self._database.write(lambda tx: self._source.take(tx, batch))

    async def _first(self, place: _Environment) -> ServedSnapshot:
        """Load an environment, once however many wait for it."""
        if place.loading is None:
            place.loading = asyncio.create_task(self._load(place))
        return await asyncio.shield(place.loading)

    async def _load(self, place: _Environment) -> ServedSnapshot:
        try:
            edition = await self._read(place.environment)
            if edition is None:
                raise Unauthenticated("The environment of this SDK key is gone.")
            place.edition = edition
            return edition
        finally:
            place.loading = None

    async def _read(self, environment: int, before: ServedSnapshot | None = None) -> ServedSnapshot | None:
        """An environment as it is stored; None where it is gone. Raises Busy where other data were put in place."""
        began = self._round
        kept = before.found if before is not None else None
        found = await self._database.read(lambda tx: self._source.data(tx, environment, kept), name=_READ)
        edition = None
        if found is not None:
            edition = await asyncio.to_thread(ServedSnapshot, environment, found, before)
        if began != self._round:
            raise Busy("Other data were put in place while this was under way; send it again")
        return edition

    # -- commits ------------------------------------------------------------------------------------

    def _committed(self, commit: _Commit) -> None:
        if not commit.tables & flags.TABLES:
            return
        self.keys.forget()
        self._moved = True
        if self._following is None and not self._ended and self._environments:
            self._following = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        """Look what moved, until nothing does any more."""
        pause_s = TOGETHER_S
        try:
            while self._moved and not self._ended:
                await asyncio.sleep(pause_s)
                self._moved, pause_s, began = False, TOGETHER_S, self._round
                try:
                    await self._look()
                except Busy:
                    if began == self._round:  # else other data are put in place, and all of this is void
                        self._moved, pause_s = True, _AGAIN_S
                except Exception:
                    log.exception("what changed in flags could not be loaded; it is tried again")
                    self._moved, pause_s = True, _AGAIN_S
        finally:
            self._following = None

    async def _look(self) -> None:
        """Load the environments that moved, and tell those who listen; drop those that nobody asks for."""
        for environment in [one for one, place in self._environments.items() if not place.wanted]:
            del self._environments[environment]
        places = list(self._environments.values())
        for place in places:
            if place.loading is not None:
                await asyncio.wait([place.loading])
        asked = [place.environment for place in places]
        versions = await self._database.read(
            lambda tx: self._source.versions(tx, asked), name="flag versions"
        )
        for place in places:
            await self._tell_ended(place)
            version = versions.get(place.environment)
            if version is None:
                self._environments.pop(place.environment, None)
            elif place.edition is not None and place.edition.version != version:
                await self._replace(place, place.edition)

    async def _tell_ended(self, place: _Environment) -> None:
        ended = {
            subscriber.digest
            for subscriber in place.subscribers
            if self.keys.living(subscriber.digest) is None
        }
        if ended:
            await tell(
                [subscriber for subscriber in place.subscribers if subscriber.digest in ended],
                Subscriber.revoke,
            )

    async def _replace(self, place: _Environment, before: ServedSnapshot) -> None:
        edition = await self._read(place.environment, before)
        if edition is None:
            return  # it went meanwhile: that commit is looked at next
        place.edition = edition
        for public in {subscriber.public for subscriber in place.subscribers}:
            change = await asyncio.to_thread(edition.change, before, public=public)
            hearing = [subscriber for subscriber in place.subscribers if subscriber.public is public]
            await tell(hearing, partial(Subscriber.push, change=change))

    # -- the life of the data -----------------------------------------------------------------------

    def start(self) -> None:
        """Begin to write counts down."""
        self.tally.start()

    def end_streams(self) -> None:
        """End every stream at once: the server stops."""
        self._ended = True
        for place in self._environments.values():
            for subscriber in place.subscribers:
                subscriber.end()

    async def stop(self) -> None:
        """End streams, and write down what was counted."""
        self.end_streams()
        if self._following is not None:
            await asyncio.wait([self._following])
        await self.tally.stop()

    async def pause(self) -> None:
        """What was counted belongs to the data that go."""
        await self.tally.flush()

    def close(self) -> None:
        """All that is known is of the data that go; whoever listens comes back."""
        self._round += 1
        for place in self._environments.values():
            for subscriber in place.subscribers:
                subscriber.end()
        self._environments = {}
        self.keys.forget()

    def resume(self) -> None:
        """The data are there again, the same or others."""
        self.keys.forget()
        self.tally.resume()
