"""What the command line needs to know: modules, verbs and their fields."""

from typing import Any

from kbwork import __version__
from kbwork.base.errors import every_problem
from kbwork.client.output import NAMED_BY
from kbwork.contract.render.openapi import about
from kbwork.contract.render.schemas import PLACE, Schema, Schemas, schemas
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

_KINDS = {"string": "string", "integer": "int", "number": "number", "boolean": "bool", "object": "object"}


def cli(registry: Registry) -> dict[str, Any]:
    """{`version`, `exit_codes`: slug -> code where it is not 1, `modules`: name -> {`about`, `verbs`}}.

    `answers` of a verb is what it changed, by its shape: a thing that can be looked at again. `unnamed`: nothing that
    it answers has an id. `words`: what else people call it.
    """
    found = schemas(registry)
    modules: dict[str, Any] = {
        name: {"about": about(registry, name), "verbs": {}} for name in registry.modules
    }
    shown = {
        _answered(found, found.outputs[op.id]) for op in registry.operations.values() if op.cls == "read"
    } - {""}
    for op in registry.operations.values():
        if not op.system:
            modules[op.module]["verbs"][op.verb] = _verb(op, found, shown)
    return {
        "version": __version__,
        "exit_codes": {
            problem.slug: problem.exit_code for problem in every_problem() if problem.exit_code != 1
        },
        "modules": {name: module for name, module in modules.items() if module["verbs"]},
    }


def _verb(op: Operation, found: Schemas, shown: set[str]) -> dict[str, Any]:
    schema = found.follow(found.inputs[op.id])
    required = schema.get("required", [])
    fields = [
        _field(found, name, inner, name in required) for name, inner in schema.get("properties", {}).items()
    ]
    verb = {"summary": op.summary, "doc": op.doc, "class": op.cls, "fields": fields, "example": op.example}
    kept = _kept(found, _answered(found, found.outputs[op.id]), shown) if op.cls != "read" else ""
    more = {"answers": kept, "unnamed": not _named(found, found.outputs[op.id]), "words": op.words}
    return {**verb, **{name: value for name, value in more.items() if value}}


def _kept(found: Schemas, shape: str, shown: set[str]) -> str:
    """What a write answers, by the name of its shape, where a read shows it again; beside an `outcome`, what is inside.

    Anything else, such as a secret, is told this once.
    """
    inside = found.shapes.get(shape, {}).get("properties", {})
    names = [_name(schema) for schema in inside.values()] if "outcome" in inside else []
    return next((name for name in [shape, *names] if name in shown), "")


def _answered(found: Schemas, schema: Schema) -> str:
    """The name of the shape of the answer, or of each of its rows; empty where that has none."""
    return _name(_row(found, schema))


def _named(found: Schemas, schema: Schema) -> bool:
    """Whether what is answered, or each of its rows, has a field that names it, or is text itself."""
    row = found.follow(_row(found, schema))
    inside = row.get("properties", {}).keys()
    if row.get("type") != "object":
        return True
    return bool(inside & set(NAMED_BY)) or {"columns", "rows", "subjects"} <= inside


def _row(found: Schemas, schema: Schema) -> Schema:
    """That of each row where the answer is a list or a page."""
    if schema.get("type") != "array":
        inside = found.follow(schema).get("properties", {})
        schema = inside["items"] if {"items", "next"} <= inside.keys() else {"items": schema}
    row: Schema = schema.get("items", {})
    return row


def _name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).removeprefix(PLACE)


def _field(found: Schemas, name: str, schema: Schema, required: bool) -> dict[str, Any]:
    """`type` is that of one entry where the field is `repeated`; `bytes`: a text that is base64. What is false or
    empty is left out."""
    rest, nullable = _branches(found, schema)
    arrays = [branch for branch in rest if branch.get("type") == "array"]
    repeated = len(rest) == 1 and bool(arrays)
    if repeated:
        rest = _branches(found, arrays[0].get("items", {}))[0]
    field = {
        "name": name,
        "type": _kind(rest),
        "required": required,
        "nullable": nullable,
        "repeated": repeated,
        "enum": _values(rest),
        "bytes": any(branch.get("contentEncoding") == "base64" for branch in rest),
        "help": _help(schema, rest),
    }
    return {key: value for key, value in field.items() if value}


def _branches(found: Schemas, schema: Schema) -> tuple[list[Schema], bool]:
    """The schemas that a value may fit, without null; and whether null was among them."""
    schema = found.follow(schema)
    if "anyOf" not in schema:
        return [schema], False
    rest: list[Schema] = []
    nullable = False
    for branch in schema["anyOf"]:
        inner, null = _branches(found, branch)
        nullable = nullable or null
        rest += [each for each in inner if each.get("type") != "null"]
    return rest, nullable or any(branch.get("type") == "null" for branch in schema["anyOf"])


def _kind(branches: list[Schema]) -> str:
    kinds = {_KINDS.get(str(branch.get("type")), "any") for branch in branches}
    if kinds == {"int", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else "any"


def _values(branches: list[Schema]) -> list[Any]:
    """All values that are allowed; nothing where one branch is open."""
    values: list[Any] = []
    for branch in branches:
        listed = branch.get("enum", [branch["const"]] if "const" in branch else None)
        if listed is None:
            return []
        values += listed
    return values


def _help(schema: Schema, branches: list[Schema]) -> str:
    text = " ".join(str(schema.get("description", "")).split())
    low, high = branches[0].get("minimum"), branches[0].get("maximum")
    if low is not None and high is not None and high - low < 10**9:
        text = f"{text} ({low} to {high})".strip()
    return text
