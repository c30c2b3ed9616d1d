"""Names that a query compares: words where the list of them is closed, else the numbers of rows."""

import pytest

from kbwork.modules.tql.compile.field_history import is_word
from kbwork.tql.fields import FieldDef, FieldKind


@pytest.mark.parametrize("domain", ["priority", "asset_status", "of_a_module_that_is_still_to_come"])
def test_names_of_a_closed_list_are_words_whosever_they_are(domain: str) -> None:
    assert is_word(FieldDef("severity", FieldKind.NAME, domain=domain, choices=("low", "high")))


@pytest.mark.parametrize(
    ("domain", "word"), [("label", False), ("sprint", False), ("person", True), ("", True)]
)
def test_other_names_are_numbers_unless_their_domain_has_words(domain: str, word: bool) -> None:
    assert is_word(FieldDef("name", FieldKind.NAME, domain=domain)) == word
