"""What is said of data that are not of their shape."""

import pytest
from pydantic import ValidationError

from kbwork.base.model import Input, Text
from kbwork.modules.imports.validation_message import unfit


class Shape(Input):
    """Data with a text and a number."""

    text: Text = ""
    number: int = 0


@pytest.mark.parametrize(
    ("value", "under", "said"),
    [
        ({"text": "a\0b"}, "", "text: a text cannot hold the character U+0000"),
        ({"text": "a\0b"}, "options", "options.text: a text cannot hold the character U+0000"),
        ({"number": "1"}, "", "number: Input should be a valid integer"),
    ],
)
def test_it_has_the_place_and_no_name_of_an_exception(value: object, under: str, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Shape.model_validate(value)
    assert unfit(caught.value, under) == said
