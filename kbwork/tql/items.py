"""What the evaluator looks at: things with fields, a past, neighbours and parts, and the world they are in."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, tzinfo
from typing import Any, Protocol

from kbwork.base.dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spell:
    """A value that a field had from `begin` until before `end` (None: still has), set by `by`. Unix seconds."""

    value: Any
    begin: int
    end: int | None = None
    by: str = ""


class Item(Protocol):
    """One thing. Values: texts as str, lengths of time in seconds, times as Unix seconds, days as `date`, names,
    people and keys as the ids that `NameLookup` gives, several as a tuple, a missing one as None or ()."""

    @property
    def id(self) -> str:
        """What references to this thing hold."""

    @property
    def dated(self) -> bool:
        """Whether a past is kept of it, so that it can be looked at as it was."""

    def get(self, name: str) -> Any:
        """A field of the catalogue by its first name, an own one as `cf.<key>`."""

    def follow(self, name: str) -> Iterable["Item"]:
        """The things that a reference leads to and the caller sees."""

    def spells(self, name: str) -> Sequence[Spell]:
        """The past of a tracked field (`category` is one beside `status`), oldest first; none while it was empty."""

    def related(self, relation: str, kind: str) -> Iterable["Item"]:
        """The other ends of a relation that the caller sees; for `under` and `above` at any depth."""

    def parts(self, collection: str) -> Iterable["Item"]:
        """The parts that the caller sees."""


@dataclass(slots=True)
class Record:
    """An item out of plain data."""

    id: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    past: Mapping[str, Sequence[Spell]] = field(default_factory=dict)
    links: dict[str, list["Item"]] = field(default_factory=dict)
    """By field, by relation (`rel:<kind>` for the org's own) and by collection."""
    dated: bool = True

    def get(self, name: str) -> Any:
        return self.id if name == "key" else self.fields.get(name)

    def follow(self, name: str) -> Iterable[Item]:
        return self.links.get(name, ())

    def spells(self, name: str) -> Sequence[Spell]:
        return self.past.get(name, ())

    def related(self, relation: str, kind: str) -> Iterable[Item]:
        return self.links.get(f"rel:{kind}" if relation == "rel" else relation, ())

    def parts(self, collection: str) -> Iterable[Item]:
        return self.links.get(collection, ())


class World(Protocol):
    """Who asks, when and where, and what only a server knows."""

    @property
    def now(self) -> int:
        """Unix seconds."""

    @property
    def zone(self) -> tzinfo:
        """The zone in which days begin."""

    @property
    def me(self) -> str:
        """The asker's id; empty where nobody asks."""

    def call(self, name: str, args: tuple[Any, ...]) -> Sequence[Any]:
        """What a function gives that looks beyond one item: `membersOf`, `openSprints`, `similar`."""

    def all(self, source: str) -> Iterable[Item]:
        """Everything of a source that the asker sees."""

    def works(self, day: date, item: Item) -> bool:
        """Whether it is a working day in the calendar of the item's project."""

    def rank(self, domain: str, id: str) -> Any:
        """What names sort by: lanes by their place in the workflow, releases by date, all others as they read."""
