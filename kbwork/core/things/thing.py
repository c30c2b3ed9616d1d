"""What a kind of thing is: how its things are found, named and seen, and what can be done with them.

A module declares each of its kinds once, in its `thing.py`. Feeds, undo, the trash, comments, search and whatever else
holds for things of all kinds ask the declaration, and know no kind by name. What a kind can do is an object of its own:
one that lacks it cannot.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.events import DomainEvent
from kbwork.core.access.grants import Grantable
from kbwork.core.ports.comments import Commentable
from kbwork.core.ports.extension import module_of
from kbwork.core.ports.files import Fileable
from kbwork.core.ports.search import Searchable, SearchableByHost
from kbwork.core.things.ai_material import ReadableByAI
from kbwork.db.documents import Documented, DocumentedKind
from kbwork.db.tx import Read, Row, Tracked, Write

Hosts = tuple["Thing", ...]
"""The kinds on which a thing hangs: that of its host, that on which the host hangs, and so on."""
Condition = str | Callable[[Hosts], str | None]
"""An SQL condition over `:ref`, the text behind the colon of a subject. For a kind that hangs on others: that of those
that hang on things of these kinds; None where none can."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a caller may see."""

    id: str
    """`issue:12`."""
    kind: str
    title: str
    path: str
    """Where the web app shows it."""
    state: str | None = None
    on: str | None = None
    """The subject on which it hangs, where its kind hangs on others."""
    bare: str | None = None
    """Its title without its key, where `title` begins with that."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Events of `subject` whose payload says `value` under `name`."""

    subject: str
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Trashed:
    """A thing that comes out of the trash. `items` are other subjects that went with it."""

    ref: str
    items: tuple[str, ...] = ()
    parent: str | None = None
    """Where it is to be put, should its old place be gone."""


@dataclass(frozen=True, slots=True)
class PromotionSource:
    """A text that an issue can be made of."""

    title: str
    body: str
    about: str | None = None
    """The issue that it hangs on."""


@dataclass(frozen=True, kw_only=True)
class Revertible:
    """How changes of a kind are taken back. `ref` is always the text behind the colon of a subject."""

    editable: Callable[[Read, str], bool] | None = None
    """Whether the caller may change the thing now; left out: undo asks nothing beside the scope."""
    wakeable: Callable[[Read, str], bool] | None = None
    """Whether the caller may bring it back from the archive (`archived_at`), where nobody may change it otherwise."""
    personal: frozenset[str] = frozenset()
    """Tables whose rows are somebody's own, such as votes: whoever sees the thing may take theirs back."""
    volatile: frozenset[str] = frozenset()
    """Columns that move by themselves: they are not taken for a change."""
    stamp: Callable[[Write, str, int, str], None] | None = None
    """Writes the sequence number of a change on the thing itself, told by an event of this kind."""
    present: Callable[[Read, list[Any], Row, int], Row] | None = None
    """Columns of a row of its own table, by its key, as they are to be set back, of those that it had before the event
    with this number: what a value stands for may have changed since."""
    retold: Callable[[Read, str, str, Row], Row] | None = None
    """What the event of this kind says that takes one with this payload back, where that is not the same turned round.
    It is asked when the thing was set back."""
    checks: dict[str, Callable[[Read, list[Any]], None]] = field(default_factory=dict)
    """What must hold for a row of these tables (by its key) after it was set back; each raises Conflict."""
    fits: Callable[[Read, str, Row], None] | None = None
    """What must hold for the thing itself after it was set back, given the columns of its row as they were before that
    and are no more. Raises a Problem."""


@dataclass(frozen=True, kw_only=True)
class Trashable:
    """How things of a kind go to the trash, come back, and go for good."""

    tables: frozenset[str]
    """Tables whose rows go there (`deleted_at`), where undo would delete them."""
    deletable: Callable[[Read, str], bool]
    """Whether the caller may put it there and take it out again, wherever it is now."""
    restorable: Condition
    """True where it lies there and the caller may bring it back."""
    deleted_by: str
    """The operation that puts it there: whoever brings it back may call that one."""
    restore: Callable[[Write, Trashed], None]
    """Brings it back and tells of it. Raises Conflict where its place is gone."""
    purge: Callable[[Write, str], bool]
    """Removes its rows, and what was told of it elsewhere, some hundreds at a time; False while there are more. What
    hangs on it went before."""
    purged: type[DomainEvent]
    """What is told then, with an empty payload."""
    emptied: Callable[[Write, str], bool] | None = None
    """Purges the subjects that lie in it, some at a time; False while there are more. This comes first."""


@dataclass(frozen=True, kw_only=True)
class Promotable:
    """How an issue is made of the text of a thing."""

    source: Callable[[Read, str], PromotionSource | None]
    """The text; None where the caller does not see it."""
    promoted: Callable[[Write, str, int], None] | None = None
    """An issue, by its internal number, was made of it."""


