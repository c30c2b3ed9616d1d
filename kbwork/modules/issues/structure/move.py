"""Moving issues to another project: a new key, and the old one keeps resolving."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.core.things import rank_keys
from kbwork.db.rows import IssueRow, IssueTypeRow, LaneRow, ProjectRow
from kbwork.db.tx import Read, Write, json_array, with_columns
from kbwork.modules import components, fields, types, workflows
from kbwork.modules.issues import event_payloads, ports, preconditions, queries
from kbwork.modules.issues.event_payloads import Changes
from kbwork.modules.issues.events import (
    IssueAssigned,
    IssueBlocked,
    IssueMoved,
    IssueTransitioned,
    IssueUnblocked,
    IssueUpdated,
)
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import blocked, blocked_recount
from kbwork.modules.issues.structure import numbers
from kbwork.modules.issues.transitions import status
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes

MOST = 1000


class IssuesMove(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=MOST)]
    """Issues to move, by key."""
    project: Text
    """Where they go."""
    statuses: Annotated[dict[str, Text], Field(max_length=200)] | None = None
    """Lane here -> lane there, by key or name, for lanes that the workflow there does not have."""
    values: dict[str, Any] | None = None
    """Own fields to set on each of them, as the project there has them."""
    children: bool | None = None
    """Whether all issues below that you see go along; they do unless it is false."""


@write(
    "issues.move",
    scope="issues:write",
    words="another project, wrong project, transfer a ticket to another team, move between projects",
    emits=[IssueUpdated, IssueMoved, IssueTransitioned, IssueAssigned, IssueBlocked, IssueUnblocked],
    example={"keys": ["WEB-1"], "project": "APP"},
)
def move(tx: Write, args: IssuesMove) -> list[Issue]:
    """Move issues to another project, where each gets the next number; the old keys keep resolving.

    You work in both projects. What the other project does not know is dropped and named in `issue.moved`: labels,
    components, sprints and field values, and assignees who do not see it. A type that it does not have becomes its
    default type where both are of one level (else 409). A lane that the workflow there does not have needs an entry in
    `statuses` (409). All of them go or none, 1,000 at most with those below them.
    """
    target = projects.project(tx, args.project)
    projects.require_open(target)
    if not projects.at_least(tx, target["id"], "member"):
        raise NotAllowed(f"You may see {target['key']} and move nothing there: that needs the role member.")
    rows = _rows(tx, args)
    statuses = {
        lanes.by_name(tx, old, field="statuses")["id"]: new for old, new in (args.statuses or {}).items()
    }
    for row in rows:
        if row["project"] != target["id"]:
            with blocked.emit_changes(tx, row):
                _move(tx, row, target, statuses, args.values or {})
    return queries.shown(tx, [queries.stored(tx, row["id"]) for row in rows])


@dataclass(slots=True)
class _Dropped:
    """What stays behind, by field."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: str, names: list[str]) -> None:
        if names:
            self.names[what] = names


def _rows(tx: Read, args: IssuesMove) -> list[IssueRow]:
    """What is named and, if it is to come along, what is below. Raises NotAllowed for one that may not be changed."""
    named = {row["id"]: row for row in (preconditions.movable(tx, key) for key in args.keys)}
    if args.children is not False:
        for below in tx.column(
            "with recursive under (id, depth) as ("
            "select value, 0 from json_each(:ids) union"
            " select c.id, u.depth + 1 from under u join issue c on c.parent = u.id"
            " where c.deleted_at is null and c.archived_at is null and u.depth < :levels)"
            f" select i.id from under u join issue i on i.id = u.id where u.depth > 0 and {ISSUE_SEEN}"
            " order by u.depth, i.id limit :most",
            ids=json_array(named),
            levels=resolve.MOST_LEVELS,
            most=MOST + 1,
            **visibility.binds(tx),
        ):
            named.setdefault(below, preconditions.movable(tx, f"issue:{below}"))
    if len(named) > MOST:
        raise InvalidInput(f"{MOST} issues at most move at once, with those below them.", field="keys")
    return list(named.values())


