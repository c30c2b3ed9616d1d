"""A follower tells each event once and in order, and goes on behind one that it cannot take."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Busy, Internal, NotFound
from kbwork.base.events import DomainEvent
from kbwork.core.events import cursors, follower
from kbwork.core.events.follower import EventFollower, EventsTaken, FollowedEvents, UntakenEvent
from kbwork.core.jobs.chores import Chore
from kbwork.db.archives import backup
from kbwork.db.database import Database
from kbwork.db.deferred import Appended
from kbwork.db.tx import ConstraintViolated, OverBudget, Read, Write
from tests.conftest import NOW
from tests.core.events.rounds import narrowed, round_of, rounds, told_by_the_doctor, write

SECRET = "the-secret-of-"
DAY_S = 86_400
NAME = "fifth"


@dataclass(frozen=True, kw_only=True)
class Spoken(DomainEvent):
    kind: ClassVar[str] = "test.spoken"


def fall(tx: Read) -> None:
    """Over what an event says."""
    raise KeyError(f"{SECRET}1")


@dataclass
class Fifth:
    """A follower that notes each event by its number, but for those over which it falls."""

    poison: set[int] = field(default_factory=set)
    falls: Callable[[Any], None] = fall
    """What it does at such an event."""
    writing: bool = False
    """It does so on the writer, and not on the reader."""
    deaf: bool = False
    """Nobody is to be told."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """What it was asked for."""

    def take(self, tx: Read, after: int, until: int) -> EventsTaken[list[int]]:
        self.spans.append((after, until))
        seqs = [row["seq"] for row in cursors.events(tx, after, until, [Spoken.kind], 1000)]
        if not self.writing and self.poison & set(seqs):
            self.falls(tx)
        return EventsTaken(until, [] if self.deaf else seqs, settled=bool(seqs) and not self.deaf)

    def tell(self, tx: Write, seqs: list[int]) -> None:
        for seq in seqs:
            number = tx.value("select count(*) from setting where name glob 'told.*'")
            tx.insert("setting", name=f"told.{number:05}", value=str(seq))
            if self.writing and seq in self.poison:
                self.falls(tx)

    def chore(self) -> Chore:
        return EventFollower(name=NAME, home=__name__, take=self.take, tell=self.tell).chore()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def database(empty_folder: Path, clock: FixedClock) -> Iterator[Database]:
    found = open_data(empty_folder, clock)
    found.write_now(lambda tx: tx.execute("insert into counter (name, value) values (:name, 0)", name=NAME))
    yield found
    found.close()


def spoken(database: Database, number: int) -> list[int]:
    """So many events happen; answers their numbers."""

    def speak(tx: Write) -> list[int]:
        said = (Spoken(subject="org:1", payload={"text": f"{SECRET}{at}"}) for at in range(number))
        return [tx.emit(event) for event in said]

    return database.write_now(speak)


def told(database: Database) -> list[int]:
    """In the order in which they were."""
    found = database.read_now(
        lambda tx: tx.column("select value from setting where name glob 'told.*' order by name")
    )
    return [int(seq) for seq in found]


def place(database: Database) -> int:
    return database.read_now(lambda tx: cursors.place(tx, NAME))


def left_out(database: Database) -> list[tuple[str, int, str, int]]:
    found = database.read_now(follower.left_out)
    return [(row["name"], row["seq"], row["kind"], row["at"]) for row in found]


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as an error, with the traceback."""
    shown = logging.Formatter("%(message)s")
    return [shown.format(one) for one in caplog.records if one.levelno >= logging.ERROR]


@pytest.mark.parametrize("writing", [False, True])
def test_one_event_that_cannot_be_taken_is_left_out_and_the_others_are_told(
    database: Database, clock: FixedClock, caplog: pytest.LogCaptureFixture, writing: bool
) -> None:
    seqs = spoken(database, 100)
    bad = seqs[50]
    fifth = Fifth({bad}, fall, writing)
    assert told_by_the_doctor(database) == [(True, "no event was left out within seven days")]
    ended = rounds(database, fifth.chore())
    assert narrowed(ended)
    assert bool(ended) == writing
    assert told(database) == [seq for seq in seqs if seq != bad]
    assert left_out(database) == [(NAME, bad, "test.spoken", NOW)]
    assert place(database) == seqs[-1]
    (said,) = errors(caplog)
    assert said.startswith(f"{NAME} left out the event {bad} (test.spoken): KeyError\n")
    assert "in fall\n" in said
    assert SECRET not in caplog.text
    when = "2027-01-15 08:00 UTC"
    assert told_by_the_doctor(database) == [
        (False, f"{NAME} left out the event {bad} (test.spoken) at {when}; the log has why")
    ]
    clock.advance(7 * DAY_S - 1)
    assert not told_by_the_doctor(database)[0][0]
    clock.advance(1)
    assert told_by_the_doctor(database) == [(True, "no event was left out within seven days")]


