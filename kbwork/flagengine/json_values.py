"""JSON as the engine reads it, the same in every language: numbers are doubles, text is whole code points."""

import gc
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

EXACT: Final = 1 << 53
"""Beyond this magnitude a whole number is read as the double next to it."""
_LONGEST_NUMBER = 400  # digits; a double ends at 309
_EXACT_DIGITS = 15  # whole numbers of so many are exact
_HALVES = ("\\ud", "\\uD")
"""Only where one of these stands may there be half a character among what was escaped."""


def loads(text: str | bytes) -> Any:
    """Read JSON. What is infinite or not a number reads as null; of members of one name the last counts.

    Raises ValueError where it is not JSON, or nested deeper than the interpreter goes.
    """
    read = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
    try:
        with _uncollected():
            found = json.loads(read, parse_int=_integer, parse_float=_finite_float, parse_constant=_nothing)
            if whole(read) is read and not ("\\" in read and any(half in read for half in _HALVES)):
                return found
            return clean(found)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> set[str]:
    """The names of what is another object in one than in the other, or is only in one."""
    nothing = object()
    found = {name for name, one in new.items() if old.get(name, nothing) is not one}
    return found | (old.keys() - new.keys())


@contextmanager
def _uncollected() -> Iterator[None]:
    """What is read has no circles, and all of it stays: the collector would look through it again and again.

    Where several read at once, the first that began lets the collector go on.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def clean(value: Any) -> Any:
    """Data from anywhere as the engine takes it: dicts, lists, text, booleans, finite numbers and None.

    A lone surrogate becomes U+FFFD; what JSON cannot say is None.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else whole(value)
    if value is None or kind is bool:
        return value
    if kind is int or kind is float:
        return _finite(value)
    if kind is list or kind is tuple:
        return [clean(item) for item in value]
    if kind is dict:
        return {whole(name): clean(item) for name, item in value.items() if isinstance(name, str)}
    return _of_subclass(value)


def whole(text: str) -> str:
    """Text in which each lone half of a surrogate pair is U+FFFD, so that it can be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def is_number(value: Any) -> bool:
    """Whether it is a number: booleans are none."""
    return type(value) is int or type(value) is float


def is_endless(value: Any) -> bool:
    """Whether it is, or holds, a number that is no finite double: in other languages it would be another one."""
    if type(value) is dict:
        return any(map(is_endless, value.values()))
    if type(value) is list:
        return any(map(is_endless, value))
    return is_number(value) and _finite(value) is None


def index(value: Any) -> int | None:
    """A whole number as an int, since 1 and 1.0 are one value; None for all else."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None


def _of_subclass(value: Any) -> Any:
    if isinstance(value, str):
        return whole(str.__str__(value))
    if isinstance(value, int):
        return clean(int(value))
    if isinstance(value, float):
        return clean(float(value))
    if isinstance(value, Mapping):
        return clean(dict(value))
    return clean(list(value)) if isinstance(value, list | tuple) else None


def _finite(value: int | float) -> int | float | None:
    if -EXACT <= value <= EXACT:
        return value
    try:
        double = float(value)
    except OverflowError:
        return None
    return double if math.isfinite(double) else None


def _integer(digits: str) -> int | float | None:
    if len(digits) <= _EXACT_DIGITS:
        return int(digits)
    return _finite(int(digits)) if len(digits) <= _LONGEST_NUMBER else None


def _finite_float(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _nothing(_: str) -> None:
    return None
