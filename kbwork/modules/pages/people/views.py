"""How often a page was opened: noted by who reads it, and told as numbers."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.jobs.noted import NotedReads
from kbwork.core.operations.declare import read
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages import access
from kbwork.modules.pages.model import PageRef
from kbwork.modules.pages.people import visits

KEPT_DAYS = 90
_NAME = "page visits"
_SLICE = 1000


class PagesViews(Input):
    id: PageRef
    days: Annotated[Int, Field(ge=1, le=KEPT_DAYS)] | None = None
    """So many days, today among them; 30 unless given."""


class PageViews(TypedDict):
    """How often a page was opened. Who opened it is told to nobody."""

    views: int
    """How often, once for each person and day."""
    people: int
    """How many people opened it."""
    daily: list[int]
    """How often on each day, the oldest first, today last; days begin in UTC."""


@read(
    "pages.views",
    scope="pages:read",
    words="how often is a page read, page views, is this article read at all, visits of a page, popular documents",
    example={"id": "HAND/welcome", "days": 30},
)
def views(tx: Read, args: PagesViews) -> PageViews:
    """Say how often a page was opened, by people in the web app: each counts once a day, drafts and agents do not.

    What was opened a moment ago is counted within a minute or two. 90 days are kept.
    """
    row = access.page(tx, args.id)
    days = args.days or visits.COUNTED_DAYS
    first = visits.first_day(tx, days)
    held = dict(
        tx.tuples(
            "select day, count(*) from page_visit where page = :page and day >= :first group by day",
            page=row["id"],
            first=first,
        )
    )
    people = tx.value(
        "select count(distinct who) from page_visit where page = :page and day >= :first",
        page=row["id"],
        first=first,
    )
    daily = [held.get(first + day, 0) for day in range(days)]
    return PageViews(views=sum(daily), people=people, daily=daily)


def opened(tx: Read, row: PageRow) -> None:
    """Note that the caller looks at what readers see of a page, if they are one of the people."""
    caller = tx.caller
    if caller.kind == "human" and caller.member is not None and row["state"] == "published":
        tx.note(_NAME, (row["id"], tx.now // visits.DAY_S, caller.member))


def _write(tx: Write, found: list[tuple[int, int, str]]) -> None:
    for page, day, who in found:
        tx.execute(
            "insert or ignore into page_visit (page, day, who) select p.id, :day, m.id from page p, member m"
            " where p.id = :page and m.id = :who and m.state = 'active'",
            page=page,
            day=day,
            who=who,
        )
        tx.execute(
            "insert into page_opened (page, day) select id, :day from page where id = :page"
            " on conflict (page) do update set day = max(day, excluded.day)",
            page=page,
            day=day,
        )


VISITS = NotedReads(home=__name__, name=_NAME, write=_write)


def _any_old(tx: Read) -> bool:
    before = visits.first_day(tx, KEPT_DAYS)
    return tx.one("select 1 from page_visit where day < :before limit 1", before=before) is not None


def _forget(tx: Write) -> None:
    tx.execute(
        "delete from page_visit where (page, day, who) in"
        " (select page, day, who from page_visit where day < :before limit :most)",
        before=visits.first_day(tx, KEPT_DAYS),
        most=_SLICE,
    )


FORGET = Schedule(name="pages.forget_visits", home=__name__, every_s=60, run=_forget, due=_any_old)
