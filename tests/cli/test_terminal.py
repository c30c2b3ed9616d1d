"""What the command line does more where a person looks: all pages, columns, a pager, the way back, lines that fit."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kbwork.cli.command_line import main
from kbwork.client import answer
from kbwork.client.help import wrapped
from tests.conftest import World


class Printed(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Printed]


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command of Ana's in a pipe."""
    monkeypatch.setenv("KBWORK_URL", world.url)
    monkeypatch.setenv("KBWORK_KEY", world.people["ana"].key)
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*argv: str) -> Printed:
        code = main(list(argv))
        return Printed(code, *capsys.readouterr())

    return call


@pytest.fixture
def terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same on a terminal of 60 columns and 20 lines."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "20")
    monkeypatch.setenv("PAGER", "")

    def call(*argv: str) -> Printed:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys.stdout, "isatty", lambda: True)
            patch.setattr(sys.stderr, "isatty", lambda: True)
            return run(*argv)

    return call


@pytest.fixture
def issues(world: World) -> list[str]:
    made = [world.key("ana").issues.create(project="WEB", title=f"Number {at}")["key"] for at in range(1, 8)]
    return [str(key) for key in made]


def test_all_pages_come_as_one_answer(run: Run, issues: list[str]) -> None:
    ran = run("issues", "list", "--limit", "3", "--sort", "created", "--all", "-o", "ids")
    assert (ran.out.split(), ran.err) == (issues, "")
    whole = json.loads(run("issues", "list", "--limit", "3", "--all").out)
    assert (len(whole["items"]), whole["next"]) == (7, None)
    asked = json.loads(run("q", "select key order by key", "--limit", "2", "--all").out)
    assert [row[0] for row in asked["rows"]] == issues
    assert len(asked["subjects"]) == 7
    said = "projects list answers all at once: --all is for lists that come in pages."
    assert run("projects", "list", "--all") == Printed(2, "", f"kbwork: {said}\n")


def test_all_ends_at_a_bound(run: Run, issues: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "_MOST_ROWS", 4)
    ran = run("issues", "list", "--limit", "3", "--all")
    assert len(json.loads(ran.out)["items"]) == 6
    assert ran.err.startswith("There is more: --cursor ")


def test_columns_are_those_that_were_chosen(run: Run, terminal: Run, issues: list[str], world: World) -> None:
    ana = world.people["ana"].id
    one = ("issues", "list", "--limit", "1", "--sort", "created", "--columns", "title, key,reporter,sprint")
    assert run(*one, "-o", "csv").out == f"title,key,reporter,sprint\nNumber 1,{issues[0]},{ana},\n"
    table = run(*one, "-o", "table").out
    assert table == "title     key    reporter  sprint\nNumber 1  WEB-1  @ana\n"
    assert terminal(*one).out == table
    assert json.loads(run(*one).out)["items"] == [
        {"title": "Number 1", "key": issues[0], "reporter": ana, "sprint": None}
    ]
    assert json.loads(run("issues", "get", "WEB-1", "--columns", "key").out) == {"key": "WEB-1"}
    assert (
        "Issues have no field 'titel'. Did you mean title?" in run("issues", "list", "--columns", "titel").err
    )
    assert run("issues", "get", "WEB-1", "--columns", "titel").err.startswith(
        "kbwork: --columns: there is no 'titel'. Did you mean title?"
    )
    assert run("issues", "list", "--columns", "key", "-o", "ids").code == 2
    assert run("q", "select key", "--columns", "key").code == 2
    assert run("issues", "update", "WEB-1", "--title", "x", "--columns", "key").code == 2
    assert json.loads(run("issues", "get", "WEB-1").out)["title"] == "Number 1"


def test_a_pager_shows_what_is_longer_than_the_terminal(
    terminal: Run, issues: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("PAGER", f"tee {kept}")
    short = terminal("issues", "list")
    assert (short.code, kept.exists()) == (0, False)
    monkeypatch.setenv("LINES", "5")
    assert len(terminal("issues", "list", "--no-pager").out.splitlines()) == 8
    assert not kept.exists()
    terminal("issues", "list")
    assert len(kept.read_text().splitlines()) == 8
    monkeypatch.setenv("PAGER", "there-is-no-such-pager")
    assert len(terminal("issues", "list").out.splitlines()) == 8


def test_a_change_says_how_it_is_taken_back(terminal: Run, run: Run, issues: list[str]) -> None:
    changed = terminal("issues", "update", "WEB-1", "--title", "Another")
    command = changed.err.removeprefix("Undo: kbwork ").split()
    assert command[:3] == ["undo", "apply", "--token"]
    assert terminal("issues", "update", "WEB-1", "--title", "Another").err == ""
    assert run("issues", "update", "WEB-2", "--title", "In a pipe").err == ""
    assert terminal("issues", "list").err == ""
    assert run(*command).code == 0
    assert json.loads(run("issues", "get", "WEB-1").out)["title"] == "Number 1"


def test_an_option_of_another_verb_is_named_with_it(run: Run) -> None:
    assert run("issues", "update", "--key", "WEB-1", "--status", "done").err == (
        "kbwork: issues update takes no --status."
        " That is: kbwork issues transition --key WEB-1 --to-status done\n"
    )
    assert "That is: kbwork issues assign --key WEB-1 --assignees me" in (
        run("issues", "update", "WEB-1", "--assignees=me").err
    )
    assert "Did you mean --title?" in run("issues", "update", "WEB-1", "--titel", "x").err


def test_help_fits_the_terminal(terminal: Run, run: Run) -> None:
    for argv in (("--help",), ("issues", "--help"), ("issues", "update", "--help"), ("q", "--help")):
        shown = terminal(*argv).out
        copied = ("  kbwork ", "  curl ", "  Kbwork()", "Usage: ")
        wide = [line for line in shown.splitlines() if len(line) > 60 and not line.startswith(copied)]
        assert wide == []
        assert shown.split() == run(*argv).out.split()


def test_a_text_in_a_second_column_stays_there() -> None:
    page = "Look\nat it.\n\n  --name  one two three four five six seven eight nine ten\n"
    assert wrapped(page, 40) == (
        "Look at it.\n\n  --name  one two three four five six\n          seven eight nine ten\n"
    )
    assert wrapped(page, None) == page
