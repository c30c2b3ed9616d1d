"""How often the ways of a workflow are taken, and how long issues stand in a lane before."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Id, Input, Int
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.workflows import graphs, lanes, shapes
from kbwork.modules.workflows.model import Road

_DAY_S = 24 * 3600
_HOUR_S = 3600
_TAKEN = f"""
select cast(s.value as integer) as lane, s.to_at - s.from_at as seconds,
  (select lane from (select cast(n.value as integer) as lane, n.from_at, n.id from spell n
    where n.subject = s.subject and n.field = 'lane' and n.from_at >= s.to_at and n.id > s.id
    order by 2, 3 limit 1)) as next
  from spell s join issue i on i.id = cast(substr(s.subject, 7) as integer)
  join project p on p.id = i.project join issue_type t on t.id = i.type
  left join project_type pt on pt.project = i.project and pt.type = i.type
  where s.field = 'lane' and s.to_at >= :since and s.subject glob 'issue:*'
  and coalesce(pt.workflow, t.workflow, p.workflow) = :workflow and {ISSUE_SEEN}
"""


class WorkflowsStats(Input):
    id: Id
    """Id of the workflow."""
    days: Annotated[Int, Field(ge=1, le=3650)] | None = None
    """How far back; 90 unless given."""


@read(
    "workflows.stats",
    scope="projects:read",
    words=(
        "how long do tickets stay in review, bottleneck, cycle time, lead time, time in status, "
        "throughput, where does work get stuck, median, how long does it take"
    ),
    threaded=True,
    example={"id": 1, "days": 30},
)
def stats(tx: Read, args: WorkflowsStats) -> list[Road]:
    """Count how often issues went from lane to lane, of those that move along the workflow now and that you see.

    The most used way first. Ways that the workflow has and nobody took are there with 0; so are moves that it has no
    way for, which were made before it was as it is. `median_hours` is how long issues stood in the lane before.
    """
    import statistics  # noqa: PLC0415 - this operation alone needs it

    graph = graphs.graph(tx, shapes.row(tx, args.id)["id"])
    spent: dict[tuple[int, int], list[int]] = {}
    for row in tx.all(
        _TAKEN,
        workflow=graph.id,
        since=tx.now - (args.days or 90) * _DAY_S,
        **visibility.binds(tx),
    ):
        if row["next"] is not None:
            spent.setdefault((row["lane"], row["next"]), []).append(row["seconds"])
    for lane in graph.lanes:
        for step in graph.steps(lane["key"]):
            spent.setdefault((lane["id"], step.to["id"]), [])
    keys = {row["id"]: row["key"] for row in lanes.rows(tx)}
    order = {lane: place for place, lane in enumerate(keys)}
    known = [way for way in spent if way[0] in keys and way[1] in keys]
    known.sort(key=lambda way: (-len(spent[way]), order[way[0]], order[way[1]]))
    return [
        {
            "from": keys[way[0]],
            "to": keys[way[1]],
            "count": len(spent[way]),
            "median_hours": round(statistics.median(spent[way]) / _HOUR_S, 2) if spent[way] else None,
        }
        for way in known
    ]
