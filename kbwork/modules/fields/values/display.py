"""Kept values as they are answered: options and keys by their present names, computed ones beside them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.fields.catalogue import Option, OwnField, catalogue
from kbwork.modules.fields.layouts import layout
from kbwork.modules.fields.model import CHOICES, REFERENCES, SETS, Stored
from kbwork.modules.fields.values import formulas
from kbwork.modules.projects import ISSUE_SEEN

_HELD = """
select v.issue, v.field, v.value, v.unit, i.project, i.type from issue_value v join issue i on i.id = v.issue
  where v.issue in (select value from json_each(:ids)) order by v.issue, v.field, v.position
"""
_KEYS = (
    "select i.id, p.key || '-' || i.number as key from issue i join project p on p.id = i.project"
    f" where i.id in (select value from json_each(:ids)) and {ISSUE_SEEN}"
)

_Held = dict[tuple[int, int], list[Stored]]
"""(issue, field) -> what it holds, in order."""


class ReferenceNames:
    """What references among some values are called, as far as the caller sees it; asked once for all of them."""

    def __init__(self, tx: Read, values: Iterable[tuple[OwnField, Stored]]) -> None:
        wanted: dict[str, set[int | float | str]] = {}
        for field, value in values:
            if field.kind in REFERENCES:
                wanted.setdefault(field.kind, set()).add(value.value)
        self._known: dict[tuple[str, int | float | str], str] = {}
        if issues := wanted.pop("issue", None):
            for row in tx.all(_KEYS, ids=json_array(issues), **visibility.binds(tx)):
                self._known["issue", row["id"]] = row["key"]
        for kind, refs in wanted.items():
            for ref in refs:
                if visibility.find(tx, f"{kind}:{ref}") is not None:
                    self._known[kind, ref] = str(ref)

    def of(self, kind: str, ref: int | float | str) -> str | None:
        """None for what the caller does not see."""
        return self._known.get((kind, ref))


def values_of(tx: Read, issues: list[int]) -> dict[int, dict[str, Any]]:
    """The values of some issues that the caller sees, by field key; fields without one are left out.

    A field that is not laid out on the issue's type in its project is not shown, and comes back with its values when it
    is laid out again. Computed fields are there where they are laid out.
    """
    if not catalogue(tx):
        return {issue: {} for issue in issues}
    held: _Held = {}
    laid_out: dict[tuple[int, int], dict[int, OwnField]] = {}
    for row in tx.all(_HELD, ids=json_array(issues)):
        place = (row["project"], row["type"])
        if place not in laid_out:
            laid_out[place] = layout.of(tx, *place).fields
        if row["field"] in laid_out[place]:
            held.setdefault((row["issue"], row["field"]), []).append(Stored(row["value"], row["unit"]))
    return _answered(tx, issues, held)


def values_of_new(tx: Read, issue: int, values: Mapping[int, list[Stored]]) -> dict[str, Any]:
    """As `values_of`, of an issue that was just made with these: what is not laid out takes none."""
    if not catalogue(tx):
        return {}
    held = {(issue, field): values[field] for field in sorted(values) if values[field]}
    return _answered(tx, [issue], held)[issue]


def _answered(tx: Read, issues: list[int], held: _Held) -> dict[int, dict[str, Any]]:
    answer: dict[int, dict[str, Any]] = {issue: {} for issue in issues}
    known = catalogue(tx)
    names = ReferenceNames(
        tx, ((known[field], value) for (_, field), values in held.items() for value in values)
    )
    for (issue, ident), values in held.items():
        value = shown(known[ident], values, names)
        if value is not None:
            answer[issue][known[ident].key] = value
    for issue, computed in formulas.computed(tx, issues).items():
        answer[issue] |= computed
    return answer


def one(tx: Read, field: OwnField, values: Sequence[Stored]) -> Any:
    """One value as it is answered."""
    return shown(field, values, ReferenceNames(tx, ((field, value) for value in values)))


def shown(field: OwnField, values: Sequence[Stored], names: ReferenceNames) -> Any:
    """As `one`, with names that were asked for already. None where nothing is left."""
    if field.kind in CHOICES:
        options = [option for value in values if (option := field.by_id.get(value.value)) is not None]
        return _chosen(field, list(dict.fromkeys(options)))
    found = [each for value in values if (each := _element(field, value, names)) is not None]
    if field.kind in SETS:
        return found or None
    return found[0] if found else None


def _chosen(field: OwnField, options: list[Option]) -> Any:
    if not options:
        return None
    if field.kind == "select":
        return options[0].name
    if field.kind == "multi_select":
        options.sort(key=lambda option: option.place)
    return [option.name for option in options]


def _element(field: OwnField, value: Stored, names: ReferenceNames) -> Any:
    if field.kind == "money":
        return {"amount": value.value, "currency": value.unit}
    if field.kind == "bool":
        return bool(value.value)
    return names.of(field.kind, value.value) if field.kind in REFERENCES else value.value


def told(tx: Read, field: OwnField, before: Sequence[Stored], after: Sequence[Stored]) -> Any:
    """A change of value as an event tells it: (before, after), and a long text by its sizes.

    The event goes to everybody who sees the issue. It therefore does not say what a personal field held, nor which
    issue, page or asset is named: not everybody sees that one. Both sides are null then.
    """
    if field.personal or field.kind in REFERENCES:
        return (None, None)
    if field.kind == "paragraph":
        sizes = [len(str(side[0].value)) if side else 0 for side in (before, after)]
        return {"from_size": sizes[0], "to_size": sizes[1], "revision": None}
    return (one(tx, field, before), one(tx, field, after))


def stored_of(rows: Iterable[Row]) -> dict[int, list[Stored]]:
    """Rows of values by their field, in order."""
    found: dict[int, list[Stored]] = {}
    for row in rows:
        found.setdefault(row["field"], []).append(Stored(row["value"], row["unit"]))
    return found


def held(tx: Read, issue: int) -> dict[int, list[Stored]]:
    """What an issue has in every field that is there, by the field's id; for `required` beside what is given."""
    known: Mapping[int, OwnField] = catalogue(tx)
    rows = tx.all(
        "select field, value, unit from issue_value where issue = :issue order by field, position",
        issue=issue,
    )
    return stored_of(row for row in rows if row["field"] in known)
