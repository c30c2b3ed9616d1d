"""The words of issues."""

from typing import Any, ClassVar, Literal, NotRequired

from typing_extensions import TypedDict

from kbwork.base.events import Event
from kbwork.modules.members.model import Member
from kbwork.modules.workflows.model import Category, Outcome

Priority = Literal["urgent", "high", "medium", "low", "none"]
PRIORITIES: tuple[Priority, ...] = ("urgent", "high", "medium", "low", "none")


class IssueCounts(TypedDict):
    """What hangs on an issue, as far as the caller sees it."""

    comments: int
    attachments: int
    children: int
    children_done: int
    votes: int
    watchers: int
    checks: int
    checks_done: int
    links: int


class Can(TypedDict):
    """What the caller may do with it."""

    edit: bool
    comment: bool
    move: bool
    delete: bool


class IssueRequest(TypedDict):
    """The customer's request that an issue is."""

    type: int | None
    customer: int | None
    channel: str | None
    company: int | None


class IssueTransition(TypedDict):
    """A way that leads on from the issue's lane."""

    transition: str
    name: str
    to_status: str
    allowed: bool
    why: str | None
    fields: list[dict[str, Any]]
    approvers: list[str]


class Issue(TypedDict):
    """An issue as the caller sees it. `children`, `transitions` and `watchers` are there when they were asked for."""

    id: int
    key: str
    project: str
    type: str
    title: str
    body: str
    body_doc: str | None
    status: str
    lane: str
    category: Category
    outcome: Outcome | None
    priority: Priority
    assignees: list[str]
    reporter: str
    labels: list[str]
    components: list[str]
    parent: str | None
    level_no: int
    sprint: int | None
    past_sprints: list[int]
    milestone: int | None
    releases: list[str]
    affects: list[str]
    estimate: float | None
    spent_seconds: int
    left_seconds: int | None
    start_date: str | None
    due_date: str | None
    rank: str
    values: dict[str, Any]
    level: str | None
    locked: bool
    blocked: bool
    counts: IssueCounts
    request: IssueRequest | None
    source: str | None
    external: str | None
    watching: bool
    starred: bool
    can: Can
    created_at: int
    created_by: str
    updated_at: int
    status_at: int
    started_at: int | None
    done_at: int | None
    archived_at: int | None
    seq: int
    path: str
    children: NotRequired[list[Any]]
    transitions: NotRequired[list[IssueTransition]]
    watchers: NotRequired[list[Member]]


FieldChange = TypedDict(
    "FieldChange",
    {"seq": int, "at": int, "who": str, "via": str | None, "field": str, "from": Any, "to": Any},
)
"""One field's value before and after a change."""


class IssueCreated(Event):
    kind = "issue.created"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    inverse = "issue.deleted"


class IssueUpdated(Event):
    kind = "issue.updated"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}


class IssueAssigned(Event):
    kind = "issue.assigned"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"added": payload["removed"], "removed": payload["added"]}


class IssueTransitioned(Event):
    kind = "issue.transitioned"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        back = payload | {
            "transition": "undo",
            "from": payload["to"],
            "to": payload["from"],
            "from_category": payload["to_category"],
            "to_category": payload["from_category"],
            "outcome": changes["outcome"][1] if "outcome" in changes else payload["outcome"],
            "seconds_in_lane": ago_s,
        }
        back.pop("reopened", None)
        if back["from_category"] == "done" and back["to_category"] != "done":
            back["reopened"] = True
        return back


class IssueParentChanged(Event):
    kind = "issue.parent_changed"
    names: ClassVar[dict[str, str]] = {"parent": "issue", "from": "issue", "to": "issue"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from": payload["to"], "to": payload["from"]}


class IssueDeleted(Event):
    kind = "issue.deleted"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    inverse = "issue.restored"


class IssueRestored(Event):
    kind = "issue.restored"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    inverse = "issue.deleted"
