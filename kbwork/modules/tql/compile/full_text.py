"""Full text: which things hold the words of a pattern.

Everything that looks into texts comes through here. The index of words finds candidates for the long texts; whether a
text beyond ASCII really matches, the language's own reading of texts decides.
"""

from collections.abc import Callable, Iterable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import TextColumn
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read, json_array
from kbwork.modules import search
from kbwork.modules.tql.sources import sources
from kbwork.tql.evaluator import text_match

WEIGHED = 2_000
"""So many issues at most are weighed against each other."""
_WEIGHTS = (6.0, 1.0, 1.0)
"""What a word counts in the title, the body and the comments."""
_FEW = 20_000
"""So few ids narrow the next look."""
_BEYOND = "*[^ -~\t\n\r]*"


@dataclass(frozen=True, slots=True)
class TextField:
    """A field that holds texts: its source, and its name there."""

    source: str
    name: str


TEXT_OF_ISSUES = TextField("issues", "text")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where texts of a field stand, and the condition that the caller sees them."""

    column: TextColumn
    seen: str


def matching(tx: Read, field: TextField, pattern: str) -> set[Any]:
    """The ids of what matches a pattern. Several texts of one thing together must hold what the pattern asks for."""
    found: set[Any] = tx.memoized(("tql text", field, pattern), lambda: _matching(tx, field, pattern))
    return found


def same(tx: Read, field: TextField, text: str) -> set[Any]:
    """The ids of what has exactly this text but for case and accents, or one such among several."""
    form = fold(text)
    found: set[Any] = set()
    for place in _places(tx, field):
        near = f"(lower({place.column.text}) = :form or {place.column.text} glob :beyond)"
        rows = _rows(tx, place, near, {"form": form, "beyond": _BEYOND})
        found.update(ident for ident, text in rows if fold(text) == form)
    return found


def texts(tx: Read, field: TextField, ids: list[Any]) -> dict[Any, tuple[str, ...]]:
    """The texts of these things."""
    found: dict[Any, tuple[str, ...]] = {}
    for place in _places(tx, field):
        near = f"{place.column.ident} in (select value from json_each(:among))"
        for ident, text in _rows(tx, place, near, {"among": json_array(ids)}, in_order=True):
            found[ident] = (*found.get(ident, ()), text)
    return found


def scores(tx: Read, pattern: str) -> dict[int, float]:
    """How well issues fit a pattern: the less the better; those not named fit least. What fits is few enough to weigh.

    Each term counts six times in the title, and once each in the body and in what is said there. How rare a word is,
    how often it stands somewhere and what else has it counts for nothing: the order rests on what the caller sees of
    these issues, and tells of nothing else.
    """
    among = matching(tx, TEXT_OF_ISSUES, pattern)
    wanted = [term for either in text_match.terms(pattern) for term in either if not term.without]
    found = dict.fromkeys(among, 0.0)
    for place, weight in zip(_places(tx, TEXT_OF_ISSUES), _WEIGHTS, strict=False):
        for term in wanted:
            for ident in _holding(tx, place, term, among):
                found[ident] -= weight
    return found


def holding(
    tx: Read, needles: Iterable[str], fits: Callable[[str], object], *, titled: bool = False
) -> set[int]:
    """Issues of which the body, or a comment where the caller may read those, has one of these words and fits.

    `titled`: or the title.
    """
    found: set[int] = set()
    words = list(needles)
    for place in _places(tx, TEXT_OF_ISSUES)[not titled :]:
        for needle in words:
            term = text_match.terms(needle)[0][0]
            rows = _rows(tx, place, *_indexed(place, term))
            found.update(ident for ident, text in rows if fits(text))
    return found


def _places(tx: Read, field: TextField) -> list[_Place]:
    """The texts of a field that the caller may read."""
    source = sources(tx)[field.source]
    found = source.field(tx, field.name)
    columns = source.texts(found) if found is not None else ()
    seen = source.seen(tx, source.declared.row)
    return [_Place(one, seen) for one in columns if _readable(tx, one)]


def _readable(tx: Read, column: TextColumn) -> bool:
    """Whether the caller may read these texts, which may be of things of another kind."""
    held = column.index is None or visibility.holds(tx, column.index[2])
    return held and (not column.scope or column.scope in tx.caller.scopes)


def _matching(tx: Read, field: TextField, pattern: str) -> set[Any]:
    """Term by term: each of what all must hold narrows what is left. What must not be there is looked for last."""
    places = _places(tx, field)
    left: set[Any] | None = None
    for either in sorted(text_match.terms(pattern), key=lambda either: any(term.without for term in either)):
        found: set[Any] = set()
        for term in either:
            held = set[Any]().union(*(_holding(tx, place, term, left) for place in places))
            found |= ((_all(tx, field, places) if left is None else left) - held) if term.without else held
        left = found if left is None else left & found
    return _all(tx, field, places) if left is None else left


def _all(tx: Read, field: TextField, places: list[_Place]) -> set[Any]:
    """What has such a text at all: all things have the first."""
    column, seen = places[0].column, places[0].seen
    every = f"select distinct {column.ident} from {column.rows} where {column.where} and {seen}"
    found: set[Any] = tx.memoized(
        ("tql every", field), lambda: set(tx.column(every, **column.binds, **visibility.binds(tx)))
    )
    return found


def _holding(tx: Read, place: _Place, term: text_match.Term, among: set[Any] | None) -> set[Any]:
    """The ids of texts that hold a term, whether or not it is one that must not be there."""
    plain = f'"{" ".join(term.words)}"{"*" if term.prefix else ""}'
    near, binds = _indexed(place, term) if place.column.index else _read(place, term)
    if among is not None and len(among) <= _FEW:
        near += f" and {place.column.ident} in (select value from json_each(:among))"
        binds["among"] = json_array(among)
    certain = place.column.index is not None
    return {
        ident
        for ident, text in within_deadline(tx, _rows(tx, place, near, binds))
        if (certain and text.isascii()) or text_match.matches(plain, [text])
    }


def _indexed(place: _Place, term: text_match.Term) -> tuple[str, dict[str, Any]]:
    """By the index of words. It keeps the sharp s that reads as ss here."""
    assert place.column.index is not None
    column, ident, kind = place.column.index
    spelled = dict.fromkeys((" ".join(term.words), " ".join(term.words).replace("ss", "ß")))
    star = " *" if term.prefix else ""
    match = " OR ".join(f'{column} : "{words}"{star}' for words in spelled)
    return f"{ident} in ({search.matching(kind)})", {"match": match}


def _read(place: _Place, term: text_match.Term) -> tuple[str, dict[str, Any]]:
    """By reading the texts: those that have every word somewhere, and those beyond ASCII."""
    held = " and ".join(f"instr(lower({place.column.text}), :w{at})" for at in range(len(term.words)))
    binds: dict[str, Any] = {f"w{at}": word for at, word in enumerate(term.words)}
    return f"({held} or {place.column.text} glob :beyond)", {**binds, "beyond": _BEYOND}


def _rows(
    tx: Read, place: _Place, near: str, binds: dict[str, Any], *, in_order: bool = False
) -> list[tuple[Any, ...]]:
    """The ids and texts of a place near which something was found: tens of thousands, for a word that is everywhere."""
    column = place.column
    order = f" order by {column.order}" if in_order and column.order else ""
    sql = (
        f"select {column.ident}, {column.text} from {column.rows}"
        f" where {near} and {column.where} and {place.seen}{order}"
    )
    return tx.tuples(sql, **binds, **column.binds, **visibility.binds(tx))
