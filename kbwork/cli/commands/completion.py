"""`kbwork completion`: scripts for the shells, and what they ask for: words that fit next."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import click

from kbwork.client.argv import FORMATS, OPTIONS, SWITCHES, Catalogue

LiveValues = Callable[[str, str, str, dict[str, str]], list[str]]
"""Answers the values for a field: of this module, by this name, begun so, beside these options."""
_SCRIPTS = {
    "bash": """\
_kbwork() {
  local IFS=$'\\n'
  COMPREPLY=($(kbwork --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _kbwork kbwork
""",
    "zsh": """\
#compdef kbwork
_kbwork() {
  local -a found
  found=("${(@f)$(kbwork --complete "${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _kbwork kbwork
""",
    "fish": """\
function __kbwork
  kbwork --complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c kbwork -f -a '(__kbwork)'
""",
}


@click.command()
@click.argument("shell", type=click.Choice(sorted(_SCRIPTS)))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    bash: add `source <(kbwork completion bash)` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc.
    fish: kbwork completion fish > ~/.config/fish/completions/kbwork.fish
    """
    click.echo(_SCRIPTS[shell], nl=False)


def candidates(
    words: list[str], catalogue: Catalogue, commands: dict[str, str], live: LiveValues | None = None
) -> list[str]:
    """What may stand where the last word (which may be empty) stands. `live` knows what a server has for a field."""
    *before, last = words or [""]
    found = _fitting(before, last, catalogue, commands, live or (lambda *_: []))
    return [word for word in found if word.startswith(last)]


def _fitting(
    before: list[str], last: str, catalogue: Catalogue, commands: dict[str, str], live: LiveValues
) -> list[str]:
    options = [option for option in (*OPTIONS, *SWITCHES) if option.startswith("--")]
    if before and before[-1] in ("-o", "--output"):
        return list(FORMATS)
    named = _named(before)
    if not named:
        first = dict.fromkeys(name.partition(" ")[0] for name in commands)
        return [*dict.fromkeys([*catalogue["modules"], *first]), *options, "--help", "--version"]
    verbs = catalogue["modules"].get(named[0], {"verbs": {}})["verbs"]
    if len(named) == 1:
        second = [name.partition(" ")[2] for name in commands if name.startswith(f"{named[0]} ")]
        return [*verbs, *second, "--help"] if verbs or second else []
    fields = verbs.get(named[1].replace("-", "_"), {"fields": []})["fields"]
    flags = {"--" + field["name"].replace("_", "-"): field for field in fields}
    field = flags.get(before[-1]) or _bare(before, last, named[1], fields)
    if field is None:
        return [*flags, *options, "--help"]
    return _values(field) or live(named[0], field["name"], last, _given(before))


def _bare(before: list[str], last: str, verb: str, fields: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The field that a word behind the verb stands for without its name."""
    if last.startswith("-") or before[-1] != verb:
        return None
    return next((field for field in fields if field.get("required")), None)


def _given(before: list[str]) -> dict[str, str]:
    """Options with their values, by the names of fields."""
    return {flag[2:].replace("-", "_"): value for flag, value in pairwise(before) if flag.startswith("--")}


def _named(before: list[str]) -> list[str]:
    """Module and verb, without the options that may stand before them."""
    named: list[str] = []
    left = list(before)
    while left and len(named) < 2:
        word = left.pop(0)
        if word in OPTIONS:
            left = left[1:]
        elif not word.startswith("-"):
            named.append(word)
    return named


def _values(field: dict[str, Any]) -> list[str]:
    if field["type"] == "bool":
        return ["true", "false"]
    return [str(value) for value in field.get("enum", [])]
