"""kbz: people who were erased, files without bytes, other orgs, and issues with a long past."""

import base64
import copy
import itertools
import json
import zipfile
from typing import Any

import pytest

from kbwork.db.tx import Read
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.imports.github_archives import ended, probed, ran
from tests.modules.imports.sources import kbz_file

Lines = kbz_file.Lines
KBZ: dict[str, Any] = {"source": "kbz", "project": None, "name": "web.kbz"}


def brought(world: World, held: Lines, **manifest: Any) -> dict[str, Any]:
    found = probed(world, kbz_file.packed(held, **manifest), **KBZ)
    return found | {"result": ran(world, found["id"])}


def stripped(world: World) -> None:
    """As after the restore of a backup without attachments."""
    world.database.write_now(lambda tx: tx.execute("update blob set bytes = x''"))


def held(world: World) -> list[bytes]:
    found: list[bytes] = world.database.read_now(lambda tx: tx.column("select bytes from blob order by hash"))
    return found


def erased(world: World, who: str, name: str) -> str:
    job = ended(world, call(world, "ana", "members.erase", id=f"@{who}", confirm_name=name)["job"])
    assert job["state"] == "done", job
    return world.people[who].id


def naming(world: World, after: int, *texts: str) -> list[str]:
    """The tables and files in which one of these texts stands; of events those behind a number."""

    def look(tx: Read) -> list[str]:
        names = tx.column("select name from sqlite_master where type = 'table' and name not glob 'sqlite_*'")
        found = {name: repr(tx.all(f'select * from "{name}"')) for name in names if name != "events"}
        told = tx.all("select actor, json(payload) as payload from events where seq > :after", after=after)
        found["events"] = repr(told)
        return [name for name, rows in found.items() if any(text in rows for text in texts)]

    files = {}
    for path in (world.folder / "uploads").iterdir():
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                files[path.name] = b"".join(archive.read(name) for name in archive.namelist())
        else:
            files[path.name] = path.read_bytes()
    named = [name for name, content in files.items() if any(text.encode() in content for text in texts)]
    return world.database.read_now(look) + named


# -- people who were erased -------------------------------------------------------------------------------


def test_who_was_erased_does_not_come_back_with_a_project_of_a_backup(world: World) -> None:
    call(world, "ana", "projects.member_set", key="WEB", who="@di", role="member")
    call(world, "ana", "fields.save", name="Helper", key="helper", kind="member", projects=["WEB"])
    call(world, "ana", "fields.save", name="Doctor", key="doctor", kind="text", personal=True)
    key = call(world, "di", "issues.create", project="WEB", title="By Di", assignees=["@di"])["key"]
    call(world, "di", "issues.update", key=key, values={"helper": "@di", "doctor": "Who"})
    call(world, "di", "issues.vote", key=key, on=True)
    call(world, "di", "comments.create", subject=f"issue:{key}", body="Mine")
    call(world, "di", "checklists.add", key=key, text="Do", assignee="@di")
    call(world, "di", "issues.assign", key=key, assignees=["@cy"])
    ident = call(world, "ana", "backups.create")["id"]
    di = erased(world, "di", "Di Park")
    seq = world.database.seq
    job = ended(world, call(world, "ana", "backups.restore", id=ident, scope="project:WEB")["job"])
    assert (job["state"], job["result"]["errors"]) == ("done", 0), job
    issue = call(world, "ana", "issues.get", key="WEB2-1")
    assert issue["reporter"] == di
    assert [one["author"] for one in call(world, "ana", "comments.list", subject="issue:WEB2-1")] == [di]
    parts = (
        "select who from issue_watcher where issue = :id union all select who from issue_vote where issue = :id"
        " union all select assignee from check_item where issue = :id"
    )
    assert di not in world.database.read_now(lambda tx: tx.column(parts, id=issue["id"]))
    assert di not in [one["who"] for one in call(world, "ana", "projects.members", key="WEB2")]
    assert issue["values"] == {}
    assert naming(world, seq, "Di Park", "di@acme.example") == []


