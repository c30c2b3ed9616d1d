"""What a space holds, as the module that keeps pages declares it."""

from collections.abc import Callable
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.access.grants import Level
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import SpaceRow
from kbwork.db.tx import Read, Write

PageState = Literal["draft", "published", "archived"]


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


class PageCounts(TypedDict):
    """What hangs on a page, as far as the caller sees it."""

    comments: int
    """What was said on it."""
    open_threads: int
    """Threads on it that nobody resolved."""
    views_30d: int
    """How often it was opened in 30 days, once for each person and day."""
    children: int
    """Pages right below it."""
    backlinks: int
    """Pages that link to it."""


class PageSummary(TypedDict):
    """A page without its text."""

    id: str
    """Id of the page, digits as a text."""
    space: str
    """Key of its space."""
    parent: str | None
    """Id of the page that it stands below; null: it stands at the top, or below one that the caller does not see."""
    title: str
    """Its title."""
    slug: str
    """Its title as it stands in addresses, of no other page of the space."""
    icon: str | None
    """Name of its icon, or a sign; null: none."""
    cover: str | None
    """Address of the picture above it; null: none."""
    labels: list[str]
    """Names of its labels."""
    properties: dict[str, Any]
    """What else is known of it, by names that people choose; any JSON."""
    owner: str
    """Id of the member who looks after it."""
    state: PageState
    """`draft`: never published, for its author and those who may edit it."""
    has_draft: bool
    """Whether there are changes that are not published yet."""
    version: int
    """Number of the version that is answered; numbers rise and may leave some out."""
    locked: bool
    """Whether only those who manage it change it."""
    restricted: bool
    """Whether it, or a page above it, is narrowed to some people."""
    verified_until: int | None
    """Until when it counts as checked, in Unix seconds; null: nobody checked it."""
    verified_by: str | None
    """Who checked it; null: nobody."""
    counts: PageCounts
    """What hangs on it."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it."""
    updated_at: int
    """When its text or something else of it was changed last, in Unix seconds."""
    updated_by: str
    """Who did that."""
    my_level: Level
    """What the caller may do with it; each level holds those before it."""
    path: str
    """Where the web app shows it."""
    seq: int
    """Number of its latest change."""


@dataclass(frozen=True, kw_only=True)
class SpaceContent(Extension):
    """Declared by the module that keeps pages."""

    counts: Callable[[Read, list[int]], dict[int, int]]
    """How many pages of each of these spaces the caller sees."""
    tree: Callable[[Read, SpaceRow, str | None, int], list[TreeNode]]
    """Pages of a space, of its top or below one, so many levels deep. Raises NotFound."""
    stale: Callable[[Read, SpaceRow, int], list[PageSummary]]
    """The pages of a space that nobody looked after for so many days."""
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
