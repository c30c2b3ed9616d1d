"""The past of fields as the tables keep it: which history a field has, and how its values are written there."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.sources import sources
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.items import Spell
from kbwork.tql.tree import ColumnNode

_WORDS = frozenset({"category", "outcome", "priority", "state", "role", "level", "person", "option", ""})
"""Domains, or what they begin with, whose ids are words; those of all others are numbers."""


def is_word(field: FieldDef | ColumnNode) -> bool:
    """Whether the ids of a field's names are words: those of a closed list are, whosever they are."""
    return bool(field.choices) or field.domain.partition(":")[0] in _WORDS


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """`name` is that of the history; `read` makes a value of what is written there."""

    name: str
    field: FieldDef
    read: Callable[[str], Any]


def past_of(tx: Read, name: str) -> FieldHistory | None:
    """The history of a field of issues; None where none is kept in spans."""
    field = sources(tx)["issues"].field(tx, name)
    if field is None or not field.history:
        return None
    return FieldHistory(field.history, field.field, _READ.get(field.field.kind, str))


def spells_of(tx: Read, past: FieldHistory, issues: list[int]) -> dict[int, list[Spell]]:
    """The spells of some issues, oldest first."""
    rows = tx.all(
        "select cast(substr(s.subject, 7) as integer) as id, s.value, s.from_at, s.to_at, s.by from spell s"
        " where s.subject in (select 'issue:' || value from json_each(:ids)) and s.field = :field"
        " order by s.subject, s.from_at, s.to_at is null, s.to_at, s.id",
        ids=json_array(issues),
        field=past.name,
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


_READ: dict[FieldKind, Callable[[str], Any]] = {
    FieldKind.NUMBER: float,
    FieldKind.DURATION: int,
    FieldKind.TIME: int,
    FieldKind.BOOL: lambda text: text == "1",
}
