"""The MCP tools: one per operation that a caller from outside may run."""

from typing import Any

from kbwork.contract.render.schemas import Schema, alone
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

_CONFIRM = {
    "type": "boolean",
    "description": "Must be true where the call deletes or takes something away.",
}


def mcp(registry: Registry) -> dict[str, Any]:
    """{`tools`: [{name, title, description, inputSchema, annotations}]}, by name."""
    return {"tools": [tool(op) for op in registry.operations.values() if not op.system]}


def tool(op: Operation) -> dict[str, Any]:
    """One tool. A destructive one has to be confirmed; one that may carry out a destructive call can be."""
    title = f"{op.module.capitalize()}: {op.verb.replace('_', ' ')}"
    return {
        "name": f"{op.module}_{op.verb}",
        "title": title,
        "description": op.doc,
        "inputSchema": _schema(op),
        "annotations": {"title": title, **_hints(op)},
    }


def _hints(op: Operation) -> dict[str, bool]:
    hints = {"readOnlyHint": op.cls == "read", "openWorldHint": op.road == "outside"}
    if op.cls != "read":
        hints["destructiveHint"] = op.cls == "destructive"
        hints["idempotentHint"] = op.cls == "destructive" or op.verb == "update" or op.verb.endswith("set")
    return hints


def _schema(op: Operation) -> Schema:
    schema = alone(op.input)
    if op.cls == "destructive" or (op.cls == "write" and (op.emits_any or _may_delete(schema))):
        schema["properties"] = {**schema.get("properties", {}), "confirm": _CONFIRM}
    if op.cls == "destructive":
        schema["required"] = [*schema.get("required", []), "confirm"]
    return schema


def _may_delete(schema: Any) -> bool:
    """Whether some input is a boolean named `delete`, as a bulk change has it."""
    if isinstance(schema, list):
        return any(_may_delete(part) for part in schema)
    if not isinstance(schema, dict):
        return False
    fields = schema.get("properties")
    if isinstance(fields, dict) and "boolean" in str(fields.get("delete", "")):
        return True
    return any(_may_delete(part) for part in schema.values())
