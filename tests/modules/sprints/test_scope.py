"""Issues in sprints: by sprints.add and remove, as a field of issues, and what is told of it."""

from typing import Any

import pytest

from kbwork.modules.sprints import scope
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.sprints.sprint_calls import done, running, sprint, sprint_of, three


def test_issues_go_in_and_out(world: World) -> None:
    keys = three(world)
    made = sprint(world)
    seq = world.database.seq
    held = call(world, "cy", "sprints.add", id=made["id"], keys=[*keys, keys[0]])
    assert held["counts"] == {
        "issues": 3, "done": 0, "estimate": 6, "estimate_done": 0, "added": 0, "removed": 0,
    }  # fmt: skip
    call(world, "cy", "sprints.add", id=made["id"], keys=keys)
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated"] * 3
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {"sprint": {"from": None, "to": 1}}
    assert call(world, "cy", "issues.list", sprint=1, sort="key", columns=["key"])["items"] == [
        {"key": key} for key in keys
    ]
    left = call(world, "cy", "sprints.remove", id=made["id"], keys=[keys[0], make(world)])
    assert left["counts"]["issues"] == 2
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert sprint_of(world, keys[0]) == 1


def test_what_changes_after_the_start_is_told_as_a_change_of_scope(world: World) -> None:
    keys = three(world)
    running(world, *keys[:2])
    seq = world.database.seq
    call(world, "cy", "sprints.add", id=1, keys=[keys[2]])
    call(world, "cy", "issues.update", key=keys[0], sprint=None)
    found = call(world, "cy", "sprints.get", id=1)["counts"]
    assert (found["issues"], found["added"], found["removed"]) == (2, 1, 1)
    told = [(one["added"], one["removed"]) for one in payloads(world, seq, "sprint.scope_changed")]
    assert told == [(1, 0), (0, 1)]
    seq = world.database.seq
    call(world, "cy", "undo.apply", seq=seq)
    assert ("sprint.scope_changed", "sprint:1") in world.events_since(seq)
    assert call(world, "cy", "sprints.get", id=1)["counts"]["removed"] == 0


def test_a_hearer_is_told_how_many_of_the_issues_they_see(world: World) -> None:
    hidden = make(world, "bo", level="private")
    running(world)
    seq = world.database.seq
    call(world, "bo", "sprints.add", id=1, keys=[hidden])
    assert payloads(world, seq, "sprint.scope_changed", "bo")[0]["added"] == 1
    assert payloads(world, seq, "sprint.scope_changed", "di")[0]["added"] == 0


def test_the_sprint_is_a_field_of_the_issue(world: World) -> None:
    sprint(world)
    key = make(world, sprint=1)
    assert sprint_of(world, key) == 1
    assert call(world, "cy", "issues.update", key=key, sprint=None)["sprint"] is None
    found = call(world, "cy", "issues.bulk", keys=[key, make(world)], changes={"sprint": 1})
    assert (found["changed"], sprint_of(world, key)) == (2, 1)
    history = call(world, "cy", "issues.history", key=key, field="sprint")["items"]
    assert [(one["from"], one["to"]) for one in history] == [(None, 1), (1, None)]


@pytest.mark.parametrize("op", ["issues.create", "issues.update", "sprints.add"])
def test_an_issue_goes_only_where_it_fits(world: World, op: str) -> None:
    key = make(world)
    sprint(world, "cy", projects=["SEC"])
    running(world)
    call(world, "cy", "sprints.complete", id=2, unfinished="backlog")
    hidden = sprint(world, "di", projects=["PRV"])["id"]

    def put(ident: int) -> Any:
        if op == "sprints.add":
            return call(world, "cy", op, id=ident, keys=[key])
        more = {"project": "WEB", "title": "New"} if op == "issues.create" else {"key": key}
        return call(world, "cy", op, sprint=ident, **more)

    for ident in (1, 2):
        with refused("invalid-input"):
            put(ident)
    for ident in (hidden, 99):
        with refused("not-found" if op == "sprints.add" else "invalid-input"):
            put(ident)


def test_only_what_one_may_change_goes_in(world: World) -> None:
    sprint(world, "cy", projects=["SEC"])
    theirs = make(world, "cy", project="SEC")
    with refused("not-found"):
        call(world, "cy", "sprints.add", id=1, keys=["SEC-99"])
    call(world, "cy", "issues.archive", keys=[theirs], on=True)
    with refused("conflict"):
        call(world, "cy", "sprints.add", id=1, keys=[theirs])


def test_a_former_sprint_is_kept_where_one_says_so(world: World) -> None:
    key, other = make(world), make(world)
    sprint(world)
    sprint(world, name="Two")
    call(world, "cy", "sprints.add", id=1, keys=[key, other])
    call(world, "cy", "sprints.add", id=2, keys=[key], keep_old=True)
    call(world, "cy", "sprints.add", id=2, keys=[other])
    found = [call(world, "cy", "issues.get", key=one) for one in (key, other)]
    assert [(one["sprint"], one["past_sprints"]) for one in found] == [(2, [1]), (2, [])]
    call(world, "cy", "sprints.add", id=1, keys=[key])
    assert call(world, "cy", "issues.get", key=key)["past_sprints"] == []


