"""Calls of tools that read, without the package behind the door: its answer is put around the bytes of the operation's.

What is not plain goes to the package, which says what is wrong with it. Both answer alike, to the byte.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import jiter
from pydantic_core import to_json

from kbwork.api.http.compression import packed
from kbwork.api.http.exchange import Fields
from kbwork.api.http.response import Response
from kbwork.core.operations.call import OperationResult
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

VERSIONS = frozenset({b"2024-11-05", b"2025-03-26", b"2025-06-18", b"2025-11-25"})
"""Of the protocol, in which a call is one object and its answer another."""
_MEMBERS = {"jsonrpc", "id", "method", "params"}
_PARAMS = {"name", "arguments", "_meta"}
_MOST = 2**53


class PlainCall(NamedTuple):
    """A call of a tool, as its client numbered it."""

    id: int | str
    op: Operation
    arguments: Mapping[str, Any]


@cache
def tools(registry: Registry) -> dict[str, Operation]:
    """The operations that can be called so: those that read and need nothing but what is here."""
    return {
        op.id.replace(".", "_"): op
        for op in registry.operations.values()
        if op.cls == "read" and op.road == "read" and not (op.waits or op.public or op.system)
    }


def read(known: Mapping[str, Operation], fields: Fields, body: bytes) -> PlainCall | None:
    """The call in a body; None where that is none of these, or not plain."""
    accepts = fields.get(b"accept", b"")
    if b"application/json" not in accepts and b"*/*" not in accepts:
        return None
    if fields.get(b"mcp-protocol-version", b"2025-03-26") not in VERSIONS:
        return None
    try:
        value = jiter.from_json(body, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValueError:
        return None
    return _call(known, value)


def _call(known: Mapping[str, Operation], value: Any) -> PlainCall | None:
    if type(value) is not dict or value.keys() != _MEMBERS or value["jsonrpc"] != "2.0":
        return None
    number, params = value["id"], value["params"]
    if value["method"] != "tools/call" or type(params) is not dict or not params.keys() <= _PARAMS:
        return None
    if type(number) is not str and (type(number) is not int or not -_MOST < number < _MOST):
        return None
    name, arguments, meta = params.get("name"), params.get("arguments", {}), params.get("_meta", {})
    op = known.get(name) if type(name) is str else None
    if (
        op is None
        or type(arguments) is not dict
        or type(meta) is not dict
        or not meta.keys() <= {"progressToken"}
    ):
        return None
    return PlainCall(number, op, arguments)


def answered(call: PlainCall, reply: OperationResult) -> Response:
    """What the operation answered."""
    body = reply.body
    if body[:1] == b"{":
        structured = b',"structuredContent":%b' % body
    elif body[:1] == b"[":
        structured = b',"structuredContent":{"result":%b}' % body
    else:
        structured = b""
    told = b'"_meta":{"x-kb-seq":%d},"content":[{"text":%b,"type":"text"}],"isError":false%b'
    made = _response(call, told % (reply.seq, to_json(body.decode()), structured))
    return made._replace(packs=packed) if call.op.compressible else made


def refused(call: PlainCall, document: bytes) -> Response:
    """The problem that the operation was refused with."""
    return _response(
        call, b'"content":[{"text":%b,"type":"text"}],"isError":true' % to_json(document.decode())
    )


def _response(call: PlainCall, result: bytes) -> Response:
    body = b'{"jsonrpc":"2.0","id":%b,"result":{%b}}' % (to_json(call.id), result)
    return Response(200, b"content-type: application/json\r\ncontent-length: %d\r\n" % len(body), body)
