"""Sprints that make themselves, week after week, of a team or of a project."""

import datetime
import re
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Id, Input, Int, Text
from kbwork.core import named, zones
from kbwork.core.operations.declare import write
from kbwork.db.rows import SprintCadenceRow, SprintRow
from kbwork.db.tx import Read, Write
from kbwork.modules import teams
from kbwork.modules.projects import access as projects
from kbwork.modules.sprints import access, ops, queries
from kbwork.modules.sprints.model import Carry, Sprint, SprintCreated

STANDS = "the cadence stands: set another, or end it with `weeks` 0"
_NUMBERED = re.compile(r"(.*?)(\d{1,9})")
_OF = (
    "s.deleted_at is null and iif(:team is null, s.team is null and exists"
    " (select 1 from sprint_project sp where sp.sprint = s.id and sp.project = :project), s.team = :team)"
)


class SprintsCadenceSet(Input):
    team: Id | None = None
    """Id of the team whose sprints they are; one of the two."""
    project: Text | None = None
    """Key of the project whose sprints they are."""
    weeks: Annotated[Int, Field(ge=0, le=26)]
    """How many weeks each takes; 0 ends it, and the sprints that are there stay."""
    starts_on: Annotated[Int, Field(ge=0, le=6)]
    """The day of the week on which each starts: 0 is Sunday, 1 Monday."""
    ahead: Annotated[Int, Field(ge=1, le=12)] | None = None
    """How many planned ones there always are; 1 unless given."""
    auto_start: bool | None = None
    """Whether each starts by itself on its first day; not unless given."""
    auto_complete: bool | None = None
    """Whether each is completed by itself when its last day is over; not unless given."""
    carry: Carry | None = None
    """Where unfinished issues go then: to the `next` planned one, or to the `backlog`; `next` unless given."""


@write(
    "sprints.cadence_set",
    scope="sprints:write",
    words="automatic sprints, recurring sprints, two week sprints, sprint every two weeks, cycle cadence, iterations",
    emits=[SprintCreated],
    undo=STANDS,
    example={"project": "WEB", "weeks": 2, "starts_on": 1, "ahead": 2, "auto_start": True},
)
def cadence_set(tx: Write, args: SprintsCadenceSet) -> list[Sprint]:
    """Have sprints of a team or a project made by themselves; answers the planned ones.

    Each begins on the day of the week behind the last one, and is called as that with the next number. Days are those
    of the org's zone. Leads of the team set it, or members and leads of the project (403). What is not given is as it
    was, or as said there. One whose sprint cannot start since another is active waits for that.
    """
    team, project = _whose(tx, args)
    row = find(tx, team, project)
    if args.weeks == 0:
        if row is not None:
            tx.execute("update sprint set cadence = null where cadence = :id", id=row["id"])
            tx.execute("delete from sprint_cadence where id = :id", id=row["id"])
    else:
        _save(tx, args, team, project, row)
        made = find(tx, team, project)
        assert made is not None
        fill(tx, made)
    planned = [one for one in of(tx, team, project) if one["state"] == "planned"]
    return queries.shown(tx, planned)


def find(tx: Read, team: int | None, project: int | None) -> SprintCadenceRow | None:
    """The cadence of a team or a project."""
    return tx.one(
        "select * from sprint_cadence where team is :team and project is :project",
        SprintCadenceRow,
        team=team,
        project=project,
    )


def of(tx: Read, team: int | None, project: int | None) -> list[SprintRow]:
    """The sprints of a team or a project, in the order of their days."""
    return tx.all(
        f"select s.* from sprint s where {_OF} order by coalesce(s.start_date, '9999'), s.id",
        SprintRow,
        team=team,
        project=project,
    )


