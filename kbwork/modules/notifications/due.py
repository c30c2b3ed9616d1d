"""Dates that are near or past: each who has an issue is told of one once.

It is looked at each quarter of an hour: the day begins where they are, and they are told at the hour of their digest.
"""

import datetime
import json
import zoneinfo

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.jobs.chores import Chore
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.notifications import entries, preferences
from kbwork.modules.notifications.entries import KeptEvent, Notice
from kbwork.modules.notifications.follow import follower

LAST_LOOK = "notifications.due"
_EVERY_S = 900
_AT_ONCE = 200
_LATE_DAYS = 7
"""So long after a date one is told that it has passed, where the server was down."""
_FOUND = f"""
select i.id as issue, i.due_date, m.id as member, d.value as ahead
from json_each(:zones) z
cross join member m on coalesce(m.zone, :zone) = z.value ->> 'zone' and m.state = 'active'
left join notification_setting s on s.member = m.id
cross join json_each(coalesce(s.due_before, :usual)) d
cross join issue_assignee a on a.who = m.id
cross join issue i on i.id = a.issue and i.due_date is not null and i.category <> 'done' and i.archived_at is null
  and i.deleted_at is null
where z.value ->> 'minute' >= coalesce(s.digest_minute, :morning)
  and case when d.value < 0
    then i.due_date between date(z.value ->> 'today', '-{_LATE_DAYS} days') and date(z.value ->> 'today', '-1 days')
    else i.due_date = date(z.value ->> 'today', '+' || d.value || ' days') end
  and not exists (
    select 1 from notification_due t
    where t.issue = i.id and t.member = m.id and t.due_date = i.due_date and t.ahead = d.value
  )
limit {_AT_ONCE}
"""


@dataclass(frozen=True, slots=True)
class NearDates:
    """Dates that are to be told; `slot` is the quarter of an hour that is done with them, where there are no more."""

    rows: list[Row]
    notices: list[Notice]
    slot: int | None


def look(tx: Read) -> NearDates | None:
    """The next dates; None in a quarter of an hour that is done."""
    slot = tx.now // _EVERY_S
    if tx.value("select value from counter where name = :name", name=LAST_LOOK) == slot:
        return None
    rows = [] if org_settings.module_off(tx, "notifications") else tx.all(_FOUND, **_binds(tx))
    told = [notice for row in rows for notice in _notices(tx, row)]
    return NearDates(rows, told, slot if len(rows) < _AT_ONCE else None)


def _binds(tx: Read) -> Row:
    org = str(org_settings.get(tx, "org.zone") or "UTC")
    zones = {org, *tx.column("select distinct zone from member where zone is not null and state = 'active'")}
    return {
        "zones": json.dumps([_day(tx.now, zone) for zone in sorted(zones)]),
        "zone": org,
        "usual": json.dumps(preferences.with_late(preferences.USUAL_DUE_BEFORE)),
        "morning": preferences.MORNING,
    }


def _day(now: int, zone: str) -> Row:
    local = datetime.datetime.fromtimestamp(now, zoneinfo.ZoneInfo(zone))
    return {"zone": zone, "today": local.date().isoformat(), "minute": local.hour * 60 + local.minute}


def _notices(tx: Read, row: Row) -> list[Notice]:
    """For who sees the issue still."""
    subject, member = f"issue:{row['issue']}", row["member"]
    if visibility.find(visibility.as_member(tx, member), subject) is None:
        return []
    day = f"{row['due_date']}/{row['ahead']}"
    event = KeptEvent(seq=None, kind="issue.due", reason="due", at=tx.now, mail=False, day=day)
    return list(follower.notices(tx, (member, member), subject, event))


def write(tx: Write, found: NearDates) -> None:
    """Each is told once, whatever became of the telling."""
    fresh = set()
    for row in found.rows:
        if tx.execute(
            "insert or ignore into notification_due (issue, member, due_date, ahead)"
            " values (:issue, :member, :due_date, :ahead)",
            **row,
        ):
            fresh.add((f"issue:{row['issue']}", row["member"]))
    told = [notice for notice in found.notices if (notice.subject, notice.who) in fresh]
    for notice in told:
        entries.note(tx, notice)
    entries.make_room(tx, {notice.who for notice in told})
    entries.changed(tx, {notice.who for notice in told})
    if found.slot is not None:
        tx.execute(
            "insert into counter (name, value) values (:name, :slot)"
            " on conflict (name) do update set value = :slot",
            name=LAST_LOOK,
            slot=found.slot,
        )


DUE = Chore(
    name="notifications.due", home=__name__, look=look, write=write, can_wait=lambda found: not found.rows
)
