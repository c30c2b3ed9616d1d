"""The job that fetches a repository into a file: a page each step, and after a restart it goes on behind the last."""

import datetime
from dataclasses import replace
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
from kbwork.modules.imports.fetch import known_pages, page_content
from kbwork.modules.imports.fetch import service as services
from kbwork.modules.imports.fetch.github import GitHub
from kbwork.modules.imports.fetch.gitlab import GitLab
from kbwork.modules.imports.fetch.known_pages import KnownPage
from kbwork.modules.imports.fetch.page_content import PageContent
from kbwork.modules.imports.fetch.service import FetchedService, ListPlace, RepositoryPage

SERVICES: dict[str, FetchedService] = {"github": GitHub(), "gitlab": GitLab()}
"""By the source of an import."""
MOST_BYTES = 1_000_000_000
"""As much JSON as the reader takes."""
_MOST_S = 2 * 86400
_DEADLINE_S = 60.0
_TRIES = 6
_BEGUN: dict[str, Any] = {
    "part": None,
    "path": "",
    "pages": 0,
    "bytes": 0,
    "counts": {},
    "whole": False,
    "of": None,
    "left": [],
    "then": None,
}
"""Of the job's arguments: the list that it is at, None before the first; the page of it that is next; how far the file
counts; and whether to ask for all of a page, known or not. In a list of one thing: which that is, those behind it, and
the next page of the list that the thing is on."""
_UNREACHED = (
    "Is the address right? It should be a public one, or listed as host:port under allow of [outbound] in"
    f" kbwork.toml; a page may have {services.PAGE_BYTES // 1024**2} MB and take {_DEADLINE_S:.0f} seconds."
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a step goes by."""

    service: FetchedService
    at: dict[str, str]
    """The repository, its server, and the token where there is one."""
    folder: Path
    file: str
    now: int
    path: str
    """Of the page."""
    known: KnownPage | None

    @property
    def url(self) -> str:
        return services.origin(self.at["base_url"]) + self.path


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
    _require_bounds(asked, job.args, asked.now)
    page = await _page(out, asked)
    later = _later(asked, job.args, page)
    if page is None or later is not None:
        return later or _next(asked, {**job.args, "whole": True})
    if job.args["part"] is None:
        asked.service.require_good(page, asked.at, None)
        return await _begun(out, job, asked, asked.service.opening(page))
    try:
        return await _kept(out, job, asked, await _taken(out, job, asked, page))
    except FileNotFoundError:  # a backup that was put back has the job, and not the file
        return _next(asked, {**job.args, **_BEGUN})


def _later(asked: _Asked, args: dict[str, Any], page: FetchedPage | None) -> Next | None:
    """The next step, where that is to ask for the same page again: later, or in other words."""
    if page is None:
        return None
    wait = asked.service.rest(page, asked.now)
    if wait is not None:
        return _next(asked, args, _waits(asked.service, asked.now + wait), wait)
    other = asked.service.instead(page, asked.path)
    return _next(asked, {**args, "path": other}) if other is not None else None


async def _taken(out: External, job: RunningJob, asked: _Asked, page: FetchedPage) -> RepositoryPage:
    """What a page is worth; nothing, which is told, where the others come without it."""
    place = _place(asked, job.args)
    lacking = asked.service.lacking(page, place)
    if lacking is not None:
        await out.write(partial(_warn, job=job, name=asked.at["repository"], why=lacking))
        return RepositoryPage(b"[]", PageContent(count=0, numbered=[]), None)
    asked.service.require_good(page, asked.at, place.of)
    return asked.service.taken(page, asked.at, await _content(out, page.body))


async def _begun(out: External, job: RunningJob, asked: _Asked, opening: bytes) -> Next:
    """The file with what is said of the repository, where the service has it so."""
    size = (await out.thread(_append, asked, 0, opening, False))[0] if opening else 0
    return _next(asked, {**job.args, "bytes": size, "part": 0, "path": asked.service.first(asked.at, 0)})


def _asked(tx: Read, job: RunningJob) -> _Asked | None:
    """None where it is fetched already. Raises NotAllowed where whoever opened it is no admin any more, NotFound where
    neither what was fetched is here nor what it is fetched with."""
    row = queries.get(tx, job.args["import"])
    theirs = tx.as_caller(impersonate.restore_caller(tx, job.args["who"]))
    _require_admin(theirs)
    if row["secret"] is None:
        uploads.sent_whole(theirs, row["upload"])
        return None
    service, at = SERVICES[row["source"]], queries.opened(tx, row)
    path = job.args["path"] or service.home(at)
    asked = _Asked(service, at, uploads.folder(tx), row["upload"], tx.now, path, None)
    if job.args["part"] is None or job.args.get("whole"):
        return asked
    return replace(asked, known=known_pages.find(tx, asked.url))


def _require_admin(tx: Read) -> None:
    if not tx.caller.admin or "admin" not in tx.caller.scopes:
        raise NotAllowed("Whoever opened this import is no admin any more.")


def _require_bounds(asked: _Asked, args: dict[str, Any], now: int) -> None:
    service = asked.service
    if args["pages"] >= service.most_pages or args["bytes"] > MOST_BYTES:
        raise Conflict(
            f"The repository has more than the {service.most_pages:,} pages or {MOST_BYTES:,} bytes that are fetched:"
            " send files of parts of it instead."
        )
    if now - args["began"] > _MOST_S:
        raise Conflict(
            f"Fetching takes longer than {_MOST_S // 3600} hours: open the import anew, with a token, which"
            f" {service.name} allows more calls."
        )


async def _page(out: External, asked: _Asked) -> FetchedPage | None:
    """The page, be it from an upload where it did not change since; None where it is not there as it was."""
    headers = asked.service.headers(asked.at)
    if asked.known is not None:
        headers = headers | {"If-None-Match": asked.known.row["etag"]}
    call = ServiceCall(headers=headers, most_bytes=services.PAGE_BYTES, deadline_s=_DEADLINE_S)
    page = await out.ask(asked.url, call)
    if page.status != 304 or asked.known is None:
        return page
    found: FetchedPage | None = await out.thread(known_pages.unchanged, asked.known, page)
    return found


async def _content(out: External, body: bytes) -> PageContent | None:
    """What is in the list that a page is; None for what is none."""
    if len(body) <= page_content.HERE_BYTES:
        return page_content.looked_into(body)
    found: PageContent | None = await out.process(page_content.__name__, given=body)
    return found


def _place(asked: _Asked, args: dict[str, Any]) -> ListPlace:
    of = args.get("of")
    begins = of is None and args["path"] == asked.service.first(asked.at, args["part"])
    return ListPlace(args["part"], (of[0], of[1]) if of else None, begins)


def _behind(asked: _Asked, args: dict[str, Any], page: RepositoryPage) -> dict[str, Any] | None:
    """Where the page behind this one is: the next of its list, then the lists of things on it, then the next of the
    list that those are on; None behind the last."""
    service, part, of = asked.service, args["part"], args.get("of")
    if page.next is not None and page.next == args["path"]:
        raise Conflict(f"{service.name} says that a page is followed by itself: try again later.")
    left = args.get("left", []) if of else service.hanging(part, page.content)
    then = args.get("then") if of else page.next
    if of and page.next is not None:
        return {"path": page.next}
    if left:
        first = (left[0][0], left[0][1])
        return {"of": first, "path": service.first_of(asked.at, part, first), "left": left[1:], "then": then}
    if then is None and part + 1 < len(service.parts):
        part, then = part + 1, service.first(asked.at, part + 1)
    return (
        None
        if then is None
        else {"part": part, "path": then, "whole": False, "of": None, "left": [], "then": None}
    )


async def _kept(out: External, job: RunningJob, asked: _Asked, page: RepositoryPage) -> Next:
    """Write a page behind those that are there."""
    place, behind = _place(asked, job.args), _behind(asked, job.args, page)
    before, after = asked.service.frame(place, last=behind is None)
    content, begins = before + page.body + after, job.args["bytes"] + len(before)
    size, digest = await out.thread(_append, asked, job.args["bytes"], content, behind is None)
    if known_pages.is_one(page):
        await out.write(
            partial(known_pages.remember, ident=job.args["import"], url=asked.url, page=page, start=begins)
        )
    name = place.of[0] if place.of else asked.service.parts[place.part][0]
    counts = {**job.args["counts"], name: job.args["counts"].get(name, 0) + page.content["count"]}
    args = {**job.args, "pages": job.args["pages"] + 1, "bytes": size, "counts": counts}
    if behind is not None:
        return _next(asked, {**args, "whole": False, **behind})
    _require_bounds(asked, {**args, "pages": 0}, asked.now)
    file = UploadedFile(asked.file, f"{asked.at['repository'].rpartition('/')[2]}.json", size, digest)
    await out.write(partial(_arrived, job=job, file=file, asked=asked))
    return Next(result=_result(args), message=asked.service.told(counts))


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


def _next(asked: _Asked, args: dict[str, Any], message: str = "", wait_s: int = 0) -> Next:
    progress = (args["part"] or 0) / len(asked.service.parts)
    return Next(
        args=args, progress=progress, message=message or asked.service.told(args["counts"]), wait_s=wait_s
    )


def _arrived(tx: Write, job: RunningJob, file: UploadedFile, asked: _Asked) -> None:
    """From now on it is an import of a file. Nothing where it was stopped meanwhile."""
    ident = job.args["import"]
    row = queries.get(tx, ident)
    if row["secret"] is None or row["job_state"] != "running":
        return
    with impersonate.as_starter(tx, job.args["who"]):
        _require_admin(tx)
        uploads.remember(tx, file)
    queries.put(tx, ident, secret=None)
    queries.log(tx, ident, "info", asked.at["repository"], asked.service.left_out)


def _warn(tx: Write, job: RunningJob, name: str, why: str) -> None:
    row = queries.get(tx, job.args["import"])
    if row["job"] == job.id and row["job_state"] == "running":
        queries.log(tx, row["id"], "warning", name, why)


def _fail(tx: Write, job: RunningJob, why: str) -> None:
    row = queries.get(tx, job.args["import"])
    if row["job"] != job.id or row["job_state"] != "running":
        return
    queries.log(tx, row["id"], "error", row["source"], why)
    queries.put(tx, row["id"], state="failed", ended_at=tx.now, secret=None)
    uploads.path(tx, row["upload"]).unlink(missing_ok=True)


def _waits(service: FetchedService, until: int) -> str:
    at = datetime.datetime.fromtimestamp(until, datetime.UTC)
    return f"{service.name}'s limit of calls is used up: goes on at {at:%H:%M:%S} UTC"


def _result(args: dict[str, Any]) -> dict[str, Any]:
    return {"import": args["import"], "pages": args["pages"], "bytes": args["bytes"], **args["counts"]}


FETCH = JobKind(kind=queries.FETCHING, home=__name__, wait=go_on)
