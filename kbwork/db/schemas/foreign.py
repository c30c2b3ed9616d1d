"""What in the schema of a data file is not of kbwork.

A schema is code: a trigger or a view runs when somebody else writes or reads, with their rights. So each entry is
compared, text for text, with what the same migrations make of an empty file.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from kbwork.db.schemas import triggers

DIGESTS = Path(__file__).with_name("digests.txt")
"""The file with the digests of the schema of this version and of each text that a trigger has or had. Triggers change
without a migration: which ones an older file has cannot be told from the migrations that ran on it."""
_HEAD = "# Made by `kbwork contract`. Lines of triggers stay when their text changes: older files have the older one.\n"
_KINDS = ("table", "index", "trigger", "view")
_PLAIN = re.compile(r"\w{1,60}", re.ASCII)
_DROP = "drop it if you know it, or restore a backup from before it"
_BACK = "restore a backup from before that"


class SchemaEntry(NamedTuple):
    """A row of `sqlite_schema` but for its page."""

    kind: str
    name: str
    table: str
    sql: str | None

    @property
    def is_plain_trigger(self) -> bool:
        """Whether it is a trigger that can be listed and dropped.

        SQLite takes kind and name of a row in any case, and drops by their letters: a `Trigger` would stay, and run.
        """
        quoted = '"{}"'.format(self.name.replace('"', '""'))
        begins = tuple(f"CREATE TRIGGER {name}{end}" for name in (self.name, quoted) for end in " \n")
        return self.kind == "trigger" and (self.sql or "").startswith(begins)


_OF_SQLITE = frozenset(
    SchemaEntry("table", name, name, f"CREATE TABLE {name}({columns})")
    for name, columns in (("sqlite_stat1", "tbl,idx,stat"), ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample"))
)
"""What ANALYZE leaves."""
_OF_LITESTREAM = frozenset(
    SchemaEntry("table", name, name, f"CREATE TABLE {name} ({columns})")
    for name, columns in (
        ("_litestream_seq", "id INTEGER PRIMARY KEY, seq INTEGER"),
        ("_litestream_lock", "id INTEGER"),
    )
)
"""What the program makes that copies the file away: two tables in which nothing of ours stands and nothing runs."""
_OF_OTHERS = _OF_SQLITE | _OF_LITESTREAM


_ENTRIES = """
select cast(type as text), cast(name as text), cast(tbl_name as text), cast(sql as text)
from sqlite_schema {where} order by 2, 1, 4
"""
_ALL = _ENTRIES.format(where="")
_BUT_PLAIN_TRIGGERS = _ENTRIES.format(
    where="""
    where not (
      typeof(type) = 'text' and type = 'trigger' and typeof(name) = 'text' and typeof(sql) = 'text'
      and substr(sql, 1, length(name) + 16) in ('CREATE TRIGGER ' || name || ' ', 'CREATE TRIGGER ' || name || char(10))
    )
"""
)
"""Most entries are triggers, which SQLite leaves out three times as fast."""


def entries(connection: apsw.Connection) -> list[SchemaEntry]:
    """The schema of a file but for what ANALYZE and Litestream left there."""
    rows = connection.execute(_ALL)
    return [entry for row in rows if (entry := SchemaEntry(*row)) not in _OF_OTHERS]


def is_of_today(connection: apsw.Connection) -> bool:
    """Whether the schema is that of this version but for its triggers."""
    rows = connection.execute(_BUT_PLAIN_TRIGGERS).fetchall()
    return _digest_of([row for row in rows if row not in _OF_OTHERS]) in _known()


def is_wholly_of_today(connection: apsw.Connection) -> bool:
    """Whether the schema is that of this version, and no trigger has another text than one that it ever had."""
    if not is_of_today(connection):
        return False
    found = [entry for entry in entries(connection) if entry.is_plain_trigger]
    return len(found) == len({entry.name for entry in found}) and all(map(_was_ours, found))


def differences(
    connection: apsw.Connection, made: Iterable[SchemaEntry], *, triggers_too: bool
) -> Iterator[str]:
    """Each entry that is not as it was made, in words, with what to do. A trigger may have any text that it ever had,
    and may be missing: whoever opens the file for service makes those of today."""
    found, wanted = Counter(entries(connection)), Counter(made)
    names = {entry.name for entry in wanted}
    for entry, count in (found - wanted).items():
        if not (entry.is_plain_trigger and (not triggers_too or (count == 1 and _was_ours(entry)))):
            kind = entry.kind if entry.kind in _KINDS else "entry"
            fault = f"not as kbwork makes it: {_BACK}" if entry.name in names else f"not of kbwork: {_DROP}"
            yield f"the {kind} {_shown(entry.name)} is {fault}"
    there = {(entry.kind, entry.name) for entry in found}
    for entry in wanted - found:
        if not entry.is_plain_trigger and (entry.kind, entry.name) not in there:
            yield f"the {entry.kind} {entry.name} of kbwork is missing: {_BACK}"


def digests(made: Iterable[SchemaEntry]) -> str:
    """What the file of digests is to hold: what it holds of triggers, and what is new."""
    lines = {_trigger_digest(name, text) for name, text in triggers.wanted().items()}
    lines |= {line for line in _lines() if line.startswith("trigger ")}
    plain = [tuple(entry) for entry in made if not entry.is_plain_trigger]
    return _HEAD + "".join(f"{line}\n" for line in (_digest_of(plain), *sorted(lines)))


def _was_ours(entry: SchemaEntry) -> bool:
    return _trigger_digest(entry.name, entry.sql or "") in _known()


def _trigger_digest(name: str, text: str) -> str:
    return f"trigger {name} {_sum(text)}"


def _digest_of(rows: list[tuple[Any, ...]]) -> str:
    return f"schema {_sum(repr(rows))}"


@cache
def _known() -> frozenset[str]:
    return frozenset(_lines())


def _lines() -> list[str]:
    return DIGESTS.read_text("utf-8").splitlines() if DIGESTS.exists() else []


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _shown(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else ascii(name[:60])
