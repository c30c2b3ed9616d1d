"""From words on the command line to one call: options, fields and what they mean."""

from __future__ import annotations

import base64
import json
import shlex
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from kbwork.client.suggest import nearest

Catalogue = dict[str, Any]
"""`contract/cli.json`."""
OPTIONS = {
    "--url": "url",
    "--key-file": "key_file",
    "--profile": "profile",
    "--output": "output",
    "-o": "output",
    "--input": "input",
    "--columns": "columns",
}
SWITCHES = {"--all": "all", "--no-pager": "no_pager"}
"""Options that take no value."""
FORMATS = ("json", "table", "csv", "ids")
_WORDS = {"true": True, "false": False, "null": None}


class UsageError(Exception):
    """The command line cannot be read; the text says what to mend."""

    exit_code = 2


class CommandLine(NamedTuple):
    """A command line: options before the words, at most two words, and what stands behind them."""

    options: dict[str, str]
    words: list[str]
    rest: list[str]
    help: bool


class CommandCall(NamedTuple):
    """What to run and how to show it."""

    op: str
    verb: dict[str, Any]
    fields: dict[str, Any]
    options: dict[str, str]
    help: bool


def unaliased(argv: list[str]) -> list[str]:
    """`help x y` as `x y --help`, and `version` as `--version`."""
    if argv[:1] == ["help"]:
        return [*argv[1:], "--help"]
    return ["--version"] if argv == ["version"] else argv


def split_line(argv: list[str], single: Iterable[str] = ()) -> CommandLine:
    """Tell options, words and the rest apart; behind a word of `single`, all is rest. Raises UsageError."""
    options: dict[str, str] = {}
    words: list[str] = []
    left = list(argv)
    while left and len(words) < 2:
        token = left.pop(0)
        if token in ("-h", "--help"):
            return CommandLine(options, words, left, help=True)
        if token.startswith("--version"):
            raise UsageError("--version stands alone.")
        if token.startswith("-"):
            _option(token, left, options)
        else:
            words.append(token)
            if token in single:
                break
    return CommandLine(options, words, left, help=False)


def build_call(line: CommandLine, catalogue: Catalogue) -> CommandCall:
    """The call that a line of two words asks for. Raises UsageError."""
    module, name = line.words[0], line.words[1].replace("-", "_")
    verb = find_verb(catalogue, module, name)
    options = dict(line.options)
    given: dict[str, Any] = {}
    left = list(line.rest)
    bare: dict[str, Any] = {}
    while left:
        token = left.pop(0)
        if token in ("-h", "--help"):
            return CommandCall(f"{module}.{name}", verb, {}, options, help=True)
        if not token.startswith("-"):
            bare = _bare(token, verb, {**given, **bare})
        elif not _field(token, left, verb, given):
            _require_no_other(token, left, f"{module}.{name}", catalogue, given | bare)
            _option(token, left, options, known=_flags(verb))
    if twice := bare.keys() & given.keys():
        raise UsageError(f"{name} got {_flag({'name': min(twice)})} twice: as a bare word, and by its name.")
    if verb["class"] == "read" and "columns" in given:  # they are answered alone, and shown in this order
        options["columns"] = ",".join(map(str, given["columns"]))
        given["columns"] = [name.strip() for name in options["columns"].split(",") if name.strip()]
    fields = {**_input(options.pop("input", None)), **bare, **given}
    missing = [
        _flag(field) for field in verb["fields"] if field.get("required") and field["name"] not in fields
    ]
    if missing:
        raise UsageError(f"{module} {name} needs {', '.join(missing)}. See: kbwork {module} {name} --help")
    _require_fitting(options, module, name, verb)
    return CommandCall(f"{module}.{name}", verb, fields, options, help=False)


def _require_fitting(options: dict[str, str], module: str, name: str, verb: dict[str, Any]) -> None:
    """Raises UsageError for an option that says nothing here, before anything is asked for."""
    if "all" in options and "cursor" not in {field["name"] for field in verb["fields"]}:
        raise UsageError(f"{module} {name} answers all at once: --all is for lists that come in pages.")
    if "columns" in options and options.get("output") == "ids":
        raise UsageError("--columns chooses what a table, csv or json holds; ids are one column.")
    if "columns" in options and verb["class"] != "read":
        raise UsageError(f"{module} {name} changes something: --columns is for what is looked at.")
    if options.get("output") == "ids" and verb.get("unnamed"):
        raise UsageError(f"{module} {name} answers nothing that has an id: -o takes json, table or csv.")


