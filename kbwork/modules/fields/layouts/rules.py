"""The rules of a layout: on a condition they show fields, ask for them and fill them in."""

from collections.abc import Mapping
from typing import Any

from kbwork.db.tx import Read
from kbwork.modules.fields import conditions
from kbwork.modules.fields.catalogue import OwnField, catalogue, packed, unpacked
from kbwork.modules.fields.conditions import Case
from kbwork.modules.fields.layouts.layout import Layout
from kbwork.modules.fields.model import Stored
from kbwork.modules.fields.values import display

Rule = dict[str, Any]
"""As kept: {`if`: condition, `show`: field ids, `require`: field ids, `set`: {field id: elements}}."""


def asked(layout: Layout, case: Case) -> list[OwnField]:
    """The fields that must have a value.

    A field that rules show is hidden unless one of them holds, and what is hidden is not asked for.
    """
    hidden: set[int] = set()
    shown: set[int] = set()
    wanted = {field.id for field in layout.required}
    for rule in layout.rules:
        hidden.update(rule["show"])
        if conditions.holds(rule["if"], case):
            shown.update(rule["show"])
            wanted.update(rule["require"])
    return [
        field
        for field in layout.fields.values()
        if field.id in wanted and field.fillable and (field.id not in hidden or field.id in shown)
    ]


def askable(layout: Layout) -> frozenset[int]:
    """Ids of the fields that `asked` may ever answer, whatever the case."""
    wanted = {field.id for field in layout.required}
    for rule in layout.rules:
        wanted.update(rule["require"])
    return frozenset(wanted)


def filled(layout: Layout, case: Case) -> dict[int, list[Stored]]:
    """What rules that hold set, by field id; of two the first counts."""
    found: dict[int, list[Stored]] = {}
    for rule in layout.rules:
        if rule["set"] and conditions.holds(rule["if"], case):
            for ident, values in rule["set"].items():
                if int(ident) in layout.fields:
                    found.setdefault(int(ident), list(unpacked(values)))
    return found


def kept(
    condition: conditions.Condition, show: list[int], require: list[int], fill: dict[int, list[Stored]]
) -> Rule:
    """A rule as it is kept."""
    return {
        "if": condition,
        "show": show,
        "require": require,
        "set": {str(ident): packed(values) for ident, values in fill.items()},
    }


def shown(tx: Read, rule: Rule, fields: Mapping[int, OwnField]) -> Rule:
    """A rule as it is answered: fields by key, options by name. Fields that went are left out."""
    return {
        "if": conditions.shown(rule["if"], catalogue(tx)),
        "show": [fields[ident].key for ident in rule["show"] if ident in fields],
        "require": [fields[ident].key for ident in rule["require"] if ident in fields],
        "set": {
            fields[int(ident)].key: display.one(tx, fields[int(ident)], unpacked(values))
            for ident, values in rule["set"].items()
            if int(ident) in fields
        },
    }


def options_in(rule: Rule, field: int) -> set[int]:
    """The options of a field that a rule names."""
    found: set[int] = {value.value for value in unpacked(rule["set"].get(str(field), []))}  # type: ignore[misc]  # option ids
    for one in conditions.comparisons(rule["if"]):
        if one["field"] == field and "value" in one:
            found.update(one["value"] if isinstance(one["value"], list) else [one["value"]])
    return found


def without(rule: Rule, field: int) -> Rule | None:
    """The rule without a field that is gone for good; None where it asks for it, or would do nothing more."""
    if any(one["field"] == field for one in conditions.comparisons(rule["if"])):
        return None
    left: Rule = {name: [ident for ident in rule[name] if ident != field] for name in ("show", "require")}
    left["set"] = {ident: values for ident, values in rule["set"].items() if ident != str(field)}
    return rule | left if any(left.values()) else None


def replaced(rule: Rule, field: int, gone: set[int], into: int) -> Rule:
    """The rule with one option in the place of others."""
    fill = dict(rule["set"])
    if str(field) in fill:
        values = [Stored(into) if value.value in gone else value for value in unpacked(fill[str(field)])]
        fill[str(field)] = packed(dict.fromkeys(values))
    return rule | {"set": fill, "if": _replaced(rule["if"], field, gone, into)}


def _replaced(condition: conditions.Condition, field: int, gone: set[int], into: int) -> conditions.Condition:
    for name in ("all", "any"):
        if name in condition:
            return {name: [_replaced(each, field, gone, into) for each in condition[name]]}
    if condition.get("field") != field or "value" not in condition:
        return condition
    value = condition["value"]
    if isinstance(value, list):
        return condition | {"value": list(dict.fromkeys(into if each in gone else each for each in value))}
    return condition | {"value": into if value in gone else value}
