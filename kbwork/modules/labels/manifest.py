"""Labels in the archive of a project: its own, and those of the org that its issues carry."""

from kbwork.core.ports.archive import ArchivedLine, ArchivedList, Colour, Home, Long, Word, named

LABELS = ArchivedLine(
    file="labels.jsonl",
    place=30,
    once="""
select *, project is null as shared from label where project = :project or project is null and id in (
  select l.label from issue_label l join issue i on i.id = l.issue where i.project = :project) order by id
""",
    columns={
        "name": Word,
        "color": Colour,
        "description": Long,
        "family": Word | None,
        "project": Home,
        "shared": bool,
    },
)
ON_ISSUES = ArchivedList(
    "issues.jsonl",
    "labels",
    table="issue_label",
    order="label",
    bare=True,
    columns={"label": named("label", "name")},
)
