"""`kbwork flags codegen`: typed code for the flags of a project, over the client libraries."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from kbwork.cli.errors import CommandError

Json = dict[str, Any]
_MADE = "Made by `kbwork flags codegen` of the flag project {}. Make it anew instead of changing it."
_CALLS = {"bool": "boolean", "string": "string", "number": "number", "json": "json"}
_TS = {"bool": "boolean", "string": "string", "number": "number", "json": "unknown"}
_PYTHON = {"bool": "bool", "string": "str", "number": "float", "json": "Any"}
_LONGEST = 200


@click.command(
    name="codegen",
    help="Write code with a typed function for each flag of a project that is not archived, to standard output or a"
    " file. The default is what the flag serves while it is off, unless a call gives another.",
)
@click.option("--lang", type=click.Choice(["ts", "python"]), required=True, help="The language.")
@click.option("--project", required=True, help="Key of the flag project.")
@click.option("--browser", is_flag=True, help="For pages: those flags alone that client-side IDs see.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file; else standard output."
)
@click.option("--server", "--url", help="Address of the server; else KBWORK_URL, else the profile.")
@click.option("--key-file", help="File that holds a key with flags:read; else KBWORK_KEY, else the profile.")
def codegen(  # noqa: PLR0913 - the options of the command, by name
    *,
    lang: str,
    project: str,
    browser: bool,
    out: Path | None,
    server: str | None,
    key_file: str | None,
) -> None:
    """The same flags give the same text."""
    from kbwork.cli.runner import command_error
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    if browser and lang != "ts":
        raise CommandError("--browser is for TypeScript: pages run no Python.", exit_code=2)
    try:
        with ApiClient(server, key_file=key_file) as client:
            flags = client.call("flags.list", {"project": project})
    except KbworkError as error:
        raise command_error(error) from None
    text = python(project, flags) if lang == "python" else typescript(project, flags, browser=browser)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{out}: {error.strerror}", exit_code=2) from None


def typescript(project: str, flags: list[Json], *, browser: bool = False) -> str:
    """A module that compiles under `strict`."""
    named = list(_named([one for one in flags if one["client_side"] or not browser], _camel))
    client, module = ("BrowserClient", "/browser") if browser else ("Client", "")
    asked, given = ("", "") if browser else ("context: unknown, ", ", context")
    lines = [
        f"/** {_comment(_MADE.format(project))} */",
        f'import type {{ {client} }} from "@kbwork/flags{module}";',
        "",
        "/** The keys of the flags. */",
        "export const keys = {",
        *(f"  {name}: {json.dumps(flag['key'])}," for name, flag in named),
        "} as const;",
        "",
        "export type FlagKey = (typeof keys)[keyof typeof keys];",
        "",
        "/** What each flag serves, by a client. */",
        f"export const flagsOf = (client: {client}) => ({{",
    ]
    for name, flag in named:
        kind = _TS[flag["kind"]]
        lines += [
            f"  /** {_comment(_about(flag))} */",
            f"  {name}: ({asked}fallback: {kind} = {json.dumps(_default(flag))}): {kind} =>",
            f"    client.{_CALLS[flag['kind']]}({json.dumps(flag['key'])}, fallback{given}),",
        ]
    used = [] if named else ["void client;"]
    if used:
        lines[-1] = f"export const flagsOf = (client: {client}) => (void client, {{"
    lines += ["});", ""]
    return "\n".join(lines)


def python(project: str, flags: list[Json]) -> str:
    """A module that mypy takes under `--strict`."""
    named = list(_named(flags, _snake))
    needs_any = any(flag["kind"] == "json" for _, flag in named)
    keys = ", ".join(repr(flag["key"]) for _, flag in named)
    lines = [
        f"# {_plain(_MADE.format(project))}",
        "",
        f"from typing import {'Any, ' if needs_any else ''}Literal",
        "",
        "from kbwork.flags import AsyncClient, Client",
        "",
        f"FlagKey = Literal[{keys or None}]",
        "",
        "",
        "class Flags:",
        "    # What each flag serves, by a client.",
        "",
        "    def __init__(self, client: Client | AsyncClient) -> None:",
        "        self._client = client",
    ]
    for name, flag in named:
        kind = _PYTHON[flag["kind"]]
        default = _default(flag) if flag["kind"] != "json" else None
        lines += [
            "",
            f"    def {name}(self, context: object, default: {kind} = {default!r}) -> {kind}:",
            f"        # {_plain(_about(flag))}",
            f"        return self._client.{_CALLS[flag['kind']]}({flag['key']!r}, default, context)",
        ]
    return "\n".join([*lines, ""])


def _named(flags: list[Json], spelt: Callable[[str], str]) -> Iterator[tuple[str, Json]]:
    """Each flag with a name of its own, by key."""
    taken: set[str] = set()
    for flag in sorted(flags, key=lambda one: str(one["key"])):
        name = plain = spelt(flag["key"])
        number = 1
        while name in taken:
            number += 1
            name = f"{plain}_{number}"
        taken.add(name)
        yield name, flag


def _camel(key: str) -> str:
    first, *rest = _words(key)
    return first[:1].lower() + first[1:] + "".join(word[:1].upper() + word[1:] for word in rest)


def _snake(key: str) -> str:
    name = "_".join(_words(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", key))).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def _words(key: str) -> list[str]:
    """Of a key, such that they make a name in both languages."""
    found = [word for word in re.split(r"[._-]+", key) if word] or ["flag"]
    return found if not found[0][0].isdigit() else ["flag", *found]


def _default(flag: Json) -> Any:
    """What it serves while it is off."""
    return flag["variations"][flag["defaults"]["off"]]["value"]


def _about(flag: Json) -> str:
    more = f": {flag['description']}" if flag["description"] else ""
    return f"{flag['name']}{more}"


def _comment(text: str) -> str:
    """What ends no comment of TypeScript."""
    return _plain(text).replace("*/", "* /")


def _plain(text: str) -> str:
    """On one line."""
    from kbwork.base.text import printable

    line = " ".join(printable(text).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
