"""Ask others to agree before an issue moves, look at what was asked, vote, take back."""

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, WorkflowRefused
from kbwork.base.model import Id, Input, Text
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import ApprovalRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.approvals import asked, requests, votes
from kbwork.modules.approvals.model import (
    UNDO,
    ApprovalApproved,
    ApprovalCancelled,
    ApprovalDecision,
    ApprovalMoved,
    ApprovalRejected,
    ApprovalRequest,
    ApprovalRequested,
    ApprovalVoted,
    Note,
)
from kbwork.modules.issues import engine, preconditions
from kbwork.modules.projects import access
from kbwork.modules.workflows import TransitionStep, WorkflowPosition, evaluation, lanes


class ApprovalsList(Input):
    key: IssueRef


@read(
    "approvals.list",
    scope="issues:read",
    words=(
        "who approved this, approval history of an issue, is it approved, what does it wait for, "
        "who has to sign off, votes"
    ),
    example={"key": "WEB-1"},
)
def list_(tx: Read, args: ApprovalsList) -> list[ApprovalRequest]:
    """List what was asked to be approved of an issue, newest first, the last thousand."""
    row = issues.get(tx, args.key)
    found = tx.column(
        "select id from approval where issue = :issue order by id desc limit :most",
        issue=row["id"],
        most=requests.MOST,
    )
    return requests.shown(tx, found)


class ApprovalsMine(Input):
    pass


@read(
    "approvals.mine",
    scope="issues:read",
    words=(
        "what waits for my approval, what do I have to approve, my approvals, pending sign-offs, "
        "decisions I owe, did they approve what I asked for"
    ),
    example={},
)
def mine(tx: Read, args: ApprovalsMine) -> list[ApprovalRequest]:
    """List what you may decide now, oldest first; then what you asked for yourself and is pending or approved."""
    me = tx.caller.actor
    waiting = tx.column(
        "select approval from approval_approver where who = :me and waits order by approval limit :most",
        me=me,
        most=requests.MOST,
    )
    own = tx.column(
        "select id from approval where requested_by = :me and state in ('pending', 'approved') order by id limit :most",
        me=me,
        most=requests.MOST,
    )
    decidable = [one for one in requests.shown(tx, waiting) if one["can_decide"]]
    there = {one["id"] for one in decidable}
    return decidable + requests.shown(tx, [one for one in own if one not in there])


class ApprovalsRequest(Input):
    key: IssueRef
    to_status: Text
    """The lane it is to go to, by key or name: a transition that has approvers leads there."""
    note: Note | None = None
    """What those who decide should know."""


@write(
    "approvals.request",
    scope="issues:write",
    words=(
        "ask for approval, request sign-off, get permission to close, send for approval, "
        "ask the manager, ask to release, needs approval"
    ),
    undo=UNDO,
    emits=[ApprovalRequested],
    example={"key": "WEB-5", "to_status": "in_progress", "note": "Tried on the copy"},
)
def request(tx: Write, args: ApprovalsRequest) -> ApprovalRequest:
    """Ask those whom a transition names to agree before an issue moves along it. Whoever may move it so may ask.

    Teams and fields are asked as the people they stand for now. An issue has one open request for each lane (409). A
    lane that no transition leads to from here, or one that asks nobody, is 422. Editing a field that the transition
    watches, and moving or deleting the issue, cancels the request.
    """
    row = preconditions.changeable(tx, args.key)
    way = _way(tx, row, args.to_status)
    people = asked.approvers(tx, row, way.step)
    if not people:
        raise Conflict(
            f"Nobody is there who could approve {way.step.transition['name']}: fill in the field that names them, or "
            "have an admin name others in the workflow."
        )
    able, needed = len(asked.deciding(tx, row, way.step, people)), asked.needed(way.step)
    if able < needed:
        raise Conflict(
            f"{way.step.transition['name']} needs {needed} to agree, and {able} could: nobody decides their own request"
            " there, and no others are named. Have an admin name more people in the workflow, or somebody else ask."
        )
    if any(one["to_status"] == way.step.to["key"] for one in requests.open_of(tx, row["id"])):
        raise Conflict(
            f"{issues.key_of(tx, row)} has an open request for {way.step.to['name']} already; approvals.list shows it."
        )
    ident = requests.make(
        tx, row, way.step, people, requests.Wish(asked.watched(way.step, way.at), args.note or "")
    )
    return requests.one(tx, ident)


