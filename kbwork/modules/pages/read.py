"""Look at pages: one, or a list."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Cursor, Input, Int, Limit, Name, Paged, Text, When
from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.core.access.grants import at_least
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import Page, PageRef
from kbwork.modules.pages.people import views
from kbwork.modules.pages.queries import Format
from kbwork.modules.spaces import PageState, PageSummary, SpaceRef
from kbwork.modules.spaces import access as spaces
from kbwork.pagefiles import markdown


class PagesGet(Input):
    id: PageRef
    version: Annotated[Int, Field(ge=1)] | None = None
    """What it was; left out: what it is now."""
    draft: bool | None = None
    """True: with the changes that are not published yet, for those who may edit it."""
    format: Format | None = None
    """The text as Markdown (`md`), as a document where it was written so (`doc`), or `both`, which it is unless
    given."""
    section: Name | None = None
    """Words of a heading: only what stands below it, as Markdown."""


@read(
    "pages.get",
    scope="pages:read",
    words="read a page, open a document, show an article, text of a page, read the docs, an older version of a page",
    example={"id": "HAND/welcome"},
)
def get(tx: Read, args: PagesGet) -> Page:
    """Look at a page with its text.

    An older `version` is shown to whoever may edit the page, others see those that were published (404). `draft` is
    for those who may edit it (404); without changes it is the page as it is.
    """
    row = access.page(tx, args.id)
    edits = at_least(access.level_of(tx, row), "edit") or row["state"] == "draft"
    if args.draft and args.version is not None:
        raise InvalidInput("Name one of `version` and `draft`.", field="version")
    if args.draft and not edits:
        raise NotFound("Changes that are not published are seen by those who may edit the page.")
    if args.draft:
        row = queries.as_drafted(tx, row)
    if args.version is not None:
        held = queries.version(tx, row["id"], args.version)
        if held is None or not (edits or held["published"]):
            raise NotFound(f"There is no version {args.version} of this page; pages.versions shows them.")
        row = queries.as_version(row, held)
    if args.version is None and not args.draft:
        views.opened(tx, row)
    section = None
    if args.section is not None:
        section = markdown.section(row["body"], args.section)
        if section is None:
            known = [one["text"] for one in markdown.headings(row["body"])][:50]
            raise InvalidInput(f"There is no heading {args.section!r}.", field="section", allowed=known)
    return queries.shown(tx, row, as_=args.format or "both", section=section)


class PagesList(Input):
    space: SpaceRef | None = None
    label: Name | None = None
    """Only those with this label."""
    author: Text | None = None
    """Only those that this member made."""
    q: Text | None = None
    """Words in the title."""
    updated_since: When | None = None
    """Only those that were changed since then, in Unix seconds."""
    state: PageState | None = None
    """Only those in this state; archived ones are left out unless asked for."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@read(
    "pages.list",
    scope="pages:read",
    words="all pages, recent documents, recently changed pages, my drafts, articles of a space, which docs exist",
    example={"space": "HAND"},
)
def list_(tx: Read, args: PagesList) -> Paged[PageSummary]:
    """List the pages that you see, without their texts, the latest changed first."""
    where, binds = _conditions(tx, args)
    if (at := pagination.place(tx, args)) is not None:
        where.append("(p.updated_at, p.id) < (:at, :last)")
        binds |= {"at": at[0], "last": at[1]}
    most = pagination.limit(args)
    rows = tx.all(
        f"select p.* from page p where {' and '.join(where)}"
        " order by p.updated_at desc, p.id desc limit :most",
        PageRow,
        most=most + 1,
        **binds,
    )
    after = None
    if len(rows) > most:
        rows.pop()
        after = pagination.cursor(tx, args, [rows[-1]["updated_at"], rows[-1]["id"]])
    return {"items": queries.summaries(tx, rows), "next": after}


def _conditions(tx: Read, args: PagesList) -> tuple[list[str], dict[str, Any]]:
    where, binds = [access.SEEN], dict[str, Any](visibility.binds(tx))
    if args.state == "archived":
        where.append("p.archived_at is not null")
    else:
        where.append("p.archived_at is null")
    if args.space:
        where.append("p.space = :space")
        binds["space"] = spaces.space(tx, args.space)["id"]
    if args.state in ("draft", "published"):
        where.append("p.state = :state")
        binds["state"] = args.state
    if args.label is not None:
        where.append(
            "exists (select 1 from page_label u join label l on l.id = u.label where u.page = p.id"
            " and l.name_key = :label)"
        )
        binds["label"] = folded(args.label)
    if args.author is not None:
        where.append("p.created_by = :author")
        binds["author"] = members.by_ref(tx, args.author, field="author")["id"]
    if args.updated_since is not None:
        where.append("p.updated_at >= :since")
        binds["since"] = args.updated_since
    for number, word in enumerate(folded(args.q or "").split()[:20]):
        where.append(f"instr(folded(p.title), :q{number})")
        binds[f"q{number}"] = word
    return where, binds
