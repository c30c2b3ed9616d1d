"""Followers: each reads the events in their order behind a cursor, and writes down what comes of them.

Whoever does something waits for none of it. The cursor moves in the transaction that writes, so that each event is told
once, whatever ends the process in between. An event that cannot be taken, since the code falls over it, is looked for
by halves and left out: it would hold up all that are behind it.
"""

import logging
import traceback
from collections.abc import Callable
from typing import Generic, TypeVar

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Busy
from kbwork.core.events import cursors
from kbwork.core.jobs.chores import Chore
from kbwork.db.tx import Read, Row, Write

log = logging.getLogger("kbwork.events")

F = TypeVar("F")
WINDOW = 2000
"""Events that one look passes."""
BEHIND = 200
"""So far the cursor may lie behind without being moved, where nobody is to be told."""
TOLD_FOR_S = 7 * 86_400
"""So long it is told that an event was left out."""
_MOST_LEFT_OUT = 3
_WITHIN_S = 3600
"""Three an hour: a fault of the code falls over every event, or over all of a kind with others in between, and would
leave out the whole history; it waits for whoever mends it, and loses three an hour meanwhile. Nor do a few bad events
that lie together, as a purge leaves them, hold up the others for longer than that, with nobody there to mend it."""
_LEFT_OUT = ".left_out."
"""In the name of a counter: behind whose cursor's it is, before the number of the event. It holds when that was."""


@dataclass(frozen=True, slots=True)
class EventsTaken(Generic[F]):
    """What comes of the next events."""

    until: int
    """The last of them."""
    found: F
    settled: bool
    """Whether the cursor moves behind them now: somebody is to be told, or they are not to be looked at again, since
    they might fit later. Else nothing is written until it lies far behind."""


@dataclass(frozen=True, slots=True)
class FollowedEvents(Generic[F]):
    """What one look found, and is to be written."""

    stood: int
    """Where the cursor was."""
    after: int
    """Behind which event it was looked."""
    taken: EventsTaken[F]


@dataclass(frozen=True, slots=True)
class UntakenEvent:
    """The one event over which a look fell."""

    stood: int
    seq: int
    error: Exception


@dataclass(slots=True)
class _Passed:
    """What is known beside the data."""

    seq: int = 0
    """Up to which event nobody was to be told, behind the cursor: who comes into a team later hears nothing of it."""
    most: int = WINDOW
    """Events that the next look passes; fewer behind one that cannot be taken, until others were."""
    left_out: UntakenEvent | None = None
    """The log is told of it once it is written down."""

    def reached(self, stands: int, last: int) -> int:
        """The last event that was looked at; of other data, that came since, it says nothing."""
        return max(stands, self.seq if self.seq <= last else 0)

    def grow(self) -> None:
        """Some were taken."""
        self.most = min(WINDOW, 2 * self.most)


