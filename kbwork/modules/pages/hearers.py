"""Who is to hear of pages: those who watch one or one above it, and whom its text mentions."""

from collections.abc import Iterator
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.events.hearers import EventHearers, PossibleHearer
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import comments
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.commentable import PageCommentTarget


def _watchers(tx: Read, ref: str) -> Iterator[str]:
    above = access.lines(tx, [int(ref)])[int(ref)]
    yield from tx.column(
        "select distinct who from page_watcher where page = :page"
        " or (children = 1 and page in (select value from json_each(:above))) order by who",
        page=int(ref),
        above=json_array(above),
    )


def _shown(tx: Read, row: Row, payload: dict[str, Any]) -> Iterator[PossibleHearer]:
    """A text that readers see for the first time."""
    page = _published(tx, row)
    if page is not None:
        yield from _mentioned(tx, row, page, "")
        yield from ((who, "watching") for who in _watchers(tx, str(page["id"])))


def _updated(tx: Read, row: Row, payload: dict[str, Any]) -> Iterator[PossibleHearer]:
    page = _published(tx, row)
    changes = payload.get("changes", {})
    if page is None or not changes.keys() & {"title", "body"}:
        return
    yield from ((who, "watching") for who in _watchers(tx, str(page["id"])))
    revision = (changes.get("body") or {}).get("revision")
    if revision is not None and "undo" not in payload:
        before = queries.version(tx, page["id"], revision)
        yield from _mentioned(tx, row, page, before["body"] if before is not None else "")


def _over(tx: Read, row: Row, payload: dict[str, Any]) -> Iterator[PossibleHearer]:
    """Whoever looks after it, when it counts as checked no more."""
    page = _published(tx, row)
    if page is not None and payload.get("over"):
        yield page["owner"], "due"


def _published(tx: Read, row: Row) -> PageRow | None:
    page = tx.stored("page", [int(ref_of(row["subject"])[1])])
    return page if page is not None and page["state"] == "published" else None


def _mentioned(tx: Read, row: Row, page: PageRow, before: str) -> Iterator[PossibleHearer]:
    """Whom its text mentions, as far as whoever wrote it may know them."""
    if "@" not in page["body"]:
        return
    on = PageCommentTarget(visibility.as_member(tx, row["actor"]), page)
    found = comments.mentioned(
        visibility.as_member(tx, row["actor"]), page["body"], on, internal=False, before=before
    )
    yield from ((who, "mentioned") for who in found)


HEARERS = EventHearers(
    home=__name__,
    thing="page",
    hearers={
        "page.created": _shown,
        "page.published": _shown,
        "page.updated": _updated,
        "page.verified": _over,
    },
    said={
        "page.created": "wrote it",
        "page.published": "published it",
        "page.updated": "changed its text",
        "page.verified": "asks you to check it again",
    },
    watchers=_watchers,
)
