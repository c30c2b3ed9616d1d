"""Which links lead nowhere."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.pages import access
from kbwork.modules.spaces import SpaceRef
from kbwork.modules.spaces import access as spaces

MOST = 1000
_TARGET = "exists (select 1 from page p where p.id = g.page and {0})"


class PagesBrokenLinks(Input):
    space: SpaceRef


class BrokenLink(TypedDict):
    """A link that leads nowhere."""

    page: str
    """Id of the page in which it stands."""
    target: str
    """What stands between the brackets."""
    why: Literal["missing", "deleted", "archived"]
    """`missing` where there is no such page that you see; else it lies in the trash, or was put aside."""


@read(
    "pages.broken_links",
    scope="pages:read",
    words="dead links, links to nowhere, red links, missing pages, check the links of a wiki",
    threaded=True,
    example={"space": "HAND"},
)
def broken_links(tx: Read, args: PagesBrokenLinks) -> list[BrokenLink]:
    """List the links in the pages of a space that lead to no page that you see, 1,000 at most; in pages that you see.

    What is there and not for you is `missing`, as what was never there; `deleted` is what you may bring back.
    """
    space = spaces.space(tx, args.space)
    rows = tx.all(
        "select w.id, l.words,"
        f" case when {_TARGET.format(access.SEEN)} then 'archived'"
        f" when {_TARGET.format(access.RESTORABLE)} then 'deleted' else 'missing' end as why"
        " from page w join page_link l on l.page = w.id and l.kind = 'page'"
        " left join page_slug g on g.space = l.space and g.slug = l.slug"
        " where w.space = :space and w.archived_at is null and w.deleted_at is null"
        f" and exists (select 1 from page p where p.id = w.id and {access.SEEN})"
        f" and not {_TARGET.format(f'p.archived_at is null and {access.SEEN}')}"
        " order by w.id, l.id limit :most",
        space=space["id"],
        most=MOST,
        **visibility.binds(tx),
    )
    return [BrokenLink(page=str(row["id"]), target=row["words"], why=row["why"]) for row in rows]
