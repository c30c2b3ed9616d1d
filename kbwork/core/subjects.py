"""Kinds of subjects: how each is found, named and seen. Feeds, undo, resolve and search all ask here."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kbwork.db.tx import Read, Tracked, Write


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
class Kind:
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
    table: str | None = None
    """Its own table, where its rows are deleted for good."""
    trashed: frozenset[str] = frozenset()
    """Tables whose rows go to the trash (`deleted_at`) where undo would delete them."""
    deletable: Callable[[Read, str], bool] | None = None
    """Whether the caller may put it into the trash and take it out again, wherever it is now."""
    volatile: frozenset[str] = frozenset()
    """Columns that move by themselves: undo does not take them for a change."""
    stamp: Callable[[Write, str, int], None] | None = None
    """Writes the sequence number of a change on the thing itself."""
    checks: dict[str, Callable[[Read, list[Any]], None]] = field(default_factory=dict)
    """What must hold for a row of these tables (by its key) after undo set it back; each raises Conflict."""
    references: Callable[[Read, str], str | None] | None = None
    """Turns a short reference (`WEB-12`, `@ana`) into a subject of this kind, or None."""


def ref_of(subject: str) -> tuple[str, str]:
    """(`issue`, `12`) of `issue:12`; the kind is empty where there is no colon."""
    kind, colon, ref = subject.partition(":")
    return (kind, ref) if colon else ("", subject)