def test_what_was_read_goes_when_somebody_in_it_is_erased(world: World) -> None:
    lines = kbz_file.lines()
    lines["people.jsonl"][0].update(
        id="Di Park", name="Di Park", known=world.people["di"].id, handle="di", email=None
    )
    text = json.dumps(lines).replace('"Ana"', '"Di Park"')
    found = probed(world, kbz_file.packed(json.loads(text)), **KBZ)
    erased(world, "di", "Di Park")
    with refused("conflict"):
        call(world, "ana", "imports.run", id=found["id"])
    again = call(world, "ana", "imports.probe", id=found["id"])
    assert "Di Park" not in json.dumps(again)
    assert ran(world, found["id"])["errors"] == 0
    assert call(world, "ana", "issues.get", key="WEB2-1")["reporter"] == world.people["di"].id


def test_what_was_read_goes_when_somebody_with_a_role_alone_is_erased(world: World) -> None:
    found = probed(world, kbz_file.packed(led(known=world.people["di"].id)), **KBZ)
    erased(world, "di", "Di Park")
    with refused("conflict"):
        call(world, "ana", "imports.run", id=found["id"])
    again = call(world, "ana", "imports.probe", id=found["id"])
    assert ran(world, found["id"])["errors"] == 0
    assert "Kim" not in json.dumps(again)
    assert world.people["di"].id not in roles(world)


# -- people of a project who wrote nothing ------------------------------------------------------------------


def led(**known: str | None) -> Lines:
    """A project that Kim leads, who is named by nothing else; what is `known` of them."""
    lines = kbz_file.lines()
    kim = {"id": "Kim", "name": "Kim", "known": "m_kim", "handle": None, "email": None}
    lines["people.jsonl"].append(kim | known)
    lines["projects.jsonl"][0].update(lead="Kim", members=[{"who": "Kim", "role": "lead"}])
    return lines


def roles(world: World) -> dict[str, str]:
    """Who has which role in what was brought in, beside whoever brought it."""
    found = {one["who"]: one["role"] for one in call(world, "ana", "projects.members", key="WEB2")}
    assert found.pop(world.people["ana"].id) == "lead"
    return found


@pytest.mark.parametrize("known", [{"email": "cy@acme.example"}, {"handle": "cy"}])
def test_who_leads_a_project_of_elsewhere_is_whoever_fits_here(world: World, known: dict[str, str]) -> None:
    found = brought(world, led(**known))
    cy = world.people["cy"].id
    assert found["mapping"]["members"]["Kim"] == cy
    assert [one["count"] for one in found["found"]["people"] if one["id"] == "Kim"] == [0]
    assert roles(world) == {cy: "lead"}
    assert call(world, "ana", "projects.get", key="WEB2")["lead"] == cy


def test_who_leads_a_project_of_elsewhere_is_invited_before_it_comes_in(world: World) -> None:
    found = probed(world, kbz_file.packed(led(email="kim@acme.example")), **KBZ)
    call(world, "ana", "imports.map_set", id=found["id"], members={"Kim": "invite"})
    assert ran(world, found["id"])["errors"] == 0
    (kim,) = roles(world)
    assert call(world, "ana", "projects.get", key="WEB2")["lead"] == kim


def test_who_stands_behind_a_thousand_others_in_the_file_leads_it_too(world: World) -> None:
    """As many as a probe tells of."""
    lines = led(handle="cy")
    others = [
        lines["people.jsonl"][0] | {"id": f"P{n}", "known": f"m_{n}", "handle": None} for n in range(1000)
    ]
    lines["people.jsonl"][1:1] = [one | {"email": None} for one in others]
    found = brought(world, lines)
    assert (len(found["found"]["people"]), found["result"]["members"]) == (1000, 1)
    assert roles(world) == {world.people["cy"].id: "lead"}


# -- files without bytes ----------------------------------------------------------------------------------


def test_files_without_bytes_say_so_and_get_them_back_from_a_part_of_a_backup(world: World) -> None:
    key = call(world, "cy", "issues.create", project="WEB", title="With a file")["key"]
    data = base64.b64encode(b"bytes").decode()
    file = call(world, "cy", "attachments.add", subject=f"issue:{key}", name="a.bin", data=data)["id"]
    whole = call(world, "ana", "backups.create")["id"]
    stripped(world)
    with refused("not-found"):
        call(world, "cy", "attachments.get", id=file)
    job = ended(world, call(world, "ana", "backups.restore", id=whole, scope="project:WEB")["job"])
    assert job["state"] == "done", job
    assert call(world, "cy", "attachments.get", id=file)["data"] == data


