"""What is wrong with a text: where, why, and what to write instead."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from kbwork.base.dataclasses import dataclass

MOST = 5
"""So many faults are told at once; whoever mends these sees the next."""

Sort = Literal["tql-syntax", "tql-name"]
"""The two problem types: the text cannot be read, or it names something that does not fit."""


class TextSpan(NamedTuple):
    """A piece of the text: `start` counts characters from 0, `end` stands behind the last one."""

    start: int
    end: int


NOWHERE = TextSpan(0, 0)


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    """Write `instead` where `replace` stands. `replace` is empty where something is only missing."""

    replace: str
    instead: str
    note: str = ""

    def document(self) -> dict[str, str]:
        return {"replace": self.replace, "with": self.instead, "note": self.note}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `expected` lists what could stand there."""

    span: TextSpan
    message: str
    expected: tuple[str, ...] = ()
    suggestions: tuple[SuggestedFix, ...] = ()
    sort: Sort = "tql-syntax"

    def document(self, text: str) -> dict[str, Any]:
        """The shape of the doors: {`position`, `length`, `line`, `column`, `message`, `expected`, `suggestions`}.

        `line` and `column` count from 1.
        """
        before = text[: self.span.start]
        return {
            "position": self.span.start,
            "length": self.span.end - self.span.start,
            "line": before.count("\n") + 1,
            "column": self.span.start - (before.rfind("\n") + 1) + 1,
            "message": self.message,
            "expected": list(self.expected),
            "suggestions": [suggestion.document() for suggestion in self.suggestions],
        }


class TqlError(Exception):
    """A text that cannot be run. `faults` stand in the order of the text, five at most."""

    def __init__(self, text: str, faults: Iterable[Fault]) -> None:
        self.text = text
        self.faults = tuple(sorted(faults, key=lambda fault: fault.span))[:MOST]
        first = self.faults[0]
        super().__init__(f"{first.message} (at {first.span.start})")

    @property
    def sort(self) -> Sort:
        """The problem type: unreadable wins over misnamed."""
        return "tql-syntax" if any(fault.sort == "tql-syntax" for fault in self.faults) else "tql-name"

    def document(self) -> list[dict[str, Any]]:
        """The member `errors` of the answer."""
        return [fault.document(self.text) for fault in self.faults]
