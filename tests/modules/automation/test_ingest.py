"""Rules that requests from outside set off."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.base.errors import NotFound
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.automation.rules import RAISE, field, issue, log, one, rule, said, work
from tests.modules.calls import call, refused
from tests.modules.chat.platforms import by_itself
from tests.modules.desk.test_inbound import FORM, post

JSON = "application/json"
SAY = {
    "op": "issues.create",
    "input": {"project": "WEB", "title": "{{payload.build.name}} {{payload.build.state}} ({{payload.text}})"},
}


def hook(world: World, **more: Any) -> str:
    """The path of a rule that makes an issue of what it is told."""
    made = rule(world, **{"trigger": {"kind": "hook"}, "actions": [SAY]} | more)
    return str(made["trigger"]["path"])


def send(world: World, path: str, told: Any = None, kind: str = JSON) -> tuple[int, Any]:
    body = told if isinstance(told, bytes) else b"" if told is None else json.dumps(told).encode()
    return post(world, path, body, kind)


def saved(world: World, ident: int, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "bo", "automation.save", id=ident, **more)
    return found


def key_of(world: World, who: str, **columns: Any) -> Kbwork:
    """A client with a key of somebody's that was made with these columns."""

    def made(tx: Write) -> str:
        return callers.add_key(tx, world.people[who].id, {"name": "k"} | columns)[1]

    return Kbwork(world.url, world.database.write_now(made))


def titles(world: World) -> list[str]:
    work(world)
    return [str(found["title"]) for found in call(world, "ana", "issues.list", project="WEB")["items"]]


def test_what_a_request_says_fills_in_what_is_done(world: World) -> None:
    path = hook(world)
    build = {"name": "shop", "state": "failed", "steps": [1, "two"]}
    assert send(world, path, {"build": build, "text": "see {{me}}"}) == (200, {"result": "queued"})
    assert titles(world) == ["shop failed (see {{me}})"]  # what came stays what it is
    entry = log(world)[-1]
    assert (entry["event"], entry["actor"], entry["ok"]) == ("hook", "anonymous", True)


@pytest.mark.parametrize(
    ("body", "kind", "title"),
    [
        (b"text=by+form&build.name=shop", FORM, "shop (by form)"),
        ("näher".encode(), "text/plain; charset=utf-8", "(näher)"),
        (b'{"text": null}', "application/vnd.shop+json", "()"),
        (b"", "", "()"),
    ],
)
def test_forms_and_texts_are_taken_as_well(world: World, body: bytes, kind: str, title: str) -> None:
    assert send(world, hook(world), body, kind)[0] == 200
    assert titles(world) == [title]


def test_a_request_names_the_issue_that_the_rule_runs_for(world: World) -> None:
    path = hook(world, trigger={"kind": "hook", "tql": "priority = none"}, actions=[RAISE])
    key, other = issue(world), issue(world)
    with world.at_rest():
        assert send(world, path, {"issue": key})[0] == 200
        assert (field(world, key), field(world, other)) == ("none", "none")  # it runs in a moment
    work(world)
    assert (field(world, key), field(world, other)) == ("high", "none")
    send(world, path, {"issue": f" {key} "})  # its query holds for that issue as well
    assert len(said(world)) == 1
    send(world, path, {"issue": {"number": 7}})  # no name of ours: it runs for each that fits
    work(world)
    assert field(world, other) == "high"


def test_issues_that_the_author_does_not_see_are_named_by_nobody(world: World) -> None:
    private = call(world, "di", "issues.create", project="PRV", title="Own")["key"]
    path = hook(world, actions=[RAISE])
    for ref in (private, "WEB-999", "@bo", "x" * 5_000):
        status, told = send(world, path, {"issue": ref})
        assert (status, told["errors"][0]["path"]) == (422, "issue")
    assert said(world) == []


def test_a_path_is_for_admins_and_another_makes_it_void(world: World) -> None:
    made = rule(world, trigger={"kind": "hook"}, actions=[SAY])
    path = made["trigger"]["path"]
    assert one(world, made["id"], "ana")["trigger"]["path"] == path
    assert one(world, made["id"], "cy")["trigger"]["path"] is None
    seq = world.database.seq
    again = rule(world, id=made["id"], trigger={"kind": "hook", "path": path}, actions=[SAY])
    assert again["trigger"]["path"] == path
    assert world.events_since(seq) == []  # as it was
    moved = saved(world, made["id"], trigger={"kind": "hook", "path": ""})["trigger"]["path"]
    assert world.events_since(seq) == [("rule.saved", f"rule:{made['id']}")]
    assert (send(world, path)[0], send(world, moved)[0]) == (404, 200)
    assert saved(world, made["id"], trigger={"kind": "button", "label": "Go"})["trigger"]["path"] is None
    assert send(world, moved)[0] == 404
    with refused("invalid-input"):
        rule(world, trigger={"kind": "button", "label": "Go", "path": "/in/rule/mine"})


