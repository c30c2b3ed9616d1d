"""The operations of change requests: list, look at, make, review, apply, cancel (withdraw)."""

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Id, Input
from kbwork.base.text import whole_number
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import FlagChangeRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access, portion
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.change.schedules import moment
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    UNDO,
    ChangeApplied,
    ChangeCancelled,
    ChangeRequested,
    ChangeReviewed,
    Decision,
    EnvironmentRef,
    FlagChange,
    FlagPlanMoved,
    FlagProjectRef,
    FlagUpdated,
    Instructions,
    Moment,
    Ref,
    Remark,
    SegmentDeleted,
    SegmentUpdated,
    Status,
    TargetKind,
)
from kbwork.modules.flags.portion import Portion

_APPLIES = (ChangeApplied, FlagPlanMoved, FlagUpdated, SegmentUpdated, SegmentDeleted)


class FlagsChanges(Portion):
    project: FlagProjectRef
    status: Status | None = None
    """Only those with this status."""
    environment: EnvironmentRef | None = None


@read(
    "flags.changes",
    scope="flags:read",
    words=(
        "pending flag approvals, open change requests, what waits for my approval, who wants to change flags"
    ),
    example={"project": "web"},
)
def changes(tx: Read, args: FlagsChanges) -> list[FlagChange]:
    """List the change requests of a flag project, newest first, the last thousand; with `limit` a part, and behind the
    last thousand, too."""
    project = access.project(tx, args.project)
    environment = (
        access.environment(tx, project, args.environment)["id"] if args.environment is not None else None
    )
    found = requests.shown(
        tx,
        "c.project = :project and (:status is null or c.status = :status)"
        " and (:environment is null or c.environment = :environment) and (:before is null or c.id < :before)",
        most=most if (most := portion.most(args)) >= 0 else requests.MOST,
        project=project["id"],
        status=args.status,
        environment=environment,
        before=_number(args.cursor),
    )
    return portion.bounded(args, found, lambda change: len(packed(change["instructions"])))


def _number(cursor: str | None) -> int | None:
    """Raises InvalidInput where it is no id."""
    found = whole_number(cursor) if cursor is not None else None
    if cursor is not None and found is None:
        raise InvalidInput("`cursor` should be the id of a change request.", field="cursor")
    return found


class FlagsChangeGet(Input):
    project: FlagProjectRef
    id: Id
    """Id of the change request."""


@read(
    "flags.change_get",
    scope="flags:read",
    words="details of a change request, show a flag approval",
    threaded=True,
    example={"project": "web", "id": 1},
)
def change_get(tx: Read, args: FlagsChangeGet) -> FlagChange:
    """Look at a change request. While it is open `preview` says what it would change now, or why it does not fit."""
    project = access.project(tx, args.project)
    change, place = requests.find(tx, project, args.id)
    return requests.one(tx, place, change["id"])


class FlagsChangeCreate(Tried):
    project: FlagProjectRef
    kind: TargetKind
    """Whether a flag or a segment is to change."""
    target: Ref
    """Key of the flag or segment."""
    environment: EnvironmentRef
    instructions: Instructions
    """What is to be done, in order."""
    comment: Remark | None = None
    """Why, for those who approve."""
    run_at: Moment | None = None
    """When it is to be applied once it is approved: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`."""


@write(
    "flags.change_create",
    scope="flags:write",
    words="request a flag change, ask for approval, approval for a rollout, propose a change to a flag, change request",
    undo=UNDO,
    emits=[ChangeRequested, FlagUpdated, SegmentUpdated, SegmentDeleted],
    example={
        "project": "web",
        "kind": "flag",
        "target": "checkout",
        "environment": "test",
        "instructions": [{"kind": "turnFlagOn"}],
        "comment": "After the talk with support",
    },
)
def change_create(tx: Write, args: FlagsChangeCreate) -> FlagChange:
    """Ask for a change of a flag's targeting, or of a segment. It is applied once enough people approve it.

    `deleteSegment`, alone, asks for a segment to be deleted.

    What does not fit now is refused now (422, 409). Instructions that change nothing are 422.
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    run_at = moment(tx, args.run_at) if args.run_at is not None else None
    target = access.flag(tx, place.project, args.target)["key"] if args.kind == "flag" else args.target
    asked = RequestedChange(args.kind, target, args.instructions, args.comment or "", run_at)
    if not requests.tried(tx, place, asked).diff:
        raise InvalidInput("These instructions change nothing.", field="instructions")
    change = requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
    return done(args, requests.one(tx, place, change["id"]))


class FlagsChangeReview(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the change request."""
    decision: Decision
    """What you decide; `comment` decides nothing."""
    comment: Remark | None = None
    """Needed with `comment`."""


