"""Long lists in parts: each begins behind what stood last in the one before, which is known by its key or id.

A list stays a list, for whom asks for all of it as for whom asks for a part.
"""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.operations import pagination
from kbwork.modules.flags.model import Ref


class Portion(Input):
    """A list of which a part may be asked for."""

    limit: Annotated[Int, Field(ge=1, le=200)] | None = None
    """So many at most; left out: all, and with a `cursor` 50."""
    cursor: Ref | None = None
    """The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes."""


def most(args: Portion) -> int:
    """How many rows are read; -1 stands for all."""
    return -1 if args.limit is None and args.cursor is None else pagination.limit(args)
