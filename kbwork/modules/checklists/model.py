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
    text: str
    done: bool
    assignee: str | None
    due_date: str | None
    done_at: int | None
    done_by: str | None
    issue: str | None


class Checklist(TypedDict):
    """What an issue has to tick off, in order; `done` of `total` are."""

    key: str
    items: list[CheckItem]
    done: int
    total: int
    can_edit: bool


class ChecklistTemplate(TypedDict):
    """Items for issues of a type, whose key is `kind`; with `auto` a new one has them from the start."""

    id: int
    name: str
    kind: str
    items: list[str]
    auto: bool


class Deleted(TypedDict):
    deleted: int


class ChecklistAdded(DomainEvent):
    kind = "checklist.added"
    inverse = "checklist.deleted"


class ChecklistUpdated(DomainEvent):
    kind = "checklist.updated"
    names: ClassVar[dict[str, str]] = {"issue": "issue"}


class ChecklistDeleted(DomainEvent):
    kind = "checklist.deleted"
    inverse = "checklist.added"


class ChecklistCompleted(DomainEvent):
    kind = "checklist.completed"
    inverse = "checklist.updated"


class ChecklistTemplateSaved(DomainEvent):
    kind = "checklist_template.saved"
    inverse = "checklist_template.deleted"
    audience = "members"


class ChecklistTemplateDeleted(DomainEvent):
    kind = "checklist_template.deleted"
    inverse = "checklist_template.saved"
    audience = "members"
