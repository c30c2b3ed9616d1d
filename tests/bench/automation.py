"""Rules under load: events that set them off, runs a second, and each run made once where the server is killed.

python -m tests.bench automation --seconds 5 --rules 10 --kills 10
"""

import argparse
import json
import random
import tempfile
import time
from contextlib import closing
from pathlib import Path

import apsw

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill, writers

_TIMEOUT_S = 300
_KILLED_AFTER_S = (0.3, 1.6)
_SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "{{rule}}"}}


def run(folder: Path, seconds: float, *, rules: int = 10, kills: int = 0, seed: int = 1) -> dict[str, float]:
    """So much load, with one rule that says something to each issue, and so many that look at each and do nothing.

    Answers the figures. Raises AssertionError where the rule did not run for an issue, or more than once.
    """
    chance = random.Random(seed)
    key = kill.init(folder)
    server = kill.serve(folder, key)
    try:
        with Kbwork(server.url, key) as client:
            client.projects.create(key="RLS", name="Ruled")
        quiet = writers.written(server, "RLS", seconds)
        with Kbwork(server.url, key) as client:
            said = {"name": "Say", "trigger": {"kind": "event", "event": "issue.created"}, "actions": [_SAY]}
            client.call("automation.save", said)
            since = _last(folder)
            for number in range(rules - 1):
                never = {"kind": "event", "event": "issue.created", "tql": "priority = urgent"}
                client.call("automation.save", said | {"name": f"Look {number}", "trigger": never})
        begun = time.monotonic()
        written = writers.written(server, "RLS", seconds)
        _wait(folder, since)
        took_s = time.monotonic() - begun
        for _ in range(kills):
            writers.killed(server, "RLS", chance.uniform(*_KILLED_AFTER_S))
            server = kill.serve(folder, key)
        _wait(folder, since)
    finally:
        server.kill()
    return {
        "issues a second without rules": quiet / seconds,
        f"issues a second with {rules}": written / seconds,
        "events looked at by a rule a second": written * rules / took_s,
        "runs a second": written / took_s,
        "runs": _judge(folder, since),
    }


def _last(folder: Path) -> int:
    """The number of the last issue."""
    with closing(apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)) as data:
        return int(data.execute("select coalesce(max(id), 0) from issue").get)


def _counted(folder: Path, since: int) -> list[int]:
    """How often the rule spoke to each issue that was made since."""
    with closing(apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)) as data:
        rows = data.execute(
            "select (select count(*) from comment c where c.subject = 'issue:' || i.id) from issue i where i.id > ?",
            (since,),
        )
        return [int(number) for (number,) in rows]


def _wait(folder: Path, since: int) -> None:
    """Until the rule spoke to each."""
    until = time.monotonic() + _TIMEOUT_S
    while missing := _counted(folder, since).count(0):
        assert time.monotonic() < until, f"the rule did not run for {missing} issues"
        time.sleep(0.1)


def _judge(folder: Path, since: int) -> int:
    times = _counted(folder, since)
    assert set(times) == {1}, "the rule ran more than once for an issue"
    return len(times)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench automation")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rules", type=int, default=10)
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "data", args.seconds, rules=args.rules, kills=args.kills)
    for name, value in found.items():
        print(f"{name:40}{value:12,.1f}")
    print(json.dumps(found))
