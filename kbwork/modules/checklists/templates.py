"""Templates of checklists: look at them, make and change one, take one away, and give what it says to an issue."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Empty, Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import ChecklistTemplateRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import types
from kbwork.modules.checklists import ops, queries
from kbwork.modules.checklists.model import (
    MOST,
    ChecklistTemplate,
    ChecklistTemplateDeleted,
    ChecklistTemplateSaved,
    Deleted,
    ItemText,
)

MOST_TEMPLATES = 200


@read(
    "checklists.templates",
    scope="issues:read",
    words="which checklist templates exist, standard checklists",
    example={},
)
def templates(tx: Read, args: Empty) -> list[ChecklistTemplate]:
    """List the templates of checklists by name; guests see those for the types that their projects use."""
    return queries.templates(tx)


class ChecklistsTemplateSave(Input):
    id: Id | None = None
    """The template to change; left out: make one."""
    name: Name
    """What it is called, unique without case."""
    kind: Text
    """The type of issue that it is for, by key or name."""
    items: Annotated[list[ItemText], Field(min_length=1, max_length=MOST)]
    """Texts of its items, in order."""
    auto: bool | None = None
    """True: every new issue of the type has the items from the start."""


@write(
    "checklists.template_save",
    scope="admin",
    words="new checklist template, define a standard checklist, reusable checklist",
    emits=[ChecklistTemplateSaved],
    example={"name": "Before release", "kind": "bug", "items": ["Test it", "Tell support"], "auto": True},
)
def template_save(tx: Write, args: ChecklistsTemplateSave) -> list[ChecklistTemplate]:
    """Make a template of a checklist, or change one. A name is unique without case (409); an org has 200 at most.

    Issues that have the items already stay as they are.
    """
    row = stored(tx, args.id) if args.id is not None else None
    auto = args.auto if args.auto is not None else bool(row and row["auto"])
    columns: dict[str, Any] = {
        "name": args.name,
        "name_key": folded(args.name),
        "type": types.by_name(types.every(tx), args.kind, field="kind")["id"],
        "items": json.dumps(args.items, ensure_ascii=False),
        "auto": int(auto),
    }
    if taken := named.taken(tx, "checklist_template", args.name, args.id):
        text = f"There is a checklist template {taken['name']!r} already; names are unique without case."
        raise Conflict(text)
    if row is None:
        if tx.value("select count(*) from checklist_template") >= MOST_TEMPLATES:
            raise Conflict(f"An org has {MOST_TEMPLATES} templates of checklists at most.")
        ident = tx.insert("checklist_template", updated_at=tx.now, **columns)
        _tell_saved(tx, columns | {"id": ident}, {})
    elif changed := named.diff(row, columns):
        tx.update("checklist_template", row["id"], updated_at=tx.now, **changed)
        _tell_saved(tx, row | changed, _changes(tx, row, changed))
    return queries.templates(tx)


class ChecklistsTemplateDelete(Input):
    id: Id
    """Id of the template, from `checklists.templates`."""


@destructive(
    "checklists.template_delete",
    scope="admin",
    words="remove a checklist template",
    emits=[ChecklistTemplateDeleted],
    example={"id": 1},
)
def template_delete(tx: Write, args: ChecklistsTemplateDelete) -> Deleted:
    """Take a template away; issues that have its items keep them, and templates of issues that name it go without."""
    row = stored(tx, args.id)
    tx.delete("checklist_template", row["id"])
    tx.emit(ChecklistTemplateDeleted(subject="org:1", payload=_told(row)))
    return Deleted(deleted=1)


def put(tx: Write, row: IssueRow, template: ChecklistTemplateRow) -> None:
    """Give an issue what a template says, as far as it does not have it."""
    there = {item["text"] for item in queries.rows(tx, row["id"]) if item["done_at"] is None}
    if texts := [text for text in json.loads(template["items"]) if text not in there]:
        ops.append(tx, row, texts)


def stored(tx: Read, ident: int) -> ChecklistTemplateRow:
    row = tx.stored("checklist_template", [ident])
    return named.known(row, "checklist template", ident, "checklists.templates")


def _changes(tx: Read, row: ChecklistTemplateRow, changed: dict[str, Any]) -> dict[str, Any]:
    """What changed, as the shape has it."""
    found = named.changes(row, changed, ("name", "auto"), auto=bool)
    if "type" in changed:
        keys = {one["id"]: one["key"] for one in types.every(tx)}
        found["kind"] = (keys.get(row["type"]), keys[changed["type"]])
    return found | named.changes(row, changed, ("items",), items=json.loads)


def _tell_saved(tx: Write, row: Mapping[str, Any], changes: dict[str, Any]) -> None:
    tx.emit(ChecklistTemplateSaved(subject="org:1", payload=_told(row), changes=changes))


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"template": row["id"], "name": row["name"]}
