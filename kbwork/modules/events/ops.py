"""Have the events of some days laid as files."""

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Day, Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules import analytics
from kbwork.modules.events import days, jobs
from kbwork.modules.events.model import Exporting


class EventsExport(Input):
    from_: Day | None = Field(default=None, alias="from")
    """The first day, in UTC; left out: that of the first event that is kept."""
    to: Day | None = None
    """The last day, which is in it; left out, or not over yet: yesterday."""
    again: bool | None = None
    """Lay those days too that lie there whole, such as after somebody's data were erased. False unless given."""


@write(
    "events.export",
    scope="admin",
    words=(
        "export events by day, parquet files, data lake, data warehouse, load into duckdb, spark, athena, "
        "send history to a bucket, s3"
    ),
    emits=[],
    undo="what left the house stays out",
    example={"from": "2026-11-01", "to": "2026-11-30"},
)
def export(tx: Write, args: EventsExport) -> Exporting:
    """Lay the events of some days as Parquet, a file for each day, where `[export]` of the settings says: a folder or
    a bucket.

    Answers the job that does it, one at a time (409). A day that lies there whole is left as it is, and a job that was
    cut off goes on where it was: calling it again costs little. The server does so by itself, too, once a day. Files
    have the events that `analytics.query` reads; `time` is a timestamp in UTC, `payload` a text in JSON.
    """
    if not analytics.is_whole(tx.caller):
        raise NotAllowed(
            "It takes out the events of all projects: a key that is limited to projects, or a client that was given"
            " some modules, may not. Use a session, or a key without limits."
        )
    if tx.places.export is None:
        raise Conflict("The settings name no place for events: set export.to in kbwork.toml.")
    if jobs.is_under_way(tx):
        raise Conflict("Events are being laid already: `jobs.list` has the job.")
    since = days.first(tx) if args.from_ is None else days.start(args.from_)
    until = days.today(tx) if args.to is None else min(days.today(tx), days.start(args.to) + days.DAY_S)
    if until <= since:
        raise InvalidInput("None of these days is over.", field="to")
    return Exporting(job=jobs.begin(tx, since, until, again=args.again is True))
