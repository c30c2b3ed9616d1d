"""The operators of clauses. Each becomes a test of one value of the context; any of the clause's values may hit."""

import operator
from collections.abc import Callable
from typing import Any, Final

from kbwork.flagengine.clauses import patterns
from kbwork.flagengine.clauses.dates import instant
from kbwork.flagengine.clauses.versions import version
from kbwork.flagengine.json_values import is_number

Test = Callable[[Any], bool]
"""Takes one text, number or boolean. Objects, arrays and null satisfy nothing: they are not asked about."""

SEGMENT_MATCH: Final = "segmentMatch"


def test_of(op: str, values: list[Any]) -> Test | None:
    """The test of an operator over the values of its clause; None for an operator that is not known."""
    make = OPERATORS.get(op)
    return make(values) if make is not None else None


def hits(test: Test, value: Any) -> bool:
    """Whether a value, or any element of an array, satisfies the test."""
    if type(value) is list:
        return any(test(item) for item in value if type(item) in _SCALARS)
    return type(value) in _SCALARS and test(value)


_SCALARS = frozenset({str, int, float, bool})


def texts(values: list[Any]) -> tuple[str, ...]:
    """Those of a clause's values that are text."""
    return tuple(value for value in values if type(value) is str)


def numbers(values: list[Any]) -> tuple[int | float, ...]:
    """Those that are numbers."""
    return tuple(value for value in values if is_number(value))


def _in(values: list[Any]) -> Test:
    words, figures = frozenset(texts(values)), frozenset(numbers(values))
    truths = frozenset(value for value in values if type(value) is bool)

    def test(value: Any) -> bool:
        kind = type(value)
        return value in (words if kind is str else truths if kind is bool else figures)

    return test


def _starts_with(values: list[Any]) -> Test:
    heads = texts(values)
    return lambda value: type(value) is str and value.startswith(heads)


def _ends_with(values: list[Any]) -> Test:
    tails = texts(values)
    return lambda value: type(value) is str and value.endswith(tails)


def _contains(values: list[Any]) -> Test:
    inner = texts(values)
    return lambda value: type(value) is str and any(part in value for part in inner)


def _matches(values: list[Any]) -> Test:
    tests = [found for found in map(patterns.found_in, texts(values)) if found is not None]
    return lambda value: type(value) is str and any(test(value) for test in tests)


def _compared(read: Callable[[Any], Any], *, largest: bool, holds: Callable[[Any, Any], bool]) -> Any:
    """An operator of order. Any value may hit, so the largest bound is the one for less, the smallest for greater."""

    def make(values: list[Any]) -> Test:
        bounds = [found for found in map(read, values) if found is not None]
        if not bounds:
            return lambda _: False
        bound = max(bounds) if largest else min(bounds)

        def test(value: Any) -> bool:
            found = read(value)
            return found is not None and holds(found, bound)

        return test

    return make


def _number(value: Any) -> Any:
    return value if is_number(value) else None


def _version_equal(values: list[Any]) -> Test:
    wanted = frozenset(found for found in map(version, values) if found is not None)
    return lambda value: version(value) in wanted


OPERATORS: Final[dict[str, Callable[[list[Any]], Test]]] = {
    "in": _in,
    "startsWith": _starts_with,
    "endsWith": _ends_with,
    "contains": _contains,
    "matches": _matches,
    "lessThan": _compared(_number, largest=True, holds=operator.lt),
    "lessThanOrEqual": _compared(_number, largest=True, holds=operator.le),
    "greaterThan": _compared(_number, largest=False, holds=operator.gt),
    "greaterThanOrEqual": _compared(_number, largest=False, holds=operator.ge),
    "before": _compared(instant, largest=True, holds=operator.lt),
    "after": _compared(instant, largest=False, holds=operator.gt),
    "semVerEqual": _version_equal,
    "semVerLessThan": _compared(version, largest=True, holds=operator.lt),
    "semVerGreaterThan": _compared(version, largest=False, holds=operator.gt),
}
"""All operators but `segmentMatch`, which asks segments."""
