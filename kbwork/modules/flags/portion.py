"""Long lists in parts: each begins behind what stood last in the one before, which is known by its key or id.

A list stays a list, for whom asks for all of it as for whom asks for a part.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.operations import pagination
from kbwork.modules.flags.model import Ref

T = TypeVar("T")
_MOST_CHARS = 4_000_000
"""A part ends behind the entry with which it holds so many characters."""


class Portion(Input):
    """A list of which a part may be asked for."""

    limit: Annotated[Int, Field(ge=1, le=200)] | None = None
    """So many at most, and fewer where they are large; left out: all, and with a `cursor` 50."""
    cursor: Ref | None = None
    """The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes."""


def bounded(args: Portion, found: Sequence[T], size: Callable[[T], int]) -> list[T]:
    """As many of these as one part holds; the first in any case, and all where no part is asked for."""
    if most(args) < 0:
        return list(found)
    held, chars = [], 0
    for one in found:
        held.append(one)
        chars += size(one)
        if chars >= _MOST_CHARS:
            break
    return held


def most(args: Portion) -> int:
    """How many rows are read; -1 stands for all."""
    return -1 if args.limit is None and args.cursor is None else pagination.limit(args)
