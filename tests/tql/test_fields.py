"""The catalogue holds together, and the room keeps to itself."""

import ast
from pathlib import Path

import kbwork.tql
from kbwork.tql.fields import FieldKind
from kbwork.tql.words import COLLECTIONS, FLAGS, FUNCTIONS
from tests.tql.language import SOURCES


def test_every_path_leads_to_fields_that_there_are() -> None:
    for name, source in SOURCES.items():
        for field in source.table.values():
            assert not field.to or field.to in SOURCES, (name, field.name)
            assert field.domain or field.kind not in {FieldKind.PERSON, FieldKind.KEY}, (name, field.name)
        assert set(source.flags) <= set(FLAGS), name
    assert {source for source, _ in COLLECTIONS.values()} <= set(SOURCES)


def test_functions_say_how_they_are_written() -> None:
    assert FUNCTIONS["startof"].call == "startOf(unit[, offset])"
    assert FUNCTIONS["opensprints"].call == "openSprints([team])"
    assert FUNCTIONS["me"].call == "me()"


def test_the_language_imports_nothing_but_the_base() -> None:
    for path in Path(kbwork.tql.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kbwork"):
                assert str(node.module).split(".")[1] in {"tql", "base"}, path
