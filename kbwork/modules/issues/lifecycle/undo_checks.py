"""What must hold for an issue after undo set it back."""

from kbwork.base.errors import Conflict
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Row
from kbwork.modules import types, workflows
from kbwork.modules.issues import access, ports, queries
from kbwork.modules.issues.issue import resolve
from kbwork.modules.workflows import lanes


def require_fitting(tx: Read, ref: str, before: Row) -> None:
    """An issue that came back fits what is there now: its project, type, lane, parent and children.

    `before` are the columns that undo changed, as they were until then. What only undo would do is refused too: no
    lane is entered past the approval that the workflow asks for on the way there. Raises Conflict.
    """
    row = tx.stored("issue", [int(ref)])
    if row is None or row["deleted_at"] is not None:
        return
    if "deleted_at" in before or "project" in before:
        _require_project(tx, row)
    if {"type", "project", "deleted_at"} & set(before):
        _require_type(tx, row)
    if {"lane", "type", "project", "deleted_at"} & set(before):
        _require_lane(tx, row, before)
    if row["sprint"] is not None and {"sprint", "project", "deleted_at"} & set(before):
        ports.require_sprint_fits(tx, row)
    if {"parent", "level_no", "deleted_at"} & set(before):
        _require_parent(tx, row, moves="parent" in before)
        _require_children(tx, row)


def _require_project(tx: Read, row: IssueRow) -> None:
    project = tx.stored("project", [row["project"]])
    if project is None or project["deleted_at"] is not None:
        raise Conflict("its project is gone, or lies in the trash")
    if project["archived_at"] is not None:
        raise Conflict(f"{project['key']} is archived")


def _require_type(tx: Read, row: IssueRow) -> None:
    issue_type = tx.stored("issue_type", [row["type"]])
    if issue_type is None:
        raise Conflict("the type that it had is gone")
    if all(one["id"] != row["type"] for one in types.of_project(tx, row["project"])):
        raise Conflict(f"its project has no type {issue_type['name']} any more")
    if issue_type["level"] != row["level_no"]:
        raise Conflict(f"{issue_type['name']} stands on another level now")


def _require_lane(tx: Read, row: IssueRow, before: Row) -> None:
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    if not graph.has(row["lane"]):
        lane = tx.stored("lane", [row["lane"]])
        raise Conflict(f"{graph.name} has no lane {lane['name']} any more" if lane else "its lane is gone")
    if "lane" not in before or {"type", "project"} & set(before) or row["lane"] == graph.start["id"]:
        return
    to = lanes.one(tx, row["lane"])
    now = tx.stored("lane", [before["lane"]])
    leading = [one for one in graph.transitions if one["to"] == to["key"]]
    ways = [step.transition for step in graph.steps(now["key"]) if step.to["id"] == to["id"]] if now else []
    if (ways or leading) and all(one["approvers"] for one in ways or leading):
        raise Conflict(f"{to['name']} is entered only where somebody approves it")


def _require_parent(tx: Read, row: IssueRow, *, moves: bool) -> None:
    """What comes back from the trash stands where it stood, under an archived parent too."""
    if row["parent"] is None:
        return
    parent = tx.stored("issue", [row["parent"]])
    if parent is None or parent["deleted_at"] is not None:
        raise Conflict("the parent that it had is gone, or lies in the trash")
    key = queries.key_of(tx, parent) if access.find(tx, f"issue:{parent['id']}") else "its parent"
    if moves and parent["archived_at"] is not None:
        raise Conflict("the parent that it had is archived")
    if parent["level_no"] <= row["level_no"]:
        raise Conflict(f"{key} stands on no higher level than it")
    above = resolve.up_from(tx, parent["id"])
    if row["id"] in above:
        raise Conflict(f"{key} stands under it now")
    if len(above) >= resolve.MOST_LEVELS:
        raise Conflict(f"the hierarchy has at most {resolve.MOST_LEVELS} levels")


def _require_children(tx: Read, row: IssueRow) -> None:
    highest = tx.value(
        "select max(level_no) from issue where parent = :id and deleted_at is null", id=row["id"]
    )
    if highest is not None and highest >= row["level_no"]:
        raise Conflict("it has children that stand on no lower level than it would")
