"""What flags serve: evaluations by hour, and which stop things."""

from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int
from kbwork.core.operation import read
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.model import Ref

_HOUR_S: Final = 3600
KILL_SWITCH: Final = "kill-switch"


class FlagsInsights(Input):
    project: Ref
    key: Ref
    environment: Ref | None = None
    """Left out: all environments together."""
    hours: Annotated[Int, Field(ge=1, le=720)] = 24


class InsightPoint(TypedDict):
    """`hour` is its first second; `variation` null is the caller's default."""

    hour: int
    variation: int | None
    count: int


class Insights(TypedDict):
    series: list[InsightPoint]


@read("flags.insights", scope="flags:read", cached=False, example={"project": "web", "key": "checkout"})
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
        ]
    )


class FlagsKillSwitches(Input):
    project: Ref
    environment: Ref | None = None


class KillSwitch(TypedDict):
    key: str
    environment: str
    on: bool


@read("flags.kill_switches", scope="flags:read", example={"project": "web"})
def kill_switches(tx: Read, args: FlagsKillSwitches) -> list[KillSwitch]:
    """List the flags with the tag `kill-switch`, on or off in each environment, or in one."""
    project = access.project(tx, args.project)
    environment = (
        access.environment(tx, project, args.environment)["id"] if args.environment is not None else None
    )
    rows = tx.all(
        "select f.key, e.key as environment, c.config ->> '$.on' as \"on\" from flag f"
        " join flag_config c on c.flag = f.id join flag_environment e on e.id = c.environment"
        " where f.project = :project and not f.archived and (:environment is null or e.id = :environment)"
        " and exists (select 1 from json_each(f.meta, '$.tags') t where t.value = :tag) order by f.key, e.id",
        project=project["id"],
        environment=environment,
        tag=KILL_SWITCH,
    )
    return [KillSwitch(key=row["key"], environment=row["environment"], on=bool(row["on"])) for row in rows]
