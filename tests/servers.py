"""The servers that tests talk to: one that they share, each behind it with an application of its own, and own ones.

Both are uvicorn on a thread and a loop of its own. A test shares one unless it is about starting, stopping, sockets or
killing, or its settings ask for other bounds: starting and stopping would take ten times as long as most tests do.
"""

import asyncio
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import uvloop
from starlette.types import Receive, Scope, Send

from kbwork.api.http.exchange import Straight
from kbwork.api.http.server import Server, bind, bounds, config
from kbwork.app import App, open_data
from kbwork.base.clock import Clock
from kbwork.edge.app import EdgeApp
from kbwork.edge.delivery import EdgeOptions
from kbwork.settings import Settings

_PATIENCE_S = 60
"""For a machine that has other things to do for a while: nothing waits so long that is well."""
_DRAIN_S = 1.0
_SPAWNS = threading.Lock()


class _Loop(uvloop.Loop):
    """One of several in a process, as the product never has: uvloop refuses to start two programs at once then."""

    async def subprocess_exec(self, *args: Any, **options: Any) -> Any:
        while not _SPAWNS.acquire(blocking=False):  # noqa: ASYNC110  # a lock of threads
            await asyncio.sleep(0.001)
        try:
            return await super().subprocess_exec(*args, **options)
        finally:
            _SPAWNS.release()


class _Server(Server):
    """Says when it serves."""

    def __init__(
        self,
        app: "App | EdgeApp | _Stage",
        settings: Settings,
        on_exit: Sequence[Callable[[], None]] = (),
        clock: Clock | None = None,
    ) -> None:
        served = config(app, settings, find=app.straight, goes_by=app.goes_by)
        super().__init__(served, drain_s=_DRAIN_S, on_exit=on_exit, clock=clock)
        self.ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.loop = asyncio.get_running_loop()
        self.ready.set()


class _Thread:
    """A server that serves on a thread from `start` to `stop`."""

    def __init__(self, server: _Server, sock: socket.socket) -> None:
        self._server = server
        self._sock = sock
        self._thread = threading.Thread(target=self._run, name="server")

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            runner.run(self._server._serve([self._sock]))

    def start(self) -> None:
        self._thread.start()
        if not self._server.ready.wait(_PATIENCE_S):
            raise TimeoutError("the server did not start")

    def stop(self) -> None:
        self._server.end()
        self._thread.join(timeout=_PATIENCE_S)
        assert not self._thread.is_alive()


class OwnServer:
    """A server with its own port over one data folder, started and stopped as the product does it."""

    def __init__(self, folder: Path, clock: Clock, settings: Settings) -> None:
        sock = bind("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        self._database = open_data(folder, clock)
        self.app = App(settings, self._database, address=self.url, clock=clock)
        self._thread = _Thread(_Server(self.app, settings, [self.app.end_streams], clock), sock)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.stop()
        self._database.close()


class EdgeServer:
    """An edge with its own port, started and stopped as the product does it."""

    def __init__(self, options: EdgeOptions, settings: Settings, clock: Clock | None = None) -> None:
        sock = bind("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        options.state.mkdir(mode=0o700, exist_ok=True)
        self.app = EdgeApp(settings, options, address=self.url, clock=clock)
        self._server = _Server(self.app, settings, [self.app.end_streams], clock)
        self._thread = _Thread(self._server, sock)

    def call(self, what: Callable[[], None]) -> None:
        """Have the loop do this."""
        assert self._server.loop is not None
        self._server.loop.call_soon_threadsafe(what)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.stop()


class _Stage:
    """The ASGI application of the shared server: whichever stands on it."""

    def __init__(self) -> None:
        self.app: App | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        assert self.app is not None, "a request came between two tests"
        await self.app(scope, receive, send)

    def goes_by(self, host: str) -> bool:
        return self.app is None or self.app.goes_by(host)

    def straight(self, target: bytes) -> Straight | None:
        return self.app.straight(target) if self.app is not None else None


class SharedServer:
    """One server behind which applications take turns. Between two, every connection is closed."""

    def __init__(self) -> None:
        sock = bind("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        self._stage = _Stage()
        self._server = _Server(self._stage, Settings())
        self._thread = _Thread(self._server, sock)

    def fits(self, settings: Settings) -> bool:
        """Whether its connections are bounded as these settings ask."""
        return bounds(settings) == bounds(Settings())

    @contextmanager
    def holding(self, folder: Path, clock: Clock, settings: Settings) -> Iterator[App]:
        """An application over a data folder, for as long as it lasts; not two at once."""
        assert self._stage.app is None
        database = open_data(folder, clock)
        try:
            app = App(settings, database, address=self.url, clock=clock)
            self._do(self._put_on(app, clock))
            try:
                yield app
            finally:
                self._do(self._take_off(app))
        finally:
            database.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        loop = self._server.loop
        assert loop is not None
        try:
            asyncio.run_coroutine_threadsafe(work, loop).result(timeout=_PATIENCE_S)
        except TimeoutError:
            _tell_what_stands_still(loop)
            raise

    async def _put_on(self, app: App, clock: Clock) -> None:
        await app.start()
        self._stage.app = app
        self._server.clock = clock
        self._server.tell_time()

    async def _take_off(self, app: App) -> None:
        """End it as the product's server does, all but the listening."""
        app.end_streams()
        for connection in list(self._server.server_state.connections):
            connection.shutdown()
        await asyncio.sleep(0)  # most are closed now
        if not await self._server._quiet(_DRAIN_S):
            await self._server._cut()
        self._stage.app = None
        await app.stop()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.stop()


def _tell_what_stands_still(loop: asyncio.AbstractEventLoop) -> None:
    """For whoever reads why a test failed: where each task waits, innermost last, and what each thread does."""
    lines: list[str] = []
    for task in asyncio.all_tasks(loop):
        lines.append(task.get_name())
        waits: Any = task.get_coro()
        while (frame := getattr(waits, "cr_frame", None)) is not None:
            lines.append(f"  {frame.f_code.co_qualname} {frame.f_code.co_filename}:{frame.f_lineno}")
            waits = waits.cr_await
        lines.append(f"  {waits!r}")
    for ident, top in sys._current_frames().items():
        lines += [f"thread {ident}", *traceback.format_stack(top)]
    sys.stderr.write("\n".join(lines))
