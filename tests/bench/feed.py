"""The feed by both roads: `api.changes` with any limit and the stream, cut off and resumed anywhere.

python -m tests.bench feed --events 100000
"""

import asyncio
import contextlib
import http.client
import json
import random
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw

from kbwork.app import open_data
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from tests.bench import kill
from tests.bench.power import Desk

_LIVE_SHARE = 0.05
_WRITERS = 4
_TIMEOUT_S = 120

Found = list[dict[str, Any]]


def run(folder: Path, events: int, *, seed: int = 1) -> dict[str, int]:
    """So many events, the last of them while they are read, by an owner and by a member who sees a part."""
    key = kill.init(folder)
    member = _fill(folder, key, int(events * (1 - _LIVE_SHARE)))
    server = kill.serve(folder, key, KBWORK_STREAMS_PING_SECONDS="1")
    answers: dict[str, Found] = {}
    goal = threading.Event()
    last = [0]

    def read(name: str, road: Callable[..., Found], token: str, number: int) -> None:
        answers[name] = road(
            server, token, random.Random(seed + number), lambda: last[0] if goal.is_set() else None
        )

    try:
        readers = [
            threading.Thread(target=read, args=(f"{who} {road.__name__}", road, token, number))
            for number, (who, token, road) in enumerate(
                (who, token, road)
                for who, token in (("owner", key), ("member", member))
                for road in (_changes, _stream)
            )
        ]
        for reader in readers:
            reader.start()
        last[0] = _write_on(server, key, int(events * _LIVE_SHARE))
        goal.set()
        for reader in readers:
            reader.join(_TIMEOUT_S * 5)
            assert not reader.is_alive(), "a reader did not come to the end"
    finally:
        server.kill()
    assert len(answers) == len(readers), "a reader failed"
    return _judge(folder, answers)


def _fill(folder: Path, key: str, events: int) -> str:
    """Two projects, one of them the owner's alone; answers the key of a member."""

    def add(tx: Write) -> str:
        member = callers.add_member(tx, name="Cy Moss", email="cy@acme.example", role="member")
        _, made = callers.add_key(tx, member, {"name": "bench", "scopes": sorted(scopes.of_role("member"))})
        return made

    database = open_data(folder)
    try:
        token = database.write_now(add)
        desk = Desk(database, key)

        async def fill() -> None:
            await desk.call("projects.create", {"key": "OPN", "name": "Open"}, "a")
            await desk.call("projects.create", {"key": "PRV", "name": "Own", "visibility": "private"}, "b")
            number = 0
            while database.seq < events:
                number += 1
                await desk.call(
                    "api.batch", {"ops": [_issue(number * 50 + n) for n in range(50)]}, f"c{number}"
                )

        asyncio.run(fill())
    finally:
        database.close()
    return token


def _issue(number: int) -> dict[str, Any]:
    project = "PRV" if number % 3 == 0 else "OPN"
    return {"op": "issues.create", "input": {"project": project, "title": f"Number {number}"}}


def _write_on(server: kill.Server, key: str, events: int) -> int:
    """Single writes from several at once; answers the last sequence number."""

    def write() -> None:
        with Kbwork(server.url, key) as client:
            for number in range(events // _WRITERS):
                client.call("issues.create", _issue(number)["input"])

    writers = [threading.Thread(target=write) for _ in range(_WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(_TIMEOUT_S * 5)
    with Kbwork(server.url, key) as client:
        client.call("labels.save", {"name": "the last that all hear of"})
        return client.last_seq or 0


def _changes(server: kill.Server, token: str, chance: random.Random, goal: Callable[[], int | None]) -> Found:
    """Pages of any size; now and then the reader forgets some pages and goes on from where it remembers."""
    found: Found = []
    kept = (0, 0)
    since = 0
    with Kbwork(server.url, token) as client:
        while (end := goal()) is None or since < end:
            page = client.call("api.changes", {"since": since, "limit": chance.randint(1, 500)})
            found += page["events"]
            since = page["next"]
            if chance.random() < 0.05:
                kept = (since, len(found))
            elif chance.random() < 0.02:
                since = kept[0]
                del found[kept[1] :]
    return found


def _stream(server: kill.Server, token: str, chance: random.Random, goal: Callable[[], int | None]) -> Found:
    """Streams cut off after any number of events, and resumed behind any of those that were read."""
    found: Found = []
    while (end := goal()) is None or not found or found[-1]["seq"] < end:
        since = found[-1]["seq"] if found else 0
        for count, event in enumerate(_listen(server, token, since)):
            if event is not None:
                found.append(event)
            if (found and found[-1]["seq"] == goal()) or count > chance.expovariate(1 / 5000):
                break
        if len(found) > 100 and goal() is None:
            del found[-chance.randint(1, 100) :]
    return found


def _listen(server: kill.Server, token: str, since: int) -> Iterator[dict[str, Any] | None]:
    """Each event, and None where the stream says that it lives: the last event may come before its number is known."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=_TIMEOUT_S)
    with contextlib.closing(connection):
        headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": str(since)}
        connection.request("GET", "/api/v1/stream", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        is_event = False
        while line := answer.readline():
            if line.startswith(b"id: "):
                is_event = True
            elif line.startswith(b"data: ") and is_event:
                yield json.loads(line[6:])
                is_event = False
            elif line.startswith(b":"):
                yield None


def _judge(folder: Path, answers: dict[str, Found]) -> dict[str, int]:
    """Both roads tell the same, in order, each once, and no issue is missing that the caller sees."""
    connection = apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        wanted = {
            who: [
                seq
                for (seq,) in connection.execute(
                    "select e.seq from events e join issue i on e.subject = 'issue:' || i.id"
                    " join project p on p.id = i.project where e.kind = 'issue.created'"
                    f" and p.key in {projects} order by e.seq"
                )
            ]
            for who, projects in (("owner", "('OPN', 'PRV')"), ("member", "('OPN')"))
        }
        total: int = connection.execute("select max(seq) from events").get
    finally:
        connection.close()
    for who, seqs in wanted.items():
        changes, stream = answers[f"{who} _changes"], answers[f"{who} _stream"]
        assert [event["seq"] for event in changes] == sorted({event["seq"] for event in changes}), who
        assert [event["seq"] for event in changes if event["kind"] == "issue.created"] == seqs, who
        assert changes == stream, who
    return {
        "events": total,
        "owner_heard": len(answers["owner _changes"]),
        "member_heard": len(answers["member _changes"]),
    }


def main(arguments: list[str]) -> None:
    """`feed [--events N]`; 100,000 unless given. Ends with an AssertionError at the first difference."""
    events = int(arguments[arguments.index("--events") + 1]) if "--events" in arguments else 100_000
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder) / "data", events)))
