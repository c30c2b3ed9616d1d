"""Add to a page without sending all of it."""

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Input, Name
from kbwork.base.text import BODY_CHARS
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.history.version_rows import PageText
from kbwork.modules.pages.model import Page, PageRef, PageUpdated
from kbwork.pagefiles import markdown


class PagesAppend(Input):
    id: PageRef
    body: Body
    """What is added, Markdown."""
    section: Name | None = None
    """Words of a heading: it is added at the end of what stands below that; left out: at the end of the page."""


@write(
    "pages.append",
    scope="pages:write",
    words="add to a page, write a line to a log, append to a document, add an entry, continue a page",
    emits=[PageUpdated],
    example={"id": "HAND/welcome", "body": "- Ask Cy for a key.", "section": "First day"},
)
def append(tx: Write, args: PagesAppend) -> Page:
    """Add a text at the end of a page or of one of its sections, a blank line apart: as pages.update, for whoever may
    edit it.

    A heading that is not there is 422 with those that are.
    """
    row = access.editable(tx, args.id)
    lines = None
    if args.section is not None:
        lines = markdown.section(row["body"], args.section)
        if lines is None:
            known = [one["text"] for one in markdown.headings(row["body"])][:50]
            raise InvalidInput(f"There is no heading {args.section!r}.", field="section", allowed=known)
    if not args.body.strip():
        return queries.shown(tx, row)
    body = markdown.appended(row["body"], args.body, lines)
    if len(body) > BODY_CHARS:
        raise InvalidInput("With this the page would hold more than a million characters.", field="body")
    update.tell(tx, row["id"], update.write_text(tx, row, PageText(row["title"], body, None)))
    return queries.one(tx, row["id"])
