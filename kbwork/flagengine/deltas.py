"""What differs between two versions of a snapshot, and the new one made of it and the old.

`{"format": 1, "base": {"version", "edition"}, "edition", "environment", "flags", "segments", "removed": {"flags",
"segments"}}`: flags and segments that are new or others, whole, and the keys of those that are gone. An edition is told
by the content: versions of one number may differ where a server was set back.
"""

from typing import Any, Final, Literal, NamedTuple

Data = dict[str, Any]
FORMAT: Final = 1


class BadDelta(ValueError):
    """It cannot be applied; the text says why."""


Part = Literal["flags", "segments"]
PARTS: Final[tuple[Part, ...]] = ("flags", "segments")


class Base(NamedTuple):
    """What a delta is to be applied to."""

    version: int
    edition: str


def base_of(data: Data) -> Base | None:
    """What a snapshot is to a delta; None where no delta can be asked for."""
    environment, edition = data.get("environment"), data.get("edition")
    version = environment.get("version") if type(environment) is dict else None
    return Base(version, edition) if type(version) is int and type(edition) is str else None


def is_delta(data: Data) -> bool:
    """Whether these are the data of a delta."""
    return "base" in data


def joined(data: Data, delta: Data) -> Data:
    """The snapshot that follows, in which all that did not change is the same object. Raises BadDelta."""
    found, base = base_of(data), delta.get("base")
    if found is None or base != found._asdict():
        raise BadDelta("it is of another snapshot than the one that is served")
    news = base_of(delta)
    if delta.get("format") != FORMAT or news is None or news.version <= found.version:
        raise BadDelta("it leads to no later version")
    return data | {
        "edition": news.edition,
        "environment": delta["environment"],
        "flags": _joined(data, delta, "flags"),
        "segments": _joined(data, delta, "segments"),
    }


def _joined(data: Data, delta: Data, part: Part) -> Data:
    old, new, removed = data.get(part), delta.get(part), delta.get("removed")
    gone = removed.get(part) if type(removed) is dict else None
    if type(old) is not dict or type(new) is not dict or type(gone) is not list:
        raise BadDelta("it is of another form")
    found = old | new
    for key in gone:
        if type(key) is not str or key not in found:
            raise BadDelta("it removes what is not there")
        del found[key]
    return found
