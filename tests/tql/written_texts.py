"""What is written in the query language: by the manual, and by the language's document where that lies beside."""

import re
from pathlib import Path

import kbwork

_DOCS = Path(kbwork.__file__).parent / "docs"
DOCUMENT = Path(kbwork.__file__).parents[2] / "shared" / "spec" / "tql.md"
_NAMES = {
    "SHOP": "WEB",
    "TRAIL": "APP",
    "OPS": "API",
    "SCN-1": "WEB-1",
    "SCN": "LAP",
    "@priya": "@ana",
    "@jonas": "@ana",
    "@noor": "@sam.k",
    "@tomas": "@sam.t",
    "membersOf(web)": "membersOf(core)",
    '"asked for"': "security",
    "regression": "customer",
    "season": "platform",
    "Checkout": "Export",
    "HAND": "ENG",
    "how-we-release": "abc",
}
"""Names of the sample org -> those of the small world that stand for them."""


def _page(name: str) -> str:
    return (_DOCS / f"{name}.md").read_text(encoding="utf-8")


def manual_examples() -> list[str]:
    """The second column of every table of the examples."""
    return re.findall(r"^\|.*\| `(.+)` \|$", _page("tql-examples"), re.MULTILINE)


def manual_conditions() -> list[str]:
    """The conditions that the reference writes out whole."""
    text = _page("tql").partition("## Errors")[0].partition("## Conditions")[2]
    whole = re.compile(r"(?!field )\w+(\.\w+)* (=|!=|<|>|~|was|changed|unchanged|is) (?!value)")
    return [one for one in re.findall(r"`([^`]+)`", text) if whole.match(one)]


def manual_refusals() -> list[tuple[str, str]]:
    """The table of errors: a query and what is told."""
    part = _page("tql").partition("## Errors")[2]
    return re.findall(r"^\| `(.+?)` \| (.+?) \| .+ \|$", part, re.MULTILINE)


def section(head: str, end: str) -> str:
    text = DOCUMENT.read_text() if DOCUMENT.is_file() else ""
    return text.partition(head)[2].partition(end)[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| `(.+?)` \|", text, re.MULTILINE)


def document_texts() -> list[str]:
    """What the language's document writes out, where it lies beside the checkout."""
    history = [text for text in first_column(section("### History", "### Rel")) if not text.startswith("...")]
    said = re.findall(r"`([^`]+)`", section("### Relations and parts", "### Functions"))
    relations = [text for text in said if " " in text or text.startswith("rel")]
    meaning = re.findall(r"`(\w+ (?:[=<>!~]|has|is)[^`]+)`", section("## 3. Meaning", "### History"))
    block = section("### Grouping\n\n```\n", "```")
    return [*document_examples(), *history, *relations, *meaning, *([block] if block else [])]


def document_examples() -> list[str]:
    return first_column(section("## 6. Examples", "## 7."))


def _in_small_world(text: str) -> str:
    for name, here in _NAMES.items():
        text = text.replace(name, here)
    return text


def small_world_examples() -> list[str]:
    """Whole queries that name what the small world has."""
    return [*map(_in_small_world, manual_examples()), *document_examples()]
