"""The catalogue holds together, and the room keeps to itself."""

import ast
from pathlib import Path

import kbwork.tql
from kbwork.tql.fields import CATALOGUE, OWN_MAY_NOT, FieldKind
from kbwork.tql.words import COLLECTIONS, FUNCTIONS, RESERVED, SOURCES


def test_every_path_leads_to_fields_that_there_are() -> None:
    for source, table in CATALOGUE.items():
        for field in table.values():
            assert not field.to or field.to in CATALOGUE, (source, field.name)
            assert field.domain or field.kind not in {FieldKind.PERSON, FieldKind.KEY}, (source, field.name)
    assert set(SOURCES) <= set(CATALOGUE)
    assert {source for source, _ in COLLECTIONS.values()} <= set(CATALOGUE)


def test_own_fields_may_not_take_words_of_the_language() -> None:
    assert {"status", "epic", "open", "cf", "sum", "startof", "blocks", "children", *RESERVED} <= OWN_MAY_NOT
    assert "region" not in OWN_MAY_NOT
    assert all(name == name.lower() for name in OWN_MAY_NOT)


def test_functions_say_how_they_are_written() -> None:
    assert FUNCTIONS["startof"].call == "startOf(unit[, offset])"
    assert FUNCTIONS["opensprints"].call == "openSprints([team])"
    assert FUNCTIONS["me"].call == "me()"


def test_the_language_imports_nothing_but_the_base() -> None:
    for path in Path(kbwork.tql.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kbwork"):
                assert str(node.module).split(".")[1] in {"tql", "base"}, path
