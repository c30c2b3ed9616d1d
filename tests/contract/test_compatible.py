"""What is released stays: programs that were written for it go on, or a note of the changes says what breaks."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kbwork import contract
from kbwork.api.pages.docs.manual import CHANGES, change_notes
from kbwork.app import registry
from kbwork.cli.commands.contract import contract as command
from kbwork.contract import load
from kbwork.contract.compatibility import Break, breaks
from kbwork.contract.render.released import bare, released, text

VERSIONS = sorted(
    contract.RELEASED.glob("*.json"), key=lambda path: [int(part) for part in path.stem.split(".")]
)
TESTS = Path(__file__).parents[1]
SHAPES = {
    "Thing": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "note": {"type": "string"},
            "kind": {"enum": ["a", "b"]},
            "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
        },
        "required": ["name", "note", "kind", "parts"],
        "additionalProperties": False,
    },
    "ThingsSave": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 50},
            "size": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
            "kind": {"enum": ["a", "b"]},
            "home": {"anyOf": [{"$ref": "#/components/schemas/Home"}, {"type": "null"}]},
        },
        "required": ["name"],
        "additionalProperties": False,
    },
    "Home": {"type": "object", "properties": {"key": {"type": "string"}}, "additionalProperties": False},
}


def save(**more: Any) -> dict[str, Any]:
    return {
        "class": "write",
        "scopes": ["things:write"],
        "input": {"$ref": "#/components/schemas/ThingsSave"},
        "output": {"$ref": "#/components/schemas/Thing"},
        **more,
    }


def made(shapes: Any = SHAPES, events: Any = None, **more: Any) -> dict[str, Any]:
    """A contract with one operation."""
    told = {"thing.saved": "seen"} if events is None else events
    return {"operations": {"things.save": save(**more)}, "events": told, "shapes": shapes}


def changed(shape: str, **more: Any) -> dict[str, Any]:
    """The shapes, with other parts of one."""
    return {**SHAPES, shape: {**SHAPES[shape], **more}}


def fields(shape: str, **more: Any) -> dict[str, Any]:
    """The shapes, with other fields of one; those that are None are gone."""
    held = {**SHAPES[shape]["properties"], **more}  # type: ignore[dict-item]  # a schema is any JSON
    return changed(shape, properties={name: one for name, one in held.items() if one is not None})


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({**made(), "operations": {}}, "things.save: is gone"),
        (made(events={}), "thing.saved: is told no more"),
        (made(events={"thing.saved": "admin"}), "thing.saved: is heard by admin, not by seen"),
        (made(**{"class": "destructive"}), "things.save: is of class destructive, not write"),
        (made(scopes=["things:write", "admin"]), "things.save: asks for admin, too"),
        (made(fields("ThingsSave", size=None)), "things.save size: the input is gone"),
        (made(changed("ThingsSave", required=["name", "kind"])), "things.save kind: the input is required"),
        (
            made(fields("ThingsSave", name={"type": "string", "maxLength": 40})),
            "things.save name: the input has maxLength 40",
        ),
        (
            made(fields("ThingsSave", name={"type": "string", "maxLength": 50, "pattern": "^a"})),
            "things.save name: the input has the pattern ^a",
        ),
        (
            made(fields("ThingsSave", size={"type": "integer", "minimum": 0})),
            "things.save size: the input may not be null",
        ),
        (
            made(fields("ThingsSave", size={"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]})),
            "things.save size: the input has minimum 1",
        ),
        (
            made(fields("ThingsSave", kind={"enum": ["a"]})),
            "things.save kind: the input takes b no more",
        ),
        (made(fields("Home", key=None)), "Home key: the input is gone"),
        (made(fields("Thing", note=None)), "Thing note: the answer is gone"),
        (made(changed("Thing", required=["name", "kind", "parts"])), "Thing note: the answer may be missing"),
        (
            made(fields("Thing", note={"anyOf": [{"type": "string"}, {"type": "null"}]})),
            "Thing note: the answer may be null",
        ),
        (made(fields("Thing", note={"type": "integer"})), "Thing note: the answer may be integer"),
        (
            made(fields("Thing", parts={"type": "array", "items": {"type": "string"}})),
            "Thing parts[]: the answer may be string",
        ),
        (
            made(output={"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}),
            "things.save: the answer may be array",
        ),
    ],
)
def test_what_breaks_a_program_is_told(new: dict[str, Any], told: str) -> None:
    assert [str(one) for one in breaks(made(), new)] == [told]


@pytest.mark.parametrize(
    "new",
    [
        made(),
        made(events={"thing.saved": "seen", "thing.deleted": "seen"}),
        made(fields("ThingsSave", more={"type": "string"})),
        made(fields("ThingsSave", name={"type": "string", "maxLength": 60})),
        made(fields("ThingsSave", size={"type": ["number", "null", "string"]})),
        made(fields("ThingsSave", kind={"type": "string"})),
        made(fields("Home", zip={"type": "string"})),
        made(fields("Thing", more={"type": "string"})),
        made(fields("Thing", kind={"enum": ["a", "b", "c"]})),
        made(changed("Thing", required=["name", "note", "kind", "parts", "more"])),
        made(scopes=[]),
        made({**SHAPES, "Item": SHAPES["Thing"]}, output={"$ref": "#/components/schemas/Item"}),
    ],
)
def test_what_is_wider_breaks_nothing(new: dict[str, Any]) -> None:
    assert breaks(made(), new) == []


def test_words_may_change() -> None:
    schema = {"type": "object", "title": "T", "properties": {"title": {"type": "string", "description": "d"}}}
    assert bare(schema) == {"type": "object", "properties": {"title": {"type": "string"}}}


def noted(one: Break) -> bool:
    """Whether a note of what breaks names it."""
    names = [one.what, *filter(None, [one.field.replace("[]", "").rpartition(".")[2]])]
    breaking = [note for note in change_notes() if note.startswith("Breaking")]
    return any(all(f"`{name}`" in note for name in names) for note in breaking)


def test_what_is_released_holds() -> None:
    old = json.loads(VERSIONS[-1].read_bytes())
    now = released(load("openapi.json"), load("events.json"))
    assert len(old["operations"]) > 300
    assert [str(one) for one in breaks(old, now) if not noted(one)] == []


def test_a_release_is_kept_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "RELEASED", tmp_path)
    assert CliRunner().invoke(command, ["--release", "9.9"]).exit_code == 0
    kept = (tmp_path / "9.9.json").read_text(encoding="utf-8")
    assert kept == text(released(load("openapi.json"), load("events.json")))
    again = CliRunner().invoke(command, ["--release", "9.9"])
    assert (again.exit_code, "9.9 is released" in again.output) == (1, True)


def test_every_note_says_of_what_sort_it_is() -> None:
    assert [note for note in change_notes() if note.partition(" ")[0].rstrip(":") not in CHANGES] == []


def test_every_operation_is_called_by_name_in_a_test() -> None:
    """Beside the sweeps, which call each by its example."""
    told = "\n".join(path.read_text(encoding="utf-8") for path in _sources())
    missing = [op for op in registry().operations if not _called(op, told)]
    assert missing == []


def _sources() -> Iterator[Path]:
    for ending in ("*.py", "*.mjs", "*.js"):
        yield from TESTS.rglob(ending)


def _called(op: str, told: str) -> bool:
    module, verb = op.split(".")
    return bool(
        re.search(rf"""["'/]{re.escape(op)}["' ?]""", told)
        or re.search(rf"\.{module}\.{verb}\(", told)
        or re.search(rf"""["']{module}["'], ["']{verb.replace("_", "-")}["']""", told)
    )
