"""All that is kept of a person, as one archive."""

import io
import json
import shutil
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.db.tx import Read
from kbwork.modules.members.departure import personal_data
from tests.conftest import NOW, Person, World
from tests.house.conftest import lived_in_template
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make

__all__ = ["lived_in_template"]


def export(world: World, who: str, **asked: Any) -> dict[str, Any]:
    """What the job says in the end."""
    job = world.session(who).call("members.export_data", asked)["job"]
    found = world.session(who).call("jobs.get", {"id": job, "wait_seconds": 25})
    assert found["state"] == "done", found
    result: dict[str, Any] = found["result"]
    return result


def fetched(world: World, who: str, url: str) -> zipfile.ZipFile:
    request = urllib.request.Request(
        world.url + url, headers={"Authorization": f"Bearer {world.people[who].session}"}
    )
    with urllib.request.urlopen(request) as answer:
        return zipfile.ZipFile(io.BytesIO(answer.read()))


def taken(world: World, who: str, **asked: Any) -> zipfile.ZipFile:
    return fetched(world, who, export(world, who, **asked)["url"])


def lines(archive: zipfile.ZipFile, table: str) -> list[dict[str, Any]]:
    name = f"{table}.jsonl"
    if name not in archive.namelist():
        return []
    return [json.loads(line) for line in archive.read(name).decode().splitlines()]


def index(archive: zipfile.ZipFile) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(archive.read("index.json"))
    return found


def test_what_one_wrote_chose_and_did_is_in_it(world: World) -> None:
    key = make(world, title="Mine", assignees=["@cy"])
    make(world, "bo", title="Another's")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="I *said* so")
    call(world, "cy", "members.preferences_set", set={"theme": "dark"})
    call(world, "cy", "drafts.save", subject=f"issue:{key}", body="Half a thought")
    archive = taken(world, "cy")
    me = world.people["cy"].id
    head = index(archive)
    assert (head["member"]["id"], head["member"]["email"]) == (me, "cy@acme.example")
    assert (head["made_by"], head["preferences"]["theme"]) == (me, "dark")
    assert [one["title"] for one in lines(archive, "issue")] == ["Mine"]
    assert [one["body"] for one in lines(archive, "comment")] == ["I *said* so"]
    assert [one["body"] for one in lines(archive, "draft")] == ["Half a thought"]
    assert "comment.created" in {one["kind"] for one in lines(archive, "events")}
    assert [one["who"] for one in lines(archive, "issue_assignee")] == [me]
    assert head["tables"]["issue"] == {"rows": 1, "left_out": 0}


def test_nothing_that_opens_anything_is_in_it(world: World) -> None:
    archive = taken(world, "ana")
    assert lines(archive, "session")
    assert lines(archive, "key")
    for name in archive.namelist():
        for line in archive.read(name).decode(errors="replace").splitlines():
            told = json.loads(line) if name.endswith(".jsonl") else {}
            assert not personal_data.SECRETS & set(told)
    assert "password" not in archive.read("session.jsonl").decode()


def test_what_one_does_not_see_any_more_is_counted_alone(world: World) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@cy", role="member")
    make(world, "cy", project="PRV", title="Secret")
    call(world, "di", "projects.member_set", key="PRV", who="@cy", role="none")
    archive = taken(world, "cy")
    assert lines(archive, "issue") == []
    assert index(archive)["tables"]["issue"] == {"rows": 0, "left_out": 1}
    assert "Secret" not in "".join(archive.read(name).decode() for name in archive.namelist())


def test_admins_take_out_what_they_see_of_others_and_not_what_is_theirs_alone(world: World) -> None:
    make(world, "di", project="PRV", title="Secret")
    key = make(world, "di", title="Open")
    call(world, "di", "drafts.save", subject=f"issue:{key}", body="Half a thought")
    seq = world.database.seq
    archive = taken(world, "bo", id="@di")
    di = world.people["di"].id
    assert ("member.data_exported", f"member:{di}") in world.events_since(seq)
    assert (index(archive)["member"]["id"], index(archive)["made_by"]) == (di, world.people["bo"].id)
    assert [one["title"] for one in lines(archive, "issue")] == ["Open"]
    assert lines(archive, "draft") == []


@pytest.mark.parametrize(
    ("who", "asked", "slug"),
    [
        ("cy", {"id": "@di"}, "not-allowed"),
        ("di", {"id": "@nobody"}, "invalid-input"),
        ("bo", {"id": "@ana"}, "not-allowed"),
    ],
)
def test_others_take_out_their_own(world: World, who: str, asked: dict[str, Any], slug: str) -> None:
    with refused(slug):
        world.session(who).call("members.export_data", asked)
    assert export(world, who)["size"] > 0


def test_guests_ask_an_admin_and_a_key_takes_out_nothing(world: World) -> None:
    with refused("insufficient-scope"):
        world.session("gus").call("members.export_data", {})
    assert index(taken(world, "bo", id="@gus"))["member"]["handle"] == "gus"
    with pytest.raises(KbworkProblem):
        world.key("ana").call("members.export_data", {})


def test_who_made_it_fetches_it_for_a_day(world: World) -> None:
    url = export(world, "cy")["url"]
    for other in ("ana", "di"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            fetched(world, other, url)
    assert "index.json" in fetched(world, "cy", url).namelist()
    world.advance(25 * 3600)
    with pytest.raises(urllib.error.HTTPError):
        fetched(world, "cy", url)


def test_asked_for_twice_one_is_made(world: World) -> None:
    with world.at_rest():
        jobs = {world.session("cy").call("members.export_data", {})["job"] for _ in range(2)}
        jobs.add(world.session("ana").call("members.export_data", {"id": "@cy"})["job"])
    assert len(jobs) == 2


def test_who_leaves_meanwhile_gets_none(world: World) -> None:
    with world.at_rest():
        job = world.session("bo").call("members.export_data", {"id": "@cy"})["job"]
        call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    found = world.session("ana").call("jobs.get", {"id": job, "wait_seconds": 25})
    assert (found["state"], found["result"]) == ("failed", None)


def test_each_column_that_holds_a_member_is_asked_or_left_out_for_a_reason(
    lived_in_template: tuple[Path, dict[str, Person]], tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(lived_in_template[0], folder)
    database = open_data(folder, FixedClock(NOW))
    try:
        found = database.write_now(_holding_members)
    finally:
        database.close()
    asked = {
        (table, column)
        for table, column in found
        if column not in personal_data.WHO and table not in personal_data.LEFT_OUT
    }
    assert asked == set()
    assert {table for table, _ in found} >= {"comment", "issue", "session", "team_member"}


def _holding_members(tx: Read) -> list[tuple[str, str]]:
    """(table, column) of each that holds the id of a member, in a world in which much was done."""
    columns = tx.tuples(
        "select t.name, c.name from pragma_table_list t join pragma_table_xinfo(t.name) c where t.schema = 'main'"
        " and t.type = 'table' and c.hidden = 0 and t.name not glob 'sqlite_*' and t.name not glob 'search_*'"
    )
    return [
        (table, column)
        for table, column in columns
        if tx.value(f'select 1 from "{table}" where "{column}" in (select id from member) limit 1')
    ]
