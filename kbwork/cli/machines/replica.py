"""`kbwork replica`: data out of the replica, a trial of it, and the master key sealed into it."""

import datetime
import os
import sys
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.replica.restoration import PastData, RestoredData
    from kbwork.settings import Settings

CONFIG = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings; ./kbwork.toml where it is there.",
)
STDIN = click.option(
    "--passphrase-stdin", is_flag=True, help="Read the passphrase, one line, from standard input."
)

_AHEAD_S = 60.0
"""The clocks of two machines may differ by so much."""


@click.command(help="Restore the data from the replica into a folder that holds none.")
@click.option(
    "--at",
    "moment",
    help="As they were then: 2026-03-01T12:00:00Z; UTC, unless it names another zone.",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder; the data folder of the settings unless given.",
)
@STDIN
@CONFIG
def restore(
    moment: str | None, folder: Path | None, config_file: Path | None, *, passphrase_stdin: bool
) -> None:
    """Nothing is left where it fails."""
    from kbwork.base.clock import monotonic
    from kbwork.db.connection import FolderLocked, Unusable
    from kbwork.db.folder import Folder
    from kbwork.replica import escrow, restoration
    from kbwork.replica.owner import OTHER_KEY, found_in, known_by
    from kbwork.replica.target import target_of

    settings, began = settings_of(config_file), monotonic()
    at = None if moment is None else _moment(moment)
    place = Folder(folder or Path(settings.server.data))
    try:
        place.prepare()
        place.lock()
        try:
            if place.file.exists():
                raise Unusable(f"{place.path} holds data: name another folder with --to, or move it away")
            key_file = place.path / "master.key"
            sealed = (
                None if key_file.exists() else target_of(settings.replicate, os.environ).read(escrow.NAME)
            )
            key = escrow.taken(sealed, passphrase(stdin=passphrase_stdin)) if sealed is not None else None
            found, past = _taken_out(settings, place.file, at)
            if key is not None:
                restoration.private(key_file, key.hex().encode())
        finally:
            place.unlock()
    except FolderLocked as error:
        text = f"{error.held}: name another folder with --to"
        raise CommandError(text, exit_code=error.exit_code) from None
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    known = found_in(target_of(settings.replicate, os.environ))
    if known is not None and key_file.exists() and known_by(place.master_key()) != known.key:
        print(OTHER_KEY.format(place=settings.replicate.to), file=sys.stderr)
    if not key_file.exists():
        print(
            f"{place.path} has no master.key: lay a copy there before you start the server, or what it seals, such as"
            " two-factor sign-in, does not open.",
            file=sys.stderr,
        )
    if past is not None:
        _tell_past(past)
    print(
        f"Restored into {place.path}: {sum(found.counts.values()):,} rows up to event {found.seq:,} in"
        f" {monotonic() - began:.1f} s; start it with: kbwork serve --data {place.path}"
    )


def _taken_out(
    settings: "Settings", file: Path, at: float | None
) -> tuple["RestoredData", "PastData | None"]:
    """The newest as it is; what is older is settled, as a backup that is put back. Raises Unusable."""
    from kbwork.replica import restoration

    if at is not None:
        present = Path(settings.server.data).absolute() / file.name
        past = restoration.restore_past(settings.replicate, file, os.environ, at, present)
        return past.restored, past
    found = restoration.restore(settings.replicate, file, os.environ, alone=True)
    restoration.begin_behind(file)
    return found, None


def _tell_past(past: "PastData") -> None:
    """What was shut out again, and what nobody knows."""
    for line in (*past.unread, *past.ended):
        print(line, file=sys.stderr)
    if past.known_by:
        text = (
            f"What was revoked since stays so, as {past.known_by} have it up to event {past.known_seq:,}: revoke again"
            " what was revoked behind that."
        )
    else:
        text = (
            "No newer data are at hand: keys, SDK keys, triggers, invitations, passwords and people are as they were"
            " then. Before others reach it, revoke what should not hold (keys revoke, flags key_revoke,"
            " flags trigger_delete, invites revoke, members deactivate)."
        )
    print(f"Everybody signs in anew. {text}", file=sys.stderr)


@click.command(help="Try the replica: restore it beside, check it, and compare it with the data.")
@CONFIG
def drill(config_file: Path | None) -> None:
    """Exit code 1 where the replica is not fit. The server may run."""
    from kbwork.base.clock import monotonic
    from kbwork.db.connection import Unusable
    from kbwork.replica.drill import tried

    settings, began = settings_of(config_file), monotonic()
    file = Path(settings.server.data).absolute() / "kbwork.db"
    if not file.is_file():
        raise CommandError(f"{file.parent} holds no data file.", exit_code=2)
    try:
        found = tried(settings.replicate, file, os.environ)
    except Unusable as error:
        raise CommandError(str(error)) from None
    print(
        f"The replica is sound: {sum(found.counts.values()):,} rows up to event {found.seq:,}, restored and checked in"
        f" {monotonic() - began:.1f} s"
    )


@click.command(help="Seal master.key by a passphrase, and lay it into the replica.")
@STDIN
@CONFIG
def key(config_file: Path | None, *, passphrase_stdin: bool) -> None:
    """What lies there already is replaced."""
    from kbwork.db.connection import Unusable
    from kbwork.db.folder import Folder
    from kbwork.replica import escrow
    from kbwork.replica.owner import read_owner
    from kbwork.replica.target import target_of

    settings = settings_of(config_file)
    folder = Folder(Path(settings.server.data))
    if not folder.file.exists():
        raise CommandError(f"{folder.path} holds no data file.", exit_code=2)
    try:
        target = target_of(settings.replicate, os.environ)
        whose, _ = read_owner(folder.file, folder.master_key())
        if whose is not None:
            whose.require(target)
        escrow.lay(target, folder.master_key(), passphrase(stdin=passphrase_stdin, twice=True))
        if whose is not None:
            whose.lay(target)
    except Unusable as error:
        raise CommandError(str(error)) from None
    print(f"{escrow.NAME} lies in {target.place}: keep the passphrase elsewhere, nothing opens it without")


def settings_of(config_file: Path | None) -> "Settings":
    from kbwork.settings import SettingsError, load

    try:
        settings = load(config_file, os.environ)
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None
    if not settings.replicate.to:
        raise CommandError("the settings name no replica: set replicate.to in kbwork.toml", exit_code=2)
    return settings


def _moment(text: str) -> float:
    from kbwork.base.clock import wall

    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f"--at should be a time such as 2026-03-01T12:00:00Z, not {text}", exit_code=2
        ) from None
    at = (found if found.tzinfo is not None else found.replace(tzinfo=datetime.UTC)).timestamp()
    if at > wall() + _AHEAD_S:
        now = datetime.datetime.fromtimestamp(wall(), datetime.UTC)
        raise CommandError(f"--at lies ahead: it is {now:%Y-%m-%dT%H:%M:%SZ} now", exit_code=2)
    return at


def passphrase(*, stdin: bool, twice: bool = False) -> str:
    if stdin:
        return sys.stdin.readline().rstrip("\n")
    if not sys.stdin.isatty():
        raise CommandError(
            "the passphrase is asked for on a terminal: pass it with --passphrase-stdin", exit_code=2
        )
    found = getpass("Passphrase of the master key: ", stream=sys.stderr)
    if twice and getpass("The same again: ", stream=sys.stderr) != found:
        raise CommandError("the two are not the same: nothing was changed")
    return found
