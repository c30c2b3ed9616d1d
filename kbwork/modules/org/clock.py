"""A clock that went ahead: what it would end rests until that has lasted for a day, or an admin confirms it."""

import logging

from typing_extensions import TypedDict

from kbwork.base.clock import STEP_S, ClockState
from kbwork.base.model import Empty
from kbwork.core import clock_state
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Write
from kbwork.modules.org.model import OrgClockConfirmed, OrgClockStepped

log = logging.getLogger("kbwork.clock")
_TOLD_S = 86400
"""A server that rests over night sees a step each morning: of that nothing is told."""


class OrgClock(TypedDict):
    """The time by which things end. All in Unix seconds."""

    now: int
    """What the clock shows."""
    trusted: int
    """As far as it is trusted: by this time things are purged, trimmed and ended."""


@write(
    "org.clock_confirm",
    scope="admin",
    words="time jumped, server clock",
    people="session",
    elevated=True,
    emits=[OrgClockConfirmed],
    example={},
)
def clock_confirm(tx: Write, args: Empty) -> OrgClock:
    """Say that the clock is right, where it went ahead by more than an hour. For admins, with elevation.

    After such a step nothing is purged, trimmed or ended by it until it has lasted for a day in which the server ran.
    """
    before = clock_state.stored(tx)
    tx.trusted_time.confirm()
    clock_state.keep(tx)
    if before is not None and before.steps:
        ahead_s = sum(step.ahead_s for step in before.steps)
        tx.emit(OrgClockConfirmed(subject="org:1", payload={"ahead_s": ahead_s}))
    return OrgClock(now=tx.now, trusted=tx.trusted_now)


def _is_due(tx: Read) -> bool:
    before, found = clock_state.stored(tx), tx.trusted_time.state()
    return before is None or found.shown - before.shown >= STEP_S or _ahead(before) != _ahead(found)


def _keep(tx: Write) -> None:
    before = clock_state.stored(tx)
    clock_state.keep(tx)
    known = _ahead(before) if before is not None else []
    for ahead_s in _ahead(tx.trusted_time.state()):
        if ahead_s not in known and ahead_s >= _TOLD_S:
            log.warning("the clock went ahead by %d s: nothing is ended by it for a day", ahead_s)
            tx.emit(OrgClockStepped(subject="org:1", payload={"ahead_s": ahead_s}))


def _ahead(state: ClockState) -> list[int]:
    return [step.ahead_s for step in state.steps]


KEEP = Schedule(name="org.clock", home=__name__, every_s=10, run=_keep, due=_is_due, on_time=True)
