"""The words of issue types."""

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class IssueType(TypedDict):
    """A sort of issue: 2 initiative, 1 epic, 0 work, -1 sub-task. `issues` and `projects` are those the caller sees."""

    key: str
    name: str
    icon: str
    color: str
    level: int
    workflow: int | None
    template: int | None
    description: str
    projects: list[str]
    issues: int


class TypeSaved(DomainEvent):
    kind = "type.saved"
    inverse = "type.deleted"
    audience = "members"
    scope = "projects:read"


class TypeDeleted(DomainEvent):
    kind = "type.deleted"
    inverse = "type.saved"
    audience = "members"
    scope = "projects:read"
