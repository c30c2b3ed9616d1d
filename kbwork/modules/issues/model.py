"""The words of issues."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Body, Day, Id, Input, Name, Number, Text, When, some_fields
from kbwork.core.references import ProjectRef
from kbwork.issuefields import ABOUT
from kbwork.modules.members import Member
from kbwork.modules.workflows import Category, Outcome

Priority = Literal["urgent", "high", "medium", "low", "none"]
PRIORITIES: tuple[Priority, ...] = ("urgent", "high", "medium", "low", "none")

Names = Annotated[list[Text], Field(max_length=100)]
SENTENCES = ABOUT
"""What describes a field of a shape in this file where nothing stands below it."""


class IssueCounts(TypedDict):
    """What hangs on an issue, as far as the caller sees it."""

    comments: int
    """Comments on it; internal ones are not counted for guests."""
    attachments: int
    """Files on it."""
    children: int
    """Issues right below it that the caller sees."""
    children_done: int
    """Those of `children` that are done."""
    votes: int
    """Members who voted for it."""
    watchers: int
    """Members who watch it."""
    checks: int
    """Items of its checklist."""
    checks_done: int
    """Items of its checklist that are ticked."""
    links: int
    """Web links on it."""


class Can(TypedDict):
    """What the caller may do with it."""

    edit: bool
    """Change its fields."""
    comment: bool
    """Comment on it."""
    move: bool
    """Move it to another lane or project."""
    delete: bool
    """Put it into the trash."""


class IssueRequest(TypedDict):
    """The customer's request that an issue is."""

    type: int | None
    """Id of the type of request."""
    customer: int | None
    """Id of the customer who asked."""
    channel: str | None
    """The way by which it came in."""
    company: int | None
    """Id of the customer's company."""


class IssueTransition(TypedDict):
    """A way that leads on from the issue's lane."""

    transition: str
    """Key of the transition in its workflow."""
    name: str
    """What the transition is called, such as `Finish`."""
    to_status: str
    """Key of the lane it leads to."""
    allowed: bool
    """Whether the caller may go this way now."""
    why: str | None
    """What closes it to the caller; null where it is open."""
    fields: list[dict[str, Any]]
    """What is asked for on the way."""
    approvers: list[str]
    """Who has to agree: members and teams; empty: nobody."""


class IssueFlagState(TypedDict):
    """A flag in one environment. `serves` is what everybody is served there: the name of the variation, else its value
    as JSON where that is short, else `variation <n>`, or `the caller's default`; null where it depends on who asks."""

    on: bool
    """Whether targeting is on there."""
    serves: str | None
    """What everybody is served there; null where it depends on who asks."""


class IssueFlag(TypedDict):
    """A feature flag that belongs to an issue. `project` is the key of its flag project, `environments` are that one's
    by key, in the order in which they were made. An archived flag serves the caller's default everywhere."""

    project: str
    """Key of its flag project."""
    key: str
    """Key of the flag."""
    name: str
    """What the flag is called."""
    archived: bool
    """Whether it is archived: clients answer their own default then."""
    environments: dict[str, IssueFlagState]
    """Its state by key of the environment."""


