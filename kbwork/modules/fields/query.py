"""Fields that the org made for issues, as the query language asks for them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    ColumnSql,
    OwnQueryField,
    QueryDomain,
    QueryFrame,
    Rows,
    TextColumn,
    own_field,
)
from kbwork.core.things.former_names import former_names
from kbwork.db.tx import Read
from kbwork.modules.fields import queries
from kbwork.modules.fields.catalogue import OwnField
from kbwork.modules.fields.queries import seen
from kbwork.modules.projects import access
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import NamedThing, OwnFieldDef

_KINDS: dict[str, tuple[FieldKind, str, str]] = {
    "text": (FieldKind.TEXT, "", ""),
    "paragraph": (FieldKind.TEXT, "", ""),
    "url": (FieldKind.TEXT, "", ""),
    "number": (FieldKind.NUMBER, "", ""),
    "money": (FieldKind.NUMBER, "", ""),
    "rating": (FieldKind.NUMBER, "", ""),
    "bool": (FieldKind.BOOL, "", ""),
    "date": (FieldKind.DAY, "", ""),
    "datetime": (FieldKind.TIME, "", ""),
    "duration": (FieldKind.DURATION, "", ""),
    "select": (FieldKind.NAME, "field", ""),
    "multi_select": (FieldKind.NAME, "field", ""),
    "cascade": (FieldKind.NAME, "field", ""),
    "member": (FieldKind.PERSON, "person", "members"),
    "members": (FieldKind.PERSON, "person", "members"),
    "team": (FieldKind.NAME, "team", "teams"),
    "issue": (FieldKind.KEY, "issue", "issues"),
    "asset": (FieldKind.KEY, "asset", "assets"),
}
"""Kind of a field -> what the language takes it for, whose names its values are, where a path goes on."""
_MANY = frozenset({"multi_select", "cascade", "members"})
_FAR = {"issue": ("issue", "id"), "asset": ("asset", "key")}
"""Kinds that hold another thing -> its table, and what is held of it."""


def own(tx: Read) -> Iterator[OwnQueryField]:
    """The fields of issues that the caller sees; `projects` are keys."""
    fields = seen(tx)
    keys = _project_keys(tx) if any(field.projects for field in fields) else {}
    for field in fields:
        places = tuple(keys[one] for one in field.projects if one in keys)
        if field.kind in ("formula", "rollup"):
            yield _computed(field, places)
        elif field.kind in _KINDS:
            yield _stored(field, places)


def deleted(tx: Read) -> list[OwnFieldDef]:
    """The fields that issues had once."""
    return [OwnFieldDef(key, name, FieldKind.TEXT) for key, name in queries.deleted(tx)]


def _project_keys(tx: Read) -> dict[int, str]:
    rows = tx.all(f"select p.id, p.key from project p where {access.SEEN}", **visibility.binds(tx))
    return {row["id"]: row["key"] for row in rows}


def _computed(field: OwnField, places: tuple[str, ...]) -> OwnQueryField:
    """`only` says where the formula is computed."""
    only = tuple(
        (name, tuple(map(str, ids)))
        for name, ids in (("project", field.projects), ("type", field.types))
        if ids
    )
    return own_field(
        OwnFieldDef(
            field.key,
            field.name,
            FieldKind.NUMBER,
            projects=places,
            tracked=False,
            formula=field.formula or "",
            names=field.names,
            only=only,
        )
    )


def _stored(field: OwnField, places: tuple[str, ...]) -> OwnQueryField:
    kind, domain, to = _KINDS[field.kind]
    domain = f"field:{field.key}" if domain == "field" else domain
    where = f"v.field = {field.id}"
    text = TextColumn("v.issue", "v.value", "issue_value v join issue i on i.id = v.issue", where)
    return own_field(
        OwnFieldDef(field.key, field.name, kind, field.kind in _MANY, domain, to, places),
        module="assets" if field.kind == "asset" else "",
        sql=_values(field),
        texts=(text,) if kind is FieldKind.TEXT else (),
        history=f"field:{field.id}",
    )


def _values(field: OwnField) -> ColumnSql:
    def make(frame: QueryFrame, row: str) -> Rows:
        side = frame.row("v")
        where = f"{side}.field = {frame.bind(field.id)}"
        if field.kind not in _FAR:
            order = f"{side}.position"
            return Rows(f"{side}.value", f"issue_value {side}", f"{row}.id", f"{side}.issue", where, order)
        (table, key), far = _FAR[field.kind], frame.row("n")
        tables = f"issue_value {side} join {table} {far} on {far}.{key} = {side}.value"
        seen_there = f"{where} and {frame.seen(_KINDS[field.kind][2], far)}"
        return Rows(f"{far}.id", tables, f"{row}.id", f"{side}.issue", seen_there)

    return make


def _options(tx: Read, key: str) -> Iterator[NamedThing]:
    """The options of a field. Of a cascade those below say what they stand under."""
    former = former_names(tx, "field_option")
    for field in seen(tx):
        for option in field.options if field.key == key else ():
            above = tuple(one.name for one in field.path(option.id)[:-1])
            yield NamedThing(str(option.id), option.name, former=former.get(option.id, ()), places=above)


def _shown(tx: Read, key: str, ident: str) -> str:
    known: dict[str, str] = tx.memoized(
        ("tql options", key),
        lambda: {str(one.id): one.name for field in seen(tx) if field.key == key for one in field.options},
    )
    return known.get(ident, ident)


def _ranks(tx: Read, key: str) -> dict[str, tuple[int, float, str]]:
    return {
        str(option.id): (0, option.place, "")
        for field in seen(tx)
        if field.key == key
        for option in field.options
    }


FIELD = QueryDomain(home=__name__, name="field", some=_options, shown=_shown, ranks=_ranks)
