"""Things as bytes, kept in memory until something of theirs is changed: what many answers are put together from.

Nobody has to remember that a document is void. SQLite tells the writer of every row that goes, comes or changes, be it
by a trigger, by undo or by a restore; a kind says which rows are part of which of its things.

A document is what was true at a commit. Before a COMMIT the writer says what it touches, and behind it drops that: both
move the `epoch`. Who reads takes the epoch before the snapshot begins, uses no document that was kept at a later one,
and keeps what it makes only if the epoch still stands. So nothing older than an acknowledged commit is answered, and
nothing newer than the snapshot.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from kbwork.base.dataclasses import dataclass, field

MOST_BYTES = 32 * 1024 * 1024
_ENTRY_BYTES = 450
"""What an entry takes beside its documents."""
_DOCUMENT_BYTES = 250
_NUMBERS = frozenset((int, type(None)))


@dataclass(frozen=True, kw_only=True)
class Documented:
    """Of which rows the documents of a kind are made, beside those of its own table and of its parts."""

    table: str
    """Its own, whose rowid is the thing's number."""
    key: str | None = None
    """The column that names the thing, where the table has no rowid."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tables whose rows are part of such a thing, and the columns that name it, where the kind names them for nothing
    else."""
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tables whose rows many things show, and the columns that these show of a row that is there; without columns,
    whatever happens in that table touches all of them."""
    followed: bool = False
    """What touches one, by its number and not by a row that many show, is written down in `thing_touch`, for clients
    that keep such things."""


DocumentedKind = tuple[Documented, Mapping[str, tuple[str, ...]]]
"""What a kind says, and the columns that name a thing in each table of its parts."""
Place = tuple[str, Any]
"""The kind of a thing, and its number or name."""


class Document(NamedTuple):
    """A thing as JSON, for all who are shown the same of it."""

    shown: Any
    """What that is, in the words of the kind."""
    pieces: tuple[bytes, ...]
    """Between two of them stands what is found out for each who asks."""
    digest: bytes


class Entry:
    """One thing: facts that decide who is shown what of it, and its documents.

    There are ten thousands of them: what one takes beside its documents is counted in objects.
    """

    __slots__ = ("bytes", "documents", "facts", "ident", "kept", "kind", "last", "stamp", "used")

    def __init__(self, kind: str, ident: Any, facts: Any, stamp: int) -> None:
        self.kind = kind
        self.ident = ident
        self.facts = facts
        self.kept = True
        """Nothing of it was changed since, as far as the writer has told."""
        self.stamp = stamp
        """The epoch at which it was kept."""
        self.documents: tuple[Document, ...] = ()
        """One for whatever is shown of it, which is the same for nearly all who ask."""
        self.last: tuple[object, Document] | None = None
        """Who asked last, in the words of the kind, and what they were shown: mostly they ask again."""
        self.bytes = _ENTRY_BYTES
        self.used = False

    @property
    def place(self) -> Place:
        return self.kind, self.ident

    def document(self, shown: Any) -> Document | None:
        """That for those who are shown this of it, if it is kept."""
        return next((one for one in self.documents if one.shown == shown), None)


class MadeDocument(NamedTuple):
    """A document, and the facts of its thing."""

    facts: Any
    facts_bytes: int
    """What they take in memory, about."""
    document: Document


class DocumentStore:
    """The documents of all kinds of one data file. The writer tells of changes, anybody reads and keeps."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.epoch = 0
        self._entries: dict[str, dict[Any, Entry]] = {}
        """Kind -> its things, the oldest first."""
        self._bytes = 0
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self.tables: frozenset[str] = frozenset()
        """Those whose rows some document rests on."""
        self._watched: dict[str, list[_Watched]] = {}
        """Table -> what a change of one of its rows touches."""
        self._touched: dict[Place, int] = {}
        """What the open transaction touched, and how often."""
        self._every: set[str] = set()
        """The kinds of which the open transaction touched everything."""
        self._followed: frozenset[str] = frozenset()
        self._void: frozenset[Place] = frozenset()
        self._void_kinds: frozenset[str] = frozenset()
        """Of the commit that is under way."""

    def know(self, columns: Callable[[str], list[str]], kinds: Mapping[str, DocumentedKind]) -> None:
        """Tell it of the kinds with documents. `columns` answers those of a table in their order."""
        found: dict[str, list[_Watched]] = {}
        for kind, (said, parts) in kinds.items():
            own: tuple[str, ...] = (said.key,) if said.key is not None else ()
            places = tuple(columns(said.table).index(name) for name in own)
            found.setdefault(said.table, []).append(_Watched(kind, own=not own, ids=places, names=own))
            for table, names in parts.items():
                places = tuple(columns(table).index(name) for name in names)
                found.setdefault(table, []).append(_Watched(kind, ids=places, names=names))
            for table, names in said.shared.items():
                places = tuple(columns(table).index(name) for name in names)
                found.setdefault(table, []).append(_Watched(kind, shown=places))
        self._watched, self.tables = found, frozenset(found)
        self._entries = {kind: {} for kind in kinds}
        self._followed = frozenset(kind for kind, (said, _) in kinds.items() if said.followed)

    # -- the writer --------------------------------------------------------------------------------------

    def begin(self) -> None:
        """A transaction begins."""
        self._touched.clear()
        self._every.clear()

    def followed(self) -> list[Place]:
        """What the open transaction touched of kinds that are followed, by rows of these things alone."""
        return [place for place in self._touched if place[0] in self._followed]

    def touches(self, place: Place) -> int:
        """How often the open transaction changed a row on which the document of a thing rests."""
        return self._touched.get(place, 0)

    def announce(self) -> None:
        """It is about to be committed: what it touched is void from now on, whoever may see it first."""
        self._void, self._void_kinds = frozenset(self._touched), frozenset(self._every)
        if self._void or self._void_kinds:
            self.epoch += 1

    def settle(self) -> None:
        """It was committed, or perhaps not: what it touched is made anew when it is asked for."""
        if not (self._void or self._void_kinds):
            return
        with self._lock:
            self.epoch += 1
            for place in self._void:
                self._drop(place)
            for kind in self._void_kinds:
                self._drop_all(kind)
            self._void, self._void_kinds = frozenset(), frozenset()

    def clear(self) -> None:
        """Other data are there, or nobody knows which."""
        with self._lock:
            self.epoch += 1
            for kind in self._entries:
                self._drop_all(kind)

    def note(self, table: str, change: Any) -> None:
        """A row of one of `tables` is about to change."""
        for watched in self._watched[table]:
            watched.note(change, self._touched, self._every)

    def knows_new(self, table: str, columns: Mapping[str, Any]) -> bool:
        """Whether these say what a new row touches: each number is given, and so as it will be read."""
        for watched in self._watched.get(table, ()):
            for name in watched.names:
                if type(columns.get(name, "")) not in _NUMBERS:
                    return False
        return True

    def note_new(self, table: str, number: int, columns: Mapping[str, Any]) -> None:
        """A row is about to come, with this number where its table numbers them, of which nobody hears: as `note`, of
        one that `knows_new` agreed to."""
        for watched in self._watched.get(table, ()):
            watched.note_new(number, columns, self._touched, self._every)

    # -- readers -----------------------------------------------------------------------------------------

    def find(self, kind: str, idents: Collection[Any], epoch: int) -> list[Entry | None]:
        """What is kept of things for a snapshot that began at this epoch, in their order."""
        void = self._void  # before the look: the writer drops, then settles
        if kind in self._void_kinds:
            return [None for _ in idents]
        found = list(map(self._entries[kind].get, idents))
        if void or epoch != self.epoch:
            found = [
                None if entry is None or entry.stamp > epoch or entry.place in void else entry
                for entry in found
            ]
        if self._bytes > self._most_bytes // 2:  # before that nothing is dropped soon
            for entry in found:
                if entry is not None:
                    entry.used = True
        return found

    def holds(self, entry: Entry) -> bool:
        """Whether the documents of a thing are still what is there, for somebody who asks now."""
        if entry.place in self._void or entry.kind in self._void_kinds:
            return False
        return entry.kept  # behind the look at what is void: the writer drops, then settles

    def keep(self, place: Place, made: MadeDocument, epoch: int) -> None:
        """Keep what was made of a thing from a snapshot that began at this epoch, if nothing was changed since."""
        facts, facts_bytes, document = made
        size = sum(map(len, document.pieces)) + _DOCUMENT_BYTES
        kind, ident = place
        with self._lock:
            if self.epoch != epoch or place in self._void or kind in self._void_kinds:
                return
            entry = self._entries[kind].get(ident)
            if entry is None:
                entry = self._entries[kind][ident] = Entry(kind, ident, facts, epoch)
                entry.bytes += facts_bytes
                self._bytes += entry.bytes
            if entry.document(document.shown) is None:
                entry.documents += (document,)
                entry.bytes += size
                self._bytes += size
            while self._bytes > self._most_bytes:
                self._evict()

    def _evict(self) -> None:
        """Drop the oldest that nobody asked for since it was looked at last, of the kind that has most."""
        entries = max(self._entries.values(), key=len)
        ident, entry = next(iter(entries.items()))
        if entry.used:
            entry.used = False
            entries[ident] = entries.pop(ident)
        else:
            self._drop(entry.place)

    def _drop_all(self, kind: str) -> None:
        for ident in list(self._entries[kind]):
            self._drop((kind, ident))

    def _drop(self, place: Place) -> None:
        entry = self._entries[place[0]].pop(place[1], None)
        if entry is not None:
            entry.kept = False
            self._bytes -= entry.bytes