def require_no_format(line: CommandLine) -> None:
    """For a page of help, which is a text in any case. Raises UsageError."""
    chosen = [word.partition("=")[0] for word in line.rest]
    if "output" in line.options or {"-o", "--output"} & set(chosen):
        raise UsageError("-o is the form of an answer; a page of help is text.")


def find_verb(catalogue: Catalogue, module: str, name: str) -> dict[str, Any]:
    """Raises UsageError naming the nearest module or verb."""
    verbs = find_module(catalogue, module)["verbs"]
    if name not in verbs:
        raise UsageError(
            f"{module} has no verb {name!r}.{nearest(name, verbs) or ' Verbs: ' + ', '.join(verbs)}"
        )
    found: dict[str, Any] = verbs[name]
    return found


def find_module(catalogue: Catalogue, module: str, beside: Iterable[str] = ()) -> dict[str, Any]:
    """Raises UsageError naming the nearest module, or word of `beside`."""
    modules: dict[str, Any] = catalogue["modules"]
    if module not in modules:
        raise UsageError(f"There is no module or command {module!r}.{nearest(module, [*modules, *beside])}")
    found: dict[str, Any] = modules[module]
    return found


def _option(token: str, left: list[str], options: dict[str, str], known: Iterable[str] = ()) -> None:
    name, equals, value = token.partition("=")
    if token in SWITCHES:
        options[SWITCHES[token]] = "yes"
        return
    if name not in OPTIONS:
        raise UsageError(f"There is no option {name}.{_meant(name, list(known))}")
    if not equals:
        value = _next(name, left, known)
    if OPTIONS[name] == "output" and value not in FORMATS:
        raise UsageError(f"{name} takes {', '.join(FORMATS)}, not {value!r}.{nearest(value, FORMATS)}")
    options[OPTIONS[name]] = value


def _require_no_other(
    token: str, left: list[str], op: str, catalogue: Catalogue, given: dict[str, Any]
) -> None:
    """Raises UsageError for what another verb asks for, with the command line of that one."""
    (module, _, name), (flag, equals, value) = op.partition("."), token.partition("=")
    verbs = catalogue["modules"][module]["verbs"]
    if flag in {*OPTIONS, *SWITCHES} or not flag.startswith("--") or verbs[name]["class"] == "read":
        return
    said = value if equals else next(iter(left), "...")
    for other, verb in verbs.items():
        field = _asked_by(verb, flag[2:].replace("-", "_")) if other != name else None
        if field is not None:
            shared = [each for each in verb["fields"] if each["name"] in given and each.get("required")]
            words = [word for each in shared for word in (_flag(each), str(given[each["name"]]))]
            line = shlex.join(["kbwork", module, other.replace("_", "-"), *words, _flag(field), said])
            raise UsageError(f"{module} {name} takes no {flag}. That is: {line}")


def _asked_by(verb: dict[str, Any], word: str) -> dict[str, Any] | None:
    """The field of this name, or of one that ends with it, which a verb that changes something cannot go without."""
    required = [field for field in verb["fields"] if field.get("required") and verb["class"] != "read"]
    return next((each for each in required if f"_{each['name']}".endswith(f"_{word}")), None)


def _meant(name: str, known: list[str]) -> str:
    """A field that begins so, then a near one, then a near option."""
    longer = [flag for flag in known if name.startswith("--") and flag.startswith(name)]
    if longer:
        return f" Did you mean {min(longer, key=len)}?"
    options = [option for option in (*OPTIONS, *SWITCHES) if option.startswith("--")]
    return nearest(name, known) or nearest(name, options)


def _next(name: str, left: list[str], known: Iterable[str]) -> str:
    """The word behind an option. One that is an option itself was not meant as a value."""
    if not left:
        raise UsageError(f"{name} needs a value.")
    if left[0].partition("=")[0] in {*known, *OPTIONS, *SWITCHES, "--help"}:
        raise UsageError(f"{name} needs a value. One that looks like an option is given as {name}={left[0]}")
    return left.pop(0)


