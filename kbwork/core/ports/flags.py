"""How flags reach programs: what the doors of client libraries ask of the module that keeps flags.

And what they tell it: how many of them listen. That is known in this process alone; nothing of it is stored.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Write

TABLES = frozenset({"sdk_key", "flag_environment", "flag_project"})
"""A commit that touches none of these ended no key and moved no version of an environment."""


NO_VERSION = 0
"""That of a flag which the library did not have when it answered a default."""


@dataclass(frozen=True, slots=True)
class SdkKeyRecord:
    """What opens one environment to client libraries, as far as it is kept."""

    id: int
    kind: Literal["server", "client"]
    environment: int
    ident: bytes
    """The first eight bytes of the SHA-256 of the key: tells which key it is, and not more."""
    secret: bytes
    """32 bytes that seal snapshots for this key."""
    salt: bytes
    expires_at: int | None


@dataclass(frozen=True, slots=True)
class EnvironmentData:
    """An environment at one version: `data` is what the flag engine takes, `key_salt` hashes lists of keys in it."""

    version: int
    key_salt: str
    data: dict[str, Any]
    marks: Mapping[str, tuple[str, ...]]
    """By what the source tells whether a flag or a segment changed: that -> its keys."""


class Answered(NamedTuple):
    """One answer of a flag in one hour; `variation` None is the caller's default."""

    environment: int
    flag: str
    version: int
    variation: int | None
    hour: int
    """Hours since 1970."""


Counts = dict[Answered, int]
"""How often which answer was given."""


@dataclass(frozen=True, slots=True)
class CountBatch:
    """Counts that a client library sent under an id of its own: they count once, however often they come.

    `counts` are those of each event, in the environment of the key.
    """

    key: SdkKeyRecord
    id: str
    counts: Sequence[tuple[Answered, int]]
    events: int
    """How many events it had, of whichever sort."""


@dataclass(frozen=True, kw_only=True)
class FlagSource(Extension):
    """What the module that keeps flags does for the doors."""

    key: Callable[[Read, bytes], SdkKeyRecord | None]
    """The key with this SHA-256, while it lives."""
    versions: Callable[[Read, Sequence[int]], dict[int, int]]
    """The versions of these environments; one that is gone is left out."""
    data: Callable[[Read, int, EnvironmentData | None], EnvironmentData | None]
    """An environment whole; None where it is gone. What did not change since it was read before is the same object."""
    count: Callable[[Write, Counts], None]
    """Add these; flags and variations that are not there are left out."""
    meter: Callable[[Write, dict[int, int]], None]
    """Add so many requests for remote evaluation, by the hours since 1970 in which they came."""
    take: Callable[[Write, CountBatch], int | None]
    """Add a batch; answers how many of its events counted, None where it had come before."""


_OPEN: dict[Path, Counter[int]] = {}
"""By data file, then by environment."""


def opened(file: Path, environment: int) -> None:
    """One more client listens to an environment."""
    _OPEN.setdefault(file, Counter())[environment] += 1


def closed(file: Path, environment: int) -> None:
    """One client less."""
    found = _OPEN[file]
    found[environment] -= 1
    if not found[environment]:
        del found[environment]


def listening(tx: Read, environment: int) -> int:
    """How many clients listen to an environment now."""
    found = _OPEN.get(tx.places.file)
    return found[environment] if found is not None else 0
