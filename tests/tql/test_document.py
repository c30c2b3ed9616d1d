"""Every text of the language's document is read, keeps its normal form, and its complement is a complement."""

import re
from pathlib import Path

import pytest

import kbwork
from kbwork.tql.checker.query import check
from kbwork.tql.normal_form import normal
from tests.tql.language import parse
from tests.tql.world import SmallWorld

DOCUMENT = Path(kbwork.__file__).parents[2] / "shared" / "spec" / "tql.md"


def section(head: str, end: str) -> str:
    text = DOCUMENT.read_text() if DOCUMENT.is_file() else ""
    return text.partition(head)[2].partition(end)[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| `(.+?)` \|", text, re.MULTILINE)


def texts() -> list[str]:
    examples = first_column(section("## 6. Examples", "## 7."))
    history = [text for text in first_column(section("### History", "### Rel")) if not text.startswith("...")]
    said = re.findall(r"`([^`]+)`", section("### Relations and parts", "### Functions"))
    relations = [text for text in said if " " in text or text.startswith("rel")]
    meaning = re.findall(r"`(\w+ (?:[=<>!~]|has|is)[^`]+)`", section("## 3. Meaning", "### History"))
    block = section("### Grouping\n\n```\n", "```")
    return [*examples, *history, *relations, *meaning, *([block] if block else [])]


needs_document = pytest.mark.skipif(not DOCUMENT.is_file(), reason="the document of the language is not here")


@needs_document
def test_the_document_has_many_texts() -> None:
    assert len(texts()) >= 68


@needs_document
@pytest.mark.parametrize("text", texts())
def test_a_text_of_the_document_is_read_and_keeps_its_normal_form(text: str) -> None:
    tree = parse(text)
    assert parse(normal(tree)) == tree


@needs_document
@pytest.mark.parametrize("text", first_column(section("## 6. Examples", "## 7.")))
def test_an_example_names_what_there_is_and_keeps_its_checked_form(text: str) -> None:
    world = SmallWorld()
    told = normal(check(text, world).query)
    again = check(told, world)
    assert normal(again.query) == told
    assert again == check(told, world)
