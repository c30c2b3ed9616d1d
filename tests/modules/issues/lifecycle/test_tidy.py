"""Issues that nobody touched for long: closed and archived by themselves, where the project says so."""

import json
from typing import Any

from tests.conftest import World
from tests.modules.calls import eventually
from tests.modules.test_replacement import crowd
from tests.modules.workflows.sample_workflows import flow

DAY_S = 86400


def call(world: World, who: str, op: str, /, **value: Any) -> Any:
    """By key: sessions end before the days are over."""
    return world.key(who).call(op, value)


def make(world: World, **value: Any) -> str:
    return str(call(world, "cy", "issues.create", **({"project": "WEB", "title": "One"} | value))["key"])


def tidied(world: World, days: int) -> dict[str, int]:
    """What was done so many days later: by two jobs, where the one of before was late."""
    world.advance(days * DAY_S)
    found: list[str | None] = []

    def ended() -> bool:
        found[:] = world.database.write_now(
            lambda tx: tx.column(
                "select result from job where kind = 'issues.tidy' and created_at = :now", now=tx.now
            )
        )
        return bool(found) and None not in found

    eventually(ended)
    results = [json.loads(result) for result in found if result is not None]
    return {what: sum(result[what] for result in results) for what in ("closed", "archived")}


def heard(world: World, seq: int, kind: str) -> Any:
    (event,) = [one for one in world.key("cy").api.changes(since=seq)["events"] if one["kind"] == kind]
    return event


def standing(world: World, key: str) -> tuple[str, str | None, bool]:
    issue = call(world, "ana", "issues.get", key=key)
    return issue["lane"], issue["outcome"], issue["archived_at"] is not None


def test_what_nobody_touched_is_closed_and_later_archived(world: World) -> None:
    call(world, "bo", "projects.update", key="WEB", auto_close_days=30, auto_archive_days=10)
    old = make(world)
    elsewhere = make(world, project="SEC")
    tidied(world, 20)
    young = make(world)
    seq = world.database.seq
    assert tidied(world, 10) == {"closed": 1, "archived": 0}
    assert [one for one in world.events_since(seq) if one[1].startswith("issue")] == [
        ("issue.updated", "issue:1"),
        ("issue.transitioned", "issue:1"),
    ]
    event = heard(world, seq, "issue.transitioned")
    assert (event["actor"], event["actor_kind"], event["payload"]["auto"]) == ("system", "system", True)
    assert standing(world, old) == ("cancelled", "cancelled", False)
    assert standing(world, young) == ("todo", None, False)
    assert tidied(world, 9) == {"closed": 0, "archived": 0}
    seq = world.database.seq
    assert tidied(world, 1) == {"closed": 0, "archived": 1}
    event = heard(world, seq, "issue.archived")
    assert event["payload"] == {"key": old, "project": "WEB", "title": "One", "children": 0, "auto": True}
    assert standing(world, old) == ("cancelled", "cancelled", True)
    assert standing(world, elsewhere) == ("todo", None, False)


def test_what_has_open_issues_below_or_is_closed_by_approval_alone_stays(world: World) -> None:
    call(world, "bo", "projects.update", key="WEB", auto_close_days=5)
    epic = make(world, type="epic")
    tidied(world, 4)
    below = make(world, parent=epic)
    call(world, "bo", "projects.update", key="SEC", auto_close_days=5)
    asked = flow()
    asked["transitions"][1]["approvers"] = ["@bo"]
    asked["transitions"].append({"name": "Drop", "from": ["todo"], "to": "done", "approvers": ["@bo"]})
    made = call(world, "bo", "workflows.save", **asked)
    call(world, "bo", "workflows.assign", id=made["id"], project="SEC")
    guarded = make(world, project="SEC")
    assert tidied(world, 3) == {"closed": 0, "archived": 0}
    assert standing(world, epic)[0] == "todo"
    assert tidied(world, 3) == {"closed": 1, "archived": 0}
    assert [standing(world, key)[0] for key in (epic, below, guarded)] == ["todo", "cancelled", "todo"]
    assert tidied(world, 1) == {"closed": 1, "archived": 0}


def test_many_are_closed_in_slices(world: World) -> None:
    make(world)
    crowd(world, 450)
    call(world, "bo", "projects.update", key="WEB", auto_close_days=1)
    assert tidied(world, 2) == {"closed": 450, "archived": 0}
