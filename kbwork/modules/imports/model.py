"""The words of imports."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

State = Literal["open", "probed", "mapped", "running", "done", "failed", "cancelled", "undone"]
Level = Literal["info", "warning", "error"]
NOT_UNDONE = "an import is taken back as a whole: see imports.undo"
BUILT = ("github", "csv", "trac", "redmine", "kbz")
"""Sources that can be read; `github` is the REST answers or the archive file, told apart by content."""
PLANNED = (
    "jira",
    "confluence",
    "linear",
    "gitlab",
    "trello",
    "asana",
    "clickup",
    "notion",
    "youtrack",
    "openproject",
    "plane",
    "zammad",
    "freescout",
    "xlsx",
)


class ImportDone(TypedDict):
    """How many things an import made."""

    projects: int
    issues: int
    comments: int
    attachments: int
    worklogs: int
    pages: int
    members: int


class Import(TypedDict):
    """One import. `found` is what the source holds, `mapping` what becomes of it, `losses` what does not come along."""

    id: int
    source: str
    state: State
    found: dict[str, Any]
    mapping: dict[str, Any]
    losses: list[str]
    done: ImportDone
    errors: int
    job: int | None
    created_by: str
    created_at: int


class LogLine(TypedDict):
    """Something that was left out or is not as it was, with its place in the source."""

    at: int
    level: Level
    source: str
    message: str
    subject: str | None


class Mapping(TypedDict):
    """What becomes of the source's own words. Statuses may name an outcome: `closed:cancelled`."""

    projects: dict[str, str]
    """Project of the source -> key."""
    types: dict[str, str | None]
    """Type of the source -> type; null is the project's default."""
    statuses: dict[str, str]
    """Status of the source -> lane."""
    fields: dict[str, str]
    """Field of the source -> `field:<key>`, or column of a table -> what it holds; an empty text leaves it out."""
    members: dict[str, str]
    """Person of the source -> member id, `invite` or `name_only`."""
    skip: list[str]
    """Kinds of records, types and projects of the source that stay out."""


class ImportStarted(DomainEvent):
    kind = "import.started"
    audience = "admin"
    scope = "admin"


class ImportFinished(DomainEvent):
    kind = "import.finished"
    audience = "admin"
    scope = "admin"


class ImportUndone(DomainEvent):
    kind = "import.undone"
    audience = "admin"
    scope = "admin"
