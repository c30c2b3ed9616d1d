"""Labels as a part of what a project is made of."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.labels.ops import LabelsList, list_, save
from kbwork.modules.projects import ContentPart, given


def _of(tx: Read, project: str) -> list[dict[str, Any]]:
    """Its own, without those of the org."""
    shown = [label for label in list_(tx, LabelsList(project=project)) if label["project"] == project]
    return [given(label, "name", "color", "group", "description") for label in shown]


def _make(tx: Write, value: dict[str, Any]) -> None:
    nested.run(tx, save, value)


PART = ContentPart(home=__name__, name="labels", of=_of, make=_make)
