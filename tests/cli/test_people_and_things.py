"""What a person reads of people and things on the command line, and what a program reads of the same."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from kbwork.cli.command_line import main
from kbwork.client.client import ApiClient
from kbwork.client.errors import Unreachable
from kbwork.client.output import show_answer
from kbwork.client.people import with_people_named
from tests.conftest import World


class Shown(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Shown]


@pytest.fixture
def run(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command of Ana's."""
    monkeypatch.setenv("KBWORK_URL", world.url)
    monkeypatch.setenv("KBWORK_KEY", world.people["ana"].key)

    def call(*argv: str) -> Shown:
        code = main(list(argv))
        return Shown(code, *capsys.readouterr())

    return call


def test_a_write_says_in_one_line_what_it_made_and_where(run: Run, world: World) -> None:
    made = run("issues", "create", "--project", "WEB", "--title", "Say hello", "-o", "table")
    assert made == Shown(0, f"WEB-1  Say hello  {world.url}/issues/WEB-1\n", "")
    assert run("issues", "update", "WEB-1", "--title", "Hello", "-o", "table").out.startswith(
        "WEB-1  Hello  "
    )
    project = run("projects", "create", "--key", "NEW", "--name", "New one", "-o", "table")
    assert project.out == f"NEW  New one  {world.url}/projects/NEW\n"
    assert run("labels", "save", "bug", "-o", "table").out.startswith("1  bug")
    view = run("views", "save", "--name", "Mine", "--tql", "assignee = me", "-o", "table")
    assert view.out == f"1  Mine  {world.url}/views/1\n"
    assert json.loads(run("issues", "update", "WEB-1", "--title", "Hi").out)["lane"] == "todo"


def test_what_is_told_once_is_shown_whole(run: Run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBWORK_KEY", world.people["ana"].session)
    made = run(
        "keys", "create", "--name", "ci", "--kind", "personal", "--scopes", "issues:read", "-o", "table"
    )
    assert "kb_" in made.out


def test_people_are_shown_by_their_handles(run: Run, world: World) -> None:
    run(
        "issues",
        "create",
        "--project",
        "WEB",
        "--title",
        "Say hello",
        "--assignees",
        "@bo",
        "--assignees",
        "me",
    )
    listed = run("issues", "list", "-o", "table").out
    assert "  @bo, @ana  " in listed
    shown = run("issues", "get", "WEB-1", "-o", "table").out
    assert shown.splitlines()[0] == "WEB-1  Say hello"
    assert ["reporter", "@ana"] in [line.split() for line in shown.splitlines()]
    for argv in (
        ("issues", "get", "WEB-1", "--with", "watchers"),
        ("issues", "list"),
        ("members", "list"),
        ("members", "get", "me"),
        ("auth", "me"),
        ("projects", "list"),
        ("projects", "members", "WEB"),
        ("projects", "get", "WEB"),
        ("activity", "recent"),
        ("audit", "list"),
        ("issues", "watchers", "WEB-1"),
        ("keys", "list"),
        ("q", "assignee = @bo select key, assignee, reporter"),
    ):
        ran = run(*argv, "-o", "table")
        assert (ran.code, "m_" in ran.out) == (0, False), ran.out
        assert "@ana" in ran.out or "@bo" in ran.out or argv[0] == "projects", ran.out


def test_programs_read_ids_as_before(run: Run, world: World) -> None:
    run("issues", "create", "--project", "WEB", "--title", "Say hello", "--assignees", "@bo")
    bo = world.people["bo"].id
    assert json.loads(run("issues", "get", "WEB-1").out)["assignees"] == [bo]
    assert bo in run("issues", "list", "-o", "csv").out
    assert bo in run("members", "list", "-o", "ids").out


def test_an_issue_is_shown_without_what_programs_ask_for(run: Run) -> None:
    run("issues", "create", "--project", "WEB", "--title", "Say hello", "--body", "At\nlength.")
    lines = run("issues", "get", "WEB-1", "-o", "table").out.splitlines()
    names = [line.split()[0] for line in lines[1:-3]]
    assert lines[0] == "WEB-1  Say hello"
    assert {"status", "type", "priority", "reporter", "created_at", "updated_at"} <= set(names)
    assert not {"id", "body_doc", "can", "seq", "rank", "lane", "category", "locked"} & set(names)
    assert lines[-3:] == ["", "At", "length."]


def test_somebody_who_has_not_come_yet_is_shown_by_name(run: Run, world: World) -> None:
    run("invites", "create", "--emails", "gus@b.example", "--role", "member")
    listed = run("members", "list", "--state", "all", "-o", "table").out
    assert "gus" in listed
    assert "m_" not in listed


def test_who_cannot_be_looked_up_stays_an_id(world: World) -> None:
    class Refused:
        def call(self, op: str, fields: object) -> object:
            raise Unreachable(f"{op} {fields}")

    answer = {"owner": "m_" + "a" * 12}
    assert with_people_named(Refused(), answer) == answer  # type: ignore[arg-type]  # it has what is asked of it
    stranger = {"owner": "m_" + "a" * 12, "of": ["m_0", world.people["bo"].id]}
    with ApiClient(world.url, world.people["ana"].key) as client:
        assert with_people_named(client, stranger) == stranger | {"of": ["m_0", "@bo"]}


def test_flags_are_shown_as_on_or_off() -> None:
    row = {"key": "k", "name": "n", "environments": {"test": {"on": True}, "production": {"on": False}}}
    assert (
        show_answer([row], "table", None) == "key  name  environments\nk    n     test on, production off\n"
    )


def test_a_board_is_shown_column_by_column() -> None:
    issue = {"key": "WEB-1", "title": "Say hello", "status": "To do", "priority": "high"}
    shown = {
        "columns": [
            {
                "id": "c1",
                "name": "To do",
                "count": 2,
                "estimate": 2.5,
                "over_limit": True,
                "issues": [issue],
                "next": "abc",
            },
            {
                "id": "c2",
                "name": "Done",
                "count": 1,
                "estimate": 0.0,
                "over_limit": False,
                "issues": [],
                "next": None,
            },
        ],
        "swimlanes": [],
    }
    assert show_answer(shown, "table", None) == (
        "To do  2 issues, estimate 2.5, over the limit\n"
        "key    title      status  priority\n"
        "WEB-1  Say hello  To do   high\n"
        "1 more: --cursor abc\n"
        "\n"
        "Done  1 issue\n"
    )
    assert show_answer(shown, "ids", None) == "WEB-1\n"
    assert show_answer(shown, "csv", None) == "key,title,status,priority\nWEB-1,Say hello,To do,high\n"
