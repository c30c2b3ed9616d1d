"""How long search and the palette take, asked one after the other, and what others wait meanwhile.

python -m tests.bench search --issues 100000 --samples 500
"""

import argparse
import itertools
import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kbwork.app import open_data
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers
from kbwork.db.connection import connect
from kbwork.db.tx import Write
from tests.bench import kill
from tests.bench.grow import PROJECTS, Grower

WORDS = 60_000
MEMBERS = 2000
GOAL_MS = 10.0
_WARM = 150
_SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in "aeiou"]
Asked = tuple[str, dict[str, object]]


def vocabulary(chance: random.Random) -> tuple[list[str], list[float]]:
    """Words of two to five syllables, and sums of weights: the n-th comes about n times less often than the first."""
    found: dict[str, None] = {}
    while len(found) < WORDS:
        found["".join(chance.choices(_SYLLABLES, k=chance.choice((2, 3, 3, 4, 4, 5))))] = None
    return list(found), list(itertools.accumulate(1 / (n + 3) for n in range(WORDS)))


def fill(folder: Path, issues: int) -> str:
    """A company of 2,000 with so many issues and as many comments; answers the owner's key."""
    token = kill.init(folder)
    server = kill.serve(folder, token)
    with Kbwork(server.url, token) as client:
        for number in range(PROJECTS):
            client.projects.create(key=f"P{number}X", name=f"Project {number}")
    server.process.terminate()
    server.process.wait(timeout=30)
    chance = random.Random(issues)
    words, weights = vocabulary(chance)

    def people(tx: Write) -> None:
        for number in range(MEMBERS):
            name = f"{chance.choice(words)} {chance.choice(words)}".title()
            callers.add_member(tx, name=name, email=f"m{number}@acme.example", role="member")

    database = open_data(folder)
    try:
        database.write_now(people)
    finally:
        database.close()
    grower = Grower(folder, chance, words, weights)
    grower.grow_to(issues)
    grower.close()
    return token


def _titles(folder: Path, chance: random.Random, most: int) -> list[str]:
    connection = connect(folder / "kbwork.db", writer=False)
    try:
        last: int = connection.execute("select max(id) from issue").get
        sql = "select title from issue where id >= ? limit 1"
        return [connection.execute(sql, (chance.randint(1, last),)).get for _ in range(most)]
    finally:
        connection.close()


def _typed(title: str) -> Iterator[str]:
    """The first two words, letter by letter."""
    text = " ".join(title.split()[:2])
    return (text[:end] for end in range(1, len(text) + 1) if text[end - 1] != " ")


def _mistyped(word: str) -> str:
    """Two letters in the middle change places."""
    middle = len(word) // 2
    return word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]


def calls(titles: list[str], chance: random.Random) -> dict[str, Iterator[Asked]]:
    """What is asked, by name, each without an end."""

    def query(text: Callable[[list[str]], str]) -> Iterator[Asked]:
        return (("search.query", {"q": text(title.split())}) for title in itertools.cycle(titles))

    def keystrokes() -> Iterator[Asked]:
        for title in itertools.cycle(titles):
            for text in _typed(title):
                yield "search.suggest", {"q": text}

    def nonsense(words: list[str]) -> str:
        return " ".join(w[0] + "".join(chance.sample("qwxyjbdghk", 8)) for w in words * 5)

    return {
        "suggest, each keystroke": keystrokes(),
        "suggest, one letter": (("search.suggest", {"q": title[0]}) for title in itertools.cycle(titles)),
        "query, two words of a title": query(lambda words: f"{words[0]} {words[1]} "),
        "query, the beginning of a word": query(lambda words: words[0][:4]),
        "query, a page of 200": (
            ("search.query", {"q": f"{title.split()[0]} ", "limit": 200}) for title in itertools.cycle(titles)
        ),
        "query, a word mistyped": query(lambda words: f"{_mistyped(max(words, key=len))} "),
        "query, 30 words of nonsense": query(nonsense),
    }


def measured(url: str, token: str, asked: Iterator[Asked], samples: int) -> list[float]:
    """The times in ms, sorted, over HTTP from one connection, when each reader's caches are warm."""
    times = []
    with Kbwork(url, token) as client:
        for number, (op, value) in enumerate(itertools.islice(asked, samples + _WARM)):
            start = time.perf_counter()
            client.call(op, value)
            if number >= _WARM:
                times.append(1000 * (time.perf_counter() - start))
    return sorted(times)


def beside(url: str, token: str, asked: Iterator[Asked], samples: int) -> list[float]:
    """What `issues.get` takes while somebody else asks these without a pause."""
    done = threading.Event()

    def ask() -> None:
        with Kbwork(url, token) as client:
            for op, value in asked:
                if done.is_set():
                    return
                client.call(op, value)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        gets: Iterator[Asked] = (
            ("issues.get", {"key": f"P{n % PROJECTS}X-{n // PROJECTS + 1}"}) for n in itertools.count()
        )
        return measured(url, token, gets, samples)
    finally:
        done.set()
        thread.join(timeout=60)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench search")
    parser.add_argument("--issues", type=int, default=100_000)
    parser.add_argument("--samples", type=int, default=500)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        token = fill(folder, options.issues)
        chance = random.Random(7)
        titles = _titles(folder, chance, 1000)
        server = kill.serve(folder, token)
        try:
            found = {
                name: measured(server.url, token, asked, options.samples)
                for name, asked in calls(titles, chance).items()
            }
            nonsense = calls(titles, chance)["query, 30 words of nonsense"]
            found["issues.get beside nonsense"] = beside(server.url, token, nonsense, options.samples)
        finally:
            server.process.terminate()
            server.process.wait(timeout=60)
    _show(found)


def _show(found: dict[str, list[float]]) -> None:
    print(f"{'ms':34}{'p50':>10}{'p99':>10}")
    told = {name: (times[len(times) // 2], times[int(len(times) * 0.99)]) for name, times in found.items()}
    for name, (half, most) in told.items():
        goal = "" if not name.startswith("suggest") else "  met" if most < GOAL_MS else "  not met"
        print(f"{name:34}{half:10.1f}{most:10.1f}{goal}")
    print(
        json.dumps(
            {name: {"p50": round(half, 2), "p99": round(most, 2)} for name, (half, most) in told.items()}
        )
    )
