"""What flags serve: evaluations by hour, which may go, and which stop things."""

import json
from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input, Int
from kbwork.core.operation import read
from kbwork.db.tx import Read, Row
from kbwork.modules.flags import access
from kbwork.modules.flags.model import Json, Ref

_HOUR_S: Final = 3600
_DAY_S: Final = 86400
_YOUNG_D: Final = 14
_SAME_D: Final = 14
_SILENT_D: Final = 30
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


class FlagsStale(Input):
    project: Ref


class StaleFlag(TypedDict):
    """`reason` is `serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words with the variation
    and the days; `since` is when that began in the last environment where it did."""

    key: str
    reason: str
    since: int


@read("flags.stale", scope="flags:read", cached=False, example={"project": "web"})
def stale(tx: Read, args: FlagsStale) -> list[StaleFlag]:
    """List temporary flags that look ready to be removed, with the reason.

    Such a flag is older than 14 days, waits for no change, and in every environment serves one variation to everybody
    for 14 days, or was not evaluated for 30 days though it was before, or never was.
    """
    project = access.project(tx, args.project)
    rows = tx.all(
        "select f.* from flag f where f.project = :project and not f.archived and f.meta ->> '$.temporary'"
        " and f.created_at <= :young"
        " and not exists (select 1 from flag_schedule s where s.flag = f.id)"
        " and not exists (select 1 from flag_change c where c.project = f.project and c.kind = 'flag'"
        "   and c.target = f.key and c.status in ('pending', 'approved')) order by f.key",
        project=project["id"],
        young=tx.now - _YOUNG_D * _DAY_S,
    )
    found = [_stale(tx, row) for row in rows]
    return [one for one in found if one is not None]


def _stale(tx: Read, flag: Row) -> StaleFlag | None:
    """Every environment has a reason; the one that began last is told."""
    reasons = [
        _reason(tx, flag, row)
        for row in tx.all(
            "select c.*, e.key from flag_config c join flag_environment e on e.id = c.environment where c.flag = :id",
            id=flag["id"],
        )
    ]
    known = [reason for reason in reasons if reason is not None]
    if not known or len(known) < len(reasons):
        return None
    since, reason = max(known)
    return StaleFlag(key=flag["key"], reason=reason, since=since)


def _reason(tx: Read, flag: Row, row: Row) -> tuple[int, str] | None:
    """Since when, and why a flag may go from one environment; None where it is in use."""
    variation = _served_to_all(json.loads(row["config"]))
    changed: int = max(row["changed_at"], flag["created_at"])
    if variation is not None and tx.now - changed >= _SAME_D * _DAY_S:
        days = (tx.now - changed) // _DAY_S
        return changed, f"serves_one: {row['key']} has served {variation} to everybody for {days} days"
    seen = row["evaluated_at"]
    if seen is None:
        days = (tx.now - flag["created_at"]) // _DAY_S
        return flag["created_at"], f"never_evaluated: it was never evaluated in {row['key']} in {days} days"
    if tx.now - seen >= _SILENT_D * _DAY_S:
        days = (tx.now - seen) // _DAY_S
        return seen, f"not_evaluated: it was not evaluated in {row['key']} for {days} days"
    return None


def _served_to_all(config: Json) -> str | None:
    """The one answer of a configuration, in words; None where it depends on who asks."""
    if not config["on"]:
        off = config["offVariation"]
        return "the caller's default" if off is None else f"variation {off}"
    if config["targets"] or config["rules"] or config["prerequisites"]:
        return None
    through = config["fallthrough"]
    if "variation" in through:
        return f"variation {through['variation']}"
    served = {part["variation"] for part in through["rollout"]["variations"] if part["weight"]}
    return f"variation {served.pop()}" if len(served) == 1 else None
