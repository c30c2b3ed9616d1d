"""The flag REST: `/api/v1/me` and `/api/v1/orgs/...`, translated to the operations of flags and back."""

import asyncio
import json
import logging
import re
from functools import cached_property
from typing import Any

from pydantic_core import from_json, to_json

from kbwork.api.flags.errors import Refusals
from kbwork.api.flags.openapi import document
from kbwork.api.flags.routes import ROOT, Bound, Paths, paths
from kbwork.api.http.compression import packed, packed_once
from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import refusal_headers
from kbwork.api.http.request import AsgiRequest, Head, Request, require_own_page
from kbwork.api.http.response import Response, response
from kbwork.api.http.site import Site
from kbwork.api.org_requests import (
    OrgRequest,
    body_of,
    other_method,
    parameter,
    parse_request,
    require_org,
    whole_id,
)
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import (
    Conflict,
    InsufficientScope,
    InvalidInput,
    NotFound,
    Problem,
    UnknownField,
)
from kbwork.base.text import no_field, whole_number
from kbwork.core.operations import etag, pagination, strict_json
from kbwork.core.operations.call import AuthorizedCall, OperationResult

DOCUMENT = f"{ROOT}/flags-openapi.json"
_ROOT_PARTS = len(ROOT.split("/")) - 1
_BESIDE_BYTES = 64 * 1024
"""A longer answer is translated on a thread of its own."""
_LARGE_BYTES = 1_000_000
"""A part of so many bytes may have ended before its limit."""
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_SHOWN_CHARS = 100


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One request: its route, the names in its path, and what it asks in the query."""

    bound: Bound
    names: dict[str, str]
    query: dict[str, str]

    @property
    def part(self) -> int | None:
        """How many entries of a list are asked for; None: all."""
        if self.bound.route.portion is None or not {"limit", "cursor"} & set(self.query):
            return None
        return int(parameter("limit", self.query.get("limit", str(pagination.DEFAULT)), "whole"))

    @property
    def dry(self) -> bool:
        return self.bound.tries and bool(parameter("dryRun", self.query.get("dryRun", "false"), "truth"))


class FlagRest(Endpoint):
    """ASGI endpoint for the management of flags by path and method."""

    door = "flags"
    log = logging.getLogger("kbwork.flags")
    wrong = "Something went wrong here."  # the refusal adds where the log has it

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._document: tuple[str, bytes] | None = None

    @cached_property
    def _paths(self) -> Paths:
        """Bound for the first call, which waits 3 ms for it."""
        return paths(self._dispatcher.registry)

    @cached_property
    def _refusals(self) -> Refusals:
        return Refusals(self._paths.bound)

    async def answer(self, request: AsgiRequest) -> int:
        found = await (self._describe(request.head) if request.path == DOCUMENT else self._managed(request))
        await request.answer(found)
        return found.status

    async def _managed(self, request: AsgiRequest) -> Response:
        head = request.head
        wanted = self._find(parse_request(request.scope), head.method)
        request.found = bound = wanted.bound
        request.cls = bound.op.cls
        admitted = self._admit(bound, head)
        require_own_page(head)
        if "org" in wanted.names:
            require_org(self._dispatcher, wanted.names["org"])
        value = await self._input(wanted, request)
        if bound.route.changes:
            key = head.text("idempotency-key")
            reply = await self._dispatcher.run(admitted, to_json(value), key=key)
            return await _changed(wanted, admitted, reply)
        held = None if bound.route.op == "flags.get" else head.text("if-none-match")
        reply = await self._dispatcher.run(admitted, to_json(value), if_none_match=held)
        return await _looked(head, admitted, reply, wanted)

    def refuse(self, request: Request, problem: Problem) -> Response:
        head = request.head
        first = {"x-kb-seq": str(self._dispatcher.database.seq), "Cache-Control": "no-store"}
        headers = refusal_headers(problem, first)
        by_key = isinstance(problem, InsufficientScope) and self._by_key(head)
        bound = request.found if isinstance(request.found, Bound) else None
        status, answer = self._refusals.told(problem, bound, head.request, by_key=by_key)
        return response(status, to_json(answer), headers)

    def _find(self, address: OrgRequest, method: str) -> _Wanted:
        found = self._paths.find(address.parts[_ROOT_PARTS:])
        if found is None:
            raise NotFound(f"Nothing lives at this path; {DOCUMENT} lists what there is.")
        methods, names = found
        bound = methods.get("GET" if method == "HEAD" else method)
        if bound is None:
            raise other_method(method, methods)
        return _Wanted(bound, names, address.query)

    def _admit(self, bound: Bound, head: Head) -> AuthorizedCall:
        """By the first of its operations that is open to the caller."""
        *others, last = bound.judged
        who = head.credentials()
        for op_id in others:
            try:
                return self._dispatcher.admit(op_id, who)._replace(op=bound.op)
            except (InsufficientScope, NotFound):
                continue
        return self._dispatcher.admit(last, who)._replace(op=bound.op)

    async def _input(self, wanted: _Wanted, request: AsgiRequest) -> dict[str, Any]:
        """What the operation takes, in its own names."""
        bound, route = wanted.bound, wanted.bound.route
        value: dict[str, Any] = {}
        for name in route.placed:
            value[route.field_of(name)] = whole_id(wanted.names[name]) if name == "id" else wanted.names[name]
        for name, kind in route.query.items():
            if name in wanted.query:
                value[route.field_of(name)] = parameter(name, wanted.query[name], kind)
        if wanted.dry:
            value["dry_run"] = True
        if route.op == "flags.update" and (held := request.head.text("if-match")) not in (None, "*"):
            value["versions"] = _versions(held or "")
        if route.changes:
            body = await body_of(request, self._site.bodies.largest_bytes, needed=bool(bound.body))
            value |= _members(bound, body)
        return value

    async def _describe(self, head: Head) -> Response:
        """The OpenAPI document, made when it is first asked for."""
        if head.method not in ("GET", "HEAD"):
            raise other_method(head.method, ["GET"])
        if self._document is None:
            self._document = await asyncio.to_thread(self._made)
        tag, body = self._document
        fresh = not _held(head.text("if-none-match"), tag)
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        made = response(200 if fresh else 304, body if fresh else b"", headers)
        return made._replace(packs=packed_once)

    def _made(self) -> tuple[str, bytes]:
        found = document(self._dispatcher.registry, self._paths.bound)
        body = json.dumps(found, ensure_ascii=False, indent=1).encode()
        return etag.of(body), body

    def _by_key(self, head: Head) -> bool:
        """Whether a key is calling, and not a person who is signed in."""
        try:
            return self._dispatcher.identify(head.credentials()).session is None
        except Problem:  # it ended between the two looks
            return True


def _members(bound: Bound, body: bytes) -> dict[str, Any]:
    """The members of a body as the operation's fields. Raises InvalidJson or UnknownField."""
    if not body and not bound.body:
        return {}
    value: dict[str, Any] = {}
    for name, member in strict_json.parse(body).items():
        if name not in bound.body:
            raise _unknown(name[:_SHOWN_CHARS], bound)
        field = bound.body[name]
        value[field] = "bool" if field == "kind" and member == "boolean" else member
    missing = sorted(name for name in bound.needed if bound.body[name] not in value)
    if missing:
        raise InvalidInput(f"{missing[0]}: is required", field=missing[0])
    return value


