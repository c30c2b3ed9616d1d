"""Values of a source in the form that an own field takes."""

import contextlib
from typing import Any

from kbwork.modules.imports.records import Value

_TRUE = ("true", "yes", "y", "on", "x", "1")
_FALSE = ("false", "no", "n", "off", "0")
_NUMBERS = ("number", "money")
_WHOLE = ("rating", "duration", "datetime")
_SETS = ("multi_select", "members", "cascade")


def cast_to(kind: str, value: Value) -> Any:
    """The value as a field of this kind takes it; as it is where that is not plain to see."""
    if kind in _SETS:
        return value if isinstance(value, list) else [str(value)]
    if isinstance(value, list):
        value = ", ".join(value)
    if kind in _NUMBERS or kind in _WHOLE:
        return _number(value, whole=kind in _WHOLE)
    if kind == "bool" and not isinstance(value, bool):
        word = str(value).strip().lower()
        return word in _TRUE if word in (*_TRUE, *_FALSE) else value
    return value if isinstance(value, bool) or value is None else str(value)


def _number(value: Any, *, whole: bool) -> Any:
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = float(value.strip().replace(",", "."))
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value
