"""What files hang on: each kind of subject says who sees them there, adds some and takes them away."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read, Write


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A thing that takes files, as its caller sees it."""

    subject: str
    """`issue:12`: where its files and their events stand."""
    adds: bool
    edits: bool
    """The caller may change it, and so take away any file there."""
    project: int | None = None
    """The project of work that it belongs to."""
    closed: str | None = None
    """Why nothing may be changed there now, as in an archived project."""


@dataclass(frozen=True, kw_only=True)
class Fileable:
    """How files hang on the subjects of a kind. `ref` is the text behind the colon.

    `seen`, `adds` and `edits` are SQL conditions over `:ref`, with what `visibility.binds` binds.
    """

    target: Callable[[Read, str], FileTarget | None]
    """The thing with this reference, where the caller sees it. Raises InvalidInput where this one takes no files."""
    told: Callable[[Read, str], dict[str, Any]]
    """What events of its files say of it, whoever asks."""
    who_adds: str
    """Who adds files, for those who may not: `on a page its author`."""
    seen: str
    """The caller sees what hangs on it."""
    adds: str
    """The caller may bring back files that they added, or may once it is back from the trash."""
    edits: str
    """The caller may bring back any file, or may once it is back from the trash."""
    renamed: Callable[[Read, str], str] | None = None
    """Its reference now, where it had another."""
    internal: Callable[[Read, str], bool] | None = None
    """Whether its files are for the team alone."""
    touch: Callable[[Write, str], None] | None = None
    """A file came or went: where its time follows its files, it is now."""
