"""The words of components."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Assign = Literal["lead", "project", "nobody"]


class Component(TypedDict):
    """A part of a project, with how many issues of it the caller sees."""

    id: int
    project: str
    name: str
    description: str
    lead: str | None
    assign: Assign
    archived: bool
    issues: int


class ComponentSaved(DomainEvent):
    kind = "component.saved"
    inverse = "component.deleted"


class ComponentDeleted(DomainEvent):
    kind = "component.deleted"
    inverse = "component.saved"
