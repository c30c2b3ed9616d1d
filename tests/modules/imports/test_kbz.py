"""kbz: a project written to a file, and imported beside itself or into another org, is what it was."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock, SystemClock
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from kbwork.modules.imports.kbz import portable_names
from kbwork.modules.imports.kbz.write import WriteRequest, of_backup
from kbwork.modules.imports.load import run
from kbwork.modules.org.setup import create_org
from kbwork.settings import Settings
from tests.conftest import NOW, PASSWORD, Person, World, serving
from tests.modules.backups.old_archives import aged
from tests.modules.calls import call, refused
from tests.modules.imports.full_project import differing, live, said
from tests.modules.imports.github_archives import ended, probed, ran, send, undone

TABLES = (
    *(
        "project",
        "project_key",
        "project_member",
        "project_type",
        "project_status",
        "issue",
        "issue_assignee",
    ),
    *("issue_component", "issue_label", "issue_revision", "issue_template", "issue_value", "issue_vote"),
    *(
        "issue_watcher",
        "former_number",
        "comment",
        "reaction",
        "attachment",
        "attachment_text",
        "blob",
        "check_item",
    ),
    *(
        "component",
        "label",
        "lane",
        "issue_type",
        "workflow",
        "field",
        "field_option",
        "field_layout",
        "relation",
    ),
    *("relation_kind", "web_link", "asset_issue", "spell", "import_item", "search_doc"),
)


def written(world: World, tmp_path: Path, *keys: str, name: str = "part.kbz") -> bytes:
    """A kbz file of projects, out of a backup of the world; in this process, which restores have in one of its own."""
    at = call(world, "ana", "backups.create")
    aside = tmp_path / "aside"
    wish: WriteRequest = {
        "archive": str(world.folder / "backups" / f"{at['id']}.zip"),
        "aside": str(aside),
        "projects": list(keys),
        "to": str(tmp_path / name),
    }
    of_backup(wish, SystemClock())
    assert not aside.exists()
    return (tmp_path / name).read_bytes()


@pytest.fixture
def other(tmp_path: Path, settings: Settings) -> Iterator[World]:
    """Another org: Zoe founded it and is called as `ana` is, and Cy has an account in it."""
    clock = FixedClock(NOW)
    folder = tmp_path / "other"
    database = open_data(folder, clock)
    try:
        people = database.write_now(_founded)
    finally:
        database.close()
    with serving(World(folder, clock, people), settings) as made:
        yield made


def _founded(tx: Write) -> dict[str, Person]:
    people = {}
    zoe = create_org(tx, "Other", "Zoe Hale", "zoe@other.example", "x")
    cy = callers.add_member(tx, name="Cy Moss", email="cy@acme.example", role="member")
    for name, member, role in (("ana", zoe, "owner"), ("cy", cy, "member")):
        _, key = callers.add_key(tx, member, {"name": "test", "scopes": sorted(scopes.of_role(role))})
        session = callers.add_session(tx, member, kind="app", client="test")
        people[name] = Person(member, name, role, key, session)
    return people


def org(world: World) -> str:
    """What files of this org name it by."""
    return world.database.read_now(portable_names.org)


def counted(world: World) -> dict[str, int]:
    """How many rows there are of what a project is made of."""
    return world.database.write_now(
        lambda tx: {table: tx.value(f"select count(*) from {table}") for table in TABLES}
    )


def brought(world: World, content: bytes, **more: Any) -> dict[str, Any]:
    """An import of a kbz file, done: as it was probed, with what its job said and its log."""
    asked = {"source": "kbz", "project": None, "name": "web.kbz"} | more
    found = probed(world, content, **asked)
    done = ran(world, found["id"])
    lines = call(world, "ana", "imports.log", id=found["id"])["items"]
    return found | {"result": done, "lines": [line["message"] for line in lines]}


def test_a_project_comes_beside_itself_and_goes_again(world: World, tmp_path: Path) -> None:
    live(world)
    before = said(world, "WEB")
    content = written(world, tmp_path, "WEB")
    rows = counted(world)
    done = brought(world, content)
    assert done["mapping"]["projects"] == {f"kbz:{org(world)}/WEB": "WEB2"}
    assert (done["result"]["errors"], done["lines"]) == (0, [])
    assert differing(before, said(world, "WEB2")) == []
    gone = undone(world, done["id"])
    assert gone["kept"] == []
    assert counted(world) == rows
    assert differing(before, said(world, "WEB")) == []


def test_a_project_comes_into_another_org_with_what_is_known_there(
    world: World, other: World, tmp_path: Path
) -> None:
    """What another org does not have is people, teams, assets and other projects; each is told of."""
    live(world)
    before = said(world, "WEB")
    rows = counted(other)
    done = brought(other, written(world, tmp_path, "WEB"))
    assert done["result"]["errors"] == 0
    assert sorted(done["lines"]) == [
        "Careful, Pass: not all who approve it are here: 0 must agree.",
        "It is for the team shop, which is not here: it is private.",
        "Nobody here is Ana Lund, Bo Tran, Di Park, team:shop: they have no role in it.",
        "Not here are the assets LAP-1: it is not about them.",
        "Not here, and left out, is what these fields held: seen_by.",
        "blocks: there is no SEC-1 here: the relation is left out.",
        "relates: there is no SEC-1 here: the relation is left out.",
    ]
    differs = {re.sub(r"\d+", "n", line.split(": ")[0]) for line in differing(before, said(other, "WEB"))}
    assert differs == {
        ".project.lead",
        ".members",
        ".workflows[n].transitions[n].who",
        ".workflows[n].transitions[n].approvers",
        ".workflows[n].transitions[n].needed",
        ".issues.n.assets",
        ".issues.n.comments[n].reactions",
        ".issues.n.issue.blocked",
        ".issues.n.issue.counts.votes",
        ".issues.n.issue.counts.watchers",
        ".issues.n.issue.level",
        ".issues.n.issue.values.seen_by",
        ".issues.n.relations",
        ".issues.n.voters",
        ".issues.n.watchers",
    }
    gone = undone(other, done["id"])
    assert gone["kept"] == []
    assert counted(other) == rows


# -- who has a part in a project, and wrote nothing -----------------------------------------------------------


def led(world: World) -> None:
    """WEB has all that a project itself names somebody in, and that is Cy each time; its one issue is by Di."""
    cy = world.people["cy"].id
    do = partial(call, world, "ana")
    do("projects.member_set", key="WEB", who="@cy", role="lead")
    do("projects.update", key="WEB", lead="@cy")
    do("projects.member_set", key="WEB", who="@bo", role="viewer")
    do("projects.member_set", key="WEB", who="@ana", role="lead")
    call(world, "cy", "projects.status_post", key="WEB", health="on_track", body="It goes.")
    do("components.save", project="WEB", name="Cart", lead="@cy")
    do("issues.template_save", project="WEB", name="Defect", type="bug", input={"assignees": ["@cy"]})
    do("fields.save", key="keeper", name="Keeper", kind="member", default="@cy", projects=["WEB"])
    rule = {"if": {"field": "keeper", "op": "=", "value": "@cy"}, "set": {"keeper": "@cy"}}
    laid_out: dict[str, Any] = {"create": ["keeper"], "edit": ["keeper"], "required": [], "rules": [rule]}
    do("fields.layout_save", project="WEB", type="bug", **laid_out)
    steps = [{"name": "Pass", "from": ["*"], "to": "done", "who": ["lead"], "approvers": [cy], "needed": 1}]
    way = {"name": "Approved", "start": "todo", "lanes": ["todo", "done"], "transitions": steps}
    do("workflows.assign", id=do("workflows.save", **way)["id"], project="WEB", types=["bug"])
    call(world, "di", "issues.create", project="WEB", title="Something")


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("way", ["import", "restore"])
def test_who_wrote_nothing_in_a_project_keeps_their_part_in_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, *, cut: bool
) -> None:
    """`cut`: each record comes in by a slice of its own."""
    led(world)
    before = said(world, "WEB")
    if cut:
        monkeypatch.setattr(run, "SLICE_S", 0)
        monkeypatch.setattr(run, "_TELL_S", 0.02)
    if way == "import":
        done = brought(world, written(world, tmp_path, "WEB"))
    else:
        done = restored(world, "WEB", id=call(world, "ana", "backups.create")["id"])
        done |= {"id": done["result"]["import"]}
        done["lines"] = call(world, "ana", "imports.log", id=done["id"])["items"]
    assert (done["result"]["errors"], done["lines"]) == (0, [])
    assert differing(before, said(world, "WEB2")) == []
    told = [kind for kind, _ in world.events_since(0) if kind.startswith("import.")]
    assert told == ["import.started", "import.finished"]
    assert undone(world, done["id"])["kept"] == []


def test_who_wrote_nothing_keeps_their_part_in_another_org(
    world: World, other: World, tmp_path: Path
) -> None:
    led(world)
    before, cy = said(world, "WEB"), other.people["cy"].id
    done = brought(other, written(world, tmp_path, "WEB"))
    assert sorted(done["lines"]) == ["Nobody here is Ana Lund, Bo Tran: they have no role in it."]
    beside: dict[str, Any] = {"members": [], "issues": {}}
    assert differing(before | beside, said(other, "WEB") | beside) == []
    members = {one["who"]: one["role"] for one in call(other, "ana", "projects.members", key="WEB")}
    assert members == {other.people["ana"].id: "lead", cy: "lead"}
    fields = {one["key"]: one["default"] for one in call(other, "ana", "fields.list")}
    assert fields["keeper"] == cy


def test_the_same_file_again_adds_nothing_and_a_newer_one_what_changed(world: World, tmp_path: Path) -> None:
    live(world)
    content = written(world, tmp_path, "WEB")
    first = brought(world, content)
    rows = counted(world)
    again = brought(world, content)
    assert again["mapping"]["projects"] == {f"kbz:{org(world)}/WEB": "WEB2"}
    assert not any(again["result"]["made"].values())
    assert again["result"]["errors"] == 0
    assert counted(world) == rows
    call(world, "ana", "issues.update", key="WEB-2", title="Changed at the source", priority="low")
    call(world, "ana", "issues.update", key="WEB-3", body="Changed at the source")
    call(world, "ana", "issues.create", project="WEB", title="New at the source")
    call(world, "ana", "issues.update", key="WEB2-2", title="Changed here")
    newer = brought(world, written(world, tmp_path, "WEB"))
    assert (newer["result"]["made"]["issues"], newer["result"]["changed"], newer["result"]["kept"]) == (
        1,
        2,
        1,
    )
    second = call(world, "ana", "issues.get", key="WEB2-2")
    assert (second["title"], second["priority"]) == ("Changed here", "low")
    assert call(world, "ana", "issues.get", key="WEB2-3")["body"] == "Changed at the source"
    undone(world, newer["id"])
    gone = undone(world, first["id"])
    assert {one["subject"].partition(":")[0] for one in gone["kept"]} <= {
        "issue",
        "component",
        "label",
        "project",
    }


def test_a_dry_run_counts_and_writes_nothing_and_since_takes_what_is_newer(
    world: World, tmp_path: Path
) -> None:
    live(world)
    content = written(world, tmp_path, "WEB")
    rows = counted(world)
    found = probed(world, content, source="kbz", project=None, name="web.kbz")
    tried = ran(world, found["id"], dry_run=True)
    assert counted(world) == rows
    done = ran(world, found["id"])
    same = ("projects", "issues", "comments", "relations", "attachments", "components")
    assert {name: tried["made"][name] for name in same} == {name: done["made"][name] for name in same}
    newest = max(
        call(world, "ana", "issues.get", key=f"WEB-{number}")["updated_at"] for number in (1, 2, 3, 4)
    )
    found = probed(world, content, source="kbz", project="LATE", name="web.kbz")
    late = ran(world, found["id"], since=newest - 1)
    assert 0 < late["made"]["issues"] < 6


def test_two_projects_of_one_file_keep_what_is_between_them(world: World, tmp_path: Path) -> None:
    live(world)
    done = brought(world, written(world, tmp_path, "WEB", "SEC"))
    assert (done["mapping"]["projects"], done["lines"]) == (
        {f"kbz:{org(world)}/{key}": f"{key}2" for key in ("WEB", "SEC")},
        [],
    )
    relations = call(world, "ana", "issues.relations", key="WEB2-3")
    assert "SEC2-1" in [one["issue"]["key"] for one in relations]
    assert undone(world, done["id"])["kept"] == []


def test_an_archived_and_a_private_project_come_back_as_they_were(world: World) -> None:
    call(world, "di", "issues.create", project="PRV", title="Mine")
    call(world, "cy", "issues.create", project="SEC", title="Ours")
    call(world, "ana", "projects.archive", key="SEC", on=True)
    at = call(world, "ana", "backups.create")
    assert restored(world, "PRV", id=at["id"])["result"]["errors"] == 0
    assert call(world, "ana", "projects.get", key="PRV2")["visibility"] == "private"
    done = restored(world, "SEC", id=at["id"])["result"]
    assert call(world, "ana", "projects.get", key="SEC2")["archived_at"] is not None
    assert undone(world, done["import"])["kept"] == []


def restored(world: World, key: str, **source: str) -> dict[str, Any]:
    """The job that brings a project of a backup back, at its end."""
    if world.clock.now() > NOW + 500:
        call(world, "ana", "auth.elevate", password=PASSWORD)
    return ended(world, call(world, "ana", "backups.restore", scope=f"project:{key}", **source)["job"])


def test_a_project_of_a_backup_comes_back_beside_what_is_there(world: World) -> None:
    live(world)
    before = said(world, "WEB")
    at = call(world, "ana", "backups.create")
    call(world, "ana", "issues.update", key="WEB-2", title="Changed since")
    job = restored(world, "WEB", id=at["id"])
    assert job["state"] == "done", job
    result = job["result"]
    assert (result["key"], result["was"], result["made"]["issues"], result["errors"]) == ("WEB2", "WEB", 6, 0)
    assert differing(before, said(world, "WEB2")) == []
    again = restored(world, "WEB", id=at["id"])["result"]
    assert again["key"] == "WEB3"
    undone(world, again["import"])
    assert differing(before, said(world, "WEB2")) == []
    told = [kind for kind, _ in world.events_since(0) if kind in ("backup.restored", "import.finished")]
    assert told == ["import.finished", "backup.restored"] * 2
    left = sorted(path.name for path in (world.folder / "uploads").iterdir())
    assert not [name for name in left if "aside" in name or "part" in name]


def test_a_project_comes_out_of_an_archive_of_an_earlier_version(world: World, tmp_path: Path) -> None:
    live(world)
    before = said(world, "WEB")
    at = call(world, "ana", "backups.create")
    old = aged(world.folder / "backups" / f"{at['id']}.zip", tmp_path, "202611200038_views")
    upload = send(world, old.read_bytes(), name="old.zip")["upload"]
    job = restored(world, "WEB", upload=upload)
    assert job["state"] == "done", job
    assert (job["result"]["key"], job["result"]["errors"]) == ("WEB2", 0)
    assert (
        differing(before | {"views": [], "opens": [], "boards": []}, said(world, "WEB2")) == []
    )  # that version had none


def test_a_project_that_the_backup_does_not_hold_fails_the_job(world: World) -> None:
    at = call(world, "ana", "backups.create")
    job = restored(world, "NOPE", id=at["id"])
    assert job["state"] == "failed"
    assert "NOPE" in job["error"]


def test_a_project_comes_out_of_an_archive_from_elsewhere(world: World, other: World) -> None:
    live(world)
    at = call(world, "ana", "backups.create")
    archive = (world.folder / "backups" / f"{at['id']}.zip").read_bytes()
    upload = send(other, archive, name="theirs.zip")["upload"]
    result = restored(other, "web", upload=upload)["result"]
    assert (result["key"], result["made"]["issues"], result["errors"]) == ("WEB", 6, 0)
    assert call(other, "ana", "issues.get", key="WEB-2")["title"] == "It forgets all"


def test_who_is_no_owner_and_what_is_no_project_is_refused(world: World) -> None:
    at = call(world, "ana", "backups.create")
    for who in ("bo", "cy"):
        with refused("not-allowed" if who == "bo" else "insufficient-scope"):
            call(world, who, "backups.restore", id=at["id"], scope="project:WEB")
    with refused("invalid-input"):
        call(world, "ana", "backups.restore", id=at["id"], scope="project:../x")
    with refused("not-found"):
        call(world, "ana", "backups.restore", id="20260301T030000Z-manual-k3f9", scope="project:WEB")


def test_a_run_that_is_cut_goes_on_and_doubles_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One record a slice, so that most of them end in the middle."""
    live(world)
    before = said(world, "WEB")
    content = written(world, tmp_path, "WEB")
    monkeypatch.setattr(run, "SLICE_S", 0)
    monkeypatch.setattr(run, "_TELL_S", 0.02)
    done = brought(world, content)
    assert done["lines"] == []
    assert differing(before, said(world, "WEB2")) == []
    assert not any(ran(world, done["id"])["made"].values())
    assert differing(before, said(world, "WEB2")) == []
