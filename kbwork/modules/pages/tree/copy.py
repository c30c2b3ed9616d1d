"""Copying pages."""

from kbwork.base.errors import Conflict
from kbwork.base.model import Input, Name, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Write
from kbwork.modules.pages import access, create, queries
from kbwork.modules.pages.history.version_rows import PageText
from kbwork.modules.pages.model import Page, PageCreated, PageRef
from kbwork.modules.pages.people import limits
from kbwork.modules.pages.tree.children import below
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces

MOST = 500
"""Pages that are copied at once."""


class PagesCopy(Input):
    id: PageRef
    space: SpaceRef | None = None
    parent: Text | None = None
    """Id of the page below which the copy goes; left out: below the same one, in another space at its top."""
    title: Name | None = None
    """Title of the copy; the same unless given."""
    children: bool | None = None
    """True: the pages below it too, as far as you see them."""


@write(
    "pages.copy",
    scope="pages:write",
    words="duplicate a page, use a page as a template, copy a document, clone an article with its subpages",
    emits=[PageCreated],
    example={"id": "HAND/welcome", "title": "Welcome to the shop"},
)
def copy(tx: Write, args: PagesCopy) -> Page:
    """Copy a page that you see, as it is published: its text, icon, properties and labels, not what was said on it.

    The copy is yours, and narrowed to whom the page is, by itself or from above, where its place is not. For whoever
    may edit where it goes (403). 500 pages at once (409).
    """
    row = access.page(tx, args.id)
    space = spaces.space(tx, args.space) if args.space else access.space_of(tx, row)
    above = args.parent
    if (
        above is None
        and space["id"] == row["space"]
        and row["parent"] in queries.seen(tx, {row["parent"] or 0})
    ):
        above = str(row["parent"])
    parent = create.place(tx, space, above)
    rows = below(tx, row["space"], row["id"], access.DEEPEST) if args.children else []
    if len(rows) >= MOST:
        raise Conflict(f"{MOST} pages are copied at once at most.")
    made = {row["id"]: _copied(tx, row, space, parent, args.title)}
    limits.keep(tx, made[row["id"]], row["id"])
    for one in rows:
        assert one["parent"] is not None
        made[one["id"]] = _copied(tx, one, space, made[one["parent"]])
        limits.keep(tx, made[one["id"]], one["id"], along=True)
    return queries.one(tx, made[row["id"]]["id"])


def _copied(
    tx: Write, row: PageRow, space: SpaceRow, parent: PageRow | None, title: str | None = None
) -> PageRow:
    text = PageText(title or row["title"], row["body"], row["body_doc"])
    made = create.make(
        tx,
        space,
        parent,
        text,
        icon=row["icon"],
        cover=row["cover"],
        properties=row["properties"],
        state=row["state"],
    )
    kept = tx.column(
        "select u.label from page_label u join label l on l.id = u.label"
        " where u.page = :page and (l.project is null or l.project is :project) order by u.label",
        page=row["id"],
        project=space["project"],
    )
    for label in kept:
        tx.insert("page_label", page=made["id"], label=label)
    payload = queries.told(tx, made) | {"copy_of": str(row["id"])}
    seq = tx.emit(PageCreated(subject=f"page:{made['id']}", payload=payload))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=made["id"])
    return made
