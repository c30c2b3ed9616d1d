"""Members as the query language asks for them."""

from collections.abc import Iterator

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
)
from kbwork.db.tx import Read
from kbwork.modules.members.queries import MEMBER_SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing
from kbwork.tql.sources import choice


def _teams(frame: QueryFrame, row: str) -> Rows:
    link, team = frame.row("u"), frame.row("t")
    tables = f"team_member {link} join team {team} on {team}.id = {link}.team"
    seen = frame.seen("teams", team)
    return Rows(f"{team}.id", tables, f"{row}.id", f"{link}.member", seen, f"{team}.name, {team}.id")


def _text(column: str) -> TextColumn:
    return TextColumn("m.id", f"m.{column}", "member m", f"m.{column} is not null")


MEMBERS = QuerySource(
    home=__name__,
    name="members",
    table="member",
    row="m",
    seen=MEMBER_SEEN,
    scope="members:read",
    defaults="name handle email role team state title zone created",
    subject="member:id",
    fields=(
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(field=FieldDef("handle", FieldKind.TEXT), sql="{row}.handle"),
        QueryField(
            field=FieldDef("email", FieldKind.TEXT),
            sql="iif(:kb_guest and {row}.id <> :kb_me, null, {row}.email)",
        ),
        QueryField(field=FieldDef("title", FieldKind.TEXT), sql="{row}.title"),
        QueryField(
            field=FieldDef("text", FieldKind.TEXT), texts=(_text("name"), _text("handle"), _text("title"))
        ),
        QueryField(field=choice("role", "owner", "admin", "member", "guest"), sql="{row}.role"),
        QueryField(field=FieldDef("team", FieldKind.NAME, many=True, domain="team", to="teams"), sql=_teams),
        QueryField(field=choice("state", "active", "invited", "deactivated", "erased"), sql="{row}.state"),
        QueryField(field=FieldDef("zone", FieldKind.NAME), sql="{row}.zone"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
    ),
)


def _people(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Members, those who left too, and for members of the org the agents."""
    guest = tx.caller.guest
    for row in tx.all(
        f"select m.id, m.name, m.handle, m.email from member m where {MEMBER_SEEN} order by m.name, m.id",
        **visibility.binds(tx),
    ):
        mail = "" if guest else row["email"] or ""
        yield NamedThing(row["id"], row["name"], key=row["id"], handle=row["handle"], mail=mail)
    if not guest:
        for row in tx.all("select name, label from agent order by name"):
            yield NamedThing(
                f"agent:{row['name']}", row["label"], key=f"agent:{row['name']}", handle=row["name"]
            )


PEOPLE = QueryDomain(
    home=__name__,
    name="person",
    some=_people,
    scopes=frozenset({"issues:read", "members:read"}),
    seldom=True,
    same=True,
    ranks=TableNames("member").ranks,
)


def _agents(tx: Read) -> list[str]:
    if tx.caller.guest:
        return []
    return tx.column("select 'agent:' || name from agent order by name")


AGENTS = QueryFunction(home=__name__, name="agents", call=_agents)
