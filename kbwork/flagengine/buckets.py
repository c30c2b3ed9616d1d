"""Which slice of a percentage rollout a context falls into: exact, without floating point."""

import hashlib
import importlib
import itertools
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Any, Final

from kbwork.flagengine.json_values import EXACT, is_number

try:  # the interpreter's own is twice as fast for short texts as what hashlib takes from OpenSSL
    sha1 = importlib.import_module("_sha1").sha1
except ImportError:
    sha1 = partial(hashlib.sha1, usedforsecurity=False)

TOTAL: Final = 100_000
"""The sum of the weights of a rollout: thousandths of a percent."""
MOST: Final = 0xFFF_FFFF_FFFF_FFFF
_BEYOND = b"\xff" * 21
ZERO: Final = bytes(20)
"""The digest of bucket 0: where the context lacks what it is hashed by."""


def hashed(text: bytes) -> bytes:
    """The hash that decides, of key, salt and value with dots between: its first 15 hexadecimal digits are the bucket.

    SHA-1 spreads contexts here; it keeps nothing safe.
    """
    found: bytes = sha1(text).digest()
    return found


def hashed_text(value: Any) -> str | None:
    """An attribute as it is hashed; None is bucket 0."""
    if type(value) is str:
        return value
    if is_number(value) and abs(value) < EXACT and value == int(value):
        return str(int(value))
    return None


def threshold(weight: Fraction) -> bytes:
    """The digest below which a share of this weight ends: `digest < threshold` is bucket x 100000 < weight x MOST."""
    part = weight * MOST / TOTAL
    least = -(-part.numerator // part.denominator)
    if least <= 0:
        return b""
    return _BEYOND if least > MOST else bytes.fromhex(f"{least:015x}0")


def sums(weights: Iterable[int | float]) -> list[Fraction]:
    """The running sums of weights, exact."""
    return list(itertools.accumulate(Fraction(weight) for weight in weights))


def share(hashed: bytes) -> float:
    """The bucket as a share of 1, to be shown."""
    return (int.from_bytes(hashed[:8]) >> 4) / MOST
