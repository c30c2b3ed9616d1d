"""Who stands in a line by name, and lines in which people who were erased here are not called anything any more."""

from collections.abc import Iterator
from typing import Any

from kbwork.modules.imports.kbz.line_types import KbzOwnField, KbzPerson

_NAME = "former member"
_WHO = (
    "who",
    "by",
    "author",
    "reporter",
    "created_by",
    "lead",
    "owner",
    "assignee",
    "done_by",
    "resolved_by",
    "$who",
)
_FREE = ("values", "changes", "facts", "input", "children")
"""Members that hold JSON of any shape: somebody stands in it as `{"$who": id}` alone."""


def named(value: Any) -> Iterator[str]:
    """Everybody whom a line names."""
    if isinstance(value, list):
        for one in value:
            yield from named(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in _WHO and isinstance(one, str) and one:
                yield one
            elif name == "assignees":
                yield from (who for who in one if isinstance(who, str))
            elif name not in _FREE:
                yield from named(one)


def former(known: str) -> KbzPerson:
    """Somebody who was erased."""
    return KbzPerson(id=known, name=_NAME, known=known, handle=None, email=None)


class ErasedPeople:
    """Of one file. They are called by their id here, which says nothing of them."""

    def __init__(self, erased: frozenset[str]) -> None:
        self._erased = erased
        self._ids: dict[str, str] = {}
        self._fields = {"assignee", "reporter"}
        """What holds people: in spans, and own fields by their keys."""

    def person(self, line: KbzPerson) -> KbzPerson:
        """Somebody, without name and address where they were erased."""
        known = line["known"]
        if known not in self._erased:
            return line
        self._ids[line["id"]] = known
        return former(known)

    def learn(self, fields: list[KbzOwnField]) -> None:
        """Note which own fields hold people."""
        for field in fields:
            if field["kind"] in ("member", "members"):
                self._fields |= {field["key"], f"field:{field['key']}"}

    def line(self, line: Any) -> Any:
        """A line in which nobody who was erased is called by a name."""
        return self._anew(line, free=False) if self._ids else line

    def _anew(self, value: Any, *, free: bool) -> Any:
        if isinstance(value, list):
            return [self._anew(one, free=free) for one in value]
        if not isinstance(value, dict):
            return value
        found = {name: self._member(name, one, free=free) for name, one in value.items()}
        if free:
            return found
        if found.get("field") in self._fields:
            found["value"] = self._who(found.get("value"))
        if found.get("key") in self._fields and isinstance(found.get("default"), list):
            found["default"] = [[self._who(one), *rest] for one, *rest in found["default"]]
        return found

    def _member(self, name: str, value: Any, *, free: bool) -> Any:
        if name == "$who" or (name in _WHO and not free and isinstance(value, str)):
            return self._who(value)
        if name == "assignees" and not free:
            return [self._who(one) for one in value]
        return self._anew(value, free=free or name in _FREE)

    def _who(self, value: Any) -> Any:
        return self._ids.get(value, value) if isinstance(value, str) else value
