"""What came of a sprint, and how it stood day by day, of what the caller sees."""

import datetime
import json
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.model import Id, Input
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.issues import by_ids, key_of
from kbwork.modules.sprints import access, queries, scope_changes
from kbwork.modules.sprints.model import SprintDay, SprintReport

_MOST_DAYS = 400
_SPELLS = (
    "select cast(substr(subject, 7) as integer) as issue, from_at, to_at, by from spell"
    " where field = 'sprint' and value = :value and subject glob 'issue:*' order by from_at"
)


@dataclass(frozen=True, slots=True)
class _Part:
    """An issue that is or was in it."""

    size: float
    done_at: int | None


class SprintsReport(Input):
    id: Id
    """Id of the sprint."""


@read(
    "sprints.report",
    scope="sprints:read",
    words=(
        "burndown chart, burn-up, how does the sprint go, what came of the sprint, scope creep, sprint review, "
        "progress day by day"
    ),
    cached=False,
    threaded=True,
    example={"id": 2},
)
def report(tx: Read, args: SprintsReport) -> SprintReport:
    """Tell how a sprint goes, or what came of it: what got done, what came in and went out, and how it stood each day.

    It is what `sprints.complete` answers. Of a planned one there are no days yet.
    """
    return of(tx, access.get(tx, args.id)["id"])


def of(tx: Read, ident: int) -> SprintReport:
    """The report of a sprint, which the caller sees."""
    row = tx.stored("sprint", [ident])
    assert row is not None
    ids = json_array([ident])
    held = {one["issue"]: one for one in tx.all(queries.HELD, ids=ids)}
    planned = {one["issue"]: one["estimate"] for one in tx.all(queries.PLANNED, ids=ids)}
    spells = tx.all(_SPELLS, value=str(ident))
    issues = _seen(tx, {*held, *planned, *(one["issue"] for one in spells)})
    in_it = [issue for issue in issues if issue in held]
    added = [issue for issue in in_it if row["plan"] is not None and issue not in planned]
    removed = [issue for issue in planned if issue in issues and issue not in held]
    said = [issue for issue in planned if issue in issues]
    kept = sum(1 for issue in said if issue in held and held[issue]["done"])
    return SprintReport(
        sprint=queries.one(tx, ident),
        done=by_ids(tx, [issue for issue in in_it if held[issue]["done"]]),
        unfinished=by_ids(tx, [issue for issue in in_it if not held[issue]["done"]]),
        added=[key_of(tx, issues[issue]) for issue in added],
        removed=[key_of(tx, issues[issue]) for issue in removed],
        days=_days(tx, row, issues, _parts(row, issues, held, planned), spells),
        said_done=round(kept / len(said), 4) if said else 0.0,
    )


def _seen(tx: Read, idents: set[int]) -> dict[int, IssueRow]:
    """Those that the caller sees, project by project, each by rank."""
    rows = tx.all(
        f"select i.* from issue i where i.id in (select value from json_each(:ids)) and {access.issue_seen(tx)}"
        " order by i.project, i.rank, i.id",
        IssueRow,
        ids=json_array(sorted(idents)),
        **visibility.binds(tx),
    )
    return {row["id"]: row for row in rows}


def _parts(
    row: SprintRow, issues: dict[int, IssueRow], held: dict[int, Any], planned: dict[int, float | None]
) -> dict[int, _Part]:
    """How much each counts: its estimate; where none of them has one, 1."""
    sizes = {
        ident: held[ident]["estimate"] if ident in held else planned.get(ident, issue["estimate"])
        for ident, issue in issues.items()
    }
    by_number = not any(sizes.values())
    found = {}
    for ident, issue in issues.items():
        done_at = issue["done_at"]
        if done_at is None and ident in held and held[ident]["done"]:
            done_at = row["completed_at"]  # it was opened anew since
        found[ident] = _Part(1.0 if by_number else float(sizes[ident] or 0), done_at)
    return found


def _days(
    tx: Read, row: SprintRow, issues: dict[int, IssueRow], parts: dict[int, _Part], spells: list[Row]
) -> list[SprintDay]:
    if row["started_at"] is None or row["start_date"] is None or row["end_date"] is None:
        return []
    zone = zones.of_org(tx)
    over = row["completed_at"] if row["completed_at"] is not None else tx.now
    first = min(
        datetime.date.fromisoformat(row["start_date"]),
        datetime.datetime.fromtimestamp(row["started_at"], zone).date(),
    )
    last = datetime.datetime.fromtimestamp(over, zone).date()
    length = (datetime.date.fromisoformat(row["end_date"]) - first).days + 1
    total = sum(parts[issue].size for issue, *_ in json.loads(row["plan"] or "[]") if issue in parts)
    sizes = {issue: part.size for issue, part in parts.items()}
    changes = scope_changes.by_day(tx, row, sizes, issues, spells)
    found = []
    for number in range(min((last - first).days + 1, _MOST_DAYS)):
        day = first + datetime.timedelta(days=number)
        midnight = datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), zone)
        at = max(min(int(midnight.timestamp()) - 1, over), row["started_at"])
        here = {one["issue"] for one in spells if _holds(row, one, at) and one["issue"] in parts}
        scope = sum(parts[issue].size for issue in here)
        done = sum(parts[issue].size for issue in here if (parts[issue].done_at or at + 1) <= at)
        changed = changes.get(day.isoformat(), scope_changes.DayChanges())
        found.append(
            SprintDay(
                date=day.isoformat(),
                left=round(scope - done, 4),
                ideal=round(total * max(0.0, 1 - (number + 1) / length), 4),
                scope=round(scope, 4),
                changes=changed.told,
                more=changed.more,
                hidden=changed.hidden,
            )
        )
    return found


def _holds(row: SprintRow, spell: Row, at: int) -> bool:
    """Whether it was in the sprint then; what left it when it was completed was in it to the end."""
    ended = spell["to_at"]
    return spell["from_at"] <= at and (ended is None or ended > at or ended == row["completed_at"] == at)
