"""What differs between two definitions, as paths with both values."""

from collections.abc import Iterator
from typing import Any


def differences(before: Any, after: Any) -> list[dict[str, Any]]:
    """`[{path, from, to}]` in the order of the definition; paths are as `/rules/0/variation`, null is absent."""
    return [{"path": path, "from": old, "to": new} for path, old, new in _walk(before, after, "")]


def _walk(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if type(before) is dict and type(after) is dict:
        for name in dict.fromkeys([*before, *after]):
            yield from _walk(before.get(name), after.get(name), f"{path}/{_escaped(name)}")
    elif _are_objects(before) and _are_objects(after):
        for place in range(max(len(before), len(after))):
            yield from _walk(_at(before, place), _at(after, place), f"{path}/{place}")
    elif before != after or type(before) is not type(after):
        yield path, before, after


def _are_objects(value: Any) -> bool:
    """Whether it is a list of objects: those are told one by one, lists of keys as a whole."""
    return type(value) is list and all(type(item) is dict for item in value)


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
