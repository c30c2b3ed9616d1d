"""Deleting a segment: a change like any other, asked for by an instruction that stands alone."""

from typing import Final

from kbwork.base.errors import InUse, InvalidInput
from kbwork.db.rows import FlagSegmentRow
from kbwork.db.tx import Read
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import dependencies
from kbwork.modules.flags.model import Json

_KIND: Final = "deleteSegment"
DELETE: Final[list[Json]] = [{"kind": _KIND}]


def deletes(instructions: list[Json]) -> bool:
    """Whether these delete the segment that they are about. Raises InvalidInput where they ask for more besides."""
    if not any(one.get("kind") == _KIND for one in instructions):
        return False
    if instructions != DELETE:
        raise InvalidInput(f"`{_KIND}` stands alone, without a field.", field="instructions")
    return True


def require_update(instructions: list[Json]) -> None:
    """Raises InvalidInput for what deletes the segment, which is then not there to be answered."""
    if deletes(instructions):
        raise InvalidInput("flags.segment_delete deletes a segment.", field="instructions")


def require_unused(tx: Read, place: ProjectEnvironment, segment: FlagSegmentRow, waiting: list[str]) -> None:
    """Raises InUse while something asks for the segment, or waits that is about it or names it."""
    key = segment["key"]
    used_by = dependencies.shown(dependencies.users(tx, place.environment["id"], ("segment", key)))
    if used_by:
        raise InUse(f"{key} is in use by {', '.join(used_by[:5])}.", uses=used_by[:100])
    if waiting:
        raise InUse(f"{key} is named by {', '.join(waiting[:5])}, which wait.", uses=waiting[:100])
