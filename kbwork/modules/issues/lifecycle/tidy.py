"""What projects have done by themselves: issues that nobody touched for long are closed, closed ones archived."""

from typing import Any

from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.db.rows import IssueRow, LaneRow, ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules import workflows
from kbwork.modules.issues.lifecycle import archive
from kbwork.modules.issues.transitions import status
from kbwork.modules.workflows import lanes

_DAY_S = 86400
_AT_ONCE = 200
_NAME = "auto_close"
_ASKING = (
    "coalesce(auto_close_days, auto_archive_days) is not null and archived_at is null and deleted_at is null"
)
_OLDEST = """
select * from issue where project = :project and archived_at is null and deleted_at is null
  and updated_at <= :before and (updated_at, id) > (:at, :id) order by updated_at, id limit :most
"""
_OPEN_BELOW = "select 1 from issue where parent = :id and deleted_at is null and category <> 'done' limit 1"


def _any_asking(tx: Read) -> bool:
    return tx.value(f"select 1 from project where {_ASKING} limit 1") is not None


def _begin(tx: Write) -> None:
    projects = tx.column(f"select id from project where {_ASKING} order by id")
    args = {"projects": projects, "at": 0, "id": 0, "closed": 0, "archived": 0, "now": tx.now}
    enqueue(tx, TIDY.kind, args, message=f"Tidying {len(projects)} projects")


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 200 issues of a project that nobody touched for so long, and on to the next project.

    Open ones are closed as cancelled after `auto_close_days`, closed ones archived after `auto_archive_days`. What has
    open issues below it stays, as does what only an approval would close. It is told as done by `system`, with `auto`;
    nobody can undo it, but whoever may can reopen, and bring back.
    """
    args = job.args
    if not args["projects"]:
        return _ended(args)
    project = tx.stored("project", [args["projects"][0]])
    rows = _next_rows(tx, project, args) if project is not None else []
    done = {"closed": args["closed"], "archived": args["archived"]}
    for row in rows:
        if project is not None and (what := _tidied(tx, project, row, _now(tx, args))) is not None:
            done[what] += 1
    if len(rows) == _AT_ONCE:
        place = {"at": rows[-1]["updated_at"], "id": rows[-1]["id"]}
    else:
        place = {"projects": args["projects"][1:], "at": 0, "id": 0}
    left = args | done | place
    return Next(args=left, message=_message(left)) if left["projects"] else _ended(left)


def _now(tx: Read, args: dict[str, Any]) -> int:
    """By which time issues were left alone: that of the schedule. A job from before it was noted goes by its own."""
    found: int = args.get("now", tx.now)
    return found


def _ended(args: dict[str, Any]) -> Next:
    return Next(result={"closed": args["closed"], "archived": args["archived"]}, message=_message(args))


def _message(args: dict[str, Any]) -> str:
    return f"Closed {args['closed']} issues, archived {args['archived']}"


def _next_rows(tx: Read, project: ProjectRow, args: dict[str, Any]) -> list[IssueRow]:
    """The issues that nobody changed for the shorter of both times, the oldest first."""
    days = [days for days in (project["auto_close_days"], project["auto_archive_days"]) if days is not None]
    if not days or project["archived_at"] is not None or project["deleted_at"] is not None:
        return []
    return tx.all(
        _OLDEST,
        IssueRow,
        project=project["id"],
        before=_now(tx, args) - min(days) * _DAY_S,
        at=args["at"],
        id=args["id"],
        most=_AT_ONCE,
    )


def _tidied(tx: Write, project: ProjectRow, row: IssueRow, now: int) -> str | None:
    """What was done to it, if anything."""
    done = row["category"] == "done"
    days = project["auto_archive_days" if done else "auto_close_days"]
    if days is None or max(row["updated_at"], row["done_at"] or 0) > now - days * _DAY_S:
        return None
    if row["children"] and tx.value(_OPEN_BELOW, id=row["id"]) is not None:
        return None
    if done:
        archive.set_archived(tx, row, on=True, auto=True)
        return "archived"
    target = _closing(tx, row)
    if target is None:
        return None
    status.move(tx, row, target, status.StatusChange(_NAME, "cancelled", auto=True))
    return "closed"


def _closing(tx: Read, row: IssueRow) -> LaneRow | None:
    """The lane for what is cancelled, else the first done one; None where only an approval leads there."""
    graph = workflows.of_issue_type(tx, row["project"], row["type"])
    ends = [lane for lane in graph.lanes if lane["category"] == "done"]
    target = next((lane for lane in ends if lane["outcome"] == "cancelled"), ends[0] if ends else None)
    if target is None:
        return None
    here = lanes.one(tx, row["lane"])["key"]
    ways = [step.transition for step in graph.steps(here) if step.to["id"] == target["id"]]
    return None if ways and all(way["approvers"] for way in ways) else target


TIDY = JobKind(kind="issues.tidy", home=__name__, step=_step)
DAILY = Schedule(name="issues.tidy", home=__name__, every_s=_DAY_S, run=_begin, due=_any_asking)
