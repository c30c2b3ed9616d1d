"""One command line of `kbwork`: one of its own commands, or an operation of a server."""

import importlib
from typing import Any

from kbwork import __version__
from kbwork.cli.build import Line, Usage, split_line, unaliased
from kbwork.cli.command import commands_of, guarded, operate
from kbwork.contract import load

_OWN = {
    "init": ("kbwork.cli.init:init", "make a data folder with its first owner"),
    "serve": ("kbwork.cli.serve:serve", "start the server"),
    "demo": ("kbwork.cli.demo:demo", "make a sample org to look around in"),
    "doctor": ("kbwork.cli.doctor:doctor", "look for what is wrong, and say how to mend it"),
    "backup": ("kbwork.cli.backup:backup", "take a backup of a data folder, or of a server"),
    "restore": ("kbwork.cli.restore:restore", "put a backup back into a data folder"),
    "import": ("kbwork.cli.imports:import_", "bring in projects from another tool"),
    "config": ("kbwork.cli.config:config", "show the settings in force"),
    "contract": ("kbwork.cli.contract:contract", "write the contract and the clients anew"),
    "completion": ("kbwork.cli.completion:completion", "print the completion script for bash, zsh or fish"),
    "docs": ("kbwork.cli.docs:docs", "print a page of the manual"),
    "flags test": ("kbwork.cli.flags_test:test", "hold the rules of flags against files of cases"),
    "flags import": ("kbwork.cli.flags_import:import_", "bring in flags from LaunchDarkly"),
}
"""Commands that need no server: their words -> (where the click command is, what it does)."""
_COMPLETE = "--complete"


def main(argv: list[str]) -> int:
    """Run one command line; answers its exit code."""
    argv = unaliased(argv)
    if argv[:1] == ["--version"]:
        print(f"kbwork {__version__}")
        return 0
    if argv[:1] == [_COMPLETE]:
        from kbwork.cli.completion import candidates

        catalogue = load("cli.json")
        print("\n".join(candidates(argv[1:], catalogue, _listed(catalogue))))
        return 0
    exit_codes: dict[str, int] = {}
    return guarded(lambda: _run(argv, exit_codes), exit_codes)


def _listed(catalogue: dict[str, Any]) -> dict[str, str]:
    return {**{name: text for name, (_, text) in _OWN.items()}, **commands_of(catalogue)}


def _run(argv: list[str], exit_codes: dict[str, int]) -> int:
    line = split_line(argv, _OWN)
    if name := next((name for name in (" ".join(line.words), *line.words[:1]) if name in _OWN), None):
        return _own(name, line)
    catalogue = load("cli.json")
    exit_codes.update(catalogue["exit_codes"])
    listed = _listed(catalogue)
    return operate(split_line(argv, listed), catalogue, listed)


def _own(name: str, line: Line) -> int:
    import click

    if line.options:
        raise Usage(f"Options of {name} stand behind it.")
    file, _, attribute = _OWN[name][0].partition(":")
    command: click.Command = getattr(importlib.import_module(file), attribute)
    try:
        return int(command.main(line.rest, prog_name=f"kbwork {name}", standalone_mode=False) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        text = " ".join(error.format_message().split())
        end = "" if text.endswith((".", "?", ")")) else "."
        raise Usage(f"{text}{end} See: {name} --help") from None
    except click.ClickException as error:
        error.show()
        return error.exit_code
