"""What follows from rows and is written for many at once, which takes less than row by row."""

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
    its transaction at the latest, so that no other sees it waiting."""

    home: str
    """The file that declares it: `__name__`."""
    waiting: str
    """The table of what waits."""
    settle: tuple[str, ...]
    """Statements that write what follows, and empty that table."""
    asked: str
    """What the SQL has in it that asks for what follows."""
    lasts: bool = False
    """It may wait for a moment longer: whoever reads what follows reads what waits with it, by a view."""


SPAN_COLUMNS = "subject, field, value, from_at, by"
FIRST_SPANS = Deferred(
    home=__name__,
    waiting="span_waiting",
    settle=(
        f"insert into span ({SPAN_COLUMNS}) select {SPAN_COLUMNS} from span_waiting order by subject, n",
        "delete from span_waiting",
    ),
    asked=" span ",
    lasts=True,
)
"""What a new thing holds from its beginning: of a new issue six rows in three indexes, each among others."""


class Waiting:
    """What waits in the data file, as the writer knows it; `changing` are the tables that its transaction changed."""

    def __init__(self, changing: set[str]) -> None:
        self.kinds: tuple[Deferred, ...] = ()
        self.lasting: set[str] = set()
        """Tables in which something committed may wait."""
        self._changing = changing
        self._settled: set[str] = set()
        """Those that the open transaction emptied."""
        self._late_at: float | None = None
        """When what lasts has waited enough; None while nothing does, and before the first commit."""

    def know(self, kinds: tuple[Deferred, ...]) -> None:
        """Of a data file that may have been left at any time."""
        self.kinds = kinds
        self.lasting = {one.waiting for one in kinds if one.lasts}
        self._late_at = None

    def begin(self) -> None:
        """A transaction begins."""
        self._settled.clear()

    def settle(self, connection: apsw.Connection, *, late: bool) -> None:
        """The transaction ends. `late`: what lasts has waited enough."""
        for one in self.kinds:
            if late or not one.lasts:
                self._settle(one, connection)

    def require(self, connection: apsw.Connection, sql: str) -> None:
        """This statement is about to run: what it asks for is written first."""
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
        """A part of the transaction was rolled back, and perhaps what it settled."""
        self._changing |= self._settled
        self._settled.clear()

    def count_commit(self) -> None:
        """The transaction was committed."""
        for one in self.kinds:
            if one.lasts and one.waiting in self._changing:
                self.lasting.add(one.waiting)
            elif one.waiting in self._settled:
                self.lasting.discard(one.waiting)
        if not self.lasting:
            self._late_at = None
        elif self._late_at is None or self.is_late():
            self._late_at = monotonic() + _LATE_S

    def patience(self) -> float | None:
        """How long what lasts may wait still, in seconds; None where nothing does."""
        return None if self._late_at is None else max(0.0, self._late_at - monotonic())

    def is_late(self) -> bool:
        """Whether what lasts has waited enough."""
        return self.patience() == 0.0

    def put_off(self) -> None:
        """What lasts could not be written now."""
        self._late_at = monotonic() + _LATE_AGAIN_S