@dataclass(frozen=True, kw_only=True)
class EventFollower(Generic[F]):
    """One of them: a module says what comes of events, and writes it."""

    name: str
    """That of its cursor, which a migration puts into `counter`."""
    home: str
    """The file that declares its chore: `__name__`."""
    take: Callable[[Read, int, int], EventsTaken[F]]
    """What comes of the events behind the first number, up to the second or to one before it."""
    tell: Callable[[Write, F], None]
    """Writes it, as far as it still holds: something may have been written since."""

    def chore(self) -> Chore:
        """What the worker does of it."""
        return Chore(name=f"{self.name}.follow", home=self.home, look=self._look, write=self._write)

    def reached(self, tx: Read) -> int:
        """The last event that was looked at: those behind it are told in a moment."""
        return self._passed(tx).reached(cursors.place(tx, self.name), cursors.last(tx))

    def _passed(self, tx: Read) -> _Passed:
        found: _Passed = tx.beside(f"{self.name}.follow", _Passed)
        return found

    # -- on a reader -------------------------------------------------------------------------------------

    def _look(self, tx: Read) -> FollowedEvents[F] | UntakenEvent | None:
        """What comes of the events behind the cursor; None while there is nothing to write down."""
        self._say(tx)
        stands, last, passed = cursors.place(tx, self.name), cursors.last(tx), self._passed(tx)
        after = passed.reached(stands, last)
        while after < last:
            found = self._next(tx, stands, after, last)
            if isinstance(found, UntakenEvent):
                return found
            until = found.taken.until
            if found.taken.settled or until - stands >= BEHIND:
                return found
            passed.seq = after = until
            passed.grow()
        return None

    def _next(self, tx: Read, stands: int, after: int, last: int) -> FollowedEvents[F] | UntakenEvent:
        """Of the next events, or of so many of them as are taken."""
        passed = self._passed(tx)
        while True:
            until = min(last, after + passed.most)
            try:
                return FollowedEvents(stands, after, self.take(tx, after, until))
            except Exception as error:  # it is told where the one event is found, or raised on
                if tx.is_of_the_moment(error):
                    raise
                passed.most = max(1, (until - after) // 2)
                if until - after > 1:
                    continue
                if not self._may_leave_out(tx, until, error):
                    raise
                return UntakenEvent(stands, until, error)

    # -- on the writer -----------------------------------------------------------------------------------

    def _write(self, tx: Write, found: FollowedEvents[F] | UntakenEvent) -> None:
        """Write it down, unless somebody else did. Raises Busy where that fails for several events: the next round
        tries fewer."""
        if cursors.place(tx, self.name) != found.stood:
            return
        if isinstance(found, UntakenEvent):
            self._leave_out(tx, found)
            return
        tx.write_what_waits()  # of others in the group: what is refused of it says nothing of these events
        passed, until = self._passed(tx), found.taken.until
        number = until - found.after
        try:
            with tx.attempt():
                self.tell(tx, found.taken.found)
                cursors.move(tx, self.name, until)
        except Exception as error:  # it is told, or raised on
            if tx.is_of_the_moment(error):
                raise
            if number > 1:
                # by what was found, and not by what is known: a write may be run twice
                passed.most = number // 2
                why = f"{type(error).__name__} at what comes of {number} events behind {found.after}; fewer are tried"
                raise Busy("Some events could not be followed; fewer are tried", internal=why) from error
            if not self._may_leave_out(tx, until, error):
                raise
            self._leave_out(tx, UntakenEvent(found.stood, until, error))
        else:
            passed.grow()

    # -- what cannot be taken ----------------------------------------------------------------------------

    def _may_leave_out(self, tx: Read, seq: int, error: Exception) -> bool:
        """Whether there is such an event, and not too many were left out just now; else the error says who waits where.

        A clock that was set back forgets those that are ahead of it.
        """
        kind = _kind_of(tx, seq)
        if kind is None:
            return False
        number = tx.value(
            "select count(*) from counter where name glob :mine and value > :since and value <= :now",
            mine=f"{self.name}{_LEFT_OUT}*",
            since=tx.now - _WITHIN_S,
            now=tx.now,
        )
        if number < _MOST_LEFT_OUT:
            return True
        error.add_note(
            f"{self.name} waits before the event {seq} ({kind}): {number} were left out within an hour"
        )
        return False

    def _leave_out(self, tx: Write, one: UntakenEvent) -> None:
        """Go on behind an event, and keep for a while that it was left out."""
        tx.execute(
            "delete from counter where name glob :mine and value <= :before",
            mine=f"{self.name}{_LEFT_OUT}*",
            before=tx.now - TOLD_FOR_S,
        )
        tx.execute(
            "insert into counter (name, value) values (:name, :now)"
            " on conflict (name) do update set value = excluded.value",
            name=f"{self.name}{_LEFT_OUT}{one.seq}",
            now=tx.now,
        )
        cursors.move(tx, self.name, one.seq)
        self._passed(tx).left_out = one

    def _say(self, tx: Read) -> None:
        """Tell the log what was left out, where that came to be: a write may be taken back."""
        passed = self._passed(tx)
        one, passed.left_out = passed.left_out, None
        if one is None or cursors.place(tx, f"{self.name}{_LEFT_OUT}{one.seq}") == 0:
            return
        # neither the payload nor what the error says, which may quote it: that may be secret, or somebody's own
        error, where = type(one.error).__name__, "".join(traceback.format_tb(one.error.__traceback__))
        log.error(
            "%s left out the event %d (%s): %s\n%s", self.name, one.seq, _kind_of(tx, one.seq), error, where
        )


def left_out(tx: Read) -> list[Row]:
    """Of the last days: whose cursor went past which event (`name`, `seq`, `kind`), and when (`at`), oldest first."""
    return tx.all(
        "select l.name, l.seq, e.kind, l.at from ("
        " select substr(name, 1, instr(name, :mark) - 1) as name, value as at,"
        " cast(substr(name, instr(name, :mark) + length(:mark)) as integer) as seq"
        " from counter where instr(name, :mark) and value > :since"
        ") l left join events e on e.seq = l.seq order by l.at, l.seq",
        mark=_LEFT_OUT,
        since=tx.now - TOLD_FOR_S,
    )


def _kind_of(tx: Read, seq: int) -> str | None:
    found: str | None = tx.value("select kind from events where seq = :seq", seq=seq)
    return found
