"""Drop an issue into a column of a board: along its workflow, to its place in the order, and into a row."""

from contextlib import nullcontext

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, Problem
from kbwork.base.model import Id, Input, Text
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import BoardRow, IssueRow
from kbwork.db.tx import DryRun, Read, Write
from kbwork.issuefields import FIELDS
from kbwork.modules import issues
from kbwork.modules.boards import access, queries, validation
from kbwork.modules.boards.content import page
from kbwork.modules.boards.content.page import BoardPage
from kbwork.modules.boards.model import BoardColumn, BoardMove, PartId
from kbwork.modules.tql import QueryRun
from kbwork.modules.workflows import lanes
from kbwork.tql import tree as t
from kbwork.tql.fields import FieldKind

_OWN = "cf."
_ROWS = {
    field.name: field
    for field in FIELDS
    if field.name in ("assignee", "priority", "parent", "reporter", "estimate", "start", "due")
}
"""The fields that a drop into a row sets, beside own ones."""


class BoardsMove(Input):
    id: Id
    """Id of the board."""
    key: IssueRef
    """The issue that is dropped; it is on the board, in whatever lane."""
    column: PartId
    """Id of the column that it goes to."""
    after: Text | None = None
    """The issue of the same project behind which it goes; null: before all of its project in the column."""
    lane: Text | None = None
    """A lane of the column, by key or name, where it holds several; else the first that the issue may enter."""
    swimlane: Text | None = None
    """The value of the board's `swimlanes` field that it is to have; an empty text clears it, null leaves it."""
    dry_run: bool | None = None
    """Only say what would become of it, and in `blocked` why it could not be dropped there."""


@dataclass(frozen=True, slots=True)
class Drop:
    """An issue of a board, where it is and where it goes."""

    board: BoardRow
    issue: IssueRow
    column: BoardColumn
    args: BoardsMove

    @property
    def ref(self) -> str:
        return f"issue:{self.issue['id']}"

    def enters(self, tx: Read) -> bool:
        """Whether the column does not hold it yet."""
        return lanes.one(tx, self.issue["lane"])["key"] not in self.column["lanes"]


@write(
    "boards.move",
    scope="issues:write",
    words=(
        "drag a card, drop a card, move across the board, move a card to another column, "
        "put a card into a swimlane, can I drop it there"
    ),
    emits=[*issues.TRANSITION_EVENTS, issues.IssueRanked],
    example={"id": 1, "key": "WEB-1", "column": "c3"},
)
def move(tx: Write, args: BoardsMove) -> BoardMove:
    """Drop an issue into a column: to a lane of it, into its place in the order and into a row, all of it or nothing.

    A lane is entered as by issues.transition, and what refuses that refuses the drop (409 `workflow-refused`,
    `approval-needed`; 422 where the transition asks for fields). A column that has a `hard` limit takes no issue beyond
    it (409), counting those on the board that you see. The row is set as by issues.update and issues.assign. The order
    is that of issues.rank and needs its right, and `issue.ranked` names the `board`.

    `dry_run` passes the same checks, writes nothing, and answers in `blocked` why the drop would be refused.
    """
    drop = _drop(tx, args)
    if not args.dry_run:
        _carry_out(tx, drop)
        return BoardMove(issue=_issue(tx, drop), blocked=None)
    blocked, answer = None, _issue(tx, drop)
    try:
        with tx.attempt(keep=False):
            _carry_out(tx, drop)
            answer = _issue(tx, drop)
    except Problem as refusal:
        blocked = refusal.detail
    raise DryRun(BoardMove(issue=answer, blocked=blocked))


def _issue(tx: Read, drop: Drop) -> issues.Issue:
    return issues.by_ids(tx, [drop.issue["id"]])[0]


def _drop(tx: Read, args: BoardsMove) -> Drop:
    """What is asked for, if it is there. Raises NotFound or InvalidInput."""
    board = access.board(tx, args.id)
    columns = queries.columns(tx, board["columns"])
    ident = validation.part([one["id"] for one in columns], args.column, "column", "column")
    column = next(one for one in columns if one["id"] == ident)
    issue = issues.get(tx, args.key)
    run = QueryRun(tx, page.asked(tx, board, []))
    run.narrow("{row}.id = {value}", issue["id"])
    if not run.count():
        raise InvalidInput(f"{issues.key_of(tx, issue)} is not on this board.", field="key")
    if args.lane is not None and lanes.by_name(tx, args.lane, field="lane")["key"] not in column["lanes"]:
        raise InvalidInput(
            f"The column {column['name']} does not hold the lane {args.lane!r}.",
            field="lane",
            allowed=column["lanes"],
        )
    if args.swimlane is not None and board["swimlanes"] is None:
        raise InvalidInput("This board has no swimlanes.", field="swimlane")
    return Drop(board, issue, column, args)


