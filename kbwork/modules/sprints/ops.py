"""Look at sprints, make and change one, put issues in and take them out, delete one."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Day, Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, Write, json_array, with_columns
from kbwork.modules import teams
from kbwork.modules.issues import preconditions
from kbwork.modules.issues import stored as stored_issue
from kbwork.modules.projects import access as projects
from kbwork.modules.sprints import access, queries, scope
from kbwork.modules.sprints.model import (
    Sprint,
    SprintCreated,
    SprintDeleted,
    SprintScopeChanged,
    SprintUpdated,
    State,
)

MOST_OPEN = 100
MOST_DAYS = 366
MOST_PROJECTS = 20


class SprintsList(Input):
    project: ProjectRef | None = None
    """Those of this project alone."""
    team: Id | None = None
    """Those of this team alone."""
    state: State | None = None
    """`planned`, `active` or `done` ones alone."""


@read(
    "sprints.list",
    scope="sprints:read",
    words="which sprints are there, iterations, cycles, current sprint, active sprint, next sprint, past sprints",
    threaded=True,
    example={"project": "WEB"},
)
def list_(tx: Read, args: SprintsList) -> list[Sprint]:
    """List sprints: the active ones, then the planned ones by their days, then the latest done.

    Counts are of the issues that you see.
    """
    project = projects.as_set_up(tx, args.project)["id"] if args.project else None
    if args.team is not None:
        _team(tx, args.team)
    return queries.shown(tx, queries.rows(tx, project=project, team=args.team, state=args.state))


class SprintsGet(Input):
    id: Id
    """Id of the sprint."""


@read(
    "sprints.get",
    scope="sprints:read",
    words="look at a sprint, how far is the sprint, sprint goal, progress of the sprint",
    example={"id": 2},
)
def get(tx: Read, args: SprintsGet) -> Sprint:
    """Look at a sprint, with counts of the issues that you see. `issues.list` with `sprint` lists them."""
    return queries.shown(tx, [access.get(tx, args.id)])[0]


class SprintsCreate(Input):
    name: Name
    """What people choose it by."""
    projects: Annotated[list[Text], Field(max_length=MOST_PROJECTS)] | None = None
    """Keys of the projects whose issues go in; left out: it is of its team alone."""
    team: Id | None = None
    """Id of its team; null: none."""
    goal: Text | None = None
    """What it is for."""
    start_date: Day | None = None
    """First day."""
    end_date: Day | None = None
    """Last day."""


@write(
    "sprints.create",
    scope="sprints:write",
    words="new sprint, plan a sprint, add an iteration, start a cycle, schedule a sprint",
    emits=[SprintCreated],
    example={
        "name": "Sprint 15",
        "projects": ["WEB"],
        "goal": "Checkout without an account",
        "start_date": "2027-03-01",
        "end_date": "2027-03-12",
    },
)
def create(tx: Write, args: SprintsCreate) -> Sprint:
    """Make a planned sprint of one or more projects, of a team, or of both.

    Members and leads of all the projects named make one, and leads of the team; it is not of archived projects (409).
    One that names neither projects nor team is 422, as is an end before the start. 100 planned or active sprints of
    one project or team are the most (409).
    """
    held = [projects.project(tx, key) for key in dict.fromkeys(args.projects or [])]
    if not held and args.team is None:
        raise InvalidInput("A sprint is of projects or of a team: name one.", field="projects")
    if args.team is not None:
        team = _team(tx, args.team)
        if not held and not (tx.caller.projects is None and teams.leads(tx, args.team)):
            raise NotAllowed(
                f"Sprints of {team} are made by its leads and by admins: ask one, or name projects."
            )
    for project in held:
        projects.require_open(project)
        if tx.caller.guest or not projects.at_least(tx, project["id"], "member"):
            raise NotAllowed(f"Sprints of {project['key']} are made by its members and leads.")
    require_days_fit(args.start_date, args.end_date)
    idents = list(dict.fromkeys(project["id"] for project in held))
    require_room(tx, args.team, idents)
    ident = insert(
        tx,
        idents,
        name=args.name,
        team=args.team,
        goal=args.goal or "",
        start_date=args.start_date,
        end_date=args.end_date,
    )
    return queries.one(tx, ident)


class SprintsUpdate(Input):
    id: Id
    """Id of the sprint."""
    name: Name | None = None
    """What people choose it by."""
    goal: Text | None = None
    """An empty text clears it."""
    start_date: Day | None = None
    """First day; null: it stays."""
    end_date: Day | None = None
    """Last day; null: it stays."""
    retro: Text | None = None
    """Id of the page that looks back on it; null: none."""


@write(
    "sprints.update",
    scope="sprints:write",
    words="rename a sprint, sprint goal, extend a sprint, change the dates of a sprint, retrospective page",
    emits=[SprintUpdated],
    example={"id": 2, "goal": "Vouchers that survive a sign-in"},
)
def update(tx: Write, args: SprintsUpdate) -> Sprint:
    """Change a sprint: fields that are not named stay, and null clears `retro`.

    Members and leads of one of its projects do, and leads of its team (403). A change that changes nothing is no event.
    """
    row = access.kept(tx, args.id)
    columns = args.filled("name", "goal", "start_date", "end_date")
    after = {**row, **columns}
    require_days_fit(after["start_date"], after["end_date"])
    if args.given("retro"):
        columns["retro"] = _page(tx, args.retro)
    change(tx, row, columns)
    return queries.one(tx, row["id"])


class SprintsAdd(Input):
    id: Id
    """Id of the sprint."""
    keys: Annotated[list[Text], Field(min_length=1, max_length=scope.MOST)]
    """Issues to put in, by key."""
    keep_old: bool | None = None
    """Whether the sprint that they leave stays among their former ones (`past_sprints`); a done one does anyway."""


@write(
    "sprints.add",
    scope="sprints:write",
    words="put issues into a sprint, pull into the sprint, commit to, plan issues, move to the next sprint",
    emits=[SprintScopeChanged],
    example={"id": 2, "keys": ["WEB-1", "WEB-2"]},
)
def add(tx: Write, args: SprintsAdd) -> Sprint:
    """Put issues into a planned or active sprint; each leaves the one that it was in. All go in or none.

    You keep the sprint and may change each issue (403); they are of its projects (422). What comes into an active one
    or leaves it is told as a change of its scope. A sprint holds 1,000 issues at most (409).
    """
    row = access.kept(tx, args.id)
    found = _issues(tx, args.keys)
    coming = [issue for issue in found if issue["sprint"] != row["id"]]
    for project in dict.fromkeys(issue["project"] for issue in coming):
        scope.require_takes(tx, row, project, "keys")
    scope.require_fits(tx, row, len(coming))
    former = [(issue["id"], issue["sprint"]) for issue in coming if issue["sprint"] is not None]
    scope.put(tx, coming, row["id"])
    for issue, sprint in former if args.keep_old else []:
        if tx.stored("sprint_past", [issue, sprint]) is None:
            tx.insert("sprint_past", issue=issue, sprint=sprint)
    return queries.one(tx, row["id"])


class SprintsRemove(Input):
    id: Id
    """Id of the sprint."""
    keys: Annotated[list[Text], Field(min_length=1, max_length=scope.MOST)]
    """Issues to take out, by key."""


@write(
    "sprints.remove",
    scope="sprints:write",
    words="take issues out of the sprint, back to the backlog, drop from the sprint, descope",
    emits=[SprintScopeChanged],
    example={"id": 2, "keys": ["WEB-6"]},
)
def remove(tx: Write, args: SprintsRemove) -> Sprint:
    """Take issues out of a sprint; those that are not in it are left as they are. They are in no sprint then.

    You keep the sprint and may change each issue (403). What leaves an active one is told as a change of its scope.
    """
    row = access.kept(tx, args.id)
    scope.put(tx, [one for one in _issues(tx, args.keys) if one["sprint"] == row["id"]], None)
    return queries.one(tx, row["id"])


class SprintsDelete(Input):
    id: Id
    """Id of the sprint."""


@destructive(
    "sprints.delete",
    scope="sprints:write",
    words="remove a sprint, cancel a sprint, delete an iteration",
    emits=[SprintDeleted],
    example={"id": 3},
)
def delete(tx: Write, args: SprintsDelete) -> list[Sprint]:
    """Delete a sprint; answers those left. Its issues go back to the backlog; undo brings it back with them.

    Members and leads of one of its projects do, and leads of its team (403).
    """
    row = access.kept(tx, args.id)
    tx.update("sprint", row["id"], deleted_at=tx.now)
    scope.put(tx, issues_in(tx, row["id"]), None)
    let_go(tx, row["id"], "deleted_at is not null")
    for issue in tx.column("select issue from sprint_past where sprint = :id order by issue", id=row["id"]):
        tx.delete("sprint_past", (issue, row["id"]))
    tx.emit(SprintDeleted(subject=f"sprint:{row['id']}", payload=told(row)))
    return queries.shown(tx, queries.rows(tx))


def insert(tx: Write, idents: list[int], **columns: Any) -> int:
    """Make a planned sprint of these projects and tell of it; answers its id."""
    row = {
        "name_key": folded(columns["name"]),
        "state": "planned",
        "capacity": "{}",
        "created_by": tx.caller.actor,
        "created_at": tx.now,
    } | columns
    ident = tx.insert("sprint", **row)
    for project in idents:
        tx.insert("sprint_project", sprint=ident, project=project)
    tx.emit(SprintCreated(subject=f"sprint:{ident}", payload=told(row)))
    return ident


def change(tx: Write, row: SprintRow, columns: Mapping[str, Any]) -> None:
    """Change columns of a sprint and tell of those that differ."""
    changed = named.diff(row, columns)
    if not changed:
        return
    after = with_columns(row, changed)
    tx.update("sprint", row["id"], **changed | {"name_key": folded(after["name"])})
    tx.emit(
        SprintUpdated(subject=f"sprint:{row['id']}", payload=told(after), changes=named.changes(row, changed))
    )


def told(row: Mapping[str, Any]) -> dict[str, Any]:
    """What every event of a sprint says."""
    return {"name": row["name"], "state": row["state"], "team": row["team"]}


def issues_in(tx: Read, sprint: int) -> list[IssueRow]:
    """What is in it, seen or not, without what lies in the trash."""
    return tx.all(
        "select * from issue where sprint = :id and deleted_at is null order by project, rank, id",
        IssueRow,
        id=sprint,
    )


def let_go(tx: Write, sprint: int, which: str) -> None:
    """Issues of it that nobody works on leave it, and nothing is told of that."""
    for issue in tx.column(f"select id from issue where sprint = :id and {which} order by id", id=sprint):
        tx.update("issue", issue, sprint=None)


def require_days_fit(start: str | None, end: str | None) -> None:
    """Raises InvalidInput for a sprint that ends before it starts, or takes more than a year."""
    if start is None or end is None:
        return
    if end < start:
        raise InvalidInput("A sprint cannot end before it starts.", field="end_date")
    if (datetime.date.fromisoformat(end) - datetime.date.fromisoformat(start)).days >= MOST_DAYS:
        raise InvalidInput(f"A sprint takes {MOST_DAYS} days at most.", field="end_date")


def require_room(tx: Read, team: int | None, idents: list[int]) -> None:
    """Raises Conflict where one of the projects, or the team, has as many open sprints as any may."""
    most = tx.value(
        "select max(n) from (select count(*) as n from sprint_project sp join sprint s on s.id = sp.sprint"
        " where sp.project in (select value from json_each(:ids)) and s.state <> 'done' and s.deleted_at is null"
        " group by sp.project union all"
        " select count(*) from sprint where team = :team and state <> 'done' and deleted_at is null)",
        ids=json_array(idents),
        team=team,
    )
    if (most or 0) >= MOST_OPEN:
        raise Conflict(
            f"A project or team has {MOST_OPEN} planned or active sprints at most: complete or delete one first."
        )


def _team(tx: Read, team: int) -> str:
    """The name of a team that the caller sees. Raises InvalidInput."""
    return str(named.seen(teams.seen(tx, team), "team", team, "teams.list", field="team")["name"])


def _page(tx: Read, ref: str | None) -> str | None:
    """The id of a page that the caller sees. Raises InvalidInput."""
    if not ref:
        return None
    named.seen(visibility.find(tx, f"page:{ref}"), "page", ref, field="retro")
    return ref


def _issues(tx: Read, keys: list[str]) -> list[IssueRow]:
    """The issues, each once, which the caller may change. Raises NotFound, NotAllowed or Conflict."""
    idents = dict.fromkeys(preconditions.changeable(tx, key)["id"] for key in keys)
    return [stored_issue(tx, ident) for ident in idents]
