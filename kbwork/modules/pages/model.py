"""The words of pages."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Name, Text
from kbwork.modules.spaces import PageSummary
from kbwork.pagefiles.markdown import Heading

PageRef = Annotated[
    Text, Field(description="Id of the page, or `<space>/<slug>`, also by a slug that it had.")
]
Labels = Annotated[list[Name], Field(max_length=50)]
Properties = Annotated[
    dict[Annotated[str, StringConstraints(min_length=1, max_length=100)], Any], Field(max_length=100)
]
Note = Annotated[str, Field(max_length=2000)]


class PageLimits(TypedDict):
    """The people that a page is narrowed to; empty: those of its space."""

    view: list[str]
    """Members and `team:<id>` who see it."""
    edit: list[str]
    """Those who change it."""


class Page(PageSummary):
    """A page with its text."""

    body: str
    """Its text as Markdown; empty where the document alone was asked for."""
    body_doc: str | None
    """The same as ProseMirror JSON, where it was written so and asked for; null: there is the Markdown alone."""
    headings: list[Heading]
    """Its headings, in order."""
    watching: bool
    """Whether the caller watches it, by `pages.watch`."""
    limits: PageLimits | None
    """To whom it is narrowed itself, by `pages.restrict`; null for whoever may not narrow it."""


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


class PageTemplateSaved(DomainEvent):
    """A template of pages, of a space or of all."""

    kind = "page_template.saved"
    part = "template"
    inverse = "page_template.deleted"
    scope = "pages:read"


class PageTemplateDeleted(DomainEvent):
    kind = "page_template.deleted"
    inverse = "page_template.saved"
    scope = "pages:read"


class PagePurged(DomainEvent):
    kind = "page.purged"
    audience = "admin"
    scope = "activity:read"
