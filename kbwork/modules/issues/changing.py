"""Changing an issue: its fields, who has it, where it stands."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import ApprovalNeeded, Conflict, InvalidInput, NotAllowed, Stale
from kbwork.base.model import Body, Day, Id, Input, Int, Name, Number, Text
from kbwork.core import inside
from kbwork.core.operation import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import workflows
from kbwork.modules.issues import access, parts, queries
from kbwork.modules.issues.documents import document
from kbwork.modules.issues.making import Names, watch
from kbwork.modules.issues.model import (
    Issue,
    IssueAssigned,
    IssueParentChanged,
    IssueTransitioned,
    IssueUpdated,
    Priority,
)
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes
from kbwork.modules.workflows.model import Outcome

Changes = dict[str, Any]


class IssuesUpdate(Input):
    key: Text
    title: Name | None = None
    body: Body | None = None
    body_doc: Body | None = None
    priority: Priority | None = None
    labels: Names | None = None
    """The whole list; `[]` takes all off."""
    components: Names | None = None
    parent: Text | None = None
    """An empty string clears it."""
    sprint: Id | None = None
    milestone: Id | None = None
    releases: Names | None = None
    affects: Names | None = None
    estimate: Number | None = None
    start_date: Day | Literal[""] | None = None
    due_date: Day | Literal[""] | None = None
    reporter: Text | None = None
    """For leads and admins."""
    values: dict[str, Any] | None = None
    if_seq: Int | None = None
    """Refuse (409 `stale`, with `current`) where the issue's `seq` is another one."""
    notify: bool | None = None


@write(
    "issues.update",
    scope="issues:write",
    emits=[IssueUpdated, IssueParentChanged],
    example={"key": "WEB-1", "title": "The cart forgets its vouchers at sign-in", "priority": "high"},
)
def update(tx: Write, args: IssuesUpdate) -> Issue:
    """Change fields of an issue; fields that are not named stay, and null clears sprint, milestone and estimate.

    Without `if_seq` the last write wins, field by field. A change that changes nothing is no event.
    """
    row = _open_issue(tx, args.key, args.if_seq)
    parts.require_known(args)
    columns = _columns(tx, row, args)
    changes = _told(tx, row, columns)
    changed = {name: value for name, value in columns.items() if row[name] != value}
    revision = _keep_revision(tx, row, changed)
    for name in ("body", "body_doc"):
        if name in changed:
            changes[name] = _sizes(row[name], changed[name], revision)
    if changed:
        tx.update("issue", row["id"], **changed)
    if args.labels is not None:
        changes |= _set_labels(tx, row, args.labels)
    return _finish(tx, row, changes)


class IssuesAssign(Input):
    key: Text
    assignees: Annotated[list[Text], Field(max_length=20)]
    """Members, `agent:<name>` or `me`; the first leads; `[]` is nobody."""
    mode: Literal["set", "add", "remove"] | None = None


@write(
    "issues.assign",
    scope="issues:write",
    emits=[IssueUpdated, IssueAssigned],
    example={"key": "WEB-1", "assignees": ["me"]},
)
def assign(tx: Write, args: IssuesAssign) -> Issue:
    """Say who has an issue: `set` (the default) the whole list, `add` to it or `remove` from it.

    Assignees are active members who see the issue and agents, 20 at most; they watch it from then on.
    """
    row = _open_issue(tx, args.key, None)
    before = _assignees(tx, row["id"])
    if args.mode == "remove":
        gone = {parts.assigned(tx, ref, before) for ref in args.assignees}
        after = [who for who in before if who not in gone]
    else:
        named = parts.assignee_ids(tx, args.assignees)
        after = named if args.mode in (None, "set") else list(dict.fromkeys((*before, *named)))
    if len(after) > parts.MOST_ASSIGNEES:
        raise InvalidInput(f"An issue has at most {parts.MOST_ASSIGNEES} assignees.", field="assignees")
    if after == before:
        return queries.one(tx, row["id"])
    _write_assignees(tx, row["id"], before, after)
    added = [who for who in after if who not in before]
    parts.require_assignees_see(tx, row["id"], added)
    for who in added:
        watch(tx, row["id"], who, "assignee")
    changes: Changes = {"assignees": (before, after)}
    _tell(tx, row, changes)
    removed = [who for who in before if who not in after]
    payload = _common(tx, row) | {"added": added, "removed": removed}
    tx.emit(IssueAssigned(subject=f"issue:{row['id']}", payload=payload, changes=changes))
    return queries.one(tx, row["id"])


class IssuesTransition(Input):
    key: Text
    to_status: Text
    """A lane, by key or name, that a transition from the present one leads to."""
    values: dict[str, Any] | None = None
    """Fields that the transition asks for."""
    comment: Body | None = None
    outcome: Outcome | None = None
    """For a done lane; the lane's own unless given."""
    if_seq: Int | None = None


