"""The words of imports."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

State = Literal["open", "probed", "mapped", "running", "done", "failed", "cancelled", "undone"]
Level = Literal["info", "warning", "error"]
NOT_UNDONE = "an import is taken back as a whole: see imports.undo"
BUILT = ("github", "gitlab", "csv", "trac", "redmine", "kbz")
"""Sources that can be read; `github` is the REST answers or the archive file, told apart by content, `gitlab` the REST
answers."""
PLANNED = (
    "jira",
    "confluence",
    "linear",
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
    """Projects made."""
    issues: int
    """Issues made."""
    comments: int
    """Comments made."""
    attachments: int
    """Files made."""
    worklogs: int
    """Worklogs made."""
    pages: int
    """Pages made."""
    members: int
    """Members invited."""


class Import(TypedDict):
    """One import. `found` is what the source holds, `mapping` what becomes of it, `losses` what does not come along."""

    id: int
    """Id of the import."""
    source: str
    """Sort of source, such as `csv`."""
    state: State
    """How far it is."""
    found: dict[str, Any]
    """What the source holds: counts, projects, types, statuses, people and the like."""
    mapping: dict[str, Any]
    """What becomes of the source's words, as `imports.map_set` takes them."""
    losses: list[str]
    """What does not come along, in words."""
    done: ImportDone
    """How many things it made."""
    errors: int
    """Lines of its log that are errors."""
    job: int | None
    """The latest job of it; null: none yet."""
    created_by: str
    """Id of the member who began it."""
    created_at: int
    """When it was begun, in Unix seconds."""


class LogLine(TypedDict):
    """Something that was left out or is not as it was, with its place in the source."""

    at: int
    """When it was met, in Unix seconds."""
    level: Level
    """How bad it is."""
    source: str
    """Its id at the source."""
    message: str
    """What happened to it, in words."""
    subject: str | None
    """What it became here, such as `issue:12`; null: nothing."""


class Mapping(TypedDict):
    """What becomes of the source's own words. Statuses may name an outcome: `closed:cancelled`."""

    projects: dict[str, str]
    """Project of the source -> key."""
    names: dict[str, str]
    """Project of the source -> what the one is called that is made of it."""
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
