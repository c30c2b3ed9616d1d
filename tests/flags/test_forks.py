"""Programs that make a client and fork then, as a server does that loads its program before its workers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.flags.service import SDK_KEY, served
from tests.modules.calls import eventually

MADE = """
import json, os, sys, threading, time, warnings
warnings.simplefilter("ignore")
from kbwork.flags import Client, TestData
client = Client(sdk_key=sys.argv[1], base_url=sys.argv[2], cache_path=sys.argv[3])
assert client.ready()
mira = {"key": "mira"}
def told(**said):
    os.write(1, json.dumps(said).encode() + b"\\n")  # whole, though others write too
def ended(child):
    for _ in range(1000):
        found, code = os.waitpid(child, os.WNOHANG)
        if found:
            return code
        time.sleep(0.01)
    os.kill(child, 9)
    return None
"""
WORKERS = """
unheard = client.subscribe(lambda: told(unwanted=os.getpid()))
client.boolean("on", False, mira)
children = []
for _ in range(2):
    child = os.fork()
    if child == 0:
        assert threading.active_count() == 1, "threads begin when somebody asks"
        value = client.boolean("on", False, mira)
        unheard()
        heard = threading.Event()
        client.listen("on", lambda _: heard.set())
        told(child=os.getpid(), value=value, threads=threading.active_count(), version=client.version)
        assert heard.wait(20)
        told(child=os.getpid(), value=client.boolean("on", True, mira))
        client.close()
        os._exit(0)
    children.append(child)
unheard()
told(parent=client.boolean("on", False, mira))
codes = [os.waitpid(child, 0)[1] for child in children]
for _ in range(2000):
    if client.version == 2:
        break
    threading.Event().wait(0.01)
told(parent=client.boolean("on", True, mira), codes=codes, connected=client.status.connected)
client.close()
"""
IDLE = """
client.close()
if os.fork() == 0:
    told(value=client.boolean("on", False, mira), threads=threading.active_count())
    os._exit(0)
os.wait()
other = Client(source=TestData({"on": True}))
child = os.fork()
if child == 0:
    client.close(); other.close()
    told(value=other.boolean("on", False, mira), threads=threading.active_count())
    os._exit(0)
os.waitpid(child, 0)
"""
HELD = """
held, over = threading.Event(), threading.Event()
def hold():
    names = ("_stop", "_wanted", "_following", "_ready", "_rounds", "_lock", "_turns", "_fetching")
    owners = (client, client._feed, client._recorder, client._listeners)
    found = [getattr(owner, name) for owner in owners for name in names if hasattr(owner, name)]
    locks = [getattr(one, "_cond", one) for one in found]
    for _ in range(1000):  # all at once: who waits for one while it has others may be waited for itself
        taken = [lock for lock in locks if lock.acquire(timeout=0.01)]
        if len(taken) == len(locks):
            held.set()
            over.wait()
            break
        for lock in taken:
            lock.release()
        time.sleep(0.01)
    else:
        os._exit(1)
    for lock in taken:
        lock.release()
threading.Thread(target=hold).start()
held.wait()
child = os.fork()
if child == 0:
    told(value=client.boolean("on", False, mira), ready=client.ready())
    client.close()
    os._exit(0)
code = ended(child)
over.set()
client.close()
told(code=code)
"""

SOURCE = """
client.close()
source = TestData({"on": True})
other = Client(source=source)
held, over = threading.Event(), threading.Event()
def hold():
    with source._lock:
        held.set()
        over.wait()
threading.Thread(target=hold).start()
held.wait()
child = os.fork()
if child == 0:
    source.set("on", False)
    told(value=other.boolean("on", True, mira))
    source.set("on", True)
    told(value=other.boolean("on", False, mira))
    other.close()
    os._exit(0)
code = ended(child)
over.set()
told(code=code, value=other.boolean("on", False, mira))
other.close()
"""


def run(service_url: str, path: Path, code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", MADE + code, SDK_KEY, service_url, str(path / "flags.bin")],
        stdout=subprocess.PIPE,
        text=True,
    )


def read(lines: Any, count: int) -> list[dict[str, Any]]:
    return [json.loads(next(lines)) for _ in range(count)]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks")
def test_each_worker_follows_and_counts_by_itself(tmp_path: Path) -> None:
    with served() as service, run(service.url, tmp_path, WORKERS) as program:
        assert program.stdout is not None
        lines = iter(program.stdout)
        first = read(lines, 3)
        children = [one for one in first if "child" in one]
        assert [one["value"] for one in children] == [True, True]
        assert all(one["threads"] == 4 and one["version"] == 1 for one in children)
        eventually(lambda: len(service.streams) >= 3)
        service.change(on={**service.flags["on"], "on": False})
        later = read(lines, 3)
        assert [one["value"] for one in later if "child" in one] == [False, False]
        assert later[-1] == {"parent": False, "codes": [0, 0], "connected": True}
        assert program.wait(30) == 0
        counted = sum(one["count"] for batch in service.batches for one in batch["events"])
        assert counted == 3 + 2 * 2, "what was counted before the fork is told once"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks")
def test_a_client_that_was_closed_answers_in_a_child_and_begins_nothing(tmp_path: Path) -> None:
    with served() as service, run(service.url, tmp_path, IDLE) as program:
        assert program.stdout is not None
        assert read(iter(program.stdout), 2) == [{"value": True, "threads": 1}] * 2
        assert program.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks")
def test_what_another_thread_held_at_the_fork_holds_up_no_child(tmp_path: Path) -> None:
    with served() as service, run(service.url, tmp_path, HELD) as program:
        told, _ = program.communicate(timeout=60)
    assert [json.loads(line) for line in told.splitlines()] == [{"value": True, "ready": True}, {"code": 0}]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no forks")
def test_what_another_thread_held_of_a_source_at_the_fork_holds_up_no_child(tmp_path: Path) -> None:
    with served() as service, run(service.url, tmp_path, SOURCE) as program:
        told, _ = program.communicate(timeout=60)
    assert [json.loads(line) for line in told.splitlines()] == [
        {"value": False},
        {"value": True},
        {"code": 0, "value": True},
    ]
