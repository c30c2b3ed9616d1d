"""What is known of the clock, kept with the data: a server that starts must see that it was set while none ran."""

import json

from kbwork.base.clock import ClockState, ClockStep
from kbwork.core import org_settings
from kbwork.db.tx import Read, Write

_NAME = "org.clock"


def stored(tx: Read) -> ClockState | None:
    """As it was kept, or the time of the last event, whichever is later; None where nothing happened yet."""
    kept = org_settings.get(tx, _NAME)
    last: int | None = tx.value("select at from events order by seq desc limit 1")
    if kept is None:
        return ClockState(last, ()) if last is not None else None
    steps = tuple(ClockStep(*step) for step in kept["steps"])
    later = max(0, (last or 0) - kept["shown"])
    return ClockState(kept["shown"] + later, steps, kept.get("boot", ""), kept.get("passed", 0.0) + later)


def resume(tx: Read) -> None:
    """Go on from what was known when these data were served last."""
    before = stored(tx)
    if before is not None:
        tx.trusted_time.resume(before)


def keep(tx: Write) -> None:
    """Write down what is known now; it is nothing that anybody would undo."""
    found = tx.trusted_time.state()
    tx.execute(
        "insert into setting (name, value) values (:name, :value)"
        " on conflict (name) do update set value = excluded.value",
        name=_NAME,
        value=json.dumps(found._asdict()),
    )
