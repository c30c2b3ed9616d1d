"""The checks of a plan that need nobody outside: what was counted, and what was saved."""

import json

from kbwork.db.rows import FlagPlanRow
from kbwork.db.tx import Read
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import served_variations
from kbwork.modules.flags.guard import expectations
from kbwork.modules.flags.model import Json

_PERCENT = 1
_LEAST = 100


def failing(tx: Read, place: ProjectEnvironment, plan: FlagPlanRow) -> tuple[Json, str] | None:
    """The first check that does not hold now, and why; None where all do."""
    for check in json.loads(plan["checks"]):
        why = None
        if check["kind"] == "errors":
            why = _errors(tx, plan, check)
        elif check["kind"] == "check":
            why = _broken(tx, place, check)
        if why is not None:
            return check, why
    return None


def _errors(tx: Read, plan: FlagPlanRow, check: Json) -> str | None:
    """Of what was counted with the version that the step made, or a later one."""
    row = tx.one(
        "select coalesce(sum(count), 0) as every,"
        " coalesce(sum(case when variation = :none then count end), 0) as failed from flag_count"
        " where flag = :flag and environment = :environment and version >= :version",
        none=served_variations.NO_VALUE,
        flag=plan["flag"],
        environment=plan["environment"],
        version=plan["began"],
    )
    assert row is not None
    most = check.get("percent")
    percent = _PERCENT if most is None else most
    if row["every"] < (check.get("least") or _LEAST) or row["failed"] * 100 <= percent * row["every"]:
        return None
    return f"{row['failed']:,} of {row['every']:,} evaluations got the caller's default"


def _broken(tx: Read, place: ProjectEnvironment, check: Json) -> str | None:
    row = tx.stored("flag_check", [check["id"]])
    if row is None or row["environment"] != place.environment["id"]:
        return f"the check {check['id']} is gone"
    if broken := expectations.broken_now(tx, place.environment, [row])[row["id"]]:
        return f"the check {row['name']!r} does not hold for {', '.join(broken[:5])}"
    return None
