"""Contexts: who or what a flag is evaluated for, made ready once for many flags."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kbwork.flagengine.json_values import clean, whole

Kinds = dict[str, dict[str, Any]]
"""Kind -> the attributes of that part, with its `key` and `anonymous`, without `kind`, `_meta` and nulls."""

USER: Final = "user"
MOST_BYTES: Final = 64 * 1024
MOST_DEPTH: Final = 16
MOST_KINDS: Final = 20
"""Limits of contexts that a server evaluates; client libraries have none."""
TOO_DEEP: Final = f"at most {MOST_DEPTH} levels deep"
TOO_LARGE: Final = f"at most {MOST_BYTES // 1024} KiB of JSON"
TOO_MANY: Final = f"of at most {MOST_KINDS} kinds"
_KIND = re.compile(r"[A-Za-z0-9._-]+")
_APART = frozenset({"kind", "_meta"})


class Context:
    """A context made ready, for many evaluations. `kinds` is None where it is invalid; `raw` is what it is of."""

    __slots__ = ("kinds", "raw")

    def __init__(self, raw: object) -> None:
        self.kinds = prepare(raw)
        self.raw = raw


def kinds_of(context: object) -> Kinds | None:
    """The parts of a Context, or of a mapping that is made ready here."""
    return context.kinds if type(context) is Context else prepare(context)


def prepare(raw: object) -> Kinds | None:
    """The parts of a context by kind; None where it is invalid."""
    # the abstract class comes second: asking it takes longer than all the rest
    if type(raw) is not dict and not isinstance(raw, Mapping):
        return None
    kind = raw.get("kind")
    if kind is None:
        kind = USER
    elif kind == "multi":
        return _parts(raw)
    elif kind != USER and not is_kind(kind):
        return None
    part = _part(raw)
    return None if part is None else {kind: part}


def excess(raw: dict[str, Any]) -> str | None:
    """What a context should be that a server evaluates, in words; None where it is no more than that."""
    if is_deeper(raw, MOST_DEPTH):
        return TOO_DEEP
    if raw.get("kind") == "multi" and sum(part is not None for part in raw.values()) > MOST_KINDS + 1:
        return TOO_MANY
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    return TOO_LARGE if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES else None


def is_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists stand in this one, and in each other, deeper than so many levels."""
    held = [
        inner
        for inner in (value.values() if type(value) is dict else value)
        if type(inner) is dict or type(inner) is list
    ]
    return bool(held) and (levels == 1 or any(is_deeper(inner, levels - 1) for inner in held))


def from_openfeature(given: Mapping[str, Any]) -> dict[str, Any]:
    """A context of OpenFeature in our words: `targetingKey` becomes `key`, in the parts where there are several."""
    if given.get("kind") != "multi":
        return _keyed(given)
    return {
        name: _keyed(part) if isinstance(part, Mapping) else part
        for name, part in given.items()
        if name != "targetingKey"
    }


def lacks_key(context: Mapping[str, Any]) -> bool:
    """Whether there is no key at all where one belongs."""
    return context.get("kind") != "multi" and context.get("key") is None


def _keyed(part: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(part)
    key = found.pop("targetingKey", None)
    if key is not None:
        found["key"] = key
    return found


def is_kind(kind: object) -> bool:
    """Whether this may be the name of a kind."""
    return isinstance(kind, str) and kind not in ("kind", "multi") and _KIND.fullmatch(kind) is not None


def _parts(raw: Mapping[Any, Any]) -> Kinds | None:
    found: Kinds = {}
    for kind, given in raw.items():
        if kind == "kind" or given is None:
            continue
        part = _part(given) if is_kind(kind) and isinstance(given, Mapping) else None
        if part is None:
            return None
        found[kind] = part
    return found or None


def _part(raw: Mapping[Any, Any]) -> dict[str, Any] | None:
    """The attributes, where it has a key."""
    found: dict[str, Any] = {"anonymous": False}
    for name, given in raw.items():
        if name in _APART or not isinstance(name, str):
            continue
        value = given if type(given) is str and given.isascii() else clean(given)
        if value is not None:
            found[name if name.isascii() else whole(name)] = value
    key: object = found.get("key")
    return found if type(key) is str and key else None
