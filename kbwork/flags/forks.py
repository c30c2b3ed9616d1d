"""What a fork leaves in the child: locks that another thread held are held for ever there, and are made anew."""

import os
import weakref
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

_THINGS: Final[weakref.WeakKeyDictionary[Any, Callable[[Any], None]]] = weakref.WeakKeyDictionary()


def at_fork(thing: T, forked: Callable[[T], None]) -> None:
    """Call this with it in the child of each fork for as long as it lives, first of what was named first."""
    _THINGS[thing] = forked


def _all_forked() -> None:
    for thing, forked in list(_THINGS.items()):
        forked(thing)


if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_all_forked)
