"""Throw away changes that nobody published."""

from kbwork.base.errors import Conflict
from kbwork.base.model import Input
from kbwork.core.operations.declare import destructive
from kbwork.db.tx import Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.model import Page, PageRef, PageUpdated


class PagesDiscard(Input):
    id: PageRef


@destructive(
    "pages.discard",
    scope="pages:write",
    words="throw away a draft, drop unpublished changes, revert to the published page, forget my edits",
    emits=[PageUpdated],
    example={"id": "HAND/welcome"},
)
def discard(tx: Write, args: PagesDiscard) -> Page:
    """Drop the changes of a page that were not published. What was written stays among the versions of those who edit.

    A page that was never published has no other text: it is deleted instead (409).
    """
    row = access.editable(tx, args.id)
    if row["state"] == "draft":
        raise Conflict("This page was never published: pages.delete takes it away.")
    if row["draft"] is not None:
        tx.update("page", row["id"], draft=None, draft_base=None)
        update.tell(tx, row["id"], {"draft": (row["draft"], None)})
    return queries.one(tx, row["id"])
