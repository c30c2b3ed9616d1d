"""The columns that the code names are those of the schema: see `tests.house.statements` for what is read."""

from pathlib import Path

import pytest

import kbwork
from kbwork.db.rows import ComponentRow, LabelRow, MemberRow
from tests.house.statements import Tables, TypedRead, table_writes, typed_reads
from tests.house.structure import House


@pytest.fixture(scope="module")
def house() -> House:
    return House(Path(kbwork.__file__).parents[1])


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables()


def test_rows_have_the_class_that_their_read_names(house: House, tables: Tables) -> None:
    assert {read.place: fault for read in typed_reads(house) if (fault := tables.fault(read))} == {}


@pytest.mark.parametrize(
    ("sql", "of"),
    [
        ("select * from label", ComponentRow),
        ("select id, name from label", LabelRow),
        ("select l.*, 1 as one from label l", LabelRow),
        ("select l.* from project p left join label l on l.project = p.id", LabelRow),
        ("select * from nothing", LabelRow),
        ("select m.* from member m where 1 = 1 union select m.* from", MemberRow),
    ],
)
def test_a_wrong_class_is_seen(tables: Tables, sql: str, of: type) -> None:
    assert tables.fault(TypedRead("here", [sql], of)) is not None


def test_writes_name_columns_of_their_table(house: House, tables: Tables) -> None:
    writes = list(table_writes(house))
    assert len(writes) > 200
    assert {
        write.place: unknown for write in writes if (unknown := write.columns - tables.columns(write.table))
    } == {}


def test_a_new_row_has_the_columns_that_it_needs(house: House, tables: Tables) -> None:
    made = [write for write in table_writes(house) if write.verb == "insert" and not write.open]
    assert len(made) > 50
    assert {
        write.place: missing for write in made if (missing := tables.needed(write.table) - write.columns)
    } == {}


def test_tables_say_what_a_row_needs(tables: Tables) -> None:
    """Not what SQLite counts or fills in, nor what may be empty."""
    assert tables.needed("label") == {"name", "name_key", "color", "description"}
    assert tables.needed("issue_label") == {"issue", "label"}
    assert tables.needed("avatar") == tables.columns("avatar")
    assert tables.columns("label") - tables.needed("label") == {"id", "project", "family"}
