"""What came into a sprint since it started and what left it, day by day, and who did that."""

import datetime
import json
from collections.abc import Mapping

from kbwork.base.dataclasses import dataclass, field
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.issues import key_of
from kbwork.modules.sprints.model import SprintChange

_MOST_TOLD = 50
_LEFT = """
select e.at, e.actor, coalesce(e.payload -> '$.removed', e.payload -> '$.unfinished') as gone from events e
  where e.subject = :subject and e.kind in ('sprint.scope_changed', 'sprint.completed') and e.at >= :since
    and json_array_length(coalesce(e.payload -> '$.removed', e.payload -> '$.unfinished')) > 0
  order by e.seq
"""
"""Who took which issues out of an active sprint, or completed it. Spells say who began them, not who ended them."""


@dataclass(slots=True)
class DayChanges:
    """What changed on a day, the earliest first."""

    told: list[SprintChange] = field(default_factory=list)
    more: int = 0
    hidden: int = 0

    def add(self, change: SprintChange | None) -> None:
        """None: of an issue that the caller does not see."""
        if change is None:
            self.hidden += 1
        elif len(self.told) < _MOST_TOLD:
            self.told.append(change)
        else:
            self.more += 1


def by_day(
    tx: Read,
    row: SprintRow,
    sizes: Mapping[int, float],
    issues: Mapping[int, IssueRow],
    spells: list[Row],
) -> dict[str, DayChanges]:
    """Day -> its changes, of a sprint that started. Nothing is said of where issues went when it was completed."""
    zone = zones.of_org(tx)
    moves = _moves(row, spells)
    hidden = _hidden(tx, {move.issue for move in moves} - set(issues))
    takers = _takers(tx, row) if any(not move.added for move in moves) else {}
    found: dict[str, DayChanges] = {}
    for move in moves:
        if move.issue not in issues and move.issue not in hidden:
            continue
        day = datetime.datetime.fromtimestamp(move.at, zone).date().isoformat()
        change = None
        if (issue := issues.get(move.issue)) is not None:
            by = move.by if move.added else takers.get((move.issue, move.at))
            change = SprintChange(
                key=key_of(tx, issue), title=issue["title"], size=sizes[move.issue], added=move.added, by=by
            )
        found.setdefault(day, DayChanges()).add(change)
    return found


@dataclass(frozen=True, slots=True)
class _Move:
    """An issue came in or left. `by`: who put it in; empty where it left."""

    at: int
    issue: int
    added: bool
    by: str


def _moves(row: SprintRow, spells: list[Row]) -> list[_Move]:
    """In the order of time, up to its end. What came in in the second of the start is the plan, where it is in that."""
    started, over = row["started_at"], row["completed_at"]
    if started is None:
        return []
    planned = {issue for issue, *_ in json.loads(row["plan"] or "[]")}
    found = []
    for one in spells:
        issue, begun, ended = one["issue"], one["from_at"], one["to_at"]
        if begun > started or (begun == started and issue not in planned):
            found.append(_Move(begun, issue, added=True, by=one["by"]))
        if ended is None or ended == over:
            continue
        if ended > started or (ended == started and issue in planned):
            found.append(_Move(ended, issue, added=False, by=""))
    return sorted(
        (move for move in found if over is None or move.at <= over), key=lambda move: (move.at, move.issue)
    )


def _hidden(tx: Read, idents: set[int]) -> set[int]:
    """Those that are there though the caller does not see them. Admins alone are told that there are any."""
    caller = tx.caller
    if not idents or not caller.admin or caller.projects is not None or not visibility.reads(tx, "issue"):
        return set()
    return set(
        tx.column(
            "select id from issue where id in (select value from json_each(:ids)) and deleted_at is null",
            ids=json_array(sorted(idents)),
        )
    )


def _takers(tx: Read, row: SprintRow) -> dict[tuple[int, int], str]:
    """(issue, second) -> who took it out then, as far back as events are kept."""
    return {
        (issue, one["at"]): one["actor"]
        for one in tx.all(_LEFT, subject=f"sprint:{row['id']}", since=row["started_at"])
        for issue in json.loads(one["gone"])
    }
