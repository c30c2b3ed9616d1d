"""What is kept between calls and in one ends with the rows that it is made of."""

from typing import Any

import pytest

from kbwork.base.errors import Conflict
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write
from kbwork.db.writer import Writer
from tests.conftest import NOW, World
from tests.modules.calls import call


class Asked:
    """Asks for the names of labels, and counts how often they are looked up."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self, tx: Read) -> list[str]:
        def look() -> list[str]:
            self.looks += 1
            return tx.column("select name from label order by name")

        found: list[str] = tx.cached("names of labels", look, of=("label",))
        return found


def put(tx: Write, name: str) -> int:
    return tx.insert("label", name=name, name_key=name, color="red", description="")


def test_a_fact_is_kept_until_a_row_of_its_table_is_changed(database: Database) -> None:
    asked = Asked()
    assert [database.read_now(asked) for _ in range(3)] == [[]] * 3
    assert asked.looks == 1
    database.write_now(lambda tx: tx.insert("counter", name="other", value=1))
    assert database.read_now(asked) == []
    assert asked.looks == 1
    label = database.write_now(lambda tx: put(tx, "bug"))
    assert [database.read_now(asked) for _ in range(2)] == [["bug"]] * 2
    assert asked.looks == 2
    database.write_now(lambda tx: tx.update("label", label, color="blue"))
    assert database.write_now(asked) == ["bug"]
    database.write_now(lambda tx: tx.value("update label set name = 'flaw' returning id"))
    assert database.read_now(asked) == ["flaw"]


def test_a_change_of_it_moves_no_rights(database: Database) -> None:
    access = database.access
    database.write_now(lambda tx: put(tx, "bug"))
    assert database.access == access


def test_who_changes_it_finds_it_out_anew_and_others_do_when_it_is_there(database: Database) -> None:
    asked = Asked()

    def change(tx: Write) -> list[list[str]]:
        found = [asked(tx)]
        put(tx, "bug")
        found += [asked(tx), database.read_now(asked)]
        put(tx, "flaw")
        return [*found, asked(tx)]

    assert database.write_now(change) == [[], ["bug"], [], ["bug", "flaw"]]
    assert database.read_now(asked) == ["bug", "flaw"]


@pytest.mark.parametrize("rights", [True, False])
def test_what_is_committed_and_not_counted_yet_is_found_out_anew(
    database: Database, monkeypatch: pytest.MonkeyPatch, rights: bool
) -> None:
    """A reader that begins just then sees the rows, and is told nothing older of them."""
    if rights:
        database._catalogue.access_tables = frozenset({"label"})
    seen: list[list[str]] = []
    settle = Writer._settle_memory

    def ask(tx: Read) -> list[str]:
        assert tx.column("select name from label") == ["bug"]  # the snapshot has it
        found: list[str] = tx.cached("names", lambda: tx.column("select name from label"), of=of)
        return found

    def between(writer: Writer) -> None:
        if not seen:
            seen.append(database.read_now(ask))
        settle(writer)

    of = () if rights else ("label",)
    assert database.read_now(lambda tx: tx.cached("names", list, of=of)) == []
    monkeypatch.setattr(Writer, "_settle_memory", between)
    database.write_now(lambda tx: put(tx, "bug"))
    assert seen == [["bug"]]
    assert database.read_now(ask) == ["bug"]


def test_what_was_taken_back_is_not_kept(database: Database) -> None:
    asked = Asked()

    def fail(tx: Write) -> None:
        put(tx, "bug")
        assert asked(tx) == ["bug"]
        raise Conflict("no")

    with pytest.raises(Conflict):
        database.write_now(fail)
    assert database.write_now(asked) == []
    assert database.read_now(asked) == []


def test_an_old_snapshot_has_nothing_newer_and_leaves_nothing_older(database: Database) -> None:
    asked = Asked()

    def old(tx: Read) -> list[list[str]]:
        before = tx.column("select name from label")
        database.write_now(lambda inner: put(inner, "bug"))
        database.write_now(asked)
        return [before, asked(tx)]

    assert database.read_now(old) == [[], []]
    assert database.read_now(asked) == ["bug"]


def test_a_row_that_a_write_read_is_read_again_when_it_was_changed(world: World) -> None:
    """By whatever means, and when the change is taken back."""

    def seen(tx: Write) -> Any:
        row = tx.stored("issue", [1])
        return row and (row["title"], row["checks"])

    def change(tx: Write) -> list[Any]:
        found = [seen(tx), seen(tx)]
        tx.update("issue", 1, title="B")
        found.append(seen(tx))
        tx.execute("update issue set title = 'C' where project = 1")
        found.append(seen(tx))
        with tx.attempt(keep=False):
            tx.execute("update issue set title = 'D' where id = :id", id=1)
            found.append(seen(tx))
        found.append(seen(tx))
        tx.insert("check_item", issue=1, position=0, text="x", created_at=NOW, created_by="system")
        found.append(seen(tx))
        return found

    call(world, "ana", "issues.create", project="WEB", title="A")
    assert world.database.write_now(change) == [
        ("A", 0),
        ("A", 0),
        ("B", 0),
        ("C", 0),
        ("D", 0),
        ("C", 0),
        ("C", 1),
    ]
