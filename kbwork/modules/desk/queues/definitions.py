"""What a queue may say, and how it is told: with how many issues are in it for the caller, and how many are late."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import PrivateAttr

from kbwork.base.clock import monotonic
from kbwork.base.errors import InsufficientScope, InvalidInput, NotAllowed, Problem, TqlName, TqlSyntax
from kbwork.base.model import Input
from kbwork.core import zones
from kbwork.db.rows import ProjectRow, QueueRow
from kbwork.db.tx import Read
from kbwork.modules.desk.model import Queue
from kbwork.modules.tql import QueryRun, RunnableQuery, kept_names, query_parser, time_limit
from kbwork.modules.views import validation

SOURCE = "issues"
UNKNOWN = -1
"""Stands for a count that is not known."""
_ALL_S = 2.0
_EACH_S = 0.5
"""Seconds for the counts of all queues of a desk, and for each of them."""


class CountedText(NamedTuple):
    """What a queue counts: the issues of a project that fit a text, by what its names meant."""

    project: int
    tql: str
    names: str


class Counts(NamedTuple):
    """Issues in a queue, and those of them that are late."""

    all: int
    late: int


_NOT_KNOWN = Counts(UNKNOWN, UNKNOWN)


class CountedQueues(Input):
    """Input of a write that answers queues: they were counted on a reader before it, where a count holds up nobody."""

    _counts: dict[CountedText, Counts] = PrivateAttr(default_factory=dict)

    def keep(self, counts: dict[CountedText, Counts]) -> None:
        self._counts.update(counts)

    def counts(self) -> dict[CountedText, Counts]:
        """Empty where nobody counted, as inside another operation."""
        return self._counts


def require_condition(tx: Read, text: str) -> None:
    """A condition on issues that the caller can ask. Raises TqlSyntax, TqlName, InsufficientScope or InvalidInput."""
    asked = query_parser.query(tx, text)
    query = asked.query
    more = (query.source, query.select, query.group, query.having, query.order, query.limit, query.as_of)
    if asked.source != SOURCE or any(part not in (None, ()) for part in more):
        raise InvalidInput(
            "A queue takes a condition on issues alone: `columns` and `order` say the rest.", field="tql"
        )


def require_order(tx: Read, text: str) -> None:
    """What may stand behind `order by`. Raises InvalidInput."""
    if not text:
        return
    try:
        query = query_parser.query(tx, ordered(text)).query
    except (TqlSyntax, TqlName) as wrong:
        raise InvalidInput(wrong.detail, field="order") from None
    if not query.order or query.limit is not None or query.where is not None:
        raise InvalidInput(
            "Write the fields that it is sorted by, such as `priority, due desc`.", field="order"
        )


def ordered(order: str) -> str:
    """A query that sorts so."""
    return f"order by {order}"


def columns(tx: Read, asked: list[str]) -> list[str]:
    """Fields of issues, each once. Raises InvalidInput naming the first that is none."""
    return validation.columns(tx, asked, SOURCE)


def names(tx: Read, tql: str, order: str, columns: list[str]) -> str:
    """What the names of its texts mean now."""
    return kept_names.kept(tx, [tql, *([ordered(order)] if order else [])], columns)


def rows(tx: Read, project: ProjectRow) -> list[QueueRow]:
    return tx.all(
        "select * from queue where project = :project order by position, id", QueueRow, project=project["id"]
    )


def asked(row: QueueRow) -> CountedText:
    """What a queue counts."""
    kept = kept_names.merged(row["names"], [row["tql"]], kept_names.NONE)
    return CountedText(row["project"], row["tql"], kept)


def typed(tx: Read, project: int, tql: str) -> CountedText:
    """What a queue of this text counts that is kept now."""
    return CountedText(project, tql, kept_names.kept(tx, [tql]))


def counts(tx: Read, several: Iterable[CountedText]) -> dict[CountedText, Counts]:
    """The counts of several queues; those behind the time that there is for all are not known."""
    found: dict[CountedText, Counts] = {}
    ends = monotonic() + _ALL_S
    for one in dict.fromkeys(several):
        left = ends - monotonic()
        found[one] = _count(tx, one, min(_EACH_S, left)) if left > 0 else _NOT_KNOWN
    return found


def _count(tx: Read, one: CountedText, seconds: float) -> Counts:
    """What the caller's scopes or modules do not cover is unseen, so it counts for nothing."""
    try:
        query = query_parser.query(tx, one.tql, meant=kept_names.of(one.names, one.tql))
        with time_limit.bounded(tx, query.query, seconds):
            return Counts(_run(tx, query, one.project).count(), _late(tx, query, one.project))
    except (InsufficientScope, NotAllowed):
        return Counts(0, 0)
    except Problem:
        return _NOT_KNOWN


def _run(tx: Read, query: RunnableQuery, project: int) -> QueryRun:
    run = QueryRun(tx, query)
    run.narrow("{row}.project = {value}", project)
    return run


def _late(tx: Read, query: RunnableQuery, project: int) -> int:
    """Those that are open behind their due date, as `overdue` has it."""
    run = _run(tx, query, project)
    run.narrow("{row}.due_date < {value}", zones.today(tx).isoformat())
    run.narrow("{row}.category <> {value}", "done")
    return run.count()


def shown(tx: Read, project: ProjectRow, counted: dict[CountedText, Counts]) -> list[Queue]:
    """The queues of a desk, in order."""
    return [_shown(tx, project, row, counted.get(asked(row), _NOT_KNOWN)) for row in rows(tx, project)]


def _shown(tx: Read, project: ProjectRow, row: QueueRow, counted: Counts) -> Queue:
    return Queue(
        id=row["id"],
        project=project["key"],
        name=row["name"],
        tql=_present(tx, row, row["tql"]),
        order=_present(tx, row, ordered(row["sorted"])).removeprefix("order by ") if row["sorted"] else "",
        columns=[_value(tx, row, one) for one in json.loads(row["columns"])],
        team=tx.value("select id from team where id = :id", id=row["team"])
        if row["team"] is not None
        else None,
        position=row["position"],
        count=counted.all,
        late=counted.late,
    )


def _present(tx: Read, row: QueueRow, text: str) -> str:
    """A text with the names of today."""
    return query_parser.present(tx, text, kept_names.of(row["names"], text))[0]


def _value(tx: Read, row: QueueRow, text: str) -> str:
    return query_parser.present_value(tx, text, SOURCE, kept_names.of(row["names"], text))


def texts(row: QueueRow) -> dict[str, Any]:
    """What a queue says, for whoever changes some of it."""
    return {"tql": row["tql"], "sorted": row["sorted"], "columns": json.loads(row["columns"])}
