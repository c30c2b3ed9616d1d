"""What a query found, on the command line: in each of the four forms of an answer."""

import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from kbwork.cli.command_line import main
from kbwork.client.output import remarks_of, show_answer
from tests.conftest import World


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command of Bo's, who finds three issues of WEB."""
    bo = world.session("bo")
    bo.call("labels.save", {"name": "bug"})
    bo.call("issues.create", {"project": "WEB", "title": "The cart, forgets", "labels": ["bug"]})
    bo.call("issues.create", {"project": "WEB", "title": "Login is slow", "estimate": 2})
    bo.call("issues.create", {"project": "WEB", "title": "Export"})
    monkeypatch.setenv("KBWORK_URL", world.url)
    monkeypatch.setenv("KBWORK_KEY", world.people["bo"].key)

    def call(*argv: str) -> Ran:
        code = main(list(argv))
        return Ran(code, *capsys.readouterr())

    return call


TEXT = "select key, title, label, estimate, due order by key"


@pytest.mark.parametrize("command", [("q", TEXT), ("tql", "run", "--tql", TEXT)])
def test_rows_of_a_query_are_shown_in_four_ways(run: Run, command: tuple[str, ...]) -> None:
    assert run(*command, "-o", "table") == Ran(
        0,
        "Key    Title              Label  Estimate  Due\n"
        "WEB-1  The cart, forgets  bug\n"
        "WEB-2  Login is slow             2.0\n"
        "WEB-3  Export\n",
        "",
    )
    assert run(*command, "-o", "csv").out == (
        "Key,Title,Label,Estimate,Due\n"
        'WEB-1,"The cart, forgets","[""bug""]",,\n'
        "WEB-2,Login is slow,[],2.0,\n"
        "WEB-3,Export,[],,\n"
    )
    assert run(*command, "-o", "ids").out == "issue:1\nissue:2\nissue:3\n"
    assert json.loads(run(*command).out)["rows"][2] == ["WEB-3", "Export", [], None, None]


def test_what_a_query_names_a_row_by_is_taken_as_a_key(run: Run) -> None:
    named = run("q", "order by key", "--limit", "1", "-o", "ids").out.strip()
    assert json.loads(run("issues", "get", named).out)["key"] == "WEB-1"


@pytest.mark.parametrize("style", ["table", "csv", "ids"])
def test_more_rows_of_a_query_are_told_as_those_of_a_list(run: Run, style: str) -> None:
    first = run("q", TEXT, "--limit", "2", "-o", style)
    assert first.err.startswith("There is more: --cursor ")
    rest = run("q", TEXT, "--limit", "2", "-o", style, "--cursor", first.err.split()[-1])
    assert (rest.code, rest.err) == (0, "")
    assert rest.out.splitlines()[-1].split(",")[0].split()[0] in ("WEB-3", "issue:3")


def test_groups_are_rows_named_by_what_they_stand_for(run: Run) -> None:
    text = "select count() as Issues group by label order by Issues"
    said = "Issues: One with several values stands in each of its groups.\n"
    assert run("q", text, "-o", "table") == Ran(0, "Label  Issues\nbug    1\n       2\n", said)
    assert run("q", text, "-o", "csv") == Ran(0, "Label,Issues\nbug,1\n,2\n", said)
    assert run("q", text, "-o", "ids").out == "bug\n\n"
    assert run("q", "select count()", "-o", "table").out == "Count()\n3\n"
    assert run("q", "select count()", "-o", "ids").out == "3\n"


def test_a_query_that_finds_nothing_shows_its_columns_alone(run: Run) -> None:
    text = "priority = urgent select key, title"
    assert run("q", text, "-o", "table").out == "Key  Title\n"
    assert run("q", text, "-o", "csv").out == "Key,Title\n"
    assert run("q", text, "-o", "ids").out == ""


def _answer(columns: list[tuple[str, str]], *rows: list[Any], **more: Any) -> dict[str, Any]:
    heads = [{"name": title.lower(), "kind": kind, "title": title} for title, kind in columns]
    return {"columns": heads, "rows": list(rows), "subjects": None, "next": None, **more}


def test_cells_read_as_their_column_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.localtime", time.gmtime)
    columns = [("Updated", "time"), ("Spent", "duration"), ("Overdue", "bool"), ("Seen", "time")]
    answer = _answer(
        columns,
        [1_795_177_041, 273_900, True, [0, 60]],
        [None, 1500, False, []],
        [0, -5400, None, None],
        [0, 0, None, None],
    )
    assert [line.rstrip() for line in show_answer(answer, "table", None).splitlines()] == [
        "Updated           Spent        Overdue  Seen",
        "2026-11-20 12:17  3 d 4 h      yes      1970-01-01 00:00, 1970-01-01 00:01",
        "                  25 min       no",
        "1970-01-01 00:00  -1 h 30 min",
        "1970-01-01 00:00  0 min",
    ]


def test_columns_of_one_label_are_both_shown_and_labels_move_no_cursor() -> None:
    answer = _answer([("A\x1b", "text"), ("A\x1b", "text")], ["x", "y\n"])
    assert show_answer(answer, "table", None) == "A\ufffd  A\ufffd\nx   y\n"
    assert show_answer(answer, "csv", None).splitlines()[1].startswith("x,")


def test_what_a_query_says_of_its_rows_is_told_beside_them() -> None:
    answer = _answer([("A", "text")], notices=["Old is New now."], hidden=2, next="c")
    assert remarks_of(answer) == [
        "Old is New now.",
        "2 more fit that you do not see.",
        "There is more: --cursor c",
    ]
    assert remarks_of({"entries": [], "next": 7}) == remarks_of([1]) == []


def test_a_fault_of_a_query_is_shown_at_its_place(run: Run) -> None:
    ran = run("q", "status = done and\n  asignee = me")
    assert ran.code == 2
    lines = ran.err.splitlines()
    at = lines.index("      asignee = me")
    assert lines[at + 1] == "      ^^^^^^^"
    assert "    write: assignee" in lines[at + 2 :]
    ended = run("views", "save", "--name", "x", "--tql", "日本 = ").err.splitlines()
    assert "    日本 = " in ended or "    日本 =" in ended
    assert "    ^^^^" in ended or "           ^" in ended
