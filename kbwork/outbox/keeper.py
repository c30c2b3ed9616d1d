"""The outbox of a server that runs: it follows the events and has each laid into the stream.

It keeps no place of its own: where it goes on is what the stream ends with, so that neither a kill of one of the two
nor a stream that lost its end leaves something out or lays it there twice.
"""

import logging
from collections import deque
from functools import partial

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import monotonic
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from kbwork.db.writer import Group
from kbwork.modules.maintenance import outbox_notices
from kbwork.outbox import messages
from kbwork.outbox.jetstream import EventStream, StreamMoved
from kbwork.settings import OutboxSettings
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.outbox")
LATE_S = 60
"""An outbox that is further behind is told of."""
_EVERY_S = 1.0
_LOOK_S = 5.0
"""So often a stream is looked at that gets nothing: it may have been emptied."""
_PAUSES_S = (0.5, 1, 2, 4, 8, 15)
_MOST_LOOKS = 5
_ROUND_S = 5.0
_A_MARK_S = 1.0
_MOST_MARKS = 3600


class Outbox:
    """From `start` to `stop` on the running loop. While data are exchanged nothing is sent."""

    def __init__(self, at: OutboxSettings, database: Database) -> None:
        self._at = at
        self._database = database
        self._line: EventStream | None = None
        self._org = ""
        self._began_seq = database.seq
        self._reached: int | None = None
        """All up to this event is there; None: it was not looked at yet."""
        self._marks: deque[tuple[int, float]] = deque([(database.seq, monotonic())])
        """Since when events wait: those up to one, and when the first of them was written."""
        self._next_look = self._next_try = 0.0
        self._failures = self._emptied = self._sent = 0
        self._sequence = self._first = 0
        """The stream's own numbers of its last and its first message, when it was looked at; 0: it was not."""
        self._trouble: str | None = None
        """Why nothing is sent, in one line."""
        self._late = self._resting = False
        self._few = False
        """The next message goes alone, so that its own answer is heard."""
        self._rounds = PeriodicTask(self._round, name="the outbox", log=log, every_s=_EVERY_S)
        database.listen(self._heard)
        database.add_swap_participant(self)

    @property
    def waits(self) -> bool:
        """Whether something is to be sent."""
        return self._reached is None or self._reached < self._database.seq

    @property
    def age_s(self) -> float:
        """How long the first event waits that is not there yet; 0 where all are."""
        return monotonic() - self._marks[0][1] if self._marks else 0.0

    @property
    def figures(self) -> dict[str, float]:
        """What the metrics show."""
        return {
            "lag_events": float(self._database.seq - (self._reached or 0)),
            "age_seconds": self.age_s,
            "connected": float(self._line is not None),
            "sent": float(self._sent),
            "emptied": float(self._emptied),
        }

    def start(self) -> None:
        """Begin; servers that cannot be used are named in the log, and serving goes on."""
        self._rounds.start()

    async def stop(self) -> None:
        """What was not sent yet is sent after the next start."""
        await self._rounds.stop()
        await self._hang_up()

    async def pause(self) -> None:
        """Other data come in the place of these."""
        self._resting = True
        await self._rounds.pause()
        await self._hang_up()

    def close(self) -> None:
        """Nothing is read here any more."""

    def resume(self) -> None:
        self._reached, self._sequence, self._resting = None, 0, False
        self._marks = deque([(self._database.seq, monotonic())])
        self._rounds.resume()

    def _heard(self, group: Group) -> None:
        now = monotonic()
        if self._marks and (now - self._marks[-1][1] < _A_MARK_S or len(self._marks) >= _MOST_MARKS):
            self._marks[-1] = group.seq, self._marks[-1][1]
        else:
            self._marks.append((group.seq, now))
        if self._line is not None:
            self._rounds.notify()

    def _is_at(self, seq: int) -> None:
        """All up to this event is there."""
        self._reached = seq
        while self._marks and self._marks[0][0] <= seq:
            self._marks.popleft()
        if not self._marks and self.waits:
            self._marks.append((self._database.seq, monotonic()))

    async def _round(self) -> None:
        if monotonic() >= self._next_try:
            try:
                await self._catch_up()
                self._failures, self._trouble = 0, None
            except Unusable as error:
                await self._fail(str(error))
        late = self.age_s > LATE_S
        if late and not self._late:
            await self._tell(
                "late", f"The outbox is more than {LATE_S} s behind: {self._trouble or 'it does not keep up'}"
            )
        self._late = late
        if self.waits and self._line is not None:
            self._rounds.notify()

    async def _catch_up(self) -> None:
        """Send what there is, for some seconds. Raises Unusable."""
        if self._line is None:
            org = await self._database.read(messages.org, SYSTEM, name="outbox")
            if org is None:
                return
            self._org, self._line = org, await EventStream.connected(self._at, org)
            self._next_look = 0.0
        if monotonic() >= self._next_look:
            await self._look(self._line)
        looks, until = 0, monotonic() + _ROUND_S
        while self.waits and not (self._rounds.stopping or self._resting) and monotonic() < until:
            try:
                await self._send(self._line)
                looks = 0
            except StreamMoved:
                looks += 1
                if looks > _MOST_LOOKS:
                    raise Unusable(f"{self._line.place} is filled by somebody else, too: end that") from None
                self._few = True
                await self._look(self._line)

    async def _look(self, line: EventStream) -> None:
        """See where the stream ends, and go on there. Raises Unusable where it is none of these data."""
        before, known, first = self._reached, self._sequence, self._first
        new = self._began_seq if before is None else before
        end = await line.look(after=new if self._at.from_ == "now" else 0)
        found = await self._database.read_on_thread(
            lambda tx: messages.place(tx, self._org, end, before), SYSTEM
        )
        if isinstance(found, str):
            raise Unusable(
                f"{line.place} cannot be gone on with: {found}; name another outbox.stream, or delete this one"
            )
        self._sequence, self._first = end.sequence, end.first
        self._is_at(found)
        self._next_look = monotonic() + _LOOK_S
        if known and end.sequence < known:
            await self._tell_emptied(
                f"{line.place} was deleted or lost its end: it is filled again from event {found + 1:,} on"
            )
        elif known < end.first != first and known and not end.age_s:
            await line.begin_behind(found)
            await self._tell_emptied(
                f"{line.place} was emptied: it goes on behind event {found:,}; delete it to have all there again"
            )

    async def _tell_emptied(self, text: str) -> None:
        self._emptied += 1
        await self._tell("emptied", f"The stream {text}")

    async def _send(self, line: EventStream) -> None:
        most, self._few = (1 if self._few else messages.MOST), False
        assert self._reached is not None
        found, until = await self._database.read_on_thread(
            partial(messages.following, after=self._reached, most=most), SYSTEM
        )
        if found:
            cut = await line.send(found)
            self._sent += len(found)
            self._sequence += len(found)
            if cut:
                log.warning(
                    "events %s are too large for %s: they went without their payload", cut, line.place
                )
            self._next_look = monotonic() + _LOOK_S
        self._is_at(until)

    async def _fail(self, text: str) -> None:
        self._next_try = monotonic() + _PAUSES_S[min(self._failures, len(_PAUSES_S) - 1)]
        self._failures += 1
        if text != self._trouble:
            self._trouble = text
            log.warning("the outbox waits: %s", text)
        await self._hang_up()

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    async def _tell(self, what: outbox_notices.OutboxTrouble, text: str) -> None:
        """Tell the operator and the admins."""
        log.warning("%s", text)
        await self._database.write(
            partial(outbox_notices.failed, what=what, error=text), SYSTEM, essential=True
        )
