"""Look at what is on a board."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InsufficientScope, InvalidInput, NotAllowed
from kbwork.base.model import Cursor, Id, Input, Int
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read, Row
from kbwork.modules import issues
from kbwork.modules.boards import access, queries, validation
from kbwork.modules.boards.content import page, swimlanes
from kbwork.modules.boards.content.page import BoardPage, BoardTerm, ColumnCount, Place
from kbwork.modules.boards.model import BoardColumn, BoardView, ColumnPage, PartId, Tql
from kbwork.modules.tql import RunnableQuery
from kbwork.tql.names import AS_WRITTEN

PER_COLUMN = 50


class BoardsView(Input):
    id: Id
    """Id of the board."""
    filters: Annotated[list[PartId], Field(max_length=50)] | None = None
    """Ids of quick filters of the board, all of which narrow it."""
    tql: Tql | None = None
    """A condition that narrows it further."""
    per_column: Annotated[Int, Field(ge=0, le=200)] | None = None
    """Issues of each column; 50 unless given."""
    cursor: Cursor | None = Field(
        None, description="`next` of a column: the answer is that column, from there on."
    )


@read(
    "boards.view",
    scope="boards:read",
    words=(
        "show the board, kanban, what is in progress, cards of a board, columns with counts, "
        "work in progress, over the limit, swimlanes"
    ),
    threaded=True,
    example={"id": 1, "per_column": 20},
)
def view(tx: Read, args: BoardsView) -> BoardView:
    """Show the issues on a board: each column with its number, its sum of estimates and its first issues.

    On it are the issues that fit its condition, the `filters` and `tql`, that you see and whose lane stands in a
    column; archived ones where the condition speaks of them. They stand project by project in the order in which the
    projects were made, in each by rank, and `count` and `estimate` are of all of them. A column whose `next` is not
    null has more: the same call with that as `cursor` answers the column alone, from there on.

    A board with `swimlanes` answers a row for each value of the field that issues on it have, with counts by column and
    the keys of those issues that the columns answer. Without issues:read a board is empty. A condition that names what
    is gone is 422, as is one that takes longer than three seconds.
    """
    row = access.board(tx, args.id)
    columns = queries.columns(tx, row["columns"])
    try:
        query = page.asked(tx, row, _terms(tx, row, args)) if page.reads_issues(tx) else None
    except (InsufficientScope, NotAllowed):
        query = None  # what the caller may not read is unseen
    if query is None:
        return BoardView(
            columns=[_column(column, ColumnCount(), [], None) for column in columns], swimlanes=[]
        )
    return _shown(tx, row, args, (query, columns))


def _terms(tx: Read, row: BoardRow, args: BoardsView) -> list[BoardTerm]:
    known = {one["id"]: one["tql"] for one in json.loads(row["filters"])}
    found = [
        BoardTerm.kept(
            row, known[validation.part(known, ident, "quick filter", f"filters[{at}]")], f"filters[{at}]"
        )
        for at, ident in enumerate(args.filters or ())
    ]
    return [*found, BoardTerm(args.tql, "tql", AS_WRITTEN)] if args.tql else found


def _shown(
    tx: Read, row: BoardRow, args: BoardsView, asked: tuple[RunnableQuery, list[BoardColumn]]
) -> BoardView:
    query, columns = asked
    behind, wanted = _place(tx, args, columns)
    board = BoardPage(tx, query, wanted)
    counts = board.counts()
    most = PER_COLUMN if args.per_column is None else args.per_column
    cards = board.cards(most + 1, behind)
    shown = {at: found[:most] for at, found in cards.items()}
    told = _issues(tx, shown)
    answer = []
    for column in wanted:
        here = shown.get(column["id"], [])
        following = _next(tx, args, column, here) if len(cards.get(column["id"], ())) > most else None
        found = [told[card["id"]] for card in here]
        answer.append(_column(column, counts.get(column["id"], ColumnCount()), found, following))
    rows = []
    if row["swimlanes"] and not args.cursor:
        places = {card["id"]: (at, told[card["id"]]["key"]) for at, found in shown.items() for card in found}
        rows = swimlanes.rows(tx, query, row, board, (wanted, places))
    return BoardView(columns=answer, swimlanes=rows)


def _issues(tx: Read, shown: dict[str, list[Row]]) -> dict[int, issues.Issue]:
    ids = [card["id"] for found in shown.values() for card in found]
    return dict(zip(ids, issues.by_ids(tx, ids), strict=True))


def _place(tx: Read, args: BoardsView, columns: list[BoardColumn]) -> tuple[Place, list[BoardColumn]]:
    """The place behind which to go on, and the columns that are asked for."""
    at = pagination.place(tx, args)
    if at is None:
        return page.FIRST, columns
    wanted = [column for column in columns if column["id"] == at[0]]
    if not wanted:
        raise InvalidInput("The column of this cursor is gone; start again without it.", field="cursor")
    return Place(*at[1:]), wanted


def _next(tx: Read, args: BoardsView, column: BoardColumn, here: list[Row]) -> str:
    last = here[-1] if here else None
    at = [last["project"], last["rank"], last["id"]] if last is not None else [-1, "", -1]
    return pagination.cursor(tx, args, [column["id"], *at])


def _column(
    column: BoardColumn, count: ColumnCount, found: list[issues.Issue], following: str | None
) -> ColumnPage:
    limit = column["limit"]
    return ColumnPage(
        id=column["id"],
        name=column["name"],
        count=count.issues,
        estimate=count.estimate,
        over_limit=limit is not None and count.issues > limit,
        issues=found,
        next=following,
    )