@pytest.mark.parametrize("writing", [False, True])
def test_several_of_them_are_left_out_each_by_itself(database: Database, writing: bool) -> None:
    seqs = spoken(database, 300)
    bad = {seqs[0], seqs[101], seqs[102]}
    fifth = Fifth(bad, fall, writing)
    rounds(database, fifth.chore())
    assert told(database) == [seq for seq in seqs if seq not in bad]
    assert {seq for _, seq, _, _ in left_out(database)} == bad
    ((_, said),) = told_by_the_doctor(database)
    assert f"the event {seqs[102]} " in said
    assert "and 2 before it within seven days" in said


@pytest.mark.parametrize("deaf", [False, True])
def test_behind_it_as_many_are_looked_at_as_before(database: Database, deaf: bool) -> None:
    seqs = spoken(database, 100)
    fifth = Fifth({seqs[50]}, deaf=deaf)
    chore = fifth.chore()
    round_of(database, chore)
    sizes = [until - after for after, until in fifth.spans]
    assert 1 in sizes
    assert sizes.index(1) < 20
    spoken(database, 100)
    round_of(database, chore)
    spoken(database, 100)
    round_of(database, chore)
    assert len(fifth.spans) < 40
    fifth.spans.clear()
    first, *_, last = spoken(database, 150)
    round_of(database, chore)
    assert fifth.spans == [(first - 1, last)]


