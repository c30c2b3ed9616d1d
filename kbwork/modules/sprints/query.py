"""Sprints as the query language asks for them, and the sprint of an issue."""

from collections.abc import Iterator
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFields,
    QueryFrame,
    QueryFunction,
    QuerySource,
    Rows,
    TableNames,
    TextColumn,
    several,
)
from kbwork.core.things.former_names import former_names
from kbwork.db.rows import SprintRow
from kbwork.db.tx import Read
from kbwork.modules.sprints import access, queries
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing
from kbwork.tql.sources import choice

_CLOSED = 5


def _projects(frame: QueryFrame, row: str) -> Rows:
    side, far = frame.row("u"), frame.row("p")
    return Rows(
        f"{side}.project",
        f"sprint_project {side} join project {far} on {far}.id = {side}.project",
        f"{row}.id",
        f"{side}.sprint",
        frame.seen("projects", far),
        f"{far}.key",
    )


def _team(frame: QueryFrame, row: str) -> Rows:
    far = frame.row("t")
    return Rows(f"{far}.id", f"team {far}", f"{row}.team", f"{far}.id", frame.seen("teams", far))


def _of_issue(frame: QueryFrame, row: str) -> Rows:
    """Its sprint where the caller sees it."""
    far = frame.row("s")
    return Rows(f"{far}.id", f"sprint {far}", f"{row}.sprint", f"{far}.id", frame.seen("sprints", far))


def _text(column: str) -> TextColumn:
    return TextColumn("s.id", f"s.{column}", "sprint s")


SPRINTS = QuerySource(
    home=__name__,
    name="sprints",
    table="sprint",
    row="s",
    seen=access.SEEN,
    scope="sprints:read",
    module="sprints",
    domain="sprint",
    subject="sprint:id",
    defaults="name state project team start end",
    flags={"open": "{row}.state <> 'done'", "done": "{row}.state = 'done'"},
    fields=(
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(field=FieldDef("text", FieldKind.TEXT), texts=(_text("name"), _text("goal"))),
        QueryField(field=FieldDef("goal", FieldKind.TEXT), sql="nullif({row}.goal, '')"),
        QueryField(field=choice("state", "planned", "active", "done"), sql="{row}.state", certain=True),
        QueryField(
            field=FieldDef("project", FieldKind.NAME, many=True, domain="project", to="projects"),
            sql=_projects,
        ),
        QueryField(
            field=FieldDef("team", FieldKind.NAME, domain="team", to="teams"), sql=_team, step="{row}.team"
        ),
        QueryField(field=FieldDef("start", FieldKind.DAY), sql="{row}.start_date"),
        QueryField(field=FieldDef("end", FieldKind.DAY), sql="{row}.end_date"),
        QueryField(field=FieldDef("started", FieldKind.TIME), sql="{row}.started_at"),
        QueryField(field=FieldDef("completed", FieldKind.TIME), sql="{row}.completed_at"),
        QueryField(field=FieldDef("id", FieldKind.NUMBER), sql="{row}.id", certain=True),
    ),
)
OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=FieldDef(
                "sprint", FieldKind.NAME, domain="sprint", to="sprints", tracked=True, module="sprints"
            ),
            sql=_of_issue,
            step="{row}.sprint",
            history="sprint",
            counted="select count(*) from (select 1 from issue where sprint = :id limit :few)",
        ),
    ),
)


def _sprints(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """The active ones first, then the planned ones, then the latest done."""
    if not visibility.reads(tx, "sprint"):
        return
    former = former_names(tx, "sprint")
    for row in queries.rows(tx):
        yield NamedThing(str(row["id"]), row["name"], key=str(row["id"]), former=former.get(row["id"], ()))


_NAMES = TableNames("sprint")
SPRINT = QueryDomain(
    home=__name__,
    name="sprint",
    some=_sprints,
    scopes=frozenset({"issues:read", "sprints:read"}),
    shown=_NAMES.shown,
    ranks=_NAMES.ranks,
)


def _of_team(tx: Read, state: str, team: Any) -> list[SprintRow]:
    """The sprints in a state; of these teams, where one is named."""
    asked = several(team) if team is not None else ()
    return [row for row in queries.rows(tx, state=state) if not asked or str(row["team"]) in asked]


def _open(tx: Read, team: Any = None) -> list[str]:
    return [str(row["id"]) for row in _of_team(tx, "active", team)]


def _next(tx: Read, team: Any = None) -> list[str]:
    return _firsts(tx, _of_team(tx, "planned", team))


def _last(tx: Read, team: Any = None) -> list[str]:
    return _firsts(tx, _of_team(tx, "done", team))


def _firsts(tx: Read, rows: list[SprintRow]) -> list[str]:
    """The first of each team; of those without a team, of each set of projects."""
    found: dict[Any, str] = {}
    for row in rows:
        of = row["team"] if row["team"] is not None else tuple(access.projects_of(tx, row["id"]))
        found.setdefault(of, str(row["id"]))
    return list(found.values())


def _closed(tx: Read, number: Any = None) -> list[str]:
    most = int(number) if number is not None else _CLOSED
    return [str(row["id"]) for row in queries.rows(tx, state="done")[: max(0, most)]]


def _named(_tx: Read, sprint: Any) -> list[str]:
    return list(several(sprint))


OPEN_SPRINTS = QueryFunction(home=__name__, name="openSprints", call=_open, scope="sprints:read")
NEXT_SPRINT = QueryFunction(home=__name__, name="nextSprint", call=_next, scope="sprints:read")
LAST_SPRINT = QueryFunction(home=__name__, name="lastSprint", call=_last, scope="sprints:read")
CLOSED_SPRINTS = QueryFunction(home=__name__, name="closedSprints", call=_closed, scope="sprints:read")
NAMED_SPRINT = QueryFunction(home=__name__, name="sprint", call=_named, scope="sprints:read")
