"""What a space holds, as the module that keeps pages declares it."""

from collections.abc import Callable
from typing import NotRequired

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, Write


class TreeNode(TypedDict):
    """A page in its tree."""

    id: str
    """Id of the page."""
    title: str
    """Its title."""
    icon: str | None
    """Its icon; null: none."""
    children: int
    """How many pages the caller sees right below it."""
    nodes: NotRequired[list["TreeNode"]]
    """These pages, as deep as was asked for."""


@dataclass(frozen=True, kw_only=True)
class SpaceContent(Extension):
    """Declared by the module that keeps pages."""

    counts: Callable[[Read, list[int]], dict[int, int]]
    """How many pages of each of these spaces the caller sees."""
    tree: Callable[[Read, SpaceRow, str | None, int], list[TreeNode]]
    """Pages of a space, of its top or below one, so many levels deep. Raises NotFound."""
    opening: Callable[[Read, SpaceRow, str], int]
    """The number of a page of a space that the caller sees, for an id. Raises InvalidInput."""
    seen: Callable[[Read, list[int]], set[int]]
    """Those of these pages that the caller sees."""
    contents: Callable[[Read, int], int]
    """How many pages a space has, seen or not."""
    purge: Callable[[Write, int], bool]
    """Purges pages of a space, some at a time; False while there are more."""


def content(tx: Read) -> SpaceContent:
    """The module that keeps pages."""
    found: list[SpaceContent] = tx.registry.of(SpaceContent)
    return found[0]
