"""One issue like another: what a copy and a part take from it."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.db.rows import IssueRow, ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.issuefields import SIMPLE
from kbwork.modules import fields
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.issue.create import create
from kbwork.modules.projects import access as projects


def project_of(tx: Read, row: IssueRow) -> ProjectRow:
    found = tx.stored("project", [row["project"]])
    assert found is not None
    return found


def make_copy(
    tx: Write, row: IssueRow, project: ProjectRow, made: dict[int | None, int], given: dict[str, Any]
) -> int:
    """One issue like another but for what is given, under the copy of its parent where there is one; answers its
    internal number."""
    same = project["id"] == row["project"]
    value: dict[str, Any] = {
        field.input: row[field.column] for field in SIMPLE if row[field.column] is not None
    }
    value["priority"] = row["priority"]
    value["project"] = project["key"]
    value["type"] = _type(tx, row, project)
    value["labels"] = _labels(tx, row, project)
    if same:
        value["components"] = queries.live_components(tx, row["id"])
    value["assignees"] = [who for who in queries.assignees(tx, row["id"]) if _may_have(tx, project, who)]
    parent = made.get(row["parent"], row["parent"])
    if parent is not None and access.find(tx, f"issue:{parent}") is not None:
        value["parent"] = f"issue:{parent}"
    if row["level"] is not None:
        value["level"] = row["level"]
    return int(nested.run(tx, create, value | given)["id"])


def own_values(tx: Read, row: IssueRow, project: ProjectRow) -> dict[str, Any]:
    """What own fields hold, of those that the copy has."""
    wanted = _type(tx, row, project)
    issue_type = row["type"] if wanted is not None else project["default_type"]
    there = {
        field.key
        for field in fields.layout_of(tx, project["id"], issue_type).fields.values()
        if field.fillable
    }
    return {key: value for key, value in fields.values_of(tx, [row["id"]])[row["id"]].items() if key in there}


def _type(tx: Read, row: IssueRow, project: ProjectRow) -> str | None:
    """Its type, or null for the project's default where the project does not have it."""
    found: str | None = tx.value(
        "select t.key from project_type pt join issue_type t on t.id = pt.type"
        " where pt.project = :project and pt.type = :type",
        project=project["id"],
        type=row["type"],
    )
    return found


def _labels(tx: Read, row: IssueRow, project: ProjectRow) -> list[str]:
    return tx.column(
        "select l.name from issue_label u join label l on l.id = u.label where u.issue = :id"
        " and (l.project is null or l.project = :project) order by l.name_key",
        id=row["id"],
        project=project["id"],
    )


def _may_have(tx: Read, project: ProjectRow, who: str) -> bool:
    """Whether somebody may have issues of the project: names of an import may not, outside one."""
    if who.startswith("agent:"):
        return tx.one("select 1 from agent where name = :name", name=who.removeprefix("agent:")) is not None
    return who.startswith("m_") and projects.role_of(tx, project["id"], who) is not None
