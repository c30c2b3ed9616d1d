"""Components as a part of what a project is made of."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.components.ops import ComponentsList, list_, save
from kbwork.modules.projects import ContentPart, given


def _of(tx: Read, project: str) -> list[dict[str, Any]]:
    shown = list_(tx, ComponentsList(project=project))
    return [given(component, "name", "description", "assign") for component in shown]


def _make(tx: Write, value: dict[str, Any]) -> None:
    nested.run(tx, save, value)


PART = ContentPart(home=__name__, name="components", of=_of, make=_make)
