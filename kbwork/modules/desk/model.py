"""The words of service desks."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.modules.workflows import Category

Channel = Literal["portal", "mail", "chat", "phone", "walk_in"]
Result = Literal["created", "commented", "ignored"]
FormValues = Annotated[
    dict[str, Any],
    Field(max_length=100, description="Answers by key of the question, from desk.portal_form."),
]
NOT_TAKEN_BACK = "it was told to somebody outside: do what is right now"


class Desk(TypedDict):
    """A project whose customers ask for things on the portal, by mail or by chat."""

    project: str
    """Key of the project."""
    name: str
    """What customers read."""
    intro: str
    """What stands above its request types, in Markdown; empty: nothing."""
    enabled: bool
    """Whether the portal shows it, and requests come in."""
    open_signup: bool
    """Whether anybody may make a portal account; otherwise agents add customers."""
    kb_space: str | None
    """Key of the space of pages whose published articles the portal suggests; null: none."""
    show_agents: bool
    """Whether customers read the names of those who answer; otherwise the desk's."""
    survey: bool
    """Whether customers are asked how it went when a request is closed."""
    reopen_days: int | None
    """So many days after it was closed a customer may reopen a request; null: always."""
    languages: list[str]
    """Languages that the desk answers in, such as `en`; empty: not said."""
    logo: str | None
    """Its picture: the id of a file of its project, or a path of this site; null: that of the org."""
    reply_to: str | None
    """Address that answers to the desk's letters go to; null: that of the server."""


class DeskCustomer(TypedDict):
    """Somebody outside who asks for things: no member, and nothing but the portal is for them."""

    id: int
    """Id of the customer."""
    name: str
    """What they are called."""
    email: str
    """Their address, which no other customer has in any case."""
    active: bool
    """Whether they have a password."""
    blocked: bool
    """Whether they are shut out."""
    requests: int
    """Requests that they made, as far as the caller sees them."""
    created_at: int
    """When they became one, in Unix seconds."""
    last_seen_at: int | None
    """When they were on the portal last, in Unix seconds; null: never."""
    locale: str | None
    """The language that they want to be answered in, such as `en`; null: they did not say."""
    notify: bool
    """Whether they are mailed what is said."""
    limited: bool
    """Whether an agent made their password, which opens that agent's desks alone."""


class CustomerPassword(TypedDict):
    customer: DeskCustomer
    """Whom the password is for."""
    password: str
    """What they sign in to the portal with, shown this once."""


class RequestField(TypedDict):
    """A question of a form."""

    field: str
    """Key of an own field, or `description`, `priority` or `due_date`."""
    label: str
    """What the customer reads; empty: the field's own name."""
    help: str
    """What to fill in; empty: the field's own description."""
    required: bool
    """Whether it must be answered where it is shown."""
    show_if: dict[str, Any] | None
    """Condition on what was answered before it, any JSON such as {`field`, `op`, `value`}; null: it is always shown."""


class RequestType(TypedDict):
    """What may be asked for at a desk."""

    id: int
    """Id of the request type."""
    project: str
    """Key of the desk's project."""
    name: str
    """What customers choose it by."""
    description: str
    """What it is for; empty: nothing said."""
    icon: str
    """Name of its picture; empty: none."""
    group: str
    """Heading that it stands under; empty: none."""
    issue_type: str
    """Key of the issue type that a request becomes."""
    fields: list[RequestField]
    """The form, in order."""
    approvers: list[str]
    """Who has to agree first: members, teams and customers."""
    template: int | None
    """Id of the issue template that fills in what the form does not ask; null: none."""
    position: float
    """Its place among the others."""
    hidden: bool
    """Whether customers do not see it; its requests stay."""


class PortalRequest(TypedDict):
    """A request as its customers see it."""

    key: str
    """Key of the issue that it is."""
    title: str
    """What was asked for."""
    desk: str
    """Name of the desk."""
    request_type: str
    """Name of the request type; empty: it came by mail or chat, or was made one."""
    status: str
    """Name of the lane that it stands in."""
    category: Category
    """How far it is."""
    created_at: int
    """When it was made, in Unix seconds."""
    updated_at: int
    """When its status or what was said last changed, in Unix seconds."""


class PortalComment(TypedDict):
    """What was said on a request."""

    id: int
    """Id of the comment."""
    author: str
    """Name of who said it, as the desk shows it."""
    mine: bool
    """Whether it was the caller."""
    body: str
    """Text in Markdown."""
    created_at: int
    """When it was said, in Unix seconds."""


class PortalParticipants(TypedDict):
    participants: list[str]
    """Who else sees the request: their addresses, or the names of those who have none."""


class PortalSurvey(TypedDict):
    """How a customer rates a request that is closed."""

    token: str
    """What desk.portal_survey takes."""
    score: int | None
    """What they gave, of five; null: nothing yet."""
    comment: str
    """What they said with it; empty: nothing."""


class PortalFile(TypedDict):
    id: str
    """Id of the file."""
    name: str
    """What it is called."""
    size: int
    """Its size in bytes."""
    created_at: int
    """When it came, in Unix seconds."""


