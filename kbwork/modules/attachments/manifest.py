"""Files in the archive of a project: on it, its issues and their comments. Their bytes stand beside the lines."""

from typing import Annotated

from pydantic import Field

from kbwork.core.ports.archive import ArchivedLine, Home, Long, Number, Person, Place, Short, Sum, Time, Word
from kbwork.core.ports.files import MOST_BYTES
from kbwork.modules.attachments.content.blobs import HELD

_FILES = f"""
a.*, lower(hex(a.hash)) as sha256, {HELD} = a.size as there, x.text from attachment a
  join blob b on b.hash = a.hash left join attachment_text x on x.attachment = a.id
"""

ATTACHMENTS = ArchivedLine(
    file="attachments.jsonl",
    place=80,
    once=f"""
select null as issue, null as comment, {_FILES} where a.deleted_at is null and a.subject in
  (select 'project:' || key from project_key where project = :project) order by a.created_at, a.id
""",
    each=f"""
with place (subject, issue, comment) as (select 'issue:' || value, value, null from json_each(:ids)
  union all select 'comment:' || c.id, cast(substr(c.subject, 7) as integer), c.id from comment c
  where c.deleted_at is null and c.subject in (select 'issue:' || value from json_each(:ids)))
select p.issue, p.comment, {_FILES} join place p on p.subject = a.subject
  where a.deleted_at is null order by a.created_at, a.id
""",
    columns={
        "id": Word,
        "project": Home,
        "issue": Place | None,
        "comment": Number | None,
        "name": Word,
        "content_type": Short,
        "size": Annotated[int, Field(ge=0, le=MOST_BYTES)],
        "sha256": Sum,
        "there": bool,
        "text": Long | None,
        "created_at": Time,
        "created_by": Person,
    },
)
"""`there`: the backup that was written from holds the bytes, and so does the member `files/<sha256>`."""
