"""Kinds of subjects: how each is found, named and seen. Feeds, undo, resolve and search all ask here."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.core.ports.comments import Commentable
from kbwork.db.tx import Read, Row, Tracked, Write


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


@dataclass(frozen=True, kw_only=True)
class SubjectKind:
    """One kind of subject, such as `issue`.

    `seen` is an SQL condition over `:ref`, the text behind the colon of a subject, that is true where the caller
    (`sight` binds it) may see the subject. `find` answers a Subject, or None where the caller does not see it.
    `editable` says whether the caller may change it now: undo asks.
    """

    name: str
    scope: str
    home: str
    """The module that declares it: `__name__`."""
    seen: str
    find: Callable[[Read, str], Subject | None]
    editable: Callable[[Read, str], bool] | None = None
    binds: Callable[[Read], dict[str, Any]] | None = None
    """The values that `seen` needs beside those of `visibility.binds`."""
    rests_on: frozenset[str] = frozenset()
    """Tables that decide who sees what; a commit that touches one ends what was kept about it."""
    tracked: dict[str, Tracked] = field(default_factory=dict)
    """Tables of this kind whose columns have a history."""
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Other tables whose rows are part of such a thing, or of several, and the columns that hold its number."""
    hangs_by: str | None = None
    """The column of its own table that holds the subject (`issue:12`) on which it hangs."""
    table: str | None = None
    """Its own table, where its rows are deleted for good."""
    trashed: frozenset[str] = frozenset()
    """Tables whose rows go to the trash (`deleted_at`) where undo would delete them."""
    wakeable: Callable[[Read, str], bool] | None = None
    """Whether the caller may bring it back from the archive (`archived_at`), where nobody may change it otherwise."""
    personal: frozenset[str] = frozenset()
    """Tables whose rows are somebody's own, such as votes: whoever sees the thing may take theirs back."""
    deletable: Callable[[Read, str], bool] | None = None
    """Whether the caller may put it into the trash and take it out again, wherever it is now."""
    restorable: str | None = None
    """An SQL condition over `:ref`, true where it lies in the trash and the caller may bring it back."""
    deleted_by: str | None = None
    """The operation that puts it into the trash: whoever brings it back may call that one."""
    restore: "Callable[[Write, Trashed], None] | None" = None
    """Brings it back from the trash and tells of it. Raises Conflict where its place is gone."""
    emptied: Callable[[Write, str], bool] | None = None
    """Purges the subjects that lie in it, some at a time; False while there are more. This comes first."""
    purge: Callable[[Write, str], bool] | None = None
    """Removes its rows, and what was told of it elsewhere, some hundreds at a time; False while there are more. What
    hangs on it went before."""
    purged: type[DomainEvent] | None = None
    """What is told then, with an empty payload."""
    volatile: frozenset[str] = frozenset()
    """Columns that move by themselves: undo does not take them for a change."""
    stamp: Callable[[Write, str, int], None] | None = None
    """Writes the sequence number of a change on the thing itself."""
    checks: dict[str, Callable[[Read, list[Any]], None]] = field(default_factory=dict)
    """What must hold for a row of these tables (by its key) after undo set it back; each raises Conflict."""
    fits: "Callable[[Read, str, Row], None] | None" = None
    """What must hold for the thing itself after undo set it back, given the columns of its row as they were before that
    and are no more. Raises a Problem."""
    source: "Callable[[Read, str], PromotionSource | None] | None" = None
    """The text of it, for issues.promote; None where the caller does not see it."""
    promoted: Callable[[Write, str, int], None] | None = None
    """An issue, by its internal number, was made of it."""
    former: Callable[[Read, str], list[str]] | None = None
    """All references that it has or had: its events stand under the one of their time."""
    references: Callable[[Read, str], str | None] | None = None
    """Turns a short reference (`WEB-12`, `@ana`) into a subject of this kind, or None."""
    talk: Commentable | None = None
    """How its things take comments, where they do."""
    elsewhere: "Callable[[Read, str], Elsewhere | None] | None" = None
    """Where events about it stand under another subject."""
    completed: "Callable[[SubjectKind, Collection[SubjectKind]], SubjectKind] | None" = None
    """The same kind with the conditions that the other kinds have a part in."""


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


@dataclass(frozen=True, kw_only=True)
class Cascade:
    """What hangs on subjects of other kinds, such as comments: it goes where they go."""

    name: str
    home: str
    purge: Callable[[Write, str], bool | None]
    """Removes for good what hangs on this subject; False while there is more, which it is asked for again."""
    move: "Callable[[Write, str, str, list[int] | None], None] | None" = None
    """Takes all that hangs on the first subject, or what has these ids, to the second. Raises InvalidInput for an id
    that hangs elsewhere."""
    copy: Callable[[Write, str, str], None] | None = None
    """Gives the second subject the like of all that hangs on the first and that the caller sees."""
    text: Callable[[Read, str], list[str]] | None = None
    """What hangs on this subject and the caller sees, as Markdown, oldest first."""


@dataclass(frozen=True, slots=True)
class PromotionSource:
    """A text that an issue can be made of."""

    title: str
    body: str
    about: str | None = None
    """The issue that it hangs on."""


def ref_of(subject: str) -> tuple[str, str]:
    """(`issue`, `12`) of `issue:12`; the kind is empty where there is no colon."""
    kind, colon, ref = subject.partition(":")
    return (kind, ref) if colon else ("", subject)
