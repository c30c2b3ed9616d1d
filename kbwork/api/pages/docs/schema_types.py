"""JSON Schemas in words, for people who read the reference."""

from typing import Any

from kbwork.base.dataclasses import dataclass, field

Schema = dict[str, Any]
_PLACE = "#/components/schemas/"
_WORDS = {
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
_FAR = 10**9  # bounds beyond are those of the number itself


@dataclass(frozen=True, slots=True)
class SchemaType:
    """A type: words before and after a named shape, which can be gone to."""

    text: str
    shapes: list[str] = field(default_factory=list)
    nullable: bool = False
    values: list[Any] = field(default_factory=list)
    """All values, where they are counted."""
    limits: str = ""


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One field of an input, an answer or a shape."""

    name: str
    kind: SchemaType
    required: bool
    doc: str
    default: Any


def rows(schema: Schema) -> list[SchemaField]:
    """The fields of an object; those that are required first."""
    required = schema.get("required", [])
    found = [
        SchemaField(
            name,
            kind_of(inner),
            name in required,
            " ".join(str(inner.get("description", "")).split()),
            inner.get("default"),
        )
        for name, inner in schema.get("properties", {}).items()
    ]
    return sorted(found, key=lambda row: not row.required)


def kind_of(schema: Schema) -> SchemaType:
    """The type in words."""
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return _union([kind_of(branch) for branch in branches])
    if "$ref" in schema:
        name = shape_name(schema)
        return SchemaType(name, [name])
    if "enum" in schema or "const" in schema:
        return SchemaType("one of", values=schema.get("enum", [schema.get("const")]))
    return _of_type(str(schema.get("type")), schema)


def _of_type(name: str, schema: Schema) -> SchemaType:
    if name == "array":
        inner = kind_of(schema.get("items", {}))
        return SchemaType(f"list of {inner.text}", inner.shapes, values=inner.values, limits=_entries(schema))
    if name == "string":
        return SchemaType(schema.get("format", "string"), limits=_signs(schema))
    if name == "object" and isinstance(schema.get("additionalProperties"), dict):
        inner = kind_of(schema["additionalProperties"])
        return SchemaType(f"object of {inner.text}", inner.shapes)
    return SchemaType(_WORDS.get(name, "any JSON"), nullable=name == "null", limits=_bounds(schema))


def shape_name(schema: Schema) -> str:
    """The name behind a reference."""
    return str(schema["$ref"]).removeprefix(_PLACE)


def _union(kinds: list[SchemaType]) -> SchemaType:
    nullable = any(kind.nullable for kind in kinds)
    rest = [kind for kind in kinds if kind.text != "null"]
    words = list(dict.fromkeys(kind.text for kind in rest))
    return SchemaType(
        " or ".join(words) or "null",
        [shape for kind in rest for shape in kind.shapes],
        nullable,
        [value for kind in rest for value in kind.values],
        "; ".join(dict.fromkeys(kind.limits for kind in rest if kind.limits)),
    )


def _bounds(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is not None and high < _FAR and low is not None:
        return f"{low} to {high}"
    return f"at least {low}" if low is not None and low > -_FAR else ""


def _signs(schema: Schema) -> str:
    low, high = schema.get("minLength"), schema.get("maxLength")
    if high is None:
        return ""
    return f"{low} to {high:,} characters" if low else f"at most {high:,} characters"


def _entries(schema: Schema) -> str:
    high = schema.get("maxItems")
    return f"at most {high:,} entries" if high else ""
