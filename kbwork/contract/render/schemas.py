"""The JSON Schemas of all inputs and answers, with each named shape once."""

import re
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from kbwork.base.dataclasses import dataclass
from kbwork.contract.render.docstrings import described
from kbwork.core.operations.declare import Misdeclared
from kbwork.core.operations.registry import Registry

Schema = dict[str, Any]
PLACE = "#/components/schemas/"
_QUALIFIED = re.compile(r"(?:^|_)[a-z][a-z0-9_]*__([A-Z]\w*)")
"""What pydantic calls a shape when another one has the same name: its module, dots as `__`, and the name."""


_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
"""What pydantic writes for a bound on a value that a validator of ours sees first, and JSON Schema's word."""

_ANY: Schema = {"description": "Any JSON value."}


class PlainSchema(GenerateJsonSchema):
    """JSON Schema with every bound in its own words, without titles that are only the field's name again."""

    def generate_inner(self, schema: Any) -> Schema:
        made: Schema = super().generate_inner(schema)
        for ours, word in _BOUNDS.items():
            if (bound := made.pop(ours, None)) is not None:
                tighter = max if ours in ("ge", "gt") else min
                made[word] = tighter(bound, made.get(word, bound))
        return made

    def default_schema(self, schema: Any) -> Schema:
        """Null as a default says only that the field may be left out, and has others take it for always there."""
        made: Schema = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made

    def any_schema(self, schema: Any) -> Schema:
        """Without a word an empty schema could be one that somebody forgot."""
        return super().any_schema(schema) or dict(_ANY)

    def dict_schema(self, schema: Any) -> Schema:
        made: Schema = super().dict_schema(schema)
        if made.get("additionalProperties") == _ANY:
            made["additionalProperties"] = True
        return made

    def model_schema(self, schema: Any) -> Schema:
        made: Schema = super().model_schema(schema)
        aliases = {name: field.alias or name for name, field in schema["cls"].model_fields.items()}
        return _described(made, {aliases[name]: text for name, text in described(schema["cls"]).items()})

    def typed_dict_schema(self, schema: Any) -> Schema:
        return _described(super().typed_dict_schema(schema), described(schema["cls"]))

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


@dataclass(frozen=True)
class Schemas:
    """Inputs and answers by operation id, as `$ref` where they have a name, and the named shapes."""

    inputs: dict[str, Schema]
    outputs: dict[str, Schema]
    shapes: dict[str, Schema]

    def renamed(self, names: dict[str, str]) -> "Schemas":
        """The same with other names for its shapes; `names` has every one of them."""
        return Schemas(
            {op: _renamed(schema, names) for op, schema in self.inputs.items()},
            {op: _renamed(schema, names) for op, schema in self.outputs.items()},
            {names[name]: _renamed(schema, names) for name, schema in self.shapes.items()},
        )

    def follow(self, schema: Schema) -> Schema:
        """The shape behind a `$ref`; anything else as it is."""
        return self.shapes[schema["$ref"].removeprefix(PLACE)] if "$ref" in schema else schema


@lru_cache(maxsize=2)
def schemas(registry: Registry) -> Schemas:
    """Raises Misdeclared when two shapes have one name."""
    operations = registry.operations.values()
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = []
    adapters += [(op.id, "validation", TypeAdapter(op.input)) for op in operations]
    adapters += [(op.id, "serialization", op.answer_adapter()) for op in operations]
    made, found = TypeAdapter.json_schemas(
        adapters, ref_template=PLACE + "{model}", schema_generator=PlainSchema
    )
    names = _names(found.get("$defs", {}))
    shapes = {}
    for name, schema in found.get("$defs", {}).items():
        shapes[names[name]] = _renamed({k: v for k, v in schema.items() if k != "title"}, names)
    inputs = {op: _renamed(schema, names) for (op, mode), schema in made.items() if mode == "validation"}
    outputs = {op: _renamed(schema, names) for (op, mode), schema in made.items() if mode == "serialization"}
    return Schemas(inputs, outputs, dict(sorted(shapes.items())))


def alone(model: Any) -> Schema:
    """The schema of one input with its shapes inside, for readers that follow no reference to other files."""
    schema: Schema = model.model_json_schema(schema_generator=PlainSchema)
    for shape in [schema, *schema.get("$defs", {}).values()]:
        shape.pop("title", None)
    return schema


def _described(made: Schema, texts: dict[str, str]) -> Schema:
    """A shape whose fields have a sentence: what stands below a field in the source, else its own, else its type's.

    Pydantic would read the sources when classes are made, a third of a second at each start.
    """
    for name, field in made.get("properties", {}).items():
        held = [branch for branch in field.get("anyOf", []) if branch.get("type") != "null"]
        inherited = held[0].pop("description", "") if len(held) == 1 else ""
        text = texts.get(name) or (field.get("description") if field != _ANY else "") or inherited
        if text:
            field["description"] = text
    return made


def _names(shapes: dict[str, Schema]) -> dict[str, str]:
    """`PagedLabel` for `Paged_Label_`: names that any language can take."""
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    for name in sorted(shapes):
        if twice := _QUALIFIED.search(name):
            raise Misdeclared(
                f"two shapes are called {twice[1]}; rename one of them: {name.replace('__', '.')}"
            )
        short = "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))
        if short in taken:
            raise Misdeclared(f"two shapes are called {short}: {taken[short]} and {name}; rename one of them")
        names[name], taken[short] = short, name
    return names


def _renamed(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, list):
        return [_renamed(inner, names) for inner in node]
    if not isinstance(node, dict):
        return node
    answer = {key: _renamed(inner, names) for key, inner in node.items()}
    if isinstance(ref := answer.get("$ref"), str):
        answer["$ref"] = PLACE + names[ref.removeprefix(PLACE)]
    return answer