class ApprovalsDecide(Input):
    id: Id
    """Id of the request."""
    approve: bool
    """true agrees; one false rejects the request."""
    note: Note | None = None
    """What you say to it."""


@write(
    "approvals.decide",
    scope="issues:write",
    words=(
        "approve the request, reject, sign off, decline, give my approval, refuse, vote on a change, "
        "agree to close, change my vote"
    ),
    people="people",
    undo=UNDO,
    emits=[ApprovalVoted, ApprovalApproved, ApprovalRejected, ApprovalMoved, ApprovalCancelled],
    example={"id": 1, "approve": True, "note": "Looks right"},
)
def decide(tx: Write, args: ApprovalsDecide) -> ApprovalDecision:
    """Approve or reject a request that asks you: by a session or a personal key, never as an agent (403).

    One no rejects it. You may change your vote while it is pending; one that was decided is 409. Your own requests
    you decide only where the transition allows it. Once enough agree the issue moves at once, with the rights of
    whoever asked; what stands against that is answered as `blocked`, and they can move it when it is mended.
    """
    found, row = requests.find(tx, args.id)
    _require_decider(tx, found)
    if found["state"] != "pending":
        raise Conflict(f"This request is {found['state']} already.")
    preconditions.require_awake(tx, row)
    moved, blocked = votes.cast(tx, found, row, approve=args.approve, note=args.note or "")
    answer = ApprovalDecision(request=requests.one(tx, found["id"]), moved=moved)
    if blocked is not None:
        answer["blocked"] = blocked
    return answer


class ApprovalsCancel(Input):
    id: Id
    """Id of the request."""


@write(
    "approvals.cancel",
    scope="issues:write",
    words="take back my request for approval, withdraw the approval request, cancel the sign-off",
    undo=UNDO,
    emits=[ApprovalCancelled],
    example={"id": 1},
)
def cancel(tx: Write, args: ApprovalsCancel) -> ApprovalRequest:
    """Take a request back that is pending or approved: whoever asked may, leads of the project and admins.

    One that was decided otherwise is 409.
    """
    found, row = requests.find(tx, args.id)
    if found["requested_by"] != tx.caller.actor and not access.at_least(tx, row["project"], "lead"):
        raise NotAllowed("A request is taken back by whoever asked, by leads of the project and by admins.")
    if not requests.is_open(found):
        raise Conflict(f"This request is {found['state']} already.")
    requests.close(tx, found, row, "cancelled", ApprovalCancelled, who=tx.caller.actor)
    return requests.one(tx, found["id"])


@dataclass(frozen=True, slots=True)
class _Way:
    """A transition that has approvers, and where the issue stands."""

    step: TransitionStep
    at: WorkflowPosition


def _way(tx: Read, row: IssueRow, to_status: str) -> _Way:
    """The first way by approval that the caller may go there. Raises InvalidInput or WorkflowRefused."""
    target = lanes.by_name(tx, to_status, field="to_status")
    at = engine.standing_of(tx, row)
    steps = [step for step in engine.available(tx, row, at) if step.to["id"] == target["id"]]
    if not steps:
        raise InvalidInput(
            f"No transition leads from {at.lane['name']} to {target['name']} now; issues.transitions shows those that "
            "do.",
            field="to_status",
        )
    asking = [step for step in steps if step.transition["approvers"]]
    if not asking:
        raise InvalidInput(
            f"{steps[0].transition['name']} asks nobody to agree: issues.transition moves the issue.",
            field="to_status",
        )
    step = next((step for step in asking if evaluation.who_refuses(step.transition, at) is None), asking[0])
    if (refusal := evaluation.who_refuses(step.transition, at)) is not None:
        raise WorkflowRefused(f"{refusal}.", rule="who")
    return _Way(step, at)


def _require_decider(tx: Read, found: ApprovalRow) -> None:
    me = tx.caller.me()
    if tx.stored("approval_approver", [found["id"], me]) is None:
        raise NotAllowed("This request asks others: approvals.list says whom.")
    if me == found["requested_by"] and not found["self_approval"]:
        raise NotAllowed(
            "Your own request is decided by others: the transition does not let you decide it yourself."
        )
