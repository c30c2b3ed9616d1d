"""The job that fetches a repository into a file: a page each step, and after a restart it goes on behind the last."""

import datetime
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, Problem, UpstreamFailed
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.external import External, FetchedPage, ServiceCall
from kbwork.core.ports.uploads import GrowingFile, UploadedFile, make_empty
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports import queries
from kbwork.modules.imports.fetch import github, page_count
from kbwork.modules.imports.fetch.github import PARTS, RepositoryPage

MOST_PAGES = 20_000
MOST_BYTES = 1_000_000_000
"""As much JSON as the reader takes."""
_MOST_S = 2 * 86400
_DEADLINE_S = 60.0
_TRIES = 6
_BEGUN: dict[str, Any] = {"part": None, "path": "", "pages": 0, "bytes": 0, "counts": {}}
"""Of the job's arguments: the list that it is at, None before the first; the page of it that is next; and how far the
file counts."""
_UNREACHED = (
    "Is the address right? It should be a public one, or listed as host:port under allow of [outbound] in"
    f" kbwork.toml; a page may have {github.PAGE_BYTES // 1024**2} MB and take {_DEADLINE_S:.0f} seconds."
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a step goes by."""

    at: dict[str, str]
    """The repository, its server, and the token where there is one."""
    folder: Path
    file: str
    now: int


def begin(tx: Write, ident: int) -> None:
    """Have the job fetch what this import names in its secret."""
    asked = {"import": ident, "who": impersonate.caller_args(tx.caller), "began": tx.now, **_BEGUN}
    queries.put(tx, ident, job=enqueue(tx, FETCH.kind, asked))


async def go_on(out: External, job: RunningJob) -> Next:
    """One page. What is refused for good ends the import, and its secret."""
    try:
        return await _step(out, job)
    except Problem as problem:
        unreached = isinstance(problem, UpstreamFailed | InvalidInput)
        at_first = unreached and job.args["part"] is None
        if problem.later and not at_first and job.tries < _TRIES:
            raise
        why = f"{problem.detail.rstrip('.')}. {_UNREACHED}" if unreached else problem.detail
        await out.write(partial(_fail, job=job, why=why))
        raise Conflict(why, internal=problem.internal) from None


async def _step(out: External, job: RunningJob) -> Next:
    asked = await out.read(partial(_asked, job=job))
    if asked is None:
        return Next(result=_result(job.args))
    _require_bounds(job.args, asked.now)
    page = await _page(out, asked.at, job.args["path"] or github.home(asked.at))
    wait = github.rest(page, asked.now)
    if wait is not None:
        return Next(
            args=job.args, progress=_progress(job.args), message=_waits(asked.now + wait), wait_s=wait
        )
    github.require_good(page, asked.at)
    if job.args["part"] is None:
        github.require_repository(page)
        return _onward(job.args, 0, github.first(asked.at, 0))
    try:
        return await _kept(out, job, asked, github.taken(page, asked.at, await _counted(out, page.body)))
    except FileNotFoundError:  # a backup that was put back has the job, and not the file
        return _onward({**job.args, **_BEGUN}, 0, github.first(asked.at, 0))


def _asked(tx: Read, job: RunningJob) -> _Asked | None:
    """None where it is fetched already. Raises NotAllowed where whoever opened it is no admin any more, NotFound where
    neither what was fetched is here nor what it is fetched with."""
    row = queries.get(tx, job.args["import"])
    theirs = tx.as_caller(impersonate.restore_caller(tx, job.args["who"]))
    _require_admin(theirs)
    if row["secret"] is None:
        uploads.sent_whole(theirs, row["upload"])
        return None
    return _Asked(queries.opened(tx, row), uploads.folder(tx), row["upload"], tx.now)


def _require_admin(tx: Read) -> None:
    if not tx.caller.admin or "admin" not in tx.caller.scopes:
        raise NotAllowed("Whoever opened this import is no admin any more.")


def _require_bounds(args: dict[str, Any], now: int) -> None:
    if args["pages"] >= MOST_PAGES or args["bytes"] > MOST_BYTES:
        raise Conflict(
            f"The repository has more than the {MOST_PAGES:,} pages or {MOST_BYTES:,} bytes that are fetched: send"
            " files of parts of it instead."
        )
    if now - args["began"] > _MOST_S:
        raise Conflict(
            f"Fetching takes longer than {_MOST_S // 3600} hours: open the import anew, with a token, which GitHub"
            " allows more calls."
        )


async def _page(out: External, at: dict[str, str], path: str) -> FetchedPage:
    call = ServiceCall(
        authorization=f"Bearer {at['token']}" if "token" in at else None,
        most_bytes=github.PAGE_BYTES,
        deadline_s=_DEADLINE_S,
    )
    return await out.ask(github.origin(at["base_url"]) + path, call)


async def _counted(out: External, body: bytes) -> int | None:
    """How many elements the list has that is a page; None for what is none."""
    if len(body) <= page_count.HERE_BYTES:
        return page_count.elements(body)
    found: int | None = await out.process(page_count.__name__, given=body)
    return found


async def _kept(out: External, job: RunningJob, asked: _Asked, page: RepositoryPage) -> Next:
    """Write a page behind those that are there."""
    part, name = job.args["part"], PARTS[job.args["part"]][0]
    if page.next is not None and page.next == job.args["path"]:
        raise Conflict("GitHub says that a page is followed by itself: try again later.")
    begins = job.args["path"] == github.first(asked.at, part)
    before = (f'{"{" if part == 0 else "],"}"{name}":[' if begins else ",").encode()
    last = page.next is None and part == len(PARTS) - 1
    content = before + page.body + (b"]}" if last else b"")
    size, digest = await out.thread(_append, asked, job.args["bytes"], content, last)
    counts = {**job.args["counts"], name: job.args["counts"].get(name, 0) + page.count}
    args = {**job.args, "pages": job.args["pages"] + 1, "bytes": size, "counts": counts}
    if last:
        _require_bounds({**args, "pages": 0}, asked.now)
        file = UploadedFile(asked.file, f"{asked.at['repository'].partition('/')[2]}.json", size, digest)
        await out.write(partial(_arrived, job=job, file=file, name=asked.at["repository"]))
        return Next(result=_result(args), message=_told(args))
    if page.next is None:
        return _onward(args, part + 1, github.first(asked.at, part + 1))
    return _onward(args, part, page.next)


def _append(asked: _Asked, offset: int, content: bytes, last: bool) -> tuple[int, str]:
    """The size of the file with this behind its `offset`, and the checksum of the last."""
    if offset == 0:
        (asked.folder / asked.file).unlink(missing_ok=True)
        make_empty(asked.folder, asked.file)
    file = GrowingFile(asked.folder / asked.file, offset)
    try:
        file.take(content)
        return file.settle(), file.sha256() if last else ""
    finally:
        file.close()


def _onward(args: dict[str, Any], part: int, path: str) -> Next:
    args = {**args, "part": part, "path": path}
    return Next(args=args, progress=_progress(args), message=_told(args))


def _arrived(tx: Write, job: RunningJob, file: UploadedFile, name: str) -> None:
    """From now on it is an import of a file. Nothing where it was stopped meanwhile."""
    ident = job.args["import"]
    row = queries.get(tx, ident)
    if row["secret"] is None or row["job_state"] != "running":
        return
    with impersonate.as_starter(tx, job.args["who"]):
        _require_admin(tx)
        uploads.remember(tx, file)
    queries.put(tx, ident, secret=None)
    queries.log(
        tx, ident, "info", name, "Verdicts and summaries of reviews are not fetched; comments on lines are."
    )


def _fail(tx: Write, job: RunningJob, why: str) -> None:
    row = queries.get(tx, job.args["import"])
    if row["job"] != job.id or row["job_state"] != "running":
        return
    queries.log(tx, row["id"], "error", "github", why)
    queries.put(tx, row["id"], state="failed", ended_at=tx.now, secret=None)
    uploads.path(tx, row["upload"]).unlink(missing_ok=True)


def _progress(args: dict[str, Any]) -> float:
    return (args["part"] or 0) / len(PARTS)


def _told(args: dict[str, Any]) -> str:
    counts: dict[str, int] = args["counts"]
    comments = counts.get("comments", 0) + counts.get("review_comments", 0)
    return f"Fetched {counts.get('issues', 0):,} issues and {comments:,} comments"


def _waits(until: int) -> str:
    at = datetime.datetime.fromtimestamp(until, datetime.UTC)
    return f"GitHub's limit of calls is used up: goes on at {at:%H:%M:%S} UTC"


def _result(args: dict[str, Any]) -> dict[str, Any]:
    return {"import": args["import"], "pages": args["pages"], "bytes": args["bytes"], **args["counts"]}


FETCH = JobKind(kind=queries.FETCHING, home=__name__, wait=go_on)
