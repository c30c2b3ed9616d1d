"""Jobs and schedules: leased, carried on, tried again, fired once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.core.jobs import queue as jobqueue
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.db.database import Database
from kbwork.db.tx import Read, Row, Write
from tests.conftest import NOW

COUNT = JobKind(kind="count", home=__name__)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def database(empty_folder: Path, clock: FixedClock) -> Iterator[Database]:
    opened = open_data(empty_folder, clock)
    yield opened
    opened.close()


def queue(database: Database, **args: object) -> int:
    return database.write_now(lambda tx: enqueue(tx, "count", dict(args), by="m_somebody"))


def lease(database: Database) -> RunningJob:
    job = database.write_now(jobqueue.lease)
    assert job is not None
    return job


def row(database: Database, job: int) -> Row:
    found = database.read_now(lambda tx: tx.one("select * from job where id = :id", id=job))
    assert found is not None
    return found


def kinds(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select kind from events order by seq"))


def test_a_job_is_carried_on_step_by_step_and_told_of_at_its_end(database: Database) -> None:
    ident = queue(database, left=2)
    job: RunningJob | None = lease(database)
    steps = []
    while job is not None:
        left = job.args["left"]
        steps.append(left)
        found = Next({"left": left - 1}, progress=0.5) if left else Next(result={"counted": 2})
        present = job
        job = database.write_now(lambda tx: jobqueue.advance(tx, present, lambda: found, COUNT))  # noqa: B023 - at once
    assert steps == [2, 1, 0]
    ended = row(database, ident)
    assert (ended["state"], ended["progress"], ended["result"], ended["ended_at"]) == (
        "done",
        1.0,
        '{"counted": 2}',
        NOW,
    )
    assert kinds(database) == ["job.finished"]


def test_a_leased_job_is_nobody_elses_until_its_lease_runs_out(database: Database, clock: FixedClock) -> None:
    queue(database)
    first = lease(database)
    assert database.write_now(jobqueue.lease) is None
    clock.advance(jobqueue.LEASE_S)
    second = lease(database)
    assert (second.id, second.tries) == (first.id, 2)


def test_a_kept_lease_does_not_run_out(database: Database, clock: FixedClock) -> None:
    queue(database)
    job = lease(database)
    clock.advance(jobqueue.LEASE_S - 1)
    database.write_now(lambda tx: jobqueue.keep_lease(tx, job))
    clock.advance(2)
    assert database.write_now(jobqueue.lease) is None


def test_a_failing_job_is_tried_twelve_times_ever_later_and_then_stays_failed(
    database: Database, clock: FixedClock
) -> None:
    ident = queue(database)
    waits = []
    for _ in range(jobqueue.TRIES):
        job = lease(database)
        database.write_now(lambda tx: jobqueue.fail(tx, job, "no luck"))  # noqa: B023 - at once
        waits.append(row(database, ident)["run_at"] - clock.now())
        clock.advance(3600)
    assert waits[:11] == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    assert (row(database, ident)["state"], row(database, ident)["error"]) == ("failed", "no luck")
    assert database.write_now(jobqueue.lease) is None
    assert kinds(database) == ["job.failed"]


@pytest.mark.parametrize("set_back_s", [90, 3600, 9 * 86400])
def test_a_clock_that_was_set_back_holds_no_job_up(
    database: Database, clock: FixedClock, set_back_s: int
) -> None:
    """Neither one that was to begin at once, nor one whose worker went, nor one that rested."""
    lost, waits = queue(database), queue(database)
    assert lease(database).id == lost
    clock.set(clock.now() - set_back_s)
    assert database.read_now(jobqueue.is_due)
    assert {lease(database).id, lease(database).id} == {lost, waits}
    assert database.write_now(jobqueue.lease) is None


def test_a_job_that_rested_when_the_clock_was_set_back_goes_on_within_two_hours(
    database: Database, clock: FixedClock
) -> None:
    queue(database)
    job = lease(database)
    rests = Next({}, wait_s=9 * 86400)
    database.write_now(lambda tx: jobqueue.advance(tx, job, lambda: rests, COUNT))
    clock.advance(60)
    assert database.write_now(jobqueue.lease) is None
    clock.advance(jobqueue.LONGEST_WAIT_S - 61)
    assert not database.read_now(jobqueue.is_due)
    clock.set(clock.now() - 86400)
    assert lease(database).id == job.id


def test_a_worker_takes_no_job_twice_that_it_runs(database: Database, clock: FixedClock) -> None:
    """Its lease looks lost where the clock was set, until it is kept again."""
    ident = queue(database)
    lease(database)
    clock.set(clock.now() - 9 * 86400)
    assert database.read_now(jobqueue.is_due)
    assert not database.read_now(lambda tx: jobqueue.is_due(tx, (ident,)))
    assert database.write_now(lambda tx: jobqueue.lease(tx, (ident,))) is None


def test_a_cancelled_job_stops_before_its_next_step(database: Database) -> None:
    ident = queue(database)
    job = lease(database)
    database.write_now(lambda tx: tx.execute("update job set state = 'cancelled' where id = :id", id=ident))
    ran = []

    def step() -> Next:
        ran.append(1)
        return Next()

    assert database.write_now(lambda tx: jobqueue.advance(tx, job, step, COUNT)) is None
    assert ran == []


def test_a_step_that_fails_leaves_nothing_of_itself(database: Database) -> None:
    queue(database)
    job = lease(database)

    def run(tx: Write) -> RunningJob | None:
        def step() -> Next:
            tx.insert("setting", name="half", value="1")
            raise KeyError("faulty")

        return jobqueue.advance(tx, job, step, COUNT)

    with pytest.raises(Exception, match="went wrong"):
        database.write_now(run)
    assert database.read_now(lambda tx: tx.value("select count(*) from setting")) == 0


def test_a_schedule_fires_once_for_a_time_whoever_asks_and_also_when_the_clock_jumps(
    database: Database, clock: FixedClock
) -> None:
    fired: list[int] = []
    schedule = Schedule(name="test", home=__name__, every_s=60, run=lambda tx: fired.append(tx.now))

    def fire() -> None:
        slot = clock.now() - clock.now() % 60
        database.write_now(lambda tx: jobqueue.fire(tx, schedule, slot))

    for _ in range(3):
        fire()
    assert len(fired) == 1
    clock.advance(60)
    fire()
    clock.advance(-60)
    fire()
    assert len(fired) == 2
    clock.advance(-400 * 86400)
    fire()
    fire()
    assert len(fired) == 3


@pytest.mark.parametrize("every_s", [1, 60, 3600])
@pytest.mark.parametrize("set_back_s", [2 * 3600, 23 * 3600])
def test_a_clock_that_was_set_back_by_hours_holds_no_schedule_up(
    database: Database, clock: FixedClock, every_s: int, set_back_s: int
) -> None:
    fired: list[int] = []
    schedule = Schedule(name="test", home=__name__, every_s=every_s, run=lambda tx: fired.append(tx.now))

    def fire() -> None:
        for found, slot in database.read_now(lambda tx: jobqueue.due(tx, [schedule])):
            database.write_now(lambda tx: jobqueue.fire(tx, found, slot))  # noqa: B023 - at once

    fire()
    clock.set(clock.now() - set_back_s)
    for turn in range(5):
        fire()
        fire()
        assert len(fired) == turn + 2
        clock.advance(every_s)


def test_what_was_done_since_it_was_due_is_not_done_again(database: Database, clock: FixedClock) -> None:
    left, done = [1], []
    schedule = Schedule(
        name="test",
        home=__name__,
        every_s=60,
        run=lambda _: done.append(left.pop()),
        due=lambda _: bool(left),
    )
    ((found, slot),) = database.read_now(lambda tx: jobqueue.due(tx, [schedule]))
    assert (found, slot) == (schedule, clock.now() - clock.now() % 60)
    kept, left[:] = left[:], []
    database.write_now(lambda tx: jobqueue.fire(tx, schedule, slot))
    assert done == []
    left[:] = kept
    database.write_now(lambda tx: jobqueue.fire(tx, schedule, slot))
    assert done == [1]
    left[:] = kept
    assert database.read_now(lambda tx: jobqueue.due(tx, [schedule])) == []


def test_each_schedule_goes_by_its_own_time(database: Database, clock: FixedClock) -> None:
    """What ends things goes by the time that is trusted, whichever was asked before it."""
    seen: dict[str, int] = {}

    def schedule(name: str, *, on_time: bool) -> Schedule:
        def due(tx: Read) -> bool:
            seen[name] = tx.now
            return False

        return Schedule(name=name, home=__name__, every_s=60, run=lambda _: None, due=due, on_time=on_time)

    asked = [schedule("ends", on_time=False), schedule("clock", on_time=True), schedule("too", on_time=False)]
    began = clock.now()
    clock.set(began + 30 * 86400)  # nobody believes that at once
    assert database.read_now(lambda tx: jobqueue.due(tx, asked)) == []
    assert seen["clock"] == clock.now()
    assert seen["ends"] == seen["too"] < began + 86400
