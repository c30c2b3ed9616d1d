"""Keeps the snapshot up to date: fetched, followed on the stream, asked for again while the stream is down."""

import contextlib
import json
import random
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Literal

from kbwork.flagengine import Snapshot
from kbwork.flagengine.deltas import FORMAT, base_of, is_delta, joined
from kbwork.flagengine.envelope import BadEnvelope, OpenedEnvelope, open_
from kbwork.flagengine.json_values import loads
from kbwork.flags.cache import Cache
from kbwork.flags.feeds import ClientStatus, Served
from kbwork.flags.options import Options
from kbwork.flags.wire import Lost, SnapshotStream, Wire

POLL_S = 30.0
LATE_S = 5.0
"""Where nothing is served yet, no pause is longer: the service may have come up behind the program."""
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
SPREAD_S = 0.5
"""Clients that hear of a change at once ask for it within this time."""
_CLOSE_S = 2.0
Fault = Literal["cache", "older", "unusable"]
"""What is on disk cannot be used, what came is older than what is served, what came is no snapshot."""


class KeyRefused(Exception):
    """The key is unknown, revoked or expired: there is nothing more to hear."""


class _Asked(Exception):
    """The service asks for a pause."""


class _Older(Exception):
    """The service has an older version than the one that is served."""


class Follower:
    """Two threads: one follows the stream, one asks while that is down."""

    def __init__(
        self,
        wire: Wire,
        options: Options,
        *,
        changed: Callable[[Served], None],
        settled: Callable[[], None],
        refused: Callable[[], None],
    ) -> None:
        """All three are called on a thread of the follower: `changed` with each new snapshot, `refused` at the end.

        `settled` is called when the service answered, or did not where a snapshot from the disk is served.
        """
        self._wire = wire
        self._options = options
        self._log = options.log
        self._changed, self._settled, self._refused = changed, settled, refused
        self._cache = self._cache_at(options.cache_path) if options.cache_path is not None else None
        self._etag: str | None = None
        self._version = -1
        self._served: Snapshot | None = None
        self._from_cache = False
        self._stop = threading.Event()
        self._following = threading.Event()
        self._named = -1
        """The version that the stream named last."""
        self._spoiled = False
        """What came last cannot be served, or is older than what the stream named: it is asked for again, though the
        stream lives."""
        self._wanted = threading.Event()
        """The stream leaves something to the asking beside it, which need not sleep on."""
        self._fetching = threading.Lock()
        self._stream: SnapshotStream | None = None
        self.faults: Counter[Fault] = Counter()
        """How often which of them came."""
        self._told: set[str] = set()
        self._last_error: str | None = None
        self._confirmed_at: float | None = None
        """When the service last said that what is served is so."""
        self._tries = 0
        """How often the stream was opened in vain since it last said which version there is."""
        self._turns = threading.Lock()
        self._not_before = 0.0
        self._throttled = False
        """The service asked for a pause, and has not answered since."""
        self._threads = [
            threading.Thread(target=self._guarded, args=(run,), name=f"kbwork-flags-{name}", daemon=True)
            for name, run in (("stream", self._follow), ("poll", self._poll))
        ]

    def start(self) -> None:
        """Begin: what is on disk first, then what the service says."""
        self._load()
        if self._options.offline:
            self._settled()
            return
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop, soon."""
        self._end()
        for thread in self._threads:
            if thread.is_alive() and thread is not threading.current_thread():
                thread.join(_CLOSE_S)

    def forget(self) -> None:
        """Behind a fork, in the child: the threads, and the stream that one of them reads, are the parent's.

        One of them may have held the lock of the event that ends them.
        """
        self._stop = threading.Event()
        self._stop.set()
        if self._stream is not None:
            self._stream.drop()

    def renewed(self) -> "Follower":
        """The same behind a fork: what this one had taken is served already."""
        made = Follower(
            self._wire, self._options, changed=self._changed, settled=self._settled, refused=self._refused
        )
        made._etag, made._version, made._from_cache = self._etag, self._version, self._from_cache
        made._served, made._confirmed_at = self._served, self._confirmed_at
        return made

    @property
    def status(self) -> ClientStatus:
        """How it stands with the service."""
        age_ms = None if self._confirmed_at is None else round((monotonic() - self._confirmed_at) * 1000)
        return ClientStatus(self._following.is_set(), age_ms, self._last_error)

    def _cache_at(self, path: str | Path) -> Cache:
        """Where the last snapshot is kept."""
        return Cache(path)

    def _spread_s(self) -> float:
        """How long it waits behind a change that is told, while others ask."""
        return random.uniform(0, SPREAD_S)  # noqa: S311  # spreads load

    def _end(self) -> None:
        """Nothing more is asked nor heard: a stream says its next word in half a minute only."""
        self._stop.set()
        self._wanted.set()
        stream = self._stream
        if stream is not None:
            stream.cut()

    # -- the snapshot -------------------------------------------------------------------------------

    def _load(self) -> None:
        """The snapshot on disk, with those of the deltas behind it that lead on from it."""
        if self._cache is None:
            return
        try:
            content = self._cache.read()
            if content is not None and self._version < 0:
                self._take(content, from_cache=True)
                self._from_cache = True
                for delta in self._cache.deltas():
                    with contextlib.suppress(ValueError, _Older):  # of another program, or of before
                        self._take(delta, from_cache=True)
        except (OSError, ValueError, _Older) as error:
            self.faults["cache"] += 1
            self._say(f"the snapshot on disk cannot be used: {error}")

    def _fetch(self) -> None:
        """Ask for the snapshot, and take it where it is another. Raises Lost, KeyRefused or _Asked.

        Whoever has one is sent what changed since; where that cannot be used, the whole is asked for at once, once.
        """
        with self._fetching:
            base = base_of(self._served.data) if self._served is not None else None
            if self._cache is not None and self._cache.is_full:
                base = None
            if not self._ask(base.version if base is not None else None) and base is not None:
                self._ask(None)

    def _ask(self, since: int | None) -> bool:
        """Whether what came, if anything did, could be used. Raises Lost, KeyRefused or _Asked.

        A version that the stream named is asked for by its number: what a cache on the way has kept may be older.
        """
        if not self._turn():
            return True
        wanted = self._named if self._named > self._version else None
        answer = self._wire.snapshot(self._etag, since, wanted)
        if answer.status != 304:
            self._require_served(answer.status, answer.retry_after_s)
        self._throttled = False
        if answer.status == 304:
            self._judge()
            return True
        try:
            follows = self._take(answer.body)
        except (_Older, ValueError) as error:
            self.faults["older" if isinstance(error, _Older) else "unusable"] += 1
            self._say(f"a snapshot that came cannot be used: {error}")
            self._spoiled = True
            return isinstance(error, _Older)
        self._etag, self._from_cache = answer.etag, False
        self._judge()
        self._settled()
        self._keep(answer.body, follows=follows)
        return True

    def _take(self, content: bytes, *, from_cache: bool = False) -> bool:
        """Serve a snapshot, or what a delta makes of the one that is served; answers whether it was one.

        What the disk keeps may be sealed for the key before. Raises ValueError for what is neither, _Older for what
        is older than what is served.
        """
        version, base = None, None
        sdk_key = self._options.sdk_key
        if sdk_key is not None:
            opened = _by_one_of(content, sdk_key, self._options.previous_sdk_key if from_cache else None)
            version, base, content = opened.version, opened.base, opened.content
        found = loads(content)
        if type(found) is not dict or found.get("format") != FORMAT:
            raise ValueError("it is of a format that this library does not know")
        told = _version_of(found.get("environment"))
        follows = is_delta(found)
        if base is not None or (follows and sdk_key is not None):
            within = told, _version_of(found.get("base"))
            if (version, base) != within:
                raise BadEnvelope("it says other versions than it was sealed with")
        version = told if version is None else version
        if version is None:
            raise ValueError("it has no version")
        before = self._served
        if follows:
            found = joined(before.data if before is not None else {}, found)
        elif version < self._version and not self._from_cache:
            raise _Older(f"it is version {version}, and {self._version} is served")
        elif before is not None:
            found = before.compiler.shared(found)
        self._serve(Served(Snapshot(found, before), version))
        return follows

    def _serve(self, served: Served) -> None:
        self._version, self._served = served.version, served.snapshot
        self._told.clear()
        self._be_well()
        self._changed(served)

    def _judge(self) -> None:
        """What is served is what the service has, unless the stream named a later one."""
        self._spoiled = self._version < self._named
        if not self._spoiled:
            self._confirm()

    def _confirm(self) -> None:
        self._confirmed_at = monotonic()

    def _keep(self, content: bytes, *, follows: bool) -> None:
        if self._cache is None:
            return
        try:
            if follows:
                self._cache.append(content)
            else:
                self._cache.write(content)
        except OSError as error:
            self._say(f"the snapshot cannot be kept on disk: {error}")

    # -- the threads --------------------------------------------------------------------------------

    def _guarded(self, run: Callable[[], None]) -> None:
        try:
            run()
        except KeyRefused:
            self._refuse()
        except Exception:  # a fault here must not end the program that is served
            self._log.exception("flags are not followed any more")

    def _refuse(self) -> None:
        """End, and tell it: once, though both threads may hear of it."""
        with self._turns:
            if self._stop.is_set():
                return
            self._note("the key is refused: flags stay as they are")
            self._stop.set()
        self._end()
        self._refused()

    def _follow(self) -> None:
        """Open the stream, again and again, with pauses that grow."""
        while self._turn():
            try:
                with self._wire.stream() as stream:
                    self._require_served(stream.status, stream.retry_after_s)
                    self._throttled = False
                    self._stream = stream
                    if not self._stop.is_set():  # else nobody cuts it
                        self._listen(stream)
            except Lost as lost:
                self._say(f"the stream is down: {lost}")
            except _Asked:
                self._say("the service asks to wait")
            finally:
                self._stream = None
                self._following.clear()
            self._stop.wait(self._pause_s(self._tries, LONGEST_WAIT_S))
            self._tries += 1

    def _listen(self, stream: SnapshotStream) -> None:
        """Until the stream ends. Raises Lost, KeyRefused or _Asked."""
        for message in stream.messages():
            if self._stop.is_set():
                break
            if message.kind == "revoked":
                raise KeyRefused
            if message.kind in ("hello", "change"):
                self._tries = 0
                named = _version(message.data)
                self._named = -1 if named is None else named
                if self._from_cache or named != self._version:
                    self._stop.wait(self._spread_s() if message.kind == "change" else 0)
                    self._fetch()
                    if self._spoiled:
                        self._wanted.set()
                    if self._stop.is_set():  # the asking beside it was refused
                        break
                self._following.set()
                if not self._spoiled:
                    self._be_well()
            if self._following.is_set() and not self._spoiled:
                self._confirm()

    def _poll(self) -> None:
        """Ask now, and every half minute while the stream is down; sooner again where nothing is served yet.

        What came and cannot be served is asked for again with pauses that grow, also beside a stream that lives.
        """
        tries = 0
        while not self._stop.is_set():
            pause = POLL_S
            try:
                if self._spoiled or not self._following.is_set():
                    self._fetch()
                tries = tries + 1 if self._spoiled else 0
                if self._spoiled:
                    pause = _wait_s(tries)
            except Lost as lost:
                self._say(f"the service cannot be reached: {lost}")
                if self._version >= 0:
                    self._settled()
                pause = self._pause_s(tries, POLL_S) if self._version < 0 else POLL_S
                tries += 1
            except _Asked:
                self._say("the service asks to wait")
                pause = 0
            if self._wanted.wait(pause):
                self._wanted.clear()
                self._stop.wait(_wait_s(tries))

    def _pause_s(self, tries: int, longest_s: float) -> float:
        return min(_wait_s(tries), LATE_S if self._version < 0 else longest_s)

    def _turn(self) -> bool:
        """Wait until the service may be asked; False where nobody is to ask any more.

        A pause counts for all requests. After it one goes first, and the others wait for what that is answered.
        """
        while not self._stop.is_set():
            with self._turns:
                left = self._not_before - monotonic()
                if left <= 0:
                    if self._throttled:
                        self._not_before = monotonic() + FIRST_WAIT_S
                    return True
            self._stop.wait(left)
        return False

    def _require_served(self, status: int, retry_after_s: float | None) -> None:
        """Raises KeyRefused, _Asked or Lost for what is no snapshot and no stream."""
        if status == 401:
            raise KeyRefused
        if status == 429:
            with self._turns:
                self._throttled = True
                self._not_before = max(self._not_before, monotonic() + (retry_after_s or POLL_S))
            raise _Asked
        if status != 200:
            raise Lost(f"the service answers with the status {status}")

    def _be_well(self) -> None:
        """Nothing is wrong any more. A refused key stays wrong, whatever the other thread was just being told."""
        with self._turns:
            if not self._stop.is_set():
                self._last_error = None

    def _say(self, text: str) -> None:
        """Each thing that is wrong once, until it is well again."""
        with self._turns:
            if not self._stop.is_set():
                self._note(text)

    def _note(self, text: str) -> None:
        self._last_error = text
        if text not in self._told:
            self._told.add(text)
            self._log.warning("%s", text)


def _by_one_of(content: bytes, sdk_key: str, previous_sdk_key: str | None) -> OpenedEnvelope:
    """Open by the one key or by the other. Raises BadEnvelope, which says what is wrong for the first."""
    try:
        return open_(content, sdk_key)
    except BadEnvelope:
        if previous_sdk_key is None:
            raise
        with contextlib.suppress(BadEnvelope):
            return open_(content, previous_sdk_key)
        raise


def _version(data: str) -> int | None:
    try:
        return _version_of(json.loads(data))
    except ValueError:
        return None


def _version_of(value: object) -> int | None:
    version = value.get("version") if type(value) is dict else None
    return version if type(version) is int else None


def _wait_s(tries: int) -> float:
    """From a second, doubled each time, to a minute; anywhere within, so that clients do not come together."""
    return random.uniform(0, min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tries))  # noqa: S311  # spreads load
