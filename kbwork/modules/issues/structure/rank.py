"""The order of a project's issues."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Ok, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.issues import access, event_payloads, preconditions, queries
from kbwork.modules.issues.events import IssueRanked
from kbwork.modules.issues.structure import rank_keys

_WINDOW = 64
_LIVE = "project = :project and archived_at is null and deleted_at is null"
_APART = "and id not in (select value from json_each(:ids))"


class IssuesRank(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=1000)]
    """Issues of one project, in the order that they are to have."""
    after: Text | None = None
    """The issue of the same project behind which they go."""
    before: Text | None = None
    """The one before which they go."""


@write(
    "issues.rank",
    scope="issues:write",
    words=(
        "prioritize the backlog, order of the backlog, move to the top, sort, reorder, put above, "
        "groom, bring up in the list, drag, bottom, more important than"
    ),
    emits=[IssueRanked],
    example={"keys": ["WEB-3"], "before": "WEB-1"},
)
def rank(tx: Write, args: IssuesRank) -> Ok:
    """Put issues into another place of their project's order: behind one issue or before one.

    Their own order is that of `keys`. It changes neither `updated_at` nor `seq`; each issue that moved tells
    `issue.ranked`. Where nothing moves nothing is told.
    """
    if (args.after is None) == (args.before is None):
        raise InvalidInput("Name one of `after` and `before`.", field="after")
    rows = _rows(tx, args.keys)
    project = rows[0]["project"]
    anchor = _anchor(tx, args, rows)
    left, right = _neighbours(tx, args, anchor, [row["id"] for row in rows])
    if _stands(tx, rows, left, right):
        return Ok(ok=True)
    for row, place in zip(rows, _places(tx, project, (left, right), rows), strict=True):
        if place == row["rank"]:
            continue
        tx.update("issue", row["id"], rank=place)
        payload = event_payloads.common_payload(tx, row) | {
            "after": queries.key_of(tx, left) if left else None,
            "before": queries.key_of(tx, right) if right else None,
        }
        tx.emit(IssueRanked(subject=f"issue:{row['id']}", payload=payload))
    return Ok(ok=True)


def _rows(tx: Read, keys: list[str]) -> list[IssueRow]:
    rows = list({row["id"]: row for row in (preconditions.movable(tx, key) for key in keys)}.values())
    other = next((row for row in rows if row["project"] != rows[0]["project"]), None)
    if other is not None:
        raise InvalidInput(
            f"{queries.key_of(tx, other)} is of another project: an order is one project's.", field="keys"
        )
    return rows


def _anchor(tx: Read, args: IssuesRank, rows: list[IssueRow]) -> IssueRow:
    field = "after" if args.after is not None else "before"
    anchor = access.find(tx, args.after or args.before or "")
    if anchor is None or anchor["project"] != rows[0]["project"] or anchor["archived_at"] is not None:
        raise InvalidInput(f"Name an issue of the same project in `{field}`.", field=field)
    if any(row["id"] == anchor["id"] for row in rows):
        raise InvalidInput("An issue does not go behind or before itself.", field=field)
    return anchor


def _neighbours(
    tx: Read, args: IssuesRank, anchor: IssueRow, moving: list[int]
) -> tuple[IssueRow | None, IssueRow | None]:
    """(left, right) of the place, leaving out what moves."""
    forth = args.after is not None
    other = tx.one(
        f"select * from issue where {_LIVE} {_APART} and (rank, id) {'>' if forth else '<'} (:rank, :id)"
        f" order by rank {'asc' if forth else 'desc'}, id {'asc' if forth else 'desc'} limit 1",
        IssueRow,
        project=anchor["project"],
        ids=json_array(moving),
        rank=anchor["rank"],
        id=anchor["id"],
    )
    return (anchor, other) if forth else (other, anchor)


def _stands(tx: Read, rows: list[IssueRow], left: IssueRow | None, right: IssueRow | None) -> bool:
    """Whether they are there already, one behind the other and nothing between."""
    row = left or right
    assert row is not None
    order = [(one["rank"], one["id"]) for one in (left, *rows, right) if one is not None]
    if order != sorted(order):
        return False
    between = tx.value(
        f"select count(*) from (select 1 from issue where {_LIVE}"
        " and (rank, id) > (:low, :low_id) and (rank, id) < (:high, :high_id) limit :most)",
        project=row["project"],
        low=order[0][0],
        low_id=order[0][1],
        high=order[-1][0],
        high_id=order[-1][1],
        most=len(order),
    )
    return bool(between == len(order) - 2) and _at_end(tx, rows, left, right)


def _at_end(tx: Read, rows: list[IssueRow], left: IssueRow | None, right: IssueRow | None) -> bool:
    """Where the place is the first or last of the order: whether nothing stands beyond them."""
    if left is not None and right is not None:
        return True
    edge = rows[-1] if right is None else rows[0]
    beyond = tx.value(
        f"select 1 from issue where {_LIVE} and (rank, id) {'>' if right is None else '<'} (:rank, :id) limit 1",
        project=edge["project"],
        rank=edge["rank"],
        id=edge["id"],
    )
    return beyond is None


def _places(
    tx: Write, project: int, place: tuple[IssueRow | None, IssueRow | None], rows: list[IssueRow]
) -> list[str]:
    """New ranks for the place; where it is crowded, its neighbourhood is spread out first."""
    left, right = place
    newest = rank_keys.of_number(tx.value("select numbers from project where id = :id", id=project) + 1)

    def found() -> list[str]:
        low = tx.value("select rank from issue where id = :id", id=left["id"]) if left else None
        high = tx.value("select rank from issue where id = :id", id=right["id"]) if right else None
        return rank_keys.between(low, high, len(rows), newest=newest)

    try:
        return found()
    except rank_keys.Crowded:
        _spread_out(tx, project, left or right, newest)
        return found()


def _spread_out(tx: Write, project: int, around: IssueRow | None, newest: str) -> None:
    """Give the issues around a place ranks that are far apart again; their order stays."""
    assert around is not None
    half = (
        f"select id, rank from issue where {_LIVE} and (rank, id) {{sign}} (:rank, :id)"
        " order by rank {way}, id {way} limit :most"
    )
    binds = {"project": project, "rank": around["rank"], "id": around["id"], "most": _WINDOW}
    before = tx.all(half.format(sign="<=", way="desc"), **binds)[::-1]
    after = tx.all(half.format(sign=">", way="asc"), **binds)
    window = before + after
    low = window.pop(0)["rank"] if len(before) == _WINDOW else None
    high = window.pop()["rank"] if len(after) == _WINDOW else None
    for row, place in zip(window, rank_keys.between(low, high, len(window), newest=newest), strict=True):
        tx.execute("update issue set rank = :rank where id = :id", rank=place, id=row["id"])
