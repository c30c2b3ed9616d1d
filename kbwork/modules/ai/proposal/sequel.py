"""What an answer feeds: an operation and its input, with places that the answer fills in."""

import re
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import did_you_mean
from kbwork.core.access import visibility
from kbwork.core.operations import action_input
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.dispatch import authorize
from kbwork.core.operations.registry import Registry
from kbwork.core.things.thing import Subject
from kbwork.db.tx import Read

_PLACE = re.compile(r"\{\{\s*answer\s*\}\}")
_OWN = "ai"


class AiThen(Input):
    op: Text
    """The operation that the answer feeds, such as `issues.update` or `comments.create`."""
    input: Any
    """Its input, any JSON object; `{{answer}}` in its texts becomes the answer."""


def refusal(op: Operation) -> str | None:
    """Why no answer of a model feeds it; None where one may."""
    if op.people != "anyone" or op.elevated or op.public or op.system or op.signs_in:
        return f"{op.id} is for people to do themselves."
    if op.module == _OWN:
        return f"{op.id} is nothing that a model proposes: what AI may do is set by people."
    if op.road != "write" or op.cls == "read":
        return f"{op.id} is no change that can be proposed."
    if op.starts_job or op.emits_any:
        return f"{op.id} does its work in parts: name an operation for one thing."
    return None


def checked(tx: Read, then: AiThen) -> tuple[str, dict[str, Any]]:
    """(operation, input) as they are kept. Raises InvalidInput, UnknownField, InsufficientScope or NotAllowed."""
    registry: Registry = tx.registry
    op = registry.operations.get(then.op)
    if op is None:
        known = [one.id for one in registry.operations.values() if refusal(one) is None]
        raise InvalidInput(
            f"There is no operation {then.op[:100]!r}.{did_you_mean(then.op, known)}", field="then.op"
        )
    if (why := refusal(op)) is not None:
        raise InvalidInput(why, field="then.op")
    if not isinstance(then.input, dict):
        raise InvalidInput("The input of an operation is an object.", field="then.input")
    action_input.require_fitting(op, then.input, "then.input")
    authorize(op, tx.caller)
    return op.id, then.input


def usual(tx: Read, subject: Subject) -> tuple[str, dict[str, Any]]:
    """Where nothing is said, the answer is a comment. Raises InvalidInput where the subject takes none."""
    kind = visibility.things(tx)[subject.kind]
    if kind.comments is None or "comments.create" not in tx.registry.operations:
        raise InvalidInput(
            f"{subject.id} takes no comments: say by `then` what the answer feeds.", field="then"
        )
    return checked(tx, AiThen(op="comments.create", input={"subject": subject.id, "body": "{{answer}}"}))


def filled(value: Any, answer: str) -> Any:
    """The input with the answer in its places."""
    if isinstance(value, str):
        return _PLACE.sub(lambda _: answer, value)
    if isinstance(value, list):
        return [filled(item, answer) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, answer) for name, item in value.items()}
    return value
