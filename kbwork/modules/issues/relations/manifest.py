"""Relations of issues, their kinds, and links out of issues, in the archive of a project."""

from kbwork.core.ports import archive
from kbwork.core.ports.archive import ArchivedList, Id, Person, Place, Short, Time, Word

RELATIONS = archive.ArchivedLine(
    file="relations.jsonl",
    place=70,
    once="""
select *, src as one, dst as other from relation where src in (select id from issue where project = :project)
  or dst in (select id from issue where project = :project) order by id
""",
    columns={
        "one": Place,
        "kind": archive.named("relation_kind", word=Id),
        "other": Place,
        "lag_days": archive.Lag,
        "created_at": Time,
        "created_by": Person,
    },
)
"""`one` kind `other`. At most one of the two is of a project that is not in the file."""
KINDS = ArchivedList(
    "projects.jsonl",
    "words.relation_kinds",
    table="relation_kind",
    where="""id in (select r.kind from relation r
  join issue i on i.id in (r.src, r.dst) where i.project = :project)""",
    order="id",
    saved_by="issues.relation_kind_save",
    known="key = :key or lower(:name) in (lower(name), lower(inverse))",
    columns={"key": Id, "name": Word, "inverse": Word, "directed": bool, "blocks": bool, "color": Short},
)
LINKS = ArchivedList(
    "issues.jsonl",
    "links",
    table="web_link",
    order="id",
    columns={
        "created_by": Person,
        "url": archive.Url,
        "title": Short,
        "kind": archive.Sort,
        "created_at": Time,
    },
)
