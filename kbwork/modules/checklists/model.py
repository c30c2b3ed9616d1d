"""The words of checklists."""

from typing import Annotated, ClassVar

from pydantic import StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

MOST = 500
"""So many items has an issue, or a template, at most."""
LONGEST = 1000
ItemText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST)]


class CheckItem(TypedDict):
    """One step. `done_at` and `done_by` say when and by whom it was ticked; `issue` is what was made of it."""

    id: int
    """Id of the item."""
    text: str
    """What is to be done."""
    done: bool
    """Whether it is ticked."""
    assignee: str | None
    """Who does it: a member's id or `agent:<name>`; null: nobody."""
    due_date: str | None
    """Until when, `YYYY-MM-DD`; null: no day."""
    done_at: int | None
    """When it was ticked, in Unix seconds; null: it is not."""
    done_by: str | None
    """Who ticked it; null: nobody."""
    issue: str | None
    """Key of the issue that was made of it; null: none."""


class Checklist(TypedDict):
    """What an issue has to tick off, in order; `done` of `total` are."""

    key: str
    """Key of the issue."""
    items: list[CheckItem]
    """Its items, in order."""
    done: int
    """Items that are ticked."""
    total: int
    """All items."""
    can_edit: bool
    """Whether the caller may change it."""


class ChecklistTemplate(TypedDict):
    """Items for issues of a type, whose key is `kind`; with `auto` a new one has them from the start."""

    id: int
    """Id of the template."""
    name: str
    """What it is called."""
    kind: str
    """Key of the issue type it is for."""
    items: list[str]
    """Texts of its items, in order."""
    auto: bool
    """Whether new issues of the type have the items from the start."""


class Deleted(TypedDict):
    deleted: int
    """How many things were taken away: always 1."""


class ChecklistAdded(DomainEvent):
    kind = "checklist.added"
    inverse = "checklist.deleted"


class ChecklistUpdated(DomainEvent):
    kind = "checklist.updated"
    part = "item"
    names: ClassVar[dict[str, str]] = {"issue": "issue"}


class ChecklistDeleted(DomainEvent):
    kind = "checklist.deleted"
    inverse = "checklist.added"


class ChecklistCompleted(DomainEvent):
    kind = "checklist.completed"
    inverse = "checklist.updated"


class ChecklistTemplateSaved(DomainEvent):
    kind = "checklist_template.saved"
    part = "template"
    inverse = "checklist_template.deleted"
    audience = "members"


class ChecklistTemplateDeleted(DomainEvent):
    kind = "checklist_template.deleted"
    inverse = "checklist_template.saved"
    audience = "members"
