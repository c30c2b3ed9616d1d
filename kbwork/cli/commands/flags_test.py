"""`kbwork flags test`: the rules of flags, held against files of cases."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbwork.cli.errors import CommandError

if TYPE_CHECKING:
    from kbwork.flagengine import Detail, Explained
    from kbwork.flagengine.reasons import Wanted

    Answer = Callable[[dict[str, Any], Wanted], tuple[Detail, Explained]]
    """What is answered to a case, and the steps that led to it."""

_NEEDED = ("flagKey", "flags", "context", "expected")
_TYPES: dict[str, Wanted] = {
    "boolean": "boolean",
    "string": "string",
    "text": "string",
    "number": "number",
    "json": "any",
    "any": "any",
}
"""What a case may ask for -> the type that a value must have for it."""
_DEEPEST = 200
"""Whatever a server can hold nests less."""
_MARK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
"""In JSON: a whole text, or a sign that begins, ends or parts something."""
_LONGEST = 200


@click.command(
    name="test",
    help="Evaluate each case of FILE, a list of objects with flagKey, flags, segments, context, default, valueType"
    " and expected, without a server; with --env, against the flags of a server instead of those in the file."
    " Prints each difference with the steps that led to it, and how many hold.",
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False)
)
@click.option("--env", "environment", help="Key of an environment whose flags are asked instead.")
@click.option(
    "--project", help="Key of its flag project; needed where several have an environment of that key."
)
@click.option("--server", "--url", help="Address of the server; else KBWORK_URL, else the profile.")
@click.option(
    "--key-file", help="File that holds a key with the scope read; else KBWORK_KEY, else the profile."
)
@click.pass_context
def test(  # noqa: PLR0913 - the options of the command, by name
    context: click.Context,
    files: tuple[Path, ...],
    *,
    environment: str | None,
    project: str | None,
    server: str | None,
    key_file: str | None,
) -> None:
    """Exit code 1 where a case differs, 2 where a file cannot be read."""
    if environment is None and (server or project or key_file):
        raise CommandError("--env names the environment whose flags are asked.", exit_code=2)
    live = environment is not None
    cases = [(path, place, case) for path in files for place, case in enumerate(_read(path, live=live))]
    with contextlib.ExitStack() as open_:
        answered: Answer = _by_engine
        if environment is not None:
            from kbwork.cli.remote_flags import remote_evaluator

            answered = open_.enter_context(
                remote_evaluator(environment, project, server=server, key_file=key_file)
            )
        held = _run(cases, answered)
    context.exit(0 if held == len(cases) else 1)


def _run(cases: list[tuple[Path, int, dict[str, Any]]], answered: Answer) -> int:
    """Says what differs; answers how many hold."""
    held = 0
    for path, place, case in cases:
        told = list(_differences(case, answered))
        held += not told
        if told:
            click.echo("\n".join([_heading(case) or f"{path}, case {place + 1}", *told]))
    click.echo(f"{held} of {len(cases)}")
    return held


def _heading(case: dict[str, Any]) -> str:
    """The name of a case on one line."""
    return _plain(" ".join(str(case.get("name") or "").split()))


def _read(path: Path, *, live: bool) -> list[dict[str, Any]]:
    """The cases of a file. Raises CommandError with the place of what is wrong."""
    from kbwork.flagengine.json_values import loads

    text = _text(path)
    if (place := _deep_case(text)) is not None:
        raise CommandError(
            f"{path}, case {place}: it nests lists and objects more than {_DEEPEST} deep", exit_code=2
        )
    try:
        found = loads(text)
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}", exit_code=2) from None
    if not isinstance(found, list):
        raise CommandError(f"{path} should be a list of cases", exit_code=2)
    if not found:
        raise CommandError(f"{path} has no cases", exit_code=2)
    for place, case in enumerate(found):
        if fault := _fault(case, live=live):
            raise CommandError(f"{path}, case {place + 1}: {fault}", exit_code=2)
    return found


def _text(path: Path) -> str:
    """Raises CommandError."""
    try:
        raw = path.read_bytes()
        return raw.decode(json.detect_encoding(raw))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", exit_code=2) from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not JSON: it is no text in UTF-8", exit_code=2) from None


def _deep_case(text: str) -> int | None:
    """Which case nests too deep for the readers, for they call themselves at each level."""
    if not text.lstrip().startswith("["):
        return None
    depth, place = 0, 1
    for mark in _MARK.finditer(text):
        sign = mark[0]
        if sign in ("[", "{"):
            depth += 1
            if depth > _DEEPEST + 1:
                return place
        elif sign in ("]", "}"):
            depth -= 1
        elif sign == "," and depth == 1:
            place += 1
    return None


def _fault(case: Any, *, live: bool) -> str | None:
    if not isinstance(case, dict):
        return "a case should be an object"
    if missing := [name for name in _NEEDED if name not in case and not (live and name == "flags")]:
        return f"{missing[0]} is missing"
    if not isinstance(case["flagKey"], str):
        return "flagKey should be text"
    if not isinstance(case["expected"], dict):
        return "expected should be an object"
    wanted = case.get("valueType")
    if wanted is not None and not (isinstance(wanted, str) and wanted in _TYPES):
        return f"valueType should be one of {', '.join(_TYPES)}"
    return _excess(case["context"]) if live else None


def _excess(context: Any) -> str | None:
    """What a server would not evaluate; a context that is none is answered here."""
    from kbwork.flagengine import contexts

    fault = contexts.excess(context) if contexts.prepare(context) is not None else None
    return f"context should be {fault} for a server" if fault is not None else None


def _differences(case: dict[str, Any], answered: Answer) -> Iterator[str]:
    """Lines for a person; none where the case holds."""
    answer, explained = answered(case, _TYPES[case.get("valueType") or "any"])
    found, expected = answer.as_json(), case["expected"]
    if _same(found, expected) and _agrees(answer, explained):
        return
    yield f"  expected  {_shown(expected)}"
    yield f"  answered  {_shown(found)}"
    for number, step in enumerate(explained.steps, 1):
        facts = ", ".join(f"{name} {_shown(value)}" for name, value in step.items() if name != "step")
        yield f"  {number:>4}. {step['step']}: {facts}"


def _by_engine(case: dict[str, Any], wanted: Wanted) -> tuple[Detail, Explained]:
    """By the flags that stand in the case."""
    from kbwork.flagengine import Context, Snapshot

    snapshot = Snapshot({"flags": case["flags"], "segments": case.get("segments")})
    key, context = case["flagKey"], Context(case["context"])
    return snapshot.evaluate(key, context, case.get("default"), wanted), snapshot.explain(key, context)


def _agrees(answer: Detail, explained: Explained) -> bool:
    """Whether the steps lead to the answer: a type that was not asked for is found after them."""
    slow = explained.detail
    return answer.error_kind == "WRONG_TYPE" or (answer.reason, answer.variation) == (
        slow.reason,
        slow.variation,
    )


def _same(a: Any, b: Any) -> bool:
    """Whether two JSON values are one: true is not 1, and 1 is 1.0."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _plain(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def _plain(text: str) -> str:
    from kbwork.base.text import printable

    return printable(text)
