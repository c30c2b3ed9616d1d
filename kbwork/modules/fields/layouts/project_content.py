"""Layouts as a part of what a project is made of."""

from typing import Any

from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.fields.layouts.ops import FieldsLayout, layout, layout_save
from kbwork.modules.projects import ContentPart, given

_LAID_OUT = (
    "select t.key from field_layout y join issue_type t on t.id = y.type join project p on p.id = y.project"
    " where p.key = :project order by t.id"
)


def _of(tx: Read, project: str) -> list[dict[str, Any]]:
    """Of the types that somebody laid out."""
    shown = (
        layout(tx, FieldsLayout(project=project, type=key))[0]
        for key in tx.column(_LAID_OUT, project=project)
    )
    return [given(one, "type", "create", "edit", "required", "rules") for one in shown]


def _make(tx: Write, value: dict[str, Any]) -> None:
    nested.run(tx, layout_save, value)


PART = ContentPart(home=__name__, name="layouts", of=_of, make=_make)
