"""Files as the query language asks for them."""

from typing import Any

from kbwork.core.ports.query_source import QueryCollection, QueryField, QuerySource, TextColumn
from kbwork.modules.attachments import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person


def _seen(registry: Any) -> str:
    return access.seen_among(registry.things.values())


ATTACHMENTS = QuerySource(
    home=__name__,
    name="attachments",
    table="attachment",
    row="f",
    seen=_seen,
    scope="attachments:read",
    module="attachments",
    defaults="id name kind size author created",
    subject="attachment:id",
    flags={"mine": "{row}.created_by = :kb_me"},
    fields=(
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(
            field=FieldDef("text", FieldKind.TEXT),
            texts=(
                TextColumn("f.id", "f.name", "attachment f"),
                TextColumn("f.id", "t.text", "attachment f join attachment_text t on t.attachment = f.id"),
            ),
        ),
        QueryField(field=FieldDef("id", FieldKind.NAME), sql="{row}.id"),
        QueryField(
            field=FieldDef("kind", FieldKind.NAME),
            sql="substr({row}.content_type, 1, instr({row}.content_type, '/') - 1)",
        ),
        QueryField(field=FieldDef("size", FieldKind.NUMBER), sql="{row}.size"),
        QueryField(field=person("author"), sql="{row}.created_by"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
    ),
)
ON_ISSUES = QueryCollection(
    home=__name__,
    name="attachments",
    source="attachments",
    tables="attachment {part}",
    link="{part}.subject = 'issue:' || {row}.id",
    order="{part}.id",
)
