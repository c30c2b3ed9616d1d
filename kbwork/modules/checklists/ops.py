"""Look at the checklist of an issue, add to it, tick off, order and take away."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Body, Day, Id, Input, Text
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import CheckItemRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.checklists import queries
from kbwork.modules.checklists.model import (
    LONGEST,
    MOST,
    Checklist,
    ChecklistAdded,
    ChecklistCompleted,
    ChecklistDeleted,
    ChecklistUpdated,
    Deleted,
    ItemText,
)
from kbwork.modules.issues import event_payloads, preconditions, resolve


class ChecklistsList(Input):
    key: IssueRef


@read(
    "checklists.list",
    scope="issues:read",
    words=(
        "show checklist, what is left to tick, to-do items, acceptance criteria, progress of the checklist"
    ),
    example={"key": "WEB-1"},
)
def list_(tx: Read, args: ChecklistsList) -> Checklist:
    """Look at the checklist of an issue; one that has none has an empty one."""
    return queries.shown(tx, issues.get(tx, args.key))


class ChecklistsAdd(Input):
    key: IssueRef
    text: Body
    """Each line becomes an item; empty ones are dropped."""
    assignee: Text | Literal[""] | None = None
    """A member who sees the issue, `agent:<name>` or `me`."""
    due_date: Day | Literal[""] | None = None
    """Until when, `YYYY-MM-DD`."""


@write(
    "checklists.add",
    scope="issues:write",
    words=(
        "add a checkbox, to-do item, subtask as checkbox, acceptance criteria, new checklist item, "
        "steps to do"
    ),
    emits=[ChecklistAdded],
    example={"key": "WEB-1", "text": "Write the test\nMend it", "assignee": "me"},
)
def add(tx: Write, args: ChecklistsAdd) -> Checklist:
    """Put items at the end of the checklist of an issue, one for each line.

    Whoever may edit the issue does. An item has 1,000 characters at most (422), an issue 500 items (409).
    """
    row = preconditions.changeable(tx, args.key)
    texts = [line.strip() for line in args.text.splitlines() if line.strip()]
    if not texts:
        raise InvalidInput("Say at least one item.", field="text")
    if any(len(text) > LONGEST for text in texts):
        raise InvalidInput(f"An item has at most {LONGEST:,} characters.", field="text")
    columns = {
        "assignee": _assignee(tx, row, args.assignee) if args.assignee else None,
        "due_date": args.due_date or None,
    }
    append(tx, row, texts, columns)
    return queries.shown(tx, row)


class ChecklistsUpdate(Input):
    id: Id
    """Id of the item."""
    text: ItemText | None = None
    """What is to be done."""
    done: bool | None = None
    """True ticks it off, false takes the tick away."""
    assignee: Text | Literal[""] | None = None
    """An empty text takes it off."""
    due_date: Day | Literal[""] | None = None
    """An empty text clears it."""


@write(
    "checklists.update",
    scope="issues:write",
    words=(
        "check off, tick an item, mark the item done, untick, complete a to-do, check the box, "
        "assign a checklist item"
    ),
    emits=[ChecklistUpdated, ChecklistCompleted],
    example={"id": 2, "done": True},
)
def update(tx: Write, args: ChecklistsUpdate) -> Checklist:
    """Tick an item off, or change what it says, who does it and until when; answers the whole checklist.

    What is not named stays. An item that is ticked already keeps who did it and when.
    """
    item, row = _item(tx, args.id)
    columns = args.filled("text")
    if args.assignee is not None:
        columns["assignee"] = _assignee(tx, row, args.assignee) if args.assignee else None
    if args.due_date is not None:
        columns["due_date"] = args.due_date or None
    change(tx, row, item, columns, done=args.done)
    return queries.shown(tx, row)


class ChecklistsReorder(Input):
    key: IssueRef
    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]
    """Items of the issue in their new order; those left out follow as they were."""


@write(
    "checklists.reorder",
    scope="issues:write",
    words="sort the checklist, move an item up, order of checkboxes",
    emits=[ChecklistUpdated],
    example={"key": "WEB-1", "ids": [2, 1]},
)
def reorder(tx: Write, args: ChecklistsReorder) -> Checklist:
    """Put the items of a checklist in order. An item of another issue is 422."""
    row = preconditions.changeable(tx, args.key)
    before = [item["id"] for item in queries.rows(tx, row["id"])]
    for place, ident in enumerate(args.ids):
        if ident not in before:
            raise InvalidInput(f"The issue has no check item {ident}.", field=f"ids[{place}]")
    after = list(dict.fromkeys([*args.ids, *before]))
    if after != before:
        for position, ident in enumerate(after):
            tx.update("check_item", ident, position=position)
        payload = event_payloads.common_payload(tx, row) | {"item": None, "text": None}
        changes = {"order": (before, after)}
        tx.emit(ChecklistUpdated(subject=f"issue:{row['id']}", payload=payload, changes=changes))
        event_payloads.touch(tx, row["id"])
    return queries.shown(tx, row)


class ChecklistsDelete(Input):
    id: Id
    """Id of the item."""


@destructive(
    "checklists.delete",
    scope="issues:write",
    words="remove a to-do item, drop a checkbox",
    emits=[ChecklistDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: ChecklistsDelete) -> Deleted:
    """Take an item off its checklist; undo brings it back."""
    item, row = _item(tx, args.id)
    tx.delete("check_item", item["id"])
    tx.emit(ChecklistDeleted(subject=f"issue:{row['id']}", payload=_told(tx, row, item)))
    event_payloads.touch(tx, row["id"])
    return Deleted(deleted=1)


def append(tx: Write, row: IssueRow, texts: list[str], columns: dict[str, Any] | None = None) -> None:
    """Put items at the end of an issue's checklist. Raises Conflict for one too many."""
    held = queries.rows(tx, row["id"])
    if len(held) + len(texts) > MOST:
        raise Conflict(f"The checklist of an issue has {MOST} items at most; this one has {len(held)}.")
    place = max((item["position"] for item in held), default=-1) + 1
    for position, text in enumerate(texts, place):
        item = {"text": text, "assignee": None, "due_date": None} | (columns or {})
        item["id"] = tx.insert(
            "check_item",
            issue=row["id"],
            position=position,
            created_at=tx.now,
            created_by=tx.caller.actor,
            **item,
        )
        tx.emit(ChecklistAdded(subject=f"issue:{row['id']}", payload=_told(tx, row, item)))
    event_payloads.touch(tx, row["id"])


