"""`kbwork completion`: scripts for the shells, and what they ask for: words that fit next."""

from typing import Any

import click

from kbwork.client.argv import FORMATS, OPTIONS, SWITCHES, Catalogue

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


def candidates(words: list[str], catalogue: Catalogue, commands: dict[str, str]) -> list[str]:
    """What may stand where the last word (which may be empty) stands."""
    *before, last = words or [""]
    return [word for word in _fitting(before, catalogue, commands) if word.startswith(last)]


def _fitting(before: list[str], catalogue: Catalogue, commands: dict[str, str]) -> list[str]:
    options = [option for option in (*OPTIONS, *SWITCHES) if option.startswith("--")]
    if before and before[-1] in ("-o", "--output"):
        return list(FORMATS)
    named = _named(before)
    if not named:
        return [*catalogue["modules"], *commands, *options, "--help", "--version"]
    verbs = catalogue["modules"].get(named[0], {"verbs": {}})["verbs"]
    if len(named) == 1:
        return [*verbs, "--help"] if verbs else []
    fields = {
        "--" + field["name"].replace("_", "-"): field
        for field in verbs.get(named[1], {"fields": []})["fields"]
    }
    if before[-1] in fields:
        return _values(fields[before[-1]])
    return [*fields, *options, "--help"]


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
