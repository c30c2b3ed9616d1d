"""Writes that waited for the network: each has its own outcome, and none is done twice."""

import threading
from typing import Any

import pytest

from kbwork.api.mcp import tools
from kbwork.contract.kbwork_client import Kbwork
from kbwork.modules.sync import conflicts
from tests.conftest import World
from tests.modules.calls import call, eventually, refused

DAY = 86400


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def now(world: World) -> int:
    return int(call(world, "cy", "sync.delta", since=0)["seq"])


def push(world: World, who: str, *writes: tuple[str, str, dict[str, Any], int], client: str = "lap") -> Any:
    asked = [{"id": i, "op": op, "input": value, "base_seq": base} for i, op, value, base in writes]
    return call(world, who, "sync.push", client=client, writes=asked)


def one(world: World, who: str, op: str, value: dict[str, Any], base: int, *, client: str = "lap") -> Any:
    (result,) = push(world, who, (f"{op}{base}{value}"[:60], op, value, base), client=client)["results"]
    return result


def states(answer: Any) -> list[str]:
    return [result["state"] for result in answer["results"]]


def test_each_write_stands_or_falls_alone(world: World) -> None:
    key = issue(world)
    base = now(world)
    answer = push(
        world,
        "cy",
        ("a", "issues.update", {"key": key, "title": "Basket"}, base),
        ("b", "issues.update", {"key": "WEB-99", "title": "Nothing"}, base),
        ("c", "issues.create", {"project": "WEB", "title": "Made on the train"}, base),
        ("d", "issues.update", {"key": key, "titel": "Typo"}, base),
        ("e", "comments.create", {"subject": f"issue:{key}", "body": "Sent late."}, base),
    )
    assert states(answer) == ["done", "refused", "done", "refused", "done"]
    assert [result["problem"] for result in answer["results"]] == [
        None, "not-found", None, "unknown-field", None,
    ]  # fmt: skip
    ids = {found["key"]: found["id"] for found in call(world, "cy", "issues.list", project="WEB")["items"]}
    assert [result["subject"] for result in answer["results"]] == [
        f"issue:{ids[key]}", None, f"issue:{ids['WEB-2']}", None, f"issue:{ids[key]}",
    ]  # fmt: skip
    assert answer["results"][2]["output"]["title"] == "Made on the train"
    assert world.events_since(base) == [
        ("issue.updated", f"issue:{ids[key]}"),
        ("issue.created", f"issue:{ids['WEB-2']}"),
        ("comment.created", f"issue:{ids[key]}"),
    ]
    assert answer["seq"] == answer["results"][4]["seq"] == base + 3
    assert call(world, "cy", "issues.get", key=key)["title"] == "Basket"


def test_what_got_no_answer_is_sent_again_and_not_done_again(world: World) -> None:
    base = now(world)
    write = ("a", "issues.create", {"project": "WEB", "title": "Once"}, base)
    (first,) = push(world, "cy", write)["results"]
    world.advance(13 * DAY)
    (again,) = push(world, "cy", write)["results"]
    assert again == first | {"state": "repeated", "output": None}
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1
    assert states(push(world, "cy", write, client="phone")) == ["done"]
    assert states(push(world, "di", write)) == ["done"]
    other = ("a", "issues.create", {"project": "WEB", "title": "Another"}, base)
    (mixed,) = push(world, "cy", other)["results"]
    assert (mixed["state"], mixed["problem"]) == ("refused", "idempotency-mismatch")
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 3


def test_an_id_is_known_for_fourteen_days(world: World) -> None:
    write = {
        "id": "a",
        "op": "issues.vote",
        "input": {"key": issue(world), "on": True},
        "base_seq": now(world),
    }
    asked = {"client": "lap", "writes": [write]}
    key = world.key("cy")
    assert states(key.call("sync.push", asked)) == ["done"]
    world.advance(14 * DAY - 60)
    assert states(key.call("sync.push", asked)) == ["repeated"]
    world.advance(7200)
    eventually(lambda: states(key.call("sync.push", asked)) == ["done"])


