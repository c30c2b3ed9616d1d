"""`kbwork doctor`: look for what is wrong, and say how to mend it."""

import os
import platform
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.db.folder import Folder

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@click.command(help="Look for what is wrong, and say how to mend it.")
@click.option(
    "--data", type=click.Path(file_okay=False), help="The data folder; that of the settings unless given."
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
def doctor(data: str | None, config_file: Path | None) -> None:
    """Exit code 0 when all is well, 1 when something is to be mended. Changes nothing."""
    from kbwork.settings import SettingsError, load

    try:
        settings = load(config_file, os.environ)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    folder = Path(data or settings.server.data)
    faults = 0
    for well, text in (
        *_machine(),
        *_address(settings.server.base_url),
        *_proxies(settings.server.base_url, settings.server.trusted_proxies),
        *_folder(folder, named=data is not None),
    ):
        faults += not well
        print(f"{'ok  ' if well else 'MEND'} {text}")
    sys.exit(1 if faults else 0)


def _machine() -> Iterator[tuple[bool, str]]:
    import apsw

    from kbwork import __version__

    yield True, f"kbwork {__version__}, Python {platform.python_version()}"
    yield (
        apsw.SQLITE_VERSION_NUMBER >= 3_051_003,
        f"SQLite {apsw.sqlite_lib_version()} (3.51.3 or newer is needed)",
    )


def _address(base_url: str) -> Iterator[tuple[bool, str]]:
    local = urlsplit(base_url).hostname in _LOOPBACK
    if base_url.startswith("http://") and not local:
        yield (
            False,
            (
                f"server.base_url is {base_url}: without https, passwords travel in clear"
                " and clients cannot connect by OAuth; keys work"
            ),
        )
    else:
        yield True, f"server.base_url is {base_url or 'not set: made of host and port'}"


def _proxies(base_url: str, trusted: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    if base_url.startswith("https://") and not trusted:
        yield (
            False,
            (
                "server.trusted_proxies is empty: all people behind your proxy are one address, and lock each other"
                ' out by wrong passwords; name the proxy, such as "127.0.0.1"'
            ),
        )
    elif trusted:
        yield True, f"server.trusted_proxies are {', '.join(trusted)}"


def _folder(folder: Path, *, named: bool) -> Iterator[tuple[bool, str]]:
    if not folder.exists():
        if named:
            yield False, f"{folder} is not there: name the folder that `kbwork serve` prints at its start"
        else:
            yield True, f"{folder} is not there yet: `kbwork serve` makes it"
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    yield (
        mode & 0o077 == 0,
        f"{folder} has the mode {mode:o}" + (f": chmod 700 {folder}" if mode & 0o077 else ""),
    )
    for path in sorted(folder.iterdir()):
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.is_file() and mode & 0o077:
            yield False, f"{path} can be read by others: chmod 600 {path}"
    space = os.statvfs(folder)
    free_mb = space.f_bavail * space.f_frsize // (1024 * 1024)
    yield (
        free_mb >= 200,
        f"{free_mb} MB are free" + ("" if free_mb >= 200 else ": make room, or writes will be refused"),
    )
    yield from _file(folder)


def _readers(held: "Folder") -> Iterator[tuple[bool, str]]:
    """Who has the data file open beside a server: as long as they read, its log grows."""
    from kbwork.db.holders import holders, named

    server = held.holder()
    if others := [pid for pid in holders(held.file) if pid != server]:
        yield (
            False,
            (
                f"the data file is open in {named(others)}: end it, unless it is a backup that is being taken;"
                " while it reads, the log beside the file grows"
            ),
        )


def _file(folder: Path) -> Iterator[tuple[bool, str]]:
    """The data file itself, looked into only while no server holds it."""
    from kbwork.db.archives.check import check
    from kbwork.db.connection import FolderLocked, Unusable
    from kbwork.db.folder import Folder

    held = Folder(folder)
    if not held.file.exists():
        yield True, "there is no data file yet"
        return
    yield from _readers(held)
    try:
        held.lock()
    except FolderLocked:
        yield True, "a server holds the folder: the file is checked when it is stopped"
        return
    except Unusable as error:
        yield False, str(error)
        return
    try:
        for fault in check(held.file):
            yield False, fault
            return
        yield True, "the data file is sound: integrity, foreign keys and schema"
    except Unusable as error:
        yield False, str(error)
    finally:
        held.unlock()
