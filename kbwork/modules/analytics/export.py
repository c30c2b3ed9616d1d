"""Take events out as a file."""

import datetime
from typing import Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Day, Input
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Write
from kbwork.modules.analytics import access, sandbox
from kbwork.modules.analytics.model import ExportCreated, ExportedEvents

_DAY_S = 86_400


class AnalyticsExport(Input):
    format: Literal["ndjson", "parquet"]
    """`ndjson` has a JSON object a line; `parquet` is read by programs for data."""
    from_: Day = Field(alias="from")
    """The first day, in UTC."""
    to: Day
    """The last day, which is in it."""


@write(
    "analytics.export",
    scope="admin",
    words=(
        "download all events, dump the history, parquet file, data warehouse, export activity, "
        "ndjson, load into duckdb, raw data"
    ),
    emits=[ExportCreated],
    undo="what left the house stays out",
    repeatable=True,
    example={"format": "ndjson", "from": "2026-11-01", "to": "2026-11-30"},
)
async def export(out: External, args: AnalyticsExport) -> ExportedEvents:
    """Take the events of some days out as a file, oldest first, with the columns and the events that `analytics.query`
    reads.

    A file holds 200,000 events or 64 MB; where the range has more it is `truncated` at its end.
    """
    access.require_whole(out.caller)
    since, until = _start(args.from_), _start(args.to) + _DAY_S
    if until <= since:
        raise InvalidInput("The first day is behind the last.", field="from")
    found = await sandbox.export(out, args.format, since, until)
    told = {
        "format": args.format,
        "from": args.from_,
        "to": args.to,
        "events": found.events,
        "truncated": found.truncated,
    }

    def tell(tx: Write) -> None:
        tx.emit(ExportCreated(subject="org:1", payload=told))

    await out.write(tell)
    return ExportedEvents(
        name=f"events-{args.from_}-{args.to}.{args.format}",
        data=found.data,
        events=found.events,
        truncated=found.truncated,
    )


def _start(day: str) -> int:
    """When it begins, in UTC."""
    return int(datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.UTC).timestamp())
