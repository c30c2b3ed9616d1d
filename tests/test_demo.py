"""The demo world: made in a folder of its own, believable, the same each time, and removed by one command."""

import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.cli.commands.demo import demo
from kbwork.cli.commands.serve import serve
from kbwork.db.tx import Read
from kbwork.demo import build, help_desk, story
from kbwork.settings import LimitSettings, Settings
from tests.conftest import NOW, Person, World, serving

FACTS = {
    "issues": "select p.key || '-' || i.number || ' ' || i.title || ' ' || i.created_at || ' ' || i.lane from issue i"
    " join project p on p.id = i.project order by i.id",
    "comments": "select subject || ' ' || created_at || ' ' || body from comment order by id",
    "files": "select name || ' ' || size || ' ' || created_at from attachment order by rowid",
    "people": "select handle || ' ' || role || ' ' || title from member order by handle",
}


def facts(folder: Path) -> dict[str, list[str]]:
    database = open_data(folder, FixedClock(NOW))
    try:
        return database.read_now(lambda tx: {name: tx.column(sql) for name, sql in FACTS.items()})
    finally:
        database.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, build.Built]:
    folder = tmp_path_factory.mktemp("demo") / "data"
    return folder, build.build(folder, FixedClock(NOW))


def test_a_year_of_work_is_there(made: tuple[Path, build.Built]) -> None:
    folder, built = made
    database = open_data(folder, FixedClock(NOW))

    def look(tx: Read) -> dict[str, Any]:
        lanes = tx.all("select category, count(*) as issues from issue group by category")
        return {
            "lanes": {row["category"]: row["issues"] for row in lanes},
            "span": tx.value("select max(at) - min(at) from events"),
            "actors": tx.value("select count(distinct actor) from events where kind = 'comment.created'"),
            "files": tx.value("select count(*) from attachment"),
            "checks": tx.value("select count(*) from check_item where done_at is not null"),
            "spaces": tx.column("select kind || ' ' || key from space order by id"),
            "pages": tx.value("select count(*) from page"),
            "deep": tx.value("select count(*) from page where parent is not null"),
            "late": tx.value("select count(*) from events where at > :now", now=NOW),
            "open": tx.value("select count(*) from key where revoked_at is null"),
            "days": tx.value("select count(*) from issue where start_date < due_date"),
            "fields": tx.column(
                "select f.key from field f join issue_value v on v.field = f.id group by f.id having count(*) > 10"
                " order by f.key"
            ),
        }

    found = database.read_now(look)
    database.close()
    assert sum(found["lanes"].values()) == built.issues == build.ISSUES + len(help_desk.REQUESTS)
    assert all(found["lanes"][category] >= 20 for category in ("todo", "in_progress", "done"))
    assert found["fields"] == ["severity", "worth"]
    assert found["span"] > 350 * build.DAY_S
    assert found["actors"] >= 5
    assert found["days"] >= story.SPRINTS.issues
    assert (found["spaces"], found["pages"], found["deep"]) == (["team HAND", "kb HELP"], 8, 4)
    assert (found["files"] > 10, found["checks"] > 50, found["late"], found["open"]) == (True, True, 0, 0)


def test_titles_differ_and_there_are_views_boards_and_flags_with_traffic(
    made: tuple[Path, build.Built],
) -> None:
    folder, built = made
    database = open_data(folder, FixedClock(NOW))
    titles = database.read_now(lambda tx: tx.column("select lower(title) from issue"))
    views = database.read_now(lambda tx: tx.column("select name from view where shared = 1 order by name"))
    said = database.read_now(build.how_to_sign_in)
    linked = database.read_now(lambda tx: tx.value("select count(*) from flag_issue"))
    database.close()
    assert len(set(titles)) == len(titles) == built.issues
    assert views == sorted(name for _, name, *_ in story.VIEWS)
    assert said == f"Sign in as {built.email} with the password {built.password}"
    assert linked > 0
    world = World(folder, FixedClock(NOW), {})
    with serving(world, Settings(limits=LimitSettings(enabled=False))) as running:
        token = running._client("mara", "").call(
            "auth.login", {"email": built.email, "password": built.password}
        )["token"]
        mara = running._client("mara signed in", token)
        for view in mara.call("views.list", {}):
            assert mara.call("tql.run", {"tql": view["tql"]})["rows"], view["name"]
        boards = mara.call("boards.list", {})
        assert sorted(one["name"] for one in boards) == sorted(one.name for one in story.BOARDS)
        for board in boards:
            shown = mara.call("boards.view", {"id": board["id"], "per_column": 5})
            assert all(column["issues"] for column in shown["columns"]), board["name"]
            assert len(shown["swimlanes"]) > 1, board["name"]
        for flag in story.FLAGS:
            place = {"project": "shop", "key": flag.key, "environment": "production"}
            seen = mara.call("flags.insights", place)
            assert sum(one["count"] for one in seen["series"]) > 500, (flag.key, seen)


