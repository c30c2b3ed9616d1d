"""Teams as the query language asks for them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, QueryField, QueryFrame, QuerySource, Rows, TableNames
from kbwork.db.tx import Read, Row
from kbwork.modules.members import TEAM_SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing


def _parent(frame: QueryFrame, row: str) -> Rows:
    above = frame.row("t")
    return Rows(f"{above}.id", f"team {above}", f"{row}.parent", f"{above}.id", frame.seen("teams", above))


TEAMS = QuerySource(
    home=__name__,
    name="teams",
    table="team",
    row="t",
    seen=TEAM_SEEN,
    scope="members:read",
    asked=False,
    fields=(
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(field=FieldDef("handle", FieldKind.TEXT), sql="{row}.handle"),
        QueryField(field=FieldDef("parent", FieldKind.NAME, domain="team", to="teams"), sql=_parent),
    ),
)


def _rows(tx: Read) -> list[Row]:
    return tx.all(
        f"select t.id, t.name, t.handle from team t where {TEAM_SEEN} order by t.name, t.id",
        **visibility.binds(tx),
    )


def _teams(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """The admins are a team of every org."""
    for row in _rows(tx):
        yield NamedThing(str(row["id"]), row["name"], handle=row["handle"])
    if not tx.caller.guest:
        yield NamedThing("admins", "Admins", handle="admins")


def _levels(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Who may see an issue: words, and teams."""
    for word in ("public", "project", "private"):
        yield NamedThing(word, word, key=word)
    for row in _rows(tx):
        yield NamedThing(f"team:{row['id']}", row["name"], handle=row["handle"], key=f"team:{row['id']}")


def _level_shown(_tx: Read, _rest: str, ident: str) -> str | None:
    return None if ident == "project" else ident


TEAM = QueryDomain(
    home=__name__,
    name="team",
    some=_teams,
    scopes=frozenset({"issues:read", "members:read"}),
    seldom=True,
    same=True,
    ranks=TableNames("team").ranks,
)
LEVEL = QueryDomain(home=__name__, name="level", some=_levels, seldom=True, same=True, shown=_level_shown)
