"""Targets that end by themselves."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagExpiryRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch import checks, targeting_instructions
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.change.schedules import moment
from kbwork.modules.flags.definition import patch, store
from kbwork.modules.flags.definition.content import config_of
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    EnvironmentRef,
    FlagChange,
    FlagProjectRef,
    FlagRef,
    FlagScheduled,
    FlagUpdated,
    Json,
    Moment,
    Outcome,
)

_AT_ONCE = 20


class FlagsExpire(Tried):
    project: FlagProjectRef
    key: FlagRef
    environment: EnvironmentRef
    targets: Annotated[list[Json], Field(min_length=1, max_length=100)]
    """{`contextKind`, `variation`, `values`}: who gets which variation until then."""
    at: Moment | None
    """When they end: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; null: they stay."""


class Expiry(TypedDict):
    outcome: Outcome
    """Whether it was applied, changed nothing, or waits for approval."""
    targets: list[Json]
    """The targets that end there now: {`contextKind`, `variation`, `values`, `at` in Unix milliseconds}, soonest
    first."""
    change: FlagChange | None
    """The change request; null: none was made."""


@write(
    "flags.expire",
    scope="flags:write",
    words=(
        "give a customer the feature until Friday, temporary access, trial of a feature, end a target later, "
        "remove a user from the flag at a date"
    ),
    undo=UNDO,
    emits=[FlagUpdated, ChangeRequested],
    example={
        "project": "web",
        "key": "checkout",
        "environment": "test",
        "targets": [{"contextKind": "user", "variation": 0, "values": ["bo"]}],
        "at": "2030-03-01T09:00:00Z",
    },
)
def expire(tx: Write, args: FlagsExpire) -> Expiry:
    """Let contexts have a variation of a flag until a time; with null let them keep it.

    Those who are no target yet become one, and a key moves here from another variation. When the time comes the server
    takes them out: where the environment asks for approval, this is what is approved, once. Where a check that is
    enforced would break then, they stay, which is told. With null those who are no target are 422.
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    flag = access.flag(tx, place.project, args.key)
    at = (
        moment(tx, args.at, now="flags.update takes targets out at once", field="at")
        if args.at is not None
        else None
    )
    asked = RequestedChange("flag", flag["key"], _instructions(args.targets, at))
    became = submit.change_targeting(tx, place, asked)
    ending = config_of(tx, flag, place.environment).get("expiring", [])
    return done(args, Expiry(outcome=became.outcome, targets=ending, change=became.change))


def _instructions(targets: list[Json], at: int | None) -> list[Json]:
    found: list[Json] = []
    for number, target in enumerate(targets):
        with patch.refusals():
            given = checks.members(target, f"targets[{number}]", ("variation", "values"), ("contextKind",))
        if at is not None:
            found.append({"kind": "addTargets", **given})
        found.append({"kind": "expireTargets", **given, "at": at})
    return found


_DUE = (
    "from flag_expiry x join flag_environment e on e.id = x.environment"
    " join flag_project p on p.id = e.project and p.archived_at is null where x.at <= :now_ms"
)


def _any_due(tx: Read) -> bool:
    return tx.one(f"select 1 {_DUE} limit 1", now_ms=tx.now * 1000) is not None


def _end_due(tx: Write) -> None:
    """Some at a time. Flags in the archive too: nobody is to have it again when they come back."""
    now_ms = tx.now * 1000
    for row in tx.all(
        f"select x.* {_DUE} order by x.at, x.flag, x.environment limit {_AT_ONCE}",
        FlagExpiryRow,
        now_ms=now_ms,
    ):
        _end(tx, row, now_ms)


def _end(tx: Write, row: FlagExpiryRow, now_ms: int) -> None:
    flag, environment = tx.stored("flag", [row["flag"]]), tx.stored("flag_environment", [row["environment"]])
    assert flag is not None
    assert environment is not None
    project = tx.stored("flag_project", [flag["project"]])
    assert project is not None
    place = ProjectEnvironment(project, environment)
    config = config_of(tx, flag, environment)
    try:
        with tx.attempt():
            after = targeting_instructions.ended(config, now_ms)
            store.put_config(tx, place, flag, after, ChangeReason("Their time has come"))
    except Conflict as problem:
        left = [one for one in config["expiring"] if one["at"] > now_ms]
        kept = {name: part for name, part in config.items() if name != "expiring"}
        kept |= {"expiring": left} if left else {}
        store.put_config(tx, place, flag, kept, ChangeReason("They stay"))
        payload = {
            "environment": environment["key"],
            "run_at": row["at"],
            "state": f"failed: {problem.detail}",
        }
        tx.emit(FlagScheduled(subject=store.name_of(project, flag), payload=payload))


END = Schedule(name="flags.expire", home=__name__, every_s=1, run=_end_due, due=_any_due)
"""It takes access away, and so goes by the time that is trusted."""
