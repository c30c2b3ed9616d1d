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
    done: int
    late: int


class Budget(TypedDict):
    hours: float | None
    money: float | None
    currency: str | None


class Project(TypedDict):
    """A place for issues under one key."""

    key: str
    name: str
    description: str
    kind: Kind
    icon: str | None
    color: str | None
    lead: str | None
    visibility: Visibility
    modules: dict[str, bool]
    default_type: str
    default_assignee: Literal["none", "lead", "component", "rotation"]
    estimate_scale: int | None
    calendar: int | None
    budget: Budget | None
    start_date: str | None
    due_date: str | None
    labels: list[str]
    triage: bool
    reporters_see: Literal["own", "all"]
    blockers: Literal["warn", "refuse"]
    auto_archive_days: int | None
    auto_close_days: int | None
    former_keys: list[str]
    health: str | None
    my_role: MemberRole | None
    counts: ProjectCounts
    archived_at: int | None
    created_at: int
    seq: int


class ProjectMember(TypedDict):
    """Somebody with a role in a project; `through` names the team that gives it."""

    who: str
    name: str
    role: MemberRole
    through: str | None


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
    project: str
    health: Health
    body: str
    author: str
    at: int
    facts: dict[str, int]
