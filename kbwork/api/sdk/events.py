"""Events of client libraries, read: what is counted of them. Contexts in them are dropped here."""

import re
from typing import Any, Final

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidJson, TooLarge
from kbwork.core.ports.flags import NO_VERSION, Answered, CountBatch, SdkKeyRecord
from kbwork.flagengine.json_values import index, is_number

_MOST_EVENTS: Final = 500
_MOST_COUNT: Final = 1_000_000
_MOST_NUMBER: Final = 1 << 53
_HOUR_S: Final = 3600
_DAY_S: Final = 86400
_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TAKEN: Final = frozenset({"evaluation", "track", "identify"})
"""Kinds that are taken and not kept."""


@dataclass(frozen=True, slots=True)
class Received:
    """A batch as it came: what may count, and how many events of it are dropped."""

    batch: CountBatch
    dropped: int
    """Taken, and nothing of them kept."""


def read(value: Any, key: SdkKeyRecord, now: int) -> Received:
    """A batch as it was sent. One bad event spoils nothing. Raises InvalidJson or TooLarge."""
    if type(value) is not dict:
        raise InvalidJson("The body should be a JSON object with `batchId` and `events`.")
    name, events = value.get("batchId"), value.get("events")
    if type(name) is not str or not _ID.fullmatch(name):
        raise InvalidJson("`batchId` should be a UUID, the same when the batch is sent again.")
    if type(events) is not list:
        raise InvalidJson("`events` should be a list.")
    if len(events) > _MOST_EVENTS:
        raise TooLarge(f"A batch has at most {_MOST_EVENTS} events.")
    objects = [event for event in events if type(event) is dict]
    found = [_counted(event, key, now) for event in objects if event.get("kind") == "summary"]
    dropped = sum(_is_dropped(event) for event in objects)
    counts = tuple(one for one in found if one is not None)
    return Received(CountBatch(key, name.lower(), counts, len(events)), dropped)


def _counted(event: dict[str, Any], key: SdkKeyRecord, now: int) -> tuple[Answered, int] | None:
    """What a summary counts; None where it is none. A library that does not have the flag yet counts its defaults
    without a version."""
    flag, given = event.get("flag"), event.get("variation")
    version, variation, count = (_whole(event.get(name)) for name in ("version", "variation", "count"))
    if event.get("version") is None and given is None:
        version = NO_VERSION
    if type(flag) is not str or version is None or not count or (variation is None and given is not None):
        return None
    place = Answered(key.environment, flag, version, variation, _hour(event.get("to"), now))
    return place, min(count, _MOST_COUNT)


def _is_dropped(event: dict[str, Any]) -> bool:
    kind = event.get("kind")
    return type(kind) is str and kind in _TAKEN and (kind != "evaluation" or type(event.get("flag")) is str)


def _hour(until: Any, now: int) -> int:
    """The hour in which it was counted, where that is of the last day; else this one."""
    if is_number(until) and abs(until / 1000 - now) <= _DAY_S:
        return min(int(until) // 1000, now) // _HOUR_S
    return now // _HOUR_S


def _whole(value: Any) -> int | None:
    """A whole number that a count may be."""
    found = index(value)
    return found if found is not None and 0 <= found < _MOST_NUMBER else None
