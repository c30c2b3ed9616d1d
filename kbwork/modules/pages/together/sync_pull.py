"""Get what was written on a page by those who write on it at once."""

import base64
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import NotFound
from kbwork.base.model import Input, Int
from kbwork.core.access.grants import at_least
from kbwork.core.events import presence
from kbwork.core.operations.declare import read
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import PageRef
from kbwork.modules.pages.together import sync_rows
from kbwork.modules.pages.together.shared_text import NOTHING, merged

WINDOW = "sync"
"""The window of whoever is on a page by these operations alone."""


class PagesSyncPull(Input):
    id: PageRef
    since: Annotated[Int, Field(ge=1)] | None = None
    """The `clock` up to which you have it; left out: you have nothing."""


class PageSyncState(TypedDict):
    """What was written, and who is there."""

    state: str
    """An update of a Yjs document (version 1) as base64: its text `body` is the draft of the page."""
    clock: int
    """What to give as `since` next time, and with what you push."""
    people: list[presence.Present]
    """Who is on the page, as presence.list says it."""


@read(
    "pages.sync_pull",
    scope="pages:read",
    words="edit a page together, live editing, collaborative document, get the edits of others, yjs document of a page",
    cached=False,
    threaded=True,
    example={"id": "HAND/welcome"},
)
def sync_pull(tx: Read, args: PagesSyncPull) -> PageSyncState:
    """Get what others wrote on a page that several write on at once: all, or what came since a clock.

    It is for those who see its draft (404). The document is one of Yjs with one text, `body`: the draft as Markdown,
    or the page where there is none. Where what came since is not kept by itself any more it is all of it, which the
    same document takes in as well. A clock of another document is 409 `stale`: push what you have and pull
    again, or make a new one, without `since`.

    The stream tells by `presence` that there is something to get: `clock` in the `cursor` of whoever pushed.
    """
    row = access.page(tx, args.id)
    if not (at_least(access.level_of(tx, row), "edit") or row["state"] == "draft"):
        raise NotFound("Changes that are not published are seen by those who may edit the page.")
    state, clock = _state(tx, queries.as_drafted(tx, row), args.since)
    subject = f"page:{row['id']}"
    _be_there(tx, subject)
    (found,) = presence.told(tx, [subject])
    return PageSyncState(state=base64.b64encode(state).decode(), clock=clock, people=found["people"])


def _state(tx: Read, row: PageRow, since: int | None) -> tuple[bytes, int]:
    """Raises Stale."""
    held = sync_rows.kept(tx, row["id"])
    if held is None:
        if since not in (None, row["version"]):
            raise sync_rows.stale(row)
        return NOTHING if since is not None else sync_rows.fresh(row).state, row["version"]
    start = sync_rows.known(held, since) if since is not None else -1
    if start is None:
        raise sync_rows.stale(row)
    if start >= held["state_clock"]:
        return merged(sync_rows.since(tx, held, start)), held["clock"]
    return merged([held["state"], *sync_rows.since(tx, held, held["state_clock"])]), held["clock"]


def place_of(tx: Read, subject: str) -> presence.PresencePlace:
    caller = tx.caller
    who = caller.via if caller.kind == "agent" and caller.via is not None else caller.me()
    return presence.PresencePlace(subject, caller.me(), who, f"{caller.ident} {WINDOW}")


def _be_there(tx: Read, subject: str) -> None:
    """Whoever looks is there; whoever wrote a moment ago writes still."""
    place, board = place_of(tx, subject), presence.of(tx)
    mine = [one for _, one in board.people(subject, tx.now) if one["who"] == place.who]
    if not any(one["state"] == "editing" for one in mine):
        board.beat(place, "viewing", None, tx.now)
