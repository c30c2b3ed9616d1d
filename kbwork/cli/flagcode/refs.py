"""`kbwork flags refs scan`: where the code of a work tree names flags, pushed to a server."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.client.client import ApiClient

Json = dict[str, Any]

_MOST_FILES = 200_000
_MOST_BYTES = 1024 * 1024
"""A larger file is no code that somebody wrote."""
_MOST_REFS = 20_000
_MOST_TEXT = 200
_MOST_PATH = 1000
_LONGEST_S = 120
_QUOTED = re.compile(r"""(?<=["'`])[A-Za-z0-9._-]{1,128}(?=["'`])""")
"""What may be a key, in quotes."""
_LEFT_OUT = frozenset({".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"})
"""Folders that are not gone into where there is no git to ask."""


@click.command(
    name="scan",
    help="Find the keys of a project's flags in the files of FOLDER, and push where they stand. With git, files that it"
    " ignores are left out, and repository, branch and commit are its own. A key counts where it stands in quotes.",
)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--project", required=True, help="Key of the flag project.")
@click.option("--repository", help="What the repository is called; else as its remote `origin` says.")
@click.option("--branch", help="Which branch this is; else the one that is checked out.")
@click.option("--commit", help="The commit; else the one that is checked out.")
@click.option("--dry-run", is_flag=True, help="Say what was found, and push nothing.")
@click.option("--server", "--url", help="Address of the server; else KBWORK_URL, else the profile.")
@click.option(
    "--key-file",
    help="File that holds a key with flags:read and flags:write; else KBWORK_KEY, else the profile.",
)
def scan(  # noqa: PLR0913 - the options of the command, by name
    folder: Path,
    *,
    project: str,
    repository: str | None,
    branch: str | None,
    commit: str | None,
    dry_run: bool,
    server: str | None,
    key_file: str | None,
) -> None:
    """Exit code 0 whatever is named or not: what to make of that is for whoever runs it."""
    from kbwork.cli.runner import command_error
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    repository = repository or _origin(folder)
    branch = branch or _git(folder, "rev-parse", "--abbrev-ref", "HEAD")
    commit = commit or _git(folder, "rev-parse", "HEAD")
    for option, value in (("repository", repository), ("branch", branch), ("commit", commit)):
        if not value:
            raise CommandError(f"--{option} says what git does not know here.", exit_code=2)
    try:
        with ApiClient(server, key_file=key_file) as client:
            refs = list(found(folder, _keys(client, project)))
            asked = {
                "project": project,
                "repository": repository,
                "branch": branch,
                "commit": commit,
                "refs": refs,
                "dry_run": dry_run,
            }
            _tell(refs, client.call("flags.refs_push", asked), dry_run=dry_run)
    except KbworkError as error:
        raise command_error(error) from None


def found(folder: Path, keys: Iterable[str]) -> Iterator[Json]:
    """Where the files of a work tree name keys in quotes. Raises CommandError where that is more than is pushed."""
    known = frozenset(keys)
    count = 0
    for path in files(folder):
        for number, line in enumerate(_lines(folder / path), 1):
            for key in dict.fromkeys(_QUOTED.findall(line)):
                if key not in known:
                    continue
                count += 1
                if count > _MOST_REFS:
                    raise CommandError(
                        f"More than {_MOST_REFS:,} places name flags: scan a part of the folder."
                    )
                yield {"key": key, "path": path, "line": number, "text": line.strip()[:_MOST_TEXT]}


def files(folder: Path) -> Iterator[str]:
    """Paths below a work tree, with slashes: those that git knows or does not ignore, where there is git."""
    told = _run(folder, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    names = told.decode(errors="surrogateescape").split("\0") if told is not None else _walked(folder)
    for count, name in enumerate(dict.fromkeys(name for name in names if name)):
        if count >= _MOST_FILES:
            raise CommandError(f"The folder has more than {_MOST_FILES:,} files: scan a part of it.")
        path = folder / name
        if len(name) <= _MOST_PATH and name.isprintable() and path.is_file() and not path.is_symlink():
            yield name


def _walked(folder: Path) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        for name in sorted(names):
            yield (Path(here) / name).relative_to(folder).as_posix()


def _lines(path: Path) -> list[str]:
    """Of a text; none of what is larger than code, or no text."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return []
        raw = path.read_bytes()
    except OSError:
        return []
    return [] if b"\0" in raw else raw.decode(errors="replace").splitlines()


def _keys(client: ApiClient, project: str) -> set[str]:
    """Of all flags, those in the archive too: code that names one is to be found."""
    listed = [*client.call("flags.list", {"project": project})]
    listed += client.call("flags.list", {"project": project, "archived": True})
    return {key for one in listed for key in (one["key"], *one["aliases"])}


def _origin(folder: Path) -> str:
    """What the remote is called, without where it is and who asks; the folder's name where there is none."""
    url = _git(folder, "remote", "get-url", "origin")
    if not url:
        return folder.resolve().name
    path = re.sub(r"^(?:[a-z+]+://)?(?:[^@/]*@)?[^/:]+(?::\d+)?[/:]", "", url)
    return path.removesuffix("/").removesuffix(".git")


def _git(folder: Path, *words: str) -> str:
    """What git says in one line; empty where it says nothing."""
    told = _run(folder, *words)
    return told.decode(errors="replace").strip() if told is not None else ""


def _run(folder: Path, *words: str) -> bytes | None:
    """None where there is no git, or no work tree of it."""
    try:
        done = subprocess.run(  # noqa: S603 - git, of whoever types the command, without a shell
            ["git", "-C", str(folder), *words],  # noqa: S607 - wherever it is installed
            capture_output=True,
            check=False,
            timeout=_LONGEST_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _tell(refs: list[Json], pushed: Json, *, dry_run: bool) -> None:
    from kbwork.base.text import printable

    if dry_run:
        for one in refs:
            click.echo(printable(f"{one['path']}:{one['line']}: {one['key']}"))
    would = "would be " if dry_run else ""
    click.echo(f"{pushed['refs']} places {would}pushed, {len(pushed['unused'])} flags named nowhere")
    for key in pushed["unused"]:
        click.echo(f"  {key}")
