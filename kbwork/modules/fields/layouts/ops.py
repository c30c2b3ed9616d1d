"""Look at layouts, and lay fields out on a type of a project."""

import json
from typing import Annotated, Any

from pydantic import Field as Limits

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import IssueTypeRow, ProjectRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules import types
from kbwork.modules.fields.catalogue import OwnField, catalogue, pick
from kbwork.modules.fields.conditions import ConditionReader
from kbwork.modules.fields.layouts import layout as layouts
from kbwork.modules.fields.layouts import rules
from kbwork.modules.fields.layouts.layout import Layout
from kbwork.modules.fields.model import MOST_FIELDS, FieldLayout, LayoutSaved
from kbwork.modules.fields.values.parse import Slot, parsed
from kbwork.modules.projects import access

MOST_RULES = 50
Keys = Annotated[list[Text], Limits(max_length=MOST_FIELDS)]
Few = Annotated[list[Text], Limits(max_length=50)]


class FieldsLayout(Input):
    project: ProjectRef
    type: Text | None = None
    """Key or name of one of its types; left out: all of them."""


@read(
    "fields.layout",
    scope="projects:read",
    words="which fields does a bug have, form of a type, required fields, create form",
    example={"project": "WEB", "type": "bug"},
)
def layout(tx: Read, args: FieldsLayout) -> list[FieldLayout]:
    """Look at which fields the issues of a project have, type by type.

    Where nobody laid them out these are all that are for the project and the type, none of them required.
    """
    project = access.project(tx, args.project)
    kinds = types.of_project(tx, project["id"])
    if args.type:
        kinds = [types.by_name(kinds, args.type)]
    return [_shown(tx, project, kind) for kind in kinds]


class LayoutRule(Input):
    if_: Annotated[dict[str, Any], Limits(alias="if")]
    """`{all: [...]}`, `{any: [...]}`, `{field, op, value}` or `{role}`, over the issue as it is to be."""
    show: Few | None = None
    """Fields that are hidden unless a rule that shows them holds; what is hidden is not required."""
    require: Few | None = None
    """Fields that are required as well."""
    set: Annotated[dict[str, Any], Limits(max_length=50)] | None = None
    """Values of fields for which none is given."""


class FieldsLayoutSave(Input):
    project: ProjectRef
    type: Text
    """Key or name of the issue type."""
    create: Keys
    """Fields that are asked for when an issue is made, in order."""
    edit: Keys
    """Fields that an issue shows, in order."""
    required: Keys
    """Fields of `create` or `edit` that an issue must have when it is made, and when it becomes one of this type."""
    rules: Annotated[list[LayoutRule], Limits(max_length=MOST_RULES)] | None = None
    """Left out: none."""


@write(
    "fields.layout_save",
    scope="projects:write",
    words="make a field required, arrange the form, show a field on bugs, hide a field, mandatory",
    emits=[LayoutSaved],
    example={"project": "WEB", "type": "bug", "create": [], "edit": [], "required": []},
)
def layout_save(tx: Write, args: FieldsLayoutSave) -> FieldLayout:
    """Lay fields out on a type of a project. For its leads and admins.

    A field that stands in neither list takes no value on such issues; what they hold already is hidden, and comes back
    when the field does. A field must be for the project and the type (422). What is computed can stand in `edit` alone.
    Fields that are made later do not come in by themselves. A condition in `tql` is 422.
    """
    project = access.project(tx, args.project)
    access.require_lead(tx, project)
    access.require_open(project)
    kind = types.by_name(types.of_project(tx, project["id"]), args.type)
    before = layouts.of(tx, project["id"], kind["id"])
    told_before = _shown(tx, project, kind)
    _write(tx, before, _columns(tx, args, before))
    told_after = _shown(tx, project, kind)
    changes = named.changes(told_before, told_after, ("create", "edit", "required", "rules"))
    if changes:
        payload = {"project": project["key"], "type": kind["key"], "name": kind["name"]}
        tx.emit(LayoutSaved(subject=f"project:{project['key']}", payload=payload, changes=changes))
    return told_after


def _columns(tx: Read, args: FieldsLayoutSave, before: Layout) -> Row:
    """The layout as it is to be kept. Raises InvalidInput at what does not fit."""
    admitted = [
        field
        for field in catalogue(tx).values()
        if field.home == "issue" and field.admits(before.project, before.type)
    ]
    create = _fields(admitted, args.create, "create", fillable=True)
    edit = _fields(admitted, args.edit, "edit")
    laid_out = {field.id: field for field in (*create, *edit)}
    required = _fields(list(laid_out.values()), args.required, "required", fillable=True)
    checked = ConditionReader(tx, laid_out)
    kept = [
        _rule(tx, rule, checked, laid_out, f"rules[{number}]") for number, rule in enumerate(args.rules or ())
    ]
    return {
        "on_create": json_array(field.id for field in create),
        "on_edit": json_array(field.id for field in edit),
        "required": json_array(field.id for field in required),
        "rules": json.dumps(kept, ensure_ascii=False),
    }


def _rule(
    tx: Read, given: LayoutRule, checked: ConditionReader, laid_out: dict[int, OwnField], path: str
) -> rules.Rule:
    fields = list(laid_out.values())
    show = _fields(fields, given.show or [], f"{path}.show")
    require = _fields(fields, given.require or [], f"{path}.require", fillable=True)
    fill = {}
    for name, value in (given.set or {}).items():
        field = pick(fields, name, path=f"{path}.set.{name[:100]}", missing="No field here is called")
        fill[field.id] = parsed(Slot(tx, field, f"{path}.set.{name[:100]}"), value)
    condition = checked.read(given.if_, f"{path}.if")
    return rules.kept(condition, [field.id for field in show], [field.id for field in require], fill)


def _fields(among: list[OwnField], refs: list[str], path: str, *, fillable: bool = False) -> list[OwnField]:
    """The fields that are named, in order and once each."""
    found: dict[int, OwnField] = {}
    for number, ref in enumerate(refs):
        field = pick(among, ref, path=f"{path}[{number}]", missing="No field here is called")
        if fillable and not field.fillable:
            raise InvalidInput(f"{field.name} is computed: nobody can fill it in.", field=f"{path}[{number}]")
        found[field.id] = field
    return list(found.values())


def _write(tx: Write, before: Layout, columns: Row) -> None:
    place = (before.project, before.type)
    if before.saved:
        tx.update("field_layout", place, **columns)
    elif columns != _untouched(before):
        tx.insert("field_layout", project=before.project, type=before.type, **columns)


def _untouched(before: Layout) -> Row:
    """What the columns would hold of a layout that nobody saved."""
    return {
        "on_create": json_array(field.id for field in before.create),
        "on_edit": json_array(field.id for field in before.edit),
        "required": "[]",
        "rules": "[]",
    }


def _shown(tx: Read, project: ProjectRow, kind: IssueTypeRow) -> FieldLayout:
    found = layouts.of(tx, project["id"], kind["id"])
    return FieldLayout(
        project=project["key"],
        type=kind["key"],
        create=[field.key for field in found.create],
        edit=[field.key for field in found.edit],
        required=[field.key for field in found.required],
        rules=[rules.shown(tx, rule, found.fields) for rule in found.rules],
    )
