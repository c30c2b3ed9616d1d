"""What one compilation keeps: the statement that is being made, and the world that its values are worked out in."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.modules.tql.compile.frame import SqlFrame
from kbwork.modules.tql.items.world import DbWorld, world
from kbwork.tql.evaluator.conditions import Evaluator


@dataclass(frozen=True, slots=True)
class Const:
    """Values that are the same for all rows, as the evaluator has them."""

    values: tuple[Any, ...]


@dataclass
class CompileContext(SqlFrame):
    """`lone`: one row is asked about, whose texts the evaluator reads sooner than all are searched."""

    lone: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.world: DbWorld = world(self.tx)
        self.evaluator = Evaluator(self.world, self.as_of)
