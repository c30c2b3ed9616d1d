"""Whether each index has what its table has, asked of one index at a time.

SQLite's `integrity_check` looks for a row in every index of its table before it takes the next one: where those indexes
together are larger than memory each look goes to the disk, and ten million issues take it hours. Here a table is read
in its order once for each index, so that one index has to stay in memory. All else is asked by `quick_check`.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import apsw

from kbwork.base.dataclasses import dataclass

_TABLES = (
    "select t.name, t.wr from pragma_table_list t where t.schema = 'main' and t.type in ('table', 'shadow')"
    " order by (select count(*) from sqlite_schema i where i.type = 'index' and i.tbl_name = t.name) desc, t.name"
)
_INDEXES = 'select name, "unique", origin from pragma_index_list(?)'
_SPELT = "select cast(sql as text) from sqlite_schema where type = 'index' and name = ?"
_DIRECTION = re.compile(r"\s+(asc|desc)$", re.IGNORECASE)
_CONDITION = re.compile(r"^\s*where\s+", re.IGNORECASE)
_EACH = "count(1)"
"""Unlike `count(*)`, which SQLite answers from whichever index is the smallest."""
_PRIMARY = "pk"


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """What is asked of one index."""

    table: str
    index: str
    text: str
    """One row: entries of the index; rows that should have one; rows whose place in it is empty; values that are there
    more than once and may not be."""

    def faults(self, connection: apsw.Connection) -> Iterator[str]:
        """In words, all of one moment."""
        has, should, missing, doubled = connection.execute(self.text).fetchall()[0]
        if missing:
            yield f"the index {self.index} misses {missing} of {should} rows of {self.table}"
        if has != should:
            yield f"the index {self.index} has {has} entries and should have {should}, one for a row of {self.table}"
        if doubled:
            yield f"the unique index {self.index} of {self.table} has values more than once: {doubled} of them"


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """What is asked of a table without rowids, which is the index of its key: there is no other to hold it against."""

    table: str
    text: str
    """The key of each row, none of it descending."""

    def faults(self, connection: apsw.Connection) -> Iterator[str]:
        """In words."""
        rows = connection.execute(self.text)
        if wrong := sum(not _is_before(one, row) for one, row in itertools.pairwise(rows)):
            yield f"rows of {self.table} are not in the order of its key: {wrong} of them"


def _is_before(one: tuple[Any, ...], row: tuple[Any, ...]) -> bool:
    try:
        return one < row
    except TypeError:  # a number in the place of a text: damage, which `quick_check` has words for
        return False


def checks(connection: apsw.Connection) -> Iterator[IndexCheck | KeyCheck]:
    """One of each index of a file, those first whose table has most of them."""
    for table, without_rowid in connection.execute(_TABLES).fetchall():
        listed = connection.execute(_INDEXES, (table,)).fetchall()
        rows = _Rows(str(table), "not indexed", ["rowid"])
        if without_rowid:
            itself = next(str(name) for name, _, origin in listed if origin == _PRIMARY)
            rows = _Rows(str(table), f"indexed by {_quoted(itself)}", _columns(connection, itself))
            yield rows.key_check()
        for name, unique, origin in listed:
            if not (without_rowid and origin == _PRIMARY):
                terms, condition = _terms(connection, str(name))
                yield rows.check(str(name), terms, condition, unique=bool(unique))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a table in their own order."""

    table: str
    scan: str
    key: list[str]
    """What tells one from the others."""

    def key_check(self) -> KeyCheck:
        return KeyCheck(self.table, f"select {', '.join(self.key)} from {_quoted(self.table)} {self.scan}")

    def check(self, index: str, terms: list[str], condition: str, *, unique: bool) -> IndexCheck:
        rows = f"{_quoted(self.table)} {self.scan}"
        entries = f"{_quoted(self.table)} indexed by {_quoted(index)}"
        only = [f"({condition})"] if condition else []
        told = [f"{one} as {name}" for one, name in _named(terms, self.key)]
        found = [f"{one} is {name}" for one, name in _named(terms, self.key)]
        once = _where([*only, *(f"{term} is not null" for term in terms)])
        again = f"select 1 from {entries}{once} group by {', '.join(terms)} having count(*) > 1"
        doubled = f"(select count(*) from ({again}))" if unique else "0"
        text = (
            f"select (select {_EACH} from {entries}{_where(only)}), count(*),"
            f" count(*) filter (where not exists (select 1 from {entries}{_where([*only, *found])})), {doubled}"
            f" from (select {', '.join(told)} from {rows}{_where(only)})"
        )
        return IndexCheck(self.table, index, text)


def _named(terms: list[str], key: list[str]) -> Iterator[tuple[str, str]]:
    """What is asked of a row by the names that no column has."""
    for at, one in enumerate((*terms, *key)):
        yield one, f"asked_{at}"


def _where(conditions: list[str]) -> str:
    return f" where {' and '.join(conditions)}" if conditions else ""


def _terms(connection: apsw.Connection, index: str) -> tuple[list[str], str]:
    """(what its entries are sorted by, the condition of rows that have one: empty for all) as they are spelt, without
    texts that have brackets."""
    spelt = connection.execute(_SPELT, (index,)).get
    if spelt is None:  # that of a key, or of a column that is unique
        return _columns(connection, index), ""
    terms, depth, at = [""], 0, spelt.index("(")
    while depth >= 0:
        at += 1
        depth += (spelt[at] == "(") - (spelt[at] == ")")
        if depth == 0 and spelt[at] == ",":
            terms.append("")
        elif depth >= 0:
            terms[-1] += spelt[at]
    return [_DIRECTION.sub("", term.strip()) for term in terms], _CONDITION.sub("", spelt[at + 1 :])


def _columns(connection: apsw.Connection, index: str) -> list[str]:
    listed = connection.execute("select name from pragma_index_info(?) order by seqno", (index,))
    return [_quoted(str(name)) for (name,) in listed]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
