"""Whether the time of a refused sign-in tells that somebody has the address, and who waits while many sign in.

python -m tests.bench signin [--samples 2000]
"""

import asyncio
import json
import math
import random
import statistics
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

from kbwork.app import open_data, registry
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Unauthenticated
from kbwork.core.operations.call import Credentials
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.modules.auth import hashed
from kbwork.modules.org.setup import create_org
from tests.bench import kill

KNOWN = "ana@acme.example"
UNKNOWN = "eva@acme.example"
_BEFORE_LOCKED = 9
_WINDOW_S = 15 * 60
_FLOOD = 50


def mann_whitney(one: list[float], other: list[float]) -> float:
    """The two-sided p that both come from one distribution; by the normal approximation, ties corrected."""
    ordered = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks, ties, start = 0.0, 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][0] == ordered[start][0]:
            end += 1
        ranks += (start + end + 1) / 2 * sum(1 for _, which in ordered[start:end] if which == 0)
        ties += (end - start) ** 3 - (end - start)
        start = end
    n, m = len(one), len(other)
    whole = n + m
    u = ranks - n * (n + 1) / 2
    spread = math.sqrt(n * m / 12 * (whole + 1 - ties / (whole * (whole - 1))))
    return math.erfc(abs(u - n * m / 2) / spread / math.sqrt(2))


def run(folder: Path, samples: int, *, seed: int = 1) -> dict[str, float]:
    """So many refusals of each kind in a random order, one at a time; times in ms."""
    clock = FixedClock(1_800_000_000)
    database = open_data(folder, clock)
    password = hashed("correct horse battery")
    database.write_now(lambda tx: create_org(tx, "Acme", "Ana Lund", KNOWN, password))
    dispatcher = Dispatcher(registry(), database, Limits(Rates(enabled=False)), clock)
    who = Credentials(address="192.0.2.1")
    times: dict[str, list[float]] = {KNOWN: [], UNKNOWN: []}
    answers: dict[str, set[str]] = {KNOWN: set(), UNKNOWN: set()}

    async def ask() -> None:
        chance = random.Random(seed)
        order = [KNOWN, UNKNOWN] * samples
        chance.shuffle(order)
        tries = dict.fromkeys(times, 0)
        for email in order:
            if tries[email] == _BEFORE_LOCKED:
                clock.advance(_WINDOW_S + 1)
                tries = dict.fromkeys(times, 0)
            tries[email] += 1
            body = json.dumps({"email": email, "password": "wrong horse battery"}).encode()
            started = time.perf_counter()
            try:
                await dispatcher.run(dispatcher.admit("auth.login", who), body)
            except Unauthenticated as problem:
                times[email].append(time.perf_counter() - started)
                answers[email].add(json.dumps([problem.document("r"), problem.headers]))

    try:
        asyncio.run(ask())
    finally:
        database.close()
    assert len(times[KNOWN]) == len(times[UNKNOWN]) == samples
    assert answers[KNOWN] == answers[UNKNOWN]
    assert len(answers[KNOWN]) == 1
    medians = {email: 1000 * statistics.median(found) for email, found in times.items()}
    return {
        "samples_each": samples,
        "known_median_ms": round(medians[KNOWN], 2),
        "unknown_median_ms": round(medians[UNKNOWN], 2),
        "difference_ms": round(medians[KNOWN] - medians[UNKNOWN], 3),
        "p": round(mann_whitney(times[KNOWN], times[UNKNOWN]), 4),
    }


def flood(folder: Path) -> dict[str, float]:
    """How long a page takes while so many sign in at once from one address; times in ms, and how they were answered."""
    server = kill.serve(folder, kill.init(folder))
    statuses: Counter[int] = Counter()

    def sign_in(number: int) -> None:
        body = json.dumps({"email": f"somebody{number}@acme.example", "password": "wrong horse battery"})
        asked = urllib.request.Request(
            f"{server.url}/api/v1/auth.login", body.encode(), {"Content-Type": "application/json"}
        )
        try:
            urllib.request.urlopen(asked, timeout=60).close()
        except urllib.error.HTTPError as refused:
            statuses[refused.code] += 1

    def look() -> float:
        started = time.perf_counter()
        urllib.request.urlopen(f"{server.url}/docs", timeout=60).read()
        return 1000 * (time.perf_counter() - started)

    try:
        idle = sorted(look() for _ in range(200))
        people = [threading.Thread(target=sign_in, args=(number,)) for number in range(_FLOOD)]
        for each in people:
            each.start()
        found = []
        while any(each.is_alive() for each in people):
            found.append(look())
        found.sort()
    finally:
        server.kill()
    return {
        "page_idle_p99_ms": round(idle[-2], 1),
        "page_beside_sign_ins_p50_ms": round(statistics.median(found), 1),
        "page_beside_sign_ins_p99_ms": round(found[int(len(found) * 0.99)], 1),
        "page_beside_sign_ins_max_ms": round(found[-1], 1),
        **{f"answered_{status}": number for status, number in sorted(statuses.items())},
    }


def main(arguments: list[str]) -> None:
    """`signin [--samples N]`; 2,000 of each unless given, a tenth of a second each."""
    samples = int(arguments[arguments.index("--samples") + 1]) if "--samples" in arguments else 2000
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(flood(Path(folder) / "flood")))
        print(json.dumps(run(Path(folder) / "data", samples)))
