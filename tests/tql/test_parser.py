"""Texts become trees, trees become texts, and nothing else ever happens."""

import random
from collections.abc import Callable

import pytest

from kbwork.tql.errors import MOST, TqlError
from kbwork.tql.normal_form import normal
from kbwork.tql.tree import QueryNode
from tests.tql.language import parse
from tests.tql.random_trees import Gardener, noise, soup


def test_a_grown_tree_is_read_back_from_its_normal_form() -> None:
    for seed in range(2_000):
        tree = Gardener(seed).query()
        text = normal(tree)
        assert parse(text) == tree, text
        assert normal(parse(text)) == text


@pytest.mark.parametrize("make", [soup, noise])
def test_any_text_is_read_or_refused_with_its_places(make: Callable[[random.Random], str]) -> None:
    chance = random.Random(7)
    read = 0
    for _ in range(10_000):
        text = make(chance)
        tree, error = attempt(text)
        if tree is not None:
            read += 1
            assert parse(normal(tree)) == tree, text
        elif error is not None:
            assert 1 <= len(error.faults) <= MOST
            assert all(0 <= fault.span.start <= fault.span.end <= len(text) for fault in error.faults)
            assert all(fault.message for fault in error.faults)
    assert read > 100


def attempt(text: str) -> tuple[QueryNode | None, TqlError | None]:
    try:
        return parse(text), None
    except TqlError as error:
        return None, error
