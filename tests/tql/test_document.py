"""Every text of the manual and of the language's document is read and keeps its normal form."""

import pytest

from kbwork.tql.checker.query import check
from kbwork.tql.normal_form import normal
from tests.tql.language import parse
from tests.tql.world import SmallWorld
from tests.tql.written_texts import (
    DOCUMENT,
    document_texts,
    manual_conditions,
    manual_examples,
    small_world_examples,
)


def test_there_are_many_texts() -> None:
    assert len(manual_examples()) >= 60
    assert not DOCUMENT.is_file() or len(document_texts()) >= 68


@pytest.mark.parametrize("text", [*manual_examples(), *manual_conditions(), *document_texts()])
def test_a_text_is_read_and_keeps_its_normal_form(text: str) -> None:
    tree = parse(text)
    assert parse(normal(tree)) == tree


@pytest.mark.parametrize("text", small_world_examples())
def test_an_example_names_what_there_is_and_keeps_its_checked_form(text: str) -> None:
    world = SmallWorld()
    told = normal(check(text, world).query)
    again = check(told, world)
    assert normal(again.query) == told
    assert again == check(told, world)
