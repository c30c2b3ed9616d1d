"""The actions of a transition as a workflow holds them: operations with inputs, and which of them may be.

They are run by `issues/transitions/effects`.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Int, Text
from kbwork.base.text import did_you_mean
from kbwork.core.operations import action_input
from kbwork.core.operations.declare import Operation
from kbwork.db.tx import Read
from kbwork.modules import fields

PLACES = (
    "assignee",
    "due",
    "from",
    "issue",
    "key",
    "me",
    "me.name",
    "parent",
    "priority",
    "project.key",
    "project.name",
    "reporter",
    "title",
    "to",
    "today",
    "trigger.issue",
    "trigger.key",
    "trigger.title",
    "type",
)
"""Placeholders of an input: of the issue that it is run for; `trigger` is the one that moved."""
EACH_PLACES = ("issue", "key", "me", "parent", "project.key", "today")
"""Placeholders of `each`: those that cannot hold what somebody wrote."""


class TransitionAction(Input):
    op: Text
    """An operation that changes something and takes nothing away."""
    input: dict[str, Any] | None = None
    """Its input; texts may hold `{{key}}`, `{{title}}`, `{{me}}`, `{{today+7d}}` and the like."""
    each: Annotated[str, Field(max_length=fields.conditions.MOST_CHARS)] | None = None
    """TQL: run it for each issue that fits, 200 at most; the placeholders are then of that issue."""
    apply: bool | None = None
    """Not offered by this version."""
    on_error: Literal["stop", "go_on"] | None = None
    """`stop` (the default): what it refuses refuses the move. `go_on`: the move stands without it."""
    delay_minutes: Int | None = None
    """Minutes to wait; nothing but 0 in this version."""


def kept(tx: Read, given: TransitionAction, path: str) -> dict[str, Any]:
    """An action as it is kept. Raises InvalidInput or UnknownField at what cannot run."""
    if given.apply:
        raise InvalidInput("Steps of AI come with automation rules.", field=f"{path}.apply")
    if given.delay_minutes:
        raise InvalidInput(
            "What is to happen later comes with automation rules.", field=f"{path}.delay_minutes"
        )
    op = _runnable(tx, given.op, f"{path}.op")
    value = given.input or {}
    action_input.require_places(value, PLACES, f"{path}.input")
    action_input.require_fitting(op, value, f"{path}.input")
    each = _each(tx, given.each, f"{path}.each") if given.each else None
    return {
        "op": op.id,
        "input": value,
        "each": each,
        "apply": False,
        "on_error": given.on_error or "stop",
        "delay_minutes": 0,
    }


def _runnable(tx: Read, name: str, path: str) -> Operation:
    op: Operation | None = tx.registry.operations.get(name)
    if op is None:
        hint = did_you_mean(name, tx.registry.operations)
        raise InvalidInput(f"There is no operation {name[:100]!r}.{hint}", field=path)
    if op.road != "write" or op.cls != "write" or op.starts_job:
        raise InvalidInput(f"{op.id} is no change that a transition can make.", field=path)
    if op.emits_any:
        raise InvalidInput(f"{op.id} runs other operations: name those.", field=path)
    if op.people != "anyone" or op.elevated or op.public or op.system:
        raise InvalidInput(f"{op.id} is for people to do themselves.", field=path)
    return op


def _each(tx: Read, text: str, path: str) -> str:
    """With placeholders it is kept as it stands: what fills them in is not known yet."""
    action_input.require_places(text, EACH_PLACES, path)
    if action_input.open_in(text) and tx.registry.language is not None:
        return text
    return fields.conditions.query(tx, text, path)
