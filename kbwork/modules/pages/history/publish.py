"""Let readers see a page, or its changes."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.history.version_rows import text_of
from kbwork.modules.pages.model import Note, Page, PagePublished, PageRef
from kbwork.modules.pages.together.follow import follow


class PagesPublish(Input):
    id: PageRef
    note: Note | None = None
    """What is new, for the list of versions and those who watch it."""
    notify: bool | None = None
    """False: who watches it hears nothing."""


@write(
    "pages.publish",
    scope="pages:write",
    words="publish a draft, release an article, make a page visible, put a page online, go live with the text",
    emits=[PagePublished],
    example={"id": "HAND/how-we-plan"},
)
def publish(tx: Write, args: PagesPublish) -> Page:
    """Publish a page that is a draft, or the changes of a published one.

    What was published meanwhile is brought together with these, line by line; where both changed the same place it is
    409 `stale`, with both texts. Where there is nothing to publish nothing happens.
    """
    row = access.editable(tx, args.id)
    note = args.note or ""
    if row["state"] == "draft":
        tx.update("page", row["id"], state="published", updated_at=tx.now, updated_by=tx.caller.actor)
        version_rows.publish(tx, row["id"], row["version"], note)
    elif row["draft"] is not None:
        _publish_changes(tx, row["id"], note)
    else:
        return queries.shown(tx, row)
    with tx.telling(args.notify):
        payload = queries.told(tx, queries.stored(tx, row["id"]), **({"note": note} if note else {}))
        seq = tx.emit(PagePublished(subject=f"page:{row['id']}", payload=payload))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    follow(tx, row["id"])
    return queries.one(tx, row["id"])


def _publish_changes(tx: Write, ident: int, note: str) -> None:
    row = queries.stored(tx, ident)
    draft = queries.as_drafted(tx, row)
    text = text_of(draft)
    if row["draft_base"] != row["version"]:
        held = queries.version(tx, ident, row["draft_base"] or 0)
        found = update.brought_together(text_of(held), text_of(row), text) if held is not None else None
        if found is None:
            raise update.refuse_stale(tx, row, text)
        text = found
    tx.update("page", ident, draft=None, draft_base=None)
    if text != text_of(draft):
        update.write_text(tx, queries.stored(tx, ident), text, note=note)
        return
    version_rows.publish(tx, ident, draft["version"], note)
    update.take_text(tx, queries.stored(tx, ident), text, draft["version"])
