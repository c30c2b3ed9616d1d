"""Questions of SQL over many events: how long each takes beside how long one over none does.

python -m tests.bench analytics --events 1000000
"""

import argparse
import json
import math
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

import apsw

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.bench import kill

_TIMES = 5
QUERIES = {
    "by kind": "select kind, count(*) from events group by kind",
    "by day": "select date(at, 'unixepoch') as day, count(*) from events group by day order by day desc limit 30",
    "by actor": "select actor, count(*) from events group by actor order by 2 desc limit 50",
    "out of payloads": "select payload ->> '$.project' as project, count(*) from events"
    " where kind = 'issue.created' group by project",
}
_KINDS = ("issue.created", "issue.updated", "issue.transitioned", "comment.created", "issue.assigned")
_CURSORS = "('seq', 'notifications', 'webhooks', 'automation', 'chat')"
_FILL = """
with recursive n (i) as (select 1 union all select i + 1 from n where i < :most)
insert into events (seq, kind, subject, actor, actor_kind, at, payload, audience, scope)
select :after + i, (:kinds ->> (i % 5)), 'org:1', 'm_' || (i % 100), 'human', 1700000000 + i * 30,
  jsonb_object('project', 'P' || (i % 40), 'key', 'P' || (i % 40) || '-' || i), 'seen', 'org' from n
"""


def run(folder: Path, events: int) -> dict[str, float]:
    """Milliseconds of each question, the middle of five; infinite for one that the server stops."""
    key = kill.init(folder)
    with closing(apsw.Connection(str(folder / "kbwork.db"))) as data:
        after = int(data.execute("select max(seq) from events").get)
        binds = {"most": events, "after": after, "kinds": json.dumps(_KINDS)}
        with data:
            data.execute(_FILL, binds)
            # nobody follows them: they tell of nothing that is there
            data.execute(f"update counter set value = ? where name in {_CURSORS}", (after + events,))
    server = kill.serve(folder, key)
    try:
        with Kbwork(server.url, key, timeout_s=60) as client:
            found = {"nothing": _middle(client, "select 1")}
            for name, sql in QUERIES.items():
                found[name] = _middle(client, sql)
    finally:
        server.kill()
    return found


def _middle(client: Kbwork, sql: str) -> float:
    took = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        try:
            answer = client.call("analytics.query", {"sql": sql})
        except KbworkProblem as problem:
            if problem.slug == "query-too-slow":
                return math.inf
            raise
        took.append((time.perf_counter() - begun) * 1000)
        assert answer["rows"]
    return statistics.median(took)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench analytics")
    parser.add_argument("--events", type=int, default=1_000_000)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "data", args.events)
    for name, ms in found.items():
        print(f"{name:24}{ms:10,.1f} ms{ms / found['nothing']:10,.1f} times nothing")
    print(json.dumps(found))
