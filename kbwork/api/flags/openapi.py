"""The OpenAPI 3.1 document of the flag REST, made from its paths and the declared inputs and answers."""

import json
from typing import Any

from kbwork import __version__
from kbwork.api.flags import names as words
from kbwork.api.flags.routes import ROOT, Bound
from kbwork.api.flags.texts import NAMED, Texts
from kbwork.contract.render.schemas import PLACE, Schema, Schemas, schemas
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

_ABOUT = """\
Feature flags by path and method: the same operations as `POST /api/v1/flags.<verb>`, with the same rights.

* **Sign-in**: `Authorization: Bearer <key>`; `{org}` is the org's slug or id.
* **Names** are camelCase, times Unix milliseconds, lists `{"items": [...]}`.
* **Refusals** are `{"error": {"code", "message"}}`.
* **`dryRun=true`** on a change: everything is checked and answered, nothing is changed; the status is 200.
* **Reads** carry an `ETag` for `If-None-Match`; that of a flag, in `If-Match` of its PATCH, refuses the change (409)
  where the flag moved on.
* **Changes** take an `Idempotency-Key`: the same key within 24 hours has one effect and one answer.
"""
_STATUSES = {
    400: "`invalid_request`: the message says what does not fit.",
    401: "`unauthorized`: the key is missing, or is not known.",
    403: "`forbidden`, `insufficient_scope`: the role, or the scopes of the key, do not allow it.",
    404: "`not_found`",
    405: "`invalid_request`: the path does not take this method; `Allow` names those that it takes.",
    409: "`conflict`: the state does not allow it.",
    413: "`invalid_request`: the body is too large.",
    415: "`invalid_request`: the body is not sent as JSON.",
    429: "`rate_limited`: `Retry-After` says when to come again.",
    500: "`internal`",
    503: "`unavailable`: `Retry-After` says when to come again.",
}
_TOO_LONG = "The address is longer than 16,384 bytes."
_DRY = "Check everything, change nothing, and answer what would have happened."
_MATCH = (
    "The ETag of the flag as it was read, or `*`: where the flag moved on since, the change is refused (409)."
)
_ERROR: Schema = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {
                    "enum": [
                        "invalid_request",
                        "unauthorized",
                        "forbidden",
                        "insufficient_scope",
                        "not_found",
                        "conflict",
                        "rate_limited",
                        "internal",
                        "unavailable",
                    ]
                },
                "message": {"type": "string"},
            },
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}
_TAGS = (
    "me",
    "orgs",
    "settings",
    "export",
    "templates",
    "projects",
    "environments",
    "keys",
    "flags",
    "segments",
    "change-requests",
)
_TEXT: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object", "additionalProperties": True}
_WORD: Schema = {"type": "string", "minLength": 1}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_TRUTH: Schema = {"type": "boolean"}
_NEXT = {
    "next": {
        "type": ["string", "null"],
        "description": "With `limit` or `cursor`: the `cursor` of the next part; null: this is the last.",
    }
}
_IDEMPOTENCY_KEY: Schema = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}


def _fields(**properties: Schema) -> Schema:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def _listed(inner: Schema) -> Schema:
    return {"type": "array", "items": inner}


def _shape(name: str) -> Schema:
    return {"$ref": PLACE + name}


_OWN: dict[str, Schema] = {
    "OrgInShort": _fields(id=_TEXT, slug=_TEXT, name=_TEXT),
    "FlagCaller": _fields(
        id=_TEXT,
        name=_TEXT,
        handle=_TEXT,
        email={"type": ["string", "null"]},
        kind={"enum": ["human", "key", "agent"]},
        via={"type": ["string", "null"]},
        scopes=_listed(_TEXT),
    ),
    "Me": _fields(caller=_shape("FlagCaller"), org=_shape("OrgInShort"), role=_TEXT),
    "Project": _fields(
        key=_TEXT,
        project={"type": "string", "description": "Its key, as what lives in it names it."},
        name=_TEXT,
        environments=_listed(_shape("Environment")),
        flags={"type": "integer", "description": "How many live there."},
    ),
    "Projects": _fields(items=_listed(_shape("Project"))),
    "OrgWithProjects": _fields(org=_shape("OrgInShort"), role=_TEXT, projects=_listed(_shape("Project"))),
    "Copied": _fields(
        outcome={"enum": ["applied", "unchanged", "changeRequest"]},
        changes=_listed(
            {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["flag", "segment"]},
                    "key": _TEXT,
                    "outcome": {"enum": ["applied", "unchanged", "changeRequest"]},
                    "diff": _listed(_OBJECT),
                    "changeRequest": _shape("FlagChange"),
                },
                "required": ["kind", "key", "outcome", "diff"],
            }
        ),
    ),
    "FlagExport": _fields(
        format={"type": "integer"},
        settings=_shape("FlagSettings"),
        templates=_listed(_shape("FlagTemplate")),
        projects=_listed(_OBJECT),
    ),
}
_OTHERWISE = {"flags.evaluate": "Evaluated", "flags.copy": "Copied", "flags.export": "FlagExport"}
"""Operations whose answers have another shape here."""


