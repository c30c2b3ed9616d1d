"""How many rows a view has for the caller, within bounds: a count never holds up whoever asks, nor a write."""

from collections.abc import Iterable

from pydantic import PrivateAttr

from kbwork.base.clock import monotonic
from kbwork.base.errors import InsufficientScope, NotAllowed, Problem
from kbwork.base.model import Input
from kbwork.db.tx import Read
from kbwork.modules.tql import QueryRun, query_parser, time_limit
from kbwork.modules.views.model import UNKNOWN

ONE_S = 2.0
ALL_S = 2.0
EACH_S = 0.5
"""Seconds for the count of a view alone, for those of a list together, and for each of them."""


class CountedInput(Input):
    """Input of a write that answers counts: they were made on a reader before it."""

    _counts: dict[str, int] = PrivateAttr(default_factory=dict)

    def keep(self, counts: dict[str, int]) -> None:
        """Text -> count."""
        self._counts.update(counts)

    def count(self, text: str) -> int:
        """-1 where nobody counted, as inside another operation."""
        return self._counts.get(text, UNKNOWN)


def count(tx: Read, text: str, seconds: float = ONE_S) -> int:
    """The rows that the caller sees; -1 where the text cannot be read now, or counting takes longer.

    What the caller's scopes or modules do not cover is unseen, so it counts for nothing.
    """
    try:
        asked = query_parser.query(tx, text)
        with time_limit.bounded(tx, asked.query, seconds):
            return QueryRun(tx, asked).count()
    except (InsufficientScope, NotAllowed):
        return 0
    except Problem:
        return UNKNOWN


def counts(tx: Read, texts: Iterable[str]) -> dict[str, int]:
    """The counts of several texts, each once; those behind the time that there is for all of them are -1."""
    found: dict[str, int] = {}
    ends = monotonic() + ALL_S
    for text in dict.fromkeys(texts):
        left = ends - monotonic()
        found[text] = count(tx, text, min(EACH_S, left)) if left > 0 else UNKNOWN
    return found
