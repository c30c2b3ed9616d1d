"""`kbwork replica epochs` and `kbwork replica late`: who wrote when, and what was written behind a takeover."""

import datetime
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbwork.cli.errors import CommandError
from kbwork.cli.machines.replica import CONFIG, settings_of

if TYPE_CHECKING:
    from kbwork.db.tx import Read
    from kbwork.replica.epoch import GenerationFacts

_COLUMNS = "{:<7}{:<22}{:<22}{}"
_LATE = (
    "select e.seq, e.at, coalesce(m.handle, e.actor, '') who, e.kind,"
    " coalesce(p.key || '-' || i.number || ' ' || i.title, e.subject) subject from events e"
    " left join member m on m.id = e.actor left join issue i"
    " on e.subject glob 'issue:*' and i.id = cast(substr(e.subject, 7) as integer)"
    " left join project p on p.id = i.project where e.seq > :seq order by e.seq"
)


@click.command(
    help="List the epochs of the replica: who wrote when, and whether anything lies behind a takeover."
)
@CONFIG
def epochs(config_file: Path | None) -> None:
    """The newest last."""
    from kbwork.base.clock import SystemClock
    from kbwork.db.connection import Unusable
    from kbwork.replica import lease
    from kbwork.replica.epoch import generations
    from kbwork.replica.target import target_of

    settings = settings_of(config_file)
    try:
        target = target_of(settings.replicate, os.environ)
        found = generations(target)
        held = lease.read(target, SystemClock().passing)
    except Unusable as error:
        raise CommandError(str(error)) from None
    print(_COLUMNS.format("epoch", "began", "last transaction", "by"))
    for one in found:
        last = _shown(one.last.at) if one.last is not None else "none"
        print(
            _COLUMNS.format(
                one.epoch or "-", _shown(one.began), last, one.holder or "a server without a lease"
            )
        )
    for epoch in _with_late(found):
        print(
            f"Epoch {epoch} may have what was written behind the takeover: kbwork replica late {epoch} lists the events"
            " that are in it alone"
        )
    if held is not None:
        state = {"held": "has", "asked": "is asked for", "released": "has left"}[held.record.state]
        print(f"{held.record.name} {state} the lease in epoch {held.record.epoch}")
    else:
        print(f"There is no lease in {target.place}")


@click.command(
    help="List what an epoch has that was written behind the takeover, and is not in the next one."
)
@click.argument("epoch", type=click.IntRange(1))
@CONFIG
def late(epoch: int, config_file: Path | None) -> None:
    """It is restored aside, so the disk needs room for it. Exit code 1 where something is listed."""
    from kbwork.db.connection import Unusable
    from kbwork.replica import restoration
    from kbwork.replica.epoch import generations, goes_on_behind, taken_over
    from kbwork.replica.target import target_of

    settings = settings_of(config_file)
    try:
        target = target_of(settings.replicate, os.environ)
        found = generations(target)
        after = taken_over(found, epoch)
        if after is None:
            raise CommandError(
                f"no epoch behind {epoch} says where it went on: kbwork replica epochs", exit_code=2
            )
        behind = [one for one in found if one.epoch == epoch and goes_on_behind(found, one)]
        if not behind:
            print(f"Nothing of epoch {epoch} lies behind the takeover")
            return
        with tempfile.TemporaryDirectory(prefix="kbwork-late-") as aside:
            file = Path(aside) / "kbwork.db"
            restoration.restore(settings.replicate, file, os.environ, behind[-1].name)
            lines = list(_read_late(file, after.seq))
    except Unusable as error:
        raise CommandError(str(error)) from None
    for line in lines:
        print(line)
    counted = f"{len(lines):,} events" if len(lines) != 1 else "1 event"
    print(f"{counted} of epoch {epoch}, behind event {after.seq:,}, and not in what is served now")
    raise SystemExit(1 if lines else 0)


def _with_late(found: "list[GenerationFacts]") -> list[int]:
    from kbwork.replica.epoch import goes_on_behind

    return sorted({one.epoch for one in found if goes_on_behind(found, one)})


def _read_late(file: Path, seq: int) -> Iterator[str]:
    from kbwork.base.caller import SYSTEM
    from kbwork.base.clock import SystemClock, TrustedTime
    from kbwork.db.readers import Readers
    from kbwork.db.tx import Catalogue

    clock = SystemClock()
    readers = Readers(file, clock, Catalogue(TrustedTime(clock)))

    def look(tx: "Read") -> list[str]:
        return [
            f"{row['seq']:>9}  {_shown(row['at'])}  {row['who']:<16}  {row['kind']:<28}  {row['subject']}"
            for row in tx.all(_LATE, seq=seq)
        ]

    try:
        yield from readers.read_now(look, SYSTEM)
    finally:
        readers.close()


def _shown(at: float) -> str:
    return f"{datetime.datetime.fromtimestamp(at, datetime.UTC):%Y-%m-%d %H:%M:%SZ}"
