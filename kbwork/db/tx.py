"""What a handler holds: `Read`, one snapshot, or `Write`, one savepoint. Values are always bound."""

import contextlib
import copy
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, overload

import apsw
from pydantic_core import to_json

from kbwork.base.caller import Caller
from kbwork.base.clock import TrustedTime, monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Problem
from kbwork.base.events import DomainEvent
from kbwork.base.word_list import WordList
from kbwork.db.connection import words_of
from kbwork.db.deferred import (
    SPAN_COLUMNS,
    SPANS_TO_WAIT,
    Appended,
    NewParts,
    NewRows,
    Waiting,
    changed_by_new_rows,
    insertion,
    new_parts,
    new_rows,
)
from kbwork.db.documents import DocumentStore, Entry, MadeDocument
from kbwork.db.folder import Places

if TYPE_CHECKING:
    from kbwork.db.rows import StoredRow

Row = dict[str, Any]
"""A row of chosen columns; one that is the whole row of a table has that table's class of `db.rows`."""
Binds = dict[str, Any] | tuple[Any, ...]
"""What a statement names, or its values in order, which take half the time."""
_Of = TypeVar("_Of")


class OverBudget(Exception):
    """A read on the loop took longer than it may there; it is run again on a thread."""


class Lags(Exception):
    """A read asks for what follows from a commit and is not written yet: it is run again when it is."""


class TooSlow(Exception):
    """A read on a thread passed its deadline."""


_LAST = "last"
"""The number that a row of a table got last, as it is held."""
_LONG = 500
_TOGETHER = 8
_TOUCHED = re.compile(r"(?:insert (?:or ignore )?into|update|delete from) (\w+)", re.IGNORECASE)


_EVENTS = Appended(
    "events",
    "insert into events"
    " (seq, kind, subject, actor, actor_kind, via, at, payload, audience, scope, op, request, address, origin)"
    " values (?, ?, ?, ?, ?, ?, ?, jsonb(?), ?, ?, ?, ?, ?, ?)",
    frozenset({"events", "event_about", "field"}),
)
"""Triggers on it look at the fields of that moment, and write what events are about."""
_EVENTS_ABOUT = Appended(
    "event_about", "insert or ignore into event_about (what, seq) values (?, ?)", frozenset({"event_about"})
)


class ConstraintViolated(Exception):
    """A row cannot go or come: others rest on it, or its place is taken."""


_ASKED_WRONGLY = (
    apsw.SQLError,
    apsw.ConstraintError,
    apsw.MismatchError,
    apsw.RangeError,
    apsw.TooBigError,
    apsw.BindingsError,
)
"""Errors of SQLite that come of the statement and of what it meets; all others are of the file, the disk and the
moment."""


class DryRun(Exception):
    """Carries the answer of an operation whose effect is thrown away."""

    def __init__(self, answer: Any) -> None:
        super().__init__("dry run")
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Tracked:
    """Which columns of a table have a history that queries ask for (`status was done before ...`).

    `subject` and `key` make the subject of a row, such as `issue` and `id`. `fields` maps a column to the name of the
    field; for a table of pairs (an issue's labels) it is the other column.
    """

    subject: str
    key: str
    fields: dict[str, str]
    numbered: bool = False
    """The second part of the row's key is the number of a field: its history is that of `field:7`."""


