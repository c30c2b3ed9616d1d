"""Which pages name a page."""

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read, Row
from kbwork.modules.issues import IssueMention, IssueMentions
from kbwork.modules.pages import access
from kbwork.modules.pages.model import PageBacklink, PageRef

MOST = 200
_AROUND = 80


class PagesBacklinks(Input):
    id: PageRef


@read(
    "pages.backlinks",
    scope="pages:read",
    words="what links here, which pages refer to this page, incoming links, references to a document",
    example={"id": "HAND/welcome"},
)
def backlinks(tx: Read, args: PagesBacklinks) -> list[PageBacklink]:
    """List the pages that link to a page, by a title or slug of it, former ones too; the latest changed first, 200 at
    most."""
    row = access.page(tx, args.id)
    rows = tx.all(
        "select p.id, p.title, min(l.words) as words from page_slug g"
        " join page_link l on l.kind = 'page' and l.space = g.space and l.slug = g.slug"
        f" join page p on p.id = l.page where g.page = :page and p.id <> :page and {access.SEEN}"
        " group by p.id order by p.updated_at desc, p.id desc limit :most",
        page=row["id"],
        most=MOST,
        **visibility.binds(tx),
    )
    return [_shown(tx, one) for one in rows]


def _of_issue(tx: Read, issue: int, most: int) -> list[IssueMention]:
    """Pages that name an issue."""
    if not visibility.reads(tx, "page"):
        return []
    rows = tx.all(
        "select p.id, p.title, l.words from page_link l join page p on p.id = l.page"
        f" where l.kind = 'issue' and l.ref = :ref and {access.SEEN}"
        " group by p.id order by p.updated_at desc, p.id desc limit :most",
        ref=f"issue:{issue}",
        most=most,
        **visibility.binds(tx),
    )
    return [
        IssueMention(f"page:{one['id']}", one["title"], _around(tx, one["id"], one["words"])) for one in rows
    ]


def _shown(tx: Read, row: Row) -> PageBacklink:
    excerpt = _around(tx, row["id"], f"[[{row['words']}")
    return PageBacklink(subject=f"page:{row['id']}", title=row["title"], excerpt=excerpt)


def _around(tx: Read, page: int, place: str) -> str:
    """The text around a link, which is read for those alone that are told."""
    text = tx.value(
        "select substr(body, max(1, instr(body, :place) - :around), :whole) from page where id = :id",
        place=place,
        around=_AROUND,
        whole=2 * _AROUND + len(place),
        id=page,
    )
    return " ".join(text.split())


MENTIONS = IssueMentions(home=__name__, of=_of_issue)
