"""The words of labels."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

PALETTE = (
    "#d64545",
    "#d9822b",
    "#b89b1e",
    "#3f9142",
    "#1f9d8a",
    "#2f7fd1",
    "#6a5acd",
    "#b0479f",
    "#7a6a5a",
    "#5f6b7a",
)
"""The colours that new labels take in turn."""


def _hex(text: str) -> str:
    digits = text.strip().lower().removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) != 6 or any(digit not in "0123456789abcdef" for digit in digits):
        raise PydanticCustomError("colour", "should be a colour as #rrggbb")
    return "#" + digits


Colour = Annotated[str, Field(max_length=30), AfterValidator(_hex)]
"""A colour as `#rrggbb`; `#rgb` and a missing `#` are taken too."""


class Label(TypedDict):
    """A label, with how many issues and pages that the caller sees carry it."""

    id: int
    """Id of the label."""
    name: str
    """What it says."""
    color: str
    """Colour as `#rrggbb`."""
    project: str | None
    """Key of the project it belongs to; null: the org."""
    group: str | None
    """Group whose labels exclude each other on an issue; null: none."""
    description: str
    """When to use it; empty: nothing said."""
    issues: int
    """Issues with it that the caller sees."""
    pages: int
    """Pages with it that the caller sees."""


class LabelSaved(DomainEvent):
    kind = "label.saved"
    part = "label"
    inverse = "label.deleted"
    audience = "members"
    scope = "projects:read"


class LabelDeleted(DomainEvent):
    kind = "label.deleted"
    inverse = "label.saved"
    audience = "members"
    scope = "projects:read"


class LabelMerged(DomainEvent):
    kind = "label.merged"
    audience = "members"
    scope = "projects:read"
