"""The TypeScript client's share of the contract: every shape and operation as a type, and which operations read."""

import json
import re

from kbwork import __version__
from kbwork.base.errors import every_problem
from kbwork.contract.render.annotations import used
from kbwork.contract.render.openapi import about
from kbwork.contract.render.schemas import PLACE, Schema, Schemas, schemas
from kbwork.core.operations.declare import Misdeclared, Operation
from kbwork.core.operations.registry import Registry

_TYPES_HEAD = """\
// Made by `kbwork contract`; changes belong to the declared operations.
import type { Method } from "./index.js";
"""
_VALUES_HEAD = "// Made by `kbwork contract`; changes belong to the declared operations.\n"
_MEMBERS = frozenset(
    {"url", "key", "seq", "call", "ask", "paged", "every", "batch", "stream", "upload", "download", "device"}
    | {"then", "toJSON"}
)
"""What a client has beside its modules, and what is looked for on anything."""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, unknown>",
}
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def typescript(registry: Registry) -> dict[str, str]:
    """Place below `static/client` -> text. Raises Misdeclared where a name would be taken twice."""
    operations = [op for op in registry.operations.values() if not op.system]
    modules = [name for name in registry.modules if any(op.module == name for op in operations)]
    if clash := sorted(_MEMBERS.intersection(modules)):
        raise Misdeclared(f"modules that are called like a member of the client: {', '.join(clash)}")
    found = schemas(registry)
    taken = {_interface_of(name) for name in modules} & found.shapes.keys()
    found = found.renamed({name: name + "Shape" if name in taken else name for name in found.shapes})
    return {
        "types/contract.d.ts": _types(registry, operations, modules, found),
        "src/contract.ts": _values(operations),
    }


def type_of(schema: Schema, *, taken: bool = False) -> str:
    """The type of a value that fits. `taken`: of what callers hand in, whose lists may be constant."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(PLACE)
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema or "oneOf" in schema:
        parts = [type_of(branch, taken=taken) for branch in schema.get("anyOf") or schema["oneOf"]]
        return "unknown" if "unknown" in parts else " | ".join(dict.fromkeys(parts))
    if schema.get("type") == "array":
        entry = type_of(schema.get("items", {}), taken=taken)
        entry = f"({entry})" if " " in entry and not entry.startswith("Record<") else entry
        return f"{'readonly ' if taken else ''}{entry}[]"
    inner = schema.get("additionalProperties")
    if schema.get("type") == "object" and isinstance(inner, dict) and not schema.get("properties"):
        return f"Record<string, {type_of(inner, taken=taken)}>"
    return _PLAIN.get(str(schema.get("type")), "unknown")


def _types(registry: Registry, operations: list[Operation], modules: list[str], found: Schemas) -> str:
    answered = _reached(found, [found.outputs[op.id] for op in operations])
    named = sorted(answered | _reached(found, [found.inputs[op.id] for op in operations]))
    return "\n".join(
        [
            _TYPES_HEAD,
            *(_shape(name, found.shapes[name], taken=name not in answered) for name in named),
            _union(
                "ProblemSlug", [problem.slug for problem in every_problem()], "How a call may be refused."
            ),
            _union("EventKind", list(registry.events), "What may happen."),
            "/** Every operation: what it takes and answers. */",
            "export interface Operations {",
            *(_operation(op, found) for op in operations),
            "}\n",
            *(_module(registry, name, operations) for name in modules),
            "/** The modules of a server, each with its operations. */",
            "export interface Modules {",
            *(f"  readonly {name}: {_interface_of(name)};" for name in modules),
            "}\n",
        ]
    )


def _values(operations: list[Operation]) -> str:
    """Reads by module, as short as they can be: they are in every page."""
    verbs: dict[str, list[str]] = {}
    for op in operations:
        if op.cls == "read":
            verbs.setdefault(op.module, []).append(op.verb)
    lines = [f"  {json.dumps(f'{module} ' + ' '.join(found))}," for module, found in verbs.items()]
    return "\n".join(
        [
            _VALUES_HEAD,
            f"export const version = {json.dumps(__version__)};\n",
            "/** A module and its operations that read: they carry no Idempotency-Key. */",
            "export const reads = [",
            *lines,
            "];\n",
        ]
    )


def _reached(found: Schemas, begun: list[Schema]) -> set[str]:
    """The names of the shapes that schemas lead to."""
    names = used(begun)
    waiting = list(names)
    while waiting:
        fresh = used(found.shapes[waiting.pop()]) - names
        names |= fresh
        waiting += fresh
    return names


def _shape(name: str, schema: Schema, *, taken: bool) -> str:
    lines = _comment(str(schema.get("description", "")), "")
    fields: dict[str, Schema] = schema.get("properties", {})
    if not fields and schema.get("additionalProperties") is False:
        return "\n".join([*lines, f"export type {name} = Record<string, never>;\n"])
    if not fields:
        return "\n".join([*lines, f"export type {name} = {type_of(schema, taken=taken)};\n"])
    required = schema.get("required", [])
    lines.append(f"export interface {name} {{")
    for field, inner in fields.items():
        lines += _comment(str(inner.get("description", "")), "  ")
        kind = type_of(inner, taken=taken)
        shown = field if _IDENTIFIER.fullmatch(field) else json.dumps(field)
        lines.append(
            f"  {shown}: {kind};" if field in required else f"  {shown}?: {_open(kind, taken=taken)};"
        )
    return "\n".join([*lines, "}\n"])


def _open(kind: str, *, taken: bool) -> str:
    """A field that may be left out: whoever hands it in may say so by `undefined`, too."""
    return f"{kind} | undefined" if taken and kind != "unknown" else kind


def _operation(op: Operation, found: Schemas) -> str:
    taken, out = type_of(found.inputs[op.id], taken=True), type_of(found.outputs[op.id])
    columned = ""
    if "columns" in found.follow(found.inputs[op.id]).get("properties", {}) and out.endswith("Columns"):
        out, _, columned = out.partition(" | ")
        columned = f"; columned: {columned}"
    return f'  "{op.id}": {{ in: {taken}; out: {out}{columned}; class: "{op.cls}" }};'


def _module(registry: Registry, name: str, operations: list[Operation]) -> str:
    lines = [*_comment(about(registry, name) or name, ""), f"export interface {_interface_of(name)} {{"]
    for op in operations:
        if op.module == name:
            lines += [*_comment(op.doc, "  "), f'  readonly {op.verb}: Method<"{op.id}">;']
    return "\n".join([*lines, "}\n"])


def _interface_of(module: str) -> str:
    return "".join(part.capitalize() for part in module.split("_")) + "Module"


def _union(name: str, values: list[str], text: str) -> str:
    return (
        "\n".join([f"/** {text} */", f"export type {name} =", *(f'  | "{each}"' for each in values)]) + ";\n"
    )


def _comment(text: str, indent: str) -> list[str]:
    lines = text.replace("*/", "*\\/").strip().split("\n")
    if lines == [""]:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]
