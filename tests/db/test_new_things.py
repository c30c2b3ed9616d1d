"""New things of a group are written together, and nobody can tell: whoever asks for anything finds them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import apsw
import pytest

from kbwork.base.errors import Internal, NotFound
from kbwork.db import deferred
from kbwork.db.deferred import Waiting
from kbwork.db.documents import DocumentStore
from kbwork.db.tx import ConstraintViolated, Write
from kbwork.modules import issues
from tests.conftest import World, run
from tests.db.test_writer import Grouped


def make(world: World, title: str, **more: Any) -> Callable[[Write], Any]:
    """One who makes an issue; answers its key."""
    return lambda tx: run(tx, world.people["cy"], "issues.create", {"project": "WEB", "title": title} | more)[
        "key"
    ]


def titles(tx: Write) -> str:
    return " ".join(tx.column("select title from issue order by number"))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many issues were written each time that some waited."""
    found: list[int] = []
    write = Waiting._write

    def look(waiting: Waiting, connection: Any, rows: Any) -> None:
        if "issue" in rows:
            found.append(len(rows["issue"][1]))
        write(waiting, connection, rows)

    monkeypatch.setattr(Waiting, "_write", look)
    return found


@pytest.fixture
def together(world: World) -> Grouped:
    """With what is kept in memory there: whoever finds something out runs statements for it."""
    world.session("ana").labels.save(name="bug")
    found = Grouped(world.database)
    for _ in range(2):
        found(make(world, "warm", labels=["bug"]))
    return found


def test_issues_of_a_group_are_written_at_its_end(
    world: World, together: Grouped, written: list[int]
) -> None:
    keys = together(*(make(world, f"new {at}", labels=["bug"]) for at in range(8)))
    assert keys == [f"WEB-{at}" for at in range(3, 11)]
    assert written == [8]
    assert world.database.read_now(lambda tx: tx.column("select sum(issues) from label_count")) == [10]


PARTS = ("issue_label", "issue_component", "issue_assignee", "issue_value", "issue_watcher")


def as_written(tx: Write, first: int) -> list[Any]:
    """The issues from this one on and what hangs on them, each as if it were the first."""
    found: list[Any] = []
    for row in tx.all("select * from issue where id >= :first order by id", first=first):
        own = {name: value for name, value in row.items() if name not in {"id", "number", "rank", "seq"}}
        parts = [tx.all(f"select * from {table} where issue = :id", id=row["id"]) for table in PARTS]
        found.append((own, [[{**one, "issue": 0} for one in some] for some in parts]))
    return found


@pytest.mark.parametrize(
    ("count", "statements"), [(1, 1), (3, 3), (4, 1), (7, 4), (8, 1), (13, 3), (16, 1), (21, 3), (50, 5)]
)
def test_those_of_a_group_share_statements_and_are_as_if_each_had_its_own(
    world: World, together: Grouped, monkeypatch: pytest.MonkeyPatch, count: int, statements: int
) -> None:
    ana, inserts = world.session("ana"), []
    ana.components.save(project="WEB", name="app")
    ana.call("fields.save", {"key": "size", "name": "Size", "kind": "number"})
    more = {"labels": ["bug"], "components": ["app"], "values": {"size": 5}}
    add = deferred._add

    def trace(_: Any, sql: str, __: Any) -> bool:
        inserts.append(sql)
        return True

    def look(connection: Any, to: deferred.Appended, rows: list[Any]) -> None:
        if to.table == "issue":
            connection.exec_trace = trace
        add(connection, to, rows)
        connection.exec_trace = None

    def made() -> list[Any]:
        first = 1 + world.database.read_now(lambda tx: tx.value("select max(id) from issue"))
        together(*(make(world, f"new {at}", **more, body=f"of {at}") for at in range(count)))
        return world.database.read_now(lambda tx: as_written(tx, first))  # type: ignore[arg-type]

    for _ in range(2):
        together(make(world, "warm", **more))
    monkeypatch.setattr(deferred, "_add", look)
    shared = made()
    assert len(inserts) == statements
    monkeypatch.setattr(deferred, "_SIZES", ())
    assert [own["body"] for own, _ in shared] == [f"of {at}" for at in range(count)]
    assert shared == made()
    assert len(inserts) == statements + count


