"""Bodies are JSON objects in UTF-8: no duplicate names, no NaN, no endless numbers, no deep nests."""

import json
import math
import re
import sys
from typing import Any, Final

import jiter

from kbwork.base.errors import InvalidJson

_MOST: Final = int(sys.float_info.max)
_MAY_BE_TOO_LARGE: Final = re.compile(rb"[0-9][eE]|[0-9]{%d}" % (sys.float_info.max_10_exp + 1))
"""Without an exponent, which stands behind a digit, a number is as long as it is large."""


def parse(body: bytes) -> dict[str, Any]:
    """The object in a body. Raises InvalidJson saying where it breaks."""
    try:
        value = jiter.from_json(body, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidJson(f"The body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidJson("The body should be a JSON object, such as {}")
    if _MAY_BE_TOO_LARGE.search(body) is not None:
        _finite(value)
    return value


def _finite(value: Any) -> None:
    """`1e400` is a number of JSON and none of ours, nor is one with as many digits: they are no doubles."""
    if isinstance(value, float | int):
        if not (math.isfinite(value) if isinstance(value, float) else -_MOST <= value <= _MOST):
            raise InvalidJson("The body holds a number that is too large: they go up to 1.8e308")
    elif isinstance(value, dict):
        for inner in value.values():
            _finite(inner)
    elif isinstance(value, list):
        for inner in value:
            _finite(inner)


def canonical(value: Any) -> bytes:
    """One form for equal JSON values: sorted names, whole floats as integers."""
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value
