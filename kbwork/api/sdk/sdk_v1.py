"""What client libraries talk to: the snapshot of an environment, the stream of its changes, and what they counted."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import to_json

from kbwork.api.http.request import Head
from kbwork.api.http.response import Response
from kbwork.api.sdk.endpoint import SdkRequest, body_of, holds, plain_refusal
from kbwork.api.sdk.events import read
from kbwork.api.sdk.gate import CLIENT, FlagDelivery, SdkGate
from kbwork.api.sdk.stream import SdkStreams
from kbwork.base.clock import Clock
from kbwork.base.errors import InvalidJson, NotFound, Problem
from kbwork.core.ports.flags import SdkKeyRecord
from kbwork.flagengine.json_values import loads
from kbwork.settings import StreamSettings

_SNAPSHOT: Final = "/sdk/v1/snapshot"
_STREAM: Final = "/sdk/v1/stream"
_EVENTS: Final = "/sdk/v1/events"
_METHODS: Final = {_SNAPSHOT: "GET", _STREAM: "GET", _EVENTS: "POST"}
_MOST_BYTES: Final = 1024 * 1024
_MOST_DIGITS: Final = 18
_BY_QUERY: Final = frozenset({_STREAM, _EVENTS})
"""Where a browser sends no headers of its own: `EventSource` and `sendBeacon`."""
_APART: Final = {"Vary": "Authorization"}
"""Caches keep what each key opens for itself."""
_NEWEST: Final = {"Cache-Control": "public, max-age=0, s-maxage=1, stale-if-error=86400"}
"""A library asks each time; a cache that many share keeps it for a second, and for a day where nobody answers."""
_NAMED: Final = {"Cache-Control": "public, max-age=86400, immutable, stale-if-error=86400"}
"""No number of a version is given twice."""
_TOO_OLD: Final = {"Cache-Control": "no-store"}
"""What is asked for is not here yet: a cache asks again."""


class Sdk:
    """The dialect of /sdk/v1/."""

    name = "sdk"
    writes = frozenset({_EVENTS})

    def __init__(self, delivery: FlagDelivery, gate: SdkGate, streams: StreamSettings, clock: Clock) -> None:
        self._delivery = delivery
        self._gate = gate
        self._clock = clock
        self._streaming = SdkStreams(delivery, streams, clock)

    def method(self, path: str) -> str | None:
        return _METHODS.get(path)

    def token(self, path: str, head: Head, query: Mapping[str, str]) -> str | None:
        """The header wins; in the address only a client-side ID is taken."""
        if head.text("authorization") is None and path in _BY_QUERY:
            client = query.get("clientId")
            return client if client is not None and client.startswith(CLIENT) else None
        return head.bearer

    async def answer(self, visit: SdkRequest) -> Response | None:
        if visit.path == _SNAPSHOT:
            return await self._snapshot(visit, self._gate.key(visit.token))
        if visit.path == _STREAM:
            await self._streaming.run(visit, self._gate.key(visit.token))
            return None
        if visit.path == _EVENTS:
            return await self._events(visit, self._gate.key(visit.token))
        raise NotFound(f"Nothing lives at {visit.path}: there is {_SNAPSHOT}, {_STREAM} and {_EVENTS}.")

    def refusal(self, visit: SdkRequest, problem: Problem) -> Any:
        return plain_refusal(problem)

    async def _snapshot(self, visit: SdkRequest, key: SdkKeyRecord) -> Response:
        edition = await self._delivery.snapshot(key)
        tag = f'"{edition.version}-{key.ident.hex()}"'
        headers = {"ETag": tag, **_APART, **_keeping(_version(visit.query, "version"), edition.version)}
        if holds(visit.head.text("if-none-match"), tag):
            return visit.response(304, b"", headers)
        since = _version(visit.query, "since")
        if key.kind == "server":
            kind = {"Content-Type": "application/octet-stream"}
            sealed = await edition.sealed_since(key, since) if since is not None else None
            return visit.response(200, sealed or await edition.sealed(key), headers | kind)
        kind = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        packed = await edition.packed_since(since) if since is not None else None
        return visit.response(200, packed or await edition.packed(), headers | kind)

    async def _events(self, visit: SdkRequest, key: SdkKeyRecord) -> Response:
        body = await body_of(visit, key, _MOST_BYTES, "application/json", "text/plain")
        try:
            value = loads(body)
        except ValueError:
            raise InvalidJson("The body is not JSON.") from None
        received = read(value, key, self._clock.now())
        counted = await self._delivery.count(received.batch)
        if counted is None:
            return visit.response(202, b'{"duplicate":true}')
        accepted = counted + received.dropped
        told = {"accepted": accepted, "ignored": received.batch.events - accepted}
        return visit.response(202, to_json(told))


def _keeping(wanted: int | None, version: int) -> Mapping[str, str]:
    """How long caches keep the answer to whoever wants this version, or the newest."""
    if wanted is None or wanted < version:
        return _NEWEST
    return _NAMED if wanted == version else _TOO_OLD


def _version(query: Mapping[str, str], name: str) -> int | None:
    """The version that a client names; None for what is none."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
