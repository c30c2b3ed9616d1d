"""Values of SQLite as JSON has them, none of them changed by a program that reads numbers as doubles."""

import math
from typing import Any

_SAFE = 2**53 - 1


def cell(value: Any) -> Any:
    """Whole numbers that a double cannot hold, infinities and bytes are told as texts, bytes as SQL writes them."""
    if isinstance(value, bytes):
        return f"X'{value.hex().upper()}'"
    if isinstance(value, int) and abs(value) > _SAFE:
        return str(value)
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
