"""The OpenAPI 3.1 document."""

import inspect
import sys
from collections.abc import Mapping
from typing import Any

from kbwork import __version__
from kbwork.base.errors import Problem, every_problem
from kbwork.contract import load
from kbwork.contract.render.schemas import Schema, Schemas, schemas
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

_ABOUT = """\
Every operation is `POST /api/v1/<module>.<verb>` with a JSON object as its body; without input it is `{}`.

* **Sign-in**: `Authorization: Bearer <key>`. Operations of the scope `desk:public` need none.
* **Reads** carry an `ETag`; with `If-None-Match` the answer is 304 when nothing changed.
* **Writes** take an `Idempotency-Key`: the same key within 24 hours has one effect and one answer.
* **`X-KB-Client`** on a write, at most 64 characters of your choice, comes back as `origin` in its events.
* **`x-kb-seq`** on every answer is the number of the org's latest event; pass it as `since` to `api.changes`.
* **Refusals** are `application/problem+json`; `type` is a page of this server that explains it.
* **`GET /api/v1/stream`** sends the events of `api.changes` as they happen (server-sent events): `id` is the
  sequence number, `event` the kind, `data` the event. Query: `since`, `kinds` (comma-separated, `*` as
  suffix), `subjects`, `tql`; `Last-Event-ID` wins over `since`. `event: gap`: `since` is no longer kept.
  `plain=1`: messages without names, the kind in the data. `rows=1`, with `projects`, `closed_days` and `access`: the
  answer of `sync.delta` for each commit, as `event: rows`. `event: bye` with a `reason`: it ends for your rights.
"""
_STATUSES = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503, 507)
_HEADERS: dict[str, Schema] = {
    "Seq": {
        "description": "Number of the org's latest event.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "ETag": {"description": "Strong, opaque.", "required": True, "schema": {"type": "string"}},
    "Replayed": {
        "description": "This is the answer of the first call with this Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "RateLimit-Limit": {"description": "Calls at once.", "schema": {"type": "integer"}},
    "RateLimit-Remaining": {"description": "Calls left.", "schema": {"type": "integer"}},
    "RateLimit-Reset": {"description": "Seconds until all are there again.", "schema": {"type": "integer"}},
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}},
    "WWW-Authenticate": {"description": "`Bearer`.", "required": True, "schema": {"type": "string"}},
    "Allow": {"description": "The methods that there are.", "required": True, "schema": {"type": "string"}},
}
_ON_STATUS = {
    401: "WWW-Authenticate",
    405: "Allow",
    429: "Retry-After",
    503: "Retry-After",
    507: "Retry-After",
}
_RATES = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_PROBLEM: Schema = {
    "type": "object",
    "description": "Why a call was refused (RFC 9457). Problems may have more members than these.",
    "properties": {
        "type": {
            "type": "string",
            "pattern": "^(/problems/[a-z-]+|about:blank)$",
            "description": "The kind of problem; a page of this server explains it.",
        },
        "title": {"type": "string", "description": "The same for every problem of a type."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What to mend."},
        "request_id": {"type": "string", "description": "Id of the call, as the server's log has it."},
        "errors": {
            "type": "array",
            "description": "The fields that do not fit.",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "The field, such as `items[0].title`."},
                    "message": {"type": "string", "description": "What is wrong with it."},
                    "allowed": {
                        "type": "array",
                        "items": {"description": "Any JSON value."},
                        "description": "What it may hold.",
                    },
                },
                "required": ["path", "message"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "request_id"],
    "additionalProperties": True,
}
_PROBLEM_BODY = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def openapi(registry: Registry) -> dict[str, Any]:
    """The whole document. Raises Misdeclared when two shapes have one name."""
    found, answers = schemas(registry), load("answers.json")
    paths = {
        f"/api/v1/{op.id}": {"post": _operation(op, found, answers)} for op in registry.operations.values()
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kbwork",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [_tag(registry, module) for module in registry.modules] + [{"name": "server"}],
        "paths": dict(sorted((paths | _server_paths()).items())),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "headers": _HEADERS,
            "responses": _refusals(),
            "schemas": dict(sorted({**found.shapes, "Problem": _PROBLEM}.items())),
        },
    }


