"""Whom a Markdown text mentions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbwork.modules.comments.mentions import handles


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("@ana", ["ana"]),
        ("Ask @Ana, @bo and @ana.", ["ana", "bo", "ana."]),
        ("(@ana) **@bo** _@cy_ ~~@di~~ @gus's", ["ana", "bo", "cy", "di", "gus"]),
        ("- [ ] @ana\n> @bo\n\n| a |\n|---|\n| @cy |", ["ana", "bo", "cy"]),
        ("bo@acme.example a@ana @@ana x/@ana .@ana", []),
        ("`@ana` ``@bo ` @bo`` `@cy", ["cy"]),
        ("```\n@ana\n```\n~~~ @bo\n@bo\n~~~\n\n    @cy\n", []),
        ("[@ana](https://x) [see](@bo) ![@cy](x) <https://x/@di> https://x/@gus www.x/@gus", []),
        ("[@ana][1] and [@bo]\n\n[1]: https://x\n", ["bo"]),
        ("[[@ana]] [[space/@bo]]", []),
        ("\\@ana \\\\@bo \\\\\\@cy", []),
        ("<b>@ana</b> <code>@bo</code>", ["ana", "bo"]),
        ("@a-b_c.d @9 @_x @-x @ana- @", ["a-b_c.d", "9", "ana-"]),
        ("@" + "x" * 39 + " @" + "y" * 40, ["x" * 39]),
        ("@änna @annä @ana\u00a0x 中@bo", ["ana"]),
        ("x" * 100_000 + " @ana", []),
        ("@~ana~ @*bo* @cy*x* **_@gus_**", ["cy", "gus"]),
    ],
)
def test_a_mention_stands_at_the_start_of_a_word_outside_code_and_links(text: str, found: list[str]) -> None:
    assert handles(text) == found


@given(st.text(alphabet="@a `[]()<>\\\n-*_~!|:/.&x", max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    for handle in handles(text):
        assert 1 <= len(handle) <= 39
        assert f"@{handle}" in text.lower().replace("\\", "")  # an escaped underscore is one
