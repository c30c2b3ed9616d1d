"""What other modules keep of projects, as those declare it."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write


@dataclass(frozen=True, kw_only=True)
class ContentPart(Extension):
    """One list of what a project is made of beside its issues. `name` is that of the field of ProjectContent.

    Each element is the input of the operation that makes it, without the project.
    """

    name: str
    of: Callable[[Read, str], list[dict[str, Any]]]
    """Those of a project, by its key."""
    make: Callable[[Write, dict[str, Any]], Any]
    """Makes one, with the key of a project as `project`."""


@dataclass(frozen=True, kw_only=True)
class OfferedTypes(Extension):
    """Declared by the module that keeps the types of issues."""

    offer: Callable[[Write, str, list[str]], Any]
    """The project of this key offers these types, the first by itself."""


@dataclass(frozen=True, kw_only=True)
class CopiedIssues(Extension):
    """Declared by the module that keeps issues: how those of one project come to another."""

    pick: Callable[[Write, ProjectRow, int], list[int]]
    """Those that the caller sees and that are not archived, parents before children, so many at most."""
    copy: Callable[[Write, str, int, dict[str, str]], str | None]
    """Copies one into the project of this key; answers its key, or None where the caller sees it no more. The last is
    what was copied before: number -> key."""
    key: Callable[[Read, int], str]
    """What an issue is called, seen or not."""


@dataclass(frozen=True, kw_only=True)
class OfferedViews(Extension):
    """Declared by the module that keeps views: which of them a project may open with."""

    seen: Callable[[Read, Mapping[int, int]], dict[int, int]]
    """Of views by the projects that open with them, those that whoever sees the project sees, and the caller."""
    require: Callable[[Read, ProjectRow, int], None]
    """Raises InvalidInput where a project cannot open with this view."""


def given(shown: Any, *names: str) -> dict[str, Any]:
    """What a shape says under these names, without what is empty."""
    return {name: shown[name] for name in names if shown[name] not in (None, "")}
