"""The names of things, as the modules declare them by domain."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kbwork.base.text import fold, folded
from kbwork.core.ports.query_source import QueryDomain
from kbwork.db.tx import Read
from kbwork.modules.tql.sources import sources
from kbwork.tql.names import NamedThing

Spelled = list[tuple[NamedThing, tuple[str, ...]]]


def known(tx: Read, domain: str) -> tuple[QueryDomain | None, str]:
    """The declaration of `field:region`, and what stands behind its colon."""
    name, _, rest = domain.partition(":")
    return sources(tx).domains.get(name), rest


def covered(tx: Read, domain: str) -> bool:
    """Whether the caller's scopes tell such names."""
    found, _ = known(tx, domain)
    return found is None or not tx.caller.scopes.isdisjoint(found.scopes)


def spelled(tx: Read, domain: str) -> Spelled:
    """All things of a domain with the folded words that they are known by."""
    found, rest = known(tx, domain)
    if found is None:
        return []
    caller = tx.caller
    alike = found.same and caller.projects is None
    whose = () if alike else (caller.ident, caller.role, caller.projects)
    keep = tx.cached if found.seldom and not caller.guest else tx.memoized
    names: Spelled = keep(("tql names", domain, *whose), lambda: _with_words(found.some(tx, rest)))
    return names


def meant(tx: Read, domain: str, start: str) -> Sequence[NamedThing]:
    """All whose key, name, handle, mail or former name begins so."""
    found, _ = known(tx, domain)
    if found is not None and found.begins is not None:
        return found.begins(tx, start)
    form = fold(start)
    return [named for named, said in spelled(tx, domain) if any(one.startswith(form) for one in said)]


def shown(tx: Read, domain: str, ident: Any) -> Any:
    """How a name is answered."""
    found, rest = known(tx, domain)
    return ident if found is None or found.shown is None else found.shown(tx, rest, str(ident))


def gone(tx: Read, domain: str, ident: str) -> bool:
    """Whether nothing has this id any more, seen or not; where that is not known it is there."""
    found, rest = known(tx, domain)
    return found is not None and found.shown is not None and found.shown(tx, rest, ident) in (None, ident)


def rank(tx: Read, domain: str, ident: str) -> Any:
    """What a name sorts by: its place among its like, or as it reads."""
    return _ranks(tx, domain).get(ident, (1, 0, folded(ident)))


def _ranks(tx: Read, domain: str) -> Mapping[str, Any]:
    def read() -> Mapping[str, Any]:
        found, rest = known(tx, domain)
        return {} if found is None or found.ranks is None else found.ranks(tx, rest)

    ranks: Mapping[str, Any] = tx.memoized(("tql ranks", domain), read)
    return ranks


def _with_words(found: Iterable[NamedThing]) -> Spelled:
    return [
        (one, tuple(fold(word) for word in (one.key, one.name, one.handle, one.mail, *one.former) if word))
        for one in found
    ]
