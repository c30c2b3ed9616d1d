"""The lease: one object in the place of the replica says who may write, and in which epoch.

It is replaced only by whoever names the tag of the one that is there, so that of several one wins. Its end is judged by
the clock of who holds it, from the moment before it was sent; no clock is compared with another machine's. Whoever
wants it sees the same object for as long as it lasts, by their own clock, and then takes it; or asks for it, and has it
as soon as its holder has sent all there is.
"""

import hashlib
import json
import socket
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

from kbwork.base import ids
from kbwork.base.clock import SystemClock, wall
from kbwork.base.dataclasses import asdict, dataclass, replace
from kbwork.db.connection import Unusable
from kbwork.replica.epoch import DataEpoch, copied, generation_of
from kbwork.replica.target import Outdated, ReplicaTarget, epoch_of

NAME = "kbwork-lease"
LIVES_S = 20
RENEW_S = 5.0
_EARLY_S = 2.0
"""So much before its end its holder stops writing, and so much after it others take it: no two clocks run alike."""
_STEP_S = 2.0
"""A clock that went by so much more or less than what passed was set, or the machine stood still."""
_ASKED_S = 60.0
"""So long it is kept for whoever asked for it."""
_TRIES = 3
_MARKS = 16
_NOBODY = '"00000000000000000000000000000000"'
_BOOT = Path("/proc/sys/kernel/random/boot_id")
LeaseState = Literal["held", "asked", "released"]

TAKING = "This server takes no writes yet: it waits for the lease of its replica"
LOST = (
    "This server takes no writes just now: it cannot renew the lease of its replica. Reads go on, and writes as soon as"
    " it can; why is in its log"
)
GIVEN = (
    "This server takes no writes just now: another one is taking over with these data. Use the address of that one, or"
    " try again in a minute"
)
OVER = (
    "This server takes no writes any more: another one has taken over with these data. Use the address of that one, or"
    " ask whoever runs it"
)
"""What is said to whoever wants to write."""


class Passing:
    """The clocks by which a lease is judged. Tests have others."""

    def __init__(self) -> None:
        self.passing: Callable[[], float] = SystemClock().passing
        """It goes on while the machine sleeps."""
        self.wall: Callable[[], float] = wall

    def ahead(self) -> float:
        """By how much the machine's clock is ahead of what passed: it changes only where one of them was set."""
        return self.wall() - self.passing()


@dataclass(frozen=True, slots=True)
class LeaseRecord:
    """What the object says."""

    epoch: int
    holder: str
    """Who holds it: one data folder on one machine, since that was started."""
    name: str
    """The same in words."""
    until: int
    """When it ends by the clock of who holds it, in Unix seconds: to be read by people."""
    lives_s: int
    state: LeaseState = "held"
    asked_by: str = ""
    """In words."""
    mark: str = ""
    """Makes each other than the one before, whatever else it says."""

    def content(self) -> bytes:
        return json.dumps({"format": 1} | asdict(self)).encode()

    def marked(self) -> "LeaseRecord":
        """The same, to be told from every other."""
        return replace(self, mark=ids.random_bytes(8).hex())


@dataclass(frozen=True, slots=True)
class SeenLease:
    """The object as somebody saw it."""

    record: LeaseRecord
    tag: str
    since: float
    """When it was first seen so, by the clock of what passes; whoever holds it sent it before."""

    def over_at(self) -> float:
        """When it cannot hold any more, by the same clock."""
        return self.since + max(self.record.lives_s, LIVES_S) + _EARLY_S


def read(target: ReplicaTarget, passing: Callable[[], float]) -> SeenLease | None:
    """As it is now. Raises Unusable."""
    found = target.tagged(NAME)
    if found is None:
        return None
    try:
        told = json.loads(found.content)
        told.pop("format")
        record = LeaseRecord(**told)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unusable(f"{target.place}/{NAME} is no lease of a replica: name another path") from None
    return SeenLease(record, found.tag, passing())


def holder_of(folder: Path) -> str:
    """A data folder on this machine since it was started. Whoever holds the lock of the folder is alone under this
    name; a copy of the folder has another."""
    found = folder.stat()
    return hashlib.sha256(f"{boot()} {found.st_dev} {found.st_ino}".encode()).hexdigest()[:24]


