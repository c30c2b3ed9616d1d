"""What becomes of a change request: made, reviewed, applied at once or at its time, given up."""

import json
from typing import Any, NamedTuple

from kbwork.base.errors import Conflict, NotFound, Problem
from kbwork.db.rows import FlagChangeRow, FlagProjectRow, FlagReviewRow
from kbwork.db.tx import Read, Row, Write, with_columns
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.patch.differences import differences
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals
from kbwork.modules.flags.change.deletion import deletes, require_unused
from kbwork.modules.flags.definition import content, dependencies, patch, store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.definition.store import ChangeReason, Diff
from kbwork.modules.flags.model import (
    ChangeApplied,
    ChangeCancelled,
    ChangeRequested,
    FlagChange,
    FlagPlanMoved,
    FlagReview,
    Json,
    Status,
    TargetKind,
)

_OPEN = ("pending", "approved")
MOST = 1000
"""So many are shown where nobody asks for a part."""
_MOST_OPEN = 100
"""Changes that wait for one flag or segment."""


class ChangeTarget(NamedTuple):
    """What a change is about, and how it stands before and after."""

    row: Any
    """A flag, or a segment."""
    before: Json
    after: Json

    @property
    def diff(self) -> Diff:
        return differences(self.before, self.after)


class RequestedChange(NamedTuple):
    """What somebody wants changed."""

    kind: TargetKind
    target: str
    instructions: list[Json]
    comment: str = ""
    run_at: int | None = None
    id: int | None = None
    """Of the request, where it waits as one already."""


def tried(tx: Read, place: ProjectEnvironment, asked: RequestedChange) -> ChangeTarget:
    """What the instructions would do now. Raises NotFound, InvalidInput, or Conflict, for circles too."""
    if asked.kind == "flag":
        flag = access.flag(tx, place.project, asked.target)
        after = patch.config(tx, flag, place.environment, asked.instructions)
        found = ChangeTarget(flag, content.config_of(tx, flag, place.environment), after)
    else:
        segment = access.segment(tx, place.environment, asked.target)
        if deletes(asked.instructions):
            require_unused(tx, place, segment, naming(tx, place, asked.target, but=asked.id))
            return ChangeTarget(segment, content.segment_of(segment), {})
        after = patch.segment(tx, place.environment, segment, asked.instructions)
        found = ChangeTarget(segment, content.segment_of(segment), after)
    used = dependencies.of(asked.kind, found.after)
    dependencies.require_no_circle(tx, place.environment["id"], (asked.kind, asked.target), used)
    return found


def put(tx: Write, place: ProjectEnvironment, asked: RequestedChange, why: ChangeReason) -> Diff:
    """Do it. Raises what `tried` raises."""
    return write(tx, place, asked, tried(tx, place, asked), why)


def write(
    tx: Write, place: ProjectEnvironment, asked: RequestedChange, found: ChangeTarget, why: ChangeReason
) -> Diff:
    """Do what was tried just now."""
    if asked.kind == "segment" and deletes(asked.instructions):
        store.delete_segment(tx, place, found.row, why)
        return found.diff
    put_there = store.put_config if asked.kind == "flag" else store.put_segment
    return put_there(tx, place, found.row, found.after, why)


def request(tx: Write, place: ProjectEnvironment, asked: RequestedChange, *, as_agent: bool) -> FlagChangeRow:
    """Lay a change before others; what does not fit now is refused now. Answers the stored request."""
    _require_room(tx, place, asked)
    with tx.attempt(keep=False):
        put(tx, place, asked, ChangeReason())
    change = tx.insert(
        "flag_change",
        project=place.project["id"],
        environment=place.environment["id"],
        kind=asked.kind,
        target=asked.target,
        instructions=packed(asked.instructions),
        comment=asked.comment,
        status="pending",
        run_at=asked.run_at,
        requested_by=tx.caller.actor,
        via=tx.caller.via,
        as_agent=int(as_agent),
        created_at=tx.now,
    )
    row = tx.stored("flag_change", [change])
    assert row is not None
    tx.emit(ChangeRequested(subject=subject(tx, place, row), payload=told(place, row)))
    return row


def _require_room(tx: Read, place: ProjectEnvironment, asked: RequestedChange) -> None:
    count = tx.value(
        "select count(*) from flag_change where project = :project and kind = :kind and target = :target"
        " and status in ('pending', 'approved')",
        project=place.project["id"],
        kind=asked.kind,
        target=asked.target,
    )
    if count >= _MOST_OPEN:
        raise Conflict(
            f"{_MOST_OPEN} changes wait for {asked.target} already: decide or cancel some of them first."
        )


