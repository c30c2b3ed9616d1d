"""Comments on issues as the query language asks for them."""

from kbwork.core.ports.query_source import (
    QueryCollection,
    QueryField,
    QueryFields,
    QueryFrame,
    QuerySource,
    Rows,
    TextColumn,
)
from kbwork.modules.comments.access import SEEN_ON_ISSUES
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.sources import person

_ISSUE = "cast(substr({row}.subject, 7) as integer)"
_LOOKED = (
    "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = {row}.subject)"
)
_SEEN_HERE = "c.deleted_at is null and (c.internal = 0 or not :kb_guest)"
"""The condition on `comment c` of an issue that is seen."""
_TEXTS = TextColumn(
    "i.id",
    "c.body",
    "comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)",
    f"substr(c.subject, 1, 6) = 'issue:' and {_SEEN_HERE}",
    ("body", "c.id", "comment"),
    order="c.created_at, c.id",
    scope="comments:read",
)


def _number(_frame: QueryFrame, row: str) -> Rows:
    """How many the caller may read: both counts stand on the issue."""
    return Rows(f"({row}.comments + iif(:kb_guest, 0, {row}.internal_comments))")


def _latest(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("c")
    seen = _SEEN_HERE.replace("c.", f"{side}.")
    return Rows(
        f"(select max({side}.created_at) from comment {side}"
        f" where {side}.subject = 'issue:' || {row}.id and {seen})"
    )


COMMENTS = QuerySource(
    home=__name__,
    name="comments",
    table="comment",
    row="c",
    seen=SEEN_ON_ISSUES,
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
        QueryField(field=FieldDef("on", FieldKind.SUBJECT), sql=_ISSUE),
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
