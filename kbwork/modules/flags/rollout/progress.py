"""How a plan goes on: a look finds out what is to be done now, and does it, once, in the name of whoever made it.

Where it stands is with the data, so whoever dies in between finds it as it was. It goes by the time that is trusted: a
clock that runs ahead makes no step, and one that was set back lets none be held longer than it was to be.
"""

import json
from typing import Any

from kbwork.base.errors import NotAllowed, Problem
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import FlagPlanRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.definition.content import config_of, packed
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.model import FlagPlanMoved, Json
from kbwork.modules.flags.rollout import conditions, shares
from kbwork.modules.flags.rollout.model import LIVE

MINUTE_MS = 60_000
_AT_ONCE = 20
_DUE = (
    "from flag_plan p join flag_environment e on e.id = p.environment"
    " join flag_project fp on fp.id = e.project and fp.archived_at is null"
    " where p.look_at <= :now_ms or p.look_at > :beyond and p.state in ('running', 'held')"
)
"""One that is under way is looked at within a minute: where that lies further ahead, the clock was set back."""


def _times(tx: Read) -> dict[str, int]:
    return {"now_ms": tx.now * 1000, "beyond": tx.now * 1000 + 2 * MINUTE_MS}


def _any_due(tx: Read) -> bool:
    return tx.one(f"select 1 {_DUE} limit 1", **_times(tx)) is not None


def _go_on_all(tx: Write) -> None:
    """Some at a time."""
    for ident in tx.column(f"select p.id {_DUE} order by p.look_at, p.id limit {_AT_ONCE}", **_times(tx)):
        row = stored(tx, ident)
        try:
            with impersonate.as_starter(tx, json.loads(row["acting"])):
                require_right(tx, row)
                look(tx, row)
        except Problem as problem:
            stop(tx, stored(tx, ident), problem.detail)


GO_ON = Schedule(name="flags.plans", home=__name__, every_s=1, run=_go_on_all, due=_any_due)


def stored(tx: Read, ident: int) -> FlagPlanRow:
    row = tx.stored("flag_plan", [ident])
    assert row is not None
    return row


def place_of(tx: Read, row: FlagPlanRow) -> ProjectEnvironment:
    environment = tx.stored("flag_environment", [row["environment"]])
    assert environment is not None
    project = tx.stored("flag_project", [environment["project"]])
    assert project is not None
    return ProjectEnvironment(project, environment)


def require_right(tx: Read, row: FlagPlanRow) -> None:
    """Raises NotAllowed, or Conflict, where whoever made the plan may not change the flag any more."""
    if "flags:write" not in tx.caller.scopes:
        raise NotAllowed("Whoever made the plan may change no flags any more.")
    access.editable_project(tx, place_of(tx, row).project["key"])


def look(tx: Write, row: FlagPlanRow) -> None:
    """Do what is to be done now. Raises a Problem where the next step does not fit."""
    if row["state"] not in LIVE or _in_the_way(tx, row):
        return
    if row["step"] and (found := conditions.failing(tx, place_of(tx, row), row)) is not None:
        _end_by(tx, row, *found)
    else:
        _move(tx, row)


def fail(tx: Write, row: FlagPlanRow, check: Json, why: str) -> None:
    """A check that was asked outside does not hold: unless something else is in the way by now, that ends it."""
    if row["state"] in LIVE and not _in_the_way(tx, row):
        _end_by(tx, row, check, why)


def _in_the_way(tx: Write, row: FlagPlanRow) -> bool:
    """Whether something stops it or holds it now, whatever its checks say; that is written down then.

    What somebody else has put there since is theirs: the plan neither goes on over it nor goes back over it.
    """
    place, flag = place_of(tx, row), tx.stored("flag", [row["flag"]])
    assert flag is not None
    config = config_of(tx, flag, place.environment)
    if flag["archived"]:
        stop(tx, row, f"{flag['key']} was archived")
    elif shares.served_at(config, row["rule"]) != json.loads(row["served"]):
        stop(tx, row, "what it serves was changed by somebody else")
    elif not config["on"]:
        hold(tx, row, f"{flag['key']} is off in {place.environment['key']}", anew=True)
    elif approvals.needed(tx, place.environment) and not row["approved"]:
        hold(tx, row, f"{place.environment['key']} asks for approval by now: make the plan anew")
    else:
        return False
    return True


