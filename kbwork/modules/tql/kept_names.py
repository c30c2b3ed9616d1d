"""What the names of kept texts meant when they were kept: JSON beside the texts, by text, so that undo has it too.

A text that is kept goes on meaning the things that it named, when these are renamed and their old names are given to
others. Each text is a key: {text: [[start, end, domain, ids]]}, texts without names left out.
"""

import json
from collections.abc import Iterable, Iterator

from kbwork.base.errors import Problem
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.tql.errors import TextSpan
from kbwork.tql.names import MeantName, MeantNames, meant_by

NONE = "{}"
Found = Iterable[tuple[TextSpan, MeantName]]


def kept(tx: Read, queries: Iterable[str], values: Iterable[str] = (), source: str = "issues") -> str:
    """What the names of these texts mean now, to be kept beside them; the values are of this source.

    A text that cannot be asked has no names.
    """
    found = {text: _rows(meant) for text, meant in _each(tx, queries, values, source) if meant}
    return json.dumps(dict(sorted(found.items())), ensure_ascii=False)


def of(names: str, text: str) -> MeantNames:
    """What the names of one of the texts meant."""
    return meant_by(names, text)


def merged(before: str, stay: Iterable[str], now: str) -> str:
    """Names that are kept: those of texts that stay as they were, and those of texts that are kept anew."""
    old = json.loads(before)
    found = {text: old[text] for text in stay if text in old} | json.loads(now)
    return json.dumps(dict(sorted(found.items())), ensure_ascii=False)


def _each(
    tx: Read, queries: Iterable[str], values: Iterable[str], source: str
) -> Iterator[tuple[str, Found]]:
    for text in dict.fromkeys(queries):
        try:
            yield text, query_parser.query(tx, text).checked.meant
        except Problem:
            continue
    for text in dict.fromkeys(values):
        try:
            yield text, query_parser.computed(tx, text, source).meant
        except Problem:
            continue


def _rows(found: Found) -> list[list[object]]:
    return [[*span, meant.domain, list(meant.ids)] for span, meant in found]
