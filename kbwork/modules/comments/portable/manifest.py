"""Comments in the archive of a project: one that was deleted stands in it as a stub where replies stay."""

from typing import Annotated

from pydantic import Field

from kbwork.core.ports import archive
from kbwork.core.ports.archive import Long, Number, Time

COMMENTS = archive.ArchivedLine(
    file="comments.jsonl",
    place=60,
    thing="comment",
    each="""
select id, parent, created_at, edited_at, resolved_at, deleted_at, issue, internal, resolved_by, gone as stub,
  iif(gone, '', author) as author, iif(gone, '', body) as body, iif(gone, null, body_doc) as body_doc,
  iif(gone, null, anchor) as anchor, iif(gone, null, external) as external
  from (select *, cast(substr(subject, 7) as integer) as issue, stub = 1 or deleted_at is not null as gone
  from comment c where subject in (select 'issue:' || value from json_each(:ids)) and (deleted_at is null
  or exists (select 1 from comment r where r.parent = c.id and r.deleted_at is null)))
  order by parent is not null, created_at, id
""",
    columns={
        "id": Number,
        "parent": Number | None,
        "created_at": Time,
        "edited_at": Time | None,
        "resolved_at": Time | None,
        "deleted_at": Time | None,
        "issue": archive.Place,
        "author": archive.Author,
        "body": Long,
        "internal": bool,
        "resolved_by": archive.Person | None,
        "stub": bool,
        "body_doc": Long | None,
        "anchor": Long | None,
        "external": archive.Word | None,
    },
)
"""`id` is unique in the file; `parent` is the first comment of its thread."""
REACTIONS = archive.ArchivedList(
    "comments.jsonl",
    "reactions",
    table="reaction",
    order="at, emoji, who",
    where="exists (select 1 from comment c where c.id = comment and c.stub = 0 and c.deleted_at is null)",
    most=archive.SEVERAL,
    columns={"who": archive.Member, "emoji": Annotated[str, Field(pattern=r"^\S{1,16}$")], "at": Time},
)
