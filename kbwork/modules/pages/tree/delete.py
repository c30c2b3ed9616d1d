"""Deleting pages, bringing them back from the trash, and purging them."""

from typing import Literal

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Input, InTrash
from kbwork.core.access.grants import at_least
from kbwork.core.operations.declare import destructive
from kbwork.core.things.thing import Trashed, ref_of
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules import trash
from kbwork.modules.pages import access, create, queries
from kbwork.modules.pages.model import PageDeleted, PageMoved, PageRef, PageRestored
from kbwork.modules.pages.people import limits
from kbwork.modules.pages.tree import order
from kbwork.modules.pages.tree.order import TreePlace
from kbwork.modules.spaces import access as spaces

MOST = 2000
"""Pages that go at once."""
_SLICE = 100


class PagesDelete(Input):
    id: PageRef
    children: Literal["keep", "delete"] | None = None
    """What becomes of the pages below it: they move up (`keep`, unless given), or go with it."""


@destructive(
    "pages.delete",
    scope="pages:write",
    words="remove a page, delete a document, throw away an article, delete a page with its subpages",
    emits=[PageDeleted, PageMoved],
    example={"id": "HAND/welcome"},
)
def delete(tx: Write, args: PagesDelete) -> InTrash:
    """Put a page into the trash; trash.restore brings it back with its comments, files and versions.

    Pages below it take its place, or go with it: then all of them come back together, and all must be yours to change
    (403). Out of a page that is narrowed they do not move up, to be seen by others (409). For whoever may edit it;
    2,000 pages at once (409).
    """
    row = access.editable(tx, args.id, archived=True)
    along: list[int] = []
    if args.children == "delete":
        along = [ident for ident, _ in order.below(tx, row["id"])][1:]
        _require_all(tx, along)
    else:
        _move_up(tx, row)
    for ident in (row["id"], *along):
        tx.update("page", ident, deleted_at=tx.now)
    payload = queries.told(tx, row) | ({"pages": len(along)} if along else {})
    tx.emit(PageDeleted(subject=f"page:{row['id']}", payload=payload))
    space = access.space_of(tx, row)
    entry = trash.put(
        tx,
        f"page:{row['id']}",
        row["title"],
        project=space["project"],
        space=space["id"],
        items=[f"page:{ident}" for ident in along],
    )
    return InTrash(ok=True, trash=entry)


def _require_all(tx: Read, pages: list[int]) -> None:
    """Raises NotAllowed where one of them is not the caller's to change, Conflict where they are too many."""
    if len(pages) >= MOST:
        raise Conflict(f"{MOST} pages are deleted at once at most.")
    rows = tx.all(
        "select * from page where id in (select value from json_each(:ids))", PageRow, ids=json_array(pages)
    )
    if queries.seen(tx, set(pages)) != set(pages):
        raise NotAllowed("Below it are pages that you may not change: they can move up instead.")
    for row in rows:
        access.require(tx, row, archived=True)


def _move_up(tx: Write, row: PageRow) -> None:
    """Let its children stand in its place."""
    children = tx.all(
        "select * from page where parent = :page and deleted_at is null order by rank, id",
        PageRow,
        page=row["id"],
    )
    if not children:
        return
    if tx.value("select 1 from page_limit where page = :page limit 1", page=row["id"]) is not None:
        raise Conflict(
            "It is narrowed to some people, and what stands below it would be seen by others: let that go along by"
            " `children`, put it elsewhere first, or take the narrowing off."
        )
    moving = [child["id"] for child in children]
    order.require_room(tx, row["space"], row["parent"], len(children) - 1)
    ranks = order.ranks(tx, TreePlace(row["space"], row["parent"], row), len(children), moving=moving)
    for child, rank in zip(children, ranks, strict=True):
        tx.update("page", child["id"], parent=row["parent"], rank=rank)
        tell_move(tx, queries.stored(tx, child["id"]), (row["id"], row["parent"]))