def _move(
    tx: Write, row: IssueRow, target: ProjectRow, statuses: dict[int, str], given: dict[str, Any]
) -> None:
    old_key = queries.key_of(tx, row)
    dropped = _Dropped()
    blocked_recount.recount_before_move(tx, row)
    issue_type = _type(tx, row, target)
    lane = lanes.one(tx, row["lane"])
    to = _lane(tx, lane, workflows.of_issue_type(tx, target["id"], issue_type["id"]), statuses)
    number = numbers.following(tx, target["id"])
    changes: Changes = {"project": (old_key.rpartition("-")[0], target["key"])}
    changes |= _leave_labels(tx, row, target, dropped)
    changes |= _leave_components(tx, row, dropped)
    sprint = _sprint(tx, row, target, dropped)
    if sprint != row["sprint"]:
        changes["sprint"] = (row["sprint"], sprint)
    columns: dict[str, Any] = {
        "project": target["id"],
        "number": number,
        "rank": rank_keys.of_number(number),
        "type": issue_type["id"],
        "sprint": sprint,
        "external": _external(tx, row, target, dropped),
        **status.lane_columns(tx, row, lane, to),
    }
    differing = named.diff(row, columns)
    tx.update("issue", row["id"], **differing)
    tx.insert("former_number", project=row["project"], number=row["number"], issue=row["id"])
    tx.memo.clear()
    ports.sprint_changed(tx, row["id"], row["sprint"], sprint)
    left = fields.drop_unknown(tx, row["id"], target["id"], issue_type["id"])
    dropped.add("values", left.names)
    values = fields.resolve(tx, target["id"], issue_type["id"], given, issue=row["id"])
    changes |= left.changes | fields.write(tx, row["id"], values)
    changes |= _leave_assignees(tx, row, target, dropped)
    if "type" in differing:
        changes["type"] = (_type_key(tx, row["type"]), issue_type["key"])
    if lane["id"] != to["id"]:
        changes["status"] = (lane["name"], to["name"])
    now = queries.stored(tx, row["id"])
    event_payloads.updated(tx, now, changes)
    payload = event_payloads.common_payload(tx, now) | {
        "from_project": old_key.rpartition("-")[0],
        "to_project": target["key"],
        "old_key": old_key,
        "new_key": f"{target['key']}-{number}",
    }
    tx.emit(
        IssueMoved(
            subject=f"issue:{row['id']}",
            payload=payload | ({"dropped": dropped.names} if dropped.names else {}),
            changes={"project": changes["project"]},
        )
    )
    if lane["id"] != to["id"]:
        before = with_columns(now, {"status_at": row["status_at"], "outcome": row["outcome"]})
        event_payloads.transitioned(tx, before, (lane, to, "moved"), now["outcome"])
    if "assignees" in changes:
        event_payloads.assigned(tx, now, *changes["assignees"])


def _type(tx: Read, row: IssueRow, target: ProjectRow) -> IssueTypeRow:
    known = types.of_project(tx, target["id"])
    for one in known:
        if one["id"] == row["type"]:
            return one
    default = next((one for one in known if one["id"] == target["default_type"]), None)
    if default is None or default["level"] != row["level_no"]:
        raise Conflict(
            f"{target['key']} has not the type {_type_key(tx, row['type'])} of {queries.key_of(tx, row)}:"
            " convert it first, or add the type there with types.projects_set."
        )
    return default


def _type_key(tx: Read, issue_type: int) -> str:
    return str(tx.value("select key from issue_type where id = :id", id=issue_type))


def _lane(tx: Read, lane: LaneRow, graph: workflows.WorkflowGraph, statuses: dict[int, str]) -> LaneRow:
    """Raises Conflict for a lane that the workflow does not have and that is mapped to none."""
    if lane["id"] in statuses:
        wanted = lanes.by_name(tx, statuses[lane["id"]], field="statuses")
        if not graph.has(wanted["id"]):
            raise InvalidInput(f"{graph.name} has no lane {wanted['name']}.", field="statuses")
        return wanted
    if graph.has(lane["id"]):
        return lane
    raise Conflict(
        f"{graph.name} has no lane {lane['name']}: say in `statuses` which of its lanes stands for it.",
        statuses=[lane["key"]],
        lanes=[one["key"] for one in graph.lanes],
    )


def _leave_labels(tx: Write, row: IssueRow, target: ProjectRow, dropped: _Dropped) -> Changes:
    """Take off the labels of the old project; those of the org stay."""
    had = queries.labels(tx, row["id"])
    gone = tx.all(
        "select l.id, l.name from issue_label u join label l on l.id = u.label"
        " where u.issue = :id and l.project is not null and l.project <> :project order by l.name_key",
        id=row["id"],
        project=target["id"],
    )
    for label in gone:
        tx.delete("issue_label", (row["id"], label["id"]))
    names = [label["name"] for label in gone]
    dropped.add("labels", names)
    return {"labels": (had, [name for name in had if name not in names])} if gone else {}


def _leave_components(tx: Write, row: IssueRow, dropped: _Dropped) -> Changes:
    sides = components.write(tx, row["id"], [])
    if sides is None:
        return {}
    dropped.add("components", sides[0])
    return {"components": sides}


def _leave_assignees(tx: Write, row: IssueRow, target: ProjectRow, dropped: _Dropped) -> Changes:
    before = queries.assignees(tx, row["id"])
    blind = [
        who for who in before if who.startswith("m_") and projects.role_of(tx, target["id"], who) is None
    ]
    for who in blind:
        tx.delete("issue_assignee", (row["id"], who))
    dropped.add("assignees", blind)
    return {"assignees": (before, [who for who in before if who not in blind])} if blind else {}


def _sprint(tx: Read, row: IssueRow, target: ProjectRow, dropped: _Dropped) -> int | None:
    """The sprint that it is in, where that is of the other project, too."""
    name = ports.sprint_dropped(tx, row["sprint"], target["id"])
    if name is None:
        return row["sprint"]
    dropped.add("sprint", [name])
    return None


def _external(tx: Read, row: IssueRow, target: ProjectRow, dropped: _Dropped) -> str | None:
    """The sender's id, unless another issue there has it."""
    if row["external"] is None:
        return None
    taken = tx.value(
        "select 1 from issue where project = :project and external = :external",
        project=target["id"],
        external=row["external"],
    )
    if taken is not None:
        dropped.add("external", [row["external"]])
        return None
    return str(row["external"])