@dataclass(frozen=True, kw_only=True)
class Thing:
    """One kind of thing, such as `issue`.

    `seen` is true where the caller (`visibility.binds` binds it) may see the subject. `find` answers a Subject, or None
    where the caller does not see it.
    """

    name: str
    scope: str
    home: str
    """The file that declares it: `__name__`."""
    seen: Condition
    find: Callable[[Read, str], Subject | None]
    binds: Callable[[Read], dict[str, Any]] | None = None
    """The values that `seen` needs beside those of `visibility.binds`."""
    order: int = 100
    """Where it stands among kinds that are listed; those with one number go by their names."""
    rests_on: frozenset[str] = frozenset()
    """Tables that decide who sees what; a commit that touches one ends what was kept about it."""
    references: Callable[[Read, str], str | None] | None = None
    """Turns a short reference (`WEB-12`, `@ana`) into a subject of this kind, or None."""
    former: Callable[[Read, str], list[str]] | None = None
    """All references that it has or had: its events stand under the one of their time."""
    elsewhere: Callable[[Read, str], Elsewhere | None] | None = None
    """Where events about it stand under another subject."""
    concerns: Callable[[Read, str], str] | None = None
    """The module that one such thing is of beside that of its kind: a job is of the module that does the work."""
    of_org: bool = False
    """It is of the org itself: the audit log tells admins all about it, when it is gone too."""
    table: str | None = None
    """Its own table, where its rows are deleted for good."""
    tracked: dict[str, Tracked] = field(default_factory=dict)
    """Tables of this kind whose columns have a history."""
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Other tables whose rows are part of such a thing, or of several, and the columns that hold its number."""
    there: str | None = None
    """The condition over `:ref` that there is such a thing, whoever asks. For a kind without a trash: what hangs on one
    that was deleted waits for as long as undo may bring it back, and goes then."""
    hangs_by: str | None = None
    """The column of its own table that holds the subject (`issue:12`) on which it hangs."""
    hangs_on: "Callable[[Thing], bool] | None" = None
    """The kinds on which it hangs, by what they can do."""
    undo: Revertible = Revertible()
    trash: Trashable | None = None
    comments: Commentable | None = None
    files: Fileable | None = None
    grants: Grantable | None = None
    search: Searchable | SearchableByHost | None = None
    promotion: Promotable | None = None
    ai: ReadableByAI | None = None
    document: Documented | None = None
    """Its things are kept as bytes; void when a row of their own, of their parts or of a history is changed."""

    @property
    def module(self) -> str:
        """The module that its things are of."""
        return module_of(self.home)

    @property
    def trashed(self) -> frozenset[str]:
        """The tables whose rows go to the trash."""
        return self.trash.tables if self.trash is not None else frozenset()

    @property
    def documented(self) -> DocumentedKind | None:
        """Of what its documents are made."""
        if self.document is None:
            return None
        own = self.document.table
        told = {table: (said.key,) for table, said in self.tracked.items() if table != own}
        return self.document, {**self.parts, **told, **self.document.parts}

    @property
    def hosts(self) -> str | None:
        """A select of the reference of each thing of the JSON array `:refs` and of the subject on which it hangs; None
        for a kind that hangs on no others."""
        if self.hangs_by is None:
            return None
        (table,) = self.trashed
        return f"select id, {self.hangs_by} from {table} where id in (select value from json_each(:refs))"


def ref_of(subject: str) -> tuple[str, str]:
    """(`issue`, `12`) of `issue:12`; the kind is empty where there is no colon."""
    kind, colon, ref = subject.partition(":")
    return (kind, ref) if colon else ("", subject)


def condition(said: Condition, hosts: Hosts) -> str | None:
    """The condition itself, for things that hang on those of these kinds; None where none can."""
    if isinstance(said, str):
        return said
    return said(hosts) if hosts else None


def chains(kind: Thing, kinds: Iterable[Thing]) -> Iterator[Hosts]:
    """All that things of a kind may hang on, as the kinds declare it: one empty chain for a kind that hangs on none."""
    if kind.hangs_on is None:
        yield ()
        return
    known = list(kinds)
    for host in known:
        if kind.hangs_on(host):
            yield from ((host, *beyond) for beyond in chains(host, known))


def among(conditions: Mapping[str, str], subject: str) -> str:
    """One SQL condition over the column `subject`, of those over `:ref` of its kinds; false for other kinds."""
    ref = f"substr({subject}, instr({subject}, ':') + 1)"
    cases = [f"when '{kind}' then ({said.replace(':ref', ref)})" for kind, said in conditions.items()]
    return (
        f"case substr({subject}, 1, instr({subject}, ':') - 1) {' '.join(cases)} else 0 end" if cases else "0"
    )
