"""Putting pages elsewhere: below another page, into another order, into another space."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core.access.grants import at_least
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Write
from kbwork.modules.pages import access, create, queries
from kbwork.modules.pages.model import PageMoved, PageRef
from kbwork.modules.pages.people import limits
from kbwork.modules.pages.text import labels, names
from kbwork.modules.pages.tree import order
from kbwork.modules.pages.tree.delete import tell_move
from kbwork.modules.pages.tree.order import TreePlace
from kbwork.modules.spaces import PageSummary, SpaceRef
from kbwork.modules.spaces import access as spaces

MOST = 2000
"""Pages that change their space at once."""


class PagesMove(Input):
    ids: Annotated[list[PageRef], Field(min_length=1, max_length=100)]
    """Pages, in the order that they are to have; what stands below them goes along."""
    space: SpaceRef | None = None
    parent: Text | None = None
    """Id of the page below which they go; left out: they stay below theirs, unless `top` or `space` says otherwise."""
    top: bool | None = None
    """True: to the top of their space, or of `space`."""
    after: Text | None = None
    """Id of the page behind which they go, right below the same one; last unless given."""


@write(
    "pages.move",
    scope="pages:write",
    words="reorganize the wiki, drag a page, put a page under another one, reorder pages, move to another space",
    emits=[PageMoved],
    example={"ids": ["HAND/how-we-plan"], "top": True},
)
def move(tx: Write, args: PagesMove) -> list[PageSummary]:
    """Put pages below another one, to the top of a space, or elsewhere in the order; with what stands below them.

    You must be able to edit them and the place where they go (403); into a personal space a page goes only from a space
    that you manage. Out of a page that is narrowed they go by those who manage the space, and that page's owner (403);
    what narrows themselves goes along. A page does not go below itself, and a tree has 20 levels (409): of two moves at
    once that would make a circle one is refused. In another space slugs that are taken get a number, labels of another
    project go, and links by the old address lead on. 2,000 pages change their space at once (409).
    """
    rows = list({row["id"]: row for row in (access.editable(tx, ref) for ref in args.ids)}.values())
    space, parent = _target(tx, args, rows)
    moving = [row["id"] for row in rows]
    for above in dict.fromkeys(row["parent"] for row in rows):
        limits.require_leave(tx, above, parent)
    line = access.lines(tx, [parent])[parent] if parent is not None else []
    if not set(line).isdisjoint(moving):
        raise Conflict("A page does not go below itself.")
    trees = {row["id"]: order.below(tx, row["id"], deleted=True) for row in rows}
    order.require_depth(tx, parent, max(level for tree in trees.values() for _, level in tree) + 1)
    coming = sum((row["space"], row["parent"]) != (space["id"], parent) for row in rows)
    order.require_room(tx, space["id"], parent, coming)
    after = order.sibling(tx, space["id"], parent, args.after)
    if after is not None and after["id"] in moving:
        raise InvalidInput("A page does not go behind itself.", field="after")
    ranks = order.ranks(tx, TreePlace(space["id"], parent, after), len(rows), moving=moving)
    if sum(len(trees[row["id"]]) for row in rows if row["space"] != space["id"]) > MOST:
        raise Conflict(f"{MOST} pages change their space at once at most.")
    for row, rank in zip(rows, ranks, strict=True):
        _put(tx, row, (space, parent, rank), [ident for ident, _ in trees[row["id"]]])
    return queries.summaries(tx, [queries.stored(tx, ident) for ident in moving])


def _target(tx: Write, args: PagesMove, rows: list[PageRow]) -> tuple[SpaceRow, int | None]:
    """(space, number of the page below which they go), where the caller may put them."""
    if args.parent and args.top:
        raise InvalidInput("Name one of `parent` and `top`.", field="top")
    first = access.space_of(tx, rows[0])
    space = spaces.space(tx, args.space) if args.space else first
    if args.parent:
        above = access.page(tx, args.parent)
        space = space if args.space else access.space_of(tx, above)
        found = create.place(tx, space, args.parent)
        assert found is not None
        parent: int | None = found["id"]
    elif args.top or space["id"] != first["id"]:
        create.place(tx, space, None)
        parent = None
    else:
        parent = rows[0]["parent"]
        if any((row["space"], row["parent"]) != (space["id"], parent) for row in rows):
            raise InvalidInput(
                "These stand below several pages: say in `parent` or `top` where they go.", field="ids"
            )
    for row in rows:
        if row["space"] != space["id"]:
            _require_leave(tx, access.space_of(tx, row), space)
    return space, parent


def _require_leave(tx: Write, space: SpaceRow, to: SpaceRow) -> None:
    if to["kind"] == "personal" and not at_least(spaces.level_in(tx, space["id"]), "manage"):
        raise NotAllowed(
            f"Nobody else would see the page any more: from {space['key']} those who manage it take pages away."
        )


def _put(tx: Write, row: PageRow, to: tuple[SpaceRow, int | None, str], tree: list[int]) -> None:
    space, parent, rank = to
    if row["space"] == space["id"]:
        if (row["parent"], row["rank"]) != (parent, rank):
            tx.update("page", row["id"], parent=parent, rank=rank)
            tell_move(tx, queries.stored(tx, row["id"]), (row["parent"], parent))
        return
    old = access.space_of(tx, row)
    for ident in tree:
        held = queries.stored(tx, ident)
        slug = names.free(tx, space["id"], held["title"], ident)
        names.take(tx, space["id"], slug, ident)
        columns = {"parent": parent, "rank": rank} if ident == row["id"] else {}
        tx.update("page", ident, space=space["id"], slug=slug, **columns)
        labels.keep_fitting(tx, ident, space["project"])
    tell_move(tx, queries.stored(tx, row["id"]), (row["parent"], parent), space=(old["key"], space["key"]))
