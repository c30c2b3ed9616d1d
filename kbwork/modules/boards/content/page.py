"""What is on a board: its condition with the filters that are asked for, and the issues of each column by rank.

One statement counts all columns and one finds their issues, however many there are of either.
"""

from typing import Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.core.access import visibility
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.boards import validation
from kbwork.modules.boards.model import BoardColumn
from kbwork.modules.tql import QueryRun, RunnableQuery, kept_names, time_limit
from kbwork.modules.workflows import lanes
from kbwork.tql import tree as t
from kbwork.tql.names import MeantNames

_PLACES = (
    "with place (lane, at) as materialized (select value ->> 0, value ->> 1 from json_each(:board_places))"
)
_COUNTS = """
{places}
select p.at, count(*) as count, total(i.estimate) as estimate
from ({fitting}) f join issue i on i.id = f.id join place p on p.lane = i.lane group by p.at
"""
_CARDS = """
{places}
select id, at, project, rank from (
  select i.id, p.at, i.project, i.rank, row_number() over (partition by p.at order by i.project, i.rank, i.id) as n
  from ({fitting}) f join issue i on i.id = f.id join place p on p.lane = i.lane
  where (i.project, i.rank, i.id) > (:board_project, :board_rank, :board_id)
) where n <= :board_most order by at, n
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order of a column: that of an issue, be it there or not."""

    project: int = -1
    rank: str = ""
    issue: int = -1


FIRST = Place()


@dataclass(frozen=True, slots=True)
class ColumnCount:
    """How much stands in a column."""

    issues: int = 0
    estimate: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardTerm:
    """A condition, where it stands in the input, and what its names meant where it is kept."""

    text: str
    field: str
    meant: MeantNames

    @classmethod
    def kept(cls, row: BoardRow, text: str, field: str = "tql") -> "BoardTerm":
        """One that the board keeps."""
        return cls(text, field, kept_names.of(row["names"], text))

    def asked(self, tx: Read) -> RunnableQuery:
        """Raises TqlSyntax, TqlName, InsufficientScope, NotAllowed or InvalidInput."""
        return validation.condition(tx, self.text, self.field, self.meant)


def asked(tx: Read, row: BoardRow, terms: list[BoardTerm]) -> RunnableQuery:
    """The board's condition, and these beside it.

    Raises TqlSyntax, TqlName, InsufficientScope, NotAllowed or InvalidInput.
    """
    found = BoardTerm.kept(row, row["tql"]).asked(tx)
    more = [term.asked(tx).query.where for term in terms]
    where = [term for term in (found.query.where, *more) if term is not None]
    query = replace(found.query, where=t.conjunction(where) if where else None)
    return replace(found, checked=replace(found.checked, query=query))


class BoardPage:
    """The issues of a board in some of its columns, as the caller sees them."""

    def __init__(self, tx: Read, query: RunnableQuery, columns: list[BoardColumn]) -> None:
        self._tx = tx
        self._query = query.query
        self.run = QueryRun(tx, query)
        by_key = {lane["key"]: lane["id"] for lane in lanes.staying(tx)}
        self._lanes = [(by_key[lane], column["id"]) for column in columns for lane in column["lanes"]]
        among = json_array(lane for lane, _ in self._lanes)
        self.run.narrow("{row}.lane in (select value from json_each({value}))", among)

    def counts(self) -> dict[str, ColumnCount]:
        """By the column's id; an empty one is left out."""
        rows = self._all(_COUNTS)
        return {row["at"]: ColumnCount(row["count"], row["estimate"]) for row in rows}

    def cards(self, most: int, behind: Place = FIRST) -> dict[str, list[Row]]:
        """So many issues at most of each column behind a place, by the column's id."""
        found: dict[str, list[Row]] = {}
        for row in self._all(
            _CARDS,
            board_project=behind.project,
            board_rank=behind.rank,
            board_id=behind.issue,
            board_most=most,
        ):
            found.setdefault(row["at"], []).append(row)
        return found

    def _all(self, sql: str, **binds: Any) -> list[Row]:
        fitting, bound = self.run.fitting()
        with time_limit.bounded(self._tx, self._query):
            return self._tx.all(
                sql.format(places=_PLACES, fitting=fitting),
                board_places=json_array(self._lanes),
                **binds,
                **bound,
            )


def reads_issues(tx: Read) -> bool:
    """Whether the caller may read issues at all: on a board of who may not there are none."""
    return visibility.reads(tx, "issue")
