"""`kbwork import`: bring in a project of another tool: send the file, look, map, run, and tell what came."""

import json
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.cli.runner import OperationRunner

_FORMATS = {
    "github-archive": "github",
    "github": "github",
    "gitlab": "gitlab",
    "csv": "csv",
    "trac": "trac",
    "redmine": "redmine",
    "kbz": "kbz",
}
_LOOKED_AT = 4 * 1024 * 1024
_BLANK = b"\xef\xbb\xbf \t\r\n"
_SHOWN = 10
_PULL = "pull-request"
_FETCHED = ("github", "gitlab")
"""Sources that are named with a repository, as `github:OWNER/REPO`."""


@click.command(
    help="Bring in the issues of another tool: of a file, or of a repository as github:OWNER/REPO or"
    " gitlab:GROUP/PROJECT."
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--project", help="Key of the project where all of it goes; made when it is not there.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(_FORMATS)),
    help="What the file is; else it is told by its content.",
)
@click.option(
    "--map",
    "plan",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A JSON file that says what becomes of the source's words, as imports.map_set takes it.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File that holds a token of GitHub or GitLab; private repositories need one, and comments of GitLab.",
)
@click.option(
    "--base-url",
    help="Of github:OWNER/REPO on a GitHub Enterprise Server: https://HOST/api/v3; of gitlab:GROUP/PROJECT on a GitLab"
    " of your own: https://HOST.",
)
@click.option("--dry-run", is_flag=True, help="Say what would come in, and write nothing.")
@click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="A data folder that nobody serves; else a server.",
)
@click.option("--url", help="Address of the server; else KBWORK_URL, else the profile of `kbwork login`.")
@click.option("--key-file", help="File that holds the key; else KBWORK_KEY, else the profile.")
def import_(  # noqa: PLR0913 - the options of the command, by name
    file: Path,
    *,
    project: str | None,
    kind: str | None,
    plan: Path | None,
    token_file: Path | None,
    base_url: str | None,
    dry_run: bool,
    folder: Path | None,
    url: str | None,
    key_file: str | None,
) -> None:
    """A second run brings what is new, and what changed at the source and nobody edited here."""
    from kbwork.cli import runner

    if folder is not None and (url or key_file):
        raise CommandError(
            "--data is a folder that nobody serves; --url and --key-file are for a server.", exit_code=2
        )
    repository = _repository(file)
    if repository is None:
        if token_file is not None or base_url is not None:
            raise CommandError(
                "--token-file and --base-url are for github:OWNER/REPO and gitlab:GROUP/PROJECT.", exit_code=2
            )
        if not file.is_file():
            raise CommandError(f"{file} cannot be read: there is no such file.", exit_code=2)
        asked = {"source": _FORMATS[kind] if kind is not None else _told(file)}
    else:
        if kind not in (None, repository[0]):
            raise CommandError(f"--format {kind} is for a file.", exit_code=2)
        asked = _place(*repository, base_url, token_file)
    words = _plan(plan) if plan is not None else {}
    allowed = _allowed() if repository is not None and folder is not None else ()
    place = runner.local(folder, allowed) if folder is not None else runner.remote(url, key_file)
    with place as at, _Bar() as bar:
        _require_admin(at)
        asked = {name: value for name, value in {**asked, "project": project}.items() if value}
        opened = _sent(at, bar, file, asked) if repository is None else _fetched(at, bar, asked)
        bar.begin("Reading", None)
        found = at.call("imports.probe", id=opened["id"])
        if words:
            found = at.call("imports.map_set", **{**words, "id": found["id"]})
            if "fields" in words:
                found = at.call("imports.probe", id=found["id"])
        done = _run(at, bar, found, dry_run=dry_run)
        lines = at.call("imports.log", id=found["id"], limit=_SHOWN)["items"] if not dry_run else []
    _report(found, done, lines)


def _repository(file: Path) -> tuple[str, str] | None:
    """(source, repository) of one that is named in place of a file."""
    source, colon, repository = str(file).partition(":")
    return (source, repository) if colon and source in _FETCHED and not file.is_file() else None


def _place(source: str, repository: str, base_url: str | None, token_file: Path | None) -> dict[str, Any]:
    """What imports.open is told of a repository."""
    token = None
    if token_file is not None:
        try:
            token = token_file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{token_file} cannot be read: {error}", exit_code=2) from None
        if not token:
            raise CommandError(f"{token_file} is empty: it should hold a token.", exit_code=2)
    return {"source": source, "repository": repository, "base_url": base_url, "token": token}


def _allowed() -> tuple[str, ...]:
    """The private addresses that the settings let requests go to."""
    from kbwork.settings import SettingsError, load

    try:
        return load(None, os.environ).outbound.allow
    except SettingsError as error:
        raise CommandError(str(error), exit_code=2) from None


