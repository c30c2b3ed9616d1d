"""One version of an environment as it is served: evaluated here, sent sealed to back ends and reduced to browsers."""

import asyncio
import gzip
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from kbwork.api.sdk.content import SnapshotContent
from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.flags import Answered, Counts, EnvironmentData, SdkKeyRecord
from kbwork.flagengine import Detail, Snapshot
from kbwork.flagengine.compile import Decide
from kbwork.flagengine.contexts import Kinds
from kbwork.flagengine.envelope import SnapshotKey
from kbwork.flagengine.json_values import differing
from kbwork.flagengine.reduction import Reduction

_NONCE_BYTES: Final = 12
_AT_ONCE: Final = 10
"""Flags that are made ready in one turn of the loop: about a millisecond."""
_PACKING: Final = 6


class FlagAnswer:
    """What one flag answers, as OFREP says it, and how often it did since that was asked."""

    __slots__ = ("count", "flag", "sound", "text", "variation", "version")

    def __init__(self, flag: str, version: int, detail: Detail) -> None:
        self.flag = flag
        self.version = version
        self.variation = detail.variation
        self.sound = detail.error_kind is None
        self.text = to_json(_told(flag, version, detail))
        self.count = 0


class _Lot(NamedTuple):
    """All flags that somebody sees, by key."""

    keys: list[str]
    decides: list[Decide]
    """Of the flags with these keys, which are compiled."""
    walked: list[tuple[int, str]]
    """The others, with their places among all."""


