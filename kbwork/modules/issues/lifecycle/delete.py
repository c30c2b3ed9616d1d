"""Deleting issues, bringing them back from the trash, and purging them."""

from collections.abc import Sequence
from typing import Literal

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Input, InTrash
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive
from kbwork.core.references import IssueRef
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import Trashed, ref_of
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import trash
from kbwork.modules.issues import access, event_payloads, ports, preconditions, queries
from kbwork.modules.issues.events import (
    IssueBlocked,
    IssueDeleted,
    IssueParentChanged,
    IssueRestored,
    IssueUnblocked,
    IssueUpdated,
)
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.relations import blocked
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects

MOST = 1000


class IssuesDelete(Input):
    key: IssueRef
    children: Literal["keep", "delete"] | None = None
    """`keep` unless given: they go to the parent above."""


@destructive(
    "issues.delete",
    scope="issues:write",
    words="remove a ticket, throw away, discard a bug, trash, get rid of an issue, spam",
    emits=[IssueDeleted, IssueUpdated, IssueParentChanged, IssueBlocked, IssueUnblocked],
    example={"key": "WEB-1"},
)
def delete(tx: Write, args: IssuesDelete) -> InTrash:
    """Put an issue into the trash with all that hangs on it; trash.restore brings it back under its key.

    Leads delete any issue, members what they reported. Children go to the parent above, or with `delete` along, all
    below too that you see, where you may delete each of them (403) and they are 1,000 at most (409).
    """
    row = access.get(tx, args.key)
    _require_delete(tx, row, queries.key_of(tx, row))
    preconditions.require_awake(tx, row)
    below = _below(tx, row) if args.children == "delete" else []
    for child in below:
        _require_delete(tx, child, queries.key_of(tx, child))
    return discard(tx, row, below)


def discard(tx: Write, row: IssueRow, below: Sequence[IssueRow] = ()) -> InTrash:
    """Put an issue into the trash, with some below: whoever asks has judged that the caller may."""
    with blocked.emit_changes(tx, row, _blocked_by(tx, [row, *below])):
        for one in (row, *below):
            tx.update("issue", one["id"], deleted_at=tx.now)
        payload = event_payloads.common_payload(tx, row) | {
            "title": row["title"],
            "children": [child["id"] for child in below],
        }
        tx.emit(IssueDeleted(subject=f"issue:{row['id']}", payload=payload))
        for one in (row, *below):
            ports.reconsider_approvals(tx, one["id"])
            _hand_up(tx, one, row["parent"])
    entry = trash.put(
        tx,
        f"issue:{row['id']}",
        f"{queries.key_of(tx, row)} {row['title']}",
        project=row["project"],
        items=[f"issue:{child['id']}" for child in below],
    )
    return InTrash(ok=True, trash=entry)


def restore(tx: Write, thing: Trashed) -> None:
    """Bring an issue back where it was, with the children that went along. Raises Conflict."""
    row = queries.stored(tx, int(thing.ref))
    project = tx.stored("project", [row["project"]])
    if project is None or project["deleted_at"] is not None:
        raise Conflict("Its project lies in the trash, too: bring that back first.")
    if project["archived_at"] is not None:
        raise Conflict(f"{project['key']} is archived: bring it back before changing anything in it.")
    rows = [row, *(queries.stored(tx, int(ref_of(item)[1])) for item in thing.items)]
    with blocked.emit_changes(tx, row, _blocked_by(tx, rows)):
        columns = {"deleted_at": None, "parent": _parent(tx, row, thing.parent)}
        tx.update("issue", row["id"], **columns)
        for child in rows[1:]:
            tx.update("issue", child["id"], deleted_at=None)
        payload = event_payloads.common_payload(tx, row) | {
            "title": row["title"],
            "children": [one["id"] for one in rows[1:]],
        }
        seq = tx.emit(IssueRestored(subject=f"issue:{row['id']}", payload=payload))
        tx.execute(
            "update issue set seq = :seq, updated_at = :now where id = :id", seq=seq, now=tx.now, id=row["id"]
        )


_PARTS = (
    "issue_assignee",
    "issue_label",
    "issue_revision",
    "issue_vote",
    "issue_watcher",
    "web_link",
    "former_number",
)


def purge(tx: Write, ref: str) -> bool:
    """Remove the rows of an issue for good."""
    ident = int(ref)
    for table in _PARTS:
        tx.execute(f"delete from {table} where issue = :id", id=ident)
    tx.execute("delete from relation where src = :id or dst = :id", id=ident)
    tx.execute("update issue set parent = null where parent = :id", id=ident)
    tx.execute("delete from issue where id = :id", id=ident)
    return True


def _require_delete(tx: Read, row: IssueRow, key: str) -> None:
    if not access.may_delete(tx, row):
        raise NotAllowed(f"You may not delete {key}: leads delete any issue, members what they reported.")


def _below(tx: Read, row: IssueRow) -> list[IssueRow]:
    """The issues under this one that the caller sees, the nearest first. Raises Conflict for too many."""
    rows = tx.all(
        "with recursive under (id, depth) as (select :id, 0 union all"
        " select c.id, u.depth + 1 from under u join issue c on c.parent = u.id"
        " where c.deleted_at is null and u.depth < :levels)"
        f" select i.* from under u join issue i on i.id = u.id where u.depth > 0 and {ISSUE_SEEN}"
        " order by u.depth, i.id limit :most",
        IssueRow,
        id=row["id"],
        levels=resolve.MOST_LEVELS,
        most=MOST + 1,
        **visibility.binds(tx),
    )
    if len(rows) > MOST:
        raise Conflict(f"More than {MOST} issues stand under it: delete those first.")
    return rows


def _hand_up(tx: Write, row: IssueRow, to: int | None) -> None:
    """Children that stay go to the parent above."""
    for child in tx.all(
        "select * from issue where parent = :id and deleted_at is null order by id", IssueRow, id=row["id"]
    ):
        changes = event_payloads.field_changes(tx, child, {"parent": to})
        tx.update("issue", child["id"], parent=to)
        event_payloads.updated(tx, child, changes)
        event_payloads.parent_changed(tx, child, changes)


def _parent(tx: Read, row: IssueRow, named: str | None) -> int | None:
    """Where a restored issue stands. Raises Conflict where its parent is gone and no other is named."""
    if named:
        found: int = resolve.parent_row(tx, named, row["level_no"], child=row["id"])["id"]
        return found
    if row["parent"] is None or named == "":
        return None
    parent = tx.stored("issue", [row["parent"]])
    if parent is None or parent["deleted_at"] is not None:
        raise Conflict("Its parent is gone: name another in `parent`, or an empty text for none.")
    if parent["level_no"] <= row["level_no"]:
        raise Conflict(
            "Its parent stands on its own level now: name another in `parent`, or an empty text for none."
        )
    return int(parent["id"])


def _blocked_by(tx: Read, rows: list[IssueRow]) -> list[int]:
    """The issues that some of these block, but for themselves."""
    ids = json_array(row["id"] for row in rows)
    return tx.column(
        "select distinct r.dst from relation r join relation_kind k on k.id = r.kind and k.blocks"
        " where r.src in (select value from json_each(:ids)) and r.dst not in (select value from json_each(:ids))",
        ids=ids,
    )


def _purge_templates(tx: Write, subject: str) -> None:
    """The templates of a project go for good with it."""
    kind, ref = ref_of(subject)
    if kind == "project":
        tx.execute("delete from issue_template where project = :id", id=projects.purged(tx, ref))


TEMPLATES = Cascade(name="templates", home=__name__, purge=_purge_templates)
