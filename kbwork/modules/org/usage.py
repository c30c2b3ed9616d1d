"""How much the org is used, month by month."""

import datetime
from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read
from kbwork.modules.org.model import Usage, UsageKey, UsageMonth


class OrgUsage(Input):
    months: Annotated[Int, Field(ge=1, le=36)] | None = 3
    """The present month and those before it."""


@write(
    "org.usage",
    scope="admin",
    words="usage, how many api calls, limits, statistics of the org, storage, active users, cost",
    example={"months": 3},
)
def usage(tx: Read, args: OrgUsage) -> Usage:
    """Look at the use of the org by month, newest first, and at the calls of each key over these months. For admins.

    `machine_calls` are calls of keys and agents, written down once a minute; calls of people are not counted. `people`
    are the active members of today who were there in that month. `storage_bytes` is known for the present month only.
    `flag_evaluations` and `flag_events` are what the flag service was asked and sent by programs: an upload counts as
    100 events at least, one that comes twice once. There is no allowance: `limits` is empty.
    """
    months = _months(tx.now, args.months or 3)
    return Usage(
        months=[_month(tx, month, months[0]) for month in months], limits={}, by_key=_by_key(tx, months)
    )


def _months(now: int, count: int) -> list[str]:
    """`YYYY-MM` of this month and those before, newest first."""
    today = datetime.datetime.fromtimestamp(now, datetime.UTC)
    found = [today.year * 12 + today.month - 1 - back for back in range(count)]
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in found]


def _month(tx: Read, month: str, present: str) -> UsageMonth:
    year, number = int(month[:4]), int(month[5:])
    following = datetime.datetime(year + number // 12, number % 12 + 1, 1, tzinfo=datetime.UTC)
    calls = tx.value("select coalesce(sum(calls), 0) from key_calls where month = :month", month=month)
    agents = tx.value(
        "select count(distinct k.agent) from key_calls c join key k on k.id = c.key"
        " where c.month = :month and k.kind = 'agent'",
        month=month,
    )
    people = tx.value(
        "select count(*) from member where state = 'active' and created_at < :end",
        end=int(following.timestamp()),
    )
    flags = tx.one("select evaluations, events from flag_usage where month = :month", month=month)
    size = tx.value("select page_count * page_size from pragma_page_count(), pragma_page_size()")
    return UsageMonth(
        month=month,
        machine_calls=calls,
        people=people,
        agents=agents,
        ai_tokens=0,
        mails=0,
        storage_bytes=size if month == present else 0,
        flag_evaluations=flags["evaluations"] if flags is not None else 0,
        flag_events=flags["events"] if flags is not None else 0,
    )


def _by_key(tx: Read, months: list[str]) -> list[UsageKey]:
    rows = tx.all(
        "select c.key, coalesce(k.name, '') as name, sum(c.calls) as calls from key_calls c"
        " left join key k on k.id = c.key where c.month between :oldest and :newest"
        " group by c.key order by calls desc, c.key limit 1000",
        oldest=months[-1],
        newest=months[0],
    )
    return [UsageKey(key=row["key"], name=row["name"], calls=row["calls"]) for row in rows]
