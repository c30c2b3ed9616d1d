"""Classes of inputs are made for whoever asks for them first."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from kbwork.base.model import DeclaredInput, Input


class Inner(Input):
    """What stands in a field."""

    at: int = 3


class Outer(Input):
    """An input with others in it."""

    one: Inner | None = None
    some: list[Inner] | None = None


class Wider(Outer):
    """One that has the fields of another."""

    also: str

    def said(self) -> str:
        """A method that asks the class above it."""
        return f"{self.also} {super().given('one')}"


def test_what_was_declared_is_as_a_class_is() -> None:
    made = Wider(also="yes", one=Inner())
    assert made.said() == "yes True"
    assert isinstance(made, Wider)
    assert isinstance(made, Outer)
    assert not isinstance(made, Inner)
    assert issubclass(type(made), Outer)
    assert Wider.model_validate({"also": "x", "some": [{"at": 1}]}).some == [Inner(at=1)]
    assert list(Wider.model_fields) == ["one", "some", "also"]
    assert Outer.model_json_schema()["$defs"]["Inner"]["description"] == "What stands in a field."
    with pytest.raises(ValidationError):
        Inner.model_validate({"at": "3"})


def test_a_type_with_none_makes_nothing() -> None:
    class Late(Input):
        at: int

    declared: object = Late
    assert isinstance(declared, DeclaredInput)
    assert (Late | None, None | Late, list[Late]) == (Late | None, Late | None, list[Late])
    assert (repr(declared), declared._made) == ("<input Late>", None)
    assert Late(at=1) == Late(at=1)
    assert declared._made is not None


def test_what_is_wrong_with_it_is_told_to_whoever_asks_first() -> None:
    class Wrong(Input):
        at: "NoSuchType"  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(Exception, match="Wrong"):
        Wrong.model_validate({"at": 1})


def test_a_server_that_starts_makes_few_of_them() -> None:
    code = (
        "import kbwork.app; from kbwork.base.model import Input; kbwork.app.registry();"
        "of = lambda one: [one, *(more for each in one.__subclasses__() for more in of(each))];"
        "print(len(of(Input)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert int(ran.stdout) < 20
