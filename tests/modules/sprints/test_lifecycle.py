"""Starting, completing and reopening sprints."""

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.sprints.sprint_calls import DAYS, done, running, sprint, sprint_of, three
from tests.modules.together import slugs, together


def test_a_sprint_starts_with_a_plan(world: World) -> None:
    keys = three(world)
    made = sprint(world, start_date=None, end_date=None)
    call(world, "cy", "sprints.add", id=1, keys=keys)
    with refused("invalid-input"):
        call(world, "cy", "sprints.start", id=1)
    with refused("invalid-input"):
        call(world, "cy", "sprints.start", id=1, end_date="2027-01-14")
    seq = world.database.seq
    started = call(world, "cy", "sprints.start", id=1, end_date="2027-01-28", goal="Go")
    assert started == made | DAYS | {
        "state": "active",
        "goal": "Go",
        "started_at": world.clock.now(),
        "counts": {"issues": 3, "done": 0, "estimate": 6, "estimate_done": 0, "added": 0, "removed": 0},
    }
    assert world.events_since(seq) == [("sprint.started", "sprint:1")]
    assert payloads(world, seq, "sprint.started")[0]["changes"]["state"] == {
        "from": "planned",
        "to": "active",
    }
    with refused("conflict"):
        call(world, "cy", "sprints.start", id=1)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "sprints.get", id=1)["state"] == "planned"


def test_one_is_active_in_a_project_and_one_of_a_team(world: World) -> None:
    running(world)
    sprint(world, name="Two", projects=["WEB", "SEC"])
    with refused("conflict") as found:
        call(world, "cy", "sprints.start", id=2)
    assert "One is active" in found.value.detail
    teams = [call(world, "bo", "teams.save", name=name, handle=name)["id"] for name in ("red", "blue")]
    for ident, team in enumerate([*teams, teams[0]], 3):
        sprint(world, name=str(ident), team=team)
    for ident in (3, 4):
        assert call(world, "cy", "sprints.start", id=ident)["state"] == "active"
    with refused("conflict"):
        call(world, "cy", "sprints.start", id=5)


def test_of_two_who_start_at_once_one_wins(world: World) -> None:
    for name in ("One", "Two"):
        sprint(world, name=name)
    found = together(world, "cy", [("sprints.start", {"id": ident}) for ident in (1, 2)])
    assert slugs(found) == ["conflict"]
    ends = [("sprints.complete", {"id": ident, "unfinished": "backlog"}) for ident in (1, 2)]
    assert slugs(together(world, "cy", ends)) == ["conflict"]


def test_how_a_sprint_goes_is_told_while_it_runs_and_behind_its_end(world: World) -> None:
    keys = three(world)
    sprint(world)
    call(world, "cy", "sprints.add", id=1, keys=keys)
    planned = call(world, "cy", "sprints.report", id=1)
    assert (planned["days"], len(planned["unfinished"]), planned["said_done"]) == ([], 3, 0.0)
    call(world, "cy", "sprints.start", id=1)
    done(world, keys[0])
    running_now = call(world, "cy", "sprints.report", id=1)
    assert [(day["left"], day["scope"]) for day in running_now["days"]] == [(5, 6)]
    call(world, "bo", "issues.level_set", key=keys[1], level="private")
    seen = call(world, "di", "sprints.report", id=1)
    assert [one["key"] for one in seen["unfinished"]] == [keys[2]]
    told = call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    assert call(world, "cy", "sprints.report", id=1) == told
    sprint(world, "di", projects=["PRV"])
    with refused("not-found"):
        call(world, "cy", "sprints.report", id=2)


