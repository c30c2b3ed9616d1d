"""Keeping the index: made anew on demand, and cleared of words that nothing has any more."""

import itertools

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write

_SLICE = 500
_SLICE_BYTES = 4_000_000
"""So much text goes into one transaction, or one text that is longer."""
_PAGES = 500
_FILES = (
    "select f.id as at, a.name as title, coalesce(t.text, '') as body from search_file f"
    " join attachment a on a.id = f.attachment left join attachment_text t on t.attachment = a.id"
    " where a.deleted_at is null"
)
_PLACES = {
    "issue": (0, "select id as at, title, body from issue where deleted_at is null"),
    "comment": (1, "select id as at, '' as title, body from comment where deleted_at is null"),
    "attachment": (2, _FILES),
}
"""Kind -> what it adds to the number of a row, and its texts by the number `at`."""


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 500 of a kind, or fewer where they are long. What the index has between them, or behind, goes."""
    kinds, at = job.args["kinds"], job.args["at"]
    if not kinds:
        return Next(message="Indexed")
    sort, texts = _PLACES[kinds[0]]
    last = _last(tx, texts, at)
    tx.execute(
        "delete from search_text where rowid > :first and rowid <= :last and rowid % 4 = :sort",
        first=at * 4 + sort,
        last=_BEHIND if last is None else last * 4 + sort,
        sort=sort,
    )
    tx.execute(
        "insert into search_text (rowid, title, body)"
        f" select at * 4 + :sort, title, body from ({texts}) where at > :at and (:last is null or at <= :last)",
        sort=sort,
        at=at,
        last=last,
    )
    if last is None:
        return Next(args={"kinds": kinds[1:], "at": 0}, message=f"Indexed {kinds[0]}s")
    return Next(args={"kinds": kinds, "at": last}, message=f"Indexing {kinds[0]}s")


_BEHIND = (1 << 63) - 1
"""The greatest number that a row can have."""


def _last(tx: Write, texts: str, at: int) -> int | None:
    """The last of the texts behind `at` that are taken together; None where those are all that are left."""
    rows = tx.all(
        f"select at, octet_length(title) + octet_length(body) as bytes from ({texts}) where at > :at"
        " order by at limit :most",
        at=at,
        most=_SLICE,
    )
    taken = 0
    for row, behind in itertools.pairwise(rows):
        taken += row["bytes"]
        if taken + behind["bytes"] > _SLICE_BYTES:
            return int(row["at"])
    return int(rows[-1]["at"]) if len(rows) == _SLICE else None


REINDEX = JobKind(kind="search.reindex", home=__name__, step=_step)


def _purge(tx: Write, subject: str) -> None:
    """Words of what is purged go from the index for good: soon, by a job that waits for no other."""
    waiting = tx.value("select 1 from job where kind = :kind and state = 'queued' limit 1", kind=CLEAN.kind)
    if waiting is None and subject.partition(":")[0] in _PLACES:
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