@cache
def boot() -> str:
    """Which start of the machine this is; where it does not say, each process is one."""
    return _BOOT.read_text("ascii").strip() if _BOOT.exists() else ids.random_bytes(16).hex()


def name_of(folder: Path) -> str:
    return f"{socket.gethostname()}:{folder}"


def over(data: DataEpoch, record: LeaseRecord, folder: Path) -> str:
    """That others have gone on from the data of a folder, and what to do."""
    whose = f"epoch {data.epoch} of these data is over" if data.epoch else "these data are of no epoch"
    return (
        f"{whose}: {record.name} has the lease in epoch {record.epoch}. Move {folder} away and follow that one: kbwork"
        f" standby; or, to serve these data in its place: kbwork promote --as-is --data {folder}"
    )


def prove(target: ReplicaTarget, content: bytes) -> None:
    """See that the store keeps to conditions, by the lease that one holds. Raises Unusable where it does not."""
    for wrong in (None, _NOBODY):
        try:
            target.swap(NAME, content, wrong)
        except Outdated:
            continue
        raise Unusable(
            f"the store of {target.place} writes whatever the condition (If-Match, If-None-Match): a lease there would"
            " be none. Name a store that keeps to them in replicate.to, or set replicate.lease to false"
        )


class Lease:
    """The lease as a server has it. `step` waits for the place, and is called on one thread at a time; what it found is
    asked on any."""

    def __init__(self, target: ReplicaTarget, folder: Path, clock: Passing | None = None) -> None:
        self._target = target
        self._folder = folder
        self._holder = holder_of(folder)
        self._name = name_of(folder)
        self._clock = clock or Passing()
        self._until = float("-inf")
        self._ahead = 0.0
        self._renewed = float("-inf")
        self._seen: SeenLease | None = None
        self._marks: deque[str] = deque(maxlen=_MARKS)
        """Those of the last that were sent."""
        self.doubled = False
        """Somebody has it under the same name: a clone of this machine, with all that it had in memory."""
        self._proven = False
        """The store is known to keep to conditions."""
        self._why = TAKING
        self.trouble: str | None = None
        """Why it is not held, in one line for the operator."""
        self.data = DataEpoch.known(folder)

    @property
    def left_s(self) -> float:
        """For how long it may be written under it; 0: not at all."""
        if abs(self._clock.ahead() - self._ahead) > _STEP_S:
            return 0.0
        return max(0.0, self._until - self._clock.passing())

    @property
    def held(self) -> bool:
        return self.left_s > 0

    @property
    def ours(self) -> bool:
        """Whether the epoch of these data is this folder's on this machine: nobody else fills its generations."""
        return self.data.holder == self._holder

    @property
    def over(self) -> bool:
        """Whether others have gone on in a later epoch."""
        return self._why is OVER

    def refusal(self) -> str | None:
        """Why nothing may be written, in words for whoever wants to."""
        return None if self.left_s > 0 else self._why

    def give_up(self) -> None:
        """Nothing is written under it any more."""
        self._give_up(LOST, "the server stops")

    def step(self) -> bool:
        """Look at it; take or renew it where it may be. Whether somebody asked for it: nothing is written from now on,
        and once all was sent it is to be released. Raises Unusable."""
        for _ in range(_TRIES):
            try:
                return self._step()
            except Outdated:
                continue  # somebody was quicker: it is looked at again
            except Unusable as error:
                self.trouble = str(error)
                raise
        return False

    def _step(self) -> bool:
        began, ahead = self._clock.passing(), self._clock.ahead()
        seen = read(self._target, self._clock.passing)
        if seen is not None and self._seen is not None and seen.tag == self._seen.tag:
            seen = self._seen
        self._seen = seen
        if seen is None:
            self._missing(began, ahead)
        elif seen.record.holder == self._holder and self.data.is_of(seen.record.epoch, seen.record.holder):
            return self._own(seen, began, ahead)
        elif self.data.is_of(seen.record.epoch, seen.record.holder):
            self._of_these_data(seen, began, ahead)
        else:
            self._end(seen.record)
        return False

    def _own(self, seen: SeenLease, began: float, ahead: float) -> bool:
        record = seen.record
        if record.state == "asked":
            self._give_up(GIVEN, f"{record.asked_by} asks for the lease: it has it once all was sent")
            return True
        self.doubled = record.state == "held" and bool(self._marks) and record.mark not in self._marks
        if self.doubled:
            self._give_up(
                OVER,
                f"{record.name} is there twice, and the other one has the lease: is this machine a clone? End one of"
                " them, and start this one again if it is the one to stay",
            )
        elif self._is_kept(seen):
            self._give_up(
                GIVEN, f"the lease is kept for {record.asked_by}, and taken again where that does not take it"
            )
        elif not self.held or began - self._renewed >= RENEW_S:
            self._put(record.epoch, seen.tag, began, ahead)
        return False

    def _of_these_data(self, seen: SeenLease, began: float, ahead: float) -> None:
        """Held by a copy of this folder, or by this one before the machine was started again."""
        record = seen.record
        if self._is_kept(seen) or (record.state != "released" and self._clock.passing() < seen.over_at()):
            self._give_up(
                TAKING,
                f"the lease is held by {record.name}: it is taken when that has not renewed it for"
                f" {record.lives_s + _EARLY_S:.0f} s; end that one, if it is alive",
            )
            return
        self._give_up(TAKING, None)
        self._require_newest()
        self._begin(record.epoch + 1, seen.tag, began, ahead)

    def _missing(self, began: float, ahead: float) -> None:
        """Nobody has one yet, or the place was emptied, or is another than it was."""
        epochs = sorted({epoch_of(one) for one in self._target.generations()} - {0})
        filled = self.data.epoch if epoch_of(generation_of(self._folder)) == self.data.epoch else 0
        if filled or epochs:
            known = filled or epochs[-1]
            self._give_up(
                LOST,
                f"the lease of epoch {known} has gone from {self._target.place}, which was emptied or is not mounted:"
                " mount it; or, to begin anew there, stop the server and: kbwork promote --as-is --data"
                f" {self._folder}",
            )
            return
        self._begin(self.data.epoch or 1, None, began, ahead)

    def _begin(self, epoch: int, tag: str | None, began: float, ahead: float) -> None:
        """An epoch of this folder. It is noted first: whoever is ended in between knows whose it is."""
        self.data = self.data.followed_by(epoch, self._holder)
        self.data.note(self._folder)
        self._put(epoch, tag, began, ahead)

    def _put(self, epoch: int, tag: str | None, began: float, ahead: float) -> None:
        until = round(self._clock.wall()) + LIVES_S
        record = LeaseRecord(epoch, self._holder, self._name, until, LIVES_S).marked()
        self._marks.append(record.mark)
        tag = self._target.swap(NAME, record.content(), tag)
        if not self._proven:
            prove(self._target, record.content())
            self._proven = True
        self._ahead, self._renewed, self.trouble = ahead, began, None
        self._why, self._until = LOST, began + LIVES_S - _EARLY_S

    def _require_newest(self) -> None:
        """These data are not older than what lies in the place. Raises Unusable."""
        generation = generation_of(self._folder)
        last = self._target.newest(generation) if generation else None
        if last is not None and last.number > copied(self._folder):
            raise Unusable(
                f"the replica {self._target.place} has newer transactions than {self._folder}, which is a copy of the"
                " data: move it away and restore the replica: kbwork promote; or serve these data all the same:"
                f" kbwork promote --as-is --data {self._folder}"
            )

    def _end(self, record: LeaseRecord) -> None:
        self._give_up(OVER, over(self.data, record, self._folder))

    def _is_kept(self, seen: SeenLease) -> bool:
        """Whether it was released for somebody who asked, and may yet take it."""
        kept = seen.record.state == "released" and bool(seen.record.asked_by)
        return kept and self._clock.passing() - seen.since < _ASKED_S

    def _give_up(self, why: str, trouble: str | None) -> None:
        self._until, self._why, self.trouble = float("-inf"), why, trouble

    def release(self) -> None:
        """Nothing is written under it any more, and all was sent: whoever wants it may take it. Raises Unusable."""
        self._until = float("-inf")
        for _ in range(_TRIES):
            seen = read(self._target, self._clock.passing)
            if seen is None or seen.record.holder != self._holder or seen.record.state == "released":
                return
            try:
                self._target.swap(NAME, replace(seen.record, state="released").marked().content(), seen.tag)
            except Outdated:
                continue
            return
