"""Comments as the query language asks for them: on issues as parts of these, and on whatever else takes some."""

from typing import Any

from kbwork.core.ports.query_source import (
    QueryCollection,
    QueryField,
    QueryFields,
    QueryFrame,
    QuerySource,
    Rows,
    TextColumn,
)
from kbwork.modules.comments import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person

_ISSUE = "iif({row}.subject glob 'issue:*', cast(substr({row}.subject, 7) as integer), null)"
_ON = f"coalesce({_ISSUE}, {{row}}.subject)"
"""The number of an issue; of things of another kind the subject itself."""
_LOOKED = (
    "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = {row}.subject)"
)
_TEXTS = TextColumn(
    "i.id",
    "c.body",
    "comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)",
    f"substr(c.subject, 1, 6) = 'issue:' and {access.TOLD}",
    ("body", "c.id", "comment"),
    order="c.created_at, c.id",
    scope="comments:read",
)


def _number(_frame: QueryFrame, row: str) -> Rows:
    """How many the caller may read: both counts stand on the issue."""
    return Rows(f"({row}.comments + iif(:kb_guest, 0, {row}.internal_comments))")


def _latest(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("c")
    seen = access.TOLD.replace("c.", f"{side}.")
    return Rows(
        f"(select max({side}.created_at) from comment {side}"
        f" where {side}.subject = 'issue:' || {row}.id and {seen})"
    )


def _seen(registry: Any) -> str:
    return access.seen_among(registry.things.values())


COMMENTS = QuerySource(
    home=__name__,
    name="comments",
    table="comment",
    row="c",
    seen=_seen,
    scope="comments:read",
    module="comments",
    defaults="id on author text created",
    subject="comment:id",
    flags={
        "mine": "{row}.author = :kb_me",
        "unread": f"({{row}}.author <> :kb_me and coalesce({_LOOKED}, 0) < {{row}}.created_at)",
    },
    fields=(
        QueryField(
            field=FieldDef("text", FieldKind.TEXT, aliases=("body",)),
            texts=(TextColumn("c.id", "c.body", "comment c", index=("body", "c.id", "comment")),),
        ),
        QueryField(field=person("author"), sql="{row}.author"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
        QueryField(field=FieldDef("internal", FieldKind.BOOL), sql="{row}.internal"),
        QueryField(field=FieldDef("resolved", FieldKind.BOOL), sql="({row}.resolved_at is not null)"),
        QueryField(field=FieldDef("on", FieldKind.SUBJECT), sql=_ON),
        QueryField(field=FieldDef("id", FieldKind.NUMBER), sql="{row}.id"),
        QueryField(field=FieldDef("issue", FieldKind.KEY, domain="issue", to="issues"), sql=_ISSUE),
    ),
)
ON_ISSUES = QueryCollection(
    home=__name__,
    name="comments",
    source="comments",
    tables="comment {part}",
    link="{part}.subject = 'issue:' || {row}.id",
    order="{part}.created_at, {part}.id",
)
OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(field=FieldDef("text", FieldKind.TEXT), texts=(_TEXTS,)),
        QueryField(
            field=FieldDef("comment", FieldKind.TEXT, module="comments"),
            texts=(_TEXTS,),
            scope="comments:read",
        ),
        QueryField(field=FieldDef("comments", FieldKind.NUMBER), sql=_number),
        QueryField(field=FieldDef("commented", FieldKind.TIME), sql=_latest, scope="comments:read"),
    ),
)
