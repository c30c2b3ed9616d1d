"""What is taken away while much is still in it: lanes, types and workflows go by jobs, in slices."""

from typing import Any

import pytest

from kbwork.core.jobs import queue
from kbwork.core.operations import nested
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.fields.sample_values import caller
from tests.modules.issues.test_issues import make
from tests.modules.workflows.sample_workflows import flow

MANY = 450


def crowd(world: World, many: int = MANY, **columns: Any) -> None:
    """So many issues like the one that is there already, which has the number 1 in its project."""
    copied = (
        "project, type, title, body, lane, category, outcome, priority, reporter, level_no, created_at, created_by,"
        " updated_at, status_at, done_at, seq"
    )

    def copy(tx: Write) -> None:
        tx.execute(
            f"insert into issue (number, rank, {copied})"
            " with recursive n (i) as (select 1 union all select i + 1 from n where i < :many)"
            f" select 10000 + i, rank || printf('%05d', i), {copied} from n, issue where id = 1",
            many=many - 1,
        )

    world.database.write_now(copy)


def held(world: World, column: str) -> dict[Any, int]:
    """How many issues there are by a column."""
    rows = world.database.write_now(
        lambda tx: tx.all(f"select {column} as what, count(*) as n from issue group by 1")
    )
    return {row["what"]: row["n"] for row in rows}


def jobs(world: World) -> list[dict[str, Any]]:
    """Those that there are, the last first, when all of them have ended."""
    eventually(lambda: all(job["ended_at"] for job in call(world, "bo", "jobs.list")))
    found: list[dict[str, Any]] = call(world, "bo", "jobs.list")
    return found


def slices(world: World, seq: int, kind: str) -> list[int]:
    """How many events of a kind each part of the last change told of, as undo knows them."""
    rows = world.database.write_now(
        lambda tx: tx.column(
            "select (select count(*) from events e where e.kind = :kind and e.seq between u.seq and u.last_seq)"
            " from undo u where u.seq > :seq order by u.seq",
            kind=kind,
            seq=seq,
        )
    )
    return list(rows)


def lane(world: World, key: str) -> int:
    found: int = world.database.write_now(lambda tx: tx.value("select id from lane where key = :k", k=key))
    return found


def test_a_lane_with_many_issues_is_out_at_once_and_emptied_in_slices(world: World) -> None:
    make(world, status="in_progress")
    crowd(world)
    gone, done = lane(world, "in_progress"), lane(world, "done")
    seq = world.database.seq
    rows = call(world, "bo", "lanes.delete", key="in_progress", move_to="done")
    assert "in_progress" not in {row["key"] for row in rows}
    (job,) = jobs(world)
    assert (job["kind"], job["state"], job["result"]) == ("lanes.empty", "done", {"moved": MANY})
    assert slices(world, seq, "issue.transitioned") == [0, 200, 200, 50]
    assert held(world, "lane") == {done: MANY}
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert held(world, "lane") == {gone: MANY}
    assert "in_progress" in {row["key"] for row in call(world, "bo", "lanes.list")}
    assert call(world, "cy", "issues.get", key="WEB-1")["status"] == "In progress"


def test_a_lane_that_went_leaves_its_name_and_its_row_goes_a_day_later(world: World) -> None:
    make(world, status="in_progress")
    crowd(world)
    gone = lane(world, "in_progress")
    call(world, "bo", "lanes.delete", key="in_progress", move_to="done")
    jobs(world)
    with refused("not-found"):
        call(world, "bo", "lanes.delete", key="in_progress", move_to="done")
    call(world, "bo", "lanes.save", key="in_progress", name="In progress", category="todo")
    assert lane(world, "in_progress") != gone
    call(world, "bo", "lanes.delete", key="done", move_to="todo")
    jobs(world)
    world.advance(86400 + 3600)
    eventually(lambda: lane(world, "done") is None)


def test_a_lane_is_emptied_though_the_process_dies_between_slices(world: World) -> None:
    make(world, status="in_progress")
    crowd(world)

    def begin(tx: Write) -> None:
        nested.run(tx, "lanes.delete", {"key": "in_progress", "move_to": "done"})
        kind = tx.registry.jobs["lanes.empty"]
        job = queue.lease(tx)
        assert job is not None
        queue.advance(tx, job, lambda: kind.step(tx, job), kind)

    world.database.write_now(begin, caller(world, "bo"))
    gone, done = lane(world, "in_progress"), lane(world, "done")
    assert held(world, "lane") == {gone: MANY - 200, done: 200}
    assert "in_progress" not in {row["key"] for row in call(world, "bo", "lanes.list")}
    with refused("conflict"):
        call(world, "bo", "lanes.save", key="in_progress", name="Again", category="todo")
    world.clock.advance(queue.LEASE_S + 1)
    (job,) = jobs(world)
    assert job["result"] == {"moved": MANY}
    assert held(world, "lane") == {done: MANY}


