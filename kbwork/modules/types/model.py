"""The words of issue types."""

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class IssueType(TypedDict):
    """A sort of issue: 2 initiative, 1 epic, 0 work, -1 sub-task. `issues` and `projects` are those the caller sees."""

    key: str
    """Key of the type."""
    name: str
    """What people read."""
    icon: str
    """Name of its icon; empty: none."""
    color: str
    """Colour as `#rrggbb`."""
    level: int
    """2 initiative, 1 epic, 0 work, -1 sub-task."""
    workflow: int | None
    """Id of the workflow of its issues where a project has no other; null: the project's."""
    template: int | None
    """Id of the template that forms offer first; null: none."""
    description: str
    """When to use it; empty: nothing said."""
    projects: list[str]
    """Keys of the projects that have it, as far as the caller sees them."""
    issues: int
    """Issues of it that the caller sees."""


class TypeSaved(DomainEvent):
    kind = "type.saved"
    part = "key"
    inverse = "type.deleted"
    audience = "members"
    scope = "projects:read"


class TypeDeleted(DomainEvent):
    kind = "type.deleted"
    inverse = "type.saved"
    audience = "members"
    scope = "projects:read"
