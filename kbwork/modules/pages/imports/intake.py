"""Bring pages in from files."""

from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.model import Input, Name, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read
from kbwork.modules.attachments import files
from kbwork.modules.pages import create
from kbwork.modules.pages.imports import maker, source
from kbwork.modules.pages.model import Page, PageCreated
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces


class PagesImport(Input):
    space: SpaceRef
    parent: Text | None = None
    """Id of the page below which they go; left out: they go to the top."""
    format: Literal["md", "html", "docx", "zip"]
    """`md` is Markdown, with what is known of the page at its head where that stands there; `docx` a document of a word
    processor; `zip` an archive of such files: an export of ours, of Notion or Confluence, a vault of Obsidian, or any
    folders."""
    data: Annotated[files.Base64, Field(repr=False)]
    """The bytes of the file, at most 10 MB."""
    title: Name | None = None
    """Title of the page, where the head of the file says none; of an archive that of a new page, below which the rest
    goes."""


@write(
    "pages.import",
    scope="pages:write",
    words=(
        "import a markdown file, upload a word document as a page, move from confluence, move from notion, "
        "obsidian vault, bring a wiki along, import html, restore exported pages"
    ),
    emits=[PageCreated],
    example={
        "space": "HAND",
        "format": "md",
        "data": "LS0tCnRpdGxlOiAiSG93IHdlIHBhY2siCi0tLQoKLSBbIF0gUGFwZXIgZmlyc3QuCg==",
    },
)
async def import_(out: External, args: PagesImport) -> list[Page]:
    """Make pages of a file, published at once; answers them, each behind the one that it stands below.

    For whoever may make pages there (403). The title of a page is what its head says, else `title`, else the first
    heading of its text, else the name of its file; without any it is 422. Labels that are known are put on, others
    become the property `labels`. Files in it hang on the pages that name them, for which a key needs
    `attachments:write`; links between what comes in lead on.

    All of it comes in or nothing: what is broken, leads out of the archive or grows without end is refused by its name
    (422), and what is too large (413). Together 500 pages, 10 million characters, 500 files, 50 MB of files, and 5,000
    entries and 100 MB in an archive. It runs alone, not inside a batch.
    """
    await out.read(partial(_require_place, args=args))
    found = await out.in_turn(source.read, args.format, args.data, args.title or "", among=source.READERS)
    return await out.conclude(partial(maker.made, space_ref=args.space, parent_ref=args.parent, found=found))


def _require_place(tx: Read, args: PagesImport) -> None:
    """Whoever may not make pages there need not wait for that. Raises NotFound, NotAllowed or Conflict."""
    create.place(tx, spaces.space(tx, args.space), args.parent)