def test_a_lane_that_a_cancelled_job_left_half_full_goes_when_asked_again(world: World) -> None:
    make(world, status="in_progress")
    crowd(world)

    def begin(tx: Write) -> None:
        nested.run(tx, "lanes.delete", {"key": "in_progress", "move_to": "done"})
        tx.execute("update job set state = 'cancelled', ended_at = :now", now=tx.now)

    world.database.write_now(begin, caller(world, "bo"))
    assert held(world, "lane") == {lane(world, "in_progress"): MANY}
    with refused("in-use"):
        call(world, "bo", "lanes.delete", key="in_progress")
    call(world, "bo", "lanes.delete", key="in_progress", move_to="todo")
    assert jobs(world)[0]["result"] == {"moved": MANY}
    assert held(world, "lane") == {lane(world, "todo"): MANY}


def test_a_type_with_many_issues_is_out_at_once_and_they_are_converted_in_slices(world: World) -> None:
    make(world, type="bug")
    crowd(world)
    rows = world.database.write_now(lambda tx: tx.all("select * from issue_type"))
    types = {row["key"]: row["id"] for row in rows}
    seq = world.database.seq
    rows = call(world, "bo", "types.delete", key="bug", move_to="task")
    assert "bug" not in {row["key"] for row in rows}
    (job,) = jobs(world)
    assert (job["kind"], job["result"]) == ("types.empty", {"moved": MANY})
    assert slices(world, seq, "issue.converted") == [0, 200, 200, 50]
    assert held(world, "type") == {types["task"]: MANY}
    assert call(world, "bo", "undo.apply", seq=seq + 1)["kept"] == []
    assert held(world, "type") == {types["bug"]: MANY}
    assert "bug" in {row["key"] for row in call(world, "bo", "types.list", project="WEB")}


def test_a_type_goes_though_a_purged_project_had_it_as_default(world: World) -> None:
    call(world, "bo", "projects.create", key="OLD", name="Old")
    call(world, "bo", "types.projects_set", project="OLD", types=["bug"], default="bug")
    entry = call(world, "bo", "projects.delete", key="OLD", confirm_key="OLD")["trash"]
    call(world, "bo", "trash.purge", ids=[entry])
    eventually(lambda: not call(world, "bo", "trash.list")["items"])
    jobs(world)
    assert "bug" not in {row["key"] for row in call(world, "bo", "types.delete", key="bug")}


def _assigned(world: World) -> int:
    return int(call(world, "bo", "workflows.save", **flow())["id"])


def test_many_issues_follow_a_workflow_that_is_assigned_in_slices(world: World) -> None:
    make(world, status="in_review")
    crowd(world)
    short = _assigned(world)
    before, after = lane(world, "in_review"), lane(world, "done")
    seq = world.database.seq
    answer = call(world, "bo", "workflows.assign", id=short, project="WEB", statuses={"in_review": "done"})
    assert answer["moved"] == {"in_review": {"to": "done", "issues": MANY}}
    (job,) = jobs(world)
    assert (job["kind"], job["result"]) == ("workflows.move", {"moved": MANY})
    assert slices(world, seq, "issue.transitioned") == [0, 200, 200, 50]
    assert held(world, "lane") == {after: MANY}
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert held(world, "lane") == {before: MANY}


@pytest.mark.parametrize("how", ["save", "delete"])
def test_many_issues_follow_a_workflow_that_changes_or_goes_in_slices(world: World, how: str) -> None:
    short = _assigned(world)
    call(world, "bo", "workflows.assign", id=short, project="WEB")
    make(world, status="in_progress")
    crowd(world)
    before = lane(world, "in_progress")
    seq = world.database.seq
    if how == "save":
        lanes = ["todo", "done"]
        ways = [{"name": "Finish", "from": ["todo"], "to": "done"}]
        value = {"id": short, "name": "Short", "start": "todo", "lanes": lanes, "transitions": ways}
        call(world, "bo", "workflows.save", **value, statuses={"in_progress": "todo"})
    else:
        narrow: dict[str, Any] = {"name": "Narrow", "start": "todo", "lanes": ["todo", "done"]}
        narrow["transitions"] = [{"name": "Finish", "from": ["todo"], "to": "done"}]
        other = call(world, "bo", "workflows.save", **narrow)["id"]
        seq = world.database.seq
        call(world, "bo", "workflows.delete", id=short, move_to=other)
    assert jobs(world)[0]["result"] == {"moved": MANY}
    assert slices(world, seq, "issue.transitioned") == [0, 200, 200, 50]
    assert held(world, "lane") == {lane(world, "todo"): MANY}
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert held(world, "lane") == {before: MANY}
