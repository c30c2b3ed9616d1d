"""The pages of `--help`: the whole command, one module, one operation."""

from __future__ import annotations

import json
import keyword
import re
import shlex
import textwrap
from typing import Any

from kbwork.client.argv import Catalogue
from kbwork.client.output import bold

_OPTIONS = """\
  --url URL          the server (or KBWORK_URL, or the profile of `login`)
  --key-file FILE    a file that holds the key (or KBWORK_KEY, or the profile)
  --profile NAME     another profile than the last one of `login`
  -o FORMAT          json, table, csv or ids; table on a terminal, else json. A table shows the main fields
  --columns A,B      these fields of a list, in this order, as table, csv or json
  --all              all pages of a list, up to 10,000 rows
  --no-pager         write to the terminal at once; else what is longer than it goes through $PAGER
  --input SOURCE     the whole body: JSON, a file, or - for standard input; fields go over it
"""
_COMMAND_OPTIONS = {
    "login": """\
  --url URL       the server, such as https://work.example.org (or KBWORK_URL, or the profile's, or the one at
                  http://127.0.0.1:8080)
  --profile NAME  what to keep the key under: `default` unless given; the last one signed in to is used
  --admin         a key with the rights of an admin, too: for imports, flag projects and settings
""",
    "logout": """\
  --profile NAME  whose key to forget: the one in use unless given
""",
    "q": _OPTIONS,
}
_FIRST = ("serve", "demo", "login", "find", "q", "docs", "doctor")
_USAGE = ("Usage: kbwork <module> <verb> [--field value ...]", "       kbwork <command>", "")
_NARROWEST = 40
_COPIED = ("  kbwork ", "  curl ", "  Kbwork()", "Usage: ")
_COLUMN = re.compile(r" +\S.*? {2,}(?=\S)|  +(?=\S)")
_WAYS = """\
The first required field may stand behind the verb without its name.
A list: repeat its option, or give JSON. An object: JSON. Yes or no: --flag, --no-flag. Nothing: --field null.
"""


def overview_page(catalogue: Catalogue, commands: dict[str, str], *, colours: bool) -> str:
    """`commands`: name -> summary of what is no operation."""
    lines = [*_USAGE, bold("Commands", colours), *_two(commands), ""]
    abouts = {name: _sentence(module["about"]) for name, module in catalogue["modules"].items()}
    lines += [bold("Modules", colours), *_two(abouts), ""]
    lines += [bold("Options", colours), _OPTIONS]
    lines += ["Exit codes: 0 done, 1 refused, 2 bad usage, 3 not signed in, 4 network.", ""]
    return "\n".join(lines)


def first_page(catalogue: Catalogue, commands: dict[str, str], *, colours: bool) -> str:
    """What whoever gives no word at all sees: where to begin, and where the rest stands."""
    first = {name: commands[name] for name in _FIRST if name in commands}
    lines = [*_USAGE, bold("Begin with", colours), *_two(first), ""]
    lines += [bold("Modules", colours), f"  {', '.join(catalogue['modules'])}", ""]
    lines += [
        "  kbwork issues --help         the verbs of a module",
        "  kbwork issues create --help  what one takes, with examples",
        "  kbwork --help                all commands, modules and options",
        "",
    ]
    return "\n".join(lines)


def command_page(name: str, summary: str, *, colours: bool) -> str:
    """The page of what is no operation."""
    lines = [f"Usage: kbwork {summary.partition(': ')[2] or name}", ""]
    text = summary.partition(": ")[0]
    lines += [text[:1].upper() + text[1:] + ".", ""]
    if options := _COMMAND_OPTIONS.get(name):
        lines += [bold("Options", colours), options]
    return "\n".join(lines)


def module_page(catalogue: Catalogue, name: str, commands: dict[str, str], *, colours: bool) -> str:
    """`commands`: name -> summary of what is no operation; those that begin with the module's name are here too."""
    found = catalogue["modules"][name]
    verbs = {verb: entry["summary"] for verb, entry in found["verbs"].items()}
    lines = [f"Usage: kbwork {name} <verb> [--field value ...]", ""]
    if found["about"]:
        lines += [found["about"], ""]
    own = {
        command.removeprefix(f"{name} "): f"{text[:1].upper()}{text[1:].partition(': ')[0]}"
        for command, text in commands.items()
        if command.startswith(f"{name} ")
    }
    lines += [
        bold("Verbs", colours),
        *_two(dict(sorted((verbs | own).items()))),
        "",
        f"More: kbwork {name} <verb> --help",
        "",
    ]
    return "\n".join(lines)


