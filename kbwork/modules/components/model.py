"""The words of components."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Assign = Literal["lead", "project", "nobody"]


class Component(TypedDict):
    """A part of a project, with how many issues of it the caller sees."""

    id: int
    """Id of the component."""
    project: str
    """Key of its project."""
    name: str
    """What it is called."""
    description: str
    """What belongs to it; empty: nothing said."""
    lead: str | None
    """Id of the member who leads it; null: nobody."""
    assign: Assign
    """Who gets a new issue that nobody was named for: its `lead`, as the `project` says, or `nobody`."""
    archived: bool
    """Whether it goes on no other issue."""
    issues: int
    """Issues with it that the caller sees."""


class ComponentSaved(DomainEvent):
    kind = "component.saved"
    part = "component"
    inverse = "component.deleted"


class ComponentDeleted(DomainEvent):
    kind = "component.deleted"
    inverse = "component.saved"
