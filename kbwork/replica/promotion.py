"""A promotion: the data of a folder go into service in an epoch of their own, once nobody else can write."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.db.archives.check import unfit
from kbwork.db.connection import FolderLocked, Unusable
from kbwork.db.folder import FOLLOWED, Folder
from kbwork.replica import lease, restoration
from kbwork.replica.epoch import KNOWN, DataEpoch, Takeover
from kbwork.replica.lease import LIVES_S, LeaseRecord, Passing, SeenLease
from kbwork.replica.owner import OTHER_KEY, found_in, known_by, read_owner
from kbwork.replica.standby import StandbyState, filled, settle, transaction_of, wipe
from kbwork.replica.target import Outdated, epoch_of, target_of
from kbwork.settings import ReplicateSettings

_LOOK_S = 0.2
_CATCH_UP_S = 30.0
_END_S = 15.0
_TRIES = 5
_KEEP_S = 15.0


@dataclass(frozen=True, slots=True)
class Promoted:
    """How it came out."""

    epoch: int
    after: Takeover


class Promotion:
    """One for a folder. `say` is told what is waited for."""

    def __init__(
        self,
        at: ReplicateSettings,
        folder: Folder,
        environ: Mapping[str, str],
        say: Callable[[str], None],
        clock: Passing | None = None,
    ) -> None:
        self._at = at
        self._folder = folder
        self._environ = environ
        self._say = say
        self._clock = clock or Passing()
        self._target = target_of(at, environ)
        self._locked = False
        self._seen: SeenLease | None = None
        """The lease, once nobody writes under it."""

    def run(self, *, as_is: bool = False) -> Promoted:
        """Take the lease and the newest data; `as_is`: those that the folder holds, whatever the place has. The lock of
        the folder is not held afterwards. Raises Unusable, and then somebody else serves, or nobody yet."""
        try:
            state = self._state()
            self._require(state, as_is=as_is)
            self._seen = self._wait_for_lease(state, as_is=as_is)
            with self._kept():
                after = Takeover("", 0, 0) if as_is else self._newest(state)
                self._lock(state)
            return self._begin(after)
        finally:
            if self._locked:
                self._folder.unlock()

    def _state(self) -> StandbyState | None:
        """The standby that runs in the folder; None: none does, and the folder is locked here. Raises Unusable."""
        state = StandbyState.known(self._folder.path)
        try:
            self._folder.lock()
        except FolderLocked:
            if state is None or state.pid != self._folder.holder():
                raise
            return state
        self._locked = True
        return None

    def _require(self, state: StandbyState | None, *, as_is: bool) -> None:
        """That the folder is one to be promoted, and that its key is the right one. Raises Unusable."""
        path = self._folder.path
        followed = (path / FOLLOWED).exists()
        if as_is and not self._folder.file.exists():
            raise Unusable(f"{path} holds no data to be served as they are: leave --as-is away")
        if not as_is and self._folder.file.exists() and not followed:
            raise Unusable(
                f"{path} holds data that no standby filled: name an empty folder, into which the replica is restored;"
                " or, to serve them though the replica has others, add --as-is"
            )
        if as_is:
            self._lock(state)
            self._read()
        known = found_in(self._target)
        has_key = "KBWORK_MASTER_KEY" in self._environ or (path / "master.key").exists()
        if known is not None and has_key and known_by(self._folder.master_key()) != known.key:
            raise Unusable(OTHER_KEY.format(place=self._target.place))

    def _wait_for_lease(self, state: StandbyState | None, *, as_is: bool) -> SeenLease | None:
        """The lease, once nobody can write under it any more. Raises Unusable."""
        for _ in range(_TRIES):
            seen = lease.read(self._target, self._clock.passing)
            if seen is None:
                if not as_is:
                    raise Unusable(
                        f"there is no lease in {self._target.place}: whoever fills that may go on to write. End that"
                        " server, and serve these data by --as-is; or set replicate.lease there and start it again"
                    )
                return None
            if seen.record.state == "released" or seen.record.holder == lease.holder_of(self._folder.path):
                return seen
            if state is not None and (state.lease_tag, state.boot) == (seen.tag, lease.boot()):
                seen = replace(seen, since=state.lease_since)
            if self._clock.passing() >= seen.over_at():
                return seen
            try:
                return self._ask(seen)
            except Outdated:
                continue  # it was renewed in between
        raise Unusable("the lease changes again and again: see who else promotes, and try again")

    def _ask(self, seen: SeenLease) -> SeenLease:
        """Have its holder give it away, or wait until it is over. Raises Outdated and Unusable."""
        name = lease.name_of(self._folder.path)
        asked = replace(seen.record, state="asked", asked_by=name).marked()
        tag = self._target.swap(lease.NAME, asked.content(), seen.tag)
        left = seen.over_at() - self._clock.passing()
        self._say(
            f"{seen.record.name} is asked for the lease; it is over in {max(0.0, left):.0f} s at the latest"
        )
        while self._clock.passing() < seen.over_at():
            now = lease.read(self._target, self._clock.passing)
            if now is None or (now.tag != tag and now.record.state != "released"):
                raise Outdated("somebody else took the lease")
            if now.record.state == "released":
                return now
            threading.Event().wait(_LOOK_S)
        return SeenLease(asked, tag, seen.since)

    @contextlib.contextmanager
    def _kept(self) -> Iterator[None]:
        """The one that gave it away takes it again where it hears nothing for a while: it hears of this."""
        ended = threading.Event()

        def keep() -> None:
            while not ended.wait(_KEEP_S):
                with contextlib.suppress(Unusable):  # it is tried again, and found out at the end
                    self._swap(lambda seen: replace(seen.record, asked_by=lease.name_of(self._folder.path)))

        thread = threading.Thread(target=keep, name="the lease", daemon=True)
        if self._seen is not None and self._seen.record.state != "held":
            thread.start()
        try:
            yield
        finally:
            ended.set()
            if thread.is_alive():
                thread.join()

    def _swap(self, made: Callable[[SeenLease], LeaseRecord]) -> LeaseRecord:
        """Put another one in its place, which may have been released meanwhile. Raises Outdated and Unusable."""
        for _ in range(_TRIES):
            assert self._seen is not None
            record = made(self._seen).marked()
            try:
                tag = self._target.swap(lease.NAME, record.content(), self._seen.tag)
            except Outdated:
                now = lease.read(self._target, self._clock.passing)
                if (
                    now is None
                    or now.record.state == "held"
                    or now.record.asked_by != lease.name_of(self._folder.path)
                ):
                    raise
                self._seen = now
                continue
            self._seen = SeenLease(record, tag, self._clock.passing())
            return record
        raise Outdated("the lease changes again and again")

    def _newest(self, state: StandbyState | None) -> Takeover:
        """All that lies in the newest epoch comes into the folder: by the standby that runs, or anew."""
        generation = filled(self._target)
        if not generation:
            raise Unusable(f"the replica {self._target.place} holds no data")
        if state is not None and self._caught_up(state, generation):
            self._lock(state)
            return Takeover(generation, transaction_of(self._folder.path), 0)
        self._lock(state)
        self._say(f"all of {generation} is restored")
        wipe(self._folder.path)
        last = self._target.newest(generation)
        restoration.restore(self._at, self._folder.file, self._environ, alone=True)
        return Takeover(generation, last.number if last is not None else 0, 0)

    def _caught_up(self, state: StandbyState, generation: str) -> bool:
        """Whether the standby has all of it within a while."""
        if state.generation != generation or not state.transaction:
            return False
        last, until = self._target.newest(generation), monotonic() + _CATCH_UP_S
        while last is not None and transaction_of(self._folder.path) < last.number:
            if monotonic() > until or not self._runs(state):
                return False
            threading.Event().wait(_LOOK_S)
        return True

    def _runs(self, state: StandbyState) -> bool:
        return self._folder.holder() == state.pid and Path(f"/proc/{state.pid}").exists()

    def _lock(self, state: StandbyState | None) -> None:
        """End the standby, and hold the folder in its place. Raises Unusable."""
        if self._locked:
            return
        assert state is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(state.pid, signal.SIGTERM)
        until = monotonic() + _END_S
        while not self._locked:
            try:
                self._folder.lock()
                self._locked = True
            except FolderLocked:
                if monotonic() > until:
                    raise
                threading.Event().wait(_LOOK_S / 4)

    def _begin(self, after: Takeover) -> Promoted:
        """The epoch of this folder. It is noted first, as at a start. Raises Unusable."""
        path, holder = self._folder.path, lease.holder_of(self._folder.path)
        known = DataEpoch.known(path) if (path / KNOWN).exists() else DataEpoch()
        epochs = [epoch_of(one) for one in self._target.generations()]
        last = max(*epochs, known.epoch, self._seen.record.epoch if self._seen is not None else 0, 0)
        after = replace(after, seq=self._read())
        DataEpoch(last + 1, holder, after=after).note(path)
        record = LeaseRecord(
            last + 1, holder, lease.name_of(path), round(self._clock.wall()) + LIVES_S, LIVES_S
        )
        try:
            if self._seen is None:
                self._target.swap(lease.NAME, record.content(), None)
            else:
                self._swap(lambda _: record)
        except Outdated:
            raise Unusable("somebody else took the lease meanwhile: see who serves, and try again") from None
        lease.prove(self._target, record.content())
        settle(path)
        restoration.begin_behind(self._folder.file)
        return Promoted(last + 1, after)

    def _read(self) -> int:
        """The last event in the data. Raises Unusable where they are not sound, or not those of the place's org."""
        if (fault := unfit(self._folder.file)) is not None:
            raise Unusable(fault)
        whose, seq = read_owner(self._folder.file, self._folder.master_key())
        if whose is not None:
            whose.require(self._target)
        return seq
