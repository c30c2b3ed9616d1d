"""What moves along workflows, as the module that has it declares it: workflows know of lanes and places alone."""

from collections.abc import Callable, Sequence

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules import fields

Place = tuple[int, int]
"""A project and a type, by id: what stands there moves along one workflow."""


@dataclass(frozen=True, slots=True)
class WorkflowPosition:
    """A thing where it is, as whoever would move it sees it; `case.tx` is theirs. It is for now: what rules ask is
    found out when one asks, and the thing may change."""

    case: fields.conditions.Case
    type: int
    lane: LaneRow
    reporter: str
    assignees: Callable[[], Sequence[str]]
    barred: str | None = None
    """Why it may enter no done lane."""
    edits: bool = True
    """Whether they may change it at all."""
    moves: bool = True
    """Whether they go any way that names nobody."""
    approved: frozenset[str] = frozenset()
    """Keys of the transitions that those who have to agree let them go."""


@dataclass(frozen=True, kw_only=True)
class LaneColumns(Extension):
    """Declared by the module that shows lanes in columns."""

    replace: Callable[[Write, LaneRow, LaneRow | None], None]
    """Takes a lane that goes out of them; the other one takes its place, where there is one."""


@dataclass(frozen=True, kw_only=True)
class LaneOccupants(Extension):
    """Declared by the module whose things stand in lanes."""

    standing: Callable[[Read, str], WorkflowPosition]
    """Where the thing with this key stands. Raises NotFound where the caller does not see it."""
    move: Callable[[Write, LaneRow, LaneRow, Place, int], int]
    """Moves so much at most of what stands in a lane of a place to another lane, with history: the first went under it.
    Answers how much."""
    rerouted: Callable[[Write], None]
    """Transitions changed, or apply elsewhere: what waits for one that is gone waits no more."""


def rerouted(tx: Write) -> None:
    """Tell whatever moves along workflows that transitions changed, or apply elsewhere."""
    occupants: list[LaneOccupants] = tx.registry.of(LaneOccupants)
    for one in occupants:
        one.rerouted(tx)
