"""The past of a field: spells in force, gaps in which it was empty, and the changes between them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.tql.calendar import Stretch
from kbwork.tql.items import Spell


@dataclass(frozen=True, slots=True)
class ValueChange:
    """At `at` the value `old` made way for `new`; None stands for empty."""

    old: Any
    new: Any
    at: int
    by: str


def in_force(spell: Spell, at: int) -> bool:
    return spell.begin <= at and (spell.end is None or at < spell.end)


def values_at(spells: Iterable[Spell], at: int) -> tuple[Any, ...]:
    """What the field held at that instant."""
    return tuple(spell.value for spell in spells if in_force(spell, at))


def gaps(spells: Sequence[Spell], made: int) -> list[Spell]:
    """The times since it was made in which the field was empty. Who emptied it is not kept."""
    found: list[Spell] = []
    free = made
    for spell in sorted(spells, key=lambda spell: spell.begin):
        if spell.begin > free:
            found.append(Spell(None, free, spell.begin))
        if spell.end is None:
            return found
        free = max(free, spell.end)
    return [*found, Spell(None, free)]


def changes(spells: Sequence[Spell], begun: int | None, *, many: bool) -> list[ValueChange]:
    """All changes, oldest first; what was so from the beginning is none. `begun`: when the past of the thing begins.

    Of a field with many values each coming and going is a change by itself.
    """
    ordered = sorted(spells, key=lambda spell: (spell.begin, spell.end is None, spell.end or 0))
    if not ordered:
        return []
    if many:
        return _comings_and_goings(ordered, begun)
    found: list[ValueChange] = []
    if _is_set_later(ordered[0], begun):
        found.append(ValueChange(None, ordered[0].value, ordered[0].begin, ordered[0].by))
    for before, spell in zip(ordered, [*ordered[1:], None], strict=True):
        if before.end is not None and (spell is None or before.end < spell.begin):
            found.append(ValueChange(before.value, None, before.end, ""))
        if spell is not None:
            old = before.value if before.end == spell.begin else None
            found.append(ValueChange(old, spell.value, spell.begin, spell.by))
    return found


def _comings_and_goings(spells: Sequence[Spell], begun: int | None) -> list[ValueChange]:
    first = spells[0].begin
    came = [
        ValueChange(None, spell.value, spell.begin, spell.by)
        for spell in spells
        if spell.begin > first or _is_set_later(spell, begun)
    ]
    went = [ValueChange(spell.value, None, spell.end, "") for spell in spells if spell.end is not None]
    return sorted(came + went, key=lambda change: change.at)


def _is_set_later(spell: Spell, begun: int | None) -> bool:
    return begun is not None and spell.begin > begun


def since(spells: Sequence[Spell], made: int) -> int:
    """When the present state began: with the last that came or went."""
    return max((spell.begin if spell.end is None else spell.end for spell in spells), default=made)


def met(word: str, spell: Spell, time: Stretch) -> bool:
    """Whether a spell stands so to a time (`was ... before -7d`)."""
    behind = time.begin if time.instant else time.last + 1
    open_after = spell.end is None or spell.end > behind
    tests: dict[str, Callable[[], bool]] = {
        "before": lambda: spell.begin < time.begin,
        "after": lambda: open_after,
        "since": lambda: spell.end is None or spell.end > time.begin,
        "at": lambda: in_force(spell, time.last),
        "on": lambda: spell.begin <= time.last and (spell.end is None or spell.end > time.begin),
        "during": lambda: spell.begin <= time.last and (spell.end is None or spell.end > time.begin),
    }
    return tests[word]()


def happened(word: str, at: int, time: Stretch) -> bool:
    """Whether a change stands so to a time (`changed ... after -7d`)."""
    tests = {
        "before": at < time.begin,
        "after": at > time.last,
        "since": at >= time.begin,
    }
    return tests.get(word, time.begin <= at <= time.last)


def clipped(word: str, spell: Spell, time: Stretch, now: int) -> tuple[int, int]:
    """The part of a spell that counts for its length: within the period that is asked for."""
    begin, end = spell.begin, now if spell.end is None else spell.end
    if word in {"during", "on"}:
        return max(begin, time.begin), min(end, time.last + 1)
    if word == "after":
        return max(begin, time.last + (not time.instant)), end
    return (max(begin, time.begin), end) if word == "since" else (begin, end)
