"""What stands below a page."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import PageRef
from kbwork.modules.spaces import PageSummary

MOST_BELOW = 2000


class PagesChildren(Input):
    id: PageRef
    depth: Annotated[Int, Field(ge=1, le=access.DEEPEST)] | None = None
    """How many levels below it; 1 unless given."""


@read(
    "pages.children",
    scope="pages:read",
    words="subpages, pages below a page, child pages, what is under this page",
    example={"id": "HAND/welcome"},
)
def children(tx: Read, args: PagesChildren) -> list[PageSummary]:
    """List the pages below one, each right behind the one that it stands below, in their order.

    Archived pages are left out, as is what stands below a page that you do not see. 2,000 at most.
    """
    row = access.page(tx, args.id)
    rows = below(tx, row["space"], row["id"], args.depth or 1)
    return queries.summaries(tx, nested(rows, row["id"]))


def below(tx: Read, space: int, parent: int | None, depth: int) -> list[PageRow]:
    """The pages below one, or of the top, that the caller sees, upper levels first, each level in its order."""
    found: list[PageRow] = []
    level: list[int | None] = [parent]
    for _ in range(depth):
        top = "p.parent is null" if level == [None] else "p.parent in (select value from json_each(:parents))"
        rows = tx.all(
            f"select p.* from page p where p.space = :space and {top} and p.archived_at is null and {access.SEEN}"
            " order by p.rank, p.id limit :most",
            PageRow,
            space=space,
            parents=json_array(level),
            most=MOST_BELOW - len(found),
            **visibility.binds(tx),
        )
        found += rows
        level = [row["id"] for row in rows]
        if not rows or len(found) >= MOST_BELOW:
            break
    return found


def nested(rows: list[PageRow], parent: int) -> list[PageRow]:
    """These in the order of a tree: each right behind the one that it stands below."""
    by_parent: dict[int | None, list[PageRow]] = {}
    for row in rows:
        by_parent.setdefault(row["parent"], []).append(row)
    found: list[PageRow] = []
    waiting = by_parent.get(parent, [])[::-1]
    while waiting:
        row = waiting.pop()
        found.append(row)
        waiting += by_parent.get(row["id"], [])[::-1]
    return found
