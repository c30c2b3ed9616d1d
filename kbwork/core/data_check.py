"""What `kbwork doctor` asks of the data: each module says what of its own may be wrong."""

import datetime
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read

DAY_S = 86_400


class Finding(NamedTuple):
    """One thing that was looked at."""

    about: str
    """In one word, for programs: `backups`."""
    well: bool
    said: str
    """In one line; where it is not well, with what mends it."""


@dataclass(frozen=True, kw_only=True)
class DataCheck(Extension):
    """What is found in the data by a reader beside the server, or without one."""

    look: Callable[[Read], Iterator[Finding]]


def shown(at: int) -> str:
    """A time in Unix seconds, to be read by whoever looks after the server."""
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
