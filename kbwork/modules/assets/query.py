"""Assets as the query language asks for them."""

from collections.abc import Callable

from kbwork.core.ports.query_source import (
    QueryCollection,
    QueryField,
    QueryFields,
    QueryFrame,
    QuerySource,
    Rows,
    TextColumn,
)
from kbwork.modules.assets import query_fields
from kbwork.modules.assets.queries import SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person


def _referring(here: str, there: str) -> Callable[[QueryFrame, str], Rows]:
    """The assets that a value of one names, or whose value names it."""

    def make(frame: QueryFrame, row: str) -> Rows:
        link = frame.row("v")
        where = f"{link}.target is not null"
        return Rows(f"{link}.{there}", f"asset_value {link}", f"{row}.id", f"{link}.{here}", where)

    return make


def _of_issue(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    order = f"{side}.created_at, {side}.asset"
    seen = frame.seen("assets", side)
    return Rows(f"{side}.asset", f"asset_issue {side}", f"{row}.id", f"{side}.issue", seen, order)


ASSETS = QuerySource(
    home=__name__,
    name="assets",
    table="asset",
    row="a",
    seen=SEEN,
    scope="assets:read",
    module="assets",
    domain="asset",
    key="{row}.key",
    subject="asset:key",
    defaults="key name type status owner created updated",
    flags={"mine": "{row}.owner = :kb_me", "archived": "{row}.status = 'retired'"},
    relations={
        "refers to": _referring("asset", "target"),
        "referred by": _referring("target", "asset"),
    },
    own=query_fields.own,
    fields=(
        QueryField(
            field=FieldDef("text", FieldKind.TEXT),
            texts=(
                TextColumn("a.id", "a.name", "asset a"),
                TextColumn("a.id", "a.key", "asset a"),
                TextColumn(
                    "a.id",
                    "v.value",
                    f"{query_fields.VALUES} join asset_type y on y.id = a.type"
                    " join json_each(y.fields) f on f.value ->> 'key' = v.field",
                    "f.value ->> 'kind' in ('text', 'select', 'url')",
                ),
            ),
        ),
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(
            field=FieldDef("key", FieldKind.KEY, domain="asset"),
            sql="{row}.id",
            sorted_by=(
                "substr({row}.key, 1, instr({row}.key, '-') - 1)",
                "cast(substr({row}.key, instr({row}.key, '-') + 1) as integer)",
            ),
        ),
        QueryField(
            field=FieldDef("type", FieldKind.NAME, domain="asset_type"),
            sql="{row}.type",
            order="(select folded(y.key) from asset_type y where y.id = {0})",
        ),
        QueryField(
            field=FieldDef(
                "status", FieldKind.NAME, domain="asset_status", choices=("active", "maintenance", "retired")
            ),
            sql="{row}.status",
            order="{0}",
        ),
        QueryField(field=person("owner"), sql="{row}.owner"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
        QueryField(field=FieldDef("updated", FieldKind.TIME), sql="{row}.updated_at"),
    ),
)
LINKED = QueryCollection(
    home=__name__,
    name="linked assets",
    source="assets",
    tables="asset_issue {part}u join asset {part} on {part}.id = {part}u.asset",
    link="{part}u.issue = {row}.id",
    order="{part}u.created_at, {part}u.asset",
    sided=("asset_issue {part}u join asset {part} on {part}.id = {part}u.asset", "{part}u.issue"),
)
OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=FieldDef(
                "asset", FieldKind.KEY, True, "asset", "assets", aliases=("assets",), module="assets"
            ),
            sql=_of_issue,
            counted="select count(*) from (select 1 from asset_issue where asset = :id limit :few)",
        ),
    ),
)
