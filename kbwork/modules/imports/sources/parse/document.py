"""A value of a document with its place in it, asked for what it should hold."""

from collections.abc import Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.modules.imports.records import MAX_TIME
from kbwork.modules.imports.sources.parse import times
from kbwork.modules.imports.sources.refusal import SourceRefused, shown

_SAFE_INT = 2**53 - 1
_NAMES: dict[type, str] = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True)
class SourceValue:
    """Every question raises Refused with the place of whatever does not fit; `_or` allows absence and null."""

    value: Any
    place: str

    def refuse(self, name: str, text: str) -> SourceRefused:
        """What to raise about the member `name`."""
        return SourceRefused(f"{self._place(name)} {text}")

    def has(self, name: str) -> bool:
        """Whether the member is there and not null."""
        return self._object().get(name) is not None

    def text(self, name: str) -> str:
        found: str = self._of(name, str)
        return found

    def text_or(self, name: str) -> str | None:
        return self.text(name) if self.has(name) else None

    def whole(self, name: str, most: int = _SAFE_INT) -> int:
        """From 0 to `most`."""
        found: int = self._of(name, int)
        if not 0 <= found <= most:
            raise self.refuse(name, f"should be a whole number from 0 to {most}")
        return found

    def whole_or(self, name: str, most: int = _SAFE_INT) -> int | None:
        return self.whole(name, most) if self.has(name) else None

    def time(self, name: str) -> int:
        """Unix seconds, from a text of ISO 8601."""
        found = times.moment(self.text(name))
        if found is None:
            raise self.refuse(name, "should be a time such as 2018-05-12T00:16:10Z, from 1970 to 9999")
        return found

    def time_or(self, name: str) -> int | None:
        return self.time(name) if self.has(name) else None

    def day_or(self, name: str) -> str | None:
        """`YYYY-MM-DD`, from any usual form."""
        text = self.text_or(name)
        if not text:
            return None
        found = times.read(text)
        if found is None or found.at > MAX_TIME:
            raise self.refuse(name, f"{shown(text)} should be a day such as 2018-05-12, from 1970 to 9999")
        return found.day

    def node(self, name: str) -> "SourceValue":
        """The object that is the member."""
        return SourceValue(self._of(name, dict), self._place(name))

    def node_or(self, name: str) -> "SourceValue | None":
        return self.node(name) if self.has(name) else None

    def items(self, name: str = "") -> Iterator["SourceValue"]:
        """The elements of the list that is the member, or of this list itself."""
        if name:
            place, found = self._place(name), self._of(name, list)
        else:
            place, found = self.place, self.value
            if not isinstance(found, list):
                raise SourceRefused(f"{place or 'the file'} should be a list")
        for index, value in enumerate(found):
            yield SourceValue(value, f"{place}[{index}]")

    def items_or(self, name: str) -> Iterator["SourceValue"]:
        """None where the member is absent or null."""
        if self.has(name):
            yield from self.items(name)

    def line(self) -> str:
        """This value itself, which is a text."""
        if not isinstance(self.value, str):
            raise SourceRefused(f"{self.place} should be a text")
        return self.value

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise SourceRefused(f"{self.place or 'the file'} should be an object")
        return self.value

    def _of(self, name: str, kind: type) -> Any:
        members = self._object()
        if name not in members:
            raise self.refuse(name, "is missing")
        found = members[name]
        if not isinstance(found, kind) or isinstance(found, bool):
            raise self.refuse(name, f"should be {_NAMES[kind]}")
        return found

    def _place(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name


def flat(node: SourceValue) -> Iterator[SourceValue]:
    """The elements of a list, or of the lists in it: pages that were put behind each other."""
    for element in node.items():
        if isinstance(element.value, list):
            yield from element.items()
        else:
            yield element
