"""Who has how much to do on which day, beside what they said that they can."""

import datetime
from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Day, Id, Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read
from kbwork.modules.members import queries
from kbwork.modules.members.model import MemberWorkload, WorkloadDay
from kbwork.modules.members.ports import PlannedIssue, WorkPlan
from kbwork.modules.members.workload import spread

MOST_DAYS = 92
MOST_PEOPLE = 200
_A_TRIFLE = 1e-6
"""What sums of parts differ by from what they are parts of."""

Window = tuple[datetime.date, datetime.date]


class MembersWorkload(Input):
    from_: Day = Field(alias="from")
    """The first day."""
    to: Day
    """The last one; 92 days at most."""
    members: Annotated[list[Text], Field(min_length=1, max_length=MOST_PEOPLE)] | None = None
    """Member ids, `@handle`s, e-mail addresses or `me`; everybody who has something planned unless given."""
    team: Id | None = None
    """The members of this team alone."""
    unit: Literal["points", "hours", "issues"] | None = None
    """`points` and `hours` are what estimates say, whichever of them your team estimates in; `issues` counts how many
    are under way. Default `points`."""


@read(
    "members.workload",
    scope="members:read",
    words=(
        "who has too much to do, who is free, overloaded people, resource planning, capacity of people by day, "
        "who has time next week"
    ),
    threaded=True,
    example={"from": "2026-11-23", "to": "2026-11-29"},
)
def workload(tx: Read, args: MembersWorkload) -> list[MemberWorkload]:
    """List how much people have planned on each day from one to another, beside what they can.

    An open issue counts for whoever leads it, the first of its assignees: its estimate is spread evenly over the
    working days, Monday to Friday, from its start to its due date. A date that it lacks is that of its sprint; with one
    date alone it stands on that day, with none it is planned nowhere. What people can is the capacity that sprints say,
    spread likewise over the sprint's days; null where none says it, and with `issues`. `over`: more is planned on some
    day than they can. All is of the issues and sprints that you see.
    """
    window = _window(args)
    people = _people(tx, args)
    asked = list(people)
    planned: dict[str, list[PlannedIssue]] = {}
    held: dict[str, dict[datetime.date, float]] = {}
    for plan in tx.registry.of(WorkPlan):
        for issue in plan.issues(tx, asked, window):
            planned.setdefault(issue.member, []).append(issue)
        for can in plan.capacities(tx, asked, window) if args.unit != "issues" else ():
            _add(held.setdefault(can.member, {}), spread.shares(can.amount, can.span, window))
    named = args.members is not None or args.team is not None
    return [
        _of_one(who, planned.get(who, []), held.get(who), window, counting=args.unit == "issues")
        for who in people
        if named or who in planned or who in held
    ]


def _window(args: MembersWorkload) -> Window:
    first, last = (datetime.date.fromisoformat(day) for day in (args.from_, args.to))
    if last < first:
        raise InvalidInput("`to` is a day before `from`: give them the other way round.", field="to")
    if (last - first).days >= MOST_DAYS:
        raise InvalidInput(f"Ask for {MOST_DAYS} days at most: name a nearer day.", field="to")
    return first, last


def _people(tx: Read, args: MembersWorkload) -> dict[str, MemberRow]:
    """Who is asked about, by their ids, in the order of their names."""
    if args.members is not None:
        found = [queries.by_ref(tx, ref, field="members") for ref in args.members]
    else:
        found = tx.all(
            f"select m.* from member m where m.state = 'active' and {queries.MEMBER_SEEN}",
            MemberRow,
            **visibility.binds(tx),
        )
    if args.team is not None:
        within = set(_team(tx, args.team))
        found = [row for row in found if row["id"] in within]
    if args.members is None and args.team is None and len(found) > MOST_PEOPLE:
        raise InvalidInput(
            f"There are {len(found):,} people here: name a team, or {MOST_PEOPLE} of them at most.",
            field="team",
        )
    return {row["id"]: row for row in sorted(found, key=lambda row: (row["name"].casefold(), row["id"]))}


def _team(tx: Read, team: int) -> list[str]:
    """The members of a team. Raises InvalidInput where the caller sees none with this id."""
    seen = tx.one(
        f"select t.id from team t where t.id = :id and {queries.TEAM_SEEN}", id=team, **visibility.binds(tx)
    )
    if seen is None:
        raise InvalidInput(f"There is no team {team} that you can see: teams.list has them.", field="team")
    return tx.column("select member from team_member where team = :id", id=team)


def _of_one(
    who: str,
    issues: list[PlannedIssue],
    can: dict[datetime.date, float] | None,
    window: Window,
    *,
    counting: bool,
) -> MemberWorkload:
    planned: dict[datetime.date, float] = {}
    for issue in issues:
        part = spread.shares(issue.estimate or 0, issue.span, window)
        _add(planned, dict.fromkeys(part, 1.0) if counting else part)
    days = [
        WorkloadDay(
            date=day.isoformat(),
            planned=round(planned.get(day, 0), 2),
            capacity=round(can.get(day, 0), 2) if can is not None else None,
        )
        for day in spread.between(*window)
    ]
    over = can is not None and any(amount > can.get(day, 0) + _A_TRIFLE for day, amount in planned.items())
    return MemberWorkload(member=who, days=days, over=over, issues=[issue.key for issue in issues])


def _add(held: dict[datetime.date, float], more: dict[datetime.date, float]) -> None:
    for day, amount in more.items():
        held[day] = held.get(day, 0) + amount
