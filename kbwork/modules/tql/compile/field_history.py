"""The past of fields as the tables keep it: which history a field has, and how its values are written there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.names.db_names import own_fields
from kbwork.tql.items import Spell

SPANS = {
    "project": "project",
    "type": "type",
    "status": "lane",
    "category": "lane",
    "priority": "priority",
    "label": "label",
    "component": "component",
    "milestone": "milestone",
    "sprint": "sprint",
    "level": "level",
    "assignee": "assignee",
    "reporter": "reporter",
    "estimate": "estimate",
    "start": "start_date",
    "due": "due_date",
    "parent": "parent",
}
"""Field of issues -> the name of its history."""


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """`field` is the name of the history; `read` makes a value of what is written there."""

    field: str
    read: Callable[[str], Any]


def past_of(tx: Read, name: str) -> FieldHistory | None:
    """The history of a field of issues; None where none is kept in spans."""
    if name in SPANS:
        return FieldHistory(SPANS[name], float if name == "estimate" else str)
    own = own_fields(tx).get(name)
    return None if own is None else FieldHistory(f"field:{own.id}", _READ.get(own.kind, str))


def spells_of(tx: Read, past: FieldHistory, issues: list[int]) -> dict[int, list[Spell]]:
    """The spells of some issues, oldest first."""
    rows = tx.all(
        "select cast(substr(s.subject, 7) as integer) as id, s.value, s.from_at, s.to_at, s.by from span s"
        " where s.subject in (select 'issue:' || value from json_each(:ids)) and s.field = :field"
        " order by s.subject, s.from_at, s.to_at is null, s.to_at, s.id",
        ids=json_array(issues),
        field=past.field,
    )
    found: dict[int, list[Spell]] = {}
    for row in rows:
        spell = Spell(past.read(row["value"]), row["from_at"], row["to_at"], row["by"])
        found.setdefault(row["id"], []).append(spell)
    return found


def joined(spells: list[Spell]) -> list[Spell]:
    """Neighbours with one value as one spell: a category lasts through all its lanes."""
    found: list[Spell] = []
    for spell in spells:
        last = found[-1] if found else None
        if last is not None and last.value == spell.value and last.end == spell.begin:
            found[-1] = Spell(last.value, last.begin, spell.end, last.by)
        else:
            found.append(spell)
    return found


_READ: dict[str, Callable[[str], Any]] = {
    "number": float,
    "money": float,
    "rating": float,
    "duration": int,
    "datetime": int,
    "bool": lambda text: text == "1",
    "select": str,
}