@write(
    "issues.transition",
    scope="issues:write",
    emits=[IssueUpdated, IssueTransitioned],
    example={"key": "WEB-1", "to_status": "in_progress"},
)
def transition(tx: Write, args: IssuesTransition) -> Issue:
    """Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.

    No transition is 409 `workflow-refused`, one with approvers 409 `approval-needed`. The lane it is in already is
    no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both.
    """
    row = _open_issue(tx, args.key, args.if_seq)
    if args.values:
        raise InvalidInput("This transition asks for no fields.", field="values", allowed=[])
    lane = _lane(tx, row["lane"])
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    step = parts.step_to(tx, graph, lane, args.to_status, field="to_status")
    target = step.to if step is not None else lane
    if args.outcome and target["category"] != "done":
        raise InvalidInput(f"{target['name']} is no done lane: only those have an outcome.", field="outcome")
    if step is not None and step.transition["approvers"]:
        raise ApprovalNeeded(f"{step.transition['name']} has to be approved first.")
    columns = _entering(tx, row, lane, target, args.outcome)
    changed = {name: value for name, value in columns.items() if row[name] != value}
    if changed:
        tx.update("issue", row["id"], **changed)
        changes = _told(tx, row, changed)
        _tell(tx, row, changes)
    if step is not None:
        _tell_moved(tx, row, (lane, target, step.transition["key"]), columns["outcome"])
    if args.comment:
        inside.run(
            tx, "comments.create", {"subject": f"issue:{row['id']}", "body": args.comment}, about="comment: "
        )
    return queries.one(tx, row["id"])


def _open_issue(tx: Read, key: str, if_seq: int | None) -> Row:
    """The issue, if the caller may change it now. Raises NotFound, NotAllowed, Conflict or Stale."""
    row = access.issue(tx, key)
    shown_key = queries.key_of(tx, row)
    access.require_edit(tx, row, shown_key)
    if row["archived_at"] is not None:
        raise Conflict(f"{shown_key} is archived: bring it back before changing it.")
    archived = tx.value("select archived_at from project where id = :id", id=row["project"])
    if archived is not None:
        raise Conflict(
            f"The project of {shown_key} is archived: bring it back before changing anything in it."
        )
    if if_seq is not None and if_seq != row["seq"]:
        raise Stale(
            f"{shown_key} changed since: its seq is {row['seq']}, not {if_seq}.",
            current=queries.one(tx, row["id"]),
        )
    return row


def _columns(tx: Read, row: Row, args: IssuesUpdate) -> dict[str, Any]:
    """The columns that the input names, as they are to be."""
    columns: dict[str, Any] = {
        name: value for name in ("title", "body", "priority") if (value := getattr(args, name)) is not None
    }
    body_doc = document(args.body, args.body_doc)
    if args.body is not None:
        columns["body_doc"] = body_doc
    for name in ("sprint", "milestone", "estimate"):
        if args.given(name):
            columns[name] = getattr(args, name)
    for name in ("start_date", "due_date"):
        if getattr(args, name) is not None:
            columns[name] = getattr(args, name) or None
    parts.require_days_fit(row | columns)
    if args.parent is not None:
        columns["parent"] = (
            parts.parent_row(tx, args.parent, row["level_no"], child=row["id"])["id"] if args.parent else None
        )
    if args.reporter is not None:
        if not projects.at_least(tx, row["project"], "lead"):
            raise NotAllowed("Only leads of the project and admins change who reported an issue.")
        columns["reporter"] = parts.assignee_ids(tx, [args.reporter])[0]
    return columns


def _told(tx: Read, row: Row, columns: dict[str, Any]) -> Changes:
    """Changed columns as fields of the shape, each with its value before and after."""
    changes: Changes = {}
    for name, value in columns.items():
        before = row[name]
        if before == value or name in ("body", "body_doc", "category", "status_at", "started_at", "done_at"):
            continue
        if name == "lane":
            changes["status"] = (_lane(tx, before)["name"], _lane(tx, value)["name"])
        elif name == "parent":
            changes["parent"] = (_key_of_id(tx, before), _key_of_id(tx, value))
        else:
            changes[name] = (before, value)
    return changes


def _finish(tx: Write, row: Row, changes: Changes) -> Issue:
    if changes:
        _tell(tx, row, changes)
        if "parent" in changes:
            before, after = changes["parent"]
            payload = _common(tx, row) | {"from": before, "to": after}
            tx.emit(
                IssueParentChanged(
                    subject=f"issue:{row['id']}", payload=payload, changes={"parent": (before, after)}
                )
            )
    return queries.one(tx, row["id"])


def _tell(tx: Write, row: Row, changes: Changes) -> None:
    """`issue.updated` with every change, and the stamp of it on the issue."""
    seq = tx.emit(IssueUpdated(subject=f"issue:{row['id']}", payload=_common(tx, row), changes=changes))
    tx.execute(
        "update issue set seq = :seq, updated_at = :now where id = :id", seq=seq, now=tx.now, id=row["id"]
    )


