"""Archives as earlier versions made them: the last migrations taken back from a backup of today."""

import re
from pathlib import Path

from kbwork.db import backup, migrate

_MADE = (
    (re.compile(r"create table (\w+)", re.IGNORECASE), "drop table {}"),
    (re.compile(r"create (?:unique )?index (\w+)", re.IGNORECASE), "drop index if exists {}"),
    (re.compile(r"alter table (\w+) add column (\w+)", re.IGNORECASE), "alter table {} drop column {}"),
    (re.compile(r"update flag set salt = ", re.IGNORECASE), "select 1"),  # it goes with its column
)


def aged(archive: Path, scratch: Path, migrations: int) -> Path:
    """The same archive from before so many migrations: what they made is gone, and so is what was in it."""
    file, made = scratch / "aged.db", scratch / "aged.zip"
    backup.unpack(archive, file)
    with backup.opened(file, write=True) as connection:
        for name, text in reversed(migrate.files()[-migrations:]):
            for statement in reversed(list(migrate.statements(text))):
                connection.execute(_taken_back(statement))
            connection.execute("delete from schema_migration where name = ?", (name,))
        connection.execute("vacuum")
    label = backup.ArchiveLabel(at=1, kind="manual")
    manifest = backup.pack(file, made, label)
    assert manifest.schema == migrate.files()[-migrations - 1][0]
    return made


def _taken_back(statement: str) -> str:
    text = re.sub(r"--[^\n]*\n", "", statement).strip()
    for pattern, back in _MADE:
        if found := pattern.match(text):
            return back.format(*found.groups())
    raise AssertionError(f"say here how this is taken back: {text}")
