"""kill -9 in the middle of patches of flags: each is there whole or not at all, and no version is used twice.

python -m tests.bench patches --rounds 50
"""

import argparse
import json
import random
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import apsw

from kbwork.contract.kbwork_client import Kbwork, KbworkError
from kbwork.db.archives.check import check
from tests.bench import kill

WRITERS = 4
_FLAGS = ("one", "two")


class Faulty(AssertionError):
    """What must not be is."""


class _Writers:
    """Patch flags until the server is gone. Each patch names a mark twice, by two instructions."""

    def __init__(self, server: kill.Server, mark: str) -> None:
        self.acknowledged: dict[str, tuple[str, int]] = {}
        """Mark -> (flag, the version that it became)."""
        self._threads = [
            threading.Thread(target=self._write, args=(server, f"{mark}-{number}"))
            for number in range(WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(timeout=60)
            assert not thread.is_alive()

    def _write(self, server: kill.Server, mark: str) -> None:
        with Kbwork(server.url, server.key) as client:
            client.retries = 0
            count = 0
            while True:
                count += 1
                one, key = f"{mark}-{count}", _FLAGS[count % len(_FLAGS)]
                add = {"kind": "addTargets", "values": [one]}
                patch = [add | {"variation": 0}, add | {"variation": 1, "contextKind": "device"}]
                asked = {"project": "shop", "key": key, "environment": "live", "instructions": patch}
                try:
                    done = client.call("flags.update", asked)
                except KbworkError:
                    return
                self.acknowledged[one] = key, done["flag"]["environments"]["live"]["version"]


def run(folder: Path, rounds: int, *, seed: int = 1, report: Any = print) -> dict[str, int]:
    """So many rounds of patches, kill and check; answers the counts. Raises Faulty at the first fault."""
    chance = random.Random(seed)
    key = kill.init(folder)
    server = kill.serve(folder, key)
    with Kbwork(server.url, key) as client:
        client.call("flags.project_save", {"project": "shop"})
        client.call("flags.environment_save", {"project": "shop", "key": "live"})
        for flag in _FLAGS:
            client.call("flags.create", {"project": "shop", "key": flag})
    acknowledged: dict[str, tuple[str, int]] = {}
    try:
        for number in range(rounds):
            writers = _Writers(server, str(number))
            time.sleep(0.15 + chance.random() * 0.5)
            server.kill()
            writers.join()
            acknowledged |= writers.acknowledged
            faults = list(check(folder / "kbwork.db"))
            if faults:
                raise Faulty(faults)
            _verify(folder / "kbwork.db", acknowledged)
            report(f"round {number + 1}: {len(acknowledged)} acknowledged")
            server = kill.serve(folder, key)
    finally:
        server.kill()
    return {"rounds": rounds, "acknowledged": len(acknowledged)}


def _verify(file: Path, acknowledged: dict[str, tuple[str, int]]) -> None:
    told = list(acknowledged.values())
    if len(set(told)) < len(told):
        raise Faulty("a version was told twice")
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        patches = sum(_whole(connection, flag, acknowledged) for flag in _FLAGS)
        version = connection.execute("select version from flag_environment").get
    finally:
        connection.close()
    if version != 1 + len(_FLAGS) + patches:
        raise Faulty(f"the environment is at version {version} after {patches} patches")


def _whole(connection: apsw.Connection, flag: str, acknowledged: dict[str, tuple[str, int]]) -> int:
    """How many patches a flag has, each of them whole and under a version of its own."""
    binds = (flag,)
    config, version = connection.execute(
        "select c.config, c.version from flag_config c join flag f on f.id = c.flag where f.key = ?", binds
    ).fetchall()[0]
    assert isinstance(config, str)
    assert isinstance(version, int)
    targets = json.loads(config)["targets"]
    lists = [set(target["values"]) for target in targets] or [set(), set()]
    if len(lists) != 2 or lists[0] != lists[1]:
        raise Faulty(f"half a patch stands in {flag}")
    if lost := {mark for mark, (key, _) in acknowledged.items() if key == flag} - lists[0]:
        raise Faulty(f"acknowledged patches are gone: {sorted(lost)[:5]}")
    numbers = [
        number
        for (number,) in connection.execute(
            "select r.version from flag_revision r join flag f on f.id = r.flag"
            " where f.key = ? and r.environment is not null order by r.id",
            binds,
        )
    ]
    if numbers != list(range(1, version + 1)) or version != 1 + len(lists[0]):
        raise Faulty(
            f"{flag} is at version {version}, has {len(lists[0])} patches and versions {numbers[-5:]}"
        )
    return len(lists[0])


def main(arguments: list[str]) -> None:
    """Prints a line a round, and a line of JSON."""
    parser = argparse.ArgumentParser(prog="patches")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "data", given.rounds, seed=given.seed)
    print(json.dumps(found))
