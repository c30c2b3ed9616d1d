"""Relations of issues, their kinds, and links out of issues, in the archive of a project."""

from kbwork.core.ports.archive import (
    ArchivedLine,
    ArchivedList,
    Id,
    Lag,
    Person,
    Place,
    Short,
    Sort,
    Time,
    Url,
    Word,
    named,
)

RELATIONS = ArchivedLine(
    file="relations.jsonl",
    place=70,
    once="""
select *, src as one, dst as other from relation where src in (select id from issue where project = :project)
  or dst in (select id from issue where project = :project) order by id
""",
    columns={
        "one": Place,
        "kind": named("relation_kind", word=Id),
        "other": Place,
        "lag_days": Lag,
        "created_at": Time,
        "created_by": Person,
    },
)
"""`one` kind `other`. At most one of the two is of a project that is not in the file."""
KINDS = ArchivedList(
    line="projects.jsonl",
    name="words.relation_kinds",
    table="relation_kind",
    where="""id in (select r.kind from relation r
  join issue i on i.id in (r.src, r.dst) where i.project = :project)""",
    order="id",
    columns={"key": Id, "name": Word, "inverse": Word, "directed": bool, "blocks": bool, "color": Short},
)
LINKS = ArchivedList(
    line="issues.jsonl",
    name="links",
    table="web_link",
    by="issue",
    order="id",
    columns={"created_by": Person, "url": Url, "title": Short, "kind": Sort, "created_at": Time},
)
