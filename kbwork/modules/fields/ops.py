"""Look at fields, make and change one."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field as Limits

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Name, Number, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import FieldOptionRow, FieldRow, IssueTypeRow
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules import types
from kbwork.modules.fields import event_payloads, queries, validation
from kbwork.modules.fields.catalogue import OwnField, catalogue, of_row, packed
from kbwork.modules.fields.model import (
    CHOICES,
    MOST_PROJECTS,
    Field,
    FieldKey,
    FieldSaved,
    Home,
    Kind,
)
from kbwork.modules.fields.values import formulas, widen
from kbwork.modules.fields.values.formulas import require_formula
from kbwork.modules.projects import access


class FieldsList(Input):
    project: Text | None = None
    """Key of a project: the fields that are for all projects, and its own."""
    on: Home | None = None
    """Fields of `issue`, `worklog`, `company` or `request`; left out: of all four."""


@read(
    "fields.list",
    scope="projects:read",
    words="custom fields, own fields, which fields are there",
    example={"project": "WEB", "on": "issue"},
)
def list_(tx: Read, args: FieldsList) -> list[Field]:
    """List the fields that you see, in the order in which they were made.

    Members see the fields of all projects and of those that they see, guests such as are laid out in their projects.
    `used` counts the issues with a value that you see.
    """
    project = access.project(tx, args.project)["id"] if args.project else None
    return queries.shown(tx, queries.seen(tx, project=project, home=args.on))


class FieldsGet(Input):
    key: Text
    """Key, id or name."""


@read(
    "fields.get",
    scope="projects:read",
    words="details of a custom field, options of a dropdown, allowed values",
    example={"key": "severity"},
)
def get(tx: Read, args: FieldsGet) -> Field:
    """Look at a field by its key, or by a name that one field alone has."""
    return queries.shown(tx, [queries.get(tx, args.key)])[0]


class FieldsSave(Input):
    key: FieldKey
    """An unknown one makes a field; a key stays as it is and is never given out again."""
    name: Name
    """What people read."""
    kind: Kind
    """What its values are."""
    on: Home | None = None
    """What has the field; `issue` unless given. Decided when it is made."""
    description: Text | None = None
    """What to fill in, for people."""
    projects: Annotated[list[Text], Limits(max_length=MOST_PROJECTS)] | None = None
    """Keys of the projects that it is for; `[]`: all. Projects that you do not see stay."""
    types: Annotated[list[Text], Limits(max_length=100)] | None = None
    """The issue types that it is for; `[]`: all."""
    default: Any = None
    """What an issue holds where nothing is given, any JSON that fits the kind; null: nothing."""
    formula: Annotated[str, Limits(max_length=20_000)] | None = None
    """For `formula` and `rollup`: what it computes."""
    personal: bool | None = None
    """It says something of a person: left out of exports and events, erased with a member."""
    min: Number | None = None
    """Of a number, or of how many characters a text has; null: no limit."""
    max: Number | None = None
    """Greatest number, or most characters of a text; null: no limit."""
    pattern: Annotated[str, Limits(max_length=512)] | None = None
    """Is found in a text; `^` and `$` are its very start and end. Null: any text."""


@write(
    "fields.save",
    scope="admin",
    words=(
        "add a custom field, new field, own field, dropdown, number field, date field, "
        "rename a field, story points, formula"
    ),
    emits=[FieldSaved],
    example={"key": "severity", "name": "Severity", "kind": "select", "description": "How bad it is"},
)
def save(tx: Write, args: FieldsSave) -> Field:
    """Make a field, or change one: fields that are not named stay; null clears default, min, max and pattern.

    A key is no field or keyword of the query language (422), nor that of a field that is or was (409). A name is unique
    without case among the fields that can stand on one issue (409). There are 200 fields at most (409). `default`,
    `min`, `max`, `pattern` and `formula` must go with the kind (422); they are asked of what is given from now on. A
    formula may name other computed fields, none that leads back to it (422).

    Where issues have values, the kind changes to a wider one alone, which turns them: text to paragraph, number to
    money (in the currency of the default, else `XXX`), date to datetime (at the day's start in the org's zone), select
    to multi_select, member to members, any kind to text. Another kind is 409 with the count. Limits that the new kind
    does not take go; the options of a select go with the change to text. fields.options_set says what may be chosen.
    """
    row = tx.one("select * from field where key = :key and deleted_at is null", FieldRow, key=args.key)
    known = None if row is None else next((one for one in queries.seen(tx) if one.id == row["id"]), None)
    if row is None or known is None:
        validation.require_key(tx, args.key)
        ident = _make(tx, args)
    else:
        ident = known.id
        _change(tx, args, row, known)
    return queries.shown(tx, [catalogue(tx)[ident]])[0]


def _make(tx: Write, args: FieldsSave) -> int:
    validation.require_room(tx)
    row: Row = {
        "key": args.key,
        "name": args.name,
        "name_key": folded(args.name),
        "kind": args.kind,
        "home": args.on or "issue",
        "description": args.description or "",
        "projects": json_array(_projects(tx, args, ()) or ()),
        "types": json_array(_types(tx, args) or ()),
        "preset": "[]",
        "formula": args.formula,
        "names": formulas.names(tx, args.formula),
        "min": args.min,
        "max": args.max,
        "pattern": args.pattern or None,
        "personal": int(args.personal or False),
    }
    validation.require_free(tx, row)
    validation.require_limits(tx, row)
    field = of_row(row | {"id": 0})
    row["preset"] = json.dumps(packed(validation.preset(tx, field, args.default)))
    ident = tx.insert("field", **row)
    event_payloads.emit(tx, FieldSaved, [field])
    return ident


def _change(tx: Write, args: FieldsSave, row: FieldRow, known: OwnField) -> None:
    if args.on not in (None, known.home):
        raise InvalidInput(f"{known.name} is a field of the {known.home}: it stays so.", field="on")
    wanted: Row = row | _wanted(tx, args, known)
    if args.kind != known.kind:
        widen.require_wider(tx, known, args.kind)
        given = {name: wanted[name] for name in ("min", "max", "pattern", "formula") if args.given(name)}
        wanted = validation.fitting(wanted) | given
    validation.require_free(tx, wanted)
    validation.require_limits(tx, wanted)
    wanted["preset"] = json.dumps(packed(_preset(tx, args, wanted, known)))
    changed = named.diff(row, wanted)
    if not changed:
        return
    if "kind" in changed:
        _turn(tx, known, args)
    tx.update("field", known.id, **changed)
    after = catalogue(tx)[known.id]
    if changed.get("formula") and known.home == "issue":
        require_formula(tx, f"cf.{known.key}")  # it may lead back to itself now
    changes = _told(tx, known, after)
    if changes:
        event_payloads.emit(tx, FieldSaved, [known, after], changes=changes)


def _wanted(tx: Read, args: FieldsSave, known: OwnField) -> Row:
    """The columns that the input names."""
    columns: Row = {"name_key": folded(args.name)} | args.filled("name", "kind", "description")
    if (projects := _projects(tx, args, known.projects)) is not None:
        columns["projects"] = json_array(projects)
    if (kinds := _types(tx, args)) is not None:
        columns["types"] = json_array(kinds)
    if args.personal is not None:
        columns["personal"] = int(args.personal)
    for name in ("min", "max", "pattern", "formula"):
        if args.given(name):
            columns[name] = getattr(args, name) if getattr(args, name) != "" else None
    if args.given("formula"):
        columns["names"] = formulas.names(tx, args.formula)
    return columns


def _preset(tx: Read, args: FieldsSave, wanted: Mapping[str, Any], known: OwnField) -> list[Any]:
    """The default as it is to be: what is given, else what there was, in the kind that the field has now."""
    options = tx.all(
        "select * from field_option where field = :id order by position, id", FieldOptionRow, id=known.id
    )
    field = of_row(wanted, options)
    if args.given("default"):
        return validation.preset(tx, field, args.default)
    return widen.turned(tx, known, known.preset, args.kind, None)


def _turn(tx: Write, known: OwnField, args: FieldsSave) -> None:
    """Take the values along to the new kind; options that it does not have go."""
    currency = args.default["currency"].upper() if args.kind == "money" and args.default else None
    if queries.used(tx, known.id):
        widen.widen(tx, known, args.kind, currency)
    if known.kind in CHOICES and args.kind not in CHOICES:
        for option in known.options:
            tx.delete("field_option", option.id)


def _projects(tx: Read, args: FieldsSave, held: tuple[int, ...]) -> list[int] | None:
    """The ids of the projects that are named, and of those that the caller does not see; None where none is given."""
    if args.projects is None:
        return None
    if not args.projects:
        return []
    named = [access.project(tx, key, named=True)["id"] for key in args.projects]
    seen = queries.named_projects(tx)
    found = sorted({*named, *(ident for ident in held if ident not in seen)})
    if len(found) > MOST_PROJECTS:
        raise InvalidInput(f"A field is for at most {MOST_PROJECTS} projects, or for all.", field="projects")
    return found


def _types(tx: Read, args: FieldsSave) -> list[int] | None:
    if args.types is None:
        return None
    known = tx.all("select * from issue_type order by id", IssueTypeRow)
    return sorted({types.by_name(known, name, field="types")["id"] for name in args.types})


def _told(tx: Read, before: OwnField, after: OwnField) -> dict[str, Any]:
    """What changed, as fields of the shape. Of projects the event says how many: not all who hear see them."""
    changes: dict[str, Any] = {
        name: (getattr(before, name), getattr(after, name))
        for name in ("name", "kind", "description", "formula", "min", "max", "pattern", "personal")
    }
    keys = {row["id"]: row["key"] for row in tx.all("select id, key from issue_type")}
    changes["types"] = tuple([keys[ident] for ident in side.types] for side in (before, after))
    changes["default"] = tuple(
        None if side.personal else queries.default(tx, side) for side in (before, after)
    )
    found = {name: sides for name, sides in changes.items() if sides[0] != sides[1]}
    if before.projects != after.projects:
        found["projects"] = (len(before.projects), len(after.projects))
    return found
