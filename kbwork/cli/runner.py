"""Where a command's calls go: a server elsewhere, or a data folder that nobody serves."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.client.errors import KbworkError

_PIECE_BYTES = 1024 * 1024
_REST_S = 0.2
Heard = Callable[[int], None]
"""Told how many bytes went."""


class OperationRunner(Protocol):
    """Runs operations."""

    def call(self, op: str, **fields: Any) -> Any:
        """Raises CommandError."""

    def send(self, file: Path, heard: Heard) -> str:
        """The id of the upload that the file becomes. Raises CommandError."""

    def job(self, ident: int) -> dict[str, Any]:
        """A job, after a moment. Raises CommandError."""


@contextlib.contextmanager
def remote(url: str | None, key_file: str | None) -> Iterator[OperationRunner]:
    """A server, by its address or that of the profile. Raises CommandError."""
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    try:
        with ApiClient(url, key_file=key_file, timeout_s=3600) as client:
            yield _Remote(client)
    except KbworkError as error:
        raise command_error(error) from None


def command_error(error: "KbworkError") -> CommandError:
    from kbwork.client.errors import KbworkProblem

    if isinstance(error, KbworkProblem):
        code = {401: 3, 422: 2}.get(error.status, 1)
        return CommandError(error.detail if code == 2 else f"{error.title}: {error.detail}", exit_code=code)
    return CommandError(str(error), exit_code=error.exit_code)


class _Remote:
    def __init__(self, client: Any) -> None:
        self._client = client

    def call(self, op: str, **fields: Any) -> Any:
        return self._client.call(op, fields)

    def send(self, file: Path, heard: Heard) -> str:
        with file.open("rb") as opened:
            return str(self._client.upload(_Told(opened, heard), file.name)["upload"])

    def job(self, ident: int) -> dict[str, Any]:
        found: dict[str, Any] = self._client.call("jobs.get", {"id": ident, "wait_seconds": 0})
        if found["ended_at"] is None:
            found = self._client.call("jobs.get", {"id": ident, "wait_seconds": 1})
        return found


class _Told:
    """A file that tells how much of it was read."""

    def __init__(self, file: Any, heard: Heard) -> None:
        self._file = file
        self._heard = heard
        self.tell = file.tell
        self.seek = file.seek

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._file.read(_PIECE_BYTES if size < 0 else size)
        self._heard(len(data))
        return data


@contextlib.contextmanager
def local(folder: Path, allowed: Iterable[str] = ()) -> Iterator[OperationRunner]:
    """A data folder, as its owner: jobs run here for as long as this lasts, with requests to public addresses and to
    those `allowed`. Raises CommandError."""
    from kbwork.app import LocalApp, open_data
    from kbwork.base.errors import Problem
    from kbwork.db.connection import Unusable

    if not (folder / "kbwork.db").is_file():
        raise CommandError(f"{folder} holds no data file: make one with `kbwork init`.", exit_code=2)
    try:
        database = open_data(folder)
    except Unusable as error:
        raise CommandError(str(error), exit_code=error.exit_code) from None
    try:
        with asyncio.Runner() as runner:
            desk = _Local(LocalApp(database, allowed=allowed), runner)
            try:
                yield desk
            finally:
                desk.stop()
    except Problem as problem:
        raise CommandError(problem.detail, exit_code=problem.exit_code) from None
    finally:
        database.close()


class _Local:
    """Between its calls nothing runs."""

    def __init__(self, alone: Any, runner: asyncio.Runner) -> None:
        self._alone = alone
        self._runner = runner
        runner.run(alone.start())

    def stop(self) -> None:
        self._runner.run(self._alone.stop())

    def call(self, op: str, **fields: Any) -> Any:
        return self._runner.run(self._alone.call(op, fields))

    def send(self, file: Path, heard: Heard) -> str:
        from kbwork.core.ports.uploads import IncomingFile

        intake, database = self._alone.intake("imports.open"), self._alone.database
        landing = IncomingFile(database.folder.path / intake.folder)
        kept = False
        try:
            with file.open("rb") as opened:
                while piece := opened.read(_PIECE_BYTES):
                    landing.take(piece)
                    heard(len(piece))
            arrived = landing.finish(file.name)
            answer = self._runner.run(
                database.write(lambda tx: intake.arrived(tx, arrived), self._alone.caller)
            )
            kept = True
        finally:
            landing.close(keep=kept)
        return str(answer["upload"])

    def job(self, ident: int) -> dict[str, Any]:
        self._runner.run(asyncio.sleep(_REST_S))
        found: dict[str, Any] = self.call("jobs.get", id=ident)
        return found