class PortalThread(TypedDict):
    """A request with what was said on it last, oldest first."""

    request: PortalRequest
    """How it stands."""
    description: str
    """Its text, in Markdown; empty: none."""
    comments: list[PortalComment]
    """What was said to its customers, and by them, fifty at most."""
    older: str | None
    """What to pass as `cursor` for what was said before that; null: this is where it begins."""
    files: list[PortalFile]
    """Files that its customers sent, and those on what was said to them, oldest first."""
    survey: PortalSurvey | None
    """How whoever asked rates it now; null: that is not asked, or not any more."""


class PortalType(TypedDict):
    """What may be asked for."""

    id: int
    """Id of the request type."""
    name: str
    """What it is called."""
    description: str
    """What it is for; empty: nothing said."""
    icon: str
    """Name of its picture; empty: none."""
    group: str
    """Heading that it stands under; empty: none."""


class PortalDesk(TypedDict):
    """A desk that is open, as anybody sees it."""

    project: str
    """Key of its project."""
    name: str
    """What it is called."""
    intro: str
    """What it says of itself, in Markdown; empty: nothing."""
    open_signup: bool
    """Whether anybody may make an account."""
    has_articles: bool
    """Whether there are help articles."""
    languages: list[str]
    """Languages that it answers in, such as `en`; empty: not said."""
    logo: str | None
    """Path of its picture on this site; null: that of the org."""
    types: list[PortalType]
    """What may be asked for, in order."""


class PortalField(TypedDict):
    """A question, once the given values are applied."""

    key: str
    """By which `values` names it."""
    label: str
    """What to read."""
    help: str
    """What to fill in; empty: nothing said."""
    kind: str
    """What an answer is, as `kind` of own fields has it."""
    required: bool
    """Whether it must be answered."""
    options: list[Any]
    """What may be chosen, any JSON that is an answer: names, or paths of names; empty: nothing."""
    value: Any
    """What was given, or what stands there at first, any JSON; null: nothing."""
    shown: bool
    """Whether it is asked at all; what is not is not kept."""


class PortalForm(TypedDict):
    fields: list[PortalField]
    """What the form asks, in order."""


class PortalSession(TypedDict):
    customer: DeskCustomer
    """Who is signed in now."""
    token: str
    """Bearer token of the portal's operations, shown this once; it lives thirty days."""


class PortalSignup(TypedDict):
    customer: DeskCustomer | None
    """Who is signed in now; null: a letter says how to go on."""
    token: str | None
    """Bearer token of the portal's operations, shown this once; null likewise."""
    verify: bool
    """Whether a letter was sent to the address."""


class Intake(TypedDict):
    """What became of a mail or message."""

    key: str
    """Key of the request; empty: there is none."""
    reply: str
    """What to tell the sender; empty: nothing."""
    result: Result
    """`ignored`: nothing was kept of it."""


class MailPath(TypedDict):
    path: str
    """Where mail is posted, below the address of this site. It opens the desk: give it to the mail service alone."""


class DeflectionStats(TypedDict):
    """How often articles answered what would have been a request, in the last thirty days."""

    requests: int
    """Requests that were made on the portal."""
    solved: int
    """Times that somebody said an article was the answer."""
    top: list[list[Any]]
    """The ten articles that answered most: the title and how often, any JSON pair of these, the first ones first."""
    viewed: int
    """Looks at articles."""


class PortalArticle(TypedDict):
    id: str
    """Id of the page."""
    title: str
    """What it is about."""
    text: str
    """Text in Markdown."""


class SuggestedArticle(TypedDict):
    id: str
    """Id of the page."""
    title: str
    """What it is about."""
    excerpt: str
    """A piece of its text."""


class ScoredArticle(TypedDict):
    page: str
    """Id of the page."""
    title: str
    """What it is about."""
    excerpt: str
    """A piece of its text."""
    score: float
    """How well it fits: the higher, the better."""


class DeskStats(TypedDict):
    """What came in at a desk in some days and was done."""

    created: int
    """Requests that came in."""
    solved: int
    """Requests that were closed."""
    reopened: int
    """Requests that were closed and opened again."""
    backlog: int
    """Requests that were open at the end."""
    first_reply: int | None
    """Median time to the first answer of those that came in and were answered, in seconds; null: none was."""
    resolution: int | None
    """Median time to the closing of those that were closed, in seconds; null: none was."""
    by_channel: dict[str, int]
    """Channel -> requests that came in by it."""
    by_type: dict[str, int]
    """Name of the request type -> requests of it that came in; an empty name: without a type."""


class SatisfactionRow(TypedDict):
    group: str
    """What it stands for: a member's id, a request type's name, the Monday of a week, or `all`."""
    answers: int
    """How many ratings there are."""
    average: float
    """Their average, of five."""
    low: int
    """Ratings of one and two."""


class Satisfaction(TypedDict):
    rows: list[SatisfactionRow]
    """Groups that have ratings, in order."""


