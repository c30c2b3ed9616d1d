"""`kbwork backup`: one archive of a data folder while it is served, or of a server elsewhere."""

import os
import sys
from pathlib import Path

import click

from kbwork.cli.refused import Refused


@click.command(help="Take a backup: one archive, checked. The folder may be served meanwhile.")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder; that of the settings unless given.",
)
@click.option("--note", default="", help="A word about it, kept inside.")
@click.option("--without-attachments", is_flag=True, help="Leave out the bytes of files.")
def backup(out: Path, data: Path | None, note: str, *, without_attachments: bool) -> None:
    """`out` is a file that is not there yet, or a folder, where the archive is named by its time."""
    from kbwork.base.clock import SystemClock, monotonic
    from kbwork.db.apart import take
    from kbwork.db.connection import Unusable
    from kbwork.settings import SettingsError, load

    try:
        folder = data or Path(load(None, os.environ).server.data)
    except SettingsError as error:
        raise Refused(str(error), exit_code=2) from None
    file = folder / "kbwork.db"
    if not file.is_file():
        raise Refused(
            f"{folder} holds no data file: name the folder that `kbwork serve` prints at its start.",
            exit_code=2,
        )
    now = SystemClock().now()
    target = out / f"kbwork-{now}.zip" if out.is_dir() else out
    if target.exists():
        raise Refused(f"{target} is there already: name a file that is not.")
    if not target.parent.is_dir():
        raise Refused(f"{target.parent} is no folder.", exit_code=2)
    started = monotonic()
    try:
        label = {"at": now, "kind": "manual", "note": note, "attachments": not without_attachments}
        told = take(str(file), str(target), label)
    except (Unusable, OSError) as error:
        raise Refused(str(error)) from None
    print(
        f"{target}: {told['archive_bytes']:,} bytes, {sum(told['counts'].values()):,} rows up to event"
        f" {told['seq']:,}, checked, in {monotonic() - started:.1f} s"
    )
    print(
        "The key that seals secrets is not in it: keep a copy of master.key of the data folder elsewhere.",
        file=sys.stderr,
    )