def apply(tx: Write, place: ProjectEnvironment, change: FlagChangeRow) -> FlagChangeRow:
    """Apply an approved change. Raises what does not fit any more as Conflict."""
    why = ChangeReason(change["comment"], change["id"], change["requested_by"], change["via"])
    try:
        if change["plan"] is not None:
            return _start(tx, place, change, change["plan"])
        diff = put(tx, place, requested_change(change), why)
    except Problem as problem:
        raise Conflict(f"What the change asks for does not fit any more: {problem.detail}") from None
    told_diff = {place.environment["key"]: store.told_of(diff)}
    return _decide(tx, place, change, "applied", {"diff": told_diff})


def _start(tx: Write, place: ProjectEnvironment, change: FlagChangeRow, plan: int) -> FlagChangeRow:
    """The rollout goes on by itself from here. Raises what does not fit any more."""
    tried(tx, place, requested_change(change))
    tx.update("flag_plan", plan, approved=1, look_at=tx.now * 1000)
    tx.wake()
    return _decide(tx, place, change, "applied", {"diff": {}, "plan": plan})


def give_up(tx: Write, place: ProjectEnvironment, change: FlagChangeRow, status: Status) -> None:
    """A change that waits comes to nothing, and so does the rollout that waited for it."""
    tx.update("flag_change", change["id"], status=status, decided_at=tx.now)
    _stop_plan(tx, place, change, f"its change request was {status}")


def withdraw(tx: Write, place: ProjectEnvironment, ident: int) -> None:
    """Cancel a change whose rollout was stopped, if it waits still."""
    change = tx.stored("flag_change", [ident])
    if change is not None and is_open(change):
        tx.update("flag_change", change["id"], status="cancelled", decided_at=tx.now)
        tx.emit(ChangeCancelled(subject=subject(tx, place, change), payload=told(place, change)))


def _stop_plan(tx: Write, place: ProjectEnvironment, change: FlagChangeRow, reason: str) -> None:
    if change["plan"] is None:
        return
    tx.update("flag_plan", change["plan"], state="stopped", reason=reason, look_at=None)
    payload = {"plan": change["plan"], "state": "stopped", "step": 0, "reason": reason}
    payload |= {"environment": place.environment["key"]}
    tx.emit(FlagPlanMoved(subject=subject(tx, place, change), payload=payload))


def apply_or_fail(tx: Write, place: ProjectEnvironment, change: FlagChangeRow) -> FlagChangeRow:
    """Apply an approved change; one that does not fit any more has failed, with the reason."""
    try:
        with tx.attempt():
            return apply(tx, place, change)
    except Conflict as problem:
        _stop_plan(tx, place, change, problem.detail)
        return _decide(tx, place, change, "failed", {"why": problem.detail})


def _decide(
    tx: Write, place: ProjectEnvironment, change: FlagChangeRow, status: Status, more: Json
) -> FlagChangeRow:
    """Say what became of it; `more` stands in the event, a `why` in it on the request too."""
    decided = {"status": status, "decided_at": tx.now, "why": more.get("why")}
    tx.update("flag_change", change["id"], **decided)
    payload = told(place, change) | {"status": status} | more
    tx.emit(ChangeApplied(subject=subject(tx, place, change), payload=payload))
    return with_columns(change, decided)


def move_on(tx: Write, place: ProjectEnvironment, change: FlagChangeRow) -> None:
    """Approve what has enough approvals, and apply it where its time has come."""
    if change["status"] == "pending" and approvals.enough(tx, place, change):
        tx.update("flag_change", change["id"], status="approved")
        if change["run_at"] is None or change["run_at"] <= tx.now * 1000:
            apply_or_fail(tx, place, change | {"status": "approved"})


def move_all_on(tx: Write, place: ProjectEnvironment) -> None:
    """The rules of an environment changed: what waits there may have enough approvals now."""
    for change in tx.all(
        "select * from flag_change where environment = :id and status = 'pending' order by id",
        FlagChangeRow,
        id=place.environment["id"],
    ):
        move_on(tx, place, change)


def apply_due(tx: Write, place: ProjectEnvironment, change: FlagChangeRow) -> None:
    """Apply a change whose time has come; one that lacks approvals now waits for them again."""
    if approvals.enough(tx, place, change):
        apply_or_fail(tx, place, change)
    else:
        tx.update("flag_change", change["id"], status="pending")


def requested_change(change: FlagChangeRow) -> RequestedChange:
    """What a stored request asks for."""
    return RequestedChange(
        change["kind"],
        change["target"],
        json.loads(change["instructions"]),
        change["comment"],
        change["run_at"],
        change["id"],
    )


