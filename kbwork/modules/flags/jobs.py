"""What happens at its time: approved changes, scheduled ones, SDK keys that end; and what is not kept for ever."""

import json

from kbwork.base.errors import NotAllowed, Problem
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.rows import FlagChangeRow, FlagScheduleRow, SdkKeyRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests, schedules
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.delivery.flag_source import BATCH_LIVES_S
from kbwork.modules.flags.model import SdkKeyRevoked

_AT_ONCE = 20
_COUNTS_H = 24 * 90
_HOUR_S = 3600
_CHANGE_DUE = (
    "from flag_change c join flag_project p on p.id = c.project and p.archived_at is null"
    " where c.status = 'approved' and c.run_at <= :now_ms"
)
_SCHEDULE_DUE = (
    "from flag_schedule s join flag f on f.id = s.flag join flag_project p on p.id = f.project"
    " and p.archived_at is null where s.run_at <= :now_ms"
)


def _any_due(tx: Read) -> bool:
    now_ms = tx.now * 1000
    return (
        tx.one(f"select 1 {_CHANGE_DUE} limit 1", now_ms=now_ms) is not None
        or tx.one(f"select 1 {_SCHEDULE_DUE} limit 1", now_ms=now_ms) is not None
    )


def _apply_due(tx: Write) -> None:
    """Those that are due, in the order of their times, some at a time."""
    now_ms = tx.now * 1000
    for row in tx.all(
        f"select c.* {_CHANGE_DUE} order by c.run_at, c.id limit {_AT_ONCE}", FlagChangeRow, now_ms=now_ms
    ):
        place = _place(tx, row)
        requests.apply_due(tx, place, row)
    for scheduled in tx.all(
        f"select s.* {_SCHEDULE_DUE} order by s.run_at, s.id limit {_AT_ONCE}", FlagScheduleRow, now_ms=now_ms
    ):
        _run(tx, scheduled)


def _run(tx: Write, row: FlagScheduleRow) -> None:
    """One schedule, in the name of who made it; what does not fit any more, or is theirs no more, is told."""
    flag, place = tx.stored("flag", [row["flag"]]), _place(tx, row)
    assert flag is not None
    asked = RequestedChange("flag", flag["key"], json.loads(row["instructions"]))
    try:
        with tx.attempt(), impersonate.as_starter(tx, json.loads(row["acting"])):
            if "flags:write" not in tx.caller.scopes:
                raise NotAllowed("Whoever scheduled it may change no flags any more.")
            access.editable_project(tx, place.project["key"])
            if approvals.needed(tx, place.environment):
                requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
                state = "requested"
            else:
                requests.put(tx, place, asked, ChangeReason())
                state = "applied"
            schedules.drop(tx, place, flag, row, state)
    except Problem as problem:
        schedules.drop(tx, place, flag, row, f"failed: {problem.detail}")


APPLY = Schedule(name="flags.apply", home=__name__, every_s=1, run=_apply_due, due=_any_due, on_time=True)

_RAN_OUT = "expires_at <= :now and revoked_at is null"


def _any_ended(tx: Read) -> bool:
    return tx.one(f"select 1 from sdk_key where {_RAN_OUT} limit 1", now=tx.now) is not None


def _end(tx: Write) -> None:
    for row in tx.all(
        f"select * from sdk_key where {_RAN_OUT} order by id limit 1000", SdkKeyRow, now=tx.now
    ):
        place = _place(tx, row)
        tx.update("sdk_key", row["id"], revoked_at=tx.now)
        payload = {
            "environment": place.environment["key"],
            "key": row["id"],
            "kind": row["kind"],
            "expires_at": row["expires_at"],
            "reason": "expired",
        }
        tx.emit(SdkKeyRevoked(subject=store.project_name(place.project), payload=payload))


KEYS = Schedule(name="flags.keys_end", home=__name__, every_s=1, run=_end, due=_any_ended)


def _forget(tx: Write) -> None:
    """Batches that may not come again, and counts that nobody may ask for."""
    tx.execute("delete from sdk_batch where at <= :before", before=tx.now - BATCH_LIVES_S)
    for table in ("flag_count", "flag_alias_count"):
        tx.execute(f"delete from {table} where hour < :before", before=tx.now // _HOUR_S - _COUNTS_H)


FORGET = Schedule(name="flags.forget", home=__name__, every_s=3600, run=_forget)


def _place(tx: Read, row: FlagChangeRow | FlagScheduleRow | SdkKeyRow) -> ProjectEnvironment:
    """The environment that a row is of."""
    environment = tx.stored("flag_environment", [row["environment"]])
    assert environment is not None
    project = tx.stored("flag_project", [environment["project"]])
    assert project is not None
    return ProjectEnvironment(project, environment)
