"""Figures that a module knows of its data, for the metrics."""

from collections.abc import Callable, Mapping

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class DataFigures(Extension):
    """They are read when the metrics are asked for, so that they cost a look by an index at most. They are shown as
    `<prefix>_<name>`; none has a label."""

    prefix: str
    about: str
    read: Callable[[Read], Mapping[str, float]]
