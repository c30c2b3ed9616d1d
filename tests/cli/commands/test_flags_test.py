"""`kbwork flags test`: cases that hold, that differ, and files that are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from kbwork.cli.command_line import main

FLAG = {
    "on": True,
    "fallthrough": {"variation": 0},
    "rules": [{"clauses": [{"op": "in", "attribute": "plan", "values": ["gold"]}], "variation": 1}],
    "variations": [{"value": 1}, {"value": 2}],
}
CASE = {
    "name": "everybody else",
    "flagKey": "f",
    "flags": {"f": FLAG},
    "segments": {},
    "context": {"key": "mira", "plan": "free"},
    "default": 0,
    "valueType": "number",
    "expected": {"value": 1, "variation": 0, "reason": "DEFAULT"},
}

JUNK: list[Any] = [5, [], "x"]
"""What is no object."""


def run(folder: Path, content: Any, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    path = folder / "cases.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    code = main(["flags", "test", str(path)])
    out, err = capsys.readouterr()
    return code, out, err


def test_cases_that_hold_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = CASE | {"expected": {"value": 1.0, "variation": 0, "reason": "DEFAULT"}}
    any_type = CASE | {"valueType": "json"}
    assert run(tmp_path, [CASE, whole, any_type], capsys) == (0, "3 of 3\n", "")
    alone = {name: held for name, held in CASE.items() if name != "segments"}
    assert run(tmp_path, [alone, CASE | {"segments": None}], capsys) == (0, "2 of 2\n", "")


def test_a_context_that_is_none_is_a_case_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = {"value": 0, "variation": None, "reason": "ERROR", "errorKind": "INVALID_CONTEXT"}
    cases = [CASE | {"context": junk, "expected": expected} for junk in (*JUNK, None, {})]
    assert run(tmp_path, cases, capsys) == (0, "5 of 5\n", "")


@pytest.mark.parametrize(
    "expected",
    [
        {"value": True, "variation": 0, "reason": "DEFAULT"},
        {"value": 1, "variation": 0, "reason": "SPLIT"},
        {"value": 1, "variation": 0, "reason": "DEFAULT", "ruleIndex": 0},
        {"value": 1, "variation": 0},
    ],
)
def test_a_difference_is_told_with_the_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expected: dict[str, Any]
) -> None:
    code, out, _ = run(tmp_path, [CASE | {"expected": expected}, CASE], capsys)
    lines = out.splitlines()
    assert (code, lines[-1]) == (1, "1 of 2")
    assert lines[0] == "everybody else"
    assert lines[1] == f"  expected  {json.dumps(expected)}"
    assert lines[2] == '  answered  {"value": 1, "variation": 0, "reason": "DEFAULT"}'
    assert [line.split()[1] for line in lines[3:-1]] == ["clause:", "rule:", "fallthrough:"]
    assert 'found "free", matched false' in lines[3]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines\r\nand\u2028more", "two lines and more"),
        ("\x1b[2J\u202e", "\\x1b[2J\\u202e"),
        (" \n", "cases.json, case 1"),
        (7, "7"),
    ],
)
def test_a_name_is_told_on_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: Any, shown: str
) -> None:
    code, out, _ = run(tmp_path, [CASE | {"name": name, "expected": {}}], capsys)
    first, second, *_ = out.splitlines()
    assert (code, second) == (1, "  expected  {}")
    assert first.removeprefix(f"{tmp_path}/") == shown


def lists(levels: int) -> Any:
    return json.loads("[" * levels + "]" * levels)


def objects(levels: int) -> Any:
    """That many around a number."""
    return json.loads('{"a":' * levels + "1" + "}" * levels)


def test_values_may_nest_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for deep in (lists(190), objects(190)):
        flag = FLAG | {"variations": [{"value": deep}, {"value": 2}]}
        expected = {"value": deep, "variation": 0, "reason": "DEFAULT"}
        context = {"key": "mira", "plan": "free", "more": deep}
        case = CASE | {"flags": {"f": flag}, "valueType": "json", "context": context, "expected": expected}
        assert run(tmp_path, [case], capsys) == (0, "1 of 1\n", "")


@pytest.mark.parametrize("levels", [300, 700, 900])
@pytest.mark.parametrize("deep", [lists, objects])
def test_a_case_that_nests_too_deep_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], deep: Any, levels: int
) -> None:
    for bad in (
        CASE | {"context": {"key": "mira", "more": deep(levels)}},
        CASE | {"expected": {"value": deep(levels)}},
    ):
        code, out, err = run(tmp_path, [CASE, CASE | {"name": 'a,"[{\\'}, bad], capsys)
        assert (code, out) == (2, "")
        assert err.endswith("cases.json, case 3: it nests lists and objects more than 200 deep\n")


@pytest.mark.parametrize(
    "content", [b"\x00[\x00]\xd8", b"\xff\xff", '["ü"]'.encode("latin-1"), b"\xff\xfe[\x00]"]
)
def test_bytes_that_are_no_text_are_told_in_our_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    assert main(["flags", "test", str(path)]) == 2
    assert capsys.readouterr() == ("", f"kbwork: {path} is not JSON: it is no text in UTF-8\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "is not JSON"),
        ("[" * 100_000, "case 1: it nests"),
        ('{"a":' * 100_000, "is not JSON: it is nested too deeply"),
        ('["\\', "is not JSON"),
        ("{}", "should be a list of cases"),
        ("[]", "has no cases"),
        ([CASE, 1], "case 2: a case should be an object"),
        ([{"flagKey": "f"}], "case 1: flags is missing"),
        ([CASE | {"flagKey": 1}], "case 1: flagKey should be text"),
        ([CASE | {"expected": 1}], "case 1: expected should be an object"),
        (
            [CASE | {"valueType": "float"}],
            "case 1: valueType should be one of boolean, string, text, number,",
        ),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, says: str
) -> None:
    code, out, err = run(tmp_path, content, capsys)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flags", "test", str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file" in capsys.readouterr().err
    assert main(["flags", "test"]) == 2
