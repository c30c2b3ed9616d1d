"""Issues told for the archive of their project, and restored: everything that was told is put on one that was made with
a title alone."""

import json
from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.core.ports.archive import ArchiveHook, ArchiveNames, ArchiveReferences
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Row
from kbwork.issuefields import SIMPLE
from kbwork.modules import fields
from kbwork.modules.issues import queries
from kbwork.modules.issues.issue.imported import backfill_history
from kbwork.modules.issues.issue.rich_text import document

_PRIORITIES = ("urgent", "high", "medium", "low", "none")
_NAMED = {"type": "issue_type", "lane": "lane", "label": "label", "component": "component"}
"""Fields of spans whose values are rows of these tables."""
_BY_NAME = ("label", "component")


# -- told -----------------------------------------------------------------------------------------------------


def _told_level(names: ArchiveNames, row: Row) -> str | None:
    """Who sees it; what was for a team that is gone is for nobody but those it names."""
    level: str = row["level"] or ""
    if level.startswith("team:"):
        return names.who(level) or "private"
    return level or None


def _told_span(names: ArchiveNames, row: Row) -> dict[str, Any] | None:
    """None for a value that nothing stands for any more."""
    field, value = row["field"], row["value"]
    if field.startswith("field:"):
        own = fields.told_element(names, int(field.partition(":")[2]), value)
        if own is None:
            return None
        field, told = f"field:{own[0]}", own[1]
    else:
        told = _told_value(names, field, value)
    if told is None:
        return None
    return {
        "field": field,
        "value": told,
        "from_at": row["from_at"],
        "to_at": row["to_at"],
        "by": names.by(row["by"]),
    }


def _told_value(names: ArchiveNames, field: str, value: str) -> Any:
    if field in _NAMED:
        return names.named(_NAMED[field], int(value), "name" if field in _BY_NAME else "key")
    if field == "project":
        return names.named("project", int(value))
    if field == "parent":
        return names.issue(int(value))
    if field == "sprint":
        return None  # sprints may be of other projects, too, and are in the archive of none
    if field in ("assignee", "reporter") or (field == "level" and value.startswith("team:")):
        return names.who(value)
    return value


def _told_change(names: ArchiveNames, row: Row) -> dict[str, Any]:
    changes = {}
    for name, sides in json.loads(row["changes"]).items():
        if name == "parent":
            changes[name] = {side: key and names.key(key) for side, key in sides.items()}
        elif name == "sprint":
            changes[name] = {side: names.named("sprint", ident, "name") for side, ident in sides.items()}
        else:
            peopled = name in ("assignees", "reporter") or name.startswith("values.")
            changes[name] = names.told(sides) if peopled else sides
    return {
        "at": row["at"],
        "who": names.by(row["who"]),
        "who_kind": row["who_kind"],
        "via": row["via"],
        "changes": changes,
    }


# -- restored -------------------------------------------------------------------------------------------------


def _restore(refs: ArchiveReferences, issue: int, line: dict[str, Any]) -> None:
    row = queries.stored(refs.tx, issue)
    done = row["category"] == "done"
    columns = {
        "body": line["body"],
        "body_doc": restored_document(refs, line["body"], line["body_doc"]),
        "priority": line["priority"] if line["priority"] in _PRIORITIES else "none",
        "reporter": refs.by(line["reporter"] or ""),
        "created_by": refs.by(line["created_by"]),
        "parent": _parent(refs, row, line["parent"]),
        **{field.column: line[field.column] for field in SIMPLE},
        "rank": line["rank"] if row["number"] == line["number"] else row["rank"],
        "level": _level(refs, line["level"]),
        "source": line["source"],
        "external": _external(refs, row, line["external"]),
        "outcome": line["outcome"] if done else None,
        "done_at": (line["done_at"] or row["done_at"]) if done else None,
        "status_at": line["status_at"],
        "started_at": line["started_at"],
    }
    put = ", ".join(f"{name} = :{name}" for name in columns)
    refs.tx.execute(f"update issue set {put} where id = :id", id=issue, **columns)


def restored_document(refs: ArchiveReferences, body: str, text: str | None) -> str | None:
    """A rich document, of an issue or of what is said on one; none where it is not one."""
    try:
        return document(body, text)
    except InvalidInput as refused:
        refs.warn(f"Its text is kept without its form: {refused.detail}")
        return None


def _external(refs: ArchiveReferences, row: IssueRow, external: str | None) -> str:
    """What it is called elsewhere; its id at the source where it has no such name, or another issue has it."""
    taken = refs.tx.value(
        "select 1 from issue where project = :project and external = :external",
        project=row["project"],
        external=external,
    )
    return external if external and taken is None else refs.at


