"""JSON Schemas as Python types: annotations, and TypedDicts for the named shapes."""

import keyword
from typing import Any

from kbwork.contract.render.schemas import PLACE, Schema

_PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "Dict[str, Any]",
}


def annotation(schema: Schema) -> str:
    """The type of a value that fits a schema. `List` and `Dict` stand where a method may be called `list`."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(PLACE)
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(repr(value) for value in values)}]"
    if "anyOf" in schema or "oneOf" in schema:
        parts = [annotation(branch) for branch in schema.get("anyOf") or schema["oneOf"]]
        return "Any" if "Any" in parts else " | ".join(dict.fromkeys(parts))
    if schema.get("type") == "array":
        return f"List[{annotation(schema.get('items', {}))}]"
    inner = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(inner, dict) and not schema.get("properties"):
        return f"Dict[str, {annotation(inner)}]"
    return _PLAIN.get(str(schema.get("type")), "Any")


def definition(name: str, schema: Schema) -> list[str]:
    """The lines that define a named shape."""
    if not schema.get("properties"):
        return [f"{name} = {annotation(schema)}"]
    required = schema.get("required", [])
    fields = {
        field: _entry(annotation(inner), field in required) for field, inner in schema["properties"].items()
    }
    if any(not field.isidentifier() or keyword.iskeyword(field) for field in fields):
        shown = ", ".join(f"{field!r}: {kind!r}" for field, kind in fields.items())
        return [f"{name} = TypedDict({name!r}, {{{shown}}})"]
    doc = [f"    {text_literal(schema['description'], 4)}"] if "description" in schema else []
    return [f"class {name}(TypedDict):", *doc, *(f"    {field}: {kind}" for field, kind in fields.items())]


def text_literal(text: str, indent: int) -> str:
    """A docstring whose lines stand `indent` deep."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if safe.endswith('"'):
        safe = safe[:-1] + '\\"'
    lines = safe.split("\n")
    if len(lines) == 1:
        return f'"""{safe}"""'
    body = [" " * indent + line if line else "" for line in lines[1:]]
    return "\n".join([f'"""{lines[0]}', *body, " " * indent + '"""'])


def _entry(kind: str, required: bool) -> str:
    return kind if required else f"NotRequired[{kind}]"


def used(schema: Any) -> set[str]:
    """The names of the shapes that a schema leads to directly."""
    if isinstance(schema, list):
        return set().union(*(used(inner) for inner in schema))
    if not isinstance(schema, dict):
        return set()
    found = set().union(*(used(inner) for inner in schema.values()))
    if isinstance(ref := schema.get("$ref"), str):
        found.add(ref.removeprefix(PLACE))
    return found
