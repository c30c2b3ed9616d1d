"""The words of analytics."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.text import cleaned

Every = Literal["manual", "daily", "weekly", "monthly"]
Sql = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(cleaned)]
"""One SELECT over the table `events`."""


class QueryResult(TypedDict):
    """What a query found. Whole numbers beyond 2^53, infinities and bytes are texts."""

    columns: list[str]
    """Names of the columns."""
    rows: list[list[Any]]
    """The rows, each a list of values in the order of the columns; 1,000 at most."""
    truncated: bool
    """Whether there are more rows than these."""
    ms: int
    """How long it ran, in milliseconds."""


class ExportedEvents(TypedDict):
    """Events as a file."""

    name: str
    """What to call the file."""
    data: str
    """Its bytes in base64."""
    events: int
    """How many events are in it."""
    truncated: bool
    """Whether the range has more than one file holds: export a shorter one."""


class Report(TypedDict):
    """A query that is kept, and what it last found."""

    id: int
    """Id of the report."""
    name: str
    """What it is called."""
    sql: str
    """One SELECT over the events, which it asks when it runs."""
    every: Every
    """When it runs by itself: at 08:00 in the org's zone, `weekly` on Mondays, `monthly` on the first; `manual`: it
    does not."""
    recipients: list[str]
    """Who is told when it has run: ids of members, `team:<id>` or `team:admins`."""
    created_by: str
    """Who made it: a member's id."""
    last_error: str | None
    """Why its last run found nothing; null: it went well, or it never ran."""
    last_result: Any
    """`columns` and the first 20 `rows` of its last run that went well, each value any JSON; null: none is kept."""
    last_rows: int | None
    """How many rows that had, 1,000 at most; null: it never ran."""
    last_run_at: int | None
    """When it last ran, in Unix seconds; null: never."""
    next_run_at: int | None
    """When it runs next by itself; null: it does not."""


class ReportSaved(DomainEvent):
    kind = "report.saved"
    audience = "admin"


class ReportDeleted(DomainEvent):
    """Its payload has all that the report said."""

    kind = "report.deleted"
    audience = "admin"


class ReportRan(DomainEvent):
    """Told to those who get it too, so that it says its name alone; a run that failed is told to admins."""

    kind = "report.ran"


class ExportCreated(DomainEvent):
    kind = "export.created"
    audience = "admin"
