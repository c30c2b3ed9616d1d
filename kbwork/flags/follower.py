"""Keeps the snapshot up to date: fetched, followed on the stream, asked for again while the stream is down."""

import contextlib
import json
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from kbwork.flagengine import Snapshot
from kbwork.flagengine.deltas import FORMAT, base_of, is_delta, joined
from kbwork.flagengine.envelope import BadEnvelope, open_
from kbwork.flagengine.json_values import loads
from kbwork.flags.cache import Cache
from kbwork.flags.options import Options
from kbwork.flags.wire import Lost, SnapshotStream, Wire

POLL_S = 30.0
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
SPREAD_S = 0.5
"""Clients that hear of a change at once ask for it within this time."""
_CLOSE_S = 2.0


class KeyRefused(Exception):
    """The key is unknown, revoked or expired: there is nothing more to hear."""


class _Asked(Exception):
    """The service asks for a pause."""


class _Older(Exception):
    """The service has an older version than the one that is served."""


@dataclass(frozen=True, slots=True)
class Served:
    """A snapshot, and which version of the environment it is."""

    snapshot: Snapshot
    version: int


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
        self._sdk_key = options.sdk_key
        self._log = options.log
        self._changed, self._settled, self._refused = changed, settled, refused
        self._cache = Cache(options.cache_path) if options.cache_path is not None else None
        self._etag: str | None = None
        self._version = -1
        self._served: Snapshot | None = None
        self._from_cache = False
        self._stop = threading.Event()
        self._following = threading.Event()
        self._fetching = threading.Lock()
        self._stream: SnapshotStream | None = None
        self._told: set[str] = set()
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
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop, soon."""
        self._end()
        for thread in self._threads:
            thread.join(_CLOSE_S)

    def _end(self) -> None:
        """Nothing more is asked nor heard: a stream says its next word in half a minute only."""
        self._stop.set()
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
                self._take(content)
                self._from_cache = True
                for delta in self._cache.deltas():
                    with contextlib.suppress(ValueError, _Older):  # of another program, or of before
                        self._take(delta)
        except (OSError, ValueError, _Older) as error:
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
        """Whether what came, if anything did, could be used. Raises Lost, KeyRefused or _Asked."""
        if not self._turn():
            return True
        answer = self._wire.snapshot(self._etag, since)
        if answer.status != 304:
            self._require_served(answer.status, answer.retry_after_s)
        self._throttled = False
        if answer.status == 304:
            return True
        try:
            follows = self._take(answer.body)
        except _Older as error:
            self._say(f"a snapshot that came cannot be used: {error}")
            return True
        except ValueError as error:
            self._say(f"a snapshot that came cannot be used: {error}")
            return False
        self._etag, self._from_cache = answer.etag, False
        self._settled()
        self._keep(answer.body, follows=follows)
        return True

    def _take(self, content: bytes) -> bool:
        """Serve a snapshot, or what a delta makes of the one that is served; answers whether it was one.

        Raises ValueError for what is neither, _Older for what is older than what is served.
        """
        version, base = None, None
        if self._sdk_key is not None:
            opened = open_(content, self._sdk_key)
            version, base, content = opened.version, opened.base, opened.content
        found = loads(content)
        if type(found) is not dict or found.get("format") != FORMAT:
            raise ValueError("it is of a format that this library does not know")
        told = _version_of(found.get("environment"))
        follows = is_delta(found)
        if base is not None or (follows and self._sdk_key is not None):
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
        self._changed(served)

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
            self._say("the key is refused: flags stay as they are")
            self._end()
            self._refused()
        except Exception:  # a fault here must not end the program that is served
            self._log.exception("flags are not followed any more")

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
            self._stop.wait(_wait_s(self._tries))
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
                if self._from_cache or _version(message.data) != self._version:
                    self._stop.wait(random.uniform(0, SPREAD_S) if message.kind == "change" else 0)  # noqa: S311  # spreads load
                    self._fetch()
                self._following.set()

    def _poll(self) -> None:
        """Ask now, and every half minute while the stream is down; sooner again where nothing is served yet."""
        tries = 0
        while not self._stop.is_set():
            pause = POLL_S
            try:
                if not self._following.is_set():
                    self._fetch()
                tries = 0
            except Lost as lost:
                self._say(f"the service cannot be reached: {lost}")
                if self._version >= 0:
                    self._settled()
                pause = min(POLL_S, _wait_s(tries)) if self._version < 0 else POLL_S
                tries += 1
            except _Asked:
                self._say("the service asks to wait")
                pause = 0
            self._stop.wait(pause)

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

    def _say(self, text: str) -> None:
        """Each thing that is wrong once, until it is well again."""
        if text not in self._told and not self._stop.is_set():
            self._told.add(text)
            self._log.warning("%s", text)


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