def change(
    tx: Write, row: IssueRow, item: CheckItemRow, columns: dict[str, Any], *, done: bool | None = None
) -> None:
    """Change an item, and say that its list is done where it was the last open one."""
    if done is not None and done != (item["done_at"] is not None):
        columns |= {"done_at": tx.now if done else None, "done_by": tx.caller.actor if done else None}
    changed = named.diff(item, columns)
    if not changed:
        return
    tx.update("check_item", item["id"], **changed)
    now = item | changed
    told = named.changes(item, changed, ("text", "assignee", "due_date"))
    if "done_at" in changed:
        told["done"] = (not done, done)
    tx.emit(ChecklistUpdated(subject=f"issue:{row['id']}", payload=_told(tx, row, now), changes=told))
    if "done_at" in changed and done and all(one["done_at"] for one in queries.rows(tx, row["id"])):
        tx.emit(ChecklistCompleted(subject=f"issue:{row['id']}", payload=_told(tx, row, now)))
    event_payloads.touch(tx, row["id"])


def _item(tx: Read, ident: int) -> tuple[CheckItemRow, IssueRow]:
    """The item and its issue, which the caller may change. Raises NotFound, NotAllowed or Conflict."""
    item = named.seen(queries.item(tx, ident), "check item", ident, "checklists.list")
    return item, preconditions.changeable(tx, f"issue:{item['issue']}")


def _assignee(tx: Read, row: IssueRow, ref: str) -> str:
    """Raises InvalidInput for somebody who is not active or does not see the issue."""
    who = resolve.assignee_id(tx, ref, field="assignee")
    resolve.require_sees(tx, row, who, field="assignee")
    return who


def _told(tx: Read, row: IssueRow, item: Mapping[str, Any]) -> dict[str, Any]:
    return event_payloads.common_payload(tx, row) | {"item": item["id"], "text": item["text"]}
