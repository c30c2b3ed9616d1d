"""One command line of `kbwork`: one of its own commands, or an operation of a server."""

import importlib
from functools import partial
from typing import Any

from kbwork import __version__
from kbwork.client.argv import CommandLine, UsageError, split_line, unaliased
from kbwork.client.suggest import nearest
from kbwork.contract import load

_OWN = {
    "init": ("kbwork.cli.commands.init:init", "make a data folder with its first owner"),
    "serve": ("kbwork.cli.commands.serve:serve", "start the server"),
    "edge": ("kbwork.cli.machines.edge:edge", "serve flags beside the programs that ask for them"),
    "demo": ("kbwork.cli.commands.demo:demo", "make a sample org to look around in"),
    "doctor": ("kbwork.cli.commands.doctor:doctor", "look for what is wrong, and say how to mend it"),
    "backup": ("kbwork.cli.commands.backup:backup", "take a backup of a data folder, or of a server"),
    "restore": ("kbwork.cli.commands.restore:restore", "put a backup back into a data folder"),
    "replica restore": ("kbwork.cli.machines.replica:restore", "restore the data from the replica"),
    "replica drill": ("kbwork.cli.machines.replica:drill", "try whether the replica can be restored"),
    "replica epochs": ("kbwork.cli.machines.epochs:epochs", "list who wrote when into the replica"),
    "replica late": ("kbwork.cli.machines.epochs:late", "list what was written behind a takeover"),
    "standby": ("kbwork.cli.machines.standby:standby", "follow the replica, to be put into service"),
    "promote": ("kbwork.cli.machines.standby:promote", "take over with the newest data, and serve them"),
    "replica key": ("kbwork.cli.machines.replica:key", "seal master.key into the replica by a passphrase"),
    "cells": ("kbwork.cli.machines.cells:cells", "serve many orgs, each started at its first request"),
    "cells status": (
        "kbwork.cli.machines.cells:status",
        "say which orgs are awake, and until when the others sleep",
    ),
    "members reset": (
        "kbwork.cli.commands.members_reset:reset",
        "make a link by which somebody sets a new password",
    ),
    "mail test": (
        "kbwork.cli.commands.mail_test:test",
        "send one test letter by the mail server of the settings",
    ),
    "systemd install": (
        "kbwork.cli.systemd:install",
        "install the unit by which systemd starts the server",
    ),
    "import": ("kbwork.cli.commands.imports:import_", "bring in projects from another tool"),
    "config": ("kbwork.cli.commands.config:config", "show the settings in force"),
    "contract": ("kbwork.cli.commands.contract:contract", "write the contract and the clients anew"),
    "completion": (
        "kbwork.cli.commands.completion:completion",
        "print the completion script for bash, zsh or fish",
    ),
    "docs": ("kbwork.cli.commands.docs:docs", "print a page of the manual"),
    "flags test": ("kbwork.cli.commands.flags_test:test", "hold the rules of flags against files of cases"),
    "flags on": ("kbwork.cli.flag_switch:on", "switch a flag on: flags on KEY --env test"),
    "flags off": ("kbwork.cli.flag_switch:off", "switch a flag off: flags off KEY --env test"),
    "flags rollout": (
        "kbwork.cli.flag_switch:rollout",
        "serve a flag to a part of all: flags rollout KEY 25 --env test",
    ),
    "find": ("kbwork.cli.find:find", "find operations by what you want to do: find close an issue"),
    "flags refs scan": (
        "kbwork.cli.flagcode.refs:scan",
        "find where code names flags, and push it: flags refs scan . --project shop",
    ),
    "flags codegen": (
        "kbwork.cli.flagcode.codegen:codegen",
        "write typed code for a project's flags: flags codegen --lang ts --project shop",
    ),
    "flags import": ("kbwork.cli.commands.flags_import:import_", "bring in flags from LaunchDarkly"),
}
"""Commands that need no server: their words -> (where the click command is, what it does)."""
_COMPLETE = "--complete"


def main(argv: list[str]) -> int:
    """Run one command line; answers its exit code."""
    argv = unaliased(argv)
    if argv == ["--version"]:
        print(f"kbwork {__version__}")
        return 0
    if argv[:1] == [_COMPLETE]:
        from kbwork.cli.commands.completion import candidates

        catalogue = load("cli.json")
        from kbwork.cli.live_values import live_values

        print("\n".join(candidates(argv[1:], catalogue, _listed(catalogue), live_values)))
        return 0
    exit_codes: dict[str, int] = {}
    try:
        return _run(argv, exit_codes)
    except (Exception, KeyboardInterrupt) as failure:
        from kbwork.client.command import exit_code_of

        return exit_code_of(partial(_fail, failure), exit_codes)


def _fail(failure: BaseException) -> int:
    raise failure


def _listed(catalogue: dict[str, Any]) -> dict[str, str]:
    from kbwork.client.command import commands_of  # the client of a server, which a server that starts is not

    return {**{name: text for name, (_, text) in _OWN.items()}, **commands_of(catalogue)}


def _run(argv: list[str], exit_codes: dict[str, int]) -> int:
    line = split_line(argv, _OWN)
    if (longest := " ".join([*line.words, *line.rest[:1]])) in _OWN:
        return _own(longest, line._replace(rest=line.rest[1:]))
    if name := next((name for name in (" ".join(line.words), *line.words[:1]) if name in _OWN), None):
        return _own(name, line)
    from kbwork.client.command import operate

    catalogue = load("cli.json")
    exit_codes.update(catalogue["exit_codes"])
    if line.words and line.words[0] not in catalogue["modules"] and (several := _beginning(line.words[0])):
        return _several(line, several)
    listed = _listed(catalogue)
    return operate(split_line(argv, listed), catalogue, listed)


def _beginning(word: str) -> dict[str, str]:
    """Commands of several words, of which it is the first: what each does."""
    return {name: text for name, (_, text) in _OWN.items() if name.startswith(f"{word} ")}


def _several(line: CommandLine, commands: dict[str, str]) -> int:
    """Say which they are: the word alone is none of them."""
    first, *others = line.words
    if others:
        raise UsageError(f"{first} has no command {others[0]!r}.{nearest(' '.join(line.words), commands)}")
    if not line.help:
        raise UsageError(f"{first} what? Commands: {', '.join(commands)}")
    width = max(map(len, commands))
    print("\n".join([f"kbwork {name:{width}}  {text}" for name, text in commands.items()]))
    return 0


def _own(name: str, line: CommandLine) -> int:
    import click

    file, _, attribute = _OWN[name][0].partition(":")
    command: click.Command = getattr(importlib.import_module(file), attribute)
    try:
        given = _in_front(name, line.options, {flag for one in command.params for flag in one.opts})
        return int(command.main([*given, *line.rest], prog_name=f"kbwork {name}", standalone_mode=False) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        text = " ".join(error.format_message().split())
        end = "" if text.endswith((".", "?", ")")) else "."
        raise UsageError(f"{text}{end} See: kbwork {name} --help") from None
    except click.ClickException as error:
        error.show()
        return error.exit_code


def _in_front(name: str, options: dict[str, str], known: set[str]) -> list[str]:
    """Options that stood before the words of a command, as it takes them behind. Raises UsageError."""
    flags = {option: f"--{option.replace('_', '-')}" for option in options}
    if wrong := [flag for flag in flags.values() if flag not in known]:
        raise UsageError(f"{name} takes no {wrong[0]}. See: kbwork {name} --help")
    return [f"{flags[option]}={value}" for option, value in options.items()]
