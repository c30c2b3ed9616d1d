"""The words of spaces."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Text
from kbwork.core.access.grants import Level

SpaceKind = Literal["team", "project", "personal", "kb"]
SpaceVisibility = Literal["org", "members", "public"]


def _key(text: str) -> str:
    key = text.strip().upper()
    if not (2 <= len(key) <= 20 and key.isascii() and key.isalnum() and key[0].isalpha()):
        raise PydanticCustomError(
            "space_key", "should be 2 to 20 letters and digits that start with a letter"
        )
    return key


SpaceKey = Annotated[str, Field(max_length=40), AfterValidator(_key)]
SpaceRef = Annotated[Text, Field(description="Key of the space, in any case.")]


class Space(TypedDict):
    """A tree of pages under one key."""

    key: str
    """Key, by which pages and links name it."""
    name: str
    """What people read."""
    kind: SpaceKind
    """`team`, `project` (follows the people of a project), `personal`, or `kb`: articles for a desk."""
    description: str
    """What it is for, in Markdown; empty: nothing said."""
    icon: str | None
    """Name of its icon, or a sign; null: none."""
    project: str | None
    """Key of the project that it follows; null: none."""
    visibility: SpaceVisibility
    """Who works in it: every member (`org`, `public`), or those who were given a right (`members`)."""
    home: str | None
    """Id of the page that it opens with; null: none, or one that the caller does not see."""
    owner: str
    """Id of the member who made it."""
    review_days: int | None
    """After how many days a page should be looked at again; null: nobody is asked."""
    pages: int
    """How many pages of it the caller sees, without archived ones."""
    my_level: Level
    """What the caller may do there; each level holds those before it."""
    archived_at: int | None
    """When it was archived, in Unix seconds; null: it is not."""
    former_keys: list[str]
    """Keys that it had before, which keep resolving."""


class _SpaceEvent(DomainEvent):
    """`on` of `space.archived` says whether it was put aside or brought back."""

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"on": not payload["on"]} if "on" in payload else payload


class SpaceCreated(_SpaceEvent):
    kind = "space.created"
    inverse = "space.deleted"


class SpaceUpdated(_SpaceEvent):
    kind = "space.updated"


class SpaceArchived(_SpaceEvent):
    kind = "space.archived"
    inverse = "space.archived"


class SpaceDeleted(_SpaceEvent):
    kind = "space.deleted"
    inverse = "space.restored"


class SpaceRestored(_SpaceEvent):
    kind = "space.restored"
    inverse = "space.deleted"


class SpacePurged(DomainEvent):
    kind = "space.purged"
    audience = "admin"
    scope = "activity:read"
