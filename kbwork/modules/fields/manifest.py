"""Own fields in the archive of a project: what they are, how they are laid out, and what its issues hold in them."""

from typing import Annotated, Any

from pydantic import Field, ValidationInfo

from kbwork.core.ports.archive import (
    Amount,
    ArchivedList,
    ArchivePeople,
    Colour,
    Count,
    Id,
    Long,
    Scalar,
    Short,
    Word,
    exact,
    few,
    peopled,
)


def _preset(field: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    """The field; where it holds people, so that they are called as they are here, and its values are known to be."""
    if isinstance(info.context, ArchivePeople) and field["kind"] in ("member", "members"):
        info.context.fields |= {field["key"], f"field:{field['key']}"}
        field["default"] = [[info.context.here(one), *rest] for one, *rest in field["default"]]
    return field


def _held(value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    if isinstance(info.context, ArchivePeople) and value["field"] in info.context.fields:
        value["value"] = info.context.here(value["value"])
    return value


_OPTION = exact(
    "KbzOption",
    {
        "path": Annotated[list[Word], Field(min_length=1, max_length=10)],
        "color": Colour,
        "archived": bool,
    },
)
"""A choice of a field; `path` is its name behind those that it stands under."""

FIELDS = ArchivedList(
    line="projects.jsonl",
    name="words.fields",
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
        "pattern": Short | None,
        "types": few(Id),
        "default": few(Annotated[list[Any], Field(min_length=2, max_length=2)]),
        "personal": bool,
        "options": few(_OPTION),
    },
)
"""Those that its issues may have. `types`: those that a field is for; none stands for all."""
LAYOUTS = ArchivedList(
    line="projects.jsonl",
    name="layouts",
    table="field_layout",
    columns={
        "type": Id,
        "create": few(Id),
        "edit": few(Id),
        "required": few(Id),
        "rules": peopled(few(dict[str, Any]), known=True),
    },
)
"""As fields.layout answers them."""
VALUES = ArchivedList(
    line="issues.jsonl",
    name="held",
    table="issue_value",
    by="issue",
    order="field, position",
    checked=_held,
    columns={
        "field": Id,
        "position": Count,
        "value": Scalar | few(Word),
        "unit": Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None,
    },
)
"""One element of a field's value each. Choices are paths of names, people ids, teams `team:<handle>`."""
