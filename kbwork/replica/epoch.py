"""Epochs: who wrote when, each into generations of its own, and what was written behind the end of one."""

import contextlib
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from kbwork.base.dataclasses import asdict, dataclass, replace
from kbwork.db.connection import Unusable
from kbwork.db.folder import CUT, lay_cut
from kbwork.replica.target import LastTransaction, ReplicaTarget, began, epoch_of

MARK = "kbwork-replica"
"""An object beside the transactions, by which a place is known that was emptied, or is not mounted any more."""
KNOWN = "replica.generation"
"""The file of the data folder that names the generation which is being filled."""
COPIED = ".kbwork.db-litestream"
"""Where Litestream keeps, beside the data file, what it copied last and what waits."""
_FILE = "replica.epoch"
_LAID = re.compile(r"[0-9a-f]{16}-([0-9a-f]{16})\.ltx")
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Takeover:
    """From where an epoch went on."""

    generation: str
    """That of the epoch before; empty: data were taken as they were, whatever the place had."""
    number: int
    """The last transaction of it that is in the data."""
    seq: int
    """The last event in them."""


@dataclass(frozen=True, slots=True)
class DataEpoch:
    """Of which epoch the data of a folder are, as it is noted beside them."""

    epoch: int = 0
    """0: of none."""
    holder: str = ""
    """Under which name this folder had the lease in it."""
    before: int = 0
    """The one before: where the lease is still of that one, this was never begun."""
    before_holder: str = ""
    after: Takeover | None = None

    @staticmethod
    def known(folder: Path) -> "DataEpoch":
        """Raises Unusable."""
        try:
            told = json.loads((folder / _FILE).read_text("utf-8"))
            after = told.pop("after")
            return DataEpoch(**told, after=None if after is None else Takeover(**after))
        except FileNotFoundError:
            return DataEpoch()
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise Unusable(
                f"{folder / _FILE}, which says of which epoch the data are, cannot be read ({error}): put a copy of it"
                f" back, or serve the data as they are: kbwork promote --as-is --data {folder}"
            ) from None

    def note(self, folder: Path) -> None:
        """Lay it beside the data, whole or not at all. Raises Unusable."""
        path = folder / _FILE
        part = path.with_name(f"{_FILE}.part")
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump(asdict(self), out)
                out.flush()
                os.fsync(out.fileno())
            part.rename(path)
        except OSError as error:
            raise Unusable(f"{path} cannot be written: {error.strerror}") from None

    def is_of(self, epoch: int, holder: str) -> bool:
        """Whether a lease is the one under which these data were written last."""
        return bool(epoch) and (epoch, holder) in (
            (self.epoch, self.holder),
            (self.before, self.before_holder),
        )

    def followed_by(self, epoch: int, holder: str, after: Takeover | None = None) -> "DataEpoch":
        """As it is in the next one."""
        if epoch == self.epoch:  # it was not begun the last time
            return replace(self, holder=holder, after=after)
        return DataEpoch(epoch, holder, self.epoch, self.holder, after)


class CopyGap:
    """Where what was copied may lack something, or have too much: the next generation begins with all of the data.

    It is found on several threads, and ends on another.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self.there = (folder / CUT).exists()
        """Set by itself it does not outlast this process, which is enough where the place tells of it."""

    def lay(self) -> None:
        """There is one, at the next start too. Raises OSError."""
        with self._lock:
            if not (self._folder / CUT).exists():
                lay_cut(self._folder)
            self.there = True

    def end(self, generation: str) -> None:
        """This one begins with all of the data, since nothing is left that its program could go on from."""
        with self._lock:
            shutil.rmtree(self._folder / COPIED, ignore_errors=True)
            (self._folder / KNOWN).write_text(generation, "ascii")
            (self._folder / CUT).unlink(missing_ok=True)
            self.there = False


def generation_of(folder: Path) -> str:
    """The one that a data folder fills, or did last; empty: none."""
    known = folder / KNOWN
    return known.read_text("ascii") if known.exists() else ""


def copied(folder: Path) -> int:
    """The last transaction that was read from the data file of a folder, to be copied away."""
    names = [one.name for one in (folder / COPIED / "ltx" / "0").glob("*.ltx")]
    return max((int(found[1], 16) for name in names if (found := _LAID.fullmatch(name))), default=0)


@dataclass(frozen=True, slots=True)
class GenerationFacts:
    """What the place says of a generation."""

    name: str
    epoch: int
    began: float
    last: LastTransaction | None
    """None: nothing lies there yet."""
    holder: str
    """Who filled it, in words; empty: it was filled without a lease."""
    after: Takeover | None


def lay_mark(target: ReplicaTarget, generation: str, holder: str, after: Takeover | None) -> None:
    """Begin a generation. Raises Unusable."""
    told = {"format": 1, "holder": holder, "after": None if after is None else asdict(after)}
    target.write(f"{generation}/{MARK}", json.dumps(told).encode())


def generations(target: ReplicaTarget) -> list[GenerationFacts]:
    """All that lie there, the latest last. Raises Unusable."""
    return [_facts(target, one) for one in target.generations()]


def _facts(target: ReplicaTarget, generation: str) -> GenerationFacts:
    holder, after = "", None
    with contextlib.suppress(ValueError, TypeError, KeyError):  # earlier ones say nothing of it
        told = json.loads(target.read(f"{generation}/{MARK}") or b"{}")
        holder = str(told["holder"])
        after = None if told["after"] is None else Takeover(**told["after"])
    last = target.newest(generation)
    return GenerationFacts(generation, epoch_of(generation), began(generation), last, holder, after)


def taken_over(found: list[GenerationFacts], epoch: int) -> Takeover | None:
    """Where the next epoch went on from this one; None: it did not, or says nothing of it."""
    later = [one for one in found if epoch and one.epoch > epoch]
    return later[0].after if later else None


def goes_on_behind(found: list[GenerationFacts], one: GenerationFacts) -> bool:
    """Whether there are transactions in a generation that the epoch behind it does not have, or may not have."""
    after = taken_over(found, one.epoch)
    if after is None or one.last is None:
        return False
    if not after.generation:
        return True
    if one.name == after.generation:
        return one.last.number > after.number
    return epoch_of(after.generation) == one.epoch and one.name > after.generation


def outlived(found: list[GenerationFacts], living: str, days: int, now: float) -> Iterator[str]:
    """Those that answer no time of the last days any more: the one behind each began before. Neither what is being
    filled, nor the last that holds data, nor anything of the newest epoch."""
    since = now - days * _DAY_S
    filled = [one for one in found if one.last is not None]
    newest = max((one.epoch for one in filled), default=0)
    for one, behind in pairwise(filled):
        assert one.last is not None
        over = max(one.began, one.last.at) < since and behind.began < since
        if over and one.name != living and (one.epoch == 0 or one.epoch < newest):
            yield one.name
