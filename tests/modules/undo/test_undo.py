"""Undo: what can be taken back, by whom, and what stands against it."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.access import callers
from tests.conftest import NOW, World
from tests.modules.calls import refused
from tests.modules.together import slugs, together


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def title(world: World, key: str) -> str:
    return str(world.key("cy").issues.get(key=key)["title"])


def test_a_list_holds_ones_own_changes_newest_first(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    world.clock.advance(5)
    world.session("cy").issues.update(key=key, title="Two")
    world.key("di").issues.update(key=key, priority="high")
    rows: list[dict[str, Any]] = world.key("cy").call("undo.list", {"limit": 2})
    tokens = [row.pop("token") for row in rows]
    assert all(token.startswith("u_") for token in tokens)
    assert rows == [
        {
            "seq": seq + 1,
            "at": NOW + 5,
            "op": "issues.update",
            "summary": "Change fields of an issue: WEB-1 Two",
            "can": True,
            "why": None,
        },
        {
            "seq": seq,
            "at": NOW,
            "op": "issues.create",
            "summary": "Make an issue: WEB-1 Two",
            "can": False,
            "why": "something changed since",
        },
    ]
    assert world.key("gus").undo.list() == []
    for bad in (0, 201):
        with refused("invalid-input"):
            world.key("cy").undo.list(limit=bad)


def test_token_and_any_event_of_a_change_name_the_same(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    for name in ("first", "second", "token"):
        seq = world.database.seq
        cy.issues.transition(key=key, to_status="done")
        token = cy.undo.list(limit=1)[0]["token"]
        ways: dict[str, dict[str, Any]] = {
            "first": {"seq": seq + 1},
            "second": {"seq": seq + 2},
            "token": {"token": token},
        }
        answer = cy.undo.apply(**ways[name])
        assert answer["undone"][0]["subject"] == "issue:1"
        assert cy.issues.get(key=key)["lane"] == "todo"
    refusals: list[tuple[dict[str, Any], str]] = [
        ({}, "invalid-input"),
        ({"token": "u_x", "seq": 1}, "invalid-input"),
        ({"token": "u_x"}, "not-found"),
        ({"seq": 10**9}, "not-found"),
        ({"seq": 0}, "not-found"),
    ]
    for bad, slug in refusals:
        with refused(slug):
            cy.undo.apply(**bad)


def test_only_ones_own_changes_and_those_of_ones_keys_and_agents_are_taken_back(world: World) -> None:
    owner = world.people["cy"].id

    def hire(tx: Any) -> str:
        tx.insert("agent", name="helper", label="Helper", owner=owner, created_at=tx.now)
        columns = {"name": "h", "kind": "agent", "agent": "helper", "scopes": ["issues:write"]}
        return callers.add_key(tx, owner, columns)[1]

    agent = world._client("helper", world.database.write_now(hire))
    key = make(world)
    agent.issues.update(key=key, title="By the agent")
    seq = world.database.seq
    assert [row["seq"] for row in world.session("cy").undo.list(agent="helper")] == [seq]
    assert world.session("cy").undo.list(agent="other") == []
    for who in ("di", "ana"):
        with refused("not-found"):
            world.key(who).undo.apply(seq=seq)
    world.session("cy").undo.apply(seq=seq)
    assert title(world, key) == "One"


def test_twice_is_a_conflict_and_the_undoing_can_be_undone(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two")
    seq = world.database.seq
    cy.undo.apply(seq=seq)
    with refused("conflict"):
        cy.undo.apply(seq=seq)
    for n in range(1, 5):
        cy.undo.apply(seq=seq + n)
        assert title(world, key) == ("Two" if n % 2 else "One")
        assert world.events_since(seq + n) == [("issue.updated", "issue:1")]


def test_of_many_who_take_back_the_same_one_does(world: World) -> None:
    key = make(world)
    world.key("cy").issues.update(key=key, title="Two")
    seq = world.database.seq
    assert slugs(together(world, "cy", [("undo.apply", {"seq": seq})] * 10)) == ["conflict"] * 9
    assert (title(world, key), len(world.events_since(seq))) == ("One", 1)


def test_a_field_that_was_changed_since_is_named_and_nothing_happens_unless_forced(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two", priority="high")
    seq = world.database.seq
    world.key("di").issues.update(key=key, title="Three", due_date="2026-01-01")
    at = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        cy.undo.apply(seq=seq)
    assert refusal.value.slug == "conflict"
    assert [error["path"] for error in refusal.value.errors] == ["issue:1.title"]
    assert world.events_since(at) == []
    cy.undo.apply(seq=seq, force=True)
    issue = cy.issues.get(key=key)
    assert (issue["title"], issue["priority"], issue["due_date"]) == ("One", "none", "2026-01-01")


def test_a_long_text_is_kept_once_and_seen_to_be_another(world: World) -> None:
    cy = world.key("cy")
    key, first, second = make(world), "As it was. " * 50, "As it is. " * 50
    cy.issues.update(key=key, body=first)
    cy.issues.update(key=key, body=second)
    seq = world.database.seq
    record = world.database.write_now(
        lambda tx: tx.value("select json(images) from undo where seq = :seq", seq=seq)
    )
    assert first in record
    assert second not in record
    world.key("di").issues.update(key=key, body=second + "Or so.")
    with refused("conflict"):
        cy.undo.apply(seq=seq)
    world.key("di").issues.update(key=key, body=second)
    cy.undo.apply(seq=seq)
    assert cy.issues.get(key=key)["body"] == first
    cy.undo.apply(seq=world.database.seq)
    assert cy.issues.get(key=key)["body"] == second


def test_records_that_hold_long_texts_whole_are_taken_back(world: World) -> None:
    cy = world.key("cy")
    key, text = make(world), "As it is. " * 50
    cy.issues.update(key=key, body=text)
    seq = world.database.seq
    path = "$[0][3].body"
    world.database.write_now(
        lambda tx: tx.execute(
            "update undo set images = jsonb_set(images, :path, :text) where seq = :seq",
            path=path,
            text=text,
            seq=seq,
        )
    )
    world.key("di").issues.update(key=key, body=text + "Or so.")
    with refused("conflict"):
        cy.undo.apply(seq=seq)
    world.key("di").issues.update(key=key, body=text)
    cy.undo.apply(seq=seq)
    assert cy.issues.get(key=key)["body"] == ""


def test_other_fields_that_changed_since_stay(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two")
    seq = world.database.seq
    world.key("di").issues.update(key=key, priority="high")
    world.key("di").issues.transition(key=key, to_status="done", comment="There")
    cy.undo.apply(seq=seq)
    issue = cy.issues.get(key=key)
    assert (issue["title"], issue["priority"], issue["lane"]) == ("One", "high", "done")


def test_making_that_others_built_on_goes_by_force_alone(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    seq = world.database.seq
    world.key("di").comments.create(subject=key, body="Hello")
    world.key("di").issues.update(key=key, title="Two")
    with refused("conflict"):
        cy.undo.apply(seq=seq)
    cy.undo.apply(seq=seq, force=True)
    with refused("not-found"):
        cy.issues.get(key=key)
    cy.undo.apply(seq=world.database.seq)
    assert (title(world, key), len(cy.comments.list(subject=key))) == ("Two", 1)


@pytest.mark.parametrize("force", [False, True])
def test_a_dry_run_says_what_would_happen_and_leaves_nothing(world: World, force: bool) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two")
    seq = world.database.seq
    answer = cy.ask("undo.apply", {"seq": seq, "dry_run": True, "force": force})
    assert answer.data["undone"][0]["subject"] == "issue:1"
    assert (answer.seq, world.database.seq, world.events_since(seq)) == (seq, seq, [])
    assert title(world, key) == "Two"
    assert make(world) == "WEB-2"
    assert world.events_since(seq) == [("issue.created", "issue:2")]
    assert cy.undo.apply(seq=seq) == answer.data


def test_a_dry_run_meets_the_same_refusals(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two")
    seq = world.database.seq
    cy.issues.update(key=key, title="Three")
    with refused("conflict"):
        cy.undo.apply(seq=seq, dry_run=True)


def test_after_a_day_nothing_is_taken_back(world: World) -> None:
    cy = world.key("cy")
    make(world)
    seq = world.database.seq
    world.clock.advance(86400 - 1)
    assert cy.undo.list()[0]["can"]
    world.clock.advance(1)
    assert cy.undo.list() == []
    with refused("not-found"):
        cy.undo.apply(seq=seq)


def test_what_undo_does_not_cover_says_why(world: World) -> None:
    bo = world.session("bo")
    bo.projects.member_set(key="WEB", who="@gus", role="viewer")
    (row,) = bo.undo.list(limit=1)
    assert (row["op"], row["can"], row["why"]) == (
        "projects.member_set",
        False,
        "who works where is set anew",
    )
    with refused("conflict"):
        bo.undo.apply(token=row["token"])
    bo.audit.export()
    with refused("conflict"):
        bo.undo.apply(seq=world.database.seq)


def test_scope_and_right_are_those_of_now(world: World) -> None:
    key = make(world, project="SEC")
    world.session("cy").projects.member_set(key="SEC", who="@di", role="member")
    world.key("di").issues.update(key=key, title="Two")
    seq = world.database.seq
    owner = world.people["di"].id
    columns = {"name": "narrow", "scopes": ["activity:write", "activity:read", "issues:read"]}
    _, secret = world.database.write_now(lambda tx: callers.add_key(tx, owner, columns))
    narrow = world._client("narrow", secret)
    with refused("insufficient-scope"):
        narrow.undo.apply(seq=seq)
    assert narrow.undo.list(limit=1)[0]["why"] == "it needs the scope issues:write"
    world.session("cy").projects.member_set(key="SEC", who="@di", role="viewer")
    at = world.database.seq
    kept = world.key("di").undo.apply(seq=seq)
    assert kept == {
        "undone": [],
        "kept": [{"subject": "issue:1", "why": "you may not change it now, or it is gone"}],
    }
    assert (world.events_since(at), title(world, key)) == ([], "Two")
    assert [row["can"] for row in world.key("di").undo.list(limit=1)] == [False]


def test_what_was_taken_off_comes_back_only_by_who_may_edit(world: World) -> None:
    key = make(world, project="SEC", assignees=["me"])
    world.session("cy").projects.member_set(key="SEC", who="@di", role="member")
    world.key("di").issues.assign(key=key, assignees=[])
    seq = world.database.seq
    world.session("cy").projects.member_set(key="SEC", who="@di", role="viewer")
    assert world.key("di").undo.apply(seq=seq)["undone"] == []
    assert world.key("cy").issues.get(key=key)["assignees"] == []


def test_reporters_and_guests_put_nothing_into_the_trash(world: World) -> None:
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="member")
    for who, project in (("di", "SEC"), ("gus", "WEB")):
        key = make(world, who, project=project)
        assert world.key(who).undo.apply(seq=world.database.seq)["undone"] == []
        assert world.key(who).issues.get(key=key)["key"] == key


def test_who_lost_a_project_brings_nothing_back(world: World) -> None:
    world.session("cy").projects.member_set(key="SEC", who="@di", role="member")
    make(world, "di", project="SEC")
    world.key("di").undo.apply(seq=world.database.seq)
    at = world.database.seq
    world.session("cy").projects.member_set(key="SEC", who="@di", role="none")
    assert world.key("di").undo.apply(seq=at)["undone"] == []
    with refused("not-found"):
        world.key("cy").issues.get(key="SEC-1")


@pytest.mark.parametrize("children", ["delete", "keep"])
def test_an_archived_child_comes_back_with_its_parent(world: World, children: str) -> None:
    """It cannot be changed by itself, and was archived when its parent went."""
    cy, parent = world.key("cy"), make(world, type="epic")
    child = make(world, parent=parent)
    cy.call("issues.archive", {"keys": [child], "on": True})
    cy.call("issues.delete", {"key": parent, "children": children})
    token = cy.undo.list()[0]["token"]
    assert cy.undo.apply(token=token)["kept"] == []
    found = cy.issues.get(key=child)
    assert (found["parent"], found["archived_at"]) == (parent, NOW)
    assert cy.call("trash.list")["items"] == []


def test_a_child_that_was_archived_since_stays_where_it_went(world: World) -> None:
    cy, parent = world.key("cy"), make(world, type="epic")
    child = make(world, parent=parent)
    cy.call("issues.delete", {"key": parent})
    token = cy.undo.list()[0]["token"]
    cy.call("issues.archive", {"keys": [child], "on": True})
    assert [one["subject"] for one in cy.undo.apply(token=token)["kept"]] == ["issue:2"]
    assert cy.issues.get(key=child)["parent"] is None


def test_an_archived_issue_is_left_as_it_is(world: World) -> None:
    key = make(world)
    world.key("cy").issues.update(key=key, title="Two")
    seq = world.database.seq
    world.key("cy").call("issues.archive", {"keys": [key], "on": True})
    assert world.key("cy").undo.apply(seq=seq)["undone"] == []
    assert title(world, key) == "Two"
