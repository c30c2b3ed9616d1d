"""Take pages out as files."""

from functools import partial
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.operations.turns import TurnPool
from kbwork.core.ports.uploads import IncomingFile, UploadedFile
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.pages.exports import archive, links
from kbwork.modules.pages.exports.archive import ExportFile
from kbwork.modules.pages.exports.material import ExportMaterial, material
from kbwork.modules.pages.model import PageRef

EXPORTS = TurnPool(
    "kbwork-page-export", 1, 8, "Too many pages are being exported just now", runs_programs=True
)


class PagesExport(Input):
    id: PageRef
    format: Literal["md", "html", "pdf", "docx"]
    """`md` is Markdown with what else is known of the page at its head, `html` a file that needs nothing
    else; `pdf` is for printers, `docx` for word processors."""
    children: bool | None = None
    """True: the pages below it too, as far as you see them."""
    comments: bool | None = None
    """True: what was said on the pages too."""


class PageExport(TypedDict):
    """A file with pages."""

    name: str
    """What to call it."""
    url: str
    """Where it is fetched, without sign-in, within five minutes and as long as you see the page."""


@write(
    "pages.export",
    scope="pages:read",
    words=(
        "download a page, save a document as a file, markdown file, print a page, export a wiki, take the docs along, "
        "html file of an article"
    ),
    emits=[],
    undo="what left the house stays out",
    repeatable=True,
    example={"id": "HAND/welcome", "format": "md"},
)
async def export(out: External, args: PagesExport) -> PageExport:
    """Take a page out as a file, as readers see it, alone or with the pages below it, and answer where it is fetched.

    Pictures that are files here and that you see stand in the document itself; with Markdown all files that the text
    names lie in a folder beside it. Several pages, or a page with files, are one ZIP archive, with a folder for what
    stands below a page. Scripts and pictures from elsewhere are not in it.

    500 pages at once, 10 million characters and 50 MB of files (409); as `pdf` and `docx` 20,000 paragraphs and cells
    (409). Letters that no font of the server prints are 422 with `pdf`.
    """

    def gather(tx: Read) -> ExportMaterial:
        return material(
            tx,
            args.id,
            children=bool(args.children),
            comments=bool(args.comments),
            pictures=args.format != "md",
        )

    found = await out.read(gather)
    made = await out.in_turn(archive.made, found, args.format, among=EXPORTS)
    folder = await out.read(partial(_folder, size=len(made.data)))
    file = await out.thread(_laid, folder, made)

    def keep(tx: Write) -> PageExport:
        uploads.require_place(tx, file.size)
        uploads.remember(tx, file)
        return PageExport(name=file.name, url=links.link(tx, file.id, found.pages[0].id))

    try:
        return await out.write(keep)
    except BaseException:
        (folder / file.id).unlink(missing_ok=True)
        raise


def _folder(tx: Read, size: int) -> Path:
    """Where the file will lie. Raises RateLimited, or StorageFull, where there is no place for it."""
    uploads.require_place(tx, size)
    return uploads.folder(tx)


def _laid(folder: Path, made: ExportFile) -> UploadedFile:
    """Raises StorageFull."""
    file = IncomingFile(folder)
    done = None
    try:
        file.take(made.data)
        done = file.finish(made.name)
    finally:
        file.close(keep=done is not None)
    return done
