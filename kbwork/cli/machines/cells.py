"""`kbwork cells`: many orgs behind one address, each started when somebody asks for it."""

import asyncio
import datetime
import json
import logging
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbwork.cli import supervisor
from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.cells.cell import CellDefaults

_FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))


@click.command(help="Serve the orgs of a folder, each by its host name, and start each at its first request.")
@_FOLDER
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port to listen on."
)
@click.option(
    "--idle-minutes",
    type=click.FloatRange(0.01),
    default=10,
    show_default=True,
    help="An org stops after so many quiet minutes, unless its settings say it.",
)
@click.option(
    "--scheme",
    type=click.Choice(["https", "http"]),
    default="https",
    show_default=True,
    help="By which others reach orgs that have no settings.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    help="A proxy that says truly for whom it asks, for orgs whose settings name none; may be given again.",
)
def cells(folder: Path, host: str, port: int, **defaults: Any) -> None:
    """Runs until SIGTERM or SIGINT; then the orgs that are awake end, too."""
    from kbwork.api.http.server import CannotListen, bind, harden
    from kbwork.cells.cell import CellDefaults
    from kbwork.cells.door import DoorTaken

    _judge(defaults["proxies"])
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    harden()
    try:
        sock = bind(host, port)
    except CannotListen as error:
        raise CommandError(
            f"{error}".replace("server.host", "--host").replace("server.port", "--port"), exit_code=2
        ) from None
    try:
        asyncio.run(
            _serve(
                folder.absolute(),
                sock,
                CellDefaults(defaults["idle_minutes"], defaults["scheme"], defaults["proxies"]),
            )
        )
    except DoorTaken as error:
        raise CommandError(str(error), exit_code=2) from None
    except OSError as error:
        raise CommandError(f"{folder} cannot be served: {error.strerror or error}", exit_code=2) from None
    print("stopped", flush=True)


def _judge(proxies: tuple[str, ...]) -> None:
    from kbwork.settings import SettingsError, load

    try:
        load(None, {"KBWORK_SERVER_TRUSTED_PROXIES": ",".join(proxies)})
    except SettingsError as error:
        raise CommandError(
            str(error).replace("server.trusted_proxies", "--trusted-proxy"), exit_code=2
        ) from None


async def _serve(folder: Path, sock: socket.socket, defaults: "CellDefaults") -> None:
    from kbwork.cells.door import CellsDoor

    door, ended = CellsDoor(folder, sock, defaults), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    address = "http://{}:{}".format(*sock.getsockname()[:2])
    await door.start()
    print(f"kbwork cells is at {address}, orgs in {folder}", flush=True)
    supervisor.tell(supervisor.SERVING)
    await ended.wait()
    supervisor.tell(supervisor.STOPPING)
    await door.stop()


@click.command(help="Say who is awake, who sleeps and until when, and who does not start.")
@_FOLDER
@click.option("--json", "as_json", is_flag=True, help="A list as JSON.")
def status(folder: Path, *, as_json: bool) -> None:
    """Exit code 1 where an org does not start."""
    from kbwork.cells.door import status as asked

    try:
        found = asked(folder)
    except OSError:
        raise CommandError(f"nobody serves {folder}: start it with: kbwork cells {folder}") from None
    if as_json:
        print(json.dumps(found, indent=2))
    for one in [] if as_json else found:
        until = f" until {_shown(one['wakes_at'])}" if one["state"] == "asleep" and one["wakes_at"] else ""
        why = f": {one['trouble']}" if one["trouble"] else ""
        print(
            f"{one['state']:7}{one['name']} ({', '.join(one['hosts'])}) since {_shown(one['since'])}{until}{why}"
        )
    raise SystemExit(any(one["state"] == "failed" for one in found))


def _shown(at: float) -> str:
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
