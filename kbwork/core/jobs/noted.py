"""What reads leave behind, such as that somebody opened something: gathered in memory, written down once a minute."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Write

Noted = dict[str, set[Any]]


@dataclass(frozen=True, kw_only=True)
class NotedReads(Extension):
    """`write` writes down what was noted under this name. What it speaks of may be gone by then."""

    name: str
    write: Callable[[Write, list[Any]], None]


def write_down(tx: Write, noted: Noted) -> None:
    """No undo: nobody did anything."""
    declared: list[NotedReads] = tx.registry.of(NotedReads)
    for one in declared:
        if found := noted.get(one.name):
            one.write(tx, sorted(found))
