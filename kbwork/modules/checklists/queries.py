"""Checklists as rows and in their shapes."""

import json

from kbwork.core.access import visibility
from kbwork.db.rows import CheckItemRow, ChecklistTemplateRow, IssueRow
from kbwork.db.tx import Read, json_array
from kbwork.modules import issues, types
from kbwork.modules.checklists.model import CheckItem, Checklist, ChecklistTemplate
from kbwork.modules.projects import ISSUE_SEEN

SEEN = (
    "exists (select 1 from check_item c join issue i on i.id = c.issue"
    f" where c.id = cast(:ref as integer) and {ISSUE_SEEN})"
)
"""The condition on `:ref`, the id of an item: the caller sees its issue."""
_PROMOTED = (
    "select i.id, p.key || '-' || i.number as key from issue i join project p on p.id = i.project"
    f" where i.id in (select value from json_each(:ids)) and {ISSUE_SEEN}"
)


def rows(tx: Read, issue: int) -> list[CheckItemRow]:
    """The items of an issue, in order."""
    return tx.all(
        "select * from check_item where issue = :issue order by position, id", CheckItemRow, issue=issue
    )


def item(tx: Read, ident: int) -> CheckItemRow | None:
    """An item of an issue that the caller sees."""
    return tx.one(
        f"select c.* from check_item c where c.id = :ref and {SEEN}",
        CheckItemRow,
        ref=ident,
        **visibility.binds(tx),
    )


def shown(tx: Read, issue: IssueRow) -> Checklist:
    """The checklist of an issue that the caller sees."""
    found = rows(tx, issue["id"])
    promoted = [row["promoted"] for row in found if row["promoted"] is not None]
    keys = {}
    if promoted:
        keys = {
            row["id"]: row["key"]
            for row in tx.all(_PROMOTED, ids=json_array(promoted), **visibility.binds(tx))
        }
    return Checklist(
        key=issues.key_of(tx, issue),
        items=[
            CheckItem(
                id=row["id"],
                text=row["text"],
                done=row["done_at"] is not None,
                assignee=row["assignee"],
                due_date=row["due_date"],
                done_at=row["done_at"],
                done_by=row["done_by"],
                issue=keys.get(row["promoted"]),
            )
            for row in found
        ],
        done=sum(row["done_at"] is not None for row in found),
        total=len(found),
        can_edit=issue["archived_at"] is None and issues.may_edit(tx, issue),
    )


def templates(tx: Read) -> list[ChecklistTemplate]:
    """The templates by name; guests have those for types that they see."""
    known = {row["id"]: row["key"] for row in types.seen(tx)}
    return [
        ChecklistTemplate(
            id=row["id"],
            name=row["name"],
            kind=known[row["type"]],
            items=json.loads(row["items"]),
            auto=bool(row["auto"]),
        )
        for row in tx.all("select * from checklist_template order by name_key, id", ChecklistTemplateRow)
        if row["type"] in known
    ]