def _tag(registry: Registry, module: str) -> dict[str, str]:
    text = about(registry, module)
    return {"name": module, "description": text} if text else {"name": module}


def about(registry: Registry, module: str) -> str:
    """What a module is for: the docstring of its folder."""
    op = next(op for op in registry.operations.values() if op.module == module)
    package = sys.modules.get(".".join(op.fn.__module__.split(".")[:3]))
    return inspect.cleandoc(package.__doc__ or "") if package is not None else ""


def _operation(op: Operation, found: Schemas, answers: Mapping[str, Any]) -> dict[str, Any]:
    statuses = [*_STATUSES, 502] if op.road == "outside" else _STATUSES
    return {
        "operationId": op.id,
        "tags": [op.module],
        "summary": op.summary,
        "description": op.doc,
        "security": [] if op.public else [{"bearer": []}],
        "parameters": [_parameter(op)],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": found.inputs[op.id], "example": op.example}},
        },
        "responses": {
            **_done(op, found.outputs[op.id], answers.get(op.id)),
            **{
                str(status): {"$ref": f"#/components/responses/Problem{status}"}
                for status in sorted(statuses)
            },
        },
        "x-kb-class": op.cls,
        "x-kb-scopes": list(op.scopes),
        "x-kb-events": ["*"] if op.emits_any else sorted(event.kind for event in op.emits),
        "x-kb-since": op.since,
    }


def _parameter(op: Operation) -> dict[str, Any]:
    if op.cls == "read":
        return {
            "name": "If-None-Match",
            "in": "header",
            "description": "ETags of earlier answers, or `*`: 304 when one still holds.",
            "schema": {"type": "string"},
        }
    return {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Printable ASCII. The same key within 24 hours has one effect.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    }


def _done(op: Operation, schema: Schema, answer: Any) -> dict[str, Any]:
    headers = {"x-kb-seq": _header("Seq"), **{name: _header(name) for name in _RATES}}
    if op.cls == "read":
        headers["ETag"] = _header("ETag")
    else:
        headers["Idempotent-Replayed"] = _header("Replayed")
    content = {"schema": schema} | ({} if answer is None else {"examples": {"sample": {"value": answer}}})
    done = {"description": "Done.", "headers": headers, "content": {"application/json": content}}
    if op.cls != "read":
        return {"200": done}
    return {"200": done, "304": {"description": "Nothing changed; no body.", "headers": headers}}


def _header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}


def _refusals() -> dict[str, Any]:
    """One response per status, naming the problems that have it."""
    by_status: dict[int, list[type[Problem]]] = {}
    for problem in every_problem():
        by_status.setdefault(problem.status, []).append(problem)
    return {f"Problem{status}": _refusal(status, problems) for status, problems in sorted(by_status.items())}


def _refusal(status: int, problems: list[type[Problem]]) -> dict[str, Any]:
    headers = {"x-kb-seq": _header("Seq")}
    if name := _ON_STATUS.get(status):
        headers[name] = _header(name)
    return {
        "description": "; ".join(f"`{problem.slug}`: {problem.title}" for problem in problems) + ".",
        "headers": headers,
        "content": _PROBLEM_BODY,
    }


def _server_paths() -> dict[str, Any]:
    """What the server answers beside operations."""
    ok = {"type": "boolean", "description": "Always true; a refusal is another status."}
    alive = {"type": "object", "properties": {"ok": ok}, "required": ["ok"]}
    return {
        "/api/v1/openapi.json": {"get": _look("contract", "This document", {"type": "object"})},
        "/healthz": {"get": _look("health", "Whether the process is alive", alive)},
        "/readyz": {
            "get": _look(
                "ready", "Whether the server takes calls", alive, {"503": "Not now; `detail` says why."}
            )
        },
    }


def _look(name: str, summary: str, schema: Schema, refused: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "operationId": f"server.{name}",
        "tags": ["server"],
        "summary": summary,
        "security": [],
        "responses": {
            "200": {"description": "Done.", "content": {"application/json": {"schema": schema}}},
            **{
                status: {"description": text, "content": _PROBLEM_BODY}
                for status, text in (refused or {}).items()
            },
        },
    }
