"""People by what they are called: an answer names them by ids, a person reads handles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kbwork.client.client import ApiClient
from kbwork.client.errors import KbworkError

_PERSON = re.compile(r"(?:member:)?(m_[a-z0-9]{12})")
_AT_ONCE = 100
_MOST = 500
"""So many people are looked up for one answer; nobody reads more of them."""


def with_people_named(client: ApiClient, answer: Any) -> Any:
    """The answer with `@handle` for each id of a person, and their name where they have no handle yet.

    Whoever cannot be looked up stays as they are: the answer is what was asked for, and not this.
    """
    ids = list(dict.fromkeys(_ids(answer)))[:_MOST]
    called: dict[str, str] = {}
    try:
        for at in range(0, len(ids), _AT_ONCE):
            refs = [f"member:{one}" for one in ids[at : at + _AT_ONCE]]
            found = client.call("subjects.resolve", {"refs": refs})
            called.update(_called(one) for one in found if one["allowed"])
    except KbworkError:
        return answer
    return _renamed(answer, called) if called else answer


def _called(found: dict[str, Any]) -> tuple[str, str]:
    """Somebody who has not come yet has their id for a handle."""
    ident = found["ref"].partition(":")[2]
    handle = str(found["path"]).rpartition("/")[2]
    return ident, f"@{handle}" if handle != ident else str(found["title"])


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if (found := _PERSON.fullmatch(value)) is not None:
            yield found[1]
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _ids(inner)


def _renamed(value: Any, called: dict[str, str]) -> Any:
    if isinstance(value, str):
        found = _PERSON.fullmatch(value)
        return called.get(found[1], value) if found is not None else value
    if isinstance(value, list):
        return [_renamed(inner, called) for inner in value]
    if isinstance(value, dict):
        return {name: _no_id(name, _renamed(inner, called), inner) for name, inner in value.items()}
    return value


def _no_id(name: str, renamed: Any, value: Any) -> Any:
    """The name of somebody without a handle is none either."""
    return "" if name == "handle" and renamed != value else renamed