def _parent(refs: ArchiveReferences, row: IssueRow, parent: str | None) -> int | None:
    above = refs.of_archive(parent)
    if above is None:
        return None
    if refs.tx.value("select level_no from issue where id = :id", id=above) > row["level_no"]:
        return above
    refs.warn("Its parent's type does not stand above its own: it has no parent here.")
    return None


def _level(refs: ArchiveReferences, level: str | None) -> str | None:
    """Who sees it: what is for a team that is not here is for nobody but those it names."""
    if level is None or not level.startswith("team:"):
        return level if level in ("public", "private") else None
    found = refs.team(level)
    if found is None:
        refs.warn(f"It is for the team {level.partition(':')[2]}, which is not here: it is private.")
    return found or "private"


def _restore_numbers(refs: ArchiveReferences, issue: int, numbers: list[int]) -> None:
    """Numbers that it had before in its project, where they are free."""
    for number in numbers:
        refs.tx.execute(
            "insert into former_number (project, number, issue) select :project, :number, :issue where not exists"
            " (select 1 from issue where project = :project and number = :number) on conflict do nothing",
            project=refs.project["id"],
            number=number,
            issue=issue,
        )


def _restore_spans(refs: ArchiveReferences, issue: int, spans: list[dict[str, Any]]) -> None:
    """What was held when, in place of what the making of it here wrote down."""
    for one in spans:
        if refs.touched and one["to_at"] is None:
            continue
        found = _span(refs, issue, one["field"], one["value"])
        if found is not None:
            refs.tx.execute(
                "insert into span (subject, field, value, from_at, to_at, by)"
                " values (:subject, :field, :value, :from_at, :to_at, :by)",
                subject=f"issue:{issue}",
                field=found[0],
                value=str(found[1]),
                from_at=one["from_at"],
                to_at=one["to_at"],
                by=refs.by(one["by"]),
            )


def _span(refs: ArchiveReferences, issue: int, field: str, value: Any) -> tuple[str, Any] | None:
    """(field, value) as they are kept; None for what is not here."""
    if field.startswith("field:"):
        own = refs.field(field.partition(":")[2])
        if own is None or fields.is_forgotten(refs, own, issue):
            return None
        field, found = f"field:{own['id']}", fields.restored_element(refs, own, value)
    else:
        found = _value(refs, field, value) if isinstance(value, str) else None
    return (field, found) if found is not None else None


def _value(refs: ArchiveReferences, field: str, value: str) -> Any:
    if field in _NAMED:
        return refs.named(_NAMED[field], value, "name" if field in _BY_NAME else "key")
    if field == "project":
        return refs.named("project", value)
    if field == "parent":
        return refs.issue(value)
    if field in ("assignee", "reporter") or value.startswith("team:"):
        return refs.who(value)
    return value


def _restore_history(refs: ArchiveReferences, issue: int, history: list[dict[str, Any]]) -> None:
    """The changes that issues.history tells, for the history alone: nobody hears of them."""
    for one in history:
        changes = {name: _change(refs, name, sides) for name, sides in one["changes"].items()}
        who = (one["at"], refs.by(one["who"]), one["who_kind"], one["via"])
        backfill_history(refs.tx, issue, changes, who)


def _change(refs: ArchiveReferences, name: str, sides: Mapping[str, Any]) -> dict[str, Any]:
    if name == "parent":
        return {side: _key(refs, key) if isinstance(key, str) else key for side, key in sides.items()}
    found: dict[str, Any] = refs.here(dict(sides))
    return found


def _key(refs: ArchiveReferences, text: str) -> str:
    found = refs.of_archive(text)
    row = refs.tx.stored("issue", [found]) if found is not None else None
    return queries.key_of(refs.tx, row) if row is not None else text.replace("#", "-")


LINE = ArchiveHook(home=__name__, line="issues.jsonl", restored=_restore)
LEVEL = ArchiveHook(home=__name__, line="issues.jsonl", name="level", told=_told_level)
NUMBERS = ArchiveHook(home=__name__, line="issues.jsonl", name="former_numbers", restored=_restore_numbers)
SPANS = ArchiveHook(
    home=__name__, line="issues.jsonl", name="spans", told=_told_span, restored=_restore_spans
)
HISTORY = ArchiveHook(
    home=__name__, line="issues.jsonl", name="history", told=_told_change, restored=_restore_history
)
