"""What a rule does: operations with inputs, read as callers write them and kept."""

import re
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Text
from kbwork.base.text import did_you_mean
from kbwork.core.operations import action_input
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry
from kbwork.db.tx import Read
from kbwork.modules import fields
from kbwork.modules.automation.model import OnError

MOST = 50
MOST_DELAY = 60 * 24 * 90
OF_ISSUE = (
    "assignee",
    "due",
    "issue",
    "key",
    "parent",
    "priority",
    "project.key",
    "project.name",
    "reporter",
    "title",
    "type",
)
"""Placeholders of the issue that an action is run for."""
OF_TRIGGER = ("trigger.issue", "trigger.key", "trigger.title")
"""Placeholders of the issue that the rule ran for, where `each` names others."""
OF_RULE = ("actor", "actor.name", "event", "me", "me.name", "rule", "subject", "today")
"""Placeholders that every rule has."""
ANSWER = "answer"
"""The place that stays open until a model has answered."""
_OF_EVENT = re.compile(r"payload(?:\.[A-Za-z0-9_-]{1,60}){1,6}|changes\.[A-Za-z0-9_.]{1,80}\.(?:from|to)")
_IN_EACH = ("actor", "issue", "key", "me", "parent", "project.key", "today")
"""Placeholders of `each`: those that cannot hold what somebody wrote."""


class RuleAction(Input):
    op: Text
    """The operation, such as `issues.update`; `automation.catalog` lists those that may be."""
    input: dict[str, Any] | None = None
    """Its input; texts may hold `{{key}}`, `{{title}}`, `{{actor}}`, `{{today+7d}}` and the like, and `{{answer}}` what
    it feeds an answer of AI to."""
    each: Annotated[str, Field(max_length=fields.conditions.MOST_CHARS)] | None = None
    """A query: run it for each issue that fits, 200 at most; the placeholders are then of that issue."""
    apply: bool | None = None
    """With `ai.run`: what the model answers is applied without review, where the policy of AI lets rules do so."""
    on_error: OnError | None = None
    """`stop` (the default): what it refuses takes back the whole run. `go_on`: the rest stands without it."""
    delay_minutes: Annotated[Int, Field(ge=0, le=MOST_DELAY)] | None = None
    """So many minutes the run waits before it."""


def kept(tx: Read, given: RuleAction, path: str, *, of_issue: bool) -> dict[str, Any]:
    """An action as it is kept. Raises InvalidInput, UnknownField, TqlSyntax or TqlName at what cannot run.

    `of_issue`: the rule runs for an issue, or may.
    """
    op = _runnable(tx, given.op, f"{path}.op")
    if given.apply and not op.unattended:
        raise InvalidInput("Only steps that ask AI are applied later: leave it out.", field=f"{path}.apply")
    value = given.input or {}
    allowed = OF_RULE + (OF_TRIGGER if of_issue else ()) + (OF_ISSUE if of_issue or given.each else ())
    allowed += (ANSWER,) if op.unattended else ()
    action_input.require_places(value, allowed, f"{path}.input", of_event)
    action_input.require_fitting(op, value, f"{path}.input")
    return {
        "op": op.id,
        "input": value,
        "each": _each(tx, given.each, f"{path}.each", of_issue=of_issue) if given.each else None,
        "apply": bool(given.apply),
        "on_error": given.on_error or "stop",
        "delay_minutes": given.delay_minutes or 0,
    }


def of_event(name: str) -> bool:
    """Whether a placeholder stands for what an event says, or a request from outside."""
    return _OF_EVENT.fullmatch(name) is not None


def runnable(registry: Registry) -> list[str]:
    """The ids of the operations that an action may run."""
    return sorted(op.id for op in registry.operations.values() if _refusal(op) is None)


def _runnable(tx: Read, name: str, path: str) -> Operation:
    op: Operation | None = tx.registry.operations.get(name)
    if op is None:
        hint = did_you_mean(name, runnable(tx.registry))
        raise InvalidInput(f"There is no operation {name[:100]!r}.{hint}", field=path)
    if (why := _refusal(op)) is not None:
        raise InvalidInput(why, field=path)
    return op


def _refusal(op: Operation) -> str | None:
    """Why no rule runs it; None where one may."""
    if op.people != "anyone" or op.elevated or op.public or op.system or op.signs_in:
        return f"{op.id} is for people to do themselves."
    if op.module == "automation":
        return f"{op.id} is no action: rules neither change nor run rules."
    if op.road != "write" or op.cls == "read":
        return f"{op.id} is no change that a rule can make."
    if (op.starts_job and not op.unattended) or op.emits_any:
        return f"{op.id} does its work in parts: name the operations for one thing, with `each`."
    return None


def _each(tx: Read, text: str, path: str, *, of_issue: bool) -> str:
    """With placeholders it is kept as it stands: what fills them in is not known yet."""
    allowed = _IN_EACH if of_issue else ("actor", "me", "today")
    action_input.require_places(text, allowed, path)
    if action_input.open_in(text) and tx.registry.language is not None:
        return text
    return fields.conditions.query(tx, text, path)
