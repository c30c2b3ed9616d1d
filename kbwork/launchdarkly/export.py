"""What LaunchDarkly tells of flags, read from a file: the data of its SDKs, or the answer of its REST API."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbwork.base.text import printable
from kbwork.flagengine.json_values import loads

Json = dict[str, Any]

MOST_BYTES = 64 * 1024 * 1024
_DEEPEST = 100
_ENVIRONMENT = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,64}")
_FLAG_WIDE = ("name", "description", "tags", "temporary", "archived", "clientSideAvailability", "defaults")

_KEYS = [str]
_SLICE = {"variation": int, "weight": int}
_ROLLOUT = {"variations": [_SLICE], "bucketBy": str, "contextKind": str, "seed": int, "kind": str}
_SERVED = {"variation": int, "rollout": _ROLLOUT}
_CLAUSE = {"contextKind": str, "attribute": str, "op": str, "values": list, "negate": bool}
_TARGET = {"contextKind": str, "variation": int, "values": _KEYS}
_RULE = _SERVED | {"id": str, "_id": str, "description": str, "clauses": [_CLAUSE], "trackEvents": bool}
_CONFIG = {
    "on": bool,
    "archived": bool,
    "deleted": bool,
    "salt": str,
    "offVariation": int,
    "fallthrough": _SERVED,
    "targets": [_TARGET],
    "contextTargets": [_TARGET],
    "rules": [_RULE],
    "prerequisites": [{"key": str, "variation": int}],
    "trackEvents": bool,
}
_SEEN = {"usingEnvironmentId": bool}
_FLAG = _CONFIG | {"key": str, "variations": list, "clientSideAvailability": _SEEN, "clientSide": bool}
_LISTED_FLAG = {
    "key": str,
    "name": str,
    "description": str,
    "variations": [{"name": str, "description": str}],
    "tags": [str],
    "temporary": bool,
    "archived": bool,
    "clientSideAvailability": _SEEN,
    "defaults": {"onVariation": int, "offVariation": int},
    "environments": {},
}
_ENTRY = {"contextKind": str, "values": _KEYS}
_SEGMENT = {
    "key": str,
    "name": str,
    "deleted": bool,
    "included": _KEYS,
    "excluded": _KEYS,
    "includedContexts": [_ENTRY],
    "excludedContexts": [_ENTRY],
    "salt": str,
    "unbounded": bool,
    "rules": [
        {
            "id": str,
            "_id": str,
            "clauses": [_CLAUSE],
            "weight": int,
            "bucketBy": str,
            "rolloutContextKind": str,
        }
    ],
}
_NAMES = {
    bool: "true or false",
    str: "text",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True, slots=True)
class ExportedEnvironment:
    """An environment: its flags and segments by key, each in the shape in which SDKs read them."""

    flags: dict[str, Json] = field(default_factory=dict)
    segments: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LaunchDarklyExport:
    """All that a file tells. `flags` says of each flag what it is everywhere: `variations`, and what else is known."""

    flags: dict[str, Json]
    places: dict[str, ExportedEnvironment]
    missing: int = 0
    """How many flags the list counts beside those in the file."""


class InvalidExport(Exception):
    """A file that is not what it should be; the text says what is wrong with it."""


def read(path: Path) -> Any:
    """The JSON of a file. Raises InvalidExport."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InvalidExport(
                f"{path} has {size:,} bytes, and at most {MOST_BYTES:,} are read: export fewer flags.",
            )
        found = loads(path.read_bytes())
    except OSError as error:
        raise InvalidExport(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise InvalidExport(f"{path} is not JSON: {error}") from None
    if _is_deeper(found, _DEEPEST):
        raise InvalidExport(f"{path} nests lists and objects more than {_DEEPEST} deep.")
    return found


def _is_deeper(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most + 1):
        level = [
            inner
            for one in level
            if type(one) in (dict, list)
            for inner in (one.values() if type(one) is dict else one)
        ]
    return bool(level)


def export(path: Path, environment: str | None) -> LaunchDarklyExport:
    """The flags of a file, or of one environment of it. Raises InvalidExport where it is not of the two shapes."""
    found = read(path)
    at = _Reader(path)
    if isinstance(found, dict) and isinstance(found.get("data"), dict):
        found = found["data"]  # as it stands in a stream, beside its path
    if isinstance(found, dict) and "items" in found:
        return at.listed(found, environment)
    if isinstance(found, dict) and "flags" in found:
        if environment is None:
            raise InvalidExport(f"{path} is the data of one environment: --env says which one it is to be.")
        return at.sdk(found, environment)
    raise InvalidExport(
        f'{path} should be an object with "flags", as SDKs read them, or with "items", as the REST API lists them.',
    )


class _Reader:
    """Reads one file; what is of a wrong type is refused with its place."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def sdk(self, found: Json, environment: str) -> LaunchDarklyExport:
        _require_environment(environment)
        if found.get("flagValues"):
            raise self._wrong(
                "flagValues", "are values without flags, which are not brought in: take them out"
            )
        flags = self._by_key(found["flags"], _FLAG, "flags")
        segments = self._by_key(found.get("segments") or {}, _SEGMENT, "segments")
        return LaunchDarklyExport(
            {key: _told_by_sdk(flag) for key, flag in flags.items()},
            {environment: ExportedEnvironment(flags, segments)},
        )

    def listed(self, found: Json, environment: str | None) -> LaunchDarklyExport:
        items = self._fits(found["items"], [_LISTED_FLAG], "items")
        flags: dict[str, Json] = {}
        places: dict[str, ExportedEnvironment] = {}
        for number, item in enumerate(items):
            at = f"items[{number}]"
            key = self._key(item, at)
            if key in flags:
                raise self._wrong(at, f"has the key {key!r}, which an item before it has")
            if not isinstance(item.get("variations"), list):
                raise self._wrong(f"{at}.variations", "should be a list")
            flags[key] = {name: item[name] for name in _FLAG_WIDE if item.get(name) is not None}
            flags[key]["variations"] = [_named(one) for one in item["variations"]]
            for name, config in (item.get("environments") or {}).items():
                if environment in (None, name):
                    place = places.setdefault(name, ExportedEnvironment())
                    place.flags[key] = self._configured(config, f"{at}.environments.{name}", item)
        self._segments(found.get("segments") or {}, places, environment)
        for name in places:
            _require_environment(name)
        if not places:
            known = sorted({name for item in items for name in item.get("environments") or {}})
            raise InvalidExport(
                f"{self._path} has no flag in {'an' if environment is None else 'that'} environment; it has"
                f" {', '.join(known) or 'none'}.",
            )
        total = found.get("totalCount")
        return LaunchDarklyExport(flags, places, max(0, total - len(items)) if isinstance(total, int) else 0)

    def _configured(self, config: Any, at: str, item: Json) -> Json:
        """A flag in an environment, as SDKs read it."""
        self._fits(config, _CONFIG, at)
        if config.get("fallthrough") is None or config.get("rules") is None:
            raise self._wrong(at, "has not all of its targeting: ask for the list with summary=0")
        values = [one.get("value") for one in item["variations"]]
        return {**config, "key": item["key"], "variations": values}

    def _segments(self, found: Any, places: dict[str, ExportedEnvironment], environment: str | None) -> None:
        for name, listed in self._fits(found, {}, "segments").items():
            if environment not in (None, name):
                continue
            at = f"segments.{name}"
            items = self._fits(listed, {"items": [_SEGMENT]}, at).get("items") or []
            place = places.setdefault(name, ExportedEnvironment())
            for number, item in enumerate(items):
                place.segments[self._key(item, f"{at}.items[{number}]")] = item

    def _by_key(self, found: Any, shape: Json, at: str) -> dict[str, Json]:
        """Objects by key, without those that were deleted."""
        alive = {}
        for key, one in self._fits(found, {}, at).items():
            self._fits(one, shape, f"{at}.{key}")
            if one.get("deleted"):
                continue
            if one.get("key") not in (None, key):
                raise self._wrong(f"{at}.{key}.key", f"should be {key!r}")
            if at == "flags" and not isinstance(one.get("variations"), list):
                raise self._wrong(f"{at}.{key}.variations", "should be a list")
            alive[key] = {**one, "key": key}
        return alive

    def _key(self, item: Json, at: str) -> str:
        key = item.get("key")
        if not isinstance(key, str):
            raise self._wrong(f"{at}.key", "should be text")
        return key

    def _fits(self, value: Any, shape: Any, at: str) -> Any:
        """The value, where it is of the shape: {member: shape}, [shape of each item], or a type; absent fits all."""
        kind = shape if isinstance(shape, type) else type(shape)
        fits = type(value) is kind or (kind is int and type(value) is float and value.is_integer())
        if not fits:
            raise self._wrong(at, f"should be {_NAMES[kind]}")
        if isinstance(shape, dict):
            for name, inner in shape.items():
                if value.get(name) is not None:
                    self._fits(value[name], inner, f"{at}.{name}")
        elif isinstance(shape, list):
            for number, one in enumerate(value):
                self._fits(one, shape[0], f"{at}[{number}]")
        return value

    def _wrong(self, at: str, why: str) -> InvalidExport:
        return InvalidExport(printable(f"{self._path}: {at} {why}."))


def _told_by_sdk(flag: Json) -> Json:
    told: Json = {"variations": [{"value": value} for value in flag["variations"]]}
    if flag.get("archived"):
        told["archived"] = True
    seen = flag.get("clientSideAvailability") or {"usingEnvironmentId": flag.get("clientSide")}
    if seen.get("usingEnvironmentId") is not None:
        told["clientSideAvailability"] = seen
    return told


def _named(variation: Json) -> Json:
    """A variation of a list; one without a name has an empty one, so that a second run finds it the same."""
    return {
        "value": variation.get("value"),
        "name": variation.get("name") or "",
        "description": variation.get("description") or "",
    }


def _require_environment(key: str) -> None:
    if not _ENVIRONMENT.fullmatch(key) or key == "flag":
        raise InvalidExport(
            f"{key!r} is no key for an environment: it should be 1 to 64 letters, digits, dots, dashes and"
            " underscores, and not `flag`.",
        )