def test_customers_asked_and_sign_in_to_the_portal(made: tuple[Path, build.Built]) -> None:
    folder, built = made
    with serving(
        World(folder, FixedClock(NOW), {}), Settings(limits=LimitSettings(enabled=False))
    ) as running:
        for one, titles in (("rita@calder.example", 1), ("ole@brandt.example", 2)):
            nobody = running._client("", "")
            signed_in = {"email": one, "password": built.password}
            client = running._client(one, nobody.call("desk.portal_login", signed_in)["token"])
            requests = client.call("desk.portal_requests", {})
            assert len(requests) == titles
            said = [client.call("desk.portal_request", {"key": each["key"]}) for each in requests]
            assert all("slow connection again" not in str(thread) for thread in said)


def test_mail_is_taken_in_and_a_letter_has_their_words(made: tuple[Path, build.Built]) -> None:
    folder, built = made
    with serving(
        World(folder, FixedClock(NOW), {}), Settings(limits=LimitSettings(enabled=False))
    ) as running:
        signed_in = {"email": built.email, "password": built.password}
        token = running._client("mara", "").call("auth.login", signed_in)["token"]
        mara = running._client("mara signed in", token)
        boxes = mara.call("mail.mailboxes", {})
        assert [(one["name"], one["target"], one["next_at"]) for one in boxes] == [
            ("Fernhill help", {"desk": "SHOP"}, None),
            ("Ideas of the team", {"project": "SHOP"}, None),
        ]
        worded = [one["key"] for one in mara.call("mail.templates", {}) if not one["built_in"]]
        assert worded == ["desk.receipt"]


def test_data_that_are_no_demo_say_nothing_at_their_start(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    assert database.read_now(build.how_to_sign_in) is None
    database.close()


def test_a_port_that_is_taken_is_said_before_a_year_is_lived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = CliRunner().invoke(serve, ["--demo", "--port", str(taken.getsockname()[1])])
    assert ran.exit_code == 2
    assert "pass --port N" in ran.output
    assert not (tmp_path / "kbwork-demo").exists()


def test_it_is_the_same_each_time(made: tuple[Path, build.Built], tmp_path: Path) -> None:
    folder, built = made
    again = build.build(tmp_path / "data", FixedClock(NOW))
    assert facts(tmp_path / "data") == facts(folder)
    assert again.password != built.password


def test_everybody_signs_in_and_sees_what_is_theirs(made: tuple[Path, build.Built]) -> None:
    folder, built = made
    people: dict[str, Person] = {}
    world = World(folder, FixedClock(NOW), people)
    with serving(world, Settings(limits=LimitSettings(enabled=False))) as running:
        for person in story.PEOPLE:
            address = f"{person.handle}@fernhill.example"
            signed = running._client(person.handle, "").call(
                "auth.login", {"email": address, "password": built.password}
            )
            client = running._client(f"{person.handle} signed in", signed["token"])
            keys = {project["key"] for project in client.projects.list()}
            inside = {p.key for p in story.PROJECTS if person.handle in (*p.team, p.lead)}
            assert inside <= keys
            assert ("OPS" in keys) == (person.handle in ("ellis", "priya", "jonas", "mara", "rosa"))


def test_one_command_makes_it_and_one_removes_exactly_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    database = open_data(folder, FixedClock(NOW))
    database.close()
    (folder / "mine.txt").write_text("stays")
    refused = CliRunner().invoke(demo, ["--data", str(folder)])
    assert (refused.exit_code, "holds data already" in refused.output) == (2, True)
    refused = CliRunner().invoke(demo, ["--data", str(folder), "--remove"])
    assert (refused.exit_code, "is no demo: it stays" in refused.output) == (2, True)
    assert (folder / "kbwork.db").exists()
    refused = CliRunner().invoke(demo, ["--data", str(tmp_path / "none"), "--remove"])
    assert (refused.exit_code, "holds no data file" in refused.output) == (2, True)
    monkeypatch.setattr(build, "ISSUES", 12)
    other = tmp_path / "demo"
    ran = CliRunner().invoke(demo, ["--data", str(other)])
    assert ran.exit_code == 0, ran.output
    assert "Sign in as mara@fernhill.example with the password " in ran.output
    (other / "mine.txt").write_text("stays")
    ran = CliRunner().invoke(demo, ["--data", str(other), "--remove"])
    assert (ran.exit_code, [path.name for path in other.iterdir()]) == (0, ["mine.txt"])
