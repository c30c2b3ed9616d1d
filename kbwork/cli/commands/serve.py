"""`kbwork serve`: the one process."""

import contextlib
import gc
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbwork.cli import supervisor
from kbwork.cli.address_options import HOST, PORT
from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    import socket

    from kbwork.api.http.server import Server
    from kbwork.db.database import Database


@click.command(help="Start the server: REST, MCP and pages, over one data folder.")
@click.option("--data", type=click.Path(file_okay=False), help="The data folder; ./kbwork-data unless given.")
@click.option(
    "--demo", is_flag=True, help="Serve a sample org, which is made in ./kbwork-demo where it is not there."
)
@HOST
@PORT
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
def serve(
    data: str | None, host: str | None, port: int | None, config_file: Path | None, *, demo: bool
) -> None:
    """Runs until SIGTERM or SIGINT; then streams end at once and requests have five seconds."""
    if demo:
        data = data or "kbwork-demo"
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = (
        "__all__"  # it would look for them in every package that is installed
    )
    with _all_stays():
        from kbwork.api.http.server import Server, config, harden, settle
        from kbwork.app import App, registry
        from kbwork.cli.logs import configure
        from kbwork.settings import SettingsError, load

        registry()

    try:
        settings = load(config_file, _environ(DATA=data, HOST=host, PORT=port))
        configure(settings.log)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    harden()
    folder = Path(settings.server.data).absolute()
    if not (folder / "kbwork.db").exists():
        _require_port(settings.server.host, settings.server.port)
        if demo:
            _prepare_demo(folder)
    with contextlib.closing(_opened(folder)) as database:
        link = _setup_link(database)
        socks = _sockets(settings.server.host, settings.server.port)
        address = settings.origin(_port(socks, settings.server.port))
        app = App(settings, database, address=address)
        server = Server(
            config(app, settings, find=app.straight, goes_by=app.goes_by),
            drain_s=settings.server.drain_seconds,
            on_exit=[app.end_streams, partial(supervisor.tell, supervisor.STOPPING)],
            on_serving=[partial(supervisor.tell, supervisor.SERVING)],
        )
        app.stop_when_idle(asked=lambda: server.asked, answering=lambda: server.answering, end=server.end)
        _serve_for_door(server)
        settle()
        _greet(address, folder, link, by_name=not settings.nameless)
        if demo:
            _tell_demo(database)
        server.run(sockets=socks)
    print("stopped", flush=True)


@contextlib.contextmanager
def _all_stays() -> Iterator[None]:
    """The collector of cycles rests, and never looks at what was made meanwhile: imports would call it 250 times."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _environ(**given: str | int | None) -> dict[str, str]:
    """The environment, with what was given as options in the place of what it says."""
    named = {f"KBWORK_SERVER_{name}": str(value) for name, value in given.items() if value is not None}
    return {**os.environ, **named}


def _sockets(host: str, port: int) -> "list[socket.socket]":
    """Where it listens: on what a supervisor holds, nowhere where a door hands connections over, else by itself."""
    from kbwork.cells.handover import VARIABLE

    try:
        held = supervisor.sockets()
    except (ValueError, OSError) as error:
        raise CommandError(str(error), exit_code=2) from None
    if held or VARIABLE in os.environ:
        return held
    return [_bound(host, port)]


def _port(socks: "list[socket.socket]", named: int) -> int:
    """That of the first socket which has one."""
    ports = (sock.getsockname()[1] for sock in socks if isinstance(sock.getsockname(), tuple))
    return next(ports, named)


def _serve_for_door(server: "Server") -> None:
    """Take connections from the door that started this process, where one did."""
    from kbwork.cells.handover import VARIABLE, TakingEnd

    if VARIABLE in os.environ:
        end = TakingEnd(server.take, server.end)
        server.on_serving.append(end.start)
        server.on_exit.append(end.stop)


def _bound(host: str, port: int) -> "socket.socket":
    from kbwork.api.http.server import CannotListen, bind

    try:
        return bind(host, port)
    except CannotListen as error:
        other = ", or pass --port N" if str(error).endswith("server.port") else ""
        raise CommandError(f"{error}{other}", exit_code=2) from None


def _opened(folder: Path) -> "Database":
    from kbwork.app import open_data
    from kbwork.db.connection import FolderLocked, Unusable

    try:
        return open_data(folder)
    except FolderLocked as error:
        text = f"{error.held}: it is served already; stop that one first"
        raise CommandError(text, exit_code=error.exit_code) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None


def _require_port(host: str, port: int) -> None:
    """A port that is taken is said before anything is written."""
    from kbwork.cells.handover import VARIABLE

    if not (supervisor.hands_sockets() or VARIABLE in os.environ):
        _bound(host, port).close()


def _prepare_demo(folder: Path) -> None:
    """Make the sample org, in which a year was lived."""
    from kbwork.cli.commands.demo import made
    from kbwork.db.connection import Unusable
    from kbwork.demo.build import NoDemo

    try:
        print(made(folder).partition("\n")[0], flush=True)
    except NoDemo as error:
        raise CommandError(str(error), exit_code=2) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None


def _tell_demo(database: "Database") -> None:
    """How to sign in, at each start."""
    from kbwork.demo.build import how_to_sign_in

    if (said := database.read_now(how_to_sign_in)) is not None:
        print(said, flush=True)


def _setup_link(database: "Database") -> str | None:
    """The token of the link that makes the org, where there is none yet."""
    from kbwork.base.errors import Problem
    from kbwork.modules.org.setup import is_set_up, new_setup_link

    try:
        return None if database.read_now(is_set_up) else database.write_now(new_setup_link)
    except Problem as problem:
        look = f"look into it with: kbwork doctor --data {database.folder.path}"
        raise CommandError(f"{problem.detail}; {look}", exit_code=2) from None


def _greet(address: str, folder: Path, link: str | None, *, by_name: bool) -> None:
    print(f"kbwork is at {address}, data in {folder}", flush=True)
    if not by_name:
        print(
            "Others reach it by its IP address; a name goes into base_url or hosts of [server].", flush=True
        )
    if link is not None:
        print(
            f"Set it up and sign in (this link works once, for 24 hours):\n{address}/setup?token={link}",
            flush=True,
        )
