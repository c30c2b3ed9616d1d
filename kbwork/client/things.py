"""What a person is shown of a thing: what names it, what is known of it, and what only programs ask for."""

from __future__ import annotations

import re
from typing import Any

from kbwork.client.client import ApiClient
from kbwork.client.columns import TEXTS, is_empty, is_technical
from kbwork.client.errors import KbworkError

_KEYED_BY = ("key", "handle", "id")
_CALLED_BY = ("title", "name")
_WORD_BOUND = re.compile(r"(?<=[a-z])(?=[A-Z])")


def naming_of(thing: Any) -> tuple[str, str] | None:
    """The two fields that name it for people, such as `key` and `title`; None where it is nothing that has a name."""
    if not isinstance(thing, dict):
        return None
    key = next((name for name in _KEYED_BY if not is_empty(thing.get(name))), None)
    title = next((name for name in _CALLED_BY if not is_empty(thing.get(name))), None)
    return (key, title) if key is not None and title is not None else None


def known_of(thing: dict[str, Any]) -> dict[str, Any]:
    """The rest of it, without long text: what is off or empty says nothing, and what programs ask for is left out."""
    named = naming_of(thing) or ()
    return {
        name: value
        for name, value in thing.items()
        if not (name in named or name in TEXTS or value is False or is_technical(name, thing))
    }


def texts_of(thing: dict[str, Any]) -> list[str]:
    """What it says at length."""
    return [str(thing[name]).strip() for name in TEXTS if not is_empty(thing.get(name))]


def changed_things(answer: Any) -> list[dict[str, Any]]:
    """What a write answered, where all of it has a name; that of an answer with an `outcome` is inside."""
    rows = answer if isinstance(answer, list) else [answer]
    found = [_inside(row) for row in rows]
    return found if all(naming_of(row) is not None for row in found) else []


def _inside(row: Any) -> Any:
    if not isinstance(row, dict) or "outcome" not in row or naming_of(row) is not None:
        return row
    return next((value for value in row.values() if naming_of(value) is not None), row)


def addresses_of(client: ApiClient, shape: str, things: list[dict[str, Any]]) -> list[str]:
    """Where the server shows each of them; empty where it does not, or cannot be asked.

    A reference begins with the kind of the thing, which its shape is called by.
    """
    kind = _WORD_BOUND.sub("_", shape).lower()
    refs = {f"{kind}:{ident}": at for at, thing in enumerate(things) for ident in _idents(thing)}
    found = [""] * len(things)
    try:
        answer = client.call("subjects.resolve", {"refs": list(refs)}) if 0 < len(refs) <= 100 else []
    except KbworkError:
        return found
    for one in answer:
        at = refs[one["ref"]]
        if one["allowed"] and one["path"]:
            found[at] = found[at] or client.url + one["path"]
    return found


def _idents(thing: dict[str, Any]) -> list[str]:
    """By what a reference may name it."""
    within = [f"{thing['project']}/{thing['key']}"] if thing.get("project") and thing.get("key") else []
    return [str(thing[name]) for name in ("key", "id") if not is_empty(thing.get(name))] + within
