"""What every door is: it answers requests, and what goes wrong inside is logged and told without its inside."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from starlette.types import Receive, Scope, Send

from kbwork.api.http.problems import send_problem
from kbwork.api.http.request import Request, RequestTooLong
from kbwork.api.http.response import Observe
from kbwork.base.clock import monotonic
from kbwork.base.errors import Internal, Problem
from kbwork.core.operations.dispatch import Dispatcher

WRONG: Final = "Something went wrong here; the log has the request id."
NOT_COUNTED: Final = 0
"""Instead of the status of an answer that the metrics do not count."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the doors of one server share. `base_url` is that of the settings, empty where it is not set."""

    dispatcher: Dispatcher
    base_url: str
    observe: Observe
    max_body_bytes: int


class Endpoint(ABC):
    """The rim of a door. A subclass answers, and may refuse in its own way."""

    door: str = ""
    """In the metrics; a door without a name is not counted here."""
    log = logging.getLogger("kbwork.http")
    wrong = WRONG
    """Said of what is no Problem."""
    cut_status = 408
    """What a request is counted as whose body did not arrive: nobody is there to answer."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._dispatcher = site.dispatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = monotonic()
        site = self._site
        request = Request(scope, receive, send, site.base_url)
        try:
            status = await self.answer(request)
        except RequestTooLong as gone:
            self.log.info("a body did not arrive: %s", gone)
            status = self.cut_status
        except Problem as problem:
            if problem.internal:  # which says what there is to know, without a trace
                self.log.error("request %s: %s", request.head.request, problem.internal)  # noqa: TRY400
            status = await self.refuse(request, problem)
        except Exception:  # whatever is no Problem is ours, and is told without its inside
            self.log.exception("request %s failed", request.head.request)
            status = await self.refuse(request, Internal(self.wrong))
        if status != NOT_COUNTED and (door := self.door):
            site.observe(door, request.cls, status, monotonic() - started)

    @abstractmethod
    async def answer(self, request: Request) -> int:
        """Answer a request, and say with which status. Raises a Problem."""

    async def refuse(self, request: Request, problem: Problem) -> int:
        """Answer with a problem, and say with which status."""
        await send_problem(request.send, problem, request.head.request)
        return problem.status
