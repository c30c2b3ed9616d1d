"""Change a page: its text, and what is said of it."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, Stale
from kbwork.base.model import Body, Input, Int, Name, Text
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.issues import document
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.create import properties_of
from kbwork.modules.pages.history import version_rows
from kbwork.modules.pages.history.version_rows import PageText, text_of
from kbwork.modules.pages.model import Labels, Note, Page, PageRef, PageUpdated, Properties
from kbwork.modules.pages.people import limits
from kbwork.modules.pages.text import kept, labels, merge, names
from kbwork.modules.pages.together import sync_rows
from kbwork.modules.pages.together.follow import follow


class PagesUpdate(Input):
    id: PageRef
    title: Name | None = None
    """Its title; links by the old one go on leading here."""
    body: Body | None = None
    """Its whole text as Markdown."""
    body_doc: Body | None = None
    """The same as ProseMirror JSON, for display; needs `body`."""
    icon: Text | None = None
    """Name of its icon, or a sign; an empty text clears it."""
    cover: Text | None = None
    """Address of the picture above it; an empty text or null clears it."""
    labels: Labels | None = None
    """Names of its labels, the whole list."""
    properties: Properties | None = None
    """What else is known of it, all of it; any JSON."""
    owner: Text | None = None
    """Member who looks after it, and may narrow it to some people."""
    version: Annotated[Int, Field(ge=1)] | None = None
    """The version that your text was made of: what others changed since is kept, or you are told."""
    note: Note | None = None
    """What you changed, for the list of versions."""
    draft: bool | None = None
    """True: readers see the text when it is published; what they see now stays."""


@write(
    "pages.update",
    scope="pages:write",
    words=(
        "edit a page, rewrite a document, rename a page, fix a typo, save a draft, change the owner of a page, "
        "correct an article, correct a help article"
    ),
    emits=[PageUpdated],
    example={"id": "HAND/welcome", "title": "Welcome aboard"},
)
def update(tx: Write, args: PagesUpdate) -> Page:
    """Change a page: what is not named stays. Each text is a new version; what one author saves within ten minutes is
    shown as one.

    With `version` a text that was made of an older one is brought together with what others wrote meanwhile, line by
    line; where both changed the same place it is 409 `stale`, with the page as it is in `current` and your text in
    `yours`, and nothing is written. Without it the last word stands, and what stood there is a version. With `draft`
    the text waits beside the published one, and the answer shows it; the other fields change at once.

    For whoever may edit the page (403); it gets another owner from those who may narrow it: its owner and those who
    manage the space. A page that was never published stays a draft.
    """
    row = access.editable(tx, args.id)
    before = queries.as_drafted(tx, row) if args.draft else row
    wanted = _wanted(tx, before, args)
    columns, changes = _other(tx, row, args)
    if wanted != text_of(before):
        waits = bool(args.draft) and row["state"] == "published"
        changes = write_text(tx, row, wanted, note=args.note or "", waits=waits) | changes
    if args.labels is not None:
        space = access.space_of(tx, row)
        moved = labels.put(tx, row["id"], labels.resolve(tx, space["project"], args.labels))
        changes |= {"labels": moved} if moved is not None else {}
    if changes:
        if columns:
            tx.update("page", row["id"], **columns)
        if "owner" in columns:
            access.keep_owner(tx, row["id"], columns["owner"])
        tell(tx, row["id"], changes, note=args.note or "")
    after = queries.stored(tx, row["id"])
    return queries.shown(tx, queries.as_drafted(tx, after) if args.draft else after)


def write_text(
    tx: Write, row: PageRow, text: PageText, *, note: str = "", waits: bool = False
) -> dict[str, Any]:
    """Give a page another text, or let it wait to be published; answers what changed, as events tell it."""
    number = version_rows.keep(
        tx, row["id"], text, published=row["state"] == "published" and not waits, note=note
    )
    if waits:
        base = row["draft_base"] if row["draft"] is not None else row["version"]
        tx.update("page", row["id"], draft=number, draft_base=base)
        return {"draft": (row["draft"], number)}
    return take_text(tx, row, text, number)


def take_text(tx: Write, row: PageRow, text: PageText, number: int) -> dict[str, Any]:
    """Let a page have the text of one of its versions; answers what changed."""
    changes: dict[str, Any] = {}
    columns: dict[str, Any] = {"body": text.body, "body_doc": text.body_doc}
    if text.title != row["title"]:
        slug = names.free(tx, row["space"], text.title, row["id"])
        names.take(tx, row["space"], slug, row["id"])
        columns |= {"title": text.title, "slug": slug}
        changes["title"] = (row["title"], text.title)
    if text.body != row["body"]:
        changes["body"] = {
            "from_size": len(row["body"]),
            "to_size": len(text.body),
            "revision": row["version"],
        }
    tx.update("page", row["id"], **columns, updated_at=tx.now, updated_by=tx.caller.actor)
    tx.execute("update page set version = :number where id = :id", number=number, id=row["id"])
    kept.keep(tx, queries.stored(tx, row["id"]))
    return changes or {"body_doc": {"from_size": 0, "to_size": 0, "revision": row["version"]}}


def tell(tx: Write, ident: int, changes: dict[str, Any], *, note: str = "") -> None:
    """Say that a page changed, on it and to who hears of it."""
    after = queries.stored(tx, ident)
    more = {"note": note} if note else {}
    seq = tx.emit(
        PageUpdated(subject=f"page:{ident}", payload=queries.told(tx, after, **more), changes=changes)
    )
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=ident)
    follow(tx, ident)


def brought_together(base: PageText, there: PageText, yours: PageText) -> PageText | None:
    """The text with the changes of both; None where they touch."""
    body = merge.merged(base.body, there.body, yours.body)
    if body is None or (base.title != there.title and yours.title not in (base.title, there.title)):
        return None
    title = there.title if yours.title == base.title else yours.title
    doc = next((one.body_doc for one in (yours, there) if one.body == body), None)
    return PageText(title, body, doc)


def refuse_stale(tx: Read, row: PageRow, yours: PageText) -> Stale:
    """What tells somebody that others changed the same place, with both texts."""
    return Stale(
        f"The page was changed meanwhile, in the same place: it is at version {row['version']}.",
        current=queries.shown(tx, row),
        yours={"title": yours.title, "body": yours.body},
    )


def _wanted(tx: Read, before: PageRow, args: PagesUpdate) -> PageText:
    """The text as it is to be. Raises Stale."""
    there = text_of(before)
    doc = document(args.body, args.body_doc) if args.body is not None else None
    if args.body is None and args.body_doc:
        raise InvalidInput("`body_doc` needs the same text as Markdown in `body`.", field="body")
    if args.body is not None and doc is None and not args.given("body_doc") and args.body == there.body:
        doc = there.body_doc
    yours = PageText(
        args.title if args.title is not None else there.title,
        args.body if args.body is not None else there.body,
        doc if args.body is not None else there.body_doc,
    )
    if args.version is None or args.version == before["version"]:
        return yours
    base = _base(tx, before, args.version)
    if base is None:
        raise refuse_stale(tx, before, yours)
    asked = PageText(
        args.title if args.title is not None else base.title,
        args.body if args.body is not None else base.body,
        doc if args.body is not None else base.body_doc,
    )
    found = brought_together(base, there, asked)
    if found is None:
        raise refuse_stale(tx, before, asked)
    return found


def _base(tx: Read, before: PageRow, version: int) -> PageText | None:
    """What a version was, be it one of those that went by while several wrote."""
    if version > before["version"]:
        return None
    held = queries.version(tx, before["id"], version)
    if held is not None:
        return text_of(held)
    body = sync_rows.text_of(tx, before["id"], version)
    return PageText(before["title"], body, None) if body is not None else None


def _other(tx: Read, row: PageRow, args: PagesUpdate) -> tuple[dict[str, Any], dict[str, Any]]:
    """(columns, changes as events tell them) of what is not text."""
    wanted: dict[str, Any] = {}
    if args.icon is not None:
        wanted["icon"] = args.icon or None
    if args.given("cover"):
        wanted["cover"] = args.cover or None
    if args.properties is not None:
        wanted["properties"] = properties_of(args.properties)
    if args.owner is not None:
        wanted["owner"] = _owner(tx, args.owner)
    changed = named.diff(row, wanted)
    if "owner" in changed:
        limits.require_owned(tx, row)
    return changed, named.changes(row, changed, properties=json.loads)


def _owner(tx: Read, ref: str) -> str:
    row = members.by_ref(tx, ref, field="owner")
    if row["state"] != "active" or row["role"] == "guest":
        raise InvalidInput(
            f"{row['name']} cannot look after a page: that is for active members.", field="owner"
        )
    return str(row["id"])
