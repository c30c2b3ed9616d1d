"""The house is built so that its rooms are found by their names: see `tests.house.structure` for what is counted."""

from pathlib import Path

import pytest

import kbwork
from tests.house.structure import House


@pytest.fixture(scope="module")
def house() -> House:
    return House(Path(kbwork.__file__).parents[1])


def test_files_are_called_by_nouns(house: House) -> None:
    assert house.gerunds == []


def test_a_public_class_has_a_name_of_its_own(house: House) -> None:
    """Else a search for the name finds several things."""
    assert house.doubled == {}


def test_a_folder_is_seen_at_a_glance(house: House) -> None:
    assert house.crowded == {}


def test_an_operation_stands_in_the_file_of_its_name(house: House) -> None:
    assert house.misplaced == {}


def test_modules_know_each_other_by_their_fronts(house: House) -> None:
    """What `__all__` of a module's folder does not name is its own affair."""
    assert house.past_the_front == {}


def test_modules_know_each_other_in_no_circle(house: House) -> None:
    """Whether they import each other, run each other's operations or write each other's tables."""
    assert house.circle("import", "call", "write") == []


def test_a_module_says_which_tables_of_others_it_writes(house: House) -> None:
    assert house.undeclared_writes == {}


def test_a_new_kind_of_thing_is_made_known_nowhere_else(house: House) -> None:
    assert house.of_every_kind == []


def test_a_new_field_of_issues_is_a_row_and_a_member_of_their_shapes(house: House) -> None:
    assert house.of_every_field == ["issuefields.py", "modules/issues/model.py"]


def test_the_counts_see_what_they_count(tmp_path: Path) -> None:
    """A small house with each of the faults."""
    module = tmp_path / "kbwork" / "modules"
    for name, other in (("cats", "dogs"), ("dogs", "cats")):
        (module / name).mkdir(parents=True)
        (module / name / "__init__.py").write_text(f'TABLES = ("{name}",)\n__all__ = ["TABLES"]\n')
        (module / name / "feeding.py").write_text(
            f"from kbwork.modules.{other} import queries\n\n\nclass Bowl:\n    pass\n\n\n"
            f'@write("{name}.stroke", scope="x", example={{}})\ndef stroke(tx):\n    tx.insert("{other}")\n'
            f'    inside.run(tx, "{other}.stroke", {{}})\n'
        )
    for number in range(16):
        (module / "cats" / f"cat_{number}.py").write_text("")
    house = House(tmp_path)
    assert house.gerunds == ["modules/cats/feeding.py", "modules/dogs/feeding.py"]
    assert house.doubled == {"Bowl": ["modules/cats/feeding.py", "modules/dogs/feeding.py"]}
    assert house.crowded == {"modules/cats": 17}
    assert house.misplaced == {
        "cats.stroke": "modules/cats/feeding.py",
        "dogs.stroke": "modules/dogs/feeding.py",
    }
    for kind in ("import", "call", "write"):
        assert house.circle(kind) == [["cats", "dogs"]], kind
    assert house.undeclared_writes == {
        "modules/cats/feeding.py": {"dogs"},
        "modules/dogs/feeding.py": {"cats"},
    }
    assert house.past_the_front == {
        "modules/cats/feeding.py": ["kbwork.modules.dogs.queries"],
        "modules/dogs/feeding.py": ["kbwork.modules.cats.queries"],
    }
