"""What is refused of the modules' folders, by the name of the operation."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kbwork.modules
from kbwork.app import registry
from kbwork.contract.render.files import render
from kbwork.core.operations.declare import Misdeclared
from kbwork.core.operations.registry import collect

_HEAD = '''
"""Shelves."""

from kbwork.base.model import Id, Input, Ok
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write


class ShelvesGet(Input):
    id: Id

'''
_GET = '''
@read("shelves.get", scope="projects:read", example={"id": 1})
def get(tx: Read, args: ShelvesGet) -> Ok:
    """One shelf."""
    return {"ok": True}
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `shelves` beside the others, and the folder that its files are written to."""
    made = tmp_path / "shelves"
    made.mkdir()
    (made / "__init__.py").write_text("")
    monkeypatch.setattr(kbwork.modules, "__path__", [*kbwork.modules.__path__, str(tmp_path)])
    yield made
    for name in [name for name in sys.modules if name.startswith("kbwork.modules.shelves")]:
        del sys.modules[name]
    vars(kbwork.modules).pop("shelves", None)


def _refusal(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(_HEAD + text)
    with pytest.raises(Misdeclared) as refused:
        render(collect(["shelves"]))
    return str(refused.value)


def test_an_operation_that_fits_is_found(folder: Path) -> None:
    (folder / "ops.py").write_text(_HEAD + _GET)
    found = collect(["shelves"])
    found.check_examples()
    assert list(found.operations) == ["shelves.get"]


@pytest.mark.parametrize(
    ("example", "why"),
    [
        ('{"id": "one"}', "Input should be a valid integer"),
        ('{"id": 1, "colour": "red"}', "Extra inputs are not permitted"),
        ("{}", "Field required"),
    ],
)
def test_an_example_that_its_input_refuses_is_refused_where_the_contract_is_made(
    folder: Path, example: str, why: str
) -> None:
    told = _refusal(folder, ops=_GET.replace('{"id": 1}', example))
    assert told.startswith("shelves.get: its example does not fit its input")
    assert why in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (_GET.replace("shelves.get", "boards.get"), "boards.get: stands in the folder of module shelves"),
        (
            _GET.replace('"""One shelf."""', ""),
            "shelves.get: the docstring is its reference page, and is missing",
        ),
        (
            _GET.replace("def get", "async def get"),
            "shelves.get: `async def` goes with Out, and only with Out",
        ),
        (_GET.replace('"projects:read"', "()"), "shelves.get: names no scope"),
        (_GET.replace(", args: ShelvesGet", ""), "shelves.get: takes (tx, args) and says what it answers"),
        (
            _GET.replace("args: ShelvesGet", "args: dict"),
            "shelves.get: the first argument is Read, Write or Out, the second an Input",
        ),
    ],
)
def test_an_operation_that_cannot_be_served_as_it_is_written_is_refused(
    folder: Path, text: str, told: str
) -> None:
    assert _refusal(folder, ops=text) == told


def test_an_operation_is_declared_once(folder: Path) -> None:
    assert _refusal(folder, ops=_GET, more=_GET) == "shelves.get: declared twice"


def test_every_example_fits_its_input() -> None:
    registry().check_examples()
