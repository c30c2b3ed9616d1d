"""Whether backups are taken, as the doctor asks."""

from collections.abc import Iterator

from kbwork.core import org_settings
from kbwork.core.data_check import DAY_S, DataCheck, Finding, shown
from kbwork.db.tx import Read
from kbwork.modules.backups import creation

_LATE_S = {"hourly": 2 * 3600, "daily": 2 * DAY_S, "weekly": 8 * DAY_S, "off": 8 * DAY_S}
"""So old is the last one at most: one may be missed, or be under way."""


def _look(tx: Read) -> Iterator[Finding]:
    began = org_settings.get(tx, "org.created_at")
    if not began:
        return
    row = tx.one("select every, last_error from backup_schedule")
    every = row["every"] if row is not None else "off"
    last = creation.last_success(tx)
    when = f"the last backup was taken at {shown(last)}" if last else "no backup was taken yet"
    if row is not None and row["last_error"]:
        yield Finding("backups", False, f"{when}; the schedule's last one failed: {row['last_error']}")
    elif tx.now - max(last, began) > _LATE_S[every]:
        by = (
            "is the server running?"
            if every != "off"
            else "`kbwork backups schedule-set --every daily` takes them"
        )
        yield Finding("backups", False, f"{when}: {by}")
    else:
        yield Finding("backups", True, f"{when}; the schedule is {every}")


HEALTH = DataCheck(home=__name__, look=_look)
