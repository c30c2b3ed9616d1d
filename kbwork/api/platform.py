"""The JSON API of the platform: `/api/orgs/{org}/<collection>`, each call the operation of that name by its method."""

import json
import logging
import typing
from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json
from starlette.types import Scope

from kbwork.api.http.compression import packed
from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.request import AsgiRequest, Head, Request, require_own_page
from kbwork.api.http.response import Response, response
from kbwork.api.org_requests import (
    QueryKind,
    body_of,
    other_method,
    parameter,
    parse_request,
    require_org,
    whole_id,
)
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, NotFound, Problem
from kbwork.core.operations import etag, strict_json
from kbwork.core.operations.call import OperationResult
from kbwork.core.operations.declare import Operation

_OPERATIONS: dict[tuple[str, str, bool], str] = {
    ("members", "GET", False): "members.list",
    ("members", "GET", True): "members.get",
    ("members", "PATCH", True): "members.update",
    ("invites", "GET", False): "invites.list",
    ("invites", "POST", False): "invites.create",
    ("invites", "DELETE", True): "invites.revoke",
    ("keys", "GET", False): "keys.list",
    ("keys", "POST", False): "keys.create",
    ("keys", "PATCH", True): "keys.update",
    ("keys", "DELETE", True): "keys.revoke",
    ("sso", "GET", False): "auth.providers",
    ("sso", "POST", False): "auth.provider_save",
    ("sso", "PATCH", True): "auth.provider_save",
    ("sso", "DELETE", True): "auth.provider_delete",
    ("audit", "GET", False): "audit.list",
    ("usage", "GET", False): "org.usage",
}
"""(collection, method, whether an id follows) -> the operation."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One request: its operation, the org and the id in its path, and what it asks in the query."""

    op: Operation
    collection: str
    org: str
    ident: str | None
    query: dict[str, str]


class Platform(Endpoint):
    """ASGI endpoint for what surrounds both services: people, keys, sign-in, the audit log."""

    door = "platform"
    log = logging.getLogger("kbwork.platform")

    async def answer(self, request: AsgiRequest) -> int:
        head = request.head
        wanted = self._find(request.scope, head.method)
        op = wanted.op
        request.cls = op.cls
        admitted = self._dispatcher.admit(op.id, head.credentials())
        require_own_page(head)
        require_org(self._dispatcher, wanted.org)
        looks = head.method in ("GET", "HEAD")
        value = _of_query(op, wanted.query) if looks else await self._body(request)
        if wanted.ident is not None:
            if "id" in value and not looks:
                raise InvalidInput("The id stands in the path; leave it out of the body.", field="id")
            value["id"] = _ident(op, wanted.ident)
            if head.method == "PATCH" and op.verb.endswith("save"):
                value = await self._as_it_is(wanted, head, value["id"]) | value
        reply = await self._dispatcher.run(
            admitted,
            to_json(value),
            key=None if looks else head.text("idempotency-key"),
            if_none_match=head.text("if-none-match") if looks else None,
        )
        headers = {"x-kb-seq": str(reply.seq), **admitted.rate_headers}
        found = _answer(head, op, reply, headers)
        await request.answer(found)
        return found.status

    def refuse(self, request: Request, problem: Problem) -> Response:
        problem.headers.setdefault("x-kb-seq", str(self._dispatcher.database.seq))
        return super().refuse(request, problem)

    def _find(self, scope: Scope, method: str) -> _Wanted:
        address = parse_request(scope)
        match address.parts:
            case (_, _, org, collection):
                ident = None
            case (_, _, org, collection, ident) if ident:
                pass
            case _:
                raise self._nothing_here()
        known = {
            one: op
            for (name, one, with_id), op in _OPERATIONS.items()
            if (name, with_id) == (collection, ident is not None)
            and op in self._dispatcher.registry.operations
        }
        if not known:
            raise self._nothing_here()
        op_id = known.get("GET" if method == "HEAD" else method)
        if op_id is None:
            raise other_method(method, known)
        return _Wanted(self._dispatcher.registry.require(op_id), collection, org, ident, address.query)

    async def _as_it_is(self, wanted: _Wanted, head: Head, ident: Any) -> dict[str, Any]:
        """What a save asks for of the thing that it changes, which must be there. Raises NotFound."""
        listing = self._dispatcher.registry.require(_OPERATIONS[wanted.collection, "GET", False])
        admitted = self._dispatcher.admit(listing.id, head.credentials())
        reply = await self._dispatcher.run(admitted, b"{}")
        found = next((one for one in json.loads(reply.body) if one["id"] == ident), None)
        if found is None:
            raise NotFound(f"There is nothing with the id {str(ident)[:100]!r} here.")
        required = (name for name, field in wanted.op.input.model_fields.items() if field.is_required())
        return {name: found[name] for name in required}

    def _nothing_here(self) -> NotFound:
        """Naming the collections that this version has."""
        there = self._dispatcher.registry.operations
        known = dict.fromkeys(name for (name, _, _), op in _OPERATIONS.items() if op in there)
        return NotFound(f"Nothing lives at this path; there are {', '.join(known)}.")

    async def _body(self, request: AsgiRequest) -> dict[str, Any]:
        needed = request.head.method != "DELETE"
        body = await body_of(request, self._site.bodies.largest_bytes, needed=needed)
        return strict_json.parse(body) if body or needed else {}


def _answer(head: Head, op: Operation, reply: OperationResult, headers: dict[str, str]) -> Response:
    """A look has an ETag here, whatever the class of its operation."""
    body, fresh = reply.body, reply.fresh
    if head.method in ("GET", "HEAD"):
        tag = reply.etag or etag.of(body)
        fresh = fresh and not etag.matches(head.text("if-none-match"), tag)
        headers |= {"ETag": tag, "Cache-Control": "private, no-cache"}
    else:
        headers["Cache-Control"] = "no-store"
    if reply.replayed:
        headers["Idempotent-Replayed"] = "true"
    status = 304 if not fresh else 201 if op.verb == "create" else 200
    made = response(status, body if fresh else b"", headers)
    return made._replace(packs=packed if op.compressible else None)


def _of_query(op: Operation, query: dict[str, str]) -> dict[str, Any]:
    """What a look asks for: its input's fields by their names, others are of no meaning."""
    return {name: parameter(name, query[name], kind) for name, kind in _query_kinds(op) if name in query}


def _query_kinds(op: Operation) -> Iterator[tuple[str, QueryKind]]:
    for field, declared in op.input.model_fields.items():
        yield declared.alias or field, _kind(declared.annotation)


def _kind(declared: Any) -> QueryKind:
    """How a value of this declared type is written in a query."""
    if declared in (bool, int, list):
        kinds: dict[Any, QueryKind] = {bool: "truth", int: "whole", list: "texts"}
        return kinds[declared]
    origin = typing.get_origin(declared)
    inner = [origin] if origin is list else typing.get_args(declared)
    if origin is typing.Literal:
        return "text"
    found = [_kind(one) for one in inner if isinstance(one, type) or typing.get_origin(one)]
    return next((one for one in found if one != "text"), "text")


def _ident(op: Operation, text: str) -> Any:
    """An id as the operation takes it."""
    if _kind(op.input.model_fields["id"].annotation) != "whole":
        return text
    return whole_id(text)
