"""Whether the clock is right, as the doctor asks."""

from collections.abc import Iterator

from kbwork.core import clock_state
from kbwork.core.data_check import DataCheck, Finding, shown
from kbwork.db.tx import Read

_HOUR_S = 3600


def _clock(tx: Read) -> Iterator[Finding]:
    found = clock_state.stored(tx)
    if found is None:
        return
    if tx.now < found.shown - _HOUR_S:
        yield Finding(
            "clock",
            False,
            f"the clock shows {shown(tx.now)}, and has shown {shown(found.shown)}: set it right",
        )
    elif found.steps:
        hours = sum(step.ahead_s for step in found.steps) // _HOUR_S
        yield Finding(
            "clock",
            False,
            f"the clock went ahead by {hours} hours while no time passed, so nothing is purged for a day: if it is"
            " right, `kbwork org clock-confirm` ends the wait",
        )
    else:
        yield Finding("clock", True, f"the clock shows {shown(tx.now)} and took no step")


CLOCK = DataCheck(home=__name__, look=_clock)
