"""What must hold of a field as it is to be: its limits fit its kind, its name and key are free."""

import json
from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.text import folded
from kbwork.db.tx import Read, Row
from kbwork.flagengine.clauses import patterns
from kbwork.modules.fields import reserved
from kbwork.modules.fields.catalogue import OwnField, catalogue
from kbwork.modules.fields.model import BOUNDED, COMPUTED, MOST_FIELDS, REFERENCES, TEXTS, Stored
from kbwork.modules.fields.values.formulas import require_formula
from kbwork.modules.fields.values.parse import Slot, parsed


def require_key(tx: Read, key: str) -> None:
    """The key may be given to a new field. Raises InvalidInput for a word of queries, Conflict where it is taken."""
    if key in reserved.words(tx):
        raise InvalidInput(f"{key!r} is a word of queries: give the field another key.", field="key")
    if tx.value("select 1 from field where key = :key", key=key) is not None:
        raise Conflict(f"The key {key!r} was a field's: it lies in the trash, or is not for you to see.")


def require_room(tx: Read) -> None:
    """Raises Conflict where the org has all the fields it can have."""
    if len(catalogue(tx)) >= MOST_FIELDS:
        raise Conflict(f"There are {MOST_FIELDS} fields already: delete one first.")


def require_free(tx: Read, row: Mapping[str, Any]) -> None:
    """No field that can stand beside this one has its name. Raises Conflict."""
    if beside(tx, row) is not None:
        raise Conflict(f"The name {row['name']!r} is taken; names are unique without case.")


def beside(tx: Read, row: Mapping[str, Any]) -> OwnField | None:
    """A field of the same name that can stand on one thing with this one."""
    projects = set(json.loads(row["projects"]))
    for other in catalogue(tx).values():
        meet = not projects or not other.projects or projects.intersection(other.projects)
        same = other.name_key == folded(row["name"]) and other.home == row["home"]
        if same and meet and other.id != row.get("id"):
            return other
    return None


def require_limits(tx: Read, row: Mapping[str, Any]) -> None:
    """`min`, `max`, `pattern` and `formula` go with the kind. Raises InvalidInput naming the one that does not."""
    kind = row["kind"]
    for name in ("min", "max"):
        if row[name] is not None and kind not in BOUNDED:
            raise InvalidInput(f"A field of the kind {kind} has no {name}.", field=name)
    if row["min"] is not None and row["max"] is not None and row["min"] > row["max"]:
        raise InvalidInput("`min` is above `max`.", field="min")
    if row["pattern"] is not None:
        if kind not in TEXTS:
            raise InvalidInput(f"A field of the kind {kind} has no pattern.", field="pattern")
        try:
            patterns.check(row["pattern"])
        except patterns.BadPattern as bad:
            raise InvalidInput(f"This is no pattern: {bad}.", field="pattern") from None
    if kind in COMPUTED:
        require_formula(tx, row["formula"] or "")
    elif row["formula"] is not None:
        raise InvalidInput(f"A field of the kind {kind} has no formula.", field="formula")


def fitting(row: Mapping[str, Any]) -> Row:
    """The row without the limits that its kind does not take: it has just become that kind."""
    kind = row["kind"]
    keep = {
        "min": kind in BOUNDED,
        "max": kind in BOUNDED,
        "pattern": kind in TEXTS,
        "formula": kind in COMPUTED,
    }
    return {name: value if keep.get(name, True) else None for name, value in row.items()}


def preset(tx: Read, field: OwnField, given: Any) -> list[Stored]:
    """A default as it is kept. Raises InvalidInput."""
    if given is not None and field.kind in REFERENCES | COMPUTED:
        raise InvalidInput(f"A field of the kind {field.kind} has no default.", field="default")
    return parsed(Slot(tx, field, "default"), given)
