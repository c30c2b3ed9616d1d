"""What an archive of projects is made of: the manifests of all modules, read by their path, and the shapes of lines.

No module starts for them: archives are read in a process of its own, which would take twice the time to start.
"""

import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NotRequired, get_args

from pydantic import AfterValidator, Field, TypeAdapter

import kbwork.modules
from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.archive import (
    HUNG,
    ArchivedLine,
    ArchivedList,
    ArchivePeople,
    Count,
    Key,
    Ref,
    Sum,
    Time,
    Word,
    exact,
    few,
    keyed,
)

PROGRAM = "kbwork"
HOLDS = "projects"
MANIFEST = "manifest.json"
FILES = "files/"
PEOPLE = ArchivedLine(
    file="people.jsonl",
    place=10,
    columns={"id": Word, "name": Word, "known": Word, "handle": Word | None, "email": Word | None},
)
"""Somebody. `id` is how the other lines say it; `known` is the identity in the org where the file was written."""


@dataclass(frozen=True)
class Column:
    """A column as it is told and restored."""

    name: str
    ref: Ref | None
    optional: bool
    """It may be null."""
    flag: bool
    """It is true or false, which columns hold as 1 and 0."""


class LineShape:
    """A member of the file with the lists of all modules that stand in its lines."""

    def __init__(self, line: ArchivedLine, lists: list[ArchivedList]) -> None:
        self.line = line
        self.members = list(dict.fromkeys([*line.columns, *(one.name for one in lists)]))
        """The members in the order in which they stand in a line; `words.lanes` is one of `words`."""
        self.lists = {one.name: one for one in sorted(lists, key=lambda one: self.members.index(one.name))}

    def type(self, *, whole: bool = True, format: int = 0) -> Any:
        """What a line is: all members that archives of this format have, or any of them."""
        found: dict[str, Any] = {}
        for name in self.members:
            declared = self.lists.get(name)
            shape = shape_of(declared) if declared is not None else self.line.columns[name]
            later = name in self.line.optional or (declared is not None and declared.since > format)
            group, _, member = name.rpartition(".")
            into = found.setdefault(group, {}) if group else found
            into[member] = NotRequired[shape] if later or not whole else shape
        return exact("Line", {name: _group(one, whole=whole) for name, one in found.items()})

    def hung_by(self, declared: ArchivedList) -> str:
        """The column of a list's table that holds what its rows hang on; empty for things of the org."""
        return declared.by or ("" if "." in declared.name else self.line.thing)

    def subject(self, declared: ArchivedList) -> str:
        """What stands there before the id: `issue:` where it is a subject."""
        return f"{self.line.thing}:" if declared.by == "subject" else ""

    def elements(self, line: dict[str, Any], name: str) -> list[Any]:
        """A list in a line; where it is missing, as in archives from before it, an empty one is put there."""
        group, _, member = name.rpartition(".")
        found: list[Any] = (line[group] if group else line).setdefault(member, [])
        return found


def _group(shape: Any, *, whole: bool) -> Any:
    if not isinstance(shape, dict):
        return shape
    made = exact("Group", shape)
    return made if whole else NotRequired[made]


def shape_of(declared: ArchivedList) -> Any:
    """What a list is."""
    if declared.bare:
        (shape,) = declared.columns.values()
    else:
        later = declared.optional
        shape = exact(
            declared.name,
            {name: NotRequired[one] if name in later else one for name, one in declared.columns.items()},
        )
    if declared.checked is not None:
        shape = Annotated[shape, AfterValidator(declared.checked)]
    return few(shape, declared.most)


@cache
def columns(declared: ArchivedLine | ArchivedList) -> list[Column]:
    """The columns with what their types say of them."""
    found = []
    for name, shape in declared.columns.items():
        parts = _parts(shape)
        ref = next((one for one in parts if isinstance(one, Ref)), None)
        if ref != HUNG:
            found.append(Column(name, ref, type(None) in parts, bool in parts))
    return found


def _parts(shape: Any) -> list[Any]:
    """A type with what stands beside it in `Annotated`, of a union of each."""
    if isinstance(shape, Ref):
        return [shape]
    metadata = getattr(shape, "__metadata__", None)
    if metadata is not None:
        return [get_args(shape)[0], *metadata]
    inner = [part for one in get_args(shape) for part in _parts(one)]
    return inner if type(None) in get_args(shape) else [shape]


@cache
def lines() -> dict[str, LineShape]:
    """Each member of the file by its name, in the order in which they are written."""
    declared = [one for file in _files() for one in _declared(file)]
    found = [PEOPLE, *(one for one in declared if isinstance(one, ArchivedLine))]
    return {
        one.file: LineShape(
            one, [each for each in declared if isinstance(each, ArchivedList) and each.line == one.file]
        )
        for one in sorted(found, key=lambda one: one.place)
    }


@cache
def current() -> int:
    """The format that is written."""
    return max((one.since for line in lines().values() for one in line.lists.values()), default=1)


@cache
def manifest_line() -> TypeAdapter[dict[str, Any]]:
    """What a file holds.

    `parts` are its members by name, without the manifest and the bytes of files. `org` tells apart projects of the same
    key in different orgs.
    """
    part = exact("KbzPart", {"bytes": Count, "rows": Count, "sha256": Sum})
    return TypeAdapter(
        exact(
            "KbzManifest",
            {
                "format": Count,
                "program": Word,
                "holds": Word,
                "version": Word,
                "org": Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")],
                "at": Time,
                "projects": few(Key),
                "parts": keyed(part),
                "counts": keyed(Count),
            },
        )
    )


@cache
def adapter(file: str, format: int) -> TypeAdapter[dict[str, Any]]:
    """What each line of a member is, in archives of this format."""
    return TypeAdapter(lines()[file].type(format=format))


def read(file: str, format: int, text: bytes, people: ArchivePeople) -> dict[str, Any]:
    """A line with all its lists. Raises ValidationError; whom it names that is not in the file is noted."""
    shape = lines()[file]
    line = adapter(file, max(format, 1)).validate_json(text, context=people)
    for name in shape.line.optional:
        line.setdefault(name, None)
    for name in shape.lists if format < current() else ():
        shape.elements(line, name)
    for declared in shape.lists.values():
        for element in shape.elements(line, declared.name) if declared.optional else ():
            for name in declared.optional:
                element.setdefault(name, None)
    return line


def _files() -> Iterator[Path]:
    for folder in kbwork.modules.__path__:
        for module in kbwork.modules.MODULES:
            yield from sorted((Path(folder) / module).rglob("manifest.py"))


def _declared(file: Path) -> Iterator[ArchivedLine | ArchivedList]:
    if file == Path(__file__):
        return
    spec = importlib.util.spec_from_file_location(f"kbwork_manifest_of_{file.parent.name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield from (one for one in vars(module).values() if isinstance(one, ArchivedLine | ArchivedList))