class ServedSnapshot:
    """Nothing in it changes but what is counted, and what is made of it when it is first asked for."""

    def __init__(
        self, environment: int, found: EnvironmentData, before: "ServedSnapshot | None" = None
    ) -> None:
        """What did not change since the one before keeps its code, its text and its reduced form."""
        self.environment = environment
        self.version = found.version
        self.found = found
        self.snapshot: Snapshot = Snapshot(found.data, before.snapshot if before is not None else None)
        self.is_counting = False
        """Whether somebody waits for its counts."""
        self.contents: dict[bool, SnapshotContent] = {}
        """Of those to whom nothing is public, and of those who see the public part alone."""
        self.reduction: Reduction | None = None
        if before is not None:
            self._follow(before)
        flags = found.data["flags"]
        self._versions: dict[str, int] = {key: flag["version"] for key, flag in flags.items()}
        self._public = frozenset(key for key, flag in flags.items() if flag.get("clientSide") is True)
        self._known: dict[int, FlagAnswer] = {}
        """By the identity of a detail that `_kept` keeps: compiled flags give the same few again and again."""
        self._kept: list[Detail] = []
        self._answers: dict[tuple[Any, ...], FlagAnswer] = {}
        self._texts: dict[int, bytes] = {}
        self._given: Counter[int] = Counter()
        """The same of details that were given among all, and how often."""
        self._lots: dict[bool, _Lot] = {}
        self._made: dict[tuple[Any, ...], asyncio.Task[bytes]] = {}

    # -- evaluations --------------------------------------------------------------------------------

    def has(self, flag: str, *, public: bool) -> bool:
        """Whether there is such a flag; for whom only public ones are, it is one of these."""
        return flag in self._public if public else flag in self._versions

    def answer(self, flag: str, kinds: Kinds) -> FlagAnswer:
        """What a flag that is there answers to a context, counted."""
        detail = self.snapshot.decided(flag, kinds)
        answer = self._known.get(id(detail)) or self._learnt(flag, detail)
        answer.count += 1
        return answer

    async def prepare(self, *, public: bool) -> None:
        """Make all flags ready, the first time a few in each turn of the loop."""
        if public in self._lots:
            return
        keys = sorted(self._public if public else self._versions)
        for place, key in enumerate(keys):
            self.snapshot.decided(key, None)
            if place % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
        found = [(key, self.snapshot.compiled(key)) for key in keys]
        self._lots[public] = _Lot(
            [key for key, decide in found if decide is not None],
            [decide for _, decide in found if decide is not None],
            [(place, key) for place, (key, decide) in enumerate(found) if decide is None],
        )

    def texts(self, kinds: Kinds, *, public: bool) -> list[bytes]:
        """What every flag answers, by key, counted; after `prepare`."""
        lot = self._lots[public]
        details = [decide(kinds) for decide in lot.decides]
        names = list(map(id, details))
        try:
            found = list(map(self._texts.__getitem__, names))
        except KeyError:
            for key, detail in zip(lot.keys, details, strict=True):
                self._texts[id(detail)] = self._learnt(key, detail).text
            found = list(map(self._texts.__getitem__, names))
        self._given.update(names)
        for place, key in lot.walked:
            found.insert(place, self.answer(key, kinds).text)
        return found

    def counted(self, hour: int) -> Counts:
        """How often which answer was given since this was asked last."""
        given, self._given = self._given, Counter()
        for name, count in given.items():
            self._known[name].count += count
        found: Counts = {}
        for answer in self._answers.values():
            if answer.count:
                place = Answered(self.environment, answer.flag, answer.version, answer.variation, hour)
                found[place] = found.get(place, 0) + answer.count
                answer.count = 0
        return found

    def _learnt(self, flag: str, detail: Detail) -> FlagAnswer:
        """The answer of a detail. One of a flag that is walked is new each time, and is told apart by its members."""
        name = (flag, detail.variation, detail.reason, detail.prerequisite_key, detail.error_kind)
        answer = self._answers.get(name)
        if answer is None:
            answer = self._answers[name] = FlagAnswer(flag, self._versions[flag], detail)
        if self.snapshot.compiled(flag) is not None and id(detail) not in self._known:
            self._kept.append(detail)
            self._known[id(detail)] = answer
        return answer

    # -- what is sent -------------------------------------------------------------------------------

    async def sealed(self, key: SdkKeyRecord) -> bytes:
        """The whole, sealed for a server key; once for each."""
        return await self._once((key.ident,), lambda: self._seal(key, self._content(public=False).whole))

    async def packed(self) -> bytes:
        """What a client-side ID sees, packed by gzip."""
        return await self._once((), lambda: _packed(self._content(public=True).whole))

    async def sealed_since(self, key: SdkKeyRecord, version: int) -> bytes | None:
        """What changed since a version, sealed; None where that is not known."""
        delta = self._since(version, public=False)
        if delta is None:
            return None
        return await self._once((key.ident, version), lambda: self._seal(key, delta, version))

    async def packed_since(self, version: int) -> bytes | None:
        """The same for a client-side ID."""
        delta = self._since(version, public=True)
        return None if delta is None else await self._once((version,), lambda: _packed(delta))

    def change(self, before: "ServedSnapshot", *, public: bool) -> "SnapshotChange":
        """What differs from another edition, as whoever sees the public part alone is told, or all others; asked on
        threads."""
        old, new = before.data(public=public), self.data(public=public)
        flags, segments = (_differing(old[part], new[part]) for part in ("flags", "segments"))
        return SnapshotChange(self.version, flags, segments)

    async def _once(self, name: tuple[Any, ...], make: Callable[[], bytes]) -> bytes:
        """Made on a thread, once however many ask meanwhile; what failed is tried anew."""
        task = self._made.get(name)
        if task is None:
            task = self._made[name] = asyncio.create_task(asyncio.to_thread(make))
        try:
            return await asyncio.shield(task)
        except Exception:
            self._made.pop(name, None)
            raise

    def _follow(self, before: "ServedSnapshot") -> None:
        """Make what somebody asked of the one before."""
        if before.reduction is not None:
            self.reduction = Reduction(self.snapshot.data, self.found.key_salt, before.reduction)
        for public, content in dict(before.contents).items():
            self.contents[public] = SnapshotContent(self.data(public=public), content)

    def data(self, *, public: bool) -> dict[str, Any]:
        """What is in it, for whoever sees the public part alone or for all others; asked on threads.

        What came reduced is the public part already.
        """
        if not public or self.snapshot.data.get("hashedKeys") is True:
            return self.snapshot.data
        if self.reduction is None:
            self.reduction = Reduction(self.snapshot.data, self.found.key_salt)
        return self.reduction.reduced

    def _content(self, *, public: bool) -> SnapshotContent:
        if public not in self.contents:
            self.contents[public] = SnapshotContent(self.data(public=public))
        return self.contents[public]

    def _since(self, version: int, *, public: bool) -> bytes | None:
        content = self.contents.get(public)
        return content.since(version) if content is not None else None

    def _seal(self, key: SdkKeyRecord, content: bytes, base: int | None = None) -> bytes:
        nonce = ids.random_bytes(_NONCE_BYTES)
        seal = SnapshotKey(key.secret, key.ident, key.salt)
        return seal.seal(content, version=self.version, nonce=nonce, base=base)


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """A new version, and the keys of what differs in it."""

    version: int
    flags: frozenset[str]
    segments: frozenset[str]

    @classmethod
    def joined(cls, changes: Iterable["SnapshotChange"]) -> "SnapshotChange":
        """Several that follow each other, as one."""
        every = list(changes)
        return cls(
            every[-1].version,
            frozenset().union(*(one.flags for one in every)),
            frozenset().union(*(one.segments for one in every)),
        )


def _differing(old: dict[str, Any], new: dict[str, Any]) -> frozenset[str]:
    return frozenset(key for key in differing(old, new) if old.get(key) != new.get(key))


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, _PACKING, mtime=0)


def _told(flag: str, version: int, detail: Detail) -> dict[str, Any]:
    """As OFREP says it. Without a variation it leaves the value out: the caller's default is served."""
    found: dict[str, Any] = {"key": flag}
    if detail.error_kind is not None:
        found |= {"errorCode": "PARSE_ERROR", "errorDetails": "The configuration of the flag is broken."}
    elif detail.variation is not None:
        found |= {"value": detail.value, "variant": str(detail.variation)}
    return found | {"reason": detail.reason, "metadata": {"flagVersion": version}}
