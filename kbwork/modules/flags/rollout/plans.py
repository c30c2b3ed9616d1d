"""The operations of rollouts by a plan: list, make, stop."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.base.model import Id, Input, Int
from kbwork.base.urls import parts_of
from kbwork.core.access import impersonate
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import FlagPlanRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests, submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.change.schedules import moment
from kbwork.modules.flags.definition import patch
from kbwork.modules.flags.definition.content import config_of, meta_of, packed
from kbwork.modules.flags.definition.store import ChangeReason
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    ChangeCancelled,
    ChangeRequested,
    EnvironmentRef,
    FlagPlanMoved,
    FlagProjectRef,
    FlagRef,
    FlagUpdated,
    Json,
    Moment,
    Ref,
    Remark,
)
from kbwork.modules.flags.rollout import answers, progress, shares
from kbwork.modules.flags.rollout.model import LIVE, FlagPlan, PlanCheck, PlanState, PlanStep

_WHY = "flags.plan_stop stops it, and with `back` goes back to what was served before"
_OF_KIND = {"errors": ("percent", "least"), "check": ("id",), "hook": ("url",)}


class FlagsPlans(Input):
    project: FlagProjectRef
    key: Ref | None = None
    """Of this flag alone."""
    state: PlanState | None = None
    """Only those in this state."""


@read(
    "flags.plans",
    scope="flags:read",
    words="progressive rollouts, how far is the rollout, guarded releases, which flags are being rolled out",
    example={"project": "web", "key": "checkout"},
)
def plans(tx: Read, args: FlagsPlans) -> list[FlagPlan]:
    """List rollouts by a plan, newest first, the last thousand."""
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key)["id"] if args.key is not None else None
    return answers.of_project(
        tx,
        project,
        "(:flag is null or p.flag = :flag) and (:state is null or p.state = :state)",
        flag=flag,
        state=args.state,
    )


class FlagsPlanSave(Tried):
    project: FlagProjectRef
    key: FlagRef
    environment: EnvironmentRef
    rule: Ref | None = None
    """Id of the rule whose share grows; left out: what is served where no target and no rule fits."""
    variation: Int
    """Index of the variation that is rolled out."""
    steps: Annotated[list[PlanStep], Field(min_length=1, max_length=50)]
    """In order: how many get it, and for how long that is held."""
    checks: Annotated[list[PlanCheck] | None, Field(max_length=20)] = None
    """What has to hold for it to go on."""
    start_at: Moment | None = None
    """When it is to start: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; left out: at once."""
    comment: Remark | None = None
    """Why, for those who approve."""


@write(
    "flags.plan_save",
    scope="flags:write",
    words=(
        "progressive rollout, gradual release, canary, ramp up by itself, roll out ten percent then fifty, "
        "guarded rollout, roll back by itself on errors, rollout plan"
    ),
    undo=_WHY,
    emits=[FlagPlanMoved, FlagUpdated, ChangeRequested],
    example={
        "project": "web",
        "key": "banner",
        "environment": "test",
        "variation": 1,
        "steps": [{"weight": 10000, "hold_minutes": 60}, {"weight": 100000, "hold_minutes": 0}],
        "checks": [{"kind": "errors", "percent": 1, "back": True}],
        "start_at": "2030-03-01T09:00:00Z",
    },
)
def plan_save(tx: Write, args: FlagsPlanSave) -> FlagPlan:
    """Roll a variation out step by step, in your name: with what you may do at each of them.

    The others keep what they had before, in its proportions. Checks are looked at every minute, hooks at the end of
    each step. Where one does not hold, the rollout stops, and with `back` serves what was served before. While the flag
    is off, or a hook is not reached, it is held; where somebody else changes what it serves there, it stops. Where a
    change needs approval this makes a change request, and approves all steps at once. What does not fit now is refused
    now (409, 422), and so is a second plan for the same place (409).
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    flag = access.flag(tx, place.project, args.key)
    patch.require_live(flag)
    before = _before(tx, place, flag, args)
    checks = [_check(tx, place, one, f"checks[{number}]") for number, one in enumerate(args.checks or [])]
    start_at = moment(tx, args.start_at, field="start_at") if args.start_at is not None else None
    _require_free(tx, place, flag, args.rule)
    waits = approvals.needed(tx, place.environment)
    instructions = [
        shares.instruction(args.rule, shares.with_share(before, args.variation, step.weight))
        for step in args.steps
    ]
    _require_fitting(tx, place, flag, instructions)
    plan = tx.insert(
        "flag_plan",
        flag=flag["id"],
        environment=place.environment["id"],
        rule=args.rule,
        variation=args.variation,
        steps=packed([step.model_dump() for step in args.steps]),
        checks=packed(checks),
        comment=args.comment or "",
        state="waiting",
        step=0,
        start_at=start_at,
        look_at=None if waits else start_at or tx.now * 1000,
        asking=0,
        heard=0,
        before=packed(before),
        served=packed(before),
        began=0,
        approved=0,
        acting=packed(impersonate.caller_args(tx.caller)),
        created_by=tx.caller.actor,
        created_at=tx.now,
    )
    if waits:
        asked = RequestedChange("flag", flag["key"], instructions, args.comment or "", start_at)
        change = requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
        tx.update("flag_change", change["id"], plan=plan)
        tx.update("flag_plan", plan, change=change["id"])
    progress.tell(tx, progress.stored(tx, plan))
    if not waits and start_at is None:
        progress.look(tx, progress.stored(tx, plan))
    return done(args, answers.one(tx, place.project, plan))


