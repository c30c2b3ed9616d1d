"""What files hang on: each kind of subject says who sees them there, adds some and takes them away."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Write

MOST_BYTES = 100 * 1024 * 1024
"""The largest file that hangs on something."""

FileCondition = str | Callable[[Any], str | None]
"""An SQL condition over `:ref`. For a kind that hangs on others: that of its things on those of these kinds
(`core/things`), None where they take no files."""


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

    `seen`, `known`, `adds` and `edits` are conditions, with what `visibility.binds` binds.
    """

    target: Callable[[Read, str], FileTarget | None]
    """The thing with this reference, where the caller sees it. Raises InvalidInput where this one takes no files."""
    told: Callable[[Read, str], dict[str, Any]]
    """What events of its files say of it, whoever asks."""
    who_adds: str
    """Who adds files, for those who may not: `on a page its author`."""
    seen: FileCondition
    """The caller sees what hangs on it."""
    known: FileCondition
    """The caller sees it, or may bring it back from the trash."""
    adds: FileCondition
    """The caller may bring back files that they added to what they know so."""
    edits: FileCondition
    """The caller may bring back any file of what they know so."""
    renamed: Callable[[Read, str], str] | None = None
    """Its reference now, where it had another."""
    internal: Callable[[Read, str], bool] | None = None
    """Whether its files are for the team alone."""
    touch: Callable[[Write, str], None] | None = None
    """A file came or went: where its time follows its files, it is now."""


@dataclass(frozen=True, kw_only=True)
class FilesToCome(Extension):
    """Declared by the module that keeps files."""

    named: Callable[[Write, str, list[str]], None]
    """The caller names uploads of theirs on a subject: they will hang there. Raises a Problem with `uploads: ` before
    what it says."""


def name_uploads(tx: Write, subject: str, uploads: list[str] | None) -> None:
    """Let uploads of the caller's, whole or not, become files on a subject. Raises Conflict where there are no files in
    this org."""
    if not uploads:
        return
    found: list[FilesToCome] = tx.registry.of(FilesToCome)
    if not found:
        raise Conflict("There are no files in this org.")
    found[0].named(tx, subject, uploads)
