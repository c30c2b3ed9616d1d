"""The words of projects."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Kind = Literal["software", "business", "desk", "personal"]
Visibility = Literal["org", "members", "private"]
MemberRole = Literal["lead", "member", "reporter", "viewer"]

TYPES: dict[str, tuple[str, ...]] = {
    "software": ("task", "epic", "story", "bug", "subtask"),
    "business": ("task", "epic", "subtask"),
    "desk": ("task", "bug", "subtask"),
    "personal": ("task", "subtask"),
}
"""The types of a new project by its kind; the first is its default."""
MODULES = (
    "boards",
    "desk",
    "flags",
    "git",
    "milestones",
    "pages",
    "releases",
    "roadmaps",
    "sprints",
    "triage",
    "worklogs",
)
"""What a project may switch on and off for itself."""


def _key(text: str) -> str:
    key = text.strip().upper()
    if not (2 <= len(key) <= 10 and key.isascii() and key.isalnum() and key[0].isalpha()):
        raise PydanticCustomError(
            "project_key", "should be 2 to 10 letters and digits that start with a letter"
        )
    return key


ProjectKey = Annotated[str, Field(max_length=40), AfterValidator(_key)]


class ProjectCounts(TypedDict):
    """Issues that the caller sees."""

    open: int
    """Issues that are not done."""
    done: int
    """Issues that are done."""
    late: int
    """Open issues whose due date is over."""


class Budget(TypedDict):
    hours: float | None
    """Hours to spend; null: no limit."""
    money: float | None
    """Money to spend, in `currency`; null: no limit."""
    currency: str | None
    """Code of three letters, such as `EUR`; null: none."""


class Project(TypedDict):
    """A place for issues under one key."""

    key: str
    """Key, which those of its issues begin with."""
    name: str
    """What people read."""
    description: str
    """What it is for, in Markdown; empty: nothing said."""
    kind: Kind
    """Sort of project, which decided the types it began with."""
    icon: str | None
    """Name of its icon; null: none."""
    color: str | None
    """Colour of it; null: none."""
    lead: str | None
    """Id of the member who leads it; null: nobody."""
    visibility: Visibility
    """Who works in it: every member (`org`), those with a role and admins (`members`), or those with a role alone."""
    modules: dict[str, bool]
    """Modules that are on or off in it, by name."""
    default_type: str
    """Key of the type that a new issue has."""
    default_assignee: Literal["none", "lead", "component", "rotation"]
    """Who gets a new issue that nobody was named for."""
    estimate_scale: int | None
    """Id of the scale of estimates; null: the usual one."""
    calendar: int | None
    """Id of the calendar of working days; null: the org's."""
    budget: Budget | None
    """What may be spent; null: no limit."""
    start_date: str | None
    """First day, `YYYY-MM-DD`; null: none."""
    due_date: str | None
    """Last day, `YYYY-MM-DD`; null: none."""
    labels: list[str]
    """Words that projects are found by."""
    triage: bool
    """Whether new issues wait to be sorted first."""
    reporters_see: Literal["own", "all"]
    """Whether reporters see their own issues or all."""
    blockers: Literal["warn", "refuse"]
    """Whether an issue with open blockers may be closed with a warning, or not at all."""
    auto_archive_days: int | None
    """Days after which closed issues that nobody changed are archived; null: never."""
    auto_close_days: int | None
    """Days after which open issues that nobody changed are closed; null: never."""
    default_view: int | None
    """Id of the view that its issues are opened with; null: none that you see."""
    former_keys: list[str]
    """Keys that it had before, which keep resolving."""
    health: str | None
    """The latest thing said of how it goes; null: nothing yet."""
    my_role: MemberRole | None
    """Role of the caller in it; null: none."""
    counts: ProjectCounts
    """Issues that the caller sees."""
    archived_at: int | None
    """When it was archived, in Unix seconds; null: it is not."""
    created_at: int
    """When it was made, in Unix seconds."""
    seq: int
    """Number of its latest change."""


class ProjectMember(TypedDict):
    """Somebody with a role in a project; `through` names the team that gives it."""

    who: str
    """Member's id, or `team:<id>`."""
    name: str
    """Name as people read it."""
    role: MemberRole
    """What they may do in the project."""
    through: str | None
    """The team that gives it; null: their own."""


class ProjectCreated(DomainEvent):
    kind = "project.created"
    inverse = "project.deleted"


class ProjectUpdated(DomainEvent):
    kind = "project.updated"


class ProjectDeleted(DomainEvent):
    kind = "project.deleted"
    inverse = "project.restored"


class ProjectRestored(DomainEvent):
    kind = "project.restored"
    inverse = "project.deleted"


class ProjectMembersChanged(DomainEvent):
    kind = "project.members_changed"
    part = "who"


class ProjectArchived(DomainEvent):
    kind = "project.archived"
    inverse = "project.unarchived"


class ProjectUnarchived(DomainEvent):
    kind = "project.unarchived"
    inverse = "project.archived"


class ProjectKeyChanged(DomainEvent):
    kind = "project.key_changed"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"key": payload["from"], "from": payload["to"], "to": payload["from"]}


class ProjectStatusPosted(DomainEvent):
    kind = "project.status_posted"
    inverse = "project.status_deleted"


class ProjectStatusDeleted(DomainEvent):
    kind = "project.status_deleted"
    inverse = "project.status_posted"


class ProjectPurged(DomainEvent):
    kind = "project.purged"
    audience = "admin"
    scope = "activity:read"


class ProjectTemplateSaved(DomainEvent):
    kind = "project_template.saved"
    part = "template"
    inverse = "project_template.deleted"
    audience = "members"
    scope = "projects:read"


class ProjectTemplateDeleted(DomainEvent):
    kind = "project_template.deleted"
    inverse = "project_template.saved"
    audience = "members"
    scope = "projects:read"


Health = Literal["on_track", "at_risk", "off_track", "paused"]


class ProjectStatus(TypedDict):
    """What somebody said of how a project goes. `facts` are the counts at that time, as who wrote it saw them."""

    id: int
    """Id of the status."""
    project: str
    """Key of the project."""
    health: Health
    """How it goes."""
    body: str
    """What was said, in Markdown."""
    author: str
    """Who said it: a member's id or `agent:<name>`."""
    at: int
    """When, in Unix seconds."""
    facts: dict[str, int]
    """Counts of issues at that time, by name."""