def _tell_moved(tx: Write, row: Row, road: tuple[Row, Row, str], outcome: str | None) -> None:
    lane, target, name = road
    payload = _common(tx, row) | {
        "transition": name,
        "from": lane["name"],
        "to": target["name"],
        "from_category": lane["category"],
        "to_category": target["category"],
        "outcome": outcome,
        "seconds_in_lane": max(0, tx.now - row["status_at"]),
    }
    if lane["category"] == "done" and target["category"] != "done":
        payload["reopened"] = True
    changes: Changes = {"status": (lane["name"], target["name"])}
    if row["outcome"] != outcome:
        changes["outcome"] = (row["outcome"], outcome)
    tx.emit(IssueTransitioned(subject=f"issue:{row['id']}", payload=payload, changes=changes))


def _entering(tx: Read, row: Row, lane: Row, target: Row, outcome: str | None) -> dict[str, Any]:
    """The columns of an issue that stands in the target lane from now on."""
    done = target["category"] == "done"
    was_done = lane["category"] == "done"
    own = row["outcome"] if lane["id"] == target["id"] else target["outcome"]
    kept = (outcome or own) if done else None
    columns: dict[str, Any] = {"lane": target["id"], "category": target["category"], "outcome": kept}
    if lane["id"] != target["id"]:
        columns["status_at"] = tx.now
    if done != was_done:
        columns["done_at"] = tx.now if done else None
    if target["category"] == "in_progress" and row["started_at"] is None:
        columns["started_at"] = tx.now
    return columns


def _set_labels(tx: Write, row: Row, names: list[str]) -> Changes:
    """The whole list of labels; answers the change by name."""
    wanted = parts.label_ids(tx, row["project"], names)
    had = tx.all(
        "select l.id, l.name from issue_label u join label l on l.id = u.label where u.issue = :id"
        " order by lower(l.name)",
        id=row["id"],
    )
    known = {label["id"] for label in had}
    if known == set(wanted):
        return {}
    for label in known - set(wanted):
        tx.delete("issue_label", (row["id"], label))
    for label in wanted:
        if label not in known:
            tx.insert("issue_label", issue=row["id"], label=label)
    after = tx.column(
        "select l.name from issue_label u join label l on l.id = u.label where u.issue = :id order by lower(l.name)",
        id=row["id"],
    )
    return {"labels": ([label["name"] for label in had], after)}


def _write_assignees(tx: Write, issue: int, before: list[str], after: list[str]) -> None:
    for who in before:
        if who not in after:
            tx.delete("issue_assignee", (issue, who))
    for position, who in enumerate(after):
        if who in before:
            tx.update("issue_assignee", (issue, who), position=position)
        else:
            tx.insert("issue_assignee", issue=issue, who=who, position=position)


def _sizes(before: str | None, after: str | None, revision: int | None) -> dict[str, Any]:
    """How a change of a long text is told. `revision` is the one that holds what was there before."""
    return {"from_size": len(before or ""), "to_size": len(after or ""), "revision": revision}


def _keep_revision(tx: Write, row: Row, changed: dict[str, Any]) -> int | None:
    """Keep title and body as they were before a change of one; answers the number of the revision kept."""
    if not {"title", "body"} & set(changed):
        return None
    last = tx.value("select coalesce(max(revision), 0) from issue_revision where issue = :id", id=row["id"])
    tx.execute(
        "insert into issue_revision values (:issue, :revision, :at, :who, :via, :title, :body)",
        issue=row["id"],
        revision=last + 1,
        at=row["updated_at"],
        who=tx.caller.actor,
        via=tx.caller.via,
        title=row["title"],
        body=row["body"],
    )
    return int(last) + 1


def _assignees(tx: Read, issue: int) -> list[str]:
    return tx.column("select who from issue_assignee where issue = :id order by position", id=issue)


def _lane(tx: Read, lane: int) -> Row:
    return next(row for row in lanes.rows(tx) if row["id"] == lane)


def _key_of_id(tx: Read, issue: int | None) -> str | None:
    return queries.key_of(tx, queries.stored(tx, issue)) if issue is not None else None


def _common(tx: Read, row: Row) -> dict[str, Any]:
    key = queries.key_of(tx, row)
    return {"key": key, "project": key.rpartition("-")[0]}


MOVES = (IssueUpdated, IssueTransitioned)
"""What `move_lane` emits."""


def move_lane(tx: Write, lane: Row, target: Row) -> None:
    """Move every issue of a lane to another, with history and without asking the workflow: the lane goes away."""
    for row in tx.all("select * from issue where lane = :lane order by id", lane=lane["id"]):
        columns = _entering(tx, row, lane, target, None)
        changed = {name: value for name, value in columns.items() if row[name] != value}
        tx.update("issue", row["id"], **changed)
        _tell(tx, row, _told(tx, row, changed))
        _tell_moved(tx, row, (lane, target, "lane_deleted"), columns["outcome"])
