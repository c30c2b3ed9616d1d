"""How names of people and things are found: the check asks through `NameLookup`, and knows no table."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from kbwork.base.dataclasses import dataclass
from kbwork.base.text import fold, nearest_words
from kbwork.tql.errors import TextSpan
from kbwork.tql.fields import FieldKind
from kbwork.tql.sources import Sources


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing that the caller sees and that has a name. `id` is what subjects hold for it."""

    id: str
    name: str
    key: str = ""
    handle: str = ""
    mail: str = ""
    former: tuple[str, ...] = ()
    """Names it had before."""
    places: tuple[str, ...] = ()
    """Keys of the projects it belongs to."""
    category: str = ""
    """For lanes: todo, in_progress or done."""


@dataclass(frozen=True, slots=True)
class OwnFieldDef:
    """A field that an org made, of issues or of a type of assets. `projects`: keys of the projects or types that have
    it, none for all."""

    key: str
    name: str
    kind: FieldKind
    many: bool = False
    domain: str = ""
    to: str = ""
    projects: tuple[str, ...] = ()
    tracked: bool = True
    """Its history is kept."""
    formula: str = ""
    """What it is computed from; then `kind` does not count."""
    names: str = "{}"
    """What the names of the formula meant when it was kept."""
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Where the formula is computed: fields with the ids that they must have."""


@dataclass(frozen=True, slots=True)
class MeantName:
    """What a name of a text meant when the text was kept: things by id, or, without a domain, the path of a field."""

    domain: str
    ids: tuple[str, ...]


MeantNames = Mapping[TextSpan, MeantName]
"""Place in a text -> what stood there."""
AS_WRITTEN: MeantNames = MappingProxyType({})
"""Of a text that somebody types: its names mean what is called so now."""


def meant_by(names: str, text: str) -> MeantNames:
    """What the names of a text meant, from what is kept beside it: {text: [[start, end, domain, ids]]}."""
    rows = json.loads(names).get(text, ()) if names != "{}" else ()
    return {TextSpan(start, end): MeantName(domain, tuple(ids)) for start, end, domain, ids in rows}


@dataclass(frozen=True, slots=True)
class SavedText:
    """The text of a saved view, and what its names meant."""

    text: str
    meant: MeantNames


class NameLookup(Protocol):
    """What exists for the caller. Domains are those of fields: person, status, label, project, issue, ..."""

    @property
    def sources(self) -> Sources:
        """What texts can be about."""

    def begins(self, domain: str, start: str) -> Sequence[NamedThing]:
        """All whose key, name, handle, mail or former name begins so; case and accents do not count."""

    def some(self, domain: str) -> Sequence[NamedThing]:
        """A few hundred to propose from, the most used ones; of lanes all."""

    def things(self, domain: str, ids: frozenset[str]) -> Sequence[NamedThing]:
        """Those of these ids that the caller sees."""

    def gone(self, domain: str, ids: frozenset[str]) -> bool:
        """Whether nothing of these ids is there any more, seen or not."""

    def own(self, source: str) -> Sequence[OwnFieldDef]:
        """The own fields of a source."""

    def deleted(self, source: str) -> Sequence[OwnFieldDef]:
        """Own fields that a source had once, as far as they are remembered. A key is never given twice."""

    def has(self, module: str) -> bool:
        """Whether a module is there and switched on."""

    def view(self, name: str) -> SavedText | None:
        """The text of a saved view."""


def find(names: NameLookup, domain: str, text: str) -> list[NamedThing]:
    """Exact key, else exact name, else handle or mail, else a former name, else what begins so.

    Several things of one name are all found. Things of different names mean that the text is ambiguous.
    """
    form = fold(text)
    near = names.begins(domain, text)
    for spelled in (_keys, _names, _addresses, _former):
        exact = [named for named in near if form in spelled(named)]
        if exact:
            return exact
    return list(near) if form else []


def shown(domain: str, named: NamedThing, sources: Sources) -> str:
    """How a thing is spelled in a text: people by handle, what has a key of its own by key, all else by name."""
    if domain == "person":
        return f"@{named.handle}" if named.handle else named.name
    if not named.key or not (domain == "project" or domain in sources.keyed):
        return named.name
    return named.key if domain == "project" or "-" in named.key else f"{domain}:{named.key}"


def bears(named: NamedThing, text: str) -> bool:
    """Whether the text is a present spelling, and not the beginning of one."""
    form = fold(text)
    return any(form in spelled(named) for spelled in (_keys, _names, _addresses))


def known_as(named: NamedThing, text: str) -> bool:
    """Whether the text is a present spelling, or begins one, and is not a former one."""
    form = fold(text)
    present = [known for spelled in (_keys, _names, _addresses) for known in spelled(named)]
    return form in present or (form not in _former(named) and any(one.startswith(form) for one in present))


def alike(names: NameLookup, domain: str, text: str) -> list[NamedThing]:
    """Things whose names look like this one, best first."""
    by_name: dict[str, NamedThing] = {}
    for named in names.some(domain):
        by_name.setdefault(shown(domain, named, names.sources), named)
    return [by_name[name] for name in nearest_words(text, by_name)]


def _keys(named: NamedThing) -> tuple[str, ...]:
    return (fold(named.key),) if named.key else ()


def _names(named: NamedThing) -> tuple[str, ...]:
    return (fold(named.name),)


def _addresses(named: NamedThing) -> tuple[str, ...]:
    return tuple(fold(address) for address in (named.handle, named.mail) if address)


def _former(named: NamedThing) -> tuple[str, ...]:
    return tuple(fold(name) for name in named.former)
