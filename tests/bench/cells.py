"""Orgs that sleep and wake while people write: what fails, what is lost, and how long the first answer takes.

python -m tests.bench cells --orgs 6 --seconds 30 --kills 0

Each org stops after a second without a request; some are killed where that is asked for.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from kbwork.cells import idle
from kbwork.cells.door import status
from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill

_WRITERS = 4
_IDLE_MINUTES = "0.02"
_GOAL_S = 1.0


@dataclass
class Heard:
    """What the writers were answered."""

    codes: Counter[str] = field(default_factory=Counter)
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    """(org, title)."""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench cells")
    parser.add_argument("--orgs", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--kills", type=int, default=0)
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="kbwork-cells-") as name:
        folder = Path(name) / "orgs"
        key = _laid(Path(name), folder, asked.orgs)
        process, port = _door(folder)
        try:
            first = [_first(folder, port, key, f"org{number}.example.org") for number in range(asked.orgs)]
            heard = _worked(folder, port, key, asked.seconds, asked.kills)
            starts = sum(one["starts"] for one in status(folder))
        finally:
            process.terminate()
            process.wait(timeout=60)
        lost = _lost(folder, heard)
    told = {
        "first_answer_s": round(statistics.median(first), 2),
        "first_answer_worst_s": round(max(first), 2),
        "goal_s": _GOAL_S,
        "starts": starts,
        "codes": dict(heard.codes),
        "acknowledged": len(heard.acknowledged),
        "lost_or_doubled": lost,
    }
    print(json.dumps(told))


def _laid(root: Path, folder: Path, orgs: int) -> str:
    """The same org under several names; answers the key of its owner."""
    key = kill.init(root / "data")
    server = kill.serve(root / "data", key)
    with Kbwork(server.url, key) as client:
        client.projects.create(key="CEL", name="Asleep")
    server.process.terminate()
    server.process.wait(timeout=30)
    for number in range(orgs):
        data = folder / f"org{number}.example.org" / "kbwork-data"
        shutil.copytree(root / "data", data)
        idle.note(data, 1 << 40)
    return key


def _door(folder: Path) -> "tuple[subprocess.Popen[str], int]":
    words = [sys.executable, "-m", "kbwork", "cells", str(folder), "--port", "0", "--scheme", "http"]
    process = subprocess.Popen(
        [*words, "--idle-minutes", _IDLE_MINUTES],
        env=os.environ | {"KBWORK_LIMITS_ENABLED": "false"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    port = int(process.stdout.readline().split(",")[0].rpartition(":")[2])
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, port


def _create(port: int, key: str, org: str, title: str) -> str:
    """The status, or what went wrong, of one write by a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Host": org, "Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = json.dumps({"project": "CEL", "title": title})
    try:
        connection.request("POST", "/api/v1/issues.create", body, headers)
        answer = connection.getresponse()
        answer.read()
        return str(answer.status)
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def _first(folder: Path, port: int, key: str, org: str) -> float:
    assert next(one for one in status(folder) if one["name"] == org)["state"] == "asleep"
    began = time.monotonic()
    assert _create(port, key, org, "First") == "200"
    return time.monotonic() - began


def _worked(folder: Path, port: int, key: str, seconds: float, kills: int) -> Heard:
    heard, over, lock = Heard(), threading.Event(), threading.Lock()
    orgs = [one["name"] for one in status(folder)]

    def write(number: int) -> None:
        chance, count = random.Random(number), 0
        while not over.is_set():
            org, title = chance.choice(orgs), f"{number}-{count}"
            count += 1
            code = _create(port, key, org, title)
            with lock:
                heard.codes[code] += 1
                if code == "200":
                    heard.acknowledged.add((org, title))
            over.wait(chance.random() * 0.8)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(_WRITERS)]
    for writer in writers:
        writer.start()
    chance = random.Random(0)
    for _ in range(kills):
        over.wait(seconds / kills)
        if awake := [one["pid"] for one in status(folder) if one["pid"]]:
            os.kill(chance.choice(awake), signal.SIGKILL)
    over.wait(0 if kills else seconds)
    over.set()
    for writer in writers:
        writer.join(timeout=120)
    return heard


def _lost(folder: Path, heard: Heard) -> int:
    """How many acknowledged writes are not there exactly once."""
    wrong = 0
    for org in {org for org, _ in heard.acknowledged}:
        file = folder / org / "kbwork-data" / "kbwork.db"
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        counted = Counter(title for (title,) in connection.execute("select title from issue"))
        connection.close()
        wrong += sum(counted[title] != 1 for one, title in heard.acknowledged if one == org)
    return wrong
