"""The committed schema is that of the migrations and triggers."""

from kbwork.db.migrate import SCHEMA_FOLDER, schema


def test_the_committed_schema_is_what_these_make() -> None:
    assert (SCHEMA_FOLDER / "schema.sql").read_text() == schema(), "run: kbwork contract"
