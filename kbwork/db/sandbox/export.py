"""Events of some days as a file: `python -m kbwork.db.sandbox.export`.

It is given `{"file", "form", "since", "until", "events", "bytes"}` as JSON and answers `{"events", "truncated"}` as
JSON on one line with the bytes of the file behind it, or `{"refused": "one line"}`.
"""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kbwork.db.connection import FolderLocked
from kbwork.db.sandbox.guest import COLUMNS, confine, connect
from kbwork.db.swap import steady

MEMORY_MB = 1536
CPU_S = 60
_NUMBERS = ("seq", "at")
_A_GROUP = 20_000
"""Rows that stand together in a Parquet file."""
_WANTED = f"select {', '.join(COLUMNS)} from events where at >= :since and at < :until order by at, seq"
Row = tuple[Any, ...]


class Missing(Exception):
    """What makes such files is not here; the text is for the operator."""


class Events:
    """Those that are wanted, one after the other, until there are enough."""

    def __init__(self, rows: Iterator[Row], most: int, most_bytes: int) -> None:
        self._rows = rows
        self._most = most
        self._left = most_bytes
        self.number = 0
        self.truncated = False

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self._left -= sum(len(value.encode()) for value in row if isinstance(value, str)) + _AROUND
            if self.number == self._most or self._left < 0:
                self.truncated = True
                return
            self.number += 1
            yield row


def ndjson(events: Events) -> bytes:
    """A JSON object a line; the payload is one too."""
    made = io.BytesIO()
    for row in events:
        said = dict(zip(COLUMNS, row, strict=True))
        payload = said.pop("payload")
        line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        made.write(f'{line[:-1]},"payload":{payload}}}\n'.encode())
    return made.getvalue()


def parquet(events: Events) -> bytes:
    """Whole numbers and texts in columns; the payload is a text in JSON."""
    try:
        from arro3.core import Array, DataType, Field, RecordBatch, Schema, Table  # noqa: PLC0415 - one form needs it
        from arro3.io import write_parquet  # noqa: PLC0415
    except ImportError:
        raise Missing("arro3-io is not installed: take `ndjson`") from None
    types = {name: DataType.int64() if name in _NUMBERS else DataType.string() for name in COLUMNS}
    schema = Schema([Field(name, types[name], nullable=name == "via") for name in COLUMNS])
    batches = []
    for group in _groups(events):
        columns = zip(*group, strict=True)
        batches.append(
            RecordBatch.from_arrays(
                [Array(column, type=types[name]) for name, column in zip(COLUMNS, columns, strict=True)],
                schema=schema,
            )
        )
    made = io.BytesIO()
    write_parquet(Table.from_batches(batches, schema=schema), made, compression="zstd(3)")
    return made.getvalue()


def _groups(events: Events) -> Iterator[list[Row]]:
    group: list[Row] = []
    for row in events:
        group.append(row)
        if len(group) == _A_GROUP:
            yield group
            group = []
    if group:
        yield group


_AROUND = 120
"""Bytes of a line of NDJSON that are names and numbers."""
FORMS: dict[str, Callable[[Events], bytes]] = {"ndjson": ndjson, "parquet": parquet}


def main(_argv: list[str]) -> int:
    """Read what is asked, and answer it."""
    asked = json.load(sys.stdin.buffer)
    confine(memory_mb=MEMORY_MB, cpu_s=CPU_S)
    file, data = Path(asked["file"]), b""
    told: dict[str, Any]
    try:
        with steady(file.parent):
            connection, _ = connect(file)
            rows = connection.execute(_WANTED, {"since": asked["since"], "until": asked["until"]})
            events = Events(rows, asked["events"], asked["bytes"])
            data = FORMS[asked["form"]](events)
            told = {"events": events.number, "truncated": events.truncated}
    except FolderLocked:
        told = {"refused": "other data are being put in place: ask again in a moment"}
    except Missing as error:
        told = {"refused": str(error)}
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n" + data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
