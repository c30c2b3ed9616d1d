"""How often each flag of an environment is asked for."""

from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.model import EnvironmentRef, FlagProjectRef

_HOUR_S: Final = 3600
_MOST_HOURS: Final = 168


class FlagsTraffic(Input):
    project: FlagProjectRef
    environment: EnvironmentRef
    hours: Annotated[Int, Field(ge=1, le=_MOST_HOURS)] = 24
    """How far back, in hours."""


class FlagTraffic(TypedDict):
    key: str
    """Key of the flag."""
    counts: list[int]
    """Evaluations of each hour, oldest first, this hour last."""
    evaluated_at: int | None
    """When it was last evaluated there, as far as was told, in Unix seconds; null: never."""


@read(
    "flags.traffic",
    scope="flags:read",
    words=(
        "traffic of all flags, which flags are evaluated, busiest flags, is any flag used yet, "
        "did the first evaluation arrive, sparkline"
    ),
    cached=False,
    example={"project": "web", "environment": "production"},
)
def traffic(tx: Read, args: FlagsTraffic) -> list[FlagTraffic]:
    """Count evaluations of every flag of an environment by hour, this hour among them, and say when each was last asked
    for; archived flags are left out. Counts come with a delay: clients send them every five minutes by default.

    `flags.insights` tells one flag by variation.
    """
    project = access.project(tx, args.project)
    environment = access.environment(tx, project, args.environment)
    last = tx.now // _HOUR_S
    counts: dict[int, list[int]] = {}
    for row in tx.all(
        "select flag, hour, sum(count) as count from flag_count"
        " where environment = :environment and hour > :after and hour <= :last group by flag, hour",
        environment=environment["id"],
        after=last - args.hours,
        last=last,
    ):
        by_hour = counts.setdefault(row["flag"], [0] * args.hours)
        by_hour[row["hour"] - last - 1] = row["count"]
    rows = tx.all(
        "select f.id, f.key, c.evaluated_at from flag_config c join flag f on f.id = c.flag and not f.archived"
        " where c.environment = :environment order by f.key",
        environment=environment["id"],
    )
    return [
        FlagTraffic(
            key=row["key"], counts=counts.get(row["id"], [0] * args.hours), evaluated_at=row["evaluated_at"]
        )
        for row in rows
    ]
