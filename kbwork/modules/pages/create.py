"""Make a page."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Body, Id, Input, Name, Text
from kbwork.base.text import BODY_CHARS
from kbwork.core.access.grants import at_least
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import document
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.history.version_rows import PageText
from kbwork.modules.pages.model import Labels, Page, PageCreated, Properties
from kbwork.modules.pages.templates import fill
from kbwork.modules.pages.text import kept, labels, names
from kbwork.modules.pages.tree import order
from kbwork.modules.pages.tree.order import TreePlace
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces

MOST_PROPERTIES_BYTES = 64_000


class PagesCreate(Input):
    space: SpaceRef
    title: Name
    """Its title."""
    parent: Text | None = None
    """Id of the page that it stands below; left out: it stands at the top."""
    body: Body | None = None
    """Its text as Markdown. `[[Title]]` and `[[space/slug]]` link to pages, `WEB-12` to an issue."""
    body_doc: Body | None = None
    """The same as ProseMirror JSON, for display; needs `body`."""
    template: Id | None = None
    """Id of what it begins with, from `pages.templates`: its text, properties and icon, as far as you give none."""
    icon: Text | None = None
    """Name of its icon, or a sign."""
    draft: bool | None = None
    """True: only you and those who may edit it see it, until it is published."""
    labels: Labels | None = None
    """Names of its labels."""
    properties: Properties | None = None
    """What else is known of it, by names of your choice; any JSON."""
    after: Text | None = None
    """Id of the page behind which it goes, right below the same one; last unless given."""


@write(
    "pages.create",
    scope="pages:write",
    words=(
        "new page, write a document, new article, write a help article, add to the wiki, take meeting notes, "
        "write docs, new doc"
    ),
    emits=[PageCreated],
    example={"space": "HAND", "title": "How we review", "body": "# Before\n\nRead [[Welcome]] first."},
)
def create(tx: Write, args: PagesCreate) -> Page:
    """Make a page in a space, below another one or at its top. It is published at once unless `draft` says otherwise.

    For whoever may edit there (403). Its slug is made of its title; where that is or was another page's in the space
    it gets a number. A tree has 20 levels, and 5,000 pages right below one (409).
    """
    space = spaces.space(tx, args.space)
    parent = place(tx, space, args.parent)
    after = order.sibling(tx, space["id"], parent["id"] if parent else None, args.after)
    wanted = labels.resolve(tx, space["project"], args.labels or [])
    body, properties, icon = args.body, args.properties or {}, args.icon
    if args.template is not None:
        body, properties, icon = _begun(tx, args.template, space, args)
    text = PageText(args.title, body or "", document(args.body, args.body_doc))
    row = make(
        tx,
        space,
        parent,
        text,
        after=after,
        icon=icon or None,
        properties=properties_of(properties),
        state="draft" if args.draft else "published",
    )
    labels.put(tx, row["id"], wanted)
    seq = tx.emit(PageCreated(subject=f"page:{row['id']}", payload=queries.told(tx, row)))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    return queries.one(tx, row["id"])


def _begun(
    tx: Read, template: int, space: SpaceRow, args: PagesCreate
) -> tuple[str, dict[str, Any], str | None]:
    """(body, properties, icon) as given, and else as the template says. Raises InvalidInput."""
    body, properties, icon = fill.filled(tx, template, space, args.title)
    if len(body) > BODY_CHARS:
        raise InvalidInput("The text of the template holds more than a page does.", field="template")
    return (
        body if args.body is None else args.body,
        properties | (args.properties or {}),
        icon if args.icon is None else args.icon,
    )


def place(tx: Read, space: SpaceRow, parent: str | None) -> PageRow | None:
    """The page below which one may put something, None for the top. Raises NotFound, NotAllowed, InvalidInput or
    Conflict."""
    spaces.require_open(space)
    if not parent:
        if not at_least(spaces.level_in(tx, space["id"]), "edit"):
            raise NotAllowed(
                f"You may not put pages at the top of {space['key']}: that needs the right to edit it."
            )
        return None
    row = access.page(tx, parent)
    if row["space"] != space["id"]:
        raise InvalidInput(f"The page {row['id']} is in another space.", field="parent")
    if not at_least(access.level_of(tx, row), "edit"):
        raise NotAllowed("You may not put pages below this one: that needs the right to edit it.")
    if row["archived_at"] is not None:
        raise InvalidInput("The page is archived: nothing is put below it.", field="parent")
    return row


def make(
    tx: Write,
    space: SpaceRow,
    parent: PageRow | None,
    text: PageText,
    *,
    after: PageRow | None = None,
    **columns: Any,
) -> PageRow:
    """A new page with its first version. Raises Conflict where there is no room."""
    above = parent["id"] if parent is not None else None
    order.require_depth(tx, above, 1)
    order.require_room(tx, space["id"], above, 1)
    slug = names.free(tx, space["id"], text.title)
    (rank,) = order.ranks(tx, TreePlace(space["id"], above, after), 1)
    ident = tx.insert(
        "page",
        space=space["id"],
        parent=above,
        rank=rank,
        title=text.title,
        slug=slug,
        body=text.body,
        body_doc=text.body_doc,
        owner=tx.caller.me(),
        version=1,
        locked=0,
        created_at=tx.now,
        created_by=tx.caller.actor,
        updated_at=tx.now,
        updated_by=tx.caller.actor,
        seq=0,
        **columns,
    )
    names.take(tx, space["id"], slug, ident)
    version_rows.keep(tx, ident, text, published=columns["state"] == "published")
    row = queries.stored(tx, ident)
    kept.keep(tx, row)
    return row


def properties_of(given: dict[str, Any]) -> str:
    """As they are kept. Raises InvalidInput where they are too much."""
    text = json.dumps(given, ensure_ascii=False)
    if len(text) > MOST_PROPERTIES_BYTES:
        raise InvalidInput("The properties of a page hold 64 KB at most.", field="properties")
    return text
