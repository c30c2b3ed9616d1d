"""The trash: what was deleted comes back whole, to whom it may, or goes for good."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads


def entries(world: World, who: str = "cy", **filters: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "trash.list", **filters)["items"]
    return found


def there(world: World, key: str, who: str = "cy") -> bool:
    return key in [one["key"] for one in call(world, who, "issues.list", limit=200)["items"]]


def test_a_deleted_issue_waits_in_the_trash_and_comes_back_under_its_key(world: World) -> None:
    key = make(world, title="Canary")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="hangs on it")
    seq = world.database.seq
    gone = call(world, "cy", "issues.delete", key=key)
    assert gone == {"ok": True, "trash": 1}
    assert world.events_since(seq) == [("issue.deleted", "issue:1")]
    assert payloads(world, seq, "issue.deleted") == [
        {"key": key, "project": "WEB", "title": "Canary", "children": 0}
    ]
    assert not there(world, key)
    for op, value in (
        ("issues.get", {"key": key}),
        ("comments.list", {"subject": f"issue:{key}"}),
        ("issues.delete", {"key": key}),
    ):
        with refused("not-found"):
            call(world, "cy", op, **value)
    assert entries(world) == [
        {
            "id": 1,
            "subject": "issue:1",
            "kind": "issue",
            "title": f"{key} Canary",
            "deleted_at": world.clock.now(),
            "deleted_by": world.people["cy"].id,
            "purge_at": world.clock.now() + 30 * 86400,
            "items": 1,
            "can_restore": True,
        }
    ]
    assert call(world, "cy", "trash.restore", ids=[1]) == {"restored": ["issue:1"], "failed": []}
    assert world.events_since(seq)[-1] == ("issue.restored", "issue:1")
    assert call(world, "cy", "issues.get", key=key)["counts"]["comments"] == 1
    assert entries(world) == []
    assert make(world) == "WEB-2"


def test_the_trash_shows_what_one_may_bring_back(world: World) -> None:
    own, other, hidden = make(world, "cy"), make(world, "di"), make(world, "di", project="PRV")
    with refused("not-allowed"):
        call(world, "cy", "issues.delete", key=other)
    call(world, "cy", "issues.delete", key=own)
    call(world, "bo", "issues.delete", key=other)
    call(world, "di", "issues.delete", key=hidden)
    titles = {who: [one["title"] for one in entries(world, who)] for who in ("ana", "bo", "cy", "di", "gus")}
    assert titles == {
        "ana": [f"{other} One", f"{own} One"],
        "bo": [f"{other} One", f"{own} One"],
        "cy": [f"{own} One"],
        "di": [f"{hidden} One", f"{other} One"],
        "gus": [],
    }
    assert call(world, "cy", "trash.restore", ids=[2, 1, 99]) == {
        "restored": ["issue:1"],
        "failed": [
            {
                "id": ident,
                "reason": f"There is nothing {ident} in the trash that you may bring back; trash.list shows it.",
            }
            for ident in (2, 99)
        ],
    }


def test_the_trash_is_searched_and_paged(world: World) -> None:
    for number in range(5):
        call(world, "bo", "issues.delete", key=make(world, title=f"Number x{number} ÄÖ"))
    call(world, "bo", "issues.delete", key=make(world, project="SEC", title="Elsewhere"))
    first = call(world, "bo", "trash.list", project="WEB", limit=3)
    second = call(world, "bo", "trash.list", project="WEB", limit=3, cursor=first["next"])
    assert [one["id"] for one in first["items"] + second["items"]] == [5, 4, 3, 2, 1]
    assert second["next"] is None
    assert [one["id"] for one in entries(world, "bo", q="äö X3")] == [4]
    assert len(entries(world, "bo", by="@bo")) == 6
    assert entries(world, "bo", by="@cy") == entries(world, "bo", kind="page") == []


def test_children_go_to_the_parent_above_or_along(world: World) -> None:
    epic = make(world, type="epic")
    task = make(world, parent=epic)
    step = make(world, type="subtask", parent=task)
    seq = world.database.seq
    call(world, "cy", "issues.delete", key=task)
    assert world.events_since(seq) == [
        ("issue.deleted", "issue:2"),
        ("issue.updated", "issue:3"),
        ("issue.parent_changed", "issue:3"),
    ]
    assert call(world, "cy", "issues.get", key=step)["parent"] == epic
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert call(world, "cy", "issues.get", key=step)["parent"] == task
    assert entries(world) == []
    assert call(world, "cy", "issues.get", key=epic)["counts"]["children"] == 1
    call(world, "cy", "issues.delete", key=epic, children="delete")
    assert [entry["items"] for entry in entries(world)] == [3]
    assert not any(there(world, key) for key in (epic, task, step))
    call(world, "cy", "trash.restore", ids=[entries(world)[0]["id"]])
    assert call(world, "cy", "issues.get", key=step)["parent"] == task
    assert call(world, "cy", "issues.get", key=task)["parent"] == epic


def test_children_of_others_are_not_deleted_along(world: World) -> None:
    epic = make(world, "cy", type="epic")
    task = make(world, "di", parent=epic)
    with refused("not-allowed") as found:
        call(world, "cy", "issues.delete", key=epic, children="delete")
    assert task in found.value.detail
    assert there(world, epic)


def test_what_lost_its_place_needs_another(world: World) -> None:
    epic, other = make(world, type="epic"), make(world, type="epic")
    task = make(world, parent=epic)
    call(world, "cy", "issues.delete", key=task)
    call(world, "cy", "issues.delete", key=epic)
    (failed,) = call(world, "cy", "trash.restore", ids=[1])["failed"]
    assert "parent is gone" in failed["reason"]
    assert call(world, "cy", "trash.restore", ids=[1], parent=other)["restored"] == ["issue:3"]
    assert call(world, "cy", "issues.get", key=task)["parent"] == other
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert [entry["title"] for entry in entries(world)] == [f"{task} One", f"{epic} One"]
    assert call(world, "cy", "trash.restore", ids=[entries(world)[0]["id"]], parent="")["failed"] == []
    assert call(world, "cy", "issues.get", key=task)["parent"] is None


def test_undoing_a_creation_sends_it_to_the_trash(world: World) -> None:
    key = make(world, title="Never mind")
    call(world, "cy", "undo.apply", seq=world.database.seq)
    (entry,) = entries(world)
    assert entry["title"] == f"{key} Never mind"
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert entries(world) == []
    assert there(world, key)


def test_purging_leaves_nothing_but_empty_events(world: World) -> None:
    key, other = make(world, title="Canary one", body="canary body"), make(world)
    call(world, "cy", "issues.update", key=key, title="Canary two", parent="", labels=[])
    call(world, "cy", "issues.relation_add", key=key, kind="blocks", to=[other])
    call(world, "cy", "issues.link_add", key=key, url="https://example.com/canary")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="canary comment")
    call(world, "cy", "issues.delete", key=key)
    seq = world.database.seq
    with refused("insufficient-scope"):
        call(world, "cy", "trash.purge", ids=[1])
    assert call(world, "bo", "trash.purge", ids=[1]) == {"purged": 1}
    told = [
        event for event in world.events_since(seq) if event[0] != "job.finished"
    ]  # the search forgets it, too
    assert told == [("issue.purged", "issue:1")]
    for who in ("bo", "cy"):
        assert entries(world, who) == []
        with refused("not-found"):
            call(world, who, "issues.get", key=key)
    with refused("not-found"):
        call(world, "bo", "trash.purge", ids=[1])
    eventually(lambda: "anary" not in dump(world))
    assert make(world) == "WEB-3"
    assert call(world, "cy", "issues.get", key=other)["blocked"] is False


def dump(world: World) -> str:
    """Every text of every table that the product writes, but for sealed answers."""

    def texts(tx: Any) -> str:
        tables = tx.column("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
        found = [tx.all(f"select * from {table}") for table in tables if table != "idempotency"]
        found.append(tx.all("select json(payload) from events"))
        found.append(tx.all("select json(images) from undo"))
        return repr(found)

    return world.database.write_now(texts)


def test_purging_finds_the_records_for_undo_by_events_that_say_nothing(world: World) -> None:
    key = make(world, title="Canary one")
    world.database.write_now(
        lambda tx: tx.execute("update events set payload = jsonb('{}') where subject = 'issue:1'")
    )
    assert "anary" in dump(world)
    call(world, "cy", "issues.delete", key=key)
    call(world, "bo", "trash.purge", ids=[1])
    eventually(lambda: "anary" not in dump(world))


def test_the_trash_is_emptied_by_a_job_and_with_time(world: World) -> None:
    for _ in range(3):
        call(world, "bo", "issues.delete", key=make(world))
    job = call(world, "bo", "trash.empty", kinds=["page"])["job"]
    eventually(lambda: bool(call(world, "bo", "jobs.get", id=job)["ended_at"]))
    assert call(world, "bo", "jobs.get", id=job)["result"] == {"purged": 0}
    assert len(entries(world, "bo")) == 3
    job = call(world, "bo", "trash.empty")["job"]
    eventually(lambda: bool(call(world, "bo", "jobs.get", id=job)["ended_at"]))
    assert call(world, "bo", "jobs.get", id=job)["result"] == {"purged": 3}
    call(world, "bo", "issues.delete", key=make(world))
    world.advance(30 * 86400 + 100)
    eventually(lambda: not world.key("bo").call("trash.list", {})["items"])


@pytest.mark.parametrize("ids", [[], ["x"], [1.5]])
def test_entries_are_named_by_their_ids(world: World, ids: list[Any]) -> None:
    with refused("invalid-input"):
        call(world, "bo", "trash.restore", ids=ids)
