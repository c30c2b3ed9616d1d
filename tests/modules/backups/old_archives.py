"""Data files and archives as earlier versions made them: the last migrations taken back from those of today."""

import re
from collections.abc import Iterator
from pathlib import Path

import apsw

from kbwork.db import migrate
from kbwork.db.archives import backup

_MADE = (
    (re.compile(r"create table (\w+)", re.IGNORECASE), "drop table {}"),
    (re.compile(r"create virtual table (\w+)", re.IGNORECASE), "drop table {}"),
    (re.compile(r"create view (\w+)", re.IGNORECASE), "drop view {}"),
    (re.compile(r"create trigger (\w+)", re.IGNORECASE), "drop trigger if exists {}"),
    (re.compile(r"create (?:unique )?index (\w+)", re.IGNORECASE), "drop index if exists {}"),
    (re.compile(r"alter table (\w+) add column (\w+)", re.IGNORECASE), "alter table {} drop column {}"),
    (
        re.compile(r"update (?:flag set (?:salt|first_key)|ai_proposal set issue) = ", re.IGNORECASE),
        "select 1",
    ),  # it goes with its column
    (
        re.compile(
            r"insert into (?:ai_policy|page_opened|sqlite_sequence|thing_change|thing_touch) ", re.IGNORECASE
        ),
        "select 1",
    ),  # it goes with its table
    (
        re.compile(r"insert into counter \(name, value\) select '(\w+)'", re.IGNORECASE),
        "delete from counter where name = '{}'",
    ),
    (re.compile(r"insert into span ", re.IGNORECASE), "select 1"),  # the history stays
    (re.compile(r"insert into job ", re.IGNORECASE), "select 1"),  # what it makes anew is there as well
)
_TRIGGER = re.compile(r"create trigger (\w+)", re.IGNORECASE)
_DROPPED = re.compile(r"drop (table|view|trigger|index) (\w+)", re.IGNORECASE)
_NUMBERED_ANEW = "insert into search_doc "


def aged(archive: Path, scratch: Path, before: str) -> Path:
    """The same archive from before a migration: what that and later ones made is gone, and so is what was in it."""
    file, made = scratch / "aged.db", scratch / "aged.zip"
    backup.unpack(archive, file)
    age(file, before)
    label = backup.ArchiveLabel(at=1, kind="manual")
    manifest = backup.pack(file, made, label)
    assert manifest.schema < before
    return made


def age(file: Path, before: str) -> None:
    """Take a migration and all later ones back from a data file that nobody serves, as far as they ran on it."""
    with backup.opened(file, write=True) as connection:
        ran = migrate.ran(connection)
        known = [(name, list(migrate.statements(text))) for name, text in migrate.files() if name in ran]
        for trigger in _later_triggers(connection, known):
            connection.execute(f"drop trigger {trigger}")
        for at, (name, statements) in reversed(list(enumerate(known))):
            if name < before:
                break
            earlier = [_plain(one) for _, found in known[:at] for one in found]
            for statement in reversed(statements):
                for back in _taken_back(_plain(statement), earlier):
                    connection.execute(back)
            connection.execute("delete from schema_migration where name = ?", (name,))
        connection.execute("vacuum")


def _later_triggers(connection: apsw.Connection, known: list[tuple[str, list[str]]]) -> list[str]:
    """Those that no migration makes: they may name tables that are about to go."""
    made = {found[1] for _, texts in known for text in texts if (found := _TRIGGER.match(_plain(text)))}
    there = connection.execute("select name from sqlite_schema where type = 'trigger'").fetchall()
    return [str(name) for (name,) in there if name not in made]


def _plain(statement: str) -> str:
    return re.sub(r"--[^\n]*\n", "", statement).strip()


def _taken_back(text: str, earlier: list[str]) -> Iterator[str]:
    if text.startswith(_NUMBERED_ANEW):
        yield from _numbered_as_before(earlier)
        return
    if dropped := _DROPPED.match(text):
        yield next(
            one for one in reversed(earlier) if one.lower().startswith(f"create {dropped[1]} {dropped[2]} ")
        )
        return
    for pattern, back in _MADE:
        if found := pattern.match(text):
            yield back.format(*found.groups())
            return
    raise AssertionError(f"say here how this is taken back: {text}")


def _numbered_as_before(earlier: list[str]) -> Iterator[str]:
    """The index made anew as it was made last, by the migration that says for each kind which numbers its rows have."""
    yield next(one for one in earlier if one.startswith("insert into search_file "))
    yield "delete from search_text where rowid > 0"
    yield from [one for one in earlier if one.startswith("insert into search_text ")][-3:]
