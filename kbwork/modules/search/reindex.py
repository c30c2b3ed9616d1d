"""Keeping the index: made anew on demand, and cleared of words that nothing has any more."""

import itertools

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Write
from kbwork.modules.search.kinds import kinds

_SLICE = 500
_SLICE_BYTES = 4_000_000
"""So much text goes into one transaction, or one text that is longer."""
_PAGES = 500
_BEHIND = b"\xff"
"""Greater than every number and every text."""


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 500 of a kind, or fewer where they are long. What the index has between them, or behind, goes."""
    names, at = job.args["kinds"], job.args["at"]
    if not names:
        tx.execute("delete from search_text where rowid not in (select id from search_doc)")
        return Next(message="Indexed")
    texts = kinds(tx)[names[0]].texts
    last = _last(tx, texts, at)
    binds = {"kind": names[0], "at": at, "last": _BEHIND if last is None else last}
    there = f"select * from ({texts}) where ref > :at and ref <= :last"
    tx.execute(
        "delete from search_entry where kind = :kind and ref > :at and ref <= :last"
        f" and ref not in (select ref from ({there}))",
        **binds,
    )
    tx.execute(
        f"insert into search_entry (kind, ref, title, body) select :kind, ref, title, body from ({there}) order by ref",
        **binds,
    )
    if last is None:
        return Next(args={"kinds": names[1:], "at": 0}, message=f"Indexed {names[0]}s")
    return Next(args={"kinds": names, "at": last}, message=f"Indexing {names[0]}s")


def _last(tx: Write, texts: str, at: int | str) -> int | str | None:
    """The last of the texts behind `at` that are taken together; None where those are all that are left."""
    rows = tx.all(
        f"select ref, octet_length(title) + octet_length(body) as bytes from ({texts}) where ref > :at"
        " order by ref limit :most",
        at=at,
        most=_SLICE,
    )
    taken = 0
    last: int | str | None = rows[-1]["ref"] if len(rows) == _SLICE else None
    for row, behind in itertools.pairwise(rows):
        taken += row["bytes"]
        if taken + behind["bytes"] > _SLICE_BYTES:
            last = row["ref"]
            break
    return last


REINDEX = JobKind(kind="search.reindex", home=__name__, step=_step)


def _purge(tx: Write, subject: str) -> None:
    """Words of what is purged go from the index for good: soon, by a job that waits for no other."""
    waiting = tx.value("select 1 from job where kind = :kind and state = 'queued' limit 1", kind=CLEAN.kind)
    if waiting is None and ref_of(subject)[0] in kinds(tx):
        enqueue(tx, CLEAN.kind, {"begun": False}, by="system", message="Clearing the index")


def _clean(tx: Write, job: RunningJob) -> Next:
    """Merge the parts of the index into one, some pages at a time: until then words of deleted texts stay in them."""
    before = tx.value("select total_changes()")
    pages = _PAGES if job.args["begun"] else -_PAGES
    tx.execute("insert into search_text (search_text, rank) values ('merge', :pages)", pages=pages)
    if tx.value("select total_changes()") - before < 2:
        return Next(message="Cleared")
    return Next(args={"begun": True}, message="Clearing the index")


CLEAN = JobKind(kind="search.clean", home=__name__, step=_clean)
ON_SUBJECTS = Cascade(name="search", home=__name__, purge=_purge)
