"""Which fields the issues of a type have in a project: as its leads laid them out, else all that may be there."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.db.tx import Read
from kbwork.modules.fields.catalogue import OwnField, catalogue


@dataclass(frozen=True, slots=True)
class Layout:
    """Fields in order, and the rules that change which are asked for. `saved`: somebody laid them out."""

    project: int
    type: int
    create: tuple[OwnField, ...]
    edit: tuple[OwnField, ...]
    required: tuple[OwnField, ...] = ()
    rules: tuple[dict[str, Any], ...] = ()
    saved: bool = False
    fields: dict[int, OwnField] = field(default_factory=dict)
    """All that are laid out, on creation or later, by id."""


def of(tx: Read, project: int, type_: int) -> Layout:
    """The layout of a type in a project."""
    found: Layout = tx.cached(("layout", project, type_), lambda: _read(tx, project, type_))
    return found


def _read(tx: Read, project: int, type_: int) -> Layout:
    admitted = {
        ident: own
        for ident, own in catalogue(tx).items()
        if own.home == "issue" and own.admits(project, type_)
    }
    row = tx.stored("field_layout", [project, type_])
    if row is None:
        every = tuple(admitted.values())
        asked = tuple(own for own in every if own.fillable)
        return Layout(project, type_, asked, every, fields=admitted)
    create, edit, required = (
        tuple(admitted[ident] for ident in json.loads(row[name]) if ident in admitted)
        for name in ("on_create", "on_edit", "required")
    )
    return Layout(
        project,
        type_,
        create,
        edit,
        required,
        tuple(json.loads(row["rules"])),
        saved=True,
        fields={own.id: own for own in (*create, *edit)},
    )