def test_what_opens_nothing_is_not_taken(world: World) -> None:
    path = hook(world)
    for wrong in ("/in/rule/", "/in/rule/nobodys", f"{path}x", "/in/rule/" + "x" * 500):
        assert send(world, wrong, {})[0] == 404
    for body, kind, status in (
        (b"[1]", JSON, 400),
        (b"{", JSON, 400),
        (b"<a/>", "text/xml", 415),
        (b"\xff", "text/plain", 422),
        (b"x" * 300_000, "text/plain", 413),
        (b"x" * 70_000, "text/plain", 422),
    ):
        assert send(world, path, body, kind)[0] == status
    assert post(world, path, b"", "", "GET")[0] == 405
    call(world, "bo", "org.modules_set", off=["automation"])
    assert send(world, path, {})[0] == 404
    assert titles(world) == []


def test_a_rule_that_is_off_says_so_and_one_without_author_is_switched_off(world: World) -> None:
    made = rule(world, trigger={"kind": "hook"}, actions=[SAY])
    saved(world, made["id"], enabled=False)
    assert send(world, made["trigger"]["path"], {})[0] == 409
    saved(world, made["id"], enabled=True)
    call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    assert send(world, made["trigger"]["path"], {})[0] in (200, 409)  # whoever comes first switches it off
    assert not one(world, made["id"], "ana")["enabled"]
    assert titles(world) == []


def test_who_sends_too_much_is_told_to_wait(world: World) -> None:
    path, key = hook(world), issue(world)
    with world.at_rest():
        assert [send(world, path, {})[0] for _ in range(11)] == [200] * 10 + [429]
        assert send(world, path, {"issue": key})[0] == 200  # that is another matter
    work(world)
    assert send(world, path, {})[0] == 429
    world.advance(61)
    assert send(world, path, {})[0] == 200


def test_what_waits_keeps_what_was_said(world: World) -> None:
    path = hook(world, actions=[SAY | {"delay_minutes": 5}])
    send(world, path, {"build": {"name": "shop", "state": "red"}, "text": "x"})
    assert titles(world) == []
    world.advance(301)
    assert titles(world) == ["shop red (x)"]


def test_nobody_is_the_server_itself(world: World) -> None:
    token = hook(world).rpartition("/")[2]
    with refused("insufficient-scope"):
        call(world, "ana", "automation.ingest", token=token, said={})


def test_of_a_rule_with_a_query_or_conditions_as_many_requests_are_taken(world: World) -> None:
    for _ in range(3):
        issue(world)
    wide = hook(world, trigger={"kind": "hook", "tql": "project = WEB"}, actions=[RAISE])
    idle = hook(world, conditions=[{"field": "priority", "op": "=", "value": "high"}])
    for path in (wide, idle):
        found = []
        for _ in range(11):
            found.append(send(world, path, {})[0])
            work(world)
        assert found == [200] * 10 + [429]
    world.advance(61)
    assert [send(world, path, {})[0] for path in (wide, idle)] == [200, 200]


def test_a_clock_that_is_set_back_holds_up_no_request(world: World) -> None:
    path = hook(world)
    for _ in range(10):
        assert send(world, path, {})[0] == 200
        work(world)
    assert send(world, path, {})[0] == 429
    world.clock.set(world.clock.now() - 3600)
    assert send(world, path, {})[0] == 200
    work(world)
    assert log(world)[-1]["ok"]


@pytest.mark.parametrize("changes", [7, None, [["priority"]], [{"a": 1}], ["priority"], {"priority": 1}])
def test_what_a_request_calls_changes_changed_no_field(world: World, changes: Any) -> None:
    key = issue(world)
    path = hook(world, actions=[RAISE], conditions=[{"field": "priority", "op": "changed"}])
    assert send(world, path, {"issue": key, "changes": changes})[0] == 200
    assert said(world) == []
    assert field(world, key) == "none"


