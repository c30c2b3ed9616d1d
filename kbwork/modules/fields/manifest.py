"""Own fields in the archive of a project: what they are, how they are laid out, and what its issues hold in them."""

from typing import Annotated, Any

from pydantic import Field, ValidationInfo

from kbwork.core.ports import archive
from kbwork.core.ports.archive import Amount, ArchivedList, Id, Long, Word, few


def _preset(field: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    """The field; where it holds people, so that they are called as they are here, and its values are known to be."""
    if info.context is not None and field["kind"] in ("member", "members"):
        info.context.fields |= {field["key"], f"field:{field['key']}"}
        field["default"] = [[info.context.here(one), *rest] for one, *rest in field["default"]]
    return field


_OPTION = archive.exact(
    "KbzOption",
    {
        "path": Annotated[list[Word], Field(min_length=1, max_length=10)],
        "color": archive.Colour,
        "archived": bool,
    },
)
"""A choice of a field; `path` is its name behind those that it stands under."""

FIELDS = ArchivedList(
    "projects.jsonl",
    "words.fields",
    table="field",
    checked=_preset,
    columns={
        "key": Id,
        "name": Word,
        "kind": Id,
        "description": Long,
        "formula": Long | None,
        "min": Amount | None,
        "max": Amount | None,
        "pattern": archive.Short | None,
        "types": few(Id),
        "default": few(Annotated[list[Any], Field(min_length=2, max_length=2)]),
        "personal": bool,
        "options": few(_OPTION),
    },
)
"""Those that its issues may have. `types`: those that a field is for; none stands for all."""
LAYOUTS = ArchivedList(
    "projects.jsonl",
    "layouts",
    table="field_layout",
    columns={
        "type": Id,
        "create": few(Id),
        "edit": few(Id),
        "required": few(Id),
        "rules": archive.peopled(few(dict[str, Any]), known=True),
    },
)
"""As fields.layout answers them."""
VALUES = ArchivedList(
    "issues.jsonl",
    "held",
    table="issue_value",
    order="field, position",
    checked=archive.held_by_field,
    columns={
        "field": Id,
        "position": archive.Count,
        "value": archive.Scalar | few(Word),
        "unit": Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None,
    },
)
"""One element of a field's value each. Choices are paths of names, people ids, teams `team:<handle>`."""
