"""Answers that are put together of documents: things as JSON, made once for all who are shown the same of them.

A kind of thing says of which rows its documents are made, and how (`ThingDocuments`); an answer says for whose eyes it
is (`Eyes`). What is kept is looked up here, what is missing is made and kept, and what each asker is told beside it is
put in. Which things an answer names, and that its caller sees them, is asked before.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, cast

from pydantic_core import to_json

from kbwork.base.dataclasses import dataclass
from kbwork.core.operations import etag
from kbwork.core.operations.declare import Rendered
from kbwork.db.documents import Document, Documented, Entry, MadeDocument
from kbwork.db.tx import Read


class Eyes(ABC):
    """Whose answer it is, as far as the documents of a kind differ by that.

    Each document remembers whose eyes saw it last, so that one pair serves all answers to somebody.
    """

    __slots__ = ()

    @abstractmethod
    def shown(self, facts: Any) -> Any:
        """What is the same for all who are shown the same of a thing with these facts."""

    def document(self, entry: Entry) -> Document | None:
        """What they are shown of this one, which others saw last, where that is kept."""
        found = entry.document(self.shown(entry.facts))
        if found is not None:
            entry.last = (self, found)
        return found


E = TypeVar("E", bound=Eyes)


def eyes_of(tx: Read, kind: Callable[[Read], E]) -> E:
    """The eyes of the caller, found out once until access changes."""
    caller = tx.caller
    found: E = tx.cached((kind, caller.ident, caller.role, caller.projects), lambda: kind(tx))
    return found


class Made(NamedTuple):
    """What a kind says of one thing to whoever asks."""

    ident: Any
    facts: Any
    """What decides who is shown what of it, and what is asked beside it."""
    pieces: tuple[bytes, ...]
    """Its JSON, with room between two of them for what `fill` answers."""
    facts_bytes: int = 0
    """What the facts take in memory, about."""


class Told(NamedTuple):
    """Some things as JSON."""

    documents: list[Document]
    filled: Mapping[int, tuple[bytes, ...]]
    """What was put into those with room, by their places."""
    digests: bytes
    """Of all that they say, one behind the other."""
    entry: Entry | None
    """Of the one that was asked for, where nothing was put in."""

    @property
    def digest(self) -> bytes:
        """Of all that they say."""
        return etag.digest(self.digests)

    @property
    def items(self) -> list[bytes]:
        """One text for each."""
        found = [document.pieces[0] for document in self.documents]
        for at, parts in self.filled.items():
            found[at] = _filled(self.documents[at].pieces, parts)
        return found


@dataclass(frozen=True, kw_only=True)
class ThingDocuments(Documented, Generic[E]):
    """What a kind says of its documents. Nothing in them is of the clock, nor of other rows than `Documented` names.

    The thing whose `document` it is has the name `kind`.
    """

    kind: str
    make: Callable[[Read, E, list[Any]], Iterable[Made]]
    """Some of its things, which are there and are seen, for these eyes."""
    keeps: Callable[[Read], bool] = lambda _: True
    """Whether what is made now rests on those rows alone."""
    fill: Callable[[Read, dict[Any, Any]], Mapping[Any, tuple[bytes, ...]]] | None = None
    """What stands between the pieces of things, of which the facts are given; asked for each answer."""

    def texts(self, tx: Read, eyes: E, idents: Sequence[Any]) -> Told:
        """Some things, which the caller sees, in this order."""
        entries = tx.documents(self.kind, idents)
        # whose eyes saw it last is looked at here: a call for each of fifty takes longer than the rest
        found = [
            None
            if entry is None
            else last[1]
            if (last := entry.last) is not None and last[0] is eyes
            else eyes.document(entry)
            for entry in entries
        ]
        facts: dict[Any, Any] = {}
        if None in found:
            missing = [ident for ident, known in zip(idents, found, strict=True) if known is None]
            made = self._made(tx, eyes, missing)
            for at, known in enumerate(found):
                if known is None:
                    facts[idents[at]], found[at] = made[idents[at]]
        documents = cast(list[Document], found)
        digests = [document.digest for document in documents]
        pieces = [document.pieces for document in documents]
        open_: list[int] = []
        filled: dict[int, tuple[bytes, ...]] = {}
        if sum(map(len, pieces)) > len(pieces):
            open_ = [at for at, parts in enumerate(pieces) if len(parts) > 1]
            assert self.fill is not None, f"what of {self.kind} has room is filled"
            for at in open_:
                if (entry := entries[at]) is not None:
                    facts.setdefault(idents[at], entry.facts)
            said = self.fill(tx, {idents[at]: facts[idents[at]] for at in open_})
            for at in open_:
                filled[at] = parts = said[idents[at]]
                digests.append(b"%b;" % b",".join(parts))
        alone = entries[0] if len(idents) == 1 and not open_ else None
        return Told(documents, filled, b"".join(digests), alone)

    def listed(self, tx: Read, eyes: E, idents: Sequence[Any]) -> Rendered:
        """The answer that is a list of these things."""
        told = self.texts(tx, eyes, idents)
        return Rendered(told.digest, lambda: b"[%b]" % b",".join(told.items))

    def paged(self, tx: Read, eyes: E, idents: Sequence[Any], after: str | None) -> Rendered:
        """The answer that is a page of these things, with the cursor behind them."""
        told, behind = self.texts(tx, eyes, idents), to_json(after)
        return Rendered(
            etag.digest(told.digests + behind),
            lambda: b'{"items":[%b],"next":%b}' % (b",".join(told.items), behind),
        )

    def _made(self, tx: Read, eyes: E, idents: list[Any]) -> dict[Any, tuple[Any, Document]]:
        """(facts, document) of each, kept where it may be."""
        keeps = self.keeps(tx)
        found = {}
        for ident, facts, pieces, size in self.make(tx, eyes, idents):
            document = Document(eyes.shown(facts), pieces, etag.digest(b"\0".join(pieces)))
            if keeps:
                tx.keep_document(self.kind, ident, MadeDocument(facts, size, document))
            found[ident] = (facts, document)
        return found


def _filled(pieces: tuple[bytes, ...], said: tuple[bytes, ...]) -> bytes:
    return b"".join([part for pair in zip(pieces, (*said, b""), strict=True) for part in pair])


def split(members: Mapping[str, Any], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What stands before and behind a member of an object, which has room in its place."""
    names = list(members)
    at = names.index(name)
    return {one: members[one] for one in names[:at]}, {one: members[one] for one in names[at + 1 :]}