def _unknown(name: str, bound: Bound) -> UnknownField:
    return UnknownField(no_field(name, sorted(bound.body)), field=name)


async def _changed(wanted: _Wanted, admitted: AuthorizedCall, reply: OperationResult) -> Response:
    headers = {"x-kb-seq": str(reply.seq), "Cache-Control": "no-store", **admitted.rate_headers}
    if reply.replayed:
        headers["Idempotent-Replayed"] = "true"
    _, body = await _told(wanted.bound, reply.body, dry=wanted.dry)
    return response(201 if wanted.bound.route.creates and not wanted.dry else 200, body, headers)


async def _looked(head: Head, admitted: AuthorizedCall, reply: OperationResult, wanted: _Wanted) -> Response:
    bound, fresh, body, tag = wanted.bound, reply.fresh, b"", reply.etag
    if fresh:
        told, body = await _told(bound, reply.body, part=wanted.part)
        tag = tag or etag.of(body)
        if bound.route.op == "flags.get":
            tag = _flag_tag(told, tag)
        fresh = not _held(head.text("if-none-match"), tag)
    assert tag is not None
    headers = {"x-kb-seq": str(reply.seq), "Cache-Control": "private, no-cache", "ETag": tag}
    headers |= admitted.rate_headers
    made = response(200 if fresh else 304, body if fresh else b"", headers)
    return made._replace(packs=packed if admitted.op.compressible else None)


async def _told(
    bound: Bound, body: bytes, *, dry: bool = False, part: int | None = None
) -> tuple[Any, bytes]:
    """An operation's answer in our names, and as bytes; a part of a list with what to ask for next."""

    def tell() -> tuple[Any, bytes]:
        told = bound.tell(from_json(body))
        if dry:
            told["dryRun"] = True
        if part is not None:
            items, by = told["items"], bound.route.portion
            more = len(items) >= part or len(body) >= _LARGE_BYTES  # the one behind may have had no room
            told["next"] = str(items[-1][by]) if items and more else None
        return told, to_json(told)

    return tell() if len(body) <= _BESIDE_BYTES else await asyncio.to_thread(tell)


def _flag_tag(flag: dict[str, Any], tag: str) -> str:
    """The versions of a flag, which `If-Match` takes, and behind a colon what tells the rest of the answer apart."""
    versions = [f"flag={flag['version']}"]
    versions += [f"{key}={state['version']}" for key, state in flag["environments"].items()]
    return f'"{",".join(versions)}:{tag[1:17]}"'


def _versions(held: str) -> dict[str, int]:
    """The versions in an `If-Match`. Raises Conflict where it is no ETag of a flag: then it is not what is there."""
    found = _TAG.fullmatch(held.strip())
    versions: dict[str, int] = {}
    for part in found[1].partition(":")[0].split(",") if found else ():
        name, _, digits = part.strip().rpartition("=")
        number = whole_number(digits)
        if not name or number is None:
            found = None
            break
        versions[name] = number
    if found is None:
        raise Conflict(
            "If-Match should hold one ETag as GET of this flag answers it; look at the flag again."
        )
    return versions


def _held(header: str | None, tag: str) -> bool:
    """Whether `If-None-Match` holds this ETag; ours have commas in them."""
    if header is None:
        return False
    return header.strip() == "*" or tag[1:-1] in _TAG.findall(header)
