"""How many rows a view has for the caller, within bounds: a count never holds up whoever asks, nor a write."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import PrivateAttr

from kbwork.base.clock import monotonic
from kbwork.base.errors import InsufficientScope, NotAllowed, Problem
from kbwork.base.model import Input
from kbwork.db.tx import Read, Row
from kbwork.modules.tql import QueryRun, kept_names, query_parser, time_limit
from kbwork.modules.views.model import UNKNOWN

ONE_S = 2.0
ALL_S = 2.0
EACH_S = 0.5
"""Seconds for the count of a view alone, for those of a list together, and for each of them."""


Asked = tuple[str, str]
"""The text of a view, and what is kept of its names."""


class CountedInput(Input):
    """Input of a write that answers counts: they were made on a reader before it."""

    _counts: dict[Asked, int] = PrivateAttr(default_factory=dict)

    def keep(self, counts: dict[Asked, int]) -> None:
        """What views ask -> count."""
        self._counts.update(counts)

    def count(self, row: Row) -> int:
        """-1 where nobody counted, as inside another operation."""
        return self._counts.get(asked(row), UNKNOWN)


def asked(row: Mapping[str, Any]) -> Asked:
    """What a view asks: its text, and what the names in it meant when it was kept."""
    return row["tql"], kept_names.merged(row["names"], [row["tql"]], kept_names.NONE)


def typed(tx: Read, text: str) -> Asked:
    """What a view of this text asks that is kept now."""
    return asked({"tql": text, "names": kept_names.kept(tx, [text])})


def count(tx: Read, what: Asked, seconds: float = ONE_S) -> int:
    """The rows that the caller sees; -1 where the text cannot be read now, or counting takes longer.

    What the caller's scopes or modules do not cover is unseen, so it counts for nothing.
    """
    text, names = what
    try:
        query = query_parser.query(tx, text, meant=kept_names.of(names, text))
        with time_limit.bounded(tx, query.query, seconds):
            return QueryRun(tx, query).count()
    except (InsufficientScope, NotAllowed):
        return 0
    except Problem:
        return UNKNOWN


def counts(tx: Read, several: Iterable[Asked]) -> dict[Asked, int]:
    """The counts of what several views ask, each once; those behind the time that there is for all are -1."""
    found: dict[Asked, int] = {}
    ends = monotonic() + ALL_S
    for one in dict.fromkeys(several):
        left = ends - monotonic()
        found[one] = count(tx, one, min(EACH_S, left)) if left > 0 else UNKNOWN
    return found