class Issue(TypedDict):
    """An issue as the caller sees it. Parts, from `relations` on, are there when they were asked for."""

    id: int
    """Number that stays the same when the key changes."""
    key: str
    """Key, such as `WEB-1`: that of its project and a number."""
    project: str
    type: str
    title: str
    body: str
    body_doc: str | None
    """The description as a rich document, ProseMirror JSON; null: Markdown alone."""
    status: str
    lane: str
    """Key of the lane it stands in."""
    category: Category
    """Category of the lane: not begun, in work or done."""
    outcome: Outcome | None
    """How it ended; null while it is not done."""
    priority: Priority
    assignees: list[str]
    reporter: str
    labels: list[str]
    components: list[str]
    parent: str | None
    level_no: int
    """Level of its type: 2 initiative, 1 epic, 0 work, -1 sub-task."""
    sprint: int | None
    past_sprints: list[int]
    """Ids of sprints that it was in before: done ones, and those that stay for the record."""
    milestone: int | None
    releases: list[str]
    """Releases that it is for; empty while projects have no releases."""
    affects: list[str]
    """Releases that it was seen in; empty while projects have no releases."""
    estimate: float | None
    spent_seconds: int
    """Seconds of work written down on it; 0 while there are no worklogs."""
    left_seconds: int | None
    """Seconds of work that are left; null: not known."""
    start_date: str | None
    due_date: str | None
    rank: str
    """Its place in the project's order: a text that sorts before those of issues behind it."""
    values: dict[str, Any]
    """Values of own fields by the field's key."""
    level: str | None
    locked: bool
    """Whether only leads and admins comment on it."""
    blocked: bool
    """Whether an open issue blocks it."""
    counts: IssueCounts
    """How many things of each sort hang on it."""
    request: IssueRequest | None
    """The customer's request that it is; null: none."""
    source: str | None
    """Where it came from, as its sender says; null: made here."""
    external: str | None
    """Its id at the sender; null: none."""
    watching: bool
    """Whether the caller watches it."""
    starred: bool
    """Whether the caller starred it, by `stars.set`."""
    can: Can
    """What the caller may do with it."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it: a member's id or `agent:<name>`."""
    updated_at: int
    """When it last changed, in Unix seconds."""
    status_at: int
    """When it came into its lane, in Unix seconds."""
    started_at: int | None
    """When work on it began, in Unix seconds; null: not yet."""
    done_at: int | None
    """When it was done, in Unix seconds; null: it is not."""
    archived_at: int | None
    """When it was archived, in Unix seconds; null: it is not."""
    seq: int
    """Number of its latest change, for `if_seq`."""
    path: str
    """Path of its page on this server."""
    relations: NotRequired[list["Relation"]]
    """With `relations`: how it stands to other issues."""
    children: NotRequired[list["Issue"]]
    """With `children`: the issues right below it."""
    transitions: NotRequired[list[IssueTransition]]
    """With `transitions`: the ways on from its lane."""
    checklist: NotRequired[dict[str, Any]]
    """With `checklist`: what is to be ticked off, as `checklists.list` answers it."""
    flags: NotRequired[list[IssueFlag]]
    """With `flags`: the feature flags that belong to it."""
    watchers: NotRequired[list[Member]]
    """With `watchers`: who watches it."""


IssueColumns = some_fields("IssueColumns", Issue, __name__)
"""An issue with those fields that were asked for."""


class RelatedIssue(TypedDict):
    """The other end of a relation."""

    key: str
    """Key of the issue."""
    title: str
    """Title of the issue."""
    status: str
    """Name of the lane it stands in."""
    category: Category
    """Category of that lane."""


class Relation(TypedDict):
    """A relation as it looks from one of its ends: `kind` is the key, `direction` `in` where this end is its object."""

    id: int
    """Id of the relation, for `issues.relation_delete`."""
    kind: str
    """Key of its kind, such as `blocks`."""
    direction: Literal["out", "in", "both"]
    """`out`: this end is its subject; `in`: its object; `both`: the kind has no direction."""
    issue: RelatedIssue
    """The issue at the other end."""
    lag_days: int
    """Days between the end of one and the start of the other, for scheduling."""
    created_by: str
    """Who related them: a member's id or `agent:<name>`."""
    created_at: int
    """When they were related, in Unix seconds."""


class RelationKind(TypedDict):
    """How issues can stand to each other: `blocks` and, the other way round, `blocked by`."""

    key: str
    """Key of the kind, such as `blocks`."""
    name: str
    """How the issue says it that the relation starts from: `blocks`."""
    inverse: str
    """How the other end says it: `blocked by`."""
    directed: bool
    """Whether its two ends differ."""
    blocks: bool
    """Whether it takes part in blocking and scheduling."""
    color: str
    """Colour as `#rrggbb`."""
    built_in: bool
    """Whether every org has it and it cannot be taken away."""


class WebLink(TypedDict):
    """A page elsewhere that belongs to an issue."""

    id: int
    """Id of the link, for `issues.link_delete`."""
    url: str
    """Address of the page."""
    title: str
    """What the page is called here."""
    kind: str
    """Sort of page, in a word, such as `design`."""
    icon: str | None
    """Address of its icon; null: none."""
    created_by: str
    """Who added it: a member's id or `agent:<name>`."""
    created_at: int
    """When it was added, in Unix seconds."""


