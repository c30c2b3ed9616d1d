"""What there is to plan a sprint by: the backlog, who has how much to do, and what fits in."""

import json
from typing import Any

from kbwork.base.model import Id, Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.issues import by_ids
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.sprints import access, queries
from kbwork.modules.sprints.model import SprintLoad, SprintPlan

MOST = 200
VELOCITY_OF = 3
_OPEN = "i.sprint is null and i.category <> 'done' and i.archived_at is null"
_OF_PROJECT = (
    f"select i.* from issue i where i.project = :project and {_OPEN} and {ISSUE_SEEN} and :reads"
    " order by i.rank, i.id limit :most"
)
_OF_TEAM = (
    "select i.* from issue i where i.id in (select a.issue from team_member t join issue_assignee a on a.who = t.member"
    f" where t.team = :team) and {_OPEN} and {ISSUE_SEEN} and :reads order by i.project, i.rank, i.id limit :most"
)
_LED = f"""
select i.estimate, (select a.who from issue_assignee a where a.issue = i.id order by a.position, a.who limit 1) as who
  from issue i where i.sprint = :id and {ISSUE_SEEN} and :reads
"""


class SprintsPlan(Input):
    id: Id
    """Id of the sprint."""


@read(
    "sprints.plan",
    scope="sprints:read",
    words="sprint planning, backlog for the sprint, what fits in, velocity, workload of the sprint, who is overloaded",
    threaded=True,
    example={"id": 3},
)
def plan(tx: Read, args: SprintsPlan) -> SprintPlan:
    """Look at what to plan a sprint by: its backlog by rank, each one's load and capacity, and what fits in.

    The suggestion fills up to what the last three done sprints of the team or projects got done on average, less what
    is in it already: by estimates, or by numbers of issues where nothing is estimated. It is empty without a done one.
    All is of the issues that you see. A sprint of a team alone has what its members are assigned as its backlog.
    """
    row = access.get(tx, args.id)
    backlog = _backlog(tx, row)
    return SprintPlan(
        sprint=queries.one(tx, row["id"]),
        backlog=by_ids(tx, [issue["id"] for issue in backlog]),
        load=_load(tx, row),
        suggest=_suggested(tx, row, backlog),
    )


def _backlog(tx: Read, row: SprintRow) -> list[IssueRow]:
    sight = _sight(tx)
    own = access.projects_of(tx, row["id"])
    if not own:
        return tx.all(_OF_TEAM, IssueRow, team=row["team"], most=MOST, **sight)
    found: list[IssueRow] = []
    for project in own:
        if len(found) < MOST:
            found += tx.all(_OF_PROJECT, IssueRow, project=project, most=MOST - len(found), **sight)
    return found


def _sight(tx: Read) -> dict[str, Any]:
    """What is bound of the caller, and whether they may read issues at all."""
    return visibility.binds(tx) | {"reads": int(visibility.reads(tx, "issue"))}


def _load(tx: Read, row: SprintRow) -> list[SprintLoad]:
    """Those who lead an issue in it, and those whose capacity is said, the fullest first."""
    led = tx.all(_LED, id=row["id"], **_sight(tx))
    by_number = not any(one["estimate"] for one in led)
    capacity: dict[str, float] = json.loads(row["capacity"])
    planned = dict.fromkeys(capacity, 0.0)
    for one in led:
        if one["who"] is not None:
            planned[one["who"]] = planned.get(one["who"], 0.0) + (1 if by_number else one["estimate"] or 0)
    return [
        SprintLoad(member=who, planned=amount, capacity=capacity.get(who), absent_days=0)
        for who, amount in sorted(planned.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _suggested(tx: Read, row: SprintRow, backlog: list[IssueRow]) -> list[str]:
    """Keys of the first of the backlog that fit beside what is in it."""
    former = [one for one in access.rivals(tx, row, "done") if access.find(tx, one["id"]) is not None]
    former.sort(key=lambda one: (one["completed_at"] or 0, one["id"]), reverse=True)
    counts: list[Any] = [one["counts"] for one in queries.shown(tx, former[:VELOCITY_OF])]
    if not counts:
        return []
    now = queries.one(tx, row["id"])["counts"]
    by_number = not any(one["estimate_done"] for one in counts)
    done = [one["done"] if by_number else one["estimate_done"] for one in counts]
    room = sum(done) / len(done) - (now["issues"] if by_number else now["estimate"])
    found = []
    for issue in backlog:
        size = 1.0 if by_number else issue["estimate"]
        if size is not None and size <= room:
            found.append(issue["id"])
            room -= size
    return tx.column(
        "select p.key || '-' || i.number from json_each(:ids) w join issue i on i.id = w.value"
        " join project p on p.id = i.project order by w.key",
        ids=json_array(found),
    )
