"""SQL over the events, run beside the server by processes that can do nothing else: `kbwork.db.sandbox`."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any, Literal

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Internal, InvalidInput, QueryTooSlow
from kbwork.core import own_programs
from kbwork.core.operations.external import External
from kbwork.core.operations.turns import TurnPool
from kbwork.modules.analytics.model import QueryResult

MOST_ROWS = 1000
MOST_BYTES = 4_000_000
SECONDS = 2
"""Of the processor, and four times as long by the clock."""
MOST_EVENTS = 200_000
MOST_FILE_BYTES = 64_000_000
EXPORT_SECONDS = 60
_GRACE_S = 16
"""What a process has by the clock, beside the time that its query may use; then it is killed. Machines may be busy, and
a query that takes long is ended by the process itself."""
_SLOW = (
    f"It was stopped after {SECONDS} seconds of work: ask for fewer events, such as"
    " `where at > unixepoch() - 30 * 86400`, or for fewer columns."
)
QUERIES = TurnPool("kbwork-analytics", 2, 16, "Too many queries run just now", runs_programs=True)
EXPORTS = TurnPool("kbwork-export", 1, 4, "Too many exports are being made just now", runs_programs=True)


@dataclass(frozen=True, slots=True)
class EventFile:
    """Events as a file, in base64."""

    data: str
    events: int
    truncated: bool


async def ask(out: External, sql: str, *, look: bool = True) -> QueryResult:
    """Run a query; without `look` it is only tried whether it would. Raises InvalidInput, QueryTooSlow or Busy."""
    file = await out.read(lambda tx: tx.places.file)
    found: dict[str, Any] = await out.in_turn(_asked, file, sql, look, among=QUERIES)
    return QueryResult(
        columns=found["columns"], rows=found["rows"], truncated=found["truncated"], ms=found["ms"]
    )


async def export(out: External, form: Literal["ndjson", "parquet"], since: int, until: int) -> EventFile:
    """The events from `since` to before `until`, oldest first. Raises InvalidInput or Busy."""
    file = await out.read(lambda tx: tx.places.file)
    return await out.in_turn(_exported, file, form, since, until, among=EXPORTS)


def _asked(file: Path, sql: str, look: bool) -> dict[str, Any]:
    asked = {"sql": sql, "look": look, "seconds": SECONDS, "rows": MOST_ROWS, "bytes": MOST_BYTES}
    found: dict[str, Any] = json.loads(_answered("query", file, asked, SECONDS))
    if "refused" in found:
        raise InvalidInput(f"The query cannot run: {found['refused']}.", field="sql")
    if "slow" in found:
        raise QueryTooSlow(_SLOW, field="sql")
    return found


def _exported(file: Path, form: str, since: int, until: int) -> EventFile:
    asked = {"form": form, "since": since, "until": until, "events": MOST_EVENTS, "bytes": MOST_FILE_BYTES}
    head, _, data = _answered("export", file, asked, EXPORT_SECONDS).partition(b"\n")
    found = json.loads(head)
    if "refused" in found:
        raise InvalidInput(f"The events cannot be exported: {found['refused']}.")
    return EventFile(base64.b64encode(data).decode(), found["events"], found["truncated"])


def _answered(program: str, file: Path, asked: dict[str, Any], seconds: int) -> bytes:
    """What a process answers. Raises QueryTooSlow for one that did not end by itself."""
    try:
        done = own_programs.run(
            f"kbwork.db.sandbox.{program}",
            given=json.dumps({"file": str(file), **asked}).encode(),
            most_s=seconds + _GRACE_S,
        )
    except subprocess.TimeoutExpired:
        raise QueryTooSlow(_SLOW) from None
    if done.returncode < 0:  # the system ended it: its time on the processor was over
        raise QueryTooSlow(_SLOW)
    if done.returncode != 0:
        text = done.stderr.decode(errors="replace")[-2000:]
        raise Internal("The query could not be run; the log has more.", internal=text)
    return done.stdout
