"""Our dataclasses are the standard ones, made at less cost."""

import ast
import copy
import dataclasses
import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest

import kbwork
from kbwork.base.dataclasses import dataclass, field, replace

OURS = ("api", "base", "cli", "contract", "core", "db", "demo", "modules", "tql", "worker")
"""The rooms that may import `base`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere."""

    at: int = field(default=0, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Book(Place):
    title: str
    pages: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    count: int = 0


@dataclass(frozen=True, eq=False)
class Shelf:
    name: str

    def __repr__(self) -> str:
        return self.name


class Tag(Shelf):
    """Made by what it inherits."""

    def __repr__(self) -> str:
        return f"Tag(name={self.name!r})"


@dataclass(frozen=True)
class Nothing:
    pass


@dataclass
class Drawer:
    width: int
    depth: int

    def __post_init__(self) -> None:
        self.volume = self.width * self.depth


@dataclass
class Label:
    text: str

    def __init__(self, text: str) -> None:
        self.text = text.upper()


@dataclass(frozen=True, slots=True)
class Knot:
    ends: list[Any]


def test_what_is_the_same_is_equal_and_is_found_in_a_set() -> None:
    assert Book("a", [1]) == Book("a", [1], at=3)
    assert Book("a") != Book("b")
    assert Book("a") != Place()
    other: object = 0
    assert Place() != other
    assert {Place(at=1), Place(at=2)} == {Place()}
    assert {Nothing()} == {Nothing()}


def test_what_changes_has_no_hash_and_what_is_compared_by_itself_has_its_own() -> None:
    with pytest.raises(TypeError):
        hash(Tally())
    assert Tally(1) == Tally(1)
    assert Shelf("a") != Shelf("a")
    assert len({Shelf("a"), Shelf("a")}) == 2


def test_it_is_shown_by_its_fields_or_as_its_class_says() -> None:
    knot = Knot([])
    knot.ends.append(knot)
    shown = [repr(one) for one in (Book("a", [1], at=3), Nothing(), Shelf("b"), knot)]
    assert shown == ["Book(title='a', pages=[1])", "Nothing()", "b", "Knot(ends=[...])"]


def test_it_is_copied_replaced_kept_and_matched_like_any_other() -> None:
    book = Book("a", [1], at=3)
    assert replace(book, title="b") == Book("b", [1])
    assert copy.deepcopy(book) == pickle.loads(pickle.dumps(book)) == book
    assert dataclasses.asdict(book) == {"at": 3, "title": "a", "pages": [1]}
    match book:
        case Book(title, pages):
            assert (title, pages) == ("a", [1])
    assert list(inspect.signature(Book).parameters) == ["title", "pages", "at"]
    assert not hasattr(book, "__dict__")


def test_an_instance_is_made_as_its_class_says() -> None:
    assert Tally() == Tally(count=0)
    assert Book("a").pages is not Book("a").pages
    assert Drawer(2, 3).volume == 6
    assert Label("a").text == "A"
    assert repr(Tag("a")) == "Tag(name='a')"
    with pytest.raises(
        TypeError, match=r"^Book.__init__\(\) missing 1 required positional argument: 'title'$"
    ):
        Book()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Book("a", [], 1)  # type: ignore[call-arg]


def test_our_rooms_declare_with_ours() -> None:
    """But for what is put in order, which the standard one alone does."""
    root = Path(kbwork.__file__).parent
    wrong = []
    for path in sorted(file for room in OURS for file in (root / room).rglob("*.py")):
        tree = ast.parse(path.read_text())
        named = [
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and node.module == "dataclasses"
            and "dataclass" in {alias.name for alias in node.names}
        ]
        if named and "order=True" not in path.read_text() and path.name != "dataclasses.py":
            wrong.append(f"{path.relative_to(root)}:{named[0]}")
    assert wrong == [], "declare them with kbwork.base.dataclasses: a server starts the sooner"
