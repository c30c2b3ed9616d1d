"""When something is due next: for a server that would rather not run until then."""

from collections.abc import Callable, Iterator
from functools import partial

from kbwork.core.jobs import queue
from kbwork.core.jobs.chores import Chore, Errand
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations.registry import Registry
from kbwork.core.ports import mail
from kbwork.db.tx import Read

LONGEST_S = 86_400
"""At least so often something is due: what is old goes by schedules that look now and then."""
_GRID_S = 3600
_PRECISE_S = 60
_FORGETS_S = 60
Due = Callable[[Read], bool]


def following(tx: Read, registry: Registry, *, sends_mail: bool) -> int:
    """The next time at which anything is due that is not yet; `tx.now` where something is due already."""
    now = tx.now
    if _any_now(tx, registry, sends_mail=sends_mail):
        return now
    later = [due for due in _all(registry, sends_mail=sends_mail) if not _at(tx, due, now)]
    for step in range(1, LONGEST_S // _GRID_S + 1):
        if any(_at(tx, due, now + step * _GRID_S) for due in later):
            return _within(tx, later, now + (step - 1) * _GRID_S)
    return now + LONGEST_S


def _within(tx: Read, later: list[Due], before: int) -> int:
    """To the minute, and rather too early."""
    behind = before + _GRID_S
    while behind - before > _PRECISE_S:
        middle = (before + behind) // 2
        if any(_at(tx, due, middle) for due in later):
            behind = middle
        else:
            before = middle
    return before


def _any_now(tx: Read, registry: Registry, *, sends_mail: bool) -> bool:
    """A schedule that looks again and again, and was looked after for this slot, counts for nothing."""
    now = tx.now
    for schedule in filter(_is_prompt, registry.schedules):
        tx.now = now
        if queue.is_time(tx, schedule, now - now % schedule.every_s):
            return True
    tx.now = now
    return any(due(tx) for due in _work(registry, sends_mail=sends_mail))


def _all(registry: Registry, *, sends_mail: bool) -> Iterator[Due]:
    for schedule in filter(_is_prompt, registry.schedules):
        if schedule.due is not None:
            yield schedule.due
    yield from _work(registry, sends_mail=sends_mail)


def _is_prompt(schedule: Schedule) -> bool:
    """Whether somebody would miss it: what looks each minute at most, by trusted time, forgets and trims."""
    return schedule.due is not None and (schedule.on_time or schedule.every_s < _FORGETS_S)


def _work(registry: Registry, *, sends_mail: bool) -> Iterator[Due]:
    """What is done once it is due, and is due no more."""
    yield queue.is_due
    if sends_mail:
        yield mail.is_due
    for chore in registry.of(Chore):
        yield partial(_is_found, chore)
    for errand in registry.of(Errand):
        yield partial(_has_any, errand)


def _is_found(chore: Chore, tx: Read) -> bool:
    found = chore.look(tx)
    return found is not None and not chore.can_wait(found)


def _has_any(errand: Errand, tx: Read) -> bool:
    return bool(errand.due(tx))


def _at(tx: Read, due: Due, moment: int) -> bool:
    tx.now = moment
    return due(tx)
