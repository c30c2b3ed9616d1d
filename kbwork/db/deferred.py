"""What is written for many at once, which takes less than row by row: what follows from rows, and rows of tables that
grow at their ends."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import apsw

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass

_LATE_S = 0.05
"""So long waits what lasts, for others to be written with."""
_LATE_AGAIN_S = 10.0
"""Where the disk refused it."""
_SIZES = (16, 8, 4)
"""So many rows go into one statement. Each size is prepared by itself, and forgotten where it is not used for long."""


@dataclass(frozen=True, kw_only=True)
class Deferred:
    """A table says what waits. It is settled before a statement of the writer asks for what follows, and at the end of
    its transaction at the latest, so that no other sees it waiting, unless it `lasts`."""

    home: str
    """The file that declares it: `__name__`."""
    waiting: str
    """The table of what waits."""
    settle: tuple[str, ...]
    """Statements that write what follows, and empty that table."""
    asked: str
    """What the SQL has in it that asks for what follows."""
    lasts: bool = False
    """It may wait for a moment longer. A reader that asks for what follows has the writer settle it first."""
    joined: bool = False
    """It lasts, and whoever reads what follows reads what waits with it, by a view: nobody needs to have it settled."""


class Appended(NamedTuple):
    """Rows that wait in memory: those of a whole group are written together.

    Where hardly anybody asks for them in their transaction (`asked`), that is at its end, behind the hook that hears of
    changed rows. Others, which documents and triggers rest on, are written before whatever statement runs next: nobody
    can tell that they were not there. Whoever keeps something in memory is told of each of these when it is appended,
    so that the hook need not hear of it: that takes longer than the row's place in an index does.
    """

    table: str
    insert: str
    """Takes its values in order."""
    asked: frozenset[str] | None = None
    """The words of SQL that asks for them: their table, and views of it. Nobody is told of such rows, so that nothing
    in memory may rest on them. None: any statement does."""
    columns: tuple[str, ...] = ()
    """What the values of `Write.append` are, where somebody is told of them: of a row that does not come, too, since it
    is there already."""
    hung_on: bool = False
    """Rows of other tables are hung on these: what waits is written before the first of these is appended, so that
    whatever is hung on one comes behind it."""
    row: str | None = None
    """What `insert` has for a row, where it may have it several times. A statement whose triggers write keeps a copy of
    each page that it changes, to take back what it did where it fails half-way: for eight issues one copy, not eight.
    None: a statement for each, which takes less where no trigger writes."""

    def statements(self, count: int) -> Iterator[tuple[str, int]]:
        """Those that add the most of so many rows, and how many each adds; the rest come one by one."""
        if self.row is not None:
            for size in _SIZES:
                while count >= size:
                    yield _insert_together(self, size), size
                    count -= size


def binds(count: int) -> str:
    """How an insert takes so many values in order."""
    return f"({', '.join('?' * count)})"


@cache
def _insert_together(to: Appended, size: int) -> str:
    assert to.row is not None
    return to.insert.replace(to.row, ", ".join([to.row] * size))


SPAN_COLUMNS = "subject, field, value, from_at, by"
SPANS_TO_WAIT = Appended(
    "span_waiting",
    "insert into span_waiting (subject, held, from_at, by) values (?, ?, ?, ?)",
    frozenset({"span", "span_waiting", "spell"}),
)
"""`held` is JSON: [[field, value], ...]."""
_SPANS_THAT_WAITED = f"""
insert into span ({SPAN_COLUMNS})
  select subject, h.value ->> 0, h.value ->> 1, from_at, by from span_waiting join json_each(held) h
  order by subject, h.key
