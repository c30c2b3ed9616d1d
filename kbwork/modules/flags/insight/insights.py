"""What flags serve: evaluations by hour."""

from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int
from kbwork.core.operations.declare import read
from kbwork.db.rows import FlagRow
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.model import FlagProjectRef, FlagRef, Ref

_HOUR_S: Final = 3600


class FlagsInsights(Input):
    project: FlagProjectRef
    key: FlagRef
    environment: Ref | None = None
    """Left out: all environments together."""
    hours: Annotated[Int, Field(ge=1, le=720)] = 24
    """How far back, in hours."""


class InsightPoint(TypedDict):
    """`hour` is its first second; `variation` null is the caller's default."""

    hour: int
    """First second of the hour, in Unix seconds."""
    variation: int | None
    """Index of the variation; null: the caller's default."""
    count: int
    """Evaluations that got it."""


class AliasCount(TypedDict):
    key: str
    """A key that the flag had."""
    count: int
    """Evaluations by it in these hours; they are in the series too."""
    evaluated_at: int | None
    """Hour of the last one, as far as was told, in Unix seconds; null: none."""


class Insights(TypedDict):
    series: list[InsightPoint]
    """Counts by hour and variation, oldest first."""
    aliases: list[AliasCount]
    """How often programs still ask by each alias of the flag."""


@read(
    "flags.insights",
    scope="flags:read",
    words=(
        "how often is the flag evaluated, usage of a flag, traffic, is the flag used, statistics, "
        "how many times, requests"
    ),
    cached=False,
    example={"project": "web", "key": "checkout"},
)
def insights(tx: Read, args: FlagsInsights) -> Insights:
    """Count evaluations of a flag by hour and variation, oldest first, this hour among them. Counts come with a delay:
    clients send them every five minutes by default."""
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    environment = (
        access.environment(tx, project, args.environment)["id"] if args.environment is not None else None
    )
    rows = tx.all(
        "select hour, variation, sum(count) as count from flag_count"
        " where flag = :flag and hour > :after and (:environment is null or environment = :environment)"
        " group by hour, variation order by hour, variation",
        flag=flag["id"],
        after=tx.now // _HOUR_S - args.hours,
        environment=environment,
    )
    return Insights(
        series=[
            InsightPoint(
                hour=row["hour"] * _HOUR_S,
                variation=row["variation"] if row["variation"] >= 0 else None,
                count=row["count"],
            )
            for row in rows
        ],
        aliases=_by_alias(tx, flag, environment, tx.now // _HOUR_S - args.hours),
    )


def _by_alias(tx: Read, flag: FlagRow, environment: int | None, after: int) -> list[AliasCount]:
    rows = tx.all(
        "select a.key, coalesce(sum(case when c.hour > :after then c.count end), 0) as count, max(c.hour) as last"
        " from flag_alias a left join flag_alias_count c on c.flag = a.flag and c.key = a.key"
        " and (:environment is null or c.environment = :environment)"
        " where a.flag = :flag and a.dropped_at is null group by a.key order by a.key",
        flag=flag["id"],
        environment=environment,
        after=after,
    )
    return [
        AliasCount(
            key=row["key"],
            count=row["count"],
            evaluated_at=row["last"] * _HOUR_S if row["last"] is not None else None,
        )
        for row in rows
    ]
