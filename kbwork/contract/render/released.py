"""A contract as it is released: what callers rely on, without the words."""

import json
from typing import Any

_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties")
_KEPT = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref"}
_KEPT |= {"format", "pattern", *_BOUNDS}


def released(openapi: dict[str, Any], events: dict[str, Any]) -> dict[str, Any]:
    """`operations` by id, with `class`, `scopes`, `input` and `output`; audiences of `events`; `shapes` by name."""
    operations = {
        item["post"]["operationId"]: _operation(item["post"])
        for item in openapi["paths"].values()
        if "x-kb-class" in item.get("post", {})
    }
    return {
        "operations": operations,
        "events": {kind: event["audience"] for kind, event in events.items()},
        "shapes": {name: bare(schema) for name, schema in openapi["components"]["schemas"].items()},
    }


def text(contract: dict[str, Any]) -> str:
    """Its file: one line for each operation, event and shape."""
    parts = [f'"{part}": {{\n{_lines(held)}\n}}' for part, held in contract.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def bare(schema: Any) -> Any:
    """A schema without what changes nobody's program."""
    if not isinstance(schema, dict):
        return schema
    found = {name: value for name, value in schema.items() if name in _KEPT}
    if "properties" in found:
        found["properties"] = {name: bare(one) for name, one in found["properties"].items()}
    if "anyOf" in found:
        found["anyOf"] = [bare(one) for one in found["anyOf"]]
    for name in ("items", "additionalProperties"):
        if name in found:
            found[name] = bare(found[name])
    return found


def _operation(described: dict[str, Any]) -> dict[str, Any]:
    body = described.get("requestBody", {"content": {"application/json": {"schema": {}}}})
    answer = described["responses"]["200"]
    return {
        "class": described["x-kb-class"],
        "scopes": described["x-kb-scopes"],
        "input": bare(body["content"]["application/json"]["schema"]),
        "output": bare(answer["content"]["application/json"]["schema"]),
    }


def _lines(held: dict[str, Any]) -> str:
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(held[name])}" for name in sorted(held))
