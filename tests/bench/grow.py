"""How reads and writes fare as the file grows: the same calls at each of some sizes, rows made by a generator.

python -m tests.bench grow --sizes 10000 1000000 --samples 200
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.connection import connect
from kbwork.modules.issues.structure import rank_keys
from tests.bench import kill

PROJECTS = 10
EVENTS_AN_ISSUE = 4
GOAL_MS = 50.0
_SLICE = 5000
_START = 1_600_000_000
_WORDS = [
    a + b + c
    for a in ("ba", "co", "di", "fu", "le")
    for b in ("ran", "tis", "mol", "ker")
    for c in ("o", "ing", "ate", "um", "er")
]
Calls = dict[str, Callable[[Kbwork, random.Random], Any]]


class Grower:
    """Fills a data folder with issues, spans, comments and events, past the server: it must not run.

    Texts are drawn from `words`, each as often as the next; with `weights`, sums of how often each comes.
    """

    def __init__(
        self,
        folder: Path,
        chance: random.Random,
        words: Sequence[str] = _WORDS,
        weights: Sequence[float] | None = None,
    ) -> None:
        self._chance = chance
        self._words, self._weights = words, weights
        self._connection = connect(folder / "kbwork.db", writer=True)
        self._owner: str = self._connection.execute("select id from member limit 1").get
        self._lanes: list[tuple[int, str]] = list(
            self._connection.execute("select id, category from lane order by position")
        )
        self._type: int = self._connection.execute("select id from issue_type where key = 'task'").get
        self._projects: list[int] = [row[0] for row in self._connection.execute("select id from project")]
        self._seq: int = self._connection.execute("select coalesce(max(seq), 0) from events").get
        self._made: int = self._connection.execute("select count(*) from issue").get
        self._numbers = dict(self._connection.execute("select id, numbers from project"))

    def grow_to(self, issues: int) -> None:
        while self._made < issues:
            with self._connection:
                self._slice(min(_SLICE, issues - self._made))
        self._connection.execute(
            "insert into counter (name, value) values ('seq', ?) on conflict do update set value = excluded.value",
            (self._seq,),
        )

    def close(self) -> None:
        self._connection.close(True)

    def _slice(self, count: int) -> None:
        rows = [self._issue() for _ in range(count)]
        columns = ", ".join(rows[0])
        marks = ", ".join(f":{name}" for name in rows[0])
        self._connection.executemany(f"insert into issue ({columns}) values ({marks})", rows)
        last = self._connection.last_insert_rowid()
        idents = range(last - count + 1, last + 1)
        self._connection.executemany(
            "insert into issue_assignee values (?, ?, 0)",
            [(ident, self._owner) for ident in idents if self._chance.random() < 0.02],
        )
        self._connection.executemany(
            "insert into span (subject, field, value, from_at, by) values (?, 'lane', ?, ?, ?)",
            [
                (f"issue:{i}", str(row["lane"]), row["created_at"], self._owner)
                for i, row in zip(idents, rows, strict=True)
            ],
        )
        self._connection.executemany(
            "insert into comment (subject, author, body, created_at, internal) values (?, ?, ?, ?, 0)",
            [
                (f"issue:{i}", self._owner, self._text(12), row["updated_at"])
                for i, row in zip(idents, rows, strict=True)
            ],
        )
        self._connection.executemany(
            "insert into events (seq, kind, subject, actor, actor_kind, at, payload, audience, scope)"
            " values (?, ?, ?, ?, 'human', ?, jsonb('{\"key\": \"P\", \"project\": \"P\"}'), 'seen', 'members:read')",
            [event for i, row in zip(idents, rows, strict=True) for event in self._events(i, row)],
        )
        self._connection.executemany(
            "update project set numbers = ? where id = ?", [(n, p) for p, n in self._numbers.items()]
        )
        self._made += count

    def _issue(self) -> dict[str, Any]:
        project = self._chance.choice(self._projects)
        self._numbers[project] += 1
        lane, category = self._chance.choice(self._lanes)
        at = _START + self._made + self._chance.randrange(100_000_000)
        return {
            "project": project,
            "number": self._numbers[project],
            "type": self._type,
            "title": self._text(6),
            "body": self._text(30),
            "lane": lane,
            "category": category,
            "priority": self._chance.choice(("urgent", "high", "medium", "low", "none")),
            "reporter": self._owner,
            "level_no": 0,
            "rank": rank_keys.of_number(self._numbers[project]),
            "created_at": at,
            "created_by": self._owner,
            "updated_at": at + 1000,
            "status_at": at,
            "done_at": at if category == "done" else None,
            "seq": self._seq + 1,
        }

    def _events(self, ident: int, row: dict[str, Any]) -> list[tuple[Any, ...]]:
        kinds = ("issue.created", "issue.updated", "issue.transitioned", "comment.created")
        found = []
        for kind in kinds[:EVENTS_AN_ISSUE]:
            self._seq += 1
            found.append((self._seq, kind, f"issue:{ident}", self._owner, row["updated_at"]))
        return found

    def _text(self, words: int) -> str:
        return " ".join(self._chance.choices(self._words, cum_weights=self._weights, k=words))


def calls(size: int) -> Calls:
    """What is asked, by name."""

    def key(chance: random.Random) -> str:
        return f"P{chance.randrange(PROJECTS)}X-{chance.randrange(1, max(2, size // PROJECTS - 500))}"

    def project(chance: random.Random) -> str:
        return f"P{chance.randrange(PROJECTS)}X"

    return {
        "issues.get": lambda c, r: c.call("issues.get", {"key": key(r)}),
        "issues.list, 200 of a project by rank": lambda c, r: c.call(
            "issues.list", {"project": project(r), "limit": 200}
        ),
        "issues.list, mine": lambda c, r: c.call("issues.list", {"assignee": "me", "limit": 50}),
        "issues.history": lambda c, r: c.call("issues.history", {"key": key(r)}),
        "search.query, two words": lambda c, r: c.call(
            "search.query", {"q": " ".join(r.sample(_WORDS, 2)) + " "}
        ),
        "search.suggest": lambda c, r: c.call("search.suggest", {"q": r.choice(_WORDS)[:4]}),
        "activity.recent": lambda c, r: c.call("activity.recent", {"limit": r.randrange(20, 31)}),
        "api.changes, 100 from anywhere": lambda c, r: c.call(
            "api.changes", {"since": r.randrange(1, size * 3), "limit": 100}
        ),
        "issues.create": lambda c, r: c.call(
            "issues.create", {"project": project(r), "title": f"New {r.random()}"}
        ),
        "projects.get": lambda c, r: c.call("projects.get", {"key": project(r)}),
    }


def measured(folder: Path, token: str, size: int, samples: int) -> dict[str, float]:
    """The p95 of each call, in ms, over HTTP from one connection."""
    server = kill.serve(folder, token, KBWORK_LIMITS_ENABLED="false")
    found = {}
    try:
        with Kbwork(server.url, token) as client:
            for name, ask in calls(size).items():
                chance = random.Random(7)
                times = []
                for number in range(samples + 10):
                    start = time.perf_counter()
                    ask(client, chance)
                    if number >= 10:
                        times.append(time.perf_counter() - start)
                found[name] = sorted(times)[int(len(times) * 0.95)] * 1000
    finally:
        server.process.terminate()
        server.process.wait(timeout=60)
    return found


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench grow")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--samples", type=int, default=200)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        token = kill.init(folder)
        server = kill.serve(folder, token)
        with Kbwork(server.url, token) as client:
            for number in range(PROJECTS):
                client.projects.create(key=f"P{number}X", name=f"Project {number}")
        server.process.terminate()
        server.process.wait(timeout=30)
        results = {}
        for size in sorted(options.sizes):
            grower = Grower(folder, random.Random(size))
            started = time.monotonic()
            grower.grow_to(size)
            grower.close()
            took, mb = time.monotonic() - started, (folder / "kbwork.db").stat().st_size / 1e6
            print(
                f"{size} issues, {size * EVENTS_AN_ISSUE} events: {mb:.0f} MB, made in {took:.0f} s",
                flush=True,
            )
            results[size] = measured(folder, token, size, options.samples)
    _show(results)


def _show(results: dict[int, dict[str, float]]) -> None:
    sizes = sorted(results)
    print(f"{'p95, ms':42}" + "".join(f"{size:>12}" for size in sizes) + f"{'ratio':>8}  goal")
    for name in results[sizes[0]]:
        times = [results[size][name] for size in sizes]
        ratio = times[-1] / times[0]
        met = "met" if ratio <= 2 and times[-1] <= GOAL_MS else "not met"
        print(f"{name:42}" + "".join(f"{one:12.1f}" for one in times) + f"{ratio:8.1f}  {met}")
    print(json.dumps(results))
