"""The committed schema is that of the migrations and triggers, and the classes of its rows are."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.clock import SystemClock
from kbwork.db.migrate import SCHEMA_FOLDER, schema
from kbwork.db.row_classes import rows

_OLDER = """
import sqlite3, sys
print(sqlite3.sqlite_version)
print(sqlite3.connect(sys.argv[1]).execute("select count(*) from issue").fetchone())
"""


def test_the_committed_schema_is_what_these_make() -> None:
    assert (SCHEMA_FOLDER / "schema.sql").read_text() == schema(), "run: kbwork contract"


def test_the_committed_classes_of_rows_are_those_of_the_schema() -> None:
    assert (SCHEMA_FOLDER / "rows.py").read_text() == rows(), "run: kbwork contract"


def test_classes_of_rows_are_there_before_the_modules_ask_for_them(tmp_path: Path) -> None:
    """A migration's new table may be used at once: what the modules import of it is written first."""
    copy = tmp_path / "kbwork"
    shutil.copytree(SCHEMA_FOLDER.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    held = (copy / "db" / "rows.py").read_text()
    (copy / "db" / "rows.py").write_text(held.replace("LabelRow", "OtherRow"))
    made = subprocess.run(
        [sys.executable, "-m", "kbwork", "contract"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert made.stdout == "wrote rows.py\n"
    assert (copy / "db" / "rows.py").read_text() == held


def test_programs_with_an_sqlite_of_some_years_ago_open_the_file(tmp_path: Path) -> None:
    """They parse the whole schema at their first statement, triggers too: backup tools, and the shell of SQLite."""
    folder = tmp_path / "data"
    open_data(folder, SystemClock()).close()
    ran = subprocess.run(
        [sys.executable, "-c", _OLDER, str(folder / "kbwork.db")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    if ran.stdout >= "3.44":
        pytest.skip("the SQLite that comes with this Python is a new one")
