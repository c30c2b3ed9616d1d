"""Pages that are archived and brought back."""

from kbwork.base.errors import Conflict
from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow
from kbwork.db.tx import Write, json_array
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import Page, PageArchived, PageRef
from kbwork.modules.pages.tree import order

MOST = 2000


class PagesArchive(Input):
    id: PageRef
    on: bool
    """false brings it back."""
    children: bool | None = None
    """True: the pages below it too."""


@write(
    "pages.archive",
    scope="pages:write",
    words="put a page aside, outdated article, retire a document, unarchive a page, old docs",
    emits=[PageArchived],
    example={"id": "HAND/welcome", "on": True},
)
def archive(tx: Write, args: PagesArchive) -> Page:
    """Put a page aside, or bring it back. An archived one is read and takes no change (409); lists and trees leave it
    out, and with it what stands below it is in no tree.

    With `children` those below go along that you may edit, 2,000 at most (409); one that was archived before stays as
    it is. For whoever may edit it (403).
    """
    row = access.editable(tx, args.id, archived=True)
    rows = [row]
    if args.children:
        below = [ident for ident, _ in order.below(tx, row["id"])][1:]
        if len(below) >= MOST:
            raise Conflict(f"{MOST} pages are archived at once at most.")
        rows += _changeable(tx, below)
    for one in rows:
        if (one["archived_at"] is not None) != args.on:
            tx.update("page", one["id"], archived_at=tx.now if args.on else None)
            payload = queries.told(tx, one, on=args.on)
            seq = tx.emit(PageArchived(subject=f"page:{one['id']}", payload=payload))
            tx.execute("update page set seq = :seq where id = :id", seq=seq, id=one["id"])
    return queries.one(tx, row["id"])


def _changeable(tx: Write, pages: list[int]) -> list[PageRow]:
    """Those of these pages that the caller sees and may edit, locked ones as far as they manage them."""
    seen = queries.seen(tx, set(pages))
    rows = tx.all(
        "select * from page where id in (select value from json_each(:ids)) order by id",
        PageRow,
        ids=json_array(seen),
    )
    levels = access.levels(tx, rows)
    return [
        row
        for row in rows
        if levels.get(row["id"]) == "manage" or (levels.get(row["id"]) == "edit" and not row["locked"])
    ]
