"""Names and times of the flag REST: operations say snake_case and seconds, this says camelCase and milliseconds.

What stands inside definitions (instructions, rules, contexts, values) is the caller's, and no name in it is touched:
the declared shapes say which names are ours.
"""

import re
import types
import typing
from collections.abc import Callable
from typing import Any

from typing_extensions import is_typeddict

Serializer = Callable[[Any], Any]
"""From an operation's answer to ours."""
_TIMES = frozenset({"at", "created_at", "evaluated_at", "expires_at", "hour", "since"})
"""Seconds, wherever a shape has them; `run_at` is in milliseconds everywhere."""
_CONTRACT: dict[tuple[str, str], str] = {
    ("FlagChange", "target"): "targetKey",
    ("FlagChange", "environment"): "environmentKey",
    ("FlagSchedule", "environment"): "environmentKey",
    ("FlagSettings", "agent_writes"): "agentProductionWrites",
    ("FlagUpdate", "change"): "changeRequest",
    ("SegmentDelete", "change"): "changeRequest",
    ("SegmentUpdate", "change"): "changeRequest",
}
"""(shape, field) -> the name that the contract has for it."""
_WHERE_THERE = frozenset({"changeRequest"})
"""Names that are left out where there is nothing, by the contract."""
_VALUES = frozenset({"never_evaluated", "not_evaluated", "serves_one"})
"""What answers say in these very words, though they look like names of fields."""


def camel(name: str) -> str:
    """`off_variation` -> `offVariation`; what is a value stays."""
    if name in _VALUES:
        return name
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)


def snake(name: str) -> str:
    """`offVariation` -> `off_variation`."""
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), name)


def name_of(shape: str, field: str) -> str:
    """What a field of a declared shape is called here."""
    return _CONTRACT.get((shape, field)) or camel(field)


def optional(name: str) -> bool:
    """Whether it is left out where there is nothing."""
    return name in _WHERE_THERE


def serializer(kind: Any) -> Serializer:
    """What tells answers of this declared type: a TypedDict, or lists and dicts of them."""
    return _inner(kind) or (lambda value: value)


def _inner(kind: Any) -> Serializer | None:
    """None where everything inside is told as it is."""
    if is_typeddict(kind):
        return _of_object(kind)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (list, dict):
        inner = _inner(parts[-1])
        if inner is None:
            return None
        return _of_list(inner) if origin is list else _of_dict(inner)
    if origin in (typing.Union, types.UnionType):
        return next((found for found in map(_inner, parts) if found is not None), None)
    return None


def _of_list(inner: Serializer) -> Serializer:
    return lambda value: [inner(one) for one in value]


def _of_dict(inner: Serializer) -> Serializer:
    """Its keys are the caller's."""
    return lambda value: {key: inner(one) for key, one in value.items()}


def _of_object(kind: Any) -> Serializer:
    fields: dict[str, tuple[str, Serializer | None]] = {}
    for field, declared in typing.get_type_hints(kind).items():
        fields[field] = (name_of(kind.__name__, field), _ms if field in _TIMES else _inner(declared))

    def tell(value: dict[str, Any]) -> dict[str, Any]:
        answer = {}
        for field, found in value.items():
            name, inner = fields[field]
            if found is not None:
                answer[name] = inner(found) if inner is not None else found
            elif name not in _WHERE_THERE:
                answer[name] = None
        return answer

    return tell


def _ms(seconds: int) -> int:
    return seconds * 1000
