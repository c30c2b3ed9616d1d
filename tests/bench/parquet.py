"""A day of a million events as Parquet: how long it takes, and how much memory.

python -m tests.bench parquet --events 1000000
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

import apsw

from kbwork.db.archives import event_days

_GOAL_S = 5.0
_DAY = 1_800_000_000 // 86_400 * 86_400
_TABLE = """
create table events (seq integer primary key, kind text, subject text, actor text, actor_kind text, via text,
  at integer, payload blob, audience text, origin text) strict
"""
_ROWS = """
with recursive n(value) as (select 1 union all select value + 1 from n where value < :events)
insert into events select value, 'issue.updated', 'issue:' || (value % 5000), 'm_' || (value % 40), 'human', null,
  :day + value % 86400, jsonb(json_object('changes', json_object('title', json_object('from', 'Old ' || value,
  'to', 'New ' || value * 7919 % 100003)))), 'org', null from n
"""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench parquet")
    parser.add_argument("--events", type=int, default=1_000_000)
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="kbwork-parquet-") as name:
        connection = apsw.Connection(str(Path(name) / "events.db"))
        connection.execute(_TABLE)
        connection.execute("create index events_audit on events (at)")
        connection.execute(_ROWS, {"events": asked.events, "day": _DAY})
        with (Path(name) / "events.parquet").open("wb") as out:
            began = time.monotonic()
            event_days.write_day(connection, _DAY, out)
            seconds = time.monotonic() - began
            size = out.tell()
        connection.close()
    memory_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = {"events": asked.events, "seconds": round(seconds, 2), "goal_s": _GOAL_S}
    print(json.dumps(told | {"mb": round(size / 1e6, 1), "memory_mb": memory_kb // 1024}))