def test_what_was_refused_may_be_sent_again_under_its_id(world: World) -> None:
    base = now(world)
    write = ("a", "issues.update", {"key": "WEB-1", "title": "Basket"}, base)
    assert states(push(world, "cy", write)) == ["refused"]
    issue(world, "cy")
    # It was made behind `base`, which changes no field.
    assert states(push(world, "cy", write)) == ["done"]


def test_the_same_field_changed_by_another_is_a_conflict(world: World) -> None:
    key = issue(world, priority="low")
    base = now(world)
    call(world, "di", "issues.update", key=key, priority="urgent", title="Basket")
    result = one(world, "cy", "issues.update", {"key": key, "priority": "high"}, base)
    ident = call(world, "cy", "issues.get", key=key)["id"]
    assert result == {
        "id": result["id"],
        "state": "conflict",
        "subject": None,
        "seq": None,
        "output": None,
        "changes": [
            {
                "subject": f"issue:{ident}",
                "field": "priority",
                "value": "urgent",
                "actor": world.people["di"].id,
                "created_at": world.clock.now(),
                "seq": base + 1,
            }
        ],
        "current": None,
        "problem": "conflict",
        "detail": "Others changed the same meanwhile: priority.",
    }
    assert call(world, "cy", "issues.get", key=key)["priority"] == "urgent"
    assert world.events_since(base + 1) == []
    assert one(world, "cy", "issues.update", {"key": key, "priority": "high"}, base + 1)["state"] == "done"


def test_other_fields_of_the_same_thing_are_none(world: World) -> None:
    key = issue(world)
    base = now(world)
    call(world, "di", "issues.update", key=key, priority="urgent")
    assert one(world, "cy", "issues.update", {"key": key, "title": "Basket"}, base)["state"] == "done"
    found = call(world, "cy", "issues.get", key=key)
    assert (found["title"], found["priority"]) == ("Basket", "urgent")


@pytest.mark.parametrize(
    ("op", "theirs", "mine"),
    [
        ("issues.transition", {"to_status": "in_progress"}, {"to_status": "done"}),
        ("issues.assign", {"assignees": ["@di"]}, {"assignees": ["@cy"]}),
        ("issues.update", {"body": "Theirs"}, {"body": "Mine"}),
        ("issues.update", {"due_date": "2026-12-01"}, {"due_date": ""}),
        ("issues.convert", {"type": "bug"}, {"type": "story"}),
    ],
)
def test_whatever_sets_the_same_field_conflicts(
    world: World, op: str, theirs: dict[str, Any], mine: dict[str, Any]
) -> None:
    key = issue(world, due_date="2026-11-30", assignees=["@bo"])
    base = now(world)
    call(world, "di", op, key=key, **theirs)
    before = call(world, "di", "issues.get", key=key)
    assert one(world, "cy", op, {"key": key, **mine}, base)["state"] == "conflict"
    assert call(world, "di", "issues.get", key=key) == before


def test_lists_conflict_where_one_takes_away_what_the_other_added(world: World) -> None:
    for name in ("a", "b", "c"):
        call(world, "bo", "labels.save", name=name)
    key = issue(world, labels=["a"])
    base = now(world)
    call(world, "di", "issues.update", key=key, labels=["a", "b"])
    assert one(world, "cy", "issues.update", {"key": key, "labels": ["a", "c"]}, base)["state"] == "conflict"
    assert one(world, "cy", "issues.update", {"key": key, "labels": ["b"]}, base)["state"] == "done"
    call(world, "di", "issues.assign", key=key, assignees=["@di"])
    added = one(world, "cy", "issues.assign", {"key": key, "assignees": ["@cy"], "mode": "add"}, base)
    assert added["state"] == "done"


@pytest.mark.parametrize("kind", ["text", "issue"])
def test_what_is_not_told_conflicts_whatever_it_is(world: World, kind: str) -> None:
    """Of a personal field it is told that it changed, and of an issue that a field names."""
    call(world, "bo", "fields.save", key="pay", name="Pay", kind=kind, personal=kind == "text")
    key, theirs, mine = issue(world), issue(world), issue(world)
    base = now(world)
    call(world, "di", "issues.update", key=key, values={"pay": theirs})
    result = one(world, "cy", "issues.update", {"key": key, "values": {"pay": mine}}, base)
    assert (result["state"], result["changes"][0]["field"]) == ("conflict", "values.pay")
    assert result["changes"][0]["value"] is None
    assert call(world, "cy", "issues.get", key=key)["values"] == {"pay": theirs}
    assert (
        one(world, "cy", "issues.update", {"key": key, "values": {"pay": mine}}, now(world))["state"]
        == "done"
    )


