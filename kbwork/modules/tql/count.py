"""Count what a query finds."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.execute.query_run import QueryRun
from kbwork.modules.tql.model import TqlCount
from kbwork.modules.tql.run import Tql


class TqlCountInput(Input):
    tql: Tql


@read(
    "tql.count",
    scope="search:read",
    words="how many issues, count bugs, number of tickets, how many open, total, statistics by",
    threaded=True,
    example={"tql": "mine open"},
)
def count(tx: Read, args: TqlCountInput) -> TqlCount:
    """Count the rows that `tql.run` would find; groups where the text groups."""
    return TqlCount(count=QueryRun(tx, query_parser.query(tx, args.tql)).count())
