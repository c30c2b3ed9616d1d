"""Projects as the query language asks for them."""

from collections.abc import Iterator
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFrame,
    QueryFunction,
    QuerySource,
    Rows,
    TableNames,
    TextColumn,
    several,
)
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing
from kbwork.tql.sources import person


def _labels(frame: QueryFrame, row: str) -> Rows:
    holder, label = frame.row("p"), frame.row("l")
    tables = (
        f"project {holder}, json_each({holder}.labels) {holder}s join label {label}"
        f" on {label}.name_key = folded({holder}s.value)"
    )
    order = f"{label}.name_key, {label}.id"
    return Rows(f"{label}.id", tables, f"{row}.id", f"{holder}.id", order=order)


def _text(column: str) -> TextColumn:
    return TextColumn("p.id", f"p.{column}", "project p")


_STARRED = (
    "exists (select 1 from project_key {row}k join star {row}s on {row}s.subject = 'project:' || {row}k.key"
    " where {row}k.project = {row}.id and {row}s.member = :kb_me)"
)
PROJECTS = QuerySource(
    home=__name__,
    name="projects",
    table="project",
    row="p",
    seen=access.SEEN,
    scope="projects:read",
    defaults="key name kind lead visibility label health start due archived_at created",
    subject="project:key",
    flags={
        "mine": "{row}.lead = :kb_me",
        "archived": "{row}.archived_at is not null",
        "starred": _STARRED,
        "watched": "0",
    },
    fields=(
        QueryField(
            field=FieldDef("key", FieldKind.NAME, domain="project"),
            sql="{row}.id",
            order="(select y.key from project y where y.id = {0})",
        ),
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(field=FieldDef("text", FieldKind.TEXT), texts=(_text("name"), _text("description"))),
        QueryField(field=FieldDef("kind", FieldKind.NAME), sql="{row}.kind"),
        QueryField(field=FieldDef("visibility", FieldKind.NAME), sql="{row}.visibility"),
        QueryField(field=FieldDef("health", FieldKind.NAME), sql="null"),
        QueryField(field=person("lead"), sql="{row}.lead"),
        QueryField(
            field=FieldDef("label", FieldKind.NAME, many=True, domain="label", aliases=("labels",)),
            sql=_labels,
        ),
        QueryField(field=FieldDef("start", FieldKind.DAY), sql="{row}.start_date"),
        QueryField(field=FieldDef("due", FieldKind.DAY), sql="{row}.due_date"),
        QueryField(field=FieldDef("archived_at", FieldKind.TIME), sql="{row}.archived_at"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
    ),
)


def _projects(tx: Read, _rest: str = "") -> Iterator[NamedThing]:
    """With their former keys; the archived ones too."""
    sight = visibility.binds(tx)
    former: dict[int, list[str]] = {}
    for row in tx.all(
        f"select k.project, k.key from project_key k join project p on p.id = k.project"
        f" where k.key <> p.key and {access.SEEN} order by k.key",
        **sight,
    ):
        former.setdefault(row["project"], []).append(row["key"])
    for row in tx.all(
        f"select p.id, p.key, p.name from project p where {access.SEEN} order by p.key", **sight
    ):
        old = tuple(former.get(row["id"], ()))
        yield NamedThing(str(row["id"]), row["name"], key=row["key"], former=old)


def _shown(tx: Read, _rest: str, ident: str) -> str | None:
    known: dict[str, str] = tx.memoized(
        "tql project keys", lambda: {one.id: one.key for one in _projects(tx)}
    )
    return known.get(ident)


PROJECT = QueryDomain(
    home=__name__,
    name="project",
    some=_projects,
    seldom=True,
    shown=_shown,
    ranks=TableNames("project", "key").ranks,
)


def _lead_of(tx: Read, project: Any) -> list[str]:
    """The lead of a project, else those who have the role there."""
    found: list[str] = []
    for one in several(project):
        lead = tx.value(
            f"select p.lead from project p where p.id = :id and {access.SEEN}",
            id=int(one),
            **visibility.binds(tx),
        )
        leads = tx.column(
            "select who from project_member where project = :id and role = 'lead' and who not like 'team:%'",
            id=int(one),
        )
        found += [lead] if lead else leads
    return found


LEAD_OF = QueryFunction(home=__name__, name="leadOf", call=_lead_of, scope="projects:read")
