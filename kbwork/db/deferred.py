"""What follows from rows and is written for many at once, which takes less than row by row."""

import apsw

from kbwork.base.dataclasses import dataclass


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


class Waiting:
    """What waits in the data file, as the writer knows it."""

    def __init__(self) -> None:
        self.kinds: tuple[Deferred, ...] = ()
        self.lasting: set[str] = set()
        """Tables in which something committed may wait."""
        self._settled: set[str] = set()
        """Those that the open transaction emptied."""

    def know(self, kinds: tuple[Deferred, ...]) -> None:
        """Of a data file that may have been left at any time."""
        self.kinds = kinds
        self.lasting = {one.waiting for one in kinds if one.lasts}

    def begin(self) -> None:
        """A transaction begins."""
        self._settled.clear()

    def settle(self, connection: apsw.Connection, changing: set[str], *, late: bool = False) -> None:
        """The transaction ends. `changing` are the tables that it changed; `late`: what may wait has waited enough."""
        for one in self.kinds:
            if late or not one.lasts:
                self._settle(one, connection, changing)

    def require(self, connection: apsw.Connection, changing: set[str], sql: str) -> None:
        """This statement is about to run: what it asks for is written first."""
        for one in self.kinds:
            if one.asked in sql:
                self._settle(one, connection, changing)

    def _settle(self, one: Deferred, connection: apsw.Connection, changing: set[str]) -> None:
        table = one.waiting
        if table in changing or (table in self.lasting and table not in self._settled):
            for statement in one.settle:
                connection.execute(statement)
            changing.discard(table)
            self._settled.add(table)

    def take_back(self, changing: set[str]) -> None:
        """A part of the transaction was rolled back, and perhaps what it settled."""
        changing |= self._settled
        self._settled.clear()

    def count_commit(self, changing: set[str]) -> None:
        """The transaction was committed."""
        for one in self.kinds:
            if one.lasts and one.waiting in changing:
                self.lasting.add(one.waiting)
            elif one.waiting in self._settled:
                self.lasting.discard(one.waiting)
