"""What many rows give together: counts, sums, percentiles. Missing values do not count."""

import math
from collections.abc import Callable, Sequence
from typing import Any

_LISTED = 20
"""So many values `list()` shows unless it is told a number."""


def gathered(name: str, values: Sequence[Any], most: int | None = None) -> tuple[Any, ...]:
    """An aggregate over the values of all rows: one result, or none where nothing was there.

    A sum over nothing is 0. `list` gives different values in the order met.
    """
    if name == "list":
        return tuple(dict.fromkeys(values))[: _LISTED if most is None else most]
    if name == "count":
        return (len(set(values)),)
    if name == "sum":
        return (sum(values),)
    return (_OF_SOME[name](sorted(values)),) if values else ()


def _nearest_rank(part: int) -> Callable[[Sequence[Any]], Any]:
    """The least value that so many percent do not exceed: always one that occurred."""
    return lambda ordered: ordered[max(math.ceil(len(ordered) * part / 100) - 1, 0)]


def _median(ordered: Sequence[Any]) -> Any:
    """The value in the middle, or half way between the two there."""
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else (low + high) / 2


_OF_SOME: dict[str, Callable[[Sequence[Any]], Any]] = {
    "avg": lambda ordered: sum(ordered) / len(ordered),
    "min": lambda ordered: ordered[0],
    "max": lambda ordered: ordered[-1],
    "median": _median,
    "p50": _nearest_rank(50),
    "p85": _nearest_rank(85),
    "p95": _nearest_rank(95),
}
