"""What one compilation keeps: bound values, names of rows, and how sight is said of each row."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kbwork.core.access import visibility
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.items.world import DbWorld, world
from kbwork.tql.calendar import Calendar
from kbwork.tql.evaluator.conditions import Evaluator

Test = Callable[[str], str]
"""Makes a condition of an SQL expression."""
_BIGGEST = 2**63
_IN_PLACE = 8
"""So many values stand in the statement one by one; more are bound as one JSON array."""


class NotCompilable(Exception):
    """SQL does not say this; the evaluator does, row by row."""


@dataclass(frozen=True, slots=True)
class Rows:
    """SQL for the values of something. `expr` is one value, null where it is missing.

    Without `tables` it is about the row at hand. With them there is one value for each of their rows for which
    `inner = outer` and `where` hold; `outer` is about the row at hand, all else is not. `order`: which comes first.
    """

    expr: str
    tables: str = ""
    outer: str = ""
    inner: str = ""
    where: str = "1"
    order: str = ""


@dataclass(frozen=True, slots=True)
class Const:
    """Values that are the same for all rows, as the evaluator has them."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The row at hand: its source, and the name of its row in the statement."""

    source: str
    row: str


@dataclass
class CompileContext:
    """`aside`: start from side tables, else test each candidate. `as_of` is Unix seconds.

    `lone`: one row is asked about, whose texts the evaluator reads sooner than all are searched.
    """

    tx: Read
    as_of: int | None = None
    lone: bool = False
    aside: bool = True
    binds: dict[str, Any] = field(default_factory=dict)
    made: int = 0

    def __post_init__(self) -> None:
        self.world: DbWorld = world(self.tx)
        self.evaluator = Evaluator(self.world, self.as_of)

    def bind(self, value: Any) -> str:
        """A value as the statement names it."""
        if isinstance(value, bool):
            value = int(value)
        elif isinstance(value, int) and abs(value) >= _BIGGEST:
            value = float(value)
        name = f"q{len(self.binds)}"
        self.binds[name] = value
        return f":{name}"

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
        return Calendar(self.tx.now, self.world.zone).day_of(self.tx.now).isoformat()

    @property
    def all_binds(self) -> dict[str, Any]:
        return self.binds | visibility.binds(self.tx)


def opposite(condition: str) -> str:
    """True where the condition is not, be it because a value is missing."""
    return f"(({condition}) is not true)"
