"""`kbwork edge`: flags beside the programs that ask for them."""

import asyncio
import contextlib
import gc
import os
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from kbwork.cli import supervisor
from kbwork.cli.address_options import HOST, PORT
from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kbwork.settings import Settings

_HOUR_S = 3600


@click.command(
    help="Serve flags beside the programs that ask for them, from what a server has, and without it."
)
@click.option("--upstream", required=True, help="The address of the server, or of another edge.")
@click.option(
    "--keys",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of SDK keys, one a line, with the mode 0600; it is read again when it changes.",
)
@click.option(
    "--state",
    default="./kbwork-edge",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for what is kept over a restart; ./kbwork-edge unless given.",
)
@click.option(
    "--stale-hours",
    type=click.IntRange(1, 24 * 366),
    default=24,
    help="So long it serves what nobody upstream confirms; 24 unless given.",
)
@HOST
@PORT
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings, of which [server], [streams], [limits] and [log] count; ./kbwork.toml where it is there.",
)
def edge(
    upstream: str,
    keys: Path,
    state: Path,
    stale_hours: int,
    config_file: Path | None,
    **listens: str | int | None,
) -> None:
    """Runs until SIGTERM or SIGINT. At SIGHUP it reads the file of keys, and asks again for those that were refused."""
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    gc.disable()
    from kbwork.api.http.server import CannotListen, Server, bind, config, harden, settle
    from kbwork.cli.logs import configure
    from kbwork.edge.app import EdgeApp
    from kbwork.edge.delivery import EdgeOptions
    from kbwork.edge.key_file import KeysUnusable, read_keys
    from kbwork.edge.state_folder import FolderUnusable, StateFolder
    from kbwork.settings import SettingsError

    gc.enable()
    parts = urlsplit(upstream)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or "@" in parts.netloc:
        raise CommandError("--upstream should be an address such as https://work.example.org", exit_code=2)
    harden()
    try:
        settings = _settings(config_file, listens)
        configure(settings.log)
        named = read_keys(keys)
        if not named:
            raise CommandError(f"{keys} names no key", exit_code=2)
        folder = StateFolder(state)
        folder.hold()
        sock = bind(settings.server.host, settings.server.port)
        address = settings.origin(sock.getsockname()[1])
        options = EdgeOptions(upstream.rstrip("/"), keys, state, stale_hours * _HOUR_S)
        app = EdgeApp(settings, options, address=address)
    except (SettingsError, KeysUnusable, FolderUnusable, CannotListen, OSError) as error:
        raise CommandError(str(error), exit_code=2) from None
    server = Server(
        config(app, settings, find=app.straight, goes_by=app.goes_by),
        drain_s=settings.server.drain_seconds,
        on_exit=[app.end_streams, partial(supervisor.tell, supervisor.STOPPING)],
        on_serving=[partial(_hear, app.delivery.ask), partial(supervisor.tell, supervisor.SERVING)],
    )
    settle()
    print(
        f"kbwork edge is at {address}, of {upstream} by {len(named)} keys, state in {state.absolute()}",
        flush=True,
    )
    server.run(sockets=[sock])
    folder.let_go()
    print("stopped", flush=True)


def _settings(config_file: Path | None, listens: "dict[str, str | int | None]") -> "Settings":
    """Those of the file and of the environment, with what was given as options in their place. Raises SettingsError."""
    from kbwork.settings import load

    given = {
        f"KBWORK_SERVER_{name.upper()}": str(value) for name, value in listens.items() if value is not None
    }
    return load(config_file, {**os.environ, **given})


def _hear(again: "Callable[[], None]") -> None:
    """Have the loop hear SIGHUP, where there is such a signal."""
    with contextlib.suppress(NotImplementedError, AttributeError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, again)
