"""Events as Parquet, a file for each day, in a folder or a bucket. It is work for a process of its own
(`kbwork.db.archives.file_worker`).

`days-2026.json` beside them says what is in the files of a year: a day that has more than that is laid again, and a run
that was cut off goes on where it was. A day that has less stays as it lies: what the data keep no longer is there.
"""

import contextlib
import datetime
import json
import os
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import apsw

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.db.archives.backup import opened
from kbwork.db.archives.place import ObjectPlace, place_of
from kbwork.db.connection import Unusable
from kbwork.db.folder import PlaceSettings
from kbwork.db.swap import steady

if TYPE_CHECKING:
    from arro3.core import RecordBatch, Schema

_DAY_S = 86_400
_A_GROUP = 20_000
_NICENESS = 10
_WHICH = "audience <> 'audit' and at >= :since and at < :until"
_DAYS = f"select at / 86400, count(*), max(seq) from events where {_WHICH} group by 1 order by 1"
_TEXTS = ("kind", "subject", "actor", "actor_kind", "via", "origin", "payload")
_MAY_LACK = ("via", "origin")
_ROWS = f"select seq, at * 1000, {', '.join(_TEXTS[:-1])}, json(payload) from events where {_WHICH} order by at, seq"


@dataclass(frozen=True, slots=True)
class ExportSpan:
    """Which days are asked for: from `since` to before `until`."""

    since: int
    until: int
    again: bool
    """Those too that lie there."""
    seconds: float
    """For about so long; then it is to be gone on with."""


def export(file: str, at: dict[str, Any], span: dict[str, Any]) -> dict[str, Any]:
    """Lay days. Answers `next`, with which day to go on (null: with none), and how many `days` and `events` were laid.

    Raises Unusable.
    """
    asked = ExportSpan(**span)
    os.nice(_NICENESS)
    began, place = monotonic(), place_of(PlaceSettings(**at), os.environ)
    told: dict[str, Any] = {"next": None, "days": 0, "events": 0}
    with steady(Path(file).parent), opened(Path(file)) as connection, _noted(place) as known:
        for day, events, last in _days(connection, asked):
            name = _name(day)
            if not asked.again and not known.lacks(name, events, last):
                continue
            if monotonic() - began > asked.seconds:
                told["next"] = day * _DAY_S
                break
            _lay(connection, place, day)
            known.note(name, events, last)
            told["days"] += 1
            told["events"] += events
    return told


def _days(connection: apsw.Connection, asked: ExportSpan) -> list[tuple[int, int, int]]:
    """(day since 1970, events, number of the last) of each that has any."""
    found: list[Any] = connection.execute(_DAYS, {"since": asked.since, "until": asked.until}).fetchall()
    return found


@contextlib.contextmanager
def _noted(place: ObjectPlace) -> "Iterator[_YearNotes]":
    """Whatever was laid is noted, also where the next cannot be."""
    known = _YearNotes(place)
    try:
        yield known
    except Unusable:
        with contextlib.suppress(Unusable):
            known.write()
        raise
    known.write()


class _YearNotes:
    """What is in the files that lie there, by year."""

    def __init__(self, place: ObjectPlace) -> None:
        self._place = place
        self._years: dict[str, dict[str, dict[str, int]]] = {}
        self._changed: set[str] = set()

    def lacks(self, day: str, events: int, last: int) -> bool:
        """Whether the file of a day is not there, or has less than the day."""
        found = self._year(day[:4]).get(day, {})
        return last > found.get("last", 0) and events >= found.get("events", 0)

    def note(self, day: str, events: int, last: int) -> None:
        self._year(day[:4])[day] = {"events": events, "last": last}
        self._changed.add(day[:4])

    def write(self) -> None:
        for year in sorted(self._changed):
            self._place.write(f"days-{year}.json", json.dumps(self._years[year], sort_keys=True).encode())

    def _year(self, year: str) -> dict[str, dict[str, int]]:
        if year not in self._years:
            stored = self._place.read(f"days-{year}.json") or b"{}"
            try:
                found = json.loads(stored)
                self._years[year] = {
                    day: {name: int(one[name]) for name in ("events", "last")} for day, one in found.items()
                }
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise Unusable(
                    f"days-{year}.json in {self._place.place} is damaged: delete it, and all of the year is laid again"
                ) from None
        return self._years[year]


def _name(day: int) -> str:
    return datetime.datetime.fromtimestamp(day * _DAY_S, datetime.UTC).strftime("%Y-%m-%d")


def _lay(connection: apsw.Connection, place: ObjectPlace, day: int) -> None:
    with tempfile.TemporaryFile() as made:
        write_day(connection, day * _DAY_S, made)
        place.write_file(f"day={_name(day)}/events.parquet", made)


def write_day(connection: apsw.Connection, since: int, to: IO[bytes]) -> None:
    """The events of the day that begins then. `time` is a timestamp, `payload` a text in JSON."""
    from arro3.core import DataType, Field, RecordBatchReader, Schema  # noqa: PLC0415 - this work alone needs it
    from arro3.io import write_parquet  # noqa: PLC0415 - likewise

    schema = Schema(
        [
            Field("seq", DataType.int64(), nullable=False),
            Field("time", DataType.timestamp("ms", tz="UTC"), nullable=False),
            *(Field(name, DataType.string(), nullable=name in _MAY_LACK) for name in _TEXTS),
        ]
    )
    rows = connection.execute(_ROWS, {"since": since, "until": since + _DAY_S})
    write_parquet(RecordBatchReader.from_batches(schema, _batches(rows, schema)), to, compression="zstd(3)")


def _batches(rows: Iterator[tuple[Any, ...]], schema: "Schema") -> "Iterator[RecordBatch]":
    from arro3.core import Array, DataType, RecordBatch  # noqa: PLC0415 - likewise

    for group in iter(lambda: list(islice(rows, _A_GROUP)), []):
        seq, time, *texts = zip(*group, strict=True)
        yield RecordBatch.from_arrays(
            [
                Array(seq, type=DataType.int64()),
                Array(time, type=DataType.int64()).cast(schema.field("time").type),
                *(Array(column, type=DataType.string()) for column in texts),
            ],
            schema=schema,
        )
