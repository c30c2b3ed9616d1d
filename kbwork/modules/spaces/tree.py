"""The pages of a space as a tree."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.spaces import access
from kbwork.modules.spaces.model import SpaceRef
from kbwork.modules.spaces.ports import TreeNode, content

DEEPEST = 20


class SpacesTree(Input):
    key: SpaceRef
    parent: Text | None = None
    """Id of the page whose children are asked for; left out: those at the top."""
    depth: Annotated[Int, Field(ge=1, le=DEEPEST)] | None = None
    """How many levels; 1 unless given."""


@read(
    "spaces.tree",
    scope="pages:read",
    words="table of contents, page tree, outline of a wiki, sidebar of a space, hierarchy of pages",
    threaded=True,
    example={"key": "HAND", "depth": 2},
)
def tree(tx: Read, args: SpacesTree) -> list[TreeNode]:
    """List the pages of a space as they stand below each other, those at the top or below one page.

    Archived pages are left out. What stands below a page that you do not see is not shown either. 2,000 pages at most
    are answered: those of the upper levels before those below them.
    """
    return content(tx).tree(tx, access.space(tx, args.key), args.parent, args.depth or 1)