@dataclass(frozen=True, slots=True)
class _Watched:
    """What a change of a row touches: the thing that it is, those whose numbers it holds, or everything of a kind."""

    kind: str
    own: bool = False
    ids: tuple[int, ...] = ()
    """The places of the columns that hold such numbers."""
    names: tuple[str, ...] = ()
    """Of these columns."""
    shown: tuple[int, ...] | None = None

    def note(self, change: Any, touched: dict[Place, int], every: set[str]) -> None:
        kind, shown = self.kind, self.shown
        if self.own:
            for place in ((kind, change.rowid), (kind, change.rowid_new)):
                touched[place] = touched.get(place, 0) + 1
            return
        if shown == ():  # whatever is changed
            every.add(kind)
            return
        old, new = change.old, change.new
        if shown is not None:
            if old is not None and (new is None or any(old[at] != new[at] for at in shown)):
                every.add(kind)
            return
        for row in (old, new):
            if row is not None:
                for at in self.ids:
                    if (ref := row[at]) is not None:
                        touched[kind, ref] = touched.get((kind, ref), 0) + 1

    def note_new(
        self, number: int, columns: Mapping[str, Any], touched: dict[Place, int], every: set[str]
    ) -> None:
        """Of a row that comes. What others show of a thing hangs on no row that was not there."""
        if self.shown == ():
            every.add(self.kind)
        refs = (number,) if self.own else map(columns.get, self.names)
        for ref in refs:
            if ref is not None:
                place = self.kind, ref
                touched[place] = touched.get(place, 0) + 1
