"""OFREP: flags evaluated here for whoever asks over HTTP, by the protocol that OpenFeature publishes.

No context is kept or logged; what is counted is how often a flag answered what.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import jiter
from pydantic_core import to_json

from kbwork.api.http.request import Head
from kbwork.api.http.response import Response
from kbwork.api.sdk.endpoint import PLAIN, SdkRequest, body_of, holds, plain_refusal
from kbwork.api.sdk.gate import FlagDelivery, SdkGate
from kbwork.base.errors import NotFound, Problem
from kbwork.core.operations import strict_json
from kbwork.core.ports.flags import SdkKeyRecord
from kbwork.flagengine.contexts import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_KINDS,
    TOO_DEEP,
    TOO_MANY,
    Kinds,
    from_openfeature,
    is_deeper,
    lacks_key,
    prepare,
)
from kbwork.flagengine.json_values import loads

EVALUATION: Final = re.compile(rb"/ofrep/v1/evaluate/flags(?:/[\w.-]+)?", re.ASCII)
"""Targets that need not be decoded."""
_FLAGS: Final = "/ofrep/v1/evaluate/flags"
_ONE: Final = _FLAGS + "/"
_TAG_DIGITS: Final = 32
Code = Literal["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"]


class _Refused(Problem):
    """A request that OFREP has an error code for."""

    status = 400

    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class _NoFlag(_Refused):
    status = 404

    def __init__(self, flag: str) -> None:
        super().__init__("FLAG_NOT_FOUND", f"There is no flag {flag!r} that this key sees.")


class Ofrep:
    """The dialect of /ofrep/."""

    name = "ofrep"
    writes: frozenset[str] = frozenset()

    def __init__(self, delivery: FlagDelivery, gate: SdkGate) -> None:
        self._delivery = delivery
        self._gate = gate

    def method(self, path: str) -> str | None:
        return "POST" if path == _FLAGS or path.startswith(_ONE) else None

    def token(self, path: str, head: Head, query: Mapping[str, str]) -> str | None:
        """Published clients send it in either header."""
        bearer = head.bearer
        return head.text("x-api-key") if bearer is None else bearer

    async def answer(self, visit: SdkRequest) -> Response:
        if visit.path == _FLAGS:
            return await self._all(visit, self._gate.key(visit.token))
        flag = visit.path.removeprefix(_ONE)
        if flag == visit.path or not flag:
            raise NotFound(f"Nothing lives at {visit.path}: flags are evaluated at POST {_ONE}<key>.")
        return await self._one(visit, self._gate.key(visit.token), flag)

    def refusal(self, visit: SdkRequest, problem: Problem) -> Any:
        """401 has the body of the REST API, and so has an address where nothing lives."""
        if problem.status == 401 or type(problem) is NotFound:
            return plain_refusal(problem)
        if problem.status >= 500:
            return {"errorDetails": problem.detail}
        code = problem.code if isinstance(problem, _Refused) else "GENERAL"
        flag = visit.path.removeprefix(_ONE)
        named = {"key": flag} if flag != visit.path else {}
        return {**named, "errorCode": code, "errorDetails": problem.detail}

    async def _one(self, visit: SdkRequest, key: SdkKeyRecord, flag: str) -> Response:
        body = await body_of(visit, key, MOST_BYTES, "application/json")
        parsed = _parsed(body, _quickly)
        edition = await self._delivery.snapshot(key)
        if not edition.has(flag, public=key.kind == "client"):
            raise _NoFlag(flag)
        try:
            kinds = _kinds(_mapped(parsed))
        except _Refused:
            # an infinite number where a key or a kind belongs is none for the engine's own reader
            kinds = _kinds(_mapped(_parsed(body, loads)))
        self._delivery.tally.note(edition)
        answer = edition.answer(flag, kinds)
        return visit.response(200 if answer.sound else 400, answer.text)

    async def _all(self, visit: SdkRequest, key: SdkKeyRecord) -> Response:
        mapped = _mapped(_parsed(await body_of(visit, key, MOST_BYTES, "application/json"), loads))
        kinds = _kinds(mapped)
        public = key.kind == "client"
        edition = await self._delivery.snapshot(key)
        tag = _tag(key, edition.version, mapped)
        if holds(visit.head.text("if-none-match"), tag):
            self._delivery.tally.ask()
            return visit.response(304, b"", {"ETag": tag, "Cache-Control": "no-store"})
        await edition.prepare(public=public)
        self._delivery.tally.note(edition)
        flags = b",".join(edition.texts(kinds, public=public))
        rest = b'{"environmentVersion":%d}' % edition.version
        streams = b',"eventStreams":' + _streams(visit.token or "") if public else b""
        body = b'{"flags":[' + flags + b'],"metadata":' + rest + streams + b"}"
        return visit.response(200, body, {"ETag": tag, **PLAIN})


def _parsed(body: bytes, read: Callable[[bytes], Any]) -> dict[str, Any]:
    """The object in a body. Raises _Refused."""
    try:
        value = read(body)
    except ValueError:
        raise _Refused("PARSE_ERROR", "The body should be JSON.") from None
    if type(value) is not dict:
        raise _Refused("PARSE_ERROR", 'The body should be a JSON object, such as {"context": {...}}.')
    return value


def _quickly(body: bytes) -> Any:
    """As the engine reads it, but for numbers that are too large for a double or for its whole numbers. Raises as
    `loads`.

    It keeps names in memory, and no values; what it does not take is left to the engine's own reader.
    """
    try:
        return jiter.from_json(body, allow_inf_nan=False, cache_mode="keys")
    except ValueError:
        return loads(body)


def _mapped(body: dict[str, Any]) -> dict[str, Any]:
    """The context of a body, in our words. Raises _Refused."""
    raw = body.get("context")
    if type(raw) is not dict:
        raise _Refused("INVALID_CONTEXT", 'The body should have the context, as {"context": {...}}.')
    if is_deeper(raw, MOST_DEPTH):
        raise _Refused("INVALID_CONTEXT", f"A context is {TOO_DEEP}.")
    return from_openfeature(raw)


def _kinds(mapped: dict[str, Any]) -> Kinds:
    """A context made ready. Raises _Refused."""
    if lacks_key(mapped):
        raise _Refused("TARGETING_KEY_MISSING", "The context has no targetingKey.")
    kinds = prepare(mapped)
    if kinds is None:
        raise _Refused(
            "INVALID_CONTEXT",
            "A context has a targetingKey of text, and a kind of letters, digits, dots, dashes and underscores;"
            " of the kind multi, it is objects of such by their kinds.",
        )
    if len(kinds) > MOST_KINDS:
        raise _Refused("INVALID_CONTEXT", f"A context is {TOO_MANY}.")
    return kinds


def _tag(key: SdkKeyRecord, version: int, context: Mapping[str, Any]) -> str:
    """Of all that decides the answer, so that it is known before anything is evaluated."""
    decides = f"{key.environment}.{version}.{key.kind}.".encode() + strict_json.canonical(context)
    return f'"{hashlib.sha256(decides).hexdigest()[:_TAG_DIGITS]}"'


def _streams(token: str) -> bytes:
    """Where a browser hears of changes: its EventSource sends no headers, so the ID stands in the address."""
    uri = f"/sdk/v1/stream?clientId={token}"
    return to_json([{"type": "sse", "endpoint": {"requestUri": uri}}])
