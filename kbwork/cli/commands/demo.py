"""`kbwork demo`: an org with a year of work to look around in, in a folder of its own, and its removal."""

import contextlib
import shutil
import sys
from pathlib import Path

import click

from kbwork.cli.errors import CommandError

_FILES = ("kbwork.lock", "kbwork.reserve", "master.key")


@click.command(help="Make a sample org with a year of work in a folder of its own, or remove it.")
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="An empty folder, which need not be there.",
)
@click.option("--remove", is_flag=True, help="Remove the sample org and its folder.")
def demo(folder: Path, *, remove: bool) -> None:
    """Refuses a folder that holds another org, in both cases."""
    from kbwork.db.connection import Unusable
    from kbwork.demo.build import NoDemo

    try:
        if remove:
            _remove(folder)
            print(f"The sample org in {folder} is gone.")
        else:
            print(f"{made(folder)}\nStart it with: kbwork serve --data {folder}")
    except NoDemo as error:
        raise CommandError(str(error), exit_code=2) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None


def made(folder: Path) -> str:
    """Make the demo world; answers how to sign in. Raises NoDemo or Unusable."""
    from kbwork.base.clock import SystemClock
    from kbwork.demo.build import NoDemo, build

    if (folder / "kbwork.db").exists():
        raise NoDemo(f"{folder} holds data already: name an empty folder for the demo")
    print("Living a year at Fernhill Outdoor; this takes some seconds.", file=sys.stderr)
    built = build(folder, SystemClock())
    return (
        f"{built.issues} issues and {built.events:,} events in {folder}.\n"
        f"Sign in as {built.email} with the password {built.password}"
    )


def _remove(folder: Path) -> None:
    from kbwork.app import open_data
    from kbwork.demo.build import NoDemo, is_demo

    if not (folder / "kbwork.db").is_file():
        raise NoDemo(f"{folder} holds no data file")
    database = open_data(folder)
    try:
        if not database.read_now(is_demo):
            raise NoDemo(f"{folder} holds an org that is no demo: it stays")
    finally:
        database.close()
    for name in ("backups", "uploads"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for path in (*folder.glob("kbwork*.db*"), *(folder / name for name in _FILES)):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # something else lies there, and stays
        folder.rmdir()
