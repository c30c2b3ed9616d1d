"""What of a subject goes along: fields as the operation answers them that looks at one such thing."""

import typing
from typing import Any

from typing_extensions import is_typeddict

from kbwork.base.errors import InvalidInput, Problem
from kbwork.base.text import no_field, whole_number
from kbwork.core.operations import nested
from kbwork.core.operations.declare import Operation
from kbwork.core.things.thing import Thing, ref_of
from kbwork.db.tx import Read


def checked(tx: Read, asked: list[str]) -> list[str]:
    """Each once. Raises InvalidInput for one that no kind of subject has, naming the nearest."""
    known = sorted(
        {field for kind in tx.registry.things.values() for field in _fields(_look(tx, kind))} if asked else ()
    )
    for place, name in enumerate(asked):
        if name not in known:
            raise InvalidInput(no_field(name, known), field=f"fields[{place}]")
    return list(dict.fromkeys(asked))


def of(tx: Read, subject: str, fields: list[str]) -> dict[str, Any] | None:
    """Those of the fields that it has, as the caller sees it now; None where they do not see it."""
    name, ref = ref_of(subject)
    kind = tx.registry.things.get(name)
    op = _look(tx, kind) if kind is not None else None
    if op is None:
        return None
    (asked,) = _required(op)
    number = whole_number(ref)
    value: Any = number if number is not None and asked == "id" else ref
    try:
        answer = nested.look(tx, op.id, {asked: subject if asked == "key" and number is not None else value})
    except Problem:  # it is gone, or out of sight
        return None
    return {field: answer[field] for field in fields if field in answer}


def _look(tx: Read, kind: Thing) -> Operation | None:
    """The operation that looks at one thing of a kind, given nothing but what names it."""
    op: Operation | None = tx.registry.operations.get(f"{kind.module}.get")
    if op is None or op.road != "read" or kind.name != kind.module.removesuffix("s"):
        return None
    return op if _required(op) in (["id"], ["key"]) else None


def _required(op: Operation) -> list[str]:
    return [field.alias or name for name, field in op.input.model_fields.items() if field.is_required()]


def _fields(op: Operation | None) -> list[str]:
    return list(typing.get_type_hints(op.output)) if op is not None and is_typeddict(op.output) else []
