"""Triggers keep what follows from rows. They stand in `triggers.sql` beside the code, and each data file gets these."""

import re
from functools import cache
from pathlib import Path

import apsw

_PACKAGE = Path(__file__).parents[2]
_TRIGGER = re.compile(r"^create trigger ((\w+) .+?\nend);$", re.MULTILINE | re.DOTALL)


@cache
def wanted() -> dict[str, str]:
    """Name -> its text as SQLite keeps it. The sources are read by path: no module is imported."""
    texts = [file.read_text("utf-8") for file in sorted(_PACKAGE.glob("*/*/triggers.sql"))]
    return {found[2]: f"CREATE TRIGGER {found[1]}" for text in texts for found in _TRIGGER.finditer(text)}


def present(connection: apsw.Connection) -> dict[str, str]:
    """Name -> text of those in the file."""
    return dict(connection.execute("select name, sql from sqlite_schema where type = 'trigger'"))


def drop(connection: apsw.Connection) -> None:
    for name in present(connection):
        connection.execute('drop trigger "{}"'.format(name.replace('"', '""')))


def put(connection: apsw.Connection) -> None:
    """Those that are wanted in the place of all that are there."""
    drop(connection)
    for text in wanted().values():
        connection.execute(text)
