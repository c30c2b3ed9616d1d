"""Components in the archive of their project."""

from typing import Literal

from kbwork.core.ports.archive import ArchivedLine, ArchivedList, Home, Long, Member, Word, named

COMPONENTS = ArchivedLine(
    file="components.jsonl",
    place=40,
    once="select * from component where project = :project order by id",
    columns={
        "project": Home,
        "name": Word,
        "description": Long,
        "lead": Member | None,
        "assign": Literal["lead", "project", "nobody"],
        "archived": bool,
    },
)
ON_ISSUES = ArchivedList(
    "issues.jsonl",
    "components",
    table="issue_component",
    order="component",
    bare=True,
    columns={"component": named("component", "name")},
)
