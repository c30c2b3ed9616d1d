"""The OAuth door: what programs call to be connected. The page /authorize is where a person agrees.

Each request is bounded and read here; the handlers of the package `mcp`, which takes more than a second to import,
answer behind that.
"""

import asyncio
import base64
import binascii
import logging
import threading
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlencode

from pydantic_core import to_json
from starlette.types import ASGIApp, Message, Scope, Send

from kbwork.api.http.endpoint import NOT_COUNTED, Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Head, Request, read_body, replayed
from kbwork.api.http.response import Response, response
from kbwork.api.http.site import Site
from kbwork.api.oauth.issuer import METADATA, RESOURCE, Issuer, asked_modules
from kbwork.base.caller import ANONYMOUS
from kbwork.base.errors import NotFound, Problem
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.ports.oauth import OAuthGrants

if TYPE_CHECKING:
    from kbwork.api.oauth.server import OAuthServer

_MOST_BYTES = 16 * 1024
_MOST_FIELDS = 30
_FORM = "application/x-www-form-urlencoded"
_SERVER = "/.well-known/oauth-authorization-server"
_DOCUMENTS = frozenset({METADATA, METADATA + RESOURCE, _SERVER})
_FORMS = frozenset({"/token", "/revoke"})
PATHS = _DOCUMENTS | _FORMS | {"/register"}
_OFF = (
    "Clients connect by OAuth where the server's address is https, or this machine itself; use a key, "
    "or have the operator set server.base_url."
)


class _Wrong(Problem):
    """A request that OAuth has an error code for."""

    status = 400

    def __init__(self, error: str, text: str) -> None:
        super().__init__(text)
        self.error = error


class OAuthDoor(Endpoint):
    """An ASGI endpoint for PATHS."""

    door = "oauth"
    log = logging.getLogger("kbwork.oauth")
    cut_status = NOT_COUNTED

    def __init__(self, site: Site, *, home: Issuer) -> None:
        super().__init__(site)
        self._home = home
        self._warming = threading.Lock()
        self._server: OAuthServer | None = None

    def warm(self) -> "OAuthServer":
        """Import the package and make the endpoints; from any thread, once."""
        with self._warming:
            if self._server is None:
                from kbwork.api.oauth.server import OAuthServer  # noqa: PLC0415 - it takes more than a second

                (connecting,) = self._dispatcher.registry.of(OAuthGrants)
                self._server = OAuthServer(self._dispatcher, connecting, offered_scopes(self._dispatcher))
            return self._server

    async def answer(self, request: AsgiRequest) -> int:
        head, path = request.head, request.scope["path"]
        request.cls = "write" if head.method == "POST" else "read"
        home = self._home.of(head.text("host"))
        if home is None:
            raise NotFound(_OFF)
        _check_method(path, head.method)
        body = b""
        if head.method == "POST":
            self._dispatcher.count_nobody(head.address)
            body = await read_body(request.receive, _MOST_BYTES, head.length)
            if path in _FORMS:
                body = _completed(head, body, home)
        server = self._server
        if server is None:
            server = await asyncio.to_thread(self.warm)
        server.acting_for(
            ANONYMOUS.within(address=head.address, request=head.request, browser=False, device=None)
        )
        app = server.endpoints.get(path) or _document(server, home, path)
        told = _Told(request.send)
        await app(
            {**request.scope, "headers": _fitting(request.scope, body)}, replayed(body, request.receive), told
        )
        return told.status

    def refuse(self, request: Request, problem: Problem) -> Response:
        if not isinstance(problem, _Wrong):
            return super().refuse(request, problem)
        document = to_json({"error": problem.error, "error_description": problem.detail})
        headers = {"Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"}
        return response(problem.status, document, headers)


def offered_scopes(dispatcher: Dispatcher) -> list[str]:
    """The scopes that clients are told of: what some operation asks for, without the rights of an admin."""
    operations = dispatcher.registry.operations.values()
    every = {scope for op in operations for scope in op.scopes if not op.public and not op.system}
    return sorted(every - {"admin"})


def _document(server: "OAuthServer", home: str, path: str) -> ASGIApp:
    documents = server.documents(home)
    return documents.server if path == _SERVER else documents.resource


def _check_method(path: str, method: str) -> None:
    allowed = ("GET", "HEAD", "OPTIONS") if path in _DOCUMENTS else ("POST", "OPTIONS")
    if method not in allowed:
        raise wrong_method(f"{path} takes {' and '.join(allowed)}.", ", ".join(allowed))


def _completed(head: Head, body: bytes, home: str) -> bytes:
    """The form with what the handlers look for in it. Raises _Wrong."""
    kind = (head.text("content-type") or "").partition(";")[0].strip().lower()
    if kind != _FORM or head.encoded:
        raise _Wrong("invalid_request", f"Send the parameters as {_FORM}.")
    try:
        pairs = parse_qsl(body.decode(), errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise _Wrong("invalid_request", "The parameters cannot be read.") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Wrong("invalid_request", "A parameter stands once.")
    resource = fields.get("resource")
    if resource is not None and asked_modules(home, resource) is None:
        raise _Wrong("invalid_target", f"Tokens of this server are for {home}{RESOURCE}.")
    if "client_id" not in fields:
        fields |= _named_by_basic(head)
    fields.setdefault("client_secret", "")  # a client without one leaves it out, the handlers do not
    return urlencode(fields).encode()


def _named_by_basic(head: Head) -> dict[str, str]:
    """A client that proves itself in the header need not name itself in the form."""
    kind, _, encoded = (head.text("authorization") or "").partition(" ")
    if kind.lower() != "basic":
        return {}
    try:
        name, colon, _ = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return {}
    return {"client_id": unquote(name)} if colon else {}


def _fitting(scope: Scope, body: bytes) -> list[tuple[bytes, bytes]]:
    """The headers for a body that was read already."""
    dropped = (b"content-length", b"transfer-encoding")
    kept = [(name, value) for name, value in scope["headers"] if name not in dropped]
    return [*kept, (b"content-length", str(len(body)).encode())]


class _Told:
    """Passes an answer on and keeps its status; what handlers leave out of its head is added."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = _safe(list(message.get("headers", ())))
        await self._send(message)


def _safe(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    names = {name.lower() for name, _ in headers}
    more = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
    return headers + [(name, value) for name, value in more if name not in names]
