"""What time does to sprints that make themselves: they are made, start and are completed on their days.

All that is due is one transaction: whoever dies in between finds the sprints as they were, and does it once. It goes
by the time that is trusted, so that a clock that leaps starts nothing too early.
"""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import SprintCadenceRow, SprintRow
from kbwork.db.tx import Read, Write
from kbwork.modules.sprints import access, scope
from kbwork.modules.sprints.lifecycle import complete, start
from kbwork.modules.sprints.planning import cadence

_ALL = (
    "select c.* from sprint_cadence c left join project p on p.id = c.project"
    " where (c.project is null or (p.archived_at is null and p.deleted_at is null))"
    " and (c.team is null or exists (select 1 from team t where t.id = c.team)) order by c.id"
)
_MOST = 20
"""Steps of one cadence at once; the rest come the next time."""


def _over(tx: Read, row: SprintCadenceRow) -> SprintRow | None:
    """The active one whose last day is over, where such are completed."""
    return tx.one(
        "select * from sprint where cadence = :id and state = 'active' and end_date < :today and deleted_at is null"
        " and :auto order by id limit 1",
        SprintRow,
        id=row["id"],
        today=cadence.today(tx).isoformat(),
        auto=row["auto_complete"],
    )


def _ready(tx: Read, row: SprintCadenceRow) -> SprintRow | None:
    """The planned one whose first day is here, where such start and nothing else is active."""
    found = tx.one(
        "select * from sprint where cadence = :id and state = 'planned' and start_date <= :today"
        " and end_date >= start_date and deleted_at is null and :auto order by start_date, id limit 1",
        SprintRow,
        id=row["id"],
        today=cadence.today(tx).isoformat(),
        auto=row["auto_start"],
    )
    return found if found is not None and not access.rivals(tx, found, "active") else None


def _due(tx: Read) -> bool:
    return any(
        _over(tx, row) is not None or _ready(tx, row) is not None or cadence.wanting(tx, row)
        for row in tx.all(_ALL, SprintCadenceRow)
    )


def _go_on(tx: Write) -> None:
    for row in tx.all(_ALL, SprintCadenceRow):
        cadence.fill(tx, row)
        for _ in range(_MOST):
            if (over := _over(tx, row)) is not None:
                complete.end(tx, over, _target(tx, over, row), {})
            elif (ready := _ready(tx, row)) is not None:
                start.begin(tx, ready, {})
            else:
                break
            cadence.fill(tx, row)


def _target(tx: Read, over: SprintRow, row: SprintCadenceRow) -> SprintRow | None:
    """Where what is unfinished goes: on, while there is room."""
    found = complete.next_planned(tx, over) if row["carry"] == "next" else None
    if found is None or scope.room(tx, found) < scope.held(tx, over["id"]):
        return None
    return found


TICK = Schedule(name="sprints.cadence", home=__name__, every_s=10, run=_go_on, due=_due)
