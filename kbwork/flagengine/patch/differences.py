"""What differs between two definitions, as paths with both values; of long lists of keys, which came and which went."""

from collections.abc import Iterator
from typing import Any, Final

LONG: Final = 100
"""A list of more texts is not told whole, and never twice."""


def differences(before: Any, after: Any) -> list[dict[str, Any]]:
    """`[{path, from, to}]` in the order of the definition; paths are as `/rules/0/variation`, null is absent.

    Where a list of more than a hundred texts was there before and is there after, none of them twice, it is `{path,
    added, removed}`: both are empty where only the order is another.
    """
    return list(_walk(before, after, ""))


def _walk(before: Any, after: Any, path: str) -> Iterator[dict[str, Any]]:
    if type(before) is dict and type(after) is dict:
        for name in dict.fromkeys([*before, *after]):
            yield from _walk(before.get(name), after.get(name), f"{path}/{_escaped(name)}")
    elif _are_objects(before) and _are_objects(after):
        for place in range(max(len(before), len(after))):
            yield from _walk(_at(before, place), _at(after, place), f"{path}/{place}")
    elif before != after or type(before) is not type(after):
        yield {"path": path, **(_long(before, after) or {"from": before, "to": after})}


def _long(before: Any, after: Any) -> dict[str, Any] | None:
    if type(before) is not list or type(after) is not list or max(len(before), len(after)) <= LONG:
        return None
    old, new = dict.fromkeys(map(_text, before)), dict.fromkeys(map(_text, after))
    if None in old or None in new or len(old) < len(before) or len(new) < len(after):
        return None
    return {
        "added": [one for one in after if one not in old],
        "removed": [one for one in before if one not in new],
    }


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def _are_objects(value: Any) -> bool:
    """Whether it is a list of objects: those are told one by one, lists of keys as a whole."""
    return type(value) is list and all(type(item) is dict for item in value)


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
