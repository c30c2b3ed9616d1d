"""Columns of lanes: those that a new board has, setting them, and what becomes of them when a lane goes."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Id, Input, Int, Name, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import BoardRow, LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules import workflows
from kbwork.modules.boards import parts
from kbwork.modules.boards.model import Board, BoardColumn, BoardSaved, PartId
from kbwork.modules.boards.parts import PartIds
from kbwork.modules.workflows import LaneColumns, lanes

_MOST = 50


class ColumnInput(Input):
    """A column as it is to be."""

    id: PartId | None = None
    """The column that it is; left out: a new one."""
    name: Name
    """What stands above it."""
    lanes: Annotated[list[Text], Field(min_length=1, max_length=100)]
    """Lanes by key or name, each in one column of the board; the first that a dropped card may enter takes it."""
    limit: Annotated[Int, Field(ge=1, le=100_000)] | None = None
    """How many issues it should hold at most; null: any number."""
    hard: bool | None = None
    """Whether a drop beyond the limit is refused; else it is only shown."""


class BoardsColumnsSet(Input):
    id: Id
    """Id of the board."""
    columns: Annotated[list[ColumnInput], Field(min_length=1, max_length=_MOST)]
    """The whole list, from left to right."""


@write(
    "boards.columns_set",
    scope="boards:write",
    words="add a column, wip limit, work in progress limit, rename a column, map statuses to columns, reorder columns",
    emits=[BoardSaved],
    example={
        "id": 1,
        "columns": [
            {"name": "Next", "lanes": ["todo"]},
            {"name": "Doing", "lanes": ["in_progress", "in_review"], "limit": 5, "hard": True},
            {"name": "Done", "lanes": ["done"]},
        ],
    },
)
def columns_set(tx: Write, args: BoardsColumnsSet) -> Board:
    """Set the columns of a board: their names, lanes, order and limits. Columns that are not named go.

    A column named by its `id` keeps it. A lane stands in one column; issues in lanes that stand in none are not on the
    board. Who may change the board may do so (403).
    """
    row = parts.kept(tx, args.id)
    ids = PartIds(row, "columns", "column")
    made = [_column(tx, one, ids, f"columns[{at}]") for at, one in enumerate(args.columns)]
    parts.require_apart([one["id"] for one in made], "column", "columns")
    _require_lanes_apart(made)
    return parts.put(tx, row, ids, made)


def _column(tx: Read, one: ColumnInput, ids: PartIds, place: str) -> BoardColumn:
    keys = [lanes.by_name(tx, name, field=f"{place}.lanes[{at}]")["key"] for at, name in enumerate(one.lanes)]
    return BoardColumn(
        id=ids.of(one.id, f"{place}.id"),
        name=one.name,
        lanes=list(dict.fromkeys(keys)),
        limit=one.limit,
        hard=bool(one.hard),
    )


def _require_lanes_apart(made: list[BoardColumn]) -> None:
    taken: dict[str, str] = {}
    for at, column in enumerate(made):
        for lane in column["lanes"]:
            if lane in taken:
                raise InvalidInput(
                    f"The lane {lane!r} stands in {taken[lane]!r} already: a lane is in one column.",
                    field=f"columns[{at}].lanes",
                )
            taken[lane] = column["name"]


def usual(tx: Read, project: int | None) -> list[BoardColumn]:
    """A column for each lane that new issues of the project, or of new projects, go through; one for all that end."""
    found: list[BoardColumn] = []
    done: BoardColumn | None = None
    for lane in _graph(tx, project).lanes:
        if lane["category"] == "done" and done is not None:
            done["lanes"].append(lane["key"])
            continue
        column = BoardColumn(
            id=f"c{len(found) + 1}", name=lane["name"], lanes=[lane["key"]], limit=lane["wip"], hard=False
        )
        found.append(column)
        done = column if lane["category"] == "done" else done
    return found


def _graph(tx: Read, project: int | None) -> workflows.WorkflowGraph:
    row = tx.stored("project", [project]) if project is not None else None
    if row is not None:
        return workflows.of_issue_type(tx, row["id"], row["default_type"])
    return workflows.graph(tx, tx.value("select id from workflow where builtin = 1"))


def _replace(tx: Write, old: LaneRow, new: LaneRow | None) -> None:
    """A lane that goes leaves the columns: the new one takes its place, where the board has it in no other.

    A column that had no other lane goes with it.
    """
    for row in tx.all(
        "select * from board where exists (select 1 from json_each(columns) c, json_each(c.value, '$.lanes') l"
        " where l.value = :key)",
        BoardRow,
        key=old["key"],
    ):
        had: list[BoardColumn] = json.loads(row["columns"])
        taken = {lane for column in had for lane in column["lanes"]}
        heir = [new["key"]] if new is not None and new["key"] not in taken else []
        left = []
        for column in had:
            lanes = [one for lane in column["lanes"] for one in (heir if lane == old["key"] else [lane])]
            if lanes:
                left.append({**column, "lanes": lanes})
        tx.update("board", row["id"], columns=json.dumps(left, ensure_ascii=False))


LANES = LaneColumns(home=__name__, replace=_replace)
