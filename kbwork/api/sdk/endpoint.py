"""What the doors of client libraries share: which key calls, pages of other sites, refusals as answers."""

import logging
from collections.abc import Coroutine, Mapping
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import parse_qs

from pydantic_core import to_json
from starlette.types import Message, Scope, Send

from kbwork.api.flags.errors import CODES
from kbwork.api.http.body import Body
from kbwork.api.http.endpoint import NOT_COUNTED, Rim
from kbwork.api.http.exchange import Fields, Peer
from kbwork.api.http.problems import refusal_headers, wrong_method
from kbwork.api.http.request import AsgiRequest, Head, Request, read_body, require_length, require_utf_8
from kbwork.api.http.response import Response, header_lines
from kbwork.api.http.site import Frame
from kbwork.api.sdk.gate import CLIENT
from kbwork.base.errors import Problem, UnsupportedType
from kbwork.core.ports.flags import SdkKeyRecord

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
    receive: Body
    send: Send

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Of every answer: pages of any site read what a client-side ID opens, and nothing else."""
        return _OPEN if self.token is not None and self.token.startswith(CLIENT) else _SAFE

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

    async def answer(self, visit: SdkRequest) -> Response | None:
        """The answer to a request with a method that fits; None where it was answered by a stream. Raises a Problem."""

    def refusal(self, visit: SdkRequest, problem: Problem) -> Any:
        """The body of a refusal."""


class SdkEndpoint(Rim):
    """An ASGI endpoint for one dialect."""

    log = logging.getLogger("kbwork.flags")
    in_a_task = False

    def __init__(self, site: Frame, dialect: SdkDialect) -> None:
        super().__init__(site)
        self.door = dialect.name
        self._dialect = dialect

    def call(self, path: str, peer: Peer, fields: Fields, body: bytes) -> Coroutine[Any, Any, Response]:
        """Answer a POST without a query that is there as a whole."""
        request = self.begin(path, peer, fields)
        return self.finish(request, self._called(request, body))

    async def _called(self, request: Request, body: bytes) -> Response:
        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        whole = Body(receive, self._site.bodies, "")
        found = await self._answered(request, {}, whole, _no_stream)
        assert found is not None, "a POST is answered as a whole"
        return found

    async def answer(self, request: AsgiRequest) -> int:
        query = _query(request.scope)
        found = await self._answered(request, query, request.receive, request.send)
        if found is None:
            return NOT_COUNTED
        await request.answer(found)
        return found.status

    async def _answered(
        self, request: Request, query: Mapping[str, str], receive: Body, send: Send
    ) -> Response | None:
        head, path, dialect = request.head, request.path, self._dialect
        token = dialect.token(path, head, query)
        request.found = visit = SdkRequest(path, head, query, token, receive, send)
        request.cls = "write" if path in dialect.writes else "read"
        method = dialect.method(path)
        if method is None or head.method == method:
            return await dialect.answer(visit)
        if head.method != "OPTIONS":
            raise wrong_method(f"This address takes {method}.", f"{method}, OPTIONS")
        return _preflight(method)

    def refuse(self, request: Request, problem: Problem) -> Response:
        visit = request.found
        assert isinstance(visit, SdkRequest), "nothing is refused before"
        body = to_json(self._dialect.refusal(visit, problem))
        return visit.response(problem.status, body, refusal_headers(problem, PLAIN))


def plain_refusal(problem: Problem) -> dict[str, Any]:
    """The body of a refusal as the REST of flags has it."""
    return {"error": {"code": CODES.get(problem.status, "invalid_request"), "message": problem.detail}}


async def body_of(visit: SdkRequest, key: SdkKeyRecord, most_bytes: int, *kinds: str) -> bytes:
    """The body, of one of these content types or of none; client-side IDs are known to anybody.

    Raises UnsupportedType, TooLarge, RequestTooLong, or Busy where too much is being sent.
    """
    head = visit.head
    kind = head.text("content-type") or kinds[0]
    if (kind not in kinds and kind.partition(";")[0].strip().lower() not in kinds) or head.encoded:
        raise UnsupportedType(f"Send the body as `Content-Type: {kinds[0]}`, without a Content-Encoding.")
    require_utf_8(head)
    require_length(head, most_bytes)
    visit.receive.known = key.kind == "server"
    return await read_body(visit.receive, most_bytes, head.length)


def holds(if_none_match: str | None, tag: str) -> bool:
    """Whether `If-None-Match` names this tag; weak forms and those without quotes do, `*` does not."""
    if if_none_match is None:
        return False
    bare = tag.strip('"')
    return any(part.strip().removeprefix("W/").strip('"') == bare for part in if_none_match.split(","))


def _preflight(method: str) -> Response:
    """What pages of any site may send here is asked before it is known who they are."""
    allowed = [*_PREFLIGHT, ("access-control-allow-methods", f"{method}, OPTIONS")]
    return Response(204, header_lines(allowed), b"")


async def _no_stream(_: Message) -> None:
    raise AssertionError("nothing is streamed to a POST")


def _lowered(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in headers.items()]


def _query(scope: Scope) -> Mapping[str, str]:
    text: bytes = scope["query_string"]
    return {name: values[-1] for name, values in parse_qs(text.decode("latin-1")).items()} if text else {}
