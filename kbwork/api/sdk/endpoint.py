"""What the doors of client libraries share: which key calls, pages of other sites, refusals as answers."""

import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from kbwork.api.flags.errors import CODES
from kbwork.api.http.boundary import error_boundary
from kbwork.api.http.request import Head, read_body, too_large
from kbwork.api.http.response import Observe
from kbwork.api.sdk.keys import CLIENT
from kbwork.api.sdk.snapshot_cache import SnapshotCache
from kbwork.base.clock import monotonic
from kbwork.base.errors import MethodNotAllowed, Problem, Unauthenticated, UnsupportedType
from kbwork.core.operations.limits import Limits
from kbwork.core.ports.flags import SdkKeyRecord

log = logging.getLogger("kbwork.flags")
_SAFE: Final = [(b"x-content-type-options", b"nosniff")]
_OPEN: Final = [
    *_SAFE,
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After"),
]
_ALLOWED: Final = b"Authorization, Content-Type, If-None-Match, X-API-Key, X-SDK"
_PREFLIGHT: Final = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", _ALLOWED),
    (b"access-control-max-age", b"86400"),
]
PLAIN: Final = {"Content-Type": "application/json", "Cache-Control": "no-store"}
"""The headers of JSON that is not kept."""
_JSON: Final = [(name.lower().encode(), value.encode()) for name, value in PLAIN.items()]
NOT_TIMED: Final = 0
"""Instead of the status of an answer that goes on for hours."""


class SdkRequest(NamedTuple):
    """One request: `token` is the key that it shows, if any."""

    path: str
    head: Head
    query: Mapping[str, str]
    token: str | None
    receive: Receive
    send: Send

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Of every answer: pages of any site read what a client-side ID opens, and nothing else."""
        return _OPEN if self.token is not None and self.token.startswith(CLIENT) else _SAFE

    async def answer(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> int:
        """Answer with JSON that is not kept, or with what the headers say; they name the content type then."""
        found = self.headers + (_JSON if headers is None else _encoded(headers))
        if status != 304:
            found.append((b"content-length", b"%d" % len(body)))
        await self.send({"type": "http.response.start", "status": status, "headers": found})
        await self.send({"type": "http.response.body", "body": body})
        return status


class SdkEndpoint:
    """The rim of a door; a subclass says which paths there are."""

    name = ""
    """In the metrics."""
    writes: frozenset[str] = frozenset()
    """The paths at which something is changed."""

    def __init__(self, delivery: SnapshotCache, *, base_url: str, limits: Limits, observe: Observe) -> None:
        """`limits` are by key."""
        self.delivery = delivery
        self.limits = limits
        self._base_url = base_url
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = monotonic()
        head = Head(scope, self._base_url)
        query = _query(scope)
        visit = SdkRequest(scope["path"], head, query, self.token(scope["path"], head, query), receive, send)
        status = await error_boundary(
            log, head, lambda: self._judged(visit), lambda problem: self._refuse(visit, problem)
        )
        if status != NOT_TIMED:
            cls = "write" if visit.path in self.writes else "read"
            self._observe(self.name, cls, status, monotonic() - started)

    def method(self, path: str) -> str | None:
        """The one that an address takes; None where nothing lives."""
        raise NotImplementedError

    async def answer(self, visit: SdkRequest) -> int:
        """Answer a request with a method that fits; answers the status. Raises a Problem."""
        raise NotImplementedError

    def token(self, path: str, head: Head, query: Mapping[str, str]) -> str | None:
        """The key that a request shows."""
        return head.bearer

    def refusal(self, visit: SdkRequest, problem: Problem) -> Any:
        """The body of a refusal."""
        return {"error": {"code": CODES.get(problem.status, "invalid_request"), "message": problem.detail}}

    def key(self, visit: SdkRequest) -> SdkKeyRecord:
        """The key of a request, which counts. Raises Unauthenticated, RateLimited or Busy."""
        found = self.delivery.keys.find(visit.token or "")
        if found is None:
            raise Unauthenticated(
                "Send an SDK key that lives, of this server, as `Authorization: Bearer ...`."
                if visit.token is None
                else "This SDK key is not known here, or ended."
            )
        self.limits.take(f"sdk:{found.id}", "read")
        return found

    async def _judged(self, visit: SdkRequest) -> int:
        method = self.method(visit.path)
        if method is None or visit.head.method == method:
            return await self.answer(visit)
        if visit.head.method != "OPTIONS":
            problem = MethodNotAllowed(f"This address takes {method}.")
            problem.headers["Allow"] = f"{method}, OPTIONS"
            raise problem
        return await _preflight(visit.send, method)

    async def _refuse(self, visit: SdkRequest, problem: Problem) -> int:
        headers = {**PLAIN, **problem.headers}
        if isinstance(problem, Unauthenticated):
            headers["WWW-Authenticate"] = "Bearer"
        return await visit.answer(problem.status, to_json(self.refusal(visit, problem)), headers)


async def body_of(visit: SdkRequest, most_bytes: int, *kinds: str) -> bytes:
    """The body, of one of these content types or of none. Raises UnsupportedType, TooLarge or RequestTooLong."""
    head = visit.head
    kind = head.text("content-type") or kinds[0]
    if (kind not in kinds and kind.partition(";")[0].strip().lower() not in kinds) or head.encoded:
        raise UnsupportedType(f"Send the body as `Content-Type: {kinds[0]}`, without a Content-Encoding.")
    length = head.length
    if length is not None and length > most_bytes:
        raise too_large(most_bytes)
    return await read_body(visit.receive, most_bytes, length)


def holds(if_none_match: str | None, tag: str) -> bool:
    """Whether `If-None-Match` names this tag; weak forms and those without quotes do, `*` does not."""
    if if_none_match is None:
        return False
    bare = tag.strip('"')
    return any(part.strip().removeprefix("W/").strip('"') == bare for part in if_none_match.split(","))


async def _preflight(send: Send, method: str) -> int:
    """What pages of any site may send here is asked before it is known who they are."""
    headers = [*_PREFLIGHT, (b"access-control-allow-methods", f"{method}, OPTIONS".encode())]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
    return 204


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def _query(scope: Scope) -> Mapping[str, str]:
    text: bytes = scope["query_string"]
    return {name: values[-1] for name, values in parse_qs(text.decode("latin-1")).items()} if text else {}