"""
FIRST_SPANS = Deferred(
    home=__name__,
    waiting="span_waiting",
    settle=(_SPANS_THAT_WAITED, "delete from span_waiting"),
    asked=" span ",
    lasts=True,
    joined=True,
)
"""What a new thing holds from its beginning: of a new issue six rows in three indexes, each among others."""


class NewRows(NamedTuple):
    """How a row of a table begins, by which one is known before it is written."""

    to: Appended
    """Takes all columns."""
    key: str
    last: str
    """Asks which number was given last."""
    begin: dict[str, Any]
    """Each column in its order, and what it holds where nothing is said of it."""
    types: dict[str, type]
    """What is read of each, where it is not null."""
    kin: tuple[str, ...]
    """Those that name another row of the same table."""
    reals: tuple[str, ...]

    def row(self, number: int, columns: dict[str, Any]) -> dict[str, Any] | None:
        """The row with this number as it will be read.

        None where values are read as others than are given, which are those of another type and a zero that may have a
        sign, where it names another row, since what is counted there would be known too late, and where it is to have a
        number of its own choice.
        """
        types = self.types
        for name, value in columns.items():
            if value is not None and type(value) is not types[name]:
                return None
        for name in self.reals:
            if columns.get(name) == 0:
                return None
        if self.key in columns:
            return None
        row = {**self.begin, **columns, self.key: number}
        for name in self.kin:
            if row[name] is not None:
                return None
        return row


class NewParts(NamedTuple):
    """How rows of a table come that are named by columns of their own: each is hung on a thing, and has no number."""

    table: str
    key: frozenset[str]
    hung_on: bool
    shared: bool
    """Several go into one statement."""

    def to(self, columns: tuple[str, ...]) -> Appended:
        """What takes these columns in order."""
        return _part(self, columns)


@cache
def _part(parts: NewParts, columns: tuple[str, ...]) -> Appended:
    row = binds(len(columns)) if parts.shared else None
    return Appended(parts.table, insertion(parts.table, columns), hung_on=parts.hung_on, row=row)


@cache
def insertion(table: str, columns: tuple[str, ...]) -> str:
    """The statement that takes a row of these columns in order."""
    return f"insert into {table} ({', '.join(columns)}) values {binds(len(columns))}"


_READ_AS: dict[str, type] = {"integer": int, "real": float, "text": str, "blob": bytes}
_COLUMNS = "select name, lower(type), dflt_value, pk, hidden from pragma_table_xinfo(?)"
_KIN = 'select "from" from pragma_foreign_key_list(?) where "table" = ?'
_HUNG_ON = """
select count(*) from sqlite_schema join pragma_foreign_key_list(sqlite_schema.name) f
  where sqlite_schema.type = 'table' and sqlite_schema.name <> :table and f."table" = :table