class Catalogue:
    """What all transactions of one file share: keys of tables, names of columns, and facts that change seldom."""

    def __init__(self, trusted_time: TrustedTime) -> None:
        self.trusted_time = trusted_time
        self._keys: dict[str, tuple[str, ...]] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        self.registry: Any = None
        """What the product can do; feeds, batch and undo ask it."""
        self.access_tables: frozenset[str] = frozenset()
        """Tables on which all facts kept with `Read.cached` rest."""
        self.access = 0
        """Counts the commits that touched one of them; the writer moves it before it answers."""
        self.facts: dict[Any, tuple[int, int, Any]] = {}
        """What `Read.cached` keeps: the state of access and the number of commits when it was found out, and that."""
        self.commits = 0
        """Counts the commits that changed a row, as the writer does before it answers."""
        self._changed_at: dict[str, int] = {}
        """Table -> the last of these that changed a row of it."""
        self._void_at = 0
        """What was found out before this one is void, whatever it is about."""
        self.changing: set[str] = set()
        """The tables of which the writer's open group changed rows, by triggers too."""
        self.rows: dict[str, dict[int, Row]] = {}
        """Of tables of documents, the rows that the running write read and that are so still."""
        self.held: dict[str, dict[Any, Any]] = {}
        """Table -> what the writer's open group knows of its rows, until one of them is changed."""
        self._new_rows: dict[str, NewRows | None] = {}
        self._new_parts: dict[str, NewParts | None] = {}
        self._changed_by_new_rows: dict[str, frozenset[str] | None] = {}
        self.unsettled = False
        """The writer's open group touched one of `access_tables`: what it reads is not what others may rest on."""
        self.tracked: dict[str, Tracked] = {}
        self.waiting = Waiting(self.changing, self._row_changes)
        self.noted: dict[str, set[Any]] = {}
        """What was noted by reads and is not written down yet."""
        self.secret = b""
        """Signs what is handed out and comes back, such as cursors; made from the master key."""
        self.places: Any = None
        """The file and folders of these data."""
        self.title_words = WordList(words_of())
        """The words of titles: the writer tells of each title before it answers."""
        self.documents = DocumentStore()
        self._beside: dict[str, Any] = {}

    def beside(self, name: str, make: Callable[[], Any]) -> Any:
        """What a room above keeps in memory beside these data and no row says; made when it is first asked for."""
        found = self._beside.get(name)
        return found if found is not None else self._beside.setdefault(name, make())

    def forget(self) -> None:
        """Other data are there: what was found out about these is void."""
        self._keys.clear()
        self._new_rows.clear()
        self._new_parts.clear()
        self._changed_by_new_rows.clear()
        self.names.clear()
        self.facts.clear()
        self.title_words.clear()
        self.waiting.know(self.waiting.kinds)
        self.documents.clear()
        self.void()
        self.unsettled = False

    def void(self) -> None:
        """Nobody knows what was changed, so that nothing that was found out before holds."""
        self._void_at = self.commits + 1
        self.commits += 1
        self.access += 1

    # -- the writer --------------------------------------------------------------------------------------

    def listen(self, connection: apsw.Connection) -> None:
        """Hear of every row that this connection changes."""
        connection.preupdate_hook(self._row_changes)

    def stop_listening(self, connection: apsw.Connection) -> None:
        """Hear of no more rows of this transaction: what is written at its end is of tables on which nothing in memory
        rests, and each row that is heard of takes the interpreter from somebody. A statement that empties a table is
        prepared by then as one that nobody hears of, and stays so."""
        connection.preupdate_hook(None)

    def _row_changes(self, change: Any) -> None:
        table = change.table_name
        self.changing.add(table)
        if table in self.held:
            del self.held[table]
        if table in self.documents.tables:
            if (read := self.rows.get(table)) is not None:
                read.pop(change.rowid, None)
            self.documents.note(table, change)

    def take_back(self) -> None:
        """A part of the open group was rolled back."""
        self.held.clear()
        self.waiting.take_back()

    def count_commit(self) -> None:
        """The open group was committed."""
        self.waiting.count_commit()
        if self.changing:
            number = self.commits + 1
            for table in self.changing:
                self._changed_at[table] = number
            self.commits = number  # behind the tables: who begins with this number finds what it changed
            self.changing.clear()  # behind the count: a table is in one of both, see `Read.cached`

    # -- anybody -----------------------------------------------------------------------------------------

    def unchanged(self, tables: Iterable[str], since: int) -> bool:
        """Whether all the commits that changed one of these tables were counted then."""
        changed_at = self._changed_at
        for table in tables:
            if changed_at.get(table, 0) > since:
                return False
        return self._void_at <= since

    def moved(self, since: int) -> bool:
        """Whether who may do what may have changed since `access` was read, by the writer's open group too."""
        return self.unsettled or self.access != since  # in this order: the writer counts, then settles

    def key(self, connection: apsw.Connection, table: str) -> tuple[str, ...]:
        if table not in self._keys:
            rows = connection.execute(
                "select name, pk from pragma_table_info(?) where pk > 0 order by pk", (table,)
            )
            self._keys[table] = tuple(name for name, _ in rows)
            assert self._keys[table], f"table {table} has no key"
        return self._keys[table]

    def new_rows(self, connection: apsw.Connection, table: str) -> NewRows | None:
        """How a row of this table begins, where that is known before it is written."""
        if table not in self._new_rows:
            self._new_rows[table] = new_rows(connection, table)
        return self._new_rows[table]

    def new_parts(self, connection: apsw.Connection, table: str) -> NewParts | None:
        """How rows of this table come that are hung on a new thing, where they need no number."""
        if table not in self._new_parts:
            self._new_parts[table] = new_parts(connection, table, self.key(connection, table))
        return self._new_parts[table]

    def changed_by_new_rows(self, connection: apsw.Connection, table: str) -> frozenset[str] | None:
        """The tables that change where a row comes into this one; None where something in memory rests on others among
        them: nobody would hear of their rows. Nor would anybody of other rows of its own table, which a trigger changes
        only where the new one names them (`NewRows.kin`)."""
        if table not in self._changed_by_new_rows:
            changed = changed_by_new_rows(connection, table)
            kept = any(other in self.documents.tables for other in changed if other != table)
            self._changed_by_new_rows[table] = None if kept else changed
        return self._changed_by_new_rows[table]


