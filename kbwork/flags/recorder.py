"""What was evaluated: counted here, sent in batches. No context leaves but for flags that ask for their events."""

import itertools
import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kbwork.flagengine import Context, Detail
from kbwork.flagengine.json_values import clean
from kbwork.flagengine.privacy import private_paths, redacted
from kbwork.flags.options import Options
from kbwork.flags.wire import Lost, ServiceAnswer, Wire

MOST_WAITING = 10_000
BATCH = 500
MOST_BYTES = 1_000_000
"""Of the events of one batch: the service takes a mebibyte."""
_MOST_COUNT = 1_000_000
_LIBRARY = "python/1"
_RETRY_S = 1.0
_CLOSE_S = 5.0

Counted = tuple[str, int | None, int | None, str]
"""Flag, its version, the variation that was served, and why."""
Event = dict[str, Any]
_PASSES = 5
"""So often one round looks for counts that had no room beside others."""
_KEPT_FOR = 2
"""Rounds for which counters are still looked at that nobody should count with any more: a call may be on its way."""


class _Counter:
    """Counts without a lock: a step of the iterator is one step of the interpreter."""

    __slots__ = ("_iterator", "_seen", "counted", "detail")

    def __init__(self, counted: Counted, detail: Detail) -> None:
        self.counted = counted
        self.detail = detail
        """Kept, for it is known by its identity."""
        self._iterator = itertools.count()
        self._seen = 0

    @property
    def bump(self) -> Callable[[], int]:
        return self._iterator.__next__

    def taken(self) -> int:
        """How often it was bumped since the last look, which is a step too."""
        now = next(self._iterator)
        found, self._seen = now - self._seen, now + 1
        return found