def operation_page(op: str, verb: dict[str, Any], *, colours: bool) -> str:
    name, _, word = op.partition(".")
    lines = [f"Usage: kbwork {name} {word} [--field value ...]", "", verb["doc"], ""]
    if verb["fields"]:
        lines += [
            bold("Fields", colours),
            *_two({_head(field): _tail(field) for field in verb["fields"]}),
            "",
        ]
        lines += [_WAYS]
    lines += [bold("Examples", colours), *(f"  {line}" for line in examples(op, verb)), ""]
    lines += [bold("Options", colours), _OPTIONS]
    return "\n".join(lines)


def wrapped(text: str, width: int | None) -> str:
    """The page within this width: a text in a second column stays there. What is to be copied stays on its line."""
    if width is None:
        return text
    room = max(width, _NARROWEST)
    lines: list[str] = []
    for line in _flowed(text):
        if len(line) <= room or line.startswith(_COPIED):
            lines.append(line)
            continue
        found = _COLUMN.match(line)
        indent = " " * (found.end() if found and found.end() <= room // 2 else 2 if line[:1] == " " else 0)
        lines += textwrap.wrap(
            line, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(lines)


def _flowed(text: str) -> list[str]:
    """Its lines; those of a paragraph, which begin at the margin, as one."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line[:1].strip() and lines and lines[-1][:1].strip() and not lines[-1].startswith(_COPIED):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return lines


def examples(op: str, verb: dict[str, Any]) -> list[str]:
    """The example of an operation as command, as HTTP call and in Python."""
    name, _, word = op.partition(".")
    example: dict[str, Any] = verb["example"]
    repeated = {field["name"] for field in verb["fields"] if field.get("repeated")}
    words = ["kbwork", name, word]
    for field, value in example.items():
        words += _words(field, value, field in repeated)
    body = shlex.quote(json.dumps(example, ensure_ascii=False))
    arguments = ", ".join(f"{python_name(field)}={value!r}" for field, value in example.items())
    headers = '-H "Authorization: Bearer $KBWORK_KEY" -H "Content-Type: application/json"'
    return [
        shlex.join(words),
        f'curl "$KBWORK_URL/api/v1/{op}" {headers} -d {body}',
        f"Kbwork().{name}.{python_name(word)}({arguments})",
    ]


def python_name(name: str) -> str:
    """`from_` for `from`: a word that Python keeps for itself gets an underscore."""
    return name + "_" if keyword.iskeyword(name) else name


def _words(field: str, value: Any, repeated: bool) -> list[str]:
    flag = "--" + field.replace("_", "-")
    if (
        repeated
        and isinstance(value, list)
        and value
        and not any(isinstance(each, (list, dict)) for each in value)
    ):
        return [word for each in value for word in (flag, _word(each))]
    return [flag, _word(value)]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _head(field: dict[str, Any]) -> str:
    """`--tags string ...`: the option and what it takes."""
    kind = "true|false" if field["type"] == "bool" else field["type"]
    if "enum" in field:
        kind = "|".join(str(each) for each in field["enum"])
        kind = kind if len(kind) <= 40 else field["type"]
    return f"--{field['name'].replace('_', '-')} {kind}{' ...' if field.get('repeated') else ''}"


def _tail(field: dict[str, Any]) -> str:
    parts = ["required."] if field.get("required") else []
    parts += [field["help"]] if field.get("help") else []
    if len("|".join(str(each) for each in field.get("enum", []))) > 40:
        parts.append(f"One of {', '.join(str(each) for each in field['enum'])}.")
    parts += ["Base64, or a file as `@path`."] if field.get("bytes") else []
    return " ".join(parts)


def _sentence(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _two(rows: dict[str, str]) -> list[str]:
    """Two columns; a text behind a long name goes below it."""
    widest = max((len(name) for name in rows if len(name) <= 32), default=0)
    lines = []
    for name, text in rows.items():
        if len(name) > widest:
            lines += [f"  {name}", f"  {'':<{widest}}  {text}".rstrip()]
        else:
            lines.append(f"  {name:<{widest}}  {text}".rstrip())
    return [line for line in lines if line]