"""


def new_rows(connection: apsw.Connection, table: str) -> NewRows | None:
    """Of a table that numbers its rows and gives no number twice; of others None."""
    columns: list[tuple[Any, ...]] = connection.execute(_COLUMNS, (table,)).fetchall()
    made = str(connection.execute("select sql from sqlite_schema where name = ?", (table,)).get)
    if "primary key autoincrement" not in made.lower() or any(hidden for *_, hidden in columns):
        return None
    key = next(name for name, _, _, pk, _ in columns if pk)
    kin: list[tuple[Any, ...]] = connection.execute(_KIN, (table, table)).fetchall()
    row = binds(len(columns))
    shared = row if len(changed_by_new_rows(connection, table)) > 1 else None
    return NewRows(
        to=Appended(table, f"insert into {table} values {row}", hung_on=True, row=shared),
        key=key,
        last=f"select max(coalesce((select max({key}) from {table}), 0),"
        " coalesce((select seq from sqlite_sequence where name = :name), 0))",
        begin={
            name: connection.execute(f"select {default or 'null'}").get for name, _, default, *_ in columns
        },
        types={name: _READ_AS.get(kind, object) for name, kind, *_ in columns},
        kin=tuple(name for (name,) in kin),
        reals=tuple(name for name, kind, *_ in columns if kind == "real"),
    )


def new_parts(connection: apsw.Connection, table: str, key: tuple[str, ...]) -> NewParts | None:
    """Of a table with this key; None where that is a number which SQLite gives."""
    if key == ("id",):
        return None
    return NewParts(
        table,
        frozenset(key),
        hung_on=connection.execute(_HUNG_ON, {"table": table}).get > 0,
        shared=len(changed_by_new_rows(connection, table)) > 1,
    )


def changed_by_new_rows(connection: apsw.Connection, table: str) -> frozenset[str]:
    """The tables that change where a row comes into this one: by triggers, too, as SQLite says when it compiles it."""
    changed = {table}

    def look(action: int, name: str | None, *_: object) -> int:
        if action in (apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE) and name is not None:
            changed.add(name)
        return int(apsw.SQLITE_OK)

    before, connection.authorizer = connection.authorizer, look
    try:
        connection.execute(f"explain insert into {table} default values").fetchall()
    finally:
        connection.authorizer = before
    return frozenset(changed)


@lru_cache(maxsize=4096)
def _words(sql: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sql))


_Rows = dict[str, tuple[Appended, list[tuple[Any, ...]]]]
"""Table -> what the statement binds for each row."""


def _add(connection: apsw.Connection, to: Appended, rows: list[tuple[Any, ...]]) -> None:
    """Add them in their order, by as few statements as there are sizes for."""
    added = 0
    for statement, size in to.statements(len(rows)):
        connection.execute(statement, tuple(chain.from_iterable(rows[added : added + size])))
        added += size
    if rest := rows[added:]:
        connection.executemany(to.insert, rest)


class Waiting:
    """What waits, as the writer knows it: rows in memory for the end of its transaction, and in the data file what
    others follow from. `changing` are the tables that its transaction changed."""

    def __init__(self, changing: set[str], hear: Callable[[Any], None]) -> None:
        self._hear = hear
        """The hook that hears of changed rows."""
        self._rows: _Rows = {}
        """Those that the open transaction appends, of which nobody is told."""
        self._rows_asked: set[str] = set()
        self._told: _Rows = {}
        """Those that are written before any statement, in the order in which their tables came: a thing before what is
        hung on it."""
        self.refused: BaseException | None = None
        """Why rows could not be written. The rows stay, so that whoever runs a statement meets it again, until the part
        of the transaction that added them, or all of it, is taken back."""
        self._appended = 0
        """Counts the rows that were ever appended."""
        self._carried = 0
        """Counts the rows that were changed by writing and settling what waited."""
        self.kinds: tuple[Deferred, ...] = ()
        self.lasting: set[str] = set()
        """Tables in which something committed may wait."""
        self.owed = False
        """Somebody was answered without what waits, since it could not be written."""
        self.lags: tuple[str, ...] = ()
        """What SQL of readers has in it that asks for what follows from these."""
        self._changing = changing
        self._settled: set[str] = set()
        """Those that the open transaction emptied."""
        self._late_at: float | None = None
        """When what lasts has waited enough; None while nothing does, and before the first commit."""

    def know(self, kinds: tuple[Deferred, ...]) -> None:
        """Of a data file that may have been left at any time."""
        self.kinds = kinds
        self.lasting = {one.waiting for one in kinds if one.lasts}
        self._tell_readers()
        self._late_at = None

    def begin(self) -> None:
        """A transaction begins."""
        self._settled.clear()
        self._forget_rows()

    def written(self, connection: apsw.Connection) -> int:
        """Counts the rows that were ever changed or appended: whether somebody wrote shows in it, and not whether what
        others wrote was waiting for whoever asks."""
        return connection.total_changes() - self._carried + self._appended

    def append(self, to: Appended, row: tuple[Any, ...]) -> None:
        """Add a row at the end of the transaction."""
        found = self._rows.get(to.table)
        if found is None:
            found = self._rows[to.table] = (to, [])
            self._rows_asked |= to.asked or frozenset()
        found[1].append(row)
        self._appended += 1

    def append_told(self, connection: apsw.Connection, to: Appended, row: tuple[Any, ...]) -> None:
        """Add a row before whatever statement runs next."""
        found = self._told.get(to.table)
        if found is None or found[0].insert != to.insert:
            if found is not None or to.hung_on:
                self.write_told(connection)
            found = self._told[to.table] = (to, [])
        found[1].append(row)
        self._appended += 1

    def write(self, connection: apsw.Connection) -> None:
        """Add the rows now, before a part that may be taken back or whoever asks for them."""
        self.write_told(connection)
        self._write(connection, self._rows)
        self._rows.clear()
        self._rows_asked.clear()

    def end_task(self, connection: apsw.Connection, *, alone: bool) -> None:
        """One of those who write together is done. `alone`: it falls by itself, and all that waits is its own.

        Raises what rows were refused by, also where whoever met that went on.
        """
        if alone:
            self.write(connection)
        if self.refused is not None:
            raise self.refused

    def write_told(self, connection: apsw.Connection) -> None:
        """Add those of which somebody was told. Nothing is told behind `stop_listening`: the hook is on before it."""
        if self._told:
            connection.preupdate_hook(None)
            try:
                self._write(connection, self._told)
            finally:
                connection.preupdate_hook(self._hear)
            self._told.clear()

    def _write(self, connection: apsw.Connection, waiting: _Rows) -> None:
        """Add rows. What is raised may be the fault of another write than the one that asks: see `refused`."""
        before = connection.total_changes()
        for to, rows in waiting.values():
            try:
                _add(connection, to, rows)
            except BaseException as error:
                self.refused = error
                raise
            self._changing.add(to.table)  # of those that nobody is told of, and nobody hears of at the end
        self._carried += connection.total_changes() - before

    def _forget_rows(self) -> None:
        """And what was raised when they were written."""
        self._rows.clear()
        self._rows_asked.clear()
        self._told.clear()
        self.refused = None

    def settle(self, connection: apsw.Connection, *, late: bool) -> None:
        """The transaction ends. `late`: what lasts has waited enough."""
        self.write(connection)
        for one in self.kinds:
            if late or not one.lasts:
                self._settle(one, connection)

    def require(self, connection: apsw.Connection, sql: str) -> None:
        """This statement is about to run: what it asks for is written first."""
        if self._told:
            self.write_told(connection)
        if self._rows and not self._rows_asked.isdisjoint(_words(sql)):
            self.write(connection)
        for one in self.kinds:
            if one.asked in sql:
                self._settle(one, connection)

    def _settle(self, one: Deferred, connection: apsw.Connection) -> None:
        table = one.waiting
        if table in self._changing or (table in self.lasting and table not in self._settled):
            before = connection.total_changes()
            for statement in one.settle:
                connection.execute(statement)
            self._carried += connection.total_changes() - before
            self._changing.discard(table)
            self._settled.add(table)

    def take_back(self) -> None:
        """A part of the transaction was rolled back, with what it appended, and perhaps what it settled."""
        self._forget_rows()
        self._changing |= self._settled
        self._settled.clear()

    def count_commit(self) -> None:
        """The transaction was committed."""
        for one in self.kinds:
            if one.lasts and one.waiting in self._changing:
                self.lasting.add(one.waiting)
            elif one.waiting in self._settled:
                self.lasting.discard(one.waiting)
        self._tell_readers()
        if not self.lasting:
            self._late_at = None
        elif self._late_at is None or self.is_late():
            self._late_at = monotonic() + _LATE_S

    def is_owed(self) -> bool:
        """Whether nothing waits any more for which somebody was answered otherwise; says so once."""
        if not self.owed or self.lags:
            return False
        self.owed = False
        return True

    def _tell_readers(self) -> None:
        self.lags = tuple(one.asked for one in self.kinds if one.waiting in self.lasting and not one.joined)

    def patience(self) -> float | None:
        """How long what lasts may wait still, in seconds; None where nothing does."""
        return None if self._late_at is None else max(0.0, self._late_at - monotonic())

    def is_late(self) -> bool:
        """Whether what lasts has waited enough."""
        return self.patience() == 0.0

    def put_off(self) -> None:
        """What lasts could not be written now."""
        if self._late_at is not None:
            self._late_at = monotonic() + _LATE_AGAIN_S
