"""`kbwork import`: bring in a project of another tool, through the public operations."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kbwork.cli.refused import Refused


@click.command(help="Bring in the issues of another tool.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--project", required=True, help="Key of the project; it is made when it is not there.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["github-archive"]),
    default="github-archive",
    show_default=True,
    help="What the file is.",
)
@click.option("--url", help="Address of the server; else KBWORK_URL, else the profile of `kbwork login`.")
@click.option("--key-file", help="File that holds the key; else KBWORK_KEY, else the profile.")
def import_(file: Path, project: str, kind: str, url: str | None, key_file: str | None) -> None:
    """A second run adds only what is new."""
    from kbwork.cli.archive import Archive, ArchiveError
    from kbwork.cli.bring import Bring, ImportRefused
    from kbwork.contract.client.problem import KbworkError, KbworkProblem, NotSignedIn, Unreachable
    from kbwork.contract.client.sdk import Client

    try:
        archive = Archive.read(file)
    except ArchiveError as error:
        raise Refused(str(error), exit_code=2) from None
    try:
        with Client(url, key_file=key_file) as client, _progress(archive.total) as tell:
            report = Bring(client, project, tell).run(archive)
    except ImportRefused as error:
        raise Refused(str(error)) from None
    except KbworkProblem as problem:
        raise Refused(
            f"{problem.title}: {problem.detail}", exit_code=3 if problem.status == 401 else 1
        ) from None
    except KbworkError as error:
        code = {NotSignedIn: 3, Unreachable: 4}.get(type(error), 1)
        raise Refused(str(error), exit_code=code) from None
    print(report)


class _progress:  # noqa: N801 - read as a word in the `with` above
    """A bar with rate and time left on standard error; a line at the end where that is no terminal."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("issues", total=total, rate="")

    def __enter__(self) -> Callable[[int], None]:
        self._bar.start()
        return self._tell

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _tell(self, done: int) -> None:
        found: Any = self._bar.tasks[0]
        self._bar.update(self._task, advance=done, rate=f"{found.speed or 0:.0f}/s")
