"""Types of issues in the archive of a project: those that it has, and those of its issues and templates."""

from typing import Annotated

from pydantic import Field

from kbwork.core.ports.archive import ArchivedList, Colour, Id, Long, Short, Word

TYPES = ArchivedList(
    "projects.jsonl",
    "words.types",
    table="issue_type",
    where="""heir is null and (id in (select type from project_type where project = :project)
  or id in (select type from issue where project = :project and deleted_at is null)
  or id in (select type from issue_template where project = :project))""",
    order="level desc, id",
    saved_by="types.save",
    columns={
        "key": Id,
        "name": Word,
        "icon": Short,
        "color": Colour,
        "level": Annotated[int, Field(ge=-2, le=5)],
        "description": Long,
    },
)
