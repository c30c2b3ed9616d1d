"""Lanes in the archive of a project: those of its workflows, and those in which its issues stand or stood."""

from typing import Literal

from kbwork.core.ports.archive import ArchivedList, Colour, Count, Id, Long, Word

LANES = ArchivedList(
    "projects.jsonl",
    "words.lanes",
    table="lane",
    where="""
id in (select l.value from workflow w, json_each(w.lanes) l where w.draft_of is null and w.id in (
    select workflow from project where id = :project
    union select workflow from project_type where project = :project
    union select t.workflow from issue_type t join project_type p on p.type = t.id where p.project = :project))
  or id in (select lane from issue where project = :project and deleted_at is null
    union select cast(s.value as integer) from spell s join issue i on s.subject = 'issue:' || i.id
    where i.project = :project and s.field = 'lane')
""",
    order="position, id",
    saved_by="lanes.save",
    columns={
        "key": Id,
        "name": Word,
        "category": Literal["todo", "in_progress", "done"],
        "color": Colour,
        "outcome": Literal["completed", "cancelled", "duplicate"] | None,
        "wip": Count | None,
        "stops_sla": bool,
        "description": Long,
    },
)
