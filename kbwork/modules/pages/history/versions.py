"""What a page was: its versions, how two differ, and one of them once more."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import NotFound
from kbwork.base.model import Cursor, Input, Int, Limit, Paged
from kbwork.core.access.grants import at_least
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import PageRow, PageVersionRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.pages import access, queries, update
from kbwork.modules.pages.history.version_rows import text_of
from kbwork.modules.pages.model import Page, PageRef, PageUpdated, PageVersion
from kbwork.modules.pages.text import line_diff
from kbwork.modules.pages.text.line_diff import DiffHunk


class PagesVersions(Input):
    id: PageRef
    cursor: Cursor | None = None
    limit: Limit | None = None


@read(
    "pages.versions",
    scope="pages:read",
    words="history of a page, who changed this document, older versions, revisions of a page, what did it say before",
    example={"id": "HAND/welcome"},
)
def versions(tx: Read, args: PagesVersions) -> Paged[PageVersion]:
    """List what a page was, the newest first. What one author saved within ten minutes is one version, its last text.

    Versions that were not published are for those who may edit the page. Numbers rise and may leave some out.
    """
    row = access.page(tx, args.id)
    at = pagination.place(tx, args)
    most = pagination.limit(args)
    rows = tx.all(
        "select version, at, who, via, note, published, length(title) + length(body) as size from page_version"
        " where page = :page and folded = 0 and (published = 1 or :all) and (:before is null or version < :before)"
        " order by version desc limit :most",
        page=row["id"],
        all=int(_reads_all(tx, row)),
        before=at[0] if at is not None else None,
        most=most + 1,
    )
    after = None
    if len(rows) > most:
        rows.pop()
        after = pagination.cursor(tx, args, [rows[-1]["version"]])
    return {"items": [_listed(one) for one in rows], "next": after}


def _listed(row: Row) -> PageVersion:
    return PageVersion(
        version=row["version"],
        at=row["at"],
        who=row["who"],
        via=row["via"],
        note=row["note"],
        size=row["size"],
        published=bool(row["published"]),
    )


class PagesVersionDiff(Input):
    id: PageRef
    from_: Annotated[Int, Field(ge=1, alias="from", description="Number of the older version.")]
    to: Annotated[Int, Field(ge=1)] | None = None
    """Number of the newer one; left out: the page as readers see it."""


class PageDiff(TypedDict):
    """How one version differs from another, line by line."""

    title: str
    """Title of the newer one."""
    hunks: list[DiffHunk]
    """What differs, with three lines around."""
    html: str
    """The same as HTML: `<ins>` and `<del>` around whole lines, all text escaped."""


@read(
    "pages.version_diff",
    scope="pages:read",
    words="compare versions of a page, what changed in this document, difference between two versions, diff",
    threaded=True,
    example={"id": "HAND/welcome", "from": 1, "to": 2},
)
def version_diff(tx: Read, args: PagesVersionDiff) -> PageDiff:
    """Say how two versions of a page differ, line by line. A version that you may not read is 404."""
    row = access.page(tx, args.id)
    older = _version(tx, row, args.from_)
    newer = _version(tx, row, args.to) if args.to is not None else None
    text = text_of(newer if newer is not None else row)
    hunks = line_diff.hunks(older["body"], text.body)
    return PageDiff(title=text.title, hunks=hunks, html=line_diff.as_html(hunks))


class PagesVersionRestore(Input):
    id: PageRef
    version: Annotated[Int, Field(ge=1)]
    """Number of the version whose text comes back."""


@write(
    "pages.version_restore",
    scope="pages:write",
    words="go back to an older version, revert a page, restore a version of a document, bring the old text back",
    emits=[PageUpdated],
    example={"id": "HAND/welcome", "version": 1},
)
def version_restore(tx: Write, args: PagesVersionRestore) -> Page:
    """Let a page have the title and text of an older version again. That is a new version: what it was stays.

    For whoever may edit it (403). Changes that are not published yet stay beside it.
    """
    row = access.editable(tx, args.id)
    text = text_of(_version(tx, row, args.version))
    if text != text_of(row):
        note = f"Version {args.version} again"
        update.tell(tx, row["id"], update.write_text(tx, row, text, note=note), note=note)
    return queries.one(tx, row["id"])


def _version(tx: Read, row: PageRow, number: int) -> PageVersionRow:
    """Raises NotFound where there is none that the caller may read."""
    held = queries.version(tx, row["id"], number)
    if held is None or not (held["published"] or _reads_all(tx, row)):
        raise NotFound(f"There is no version {number} of this page; pages.versions shows them.")
    return held


def _reads_all(tx: Read, row: PageRow) -> bool:
    """Whether the caller reads what was not published: a draft is seen by nobody else."""
    return row["state"] == "draft" or at_least(access.level_of(tx, row), "edit")
