"""What the texts of things name, and which texts name something: as it is kept, or else read out of the texts."""

from collections.abc import Iterable

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryMentions, QueryNamed
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.compile import full_text
from kbwork.modules.tql.compile.full_text import TEXT_OF_ISSUES
from kbwork.modules.tql.sources import sources

RELATIONS = ("mentions", "mentioned in")


def others(tx: Read, kind: str) -> list[str]:
    """The sources whose things a mention leads to: this one, or all that the caller may ask for."""
    named: list[QueryNamed] = tx.registry.of(QueryNamed)
    found = [one.source for one in named if one.source in sources(tx)]
    if kind:
        return [kind] if kind in found else []
    needed = {name: sources(tx)[name].needed for name in found}
    return [
        name
        for name, need in needed.items()
        if need.scope in tx.caller.scopes and (not need.module or tx.caller.holds(need.module))
    ]


def holding(tx: Read, relation: str, source: str, other: str, ends: list[int]) -> set[int]:
    """The things of a source that stand in this relation to one of these ends, seen or not."""
    if relation == "mentions":
        return _naming(tx, source, other, ends)
    return {one for some in _named(tx, other, source, ends).values() for one in some}


def ends(tx: Read, relation: str, source: str, other: str, idents: list[int]) -> dict[int, tuple[int, ...]]:
    """The other ends of these things of a source."""
    if relation == "mentions":
        return _named(tx, source, other, idents)
    return {one: tuple(sorted(_naming(tx, other, source, [one]))) for one in idents}


def seen(tx: Read, source: str, idents: Iterable[int]) -> list[int]:
    """Those of these things that the caller sees."""
    declared = sources(tx)[source]
    return tx.column(
        f"select n0.id from {declared.declared.table} n0 where n0.id in (select value from json_each(:ids))"
        f" and {declared.seen(tx, 'n0')}",
        ids=json_array(idents),
        **visibility.binds(tx),
    )


def _kept(tx: Read, source: str, other: str) -> QueryMentions | None:
    declared: list[QueryMentions] = tx.registry.of(QueryMentions)
    return next((one for one in declared if (one.source, one.to) == (source, other)), None)


def _words(tx: Read, source: str) -> QueryNamed:
    declared: list[QueryNamed] = tx.registry.of(QueryNamed)
    return next(one for one in declared if one.source == source)


def _named(tx: Read, source: str, other: str, idents: list[int]) -> dict[int, tuple[int, ...]]:
    """What these things of a source name; nothing names itself."""
    kept = _kept(tx, source, other)
    if kept is not None:
        return {one: tuple(found) for one, found in kept.named(tx, idents).items()}
    said, words = full_text.texts(tx, TEXT_OF_ISSUES, idents), _words(tx, other)
    found = {
        one: dict.fromkeys(end for text in texts for end in words.named(tx, text))
        for one, texts in said.items()
    }
    return {one: tuple(end for end in held if (source, one) != (other, end)) for one, held in found.items()}


def _naming(tx: Read, source: str, other: str, ends: list[int]) -> set[int]:
    """The things of a source that name one of these."""
    kept = _kept(tx, source, other)
    if kept is not None:
        return set(kept.naming(tx, ends))
    words, found = _words(tx, other), set[int]()
    for end in ends:

        def names(text: str, end: int = end) -> bool:
            return end in words.named(tx, text)

        held = full_text.holding(tx, words.needles(tx, end), names, titled=True)
        found |= held - {end} if source == other else held
    return found