class Queue(TypedDict):
    """A list of issues that the people of a desk work off."""

    id: int
    """Id of the queue."""
    project: str
    """Key of the desk's project."""
    name: str
    """What people choose it by."""
    tql: str
    """Condition on the issues of the project, with present names; empty: all of them."""
    order: str
    """What it is sorted by, as it stands behind `order by`; empty: by rank."""
    columns: list[str]
    """Fields that it shows; empty: the usual ones."""
    team: int | None
    """Id of the team whose work it is; null: none."""
    position: float
    """Its place among the others."""
    count: int
    """Issues in it now that the caller sees; -1: not known."""
    late: int
    """Those of them that are open behind their due date; -1: not known."""


class CannedReply(TypedDict):
    """An answer that is written once and said often."""

    id: int
    """Id of the reply."""
    name: str
    """What people choose it by."""
    text: str
    """What it says, in Markdown, with placeholders such as `{{customer.name}}`."""
    project: str | None
    """Key of the desk's project that it is for; null: all desks."""
    folder: str | None
    """Heading that it stands under; null: none."""
    shortcut: str | None
    """What one types to get it; null: nothing."""
    shared: bool
    """Whether it is for everybody who works at the desk, and not its maker's alone."""
    uses: int
    """How often it was filled in."""


class RenderedReply(TypedDict):
    text: str
    """What to say, in Markdown, with its placeholders filled in."""


class RequestPeople(TypedDict):
    requester: DeskCustomer
    """Who asked."""
    participants: list[DeskCustomer]
    """Who else sees it on the portal and is mailed what is said."""


class SentReply(TypedDict):
    id: int
    """Id of the comment."""
    send_at: int | None
    """When it goes, in Unix seconds: a note until then; null: it went."""


class WaitingReply(TypedDict):
    """An answer that is to go at a time, or did not go then."""

    comment: int
    """Id of the internal note that it is; deleting that takes it back."""
    key: str
    """Key of the request."""
    author: str
    """Who wrote it: a member's id, or `agent:<name>`."""
    body: str
    """What it says, in Markdown."""
    send_at: int
    """When it goes, in Unix seconds."""
    status: str | None
    """The lane that the request goes to then, by key or name; null: it stays."""
    failed: str | None
    """Why it did not go; null: it waits."""


class DeskSaved(DomainEvent):
    """The settings of a desk were changed: leads read them."""

    kind = "desk.saved"


class DeskRequestCreated(DomainEvent):
    """A customer asked for something: `channel` says by which way."""

    kind = "desk.request_created"
    stands = True


class DeskReplied(DomainEvent):
    """Something was said to the customers of a request; `mailed` of them get a letter."""

    kind = "desk.replied"
    about: ClassVar[dict[str, str]] = {"comment": "comment"}
    stands = True


class DeskReplyFailed(DomainEvent):
    """An answer did not go at its time, and is an internal note still: desk.waiting_replies says why."""

    kind = "desk.reply_failed"
    about: ClassVar[dict[str, str]] = {"comment": "comment"}
    audience = "team"
    scope = "issues:read"
    stands = True


class DeskRated(DomainEvent):
    """A customer said how it went: `score` of five. Not what else they said."""

    kind = "desk.rated"
    stands = True


class DeskRequestShared(DomainEvent):
    """Other customers see a request: who asked, or participants, are others."""

    kind = "desk.request_shared"


class DeskCustomerCreated(DomainEvent):
    kind = "desk.customer_created"
    scope = "issues:read"
    stands = True


class DeskCustomerBlocked(DomainEvent):
    """Somebody was shut out, or let in again (`blocked` false)."""

    kind = "desk.customer_blocked"
    scope = "issues:read"


class DeskArticleSolved(DomainEvent):
    """An article answered what would have been a request."""

    kind = "desk.article_solved"
    stands = True


class _OfRequestType(DomainEvent):
    part = "request_type"


class RequestTypeSaved(_OfRequestType):
    kind = "request_type.saved"
    inverse = "request_type.deleted"


class RequestTypeDeleted(_OfRequestType):
    kind = "request_type.deleted"
    inverse = "request_type.saved"


class _OfQueue(DomainEvent):
    part = "queue"


class QueueSaved(_OfQueue):
    """What a queue says may name what not everybody sees: leads and members read it."""

    kind = "queue.saved"
    inverse = "queue.deleted"
    audience = "team"
    scope = "issues:read"


class QueueDeleted(_OfQueue):
    kind = "queue.deleted"
    inverse = "queue.saved"
    audience = "team"
    scope = "issues:read"


class _OfReply(DomainEvent):
    part = "reply"


class CannedSaved(_OfReply):
    """Of a reply that is its maker's alone, they and admins hear."""

    kind = "canned.saved"
    inverse = "canned.deleted"
    audience = "team"
    scope = "issues:read"


class CannedDeleted(_OfReply):
    kind = "canned.deleted"
    inverse = "canned.saved"
    audience = "team"
    scope = "issues:read"