FieldChange = TypedDict(
    "FieldChange",
    {
        "seq": Annotated[int, Field(description="Sequence number of the event that told the change.")],
        "at": Annotated[int, Field(description="When it changed, in Unix seconds.")],
        "who": Annotated[
            str, Field(description="Who changed it: a member's id, `agent:<name>` or `system`.")
        ],
        "via": Annotated[
            str | None, Field(description="Key or agent that did it in a person's name; null: none.")
        ],
        "field": Annotated[str, Field(description="Name of the field.")],
        "from": Annotated[Any, Field(description="What it held before, any JSON; null: nothing.")],
        "to": Annotated[Any, Field(description="What it holds since then, any JSON; null: nothing.")],
    },
)
"""One field's value before and after a change."""


class RelationInput(Input):
    kind: Text
    """Key or name of a kind, or its inverse name: `blocks`, `blocked by`."""
    key: Text
    """The issue at the other end, by key."""


class Imported(Input):
    """Where an issue was before: kept by an import, for admins only."""

    author: Name | None = None
    """Who reported it: a member, or the bare name of somebody who is none."""
    number: Id | None = None
    """The number to take, where it is free in the project."""
    created_at: When | None = None
    """When it was made, in Unix seconds."""
    updated_at: When | None = None
    """When it last changed, in Unix seconds."""
    done_at: When | None = None
    """When it was done, in Unix seconds."""
    outcome: Outcome | None = None
    """How it ended, for one that is done."""


class IssuesCreate(Input):
    project: ProjectRef
    title: Name
    type: Text | None = None
    """Key or name of a type of the project; its default unless given."""
    body: Body | None = None
    body_doc: Body | None = None
    """The description as a rich document too: ProseMirror JSON."""
    status: Text | None = None
    """A lane that one transition from the workflow's start leads to."""
    priority: Priority | None = None
    assignees: Annotated[list[Text], Field(max_length=20)] | None = None
    """Members, `agent:<name>` or `me`; the first leads."""
    labels: Names | None = None
    components: Names | None = None
    parent: Text | None = None
    sprint: Id | None = None
    """A planned or active sprint of its project."""
    milestone: Id | None = None
    releases: Names | None = None
    """Names of releases that it is for: none can be named in this version."""
    affects: Names | None = None
    """Names of releases that it was seen in: none can be named in this version."""
    estimate: Number | None = None
    start_date: Day | None = None
    due_date: Day | None = None
    values: dict[str, Any] | None = None
    """Values of own fields, by the field's key or name."""
    level: Text | None = None
    """`public`, `project` (unless given), `team:<id>` or `private`."""
    template: Id | None = None
    """A template of the org or the project: what it says counts where the input says nothing."""
    relations: Annotated[list[RelationInput], Field(max_length=50)] | None = None
    """Issues that it is related to from the start."""
    uploads: Annotated[list[Text], Field(max_length=20)] | None = None
    """Ids of files that you send to `/files/upload`, whole or not: each hangs on the issue when all of it is here."""
    source: Annotated[str, Field(max_length=2000)] | None = None
    """Where it comes from, in a word or address of yours."""
    external: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Id at the sender: a pair of project and external that exists answers that issue, without an event."""
    imported: Imported | None = None
    """What it was elsewhere, for admins who import."""


class IssueChanges(Input):
    """Fields of an issue as they are to be; those that are not named stay."""

    title: Name | None = None
    body: Body | None = None
    body_doc: Body | None = None
    """The description as a rich document too: ProseMirror JSON."""
    priority: Priority | None = None
    labels: Names | None = None
    """The whole list; `[]` takes all off."""
    components: Names | None = None
    """Names of components, the whole list; `[]` takes all off."""
    parent: Text | None = None
    """An empty string clears it."""
    sprint: Id | None = None
    """A planned or active sprint of its project; null takes it out of its sprint."""
    milestone: Id | None = None
    releases: Names | None = None
    """Names of releases that it is for: none can be named in this version."""
    affects: Names | None = None
    """Names of releases that it was seen in: none can be named in this version."""
    estimate: Number | None = None
    start_date: Day | Literal[""] | None = None
    """First day, `YYYY-MM-DD`; an empty text clears it."""
    due_date: Day | Literal[""] | None = None
    """Last day, `YYYY-MM-DD`; an empty text clears it."""
    reporter: Text | None = None
    """For leads and admins."""
    values: dict[str, Any] | None = None
    """Own fields by key; null clears one, others stay."""
