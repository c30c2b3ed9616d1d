"""A pattern that is compiled for the first text is one."""

import re

import pytest

from kbwork.base.patterns import pattern


def test_it_answers_as_one_that_is_compiled_at_once() -> None:
    late, at_once = pattern(r"(\w)-(\d+)", re.IGNORECASE), re.compile(r"(\w)-(\d+)", re.IGNORECASE)
    text = "a-1, B-22"
    assert late.findall(text) == late.findall(text) == at_once.findall(text)
    assert [found.span() for found in late.finditer(text)] == [
        found.span() for found in at_once.finditer(text)
    ]
    assert late.sub(r"\2", text) == "1, 22"
    assert (late.match("x"), late.fullmatch("a-1") is not None, late.search(text) is not None) == (
        None,
        True,
        True,
    )
    assert (late.pattern, late.flags, late.groups) == (at_once.pattern, at_once.flags, at_once.groups)


def test_it_is_compiled_once_and_for_the_first_text(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile

    def noted(text: str, flags: int) -> re.Pattern[str]:
        compiled.append(text)
        return compile_(text, flags)

    monkeypatch.setattr(re, "compile", noted)
    late = pattern("a+")
    assert compiled == []
    assert [late.match("aa") is not None, late.sub("", "baa"), late.split("bab")] == [True, "b", ["b", "b"]]
    assert compiled == ["a+"]


def test_what_is_no_pattern_is_told_by_the_first_text() -> None:
    with pytest.raises(re.error):
        pattern("(").match("a")