def test_rows_by_which_no_trigger_writes_come_one_by_one(
    world: World, together: Grouped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take less so."""
    shared: dict[str, bool] = {}
    add = deferred._add

    def look(connection: Any, to: deferred.Appended, rows: list[Any]) -> None:
        shared[to.table] = to.row is not None
        add(connection, to, rows)

    monkeypatch.setattr(deferred, "_add", look)
    together(*(make(world, f"new {at}", labels=["bug"], assignees=["@cy"]) for at in range(8)))
    assert {table for table in shared if shared[table]} == {"issue", "issue_label"}
    assert {"issue_assignee", "issue_watcher", "events"} <= shared.keys()


def changed_by_triggers_of_its_own(tx: Write, table: str) -> set[str]:
    """The triggers that change rows of a table where one comes into it."""
    found: set[str] = set()

    def look(action: int, name: str | None, _column: str | None, _schema: str | None, by: str | None) -> int:
        if action in (apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE) and name == table and by:
            found.add(by)
        return int(apsw.SQLITE_OK)

    connection = tx._connection
    before, connection.authorizer = connection.authorizer, look
    try:
        connection.execute(f"explain insert into {table} default values").fetchall()
    finally:
        connection.authorizer = before
    return found


def test_what_waits_changes_no_other_row_of_its_table(world: World) -> None:
    """Nobody would hear of it. An issue with a parent, which counts it, is written at once."""

    def look(tx: Write) -> set[str]:
        catalogue = tx._catalogue
        may_wait = [
            table
            for table in catalogue.documents.tables
            if catalogue.changed_by_new_rows(tx._connection, table) is not None
        ]
        assert {"issue", "issue_label"} <= set(may_wait)
        return {one for table in may_wait for one in changed_by_triggers_of_its_own(tx, table)}

    assert world.database.write_now(look) == {"issue_child_added"}


def test_whoever_asks_for_anything_has_them_written_first(
    world: World, together: Grouped, written: list[int]
) -> None:
    found = together(make(world, "one"), titles, make(world, "two"), make(world, "three"))
    assert found == ["WEB-3", "warm warm one", "WEB-4", "WEB-5"]
    assert written == [1, 2]


@pytest.mark.usefixtures("together")
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"labels": ["bug"], "assignees": ["@cy"], "priority": "high", "body": "What happened"},
        {"estimate": 3, "start_date": "2026-01-02", "due_date": "2026-01-03", "level": None},
        {"status": "in_progress", "external": "sender:7", "source": "api"},
    ],
)
def test_a_row_is_known_as_it_is_read(world: World, more: dict[str, Any]) -> None:
    """A new issue is answered and told of by it."""
    known: list[dict[str, Any]] = []

    def look(tx: Write) -> None:
        make(world, "new", **more)(tx)
        known.extend(tx.all("select * from issue order by id desc limit 1"))

    insert = Write._insert_with_others

    def noted(tx: Write, table: str, columns: dict[str, Any]) -> int | None:
        number = insert(tx, table, columns)
        if table == "issue":
            assert number is not None
            known.append(dict(tx._catalogue.rows["issue"][number]))
        return number

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Write, "_insert_with_others", noted)
        world.database.write_now(look)
    first, read = known
    assert first == read
    assert [type(value) for value in first.values()] == [type(value) for value in read.values()]


def test_one_that_names_another_is_written_at_once(
    world: World, together: Grouped, written: list[int]
) -> None:
    """It is counted there."""

    def family(tx: Write) -> list[int]:
        cy = world.people["cy"]
        parent = run(tx, cy, "issues.create", {"project": "WEB", "title": "parent", "type": "epic"})
        before = tx.stored("issue", [parent["id"]])
        written.clear()
        run(tx, cy, "issues.create", {"project": "WEB", "title": "child", "parent": parent["key"]})
        behind = tx.stored("issue", [parent["id"]])
        assert before is not None
        assert behind is not None
        return [before["children"], behind["children"], len(written)]

    assert together(family) == [[0, 1, 0]]


@pytest.mark.parametrize("odd", [{"estimate": 3}, {"estimate": -0.0}, {"id": 700}])
def test_one_that_would_be_read_otherwise_is_written_at_once(
    together: Grouped, written: list[int], odd: dict[str, Any]
) -> None:
    def add(tx: Write) -> list[Any]:
        known = tx.one("select * from issue order by id desc limit 1")
        assert known is not None
        written.clear()
        columns = {name: value for name, value in known.items() if name != "id"}
        with tx.new_thing():
            ident = tx.insert("issue", **columns | {"number": 500, "external": "odd"} | odd)
        kept = tx.stored("issue", [ident])
        read = tx.one("select * from issue where number = 500")
        assert kept is not None
        assert read is not None
        return [repr(kept["estimate"]) == repr(read["estimate"]), ident == read["id"], written]

    assert together(add) == [[True, True, []]]


def test_own_values_wait_too_and_are_answered(world: World, together: Grouped, written: list[int]) -> None:
    ana = world.session("ana")
    ana.call("fields.save", {"key": "size", "name": "Size", "kind": "number"})
    ana.call("fields.save", {"key": "who", "name": "Who", "kind": "members"})
    values = {"size": 5, "who": [world.people["cy"].id, world.people["bo"].id]}
    for _ in range(2):
        together(make(world, "warm", values=values))
    written.clear()

    def answered(tx: Write) -> Any:
        given = {"project": "WEB", "title": "new", "values": values}
        return run(tx, world.people["cy"], "issues.create", given)["values"]

    found = together(*[answered] * 8)
    assert written == [8]
    assert found == [values] * 8
    assert [one["values"] for one in world.session("cy").issues.list(project="WEB")["items"]][-8:] == found


def test_who_keeps_such_things_hears_of_each(world: World, together: Grouped) -> None:
    """They tell of themselves."""
    with world.at_rest():
        together(*(make(world, f"new {at}", labels=["bug"]) for at in range(3)))
        told = world.database.read_now(
            lambda tx: tx.column("select ref from thing_touch where kind = 'issue' order by ref")
        )
    assert told[-3:] == [3, 4, 5]


def test_who_keeps_another_that_they_hang_something_on_hears_of_it(world: World, together: Grouped) -> None:
    """Whatever hears of changed rows does not hear of these: it is told when they are added."""
    world.session("ana").labels.save(name="late")
    listed = partial(world.session("ana").issues.list, project="WEB")
    assert [one["labels"] for one in listed()["items"]] == [["bug"], ["bug"]]

    def add(tx: Write) -> list[int]:
        label = tx.value("select id from label where name = 'late'")
        tx.settle()  # of each thing one row of spans may wait
        before = tx.touches("issue", 1)
        with tx.new_thing():
            tx.insert("issue_label", issue=1, label=label)
        return [before, tx.touches("issue", 1), tx.touches("issue", 2)]

    assert together(add) == [[0, 1, 0]]
    assert sorted(one["labels"] for one in listed()["items"]) == [["bug"], ["bug", "late"]]
    with world.at_rest():
        last = "select kind, ref from thing_touch order by seq desc limit 1"
        assert world.database.read_now(lambda tx: tx.one(last)) == {"kind": "issue", "ref": 1}


def test_a_number_that_is_given_as_text_is_heard_of(world: World, together: Grouped) -> None:
    """It is read as a number, and whoever was told of a text would touch nothing."""
    world.session("ana").labels.save(name="late")
    listed = partial(world.session("ana").issues.list, project="WEB")
    assert [one["labels"] for one in listed()["items"]] == [["bug"], ["bug"]]

    def add(tx: Write) -> int:
        label = tx.value("select id from label where name = 'late'")
        tx.settle()  # of each thing one row of spans may wait
        before = tx.touches("issue", 1)
        with tx.new_thing():
            tx.insert("issue_label", issue="1", label=label)
        return tx.touches("issue", 1) - before

    assert together(add) == [1]
    assert sorted(one["labels"] for one in listed()["items"]) == [["bug"], ["bug", "late"]]


def test_a_number_that_is_left_to_the_table_is_heard_of(
    world: World, together: Grouped, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(DocumentStore, "note_new", lambda *given: told.append(given))

    def add(tx: Write) -> Any:
        tx._connection.execute(
            "create table issue_note (text text, issue integer default 1, primary key (text))"
        )
        documents = tx._catalogue.documents
        with monkeypatch.context() as patch:
            patch.setattr(documents, "_watched", {"issue_note": documents._watched["issue_label"]})
            with tx.new_thing():
                tx.insert("issue_note", text="left")
                tx.insert("issue_note", text="none", issue=None)
                tx.insert("issue_note", text="given", issue=2)
        return tx.column("select text from issue_note order by rowid")

    assert together(add) == [["left", "none", "given"]]
    assert [columns["text"] for *_, columns in told] == ["none", "given"]


def test_what_is_hung_on_a_part_comes_behind_it(world: World, together: Grouped) -> None:
    """Though others of its table came before, which are hung on what is there."""

    def tables(tx: Write) -> None:
        for sql in (
            "create table box (issue integer references issue, name text, primary key (issue, name))",
            "create table boxed (issue, box, what primary key, foreign key (issue, box) references box)",
            "insert into box values (1, 'old')",
        ):
            tx._connection.execute(sql)

    def fill(tx: Write) -> list[str]:
        with tx.new_thing():
            tx.insert("boxed", issue=1, box="old", what="one")
            tx.insert("box", issue=1, name="new")
            tx.insert("boxed", issue=1, box="new", what="two")
            tx.insert("box", issue=1, name="newer")
            tx.insert("boxed", issue=1, box="newer", what="three")
        return tx.column("select what from boxed order by rowid")

    assert together(tables, fill)[1] == ["one", "two", "three"]


def test_one_with_nothing_hung_on_it_is_told_of(world: World, together: Grouped) -> None:
    known = world.database.read_now(lambda tx: tx.one("select * from issue limit 1"))
    assert known is not None

    def add(tx: Write) -> list[int]:
        with tx.new_thing():
            new = known | {"number": 500, "rank": "zz"}
            ident = tx.insert("issue", **{name: new[name] for name in new if name != "id"})
        return [ident, tx.touches("issue", ident)]

    assert together(add) == [[3, 1]]


def test_nobody_listens_while_they_are_written(
    world: World, together: Grouped, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(DocumentStore, "note", lambda _, table, __: heard.append(table))

    def change(tx: Write) -> None:
        tx.execute("update issue set title = 'changed' where id = 1")

    together(*(make(world, f"new {at}", labels=["bug"]) for at in range(5)))
    assert heard == []
    together(change)
    assert "issue" in heard


def test_a_part_that_is_counted_in_its_thing_is_written_at_once(world: World, together: Grouped) -> None:
    def vote(tx: Write) -> list[int]:
        before = tx.stored("issue", [1])
        with tx.new_thing():
            tx.insert("issue_vote", issue=1, who="m_one", at=1)
        behind = tx.stored("issue", [1])
        assert before is not None
        assert behind is not None
        return [before["votes"], behind["votes"], tx.touches("issue", 1) > 0]

    assert together(vote) == [[0, 1, True]]


def test_who_changes_a_row_behind_them_is_heard_of(world: World, together: Grouped) -> None:
    """Nobody listens while they are written, and somebody does again behind that."""

    def change(tx: Write) -> int:
        before = tx.touches("issue", 1)
        tx.execute("update issue set title = 'changed' where id = 1")
        return tx.touches("issue", 1) - before

    found = together(*(make(world, f"new {at}") for at in range(4)), change, dangling, change)
    assert [found[4], type(found[5]), found[6]] == [2, Internal, 2]


def test_who_is_refused_behind_new_things_takes_nobody_back(world: World, together: Grouped) -> None:
    """Though these were written for what it asked."""
    ran = []

    def refused(tx: Write) -> str:
        ran.append(titles(tx))
        raise NotFound("There is none")

    found = together(make(world, "one"), refused, make(world, "two"))
    assert [found[0], type(found[1]), found[2]] == ["WEB-3", NotFound, "WEB-4"]
    assert ran == ["warm warm one"]


def dangling(tx: Write) -> str:
    """A row that cannot be: its project is not there, which the file says when it is written."""
    known = tx.one("select * from issue limit 1")
    assert known is not None
    columns = {name: value for name, value in known.items() if name not in {"id", "project", "number"}}
    with tx.new_thing():
        return str(tx.insert("issue", project=999, number=1, **columns))


def asks(tx: Write) -> str:
    return titles(tx)


def asks_and_goes_on(tx: Write) -> str:
    try:
        return titles(tx)
    except Exception:
        return "went on"


@pytest.mark.parametrize("behind", [asks, asks_and_goes_on, None])
def test_rows_that_cannot_be_are_the_fault_of_whoever_adds_them(
    world: World, together: Grouped, behind: Callable[[Write], str] | None
) -> None:
    others = [behind] if behind is not None else []
    found = together(make(world, "one"), dangling, *others, make(world, "two"))
    assert [found[0], type(found[1]), found[-1]] == ["WEB-3", Internal, "WEB-4"]
    assert found[2:-1] == ["warm warm one"] * len(others)
    assert world.database.read_now(titles) == "warm warm one two"  # type: ignore[arg-type]
    assert together(dangling, make(world, "three"))[1] == "WEB-5", "and behind it, in savepoints"
    assert [type(one) for one in together(dangling)] == [Internal]
    assert together(make(world, "four")) == ["WEB-6"]


def test_one_that_cannot_be_falls_alone_among_those_of_its_statement(
    world: World, together: Grouped, written: list[int]
) -> None:
    others = [make(world, f"new {at}", labels=["bug"]) for at in range(7)]
    known = world.database.read_now(lambda tx: tx.one("select * from issue limit 1"))

    def dangling(tx: Write) -> None:
        assert known is not None
        with tx.new_thing():
            tx.insert("issue", **{name: known[name] for name in known if name != "id"} | {"project": 999})

    found = together(*others, dangling)
    assert written[0] == 8
    assert type(found.pop()) is Internal
    assert found == [f"WEB-{at}" for at in range(3, 10)]
    assert world.database.read_now(lambda tx: tx.column("select sum(issues) from label_count")) == [9]


def part_that_cannot_be(
    world: World, tx: Write, *, asks: bool, ends: BaseException | None, keep: bool
) -> str:
    """A part of a write adds what cannot be, and the rest goes on."""
    make(world, "before")(tx)
    said = "nothing"
    try:
        with tx.attempt(keep=keep):
            make(world, "within")(tx)
            dangling(tx)
            if asks:
                titles(tx)
            if ends is not None:
                raise ends
    except (NotFound, ConstraintViolated) as error:
        said = type(error).__name__
    make(world, "behind")(tx)
    return said


@pytest.mark.parametrize(
    ("asks", "ends", "keep", "said"),
    [
        (False, None, True, "ConstraintViolated"),
        (True, None, True, "ConstraintViolated"),
        (False, NotFound("There is none"), True, "NotFound"),
        (False, None, False, "nothing"),
        (True, None, False, "ConstraintViolated"),
    ],
)
def test_a_part_that_adds_what_cannot_be_falls_alone(
    world: World, together: Grouped, *, asks: bool, ends: BaseException | None, keep: bool, said: str
) -> None:
    work = partial(part_that_cannot_be, world, asks=asks, ends=ends, keep=keep)
    assert together(make(world, "one"), work, make(world, "two")) == ["WEB-3", said, "WEB-6"]
    assert world.database.read_now(titles) == "warm warm one before behind two"  # type: ignore[arg-type]


def test_a_part_with_a_row_that_cannot_be_before_a_new_thing_falls_alone(
    world: World, together: Grouped
) -> None:
    """The thing is numbered without a statement, and what waits is written before it."""

    def work(tx: Write) -> str:
        make(world, "before")(tx)
        titles(tx)
        try:
            with tx.attempt():
                issues.add_watcher(tx, 999, "m_one", "watching")
                make(world, "within")(tx)
        except ConstraintViolated:
            return "refused"
        return "kept"

    assert together(make(world, "one"), work, make(world, "two")) == ["WEB-3", "refused", "WEB-5"]
    assert world.database.read_now(titles) == "warm warm one before two"  # type: ignore[arg-type]


def test_a_disk_that_refuses_once_refuses_whoever_met_it(
    world: World, together: Grouped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though they went on, and though it would be written now."""
    assert [type(one) for one in together(dangling, make(world, "one"))] == [Internal, str], "in savepoints"
    write, failing = Waiting._write, [MemoryError("once")]

    def fail(waiting: Waiting, connection: Any, rows: Any) -> None:
        if "issue" in rows and failing:
            waiting.refused = failing.pop()
            raise waiting.refused
        write(waiting, connection, rows)

    def goes_on(tx: Write) -> str:
        make(world, "mine")(tx)
        return asks_and_goes_on(tx)

    monkeypatch.setattr(Waiting, "_write", fail)
    assert [type(one) for one in together(goes_on, make(world, "two"))] == [Internal, str]
    assert world.database.read_now(titles) == "warm warm one two"  # type: ignore[arg-type]


def test_a_number_is_given_once_whoever_writes_the_row(world: World, together: Grouped) -> None:
    def at_once(tx: Write) -> int:
        known = tx.one("select * from issue order by id desc limit 1")
        assert known is not None
        return tx.insert("issue", **known | {"id": known["id"] + 5, "number": 900, "rank": "zz"})

    def gone(tx: Write) -> None:
        tx.execute("delete from issue where number = 900")

    def last(tx: Write) -> int:
        return int(tx.value("select max(id) from issue"))

    found = together(
        make(world, "one"), last, at_once, gone, make(world, "two"), last, make(world, "three"), last
    )
    first = found[1]
    assert isinstance(first, int)
    assert [found[2], found[5], found[7]] == [first + 5, first + 6, first + 7]


def test_a_number_that_was_brought_counts_for_those_behind_it(world: World, together: Grouped) -> None:
    """Though its row waits, and one that was written at once was numbered before it."""

    def work(tx: Write) -> list[str]:
        ana = world.people["ana"]
        epic = run(tx, ana, "issues.create", {"project": "WEB", "title": "epic", "type": "epic"})
        mores: list[dict[str, Any]] = [{"parent": epic["key"]}, {"imported": {"number": 9}}, {}]
        given = [{"project": "WEB", "title": "one", **more} for more in mores]
        return [run(tx, ana, "issues.create", one)["key"] for one in given]

    assert together(work) == [["WEB-4", "WEB-9", "WEB-10"]]


def test_one_behind_a_part_of_another_is_written_before_its_own_parts(
    world: World, together: Grouped
) -> None:
    """Though its number is known without a statement, and a table of parts came first."""

    def work(tx: Write) -> list[str]:
        make(world, "one")(tx)
        titles(tx)
        for who in ("m_one", "m_two"):
            issues.add_watcher(tx, 1, who, "watching")
        return [make(world, title)(tx) for title in ("two", "three")]

    assert together(work) == [["WEB-4", "WEB-5"]]


def test_what_is_kept_of_what_they_change_is_found_out_anew(world: World, together: Grouped) -> None:
    """In their group, where nothing runs between."""

    def count(tx: Write) -> Any:
        return tx.cached(
            "counted", lambda: tx.value("select sum(issues) from label_count"), of=("label_count",)
        )

    found = together(
        count, make(world, "one", labels=["bug"]), count, make(world, "two", labels=["bug"]), count
    )
    assert found == [2, "WEB-3", 3, "WEB-4", 4]


def test_what_is_taken_back_goes_with_its_part(world: World, together: Grouped) -> None:
    def parts(tx: Write) -> str:
        make(world, "stays")(tx)
        with tx.attempt(keep=False):
            make(world, "goes")(tx)
        make(world, "stays, too")(tx)
        return titles(tx)

    assert together(parts) == ["warm warm stays stays, too"]