class Recorder:
    """Counts on the calling thread; a thread of its own sends."""

    def __init__(self, wire: Wire, options: Options) -> None:
        self._wire = wire
        self._log = options.log
        self._interval_s = options.flush_interval_ms / 1000
        self._private, malformed = private_paths(options.private_attributes)
        if malformed:
            self._log.warning("private_attributes that name no attribute: %s", ", ".join(malformed))
        self._lock = threading.Lock()
        self._counts: dict[Counted, int] = {}
        self._counters: list[_Counter] = []
        self._retired: list[tuple[int, list[_Counter]]] = []
        self._since = _now()
        self._waiting: deque[Event] = deque()
        self._sending = 0
        self._wanted = threading.Event()
        self._rounds = threading.Condition()
        self._asked = 0
        self._done = 0
        """The last round that was asked for, and the last that is over."""
        self._stopping = False
        self._refused = False
        """The key is refused: nothing more is sent, nor kept."""
        self._dropped = False
        self._thread = threading.Thread(target=self._run, name="kbwork-flags-events", daemon=True)
        self._thread.start()

    def count(self, flag: str, version: int | None, detail: Detail) -> None:
        """One more evaluation."""
        name = flag, version, detail.variation, detail.reason
        with self._lock:
            found = self._counts.get(name)
            if found is not None:
                self._counts[name] = found + 1
                return
            if not self._has_room():
                return
            self._counts[name] = 1
            full = len(self._counts) + len(self._waiting) >= BATCH
        if full:
            self._wanted.set()

    def counter(self, flag: str, version: int | None, detail: Detail) -> Callable[[], int] | None:
        """What counts one more of this very answer when it is called; None where there is no room for another."""
        with self._lock:
            if self._refused or len(self._counters) >= MOST_WAITING:
                return None
            found = _Counter((flag, version, detail.variation, detail.reason), detail)
            self._counters.append(found)
            return found.bump

    def retire(self) -> None:
        """The counters that were handed out count no more: there are other flags now."""
        with self._lock:
            self._retired.append((_KEPT_FOR, self._counters))
            self._counters = []

    def event(self, flag: str, version: int | None, detail: Detail, context: object) -> None:
        """An evaluation told one by one, with the context but for what is private."""
        self._put(
            {
                "kind": "evaluation",
                "at": _now(),
                "flag": flag,
                "version": version,
                "variation": detail.variation,
                **self._told(context),
            }
        )

    def other(self, kind: str, context: object, **more: Any) -> None:
        """A `track` or `identify` event, which the service takes and does not keep."""
        self._put({"kind": kind, "at": _now(), **self._told(context), **clean(more)})

    def flush(self, timeout_s: float | None = None) -> bool:
        """Send what there is now; False where it did not go within this time, or the client is closed."""
        with self._rounds:
            self._asked += 1
            goal = self._asked
        self._wanted.set()
        with self._rounds:
            self._rounds.wait_for(lambda: self._done >= goal or not self._thread.is_alive(), timeout_s)
            return self._done >= goal

    def close(self) -> None:
        """Send what is left, within a few seconds, and stop."""
        self._stopping = True
        self._wanted.set()
        self._thread.join(_CLOSE_S)

    def refuse(self) -> None:
        """The key is void: what waits is of no use to anybody."""
        with self._lock:
            self._refused = True
            self._counts.clear()
            self._waiting.clear()
            self._counters, self._retired = [], []

    def _told(self, context: object) -> dict[str, Any]:
        """Of a context that is not valid nothing is told: nobody knows what of it is private."""
        made = context if isinstance(context, Context) else Context(context)
        if made.kinds is None or not isinstance(made.raw, Mapping):
            return {"contextKinds": [], "context": None}
        return {"contextKinds": list(made.kinds), "context": redacted(made.raw, self._private)}

    def _put(self, event: Event) -> None:
        with self._lock:
            if not self._has_room():
                return
            self._waiting.append(event)
            full = len(self._counts) + len(self._waiting) >= BATCH
        if full:
            self._wanted.set()

    def _has_room(self) -> bool:
        """Whether one more may wait; those of a batch on its way count.

        A counter does not: it holds a number, which waits there until there is room for its event.
        """
        if self._refused:
            return False
        if len(self._counts) + len(self._waiting) + self._sending < MOST_WAITING:
            return True
        if not self._dropped:
            self._dropped = True
            self._log.warning("%d events wait already: more are dropped", MOST_WAITING)
        return False

    # -- the thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping:
            self._wanted.wait(self._interval_s)
            self._wanted.clear()
            self._round()
        self._round()

    def _round(self) -> None:
        """Send everything, and tell those who asked for that before it began."""
        with self._rounds:
            goal = self._asked
        self._send_all()
        with self._rounds:
            self._done = goal
            self._rounds.notify_all()

    def _send_all(self) -> None:
        """Everything that waits now, a batch at a time. One that does not go is given up after its second try."""
        for _ in range(_PASSES):
            is_whole = self._gather()
            while batch := self._batch():
                self._send(batch)
            if is_whole:
                break

    def _send(self, events: list[Event]) -> None:
        """In parts, where contexts are large; summaries by themselves, so that they go whatever becomes of the rest."""
        counted = [event for event in events if event["kind"] == "summary"]
        told = [event for event in events if event["kind"] != "summary"]
        try:
            for part in itertools.chain(self._parts(counted), self._parts(told)):
                if not self._refused:
                    self._deliver(
                        {"batchId": str(uuid.uuid4()), "sdk": _LIBRARY, "sentAt": _now(), "events": part}
                    )
        except Exception:  # the thread outlives a faulty batch
            self._log.exception("a batch of events could not be sent")
        finally:
            self._sending = 0

    def _parts(self, events: list[Event]) -> Iterator[list[Event]]:
        """In their order, as many together as one batch may hold."""
        part, size = list[Event](), 0
        for event in events:
            more = len(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")) + len(", ")
            if more > MOST_BYTES:
                self._log.warning(
                    "an event of %d bytes is lost, the service takes %d: give the context fewer attributes, or name"
                    " private_attributes",
                    more,
                    MOST_BYTES,
                )
                continue
            if size + more > MOST_BYTES:
                yield part
                part, size = [], 0
            part.append(event)
            size += more
        if part:
            yield part

    def _gather(self) -> bool:
        """Counts become events; large ones are told in parts. False where some counters had no room."""
        with self._lock:
            counts, self._counts = self._counts, {}
            room, is_whole = MOST_WAITING - len(self._waiting), True
            for counter in itertools.chain(*(counters for _, counters in self._retired), self._counters):
                if len(counts) >= room and counter.counted not in counts:
                    is_whole = False
                elif taken := counter.taken():
                    counts[counter.counted] = counts.get(counter.counted, 0) + taken
            if is_whole:
                self._retired = [(rounds - 1, counters) for rounds, counters in self._retired if rounds > 1]
            since, self._since = self._since, _now()
            self._dropped = False
            self._waiting.extend(_summaries(counts, since, self._since))
        return is_whole

    def _batch(self) -> list[Event]:
        with self._lock:
            size = min(BATCH, len(self._waiting))
            self._sending = size
            return [self._waiting.popleft() for _ in range(size)]

    def _deliver(self, batch: dict[str, Any]) -> None:
        """Send one batch, a second time under the same id where the first did not arrive."""
        for last in (False, True):
            try:
                answer = self._wire.send(batch)
            except Lost as lost:
                answer = ServiceAnswer(0, str(lost).encode(), None, None)
            if 200 <= answer.status < 300:
                return
            if answer.status == 401:
                self.refuse()
                return
            if last or (400 <= answer.status < 500 and answer.status not in (408, 429)):
                why = answer.body[:200].decode(errors="replace")
                self._log.warning("%d events are lost: %s %s", len(batch["events"]), answer.status or "", why)
                return
            self._pause(answer.retry_after_s if answer.status == 429 and answer.retry_after_s else _RETRY_S)

    def _pause(self, seconds: float) -> None:
        """Wait, shorter where the client closes."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._stopping:
            time.sleep(min(left, 0.1))


def _summaries(counts: dict[Counted, int], since: int, until: int) -> Iterable[Event]:
    for (flag, version, variation, reason), total in counts.items():
        for begin in itertools.count(0, _MOST_COUNT):
            if begin >= total:
                break
            yield {
                "kind": "summary",
                "from": since,
                "to": until,
                "flag": flag,
                "version": version,
                "variation": variation,
                "reason": reason,
                "count": min(_MOST_COUNT, total - begin),
            }


def _now() -> int:
    return int(time.time() * 1000)  # noqa: TID251  # the program's own clock: a client has no other