def tell_move(tx: Write, row: PageRow, parents: tuple[int | None, int | None], **more: object) -> None:
    """Say that a page stands below another one now."""
    sides = tuple(str(one) if one is not None else None for one in parents)
    changes = {"parent": sides} if sides[0] != sides[1] else {}
    seq = tx.emit(
        PageMoved(subject=f"page:{row['id']}", payload=queries.told(tx, row), changes=changes | more)
    )
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a page back with those that went with it. Raises Conflict where its place is gone."""
    row = queries.stored(tx, int(thing.ref))
    spaces.require_open(access.space_of(tx, row))
    parent = _parent(tx, row, thing.parent)
    levels = max((level for ident, level in order.below(tx, row["id"], deleted=True)), default=0) + 1
    order.require_depth(tx, parent, levels)
    order.require_room(tx, row["space"], parent, 1)
    columns: Row = {"deleted_at": None, "parent": parent}
    if parent != row["parent"]:
        (columns["rank"],) = order.ranks(tx, TreePlace(row["space"], parent), 1)
    tx.update("page", row["id"], **columns)
    for subject in thing.items:
        held = tx.stored("page", [int(ref_of(subject)[1])])
        if held is not None:
            tx.update("page", held["id"], deleted_at=None)
    payload = queries.told(tx, row)
    seq = tx.emit(PageRestored(subject=f"page:{row['id']}", payload=payload))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])


def _parent(tx: Write, row: PageRow, wanted: str | None) -> int | None:
    """The number of the page below which it comes back; one that is named takes new pages of the caller. Raises
    Conflict, NotAllowed or InvalidInput."""
    if wanted is not None:
        ref = wanted.strip().removeprefix("page:")
        above = access.find(tx, ref) if ref else None
        if ref and (above is None or above["space"] != row["space"]):
            raise Conflict(f"There is no page {wanted!r} in its space that you can see.")
        create.place(tx, access.space_of(tx, row), ref)
        limits.require_leave(tx, row["parent"], above["id"] if above is not None else None)
        return above["id"] if above is not None else None
    held = tx.stored("page", [row["parent"]]) if row["parent"] is not None else None
    if held is None:
        return None
    if held["deleted_at"] is not None or held["space"] != row["space"]:
        raise Conflict(
            "The page that it stood below is gone: name another in `parent`, or none by an empty text."
        )
    return held["id"]


def fits(tx: Read, ref: str, before: Row) -> None:
    """After undo: a page has its place in a tree, where the caller may put it, and nothing stands below itself or below
    what lies in the trash. Raises Conflict."""
    row = tx.stored("page", [int(ref)])
    if row is None:
        return
    if row["deleted_at"] is not None:
        if len(order.below(tx, row["id"])) > 1:
            raise Conflict("Pages stand below it: put them elsewhere first.")
        return
    line = _line(tx, row)
    if len(line) > access.DEEPEST:
        raise Conflict("It would stand below itself, or too deep.")
    parent = tx.stored("page", [row["parent"]]) if row["parent"] is not None else None
    if parent is not None and (parent["deleted_at"] is not None or parent["space"] != row["space"]):
        raise Conflict("The page that it stood below is gone.")
    _require_narrow(tx, row, before)
    if "parent" in before or ("space" in before and parent is None):
        _require_place(tx, row, parent)


def _require_narrow(tx: Read, row: PageRow, before: Row) -> None:
    """Raises Conflict where undo would open to others what the caller may not."""
    try:
        limits.require_leave(tx, before.get("parent", row["parent"]), row["parent"])
        if "owner" in before:
            limits.require_owned(tx, {**row, "owner": before["owner"]}, narrowed=True)
    except NotAllowed as refused:
        raise Conflict(refused.detail) from None


def _require_place(tx: Read, row: PageRow, parent: PageRow | None) -> None:
    """Raises Conflict where the caller may put no page there now."""
    spaces.require_open(access.space_of(tx, row))
    level = access.level_of(tx, parent) if parent is not None else spaces.level_in(tx, row["space"])
    if not at_least(level, "edit"):
        raise Conflict("You may put no pages where it stood any more.")


def _line(tx: Read, row: PageRow) -> list[int]:
    """It and what stands above it, as far as a tree goes and one further."""
    found = [row["id"]]
    above = row["parent"]
    while above is not None and len(found) <= access.DEEPEST:
        found.append(above)
        above = tx.value("select parent from page where id = :id", id=above)
    return found


_PARTS = (
    "page_label",
    "page_lapse",
    "page_limit",
    "page_link",
    "page_opened",
    "page_slug",
    "page_sync_update",
    "page_sync",
    "page_task",
    "page_version",
    "page_visit",
    "page_watcher",
)


def emptied(tx: Write, ref: str) -> bool:
    """Purge the pages that lie in the trash below it, the lowest first."""
    found = [ident for ident, _ in order.below(tx, int(ref), deleted=True)][:0:-1]
    lying = set(
        tx.column(
            "select id from page where id in (select value from json_each(:ids)) and deleted_at is not null",
            ids=json_array(found),
        )
    )
    some = [ident for ident in found if ident in lying][:_SLICE]
    return all(trash.purge(tx, f"page:{ident}") for ident in some) and len(some) < _SLICE


def purge(tx: Write, ref: str) -> bool:
    """Remove a page for good. What stands below it still stands at the top."""
    for table in _PARTS:
        tx.execute(f"delete from {table} where page = :id", id=int(ref))
    tx.execute("update page set parent = null where parent = :id", id=int(ref))
    tx.execute("delete from page where id = :id", id=int(ref))
    return True