def subject(tx: Read, place: ProjectEnvironment, change: FlagChangeRow) -> str:
    """What a change is about, as a subject."""
    return named(tx, place, change["kind"], change["target"])


def named(tx: Read, place: ProjectEnvironment, kind: TargetKind, key: str) -> str:
    """A flag, or a segment of an environment, as a subject."""
    if kind == "segment":
        return store.segment_name(place, key)
    return store.name_of(place.project, access.flag(tx, place.project, key))


def told(place: ProjectEnvironment, change: FlagChangeRow) -> Json:
    """What events say of a change."""
    return {"environment": place.environment["key"], "change": change["id"]}


def find(tx: Read, project: FlagProjectRow, ident: int) -> tuple[FlagChangeRow, ProjectEnvironment]:
    """A change of a project, and where it is about. Raises NotFound."""
    row = tx.stored("flag_change", [ident])
    if row is None or row["project"] != project["id"]:
        raise NotFound(f"The flag project {project['key']} has no change {ident}; flags.changes shows them.")
    environment = tx.stored("flag_environment", [row["environment"]])
    assert environment is not None
    return row, ProjectEnvironment(project, environment)


def is_open(change: FlagChangeRow) -> bool:
    """Whether it may still come to something."""
    return change["status"] in _OPEN


def naming(tx: Read, place: ProjectEnvironment, segment: str, *, but: int | None = None) -> list[str]:
    """The changes, but for one, and schedules that wait in an environment and are about this segment, or name it."""
    changes = tx.all(
        "select id, kind, target, instructions from flag_change where environment = :id"
        " and status in ('pending', 'approved') order by id",
        id=place.environment["id"],
    )
    schedules = tx.all(
        "select id, instructions from flag_schedule where environment = :id order by id",
        id=place.environment["id"],
    )
    about = [
        f"change:{row['id']}"
        for row in changes
        if row["id"] != but
        and ((row["kind"], row["target"]) == ("segment", segment) or _names(row["instructions"], segment))
    ]
    return about + [f"schedule:{row['id']}" for row in schedules if _names(row["instructions"], segment)]


def _names(instructions: str, segment: str) -> bool:
    return packed(segment) in instructions and _asks(json.loads(instructions), segment)


def _asks(part: Any, segment: str) -> bool:
    """Whether a part of instructions asks for a segment."""
    if isinstance(part, list):
        return any(_asks(one, segment) for one in part)
    if not isinstance(part, dict):
        return False
    if part.get("op") == SEGMENT_MATCH and segment in (part.get("values") or ()):
        return True
    return _asks(list(part.values()), segment)


def shown(tx: Read, where: str, *, most: int = MOST, **binds: Any) -> list[FlagChange]:
    """Changes by a condition on `flag_change c`, newest first, without preview."""
    rows = tx.all(
        "select c.*, e.key as environment_key from flag_change c join flag_environment e on e.id = c.environment"
        f" where {where} order by c.id desc limit :most",
        most=most,
        **binds,
    )
    reviews: dict[int, list[FlagReview]] = {row["id"]: [] for row in rows}
    for review in tx.all(
        "select * from flag_review where change in (select value from json_each(:ids)) order by id",
        FlagReviewRow,
        ids=json.dumps(list(reviews)),
    ):
        reviews[review["change"]].append(
            FlagReview(
                who=review["member"], decision=review["decision"], comment=review["comment"], at=review["at"]
            )
        )
    return [_shown(row, reviews[row["id"]]) for row in rows]


def one(tx: Read, place: ProjectEnvironment, change: int) -> FlagChange:
    """One change, with what it would change now."""
    (found,) = shown(tx, "c.id = :id", id=change)
    row = tx.stored("flag_change", [change])
    assert row is not None
    if is_open(row):
        found["preview"] = _preview(tx, place, row)
    elif row["why"] is not None:
        found["preview"] = {"diff": {}, "fits": False, "why": row["why"]}
    return found


def _preview(tx: Read, place: ProjectEnvironment, change: FlagChangeRow) -> Json:
    try:
        diff = tried(tx, place, requested_change(change)).diff
    except Problem as problem:
        return {"diff": {}, "fits": False, "why": problem.detail}
    return {"diff": {place.environment["key"]: diff}, "fits": True, "why": None}


def _shown(row: Row, reviews: list[FlagReview]) -> FlagChange:
    return FlagChange(
        id=row["id"],
        kind=row["kind"],
        target=row["target"],
        environment=row["environment_key"],
        instructions=json.loads(row["instructions"]),
        comment=row["comment"],
        status=row["status"],
        run_at=row["run_at"],
        reviews=reviews,
        requested_by=row["requested_by"],
        created_at=row["created_at"],
        plan=row["plan"],
        preview=None,
    )
