"""A backup of a server elsewhere: taken there, fetched by a link, and checked here."""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.client.client import ApiClient

_PIECE = 1024 * 1024
_TAKING_S = 6 * 3600
_WAIT_S = 60


@dataclass(frozen=True, slots=True)
class RemoteServer:
    """A server, and how whoever fetches proves who they are; what is None comes from environment or profile."""

    url: str | None
    key_file: str | None
    password_stdin: bool


def fetch_backup(remote: RemoteServer, asked: dict[str, Any], target: Path) -> dict[str, Any]:
    """Take a backup there (`asked` is what backups.create takes) and bring it here; answers what is known of it.

    The key says who asks and that they may; fetching all data wants the person, so their password is asked for before
    anything is done. Raises CommandError.
    """
    from kbwork.client.client import ApiClient
    from kbwork.client.profile import find

    with _told():
        with ApiClient(remote.url, key_file=remote.key_file) as client:
            me = client.call("auth.me")
        if "admin" not in me["scopes"]:
            raise CommandError(
                "A backup is for owners and admins: pass the key of one, with the scope admin."
            )
        email = me["member"]["email"]
        password = _secret("Password", email, stdin=remote.password_stdin)
        url = find(remote.url, None, remote.key_file, None).url
        with _signed_in(url, email, password, stdin=remote.password_stdin) as client:
            print("Taking a backup ...", file=sys.stderr)
            made: dict[str, Any] = client.call("backups.create", asked)
            client.call(
                "auth.elevate", {"password": password}
            )  # taking it may have taken more than ten minutes
            link = client.call("backups.fetch", {"id": made["id"]})
    _bring(url, link, target)
    return made


@contextlib.contextmanager
def _signed_in(url: str, email: str, password: str, *, stdin: bool) -> Iterator["ApiClient"]:
    """As the person, for the while."""
    from kbwork.client.client import ApiClient

    with ApiClient(url, "") as nobody:
        found = nobody.call("auth.login", {"email": email, "password": password})
        if found["token"] is None:
            code = _secret("Code of the second factor", email, stdin=stdin)
            found = nobody.call("auth.login_verify", {"challenge": found["challenge"], "code": code})
    with ApiClient(url, found["token"], timeout_s=_TAKING_S) as client:
        try:
            yield client
        finally:
            client.call("auth.logout", {})


def _secret(what: str, email: str, *, stdin: bool) -> str:
    if stdin:
        return sys.stdin.readline().rstrip("\n")
    if not sys.stdin.isatty():
        raise CommandError(
            "Fetching a backup wants a person: run it in a terminal, or pass the password with --password-stdin"
            " (and the code of a second factor in the line after it)."
        )
    return getpass(f"{what} of {email}: ", stream=sys.stderr)


def _bring(url: str, link: dict[str, Any], target: Path) -> None:
    """Whole and as it was sent, or not there."""
    part = target.with_name(f"{target.name}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as out, _bar(link["size"]) as more:
            digest = hashlib.sha256()
            for piece in _pieces(url, link["url"]):
                out.write(piece)
                digest.update(piece)
                more(len(piece))
            out.flush()
            os.fsync(out.fileno())
        _require_same(digest.hexdigest(), link["sha256"])
        part.rename(target)
    except OSError as error:
        raise CommandError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def _pieces(url: str, link: str) -> Iterator[bytes]:
    """Of this server, or of the store that the link leads to; the link is all that opens it. Raises CommandError."""
    from http.client import HTTPException

    from kbwork.client.transport import Transport

    parts = urlsplit(link)
    home = f"{parts.scheme}://{parts.netloc}" if parts.scheme else url
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    with _told():
        connection, answer = Transport(home, None, _WAIT_S).open(path, {}, _WAIT_S)
    with contextlib.closing(connection):
        if answer.status != 200:
            raise CommandError(
                f"The backup cannot be fetched from {home}: it answers with the status {answer.status}."
            )
        try:
            while piece := answer.read(_PIECE):
                yield piece
        except (OSError, HTTPException) as error:
            raise CommandError(f"The connection to {home} broke while the backup came: {error}") from None


def _require_same(found: str, sha256: str) -> None:
    if found != sha256:
        raise CommandError(
            "What came is not the backup that was taken: its checksum is another. Fetch it again."
        )


@contextlib.contextmanager
def _bar(size: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress("Fetching", *columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=size)
        yield lambda count: bar.update(task, advance=count)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Raises CommandError for what the client raises."""
    from kbwork.cli.runner import command_error
    from kbwork.client.errors import KbworkError

    try:
        yield
    except KbworkError as error:
        raise command_error(error) from None
