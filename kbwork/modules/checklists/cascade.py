"""Checklists go where their issue goes: begun with it, moved, copied, purged, and told in its text."""

from kbwork.base.errors import InvalidInput
from kbwork.core import org_settings
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ChecklistTemplateRow, IssueRow, IssueTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import types
from kbwork.modules.checklists import queries, templates
from kbwork.modules.checklists.model import Checklist
from kbwork.modules.issues import Checklists


def _shown(tx: Read, row: IssueRow) -> Checklist:
    return queries.shown(tx, row)


def _missing(tx: Read, named: list[int]) -> int | None:
    known = {one["id"] for one in queries.templates(tx)}
    return next((one for one in named if one not in known), None)


def _begin(tx: Write, issue: int, named: list[int]) -> None:
    """What templates say that were named and are there still, then those that apply by themselves to its type."""
    row = tx.stored("issue", [issue])
    assert row is not None
    found = [tx.stored("checklist_template", [one]) for one in named]
    found += _auto(tx, row["type"])
    given = {one["id"]: one for one in found if one is not None}
    if not given or org_settings.module_off(tx, "checklists"):
        return
    for template in given.values():
        templates.put(tx, row, template)


def _auto(tx: Read, type_: int) -> list[ChecklistTemplateRow]:
    """Those that apply by themselves to a type."""
    found: list[ChecklistTemplateRow] = tx.cached(
        ("checklists of", type_),
        lambda: tx.all(
            "select * from checklist_template where type = :type and auto order by name_key, id",
            ChecklistTemplateRow,
            type=type_,
        ),
        of=("checklist_template",),
    )
    return found


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from check_item where issue = :issue", issue=int(ref))


def _move(tx: Write, subject: str, to: str, only: list[int] | None) -> None:
    """The items that are named, behind those of the other issue. One that is folded into another keeps its own."""
    if ref_of(subject)[0] != "issue" or only is None:
        return
    issue, into = int(ref_of(subject)[1]), int(ref_of(to)[1])
    rows = queries.rows(tx, issue)
    for ident in only:
        if ident not in {row["id"] for row in rows}:
            raise InvalidInput(f"The issue has no check item {ident}.", field="parts.checks")
    place = max((row["position"] for row in queries.rows(tx, into)), default=-1) + 1
    moving = [row for row in rows if row["id"] in only]
    for position, row in enumerate(moving, place):
        tx.update("check_item", row["id"], issue=into, position=position)


def _copy(tx: Write, subject: str, to: str) -> None:
    """The items, none of them ticked; those that it has by itself are not there twice."""
    if ref_of(subject)[0] != "issue":
        return
    into = int(ref_of(to)[1])
    held = queries.rows(tx, into)
    there = {item["text"] for item in held}
    new = [item for item in queries.rows(tx, int(ref_of(subject)[1])) if item["text"] not in there]
    for position, item in enumerate(new, len(held)):
        made = {"text": item["text"], "created_at": tx.now, "created_by": tx.caller.actor}
        tx.insert("check_item", issue=into, position=position, **made)


def _text(tx: Read, subject: str) -> list[str]:
    kind, ref = ref_of(subject)
    rows = queries.rows(tx, int(ref)) if kind == "issue" else []
    return [f"- [{'x' if row['done_at'] is not None else ' '}] {row['text']}" for row in rows]


def _uses(tx: Read, row: IssueTypeRow) -> int:
    return int(tx.value("select count(*) from checklist_template where type = :id", id=row["id"]))


def _adopt(tx: Write, row: IssueTypeRow, target: IssueTypeRow) -> None:
    """Templates are for the other type from now on."""
    for template in tx.column("select id from checklist_template where type = :id order by id", id=row["id"]):
        tx.update("checklist_template", template, type=target["id"])


HANGING = Cascade(name="checklists", home=__name__, purge=_purge, move=_move, copy=_copy, text=_text)
ON_ISSUES = Checklists(home=__name__, shown=_shown, missing=_missing, begin=_begin)
TYPED = types.TypeReferences(home=__name__, uses=_uses, adopt=_adopt)
