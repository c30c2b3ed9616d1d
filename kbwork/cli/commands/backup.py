"""`kbwork backup`: one archive of a data folder while it is served, or of a server elsewhere."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from kbwork.cli.errors import CommandError


@click.command(help="Take a backup: one archive, checked. The folder may be served meanwhile.")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder; that of the settings unless given.",
)
@click.option("--url", help="Address of a server elsewhere, whose backup is taken there and fetched.")
@click.option("--key-file", help="File that holds an admin's key for it; else KBWORK_KEY, else the profile.")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password that fetching asks for, one line, from standard input.",
)
@click.option("--note", default="", help="A word about it, kept inside.")
@click.option("--without-attachments", is_flag=True, help="Leave out the bytes of files.")
def backup(  # noqa: PLR0913 - the options of the command, by name
    out: Path,
    *,
    data: Path | None,
    url: str | None,
    key_file: str | None,
    password_stdin: bool,
    note: str,
    without_attachments: bool,
) -> None:
    """`out` is a file that is not there yet, or a folder, where the archive is named by its time."""
    from kbwork.base.clock import SystemClock, monotonic

    remote = bool(url or key_file or password_stdin)
    if remote and data is not None:
        raise CommandError(
            "--data is a folder on this machine; --url and --key-file are for a server.", exit_code=2
        )
    file = None if remote else _file(data)
    now = SystemClock().now()
    target = out / f"kbwork-{now}.zip" if out.is_dir() else out
    _require_new(target)
    started = monotonic()
    if file is None:
        from kbwork.cli.remote_backup import RemoteServer, fetch_backup

        asked = {"note": note, "attachments": not without_attachments}
        made = fetch_backup(RemoteServer(url, key_file, password_stdin), asked, target)
        what = f"{made['bytes']:,} bytes up to event {made['seq']:,}, checked"
    else:
        label = {"at": now, "kind": "manual", "note": note, "attachments": not without_attachments}
        told = _taken(file, target, label)
        rows = sum(told["counts"].values())
        what = f"{told['archive_bytes']:,} bytes, {rows:,} rows up to event {told['seq']:,}, checked"
    print(f"{target}: {what}, in {monotonic() - started:.1f} s")
    print(
        "The key that seals secrets is not in it: keep a copy of master.key of the data folder elsewhere.",
        file=sys.stderr,
    )


def _file(data: Path | None) -> Path:
    from kbwork.settings import SettingsError, load

    try:
        folder = data or Path(load(None, os.environ).server.data)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    if not (folder / "kbwork.db").is_file():
        raise CommandError(
            f"{folder} holds no data file: name the folder that `kbwork serve` prints at its start.",
            exit_code=2,
        )
    return folder / "kbwork.db"


def _require_new(target: Path) -> None:
    if target.exists():
        raise CommandError(f"{target} is there already: name a file that is not.")
    if not target.parent.is_dir():
        raise CommandError(f"{target.parent} is no folder.", exit_code=2)


def _taken(file: Path, target: Path, label: dict[str, Any]) -> dict[str, Any]:
    from kbwork.db.archives.file_worker import take
    from kbwork.db.connection import Unusable

    try:
        return take(str(file), str(target), label, _key(file.parent))
    except (Unusable, OSError) as error:
        raise CommandError(str(error)) from None


def _key(folder: Path) -> str:
    """What signs it; nothing where the master key is not at hand: the data count more than who made the copy."""
    from kbwork.db.connection import Unusable
    from kbwork.db.folder import Folder

    try:
        return Folder(folder).archive_key()
    except (Unusable, OSError):
        return ""
