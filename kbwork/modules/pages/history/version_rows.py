"""Versions as rows: each text that a page had is kept, and a burst of one author is shown as one."""

from kbwork.base.dataclasses import dataclass
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import PageRow, PageVersionRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages import queries

BURST_S = 10 * 60
"""So long after it began, what the same author saves is the same version to those who read them."""
KEPT_S = 24 * 3600
"""So long the texts within a burst are kept: whoever writes on one of them can be merged."""


@dataclass(frozen=True, slots=True)
class PageText:
    """What a version holds."""

    title: str
    body: str
    body_doc: str | None


def text_of(row: PageRow | PageVersionRow) -> PageText:
    return PageText(row["title"], row["body"], row["body_doc"])


def keep(tx: Write, page: int, text: PageText, *, published: bool, note: str = "") -> int:
    """Keep a text as the newest version of a page; answers its number. Undo leaves versions as they are."""
    last = tx.one(
        "select * from page_version where page = :page order by version desc limit 1",
        PageVersionRow,
        page=page,
    )
    bursts = last is not None and _bursts(tx, last, published=published, note=note)
    number = last["version"] + 1 if last is not None else 1
    if last is not None and bursts:
        tx.execute(
            "update page_version set folded = 1 where page = :page and version = :version",
            page=page,
            version=last["version"],
        )
    tx.execute(
        "insert into page_version"
        " (page, version, title, body, body_doc, at, began_at, who, via, note, published, folded) values"
        " (:page, :version, :title, :body, :body_doc, :now, :began, :who, :via, :note, :published, 0)",
        page=page,
        version=number,
        title=text.title,
        body=text.body,
        body_doc=text.body_doc,
        now=tx.now,
        began=last["began_at"] if last is not None and bursts else tx.now,
        who=tx.caller.actor,
        via=tx.caller.via,
        note=note,
        published=int(published),
    )
    return number


def _bursts(tx: Write, last: PageVersionRow, *, published: bool, note: str) -> bool:
    same = (last["who"], last["via"], bool(last["published"])) == (tx.caller.actor, tx.caller.via, published)
    return (
        same and not last["note"] and not note and last["version"] > 1 and tx.now - last["began_at"] < BURST_S
    )


def publish(tx: Write, page: int, number: int, note: str) -> None:
    """Readers see this version from now on."""
    tx.execute(
        "update page_version set published = 1, folded = 0, note = iif(:note = '', note, :note)"
        " where page = :page and version = :version",
        page=page,
        version=number,
        note=note,
    )


def after_undo(tx: Write, ident: int) -> None:
    """The text that a page has now is its newest version, if it is another one than before."""
    row = queries.stored(tx, ident)
    held = queries.version(tx, ident, row["version"])
    if held is None or text_of(held) != text_of(row):
        number = keep(tx, ident, text_of(row), published=row["state"] == "published", note="Taken back")
        tx.execute("update page set version = :version where id = :id", version=number, id=ident)


_OLD = (
    "folded = 1 and at < :before and not exists (select 1 from page p where p.id = page_version.page"
    " and page_version.version in (p.version, p.draft, p.draft_base))"
)


def _any_old(tx: Read) -> bool:
    return tx.one(f"select 1 from page_version where {_OLD} limit 1", before=tx.now - KEPT_S) is not None


def _forget(tx: Write) -> None:
    tx.execute(
        "delete from page_version where (page, version) in"
        f" (select page, version from page_version where {_OLD} limit 1000)",
        before=tx.now - KEPT_S,
    )


FORGET = Schedule(name="pages.forget_bursts", home=__name__, every_s=600, run=_forget, due=_any_old)
