"""The `kbwork` command: its own commands, and every operation of a server."""

import importlib
import sys
from typing import Any

from kbwork import __version__
from kbwork.cli.build import Line, Usage, split_line
from kbwork.cli.command import COMMANDS, guarded, operate
from kbwork.contract import load

_OWN = {
    "init": ("kbwork.cli.init:init", "make a data folder with its first owner"),
    "serve": ("kbwork.cli.serve:serve", "start the server"),
    "doctor": ("kbwork.cli.doctor:doctor", "look for what is wrong, and say how to mend it"),
    "import": ("kbwork.cli.imports:import_", "bring in projects from another tool"),
    "config": ("kbwork.cli.config:config", "show the settings in force"),
    "contract": ("kbwork.cli.contract:contract", "write the contract and the clients anew"),
    "completion": ("kbwork.cli.completion:completion", "print the completion script for bash, zsh or fish"),
    "docs": ("kbwork.cli.docs:docs", "print a page of the manual"),
}
"""Commands that need no server: name -> (where its click command is, what it does)."""
_LISTED = {**{name: text for name, (_, text) in _OWN.items()}, **COMMANDS}
_COMPLETE = "--complete"


def run() -> None:
    """Ends the process with the exit code."""
    raise SystemExit(main(sys.argv[1:]))


def main(argv: list[str]) -> int:
    """Run one command line; answers its exit code."""
    if argv[:1] == ["--version"]:
        print(f"kbwork {__version__}")
        return 0
    if argv[:1] == [_COMPLETE]:
        from kbwork.cli.completion import candidates

        print("\n".join(candidates(argv[1:], load("cli.json"), _LISTED)))
        return 0
    exit_codes: dict[str, int] = {}
    return guarded(lambda: _run(argv, exit_codes), exit_codes)


def _run(argv: list[str], exit_codes: dict[str, int]) -> int:
    line = split_line(argv, _LISTED)
    if line.words and line.words[0] in _OWN:
        return _own(line)
    catalogue = load("cli.json")
    exit_codes.update(catalogue["exit_codes"])
    return operate(line, catalogue, _LISTED)


def _own(line: Line) -> int:
    name = line.words[0]
    if line.options:
        raise Usage(f"Options of {name} stand behind it.")
    file, _, attribute = _OWN[name][0].partition(":")
    command: Any = getattr(importlib.import_module(file), attribute)
    command.main(line.rest, prog_name=f"kbwork {name}")
    return 0
