"""Room between ranks: where a place is crowded its neighbourhood is spread out, and by a schedule where ranks are long.

The order stays as it is, that of archived and deleted issues too. What ranks were is kept for a day: undo puts an old
one where it would stand now.
"""

from itertools import groupby
from typing import Any

from kbwork.core.jobs.kinds import Schedule
from kbwork.core.things import rank_keys, undo
from kbwork.db.rows import IssueRankShiftRow, IssueRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules.issues.structure import numbers

_EACH_WAY = (64, 1024, 16384, None)
"""Issues on each side that are spread out; more where so many leave no room. None: all of the project."""
_LONG = 24
"""As in the index `issue_rank_long`."""
_ROOMY = rank_keys.LONGEST - 8
"""Between ranks of so many digits there is room for thousands."""
_AT_ONCE = 8
"""Neighbourhoods in one transaction of the schedule."""
_SLICE = 5000
_LIVE = "archived_at is null and deleted_at is null"
_ASIDE = "(archived_at is not null or deleted_at is not null)"


def newest(tx: Read, project: int) -> str:
    """The rank that the next new issue of a project will have."""
    return rank_keys.of_number(numbers.following(tx, project))


def spread_out(tx: Write, around: IssueRow, longest: int = _ROOMY) -> dict[int, str]:
    """Give the issues around a place ranks that are far apart; answers the new ones of those whose rank changed."""
    last = newest(tx, around["project"])
    for most in _EACH_WAY:
        low, window, high = _window(tx, around, most)
        try:
            places = rank_keys.between(_end(low), _end(high), len(window), newest=last)
        except rank_keys.Crowded:
            continue
        if most is None or max(map(len, places)) <= longest:
            break
    else:
        raise AssertionError("there is room for all issues of a project")
    places = [*(row["rank"] for row in low), *places, *(row["rank"] for row in high)]
    shifts = [
        [row["id"], row["rank"], place] for row, place in zip([*low, *window, *high], places, strict=True)
    ]
    _note(tx, around["project"], shifts)
    changed = {issue: rank for issue, was, rank in shifts if rank != was}
    tx.execute(
        "update issue set rank = r.value ->> 1 from json_each(:ranks) r where issue.id = r.value ->> 0",
        ranks=json_array(changed.items()),
    )
    return changed


def _window(tx: Read, around: IssueRow, most: int | None) -> tuple[list[Row], list[Row], list[Row]]:
    """(the issue before, those that are spread out, the one behind); none where nothing stands on that side."""
    before = _beside(tx, around, most, back=True)[::-1]
    behind = _beside(tx, around, most, back=False)
    first = 1 if most is not None and len(before) == most else 0
    last = len(behind) - 1 if most is not None and len(behind) == most else len(behind)
    return before[:first], before[first:] + behind[:last], behind[last:]


def _end(rows: list[Row]) -> str | None:
    return rows[0]["rank"] if rows else None


def _beside(tx: Read, around: IssueRow, most: int | None, *, back: bool) -> list[Row]:
    """The nearest issues of a project, from a place on; those of the place itself are before it."""
    sign, way = ("<=", "desc") if back else (">", "asc")
    found = [
        row
        for state in (_LIVE, _ASIDE)
        for row in tx.all(
            f"select id, rank from issue where project = :project and {state} and (rank, id) {sign} (:rank, :id)"
            f" order by rank {way}, id {way} limit :most",
            project=around["project"],
            rank=around["rank"],
            id=around["id"],
            most=-1 if most is None else most,
        )
    ]
    return sorted(found, key=lambda row: (row["rank"], row["id"]), reverse=back)[:most]


def _note(tx: Write, project: int, shifts: list[list[Any]]) -> None:
    """Keep what the ranks were for as long as something may be undone."""
    tx.execute(
        "insert into issue_rank_shift (shift, project, seq, at, issue, was, rank)"
        " select :shift, :project, :seq, :now, value ->> 0, value ->> 1, value ->> 2 from json_each(:rows)",
        shift=tx.value("select coalesce(max(id), 0) + 1 from issue_rank_shift"),
        project=project,
        seq=tx.seq,
        now=tx.now,
        rows=json_array(shifts),
    )


def present(tx: Read, project: int, issue: int, rank: str, since: int) -> str:
    """Where a rank from before this event stands now: between those that it stood between."""
    rows = tx.all(
        "select * from issue_rank_shift where project = :project and seq >= :since order by id",
        IssueRankShiftRow,
        project=project,
        since=since,
    )
    for _, shift in groupby(rows, key=lambda row: row["shift"]):
        rank = _shifted(tx, list(shift), issue, rank)
    return rank


def _shifted(tx: Read, shift: list[IssueRankShiftRow], issue: int, rank: str) -> str:
    before = [row for row in shift if (row["was"], row["issue"]) <= (rank, issue)]
    behind = shift[len(before) :]
    if not before:
        return rank if rank < behind[0]["rank"] else rank_keys.just_before(behind[0]["rank"])
    if before[-1]["issue"] == issue and before[-1]["was"] == rank:
        return before[-1]["rank"]
    if not behind:
        return rank if rank > before[-1]["rank"] else rank_keys.just_behind(before[-1]["rank"])
    left, right = before[-1], behind[0]
    return rank_keys.scaled(rank, (left["was"], right["was"]), (left["rank"], right["rank"]))


def _due(tx: Read) -> bool:
    if tx.value(f"select exists (select 1 from issue where length(rank) > {_LONG})"):
        return True
    oldest = tx.value("select at from issue_rank_shift order by id limit 1")
    return oldest is not None and oldest <= tx.now - undo.KEPT_S


def _shorten(tx: Write) -> None:
    for _ in range(_AT_ONCE):
        row = tx.one(
            f"select * from issue where length(rank) > {_LONG} order by project, id limit 1", IssueRow
        )
        if row is None:
            break
        spread_out(tx, row, _LONG)
    tx.execute(
        "delete from issue_rank_shift where id in"
        " (select id from issue_rank_shift where at <= :before order by id limit :most)",
        before=tx.now - undo.KEPT_S,
        most=_SLICE,
    )


SHORTEN = Schedule(name="issues.ranks", home=__name__, every_s=60, run=_shorten, due=_due)
