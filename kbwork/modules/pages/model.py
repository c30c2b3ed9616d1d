"""The words of pages."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Name, Text
from kbwork.core.access.grants import Level
from kbwork.modules.pages.text.markdown import Heading

PageState = Literal["draft", "published", "archived"]
PageRef = Annotated[
    Text, Field(description="Id of the page, or `<space>/<slug>`, also by a slug that it had.")
]
Labels = Annotated[list[Name], Field(max_length=50)]
Properties = Annotated[
    dict[Annotated[str, StringConstraints(min_length=1, max_length=100)], Any], Field(max_length=100)
]
Note = Annotated[str, Field(max_length=2000)]


class PageCounts(TypedDict):
    """What hangs on a page, as far as the caller sees it."""

    comments: int
    """What was said on it."""
    open_threads: int
    """Threads on it that nobody resolved."""
    views_30d: int
    """How often it was opened in 30 days, once for each person and day."""
    children: int
    """Pages right below it."""
    backlinks: int
    """Pages that link to it."""


class PageSummary(TypedDict):
    """A page without its text."""

    id: str
    """Id of the page, digits as a text."""
    space: str
    """Key of its space."""
    parent: str | None
    """Id of the page that it stands below; null: it stands at the top, or below one that the caller does not see."""
    title: str
    """Its title."""
    slug: str
    """Its title as it stands in addresses, of no other page of the space."""
    icon: str | None
    """Name of its icon, or a sign; null: none."""
    cover: str | None
    """Address of the picture above it; null: none."""
    labels: list[str]
    """Names of its labels."""
    properties: dict[str, Any]
    """What else is known of it, by names that people choose; any JSON."""
    owner: str
    """Id of the member who looks after it."""
    state: PageState
    """`draft`: never published, for its author and those who may edit it."""
    has_draft: bool
    """Whether there are changes that are not published yet."""
    version: int
    """Number of the version that is answered; numbers rise and may leave some out."""
    locked: bool
    """Whether only those who manage it change it."""
    restricted: bool
    """Whether it, or a page above it, is narrowed to some people."""
    verified_until: int | None
    """Until when it counts as checked, in Unix seconds; null: nobody checked it."""
    verified_by: str | None
    """Who checked it; null: nobody."""
    counts: PageCounts
    """What hangs on it."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it."""
    updated_at: int
    """When its text or something else of it was changed last, in Unix seconds."""
    updated_by: str
    """Who did that."""
    my_level: Level
    """What the caller may do with it; each level holds those before it."""
    path: str
    """Where the web app shows it."""
    seq: int
    """Number of its latest change."""


class Page(PageSummary):
    """A page with its text."""

    body: str
    """Its text as Markdown; empty where the document alone was asked for."""
    body_doc: str | None
    """The same as ProseMirror JSON, where it was written so and asked for; null: there is the Markdown alone."""
    headings: list[Heading]
    """Its headings, in order."""


class PageVersion(TypedDict):
    """What a page was."""

    version: int
    """Its number."""
    at: int
    """When it was saved last, in Unix seconds."""
    who: str
    """Who wrote it."""
    via: str | None
    """Key or agent that did it in a person's name; null: none."""
    note: str
    """What was said of it; empty: nothing."""
    size: int
    """How many characters its text has."""
    published: bool
    """Whether readers saw it."""


class PageBacklink(TypedDict):
    """A page that names another one."""

    subject: str
    """`page:<id>`."""
    title: str
    """Its title."""
    excerpt: str
    """The text around the link."""


class _PageEvent(DomainEvent):
    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"on": not payload["on"]} if "on" in payload else payload


class PageCreated(_PageEvent):
    kind = "page.created"
    inverse = "page.deleted"


class PageUpdated(_PageEvent):
    kind = "page.updated"


class PagePublished(_PageEvent):
    kind = "page.published"
    inverse = "page.updated"


class PageMoved(_PageEvent):
    kind = "page.moved"


class PageArchived(_PageEvent):
    """`on` says whether it was put aside or brought back."""

    kind = "page.archived"
    inverse = "page.archived"


class PageDeleted(_PageEvent):
    kind = "page.deleted"
    inverse = "page.restored"


class PageRestored(_PageEvent):
    kind = "page.restored"
    inverse = "page.deleted"


class PageRestricted(_PageEvent):
    kind = "page.restricted"


class PageVerified(_PageEvent):
    """`over` says that the time has passed for which it was checked."""

    kind = "page.verified"


class PagePurged(DomainEvent):
    kind = "page.purged"
    audience = "admin"
    scope = "activity:read"
