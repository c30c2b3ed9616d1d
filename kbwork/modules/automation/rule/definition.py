"""A rule as a whole: checked and kept, with what the names in its queries mean."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.rule import actions, conditions, trigger
from kbwork.modules.automation.rule.actions import RuleAction
from kbwork.modules.automation.rule.trigger import RuleTrigger


def columns(
    tx: Read, trigger_: RuleTrigger, conditions_: list[Any], actions_: list[RuleAction]
) -> dict[str, Any]:
    """What a rule says, as it is kept. Raises InvalidInput, UnknownField, TqlSyntax or TqlName at what cannot be."""
    kept_trigger = trigger.kept(tx, trigger_)
    of_issue = _is_of_issue(kept_trigger)
    kept_conditions = conditions.kept(tx, conditions_)
    if kept_conditions and not of_issue:
        raise InvalidInput(
            "This rule runs for no issue that a condition could ask: say which by `trigger.tql`, or by the `each` of"
            " an action.",
            field="conditions",
        )
    kept_actions = [
        actions.kept(tx, one, f"actions[{place}]", of_issue=of_issue) for place, one in enumerate(actions_)
    ]
    texts = [
        *([kept_trigger["tql"]] if kept_trigger.get("tql") else []),
        *conditions.texts(kept_conditions),
        *(one["each"] for one in kept_actions if one["each"] and "{{" not in one["each"]),
    ]
    return {
        "trigger": json.dumps(kept_trigger, ensure_ascii=False),
        "conditions": json.dumps(kept_conditions, ensure_ascii=False),
        "actions": json.dumps(kept_actions, ensure_ascii=False),
        "names": fields.conditions.names_of(tx, texts),
    }


def _is_of_issue(kept: dict[str, Any]) -> bool:
    """Or may be: a request from outside may name one."""
    return kept["kind"] in ("event", "state", "hook") or bool(kept["tql"])


def trigger_of(said: dict[str, Any]) -> RuleTrigger:
    """The trigger of a rule that is kept, as callers write it."""
    return RuleTrigger(**{name: one for name, one in said["trigger"].items() if one is not None})


def actions_of(said: dict[str, Any]) -> list[RuleAction]:
    """Its actions likewise."""
    return [RuleAction(**action) for action in said["actions"]]
