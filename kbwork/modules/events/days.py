"""Days in UTC, as files are of one each."""

import datetime

from kbwork.db.tx import Read

DAY_S = 86_400


def start(day: str) -> int:
    """When it begins."""
    return int(datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.UTC).timestamp())


def name(at: int) -> str:
    """The day of a time."""
    return datetime.datetime.fromtimestamp(at, datetime.UTC).date().isoformat()


def today(tx: Read) -> int:
    """When the day began that is not over yet."""
    return int(tx.now - tx.now % DAY_S)


def first(tx: Read) -> int:
    """When the day of the first event began; today, where there is none."""
    found = tx.value("select min(at) from events")
    return today(tx) if found is None else int(found - found % DAY_S)