class FlagsPlanStop(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the plan, from `flags.plans`."""
    back: bool | None = None
    """Whether to serve what was served before the plan; left out: it stays where it is."""


@write(
    "flags.plan_stop",
    scope="flags:write",
    words="stop the rollout, abort a canary, roll back the rollout, pause the progressive rollout",
    undo="a plan that was stopped is made anew",
    emits=[FlagPlanMoved, FlagUpdated, ChangeRequested, ChangeCancelled],
    example={"project": "web", "id": 1},
)
def plan_stop(tx: Write, args: FlagsPlanStop) -> FlagPlan:
    """Stop a rollout, and with `back` serve what was served before it.

    A change request that it waits for is cancelled. Where going back needs approval, and the plan had none, it becomes
    a change request, and the plan stops at once. One that ended is 409, and so is going back where somebody else
    changed meanwhile what is served there.
    """
    project = access.editable_project(tx, args.project)
    row = _stored(tx, project, args.id)
    if row["state"] not in LIVE:
        raise Conflict(f"This plan is {row['state']} already.")
    reason = "It was stopped by hand"
    if row["change"] is not None and not row["approved"]:
        requests.withdraw(tx, progress.place_of(tx, row), row["change"])
    if args.back and row["step"]:
        reason = _back(tx, row)
    progress.stop(tx, row, reason)
    return done(args, answers.one(tx, project, row["id"]))


def _back(tx: Write, row: FlagPlanRow) -> str:
    """Answers what is told of it. Raises Conflict."""
    place, flag = progress.place_of(tx, row), tx.stored("flag", [row["flag"]])
    assert flag is not None
    if shares.served_at(config_of(tx, flag, place.environment), row["rule"]) != json.loads(row["served"]):
        raise Conflict("What it serves was changed by somebody else: flags.history shows what it was.")
    if row["approved"]:
        progress.go_back(tx, row)
        return "It was stopped by hand, and went back"
    instruction = shares.instruction(row["rule"], json.loads(row["before"]))
    asked = RequestedChange("flag", flag["key"], [instruction], f"Plan {row['id']} goes back")
    became = submit.change_targeting(tx, place, asked)
    if became.change is not None:
        return f"It was stopped by hand; going back waits as change request {became.change['id']}"
    return "It was stopped by hand, and went back"


def _before(tx: Read, place: ProjectEnvironment, flag: FlagRow, args: FlagsPlanSave) -> Json:
    """What is served where the plan is for. Raises InvalidInput."""
    count = len(meta_of(flag)["variations"])
    if not 0 <= args.variation < count:
        raise InvalidInput(f"`variation` is an index, 0 to {count - 1}.", field="variation")
    found = shares.served_at(config_of(tx, flag, place.environment), args.rule)
    if found is None:
        raise InvalidInput(
            f"{flag['key']} has no rule {args.rule!r} in {place.environment['key']}; flags.get shows them.",
            field="rule",
        )
    return found


def _check(tx: Read, place: ProjectEnvironment, check: PlanCheck, at: str) -> Json:
    """As it is stored. Raises InvalidInput, or NotFound."""
    given = check.model_dump(exclude_none=True)
    own = _OF_KIND[check.kind]
    if other := next((name for name in given if name not in ("kind", "back", *own)), None):
        raise InvalidInput(
            f"`{other}` is nothing of a check of the kind {check.kind}.", field=f"{at}.{other}"
        )
    if check.kind != "errors" and own[0] not in given:
        raise InvalidInput(f"A check of the kind {check.kind} needs `{own[0]}`.", field=f"{at}.{own[0]}")
    if check.kind == "check":
        row = tx.stored("flag_check", [given["id"]])
        if row is None or row["environment"] != place.environment["id"]:
            raise NotFound(f"{place.environment['key']} has no check {given['id']}; flags.checks shows them.")
    if check.kind == "hook":
        parts = parts_of(given["url"])
        if parts is None or parts.username is not None or parts.password is not None:
            raise InvalidInput("Write the address as https://example.com/path.", field=f"{at}.url")
    return given


def _require_free(tx: Read, place: ProjectEnvironment, flag: FlagRow, rule: str | None) -> None:
    """Raises Conflict where a plan is under way there."""
    other = tx.value(
        "select id from flag_plan where flag = :flag and environment = :environment and rule is :rule"
        " and state in ('waiting', 'running', 'held')",
        flag=flag["id"],
        environment=place.environment["id"],
        rule=rule,
    )
    if other is not None:
        raise Conflict(f"Plan {other} is under way there: flags.plan_stop stops it.")


def _require_fitting(tx: Write, place: ProjectEnvironment, flag: FlagRow, instructions: list[Json]) -> None:
    """Raises what a step would raise now."""
    with tx.attempt(keep=False):
        for instruction in instructions:
            requests.put(tx, place, RequestedChange("flag", flag["key"], [instruction]), ChangeReason())


def _stored(tx: Read, project: FlagProjectRow, ident: int) -> FlagPlanRow:
    """Raises NotFound."""
    row = tx.stored("flag_plan", [ident])
    if row is None or progress.place_of(tx, row).project["id"] != project["id"]:
        raise NotFound(f"The flag project {project['key']} has no plan {ident}; flags.plans shows them.")
    return row
