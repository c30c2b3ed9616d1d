"""What must hold besides: read as callers write it, and asked of what a rule runs for."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from kbwork.base.errors import Conflict
from kbwork.core.access import visibility
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.projects import access
from kbwork.modules.tql import time_limit
from kbwork.tql import tree as t

_PLACE = fields.conditions.ConditionScope("A rule", queries=True, changes=True)


def kept(tx: Read, given: Sequence[Any]) -> list[fields.conditions.Condition]:
    """Conditions as they are kept. Raises InvalidInput, TqlSyntax or TqlName at what does not fit."""
    reader = fields.conditions.ConditionReader(tx, fields.catalogue(tx), _PLACE)
    return [reader.read(one, f"conditions[{number}]") for number, one in enumerate(given)]


def texts(conditions: Sequence[fields.conditions.Condition]) -> Iterator[str]:
    """Each query in them."""
    for one in conditions:
        yield from fields.conditions.texts(one)


def suit(seen: Read, rule: RuleRow, about: Occasion) -> bool:
    """Whether a rule is for this: its trigger's query fits and its conditions hold, as `seen` by its author.

    Raises a Problem where one of them cannot be asked any more.
    """
    text, names = json.loads(rule["trigger"])["tql"], rule["names"]
    if text and not fits(seen, text, names, about.issue_id):
        return False
    return hold(seen, json.loads(rule["conditions"]), names, about)


def hold(
    seen: Read, conditions: Sequence[fields.conditions.Condition], names: str, occasion: Occasion
) -> bool:
    """Whether all hold for what a rule runs for, as `seen` by its author. Raises a Problem where one cannot be asked
    any more."""
    return all(_holds(seen, one, names, occasion) for one in conditions)


def _holds(seen: Read, condition: fields.conditions.Condition, names: str, occasion: Occasion) -> bool:
    if "all" in condition:
        return all(_holds(seen, one, names, occasion) for one in condition["all"])
    if "any" in condition:
        return any(_holds(seen, one, names, occasion) for one in condition["any"])
    if "role" in condition:
        return _acts_as(seen, condition["role"], occasion)
    if "tql" in condition:
        return fits(seen, condition["tql"], names, occasion.issue_id)
    case = occasion.case(seen)
    field = condition["field"]
    if isinstance(field, int) and field not in fields.catalogue(seen):
        raise Conflict("A condition asks for a field that is gone: save the rule without it.")
    if case is None:
        return bool(condition["op"] == "empty")
    return fields.conditions.holds(condition, case)


def _acts_as(seen: Read, role: str, occasion: Occasion) -> bool:
    """Whether whoever set the rule off is that: a role, one in the project of the issue, or of a team."""
    if role.startswith("team:") and visibility.find_named(seen, role) is None and role != "team:admins":
        raise Conflict("A condition asks for a team that is gone: save the rule without it.")
    acting = visibility.as_member(seen, occasion.actor)
    held = {acting.caller.role, *visibility.teams(acting)}
    case = occasion.case(seen)
    if case is not None:
        held.add(access.role_in(acting, case.project) or "")
    return role in held


def fits(seen: Read, text: str, names: str, issue: int | None) -> bool:
    """Whether an issue fits a query that is kept with what its names meant.

    Raises a Problem where it cannot be asked any more.
    """
    return issue is not None and issue in fitting(seen, text, names, [issue])


def fitting(seen: Read, text: str, names: str, issues: list[int]) -> set[int]:
    """Those of some issues that fit a query likewise."""
    language = seen.registry.language
    if language is None:
        return set()
    with time_limit.bounded(seen, t.QueryNode()):
        return set(language.fitting(seen.as_caller(seen.caller), text, issues, names))
