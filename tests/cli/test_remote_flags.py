"""`kbwork flags test --env`: cases held against the flags of a server."""

import json
from pathlib import Path
from typing import Any

import pytest

from kbwork.cli.command_line import main
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, patch, shop

ON = {"kind": "turnFlagOn"}


def run(world: World, folder: Path, cases: list[dict[str, Any]], *more: str, who: str = "cy") -> int:
    path, key = folder / "cases.json", folder / "key"
    path.write_text(json.dumps(cases))
    key.write_text(world.people[who].key)
    return main(["flags", "test", str(path), "--server", world.url, "--key-file", str(key), *more])


def case(key: str = "checkout", context: Any = None, **expected: Any) -> dict[str, Any]:
    return {"flagKey": key, "context": context or {"key": "ana"}, "default": False, "expected": expected}


@pytest.fixture
def at_work(world: World) -> World:
    """The shop, whose test environment serves Ana the first variation."""
    shop(world)
    flag(world)
    flag(world, "gone")
    call(world, "cy", "flags.archive", project="shop", key="gone")
    patch(world, "cy", "test", ON, {"kind": "addTargets", "variation": 0, "values": ["ana"]})
    patch(world, "cy", "test", {"kind": "updateFallthroughVariationOrRollout", "variation": 1})
    return world


def test_cases_are_held_against_live_flags(
    at_work: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost: dict[str, Any] = {"value": False, "variation": None, "reason": "ERROR"}
    cases = [
        case(value=True, variation=0, reason="TARGETING_MATCH"),
        case(context={"key": "bo"}, value=False, variation=1, reason="DEFAULT"),
        case("gone", **lost, errorKind="FLAG_NOT_FOUND"),
        case("never", **lost, errorKind="FLAG_NOT_FOUND"),
        case(context={"key": ""}, **lost, errorKind="INVALID_CONTEXT"),
        case(**lost, errorKind="WRONG_TYPE") | {"valueType": "string"},
    ]
    assert run(at_work, tmp_path, cases, "--env", "test") == 0
    assert capsys.readouterr().out == "6 of 6\n"
    assert run(at_work, tmp_path, cases[:1], "--env", "production", "--project", "shop") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "0 of 1"
    assert '"reason": "DISABLED"' in lines[2]


def test_an_environment_that_is_not_known_or_not_one_is_refused(
    at_work: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call(at_work, "ana", "flags.project_save", project="other")
    call(at_work, "ana", "flags.environment_save", project="other", key="test")
    for more, holds in (
        (("--env", "test"), "several flag projects have one: other, shop"),
        (("--env", "none"), "no flag project has one"),
        (("--env", "none", "--project", "shop"), "it has test, production"),
        (("--env", "test", "--project", "none"), "no flag project"),
    ):
        assert run(at_work, tmp_path, [case()], *more) != 0
        assert holds in capsys.readouterr().err
    assert run(at_work, tmp_path, [case()]) == 2
    assert "--env" in capsys.readouterr().err
    assert run(at_work, tmp_path, [case()], "--env", "test", who="gus") == 1


def test_a_context_that_a_server_would_not_evaluate_is_named(
    at_work: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep: dict[str, Any] = {"key": "ana", "more": json.loads("[" * 16 + "]" * 16)}
    assert run(at_work, tmp_path, [case(), case(context=deep)], "--env", "test") == 2
    assert capsys.readouterr().err.endswith("case 2: context should be at most 16 levels deep for a server\n")


def test_a_key_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, none, binary = tmp_path / "cases.json", tmp_path / "none", tmp_path / "binary"
    path.write_text(json.dumps([case()]))
    binary.write_bytes(b"\xff\xfe")
    for key, why in (
        (none, "No such file or directory"),
        (tmp_path, "Is a directory"),
        (binary, "it should be text in UTF-8"),
        ("~nobody-of-that-name/key", "there is no such home"),
    ):
        line = ["flags", "test", str(path), "--env", "test", "--server", "http://127.0.0.1:1"]
        assert main([*line, "--key-file", str(key)]) == 2
        assert capsys.readouterr() == ("", f"kbwork: The key file {key} cannot be read: {why}\n")
