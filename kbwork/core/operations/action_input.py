"""The input of an operation that is kept to be run later, with places in its texts that are filled in only then."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from kbwork.base.errors import InvalidInput, UnknownField
from kbwork.base.text import did_you_mean
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.validate import validate

_PLACE = re.compile(r"\{\{\s*([^{}]{0,100}?)\s*\}\}")
_DAY = re.compile(r"today(?:\s*[+-]\s*\d{1,4}\s*[dw])?")


def places(value: Any) -> Iterator[str]:
    """The names that stand as `{{name}}` in the texts of a value, however deep."""
    for text in _texts(value):
        for place in _PLACE.finditer(text):
            yield place[1]


def open_in(value: Any) -> bool:
    """Whether any place in it is to be filled in."""
    return any(True for _ in places(value))


def require_places(
    value: Any, allowed: Collection[str], path: str, also: Callable[[str], bool] = lambda _: False
) -> None:
    """Each place in it has one of these names, is a day where `today` is one of them, or is one of `also`.

    Raises InvalidInput, naming the nearest.
    """
    for name in places(value):
        if name in allowed or ("today" in allowed and _DAY.fullmatch(name)) or also(name):
            continue
        raise InvalidInput(
            f"There is no placeholder {{{{{name}}}}} here.{did_you_mean(name, allowed, '{{{{{}}}}}'.format)}",
            field=path,
            allowed=[f"{{{{{each}}}}}" for each in allowed],
        )


def require_fitting(op: Operation, value: dict[str, Any], path: str) -> None:
    """What stands in the input fits it, but for texts that are not filled in yet.

    Raises InvalidInput or UnknownField.
    """
    try:
        validate(op.input, value)
    except InvalidInput as refusal:
        open_ = {name for name, item in value.items() if open_in(item)}
        unknown = isinstance(refusal, UnknownField)
        wrong = [error for error in refusal.extra["errors"] if unknown or _first(error["path"]) not in open_]
        if wrong:
            errors = [error | {"path": f"{path}.{error['path']}".rstrip(".")} for error in wrong]
            raise type(refusal)(f"{op.id}: {errors[0]['message']}", errors=errors) from None


def _first(path: str) -> str:
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