def test_all_names_of_a_request_fill_in_the_payload(world: World) -> None:
    """Also those by which events tell what they changed."""
    text = "({{payload.changes.title.from}}) ({{changes.title.from}})"
    path = hook(world, actions=[{"op": "issues.create", "input": {"project": "WEB", "title": text}}])
    send(world, path, {"changes": {"title": {"from": "Old"}}})
    assert titles(world) == ["(Old) ()"]


def test_who_may_only_read_rules_learns_no_path(world: World) -> None:
    hook(world)
    for scopes, limit in ((["automation:read"], {}), (["admin", "automation:read"], {"projects": "[1]"})):
        with key_of(world, "bo", scopes=scopes, **limit) as key:
            (rule_,) = key.call("automation.list", {})
        assert rule_["trigger"]["path"] is None
        assert (rule_["actions"][0]["input"] is None) == bool(limit)


def test_more_than_wait_are_told_to_come_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path, key = hook(world, actions=[RAISE | {"delay_minutes": 5}]), issue(world)
    send(world, path, {"issue": key})
    work(world)
    monkeypatch.setattr("kbwork.modules.automation.engine.queue.MOST_WAITING", 1001)
    assert send(world, path, {"issue": issue(world)})[0] == 200
    assert send(world, path, {"issue": issue(world)})[0] == 429


def test_a_token_that_is_void_meanwhile_sets_nothing_off(world: World) -> None:
    token = hook(world).rpartition("/")[2]
    with pytest.raises(NotFound):
        by_itself(world, "automation.ingest", token=f"{token}x", said={})
    assert titles(world) == []


def test_what_requests_set_off_is_told_as_runs_and_failures(world: World) -> None:
    fails = {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "nowhere-{{key}}"}}
    key = issue(world)
    good, bad = hook(world, actions=[RAISE]), hook(world, actions=[fails])
    seq = world.database.seq
    for path in (good, bad):
        send(world, path, {"issue": key})
        work(world)
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "rule.ran", "rule.failed"]
    told = [one["kind"] for one in call(world, "cy", "api.changes", since=seq)["events"]]
    assert told == ["issue.updated", "rule.ran", "rule.failed"]
    assert call(world, "gus", "api.changes", since=seq)["events"] == []


def test_of_several_that_come_at_once_ten_are_taken(world: World) -> None:
    path = hook(world)
    with world.at_rest(), ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: send(world, path, {})[0], range(14), timeout=60))
    assert sorted(found) == [200] * 10 + [429] * 4
    assert len(titles(world)) == 10


def test_with_another_master_key_a_path_opens_still_and_another_is_given(world: World) -> None:
    path = hook(world)
    world.database.write_now(lambda tx: tx.execute("update rule set token = zeroblob(60)"))
    assert one(world, 1)["trigger"]["path"] is None
    assert send(world, path, {})[0] == 200
    moved = saved(world, 1, trigger={"kind": "hook", "path": ""})["trigger"]["path"]
    assert (send(world, path, {})[0], send(world, moved, {})[0]) == (404, 200)


def test_what_is_purged_is_run_for_no_more(world: World) -> None:
    path, key = hook(world, actions=[RAISE | {"delay_minutes": 5}]), issue(world)
    send(world, path, {"issue": key, "text": "Hush"})
    work(world)
    entry = call(world, "ana", "issues.delete", key=key)["trash"]
    assert send(world, path, {"issue": key})[0] == 422
    call(world, "ana", "trash.purge", ids=[entry])
    left = world.database.write_now(
        lambda tx: [*tx.all("select * from rule_run"), *tx.all("select * from rule_log")]
    )
    assert left == []


def test_of_what_is_said_that_alone_is_kept_which_the_rule_names(world: World) -> None:
    path = hook(world, actions=[SAY | {"delay_minutes": 5}])
    assert send(world, path, {"text": "x", "secret": "s3cret" * 20_000})[0] == 200
    with world.at_rest():
        kept = world.database.write_now(lambda tx: tx.column("select payload from rule_run"))
    assert [json.loads(one) for one in kept] == [{"text": "x"}]
    assert send(world, path, {"text": "x" * 70_000})[0] == 422
    each = hook(world, trigger={"kind": "hook", "tql": "project = WEB"})
    issue(world)
    assert [send(world, each, {"text": "x" * number})[0] for number in (5_000, 1_000)] == [422, 200]