def test_the_same_file_added_again_brings_its_bytes_back(world: World) -> None:
    key = call(world, "cy", "issues.create", project="WEB", title="With a file")["key"]
    asked = {"subject": f"issue:{key}", "name": "a.bin", "data": base64.b64encode(b"bytes").decode()}
    file = call(world, "cy", "attachments.add", **asked)["id"]
    stripped(world)
    call(world, "cy", "attachments.add", **asked)
    assert held(world) == [b"bytes"]
    assert call(world, "cy", "attachments.get", id=file)["data"] == asked["data"]


def test_the_same_kbz_file_again_brings_bytes_back(world: World) -> None:
    brought(world, kbz_file.lines())
    stripped(world)
    again = brought(world, kbz_file.lines())
    assert again["result"]["same"] == 3
    assert held(world) == [kbz_file.BYTES]


# -- other orgs -------------------------------------------------------------------------------------------


def test_a_project_of_another_org_is_another_one(world: World) -> None:
    ours, theirs = kbz_file.lines(), kbz_file.lines()
    theirs["issues.jsonl"][0].update(title="Of another org", updated_at=kbz_file.AT + 5)
    assert brought(world, ours)["mapping"]["projects"] == {f"kbz:{kbz_file.ORG}/WEB": "WEB2"}
    other = brought(world, theirs, org="ba9876543210")
    assert other["mapping"]["projects"] == {"kbz:ba9876543210/WEB": "WEB3"}
    titles = [call(world, "ana", "issues.get", key=key)["title"] for key in ("WEB2-1", "WEB3-1")]
    assert titles == ["One", "Of another org"]
    newer = copy.deepcopy(ours)
    newer["issues.jsonl"][0].update(title="Newer", updated_at=kbz_file.AT + 9)
    again = brought(world, newer)
    assert (again["result"]["changed"], again["result"]["made"]["issues"]) == (1, 0)
    assert call(world, "ana", "issues.get", key="WEB2-1")["title"] == "Newer"


def test_an_issue_of_another_org_comes_into_the_same_project_as_another_one(world: World) -> None:
    brought(world, kbz_file.lines())
    theirs = kbz_file.lines()
    theirs["issues.jsonl"][0]["title"] = "Of another org"
    found = probed(world, kbz_file.packed(theirs, org="ba9876543210"), **KBZ | {"project": "WEB2"})
    assert ran(world, found["id"])["made"]["issues"] == 1
    listed = call(world, "ana", "issues.list", project="WEB2")["items"]
    assert sorted(one["title"] for one in listed) == ["Of another org", "One"]


# -- a long past ------------------------------------------------------------------------------------------


def test_a_long_past_comes_in_parts_and_is_what_it_was(world: World) -> None:
    lines = kbz_file.lines()
    issue = lines["issues.jsonl"][0]
    steps = [f"t{number}" for number in range(451)]
    issue["history"] = [
        {
            "at": kbz_file.AT + number,
            "who": "Ana",
            "who_kind": "human",
            "via": None,
            "changes": {"title": {"from": one, "to": other}},
        }
        for number, (one, other) in enumerate(itertools.pairwise(steps))
    ]
    issue["spans"] = [
        {
            "field": "priority",
            "value": "low",
            "from_at": kbz_file.AT + n,
            "to_at": kbz_file.AT + n + 1,
            "by": "Ana",
        }
        for n in range(450)
    ] + [{"field": "lane", "value": "todo", "from_at": kbz_file.AT, "to_at": None, "by": "Ana"}]
    issue["revisions"] = [
        {"revision": n, "at": kbz_file.AT, "who": "Ana", "via": None, "title": "Old", "body": ""}
        for n in range(1, 451)
    ]
    assert brought(world, lines)["result"]["errors"] == 0
    rows: list[dict[str, Any]] = []
    more: dict[str, str] = {}
    while True:
        found = call(world, "ana", "issues.history", key="WEB2-1", limit=200, **more)
        rows += found["items"]
        if found["next"] is None:
            break
        more = {"cursor": found["next"]}
    assert [row["from"] for row in rows] == steps[-2::-1]
    counts = world.database.read_now(
        lambda tx: [
            tx.value("select count(*) from spell where field = 'priority'"),
            tx.value("select count(*) from spell where field = 'lane' and to_at is null"),
            tx.value("select count(*) from issue_revision"),
        ]
    )
    assert counts == [450, 1, 450]
    again = brought(world, lines)
    assert again["result"]["errors"] == 0
    assert len(call(world, "ana", "issues.history", key="WEB2-1", limit=200)["items"]) == 200
