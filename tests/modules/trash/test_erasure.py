"""What is purged leaves nothing behind, wherever it was told of; what is much goes in steps."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.fields.sample_values import field
from tests.modules.issues.test_issues import make
from tests.modules.test_attachments import add, stored
from tests.modules.trash.test_trash import dump, entries


def purge(world: World, *subjects: str) -> None:
    """Purge what lies in the trash, these of it alone where they are named."""
    found = [
        entry["id"]
        for entry in entries(world, "bo", limit=200)
        if not subjects or entry["subject"] in subjects
    ]
    call(world, "bo", "trash.purge", ids=found)


def narrow(world: World, who: str, *scopes: str) -> Kbwork:
    """A key of somebody with these scopes alone."""
    owner = world.people[who].id
    columns = {"name": "narrow", "scopes": list(scopes)}
    return world._client(
        f"narrow {scopes}", world.database.write_now(lambda tx: callers.add_key(tx, owner, columns)[1])
    )


@pytest.mark.parametrize("kind", ["text", "select"])
def test_of_a_purged_field_neither_name_nor_options_nor_values_remain(world: World, kind: str) -> None:
    options = ["canary one", "canary two"] if kind == "select" else None
    field(world, "gone", kind, options)
    call(world, "bo", "fields.save", key="gone", name="Canary", kind=kind, default="canary one")
    call(world, "bo", "fields.layout_save", project="WEB", type="task", create=["gone"], edit=[], required=[])
    key = make(world, values={"gone": "canary one"})
    call(world, "cy", "issues.update", key=key, title="Two", values={"gone": "canary two"})
    seq = world.database.seq
    call(world, "cy", "issues.move", keys=[make(world, values={"gone": "canary two"})], project="SEC")
    call(world, "bo", "fields.delete", key="gone")
    purge(world)
    eventually(lambda: "anary" not in dump(world))
    (event,) = [one for one in call(world, "cy", "api.changes", since=seq - 1)["events"] if one["seq"] == seq]
    assert event["payload"]["changes"] == {"title": {"from": "One", "to": "Two"}}
    with refused("not-found"):
        call(world, "cy", "undo.apply", seq=seq)


def test_no_value_comes_back_into_a_field_that_is_gone(world: World) -> None:
    field(world, "gone", "text")
    key = make(world, values={"gone": "one"})
    call(world, "cy", "issues.update", key=key, values={"gone": None})
    seq = world.database.seq
    call(world, "bo", "fields.delete", key="gone")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seq)
    assert stored(world, "issue_value") == 0


def test_of_a_purged_comment_nothing_remains_where_it_was_before(world: World) -> None:
    one, two = make(world), make(world)
    number = call(world, "cy", "comments.create", subject=one, body="canary")["id"]
    call(world, "cy", "comments.update", id=number, body="canary too")
    call(world, "cy", "issues.merge", from_=[one], into=two)
    call(world, "cy", "comments.delete", id=number)
    purge(world, f"comment:{number}")
    eventually(lambda: "anary" not in dump(world))


@pytest.mark.parametrize("way", ["merged", "restored", "with its issue"])
def test_of_a_purged_file_nothing_remains_where_it_hung_before(world: World, way: str) -> None:
    one, two = make(world), make(world)
    file = add(world, "cy", one, b"Hello", "canary.txt")
    if way == "restored":
        call(world, "cy", "attachments.delete", id=file["id"])
        call(world, "cy", "issues.delete", key=one)
        number = next(each["id"] for each in entries(world) if each["kind"] == "attachment")
        call(world, "cy", "trash.restore", ids=[number], parent=two)
    else:
        call(world, "cy", "issues.merge", from_=[one], into=two)
    if way == "with its issue":
        call(world, "cy", "issues.delete", key=two)
        purge(world, "issue:2")
    else:
        call(world, "cy", "attachments.delete", id=file["id"])
        purge(world, f"attachment:{file['id']}")
    eventually(lambda: "anary" not in dump(world))


def test_of_a_file_of_a_project_nothing_remains_under_its_other_key(world: World) -> None:
    file = add(world, "cy", "project:WEB", b"Hello", "canary.txt")
    call(world, "bo", "projects.key_change", key="WEB", new_key="SHOP")
    call(world, "cy", "attachments.delete", id=file["id"])
    purge(world)
    eventually(lambda: "anary" not in dump(world))


def test_of_a_file_that_is_too_old_nothing_remains(world: World) -> None:
    add(world, "cy", make(world), b"Hello", "canary.txt")
    world.advance(3 * 86400)
    call(world, "ana", "org.update", retention={"attachments_days": 2})
    eventually(lambda: stored(world, "attachment") == 0)
    eventually(lambda: "anary" not in dump(world))


def test_what_hangs_on_a_purged_issue_goes_in_steps(world: World) -> None:
    key = make(world, title="canary")
    number = 0
    for _ in range(250):
        number = call(world, "cy", "comments.create", subject=key, body="canary")["id"]
    add(world, "cy", f"comment:{number}", b"Hello", "canary.txt")
    call(world, "cy", "issues.delete", key=key)
    purge(world)
    eventually(lambda: stored(world, "trash") == 0)
    assert [stored(world, table) for table in ("comment", "attachment", "issue")] == [0, 0, 0]
    eventually(lambda: "anary" not in dump(world))


def test_many_entries_leave_the_trash_at_once_and_go_in_steps(world: World) -> None:
    epic = make(world, type="epic")
    for _ in range(30):
        make(world, parent=epic)
    call(world, "bo", "issues.delete", key=epic, children="delete")
    for _ in range(40):
        call(world, "bo", "issues.delete", key=make(world))
    seq = world.database.seq
    found = [entry["id"] for entry in entries(world, "bo", limit=200)]
    assert call(world, "bo", "trash.purge", ids=found) == {"purged": 41}
    assert entries(world, "bo") == []
    assert [kind for kind, _ in world.events_since(seq)].count("issue.purged") == 41
    eventually(lambda: stored(world, "issue") == stored(world, "trash") == 0)


@pytest.mark.parametrize("what", ["issue", "comment", "attachment", "field"])
def test_bringing_back_asks_the_scope_of_deleting(world: World, what: str) -> None:
    who = "bo" if what == "field" else "cy"
    key = make(world, who)
    if what == "issue":
        call(world, who, "issues.delete", key=key)
    elif what == "comment":
        number = call(world, who, "comments.create", subject=key, body="One")["id"]
        call(world, who, "comments.delete", id=number)
    elif what == "attachment":
        call(world, who, "attachments.delete", id=add(world, who, key)["id"])
    else:
        field(world, "gone", "text")
        call(world, who, "fields.delete", key="gone")
    reads = (f"{one}:read" for one in ("issues", "comments", "attachments", "projects", "activity"))
    key_of = narrow(world, who, *reads, "activity:write")
    (entry,) = key_of.call("trash.list", {})["items"]
    assert entry["can_restore"] is False
    answer = key_of.call("trash.restore", {"ids": [entry["id"]]})
    assert answer["restored"] == []
    assert "needs the scope" in answer["failed"][0]["reason"]
    (entry,) = entries(world, who)
    assert entry["can_restore"] is True
    assert call(world, who, "trash.restore", ids=[entry["id"]])["failed"] == []


def test_emptying_the_trash_leaves_what_one_does_not_see(world: World) -> None:
    hidden, open_ = make(world, "di", project="PRV"), make(world)
    call(world, "di", "issues.delete", key=hidden)
    call(world, "cy", "issues.delete", key=open_)
    job = call(world, "bo", "trash.empty")["job"]
    eventually(lambda: bool(call(world, "bo", "jobs.get", id=job)["ended_at"]))
    assert call(world, "bo", "jobs.get", id=job)["result"] == {"purged": 1}
    titles: list[Any] = [entry["title"] for entry in entries(world, "di")]
    assert titles == [f"{hidden} One"]


@pytest.mark.parametrize("way", ["purged", "erased"])
def test_neither_the_file_nor_its_log_holds_what_was_purged(world: World, way: str) -> None:
    """But for single words, which stay in the index of words until it is put together anew."""
    if way == "purged":
        key = make(world, title="Canary one", body="Canary two")
        call(world, "cy", "comments.create", subject=key, body="Canary three " * 800)
        call(world, "cy", "issues.delete", key=key)
        assert _lies_in(world.folder, "canary [ot]")
        purge(world, "issue:1")
    else:
        call(world, "di", "members.profile_set", name="Canary Four")
        assert _lies_in(world.folder, "canary [f]")
        call(world, "ana", "members.erase", id="@di", confirm_name="Canary Four")
    eventually(lambda: not _lies_in(world.folder, "canary [otf]"))


def _lies_in(folder: Path, text: str) -> bool:
    """Whether the data file or its log holds a text. Another process looks: to open them here would drop locks."""
    found = subprocess.run(
        ["grep", "-qai", text, folder / "kbwork.db", folder / "kbwork.db-wal"],
        env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
        check=False,
    )
    return found.returncode == 0
