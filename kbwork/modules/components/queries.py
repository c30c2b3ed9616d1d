"""Components as rows, and how many issues each has."""

from kbwork.core.access import visibility
from kbwork.db.rows import ComponentRow, ProjectRow
from kbwork.db.tx import Read, Row
from kbwork.modules.components.model import Component
from kbwork.modules.projects import access, issue_access

_USES = issue_access.counted(
    "u.component", "component_count", source="issue i join issue_component u on u.issue = i.id"
)


def shown(tx: Read, project: ProjectRow) -> list[Component]:
    """The components of a project that the caller sees, by name, the archived ones last."""
    uses = {row["what"]: row["issues"] for row in tx.all(_USES, **visibility.binds(tx))}
    rows = tx.all(
        "select * from component where project = :project order by archived, name_key, id",
        ComponentRow,
        project=project["id"],
    )
    return [_shown(row, project["key"], uses.get(row["id"], 0)) for row in rows]


def row(tx: Read, component: int) -> Row | None:
    """The stored component, if the caller sees its project."""
    return tx.one(
        f"select c.*, p.key as project_key from component c join project p on p.id = c.project"
        f" where c.id = :id and {access.SEEN}",
        id=component,
        **visibility.binds(tx),
    )


def _shown(row: ComponentRow, project: str, issues: int) -> Component:
    return Component(
        id=row["id"],
        project=project,
        name=row["name"],
        description=row["description"],
        lead=row["lead"],
        assign=row["assign"],
        archived=bool(row["archived"]),
        issues=issues,
    )
