"""Changing the fields of an issue."""

from typing import Any

from kbwork.base.errors import NotAllowed
from kbwork.base.model import Int
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.issuefields import FIELDS
from kbwork.modules import components, fields
from kbwork.modules.issues import event_payloads, ports, preconditions, queries
from kbwork.modules.issues.event_payloads import Changes
from kbwork.modules.issues.events import IssueParentChanged, IssueUpdated
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.issue.rich_text import document
from kbwork.modules.issues.model import Issue, IssueChanges
from kbwork.modules.issues.people.assign import write_assignees
from kbwork.modules.issues.transitions import automatic
from kbwork.modules.projects import access as projects


class IssuesUpdate(IssueChanges):
    key: IssueRef
    if_seq: Int | None = None
    """Refuse (409 `stale`, with `current`) where the issue's `seq` is another one."""
    notify: bool | None = None
    """False: it stands in nobody's inbox. What happened is told in the log all the same."""


_OPTIONAL = [field for field in FIELDS if field.simple or field.clear is None]


@write(
    "issues.update",
    scope="issues:write",
    words=(
        "edit, change the title, set the due date, raise the priority, rename an issue, "
        "add a label, add a tag, remove a tag, set the estimate, story points, under an epic, "
        "set the parent, deadline, postpone, change the description, urgent, put in the sprint, "
        "change the reporter, attach to an epic, fix version, start date, reword a ticket, "
        "component"
    ),
    emits=[IssueUpdated, IssueParentChanged],
    example={"key": "WEB-1", "title": "The cart forgets its vouchers at sign-in", "priority": "high"},
)
def update(tx: Write, args: IssuesUpdate) -> Issue:
    """Change fields of an issue; fields that are not named stay, and null clears sprint, milestone and estimate.

    Without `if_seq` the last write wins, field by field. A change that changes nothing is no event.
    """
    row = preconditions.changeable(tx, args.key, args.if_seq)
    resolve.require_known(args)
    with tx.telling(args.notify), automatic.after_change(tx, row):
        change(tx, row, args)
    return queries.one(tx, row["id"])


def change(
    tx: Write,
    row: IssueRow,
    args: IssuesUpdate,
    standing_in: dict[str, Any] | None = None,
    assignees: list[str] | None = None,
) -> None:
    """Change what the input names and tell of it once.

    An import may name the columns of another lane, and who has the issue, beside.
    """
    columns = _columns(tx, row, args) | (standing_in or {})
    changes = event_payloads.field_changes(tx, row, columns)
    changed = named.diff(row, columns)
    revision = _keep_revision(tx, row, changed)
    for name in ("body", "body_doc"):
        if name in changed:
            changes[name] = _sizes(row[name], changed[name], revision)
    if changed:
        tx.update("issue", row["id"], **changed)
    if "sprint" in changed:
        ports.sprint_changed(tx, row["id"], row["sprint"], changed["sprint"])
    if args.labels is not None:
        changes |= _set_labels(tx, row, args.labels)
    if args.components is not None:
        changes |= _set_components(tx, row, args.components)
    if args.values is not None:
        resolved = fields.resolve(tx, row["project"], row["type"], args.values, issue=row["id"])
        changes |= fields.write(tx, row["id"], resolved)
    if assignees is not None and assignees != (before := queries.assignees(tx, row["id"])):
        write_assignees(tx, row["id"], before, assignees)
        changes["assignees"] = (before, assignees)
    if changes:
        event_payloads.updated(tx, row, changes)
        event_payloads.parent_changed(tx, row, changes)


def _columns(tx: Read, row: IssueRow, args: IssuesUpdate) -> dict[str, Any]:
    """The columns that the input names, as they are to be."""
    columns = args.filled("title", "body", "priority")
    body_doc = document(args.body, args.body_doc)
    if args.body is not None:
        columns["body_doc"] = body_doc
    for field in _OPTIONAL:
        value = getattr(args, field.input)
        if value is not None or (field.clear is None and args.given(field.input)):
            columns[field.column] = None if value == field.clear else value
    if columns.get("sprint") is not None and columns["sprint"] != row["sprint"]:
        ports.require_sprint(tx, columns["sprint"], row["project"])
    resolve.require_days_fit(row | columns)
    if args.parent is not None:
        columns["parent"] = (
            resolve.parent_row(tx, args.parent, row["level_no"], child=row["id"])["id"]
            if args.parent
            else None
        )
    if args.reporter is not None:
        if not projects.at_least(tx, row["project"], "lead"):
            raise NotAllowed("Only leads of the project and admins change who reported an issue.")
        columns["reporter"] = resolve.assignee_ids(tx, [args.reporter])[0]
    return columns


def _set_labels(tx: Write, row: IssueRow, names: list[str]) -> Changes:
    """The whole list of labels; answers the change by name."""
    wanted = [label["id"] for label in resolve.label_rows(tx, row["project"], names)]
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
    return {"labels": ([label["name"] for label in had], queries.labels(tx, row["id"]))}


def _set_components(tx: Write, row: IssueRow, names: list[str]) -> Changes:
    """The whole list of components; answers the change by name."""
    held = tx.column("select component from issue_component where issue = :id", id=row["id"])
    wanted = components.by_names(tx, row["project"], names, held=frozenset(held))
    sides = components.write(tx, row["id"], wanted)
    return {"components": sides} if sides is not None else {}


def _sizes(before: str | None, after: str | None, revision: int | None) -> dict[str, Any]:
    """How a change of a long text is told. `revision` is the one that holds what was there before."""
    return {"from_size": len(before or ""), "to_size": len(after or ""), "revision": revision}


def _keep_revision(tx: Write, row: IssueRow, changed: dict[str, Any]) -> int | None:
    """Keep title and body as they were before a change of one, and who wrote over them; answers its number."""
    if not {"title", "body"} & set(changed):
        return None
    last = tx.value("select coalesce(max(revision), 0) from issue_revision where issue = :id", id=row["id"])
    tx.execute(
        "insert into issue_revision values (:issue, :revision, :at, :who, :via, :title, :body)",
        issue=row["id"],
        revision=last + 1,
        at=tx.now,
        who=tx.caller.actor,
        via=tx.caller.via,
        title=row["title"],
        body=row["body"],
    )
    return int(last) + 1
