"""`kbwork standby` and `kbwork promote`: the data follow on a second machine, and go into service there."""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbwork.cli.errors import CommandError
from kbwork.cli.machines.replica import CONFIG, STDIN, passphrase, settings_of

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

    from kbwork.db.folder import Folder
    from kbwork.replica.standby import Standby
    from kbwork.settings import Settings

_DATA = click.option(
    "--data", type=click.Path(file_okay=False), help="The data folder; that of the settings unless given."
)

_NO_LEASE = (
    "This one cannot be promoted, since nobody knows who may write: set replicate.lease to true, here and where the"
    " data are served, and start both again."
)


@click.command(help="Follow the replica into a folder, to be put into service by `kbwork promote`.")
@_DATA
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port of this machine, on 127.0.0.1, where /healthz says how far it is behind.",
)
@STDIN
@CONFIG
def standby(data: str | None, port: int | None, config_file: Path | None, *, passphrase_stdin: bool) -> None:
    """Runs until SIGTERM or SIGINT, or until it is promoted. What the folder held of an earlier standby is filled
    anew."""
    from kbwork.cli.logs import configure
    from kbwork.db.connection import FolderLocked, Unusable
    from kbwork.db.folder import FOLLOWED, Folder
    from kbwork.replica.standby import Standby

    settings = settings_of(config_file)
    configure(settings.log)
    folder = Folder(Path(data or settings.server.data))
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        folder.prepare()
        folder.lock()
        try:
            if folder.file.exists() and not (folder.path / FOLLOWED).exists():
                raise Unusable(
                    f"{folder.path} holds data that no standby filled: name an empty folder, or move it away"
                )
            _lay_key(settings, folder, stdin=passphrase_stdin)
            follower = Standby(settings.replicate, folder, os.environ)
            answers = _answering(follower, port) if port else None
            print(f"kbwork follows {settings.replicate.to} into {folder.path}", flush=True)
            if not settings.replicate.lease:
                print(_NO_LEASE, file=sys.stderr, flush=True)
            follower.run(stop)
            if answers is not None:
                answers.shutdown()
        finally:
            folder.unlock()
    except FolderLocked as error:
        text = (
            f"{error.held}: it follows already, or is served; a standby goes into service by kbwork promote"
        )
        raise CommandError(text, exit_code=error.exit_code) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    print("stopped", flush=True)


@click.command(help="Take the lease of the replica with the newest data, and serve them.")
@_DATA
@click.option(
    "--as-is", is_flag=True, help="Serve what the folder holds, though the replica may have more, or others."
)
@click.option(
    "--no-serve",
    is_flag=True,
    help="Take the lease and end: the service, such as systemd's, is started next.",
)
@STDIN
@CONFIG
def promote(
    data: str | None,
    config_file: Path | None,
    *,
    as_is: bool,
    no_serve: bool,
    passphrase_stdin: bool,
) -> None:
    """A standby of the folder is ended when all has come; without one the replica is restored into the folder."""
    from kbwork.base.clock import monotonic
    from kbwork.cli.commands.serve import serve
    from kbwork.db.connection import Unusable
    from kbwork.db.folder import Folder
    from kbwork.replica.promotion import Promotion

    settings, began = settings_of(config_file), monotonic()
    if not settings.replicate.lease:
        raise CommandError(
            "a promotion takes the lease of the replica: set replicate.lease to true, here and on the other server",
            exit_code=2,
        )
    folder = Folder(Path(data or settings.server.data))
    warming = threading.Thread(target=_warm, name="warming", daemon=True)
    if not no_serve:
        warming.start()
    try:
        folder.prepare()
        _lay_key(settings, folder, stdin=passphrase_stdin)
        found = Promotion(settings.replicate, folder, os.environ, _say).run(as_is=as_is)
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    print(
        f"Epoch {found.epoch} begins in {folder.path} behind event {found.after.seq:,}, after"
        f" {monotonic() - began:.1f} s",
        flush=True,
    )
    if not no_serve:
        warming.join()
        assert serve.callback is not None
        serve.callback(str(folder.path), None, None, config_file, demo=False)


def _warm() -> None:
    """What a server imports, as it does, while the lease is waited for."""
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from kbwork.api.http.server import Server  # noqa: F401 - it stays imported
    from kbwork.app import registry

    registry()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _lay_key(settings: "Settings", folder: "Folder", *, stdin: bool) -> None:
    """The master key, where the folder has none, from what lies sealed in the place. Raises Unusable."""
    from kbwork.replica import escrow, restoration
    from kbwork.replica.target import target_of

    key_file = folder.path / "master.key"
    if key_file.exists() or "KBWORK_MASTER_KEY" in os.environ:
        return
    sealed = target_of(settings.replicate, os.environ).read(escrow.NAME)
    if sealed is None:
        _say(
            f"{folder.path} has no master.key, and none lies sealed in the replica: lay a copy there before it is"
            " promoted, or what it seals, such as two-factor sign-in, does not open."
        )
        return
    key = escrow.taken(sealed, passphrase(stdin=stdin))
    restoration.private(key_file, key.hex().encode())


def _answering(follower: "Standby", port: int) -> "ThreadingHTTPServer":
    """Answers how it stands, on a thread of its own."""
    import json
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class StandbyHealth(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state = follower.state
            known = self.path == "/healthz"
            told = {"ok": state.healthy(), "behind_seconds": state.behind_s, "epoch": state.epoch}
            body = json.dumps(told if known else {"ok": False}).encode()
            self.send_response(404 if not known else 200 if state.healthy() else 503)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: who asks is no news."""

    try:
        answers = ThreadingHTTPServer(("127.0.0.1", port), StandbyHealth)
    except OSError as error:
        raise CommandError(f"port {port} cannot be taken: {error.strerror}", exit_code=2) from None
    threading.Thread(target=answers.serve_forever, name="healthz", daemon=True).start()
    return answers