def _move(tx: Write, row: FlagPlanRow) -> None:
    """Nothing is in the way: begin, hold on, ask, take the next step, or be done."""
    now_ms, steps = tx.now * 1000, json.loads(row["steps"])
    if not row["step"]:
        _take(tx, row, 1)
        return
    held_ms: int = steps[row["step"] - 1]["hold_minutes"] * MINUTE_MS
    next_at = min(now_ms + held_ms, row["next_at"] if row["next_at"] is not None else now_ms + held_ms)
    if now_ms < next_at:
        _put(tx, row, state="running", reason=None, next_at=next_at, look_at=min(next_at, now_ms + MINUTE_MS))
    elif hooks_of(row) and not row["heard"]:
        _put(tx, row, state="running", reason=None, next_at=next_at, look_at=None, asking=1)
        tx.wake()
    elif row["step"] < len(steps):
        _take(tx, row, row["step"] + 1)
    else:
        _put(tx, row, state="done", reason=None, next_at=None, look_at=None)


def _take(tx: Write, row: FlagPlanRow, number: int) -> None:
    """One step, and what follows at once. Raises a Problem where it does not fit."""
    steps = json.loads(row["steps"])
    step = steps[number - 1]
    served = shares.with_share(json.loads(row["before"]), row["variation"], step["weight"])
    now_ms = tx.now * 1000
    next_at = now_ms + step["hold_minutes"] * MINUTE_MS
    after, version = _serve(tx, row, served, f"Plan {row['id']}, step {number} of {len(steps)}")
    _put(
        tx,
        row,
        state="running",
        reason=None,
        step=number,
        served=after,
        began=version,
        next_at=next_at,
        look_at=min(next_at, now_ms + MINUTE_MS),
        heard=0,
    )
    if not step["hold_minutes"]:
        look(tx, stored(tx, row["id"]))


def _serve(tx: Write, row: FlagPlanRow, served: Json, comment: str) -> tuple[str, int]:
    """Put it there; answers what is served there then, and the version that it made."""
    place, flag = place_of(tx, row), tx.stored("flag", [row["flag"]])
    assert flag is not None
    asked = RequestedChange("flag", flag["key"], [shares.instruction(row["rule"], served)])
    with tx.attempt():
        requests.put(tx, place, asked, ChangeReason(comment))
    config = tx.stored("flag_config", [flag["id"], place.environment["id"]])
    assert config is not None
    return packed(shares.served_at(json.loads(config["config"]), row["rule"])), config["version"]


def _end_by(tx: Write, row: FlagPlanRow, check: Json, why: str) -> None:
    """A check does not hold: the rollout stops, and goes back where that was said."""
    if check.get("back"):
        try:
            go_back(tx, row)
            why = f"{why}; it went back"
        except Problem as problem:
            why = f"{why}; it could not go back: {problem.detail}"
    stop(tx, row, why)


def go_back(tx: Write, row: FlagPlanRow) -> None:
    """Serve what was served before the plan. Raises a Problem where that does not fit."""
    _serve(tx, row, json.loads(row["before"]), f"Plan {row['id']} goes back")


def hold(tx: Write, row: FlagPlanRow, reason: str, *, anew: bool = False) -> None:
    """Look again in a minute; with `anew` the step is held anew then."""
    next_at = None if anew else row["next_at"]
    _put(tx, row, state="held", reason=reason, next_at=next_at, look_at=tx.now * 1000 + MINUTE_MS, asking=0)


def stop(tx: Write, row: FlagPlanRow, reason: str) -> None:
    """For good."""
    _put(tx, row, state="stopped", reason=reason, next_at=None, look_at=None, asking=0)


def _put(tx: Write, row: FlagPlanRow, **columns: Any) -> None:
    """Write where it stands now; what is new in it is told."""
    tx.update("flag_plan", row["id"], **columns)
    if any(columns.get(name, row[name]) != row[name] for name in ("state", "step", "reason")):
        tell(tx, stored(tx, row["id"]))


def tell(tx: Write, row: FlagPlanRow) -> None:
    place, flag = place_of(tx, row), tx.stored("flag", [row["flag"]])
    assert flag is not None
    payload = {
        "environment": place.environment["key"],
        "plan": row["id"],
        "state": row["state"],
        "step": row["step"],
        "reason": row["reason"],
    }
    tx.emit(FlagPlanMoved(subject=store.name_of(place.project, flag), payload=payload))


def hooks_of(row: FlagPlanRow) -> list[Json]:
    """The checks of a plan that are asked outside."""
    return [check for check in json.loads(row["checks"]) if check["kind"] == "hook"]