def document(registry: Registry, bound: list[Bound]) -> dict[str, Any]:
    """The whole document."""
    used = {one.route.op for one in bound}
    alone = Registry([op for op in registry.operations.values() if op.id in used], [], [], [])
    found = schemas(alone)
    inputs = {schema["$ref"] for schema in found.inputs.values() if "$ref" in schema}
    shapes = {
        name: _renamed(name, shape) for name, shape in found.shapes.items() if PLACE + name not in inputs
    }
    shapes = dict(sorted({**shapes, **_OWN, "Error": _ERROR}.items()))
    paths: dict[str, dict[str, Any]] = {}
    for one in bound:
        path = paths.setdefault(ROOT + one.route.path, {})
        path[one.route.method.lower()] = _operation(one, registry.require(one.route.op), found)
    asked_for = json.dumps([paths, shapes, _shape("Error")])
    made = {
        "openapi": "3.1.0",
        "info": {"title": "kbwork flags", "version": __version__, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {name: shape for name, shape in shapes.items() if f'"{PLACE}{name}"' in asked_for},
        },
    }
    told: dict[str, Any] = _described(made, Texts(bound))
    told["components"]["responses"] = {  # as they are: their codes look like fields, and are none
        "TooLong": {
            "description": _TOO_LONG,
            "content": {"application/problem+json": {"schema": _OBJECT}},
        },
        **{f"Refused{status}": _refusal(text) for status, text in _STATUSES.items()},
    }
    return told


def _described(node: Any, texts: Texts) -> Any:
    """The same with every description in our names."""
    if isinstance(node, list):
        return [_described(inner, texts) for inner in node]
    if not isinstance(node, dict):
        return node
    return {
        name: texts.described(inner)
        if name == "description" and isinstance(inner, str)
        else _described(inner, texts)
        for name, inner in node.items()
    }


def _refusal(text: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": _shape("Error")}}}


def _operation(bound: Bound, op: Operation, found: Schemas) -> dict[str, Any]:
    route = bound.route
    answer = _answer(bound, found)
    done = {"description": "Done.", "content": {"application/json": {"schema": _tried(bound, answer)}}}
    told: dict[str, Any] = {
        "operationId": bound.op.id.replace(".", "_"),
        "tags": [next(part for part in reversed(route.path.split("/")) if part in _TAGS)],
        "summary": op.summary,
        "description": _of_path(op.doc, bound),
        "parameters": _parameters(bound, found),
        "responses": {
            **({"201": done, "200": done} if route.creates else {"200": done}),
            **({} if route.changes else {"304": {"description": "Nothing changed; no body."}}),
            **{str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in _STATUSES},
            "414": {"$ref": "#/components/responses/TooLong"},
        },
        "x-kb-operation": op.id,
        "x-kb-scopes": list(bound.op.scopes),
    }
    if bound.body:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body(bound, found)}},
        }
    return told


def _of_path(text: str, bound: Bound) -> str:
    """With the fields that this path has another name for, such as `confirm` for `confirm_key`."""
    return NAMED.sub(lambda found: f"`{bound.spoken.get(found[1], found[1])}`", text)


def _answer(bound: Bound, found: Schemas) -> Schema:
    op_id = bound.route.op
    if bound.route.compound is not None:
        return _shape(bound.route.compound.shape)
    if op_id in _OTHERWISE:
        return _shape(_OTHERWISE[op_id])
    schema = found.outputs[op_id]
    if schema.get("type") != "array":
        return schema
    told = _fields(items=schema)
    return told if bound.route.portion is None else {**told, "properties": {**told["properties"], **_NEXT}}


def _tried(bound: Bound, answer: Schema) -> Schema:
    """With what a dry run adds."""
    if not bound.tries:
        return answer
    return {"allOf": [answer, {"type": "object", "properties": {"dryRun": {"const": True}}}]}


def _parameters(bound: Bound, found: Schemas) -> list[dict[str, Any]]:
    route, told = bound.route, []
    for name in (part[1:-1] for part in route.path.split("/") if part.startswith("{")):
        kind: Schema = _NUMBER if name == "id" else _WORD
        told.append({"name": name, "in": "path", "required": True, "schema": kind})
    told += [_of_query(bound, name, _input(bound, found)) for name in route.query]
    if bound.tries:
        told.append({"name": "dryRun", "in": "query", "description": _DRY, "schema": _TRUTH})
    if route.op == "flags.update":
        told.append({"name": "If-Match", "in": "header", "description": _MATCH, "schema": _TEXT})
    if route.changes:
        return [*told, {"name": "Idempotency-Key", "in": "header", "schema": _IDEMPOTENCY_KEY}]
    return [*told, {"name": "If-None-Match", "in": "header", "schema": _TEXT}]


def _of_query(bound: Bound, name: str, taken: Schema) -> dict[str, Any]:
    """A query parameter as the operation declares the field behind it; none of them may be null."""
    field = bound.route.field_of(name)
    schema = dict(taken["properties"][field])
    told = {"name": name, "in": "query", "required": field in taken.get("required", ())}
    if about := schema.pop("description", None):
        told["description"] = about
    branches = schema.pop("anyOf", [schema])
    (schema,) = [branch for branch in branches if branch.get("type") != "null"]
    schema.pop("default", None)
    return {**told, "schema": schema}


def _input(bound: Bound, found: Schemas) -> Schema:
    return found.follow(found.inputs[bound.route.op])


def _body(bound: Bound, found: Schemas) -> Schema:
    fields = _input(bound, found)["properties"]
    return {
        "type": "object",
        "properties": {name: fields[field] for name, field in bound.body.items()},
        "required": sorted(bound.needed),
        "additionalProperties": False,
    }


def _renamed(name: str, shape: Schema) -> Schema:
    """A shape in our names."""
    if "properties" not in shape:
        return shape
    ours = {field: words.name_of(name, field) for field in shape["properties"]}
    needed = [ours[field] for field in shape.get("required", ())]
    return {
        **shape,
        "properties": {ours[field]: schema for field, schema in shape["properties"].items()},
        "required": [field for field in needed if not words.optional(field)],
    }
