"""Putting issues into a place of their project's order: between which two, if they are not there, and telling of it."""

from kbwork.core.things import rank_keys
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.issues import event_payloads, queries
from kbwork.modules.issues.events import IssueRanked
from kbwork.modules.issues.structure import rank_room

_LIVE = "project = :project and archived_at is null and deleted_at is null"
_APART = "and id not in (select value from json_each(:ids))"


def neighbours(
    tx: Read, anchor: IssueRow, moving: list[int], *, behind: bool
) -> tuple[IssueRow | None, IssueRow | None]:
    """(left, right) of the place right behind or before an issue, leaving out what moves."""
    other = tx.one(
        f"select * from issue where {_LIVE} {_APART} and (rank, id) {'>' if behind else '<'} (:rank, :id)"
        f" order by rank {'asc' if behind else 'desc'}, id {'asc' if behind else 'desc'} limit 1",
        IssueRow,
        project=anchor["project"],
        ids=json_array(moving),
        rank=anchor["rank"],
        id=anchor["id"],
    )
    return (anchor, other) if behind else (other, anchor)


def put(
    tx: Write,
    rows: list[IssueRow],
    left: IssueRow | None,
    right: IssueRow | None,
    *,
    board: int | None = None,
) -> dict[int, str]:
    """Put issues of one project, in this order, between two neighbours, and tell of those that moved.

    Answers the new ranks of all whose rank changed, those that made room too. `seq` of each of them moves.
    """
    if _stands(tx, rows, left, right):
        return {}
    places, ranks = _places(tx, (left, right), rows)
    said = {
        "after": queries.key_of(tx, left) if left else None,
        "before": queries.key_of(tx, right) if right else None,
    } | ({"board": board} if board is not None else {})
    seqs = {}
    for row, place in zip(rows, places, strict=True):
        if place == queries.stored(tx, row["id"])["rank"]:
            continue
        tx.update("issue", row["id"], rank=place)
        ranks[row["id"]] = place
        payload = event_payloads.common_payload(tx, row) | said | {"rank": place}
        seqs[row["id"]] = tx.emit(IssueRanked(subject=f"issue:{row['id']}", payload=payload))
    tx.execute(
        "update issue set seq = s.value ->> 1 from json_each(:seqs) s where issue.id = s.value ->> 0",
        seqs=json_array((dict.fromkeys(ranks, tx.seq) | seqs).items()),
    )
    return ranks


def told_back(tx: Read, row: IssueRow) -> dict[str, str | None]:
    """What the event says that takes a move back: where the issue stands now."""
    left, _ = neighbours(tx, row, [], behind=False)
    _, right = neighbours(tx, row, [], behind=True)
    return {
        "after": queries.key_of(tx, left) if left else None,
        "before": queries.key_of(tx, right) if right else None,
        "rank": row["rank"],
    }


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
    tx: Write, place: tuple[IssueRow | None, IssueRow | None], rows: list[IssueRow]
) -> tuple[list[str], dict[int, str]]:
    """(the new ranks, those of neighbours that made room because the place was crowded)."""
    newest = rank_room.newest(tx, rows[0]["project"])

    def found() -> list[str]:
        low, high = (queries.stored(tx, one["id"])["rank"] if one else None for one in place)
        return rank_keys.between(low, high, len(rows), newest=newest)

    try:
        return found(), {}
    except rank_keys.Crowded:
        around = place[0] or place[1]
        assert around is not None
        ranks = rank_room.spread_out(tx, around)
        return found(), ranks
