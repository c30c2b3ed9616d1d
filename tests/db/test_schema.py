"""The committed schema and the classes of its rows are those of the migrations."""

from kbwork.db.migrate import SCHEMA_FOLDER, schema
from kbwork.db.row_classes import rows


def test_the_committed_schema_is_what_the_migrations_make() -> None:
    assert (SCHEMA_FOLDER / "schema.sql").read_text() == schema(), "run: kbwork contract"


def test_the_committed_classes_of_rows_are_those_of_the_schema() -> None:
    assert (SCHEMA_FOLDER / "rows.py").read_text() == rows(), "run: kbwork contract"
