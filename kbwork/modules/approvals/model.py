"""The words of approvals."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

State = Literal["pending", "approved", "rejected", "cancelled", "done"]
OPEN: tuple[State, ...] = ("pending", "approved")
UNDO = "what was asked and decided stands: ask anew"
Note = Annotated[str, Field(max_length=2000)]


class Vote(TypedDict):
    """What one of those who are asked said."""

    who: str
    """Id of the member."""
    approve: bool
    """Whether they agree."""
    note: str
    """What they said to it; empty: nothing."""
    at: int
    """When they said so last, in Unix seconds."""


class ApprovalRequest(TypedDict):
    """A request that others agree before an issue goes a way of its workflow."""

    id: int
    """Id of the request."""
    key: str
    """Key of the issue."""
    title: str
    """Title of the issue."""
    to_status: str
    """Key of the lane that it is to go to."""
    transition: str
    """Key of the transition that leads there."""
    approvers: list[str]
    """Ids of the members who are asked: teams and fields as the people they stood for when it was asked."""
    needed: int
    """How many of them have to agree."""
    approvals: int
    """How many of them agree so far."""
    note: str
    """What whoever asked said to it; empty: nothing."""
    requested_by: str
    """Who asked: a member's id."""
    state: State
    """`pending` waits for votes, `approved` is ready to move, `done` was moved."""
    created_at: int
    """When it was asked, in Unix seconds."""
    decided_at: int | None
    """When votes or a withdrawal decided it, in Unix seconds; null: it waits."""
    votes: list[Vote]
    """What was said, oldest first."""
    can_decide: bool
    """Whether the caller may approve or reject it now."""


class ApprovalDecision(TypedDict):
    """What came of a vote."""

    request: ApprovalRequest
    """The request as it stands now."""
    moved: bool
    """Whether the issue moved with it."""
    blocked: NotRequired[str]
    """Why it did not move though enough agree; there only where that is so."""


class ApprovalEvent(DomainEvent):
    part = "request"
    stands = True


class ApprovalRequested(ApprovalEvent):
    kind = "approval.requested"


class ApprovalVoted(ApprovalEvent):
    kind = "approval.voted"


class ApprovalApproved(ApprovalEvent):
    kind = "approval.approved"


class ApprovalRejected(ApprovalEvent):
    kind = "approval.rejected"


class ApprovalCancelled(ApprovalEvent):
    kind = "approval.cancelled"


class ApprovalMoved(ApprovalEvent):
    kind = "approval.moved"
