"""Changes of targeting for a time."""

import json
from typing import Any

from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Id, Input, Ok
from kbwork.core.access import impersonate
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagProjectRow, FlagRow, FlagScheduleRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.clauses.dates import instant
from kbwork.flagengine.patch.checks import LATEST_MS
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    ChangeRequested,
    EnvironmentRef,
    FlagProjectRef,
    FlagRef,
    FlagSchedule,
    FlagScheduled,
    FlagUpdated,
    Instructions,
    Moment,
    Outcome,
    Ref,
)

_MOST = 100


class FlagsSchedules(Input):
    project: FlagProjectRef
    key: Ref | None = None
    """Of this flag alone."""


@read(
    "flags.schedules",
    scope="flags:read",
    words="planned launches, which flags change soon, upcoming flag changes, what is scheduled",
    example={"project": "web"},
)
def schedules(tx: Read, args: FlagsSchedules) -> list[FlagSchedule]:
    """List what is to change at a time, soonest first."""
    project = access.project(tx, args.project)
    key = access.flag(tx, project, args.key)["key"] if args.key is not None else None
    return shown(tx, project, key)


class FlagsScheduleCreate(Tried):
    project: FlagProjectRef
    key: FlagRef
    environment: EnvironmentRef
    instructions: Instructions
    """Instructions on targeting."""
    run_at: Moment
    """When: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`."""


class Scheduled(TypedDict):
    """`id` is that of the schedule, or of the change request where the outcome is `changeRequest`."""

    outcome: Outcome
    """Whether it waits for its time, or is a change request first."""
    id: int
    """Id of the schedule, or of the change request."""


@write(
    "flags.schedule_create",
    scope="flags:write",
    words=(
        "schedule a launch, turn the flag on later, switch at midnight, launch tomorrow morning, "
        "timed rollout, plan a release of a feature, at a time"
    ),
    undo="a schedule that waits is taken back with flags.schedule_delete",
    emits=[FlagScheduled, ChangeRequested, FlagUpdated],
    example={
        "project": "web",
        "key": "checkout",
        "environment": "test",
        "instructions": [{"kind": "turnFlagOn"}],
        "run_at": "2030-03-01T09:00:00Z",
    },
)
def schedule_create(tx: Write, args: FlagsScheduleCreate) -> Scheduled:
    """Change the targeting of a flag at a time, in your name: with what you may do then.

    Where a change needs approval this makes a change request for that time. What does not fit now is refused now (422,
    409), and what does not fit then is left undone and told. At most 100 wait for one flag (422).
    """
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    place = access.place(tx, project, args.environment)
    run_at = moment(tx, args.run_at, now="flags.update changes a flag at once")
    asked = RequestedChange("flag", flag["key"], args.instructions, "", run_at)
    if approvals.needed(tx, place.environment):
        change = requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
        return done(args, Scheduled(outcome="changeRequest", id=change["id"]))
    if tx.value("select count(*) from flag_schedule where flag = :id", id=flag["id"]) >= _MOST:
        raise InvalidInput(f"At most {_MOST} changes wait for one flag.", field="key")
    with tx.attempt(keep=False):
        requests.put(tx, place, asked, ChangeReason())
    made = tx.insert(
        "flag_schedule",
        flag=flag["id"],
        environment=place.environment["id"],
        instructions=packed(args.instructions),
        run_at=asked.run_at,
        created_by=tx.caller.actor,
        acting=packed(impersonate.caller_args(tx.caller)),
        created_at=tx.now,
    )
    _tell(tx, place, flag, {"schedule": made, "run_at": asked.run_at, "state": "waiting"})
    return done(args, Scheduled(outcome="applied", id=made))


class FlagsScheduleDelete(Tried):
    project: FlagProjectRef
    key: FlagRef
    id: Id
    """Id of the schedule, from `flags.schedules`."""


@destructive(
    "flags.schedule_delete",
    scope="flags:write",
    words="cancel a scheduled launch, unschedule, do not launch",
    undo="a schedule that waits is taken back with flags.schedule_delete",
    emits=[FlagScheduled],
    example={"project": "web", "key": "checkout", "id": 1},
)
def schedule_delete(tx: Write, args: FlagsScheduleDelete) -> Ok:
    """Take a change back that waits for its time."""
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    row = tx.stored("flag_schedule", [args.id])
    if row is None or row["flag"] != flag["id"]:
        raise NotFound(f"The flag {flag['key']} has no schedule {args.id}; flags.schedules shows them.")
    environment = tx.stored("flag_environment", [row["environment"]])
    assert environment is not None
    drop(tx, ProjectEnvironment(project, environment), flag, row, "cancelled")
    return done(args, Ok(ok=True))


def moment(tx: Read, value: Any, *, now: str = "leave it out for now", field: str = "run_at") -> int:
    """A time to come, in milliseconds. Raises InvalidInput, which says what to do for `now` instead."""
    found = instant(value)
    if found is None or not 0 <= found <= LATEST_MS:
        raise InvalidInput(
            f"`{field}` should be Unix milliseconds, or a time such as 2026-03-01T09:00:00Z.", field=field
        )
    if found <= tx.now * 1000:
        raise InvalidInput(f"`{field}` should lie ahead; {now}.", field=field)
    return int(found)


def drop(tx: Write, place: ProjectEnvironment, flag: FlagRow, row: FlagScheduleRow, state: str) -> None:
    """A schedule waits no more: it was `applied`, `requested` from others, `cancelled`, or `failed: ` why."""
    tx.delete("flag_schedule", row["id"])
    _tell(tx, place, flag, {"schedule": row["id"], "run_at": row["run_at"], "state": state})


def _tell(tx: Write, place: ProjectEnvironment, flag: FlagRow, payload: dict[str, Any]) -> None:
    payload = {"environment": place.environment["key"], **payload}
    tx.emit(FlagScheduled(subject=store.name_of(place.project, flag), payload=payload))


def shown(tx: Read, project: FlagProjectRow, key: str | None) -> list[FlagSchedule]:
    """What waits in a project, or of one flag."""
    rows = tx.all(
        "select s.*, f.key, e.key as environment_key from flag f join flag_schedule s on s.flag = f.id"
        " join flag_environment e on e.id = s.environment"
        " where f.project = :project and (:key is null or f.key = :key) order by s.run_at, s.id",
        project=project["id"],
        key=key,
    )
    return [
        FlagSchedule(
            id=row["id"],
            key=row["key"],
            environment=row["environment_key"],
            instructions=json.loads(row["instructions"]),
            run_at=row["run_at"],
            created_by=row["created_by"],
        )
        for row in rows
    ]
