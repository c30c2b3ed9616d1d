"""What is written for many at once, which takes less than row by row: what follows from rows, and rows of tables that
grow at their ends."""

import re
from functools import lru_cache
from typing import Any, NamedTuple

import apsw

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass

_LATE_S = 0.05
"""So long waits what lasts, for others to be written with."""
_LATE_AGAIN_S = 10.0
"""Where the disk refused it."""


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
    """Rows for which nobody asks in the transaction that adds them, or hardly anybody: those of a whole group are
    written at its end, by one statement that runs for each."""

    table: str
    insert: str
    """Takes its values in order."""
    asked: frozenset[str]
    """The words of SQL that asks for them: their table, and views of it."""


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


@lru_cache(maxsize=4096)
def _words(sql: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sql))


class Waiting:
    """What waits, as the writer knows it: rows in memory for the end of its transaction, and in the data file what
    others follow from. `changing` are the tables that its transaction changed."""

    def __init__(self, changing: set[str]) -> None:
        self._rows: dict[str, tuple[Appended, list[tuple[Any, ...]]]] = {}
        """Table -> what the statement binds for each row that the open transaction appends."""
        self._rows_asked: set[str] = set()
        self.appended = 0
        """Counts the rows that were ever appended: whether somebody wrote shows in it."""
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

    def append(self, to: Appended, row: tuple[Any, ...]) -> None:
        """Add a row at the end of the transaction."""
        found = self._rows.get(to.table)
        if found is None:
            found = self._rows[to.table] = (to, [])
            self._rows_asked |= to.asked
        found[1].append(row)
        self.appended += 1

    def write(self, connection: apsw.Connection) -> None:
        """Add the rows now, before a part that may be taken back or whoever asks for them."""
        for to, rows in self._rows.values():
            connection.executemany(to.insert, rows)
            self._changing.add(to.table)  # who hears of rows may have stopped listening
        self._forget_rows()

    def _forget_rows(self) -> None:
        self._rows.clear()
        self._rows_asked.clear()

    def settle(self, connection: apsw.Connection, *, late: bool) -> None:
        """The transaction ends. `late`: what lasts has waited enough."""
        self.write(connection)
        for one in self.kinds:
            if late or not one.lasts:
                self._settle(one, connection)

    def require(self, connection: apsw.Connection, sql: str) -> None:
        """This statement is about to run: what it asks for is written first."""
        if self._rows and not self._rows_asked.isdisjoint(_words(sql)):
            self.write(connection)
        for one in self.kinds:
            if one.asked in sql:
                self._settle(one, connection)

    def _settle(self, one: Deferred, connection: apsw.Connection) -> None:
        table = one.waiting
        if table in self._changing or (table in self.lasting and table not in self._settled):
            for statement in one.settle:
                connection.execute(statement)
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
