"""Who watches a page."""

from typing_extensions import TypedDict

from kbwork.base.errors import Conflict
from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import PageRef

MOST = 1000
"""People who watch one page."""


class PagesWatch(Input):
    id: PageRef
    on: bool
    """False ends it."""
    children: bool | None = None
    """True: the pages below it too, new ones among them."""


class Watching(TypedDict):
    watching: bool
    """Whether you watch it now."""


@write(
    "pages.watch",
    scope="pages:write",
    words="follow a page, subscribe to a document, tell me when a page changes, unfollow a page, watch a wiki",
    emits=[],
    undo="a page is watched and left alone by the same call",
    example={"id": "HAND/welcome", "on": True},
)
def watch(tx: Write, args: PagesWatch) -> Watching:
    """Watch a page, or watch it no longer: you are told when its text is published, and what is said on it.

    Nobody else is told of it. A page is watched by 1,000 people (409). Twice is no change.
    """
    row = access.page(tx, args.id)
    tx.caller.me()
    who = queries.watcher(tx)
    if not args.on:
        tx.execute("delete from page_watcher where page = :page and who = :who", page=row["id"], who=who)
        return Watching(watching=False)
    if tx.value("select count(*) from page_watcher where page = :page", page=row["id"]) >= MOST:
        raise Conflict(f"A page is watched by {MOST} people at most.")
    tx.execute(
        "insert into page_watcher (page, who, children) values (:page, :who, :children)"
        " on conflict do update set children = :children",
        page=row["id"],
        who=who,
        children=int(bool(args.children)),
    )
    return Watching(watching=True)
