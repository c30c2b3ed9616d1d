"""Labels as rows: which the caller sees, and how often each is used."""

from kbwork.core import visibility
from kbwork.db.tx import Read, Row, marks
from kbwork.modules.labels.model import Label
from kbwork.modules.projects.access import ISSUE_SEEN

SEEN = (
    "(l.project in (select value from json_each(:kb_projects)) or l.project is null and (not :kb_guest or exists"
    " (select 1 from label_count c where c.label = l.id and c.issues > 0"
    " and c.project in (select value from json_each(:kb_projects)))))"
)
"""The condition on `label l`: guests see the org's labels that their projects use."""

# Uses come from the rollup, by project. What the rollup cannot know is set right from the few issues that are not
# seen by everyone who sees the project: those with a level, and those of projects where the caller sees only their own.
_USES = f"""
with special (label, issues) as (
  select u.label, ({ISSUE_SEEN}) - (i.project in (select value from json_each(:kb_full)))
    from issue i join issue_label u on u.issue = i.id where i.level is not null and i.deleted_at is null
  union all
  select u.label, ({ISSUE_SEEN})
    from issue i join issue_label u on u.issue = i.id
    where i.project in (select value from json_each(:kb_own)) and i.level is null and i.deleted_at is null
), uses (label, issues) as (
  select label, issues from special
  union all
  select label, issues from label_count where project in (select value from json_each(:kb_full))
)
select label, sum(issues) as issues from uses group by label having sum(issues) > 0
"""


def shown(tx: Read, where: str = "1", **binds: object) -> list[Label]:
    """The labels that the caller sees, the org's first, by name."""
    sight = visibility.binds(tx)
    uses = {row["label"]: row["issues"] for row in tx.all(_USES, **sight)}
    rows = tx.all(
        "select l.id, l.name, l.color, p.key as project, l.family as 'group', l.description"
        f" from label l left join project p on p.id = l.project where {SEEN} and {where}"
        " order by l.project is not null, p.key, lower(l.name), l.id",
        **sight,
        **binds,
    )
    return [
        Label(
            id=row["id"],
            name=row["name"],
            color=row["color"],
            project=row["project"],
            group=row["group"],
            description=row["description"],
            issues=uses.get(row["id"], 0),
            pages=0,
        )
        for row in rows
    ]


def row(tx: Read, label: int) -> Row | None:
    """The stored label, if the caller sees it."""
    return tx.one(
        f"select l.* from label l where l.id = :label and {SEEN}", label=label, **visibility.binds(tx)
    )


def usable(tx: Read, project: int) -> list[Row]:
    """The labels that an issue of this project may carry: the org's and its own."""
    return tx.all("select * from label where project is null or project = :project", project=project)


def issues_with(tx: Read, labels: list[int]) -> list[int]:
    """The issues that carry one of these labels, seen or not: renaming, merging and deleting reach them all."""
    return tx.column(
        "select distinct issue from issue_label where label in (select value from json_each(:labels)) order by issue",
        labels=marks(labels),
    )