def _by_table(find: Callable[..., Any]) -> "StoredRow":
    """What is found has the class of its table."""
    return find


_MOST_NOTED = 100_000


class Read:
    """One snapshot of the data for one caller."""

    def __init__(self, connection: apsw.Connection, catalogue: Catalogue, caller: Caller, now: int) -> None:
        self._connection = connection
        self._catalogue = catalogue
        self.caller = caller
        self.now = now
        self.memo: dict[Any, Any] = {}
        """What was found out once in this call, such as what the caller may see."""
        self.deadline: float | None = None
        self.over = False
        self.lags = catalogue.waiting.lags  # before the snapshot: what waits in it is told by then
        """What SQL has in it that asks for more than is written in this snapshot."""
        self._lagged: list[str] = []
        """What was asked for of that; shared with the same snapshot through other eyes."""
        self._epoch = catalogue.documents.epoch  # before the counts, which the writer moves first
        self._access = catalogue.access
        self._commits = catalogue.commits

    def _run(self, sql: str, binds: dict[str, Any]) -> list[tuple[Any, ...]]:
        if self.lags and any(one in sql for one in self.lags):
            self._lagged.append(sql)
            raise Lags
        try:
            cursor = self._connection.execute(sql, binds)
            rows = []
            if (first := next(cursor, None)) is not None:
                if sql not in self._catalogue.names:
                    self._catalogue.names[sql] = tuple(part[0] for part in cursor.get_description())
                rows.append(first)
                rows.extend(cursor)
        except apsw.InterruptError:
            self.over = True
            raise OverBudget from None
        except apsw.ConstraintError as error:
            raise ConstraintViolated(str(error)) from error
        if self.deadline is not None and monotonic() > self.deadline:
            self.over = True
            raise OverBudget
        return rows

    @overload
    def all(self, sql: str, /, **binds: Any) -> list[Row]: ...
    @overload
    def all(self, sql: str, of: type[_Of], /, **binds: Any) -> list[_Of]: ...
    def all(self, sql: str, of: Any = Row, /, **binds: Any) -> list[Any]:
        """Every row, as a dict of column to value: of a class that has these columns, where one is named."""
        rows = self._run(sql, binds)
        if not rows:
            return []
        names = self._catalogue.names[sql]
        return [dict(zip(names, row, strict=True)) for row in rows]

    @overload
    def one(self, sql: str, /, **binds: Any) -> Row | None: ...
    @overload
    def one(self, sql: str, of: type[_Of], /, **binds: Any) -> _Of | None: ...
    def one(self, sql: str, of: Any = Row, /, **binds: Any) -> Any:
        """The first row, or None."""
        rows = self._run(sql, binds)
        return dict(zip(self._catalogue.names[sql], rows[0], strict=True)) if rows else None

    def note(self, name: str, value: Any) -> None:
        """Keep in memory that this was read, to be written down soon, once however often it is noted."""
        noted = self._catalogue.noted.setdefault(name, set())
        if len(noted) < _MOST_NOTED:
            noted.add(value)

    def tuples(self, sql: str, **binds: Any) -> list[tuple[Any, ...]]:
        """Every row, without the names of its columns: where there are tens of thousands."""
        return self._run(sql, binds)

    def value(self, sql: str, **binds: Any) -> Any:
        """The first column of the first row, or None."""
        rows = self._run(sql, binds)
        return rows[0][0] if rows else None

    def column(self, sql: str, **binds: Any) -> list[Any]:
        """The first column of every row."""
        return [row[0] for row in self._run(sql, binds)]

    @_by_table
    def stored(self, table: str, place: list[Any]) -> Row | None:
        """The row with this key."""
        binds = self.place(table, place)
        where = " and ".join(f"{name} = :{name}" for name in binds)
        return self.one(f"select * from {table} where {where}", **binds)

    def place(self, table: str, place: list[Any]) -> Row:
        """The columns of a key."""
        return dict(zip(self._catalogue.key(self._connection, table), place, strict=True))

    def memoized(self, key: Any, make: Callable[[], Any]) -> Any:
        """Find something out at most once in this call."""
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]

    def cached(self, key: Any, make: Callable[[], Any], *, of: tuple[str, ...] = ()) -> Any:
        """Find something out once and keep it until a table of callers or access changes, or one that it is made `of`.

        `_access` and `_commits` were read before the snapshot began, so an answer from an older snapshot is never taken
        for new; nor is a newer one taken in an older snapshot. A commit is there before it is counted: meanwhile what
        it touched is found out anew, and nothing of that is kept.
        """
        catalogue = self._catalogue
        if catalogue.moved(self._access) or (of and not catalogue.changing.isdisjoint(of)):
            return self.memoized(key, make)
        found = catalogue.facts.get(key)
        if (
            found is not None
            and found[0] == self._access
            and (not of or catalogue.unchanged(of, min(found[1], self._commits)))
        ):
            return found[2]
        answer = self.memoized(key, make)
        if len(catalogue.facts) > 10_000:
            catalogue.facts.clear()
        catalogue.facts[key] = (self._access, self._commits, answer)
        return answer

    def kept(self, beside: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
        """As `cached` of access alone, in a place of the asker's own."""
        if self._catalogue.moved(self._access):
            return make()
        found = beside.get(key)
        if found is None or found[0] != self._access:
            found = beside[key] = (self._access, make())
        return found[1]

    @property
    def lagged(self) -> bool:
        """Whether it asked for what was not written yet, whoever swallowed that."""
        return bool(self._lagged)

    def is_of_the_moment(self, error: Exception) -> bool:
        """Whether what was raised in here says nothing of the data that were met: it is of the disk, or of somebody who
        says that it may go well later, or comes of such a one."""
        # or SQLite ended the transaction, whoever swallowed why
        return any(map(_is_of_the_moment, _with_causes(error))) or not self._connection.in_transaction

    def documents(self, kind: str, idents: Collection[Any]) -> list[Entry | None]:
        """What is kept of things in their order, as they are in this snapshot."""
        return self._catalogue.documents.find(kind, idents, self._epoch)

    def keep_document(self, kind: str, ident: Any, made: MadeDocument) -> None:
        """Keep a document of a thing that was made of this snapshot, unless what was found out once may be older."""
        if not self._catalogue.moved(self._access):
            self._catalogue.documents.keep((kind, ident), made, self._epoch)

    def as_caller(self, caller: Caller) -> "Read":
        """The same snapshot through the eyes of another caller."""
        other = copy.copy(self)
        other.caller, other.memo = caller, {}
        return other

    @property
    def trusted_time(self) -> TrustedTime:
        """What is known of the clock."""
        return self._catalogue.trusted_time

    @property
    def trusted_now(self) -> int:
        """The time by which things end for good: that of a clock that ran ahead is not believed at once."""
        return min(self.now, self._catalogue.trusted_time.now())

    @property
    def secret(self) -> bytes:
        """The key that signs cursors and links."""
        return self._catalogue.secret

    @property
    def places(self) -> Places:
        """Where the data and their backups lie."""
        found: Places = self._catalogue.places
        return found

    @property
    def title_words(self) -> WordList:
        """The words that titles have, and perhaps some that they had."""
        return self._catalogue.title_words

    @property
    def registry(self) -> Any:
        """The registry of operations and subjects."""
        return self._catalogue.registry

    def beside(self, name: str, make: Callable[[], Any]) -> Any:
        """See Catalogue.beside."""
        return self._catalogue.beside(name, make)


def _is_of_the_moment(error: BaseException) -> bool:
    if isinstance(error, Problem):
        return error.later
    if isinstance(error, apsw.Error):
        return not isinstance(error, _ASKED_WRONGLY)
    return isinstance(error, OSError | MemoryError | OverBudget | Lags | TooSlow)


def _with_causes(error: BaseException) -> list[BaseException]:
    """What was raised, and what that came of: a savepoint that SQLite ended hides why it did."""
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__ or cause.__context__
    return found


class Sequence:
    """The last event's number. The writer alone moves it; a rolled back savepoint moves it back."""

    def __init__(self, last: int) -> None:
        self.last = last

    def next(self) -> int:
        self.last += 1
        return self.last


class Write(Read):
    """One savepoint. `insert`, `update` and `delete` keep before-images, from which undo is made."""

    def __init__(
        self, connection: apsw.Connection, catalogue: Catalogue, caller: Caller, now: int, sequence: Sequence
    ) -> None:
        super().__init__(connection, catalogue, caller, now)
        self._sequence = sequence
        self.op = ""
        self.may_emit: Callable[[type[DomainEvent]], bool] = lambda _: True
        """Whether the running operation may emit this kind."""
        self.undo_of: int | None = None
        self.bulk: int | None = None
        """The first event of a change of many things, which all its events name; 0 before there is one."""
        self.notify: bool | None = None
        """Whether people are to hear of what is done here, where the caller said so: all its events say it."""
        self.brought_by: int | None = None
        """The import whose work this is, which all its events name."""
        self.by_rule: int | None = None
        """The rule whose work this is, likewise."""
        self.images: list[tuple[str, list[Any], Row | None, Row | None]] = []
        """(table, key, before, after) of each row touched, in order."""
        self.events: list[tuple[int, DomainEvent]] = []
        self.gathering: str | None = None
        """The subject whose changes wait to be told together."""
        self.gathered: list[dict[str, Any]] = []
        """Those changes, in order."""
        self.recording = False
        """An operation is running whose record for undo holds whatever else is run inside it."""
        self.spent = 0
        """What the running call has set going by itself so far, in the measure of who bounds it."""
        self.woken = False
        self.shreds = False
        self.tables: set[str] = set()
        self._moves_access = False
        """One of them is of those on which all that is kept rests."""
        self.lags = ()  # its own statements settle what they ask for
        self._begun: list[tuple[str, str, str]] = []
        """(subject, field, value) of spans that begin and are not written yet."""
        self._thing_is_new = False
        self._forget_rows()

    def _run(self, sql: str, binds: dict[str, Any]) -> list[tuple[Any, ...]]:
        try:
            self._catalogue.waiting.require(self._connection, sql)
        except apsw.ConstraintError as error:
            raise ConstraintViolated(str(error)) from error
        return super()._run(sql, binds)

    def _change(self, sql: str, binds: Binds) -> None:
        """Run a statement that answers nothing."""
        try:
            self._catalogue.waiting.require(self._connection, sql)
            self._connection.execute(sql, binds)
        except apsw.ConstraintError as error:
            raise ConstraintViolated(str(error)) from error

    def write_what_waits(self) -> None:
        """What was appended before, here and by others of the group, is in the file from now on. Raises what the file
        refuses of it."""
        try:
            self._catalogue.waiting.write(self._connection)
        except apsw.ConstraintError as error:
            raise ConstraintViolated(str(error)) from error

    def documents(self, kind: str, idents: Collection[Any]) -> list[Entry | None]:
        """Nothing: what this transaction changed is not what others are shown."""
        return [None for _ in idents]

    def keep_document(self, kind: str, ident: Any, made: MadeDocument) -> None:
        """Not kept: it may be taken back."""

    def cached(self, key: Any, make: Callable[[], Any], *, of: tuple[str, ...] = ()) -> Any:
        """As on a reader, and anew where this transaction or its group touched a table that it may rest on."""
        catalogue = self._catalogue
        if self._moves_access or (of and not catalogue.changing.isdisjoint(of)):
            return make()
        if catalogue.unsettled:
            return self.memoized(key, make)
        if not of and (found := catalogue.facts.get(key)) is not None and found[0] == catalogue.access:
            return found[2]  # the writer alone moves access: nothing of it moves beside this
        return super().cached(key, make, of=of)

    def kept(self, beside: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
        """Not kept: access may have moved in this transaction, which may be taken back."""
        return make()

    @_by_table
    def stored(self, table: str, place: list[Any]) -> Row | None:
        """The row with this key. That of a thing with documents is read again only when it was changed."""
        read, ident = self._catalogue.rows.get(table), place[0]
        if read is None or not isinstance(ident, int):
            found: Row | None = super().stored(table, place)
            return found
        row = read.get(ident)
        if row is None:
            row = super().stored(table, place)
            if row is not None:
                read[ident] = row
        return row

    def _forget_rows(self) -> None:
        for read in self._catalogue.rows.values():
            read.clear()

    def hold(self, table: str, key: Any, value: Any) -> None:
        """Know this of the rows of a table in whatever its group does next, until one of them is changed or waits."""
        self._catalogue.held.setdefault(table, {})[key] = value

    def held(self, table: str, key: Any) -> Any:
        """What is known so, or None."""
        known = self._catalogue.held.get(table)
        return None if known is None else known.get(key)

    def touches(self, kind: str, ident: Any) -> int:
        """How often this transaction and its group changed a row of this thing alone on which its document rests: while
        that is the same, what hangs on it is what it was. The names of what others have too are not counted."""
        return self._catalogue.documents.touches((kind, ident))

    def access_moved(self, since: int) -> bool:
        """Whether who may do what may have changed since then, in this group too."""
        return self._catalogue.moved(since)

    @property
    def seq(self) -> int:
        """The last sequence number given out."""
        return self._sequence.last

    def execute(self, sql: str, **binds: Any) -> int:
        """Run an insert, update or delete that undo does not follow: marks, counters, sweeps. Answers the rows changed.

        What is kept about its table ends with it, as with any change.
        """
        self._change(sql, binds)
        self._touch(_touched(sql))
        return self._connection.changes()

    def append(self, to: Appended, *row: Any) -> None:
        """Add a row, which undo does not follow, at the end of the transaction or before somebody asks for it."""
        if to.asked is not None:
            self._catalogue.waiting.append(to, row)
        elif not self._append_told(to, dict(zip(to.columns, row, strict=True))):
            self._change(to.insert, row)
        self._touch(to.table)

    def _append_told(self, to: Appended, row: Row, number: int = 0) -> bool:
        """Add a row before whatever statement runs next, as if it were there already; False where it has to be.

        It has this number where its table numbers them, and else none is asked for. Raises what the file refuses of
        those that were appended before.
        """
        connection, catalogue = self._connection, self._catalogue
        changed = catalogue.changed_by_new_rows(connection, to.table)
        if changed is None or not catalogue.documents.knows_new(to.table, row):
            return False
        try:
            catalogue.waiting.append_told(connection, to, tuple(row.values()))
        except apsw.ConstraintError as error:
            raise ConstraintViolated(str(error)) from error
        catalogue.documents.note_new(to.table, number, row)
        catalogue.changing |= changed  # what is kept and held of them is void from now on
        for table in changed:
            catalogue.held.pop(table, None)
        return True

    def insert(self, table: str, **columns: Any) -> int:
        """Add a row; answers its rowid, which is its `id` where that is an integer."""
        rowid = self._insert_with_others(table, columns) if self._thing_is_new else None
        if rowid is None:
            self._change(insertion(table, tuple(columns)), tuple(columns.values()))
            rowid = self._connection.last_insert_rowid()
        key = self._catalogue.key(self._connection, table)
        place = [columns.get(name, rowid) for name in key]
        self._keep(table, place, None, columns)
        return rowid

    def _insert_with_others(self, table: str, columns: Row) -> int | None:
        """Have a row of a new thing written with those of other new things, and answer its number; None where it has to
        be written at once."""
        kept = self._catalogue.rows.get(table)
        if kept is None:
            return self._insert_part(table, columns)
        new = self._catalogue.new_rows(self._connection, table)
        if new is None:
            return None
        last = self.held(table, _LAST)
        number: int = 1 + (self.value(new.last, name=table) if last is None else last)
        row = new.row(number, columns)
        if row is None or not self._append_told(new.to, row, number):
            return None
        kept[number] = row
        self.hold(table, _LAST, number)
        return number

    def _insert_part(self, table: str, columns: Row) -> int | None:
        """As `_insert_with_others`, of a row that is named by columns of its own and has no number: it answers 0."""
        parts = self._catalogue.new_parts(self._connection, table)
        if parts is None or not columns.keys() >= parts.key:
            return None
        return 0 if self._append_told(parts.to(tuple(columns)), columns) else None

    def update(self, table: str, place: Any, **columns: Any) -> None:
        """Change columns of the row with this key (a tuple where the key has several columns)."""
        key = self._catalogue.key(self._connection, table)
        values = list(place) if isinstance(place, tuple) else [place]
        before = self.stored(table, values)
        assert before is not None, f"{table} {values} is not there"
        changed = {name: value for name, value in columns.items() if before[name] != value}
        if not changed:
            return
        where = " and ".join(f"{name} = :k_{name}" for name in key)
        binds = {f"k_{name}": value for name, value in zip(key, values, strict=True)} | changed
        self._change(f"update {table} set {', '.join(f'{c} = :{c}' for c in changed)} where {where}", binds)
        kept = {name: before[name] for name in changed}
        self._keep(table, values, kept, changed)

    def delete(self, table: str, place: Any) -> bool:
        """Take the row with this key away; False when there was none."""
        key = self._catalogue.key(self._connection, table)
        values = list(place) if isinstance(place, tuple) else [place]
        before = self.stored(table, values)
        if before is None:
            return False
        where = " and ".join(f"{name} = :{name}" for name in key)
        self._change(f"delete from {table} where {where}", dict(zip(key, values, strict=True)))
        self._keep(table, values, before, None)
        return True

    def _keep(self, table: str, place: list[Any], before: Row | None, after: Row | None) -> None:
        self.images.append((table, place, before, after))
        self._touch(table)
        if (tracked := self._catalogue.tracked.get(table)) is not None:
            self._spans(tracked, place, before or {}, after or {})

    def settle(self) -> None:
        """Write down whatever waits, as the end of the transaction does when it is late."""
        self._catalogue.waiting.settle(self._connection, late=True)

    def _touch(self, table: str) -> None:
        self.tables.add(table)
        self._moves_access = self._moves_access or table in self._catalogue.access_tables

    def _spans(self, tracked: Tracked, place: list[Any], before: Row, after: Row) -> None:
        """Close the spans of values that end and open those that begin; empty values have none."""
        row = after or before
        subject = f"{tracked.subject}:{row.get(tracked.key, place[0])}"
        for column, field in tracked.fields.items():
            old, new = before.get(column), after.get(column)
            if old == new or (old := _spanned(old)) == (new := _spanned(new)):
                continue
            if tracked.numbered:
                field = f"{field}:{place[1]}"  # noqa: PLW2901 - the same name, told apart by the number
            if old is not None:
                self._change(
                    "update span indexed by span_subject set to_at = :now where subject = :subject and field = :field"
                    " and value = :value and to_at is null",
                    {"subject": subject, "field": field, "now": self.now, "value": str(old)},
                )
            if new is not None:
                self._begun.append((subject, field, str(new)))
        if not self._thing_is_new:
            self._begin_spans()

    def _begin_spans(self) -> None:
        """Write the spans that begin now, a few at a time: what differs in number is another statement."""
        for first in range(0, len(self._begun), _TOGETHER):
            some = self._begun[first : first + _TOGETHER]
            binds: dict[str, Any] = {"now": self.now, "by": self.caller.actor}
            for at, (subject, field, value) in enumerate(some):
                binds[f"s{at}"], binds[f"f{at}"], binds[f"v{at}"] = subject, field, value
            self._change(_spans_from(len(some)), binds)
        self._begun.clear()

    def _let_spans_wait(self) -> None:
        """Write down what a new thing holds, to be written as spans with those of others."""
        held: dict[str, list[tuple[str, str]]] = {}
        for subject, field, value in self._begun:
            held.setdefault(subject, []).append((field, value))
        for subject, spans in held.items():
            row = (subject, json_array(spans), self.now, self.caller.actor)
            self._catalogue.waiting.append(SPANS_TO_WAIT, row)

    @contextlib.contextmanager
    def telling(self, notify: bool | None) -> Iterator[None]:
        """Events inside say whether people are to hear of them; None: nothing was said about that."""
        before, self.notify = self.notify, self.notify if notify is None else notify
        try:
            yield
        finally:
            self.notify = before

    @contextlib.contextmanager
    def new_thing(self) -> Iterator[None]:
        """What is inserted inside is of one new thing, its own row first: that, what is hung on it and the spans that
        begin are written with those of others.

        Who raises inside takes it all back.
        """
        self._thing_is_new = True
        try:
            yield
            self._let_spans_wait()
        finally:
            self._begun.clear()
            self._thing_is_new = False

    def emit(self, event: DomainEvent) -> int:
        """Write an event; answers its sequence number. It is heard of after the commit."""
        assert self.may_emit(type(event)), f"{self.op} did not declare {type(event).__name__}"
        body = event.body()
        if self.undo_of is not None:
            body = {**body, "undo": self.undo_of}
        seq = self._sequence.next()
        if self.bulk is not None:
            self.bulk = self.bulk or seq
            body = {**body, "bulk": self.bulk}
        if self.notify is not None:
            body = {**body, "notify": self.notify}
        if self.brought_by is not None:
            body = {**body, "import": self.brought_by}
        if self.by_rule is not None:
            body = {"rule": self.by_rule, **body}
        caller = self.caller
        self._catalogue.waiting.append(
            _EVENTS,
            (
                seq,
                event.kind,
                event.subject,
                caller.actor,
                caller.kind,
                caller.via,
                self.now,
                to_json(body).decode(),
                event.hearers,
                "admin" if event.hearers == "admin" else event.scope,
                self.op or None,
                caller.request,
                caller.address if event.hearers == "audit" else None,
                caller.client,
            ),
        )
        for member, kind_of in event.about.items():
            if (ref := body.get(member)) is not None:
                self._catalogue.waiting.append(_EVENTS_ABOUT, (f"{kind_of}:{ref}", seq))
        self.events.append((seq, event))
        return seq

    @contextlib.contextmanager
    def attempt(self, *, keep: bool = True) -> Iterator[None]:
        """A part of the work that stands or falls alone: what is raised inside takes back the part, and goes on up.

        Without `keep` it is taken back in any case: to see what it would do.
        """
        images, events, gathered = len(self.images), len(self.events), len(self.gathered)
        last = self._sequence.last
        self.write_what_waits()
        self._change("savepoint part", ())
        try:
            yield
            if keep:
                self.write_what_waits()  # what the file refuses of it is refused within it
        except BaseException:
            keep = False
            raise
        finally:
            if not keep:
                self._catalogue.waiting.take_back()
                self._change("rollback to part", ())
                del self.images[images:], self.events[events:], self.gathered[gathered:]
                self._sequence.last = last
                self.memo.clear()
                self._forget_rows()
                self._catalogue.take_back()
            self._change("release part", ())

    def wake(self) -> None:
        """Tell the worker after the commit that there is something to do."""
        self.woken = True

    def shred(self) -> None:
        """Leave nothing of what is deleted here in the log of the file, soon after the commit; the file holds none."""
        self.shreds = True


@lru_cache(maxsize=4096)
def _touched(sql: str) -> str:
    """The table that this statement changes."""
    touched = _TOUCHED.match(sql)
    assert touched is not None, f"{sql} changes nothing that is known"
    return touched[1]


@cache
def _spans_from(count: int) -> str:
    """The statement that begins so many spans."""
    values = ", ".join(f"(:s{at}, :f{at}, :v{at}, :now, :by)" for at in range(count))
    return f"insert into span ({SPAN_COLUMNS}) values {values}"


def _spanned(value: Any) -> Any:
    """A value that has a history: an empty one has none, nor has a text too long to be asked for as a value."""
    return None if value == "" or (isinstance(value, str) and len(value) > _LONG) else value


def with_columns(row: _Of, columns: Mapping[str, Any]) -> _Of:
    """The row as it is when these columns have changed."""
    return {**row, **columns}  # type: ignore[dict-item, return-value]  # a row is a dict of its columns


def json_array(values: Iterable[Any]) -> str:
    """A JSON array to bind where SQL says `in (select value from json_each(:x))`."""
    return to_json(list(values)).decode()