def _bare(word: str, verb: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The first word behind the verb, as the first field that has to be there. Raises UsageError."""
    required = [field for field in verb["fields"] if field.get("required")]
    if required and not given:
        field = required[0]
        entries = _entries if field.get("repeated") else _value
        return {field["name"]: entries(_flag(field), field, word)}
    missing = [field for field in required if field["name"] not in given] or required
    meant = _flag(missing[0]) if missing else "--field"
    raise UsageError(f"{word!r} stands alone; name its field: {meant} {shlex.quote(word)}")


def _flag(field: dict[str, Any]) -> str:
    return "--" + str(field["name"]).replace("_", "-")


def _flags(verb: dict[str, Any]) -> list[str]:
    return [_flag(field) for field in verb["fields"]]


def _field(token: str, left: list[str], verb: dict[str, Any], given: dict[str, Any]) -> bool:
    """Take a field of the operation; False where the token names none."""
    name, equals, value = token.partition("=")
    known = {_flag(field): field for field in verb["fields"]}
    name = name.replace("_", "-")
    field = known.get(name)
    if field is None:
        field = known.get("--" + name[5:]) if name.startswith("--no-") else None
        if field is None or field["type"] != "bool" or equals:
            return False
        given[field["name"]] = False
    elif field["type"] == "bool" and not field.get("repeated") and not equals:
        given[field["name"]] = _WORDS[left.pop(0)] if left and left[0] in _WORDS else True
    else:
        text = value if equals else _next(name, left, known)
        if field.get("repeated") and text != "null":
            given.setdefault(field["name"], []).extend(_entries(name, field, text))
        else:
            given[field["name"]] = _value(name, field, text)
    return True


def _entries(name: str, field: dict[str, Any], text: str) -> list[Any]:
    """One entry, or a JSON list of them."""
    if text.startswith("["):
        try:
            entries = json.loads(text)
        except ValueError:
            entries = None
        if isinstance(entries, list):
            return entries
    return [_value(name, field, text)]


def _value(name: str, field: dict[str, Any], text: str) -> Any:
    """`null` is null where the field takes it; a text `null` goes in by --input."""
    if text == "null" and field.get("nullable"):
        return None
    kind = field["type"]
    if field.get("bytes") and text.startswith("@"):
        return _file(name, text[1:])
    if kind in ("object", "any"):
        return _json(name, text, strict=kind == "object")
    if kind == "bool":
        if text not in ("true", "false"):
            raise UsageError(f"{name} takes true or false, not {text!r}.")
        return text == "true"
    if kind in ("int", "number"):
        return _number(name, text, whole=kind == "int")
    allowed = field.get("enum")
    if allowed and text not in allowed:
        shown = ", ".join(str(each) for each in allowed)
        raise UsageError(
            f"{name} takes {shown}, not {text!r}.{nearest(text, [str(each) for each in allowed])}"
        )
    return text


def _file(name: str, path: str) -> str:
    """The bytes of a file as base64, which no text that begins with `@` is."""
    try:
        return base64.b64encode(Path(path).expanduser().read_bytes()).decode()
    except OSError as error:
        raise UsageError(f"{name}: {error}") from None


def _number(name: str, text: str, *, whole: bool) -> float:
    kinds: tuple[type[float], ...] = (int,) if whole else (int, float)
    for kind in kinds:
        with suppress(ValueError):
            return kind(text)
    raise UsageError(f"{name} takes a {'whole ' if whole else ''}number, not {text!r}.")


def _json(name: str, text: str, *, strict: bool) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if strict:
            raise UsageError(f"{name} takes JSON: {error}") from None
        return text


def _input(source: str | None) -> dict[str, Any]:
    """The object of --input: JSON itself, a file, or `-` for standard input."""
    if source is None:
        return {}
    try:
        text = sys.stdin.read() if source == "-" else source
        if not text.lstrip().startswith("{"):
            text = Path(source).expanduser().read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        raise UsageError(f"--input: {error}") from None
    except ValueError as error:
        raise UsageError(f"--input is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError('--input takes an object, such as {"name": "bug"}')
    return value
