"""Each promise of the security page names what stands behind it, and that is there."""

import re
from pathlib import Path

import kbwork
from tests.bench.__main__ import NAMES

ROOT = Path(kbwork.__file__).parent.parent
PAGE = (ROOT / "kbwork" / "docs" / "security.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", PAGE, re.MULTILINE)
NOTHING_BEHIND = "What is not promised"


def behind(text: str) -> set[str]:
    """The test files and benchmarks that a text names."""
    return set(re.findall(r"tests/[\w/]+\.py|tests\.bench \w+", text))


def test_every_promise_names_a_test_or_a_run() -> None:
    lacking = [title for title, text in SECTIONS if title != NOTHING_BEHIND and not behind(text)]
    assert (len(SECTIONS) > 8, lacking) == (True, [])


def test_everything_that_is_named_is_there() -> None:
    for name in behind(PAGE):
        bench = name.removeprefix("tests.bench ")
        assert (bench in NAMES) if bench != name else (ROOT / name).is_file(), name
