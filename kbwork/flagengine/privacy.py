"""Contexts as they may leave a client: without what is private, which is named instead."""

from collections.abc import Iterable, Mapping
from typing import Any

from kbwork.flagengine import references
from kbwork.flagengine.json_values import clean
from kbwork.flagengine.references import Path

_KEPT = (("key",), ("kind",))
"""Never removed: without them an event would be about nobody."""


def private_paths(names: Iterable[Any]) -> tuple[frozenset[Path], list[str]]:
    """(the attributes that these names and paths mean, those that mean none)."""
    found, malformed = set[Path](), []
    for name in names:
        at = references.path(name)
        if at is None:
            malformed.append(repr(name))
        elif at not in _KEPT:
            found.add(at)
    return frozenset(found), malformed


def redacted(context: Mapping[str, Any], private: Iterable[Path] = ()) -> dict[str, Any]:
    """A copy of a context without `_meta` and what is private, by `private` or by its own `_meta.privateAttributes`.

    What was removed is listed, sorted, in `_meta.redacted`; in a context of several kinds each part for itself. What
    stands among those and is no part is left out: nobody knows what of it is private.
    """
    copied: dict[str, Any] = clean(dict(context))
    if copied.get("kind") != "multi":
        return _part(copied, private)
    found = dict[str, Any]()
    for name, part in copied.items():
        if type(part) is dict:
            found[name] = _part(part, private)
        elif name == "kind" or part is None:
            found[name] = part
    return found


def _part(part: dict[str, Any], private: Iterable[Path]) -> dict[str, Any]:
    meta = part.pop("_meta", None)
    own = meta.get("privateAttributes") if type(meta) is dict else None
    paths, _ = private_paths(own if type(own) is list else ())
    gone = sorted(_written(at) for at in {*paths, *private} if _remove(part, at))
    return part | {"_meta": {"redacted": gone}} if gone else part


def _remove(part: dict[str, Any], at: Path) -> bool:
    """Take away what lies there; False where nothing does. What was around it stays, empty too."""
    holder = references.find(part, at[:-1])
    if type(holder) is not dict or at[-1] not in holder:
        return False
    del holder[at[-1]]
    return True


def _written(at: Path) -> str:
    """A reference as it is written: a name, or a path."""
    if len(at) == 1 and not at[0].startswith("/"):
        return at[0]
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in at)