def test_an_issue_that_moves_leaves_a_sprint_that_is_not_of_the_other_project(world: World) -> None:
    key, stays = make(world), make(world)
    running(world)
    sprint(world, projects=["WEB", "SEC"])
    call(world, "cy", "sprints.add", id=1, keys=[key])
    call(world, "cy", "sprints.add", id=2, keys=[stays])
    seq = world.database.seq
    moved = call(world, "cy", "issues.move", keys=[key, stays], project="SEC")
    assert [one["sprint"] for one in moved] == [None, 2]
    assert payloads(world, seq, "issue.moved")[0]["dropped"] == {"sprint": ["One"]}
    assert ("sprint.scope_changed", "sprint:1") in world.events_since(seq)


def test_an_issue_comes_back_from_the_trash_where_its_sprint_went_on(world: World) -> None:
    key = make(world)
    running(world, key)
    entry = call(world, "cy", "issues.delete", key=key)["trash"]
    assert call(world, "cy", "sprints.get", id=1)["counts"]["issues"] == 0
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    call(world, "cy", "trash.restore", ids=[entry])
    found = call(world, "cy", "issues.get", key=key)
    assert (found["sprint"], found["past_sprints"]) == (None, [1])


def test_undo_puts_no_issue_into_a_sprint_that_is_over(world: World) -> None:
    key = make(world)
    running(world, key)
    call(world, "cy", "sprints.remove", id=1, keys=[key])
    seq = world.database.seq
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seq)


def test_purging_an_issue_takes_it_out_of_the_record(world: World) -> None:
    keys = three(world)
    running(world, *keys)
    done(world, keys[0])
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    entry = call(world, "bo", "issues.delete", key=keys[1])["trash"]
    call(world, "bo", "trash.purge", ids=[entry])
    assert call(world, "cy", "sprints.get", id=1)["counts"]["issues"] == 2


def test_the_query_language_asks_for_sprints(world: World) -> None:
    keys = three(world)
    running(world, *keys[:2], name="Alpha")
    sprint(world, name="Beta")
    call(world, "cy", "sprints.add", id=2, keys=[keys[2]])

    def found(tql: str, who: str = "cy") -> list[str]:
        rows = call(world, who, "tql.run", tql=f"{tql} order by key", fields=["key"])["rows"]
        return [key for [key] in rows]

    assert found("sprint = Alpha") == keys[:2]
    assert found("sprint = 2") == [keys[2]]
    assert found("sprint in openSprints()") == keys[:2]
    assert found("sprint in nextSprint()") == [keys[2]]
    assert found("sprint.state = active") == keys[:2]
    assert found("sprint is empty") == []
    assert found('sprint in sprint("Beta")') == [keys[2]]
    assert found("status was todo at startOf(sprint)") == keys[:2]
    world.advance(10)
    call(world, "cy", "sprints.remove", id=1, keys=[keys[0]])
    assert found("sprint was Alpha") == keys[:2]
    assert found("sprint is empty") == [keys[0]]
    rows = call(world, "cy", "tql.run", tql="from sprints open order by name", fields=["name", "state"])[
        "rows"
    ]
    assert rows == [["Alpha", "active"], ["Beta", "planned"]]
    groups = call(world, "cy", "tql.run", tql="select sprint, count() group by sprint order by sprint")[
        "rows"
    ]
    assert groups == [["Alpha", 1], ["Beta", 1], [None, 1]]
    done(world, keys[1])
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    assert found("sprint in lastSprint()") == found("sprint in closedSprints()") == [keys[1]]
    hidden = sprint(world, "di", name="Gamma", projects=["PRV"])
    assert hidden["state"] == "planned"
    with refused("tql-name"):
        found("sprint = Gamma")


def test_purging_a_project_takes_its_sprints_along_and_leaves_those_of_others(world: World) -> None:
    call(world, "ana", "projects.create", key="OLD", name="Old")
    both = sprint(world, "ana", name="Both", projects=["OLD", "WEB"])
    alone = sprint(world, "ana", name="Alone", projects=["OLD"])
    call(world, "ana", "sprints.add", id=alone["id"], keys=[make(world, "ana", project="OLD")])
    call(world, "ana", "projects.delete", key="OLD", confirm_key="OLD")
    assert [one["name"] for one in call(world, "ana", "sprints.list")] == ["Both"]
    (entry,) = [one for one in call(world, "ana", "trash.list")["items"] if one["kind"] == "project"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: _sprints(world) == [both["id"]])
    assert call(world, "ana", "sprints.get", id=both["id"])["projects"] == ["WEB"]


def _sprints(world: World) -> list[int]:
    found: list[int] = world.database.write_now(lambda tx: tx.column("select id from sprint order by id"))
    return found


def test_a_call_that_is_sent_twice_happens_once(world: World) -> None:
    key = make(world)
    sprint(world)
    asked = {"id": 1, "keys": [key]}
    first = world.key("cy").call("sprints.add", asked, idempotency_key="once")
    seq = world.database.seq
    assert world.key("cy").call("sprints.add", asked, idempotency_key="once") == first
    assert world.database.seq == seq


def test_a_sprint_holds_a_thousand_issues(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "MOST", 2)
    keys = three(world)
    sprint(world)
    with refused("conflict"):
        call(world, "cy", "sprints.add", id=1, keys=keys)
    call(world, "cy", "sprints.add", id=1, keys=keys[:2])
    with refused("conflict"):
        call(world, "cy", "issues.update", key=keys[2], sprint=1)
