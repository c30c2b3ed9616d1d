"""The MCP door: who may enter is judged here, before the body is read; `server` answers inside.

The package `mcp` takes a second to import: the first call waits for it, and a server that is never called does without.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from pydantic_core import to_json

from kbwork.api.http.endpoint import NOT_COUNTED, Endpoint, told
from kbwork.api.http.exchange import Fields, Peer
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Head, read_body, replayed, require_json, require_length
from kbwork.api.http.response import Response
from kbwork.api.http.site import Site
from kbwork.api.mcp import plain
from kbwork.api.mcp.request import VISIT, McpRequest, as_body
from kbwork.api.mcp.tools import Told, written
from kbwork.api.oauth.issuer import Issuer, challenge
from kbwork.base.clock import monotonic
from kbwork.base.errors import InvalidInput, NotAllowed, Problem, Unauthenticated
from kbwork.base.text import did_you_mean
from kbwork.core.operations.call import AuthorizedCall, Credentials

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from kbwork.api.mcp.server import McpServer

MOST_BYTES = 16 * 1024 * 1024


class McpDoor(Endpoint):
    """An ASGI endpoint for `/mcp`, whose tools are counted one by one behind it.

    The `base_url` of its site is set and has no slash at its end.
    """

    log = logging.getLogger("kbwork.mcp")

    def __init__(self, site: Site, *, fixed: bool = True, told: Told = written) -> None:
        """`fixed` says that `base_url` is the operator's; else this machine's other names for it are as good.

        `told` answers the tools of the registry.
        """
        super().__init__(site)
        self._told = told
        self._home = Issuer(site.base_url, fixed=fixed)
        self._plain = plain.tools(site.dispatcher.registry)
        self._wanted = asyncio.Event()
        self._stopping = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None

    async def start(self) -> None:
        """Be ready to answer on this loop; the server behind is made when the first request comes."""
        self._manager = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._run(self._manager), name="kbwork-mcp")

    async def stop(self) -> None:
        """End what is running."""
        if self._running is not None:
            self._stopping.set()
            self._wanted.set()
            await self._running

    async def _run(self, ready: "asyncio.Future[StreamableHTTPSessionManager]") -> None:
        """Hold the session manager's life in one task, as its task group asks."""
        await self._wanted.wait()
        if self._stopping.is_set():
            return
        try:
            server = await asyncio.to_thread(self._made)
            async with server.manager(MOST_BYTES) as made:
                ready.set_result(made)
                await self._stopping.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def _made(self) -> "McpServer":
        from kbwork.api.mcp.server import McpServer  # noqa: PLC0415 - it takes 0.4 s

        return McpServer(self._dispatcher, self._site.observe, self._told)

    def call(self, peer: Peer, fields: Fields, body: bytes) -> Coroutine[Any, Any, Response] | None:
        """Answer a call of a tool that reads and is there as a whole; None where the package is to be asked."""
        call = plain.read(self._plain, fields, body)
        if call is None:
            return None
        request = self.begin("/mcp", peer, fields)
        return self.finish(request, self._called(request.head, call))

    async def _called(self, head: Head, call: plain.PlainCall) -> Response:
        """As `_let_in`, then as the server behind it; who is let in and who may call is one look."""
        self._check_place("http", head)
        began = monotonic()
        admitted: AuthorizedCall | Problem
        try:
            admitted = self._dispatcher.admit(call.op.id, _credentials(head))
        except Unauthenticated as problem:
            raise self._challenged(problem, head) from None
        except Problem as problem:
            admitted = problem
        _check_body(head)
        if isinstance(admitted, Problem):
            return self._not_called(head, call, admitted, began)
        try:
            reply = await self._dispatcher.run(admitted, as_body(call.arguments))
        except Exception as error:  # whatever is no Problem is ours, and is told without its inside
            return self._not_called(head, call, error, began)
        self._site.observe("mcp", call.op.cls, 200, monotonic() - began)
        return plain.answered(call, reply)

    def _not_called(self, head: Head, call: plain.PlainCall, error: Exception, began: float) -> Response:
        problem = told(error, self.log, head.request)
        self._site.observe("mcp", call.op.cls, problem.status, monotonic() - began)
        return plain.refused(call, to_json(problem.document(head.request)))

    async def answer(self, request: AsgiRequest) -> int:
        scope = request.scope
        visit = self._let_in(scope["scheme"], request.head, scope["query_string"])
        request.receive.known = True
        body = await read_body(request.receive, MOST_BYTES, request.head.length)
        assert self._manager is not None, "start() comes first"
        self._wanted.set()
        manager = await asyncio.shield(self._manager)
        receive = replayed(body, request.receive)
        await manager.handle_request({**request.scope, VISIT: visit}, receive, request.send)
        return NOT_COUNTED

    def _let_in(self, scheme: str, head: Head, query: bytes = b"") -> McpRequest:
        """Judge where the request comes from, who sends it and what it says of its body."""
        self._check_place(scheme, head)
        credentials = _credentials(head)
        try:
            caller = self._dispatcher.identify(credentials)
        except Unauthenticated as problem:
            raise self._challenged(problem, head) from None
        modules = self._asked_modules(query.decode("latin-1")) if query else None
        _check_body(head)
        return McpRequest(credentials, caller, modules)

    def _challenged(self, problem: Unauthenticated, head: Head) -> Unauthenticated:
        """With where to ask for a token."""
        problem.headers["WWW-Authenticate"] = challenge(self._home.of(head.text("host")))
        return problem

    def _check_place(self, scheme: str, head: Head) -> None:
        """Refuse pages that are not ours: a browser may be led here by somebody else's."""
        host = (head.text("host") or "").lower()
        origin = head.text("origin")
        if origin is not None and origin not in (head.own_origin, f"{scheme}://{host}"):
            raise NotAllowed("Pages of another origin may not call this server.")

    def _asked_modules(self, query: str) -> frozenset[str] | None:
        """The modules of `?modules=a,b` that exist. Raises InvalidInput when none of them does."""
        names = (name.strip() for text in parse_qs(query).get("modules", ()) for name in text.split(","))
        asked = frozenset(filter(None, names))
        if not asked:
            return None
        known = self._dispatcher.registry.modules
        found = asked.intersection(known)
        if not found:
            hint = did_you_mean(min(asked), known)
            raise InvalidInput(f"There are no such modules.{hint}", field="modules", allowed=known)
        return found


def _credentials(head: Head) -> Credentials:
    return Credentials(token=head.bearer, address=head.address, request=head.request, mcp=True)


def _check_body(head: Head) -> None:
    """Judge the body by its headers. Nothing is streamed to clients and no session kept, so all is POST."""
    if head.method != "POST":
        text = "MCP takes POST here; there is no stream to open and no session to end."
        raise wrong_method(text, "POST")
    require_json(head, "message")
    require_length(head, MOST_BYTES)
