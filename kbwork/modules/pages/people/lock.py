"""Locking pages."""

from kbwork.base.errors import NotAllowed
from kbwork.base.model import Input
from kbwork.core.access.grants import at_least
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.model import Page, PageRef, PageUpdated


class PagesLock(Input):
    id: PageRef
    on: bool
    """false takes the lock off."""


@write(
    "pages.lock",
    scope="pages:write",
    words="protect a page, freeze a document, make a page read only, unlock a page, nobody may edit this page",
    emits=[PageUpdated],
    example={"id": "HAND/welcome", "on": True},
)
def lock(tx: Write, args: PagesLock) -> Page:
    """Lock a page, so that only those who manage it change it, or take the lock off. For those who manage it (403)."""
    row = access.page(tx, args.id)
    if not at_least(access.level_of(tx, row), "manage"):
        raise NotAllowed("A page is locked and unlocked by those who manage it.")
    access.require(tx, row)
    if bool(row["locked"]) != args.on:
        tx.update("page", row["id"], locked=int(args.on))
        update.tell(tx, row["id"], {"locked": (bool(row["locked"]), args.on)})
    return queries.one(tx, row["id"])
