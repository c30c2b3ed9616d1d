"""Several calls in one transaction, and the change feed."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.access import callers
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.together import together

Calls = list[tuple[str, dict[str, Any]]]


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def failed(world: World, who: str, calls: Calls) -> KbworkProblem:
    with pytest.raises(KbworkProblem) as refusal:
        world.key(who).batch(calls)
    return refusal.value


# batch


def test_calls_run_in_order_in_one_transaction(world: World) -> None:
    seq = world.database.seq
    answers = world.key("cy").batch(
        [
            ("issues.create", {"project": "WEB", "title": "One"}),
            ("issues.update", {"key": "WEB-1", "title": "Two"}),
            ("comments.create", {"subject": "WEB-1", "body": "Hello"}),
            ("issues.get", {"key": "WEB-1"}),
            ("jobs.list", {}),
        ]
    )
    assert answers[1]["title"] == "Two"
    assert answers[2] == {"id": 1}
    assert answers[3] == world.key("cy").issues.get(key="WEB-1")
    assert answers[4] == []
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.created",
        "issue.updated",
        "comment.created",
    ]
    assert world.key("cy").batch([]) == []


def test_an_input_that_is_left_out_or_null_is_empty(world: World) -> None:
    answer = world.key("cy").call(
        "api.batch", {"ops": [{"op": "jobs.list"}, {"op": "jobs.list", "input": None}]}
    )
    assert answer == {"results": [[], []]}


@pytest.mark.parametrize(
    ("call", "slug", "status"),
    [
        (("issues.get", {"key": "WEB-9"}), "not-found", 404),
        (("issues.create", {"project": "WEB"}), "invalid-input", 422),
        (("issues.create", {"project": "WEB", "title": "x", "titel": "x"}), "unknown-field", 422),
        (("issues.creat", {}), "not-found", 404),
        (("projects.create", {"key": "WEB", "name": "W"}), "conflict", 409),
        (("lanes.save", {"key": "x", "name": "X", "category": "todo"}), "insufficient-scope", 403),
        (("projects.update", {"key": "WEB", "name": "W"}), "not-allowed", 403),
        (("issues.update", {"key": "WEB-1", "title": "x", "if_seq": 1}), "stale", 409),
        (("api.batch", {"ops": []}), "invalid-input", 422),
        (("subjects.unfurl", {"url": "https://example.com/"}), "invalid-input", 422),
        (("audit.record", {"kind": "a.b", "subject": "org:1"}), "insufficient-scope", 403),
        (("undo.apply", {"seq": 1, "dry_run": True}), "invalid-input", 422),
    ],
)
def test_the_first_refusal_is_its_own_with_its_place_and_nothing_is_committed(
    world: World, call: tuple[str, dict[str, Any]], slug: str, status: int
) -> None:
    seq = world.database.seq
    problem = failed(
        world, "cy", [("issues.create", {"project": "WEB", "title": "One"}), call, ("issues.list", {})]
    )
    assert (problem.slug, problem.status) == (slug, status)
    assert (problem.extra["index"], problem.extra["op"]) == (1, call[0])
    assert problem.detail.startswith(f"Operation 1 ({call[0]}): ")
    assert (world.database.seq, world.events_since(seq)) == (seq, [])
    assert world.key("cy").issues.list()["items"] == []
    assert make(world) == "WEB-1"


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("search.reindex", {}),
        ("trash.empty", {}),
        ("projects.copy", {"key": "WEB", "new_key": "NEW", "name": "New"}),
        ("ai.run", {"subject": "WEB-1", "task": "summarize"}),
    ],
)
def test_what_answers_a_job_or_waits_for_the_outside_is_refused(
    world: World, op: str, value: dict[str, Any]
) -> None:
    seq = world.database.seq
    problem = failed(world, "ana", [("issues.create", {"project": "WEB", "title": "One"}), (op, value)])
    assert (problem.slug, problem.extra["index"], problem.extra["op"]) == ("invalid-input", 1, op)
    assert world.events_since(seq) == []
    assert call(world, "ana", "jobs.list") == []


def test_a_batch_is_a_list_of_at_most_fifty_objects(world: World) -> None:
    cy = world.key("cy")
    wrong: list[dict[str, Any]] = [
        {"ops": [{"op": "jobs.list"}] * 51},
        {"ops": [{"input": {}}]},
        {"ops": [{"op": "jobs.list", "input": []}]},
        {"ops": [{"op": "jobs.list", "input": "x"}]},
        {"ops": None},
        {},
    ]
    for bad in wrong:
        with refused("invalid-input"):
            cy.call("api.batch", bad)
    with refused("unknown-field"):
        cy.call("api.batch", {"ops": [{"op": "jobs.list", "args": {}}]})
    assert len(cy.call("api.batch", {"ops": [{"op": "jobs.list"}] * 50})["results"]) == 50


def test_each_call_of_a_batch_needs_its_own_scope(world: World) -> None:
    owner = world.people["cy"].id
    columns = {"name": "narrow", "scopes": ["api:read", "issues:read"]}
    _, secret = world.database.write_now(lambda tx: callers.add_key(tx, owner, columns))
    narrow = world._client("narrow", secret)
    assert narrow.batch([("issues.list", {})])[0]["items"] == []
    with refused("insufficient-scope"):
        narrow.batch([("issues.list", {}), ("issues.create", {"project": "WEB", "title": "x"})])


def test_what_people_only_may_do_stays_theirs_in_a_batch(world: World) -> None:
    owner = world.people["cy"].id

    def hire(tx: Any) -> str:
        tx.insert("agent", name="helper", label="Helper", owner=owner, created_at=tx.now)
        columns = {
            "name": "h",
            "kind": "agent",
            "agent": "helper",
            "scopes": ["api:write", "projects:write"],
        }
        return callers.add_key(tx, owner, columns)[1]

    agent = world._client("helper", world.database.write_now(hire))
    with refused("not-allowed"):
        agent.batch([("projects.member_set", {"key": "SEC", "who": "@gus", "role": "viewer"})])


def test_a_batch_with_a_key_is_answered_again_and_not_run_again(world: World) -> None:
    cy = world.key("cy")
    calls: Calls = [("issues.create", {"project": "WEB", "title": "One"})]
    first = cy.batch(calls, idempotency_key="once")
    seq = world.database.seq
    assert cy.batch(calls, idempotency_key="once") == first
    assert world.events_since(seq) == []


def test_each_call_of_a_batch_is_taken_back_for_itself(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    seq = world.database.seq
    cy.batch(
        [
            ("issues.update", {"key": key, "title": "Two"}),
            ("issues.transition", {"key": key, "to_status": "done", "comment": "There"}),
        ]
    )
    assert [row["op"] for row in cy.undo.list()][:2] == ["issues.transition", "issues.update"]
    cy.undo.apply(seq=seq + 1)
    issue = cy.issues.get(key=key)
    assert (issue["title"], issue["lane"], issue["counts"]["comments"]) == ("One", "done", 1)


def test_what_an_operation_does_by_another_is_taken_back_with_it(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    seq = world.database.seq
    cy.issues.transition(key=key, to_status="done", comment="There")
    cy.undo.apply(seq=seq + 1)
    issue = cy.issues.get(key=key)
    assert (issue["lane"], issue["counts"]["comments"]) == ("todo", 0)
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.updated",
        "issue.transitioned",
        "comment.created",
        "issue.updated",
        "issue.transitioned",
        "comment.deleted",
    ]


def test_undo_runs_in_a_batch_and_marks_its_own_events_only(world: World) -> None:
    cy = world.key("cy")
    key = make(world)
    cy.issues.update(key=key, title="Two")
    at = world.database.seq
    answers = cy.batch(
        [
            ("undo.apply", {"seq": at}),
            ("issues.get", {"key": key}),
            ("issues.update", {"key": key, "title": "3"}),
        ]
    )
    assert (answers[1]["title"], answers[2]["title"]) == ("One", "3")
    undos = [event["payload"].get("undo") for event in cy.api.changes(since=at)["events"]]
    assert undos == [at, None]


def test_batches_at_once_are_whole(world: World) -> None:
    calls: Calls = [("issues.create", {"project": "WEB", "title": f"{n}"}) for n in range(5)]
    ops = [{"op": op, "input": value} for op, value in calls]
    answers = together(world, "cy", [("api.batch", {"ops": ops})] * 8)
    runs = [[issue["id"] for issue in answer["results"]] for answer in answers]
    assert sorted(number for run in runs for number in run) == list(range(1, 41))
    assert all(run == list(range(run[0], run[0] + 5)) for run in runs)


# changes


def test_changes_are_read_page_by_page_and_each_once(world: World) -> None:
    seq = world.database.seq
    for n in range(7):
        make(world, title=f"{n}")
    cy = world.key("cy")
    seen: list[int] = []
    since, pages = seq, []
    while True:
        page = cy.api.changes(since=since, limit=3)
        seen += [event["seq"] for event in page["events"]]
        pages.append((page["next"], page["more"]))
        since = page["next"]
        if not page["more"]:
            break
    assert seen == list(range(seq + 1, seq + 8))
    assert pages == [(seq + 3, True), (seq + 6, True), (seq + 7, False)]
    assert "title" not in cy.api.changes(since=seq)["events"][0]


def test_next_skips_what_one_may_not_see(world: World) -> None:
    seq = world.database.seq
    for _ in range(5):
        make(world, "di", project="PRV")
    make(world)
    page = world.key("cy").api.changes(since=seq, limit=5)
    assert page == {"events": [], "next": seq + 5, "more": True}
    page = world.key("cy").api.changes(since=seq + 5)
    assert ([event["seq"] for event in page["events"]], page["more"]) == ([seq + 6], False)


def test_beyond_the_latest_there_is_nothing_and_the_latest_is_next(world: World) -> None:
    seq = world.database.seq
    for since in (seq, seq + 1, 10**12):
        assert world.key("cy").api.changes(since=since) == {"events": [], "next": seq, "more": False}
    assert world.key("cy").ask("api.changes", {"since": seq}).seq == seq


@pytest.mark.parametrize("bad", [{"since": -1}, {"limit": 0}, {"limit": 501}, {"since": "1"}])
def test_limits_of_the_feed_are_kept(world: World, bad: dict[str, Any]) -> None:
    with refused("invalid-input"):
        world.key("cy").call("api.changes", bad)
    nothing = world.key("cy").call("api.changes", {"since": None, "limit": None})
    assert nothing == world.key("cy").api.changes()


def test_what_is_no_longer_kept_is_stale_with_the_oldest_that_is(world: World) -> None:
    for _ in range(5):
        make(world)
    last = world.database.seq
    world.database.write_now(lambda tx: tx.execute("delete from events where seq < :seq", seq=last - 2))
    cy = world.key("cy")
    for since in (1, last - 4):
        with pytest.raises(KbworkProblem) as refusal:
            cy.api.changes(since=since)
        assert (refusal.value.slug, refusal.value.extra["oldest"]) == ("stale", last - 2)
    for since in (0, last - 3):
        found = cy.api.changes(since=since)["events"]
        assert [event["seq"] for event in found] == [last - 2, last - 1, last]


def test_many_writers_leave_one_unbroken_order(world: World) -> None:
    seq = world.database.seq
    asked: Calls = [
        ("issues.create", {"project": "WEB", "title": f"{n}", "assignees": ["me"]}) for n in range(16)
    ]
    together(world, "cy", asked)
    events = world.key("cy").api.changes(since=seq)["events"]
    assert [event["seq"] for event in events] == list(range(seq + 1, seq + 33))
    pairs = zip(events[::2], events[1::2], strict=True)
    assert all(one["subject"] == two["subject"] and two["kind"] == "issue.assigned" for one, two in pairs)
