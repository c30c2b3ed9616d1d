"""`kbwork flags test`: cases that hold, that differ, and files that are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from kbwork.cli.line import main

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
    assert run(tmp_path, [], capsys) == (0, "0 of 0\n", "")


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
    ("content", "says"),
    [
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("{}", "should be a list of cases"),
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