def _told(file: Path) -> str:
    """The source that a file is of, by how it begins."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(_LOOKED_AT)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.", exit_code=2) from None
    if begins.startswith(b"PK"):
        return "kbz"
    if begins.startswith(b"SQLite format 3\0"):
        return "redmine" if b"issue_statuses" in begins else "trac"
    if begins.lstrip(_BLANK)[:1] not in (b"{", b"["):
        return "csv"
    return "gitlab" if b'"iid"' in begins and b'"number"' not in begins else "github"


def _plan(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON that can be read: {error}", exit_code=2) from None
    if not isinstance(found, dict):
        raise CommandError(f'{path} should hold one JSON object, such as {{"statuses": {{}}}}.', exit_code=2)
    return found


def _require_admin(at: "OperationRunner") -> None:
    """Refused before anything is sent."""
    if "admin" not in at.call("auth.me")["scopes"]:
        raise CommandError(
            "An import keeps authors and times, which needs the scope admin."
            " Sign in with `kbwork login --admin`, or make a key with everything on the page /keys and pass it with"
            " --key-file."
        )


def _sent(at: "OperationRunner", bar: "_Bar", file: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Send a file, and open an import of it."""
    bar.begin("Sending", file.stat().st_size)
    opened: dict[str, Any] = at.call("imports.open", **asked, file=at.send(file, bar.more))
    return opened


def _fetched(at: "OperationRunner", bar: "_Bar", asked: dict[str, Any]) -> dict[str, Any]:
    """Open an import of a repository, and wait until it is fetched."""
    opened: dict[str, Any] = at.call("imports.open", **asked)
    said = ""
    while True:
        job = at.job(opened["job"])
        if job["ended_at"] is not None:
            break
        bar.say(job["message"])
        if job["state"] == "queued" and job["message"] not in ("", said):
            print(job["message"], file=sys.stderr)
        said = job["message"]
    if job["state"] != "done":
        raise CommandError(f"The repository was not fetched: {job['error'] or job['state']}")
    return opened


def _run(at: "OperationRunner", bar: "_Bar", found: dict[str, Any], *, dry_run: bool) -> dict[str, Any]:
    counts = found["found"]["counts"]
    total = counts["issue"] + counts["comment"]
    bar.begin("Looking" if dry_run else "Bringing in", total)
    ident = at.call("imports.run", id=found["id"], dry_run=dry_run)["job"]
    while True:
        job = at.job(ident)
        bar.at(int(job["progress"] * total))
        if job["ended_at"] is not None:
            break
    if job["state"] != "done":
        raise CommandError(
            f"The import ended before its end: {job['error'] or job['state']}. What came in stays; run it again to"
            f" go on, or take it back with: kbwork imports undo --id {found['id']}"
        )
    result: dict[str, Any] = job["result"]
    return result


def _report(found: dict[str, Any], done: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    made, types = done["made"], done["types"]
    pulls = types.get(_PULL, 0)
    keys = ", ".join(dict.fromkeys(found["mapping"]["projects"].values()))
    brought = "would come in" if done["dry_run"] else "brought in"
    print(
        f"{keys}: {made['issues'] - pulls} issues, {pulls} pull requests and {made['comments']} comments {brought};"
        f" {done['same']} were there already, {done['changed']} {'would change' if done['dry_run'] else 'changed'},"
        f" {done['kept']} were edited here and stay, {done['errors']} could not come in"
    )
    for loss in found["losses"]:
        print(f"Lost: {loss}", file=sys.stderr)
    for line in lines:
        print(f"{line['level']}: {line['source']}: {line['message']}", file=sys.stderr)
    if len(lines) == _SHOWN:
        print(f"All of them: kbwork imports log --id {found['id']}", file=sys.stderr)
    if not done["dry_run"]:
        print(f"Take it back with: kbwork imports undo --id {found['id']}", file=sys.stderr)


class _Bar:
    """A bar with rate and time left on standard error; nothing where that is no terminal."""

    def __init__(self) -> None:
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
        self._task = self._bar.add_task("", total=None, rate="")

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, what: str, total: int | None) -> None:
        """The next part of the work; `total` is none where nobody knows."""
        self._bar.reset(self._task, total=total, description=what, rate="")

    def say(self, what: str) -> None:
        """What goes on, of work that nobody knows the size of."""
        self._bar.update(self._task, description=what)

    def more(self, count: int) -> None:
        self._tell(advance=count)

    def at(self, completed: int) -> None:
        self._tell(completed=completed)

    def _tell(self, **moved: int) -> None:
        speed = self._bar.tasks[0].speed
        self._bar.update(self._task, rate=f"{speed:,.0f}/s" if speed else "", **moved)  # type: ignore[arg-type]  # by name
