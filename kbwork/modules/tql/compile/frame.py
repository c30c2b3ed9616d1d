"""The statement that is being made: its bound values, the names of its rows, and the fields of these."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryField, Rows
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.compile.field_history import is_word, past_of
from kbwork.modules.tql.sources import sources
from kbwork.tql.calendar import Calendar
from kbwork.tql.fields import FieldDef, FieldKind

Test = Callable[[str], str]
"""Makes a condition of an SQL expression."""
_BIGGEST = 2**63
_IN_PLACE = 8
"""So many values stand in the statement one by one; more are bound as one JSON array."""


class NotCompilable(Exception):
    """SQL does not say this; the evaluator does, row by row."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The row at hand: its source, and the name of its row in the statement."""

    source: str
    row: str


@dataclass
class SqlFrame:
    """`aside`: start from side tables, else test each candidate. `as_of` is Unix seconds."""

    tx: Read
    as_of: int | None = None
    aside: bool = True
    binds: dict[str, Any] = field(default_factory=dict)
    made: int = 0

    def __post_init__(self) -> None:
        self.sources = sources(self.tx)

    def bind(self, value: Any) -> str:
        """A value as the statement names it."""
        if isinstance(value, bool):
            value = int(value)
        elif isinstance(value, int) and abs(value) >= _BIGGEST:
            value = float(value)
        name = f"q{len(self.binds)}"
        self.binds[name] = value
        return f":{name}"

    def table(self, scope: Scope) -> str:
        """The table of a source."""
        return self.sources[scope.source].declared.table

    def seen(self, source: str, row: str) -> str:
        """The condition that the caller sees this row of a source."""
        return self.sources[source].seen(self.tx, row)

    def field(self, source: str, row: str, name: str) -> Rows:
        """A field of the row, as it was at the instant that is looked back to."""
        return column(self, Scope(source, row), name, tracked=True)

    def row(self, letter: str) -> str:
        """A name for a row that no other has."""
        self.made += 1
        return f"{letter}{self.made}"

    def among(self, expr: str, values: list[Any]) -> str:
        """The expression is one of these."""
        values = list(dict.fromkeys(values))
        if not values:
            return "0"
        if len(values) == 1:
            return f"{expr} = {self.bind(values[0])}"
        if len(values) <= _IN_PLACE:
            return f"{expr} in ({', '.join(self.bind(value) for value in values)})"
        return f"{expr} in (select value from json_each({self.bind(json_array(values))}))"

    def some(self, rows: Rows, test: Test, *, aside: bool | None = None) -> str:
        """One of the values passes the test. `test` is not about the row at hand where it is `aside`."""
        if not rows.tables:
            return f"({test(rows.expr)})"
        where = f"{rows.where} and {test(rows.expr)}"
        if self.aside if aside is None else aside:
            return f"{rows.outer} in (select {rows.inner} from {rows.tables} where {where})"
        return f"exists (select 1 from {rows.tables} where {rows.inner} = {rows.outer} and {where})"

    @contextlib.contextmanager
    def testing_each(self) -> Iterator[None]:
        """What is said inside looks at one candidate after the other."""
        aside, self.aside = self.aside, False
        try:
            yield
        finally:
            self.aside = aside

    @property
    def today(self) -> str:
        """The present day where the caller is."""
        return Calendar(self.tx.now, zones.of_caller(self.tx)).day_of(self.tx.now).isoformat()

    @property
    def all_binds(self) -> dict[str, Any]:
        return self.binds | visibility.binds(self.tx)


def opposite(condition: str) -> str:
    """True where the condition is not, be it because a value is missing."""
    return f"(({condition}) is not true)"


def column(frame: SqlFrame, scope: Scope, name: str, *, tracked: bool = False) -> Rows:
    """A field of the row at hand, now or, where its history is asked for, as it was then. Raises NotCompilable."""
    if tracked and frame.as_of is not None and scope.source == "issues":
        return _then(frame, scope, name)
    field = frame.sources[scope.source].field(frame.tx, name)
    if field is None:
        raise NotCompilable
    return made(frame, scope.row, field)


def made(frame: SqlFrame, row: str, field: QueryField) -> Rows:
    """A field of this row. Raises NotCompilable where no column holds it."""
    if field.sql is None:
        raise NotCompilable
    return Rows(field.sql.format(row=row)) if isinstance(field.sql, str) else field.sql(frame, row)


def flag(frame: SqlFrame, scope: Scope, name: str) -> str:
    """A flag as a condition on the row. Raises NotCompilable."""
    said = frame.sources[scope.source].declared.flags.get(name)
    if said is None:
        raise NotCompilable
    if not isinstance(said, str):
        return said(frame, scope.row)
    return said.format(row=scope.row, today=frame.bind(frame.today) if "{today}" in said else "")


def _then(frame: SqlFrame, scope: Scope, name: str) -> Rows:
    """What a field held at the instant that is looked back to."""
    past = past_of(frame.tx, name)
    if past is None or name == "parent":
        raise NotCompilable
    side, at = frame.row("s"), frame.bind(frame.as_of)
    tables, expr = f"spell {side}", written(past.field, f"{side}.value", frame)
    if name == "category":
        tables += f" join lane {side}l on {side}l.id = cast({side}.value as integer)"
        expr = f"{side}l.category"
    where = (
        f"+{side}.field = {frame.bind(past.name)} and {side}.from_at <= {at}"
        f" and ({side}.to_at is null or {side}.to_at > {at})"
    )
    return Rows(expr, tables, f"('issue:' || {scope.row}.id)", f"{side}.subject", where)


def written(field: FieldDef, value: str, frame: SqlFrame) -> str:
    """What is written in a history, as the field itself holds it."""
    keyed = frame.sources.keyed(field.domain)
    if keyed is not None and keyed.name != "issues":
        held, key = frame.row("a"), keyed.declared.key
        return f"(select {held}.id from {keyed.declared.table} {held} where {key.format(row=held)} = {value})"
    if field.kind is FieldKind.NUMBER:
        return f"cast({value} as real)"
    numbered = field.kind in _NUMBERS or (field.kind is FieldKind.NAME and not is_word(field))
    return f"cast({value} as integer)" if numbered or keyed is not None else value


_NUMBERS = frozenset({FieldKind.BOOL, FieldKind.DURATION, FieldKind.TIME})