@pytest.mark.parametrize("writing", [False, True])
@pytest.mark.parametrize(
    "error",
    [
        Busy("Later"),
        Internal("Later"),
        OSError("no such device"),
        MemoryError(),
        apsw.NoMemError("out of memory"),
        apsw.InterruptError("interrupted"),
        apsw.SchemaChangeError("schema"),
        OverBudget(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("swallowed", [False, True])
def test_what_says_nothing_of_the_event_leaves_none_out(
    database: Database, error: Exception, swallowed: bool, writing: bool
) -> None:
    (seq,) = spoken(database, 1)

    def refuse(tx: Read) -> None:
        try:
            raise error
        except type(error):
            if not swallowed and not isinstance(error, OverBudget):
                raise
            fall(tx)  # whatever comes of it

    fifth = Fifth({seq}, refuse, writing)
    chore = fifth.chore()
    ended = rounds(database, chore, 6)
    assert [one for one in ended if narrowed([one])] == []
    assert len(ended) == 6
    assert (told(database), left_out(database), place(database)) == ([], [], 0)
    fifth.poison.clear()
    assert rounds(database, chore) == []
    assert told(database) == [seq]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        RecursionError(),
        apsw.SQLError("malformed JSON"),
        apsw.BindingsError("x"),
        ConstraintViolated("x"),
        NotFound("x"),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("writing", [False, True])
def test_what_comes_of_the_event_leaves_it_out(database: Database, error: Exception, writing: bool) -> None:
    first, second = spoken(database, 2)

    def refuse(tx: Read) -> None:
        raise error

    rounds(database, Fifth({first}, refuse, writing).chore())
    assert (told(database), [seq for _, seq, *_ in left_out(database)]) == ([second], [first])


_LABEL = Appended(
    "label",
    "insert into label (name, name_key, color, description) values (?, ?, 'b', '')",
    frozenset({"label"}),
)


def append_what_is_refused(tx: Write) -> None:
    tx.append(_LABEL, None, "a")


def emit_what_is_refused(tx: Write) -> None:
    tx.emit(Spoken(subject=None, payload={}))  # type: ignore[arg-type]


@pytest.mark.parametrize("late", [append_what_is_refused, emit_what_is_refused])
def test_what_is_written_late_is_refused_of_its_event(
    database: Database, late: Callable[[Write], None]
) -> None:
    """Rows wait for others of their table."""
    seqs = spoken(database, 40)
    rounds(database, Fifth({seqs[20]}, late, writing=True).chore())
    assert told(database) == [seq for seq in seqs if seq != seqs[20]]
    assert [seq for _, seq, *_ in left_out(database)] == [seqs[20]]


def test_what_is_refused_of_others_in_the_group_is_not_of_the_event(database: Database) -> None:
    (seq,) = spoken(database, 1)
    chore = Fifth().chore()
    found = database.read_now(chore.look)

    def both(tx: Write) -> None:
        append_what_is_refused(tx)
        chore.write(tx, found)

    with pytest.raises(ConstraintViolated):
        database.write_now(both)
    assert (place(database), left_out(database)) == (0, [])
    rounds(database, chore)
    assert told(database) == [seq]


def test_the_log_tells_of_what_came_to_be(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """A write may be taken back behind its end."""
    seqs = spoken(database, 2)
    fifth = Fifth({seqs[0]})
    chore = fifth.chore()
    found = database.read_now(chore.look)

    def fail(tx: Write) -> None:
        chore.write(tx, found)
        raise Busy("Later")

    with pytest.raises(Busy):
        database.write_now(fail)
    fifth.poison.clear()
    rounds(database, chore)
    assert (told(database), left_out(database), errors(caplog)) == (seqs, [], [])


def test_a_cursor_that_was_set_back_is_not_set_ahead(database: Database) -> None:
    seqs = spoken(database, 4)
    chore = Fifth().chore()
    database.write_now(lambda tx: cursors.move(tx, NAME, seqs[1]))
    found = database.read_now(chore.look)
    database.write_now(lambda tx: cursors.move(tx, NAME, seqs[0]))
    write(database, chore, found)
    assert (place(database), told(database)) == (seqs[0], [])


def test_each_has_a_bound_of_its_own(database: Database) -> None:
    seqs = spoken(database, 2)

    def others(tx: Write) -> None:
        for at in range(3):
            tx.execute(
                "insert into counter (name, value) values (:name, :now)",
                name=f"four.left_out.{at}",
                now=tx.now,
            )

    database.write_now(others)
    rounds(database, Fifth({seqs[0]}).chore())
    assert told(database) == [seqs[1]]


def test_a_read_that_sqlite_interrupts_leaves_none_out(database: Database) -> None:
    seqs = spoken(database, 3)

    def take_long(tx: Read) -> None:
        tx.deadline = 0.0
        tx.value(
            "with recursive n (i) as (select 1 union all select i + 1 from n limit 100000) select sum(i) from n"
        )

    def take_long_and_fall(tx: Read) -> None:
        try:
            take_long(tx)
        except OverBudget:
            tx.deadline = None
        fall(tx)

    for falls in (take_long, take_long_and_fall):
        fifth = Fifth(set(seqs), falls)
        chore = fifth.chore()
        assert len(rounds(database, chore, 3)) == 3
        assert (place(database), left_out(database)) == (0, [])
    fifth.poison.clear()
    round_of(database, chore)
    assert told(database) == seqs


@pytest.mark.parametrize("error", [apsw.FullError("full"), KeyError("whatever came of that")])
def test_a_transaction_that_the_disk_ended_leaves_none_out_and_writes_nothing(
    database: Database, error: Exception
) -> None:
    (seq,) = spoken(database, 1)

    def end(tx: Write) -> None:
        tx._connection.execute("rollback")
        raise error

    fifth = Fifth({seq}, end, writing=True)
    chore = fifth.chore()
    assert len(rounds(database, chore, 2)) == 2
    assert (place(database), left_out(database), told(database)) == (0, [], [])
    fifth.poison.clear()
    rounds(database, chore)
    assert told(database) == [seq]


@pytest.mark.parametrize("writing", [False, True])
def test_where_every_event_fails_a_few_are_left_out_and_the_rest_waits_until_it_is_mended(
    database: Database, clock: FixedClock, caplog: pytest.LogCaptureFixture, writing: bool
) -> None:
    seqs = spoken(database, 50)
    fifth = Fifth(set(seqs), fall, writing)
    chore = fifth.chore()
    ended = rounds(database, chore, 60)
    assert len(ended) == 60
    assert [seq for _, seq, *_ in left_out(database)] == seqs[:3]
    assert (place(database), told(database)) == (seqs[2], [])
    caplog.clear()
    (again,) = rounds(database, chore, 1)
    assert isinstance(again, Internal if writing else KeyError)
    notes = again.__notes__ if not writing else []
    assert all(f"{NAME} waits before the event {seqs[3]} (test.spoken)" in note for note in notes)
    assert len(errors(caplog)) == writing  # the other is logged by the worker
    assert all(f"{NAME} waits before the event {seqs[3]}" in said for said in errors(caplog))
    clock.advance(3599)
    rounds(database, chore, 5)
    assert place(database) == seqs[2]
    clock.advance(1)
    rounds(database, chore, 20)
    assert place(database) == seqs[5]
    fifth.poison.clear()
    assert rounds(database, chore) == []
    assert told(database) == seqs[6:]


def test_what_fails_without_an_event_leaves_none_out(database: Database) -> None:
    """Numbers leap ahead where a backup was put back."""
    database.write_now(lambda tx: tx.execute("update counter set value = value + 50 where name = 'seq'"))
    fifth = Fifth()

    def take(tx: Read, after: int, until: int) -> EventsTaken[list[int]]:
        raise KeyError("rules")

    chore = EventFollower(name=NAME, home=__name__, take=take, tell=fifth.tell).chore()
    assert len(rounds(database, chore, 6)) == 6
    assert (place(database), left_out(database)) == (0, [])


def test_a_clock_that_was_set_back_holds_nothing_up(database: Database, clock: FixedClock) -> None:
    seqs = spoken(database, 5)
    fifth = Fifth(set(seqs), fall)
    chore = fifth.chore()
    rounds(database, chore, 10)
    assert place(database) == seqs[2]
    clock.advance(-DAY_S)
    assert rounds(database, chore) == []
    assert place(database) == seqs[4]


def test_what_was_left_out_is_forgotten_behind_seven_days(database: Database, clock: FixedClock) -> None:
    fifth = Fifth(falls=fall)
    chore = fifth.chore()
    for _ in range(3):
        fifth.poison |= set(spoken(database, 1))
        round_of(database, chore)
        clock.advance(4 * DAY_S)
    kept = database.read_now(lambda tx: tx.column("select name from counter where name glob 'fifth.*'"))
    assert len(kept) == 2


@pytest.mark.parametrize("poisoned", [False, True])
def test_two_that_look_at_once_write_once(
    database: Database, caplog: pytest.LogCaptureFixture, poisoned: bool
) -> None:
    seqs = spoken(database, 4)
    chore = Fifth({seqs[0]} if poisoned else set(), fall).chore()
    both = [database.read_now(chore.look) for _ in range(2)]
    assert {type(found) for found in both} == {UntakenEvent if poisoned else FollowedEvents}
    for found in both:
        write(database, chore, found)
    assert told(database) == ([] if poisoned else seqs)
    round_of(database, chore)
    assert len(errors(caplog)) == poisoned
    assert told(database) == seqs[poisoned:]


def test_one_that_was_found_before_others_followed_is_not_left_out(database: Database) -> None:
    first, second = spoken(database, 2)
    fifth = Fifth({first}, fall)
    chore = fifth.chore()
    found = database.read_now(chore.look)
    fifth.poison.clear()
    database.write_now(lambda tx: cursors.move(tx, NAME, second))
    write(database, chore, found)
    assert (place(database), left_out(database)) == (second, [])


@pytest.mark.parametrize("writing", [False, True])
def test_behind_a_restart_it_goes_on_where_it_was(
    database: Database, empty_folder: Path, clock: FixedClock, writing: bool
) -> None:
    seqs = spoken(database, 20)
    fifth = Fifth(set(seqs[5:9]), fall, writing)
    rounds(database, fifth.chore(), 30)
    assert place(database) == seqs[7]
    database.close()
    again = open_data(empty_folder, clock)
    try:
        chore = fifth.chore()
        assert len(rounds(again, chore, 10)) == 10
        assert place(again) == seqs[7]  # a restart forgets no bound
        assert len(left_out(again)) == 3
        fifth.poison.clear()
        rounds(again, chore)
        assert told(again) == [*seqs[:5], *seqs[8:]]
    finally:
        again.close()


def test_in_other_data_it_follows_what_is_there(
    database: Database, empty_folder: Path, clock: FixedClock
) -> None:
    """As where a backup is put back."""
    seqs = spoken(database, 10)
    fifth = Fifth({seqs[1]})
    chore = fifth.chore()
    rounds(database, chore)
    before = empty_folder / "before.db"
    backup.copy(database.folder.file, before)
    spoken(database, 10)
    fifth.deaf = True
    rounds(database, chore)
    fifth.deaf = False
    asyncio.run(database.swap(lambda _: None, lambda _: before, empty_folder / "kept.db"))
    more = spoken(database, 3)
    rounds(database, chore)
    assert told(database) == [seqs[0], *seqs[2:], *more]
    assert [seq for _, seq, *_ in left_out(database)] == [seqs[1]]


def test_nothing_is_written_while_nobody_is_to_be_told_until_the_cursor_lies_far_behind(
    database: Database,
) -> None:
    fifth = Fifth(deaf=True)
    chore = fifth.chore()
    seqs = spoken(database, follower.BEHIND - 1)
    assert database.read_now(chore.look) is None
    assert fifth.spans == [(0, seqs[-1])]
    assert database.read_now(chore.look) is None
    assert len(fifth.spans) == 1  # what was looked at is not looked at again
    (last,) = spoken(database, 1)
    round_of(database, chore)
    assert (place(database), fifth.spans[1:]) == (last, [(seqs[-1], last)])


@pytest.mark.usefixtures("twice")
def test_a_write_that_is_run_twice_leaves_out_and_tells_once(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """One beside it in its group is taken back."""
    seqs = spoken(database, 40)
    rounds(database, Fifth({seqs[20]}, writing=True).chore())
    assert told(database) == [seq for seq in seqs if seq != seqs[20]]
    assert len(errors(caplog)) == 1
