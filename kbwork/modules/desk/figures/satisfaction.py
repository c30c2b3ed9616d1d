"""What customers say of what was done for them."""

from collections import defaultdict
from typing import Literal

from pydantic import Field

from kbwork.base.model import Day, Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Read
from kbwork.modules.desk import access
from kbwork.modules.desk.figures import days
from kbwork.modules.desk.model import Satisfaction, SatisfactionRow
from kbwork.modules.projects import ISSUE_SEEN

LOW = 2
"""A score of so many is a low one."""
_RATED = (
    "select g.score, g.rated_at, coalesce(g.agent, '') as agent, coalesce(t.name, '') as type from request_rating g"
    " join customer_request r on r.issue = g.issue join issue i on i.id = r.issue and i.deleted_at is null"
    " left join request_type t on t.id = r.type"
    f" where i.project = :project and g.rated_at >= :begin and g.rated_at < :end and {ISSUE_SEEN}"
)


class DeskSatisfaction(Input):
    project: ProjectRef
    from_: Day | None = Field(default=None, alias="from")
    """First day, in the zone of the org; thirty days in all unless given."""
    to: Day | None = None
    """Last day; today unless given."""
    by: Literal["agent", "type", "week"] | None = None
    """What rows stand for; left out: one row for all."""


@read(
    "desk.satisfaction",
    scope="issues:read",
    words="customer satisfaction, csat, ratings of the help desk, survey answers, how happy are customers",
    cached=False,
    threaded=True,
    example={"project": "WEB", "by": "agent"},
)
def satisfaction(tx: Read, args: DeskSatisfaction) -> Satisfaction:
    """Say how customers rated what was done for them, by whoever had the request then, by request type or by week (its
    Monday), of the requests that you see. For members of the desk.

    A rating counts on the day of its last change; `low` are those of one and two. Where nobody had the request, or it
    is of no type, `group` is empty.
    """
    project, _ = access.desk(tx, args.project)
    access.require_member(tx, project["id"])
    span = days.span(tx, args.from_, args.to)
    groups: dict[str, list[int]] = defaultdict(list)
    for row in tx.all(_RATED, project=project["id"], **span._asdict(), **visibility.binds(tx)):
        group = days.week(row["rated_at"], tx) if args.by == "week" else row[args.by] if args.by else "all"
        groups[group].append(row["score"])
    return Satisfaction(
        rows=[
            SatisfactionRow(
                group=group,
                answers=len(scores),
                average=round(sum(scores) / len(scores), 2),
                low=sum(score <= LOW for score in scores),
            )
            for group, scores in sorted(groups.items())
        ]
    )