def fill(tx: Write, row: SprintCadenceRow) -> None:
    """Make the planned sprints that are wanting."""
    found = of(tx, row["team"], row["project"])
    for _ in range(wanting(tx, row)):
        last = max((one["end_date"] for one in found if one["end_date"] is not None), default="")
        start = _next_start(row, max(today(tx), _behind(last)))
        end = start + datetime.timedelta(days=7 * row["weeks"] - 1)
        latest = max(found, key=lambda one: one["id"], default=None)
        ident = ops.insert(
            tx,
            _projects(tx, row, latest),
            name=_name(latest),
            team=row["team"],
            goal="",
            start_date=start.isoformat(),
            end_date=end.isoformat(),
            cadence=row["id"],
            created_by=row["made_by"],
        )
        made = tx.stored("sprint", [ident])
        assert made is not None
        found.append(made)


def wanting(tx: Read, row: SprintCadenceRow) -> int:
    """How many planned ones there are to be made."""
    there = tx.value(
        "select count(*) from sprint where cadence = :id and state = 'planned' and deleted_at is null",
        id=row["id"],
    )
    return max(0, int(row["ahead"]) - int(there))


def today(tx: Read) -> datetime.date:
    """The present day in the org's zone."""
    return datetime.datetime.fromtimestamp(tx.now, zones.of_org(tx)).date()


def _behind(day: str) -> datetime.date:
    return datetime.date.fromisoformat(day) + datetime.timedelta(days=1) if day else datetime.date.min


def _next_start(row: SprintCadenceRow, earliest: datetime.date) -> datetime.date:
    return earliest + datetime.timedelta(days=(row["starts_on"] - earliest.isoweekday()) % 7)


def _name(latest: SprintRow | None) -> str:
    """As the latest one, with the next number."""
    if latest is None:
        return "Sprint 1"
    numbered = _NUMBERED.fullmatch(latest["name"])
    return f"{numbered[1]}{int(numbered[2]) + 1}" if numbered else f"{latest['name'][:490]} 2"


def _projects(tx: Read, row: SprintCadenceRow, latest: SprintRow | None) -> list[int]:
    """A team's are of the projects that its latest one is of."""
    if row["project"] is not None:
        return [row["project"]]
    return access.projects_of(tx, latest["id"]) if latest is not None else []


def _whose(tx: Read, args: SprintsCadenceSet) -> tuple[int | None, int | None]:
    """(team, project), of which one is there, and whose sprints the caller keeps."""
    if (args.team is None) == (args.project is None):
        raise InvalidInput("Name a team or a project, one of the two.", field="team")
    if args.team is not None:
        row = named.seen(teams.seen(tx, args.team), "team", args.team, "teams.list", field="team")
        if tx.caller.projects is not None or not teams.leads(tx, args.team):
            raise NotAllowed(f"The cadence of {row['name']} is set by its leads and by admins.")
        return args.team, None
    assert args.project is not None
    project = projects.project(tx, args.project)
    if tx.caller.guest or not projects.at_least(tx, project["id"], "member"):
        raise NotAllowed(f"The cadence of {project['key']} is set by its members and leads.")
    projects.require_open(project)
    return None, project["id"]


def _save(
    tx: Write, args: SprintsCadenceSet, team: int | None, project: int | None, row: SprintCadenceRow | None
) -> None:
    had: dict[str, Any] = dict(row or {"ahead": 1, "auto_start": 0, "auto_complete": 0, "carry": "next"})
    columns = {
        "team": team,
        "project": project,
        "weeks": args.weeks,
        "starts_on": args.starts_on,
        "ahead": args.ahead if args.ahead is not None else had["ahead"],
        "auto_start": int(args.auto_start) if args.auto_start is not None else had["auto_start"],
        "auto_complete": int(args.auto_complete) if args.auto_complete is not None else had["auto_complete"],
        "carry": args.carry or had["carry"],
        "made_by": tx.caller.me(),
    }
    if row is not None:
        sets = ", ".join(f"{name} = :{name}" for name in columns)
        tx.execute(f"update sprint_cadence set {sets} where id = :id", id=row["id"], **columns)
        return
    names = ", ".join(columns)
    values = ", ".join(f":{name}" for name in columns)
    tx.execute(f"insert into sprint_cadence ({names}) values ({values})", **columns)
