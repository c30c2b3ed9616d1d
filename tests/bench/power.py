"""Power cuts: what was acknowledged is there, once and whole, on the disk that the cut left.

python -m tests.bench power --cuts 100              every byte that was not synced is lost
python -m tests.bench power --cuts 100 --sectors    a random part of it survives
python -m tests.bench power --cuts 20 --normal      with synchronous=NORMAL: has to find losses, or it is blind
"""

import asyncio
import contextlib
import itertools
import json
import logging
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from kbwork.app import open_data, registry
from kbwork.base.clock import SystemClock
from kbwork.base.errors import Busy, NotFound, StorageFull
from kbwork.core.operations.call import Credentials
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.db.archives.check import check
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from tests.bench import kill
from tests.db.faulty_disk import Disk

WRITERS = (1, 4, 16)
_SHARES = {"load": 60, "checkpoint": 30, "start": 5, "stop": 5}
"""When the power goes, in so many rounds of a hundred."""
_CHECKPOINT = (("write", "kbwork.db"), ("sync", "kbwork.db"), ("sync", "kbwork.db-wal"))
_ROUND_S = 60
_START_CALLS = 40


@dataclass
class Write:
    """One call, what it leaves, and what its answer said."""

    op: str
    body: dict[str, Any]
    titles: list[str] = field(default_factory=list)
    comment: str | None = None
    seq: int = 0


@dataclass
class Tally:
    """What the writers know, and what was found wrong."""

    acknowledged: dict[str, Write] = field(default_factory=dict)
    unknown: dict[str, Write] = field(default_factory=dict)
    last_seq: int = 0
    count: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """`lost`, `half`, `twice`, `sequence back`, `corrupt`, `not started` and where the cuts fell."""
    slowest_ms: float = 0


FAULTS = ("lost", "half", "twice", "sequence back", "corrupt", "not started")


class Desk:
    """The product over one folder, without its sockets."""

    def __init__(self, database: Database, key: str) -> None:
        self.database = database
        self._dispatcher = Dispatcher(registry(), database, Limits(Rates(enabled=False)), SystemClock())
        self._who = Credentials(token=key, address="127.0.0.1")

    async def call(self, op: str, body: dict[str, Any], key: str) -> tuple[Any, int]:
        admitted = self._dispatcher.admit(op, self._who)
        reply = await self._dispatcher.run(admitted, json.dumps(body).encode(), key=key)
        return json.loads(reply.body), reply.seq


def run(
    folder: Path, cuts: int, *, sectors: bool, normal: bool = False, seed: int = 1, report: Any = print
) -> Tally:
    """So many rounds of load, cut, image and check, each on what the one before left."""
    chance = random.Random(seed)
    data = folder / "0"
    key = kill.init(data)
    tally = Tally()
    _with_desk(data, key, lambda desk: desk.call("projects.create", {"key": "CUT", "name": "Cut"}, "p"))
    for number in range(1, cuts + 1):
        moment = chance.choices(tuple(_SHARES), tuple(_SHARES.values()))[0]
        with Disk(data, seed=chance.getrandbits(32)) as disk:
            _round(disk, key, tally, Moment(moment, chance, normal))
        tally.found[f"cut during {moment}"] += 1
        tally.found["cut with WAL writes unsynced"] += disk.unsynced("kbwork.db-wal") > 0
        tally.found["cut in a checkpoint"] += disk.unsynced("kbwork.db") > 0
        after = folder / str(number)
        after.mkdir(mode=0o700)
        shutil.copy2(data / "master.key", after)
        disk.image(after, sectors=sectors)
        shutil.rmtree(data)
        data = after
        _verify(data, key, tally)
        faults = {name: tally.found[name] for name in FAULTS if tally.found[name]}
        report(
            f"cut {number} ({moment}): {tally.count} acknowledged, seq {tally.last_seq}, {faults or 'sound'}"
        )
    return tally


@dataclass
class Moment:
    """When the power goes in a round."""

    name: str
    chance: random.Random
    normal: bool


def _round(disk: Disk, key: str, tally: Tally, moment: Moment) -> None:
    """Start, write, lose power. Whatever the product raises after the cut is of a dead process."""
    if moment.name == "start":
        disk.cut(after=moment.chance.randint(1, _START_CALLS))
    try:
        database = open_data(disk.folder)
    except (apsw.Error, Unusable):
        if not disk.off:
            raise
        return
    if moment.normal:
        connection = database._writer._connection
        assert connection is not None
        connection.execute("pragma synchronous = 1").get  # noqa: B018 - steps the statement
    try:
        asyncio.run(asyncio.wait_for(_load(Desk(database, key), disk, tally, moment), _ROUND_S))
    finally:
        if moment.name == "stop":
            disk.cut(after=moment.chance.randint(1, _START_CALLS))
            with contextlib.suppress(apsw.Error):
                database.close()
        disk.cut()
        disk.buried = True
        database.close()


async def _load(desk: Desk, disk: Disk, tally: Tally, moment: Moment) -> None:
    goal = tally.count + moment.chance.randint(100, 400)

    def enough() -> bool:
        if tally.count < goal:
            return False
        if moment.name == "stop":
            return True
        if not disk.arming and moment.name == "checkpoint":
            at = moment.chance.choice(_CHECKPOINT)
            disk.cut(after=moment.chance.randint(1, 200) if at[0] == "write" else 1, at=at)
        elif not disk.arming:
            disk.cut(after=moment.chance.randint(1, 400))
        return disk.off

    writers = moment.chance.choice(WRITERS)
    await asyncio.gather(*(_write(desk, tally, enough, disk) for _ in range(writers)))


