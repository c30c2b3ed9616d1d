"""One command line from words to exit code: 0 done, 1 refused, 2 bad usage, 3 not signed in, 4 network."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

from kbwork.client.answer import BESIDE, answer, out
from kbwork.client.argv import (
    Catalogue,
    CommandCall,
    CommandLine,
    UsageError,
    build_call,
    find_module,
    require_no_format,
    split_line,
    unaliased,
)
from kbwork.client.client import ApiClient
from kbwork.client.errors import KbworkError, KbworkProblem, NotSignedIn, Unreachable
from kbwork.client.help import command_page, first_page, module_page, operation_page, overview_page, wrapped
from kbwork.client.output import coloured, plain, show_refusal
from kbwork.client.profile import forget, profiles, profiles_file
from kbwork.client.signin import sign_in, tell

_COMMANDS = {
    "login": "sign in by a link to the browser: login [--url URL] [--profile NAME] [--admin]",
    "logout": "forget the key of a profile",
    "q": "run a TQL query: q 'assignee = me'",
}
_ALIASES = {
    "help": "show the page of a module or a verb: help [MODULE [VERB]]",
    "version": "print the version",
}
_TAKEN = {"login": {"url", "profile"}, "logout": {"profile"}}
_RETRIES = 2
_USUAL_URL = "http://127.0.0.1:8080"
"""Where `kbwork serve` listens unless it is told otherwise."""


def commands_of(catalogue: Catalogue) -> dict[str, str]:
    """What is no operation, and needs nothing but a server: name -> summary."""
    missing = () if "tql" in catalogue["modules"] else ("q",)
    return {name: text for name, text in {**_COMMANDS, **_ALIASES}.items() if name not in missing}


def exit_code_of(work: Callable[[], int], exit_codes: dict[str, int]) -> int:
    """Run it; a failure becomes text on standard error and an exit code."""
    colours = coloured(sys.stderr.isatty())
    try:
        return work()
    except KbworkProblem as problem:
        sys.stderr.write(
            show_refusal(problem.title, problem.detail, problem.errors, colours=colours, sent=problem.sent)
        )
        return 3 if problem.status == 401 else exit_codes.get(problem.slug, 1)
    except (UsageError, KbworkError) as error:
        sys.stderr.write(f"kbwork: {plain(str(error))}\n")
        return error.exit_code
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # or the interpreter would complain at its end
        return 0
    except KeyboardInterrupt:
        tell("Stopped.")
        return 130


def operate(line: CommandLine, catalogue: Catalogue, commands: dict[str, str]) -> int:
    """Run an operation, or one of `commands_of`, or show a page. `commands`: those that the overview lists."""
    colours = coloured(sys.stdout.isatty())
    first = line.words[0] if line.words else None
    if first is None:
        page = overview_page if line.help else first_page
        text = page(catalogue, commands, colours=colours)
    elif first in commands_of(catalogue):
        return _command(first, line, catalogue)
    elif len(line.words) == 1:
        found = find_module(catalogue, first, commands)
        if not line.help:
            raise UsageError(f"{first} what? Verbs: {', '.join(found['verbs'])}")
        text = module_page(catalogue, first, commands, colours=colours)
    else:
        asked = build_call(line, catalogue)
        if not asked.help:
            return _call(asked)
        text = operation_page(asked.op, asked.verb, colours=colours)
    require_no_format(line)
    out(wrapped(text, _width()))
    return 0 if first or line.help else 2


def main_of(catalogue: Catalogue, argv: list[str]) -> int:
    """The command line of the one-file client: operations and commands."""
    argv, commands = unaliased(argv), commands_of(catalogue)
    if argv == ["--version"]:
        out(f"kbwork {catalogue['version']}\n")
        return 0
    return exit_code_of(
        lambda: operate(split_line(argv, commands), catalogue, commands), catalogue["exit_codes"]
    )


def _command(name: str, line: CommandLine, catalogue: Catalogue) -> int:
    if name in _ALIASES or line.help or {"-h", "--help"} & set(line.rest):
        require_no_format(line)
        page = command_page(name, commands_of(catalogue)[name], colours=coloured(sys.stdout.isatty()))
        out(wrapped(page, _width()))
        return 0
    if name == "q":
        if not line.rest or line.rest[0].startswith("-"):
            raise UsageError("q what? Give a query: q 'assignee = me'")
        query = CommandLine(line.options, ["tql", "run"], ["--tql", *line.rest], help=False)
        return _call(build_call(query, catalogue))
    admin = name == "login" and "--admin" in line.rest
    behind = split_line([word for word in line.rest if word != "--admin"] if admin else line.rest)
    if behind.words:
        raise UsageError(f"{name} takes options only, not {behind.words[0]!r}. See: kbwork {name} --help")
    options = {**line.options, **behind.options}
    if left := sorted(options.keys() - _TAKEN[name]):
        raise UsageError(f"{name} takes no --{left[0].replace('_', '-')}. See: kbwork {name} --help")
    return _login(options, admin=admin) if name == "login" else _logout(options)


def _login(options: dict[str, str], *, admin: bool) -> int:
    name = options.get("profile", "default")
    known = profiles().get(name)
    url = options.get("url") or os.environ.get("KBWORK_URL") or (known.url if known else None)
    try:
        made = sign_in(url or _USUAL_URL, profile=name, admin=admin)
    except Unreachable:
        if url:
            raise
        raise UsageError(f"login needs --url URL: no server answers at {_USUAL_URL}.") from None
    tell(f"Signed in to {made.url}; the key is in {profiles_file()}")
    if admin:
        with ApiClient(profile=name) as client:
            scopes = client.call("auth.me")["scopes"]
        if "admin" not in scopes:
            tell("It has no rights of an admin: you have none, or did not approve them.")
    return 0


def _logout(options: dict[str, str]) -> int:
    name = options.get("profile") or next(iter(profiles()), "default")
    if not forget(name):
        raise NotSignedIn(f"There is no profile {name!r}.")
    tell(f"Forgot the key of the profile {name!r}. It opens the server until it is revoked there, on /keys.")
    return 0


def _width() -> int | None:
    """That of the terminal; elsewhere lines are as long as they are."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _call(asked: CommandCall) -> int:
    options = asked.options
    client = ApiClient(options.get("url"), key_file=options.get("key_file"), profile=options.get("profile"))
    client.retries = _RETRIES
    client.reads = frozenset({asked.op} if asked.verb["class"] == "read" else ()) | BESIDE
    with client:
        answer(asked, client)
    return 0
