"""What is written on a page by other roads comes into the document in which several write."""

from kbwork.base.text import BODY_CHARS
from kbwork.db.rows import PageRow
from kbwork.db.tx import Write
from kbwork.modules.pages import queries
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.history.version_rows import PageText
from kbwork.modules.pages.text import merge
from kbwork.modules.pages.together import sync_rows


def follow(tx: Write, page: int) -> None:
    """Let the document hold the draft, by changing as few letters as may be: what somebody types meanwhile stays.

    What was published beside the draft comes into the draft where the two do not touch; else publishing says so.
    """
    held = sync_rows.kept(tx, page)
    if held is None:
        return
    row = _met(tx, queries.stored(tx, page))
    body = queries.as_drafted(tx, row)["body"]
    text = sync_rows.opened(tx, held)
    if str(text) != body:
        sync_rows.add(tx, held, text.become(body))


def _met(tx: Write, row: PageRow) -> PageRow:
    """The page, its draft brought together with what was published since that began."""
    if row["draft"] is None or row["draft_base"] == row["version"]:
        return row
    draft = queries.as_drafted(tx, row)
    base = queries.version(tx, row["id"], row["draft_base"] or 0)
    body = merge.merged(base["body"], row["body"], draft["body"]) if base is not None else None
    if base is None or body is None or len(body) > BODY_CHARS:
        return row
    title = row["title"] if draft["title"] == base["title"] else draft["title"]
    number = version_rows.keep(tx, row["id"], PageText(title, body, None), published=False)
    tx.update("page", row["id"], draft=number, draft_base=row["version"])
    return queries.stored(tx, row["id"])