async def _write(desk: Desk, tally: Tally, enough: Callable[[], bool], disk: Disk) -> None:
    """Issues, batches and comments, each with a key of its own, until the light goes out."""
    last: str | None = None
    for count in itertools.count():
        if enough():
            return
        mark = f"w{random.getrandbits(64):016x}"
        write = _make(mark, count, last)
        tally.unknown[mark] = write
        try:
            answer, write.seq = await desk.call(write.op, write.body, mark)
        except (Busy, StorageFull):
            if not disk.off:
                raise
            return
        if write.op == "issues.create":
            last = answer["key"]
        _acknowledge(tally, mark)


def _make(mark: str, count: int, last: str | None) -> Write:
    issue = {"project": "CUT", "title": mark, "body": mark * 30}
    if count % 5 == 1 and last is not None:
        body = {"subject": f"issue:{last}", "body": mark * 30}
        return Write("comments.create", body, comment=mark * 30)
    if count % 5 == 3:
        second = {**issue, "title": f"{mark}-2"}
        calls = [{"op": "issues.create", "input": part} for part in (issue, second)]
        calls.insert(1, {"op": "labels.save", "input": {"name": mark, "project": "CUT"}})
        return Write("api.batch", {"ops": calls}, titles=[mark, f"{mark}-2"])
    return Write("issues.create", issue, titles=[mark])


def _acknowledge(tally: Tally, mark: str) -> None:
    write = tally.acknowledged[mark] = tally.unknown.pop(mark)
    tally.last_seq = max(tally.last_seq, write.seq)
    tally.count += 1


def _verify(folder: Path, key: str, tally: Tally) -> None:
    """Look the image over, open it as the product does, compare, and send again what got no answer."""
    for fault in check(folder / "kbwork.db"):
        tally.found["corrupt"] += 1
        print(fault)
    started = time.monotonic()

    async def compare(desk: Desk) -> None:
        tally.slowest_ms = max(tally.slowest_ms, 1000 * (time.monotonic() - started))
        if desk.database.seq < tally.last_seq:
            tally.found["sequence back"] += 1
        _compare(desk.database, tally)
        for mark, write in list(tally.unknown.items()):
            try:
                _, write.seq = await desk.call(write.op, write.body, mark)
            except NotFound:  # a comment on an issue that was lost
                del tally.unknown[mark]
                continue
            _acknowledge(tally, mark)
            tally.count -= 1
        tally.last_seq = desk.database.seq
        _compare(desk.database, tally)

    try:
        _with_desk(folder, key, compare)
    except Unusable as error:
        tally.found["not started"] += 1
        raise AssertionError(f"the image of a cut did not start: {error}") from error


def _compare(database: Database, tally: Tally) -> None:
    """Every acknowledged write is there once and whole; one without an answer is there whole or not at all."""
    bodies: dict[str, list[str]] = {}
    comments: Counter[str] = Counter()
    for row in database.read_now(lambda tx: tx.all("select title, body from issue")):
        bodies.setdefault(row["title"], []).append(row["body"])
    comments.update(database.read_now(lambda tx: tx.column("select body from comment")))
    for mark, write in {**tally.acknowledged, **tally.unknown}.items():
        there = [len(bodies.get(title, [])) for title in write.titles]
        there += [comments[write.comment]] if write.comment else []
        whole = all(bodies.get(title, [mark * 30]) == [mark * 30] for title in write.titles)
        if max(there) > 1:
            tally.found["twice"] += 1
        elif not whole or len(set(there)) > 1:
            tally.found["half"] += 1
        elif there[0] == 0 and mark in tally.acknowledged:
            tally.found["lost"] += 1
            del tally.acknowledged[mark]
    strangers = bodies.keys() - {
        title for write in (*tally.acknowledged.values(), *tally.unknown.values()) for title in write.titles
    }
    assert not strangers, strangers
    count, last = database.read_now(
        lambda tx: (tx.value("select count(*) from events"), tx.value("select max(seq) from events"))
    )
    assert count == last, f"{count} events, the last is {last}"


def _with_desk(folder: Path, key: str, do: Callable[[Desk], Any]) -> None:
    database = open_data(folder)
    try:
        asyncio.run(do(Desk(database, key)))
    finally:
        database.close()


def main(arguments: list[str]) -> None:
    """`power [--cuts N] [--sectors] [--normal] [--seed N]`; ends with exit code 1 where it found what it should not."""
    cuts = int(arguments[arguments.index("--cuts") + 1]) if "--cuts" in arguments else 100
    seed = int(arguments[arguments.index("--seed") + 1]) if "--seed" in arguments else 1
    logging.disable()  # each cut leaves a dead server that says so
    sectors, normal = "--sectors" in arguments, "--normal" in arguments
    with tempfile.TemporaryDirectory() as folder:
        tally = run(Path(folder), cuts, sectors=sectors, normal=normal, seed=seed)
    shown = {name: tally.found[name] for name in FAULTS}
    places = {name: count for name, count in tally.found.items() if name not in FAULTS}
    print(
        json.dumps(
            {
                "cuts": cuts,
                "acknowledged": tally.count,
                **shown,
                **places,
                "open_ms_worst": round(tally.slowest_ms),
            }
        )
    )
    if any(shown.values()) != normal:
        raise SystemExit("this should not be" if not normal else "blind: no loss was seen with NORMAL")
