"""The words of issues."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Body, Day, Id, Input, Name, Number, Text, When
from kbwork.modules.members import Member
from kbwork.modules.workflows import Category, Outcome

Priority = Literal["urgent", "high", "medium", "low", "none"]
PRIORITIES: tuple[Priority, ...] = ("urgent", "high", "medium", "low", "none")

Names = Annotated[list[Text], Field(max_length=100)]


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


class IssueFlagState(TypedDict):
    """A flag in one environment. `serves` is what everybody is served there: the name of the variation, else its value
    as JSON where that is short, else `variation <n>`, or `the caller's default`; null where it depends on who asks."""

    on: bool
    serves: str | None


class IssueFlag(TypedDict):
    """A feature flag that belongs to an issue. `project` is the key of its flag project, `environments` are that one's
    by key, in the order in which they were made. An archived flag serves the caller's default everywhere."""

    project: str
    key: str
    name: str
    archived: bool
    environments: dict[str, IssueFlagState]


class Issue(TypedDict):
    """An issue as the caller sees it. Parts, from `relations` on, are there when they were asked for."""

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
    relations: NotRequired[list["Relation"]]
    children: NotRequired[list[Any]]
    transitions: NotRequired[list[IssueTransition]]
    checklist: NotRequired[dict[str, Any]]
    flags: NotRequired[list[IssueFlag]]
    watchers: NotRequired[list[Member]]


class RelatedIssue(TypedDict):
    """The other end of a relation."""

    key: str
    title: str
    status: str
    category: Category


class Relation(TypedDict):
    """A relation as it looks from one of its ends: `kind` is the key, `direction` `in` where this end is its object."""

    id: int
    kind: str
    direction: Literal["out", "in", "both"]
    issue: RelatedIssue
    lag_days: int
    created_by: str
    created_at: int


class RelationKind(TypedDict):
    """How issues can stand to each other: `blocks` and, the other way round, `blocked by`."""

    key: str
    name: str
    inverse: str
    directed: bool
    blocks: bool
    color: str
    built_in: bool


class WebLink(TypedDict):
    """A page elsewhere that belongs to an issue."""

    id: int
    url: str
    title: str
    kind: str
    icon: str | None
    created_by: str
    created_at: int


FieldChange = TypedDict(
    "FieldChange",
    {"seq": int, "at": int, "who": str, "via": str | None, "field": str, "from": Any, "to": Any},
)
"""One field's value before and after a change."""


class RelationInput(Input):
    kind: Text
    key: Text


class Imported(Input):
    """Where an issue was before: kept by an import, for admins only."""

    author: Name | None = None
    """Who reported it: a member, or the bare name of somebody who is none."""
    number: Id | None = None
    """The number to take, where it is free in the project."""
    created_at: When | None = None
    updated_at: When | None = None
    done_at: When | None = None
    outcome: Outcome | None = None


class IssuesCreate(Input):
    project: Text
    title: Name
    type: Text | None = None
    """Key or name of a type of the project; its default unless given."""
    body: Body | None = None
    body_doc: Body | None = None
    status: Text | None = None
    """A lane that one transition from the workflow's start leads to."""
    priority: Priority | None = None
    assignees: Annotated[list[Text], Field(max_length=20)] | None = None
    """Members, `agent:<name>` or `me`; the first leads."""
    labels: Names | None = None
    components: Names | None = None
    parent: Text | None = None
    sprint: Id | None = None
    milestone: Id | None = None
    releases: Names | None = None
    affects: Names | None = None
    estimate: Number | None = None
    start_date: Day | None = None
    due_date: Day | None = None
    values: dict[str, Any] | None = None
    level: Text | None = None
    """`public`, `project` (unless given), `team:<id>` or `private`."""
    template: Id | None = None
    """A template of the org or the project: what it says counts where the input says nothing."""
    relations: Annotated[list[RelationInput], Field(max_length=50)] | None = None
    source: Annotated[str, Field(max_length=2000)] | None = None
    external: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Id at the sender: a pair of project and external that exists answers that issue, without an event."""
    imported: Imported | None = None


class IssueChanges(Input):
    """Fields of an issue as they are to be; those that are not named stay."""

    title: Name | None = None
    body: Body | None = None
    body_doc: Body | None = None
    priority: Priority | None = None
    labels: Names | None = None
    """The whole list; `[]` takes all off."""
    components: Names | None = None
    parent: Text | None = None
    """An empty string clears it."""
    sprint: Id | None = None
    milestone: Id | None = None
    releases: Names | None = None
    affects: Names | None = None
    estimate: Number | None = None
    start_date: Day | Literal[""] | None = None
    due_date: Day | Literal[""] | None = None
    reporter: Text | None = None
    """For leads and admins."""
    values: dict[str, Any] | None = None
    """Own fields by key; null clears one, others stay."""