def test_what_was_set_back_meanwhile_and_what_is_the_same_are_no_conflicts(world: World) -> None:
    key = issue(world, priority="low")
    base = now(world)
    call(world, "di", "issues.update", key=key, priority="urgent")
    assert one(world, "cy", "issues.update", {"key": key, "priority": "urgent"}, base)["state"] == "done"
    call(world, "di", "issues.update", key=key, priority="low")
    assert one(world, "cy", "issues.update", {"key": key, "priority": "high"}, base)["state"] == "done"


def test_ones_own_writes_are_no_conflict_but_those_of_ones_other_device_are(world: World) -> None:
    key = issue(world)
    base = now(world)
    assert one(world, "cy", "issues.update", {"key": key, "priority": "low"}, base)["state"] == "done"
    assert one(world, "cy", "issues.update", {"key": key, "priority": "high"}, base)["state"] == "done"
    other = one(world, "cy", "issues.update", {"key": key, "priority": "none"}, base, client="phone")
    assert other["state"] == "conflict"


def test_parts_of_a_thing_are_compared_each_with_itself(world: World) -> None:
    key = issue(world)
    first, second = call(world, "cy", "checklists.add", key=key, text="Milk\nBread")["items"]
    base = now(world)
    call(world, "di", "checklists.update", id=first["id"], text="Oat milk")
    assert one(world, "cy", "checklists.update", {"id": second["id"], "text": "Rye"}, base)["state"] == "done"
    clash = one(world, "cy", "checklists.update", {"id": first["id"], "text": "Soy milk"}, base)
    assert (clash["state"], clash["changes"][0]["value"]) == ("conflict", "Oat milk")


def test_two_comments_of_one_thread_are_each_their_own(world: World) -> None:
    key = issue(world)
    mine = call(world, "cy", "comments.create", subject=f"issue:{key}", body="Mine")["id"]
    other = call(world, "bo", "comments.create", subject=f"issue:{key}", body="Theirs")["id"]
    base = now(world)
    call(world, "bo", "comments.update", id=other, body="Theirs, mended")
    assert one(world, "cy", "comments.update", {"id": mine, "body": "Better"}, base)["state"] == "done"
    call(world, "cy", "comments.update", id=mine, body="Better still")
    assert one(world, "cy", "comments.update", {"id": mine, "body": "Best"}, base)["state"] == "conflict"


def test_a_stale_version_is_a_conflict_with_what_there_is(world: World) -> None:
    key = issue(world)
    seq = call(world, "cy", "issues.get", key=key)["seq"]
    call(world, "di", "issues.update", key=key, title="Basket")
    base = now(world)
    result = one(world, "cy", "issues.update", {"key": key, "priority": "high", "if_seq": seq}, base)
    assert (result["state"], result["problem"]) == ("conflict", "stale")
    assert result["current"] == call(world, "cy", "issues.get", key=key)


def test_what_is_no_longer_known_is_a_conflict(world: World) -> None:
    key = issue(world)
    world.database.write_now(lambda tx: tx.execute("delete from events where seq < :seq", seq=tx.seq))
    result = one(world, "cy", "issues.update", {"key": key, "priority": "high"}, 1)
    assert (result["state"], result["changes"]) == ("conflict", [])
    assert one(world, "cy", "issues.update", {"key": key, "priority": "high"}, now(world))["state"] == "done"


def test_what_changed_too_often_is_a_conflict(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "_MOST", 2)
    key = issue(world)
    base = now(world)
    for title in ("One", "Two", "Three"):
        call(world, "di", "issues.update", key=key, title=title)
    assert one(world, "cy", "issues.update", {"key": key, "priority": "high"}, base)["state"] == "conflict"