def test_completing_answers_what_came_of_it_and_carries_the_rest_on(world: World) -> None:
    keys = three(world)
    running(world, *keys)
    sprint(world, name="Two")
    late = make(world, estimate=4)
    world.advance(86_400)
    call(world, "cy", "sprints.add", id=1, keys=[late])
    call(world, "cy", "sprints.remove", id=1, keys=[keys[2]])
    done(world, keys[0])
    world.advance(86_400)
    seq = world.database.seq
    found = call(world, "cy", "sprints.complete", id=1, unfinished="next", note="Well")
    assert [one["key"] for one in found["done"]] == [keys[0]]
    assert [one["key"] for one in found["unfinished"]] == [keys[1], late]
    assert (found["added"], found["removed"], found["said_done"]) == ([late], [keys[2]], 0.3333)
    assert found["sprint"]["counts"] == {
        "issues": 3, "done": 1, "estimate": 7, "estimate_done": 1, "added": 1, "removed": 1,
    }  # fmt: skip
    assert [(day["left"], day["scope"]) for day in found["days"]] == [(6, 6), (6, 7), (6, 7)]
    assert found["days"][0]["date"] == "2027-01-15"
    assert found["days"][0]["ideal"] == 5.5714
    assert [sprint_of(world, key) for key in keys] == [1, 2, None]
    assert call(world, "cy", "issues.get", key=late)["past_sprints"] == [1]
    assert world.events_since(seq) == [
        ("issue.updated", "issue:2"),
        ("issue.updated", "issue:4"),
        ("sprint.completed", "sprint:1"),
    ]
    told = payloads(world, seq, "sprint.completed")[0]
    assert (told["unfinished"], told["note"]) == (2, "Well")
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert sprint_of(world, late) == 1
    assert call(world, "cy", "issues.get", key=late)["past_sprints"] == []
    assert call(world, "cy", "sprints.get", id=1)["state"] == "active"


def test_where_the_rest_goes_is_said(world: World) -> None:
    key = make(world)
    running(world, key)
    with refused("conflict"):
        call(world, "cy", "sprints.complete", id=1, unfinished="next")
    sprint(world, "cy", name="Other", projects=["SEC"])
    wrong = [("sprint", None), ("sprint", 2), ("sprint", 1), ("sprint", 9), ("next", 2), ("elsewhere", None)]
    for where, ident in wrong:
        more = {"unfinished": where, "sprint": ident}
        with refused("invalid-input"):
            call(world, "cy", "sprints.complete", id=1, **more)
    sprint(world, name="Two")
    call(world, "cy", "sprints.complete", id=1, unfinished="sprint", sprint=3)
    assert sprint_of(world, key) == 3
    with refused("conflict"):
        call(world, "cy", "sprints.complete", id=1, unfinished="backlog")


def test_a_report_tells_of_what_one_sees(world: World) -> None:
    key, hidden = make(world), make(world, "bo", level="private")
    running(world, key)
    call(world, "bo", "sprints.add", id=1, keys=[hidden])
    found = call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    assert ([one["key"] for one in found["unfinished"]], found["added"]) == ([key], [])
    assert call(world, "bo", "issues.get", key=hidden)["past_sprints"] == [1]
    assert call(world, "bo", "sprints.get", id=1)["counts"]["issues"] == 2
    assert found["days"][0]["scope"] == 1


def test_the_latest_is_opened_anew_within_two_weeks(world: World) -> None:
    keys = three(world)
    running(world, *keys)
    sprint(world, name="Two")
    done(world, keys[0])
    call(world, "cy", "sprints.complete", id=1, unfinished="next")
    call(world, "cy", "sprints.remove", id=2, keys=[keys[2]])
    seq = world.database.seq
    back = call(world, "cy", "sprints.reopen", id=1)
    assert (back["state"], back["completed_at"], back["counts"]["issues"]) == ("active", None, 2)
    assert [sprint_of(world, key) for key in keys] == [1, 1, None]
    assert world.events_since(seq) == [("issue.updated", "issue:2"), ("sprint.reopened", "sprint:1")]
    with refused("conflict"):
        call(world, "cy", "sprints.reopen", id=1)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert [sprint_of(world, key) for key in keys] == [1, 2, None]
    call(world, "cy", "sprints.start", id=2)
    with refused("conflict"):
        call(world, "cy", "sprints.reopen", id=1)
    world.advance(60)
    call(world, "cy", "sprints.complete", id=2, unfinished="backlog")
    with refused("conflict"):
        call(world, "cy", "sprints.reopen", id=1)
    world.advance(14 * 86_400 + 1)
    with refused("conflict"):
        world.key("cy").call("sprints.reopen", {"id": 2})
