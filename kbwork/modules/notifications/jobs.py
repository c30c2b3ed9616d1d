"""What time does to inboxes: what slept wakes, and what is old goes."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.notifications import entries

_DAY_S = 86400
READ_KEPT_S = 90 * _DAY_S
KEPT_S = 180 * _DAY_S
DUE_KEPT_DAYS = 90
_AT_ONCE = 500
_ASLEEP = "snoozed_until <= :now"
_OLD = "at < :old or (at < :read and state <> 'unread')"


def _any_wakes(tx: Read) -> bool:
    return tx.value(f"select 1 from notification where {_ASLEEP} limit 1", now=tx.now) is not None


def _wake(tx: Write) -> None:
    """Those whose time came are unread without more being said; streams of their owners tell it."""
    rows = tx.all(f"select id, who from notification where {_ASLEEP} limit {_AT_ONCE}", now=tx.now)
    tx.execute(
        "update notification set snoozed_until = null where id in (select value from json_each(:ids))",
        ids=json_array(row["id"] for row in rows),
    )
    entries.changed(tx, {row["who"] for row in rows})


WAKE = Schedule(name="notifications.wake", home=__name__, every_s=1, run=_wake, due=_any_wakes, on_time=True)


def _any_old(tx: Read) -> bool:
    return tx.value(
        f"select 1 from notification where {_OLD} limit 1", **_before(tx)
    ) is not None or _told_days(tx)


def _told_days(tx: Read) -> bool:
    found = tx.value(f"select 1 from notification_due where {_LONG_AGO} limit 1", now=tx.now, days=_AGO)
    return found is not None


def _before(tx: Read) -> dict[str, int]:
    return {"old": tx.now - KEPT_S, "read": tx.now - READ_KEPT_S}


def _sweep(tx: Write) -> None:
    tx.execute(
        f"delete from notification where id in (select id from notification where {_OLD} order by at limit {_AT_ONCE})",
        **_before(tx),
    )
    tx.execute(
        "delete from notification_due where (issue, member, due_date, ahead) in (select issue, member, due_date, ahead"
        f" from notification_due where {_LONG_AGO} limit {_AT_ONCE})",
        now=tx.now,
        days=_AGO,
    )


_AGO = f"-{DUE_KEPT_DAYS} days"
_LONG_AGO = "due_date < date(:now, 'unixepoch', :days)"
SWEEP = Schedule(name="notifications.sweep", home=__name__, every_s=600, run=_sweep, due=_any_old)