def test_the_program_knows_its_events_and_each_write_is_taken_back_for_itself(world: World) -> None:
    key = issue(world)
    base = now(world)
    answer = push(
        world,
        "cy",
        ("a", "issues.update", {"key": key, "title": "Basket"}, base),
        ("b", "issues.update", {"key": key, "priority": "high"}, base),
        client="laptop 7",
    )
    events = call(world, "cy", "api.changes", since=base)["events"]
    assert [event["origin"] for event in events] == ["laptop 7", "laptop 7"]
    undone = {entry["seq"]: entry["token"] for entry in call(world, "cy", "undo.list")}
    call(world, "cy", "undo.apply", token=undone[answer["results"][0]["seq"]])
    found = call(world, "cy", "issues.get", key=key)
    assert (found["title"], found["priority"]) == ("Cart", "high")


def test_nobody_may_more_than_by_the_call_itself(world: World) -> None:
    key = issue(world)
    base = now(world)
    with refused("insufficient-scope"):
        push(world, "gus", ("a", "issues.update", {"key": key, "title": "Mine"}, base))
    secret = issue(world, "di", project="PRV")
    hidden = one(world, "cy", "issues.update", {"key": secret, "title": "Mine"}, base)
    assert (hidden["problem"], hidden["changes"]) == ("not-found", [])
    assert one(world, "cy", "org.update", {"name": "Mine"}, base)["problem"] == "insufficient-scope"
    assert call(world, "bo", "org.get")["name"] != "Mine"


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("issues.get", {"key": "WEB-1"}),
        ("audit.list", {}),
        ("api.batch", {"ops": []}),
        ("sync.push", {"client": "x", "writes": []}),
        ("search.reindex", {}),
        ("issues.update", ["WEB-1"]),
        ("issues.bulk", {"keys": ["WEB-1"], "changes": {"title": "x"}, "dry_run": True}),
    ],
)
def test_what_is_no_write_by_itself_is_refused(world: World, op: str, value: Any) -> None:
    issue(world)
    base = now(world)
    result = one(world, "bo", op, value, base)
    assert (result["state"], result["problem"]) == ("refused", "invalid-input")
    assert world.events_since(base) == []


def test_an_unknown_operation_is_refused_with_the_nearest_one(world: World) -> None:
    result = one(world, "cy", "issues.updat", {}, now(world))
    assert (result["state"], result["problem"]) == ("refused", "not-found")
    assert "issues.update" in result["detail"]


def test_what_no_client_can_have_is_refused_whole(world: World) -> None:
    base = now(world)
    with refused("invalid-input"):
        push(
            world,
            "cy",
            ("a", "issues.create", {"project": "WEB", "title": "x"}, base),
            ("b", "issues.create", {"project": "WEB", "title": "y"}, base + 1),
        )
    assert world.events_since(base) == []
    for client, ident in (("", "a"), ("x" * 65, "a"), ("x", ""), ("x", "ä"), ("x\n", "a")):
        with refused("invalid-input"):
            push(world, "cy", (ident, "issues.list", {}, base), client=client)
    with refused("invalid-input"):
        push(world, "cy", *((str(n), "issues.vote", {}, base) for n in range(201)))


def test_two_that_send_the_same_at_once_have_one_effect(world: World) -> None:
    base = now(world)
    write = {"id": "a", "op": "issues.create", "input": {"project": "WEB", "title": "x"}, "base_seq": base}
    found: list[str] = []

    def send(client: Kbwork) -> None:
        found.extend(states(client.call("sync.push", {"client": "lap", "writes": [write]})))

    clients = [Kbwork(world.url, world.people["cy"].session) for _ in range(4)]
    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    for client in clients:
        client.close()
    assert sorted(found) == ["done", "repeated", "repeated", "repeated"]
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1


def test_over_mcp_what_takes_away_is_found_in_it(world: World) -> None:
    assert world.app is not None
    known = tools.Tools(world.app.dispatcher.registry, tools.written())
    writes = [{"id": "a", "op": op, "input": {"key": "WEB-1"}} for op in ("issues.update", "issues.delete")]
    found = known.takes_away(known.by_name["sync_push"], {"client": "lap", "writes": writes})
    assert [op.id for op in found] == ["issues.delete"]