@write(
    "flags.change_review",
    scope="flags:write",
    words=("approve a flag change, reject, decline a change request, sign off, review the request, accept"),
    people="session",
    undo="a review stands: ask for another change",
    emits=[ChangeReviewed, *_APPLIES],
    example={"project": "web", "id": 1, "decision": "comment", "comment": "From when on?"},
)
def change_review(tx: Write, args: FlagsChangeReview) -> FlagChange:
    """Approve or decline a change request, or say something to it. Signed-in people alone may, never a key.

    Once it has as many approvals as the environment asks for it is applied, at its time where it has one; one that
    does not fit any more has failed. One decline is enough. Your own you may approve only where the environment allows
    it (403). One that was decided is 409.
    """
    project = access.editable_project(tx, args.project)
    change, place = requests.find(tx, project, args.id)
    _require_status(change, "pending")
    if args.decision == "comment" and not (args.comment or "").strip():
        raise InvalidInput("A comment needs its text.", field="comment")
    if args.decision == "approve":
        approvals.require_reviewer(tx, place.environment, change)
    tx.insert(
        "flag_review",
        change=change["id"],
        member=tx.caller.me(),
        decision=args.decision,
        comment=args.comment or "",
        at=tx.now,
    )
    payload = requests.told(place, change) | {"decision": args.decision}
    tx.emit(ChangeReviewed(subject=requests.subject(tx, place, change), payload=payload))
    _move_on(tx, place, change, args.decision)
    return done(args, requests.one(tx, place, change["id"]))


class FlagsChangeApply(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the change request."""


@write(
    "flags.change_apply",
    scope="flags:write",
    words="apply the approved change now, ship the approved flag change",
    undo=UNDO,
    emits=_APPLIES,
    example={"project": "web", "id": 1},
)
def change_apply(tx: Write, args: FlagsChangeApply) -> FlagChange:
    """Apply an approved change now, whose time has not come. Agents leave it to its time (403).

    One that lacks approvals, was decided, or does not fit any more is 409.
    """
    project = access.editable_project(tx, args.project)
    change, place = requests.find(tx, project, args.id)
    _require_status(change, "pending", "approved")
    if not approvals.enough(tx, place, change):
        count, wanted = approvals.counted(tx, place, change), place.environment["min_approvals"]
        raise Conflict(f"It has {count} of {wanted} approvals.")
    if approvals.as_agent(tx):
        raise NotAllowed("Approved changes are applied early by people; it is applied when its time comes.")
    requests.apply(tx, place, change)
    return done(args, requests.one(tx, place, change["id"]))


class FlagsChangeCancel(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the change request."""


@write(
    "flags.change_cancel",
    scope="flags:write",
    words="withdraw a change request, cancel my flag change",
    undo="a change that was cancelled is asked for again",
    emits=[ChangeCancelled, FlagPlanMoved],
    example={"project": "web", "id": 1},
)
def change_cancel(tx: Write, args: FlagsChangeCancel) -> FlagChange:
    """Take a change request back: whoever asked for it may, and admins. One that was decided is 409."""
    project = access.project(tx, args.project)
    change, place = requests.find(tx, project, args.id)
    if change["requested_by"] != tx.caller.actor and not tx.caller.admin:
        raise NotAllowed("A change is taken back by whoever asked for it, or by admins.")
    _require_status(change, "pending", "approved")
    requests.give_up(tx, place, change, "cancelled")
    subject = requests.subject(tx, place, change)
    tx.emit(ChangeCancelled(subject=subject, payload=requests.told(place, change)))
    return done(args, requests.one(tx, place, change["id"]))


def _move_on(tx: Write, place: ProjectEnvironment, change: FlagChangeRow, decision: Decision) -> None:
    """What a review decides: one decline is enough, and so are so many approvals."""
    if decision == "decline":
        requests.give_up(tx, place, change, "declined")
    elif decision == "approve":
        requests.move_on(tx, place, change)


def _require_status(change: FlagChangeRow, *wanted: Status) -> None:
    if change["status"] not in wanted:
        raise Conflict(f"This change is {change['status']} already.")
