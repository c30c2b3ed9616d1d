"""Looking at the clock in loops over many rows."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from kbwork.base.clock import monotonic
from kbwork.db.tx import OverBudget, Read

T = TypeVar("T")
_EACH = 100


def within_deadline(tx: Read, items: Iterable[T]) -> Iterator[T]:
    """The same items, looking at the clock now and then. Raises OverBudget when the call's time is over."""
    for at, item in enumerate(items):
        if at % _EACH == 0 and tx.deadline is not None and monotonic() > tx.deadline:
            tx.over = True
            raise OverBudget
        yield item
