"""What the doors of client libraries share: which key calls, pages of other sites, refusals as answers."""

import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs

from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from kbwork.api.flags.errors import CODES
from kbwork.api.http.endpoint import Endpoint, Site
from kbwork.api.http.exchange import Answer
from kbwork.api.http.problems import refusal_headers, wrong_method
from kbwork.api.http.request import AsgiRequest, Head, Request, read_body, require_length
from kbwork.api.http.response import Response, header_lines
from kbwork.api.sdk.keys import CLIENT
from kbwork.base.errors import Problem, UnsupportedType

_SAFE: Final = [("x-content-type-options", "nosniff")]
_OPEN: Final = [
    *_SAFE,
    ("access-control-allow-origin", "*"),
    ("access-control-expose-headers", "ETag, Retry-After"),
]
_ALLOWED: Final = "Authorization, Content-Type, If-None-Match, X-API-Key, X-SDK"
_PREFLIGHT: Final = [
    ("access-control-allow-origin", "*"),
    ("access-control-allow-headers", _ALLOWED),
    ("access-control-max-age", "86400"),
]
PLAIN: Final = {"Content-Type": "application/json", "Cache-Control": "no-store"}
"""The headers of JSON that is not kept."""
_JSON: Final = [(name.lower(), value) for name, value in PLAIN.items()]


class SdkRequest(NamedTuple):
    """One request: `token` is the key that it shows, if any."""

    path: str
    head: Head
    query: Mapping[str, str]
    token: str | None
    receive: Receive
    send: Send
    whole: Answer

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Of every answer: pages of any site read what a client-side ID opens, and nothing else."""
        return _OPEN if self.token is not None and self.token.startswith(CLIENT) else _SAFE

    async def answer(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> int:
        """Answer with JSON that is not kept, or with what the headers say; they name the content type then."""
        found = self.response(status, body, headers)
        await self.whole(found)
        return status

    def response(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
        """JSON that is not kept, or what the headers say; they name the content type then."""
        found = self.headers + (_JSON if headers is None else _lowered(headers))
        if status != 304:
            found.append(("content-length", str(len(body))))
        return Response(status, header_lines(found), body)


class SdkDialect(Protocol):
    """What client libraries of one sort ask, and how they are answered."""

    name: str
    """In the metrics."""
    writes: frozenset[str]
    """The paths at which something is changed."""

    def method(self, path: str) -> str | None:
        """The one that an address takes; None where nothing lives."""

    def token(self, path: str, head: Head, query: Mapping[str, str]) -> str | None:
        """The key that a request shows."""

    async def answer(self, visit: SdkRequest) -> int:
        """Answer a request with a method that fits; answers the status. Raises a Problem."""

    def refusal(self, visit: SdkRequest, problem: Problem) -> Any:
        """The body of a refusal."""


class SdkEndpoint(Endpoint):
    """An ASGI endpoint for one dialect."""

    log = logging.getLogger("kbwork.flags")

    def __init__(self, site: Site, dialect: SdkDialect) -> None:
        super().__init__(site)
        self.door = dialect.name
        self._dialect = dialect

    async def answer(self, request: AsgiRequest) -> int:
        head, dialect = request.head, self._dialect
        path, query = request.scope["path"], _query(request.scope)
        token = dialect.token(path, head, query)
        request.found = visit = SdkRequest(
            path, head, query, token, request.receive, request.send, request.answer
        )
        request.cls = "write" if path in dialect.writes else "read"
        method = dialect.method(path)
        if method is None or head.method == method:
            return await dialect.answer(visit)
        if head.method != "OPTIONS":
            raise wrong_method(f"This address takes {method}.", f"{method}, OPTIONS")
        return await _preflight(visit, method)

    def refuse(self, request: Request, problem: Problem) -> Response:
        visit = request.found
        assert isinstance(visit, SdkRequest), "nothing is refused before"
        body = to_json(self._dialect.refusal(visit, problem))
        return visit.response(problem.status, body, refusal_headers(problem, PLAIN))


def plain_refusal(problem: Problem) -> dict[str, Any]:
    """The body of a refusal as the REST of flags has it."""
    return {"error": {"code": CODES.get(problem.status, "invalid_request"), "message": problem.detail}}


async def body_of(visit: SdkRequest, most_bytes: int, *kinds: str) -> bytes:
    """The body, of one of these content types or of none. Raises UnsupportedType, TooLarge or RequestTooLong."""
    head = visit.head
    kind = head.text("content-type") or kinds[0]
    if (kind not in kinds and kind.partition(";")[0].strip().lower() not in kinds) or head.encoded:
        raise UnsupportedType(f"Send the body as `Content-Type: {kinds[0]}`, without a Content-Encoding.")
    require_length(head, most_bytes)
    return await read_body(visit.receive, most_bytes, head.length)


def holds(if_none_match: str | None, tag: str) -> bool:
    """Whether `If-None-Match` names this tag; weak forms and those without quotes do, `*` does not."""
    if if_none_match is None:
        return False
    bare = tag.strip('"')
    return any(part.strip().removeprefix("W/").strip('"') == bare for part in if_none_match.split(","))


async def _preflight(visit: SdkRequest, method: str) -> int:
    """What pages of any site may send here is asked before it is known who they are."""
    allowed = [*_PREFLIGHT, ("access-control-allow-methods", f"{method}, OPTIONS")]
    await visit.whole(Response(204, header_lines(allowed), b""))
    return 204


def _lowered(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in headers.items()]


def _query(scope: Scope) -> Mapping[str, str]:
    text: bytes = scope["query_string"]
    return {name: values[-1] for name, values in parse_qs(text.decode("latin-1")).items()} if text else {}
