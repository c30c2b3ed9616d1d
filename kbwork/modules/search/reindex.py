"""Keeping the index: made anew on demand, and cleared of words that nothing has any more."""

from kbwork.core.jobs import Job, JobKind, Next, enqueue
from kbwork.core.subjects import Part
from kbwork.db.tx import Write

_SLICE = 500
_PAGES = 500
_ISSUES = (
    "select id as at, id * 4 as n, title, body from issue where id > :at and deleted_at is null order by id"
)
_COMMENTS = (
    "select id as at, id * 4 + 1 as n, '' as title, body from comment where id > :at"
    " and deleted_at is null order by id"
)
_FILES = (
    "select f.id as at, f.id * 4 + 2 as n, a.name as title, coalesce(t.text, '') as body from search_file f"
    " join attachment a on a.id = f.attachment left join attachment_text t on t.attachment = a.id"
    " where f.id > :at and a.deleted_at is null order by f.id"
)
_FROM = {"issue": _ISSUES, "comment": _COMMENTS, "attachment": _FILES}


def _step(tx: Write, job: Job) -> Next:
    """The next 500 of a kind."""
    kinds, at = job.args["kinds"], job.args["at"]
    if not kinds:
        return Next(message="Indexed")
    rows = tx.all(f"{_FROM[kinds[0]]} limit :most", at=at, most=_SLICE)
    for row in rows:
        tx.execute("delete from search_text where rowid = :n", n=row["n"])
        tx.execute(
            "insert into search_text (rowid, title, body) values (:n, :title, :body)",
            n=row["n"],
            title=row["title"],
            body=row["body"],
        )
    if len(rows) < _SLICE:
        return Next(args={"kinds": kinds[1:], "at": 0}, message=f"Indexed {kinds[0]}s")
    return Next(args={"kinds": kinds, "at": rows[-1]["at"]}, message=f"Indexing {kinds[0]}s")


REINDEX = JobKind(kind="search.reindex", home=__name__, step=_step)


def _purge(tx: Write, subject: str) -> None:
    """Words of what is purged go from the index for good: soon, by a job that waits for no other."""
    waiting = tx.value("select 1 from job where kind = :kind and state = 'queued' limit 1", kind=CLEAN.kind)
    if waiting is None and subject.partition(":")[0] in _FROM:
        enqueue(tx, CLEAN.kind, {"begun": False}, by="system", message="Clearing the index")


def _clean(tx: Write, job: Job) -> Next:
    """Merge the parts of the index into one, some pages at a time: until then words of deleted texts stay in them."""
    before = tx.value("select total_changes()")
    pages = _PAGES if job.args["begun"] else -_PAGES
    tx.execute("insert into search_text (search_text, rank) values ('merge', :pages)", pages=pages)
    if tx.value("select total_changes()") - before < 2:
        return Next(message="Cleared")
    return Next(args={"begun": True}, message="Clearing the index")


CLEAN = JobKind(kind="search.clean", home=__name__, step=_clean)
ON_SUBJECTS = Part(name="search", home=__name__, purge=_purge)
