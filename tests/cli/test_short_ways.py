"""Short ways on the command line: completion from a server, operations by words, flags on, off and rolled out."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kbwork.cli.command_line import main
from kbwork.cli.live_values import live_values
from tests.conftest import World


class Answered(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Answered]


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command of Ana's, who has a flag that is off in `test`."""
    ana = world.session("ana")
    ana.call("flags.project_save", {"project": "shop", "name": "Shop"})
    ana.call("flags.environment_save", {"project": "shop", "key": "test"})
    ana.call("flags.create", {"project": "shop", "key": "banner", "template": "release"})
    monkeypatch.setenv("KBWORK_URL", world.url)
    monkeypatch.setenv("KBWORK_KEY", world.people["ana"].key)

    def call(*argv: str) -> Answered:
        code = main(list(argv))
        return Answered(code, *capsys.readouterr())

    return call


def test_completion_asks_the_server(run: Run, world: World) -> None:
    world.key("ana").issues.create(project="WEB", title="x")

    def offered(*words: str) -> list[str]:
        return run("--complete", *words).out.split()

    assert offered("issues", "list", "--project", "W") == ["WEB"]
    assert offered("projects", "get", "S") == ["SEC"]
    assert offered("issues", "get", "WEB-") == ["WEB-1"]
    assert offered("issues", "assign", "WEB-1", "--assignees", "@b") == ["@bo"]
    assert offered("flags", "get", "--project", "shop", "--key", "") == ["banner"]
    assert offered("flags", "update", "--project", "") == ["shop"]
    assert "test" in offered("flags", "update", "--project", "shop", "--environment", "")
    assert offered("flags", "rol") == ["rollout"]
    assert offered("issues", "update", "WEB-1", "--priority", "u") == ["urgent"]


def test_completion_is_silent_where_no_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("http://127.0.0.1:9", "nowhere"):
        monkeypatch.setenv("KBWORK_URL", url)
        assert live_values("issues", "project", "", {}) == []
    assert live_values("issues", "project", "", {"key_file": "/nowhere"}) == []
    assert live_values("labels", "color", "", {}) == []


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["close an issue"], "kbwork issues transition "),
        (["close", "an", "issue"], "kbwork issues transition "),
        (["who am i"], "kbwork auth me "),
    ],
)
def test_operations_are_found_by_words(
    words: list[str], first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["find", *words]) == 0
    assert any(line.startswith(first) for line in capsys.readouterr().out.splitlines()[:2])
    assert main(["find", "xyzzy"]) == 1
    assert capsys.readouterr().err.startswith("kbwork: Nothing does that by these words")


def test_a_flag_is_switched_and_rolled_out(run: Run, world: World) -> None:
    def served() -> dict[str, object]:
        flag = world.key("ana").call("flags.get", {"project": "shop", "key": "banner"})
        state = flag["environments"]["test"]
        return {"on": state["on"], "fallthrough": state["fallthrough"]}

    off = served()
    assert run("flags", "on", "banner", "--env", "test", "--dry-run").code == 0
    assert served() == off
    said = run("flags", "on", "banner", "--env", "test", "--comment", "Try it")
    assert said == Answered(0, "shop/banner in test: applied; it is on\n", "")
    assert run("flags", "rollout", "banner", "25", "--env", "test", "--project", "shop").code == 0
    parts = [{"variation": 0, "weight": 25000}, {"variation": 1, "weight": 75000}]
    found = served()
    assert found["on"] is True
    assert parts == found["fallthrough"]["rollout"]["variations"]  # type: ignore[index]  # it is JSON
    assert run("flags", "rollout", "banner", "100", "--env", "test").code == 0
    assert served() == {"on": True, "fallthrough": {"variation": 0}}
    assert run("flags", "off", "banner", "--env", "test").out.endswith("it is off\n")
    wrong = run("flags", "on", "banner", "--env", "tset", "--project", "shop")
    assert (wrong.code, "it has" in wrong.err) == (2, True)
    assert run("flags", "rollout", "banner", "101", "--env", "test").code == 2


def test_bytes_are_read_from_a_file(run: Run, world: World, tmp_path: Path) -> None:
    world.session("ana").call("spaces.save", {"key": "HAND", "name": "Handbook"})
    path = tmp_path / "rules.md"
    path.write_text("# Rules\n\nBe kind.")
    said = run("pages", "import", "--space", "HAND", "--format", "md", "--data", f"@{path}", "-o", "ids")
    assert (said.code, said.err) == (0, "")
    assert world.session("ana").call("pages.get", {"id": "HAND/rules"})["body"] == "Be kind."
    wrong = run("pages", "import", "--space", "HAND", "--format", "md", "--data", f"@{path}.gone")
    assert (wrong.code, "--data: " in wrong.err) == (2, True)
