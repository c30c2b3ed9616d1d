"""Jobs: who sees one, waits for one, stops one."""

import threading
from typing import Any

import pytest

from kbwork.core.jobs import kinds
from kbwork.core.jobs.kinds import Next
from tests.conftest import NOW, World
from tests.modules.calls import eventually, refused

LATER = 1000


def queue(world: World, who: str, kind: str = "invites.forget", later: int = LATER) -> int:
    """A job of somebody that is due `later` seconds from now; answers its id."""

    def enqueue(tx: Any) -> int:
        job = kinds.enqueue(tx, kind, {}, by=world.people[who].id, message="waiting")
        tx.execute("update job set run_at = :at where id = :id", at=tx.now + later, id=job)
        return job

    return world.database.write_now(enqueue)


def test_a_job_is_seen_by_its_starter_and_admins(world: World) -> None:
    job = queue(world, "cy")
    shape = {
        "id": job,
        "kind": "invites.forget",
        "state": "queued",
        "progress": 0.0,
        "message": "waiting",
        "result": None,
        "error": None,
        "by": world.people["cy"].id,
        "created_at": NOW,
        "ended_at": None,
    }
    for who in ("cy", "bo", "ana"):
        assert world.key(who).jobs.get(id=job) == shape
    for who in ("di", "gus"):
        with refused("not-found"):
            world.key(who).jobs.get(id=job)
    with refused("not-found"):
        world.key("di").jobs.cancel(id=job)
    with refused("not-found"):
        world.key("cy").jobs.get(id=99)
    for bad in ({"id": job, "wait_seconds": 26}, {"id": job, "wait_seconds": -1}, {"id": "1"}, {}):
        with refused("invalid-input"):
            world.key("cy").call("jobs.get", bad)


def test_lists_are_ones_own_newest_first_and_admins_may_see_all(world: World) -> None:
    first, second, third = queue(world, "cy"), queue(world, "cy", "teams.forget"), queue(world, "di")
    world.key("cy").jobs.cancel(id=first)

    def listed(who: str, **asked: Any) -> list[int]:
        return [job["id"] for job in world.key(who).call("jobs.list", asked)]

    assert listed("cy") == [second, first]
    assert listed("cy", state="queued") == [second]
    assert listed("cy", kind="invites.forget") == [first]
    assert listed("bo") == []
    assert listed("bo", all=True) == [third, second, first]
    assert listed("bo", all=True, state="cancelled") == [first]
    with refused("not-allowed"):
        listed("cy", all=True)
    with refused("invalid-input"):
        listed("cy", state="waiting")


def test_a_cancelled_job_does_not_run(world: World) -> None:
    job = queue(world, "cy")
    seq = world.database.seq
    stopped = world.key("cy").jobs.cancel(id=job)
    assert (stopped["state"], stopped["ended_at"], stopped["message"]) == ("cancelled", NOW, "cancelled")
    with refused("conflict"):
        world.key("cy").jobs.cancel(id=job)
    world.advance(LATER + 1)
    other = queue(world, "cy", "no.such", later=0)
    eventually(lambda: world.key("cy").jobs.get(id=other)["state"] not in ("queued", "running"))
    assert world.key("cy").jobs.get(id=job)["state"] == "cancelled"
    assert [subject for _, subject in world.events_since(seq)] == [f"job:{other}"]


def test_the_end_of_a_job_is_told_to_its_starter_and_admins(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert world.app is not None
    kind = kinds.JobKind(kind="tests.add", home=__name__, step=lambda tx, job: Next(result={"n": 3}))
    monkeypatch.setitem(world.app.dispatcher.registry.jobs, "tests.add", kind)
    seq = world.database.seq
    job = queue(world, "cy", "tests.add", later=0)
    eventually(lambda: world.key("cy").jobs.get(id=job)["state"] == "done")
    done = world.key("cy").jobs.get(id=job)
    assert (done["result"], done["progress"], done["error"], done["ended_at"]) == ({"n": 3}, 1.0, None, NOW)
    assert world.events_since(seq) == [("job.finished", f"job:{job}")]
    heard = {who: len(world.key(who).api.changes(since=seq)["events"]) for who in world.people}
    assert heard == {"ana": 1, "bo": 1, "cy": 1, "di": 0, "gus": 0}


def test_a_job_that_nobody_can_run_fails_and_is_told(world: World) -> None:
    seq = world.database.seq
    job = queue(world, "cy", "no.such", later=0)
    eventually(lambda: world.key("cy").jobs.get(id=job)["state"] == "failed")
    failed = world.key("cy").jobs.get(id=job)
    assert failed["error"] == "no such kind of job: no.such"
    assert world.events_since(seq) == [("job.failed", f"job:{job}")]


def test_who_waits_is_answered_when_the_job_ends(world: World) -> None:
    job = queue(world, "cy")
    answers: list[Any] = []
    client = world.key("cy")
    waiting = threading.Thread(target=lambda: answers.append(client.jobs.get(id=job, wait_seconds=20)))
    waiting.start()
    world.key("bo").jobs.cancel(id=job)
    waiting.join(timeout=10)
    assert not waiting.is_alive()
    assert answers[0]["state"] == "cancelled"
    assert client.jobs.get(id=queue(world, "cy"), wait_seconds=1)["state"] == "queued"


def test_a_job_that_ended_a_month_ago_is_gone(world: World) -> None:
    job = queue(world, "cy")
    world.key("cy").jobs.cancel(id=job)
    world.advance(30 * 86400 + 600)

    def gone() -> bool:
        return (
            world.database.write_now(lambda tx: tx.value("select 1 from job where id = :id", id=job)) is None
        )

    eventually(gone)
