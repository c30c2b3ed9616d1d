"""Calls with patience: repeated where that is safe, page by page, event by event."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from io import SEEK_END
from types import FunctionType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar
from urllib.parse import quote

from kbwork.client.errors import KbworkError, KbworkProblem, Unreachable
from kbwork.client.profile import find
from kbwork.client.stream import Stream
from kbwork.client.suggest import nearest
from kbwork.client.transport import HttpResponse, Transport

UNSET: Any = type("Unset", (), {"__repr__": lambda _: "UNSET", "__bool__": lambda _: False})()
"""A field that is not sent, where None is sent as null."""


ClientT = TypeVar("ClientT", bound="ApiClient")


class Reply(NamedTuple):
    """An answer and what came beside it. `data` is None and `fresh` False where an ETag still holds."""

    data: Any
    seq: int
    etag: str | None
    fresh: bool
    replayed: bool


class ApiClient:
    """One server, one caller. May be used by many threads at once.

    Without arguments it takes `KBWORK_URL` and `KBWORK_KEY`, or what sign-in stored. Calls without an answer,
    or with 429, 503, 507, are repeated `retries` times; a write carries an Idempotency-Key, so this is safe.
    """

    retries = 4
    longest_wait_s = 30.0
    """A server that asks for more patience than this is not waited for."""
    reads: frozenset[str] = frozenset()
    """Operations that take no Idempotency-Key."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        key_file: str | None = None,
        profile: str | None = None,
        timeout_s: float = 60.0,
    ) -> None:
        target = find(url, key, key_file, profile)
        self.url = target.url
        self.last_seq = 0
        """The latest `x-kb-seq` seen: pass it as `since` to `changes`."""
        self._transport = Transport(target.url, target.key, timeout_s)

    def ask(
        self,
        op: str,
        fields: dict[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        if_none_match: str | None = None,
    ) -> Reply:
        """Run an operation. Raises KbworkProblem when it is refused, Unreachable when no answer came.

        Of the fields, those that are UNSET are left out.
        """
        headers = {}
        if if_none_match is not None:
            headers["If-None-Match"] = if_none_match
        if op not in self.reads:
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        sent = {name: value for name, value in (fields or {}).items() if value is not UNSET}
        answer = self._patiently(f"/api/v1/{quote(op, safe='')}", _body(sent), headers)
        seq = int(answer.headers.get("x-kb-seq", 0))
        self.last_seq = max(self.last_seq, seq)
        if answer.status not in (200, 304):
            problem = problem_of(answer)
            problem.sent = sent
            raise problem
        return Reply(
            data=_data(answer) if answer.status == 200 else None,
            seq=seq,
            etag=answer.headers.get("etag"),
            fresh=answer.status == 200,
            replayed=answer.headers.get("idempotent-replayed") == "true",
        )

    def call(
        self, op: str, fields: dict[str, Any] | None = None, *, idempotency_key: str | None = None
    ) -> Any:
        """Run an operation and get what it answers."""
        return self.ask(op, fields, idempotency_key=idempotency_key).data

    def every(self, op: str, **fields: Any) -> Iterator[Any]:
        """Each row of a list, over all its pages."""
        while True:
            answer = self.call(op, fields)
            paged = isinstance(answer, dict)
            yield from answer["items"] if paged else answer
            following = answer.get("next") if paged else None
            if following is None:
                return
            fields = {**fields, "cursor": following}

    def batch(
        self, ops: Iterable[tuple[str, dict[str, Any]]], *, idempotency_key: str | None = None
    ) -> list[Any]:
        """Run operations in one transaction: all of them, or none. Answers what each answered, in order."""
        asked = [{"op": op, "input": fields} for op, fields in ops]
        answer = self.call("api.batch", {"ops": asked}, idempotency_key=idempotency_key)
        return list(answer["results"])

    def changes(self, since: int = 0, *, follow: bool = True, every_s: float = 1.0) -> ChangeFeed:
        """The events after `since`, oldest first: for ever, asking each `every_s`, or until caught up."""
        return ChangeFeed(self, since, follow=follow, every_s=every_s)

    def stream(
        self,
        since: int | None = None,
        *,
        kinds: Iterable[str] = (),
        subjects: Iterable[str] = (),
        tql: str = "",
    ) -> Stream:
        """Events as they happen, over one connection that comes back by itself."""
        asked = {"kinds": ",".join(kinds), "subjects": ",".join(subjects), "tql": tql}
        return Stream(self._transport, {name: value for name, value in asked.items() if value}, since)

    def upload(self, file: IO[bytes], name: str) -> dict[str, Any]:
        """Send a file for attachments.add or imports.open, from where it stands to its end: `upload`, `size`,
        `sha256`.

        Raises KbworkProblem and Unreachable, and is not repeated by itself.
        """
        start = file.tell()
        length = file.seek(0, SEEK_END) - start
        file.seek(start)
        answer = self._transport.send(f"/files/upload?name={quote(name, safe='')}", file, length)
        if answer.status != 200:
            raise problem_of(answer)
        found: dict[str, Any] = _data(answer)
        return found

    def close(self) -> None:
        """Close what is open. The client may be used again."""
        self._transport.close()

    def __enter__(self: ClientT) -> ClientT:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    if not TYPE_CHECKING:  # a type checker knows the names itself

        def __getattr__(self, name: str) -> NoReturn:
            raise _unknown(f"{type(self).__name__} has no module or method {name!r}.", name, self)

    def _patiently(self, path: str, body: bytes, headers: dict[str, str]) -> HttpResponse:
        tries = 0
        while True:
            try:
                answer = self._transport.exchange(path, body, headers)
            except Unreachable as error:
                if tries == self.retries or not error.again:
                    raise
                pause_s = backoff_s(tries)
            else:
                wait_s = _wait_s(answer, tries)
                if wait_s is None or tries == self.retries or wait_s > self.longest_wait_s:
                    return answer
                pause_s = wait_s
            time.sleep(pause_s)
            tries += 1


class ChangeFeed:
    """An iterator over events. `since` is where to go on from; it skips what the caller does not see, too."""

    def __init__(self, client: ApiClient, since: int, *, follow: bool, every_s: float) -> None:
        self.since = since
        self._client = client
        self._follow = follow
        self._every_s = every_s
        self._waiting: list[dict[str, Any]] = []
        self._next = since
        self._more = True

    def __iter__(self) -> ChangeFeed:
        return self

    def __next__(self) -> dict[str, Any]:
        while not self._waiting:
            self.since = self._next
            if not self._more:
                if not self._follow:
                    raise StopIteration
                time.sleep(self._every_s)
            answer = self._client.call("api.changes", {"since": self.since})
            self._waiting = answer["events"][::-1]
            self._next, self._more = answer["next"], answer["more"]
        event = self._waiting.pop()
        self.since = event["seq"] if self._waiting else self._next
        return event


class Module:
    """The operations of one module."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if not name.startswith("_"):
                setattr(cls, name, _knowing_its_fields(method))

    if not TYPE_CHECKING:  # a type checker knows the names itself

        def __getattr__(self, name: str) -> NoReturn:
            module = type(self).__name__.removesuffix("Module").lower()
            raise _unknown(f"The module {module} has no operation {name!r}.", name, self)


def _knowing_its_fields(method: FunctionType) -> Callable[..., Any]:
    """The method, which names the nearest field where one is not known."""
    known = frozenset(method.__code__.co_varnames)

    @wraps(method)
    def called(self: Module, *positional: Any, **fields: Any) -> Any:
        for name in fields.keys() - known:
            raise TypeError(f"{method.__name__}() has no field {name!r}.{nearest(name, known)}")
        return method(self, *positional, **fields)

    return called


def _unknown(text: str, name: str, owner: object) -> AttributeError:
    known = [each for each in (*vars(owner), *dir(type(owner))) if not each.startswith("_")]
    return AttributeError(text + nearest(name, known))


def backoff_s(tries: int) -> float:
    """0.2 s, doubling, with up to a quarter more, so that many callers do not come back at once."""
    return float(0.2 * 2**tries * (1 + secrets.randbelow(250) / 1000))


def problem_of(answer: HttpResponse) -> KbworkProblem:
    """The problem in a refusal; where a proxy answered in between, what can be told of it."""
    try:
        document = json.loads(answer.body)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {
            "detail": "This is no answer of kbwork; look at the address and at what stands in between."
        }
    return KbworkProblem(answer.status, document)


def _body(sent: dict[str, Any]) -> bytes:
    try:
        return json.dumps(sent, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise KbworkError(f"The input is no JSON: {error}") from None


def _data(answer: HttpResponse) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        raise problem_of(answer) from None


def _wait_s(answer: HttpResponse, tries: int) -> float | None:
    """How long until the call may succeed; None where repeating it is of no use."""
    asked = answer.headers.get("retry-after", "")
    ours = answer.headers.get("content-type", "").startswith("application/problem+json")
    if answer.status in (429, 503, 507) and asked.isdigit():
        return max(float(asked), backoff_s(tries))
    if answer.status == 503 or (answer.status in (502, 504) and not ours):
        return backoff_s(tries)
    return None
