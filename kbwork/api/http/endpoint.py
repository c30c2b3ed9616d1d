"""What every door is: it answers requests, and what goes wrong inside is logged and told without its inside."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, Final
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from kbwork.api.http.compression import fitted
from kbwork.api.http.exchange import Fields, Peer
from kbwork.api.http.problems import refusal
from kbwork.api.http.request import AsgiRequest, Head, Request, RequestTooLong
from kbwork.api.http.response import Response
from kbwork.api.http.site import Frame, Site
from kbwork.base.clock import monotonic
from kbwork.base.errors import Internal, Problem
from kbwork.core.operations.call import begin_task

WRONG: Final = "Something went wrong here; the log has the request id."
NOT_COUNTED: Final = 0
"""Instead of the status of an answer that the metrics do not count."""


ACCESS: Final = logging.getLogger("kbwork.access")
"""One line an answer, where the settings ask for it."""
_CALLS: Final = ("api", "mcp", "ofrep", "sdk")
"""What stands in the addresses below these names things; those of pages and files may open something by themselves."""
_SHOWN_CHARS: Final = 200


def access_line(request: Request, status: int) -> str:
    """Who asked for what, and what they got: address, method, path, status, milliseconds, name of the request."""
    head = request.head
    first, slash, more = request.path.removeprefix("/").partition("/")
    path = f"/{first}{slash}" + (more if first in _CALLS else "..." if more else "")
    shown = quote(path[:_SHOWN_CHARS], safe="/:@")
    took = (monotonic() - request.since) * 1000
    return f"{head.address or '-'} {head.method} {shown} {status or '-'} {took:.1f} ms {head.request}"


class Rim(ABC):
    """The rim of a door. A subclass answers, and may refuse in its own way."""

    door: str = ""
    """In the metrics; a door without a name is not counted here."""
    log = logging.getLogger("kbwork.http")
    wrong = WRONG
    """Said of what is no Problem."""
    in_a_task = True
    """Whether it uses libraries that ask for the task in which they run."""
    cut_status = 408
    """What a request is counted as whose body did not arrive: nobody is there to answer."""

    def __init__(self, site: Frame) -> None:
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = AsgiRequest(scope, receive, send, self._site)
        if self.in_a_task:
            await begin_task()
        try:
            status = await self.answer(request)
        except RequestTooLong as gone:
            self.log.info("a body did not arrive: %s", gone)
            status = self.cut_status
        except Exception as error:  # whatever is no Problem is ours, and is told without its inside
            response = self._refused(request, error)
            await request.answer(response)
            status = response.status
        finally:
            request.receive.let_go()
        self._count(request, status)

    def begin(self, path: str, peer: Peer, fields: Fields) -> Request:
        """A POST that is there as a whole begins to be answered."""
        self._site.begin()
        address = self._site.proxies.caller(peer.address, fields)
        return Request(path, Head(fields, "POST", address, self._site.base_url))

    async def finish(self, request: Request, work: Coroutine[Any, Any, Response]) -> Response:
        """What comes of the work for a request, be it a refusal."""
        try:
            response = await work
        except Exception as error:
            response = self._refused(request, error)
        self._count(request, response.status)
        return await fitted(response, request.head.accepted)

    def _count(self, request: Request, status: int) -> None:
        if ACCESS.isEnabledFor(logging.INFO):
            ACCESS.info("%s", access_line(request, status))
        if status != NOT_COUNTED and request.counted and (door := self.door):
            self._site.observe(door, request.cls, status, monotonic() - request.since)

    def _refused(self, request: Request, error: Exception) -> Response:
        return self.refuse(request, told(error, self.log, request.head.request, self.wrong))

    @abstractmethod
    async def answer(self, request: AsgiRequest) -> int:
        """Answer a request, and say with which status. Raises a Problem."""

    def refuse(self, request: Request, problem: Problem) -> Response:
        """The answer that is a problem."""
        return refusal(problem, request.head.request)


class Endpoint(Rim):
    """A door behind which operations are called."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._dispatcher = site.dispatcher


def told(error: Exception, log: logging.Logger, request: str, wrong: str = WRONG) -> Problem:
    """What is told of an error, which is the problem itself; the log has the rest."""
    if not isinstance(error, Problem):
        log.error("request %s failed", request, exc_info=error)
        return Internal(wrong)
    if error.internal:  # which says what there is to know, without a trace
        log.error("request %s: %s", request, error.internal)
    return error