def _carry_out(tx: Write, drop: Drop) -> None:
    enters = drop.enters(tx)
    lane, row = _lane(tx, drop), drop.args.swimlane
    both = lane is not None and row is not None
    with issues.event_payloads.updated_once(tx, drop.issue["id"]) if both else nullcontext():
        if lane is not None:
            nested.run(tx, "issues.transition", {"key": drop.ref, "to_status": lane})
        if row is not None:
            _put_into_row(tx, drop, row)
    if enters:
        _require_room(tx, drop)
    _rank(tx, drop)


def _lane(tx: Read, drop: Drop) -> str | None:
    """The lane to enter; None where it stays in the one that it is in."""
    if drop.args.lane is not None:
        found = lanes.by_name(tx, drop.args.lane, field="lane")
        return None if found["id"] == drop.issue["lane"] else str(found["key"])
    if not drop.enters(tx):
        return None
    steps = nested.look(tx, "issues.transitions", {"key": drop.ref})
    ways = {step["to_status"]: step["allowed"] for step in reversed(steps) if step["allowed"]}
    named = [step["to_status"] for step in steps]
    held = drop.column["lanes"]
    return next(
        (lane for lane in held if lane in ways), next((lane for lane in held if lane in named), held[0])
    )


def _require_room(tx: Read, drop: Drop) -> None:
    """Raises Conflict where its column has a hard limit and holds more now."""
    limit = drop.column["limit"]
    if limit is None or not drop.column["hard"]:
        return
    counts = BoardPage(tx, page.asked(tx, drop.board, []), [drop.column]).counts()
    if (found := counts.get(drop.column["id"])) is not None and found.issues > limit:
        raise Conflict(f"{drop.column['name']} takes {limit} issues at most: move another one on first.")


def _put_into_row(tx: Write, drop: Drop, value: str) -> None:
    """Give it the value of the board's field. Raises InvalidInput for a field that a drop does not set."""
    text = drop.board["swimlanes"]
    assert text is not None
    field = queries.value(tx, drop.board, text)
    name = field.name if isinstance(field, t.ColumnNode) and not field.steps else ""
    if name == "assignee":
        nested.run(tx, "issues.assign", {"key": drop.ref, "assignees": [value] if value else []})
        return
    if name.startswith(_OWN) and isinstance(field, t.ColumnNode) and not field.many:
        own = _number(value) if field.kind is FieldKind.NUMBER and value else value or None
        nested.run(tx, "issues.update", {"key": drop.ref, "values": {name.removeprefix(_OWN): own}})
        return
    known = _ROWS.get(name)
    if known is None:
        raise InvalidInput(f"A drop does not set `{text}`: change it on the issue.", field="swimlane")
    given = _number(value) if known.kind == "number" and value else value or known.clear
    nested.run(tx, "issues.update", {"key": drop.ref, known.input: given})


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidInput(f"{value!r} is no number.", field="swimlane") from None


def _rank(tx: Write, drop: Drop) -> None:
    """Put it behind the issue that is named, else before the first of its project in the column."""
    row = issues.stored(tx, drop.issue["id"])
    anchor = _behind(tx, drop, row) if drop.args.after is not None else _first(tx, drop, row)
    if anchor is None:
        return
    issues.require_move(tx, row, issues.key_of(tx, row))
    left, right = issues.rank_place.neighbours(tx, anchor, [row["id"]], behind=drop.args.after is not None)
    issues.rank_place.put(tx, [row], left, right, board=drop.board["id"])


def _behind(tx: Read, drop: Drop, row: IssueRow) -> IssueRow:
    anchor = issues.find(tx, drop.args.after or "")
    if anchor is None or anchor["project"] != row["project"] or anchor["archived_at"] is not None:
        raise InvalidInput("Name an issue of the same project in `after`.", field="after")
    if anchor["id"] == row["id"]:
        raise InvalidInput("An issue does not go behind itself.", field="after")
    return anchor


def _first(tx: Read, drop: Drop, row: IssueRow) -> IssueRow | None:
    """The first other issue of its project in the column."""
    board = BoardPage(tx, page.asked(tx, drop.board, []), [drop.column])
    board.run.narrow("{row}.project = {value}", row["project"])
    board.run.narrow("{row}.id <> {value}", row["id"])
    board.run.narrow("{row}.archived_at is {value}", None)
    found = board.cards(1).get(drop.column["id"])
    return issues.stored(tx, found[0]["id"]) if found else None
