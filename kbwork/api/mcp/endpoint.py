"""The MCP door: who may enter is judged here, before the body is read; `server` answers inside.

The package `mcp` takes a second to import: the first call waits for it, and a server that is never called does without.
"""

import asyncio
import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from starlette.types import Receive, Scope

from kbwork.api.http.problems import send_problem
from kbwork.api.http.request import Head, too_large
from kbwork.api.http.response import Observe
from kbwork.api.mcp.request import VISIT, McpRequest
from kbwork.api.oauth.issuer import LOOPBACK, Issuer, bare, challenge
from kbwork.base.errors import (
    InvalidInput,
    MethodNotAllowed,
    NotAllowed,
    Problem,
    Unauthenticated,
    UnsupportedType,
)
from kbwork.base.text import nearest
from kbwork.core.operations.call import Credentials
from kbwork.core.operations.dispatch import Dispatcher

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Send

    from kbwork.api.mcp.server import McpServer

MOST_BYTES = 16 * 1024 * 1024


def own_hosts(base_url: str, bound: str) -> frozenset[str]:
    """The host names we answer to: that of our address, and the machine's own where we listen there."""
    named = urlsplit(base_url).hostname
    names = {f"[{named}]" if ":" in named else named} if named else set()
    try:
        at = ipaddress.ip_address(bound.strip("[]"))
        local = at.is_loopback or at.is_unspecified
    except ValueError:
        local = bound == "localhost"
    return frozenset(names | LOOPBACK if local else names)


class McpDoor:
    """An ASGI endpoint for `/mcp`. `base_url` has no slash at its end; `hosts` are names without ports."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        *,
        base_url: str,
        hosts: Iterable[str],
        observe: Observe,
        fixed: bool = True,
    ) -> None:
        """`fixed` says that `base_url` is the operator's; else this machine's other names for it are as good."""
        self._dispatcher = dispatcher
        self._home = Issuer(base_url, fixed=fixed)
        self._base_url = base_url
        self._hosts = frozenset(hosts)
        self._observe = observe
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
        from kbwork.api.mcp.server import McpServer  # noqa: PLC0415 - it takes a second

        return McpServer(self._dispatcher, self._observe)

    async def __call__(self, scope: Scope, receive: Receive, send: "Send") -> None:
        head = Head(scope, self._base_url)
        try:
            visit = self._admit(scope, head)
        except Problem as problem:
            await send_problem(send, problem, head.request)
            return
        assert self._manager is not None, "start() comes first"
        self._wanted.set()
        manager = await asyncio.shield(self._manager)
        await manager.handle_request({**scope, VISIT: visit}, receive, send)

    def _admit(self, scope: Scope, head: Head) -> McpRequest:
        """Judge where the request comes from, who sends it and what it says of its body."""
        self._check_place(scope["scheme"], head)
        credentials = Credentials(token=head.bearer, address=head.address, request=head.request, mcp=True)
        try:
            caller = self._dispatcher.identify(credentials)
        except Unauthenticated as problem:
            problem.headers["WWW-Authenticate"] = challenge(self._home.of(head.text("host")))
            raise
        modules = self._asked_modules(scope["query_string"].decode("latin-1"))
        _check_body(head)
        return McpRequest(credentials, caller, modules)

    def _check_place(self, scheme: str, head: Head) -> None:
        """Refuse names and pages that are not ours: a browser may be led here by somebody else's page."""
        host = (head.text("host") or "").lower()
        if bare(host) not in self._hosts:
            raise NotAllowed("This server does not go by the name in `Host`; use its own address.")
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
            close = nearest(min(asked), known)
            hint = f" Did you mean {close}?" if close else ""
            raise InvalidInput(f"There are no such modules.{hint}", field="modules", allowed=known)
        return found


def _check_body(head: Head) -> None:
    """Judge the body by its headers. Nothing is streamed to clients and no session kept, so all is POST."""
    if head.method != "POST":
        problem = MethodNotAllowed("MCP takes POST here; there is no stream to open and no session to end.")
        problem.headers["Allow"] = "POST"
        raise problem
    if not head.json or head.encoded:
        raise UnsupportedType(
            "Send the message as `Content-Type: application/json`, without a Content-Encoding."
        )
    if head.length is not None and head.length > MOST_BYTES:
        raise too_large(MOST_BYTES)
