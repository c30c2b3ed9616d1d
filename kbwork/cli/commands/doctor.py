"""`kbwork doctor`: look for what is wrong, and say how to mend it."""

import json
import os
import platform
import stat
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import click

from kbwork.cli.errors import CommandError
from kbwork.core.data_check import Finding

if TYPE_CHECKING:
    from kbwork.db.folder import Folder
    from kbwork.db.tx import Read
    from kbwork.settings import OutboxSettings, ReplicateSettings

T = TypeVar("T")
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object: `well`, and each finding.")
def doctor(data: str | None, config_file: Path | None, *, as_json: bool) -> None:
    """Exit code 0 when all is well, 1 when something is to be mended. Changes nothing."""
    from kbwork.settings import SettingsError, load

    try:
        settings = load(config_file, os.environ)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    folder = Path(data or settings.server.data)
    findings: list[Finding] = []
    for finding in (
        *_machine(),
        *_address(settings.server.base_url),
        *_proxies(settings.server.base_url, settings.server.trusted_proxies),
        *_folder(folder, named=data is not None),
        *_replica(settings.replicate, folder),
        *_outbox(settings.outbox, folder),
    ):
        findings.append(finding)
        if not as_json:
            print(f"{'ok  ' if finding.well else 'MEND'} {finding.said}")
    well = all(finding.well for finding in findings)
    if as_json:
        print(json.dumps({"well": well, "findings": [one._asdict() for one in findings]}, indent=2))
    sys.exit(0 if well else 1)


def _machine() -> Iterator[Finding]:
    import apsw

    from kbwork import __version__

    yield Finding("version", True, f"kbwork {__version__}, Python {platform.python_version()}")
    yield Finding(
        "sqlite",
        apsw.SQLITE_VERSION_NUMBER >= 3_051_003,
        f"SQLite {apsw.sqlite_lib_version()} (3.51.3 or newer is needed)",
    )


def _address(base_url: str) -> Iterator[Finding]:
    local = urlsplit(base_url).hostname in _LOOPBACK
    if base_url.startswith("http://") and not local:
        yield Finding(
            "address",
            False,
            f"server.base_url is {base_url}: without https, passwords travel in clear"
            " and clients cannot connect by OAuth; keys work",
        )
    else:
        yield Finding("address", True, f"server.base_url is {base_url or 'not set: made of host and port'}")


def _proxies(base_url: str, trusted: tuple[str, ...]) -> Iterator[Finding]:
    if base_url.startswith("https://") and not trusted:
        yield Finding(
            "proxies",
            False,
            "server.trusted_proxies is empty: all people behind your proxy are one address, and lock each other"
            ' out by wrong passwords; name the proxy, such as "127.0.0.1"',
        )
    elif trusted:
        yield Finding("proxies", True, f"server.trusted_proxies are {', '.join(trusted)}")


def _folder(folder: Path, *, named: bool) -> Iterator[Finding]:
    if not folder.exists():
        if named:
            said = f"{folder} is not there: name the folder that `kbwork serve` prints at its start"
        else:
            said = f"{folder} is not there yet: `kbwork serve` makes it"
        yield Finding("folder", not named, said)
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    yield Finding(
        "folder",
        mode & 0o077 == 0,
        f"{folder} has the mode {mode:o}" + (f": chmod 700 {folder}" if mode & 0o077 else ""),
    )
    for path in sorted(folder.iterdir()):
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.is_file() and mode & 0o077:
            yield Finding("folder", False, f"{path} can be read by others: chmod 600 {path}")
    space = os.statvfs(folder)
    free_mb = space.f_bavail * space.f_frsize // (1024 * 1024)
    yield Finding(
        "space",
        free_mb >= 200,
        f"{free_mb} MB are free" + ("" if free_mb >= 200 else ": make room, or writes will be refused"),
    )
    yield from _file(folder)


def _replica(at: "ReplicateSettings", folder: Path) -> Iterator[Finding]:
    if at.to:
        from kbwork.replica.health import look

        yield from look(at, folder.absolute() / "kbwork.db", os.environ)


def _outbox(at: "OutboxSettings", folder: Path) -> Iterator[Finding]:
    if at.servers and (folder / "kbwork.db").exists():
        from kbwork.outbox.health import look

        yield from look(at, partial(_read, folder.absolute() / "kbwork.db"))


def _readers(held: "Folder") -> Iterator[Finding]:
    """Who has the data file open beside a server: as long as they read, its log grows."""
    from kbwork.db.holders import holders, named

    known = {held.holder(), held.engine()}
    if others := named([pid for pid in holders(held.file) if pid not in known]):
        yield Finding(
            "readers",
            False,
            f"the data file is open in {others}: end it, unless it is a backup that is being taken;"
            " while it reads, the log beside the file grows",
        )


def _file(folder: Path) -> Iterator[Finding]:
    """The data file itself: the whole of it is looked through only while no server holds it."""
    from kbwork.db.archives.check import check
    from kbwork.db.connection import FolderLocked, Unusable
    from kbwork.db.folder import Folder

    held = Folder(folder)
    if not held.file.exists():
        yield Finding("file", True, "there is no data file yet")
        return
    yield from _readers(held)
    try:
        held.lock()
    except FolderLocked:
        yield Finding("file", True, "a server holds the folder: the file is checked when it is stopped")
        yield from _data(held.file)
        return
    except Unusable as error:
        yield Finding("file", False, str(error))
        return
    try:
        fault = next(check(held.file), None)
        yield Finding(
            "file", fault is None, fault or "the data file is sound: integrity, foreign keys and schema"
        )
        if fault is None:
            yield from _data(held.file)
    except Unusable as error:
        yield Finding("file", False, str(error))
    finally:
        held.unlock()


def _data(file: Path) -> Iterator[Finding]:
    """What the modules find in the data."""
    from kbwork.app import registry
    from kbwork.core.data_check import DataCheck
    from kbwork.db import migrate
    from kbwork.db.connection import Unusable

    def look(tx: "Read") -> list[Finding]:
        if set(tx.column("select name from schema_migration")) != {name for name, _ in migrate.files()}:
            said = (
                "the data are of another version: what is in them is looked at once this one has served them"
            )
            return [Finding("data", True, said)]
        return [finding for one in registry().of(DataCheck) for finding in one.look(tx)]

    try:
        yield from _read(file, look)
    except Unusable as error:
        yield Finding("data", False, str(error))


def _read(file: Path, look: "Callable[[Read], T]") -> T:
    """What is found in the data, beside a server or without one. Raises Unusable."""
    import apsw

    from kbwork.base.caller import SYSTEM
    from kbwork.base.clock import SystemClock, TrustedTime
    from kbwork.db.connection import Unusable
    from kbwork.db.readers import Readers
    from kbwork.db.tx import Catalogue

    clock = SystemClock()
    readers = Readers(file, clock, Catalogue(TrustedTime(clock)))
    try:
        return readers.read_now(look, SYSTEM)
    except apsw.Error as error:
        raise Unusable(f"the data cannot be read: {error}") from None
    finally:
        readers.close()
