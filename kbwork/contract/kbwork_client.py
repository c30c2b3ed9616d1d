#!/usr/bin/env python3
"""The kbwork client in one file, for Python 3.9 and later: library and command line, without dependencies.

    from kbwork import Kbwork                        # this file, as kbwork.py

    client = Kbwork()                                # KBWORK_URL and KBWORK_KEY, or what `login` stored
    for issue in client.every("issues.list"): ...    # all pages
    client.labels.save(name="bug")                   # one typed method per operation

    $ python kbwork.py login --url https://work.example.org
    $ python kbwork.py labels list --help

Made by `kbwork contract`; changes belong into the files that it is made from. The shapes of answers are for
annotations: import them under `TYPE_CHECKING`.
"""
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import base64
import contextlib
import csv
import difflib
import http.client
import io
import json
import keyword
import os
import re
import secrets
import shlex
import shutil
import ssl
import subprocess
import sys
import tempfile
import textwrap
import time
import unicodedata
import urllib.parse
import weakref
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from io import SEEK_END
from pathlib import Path
from types import FunctionType
from typing import Any, Dict, IO, List, Literal, NamedTuple, NoReturn, TYPE_CHECKING, TypeVar, Union
from urllib.parse import quote, urlsplit


__version__ = '0.2.0'
__all__ = ['Kbwork', 'ApiClient', 'Reply', 'ChangeFeed', 'Stream', 'UNSET', 'KbworkError', 'KbworkProblem', 'NotSignedIn', 'Unreachable', 'Profile', 'sign_in']


def nearest(word: str, known: Iterable[str]) -> str:
    """A question that names the nearest known word; nothing where none is near. Dashes in front count for nothing."""
    bare = {each.lstrip("-"): each for each in known}
    found = difflib.get_close_matches(word.lower().lstrip("-"), list(bare), n=1, cutoff=0.6)
    return f" Did you mean {bare[found[0]]}?" if found else ""


class KbworkError(Exception):
    """A call that has no answer."""

    exit_code = 1


class KbworkProblem(KbworkError):
    """The server refused (RFC 9457): `detail` says what to mend, `errors` which fields do not fit.

    `slug` is the last part of the problem's `type`, such as `not-found`; `extra` holds its other members.
    """

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.slug = str(document.get("type", "")).rpartition("/")[2] or f"http-{status}"
        self.title = str(document.get("title") or f"HTTP {status}")
        self.detail = str(document.get("detail") or "")
        self.request_id = document.get("request_id")
        known = ("type", "title", "status", "detail", "request_id")
        self.extra = {name: value for name, value in document.items() if name not in known}
        self.errors: list[dict[str, Any]] = self.extra.get("errors") or []
        self.sent: dict[str, Any] = {}
        """The fields of the call, where an operation was refused."""
        super().__init__(f"{self.title}: {self.detail}" if self.detail else self.title)


class Unreachable(KbworkError):
    """No answer came. `again`: the call may be repeated at once."""

    exit_code = 4

    def __init__(self, text: str, *, again: bool = True) -> None:
        self.again = again
        super().__init__(text)


class NotSignedIn(KbworkError):
    """No server is known, or the sign-in was turned down."""

    exit_code = 3


class Profile(NamedTuple):
    """One server and the key for it."""

    name: str
    url: str
    key: str


class BadKeyFile(KbworkError):
    """The file that should hold the key cannot be read."""

    exit_code = 2


class ServerTarget(NamedTuple):
    """What to talk to; without a key only operations that ask for no sign-in work."""

    url: str
    key: str | None


def profiles_file() -> Path:
    """The file that holds the profiles."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "kbwork" / "profiles.json"


def profiles() -> dict[str, Profile]:
    """All that are stored, the one that is used without a name first."""
    held = _held()
    found = {
        name: Profile(name, str(entry["url"]), str(entry["key"])) for name, entry in held["profiles"].items()
    }
    return dict(sorted(found.items(), key=lambda item: item[0] != held["current"]))


def store(profile: Profile) -> None:
    """Keep a profile, readable by its owner alone, and use it from now on."""
    held = _held()
    held["profiles"][profile.name] = {"url": profile.url, "key": profile.key}
    held["current"] = profile.name
    _keep(held)


def forget(name: str) -> bool:
    """Whether there was such a profile."""
    held = _held()
    known = held["profiles"].pop(name, None) is not None
    if known:
        held["current"] = next(iter(held["profiles"]), None) if held["current"] == name else held["current"]
        _keep(held)
    return known


def find(url: str | None, key: str | None, key_file: str | None, profile: str | None) -> ServerTarget:
    """What arguments, `KBWORK_URL`, `KBWORK_KEY`, `KBWORK_PROFILE` and profiles say, in this order.

    A profile's key goes to that profile's server only. An empty `key` asks for no key at all.
    Raises NotSignedIn when no server is named anywhere, and BadKeyFile.
    """
    if key is None and key_file is not None:
        key = _key_in(key_file)
    stored = profiles()
    chosen = _chosen(stored, profile)
    if url is None and profile is not None and chosen is not None:
        url = chosen.url
    url = url or os.environ.get("KBWORK_URL") or (chosen.url if chosen else None)
    if not url:
        raise NotSignedIn(
            "No server is known: sign in with `kbwork login` (with --url, where it is on another machine),"
            " or set KBWORK_URL"
        )
    url = url.rstrip("/")
    if key is None and (profile is None or chosen is None):
        key = os.environ.get("KBWORK_KEY", "").strip() or None
    if key is None:
        fitting = [chosen] if chosen is not None else []
        fitting += stored.values() if profile is None else []
        key = next((each.key for each in fitting if each.url == url), None)
    return ServerTarget(url, key or None)


def _key_in(key_file: str) -> str:
    try:
        return Path(key_file).expanduser().read_text(encoding="utf-8").strip()
    except OSError as error:
        why = error.strerror
    except RuntimeError:
        why = "there is no such home"
    except ValueError:
        why = "it should be text in UTF-8"
    raise BadKeyFile(f"The key file {key_file} cannot be read: {why}")


def _chosen(stored: dict[str, Profile], profile: str | None) -> Profile | None:
    name = profile or os.environ.get("KBWORK_PROFILE")
    if name and name not in stored:
        raise NotSignedIn(
            f"There is no profile {name!r}: sign in with `kbwork login --profile {name} --url https://...`"
        )
    return stored[name] if name else next(iter(stored.values()), None)


def _held() -> dict[str, Any]:
    try:
        text = profiles_file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return {"current": None, "profiles": {}}
    try:
        held: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise KbworkError(f"{profiles_file()} is no JSON ({error}): remove it and sign in again") from None
    return held


def _keep(held: dict[str, Any]) -> None:
    """Written beside and renamed, so that a reader never finds half of it; mkstemp makes it 0600."""
    folder = profiles_file().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix="profiles-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(held, file, indent=1)
        file.write("\n")
    Path(name).replace(profiles_file())


Connection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]  # noqa: UP007 - Python 3.9 runs this line


class HttpResponse(NamedTuple):
    """One HTTP answer; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Transport:
    """Connections to one server. `timeout_s` bounds each wait for the network."""

    def __init__(self, url: str, key: str | None, timeout_s: float) -> None:
        parts = _parts(url)
        if key and not (key.isascii() and key.isprintable()):
            raise NotSignedIn("The key holds signs that no key has.")
        self.url = url
        self.timeout_s = timeout_s
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._key = key
        self._idle: deque[Connection] = deque()
        self._end = weakref.finalize(self, _close_all, self._idle)

    def exchange(self, path: str, body: bytes | None, headers: dict[str, str]) -> HttpResponse:
        """POST the body, or GET where there is none. Raises Unreachable."""
        while True:
            connection, kept = self._take()
            try:
                response = self._send(connection, path, body, headers)
                answer = HttpResponse(response.status, _headers(response), response.read())
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                if kept and not _timed_out(error):
                    continue  # the server closed a kept connection meanwhile: the next one, at last a new one
                raise self._unreachable(error) from error
            except BaseException:
                connection.close()
                raise
            if connection.sock is None:
                connection.close()
            else:
                self._idle.append(connection)
            return answer

    def open(
        self, path: str, headers: dict[str, str], timeout_s: float
    ) -> tuple[Connection, http.client.HTTPResponse]:
        """GET an answer that is read as it comes, on a connection of its own. Raises Unreachable."""
        connection = self._connect(timeout_s)
        try:
            return connection, self._send(connection, path, None, headers)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error

    def send(self, path: str, file: IO[bytes], length: int) -> HttpResponse:
        """POST a file as it is, on a connection of its own. Raises Unreachable."""
        connection = self._connect(self.timeout_s)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(length)}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it says why before all is sent
                connection.request("POST", self._prefix + path, file, headers)
            response = connection.getresponse()
            return HttpResponse(response.status, _headers(response), response.read())
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()

    def close(self) -> None:
        """Close the connections that are not in use."""
        _close_all(self._idle)

    def _take(self) -> tuple[Connection, bool]:
        try:
            return self._idle.pop(), True
        except IndexError:
            return self._connect(self.timeout_s), False

    def _connect(self, timeout_s: float) -> Connection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)

    def _send(
        self, connection: Connection, path: str, body: bytes | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        sent = {"User-Agent": f"kbwork/{__version__}", "Accept": "application/json", **headers}
        if self._key:
            sent["Authorization"] = f"Bearer {self._key}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection.request("GET" if body is None else "POST", self._prefix + path, body, sent)
        return connection.getresponse()

    def _unreachable(self, error: Exception) -> Unreachable:
        if _timed_out(error):
            return Unreachable(f"{self.url} did not answer in time", again=False)
        broken = isinstance(error, ssl.SSLCertVerificationError)
        return Unreachable(
            f"{self.url} cannot be reached: {str(error) or type(error).__name__}", again=not broken
        )


def _parts(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise Unreachable(f"{url} is no address such as https://work.example.org", again=False)
    return parts


def _timed_out(error: Exception) -> bool:
    return isinstance(error, TimeoutError) or "timed out" in str(error)


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _close_all(idle: deque[Connection]) -> None:
    while idle:
        idle.pop().close()


_SILENCE_S = 45.0
"""The server sends a comment every 15 s: after three without one the connection is dead."""
_LONGEST_PAUSE_S = 30.0
_TRIES = 10


class Stream:
    """An iterator over events. Raises KbworkProblem when the server refuses, Unreachable when it stays away.

    `since` is the number of the last event. When events after it are no longer kept, the problem's slug is
    `stale` and its `extra` holds `oldest`.
    """

    def __init__(self, transport: Transport, asked: dict[str, str], since: int | None) -> None:
        self.since = since
        self._transport = transport
        self._asked = asked
        self._open: tuple[Connection, http.client.HTTPResponse] | None = None

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> dict[str, Any]:
        while True:
            name, number, data = self._message()
            if name == "gap":
                self.close()
                oldest = data.get("oldest")
                detail = f"Events after {self.since} are no longer kept; the oldest is {oldest}."
                raise KbworkProblem(409, {"type": "/problems/stale", "detail": detail, "oldest": oldest})
            if number is not None:
                self.since = number
                return data

    def close(self) -> None:
        """Hang up. Iterating on opens the stream again."""
        if self._open is not None:
            connection, response = self._open
            self._open = None
            response.close()
            connection.close()

    def _message(self) -> tuple[str, int | None, dict[str, Any]]:
        """The next message: its name, its number if it has one, its data. Comes back after breaks."""
        tries = 0
        while True:
            try:
                if self._open is None:
                    self._open = self._connect()
                return _read(self._open[1])
            except (OSError, http.client.HTTPException, Unreachable) as error:
                self.close()
                if tries == _TRIES:
                    raise Unreachable(f"{self._transport.url} stays away: {error}") from error
            time.sleep(min(0.2 * 2**tries, _LONGEST_PAUSE_S))
            tries += 1

    def _connect(self) -> tuple[Connection, http.client.HTTPResponse]:
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        asked = dict(self._asked)
        if self.since is not None:
            asked["since"] = str(self.since)
        query = "?" + urllib.parse.urlencode(asked) if asked else ""
        connection, response = self._transport.open("/api/v1/stream" + query, headers, _SILENCE_S)
        if response.status == 200:
            return connection, response
        body = response.read()
        connection.close()
        if response.status in (429, 502, 503, 504):
            raise Unreachable(f"HTTP {response.status}")
        raise _refused(response.status, body)


def _refused(status: int, body: bytes) -> KbworkProblem:
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    return KbworkProblem(status, document if isinstance(document, dict) else {})


def _read(response: http.client.HTTPResponse) -> tuple[str, int | None, dict[str, Any]]:
    """One message. Raises Unreachable at the end of the stream."""
    name, number, data = "message", None, []
    while True:
        line = response.readline()
        if not line:
            raise Unreachable("the stream ended")
        field, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            number = int(value)
        elif field == "data":
            data.append(value)
        elif line.strip() == b"" and data:
            return name, number, json.loads("\n".join(data))
        elif line.strip() == b"":
            name, number = "message", None


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


_SLOWER_S = 5
"""What RFC 8628 adds to the interval when the server says `slow_down`."""
_PASSING = (429, 500, 502, 503, 504)
"""Statuses of a server that is busy or starts anew: the code is as good afterwards."""


def tell(text: str) -> None:
    """To the person, apart from results."""
    sys.stderr.write(text + "\n")


def sign_in(
    url: str,
    *,
    profile: str = "default",
    scopes: list[str] | None = None,
    admin: bool = False,
    show: Callable[[str], None] = tell,
) -> Profile:
    """Get a key and store it as a profile. `show` gets the texts that the person has to read.

    `admin`: with the rights of an admin, too, where the person has them. Raises NotSignedIn when the code was denied or
    ran out.
    """
    client = ApiClient(url, key="")
    asked: dict[str, Any] = {"client": "kbwork command line"}
    if scopes is not None:
        asked["scopes"] = scopes
    if admin:
        asked["admin"] = True
    started = client.call("auth.device_start", asked)
    code = started["user_code"]
    link = f"{client.url}{started['verification_path']}?code={code}"
    show(f"Open this link in a browser and approve the code {code}:\n{link}")
    if sys.stderr.isatty() and (drawn := picture(link)):
        show(drawn)
    show(f"Waiting until you have, for {round(started['expires_in'] / 60)} minutes at most; Ctrl-C ends it.")
    token = _wait(client, started, show)
    made = Profile(profile, client.url, token)
    store(made)
    client.close()
    return made


def picture(link: str) -> str:
    """The link for the camera of a phone, where what draws it is installed and the link is not of this machine."""
    if urlsplit(link).hostname in ("127.0.0.1", "localhost", "::1"):
        return ""
    try:
        import segno
    except ImportError:
        return ""
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def _wait(client: ApiClient, started: dict[str, Any], show: Callable[[str], None]) -> str:
    interval_s = started["interval"]
    ends = time.monotonic() + started["expires_in"]
    gone = False
    while time.monotonic() < ends:
        answer = _asked(client, started["device_code"])
        if (answer is None) != gone:
            gone = not gone
            show("The server does not answer: trying on." if gone else "It is there again.")
        state = answer["state"] if answer is not None else "pending"
        if answer is not None and state == "approved":
            return str(answer["token"])
        if state == "denied":
            raise NotSignedIn("The code was denied in the browser.")
        if state == "expired":
            break
        if state == "slow_down":
            interval_s += _SLOWER_S
        time.sleep(interval_s)
    raise NotSignedIn("The code ran out before it was approved; sign in again.")


def _asked(client: ApiClient, device_code: str) -> dict[str, Any] | None:
    """What became of the code; None where nobody answers for now."""
    try:
        found: dict[str, Any] = client.call("auth.device_poll", {"device_code": device_code})
    except Unreachable:
        return None
    except KbworkProblem as problem:
        if problem.status in _PASSING:
            return None
        raise
    return found


Catalogue = dict[str, Any]
"""`contract/cli.json`."""
OPTIONS = {
    "--url": "url",
    "--key-file": "key_file",
    "--profile": "profile",
    "--output": "output",
    "-o": "output",
    "--input": "input",
    "--columns": "columns",
}
SWITCHES = {"--all": "all", "--no-pager": "no_pager"}
"""Options that take no value."""
FORMATS = ("json", "table", "csv", "ids")
_WORDS = {"true": True, "false": False, "null": None}


class UsageError(Exception):
    """The command line cannot be read; the text says what to mend."""

    exit_code = 2


class CommandLine(NamedTuple):
    """A command line: options before the words, at most two words, and what stands behind them."""

    options: dict[str, str]
    words: list[str]
    rest: list[str]
    help: bool


class CommandCall(NamedTuple):
    """What to run and how to show it."""

    op: str
    verb: dict[str, Any]
    fields: dict[str, Any]
    options: dict[str, str]
    help: bool


def unaliased(argv: list[str]) -> list[str]:
    """`help x y` as `x y --help`, and `version` as `--version`."""
    if argv[:1] == ["help"]:
        return [*argv[1:], "--help"]
    return ["--version"] if argv == ["version"] else argv


def split_line(argv: list[str], single: Iterable[str] = ()) -> CommandLine:
    """Tell options, words and the rest apart; behind a word of `single`, all is rest. Raises UsageError."""
    options: dict[str, str] = {}
    words: list[str] = []
    left = list(argv)
    while left and len(words) < 2:
        token = left.pop(0)
        if token in ("-h", "--help"):
            return CommandLine(options, words, left, help=True)
        if token.startswith("--version"):
            raise UsageError("--version stands alone.")
        if token.startswith("-"):
            _option(token, left, options)
        else:
            words.append(token)
            if token in single:
                break
    return CommandLine(options, words, left, help=False)


def build_call(line: CommandLine, catalogue: Catalogue) -> CommandCall:
    """The call that a line of two words asks for. Raises UsageError."""
    module, name = line.words[0], line.words[1].replace("-", "_")
    verb = find_verb(catalogue, module, name)
    options = dict(line.options)
    given: dict[str, Any] = {}
    left = list(line.rest)
    bare: dict[str, Any] = {}
    while left:
        token = left.pop(0)
        if token in ("-h", "--help"):
            return CommandCall(f"{module}.{name}", verb, {}, options, help=True)
        if not token.startswith("-"):
            bare = _bare(token, verb, {**given, **bare})
        elif not _field(token, left, verb, given):
            _require_no_other(token, left, f"{module}.{name}", catalogue, given | bare)
            _option(token, left, options, known=_flags(verb))
    if twice := bare.keys() & given.keys():
        raise UsageError(f"{name} got {_flag({'name': min(twice)})} twice: as a bare word, and by its name.")
    if verb["class"] == "read" and "columns" in given:  # they are answered alone, and shown in this order
        options["columns"] = ",".join(map(str, given["columns"]))
        given["columns"] = [name.strip() for name in options["columns"].split(",") if name.strip()]
    fields = {**_input(options.pop("input", None)), **bare, **given}
    missing = [
        _flag(field) for field in verb["fields"] if field.get("required") and field["name"] not in fields
    ]
    if missing:
        raise UsageError(f"{module} {name} needs {', '.join(missing)}. See: kbwork {module} {name} --help")
    _require_fitting(options, module, name, verb)
    return CommandCall(f"{module}.{name}", verb, fields, options, help=False)


def _require_fitting(options: dict[str, str], module: str, name: str, verb: dict[str, Any]) -> None:
    """Raises UsageError for an option that says nothing here, before anything is asked for."""
    if "all" in options and "cursor" not in {field["name"] for field in verb["fields"]}:
        raise UsageError(f"{module} {name} answers all at once: --all is for lists that come in pages.")
    if "columns" in options and options.get("output") == "ids":
        raise UsageError("--columns chooses what a table, csv or json holds; ids are one column.")
    if "columns" in options and verb["class"] != "read":
        raise UsageError(f"{module} {name} changes something: --columns is for what is looked at.")
    if options.get("output") == "ids" and verb.get("unnamed"):
        raise UsageError(f"{module} {name} answers nothing that has an id: -o takes json, table or csv.")


def require_no_format(line: CommandLine) -> None:
    """For a page of help, which is a text in any case. Raises UsageError."""
    chosen = [word.partition("=")[0] for word in line.rest]
    if "output" in line.options or {"-o", "--output"} & set(chosen):
        raise UsageError("-o is the form of an answer; a page of help is text.")


def find_verb(catalogue: Catalogue, module: str, name: str) -> dict[str, Any]:
    """Raises UsageError naming the nearest module or verb."""
    verbs = find_module(catalogue, module)["verbs"]
    if name not in verbs:
        raise UsageError(
            f"{module} has no verb {name!r}.{nearest(name, verbs) or ' Verbs: ' + ', '.join(verbs)}"
        )
    found: dict[str, Any] = verbs[name]
    return found


def find_module(catalogue: Catalogue, module: str, beside: Iterable[str] = ()) -> dict[str, Any]:
    """Raises UsageError naming the nearest module, or word of `beside`."""
    modules: dict[str, Any] = catalogue["modules"]
    if module not in modules:
        raise UsageError(f"There is no module or command {module!r}.{nearest(module, [*modules, *beside])}")
    found: dict[str, Any] = modules[module]
    return found


def _option(token: str, left: list[str], options: dict[str, str], known: Iterable[str] = ()) -> None:
    name, equals, value = token.partition("=")
    if token in SWITCHES:
        options[SWITCHES[token]] = "yes"
        return
    if name not in OPTIONS:
        raise UsageError(f"There is no option {name}.{_meant(name, list(known))}")
    if not equals:
        value = _next(name, left, known)
    if OPTIONS[name] == "output" and value not in FORMATS:
        raise UsageError(f"{name} takes {', '.join(FORMATS)}, not {value!r}.{nearest(value, FORMATS)}")
    options[OPTIONS[name]] = value


def _require_no_other(
    token: str, left: list[str], op: str, catalogue: Catalogue, given: dict[str, Any]
) -> None:
    """Raises UsageError for what another verb asks for, with the command line of that one."""
    (module, _, name), (flag, equals, value) = op.partition("."), token.partition("=")
    verbs = catalogue["modules"][module]["verbs"]
    if flag in {*OPTIONS, *SWITCHES} or not flag.startswith("--") or verbs[name]["class"] == "read":
        return
    said = value if equals else next(iter(left), "...")
    for other, verb in verbs.items():
        field = _asked_by(verb, flag[2:].replace("-", "_")) if other != name else None
        if field is not None:
            shared = [each for each in verb["fields"] if each["name"] in given and each.get("required")]
            words = [word for each in shared for word in (_flag(each), str(given[each["name"]]))]
            line = shlex.join(["kbwork", module, other.replace("_", "-"), *words, _flag(field), said])
            raise UsageError(f"{module} {name} takes no {flag}. That is: {line}")


def _asked_by(verb: dict[str, Any], word: str) -> dict[str, Any] | None:
    """The field of this name, or of one that ends with it, which a verb that changes something cannot go without."""
    required = [field for field in verb["fields"] if field.get("required") and verb["class"] != "read"]
    return next((each for each in required if f"_{each['name']}".endswith(f"_{word}")), None)


def _meant(name: str, known: list[str]) -> str:
    """A field that begins so, then a near one, then a near option."""
    longer = [flag for flag in known if name.startswith("--") and flag.startswith(name)]
    if longer:
        return f" Did you mean {min(longer, key=len)}?"
    options = [option for option in (*OPTIONS, *SWITCHES) if option.startswith("--")]
    return nearest(name, known) or nearest(name, options)


def _next(name: str, left: list[str], known: Iterable[str]) -> str:
    """The word behind an option. One that is an option itself was not meant as a value."""
    if not left:
        raise UsageError(f"{name} needs a value.")
    if left[0].partition("=")[0] in {*known, *OPTIONS, *SWITCHES, "--help"}:
        raise UsageError(f"{name} needs a value. One that looks like an option is given as {name}={left[0]}")
    return left.pop(0)


def _bare(word: str, verb: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The first word behind the verb, as the first field that has to be there. Raises UsageError."""
    required = [field for field in verb["fields"] if field.get("required")]
    if required and not given:
        field = required[0]
        entries = _entries if field.get("repeated") else _value
        return {field["name"]: entries(_flag(field), field, word)}
    missing = [field for field in required if field["name"] not in given] or required
    meant = _flag(missing[0]) if missing else "--field"
    raise UsageError(f"{word!r} stands alone; name its field: {meant} {shlex.quote(word)}")


def _flag(field: dict[str, Any]) -> str:
    return "--" + str(field["name"]).replace("_", "-")


def _flags(verb: dict[str, Any]) -> list[str]:
    return [_flag(field) for field in verb["fields"]]


def _field(token: str, left: list[str], verb: dict[str, Any], given: dict[str, Any]) -> bool:
    """Take a field of the operation; False where the token names none."""
    name, equals, value = token.partition("=")
    known = {_flag(field): field for field in verb["fields"]}
    name = name.replace("_", "-")
    field = known.get(name)
    if field is None:
        field = known.get("--" + name[5:]) if name.startswith("--no-") else None
        if field is None or field["type"] != "bool" or equals:
            return False
        given[field["name"]] = False
    elif field["type"] == "bool" and not field.get("repeated") and not equals:
        given[field["name"]] = _WORDS[left.pop(0)] if left and left[0] in _WORDS else True
    else:
        text = value if equals else _next(name, left, known)
        if field.get("repeated") and text != "null":
            given.setdefault(field["name"], []).extend(_entries(name, field, text))
        else:
            given[field["name"]] = _value(name, field, text)
    return True


def _entries(name: str, field: dict[str, Any], text: str) -> list[Any]:
    """One entry, or a JSON list of them."""
    if text.startswith("["):
        try:
            entries = json.loads(text)
        except ValueError:
            entries = None
        if isinstance(entries, list):
            return entries
    return [_value(name, field, text)]


def _value(name: str, field: dict[str, Any], text: str) -> Any:
    """`null` is null where the field takes it; a text `null` goes in by --input."""
    if text == "null" and field.get("nullable"):
        return None
    kind = field["type"]
    if field.get("bytes") and text.startswith("@"):
        return _file(name, text[1:])
    if kind in ("object", "any"):
        return _json(name, text, strict=kind == "object")
    if kind == "bool":
        if text not in ("true", "false"):
            raise UsageError(f"{name} takes true or false, not {text!r}.")
        return text == "true"
    if kind in ("int", "number"):
        return _number(name, text, whole=kind == "int")
    allowed = field.get("enum")
    if allowed and text not in allowed:
        shown = ", ".join(str(each) for each in allowed)
        raise UsageError(
            f"{name} takes {shown}, not {text!r}.{nearest(text, [str(each) for each in allowed])}"
        )
    return text


def _file(name: str, path: str) -> str:
    """The bytes of a file as base64, which no text that begins with `@` is."""
    try:
        return base64.b64encode(Path(path).expanduser().read_bytes()).decode()
    except OSError as error:
        raise UsageError(f"{name}: {error}") from None


def _number(name: str, text: str, *, whole: bool) -> float:
    kinds: tuple[type[float], ...] = (int,) if whole else (int, float)
    for kind in kinds:
        with suppress(ValueError):
            return kind(text)
    raise UsageError(f"{name} takes a {'whole ' if whole else ''}number, not {text!r}.")


def _json(name: str, text: str, *, strict: bool) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if strict:
            raise UsageError(f"{name} takes JSON: {error}") from None
        return text


def _input(source: str | None) -> dict[str, Any]:
    """The object of --input: JSON itself, a file, or `-` for standard input."""
    if source is None:
        return {}
    try:
        text = sys.stdin.read() if source == "-" else source
        if not text.lstrip().startswith("{"):
            text = Path(source).expanduser().read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        raise UsageError(f"--input: {error}") from None
    except ValueError as error:
        raise UsageError(f"--input is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError('--input takes an object, such as {"name": "bug"}')
    return value


_TITLED = ("key", "title", "status", "assignees", "priority", "updated_at")
"""What tells things apart that have a key and a title."""
_SAID_BY = {"id": ("key", "handle"), "lane": ("status",), "created_by": ("reporter", "author")}
"""Column -> those that say the same for people, where one of them is beside it."""
TEXTS = ("body", "description")
"""What is said at length: at the end of one thing, the last columns of a list."""
_TECHNICAL = frozenset(
    {"body_doc", "can", "seq", "rank", "level_no", "lane", "category", "avatar", "icon", "color", "external"}
    | {"path", "status_at"}
)
"""Of a thing: what the web app and programs ask for, and nobody reads."""
_LISTED = 3
_UNITS = (("d", 86400), ("h", 3600), ("min", 60))
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def chosen_columns(rows: list[dict[str, Any]]) -> list[str]:
    """The columns that are worth their place: those that hold something, and no objects where it can be told."""
    used = [name for name in dict.fromkeys(name for row in rows for name in row) if _used(rows, name)]
    if {"key", "title"} <= set(used):
        return [name for name in _TITLED if name in used]
    simple = [name for name in used if not any(_holds_objects(_told(row.get(name))) for row in rows)]
    known = dict.fromkeys(simple)
    told = [name for name in simple if not is_technical(name, known)]
    return sorted(told or used, key=lambda name: name in TEXTS)


def is_technical(name: str, beside: Container[str]) -> bool:
    """Whether a field says nothing to people, or what another one beside it says better."""
    return name in _TECHNICAL or any(other in beside for other in _SAID_BY.get(name, ()))


def cell(name: str, value: Any) -> str:
    """The text for the value of a field of this name; empty where there is nothing to say."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and (name == "at" or name.endswith("_at")):
        return _moment(value)
    if isinstance(value, list):
        return _listed(name, value)
    if isinstance(value, dict):
        return _switches(value) or _object(value)
    return f"@{value}" if name == "handle" and value else str(value)


def cell_of_kind(kind: str, value: Any) -> str:
    """The text for a value of a column that says what its cells hold, such as `time` or `duration` (seconds)."""
    if isinstance(value, list):
        return ", ".join(cell_of_kind(kind, each) for each in value)
    if kind == "time" and isinstance(value, int):
        return _moment(value)
    if kind == "duration" and isinstance(value, (int, float)):
        return _length(int(value))
    return cell("", value)


def is_empty(value: Any) -> bool:
    """Whether there is nothing in it. No and zero are something."""
    return isinstance(value, (str, list, dict, type(None))) and value in _EMPTY


def _used(rows: list[dict[str, Any]], name: str) -> bool:
    return not all(is_empty(row.get(name)) for row in rows)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value)
    )


def _moment(seconds: int) -> str:
    """`2026-11-20 12:23` of this machine's clock; the number where no calendar has it."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, OSError, ValueError):
        return str(seconds)


def _length(seconds: int) -> str:
    """`3 d 4 h`, `25 min`: the two largest units."""
    left = abs(seconds)
    parts = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        parts += [f"{count} {unit}"] if count else []
    return ("-" if parts and seconds < 0 else "") + (" ".join(parts[:2]) or "0 min")


def _listed(name: str, entries: list[Any]) -> str:
    if len(entries) > _LISTED:
        return f"{len(entries)} {name}"
    if _holds_objects(entries):
        return json.dumps(entries, ensure_ascii=False)
    return ", ".join(str(each) for each in entries)


def _told(value: Any) -> Any:
    """A text for what reads well in a cell though it holds objects."""
    return (_switches(value) or value) if isinstance(value, dict) else value


def _switches(value: dict[str, Any]) -> str:
    """`test on, production off` for what is on or off in each of several places; else nothing."""
    if not all(isinstance(inner, dict) and isinstance(inner.get("on"), bool) for inner in value.values()):
        return ""
    return ", ".join(f"{name} {'on' if inner['on'] else 'off'}" for name, inner in value.items())


def _object(value: dict[str, Any]) -> str:
    """What holds in it: `watchers 1, open`. What is off, zero or empty says nothing."""
    if any(_holds_objects(inner) for inner in value.values()):
        return json.dumps(value, ensure_ascii=False)
    said = {name: inner for name, inner in value.items() if inner and not is_empty(inner)}
    return ", ".join(name if inner is True else f"{name} {cell(name, inner)}" for name, inner in said.items())


_KEYED_BY = ("key", "handle", "id")
_CALLED_BY = ("title", "name")
_WORD_BOUND = re.compile(r"(?<=[a-z])(?=[A-Z])")


def naming_of(thing: Any) -> tuple[str, str] | None:
    """The two fields that name it for people, such as `key` and `title`; None where it is nothing that has a name."""
    if not isinstance(thing, dict):
        return None
    key = next((name for name in _KEYED_BY if not is_empty(thing.get(name))), None)
    title = next((name for name in _CALLED_BY if not is_empty(thing.get(name))), None)
    return (key, title) if key is not None and title is not None else None


def known_of(thing: dict[str, Any]) -> dict[str, Any]:
    """The rest of it, without long text: what is off or empty says nothing, and what programs ask for is left out."""
    named = naming_of(thing) or ()
    return {
        name: value
        for name, value in thing.items()
        if not (name in named or name in TEXTS or value is False or is_technical(name, thing))
    }


def texts_of(thing: dict[str, Any]) -> list[str]:
    """What it says at length."""
    return [str(thing[name]).strip() for name in TEXTS if not is_empty(thing.get(name))]


def changed_things(answer: Any) -> list[dict[str, Any]]:
    """What a write answered, where all of it has a name; that of an answer with an `outcome` is inside."""
    rows = answer if isinstance(answer, list) else [answer]
    found = [_inside(row) for row in rows]
    return found if all(naming_of(row) is not None for row in found) else []


def _inside(row: Any) -> Any:
    if not isinstance(row, dict) or "outcome" not in row or naming_of(row) is not None:
        return row
    return next((value for value in row.values() if naming_of(value) is not None), row)


def addresses_of(client: ApiClient, shape: str, things: list[dict[str, Any]]) -> list[str]:
    """Where the server shows each of them; empty where it does not, or cannot be asked.

    A reference begins with the kind of the thing, which its shape is called by.
    """
    kind = _WORD_BOUND.sub("_", shape).lower()
    refs = {f"{kind}:{ident}": at for at, thing in enumerate(things) for ident in _idents(thing)}
    found = [""] * len(things)
    try:
        answer = client.call("subjects.resolve", {"refs": list(refs)}) if 0 < len(refs) <= 100 else []
    except KbworkError:
        return found
    for one in answer:
        at = refs[one["ref"]]
        if one["allowed"] and one["path"]:
            found[at] = found[at] or client.url + one["path"]
    return found


def _idents(thing: dict[str, Any]) -> list[str]:
    """By what a reference may name it."""
    within = [f"{thing['project']}/{thing['key']}"] if thing.get("project") and thing.get("key") else []
    return [str(thing[name]) for name in ("key", "id") if not is_empty(thing.get(name))] + within


_PERSON = re.compile(r"(?:member:)?(m_[a-z0-9]{12})")
_AT_ONCE = 100
_MOST = 500
"""So many people are looked up for one answer; nobody reads more of them."""


def with_people_named(client: ApiClient, answer: Any) -> Any:
    """The answer with `@handle` for each id of a person, and their name where they have no handle yet.

    Whoever cannot be looked up stays as they are: the answer is what was asked for, and not this.
    """
    ids = list(dict.fromkeys(_ids(answer)))[:_MOST]
    called: dict[str, str] = {}
    try:
        for at in range(0, len(ids), _AT_ONCE):
            refs = [f"member:{one}" for one in ids[at : at + _AT_ONCE]]
            found = client.call("subjects.resolve", {"refs": refs})
            called.update(_called(one) for one in found if one["allowed"])
    except KbworkError:
        return answer
    return _renamed(answer, called) if called else answer


def _called(found: dict[str, Any]) -> tuple[str, str]:
    """Somebody who has not come yet has their id for a handle."""
    ident = found["ref"].partition(":")[2]
    handle = str(found["path"]).rpartition("/")[2]
    return ident, f"@{handle}" if handle != ident else str(found["title"])


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if (found := _PERSON.fullmatch(value)) is not None:
            yield found[1]
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _ids(inner)


def _renamed(value: Any, called: dict[str, str]) -> Any:
    if isinstance(value, str):
        found = _PERSON.fullmatch(value)
        return called.get(found[1], value) if found is not None else value
    if isinstance(value, list):
        return [_renamed(inner, called) for inner in value]
    if isinstance(value, dict):
        return {name: _no_id(name, _renamed(inner, called), inner) for name, inner in value.items()}
    return value


def _no_id(name: str, renamed: Any, value: Any) -> Any:
    """The name of somebody without a handle is none either."""
    return "" if name == "handle" and renamed != value else renamed


_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would move the cursor, change colours or turn the order of what follows."""
NAMED_BY = ("key", "id", "name", "slug", "token", "seq", "subject", "who")
"""The field whose value `-o ids` prints: the first of them that is there."""
_CELL = 48
_ONE_LINE = {ord("\n"): " ", ord("\t"): " "}


class QueryTable(NamedTuple):
    """The rows of a query, each a list of cells under `titles`; `kinds` say what the cells of a column hold."""

    titles: list[str]
    kinds: list[str]
    rows: list[list[Any]]
    subjects: list[str] | None
    """What each row is; None where rows are groups."""

    def cells(self) -> list[list[str]]:
        """The rows as texts."""
        return [[cell_of_kind(self.kinds[at], value) for at, value in enumerate(row)] for row in self.rows]

    def names(self) -> list[str]:
        """What names each row: its subject, of a group what stands first in it."""
        return [row[0] for row in self.cells()] if self.subjects is None else self.subjects


def show_answer(
    value: Any, style: str, width: int | None, *, colours: bool = False, columns: list[str] | None = None
) -> str:
    """The text for an answer, with its line end. `width` in columns; None: nothing is cut.

    `columns`: those of a table that were chosen, and are all shown.
    """
    if style == "json":
        return _shown_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
    asked = query_table(value)
    if asked is not None:
        return _query_answer(asked, style, width, colours=colours)
    if style not in ("ids", "csv") and (board := _board_columns(value)) is not None:
        return _board(board, width, colours=colours)
    rows = rows_of(value)
    if style in ("ids", "csv"):
        return _csv(rows) if style == "csv" else _lines([_name(row) for row in rows])
    if isinstance(value, dict) and rows[0:1] == [value]:
        return _thing(value, width, colours=colours)
    return _table(rows, width, colours=colours, columns=columns)


def show_things(things: list[dict[str, Any]], addresses: list[str], outcome: str = "") -> str:
    """A line for each: what came of it where that is said, what names it, and its address."""
    lines = [(outcome, _title(thing), addresses[at]) for at, thing in enumerate(things)]
    return _lines(["  ".join(part for part in line if part) for line in lines])


def _title(thing: dict[str, Any]) -> str:
    """What names a thing, in one line."""
    return "  ".join(cell(name, thing[name]) for name in naming_of(thing) or ()).translate(_ONE_LINE)


def _thing(thing: dict[str, Any], width: int | None, *, colours: bool) -> str:
    """What names it, what is known of it, and its text; all that it holds, where it has no name."""
    if naming_of(thing) is None:
        return _pairs(thing, width, colours=colours)
    parts = [f"{bold(plain(_title(thing)), colours)}\n{_pairs(known_of(thing), width, colours=colours)}"]
    return "\n".join([*parts, *(f"{plain(text)}\n" for text in texts_of(thing))])


def rows_of(value: Any) -> list[Any]:
    """A list, a page's items, or the one answer."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and isinstance(value.get("items"), list) and "next" in value:
        found: list[Any] = value["items"]
        return found
    board = _board_columns(value)
    return [value] if board is None else [issue for column in board for issue in column["issues"]]


def _board_columns(value: Any) -> list[dict[str, Any]] | None:
    """The columns of what is on a board; None for an answer of any other shape."""
    if not isinstance(value, dict) or value.keys() != {"columns", "swimlanes"}:
        return None
    found: list[dict[str, Any]] = value["columns"]
    return found


def _board(board: list[dict[str, Any]], width: int | None, *, colours: bool) -> str:
    """A table of each column below its name, its number of issues, and the sum of their estimates."""
    return "\n".join(_board_column(column, width, colours=colours) for column in board)


def _board_column(column: dict[str, Any], width: int | None, *, colours: bool) -> str:
    said = [f"{column['count']} issue{'' if column['count'] == 1 else 's'}"]
    said += [f"estimate {column['estimate']:g}"] if column["estimate"] else []
    said += ["over the limit"] if column["over_limit"] else []
    head = f"{bold(plain(column['name']), colours)}  {', '.join(said)}\n"
    more = column["count"] - len(column["issues"])
    rest = f"{more} more: --cursor {column['next']}\n" if column["next"] else ""
    table = _table(column["issues"], width, colours=colours) if column["issues"] else ""
    return head + table + rest


def joined(pages: list[Any]) -> Any:
    """One answer of several pages: their rows in order, and where to go on as the last says."""
    if len(pages) == 1:
        return pages[0]
    whole = {**pages[0], "next": pages[-1]["next"]}
    for name in {"items", "rows", "subjects"} & whole.keys():
        if isinstance(whole[name], list):
            whole[name] = [row for page in pages for row in page[name]]
    return whole


def narrowed(value: Any, columns: list[str]) -> Any:
    """The answer with these fields alone, in this order. Raises UsageError for one that no row has."""
    if query_table(value) is not None:
        raise UsageError("A query names its columns itself: select key, title")
    rows = [row for row in rows_of(value) if isinstance(row, dict)]
    known = sorted({name for row in rows for name in row})
    if wrong := [name for name in columns if rows and name not in known]:
        meant = nearest(wrong[0], known) or f" There are {', '.join(known)}."
        raise UsageError(f"--columns: there is no {wrong[0]!r}.{meant}")
    kept = [{name: row.get(name) for name in columns} for row in rows]
    if isinstance(value, list) or _board_columns(value) is not None:
        return kept
    return kept[0] if rows == [value] else {**value, "items": kept}


def query_table(value: Any) -> QueryTable | None:
    """What a query found; None for an answer of any other shape."""
    if not isinstance(value, dict) or not {"columns", "rows", "subjects"} <= value.keys():
        return None
    columns = value["columns"]
    titles, kinds = [one["title"] for one in columns], [one["kind"] for one in columns]
    return QueryTable(titles, kinds, value["rows"], value["subjects"])


def remarks_of(value: Any) -> list[str]:
    """What is to be known beside the rows, as sentences: what a query says of them, and where the next page is."""
    if not isinstance(value, dict):
        return []
    asked = query_table(value) is not None
    said = _query_remarks(value) if asked else []
    following = value.get("next") if asked or "items" in value else None
    return [*said, f"There is more: --cursor {following}"] if following else said


def show_refusal(
    title: str,
    detail: str,
    errors: list[dict[str, Any]],
    *,
    colours: bool = False,
    sent: dict[str, Any] | None = None,
) -> str:
    """What a person reads of a problem: its title, what to mend, and each field that does not fit; all once.

    Where a fault has a place in a text that was `sent`, its line is shown with the place marked below.
    """
    fields = [(f"{error.get('path') or 'input'}: {error.get('message')}", error) for error in errors]
    lines = [bold(plain(title), colours, "1;31")]
    if detail and not any(detail in (text, error.get("message")) for text, error in fields):
        lines.append(plain(detail))
    for text, error in fields:
        lines.append(plain(f"  {text}"))
        lines += _marked((sent or {}).get(str(error.get("path"))), error)
        allowed = [str(each) for each in error.get("allowed") or () if str(each) not in text]
        if allowed:
            lines.append(plain(f"    allowed: {', '.join(map(str, error['allowed']))}"))
    return "\n".join(lines) + "\n"


def _marked(text: Any, error: dict[str, Any]) -> list[str]:
    """The line of a text that a fault is in, a mark under its place, and what to write there instead."""
    place: list[Any] = [error.get(name) for name in ("line", "column", "length")]
    if not (isinstance(text, str) and all(isinstance(number, int) for number in place)):
        return []
    line, column, length = place
    shown = [*text.split("\n"), ""][line - 1 :][:1] or [""]
    whole = plain(shown[0].translate(_ONE_LINE))
    before, word = whole[: column - 1], whole[column - 1 : column - 1 + length]
    fixes = [plain(f"    write: {one['with']}") for one in error.get("suggestions") or () if one.get("with")]
    return [f"    {whole}", "    " + " " * _wide(before) + "^" * max(1, _wide(word)), *fixes]


def bold(text: str, colours: bool, code: str = "1") -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours else text


def coloured(tty: bool) -> bool:
    """Whether colours are wanted: on a terminal, unless NO_COLOR says otherwise."""
    return tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain(text: str) -> str:
    """Without characters that a terminal would obey."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _query_remarks(value: dict[str, Any]) -> list[str]:
    notes = [f"{one['title']}: {one['note']}" for one in value["columns"] if one.get("note")]
    hidden = [f"{value['hidden']} more fit that you do not see."] if value.get("hidden") else []
    return [*value.get("notices", ()), *notes, *hidden]


def _query_answer(asked: QueryTable, style: str, width: int | None, *, colours: bool) -> str:
    """All columns, in the order in which they were asked for, whatever they hold."""
    if style == "ids":
        return _lines(asked.names())
    if style == "csv":
        return _csv_text(asked.titles, asked.rows)
    return _aligned(asked.titles, asked.cells(), width, colours=colours)


def _shown_json(text: str) -> str:
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _name(row: Any) -> str:
    if not isinstance(row, dict):
        return cell("", row)
    return next((str(row[name]) for name in NAMED_BY if row.get(name) is not None), json.dumps(row))


def _lines(texts: list[str]) -> str:
    return "".join(f"{plain(text)}\n" for text in texts)


def _csv(rows: list[Any]) -> str:
    table = [row if isinstance(row, dict) else {"value": row} for row in rows]
    columns = list(dict.fromkeys(name for row in table for name in row))
    return _csv_text(columns, [[row.get(name) for name in columns] for row in table])


def _csv_text(columns: list[str], rows: list[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if columns:
        writer.writerow(columns)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pairs(value: dict[str, Any], width: int | None, *, colours: bool) -> str:
    """A line a field that holds something; a list of objects is a table below."""
    below = {name: inner for name, inner in value.items() if _is_table(inner)}
    texts = {
        name: cell(name, inner) for name, inner in value.items() if not is_empty(inner) and name not in below
    }
    widest = max((len(name) for name, text in texts.items() if text), default=0)
    lines = []
    for name, text in texts.items():
        if text:
            label = bold(plain(name), colours) + " " * (widest - len(name))
            indented = text.replace("\n", "\n" + " " * (widest + 2))
            lines.append(f"{label}  {plain(indented)}".rstrip())
    parts = ["".join(f"{line}\n" for line in lines)] if lines else []
    parts += [
        f"{bold(plain(name), colours)}\n{_table(inner, width, colours=colours)}"
        for name, inner in below.items()
    ]
    return "\n".join(parts)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _table(rows: list[Any], width: int | None, *, colours: bool, columns: list[str] | None = None) -> str:
    table = [row if isinstance(row, dict) else {"": row} for row in rows]
    columns = columns or chosen_columns(table)
    texts = [[cell(name, row.get(name)) for name in columns] for row in table]
    return _aligned(columns, texts, width, colours=colours)


def _aligned(heads: list[str], texts: list[list[str]], width: int | None, *, colours: bool) -> str:
    """Columns side by side under their heads, as many as fit; no line of heads where they say nothing."""
    grid = [[plain(text.translate(_ONE_LINE)) for text in row] for row in [heads, *texts]]
    if width is not None:
        grid = [[_cut(text, _CELL) for text in row] for row in grid]
    wide = [max(_wide(row[at]) for row in grid) for at in range(len(heads))]
    fit = _fitting(wide, width)
    lines = ["  ".join(_padded(row[at], wide[at]) for at in range(fit)).rstrip() for row in grid]
    lines[0] = bold(lines[0], colours)
    if heads in ([], [""]):
        lines = lines[1:]
    return "".join(f"{line}\n" for line in lines)


def _fitting(wide: list[int], width: int | None) -> int:
    """How many columns stand side by side: one at least."""
    total = 0
    for at, each in enumerate(wide):
        total += each + (2 if at else 0)
        if width is not None and total > width and at:
            return at
    return len(wide)


def _wide(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _cut(text: str, most: int) -> str:
    if _wide(text) <= most:
        return text
    while _wide(text) >= most:
        text = text[:-1]
    return text + "…"


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - _wide(text))


_OPTIONS = """\
  --url URL          the server (or KBWORK_URL, or the profile of `login`)
  --key-file FILE    a file that holds the key (or KBWORK_KEY, or the profile)
  --profile NAME     another profile than the last one of `login`
  -o FORMAT          json, table, csv or ids; table on a terminal, else json. A table shows the main fields
  --columns A,B      these fields of a list, in this order, as table, csv or json
  --all              all pages of a list, up to 10,000 rows
  --no-pager         write to the terminal at once; else what is longer than it goes through $PAGER
  --input SOURCE     the whole body: JSON, a file, or - for standard input; fields go over it
"""
_COMMAND_OPTIONS = {
    "login": """\
  --url URL       the server, such as https://work.example.org (or KBWORK_URL, or the profile's, or the one at
                  http://127.0.0.1:8080)
  --profile NAME  what to keep the key under: `default` unless given; the last one signed in to is used
  --admin         a key with the rights of an admin, too: for imports, flag projects and settings
""",
    "logout": """\
  --profile NAME  whose key to forget: the one in use unless given
""",
    "q": _OPTIONS,
}
_FIRST = ("serve", "demo", "login", "find", "q", "docs", "doctor")
_USAGE = ("Usage: kbwork <module> <verb> [--field value ...]", "       kbwork <command>", "")
_NARROWEST = 40
_COPIED = ("  kbwork ", "  curl ", "  Kbwork()", "Usage: ")
_COLUMN = re.compile(r" +\S.*? {2,}(?=\S)|  +(?=\S)")
_WAYS = """\
The first required field may stand behind the verb without its name.
A list: repeat its option, or give JSON. An object: JSON. Yes or no: --flag, --no-flag. Nothing: --field null.
"""


def overview_page(catalogue: Catalogue, commands: dict[str, str], *, colours: bool) -> str:
    """`commands`: name -> summary of what is no operation."""
    lines = [*_USAGE, bold("Commands", colours), *_two(commands), ""]
    abouts = {name: _sentence(module["about"]) for name, module in catalogue["modules"].items()}
    lines += [bold("Modules", colours), *_two(abouts), ""]
    lines += [bold("Options", colours), _OPTIONS]
    lines += ["Exit codes: 0 done, 1 refused, 2 bad usage, 3 not signed in, 4 network.", ""]
    return "\n".join(lines)


def first_page(catalogue: Catalogue, commands: dict[str, str], *, colours: bool) -> str:
    """What whoever gives no word at all sees: where to begin, and where the rest stands."""
    first = {name: commands[name] for name in _FIRST if name in commands}
    lines = [*_USAGE, bold("Begin with", colours), *_two(first), ""]
    lines += [bold("Modules", colours), f"  {', '.join(catalogue['modules'])}", ""]
    lines += [
        "  kbwork issues --help         the verbs of a module",
        "  kbwork issues create --help  what one takes, with examples",
        "  kbwork --help                all commands, modules and options",
        "",
    ]
    return "\n".join(lines)


def command_page(name: str, summary: str, *, colours: bool) -> str:
    """The page of what is no operation."""
    lines = [f"Usage: kbwork {summary.partition(': ')[2] or name}", ""]
    text = summary.partition(": ")[0]
    lines += [text[:1].upper() + text[1:] + ".", ""]
    if options := _COMMAND_OPTIONS.get(name):
        lines += [bold("Options", colours), options]
    return "\n".join(lines)


def module_page(catalogue: Catalogue, name: str, commands: dict[str, str], *, colours: bool) -> str:
    """`commands`: name -> summary of what is no operation; those that begin with the module's name are here too."""
    found = catalogue["modules"][name]
    verbs = {verb: entry["summary"] for verb, entry in found["verbs"].items()}
    lines = [f"Usage: kbwork {name} <verb> [--field value ...]", ""]
    if found["about"]:
        lines += [found["about"], ""]
    own = {
        command.removeprefix(f"{name} "): f"{text[:1].upper()}{text[1:].partition(': ')[0]}"
        for command, text in commands.items()
        if command.startswith(f"{name} ")
    }
    lines += [
        bold("Verbs", colours),
        *_two(dict(sorted((verbs | own).items()))),
        "",
        f"More: kbwork {name} <verb> --help",
        "",
    ]
    return "\n".join(lines)


def operation_page(op: str, verb: dict[str, Any], *, colours: bool) -> str:
    name, _, word = op.partition(".")
    lines = [f"Usage: kbwork {name} {word} [--field value ...]", "", verb["doc"], ""]
    if verb["fields"]:
        lines += [
            bold("Fields", colours),
            *_two({_head(field): _tail(field) for field in verb["fields"]}),
            "",
        ]
        lines += [_WAYS]
    lines += [bold("Examples", colours), *(f"  {line}" for line in examples(op, verb)), ""]
    lines += [bold("Options", colours), _OPTIONS]
    return "\n".join(lines)


def wrapped(text: str, width: int | None) -> str:
    """The page within this width: a text in a second column stays there. What is to be copied stays on its line."""
    if width is None:
        return text
    room = max(width, _NARROWEST)
    lines: list[str] = []
    for line in _flowed(text):
        if len(line) <= room or line.startswith(_COPIED):
            lines.append(line)
            continue
        found = _COLUMN.match(line)
        indent = " " * (found.end() if found and found.end() <= room // 2 else 2 if line[:1] == " " else 0)
        lines += textwrap.wrap(
            line, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(lines)


def _flowed(text: str) -> list[str]:
    """Its lines; those of a paragraph, which begin at the margin, as one."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line[:1].strip() and lines and lines[-1][:1].strip() and not lines[-1].startswith(_COPIED):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return lines


def examples(op: str, verb: dict[str, Any]) -> list[str]:
    """The example of an operation as command, as HTTP call and in Python."""
    name, _, word = op.partition(".")
    example: dict[str, Any] = verb["example"]
    repeated = {field["name"] for field in verb["fields"] if field.get("repeated")}
    words = ["kbwork", name, word]
    for field, value in example.items():
        words += _words(field, value, field in repeated)
    body = shlex.quote(json.dumps(example, ensure_ascii=False))
    arguments = ", ".join(f"{python_name(field)}={value!r}" for field, value in example.items())
    headers = '-H "Authorization: Bearer $KBWORK_KEY" -H "Content-Type: application/json"'
    return [
        shlex.join(words),
        f'curl "$KBWORK_URL/api/v1/{op}" {headers} -d {body}',
        f"Kbwork().{name}.{python_name(word)}({arguments})",
    ]


def python_name(name: str) -> str:
    """`from_` for `from`: a word that Python keeps for itself gets an underscore."""
    return name + "_" if keyword.iskeyword(name) else name


def _words(field: str, value: Any, repeated: bool) -> list[str]:
    flag = "--" + field.replace("_", "-")
    if (
        repeated
        and isinstance(value, list)
        and value
        and not any(isinstance(each, (list, dict)) for each in value)
    ):
        return [word for each in value for word in (flag, _word(each))]
    return [flag, _word(value)]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _head(field: dict[str, Any]) -> str:
    """`--tags string ...`: the option and what it takes."""
    kind = "true|false" if field["type"] == "bool" else field["type"]
    if "enum" in field:
        kind = "|".join(str(each) for each in field["enum"])
        kind = kind if len(kind) <= 40 else field["type"]
    return f"--{field['name'].replace('_', '-')} {kind}{' ...' if field.get('repeated') else ''}"


def _tail(field: dict[str, Any]) -> str:
    parts = ["required."] if field.get("required") else []
    parts += [field["help"]] if field.get("help") else []
    if len("|".join(str(each) for each in field.get("enum", []))) > 40:
        parts.append(f"One of {', '.join(str(each) for each in field['enum'])}.")
    parts += ["Base64, or a file as `@path`."] if field.get("bytes") else []
    return " ".join(parts)


def _sentence(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _two(rows: dict[str, str]) -> list[str]:
    """Two columns; a text behind a long name goes below it."""
    widest = max((len(name) for name in rows if len(name) <= 32), default=0)
    lines = []
    for name, text in rows.items():
        if len(name) > widest:
            lines += [f"  {name}", f"  {'':<{widest}}  {text}".rstrip()]
        else:
            lines.append(f"  {name:<{widest}}  {text}".rstrip())
    return [line for line in lines if line]


BESIDE = frozenset({"subjects.resolve", "undo.list"})
"""The reads that are asked beside the call itself."""
_MOST_ROWS = 10_000
_PAGER = "less"


def answer(asked: CommandCall, client: ApiClient) -> None:
    """Ask, and show what comes; on a terminal, with how a change is taken back."""
    if asked.verb["class"] == "read" or not (sys.stdout.isatty() and sys.stderr.isatty()):
        show(asked, client, _pages(asked, client))
        return
    before = _newest_change(client)
    show(asked, client, client.call(asked.op, asked.fields))
    made = _newest_change(client)
    if made.get("can") and made["op"] == asked.op and made["token"] != before.get("token"):
        tell(f"Undo: kbwork undo apply --token {made['token']}")


def show(asked: CommandCall, client: ApiClient, answer: Any) -> None:
    """In the form that was asked for; else as a table on a terminal, and as JSON elsewhere."""
    style = asked.options.get("output") or ("table" if sys.stdout.isatty() else "json")
    chosen = [name.strip() for name in asked.options.get("columns", "").split(",") if name.strip()]
    shown = narrowed(answer, chosen) if chosen else answer
    text = _table_text(asked, client, shown, chosen) if style == "table" else show_answer(shown, style, None)
    if "no_pager" in asked.options or not sys.stdout.isatty() or not _paged(text):
        out(text)
    for remark in remarks_of(answer) if style != "json" or "all" in asked.options else ():
        tell(remark)


def out(text: str) -> None:
    """Results go to standard output."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _pages(asked: CommandCall, client: ApiClient) -> Any:
    """What is answered; with --all, all pages as one, as far as 10,000 rows go."""
    pages = [client.call(asked.op, asked.fields)]
    rows = len(rows_of(pages[0]))
    while "all" in asked.options and pages[-1].get("next") is not None and rows < _MOST_ROWS:
        pages.append(client.call(asked.op, {**asked.fields, "cursor": pages[-1]["next"]}))
        rows += len(pages[-1].get("items", pages[-1].get("rows", ())))
    return joined(pages)


def _newest_change(client: ApiClient) -> dict[str, Any]:
    """The latest that can be taken back; empty where there is none, or one may not look."""
    try:
        found = client.call("undo.list", {"limit": 1})
    except KbworkError:
        return {}
    return dict(found[0]) if found else {}


def _paged(text: str) -> bool:
    """Show what is longer than the terminal in the pager; whether there was one."""
    pager = shlex.split(os.environ.get("PAGER", _PAGER))
    if text.count("\n") < shutil.get_terminal_size().lines or not pager:
        return False
    try:
        subprocess.run(  # noqa: S603 - whoever types the command chooses the pager
            pager, input=text.encode(), check=False, env={"LESS": "FRX", **os.environ}
        )
    except OSError:
        return False
    return True


def _table_text(asked: CommandCall, client: ApiClient, answer: Any, columns: list[str]) -> str:
    """For people: handles instead of ids, and of what was changed only what it is called and where it is."""
    tty = sys.stdout.isatty()
    if asked.verb["class"] != "read" and (written := _written(asked, client, answer)):
        return written
    width = shutil.get_terminal_size().columns if tty and not columns else None
    named = with_people_named(client, answer)
    return show_answer(named, "table", width, colours=coloured(tty), columns=columns)


def _written(asked: CommandCall, client: ApiClient, answer: Any) -> str:
    """Empty where the answer holds more than can be looked at again, such as a secret."""
    if answer == {"ok": True}:
        return "Done.\n"
    things = changed_things(answer) if "answers" in asked.verb and not asked.fields.get("dry_run") else []
    if not things:
        return ""
    named = with_people_named(client, things)
    outcome = str(answer.get("outcome", "")) if isinstance(answer, dict) and things[0] is not answer else ""
    return show_things(named, addresses_of(client, asked.verb["answers"], things), outcome)


_COMMANDS = {
    "login": "sign in by a link to the browser: login [--url URL] [--profile NAME] [--admin]",
    "logout": "forget the key of a profile",
    "q": "run a TQL query: q 'assignee = me'",
}
_ALIASES = {
    "help": "show the page of a module or a verb: help [MODULE [VERB]]",
    "version": "print the version",
}
_TAKEN = {"login": {"url", "profile"}, "logout": {"profile"}}
_RETRIES = 2
_USUAL_URL = "http://127.0.0.1:8080"
"""Where `kbwork serve` listens unless it is told otherwise."""


def commands_of(catalogue: Catalogue) -> dict[str, str]:
    """What is no operation, and needs nothing but a server: name -> summary."""
    missing = () if "tql" in catalogue["modules"] else ("q",)
    return {name: text for name, text in {**_COMMANDS, **_ALIASES}.items() if name not in missing}


def exit_code_of(work: Callable[[], int], exit_codes: dict[str, int]) -> int:
    """Run it; a failure becomes text on standard error and an exit code."""
    colours = coloured(sys.stderr.isatty())
    try:
        return work()
    except KbworkProblem as problem:
        sys.stderr.write(
            show_refusal(problem.title, problem.detail, problem.errors, colours=colours, sent=problem.sent)
        )
        return 3 if problem.status == 401 else exit_codes.get(problem.slug, 1)
    except (UsageError, KbworkError) as error:
        sys.stderr.write(f"kbwork: {plain(str(error))}\n")
        return error.exit_code
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # or the interpreter would complain at its end
        return 0
    except KeyboardInterrupt:
        tell("Stopped.")
        return 130


def operate(line: CommandLine, catalogue: Catalogue, commands: dict[str, str]) -> int:
    """Run an operation, or one of `commands_of`, or show a page. `commands`: those that the overview lists."""
    colours = coloured(sys.stdout.isatty())
    first = line.words[0] if line.words else None
    if first is None:
        page = overview_page if line.help else first_page
        text = page(catalogue, commands, colours=colours)
    elif first in commands_of(catalogue):
        return _command(first, line, catalogue)
    elif len(line.words) == 1:
        found = find_module(catalogue, first, commands)
        if not line.help:
            raise UsageError(f"{first} what? Verbs: {', '.join(found['verbs'])}")
        text = module_page(catalogue, first, commands, colours=colours)
    else:
        asked = build_call(line, catalogue)
        if not asked.help:
            return _call(asked)
        text = operation_page(asked.op, asked.verb, colours=colours)
    require_no_format(line)
    out(wrapped(text, _width()))
    return 0 if first or line.help else 2


def main_of(catalogue: Catalogue, argv: list[str]) -> int:
    """The command line of the one-file client: operations and commands."""
    argv, commands = unaliased(argv), commands_of(catalogue)
    if argv == ["--version"]:
        out(f"kbwork {catalogue['version']}\n")
        return 0
    return exit_code_of(
        lambda: operate(split_line(argv, commands), catalogue, commands), catalogue["exit_codes"]
    )


def _command(name: str, line: CommandLine, catalogue: Catalogue) -> int:
    if name in _ALIASES or line.help or {"-h", "--help"} & set(line.rest):
        require_no_format(line)
        page = command_page(name, commands_of(catalogue)[name], colours=coloured(sys.stdout.isatty()))
        out(wrapped(page, _width()))
        return 0
    if name == "q":
        if not line.rest or line.rest[0].startswith("-"):
            raise UsageError("q what? Give a query: q 'assignee = me'")
        query = CommandLine(line.options, ["tql", "run"], ["--tql", *line.rest], help=False)
        return _call(build_call(query, catalogue))
    admin = name == "login" and "--admin" in line.rest
    behind = split_line([word for word in line.rest if word != "--admin"] if admin else line.rest)
    if behind.words:
        raise UsageError(f"{name} takes options only, not {behind.words[0]!r}. See: kbwork {name} --help")
    options = {**line.options, **behind.options}
    if left := sorted(options.keys() - _TAKEN[name]):
        raise UsageError(f"{name} takes no --{left[0].replace('_', '-')}. See: kbwork {name} --help")
    return _login(options, admin=admin) if name == "login" else _logout(options)


def _login(options: dict[str, str], *, admin: bool) -> int:
    name = options.get("profile", "default")
    known = profiles().get(name)
    url = options.get("url") or os.environ.get("KBWORK_URL") or (known.url if known else None)
    try:
        made = sign_in(url or _USUAL_URL, profile=name, admin=admin)
    except Unreachable:
        if url:
            raise
        raise UsageError(f"login needs --url URL: no server answers at {_USUAL_URL}.") from None
    tell(f"Signed in to {made.url}; the key is in {profiles_file()}")
    if admin:
        with ApiClient(profile=name) as client:
            scopes = client.call("auth.me")["scopes"]
        if "admin" not in scopes:
            tell("It has no rights of an admin: you have none, or did not approve them.")
    return 0


def _logout(options: dict[str, str]) -> int:
    name = options.get("profile") or next(iter(profiles()), "default")
    if not forget(name):
        raise NotSignedIn(f"There is no profile {name!r}.")
    tell(f"Forgot the key of the profile {name!r}. It opens the server until it is revoked there, on /keys.")
    return 0


def _width() -> int | None:
    """That of the terminal; elsewhere lines are as long as they are."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _call(asked: CommandCall) -> int:
    options = asked.options
    client = ApiClient(options.get("url"), key_file=options.get("key_file"), profile=options.get("profile"))
    client.retries = _RETRIES
    client.reads = frozenset({asked.op} if asked.verb["class"] == "read" else ()) | BESIDE
    with client:
        answer(asked, client)
    return 0


if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypedDict

    class AIAllowance(TypedDict):
        """Whether AI may read a subject."""
        subject: str
        allowed: bool
        reason: str | None

    class AICompletion(TypedDict):
        """What a model answered."""
        text: str
        provider: str
        model: str
        input_tokens: int
        output_tokens: int

    class AIContext(TypedDict):
        """A prompt that is ready to be sent, and its material by itself."""
        subject: str
        system: str
        prompt: str
        material: str
        feature: str
        title: str | None

    class AIExplanation(TypedDict):
        text: str
        provider: str
        model: str

    class AIMessage(TypedDict):
        role: Literal['user', 'assistant']
        content: str

    class AIPolicy(TypedDict):
        """What AI may do for the org."""
        enabled: bool
        browser_keys: bool
        org_keys: bool
        excluded: List[str]
        automation_apply: bool
        member_daily_tokens: int | None
        monthly_tokens: int | None
        providers: List[AIProvider]
        used_month: int
        used_today: int

    class AIProposal(TypedDict):
        """What a model proposes: an operation, which is run when somebody applies it."""
        id: int
        subject: str
        task: str
        answer: str
        op: str
        input: Any
        state: Literal['open', 'applied', 'dismissed', 'failed']
        created_at: int
        decided_at: int | None
        decided_by: str | None
        error: str | None
        rule: str | None
        title: str | None

    class AIProvider(TypedDict):
        """Who offers models, in the org's own network or elsewhere."""
        id: str
        label: str
        kind: Literal['anthropic', 'openai']
        base_url: str
        models: List[str]
        default_model: str
        enabled: bool
        needs_key: bool
        browser: bool
        has_key: bool
        key_last4: str | None

    class AISummary(TypedDict):
        summary: str
        provider: str
        model: str

    class AIUsageRow(TypedDict):
        """What one used a model for."""
        actor: str
        feature: str
        provider: str
        model: str
        calls: int
        errors: int
        input_tokens: int
        output_tokens: int

    class Action(TypedDict):
        """One operation that a rule runs."""
        op: str
        input: Dict[str, Any] | None
        each: str | None
        apply: bool
        on_error: Literal['stop', 'go_on']
        delay_minutes: int

    class AiThen(TypedDict):
        op: str
        input: Any

    class AliasCount(TypedDict):
        key: str
        count: int
        evaluated_at: int | None

    class ApiKey(TypedDict):
        """A key, without its secret.

        `projects` limits it to these, `networks` to calls from there; empty: no limit. A project that is gone, or that you
        do not see any more, reads `(gone)`. `rotating` while the secret before
        the last one still works. `last_used_at` and `calls_month` (of this month, UTC) may lag by a minute.
        """
        id: str
        name: str
        kind: Literal['personal', 'agent']
        agent: str | None
        owner: str
        last4: str
        scopes: List[str]
        projects: List[str]
        networks: List[str]
        created_at: int
        expires_at: int | None
        last_used_at: int | None
        last_address: str | None
        calls_month: int
        state: Literal['active', 'rotating', 'expired', 'revoked']

    class AppGrant(TypedDict):
        """A client that somebody connected by OAuth."""
        id: int
        client: str
        scopes: List[str]
        created_at: int
        last_used_at: int | None

    class Applied(TypedDict):
        """What was set back, and what could not be."""
        undone: List[Undone]
        kept: List[Kept]

    class ApprovalDecision(TypedDict):
        """What came of a vote."""
        request: ApprovalRequest
        moved: bool
        blocked: NotRequired[str]

    class ApprovalRequest(TypedDict):
        """A request that others agree before an issue goes a way of its workflow."""
        id: int
        key: str
        title: str
        to_status: str
        transition: str
        approvers: List[str]
        needed: int
        approvals: int
        note: str
        requested_by: str
        state: Literal['pending', 'approved', 'rejected', 'cancelled', 'done']
        created_at: int
        decided_at: int | None
        votes: List[Vote]
        can_decide: bool

    class Asked(TypedDict):
        """A field that is asked for on the way."""
        field: str
        required: bool

    class Asset(TypedDict):
        """One record. `issues` are the keys of the linked issues that the caller sees."""
        id: int
        key: str
        name: str
        type: str
        owner: str | None
        status: Literal['active', 'maintenance', 'retired']
        values: Dict[str, Any]
        issues: List[str]
        created_at: int
        updated_at: int
        created_by: str

    class AssetField(TypedDict):
        """What a type asks of its assets. `target` is the key of the type that a reference leads to."""
        key: str
        name: str
        kind: Literal['text', 'number', 'date', 'bool', 'select', 'member', 'reference', 'url']
        options: List[str]
        target: str | None
        required: bool
        unique: bool

    class AssetType(TypedDict):
        """A sort of asset. `count` is how many there are."""
        id: int
        key: str
        name: str
        description: str
        icon: str
        position: float
        count: int
        fields: List[AssetField]

    class Assigned(TypedDict):
        """What assigning a workflow moves, by lane; and what one should know of it."""
        moved: Dict[str, Moved]
        warnings: List[str]

    class Attachment(TypedDict):
        """A file on a subject. `content_type` is told by its bytes; `size` is in bytes."""
        id: str
        name: str
        content_type: str
        size: int
        subject: str
        created_at: int
        created_by: str

    class AttachmentContent(TypedDict):
        """A file with its bytes in base64, or with a link to them, and then `data` is empty."""
        id: str
        name: str
        content_type: str
        data: str
        url: NotRequired[str]

    class AuditEntry(TypedDict):
        """One entry; `id` is the event's sequence number, `details` its payload.

        Where it is `veiled` the caller may know that it happened, when and by whom: `details` is empty.
        """
        id: int
        at: int
        kind: str
        subject: str
        actor: str
        actor_kind: Literal['human', 'key', 'agent', 'system', 'automation']
        via: str | None
        address: str | None
        details: Any
        veiled: bool
        op: str | None
        request: str | None

    class AuditPage(TypedDict):
        """Entries, newest first. `retention_days` 0 stands for ever."""
        entries: List[AuditEntry]
        next_before: int | None
        plan: Literal['self-hosted']
        retention_days: int

    class AuthElevatePasskey(TypedDict):
        challenge: str
        response: Dict[str, JsonValue]

    class AutomationCatalog(TypedDict):
        """What rules can be made of."""
        general: List[Preset]
        ops: List[str]
        subjects: List[RuleSubject]
        variables: List[RuleVariable]

    class AutomationLogEntry(TypedDict):
        """What came of one run."""
        id: int
        rule: int
        at: int
        event: str
        actor: str
        label: str
        message: str
        ok: bool
        subject: str | None

    class AutomationRule(TypedDict):
        """When this happens, and these conditions hold, these operations are run."""
        id: int
        name: str
        enabled: bool
        trigger: Trigger
        conditions: List[Dict[str, Any]]
        actions: List[Action]
        runs: int
        last_run_at: int | None
        next_run_at: int | None
        created_at: int
        created_by: str

    class Backlink(TypedDict):
        """Something that mentions the issue."""
        subject: str
        title: str
        excerpt: str

    class Backup(TypedDict):
        """One archive. `bytes` and `sha256` are its own; `place` is `backups` for the folder beside the data."""
        id: str
        at: int
        kind: Literal['manual', 'scheduled', 'safety']
        bytes: int
        sha256: str
        seq: int
        version: str
        verified_at: int | None
        place: str
        note: str

    class BackupCheck(TypedDict):
        name: str
        ok: bool
        detail: str

    class BackupSchedule(TypedDict):
        """`targets` are the places that the operator named in `kbwork.toml`; `target` null is the folder `backups`."""
        every: Literal['off', 'hourly', 'daily', 'weekly']
        keep: int
        target: str | None
        targets: List[str]
        next_at: int | None
        last_error: str | None

    class Backups(TypedDict):
        items: List[Backup]
        schedule: BackupSchedule

    class Banner(TypedDict):
        text: str
        level: Literal['info', 'warning']
        until: int | None

    class Batch(TypedDict):
        """Each operation's answer, in order."""
        results: List[Any]

    class BatchCall(TypedDict):
        op: str
        input: NotRequired[Any]

    class Board(TypedDict):
        """A board: which issues it shows, and in which columns."""
        id: int
        name: str
        project: str | None
        tql: str
        kind: Literal['kanban', 'sprint']
        columns: List[BoardColumn]
        swimlanes: str | None
        quick_filters: List[QuickFilter]
        card_fields: List[str]
        color_by: str | None
        owner: str
        can_edit: bool
        notices: List[str]

    class BoardColumn(TypedDict):
        """One column of a board."""
        id: str
        name: str
        lanes: List[str]
        limit: int | None
        hard: bool

    class BoardMove(TypedDict):
        """Where a drop leads."""
        issue: Issue
        blocked: str | None

    class BoardView(TypedDict):
        """What a board shows now."""
        columns: List[ColumnPage]
        swimlanes: List[Swimlane]

    class BotToken(TypedDict):
        token: str

    class Brief(TypedDict):
        """Markdown. `truncated` says that not all of it fitted."""
        text: str
        truncated: bool

    class BrokenLink(TypedDict):
        """A link that leads nowhere."""
        page: str
        target: str
        why: Literal['missing', 'deleted', 'archived']

    class Budget(TypedDict):
        hours: float | None
        money: float | None
        currency: str | None

    class BudgetInput(TypedDict):
        hours: NotRequired[float | None]
        money: NotRequired[float | None]
        currency: NotRequired[str | None]

    class BulkChanges(TypedDict):
        """Fields as in issues.update, and what other operations do."""
        title: NotRequired[str | None]
        body: NotRequired[str | None]
        body_doc: NotRequired[str | None]
        priority: NotRequired[Literal['urgent', 'high', 'medium', 'low', 'none'] | None]
        labels: NotRequired[List[str] | None]
        components: NotRequired[List[str] | None]
        parent: NotRequired[str | None]
        sprint: NotRequired[int | None]
        milestone: NotRequired[int | None]
        releases: NotRequired[List[str] | None]
        affects: NotRequired[List[str] | None]
        estimate: NotRequired[float | None]
        start_date: NotRequired[str | Literal[''] | None]
        due_date: NotRequired[str | Literal[''] | None]
        reporter: NotRequired[str | None]
        values: NotRequired[Dict[str, Any] | None]
        to_status: NotRequired[str | None]
        assignees: NotRequired[List[str] | None]
        add_labels: NotRequired[List[str] | None]
        remove_labels: NotRequired[List[str] | None]
        delete: NotRequired[bool | None]
        archive: NotRequired[bool | None]
        move_to: NotRequired[str | None]

    class BulkDone(TypedDict):
        """How many changed; `undo` is a token for undo.apply. With a `job` the figures are in its result."""
        changed: int
        skipped: List[Skipped]
        undo: str | None
        job: int | None

    class Can(TypedDict):
        """What the caller may do with it."""
        edit: bool
        comment: bool
        move: bool
        delete: bool

    class CannedReply(TypedDict):
        """An answer that is written once and said often."""
        id: int
        name: str
        text: str
        project: str | None
        folder: str | None
        shortcut: str | None
        shared: bool
        uses: int

    class CareFinding(TypedDict):
        """One thing that was looked at."""
        name: str
        ok: bool
        detail: str

    class CareFindings(TypedDict):
        """Everything that was looked at."""
        ok: bool
        checks: List[CareFinding]

    class Changed(TypedDict):
        """How many things went to somebody else."""
        changed: int

    class Changes(TypedDict):
        """Events that the caller may hear of, oldest first. `next` also skips the others."""
        events: List[Event]
        next: int
        more: bool

    class ChatAccount(TypedDict):
        """An account on a chat platform that is a member's."""
        id: int
        connection: int
        chat_user: str
        name: str
        linked_at: int

    class ChatConnection(TypedDict):
        """A workspace, team or server of a chat platform that kbwork takes commands from and posts to."""
        id: int
        name: str
        provider: Literal['slack', 'teams', 'discord']
        project: str
        hook_path: str
        has_bot_token: bool
        linked: int
        requests: int
        last_event_at: int | None
        last_error: str | None
        created_at: int
        created_by: str

    class ChatIngested(TypedDict):
        reply: Any
        result: Literal['accepted', 'refused']

    class ChatSubscription(TypedDict):
        """Which events of issues a channel hears of."""
        id: int
        name: str
        connection: int
        events: List[Literal['issue.created', 'issue.updated', 'issue.assigned', 'issue.deleted', 'comment.created']]
        tql: str
        sent: int
        last_sent_at: int | None
        created_at: int
        created_by: str

    class ChatSubscriptionGone(TypedDict):
        id: int

    class ChatSubscriptionTested(TypedDict):
        id: int

    class CheckItem(TypedDict):
        """One step. `done_at` and `done_by` say when and by whom it was ticked; `issue` is what was made of it."""
        id: int
        text: str
        done: bool
        assignee: str | None
        due_date: str | None
        done_at: int | None
        done_by: str | None
        issue: str | None

    class Checklist(TypedDict):
        """What an issue has to tick off, in order; `done` of `total` are."""
        key: str
        items: List[CheckItem]
        done: int
        total: int
        can_edit: bool

    class ChecklistTemplate(TypedDict):
        """Items for issues of a type, whose key is `kind`; with `auto` a new one has them from the start."""
        id: int
        name: str
        kind: str
        items: List[str]
        auto: bool

    class CleanUp(TypedDict):
        """`key` is the clean-up issue, `issues` are all that you see on the flag."""
        key: str
        issues: List[str]

    class ColumnInput(TypedDict):
        """A column as it is to be."""
        id: NotRequired[str | None]
        name: str
        lanes: List[str]
        limit: NotRequired[int | None]
        hard: NotRequired[bool | None]

    class ColumnPage(TypedDict):
        """A column with its first issues, or with those behind a cursor."""
        id: str
        name: str
        count: int
        estimate: float
        over_limit: bool
        issues: List[Issue]
        next: str | None

    class Comment(TypedDict):
        """A comment. `parent` is the starter of its thread; a starter that is gone while replies remain has no body."""
        id: int
        author: str
        body: str
        body_doc: str | None
        created_at: int
        edited_at: int | None
        internal: bool
        parent: int | None
        anchor: str | None
        reactions: List[Reaction]
        resolved_at: int | None
        resolved_by: str | None

    class CommentId(TypedDict):
        id: int

    class Compared(TypedDict):
        """What would have to change in `to` so that it is like `from`: {`key`, `diff`} of each that differs.

        A segment that one of the two does not have differs as a whole, from or to null.
        """
        flags: List[Dict[str, Any]]
        segments: List[Dict[str, Any]]

    class Component(TypedDict):
        """A part of a project, with how many issues of it the caller sees."""
        id: int
        project: str
        name: str
        description: str
        lead: str | None
        assign: Literal['lead', 'project', 'nobody']
        archived: bool
        issues: int

    class Copied(TypedDict):
        """`changes` has {`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed.

        The outcome as a whole is `changeRequest` where one of them waits for approval.
        """
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        changes: List[Dict[str, Any]]

    class CustomerPassword(TypedDict):
        customer: DeskCustomer
        password: str

    class DeflectionStats(TypedDict):
        """How often articles answered what would have been a request, in the last thirty days."""
        requests: int
        solved: int
        top: List[List[Any]]
        viewed: int

    class Deleted(TypedDict):
        deleted: int

    class DeletedRule(TypedDict):
        id: int
        deleted: bool

    class Delivery(TypedDict):
        """One request of a webhook, until it is taken or given up."""
        id: int
        webhook: int
        event: str
        seq: int
        state: Literal['queued', 'sent', 'failed', 'dropped']
        tries: int
        status: int | None
        ms: int | None
        error: str | None
        request: str
        response: str | None
        at: int
        next_at: int | None

    class Desk(TypedDict):
        """A project whose customers ask for things on the portal, by mail or by chat."""
        project: str
        name: str
        intro: str
        enabled: bool
        open_signup: bool
        kb_space: str | None
        show_agents: bool
        survey: bool
        reopen_days: int | None
        languages: List[str]
        logo: str | None
        reply_to: str | None

    class DeskCustomer(TypedDict):
        """Somebody outside who asks for things: no member, and nothing but the portal is for them."""
        id: int
        name: str
        email: str
        active: bool
        blocked: bool
        requests: int
        created_at: int
        last_seen_at: int | None
        locale: str | None
        notify: bool
        limited: bool

    class DeskStats(TypedDict):
        """What came in at a desk in some days and was done."""
        created: int
        solved: int
        reopened: int
        backlog: int
        first_reply: int | None
        resolution: int | None
        by_channel: Dict[str, int]
        by_type: Dict[str, int]

    class DeviceInfo(TypedDict):
        """Who asks to be let in, and what for: the scopes that an approval would give."""
        client: str
        scopes: List[str]
        created_at: int
        expires_at: int

    class DevicePoll(TypedDict):
        """`token` is the key's secret, in the first answer after the approval only."""
        state: Literal['pending', 'slow_down', 'denied', 'expired', 'approved']
        token: str | None
        key: ApiKey | None

    class DeviceStarted(TypedDict):
        """What a device shows (`user_code`, `verification_path`) and polls with. Times in seconds."""
        device_code: str
        user_code: str
        verification_path: str
        interval: int
        expires_in: int

    class DiffHunk(TypedDict):
        """Lines around one change, or several that are near each other."""
        from_line: int
        to_line: int
        lines: List[DiffLine]

    class DiffLine(TypedDict):
        kind: Literal['same', 'added', 'removed']
        text: str

    class Draft(TypedDict):
        """An unsent text. One that is not shared is its owner's alone."""
        subject: str
        body: str
        data: Dict[str, Any]
        owner: str
        shared: bool
        updated_at: int
        seq: int

    Edge = TypedDict('Edge', {'from': 'str', 'kind': 'str', 'to': 'str', 'blocks': 'bool'})

    class Elevated(TypedDict):
        """Until when the session counts as confirmed."""
        elevated_until: int

    class Environment(TypedDict):
        project: str
        key: str
        name: str
        critical: bool
        require_approval: bool
        min_approvals: int
        allow_self_approval: bool

    class EnvironmentState(TypedDict):
        """A flag in one environment. Lists come with the whole flag, how long they are with a list of flags."""
        on: bool
        off_variation: int | None
        fallthrough: Dict[str, Any]
        track_events: bool
        version: int
        targets: NotRequired[List[Dict[str, Any]]]
        expiring: NotRequired[List[Dict[str, Any]]]
        rules: NotRequired[List[Dict[str, Any]]]
        prerequisites: NotRequired[List[Dict[str, Any]]]
        counts: NotRequired[Dict[str, int]]

    class Evaluated(TypedDict):
        """`variation` is null, and `value` too, where a client would answer its own default."""
        key: str
        value: Any
        variation: int | None
        reason: Literal['DISABLED', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'PREREQUISITE_FAILED', 'ERROR']
        steps: List[Dict[str, Any]]
        rule_index: NotRequired[int]
        rule_id: NotRequired[str]
        prerequisite_key: NotRequired[str]
        error_kind: NotRequired[Literal['FLAG_NOT_FOUND', 'INVALID_CONTEXT', 'MALFORMED_FLAG', 'WRONG_TYPE', 'CLIENT_NOT_READY', 'EXCEPTION']]

    class Event(TypedDict):
        """One event. `payload` is as emitted: each changed field with `from` and `to`."""
        seq: int
        kind: str
        subject: str
        actor: str
        actor_kind: Literal['human', 'key', 'agent', 'system', 'automation']
        created_at: int
        payload: Any
        title: NotRequired[str | None]
        via: str | None
        origin: str | None

    class ExpectedFile(TypedDict):
        """A file that is on its way to a subject, and will hang there."""
        id: str
        name: str
        size: int
        arrived: int
        subject: str
        upload: str | None
        created_at: int
        created_by: str
        expires_at: int

    class Expiry(TypedDict):
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        targets: List[Dict[str, Any]]
        change: FlagChange | None

    class ExplainedStep(TypedDict):
        """One thing that was looked at."""
        check: str
        passed: bool
        because: str

    class Explanation(TypedDict):
        """Whether somebody may do something, and why."""
        allowed: bool
        steps: List[ExplainedStep]

    class Export(TypedDict):
        """One JSON entry a line, oldest first."""
        count: int
        ndjson: str
        truncated: bool

    class ExportedEvents(TypedDict):
        """Events as a file."""
        name: str
        data: str
        events: int
        truncated: bool

    class Exporting(TypedDict):
        """Work that goes on; `jobs.get` says how far it is."""
        job: int

    class Fact(TypedDict):
        """Something that moved: how many issues, and the first keys."""
        fact: str
        count: int
        keys: List[str]

    class Fetched(TypedDict):
        name: str
        url: str
        size: int
        sha256: str

    class Field(TypedDict):
        """A field that the org made. `projects` are those that the caller sees, none stands for all; so with `types`.

        `used` counts the issues with a value that the caller sees.
        """
        key: str
        name: str
        kind: Literal['text', 'paragraph', 'number', 'money', 'bool', 'date', 'datetime', 'duration', 'select', 'multi_select', 'cascade', 'member', 'members', 'team', 'issue', 'page', 'asset', 'url', 'rating', 'formula', 'rollup']
        on: Literal['issue', 'worklog', 'company', 'request']
        description: str
        options: List[FieldOption]
        projects: List[str]
        types: List[str]
        default: Any
        formula: str | None
        min: float | None
        max: float | None
        pattern: str | None
        personal: bool
        used: int

    FieldChange = TypedDict('FieldChange', {'seq': 'int', 'at': 'int', 'who': 'str', 'via': 'str | None', 'field': 'str', 'from': 'Any', 'to': 'Any'})

    class FieldInput(TypedDict):
        """A field of a type."""
        key: str
        name: str
        kind: Literal['text', 'number', 'date', 'bool', 'select', 'member', 'reference', 'url']
        options: NotRequired[List[str] | None]
        target: NotRequired[str | None]
        required: NotRequired[bool | None]
        unique: NotRequired[bool | None]

    class FieldLayout(TypedDict):
        """Which fields the issues of one type have in one project, by key, in order."""
        project: str
        type: str
        create: List[str]
        edit: List[str]
        required: List[str]
        rules: List[Dict[str, Any]]

    class FieldOption(TypedDict):
        """One of the values that may be chosen; `parent` is the id of the one it stands under in a cascade."""
        id: int
        name: str
        color: str
        archived: bool
        parent: int | None

    class FilterInput(TypedDict):
        """A quick filter as it is to be."""
        id: NotRequired[str | None]
        name: str
        tql: str

    class FirstProject(TypedDict):
        key: str
        name: str

    class Flag(TypedDict):
        """A flag with its state in each environment; one that was asked for alone comes with what belongs to it."""
        project: str
        key: str
        name: str
        description: str
        kind: Literal['bool', 'string', 'number', 'json']
        variations: List[Dict[str, Any]]
        tags: List[str]
        maintainers: List[str]
        temporary: bool
        client_side: bool
        defaults: Dict[str, int]
        schema: Dict[str, Any] | None
        archived: bool
        version: int
        environments: Dict[str, EnvironmentState]
        aliases: List[str]
        dependents: NotRequired[List[str]]
        changes: NotRequired[List[FlagChange]]
        schedules: NotRequired[List[FlagSchedule]]
        issues: NotRequired[List[str]]

    class FlagChange(TypedDict):
        """A change that waits, or was decided. `run_at` is in milliseconds, the other times in seconds.

        `preview` is what it would change now: {`diff`, `fits`, `why`}; it stands in the answers about one change.
        """
        id: int
        kind: Literal['flag', 'segment']
        target: str
        environment: str
        instructions: List[Dict[str, Any]]
        comment: str
        status: Literal['pending', 'approved', 'declined', 'applied', 'cancelled', 'failed']
        run_at: int | None
        reviews: List[FlagReview]
        requested_by: str
        created_at: int
        plan: int | None
        preview: Dict[str, Any] | None

    class FlagCheck(TypedDict):
        """What a context is to get; `broken` names what it does not get now."""
        id: int
        project: str
        environment: str
        name: str
        context: Dict[str, Any]
        expected: Dict[str, Any]
        enforce: bool
        created_by: str
        created_at: int
        broken: List[str]

    class FlagPlan(TypedDict):
        """A rollout by a plan. Times are in Unix milliseconds, but `created_at`, which is in seconds."""
        id: int
        key: str
        environment: str
        rule: str | None
        variation: int
        steps: List[Dict[str, Any]]
        checks: List[Dict[str, Any]]
        comment: str
        state: Literal['waiting', 'running', 'held', 'stopped', 'done']
        step: int
        next_at: int | None
        reason: str | None
        start_at: int | None
        change: int | None
        created_by: str
        created_at: int

    class FlagProject(TypedDict):
        project: str
        name: str
        environments: List[str]
        flags: int

    class FlagReference(TypedDict):
        key: str
        repository: str
        branch: str
        path: str
        line: int
        text: str
        seen_at: int

    class FlagReview(TypedDict):
        who: str
        decision: Literal['approve', 'decline', 'comment']
        comment: str
        at: int

    class FlagRevision(TypedDict):
        """One version: who made it of the one before, and what differs, as {`path`, `from`, `to`}."""
        id: int
        version: int
        at: int
        who: str
        via: str | None
        comment: str
        diff: List[Dict[str, Any]]

    class FlagSchedule(TypedDict):
        """Instructions for a time; `run_at` is in milliseconds."""
        id: int
        key: str
        environment: str
        instructions: List[Dict[str, Any]]
        run_at: int
        created_by: str

    class FlagSettings(TypedDict):
        agent_writes: Literal['changeRequest', 'direct']

    class FlagTemplate(TypedDict):
        """What a new flag may begin as. `settings` are fields of `flags.create`."""
        key: str
        name: str
        kind: Literal['bool', 'string', 'number', 'json']
        variations: List[Dict[str, Any]]
        settings: Dict[str, Any]
        built_in: bool

    class FlagTraffic(TypedDict):
        key: str
        counts: List[int]
        evaluated_at: int | None

    class FlagTrigger(TypedDict):
        """`url` stands in the answer that made it, and nowhere else."""
        id: int
        key: str
        environment: str
        action: Literal['on', 'off', 'variation']
        variation: int | None
        url: str | None
        created_by: str
        created_at: int
        used_at: int | None
        uses: int

    class FlagUpdate(TypedDict):
        """What became of instructions. `diff` is what they change, or would once they are approved, by `flag` or by
        environment: [{`path`, `from`, `to`}], of lists of more than a hundred keys [{`path`, `added`, `removed`}].
        """
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        flag: Flag
        diff: Dict[str, Any]
        change: FlagChange | None

    class FlagsExported(TypedDict):
        data: Dict[str, Any]

    class FormQuestion(TypedDict):
        field: str
        label: NotRequired[str | None]
        help: NotRequired[str | None]
        required: bool
        show_if: NotRequired[Dict[str, Any] | None]

    class Found(TypedDict):
        """Hits, best first. `facets`: how many of each kind, project and category, of the best 2,000.

        `tql` is the same as a query, where one was typed or could be.
        """
        items: List[SearchHit]
        facets: Dict[str, Dict[str, int]]
        next: str | None
        tql: str | None

    class FoundRef(TypedDict):
        key: str
        path: str
        line: int
        text: NotRequired[str | None]

    Grant = TypedDict('Grant', {'who': 'str', 'name': 'str', 'level': "Literal['view', 'comment', 'edit', 'manage']", 'from': "Literal['here', 'space', 'project', 'org']", 'expires_at': 'int | None', 'granted_by': 'str', 'granted_at': 'int'})

    class Graph(TypedDict):
        """Issues and the relations among them. A circle is told once, as the keys along it."""
        nodes: List[Issue]
        edges: List[Edge]
        cycles: List[List[str]]

    class Heading(TypedDict):
        """A heading of a page."""
        level: int
        text: str
        anchor: str

    class Impact(TypedDict):
        """`dependents` are the flags that wait for this one in the environment, `segments` those that it asks for before or
        after, `streams` the clients that listen now.
        """
        traffic: Traffic
        dependents: List[str]
        segments: List[str]
        streams: int
        risk: Literal['none', 'low', 'medium', 'high']

    class Import(TypedDict):
        """One import. `found` is what the source holds, `mapping` what becomes of it, `losses` what does not come along."""
        id: int
        source: str
        state: Literal['open', 'probed', 'mapped', 'running', 'done', 'failed', 'cancelled', 'undone']
        found: Dict[str, Any]
        mapping: Dict[str, Any]
        losses: List[str]
        done: ImportDone
        errors: int
        job: int | None
        created_by: str
        created_at: int

    class ImportDone(TypedDict):
        """How many things an import made."""
        projects: int
        issues: int
        comments: int
        attachments: int
        worklogs: int
        pages: int
        members: int

    class Imported(TypedDict):
        """Where an issue was before: kept by an import, for admins only."""
        author: NotRequired[str | None]
        number: NotRequired[int | None]
        created_at: NotRequired[int | None]
        updated_at: NotRequired[int | None]
        done_at: NotRequired[int | None]
        outcome: NotRequired[Literal['completed', 'cancelled', 'duplicate'] | None]

    class InTrash(TypedDict):
        """`trash` is the entry's id, for trash.restore."""
        ok: bool
        trash: int

    class InsightPoint(TypedDict):
        """`hour` is its first second; `variation` null is the caller's default."""
        hour: int
        variation: int | None
        count: int

    class Insights(TypedDict):
        series: List[InsightPoint]
        aliases: List[AliasCount]

    class Intake(TypedDict):
        """What became of a mail or message."""
        key: str
        reply: str
        result: Literal['created', 'commented', 'ignored']

    class Invite(TypedDict):
        """An invitation. `path` leads to it and holds its token: only in the answer of create and resend. `url` is the
        same as a whole address, once the server has noted its own.
        """
        id: int
        email: str
        role: str
        teams: List[int]
        projects: List[str]
        state: Literal['pending', 'accepted', 'revoked', 'expired']
        invited_by: str
        created_at: int
        expires_at: int
        accepted_by: str | None
        path: str | None
        url: str | None

    class InviteInfo(TypedDict):
        """What somebody is invited to, by whom, and how they may sign in."""
        org: str
        email: str
        role: str
        by: str
        methods: List[str]

    class Issue(TypedDict):
        """An issue as the caller sees it. Parts, from `relations` on, are there when they were asked for."""
        id: int
        key: str
        project: str
        type: str
        title: str
        body: str
        body_doc: str | None
        status: str
        lane: str
        category: Literal['todo', 'in_progress', 'done']
        outcome: Literal['completed', 'cancelled', 'duplicate'] | None
        priority: Literal['urgent', 'high', 'medium', 'low', 'none']
        assignees: List[str]
        reporter: str
        labels: List[str]
        components: List[str]
        parent: str | None
        level_no: int
        sprint: int | None
        past_sprints: List[int]
        milestone: int | None
        releases: List[str]
        affects: List[str]
        estimate: float | None
        spent_seconds: int
        left_seconds: int | None
        start_date: str | None
        due_date: str | None
        rank: str
        values: Dict[str, Any]
        level: str | None
        locked: bool
        blocked: bool
        counts: IssueCounts
        request: IssueRequest | None
        source: str | None
        external: str | None
        watching: bool
        starred: bool
        can: Can
        created_at: int
        created_by: str
        updated_at: int
        status_at: int
        started_at: int | None
        done_at: int | None
        archived_at: int | None
        seq: int
        path: str
        relations: NotRequired[List[Relation]]
        children: NotRequired[List[Issue]]
        transitions: NotRequired[List[IssueTransition]]
        checklist: NotRequired[Dict[str, Any]]
        flags: NotRequired[List[IssueFlag]]
        watchers: NotRequired[List[Member]]

    class IssueColumns(TypedDict):
        id: NotRequired[int]
        key: NotRequired[str]
        project: NotRequired[str]
        type: NotRequired[str]
        title: NotRequired[str]
        body: NotRequired[str]
        body_doc: NotRequired[str | None]
        status: NotRequired[str]
        lane: NotRequired[str]
        category: NotRequired[Literal['todo', 'in_progress', 'done']]
        outcome: NotRequired[Literal['completed', 'cancelled', 'duplicate'] | None]
        priority: NotRequired[Literal['urgent', 'high', 'medium', 'low', 'none']]
        assignees: NotRequired[List[str]]
        reporter: NotRequired[str]
        labels: NotRequired[List[str]]
        components: NotRequired[List[str]]
        parent: NotRequired[str | None]
        level_no: NotRequired[int]
        sprint: NotRequired[int | None]
        past_sprints: NotRequired[List[int]]
        milestone: NotRequired[int | None]
        releases: NotRequired[List[str]]
        affects: NotRequired[List[str]]
        estimate: NotRequired[float | None]
        spent_seconds: NotRequired[int]
        left_seconds: NotRequired[int | None]
        start_date: NotRequired[str | None]
        due_date: NotRequired[str | None]
        rank: NotRequired[str]
        values: NotRequired[Dict[str, Any]]
        level: NotRequired[str | None]
        locked: NotRequired[bool]
        blocked: NotRequired[bool]
        counts: NotRequired[IssueCounts]
        request: NotRequired[IssueRequest | None]
        source: NotRequired[str | None]
        external: NotRequired[str | None]
        watching: NotRequired[bool]
        starred: NotRequired[bool]
        can: NotRequired[Can]
        created_at: NotRequired[int]
        created_by: NotRequired[str]
        updated_at: NotRequired[int]
        status_at: NotRequired[int]
        started_at: NotRequired[int | None]
        done_at: NotRequired[int | None]
        archived_at: NotRequired[int | None]
        seq: NotRequired[int]
        path: NotRequired[str]

    class IssueCounts(TypedDict):
        """What hangs on an issue, as far as the caller sees it."""
        comments: int
        attachments: int
        children: int
        children_done: int
        votes: int
        watchers: int
        checks: int
        checks_done: int
        links: int

    class IssueDefaultsInput(TypedDict):
        visibility: NotRequired[Literal['org', 'members', 'private'] | None]
        workflow: NotRequired[int | None]
        types: NotRequired[List[str] | None]

    class IssueFlag(TypedDict):
        """A feature flag that belongs to an issue. `project` is the key of its flag project, `environments` are that one's
        by key, in the order in which they were made. An archived flag serves the caller's default everywhere.
        """
        project: str
        key: str
        name: str
        archived: bool
        environments: Dict[str, IssueFlagState]

    class IssueFlagState(TypedDict):
        """A flag in one environment. `serves` is what everybody is served there: the name of the variation, else its value
        as JSON where that is short, else `variation <n>`, or `the caller's default`; null where it depends on who asks.
        """
        on: bool
        serves: str | None

    class IssuePart(TypedDict):
        title: str
        comments: NotRequired[List[int] | None]
        checks: NotRequired[List[int] | None]

    class IssueRequest(TypedDict):
        """The customer's request that an issue is."""
        type: int | None
        customer: int | None
        channel: str | None
        company: int | None

    class IssueTemplate(TypedDict):
        """What a new issue is to have: `input` and each child's are inputs of issues.create with `{{...}}` in texts."""
        id: int
        project: str | None
        name: str
        type: str
        input: Dict[str, Any]
        children: List[Dict[str, Any]]
        checklists: List[int]

    class IssueTransition(TypedDict):
        """A way that leads on from the issue's lane."""
        transition: str
        name: str
        to_status: str
        allowed: bool
        why: str | None
        fields: List[Dict[str, Any]]
        approvers: List[str]

    class IssueType(TypedDict):
        """A sort of issue: 2 initiative, 1 epic, 0 work, -1 sub-task. `issues` and `projects` are those the caller sees."""
        key: str
        name: str
        icon: str
        color: str
        level: int
        workflow: int | None
        template: int | None
        description: str
        projects: List[str]
        issues: int

    class Job(TypedDict):
        """Long work. `result` is what the operation would have answered, once it is done."""
        id: int
        kind: str
        state: Literal['queued', 'running', 'done', 'failed', 'cancelled']
        progress: float
        message: str
        result: Any
        error: str | None
        by: str
        created_at: int
        ended_at: int | None

    class JobStarted(TypedDict):
        """Work that goes on; `jobs.get` says how far it is."""
        job: int

    JsonValue = Any

    class Judged(TypedDict):
        """One rule on a way, and whether it lets the issue pass."""
        rule: str
        passed: bool
        detail: str

    class Kept(TypedDict):
        subject: str
        why: str

    class KeyWithSecret(TypedDict):
        """A key with its secret, which is shown this once."""
        id: str
        name: str
        kind: Literal['personal', 'agent']
        agent: str | None
        owner: str
        last4: str
        scopes: List[str]
        projects: List[str]
        networks: List[str]
        created_at: int
        expires_at: int | None
        last_used_at: int | None
        last_address: str | None
        calls_month: int
        state: Literal['active', 'rotating', 'expired', 'revoked']
        secret: str

    class KillSwitch(TypedDict):
        key: str
        environment: str
        on: bool

    class Label(TypedDict):
        """A label, with how many issues and pages that the caller sees carry it."""
        id: int
        name: str
        color: str
        project: str | None
        group: str | None
        description: str
        issues: int
        pages: int

    class Lane(TypedDict):
        """A status that issues stand in. `issues` counts those that the caller sees."""
        key: str
        name: str
        category: Literal['todo', 'in_progress', 'done']
        color: str
        outcome: Literal['completed', 'cancelled', 'duplicate'] | None
        wip: int | None
        stops_sla: bool
        position: float
        issues: int
        description: str

    LayoutRule = TypedDict('LayoutRule', {'if': 'Dict[str, Any]', 'show': 'NotRequired[List[str] | None]', 'require': 'NotRequired[List[str] | None]', 'set': 'NotRequired[Dict[str, Any] | None]'})

    class Level(TypedDict):
        """One level of a rota: its members take turns of so many weeks."""
        members: List[str]
        handover: str
        weeks: int
        hours: str | None

    class LevelInput(TypedDict):
        members: List[str]
        handover: str
        weeks: int
        hours: NotRequired[str | None]

    class LinkedProviders(TypedDict):
        """What is left of a member's accounts elsewhere."""
        linked: List[str]

    class LogLine(TypedDict):
        """Something that was left out or is not as it was, with its place in the source."""
        at: int
        level: Literal['info', 'warning', 'error']
        source: str
        message: str
        subject: str | None

    class Login(TypedDict):
        """Signed in (`token` and `member`), or half way: `challenge` for `auth.login_verify` with one of `methods`.

        `token` is empty where the browser got it as a cookie.
        """
        token: str | None
        challenge: str | None
        methods: List[Literal['totp', 'recovery', 'passkey']]
        member: Member | None

    class LoginDone(TypedDict):
        """Signed in. `token` is empty where the browser got it as a cookie."""
        token: str
        member: Member

    class Look(TypedDict):
        seq: int
        at: int

    class MailIngested(TypedDict):
        result: Literal['created', 'commented', 'ignored', 'refused']
        reply: str | None

    class MailPath(TypedDict):
        path: str

    class MailRetried(TypedDict):
        ok: bool

    MailSender = TypedDict('MailSender', {'host': 'str', 'port': 'int', 'security': "Literal['starttls', 'tls', 'none']", 'user': 'str', 'from': 'str', 'name': 'str', 'signature': 'str', 'has_password': 'bool', 'source': "Literal['settings', 'saved', 'none']", 'place': 'str', 'said': 'str | None'})

    class MailTarget(TypedDict):
        """What mail becomes: one of these."""
        desk: NotRequired[str]
        project: NotRequired[str]
        page_space: NotRequired[str]

    class MailTargetInput(TypedDict):
        desk: NotRequired[str | None]
        project: NotRequired[str | None]
        page_space: NotRequired[str | None]

    class MailTemplate(TypedDict):
        """What a kind of letter says to readers of a language."""
        key: str
        about: str
        locale: str
        subject: str
        body: str
        built_in: bool
        variables: List[str]
        required: List[str]

    class Mailbox(TypedDict):
        """A mailbox that is read, or an address of this site that mail is posted to."""
        id: int
        name: str
        protocol: Literal['imap', 'pop', 'hook']
        host: str
        port: int
        security: Literal['starttls', 'tls', 'none']
        user: str
        has_password: bool
        folder: str
        hook_path: str | None
        target: MailTarget
        every_minutes: int
        delete_after: bool
        allow: List[str]
        deny: List[str]
        last_at: int | None
        last_error: str | None
        next_at: int | None

    class MailboxTested(TypedDict):
        ok: bool
        detail: str
        waiting: int

    class Me(TypedDict):
        """Who the caller is and what they may do now. `via` is the key or agent, null for a session."""
        member: Member
        role: str
        scopes: List[str]
        teams: List[int]
        via: str | None
        org: OrgSummary
        modules: List[str]
        proofs: List[Literal['password', 'totp', 'recovery', 'passkey']]
        linked: List[str]

    class Member(TypedDict):
        """A person of the org, or an agent where a list of people may hold one.

        `email` is null where the caller may not see it; `two_factor` is told to admins and oneself only.
        """
        id: str
        name: str
        handle: str
        email: str | None
        avatar: str | None
        role: str
        state: Literal['active', 'invited', 'deactivated', 'erased']
        kind: Literal['person', 'agent']
        title: str | None
        zone: str | None
        locale: str | None
        teams: List[int]
        status: Status | None
        two_factor: bool | None
        managed: bool
        guest_until: int | None
        last_seen_at: int | None
        created_at: int

    class MemberWorkload(TypedDict):
        """What somebody has before them, day by day."""
        member: str
        days: List[WorkloadDay]
        over: bool
        issues: List[str]

    class Mentionable(TypedDict):
        """Somebody who fits a mention; `can_see` says whether they see what they would be mentioned on."""
        kind: Literal['member', 'team', 'agent', 'customer']
        id: str
        name: str
        can_see: bool

    class ModelEntry(TypedDict):
        """A model that a provider offers, or that is allowed and offered no more."""
        id: str
        name: str
        allowed: bool
        context: int | None
        price_in: float | None
        price_out: float | None

    class Moved(TypedDict):
        """Where what stands in a lane goes, and how many issues that are."""
        to: str
        issues: int

    class Mute(TypedDict):
        """What the caller does not hear of."""
        subject: str
        until: int | None

    class Muted(TypedDict):
        muted: List[Mute]

    class NewRanks(TypedDict):
        """Where issues stand now."""
        ok: bool
        ranks: Dict[str, str]

    class NewSdkKey(TypedDict):
        """`secret` is the key itself; that of a server is not shown again."""
        id: int
        environment: str
        kind: Literal['server', 'client']
        last4: str
        value: str | None
        created_at: int
        expires_at: int | None
        secret: str

    class NotRestored(TypedDict):
        """An entry that stays where it is, and why."""
        id: int
        reason: str

    class Notification(TypedDict):
        """An entry of the inbox: what came of one subject since its receiver last had it read."""
        id: int
        subject: str
        title: str
        reason: Literal['approval', 'assigned', 'mentioned', 'replied', 'invited', 'shared', 'agent', 'due', 'sla', 'rule', 'report', 'watching']
        events: List[NotificationEvent]
        state: Literal['unread', 'read', 'snoozed', 'archived']
        snoozed_until: int | None
        at: int
        path: str

    class NotificationCount(TypedDict):
        """How much is unread and awake."""
        unread: int
        by_reason: Dict[str, int]

    class NotificationEvent(TypedDict):
        """Something that happened to the subject of an entry."""
        seq: int | None
        kind: str
        actor: str
        at: int
        summary: str

    class NotificationSettings(TypedDict):
        """How somebody wants to hear of things."""
        channels: Dict[str, List[Literal['inbox', 'mail', 'push', 'chat']]]
        digest: Literal['off', 'daily', 'weekly']
        digest_at: str
        quiet: Dict[str, str | List[int]] | None
        due_before_days: List[int]
        own_projects: List[str]
        delay_minutes: int
        muted: List[Mute]
        devices: List[PushDevice]
        push_key: str | None

    class OidcDone(TypedDict):
        """Signed in by a provider. `token` is empty where the browser got it as a cookie, or was signed in before."""
        token: str
        member: Member
        return_to: str

    class OidcStarted(TypedDict):
        """Where to go to sign in."""
        url: str

    class Ok(TypedDict):
        ok: bool

    class OnCall(TypedDict):
        """Who is on call at a moment, and until when."""
        team: int
        level: int
        member: str
        until: int

    class OptionInput(TypedDict):
        id: NotRequired[int | None]
        name: str
        color: NotRequired[str | None]
        archived: NotRequired[bool | None]
        parent: NotRequired[int | str | None]

    class Org(TypedDict):
        """The org. `retention`, `legal` and `allowed_files` are empty for guests."""
        name: str
        slug: str
        logo: str | None
        zone: str
        locale: str
        plan: Literal['self-hosted']
        modules: Dict[str, bool]
        default_role: str
        guests: bool
        public_links: bool
        week_start: int
        retention: Dict[str, int | None]
        issue_defaults: Dict[str, Any]
        allowed_files: List[str]
        banner: Banner | None
        legal: Dict[str, Any]
        created_at: int

    class OrgClock(TypedDict):
        """The time by which things end. All in Unix seconds."""
        now: int
        trusted: int

    class OrgSummary(TypedDict):
        """What every signed-in caller may know of the org."""
        name: str
        slug: str
        logo: str | None
        zone: str
        locale: str
        plan: Literal['self-hosted']

    class OutboxLetter(TypedDict):
        """One letter that went, waits, or did not go. What it says is never shown."""
        id: int
        to: str
        subject: str
        state: Literal['queued', 'sent', 'failed', 'held']
        tries: int
        error: str | None
        at: int
        next_at: int | None

    class Page(TypedDict):
        """A page with its text."""
        id: str
        space: str
        parent: str | None
        title: str
        slug: str
        icon: str | None
        cover: str | None
        labels: List[str]
        properties: Dict[str, Any]
        owner: str
        state: Literal['draft', 'published', 'archived']
        has_draft: bool
        version: int
        locked: bool
        restricted: bool
        verified_until: int | None
        verified_by: str | None
        counts: PageCounts
        created_at: int
        created_by: str
        updated_at: int
        updated_by: str
        my_level: Literal['view', 'comment', 'edit', 'manage']
        path: str
        seq: int
        body: str
        body_doc: str | None
        headings: List[Heading]
        watching: bool
        limits: PageLimits | None

    class PageBacklink(TypedDict):
        """A page that names another one."""
        subject: str
        title: str
        excerpt: str

    class PageCounts(TypedDict):
        """What hangs on a page, as far as the caller sees it."""
        comments: int
        open_threads: int
        views_30d: int
        children: int
        backlinks: int

    class PageDiff(TypedDict):
        """How one version differs from another, line by line."""
        title: str
        hunks: List[DiffHunk]
        html: str

    class PageExport(TypedDict):
        """A file with pages."""
        name: str
        url: str

    class PageLimits(TypedDict):
        """The people that a page is narrowed to; empty: those of its space."""
        view: List[str]
        edit: List[str]

    class PageSummary(TypedDict):
        """A page without its text."""
        id: str
        space: str
        parent: str | None
        title: str
        slug: str
        icon: str | None
        cover: str | None
        labels: List[str]
        properties: Dict[str, Any]
        owner: str
        state: Literal['draft', 'published', 'archived']
        has_draft: bool
        version: int
        locked: bool
        restricted: bool
        verified_until: int | None
        verified_by: str | None
        counts: PageCounts
        created_at: int
        created_by: str
        updated_at: int
        updated_by: str
        my_level: Literal['view', 'comment', 'edit', 'manage']
        path: str
        seq: int

    class PageSyncClock(TypedDict):
        clock: int

    class PageSyncState(TypedDict):
        """What was written, and who is there."""
        state: str
        clock: int
        people: List[Present]

    class PageTask(TypedDict):
        """A line of a page with a box to tick."""
        page: str
        line: int
        text: str
        assignee: str | None
        due_date: str | None
        done: bool

    class PageTemplate(TypedDict):
        """What a new page begins with."""
        id: int
        space: str | None
        name: str
        body: str
        properties: Dict[str, Any]
        icon: str | None
        built_in: bool

    class PageVersion(TypedDict):
        """What a page was."""
        version: int
        at: int
        who: str
        via: str | None
        note: str
        size: int
        published: bool

    class PageViews(TypedDict):
        """How often a page was opened. Who opened it is told to nobody."""
        views: int
        people: int
        daily: List[int]

    class PagedDelivery(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[Delivery]
        next: str | None

    class PagedFieldChange(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[FieldChange]
        next: str | None

    class PagedIssue(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[Issue]
        next: str | None

    class PagedIssueColumns(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[IssueColumns]
        next: str | None

    class PagedLogLine(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[LogLine]
        next: str | None

    class PagedMember(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[Member]
        next: str | None

    class PagedNotification(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[Notification]
        next: str | None

    class PagedOutboxLetter(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[OutboxLetter]
        next: str | None

    class PagedPageSummary(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[PageSummary]
        next: str | None

    class PagedPageVersion(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[PageVersion]
        next: str | None

    class PagedTrashEntry(TypedDict):
        """One page of a list; `next` is passed as `cursor` for the page behind it."""
        items: List[TrashEntry]
        next: str | None

    class Parsed(TypedDict):
        """An input for issues.create, and what of the text it was read from."""
        input: Dict[str, Any]
        spans: List[Span]

    class Passkey(TypedDict):
        """A passkey of one's own."""
        id: str
        name: str
        created_at: int
        last_used_at: int | None

    class PasskeyCeremony(TypedDict):
        """What a browser is asked to sign, and the word that names the question."""
        challenge: str
        options: Dict[str, Any]

    class PlanCheck(TypedDict):
        """What has to hold for the rollout to go on."""
        kind: Literal['errors', 'check', 'hook']
        back: NotRequired[bool | None]
        percent: NotRequired[float | None]
        least: NotRequired[int | None]
        id: NotRequired[int | None]
        url: NotRequired[str | None]

    class PlanStep(TypedDict):
        weight: int
        hold_minutes: int

    class PortalArticle(TypedDict):
        id: str
        title: str
        text: str

    class PortalComment(TypedDict):
        """What was said on a request."""
        id: int
        author: str
        mine: bool
        body: str
        created_at: int

    class PortalDesk(TypedDict):
        """A desk that is open, as anybody sees it."""
        project: str
        name: str
        intro: str
        open_signup: bool
        has_articles: bool
        languages: List[str]
        logo: str | None
        types: List[PortalType]

    class PortalField(TypedDict):
        """A question, once the given values are applied."""
        key: str
        label: str
        help: str
        kind: str
        required: bool
        options: List[Any]
        value: Any
        shown: bool

    class PortalFile(TypedDict):
        id: str
        name: str
        size: int
        created_at: int

    class PortalForm(TypedDict):
        fields: List[PortalField]

    class PortalParticipants(TypedDict):
        participants: List[str]

    class PortalRequest(TypedDict):
        """A request as its customers see it."""
        key: str
        title: str
        desk: str
        request_type: str
        status: str
        category: Literal['todo', 'in_progress', 'done']
        created_at: int
        updated_at: int

    class PortalSession(TypedDict):
        customer: DeskCustomer
        token: str

    class PortalSignup(TypedDict):
        customer: DeskCustomer | None
        token: str | None
        verify: bool

    class PortalSurvey(TypedDict):
        """How a customer rates a request that is closed."""
        token: str
        score: int | None
        comment: str

    class PortalThread(TypedDict):
        """A request with what was said on it last, oldest first."""
        request: PortalRequest
        description: str
        comments: List[PortalComment]
        older: str | None
        files: List[PortalFile]
        survey: PortalSurvey | None

    class PortalType(TypedDict):
        """What may be asked for."""
        id: int
        name: str
        description: str
        icon: str
        group: str

    class PostedFile(TypedDict):
        data: str
        name: str
        content_type: NotRequired[str | None]
        related: NotRequired[bool | None]

    class Preferences(TypedDict):
        """How somebody likes the app; null: as the org has it, or the app's own choice."""
        locale: str | None
        zone: str | None
        theme: Any
        week_start: Any
        start_page: Any
        shortcuts: Any
        editor: Any
        density: Any

    class PresencePeople(TypedDict):
        people: List[Present]

    class Present(TypedDict):
        """Somebody who is there."""
        who: str
        state: Literal['viewing', 'editing', 'replying']
        since: int
        cursor: Dict[str, Any] | None

    class PresentOn(TypedDict):
        """Who is on one thing."""
        subject: str
        people: List[Present]

    class Preset(TypedDict):
        """Actions to begin with."""
        key: str
        title: str
        actions: List[Dict[str, Any]]

    class Project(TypedDict):
        """A place for issues under one key."""
        key: str
        name: str
        description: str
        kind: Literal['software', 'business', 'desk', 'personal']
        icon: str | None
        color: str | None
        lead: str | None
        visibility: Literal['org', 'members', 'private']
        modules: Dict[str, bool]
        default_type: str
        default_assignee: Literal['none', 'lead', 'component', 'rotation']
        estimate_scale: int | None
        calendar: int | None
        budget: Budget | None
        start_date: str | None
        due_date: str | None
        labels: List[str]
        triage: bool
        reporters_see: Literal['own', 'all']
        blockers: Literal['warn', 'refuse']
        auto_archive_days: int | None
        auto_close_days: int | None
        default_view: int | None
        former_keys: List[str]
        health: str | None
        my_role: Literal['lead', 'member', 'reporter', 'viewer'] | None
        counts: ProjectCounts
        archived_at: int | None
        created_at: int
        seq: int

    class ProjectContent(TypedDict):
        """Inputs of the operations that make each part, without the project."""
        description: NotRequired[str | None]
        types: NotRequired[List[str] | None]
        workflow: NotRequired[int | None]
        workflows: NotRequired[Dict[str, int] | None]
        modules: NotRequired[Dict[str, bool] | None]
        default_assignee: NotRequired[Literal['none', 'lead', 'component', 'rotation'] | None]
        reporters_see: NotRequired[Literal['own', 'all'] | None]
        blockers: NotRequired[Literal['warn', 'refuse'] | None]
        triage: NotRequired[bool | None]
        auto_archive_days: NotRequired[int | None]
        auto_close_days: NotRequired[int | None]
        labels: NotRequired[List[Dict[str, Any]] | None]
        components: NotRequired[List[Dict[str, Any]] | None]
        layouts: NotRequired[List[Dict[str, Any]] | None]
        templates: NotRequired[List[Dict[str, Any]] | None]
        boards: NotRequired[List[Dict[str, Any]] | None]

    class ProjectCounts(TypedDict):
        """Issues that the caller sees."""
        open: int
        done: int
        late: int

    class ProjectHealth(TypedDict):
        """Issues that the caller sees and that are not archived. `stale`: open, and nothing changed for 30 days."""
        open: int
        done: int
        late: int
        blocked: int
        unassigned: int
        stale: int
        sprint: int | None
        next_milestone: None
        spent: int | None
        budget: Budget | None
        last_status: ProjectStatus | None

    class ProjectMember(TypedDict):
        """Somebody with a role in a project; `through` names the team that gives it."""
        who: str
        name: str
        role: Literal['lead', 'member', 'reporter', 'viewer']
        through: str | None

    class ProjectStatus(TypedDict):
        """What somebody said of how a project goes. `facts` are the counts at that time, as who wrote it saw them."""
        id: int
        project: str
        health: Literal['on_track', 'at_risk', 'off_track', 'paused']
        body: str
        author: str
        at: int
        facts: Dict[str, int]

    class ProjectTemplate(TypedDict):
        """What a new project begins with: types, settings, labels, components, layouts and issue templates."""
        id: int
        name: str
        description: str
        content: Dict[str, Any]
        built_in: bool

    class ProviderModels(TypedDict):
        provider: str
        models: List[ModelEntry]

    class ProviderTrial(TypedDict):
        """How far a sign-in would come."""
        ok: bool
        steps: List[TrialStep]
        claims: Dict[str, Any] | None

    class PurgedCount(TypedDict):
        purged: int

    class PushDevice(TypedDict):
        """A browser that is pushed to."""
        device: str
        added_at: int

    class PushKeys(TypedDict):
        """As `PushSubscription.toJSON()` has them in `keys`."""
        p256dh: str
        auth: str

    class PushResult(TypedDict):
        """What became of one write."""
        id: str
        state: Literal['done', 'repeated', 'conflict', 'refused']
        subject: str | None
        seq: int | None
        output: Any
        changes: List[PushedChange]
        current: Any
        problem: str | None
        detail: str | None

    class Pushed(TypedDict):
        """The outcomes, in the order of the writes."""
        results: List[PushResult]
        seq: int

    class PushedChange(TypedDict):
        """What others made of a field that a write would change, too."""
        subject: str
        field: str
        value: Any
        actor: str
        created_at: int
        seq: int

    class PushedWrite(TypedDict):
        id: str
        op: str
        input: NotRequired[Any]
        base_seq: int

    class QueryResult(TypedDict):
        """What a query found. Whole numbers beyond 2^53, infinities and bytes are texts."""
        columns: List[str]
        rows: List[List[Any]]
        truncated: bool
        ms: int

    class Queue(TypedDict):
        """A list of issues that the people of a desk work off."""
        id: int
        project: str
        name: str
        tql: str
        order: str
        columns: List[str]
        team: int | None
        position: float
        count: int
        late: int

    class QuickFilter(TypedDict):
        """A condition that narrows a board at a touch."""
        id: str
        name: str
        tql: str

    QuietHours = TypedDict('QuietHours', {'from': 'str', 'to': 'str', 'days': 'NotRequired[List[int] | None]'})

    class Reaction(TypedDict):
        emoji: str
        count: int
        mine: bool
        who: List[str]

    class ReaderProfile(TypedDict):
        """Somebody for whom a subject is explained."""
        key: str
        label: str
        instructions: str

    class Recorded(TypedDict):
        """The sequence number of the entry."""
        seq: int

    class RecoveryCodes(TypedDict):
        """Each signs in once in place of a code. Shown this once."""
        recovery_codes: List[str]

    class Redelivered(TypedDict):
        queued: int

    class RefsPushed(TypedDict):
        refs: int
        unknown: List[str]
        unused: List[str]

    class RelatedIssue(TypedDict):
        """The other end of a relation."""
        key: str
        title: str
        status: str
        category: Literal['todo', 'in_progress', 'done']

    class Relation(TypedDict):
        """A relation as it looks from one of its ends: `kind` is the key, `direction` `in` where this end is its object."""
        id: int
        kind: str
        direction: Literal['out', 'in', 'both']
        issue: RelatedIssue
        lag_days: int
        created_by: str
        created_at: int

    class RelationInput(TypedDict):
        kind: str
        key: str

    class RelationKind(TypedDict):
        """How issues can stand to each other: `blocks` and, the other way round, `blocked by`."""
        key: str
        name: str
        inverse: str
        directed: bool
        blocks: bool
        color: str
        built_in: bool

    class RenderedReply(TypedDict):
        text: str

    class Report(TypedDict):
        """A query that is kept, and what it last found."""
        id: int
        name: str
        sql: str
        every: Literal['manual', 'daily', 'weekly', 'monthly']
        recipients: List[str]
        created_by: str
        last_error: str | None
        last_result: Any
        last_rows: int | None
        last_run_at: int | None
        next_run_at: int | None

    class RequestField(TypedDict):
        """A question of a form."""
        field: str
        label: str
        help: str
        required: bool
        show_if: Dict[str, Any] | None

    class RequestPeople(TypedDict):
        requester: DeskCustomer
        participants: List[DeskCustomer]

    class RequestType(TypedDict):
        """What may be asked for at a desk."""
        id: int
        project: str
        name: str
        description: str
        icon: str
        group: str
        issue_type: str
        fields: List[RequestField]
        approvers: List[str]
        template: int | None
        position: float
        hidden: bool

    class Resolved(TypedDict):
        """What a reference stands for; where it is not there or not seen, `allowed` is false and the rest null."""
        ref: str
        subject: str | None
        title: str | None
        kind: str | None
        path: str | None
        state: str | None
        allowed: bool

    class Restored(TypedDict):
        """The subjects that are back, and the entries that are not."""
        restored: List[str]
        failed: List[NotRestored]

    class Restoring(TypedDict):
        job: int

    class RetentionInput(TypedDict):
        audit_days: NotRequired[int | None]
        trash_days: NotRequired[int | None]
        events_days: NotRequired[int | None]
        attachments_days: NotRequired[int | None]

    class Revision(TypedDict):
        """Title and body as somebody wrote them. `diff` is the way from the asked revision to this one."""
        revision: int
        at: int
        who: str
        title: str
        body: str
        diff: NotRequired[str | None]

    Road = TypedDict('Road', {'from': 'str', 'to': 'str', 'count': 'int', 'median_hours': 'float | None'})

    class Rota(TypedDict):
        """Who of a team is on call. Levels count from 1; a team without a rota has none."""
        team: int
        levels: List[Level]
        shifts: List[Shift]
        escalate_minutes: int | None

    class RotatedSecret(TypedDict):
        secret: str

    class RuleAction(TypedDict):
        op: str
        input: NotRequired[Dict[str, Any] | None]
        each: NotRequired[str | None]
        apply: NotRequired[bool | None]
        on_error: NotRequired[Literal['stop', 'go_on'] | None]
        delay_minutes: NotRequired[int | None]

    class RuleRun(TypedDict):
        log: int

    class RuleSetOff(TypedDict):
        """What became of a request from outside."""
        result: Literal['queued']

    class RuleSubject(TypedDict):
        """What conditions may ask of a kind of subject."""
        kind: str
        fields: List[SubjectField]

    class RuleTrigger(TypedDict):
        kind: Literal['event', 'schedule', 'button', 'hook', 'state']
        event: NotRequired[str | None]
        tql: NotRequired[str | None]
        every: NotRequired[str | None]
        zone: NotRequired[str | None]
        label: NotRequired[str | None]
        path: NotRequired[str | None]
        minutes: NotRequired[int | None]

    class RuleVariable(TypedDict):
        """A placeholder that inputs of actions may hold."""
        name: str
        title: str
        example: str

    class Satisfaction(TypedDict):
        rows: List[SatisfactionRow]

    class SatisfactionRow(TypedDict):
        group: str
        answers: int
        average: float
        low: int

    class SavedWebhook(TypedDict):
        """`secret` is null for one that was there before."""
        id: int
        name: str
        url: str
        events: List[str]
        project: str | None
        tql: str
        headers: Dict[str, None]
        fields: List[str]
        enabled: bool
        batch_seconds: int
        state: Literal['ok', 'failing', 'disabled']
        last_at: int | None
        last_status: int | None
        failures: int
        author: str
        secret: str | None

    class Scheduled(TypedDict):
        """`id` is that of the schedule, or of the change request where the outcome is `changeRequest`."""
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        id: int

    class ScoredArticle(TypedDict):
        page: str
        title: str
        excerpt: str
        score: float

    class SdkKey(TypedDict):
        """A key of client libraries. `value` is a client-side ID, which is public; a server key is shown once."""
        id: int
        environment: str
        kind: Literal['server', 'client']
        last4: str
        value: str | None
        created_at: int
        expires_at: int | None

    class SearchHit(TypedDict):
        """Something that was found. In `excerpt` the words stand between `<mark>` and `</mark>`, all else is escaped."""
        subject: str
        kind: str
        title: str
        excerpt: str
        path: str
        project: str | None
        space: str | None
        within: str | None
        status: str | None
        score: float
        updated_at: int
        why: Literal['text', 'title', 'key', 'semantic', 'recent']

    class Seen(TypedDict):
        """`changes`: events by others since `previous`, when the caller last looked (null the first time)."""
        changes: int
        previous: Look | None

    class Segment(TypedDict):
        """A group of contexts; `used_by` names the flags and segments (`segment:<key>`) that ask for it."""
        project: str
        environment: str
        key: str
        name: str
        included: List[str]
        excluded: List[str]
        included_contexts: List[Dict[str, Any]]
        excluded_contexts: List[Dict[str, Any]]
        rules: List[Dict[str, Any]]
        description: str
        tags: List[str]
        used_by: List[str]

    class SegmentDelete(TypedDict):
        """What became of the wish to delete a segment."""
        ok: bool
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        change: FlagChange | None

    class SegmentUpdate(TypedDict):
        outcome: Literal['applied', 'unchanged', 'changeRequest']
        segment: Segment
        change: FlagChange | None

    class SentReply(TypedDict):
        id: int
        send_at: int | None

    class Session(TypedDict):
        """A place where somebody is signed in. `place` is null: this server knows no map of addresses."""
        id: str
        kind: Literal['browser', 'device', 'app']
        client: str
        address: str
        place: str | None
        current: bool
        elevated_until: int | None
        created_at: int
        last_seen_at: int
        expires_at: int

    Shift = TypedDict('Shift', {'level': 'int', 'member': 'str', 'from': 'int', 'to': 'int', 'override': 'bool'})

    class SignInPolicy(TypedDict):
        """How people may sign in. `signup_domains` and `allowed_networks` are null for who is no admin, and for none."""
        require_2fa: bool
        password_min: int
        session_days: int
        methods: List[str]
        signup_domains: List[str] | None
        allowed_networks: List[str] | None

    class SignInProvider(TypedDict):
        """Where people sign in elsewhere. `settings` and `has_secret` are null for who is no admin."""
        id: str
        kind: Literal['oidc', 'saml', 'ldap']
        label: str
        enabled: bool
        create_members: bool
        settings: Dict[str, Any] | None
        has_secret: bool | None

    class SignedIn(TypedDict):
        """A session was opened. `token` is empty where the browser got it as a cookie."""
        token: str
        member: Member

    class Similar(TypedDict):
        """An issue, and how like it is: 1 where it has all the words."""
        issue: Issue
        score: float

    class Simulated(TypedDict):
        """Whether an issue could go that way now, and every rule that was asked."""
        allowed: bool
        steps: List[Judged]

    class Skipped(TypedDict):
        """An issue that stays as it is, and why."""
        key: str
        reason: str

    class Space(TypedDict):
        """A tree of pages under one key."""
        key: str
        name: str
        kind: Literal['team', 'project', 'personal', 'kb']
        description: str
        icon: str | None
        project: str | None
        visibility: Literal['org', 'members', 'public']
        home: str | None
        owner: str
        review_days: int | None
        pages: int
        my_level: Literal['view', 'comment', 'edit', 'manage']
        archived_at: int | None
        former_keys: List[str]

    Span = TypedDict('Span', {'from': 'int', 'to': 'int', 'means': 'str'})

    class Sprint(TypedDict):
        """Some weeks of work of a team, or of one or more projects."""
        id: int
        name: str
        projects: List[str]
        team: int | None
        state: Literal['planned', 'active', 'done']
        goal: str
        start_date: str | None
        end_date: str | None
        started_at: int | None
        completed_at: int | None
        capacity: Dict[str, float]
        counts: SprintCounts
        retro: str | None
        cadence: SprintCadence | None

    class SprintCadence(TypedDict):
        """How sprints are made by themselves."""
        weeks: int
        starts_on: int
        ahead: int
        auto_start: bool
        auto_complete: bool
        carry: Literal['next', 'backlog']

    class SprintChange(TypedDict):
        """An issue came into a sprint that runs, or left it."""
        key: str
        title: str
        size: float
        added: bool
        by: str | None

    class SprintCounts(TypedDict):
        """How much is in a sprint, of what the caller sees."""
        issues: int
        done: int
        estimate: float
        estimate_done: float
        added: int
        removed: int

    class SprintDay(TypedDict):
        """How a sprint stood at the end of a day."""
        date: str
        left: float
        ideal: float
        scope: float
        changes: List[SprintChange]
        more: int
        hidden: int

    class SprintLoad(TypedDict):
        """What one person has to do in a sprint."""
        member: str
        planned: float
        capacity: float | None
        absent_days: int

    class SprintPlan(TypedDict):
        """What there is to plan a sprint by."""
        sprint: Sprint
        backlog: List[Issue]
        load: List[SprintLoad]
        suggest: List[str]

    class SprintReport(TypedDict):
        """What came of a sprint, of what the caller sees."""
        sprint: Sprint
        done: List[Issue]
        unfinished: List[Issue]
        added: List[str]
        removed: List[str]
        days: List[SprintDay]
        said_done: float

    class StaleFlag(TypedDict):
        """`reason` is `serves_one`, `not_evaluated` or `never_evaluated`, a colon, and the same in words with the variation
        and the days; `since` is when that began in the last environment where it did.
        """
        key: str
        reason: str
        since: int

    class Star(TypedDict):
        """Something that the caller starred. Nobody else is told of it."""
        id: int
        subject: str
        title: str
        label: str | None
        folder: str | None
        position: int

    class Started(TypedDict):
        job: int

    class Status(TypedDict):
        """What somebody is up to."""
        emoji: str
        text: str
        until: int | None

    class StatusDraft(TypedDict):
        """A text to begin with, and the facts in it."""
        text: str
        facts: List[Fact]

    class StatusInput(TypedDict):
        emoji: NotRequired[str | None]
        text: NotRequired[str | None]
        until: NotRequired[int | None]

    class SubjectField(TypedDict):
        name: str
        kind: str

    class Subscription(TypedDict):
        """Who gets a view by mail, how often, and at what time of their day."""
        who: str
        every: Literal['change', 'daily', 'weekly']
        at: str | None

    class SuggestedArticle(TypedDict):
        id: str
        title: str
        excerpt: str

    class Suggestion(TypedDict):
        """A line of the palette. `hint` says where it is."""
        kind: str
        id: str
        title: str
        hint: str
        shortcut: NotRequired[str]

    class SuppressedAddress(TypedDict):
        """An address that mail came back from for good."""
        address: str
        reason: str
        at: int

    class Swimlane(TypedDict):
        """One row of a board."""
        value: Any
        count: int
        estimate: float
        columns: List[SwimlaneCell]

    class SwimlaneCell(TypedDict):
        """Where a row and a column meet."""
        id: str
        count: int
        estimate: float
        keys: List[str]

    class SyncDelta(TypedDict):
        """What became of things since then."""
        seq: int
        access: int
        upserts: List[SyncRows]
        gone: List[SyncGone]
        more: bool
        reset: bool

    class SyncGone(TypedDict):
        """Things that are there no more, or not for you."""
        kind: str
        ids: List[Any]

    class SyncPart(TypedDict):
        """Things of one kind, by columns."""
        kind: str
        scope: str
        etag: str
        unchanged: bool
        columns: List[str]
        values: List[List[Any]]

    class SyncRows(TypedDict):
        """Things that are there, as they are now."""
        kind: str
        columns: List[str]
        rows: List[List[Any]]
        whole: bool
        etag: str | None

    class SyncScopes(TypedDict):
        """What a client keeps."""
        projects: NotRequired[List[str] | None]
        spaces: NotRequired[List[str] | None]
        closed_days: NotRequired[int]

    class SyncSnapshot(TypedDict):
        """What there is. With `next` there is more of it; `seq` and `access` are those of the first page on all."""
        seq: int
        access: int
        parts: List[SyncPart]
        next: str | None

    class Team(TypedDict):
        """A group of members. `builtin` is true of the admins alone, who follow the roles."""
        id: int
        name: str
        handle: str
        description: str
        icon: str | None
        parent: int | None
        open: bool
        builtin: bool
        members: List[TeamMember]
        calendar: int | None
        managed: bool

    class TeamMember(TypedDict):
        who: str
        role: Literal['lead', 'member']

    class TemplateChild(TypedDict):
        ref: str
        blocks: NotRequired[List[str] | None]
        input: Dict[str, Any]

    class Tested(TypedDict):
        ok: bool
        detail: str

    class TotpSecret(TypedDict):
        """A secret for an authenticator app: base32, and as an `otpauth://` address for a QR code."""
        secret: str
        uri: str

    class TqlChecked(TypedDict):
        """`tree` and `normal` are there where nothing is wrong."""
        ok: bool
        errors: List[TqlFault]
        tree: Dict[str, Any] | None
        normal: str | None
        notices: List[str]

    class TqlColumn(TypedDict):
        """One column of a result; `kind` is what its cells hold: text, name, person, number, duration, time, day, key."""
        name: str
        kind: str
        title: str
        note: NotRequired[str]

    TqlCompletion = TypedDict('TqlCompletion', {'insert': 'str', 'label': 'str', 'kind': "Literal['field', 'value', 'operator', 'keyword', 'flag', 'relation', 'collection', 'function', 'source']", 'detail': 'str | None', 'from': 'int', 'to': 'int'})

    class TqlCount(TypedDict):
        count: int

    class TqlExplained(TypedDict):
        text: str
        parts: List[TqlPart]
        sql: str | None

    class TqlFault(TypedDict):
        """One thing that is wrong: where, why, what could stand there and what to write instead."""
        position: int
        length: int
        line: int
        column: int
        message: str
        expected: List[str]
        suggestions: List[TqlSuggestion]

    class TqlField(TypedDict):
        """A field that texts over a source may name; `values` where there is a list of them."""
        name: str
        kind: str
        operators: List[str]
        functions: List[str]
        values: NotRequired[List[str]]
        custom: bool

    class TqlPart(TypedDict):
        """One condition: how it is looked up, how many rows it leaves, and whether the issue that was named fits."""
        part: str
        index: str
        rows: int | None
        matched: NotRequired[bool]

    class TqlResult(TypedDict):
        """Rows as lists of cells. `total` is null above 10,000 rows; `hidden` counts what admins do not see."""
        columns: List[TqlColumn]
        rows: List[List[Any]]
        subjects: List[str] | None
        total: int | None
        more: bool
        next: str | None
        hidden: int
        tql: str
        ms: int
        notices: List[str]

    TqlSuggestion = TypedDict('TqlSuggestion', {'replace': 'str', 'with': 'str', 'note': 'str'})

    class TqlTranslated(TypedDict):
        """`notes` say what could not be carried over."""
        tql: str
        notes: List[str]

    class Traffic(TypedDict):
        """Of the last 24 hours: how many evaluations, how many of them would or may be answered otherwise, and the share
        of these. `why` is the sentence that decided the risk.
        """
        evaluations: int
        changed: int
        share: float
        why: str

    Transition = TypedDict('Transition', {'key': 'str', 'name': 'str', 'from': 'List[str]', 'to': 'str', 'who': 'List[str]', 'if': 'List[Dict[str, Any]]', 'check': 'List[Dict[str, Any]]', 'ask': 'List[Asked]', 'approvers': 'List[str]', 'needed': 'int', 'self_approval': 'bool', 'watch': 'List[str]', 'then': 'List[Dict[str, Any]]', 'auto_when': 'str | None'})

    class TransitionAction(TypedDict):
        op: str
        input: NotRequired[Dict[str, Any] | None]
        each: NotRequired[str | None]
        apply: NotRequired[bool | None]
        on_error: NotRequired[Literal['stop', 'go_on'] | None]
        delay_minutes: NotRequired[int | None]

    class TransitionField(TypedDict):
        field: str
        required: NotRequired[bool | None]

    class TrashEntry(TypedDict):
        """A deleted thing. `items` counts it and what went with it; at `purge_at` it goes for good, null: never."""
        id: int
        subject: str
        kind: str
        title: str
        deleted_at: int
        deleted_by: str
        purge_at: int | None
        items: int
        can_restore: bool

    class Tree(TypedDict):
        """An issue and what stands under it. The sums are of itself and all below, as far as the caller sees it.

        `done` of `total` issues below are closed; `children` are trees again, empty below the asked depth.
        """
        issue: Issue
        children: List[Tree]
        done: int
        total: int
        estimate: float
        spent: int

    class TreeItem(TypedDict):
        """One issue of a tree. `parent` is the `ref` of another item, or the key of an issue that is there."""
        project: NotRequired[str | None]
        title: str
        type: NotRequired[str | None]
        body: NotRequired[str | None]
        body_doc: NotRequired[str | None]
        status: NotRequired[str | None]
        priority: NotRequired[Literal['urgent', 'high', 'medium', 'low', 'none'] | None]
        assignees: NotRequired[List[str] | None]
        labels: NotRequired[List[str] | None]
        components: NotRequired[List[str] | None]
        parent: NotRequired[str | None]
        sprint: NotRequired[int | None]
        milestone: NotRequired[int | None]
        releases: NotRequired[List[str] | None]
        affects: NotRequired[List[str] | None]
        estimate: NotRequired[float | None]
        start_date: NotRequired[str | None]
        due_date: NotRequired[str | None]
        values: NotRequired[Dict[str, Any] | None]
        level: NotRequired[str | None]
        template: NotRequired[int | None]
        relations: NotRequired[List[RelationInput] | None]
        uploads: NotRequired[List[str] | None]
        source: NotRequired[str | None]
        external: NotRequired[str | None]
        imported: NotRequired[Imported | None]
        ref: str
        blocks: NotRequired[List[str] | None]

    class TreeNode(TypedDict):
        """A page in its tree."""
        id: str
        title: str
        icon: str | None
        children: int
        nodes: NotRequired[List[TreeNode]]

    class TrialStep(TypedDict):
        """One step of a trial."""
        step: Literal['address', 'discovery', 'keys', 'token endpoint']
        ok: bool
        detail: str

    class Trigger(TypedDict):
        """When a rule runs."""
        kind: Literal['event', 'schedule', 'button', 'hook', 'state']
        event: str | None
        tql: str | None
        every: str | None
        zone: str | None
        label: str | None
        path: str | None
        minutes: int | None

    class Triggered(TypedDict):
        outcome: Literal['applied', 'unchanged', 'changeRequest']

    class Undoable(TypedDict):
        """A change of the last 24 hours. `why` says why it cannot be taken back."""
        seq: int
        token: str
        at: int
        op: str
        summary: str
        can: bool
        why: str | None

    class Undone(TypedDict):
        subject: str
        what: str

    class Unfurled(TypedDict):
        """What a page says of itself; null where it says nothing."""
        title: str | None
        text: str | None
        image: str | None
        site: str | None

    class Unread(TypedDict):
        unread: int

    class Usage(TypedDict):
        """Calls and people by month; the newest first."""
        months: List[UsageMonth]
        limits: Dict[str, int]
        by_key: List[UsageKey]

    class UsageKey(TypedDict):
        key: str
        name: str
        calls: int

    class UsageMonth(TypedDict):
        month: str
        machine_calls: int
        people: int
        agents: int
        ai_tokens: int
        mails: int
        storage_bytes: int
        flag_evaluations: int
        flag_events: int

    class UsedBy(TypedDict):
        """A project and its types that move along a workflow."""
        project: str
        types: List[str]

    class Verified(TypedDict):
        ok: bool
        checks: List[BackupCheck]

    class View(TypedDict):
        """A saved query. `subscribed` says how often the caller gets it by mail.

        `count` is how many rows the caller sees now, or groups where the text groups. It is -1 where that is not known: the
        text names what the caller does not see (tql.check says what), or counting took too long.
        """
        id: int
        name: str
        tql: str
        layout: Literal['list', 'board', 'table', 'calendar', 'timeline']
        columns: List[str]
        group_by: str | None
        subgroup_by: str | None
        sort: str | None
        project: str | None
        owner: str
        shared: bool
        icon: str | None
        external: str | None
        subscribed: Literal['change', 'daily', 'weekly'] | None
        count: int
        notices: List[str]

    class Vote(TypedDict):
        """What one of those who are asked said."""
        who: str
        approve: bool
        note: str
        at: int

    class Votes(TypedDict):
        """How many have voted for an issue."""
        votes: int

    class WaitingReply(TypedDict):
        """An answer that is to go at a time, or did not go then."""
        comment: int
        key: str
        author: str
        body: str
        send_at: int
        status: str | None
        failed: str | None

    class Watchers(TypedDict):
        """Ids of the members who watch an issue now, as far as the caller sees them."""
        watchers: List[str]

    class Watching(TypedDict):
        watching: bool

    class WebLink(TypedDict):
        """A page elsewhere that belongs to an issue."""
        id: int
        url: str
        title: str
        kind: str
        icon: str | None
        created_by: str
        created_at: int

    class Webhook(TypedDict):
        """Where events are sent, and which."""
        id: int
        name: str
        url: str
        events: List[str]
        project: str | None
        tql: str
        headers: Dict[str, None]
        fields: List[str]
        enabled: bool
        batch_seconds: int
        state: Literal['ok', 'failing', 'disabled']
        last_at: int | None
        last_status: int | None
        failures: int
        author: str

    class Workflow(TypedDict):
        """A graph of lanes and the transitions between them. A draft is not in force, and for admins alone."""
        id: int
        name: str
        start: str
        lanes: List[Lane]
        transitions: List[Transition]
        used_by: List[UsedBy]
        draft: bool
        updated_at: int

    WorkflowTransition = TypedDict('WorkflowTransition', {'key': 'NotRequired[str | None]', 'name': 'str', 'from': 'List[str]', 'to': 'str', 'who': 'NotRequired[List[str] | None]', 'if': 'NotRequired[List[Dict[str, Any]] | None]', 'check': 'NotRequired[List[Dict[str, Any]] | None]', 'ask': 'NotRequired[List[TransitionField] | None]', 'approvers': 'NotRequired[List[str] | None]', 'needed': 'NotRequired[int | None]', 'self_approval': 'NotRequired[bool | None]', 'watch': 'NotRequired[List[str] | None]', 'then': 'NotRequired[List[TransitionAction] | None]', 'auto_when': 'NotRequired[str | None]'})

    class WorkloadDay(TypedDict):
        """What somebody has before them on a day."""
        date: str
        planned: float
        capacity: float | None


class AccessModule(Module):
    """Access: rights that are given on one thing, such as a space, to somebody, a team or a role."""

    def explain(self, *, subject: str, op: str, who: str | None = UNSET) -> Explanation:
        """Say whether somebody may do something with a thing that you see, and what decides it, in the order tested.

        Looked at are scope and role, whether they see the thing, and what they may do with it. What the input says, and how
        the thing stands, such as that it is archived, may refuse the call all the same.
        """
        return self._client.call('access.explain', {'subject': subject, 'op': op, 'who': who})

    def grant_set(self, *, subject: str, who: str, level: Literal['view', 'comment', 'edit', 'manage', 'none'], expires_at: int | None = UNSET) -> List[Grant]:
        """Give somebody a right on a space or a page, change it, or take it with `none`. Answers all rights there.

        For its managers and admins (403). A right on a space reaches its pages, one on a page those below it. Everybody of
        a role, and a team that anybody may join, can be given `view` and `comment` only; guests never `manage` (422). The
        last manager of a space stays (409), and a personal space is its owner's alone (409).
        """
        return self._client.call('access.grant_set', {'subject': subject, 'who': who, 'level': level, 'expires_at': expires_at})

    def grants(self, *, subject: str) -> List[Grant]:
        """List who may do what with a space or a page: what was given on it, then what comes from what it is in.

        Whoever sees the thing reads them. Admins manage what they see, without standing here.
        """
        return self._client.call('access.grants', {'subject': subject})


class ActivityModule(Module):
    """Activity: what happened to a subject, lately, and since one last looked."""

    def list(self, *, subject: str, since: int | None = UNSET) -> List[Event]:
        """List the events of a subject that you may hear of, oldest first, the latest 1,000 at most.

        Of one that was purged, as `issue:<n>`, admins read what is left: kinds, times and actors.
        """
        return self._client.call('activity.list', {'subject': subject, 'since': since})

    def recent(self, *, limit: int | None = UNSET) -> List[Event]:
        """List the latest events that you may hear of, newest first."""
        return self._client.call('activity.recent', {'limit': limit})

    def seen(self, *, subject: str) -> Seen:
        """Count what others did to a subject since you last looked, and in a session remember this look.

        A key or agent is answered from its owner's mark and leaves it where it is. The first time all events count.
        """
        return self._client.call('activity.seen', {'subject': subject})


class AiModule(Module):
    """AI: providers of models, what they may read and use, and answers that become proposals."""

    def allowed(self, *, subjects: List[str]) -> List[AIAllowance]:
        """Say of each of some subjects, in their order, whether AI may read it. One that you do not see is 404."""
        return self._client.call('ai.allowed', {'subjects': subjects})

    def complete(self, *, feature: str, messages: List[AIMessage], max_tokens: int | None = UNSET, model: str | None = UNSET, provider: str | None = UNSET, subjects: List[str] | None = UNSET, system: str | None = UNSET) -> AICompletion:
        """Ask a model by the org's key, and answer what it says.

        Checked in this order: AI is on (403 `ai-off`), provider and model are allowed (422), each subject is there for you
        (404), none is excluded, or quoted in the messages by whole lines (403 `ai-excluded`), tokens are left (429
        `ai-cap`). `max_tokens` are held while it is asked. Where the provider gives no answer that can be used it is 502,
        and costs no tokens.
        """
        return self._client.call('ai.complete', {'feature': feature, 'messages': messages, 'max_tokens': max_tokens, 'model': model, 'provider': provider, 'subjects': subjects, 'system': system})

    def context(self, *, subject: str, mode: Literal['summary', 'changes', 'explain'] | None = UNSET, profile: str | None = UNSET, since: int | None = UNSET) -> AIContext:
        """Look at what a model would be given of a subject: what you see of it and may read, without what is excluded.

        Where AI is off it is 403 (`ai-off`), as for a subject that is excluded (`ai-excluded`). The material is bounded:
        `cut` in it says what is missing.
        """
        return self._client.call('ai.context', {'subject': subject, 'mode': mode, 'profile': profile, 'since': since})

    def explain(self, *, subject: str, profile: str, model: str | None = UNSET, provider: str | None = UNSET) -> AIExplanation:
        """Have a model explain a subject to the reader of a profile. Refused as `ai.complete` is."""
        return self._client.call('ai.explain', {'subject': subject, 'profile': profile, 'model': model, 'provider': provider})

    def key_revoke(self, *, id: str) -> AIPolicy:
        """Forget the key of a provider: nothing is asked by it any more. Where there is none nothing happens. For admins.

        The vendor still takes it: revoke it there as well.
        """
        return self._client.call('ai.key_revoke', {'id': id})

    def key_set(self, *, provider: str, secret: str, label: str | None = UNSET) -> AIPolicy:
        """Store the key by which the server asks a provider, in the place of the one that is there. For admins."""
        return self._client.call('ai.key_set', {'provider': provider, 'secret': secret, 'label': label})

    def policy(self) -> AIPolicy:
        """Look at what AI may do for the org, who offers models, and what was used. Of what is excluded others than admins
        read what they see.
        """
        return self._client.call('ai.policy', {})

    def policy_set(self, *, enabled: bool, browser_keys: bool, org_keys: bool, excluded: List[str], automation_apply: bool | None = UNSET, member_daily_tokens: int | None = UNSET, monthly_tokens: int | None = UNSET) -> AIPolicy:
        """Set what AI may do. For admins. What is under way when it is switched off comes to its end.

        A subject of another form, or one that is not there, is 422. Those that the list holds already may be gone.
        """
        return self._client.call('ai.policy_set', {'enabled': enabled, 'browser_keys': browser_keys, 'org_keys': org_keys, 'excluded': excluded, 'automation_apply': automation_apply, 'member_daily_tokens': member_daily_tokens, 'monthly_tokens': monthly_tokens})

    def profile_delete(self, *, id: str) -> List[ReaderProfile]:
        """Delete a reader profile. Answers the others. For admins."""
        return self._client.call('ai.profile_delete', {'id': id})

    def profile_save(self, *, key: str, label: str, instructions: str) -> List[ReaderProfile]:
        """Make a reader profile, or change one. For admins. An org has 100 at most (409)."""
        return self._client.call('ai.profile_save', {'key': key, 'label': label, 'instructions': instructions})

    def profiles(self) -> List[ReaderProfile]:
        """List the reader profiles by key."""
        return self._client.call('ai.profiles', {})

    def proposal_apply(self, *, id: int) -> AIProposal:
        """Run the operation of a proposal, as you, and only where whoever asked may do it as well: by a session or a
        personal key, never as an agent.

        What refuses you is refused as ever, and the proposal stays. One whose operation does not fit any more becomes
        `failed`, with `error`, and may be applied again. One that was applied or dismissed is 409. What it did is undone by
        itself. Over MCP `confirm` is asked for where the operation takes something away.
        """
        return self._client.call('ai.proposal_apply', {'id': id})

    def proposal_dismiss(self, *, id: int) -> AIProposal:
        """Dismiss a proposal that is open or failed; another one is 409."""
        return self._client.call('ai.proposal_dismiss', {'id': id})

    def proposals(self, *, state: Literal['open', 'applied', 'dismissed', 'failed'] | None = UNSET, subject: str | None = UNSET) -> List[AIProposal]:
        """List what models propose about what you see, newest first, 1,000 at most. Nobody has checked the answers."""
        return self._client.call('ai.proposals', {'state': state, 'subject': subject})

    def provider_delete(self, *, id: str) -> AIPolicy:
        """Delete a provider with its key. What was used of it stays counted. For admins."""
        return self._client.call('ai.provider_delete', {'id': id})

    def provider_models(self, *, id: str) -> ProviderModels:
        """Ask a provider which models it offers, whether or not it is on. For admins.

        Allowed ones that it lists no more stand behind the others, so that they can be taken out.
        """
        return self._client.call('ai.provider_models', {'id': id})

    def provider_save(self, *, id: str, label: str, kind: Literal['anthropic', 'openai'], base_url: str, default_model: str, models: List[str], enabled: bool, needs_key: bool, browser: bool) -> AIPolicy:
        """Make a provider, or change one. For admins. Another `base_url` clears its key.

        Addresses in private networks are asked where the operator lists host and port in `outbound.allow` alone. An org has
        50 providers at most (409).
        """
        return self._client.call('ai.provider_save', {'id': id, 'label': label, 'kind': kind, 'base_url': base_url, 'default_model': default_model, 'models': models, 'enabled': enabled, 'needs_key': needs_key, 'browser': browser})

    def run(self, *, task: Literal['classify', 'summarize', 'draft_reply', 'prompt'], subject: str, apply: bool | None = UNSET, instructions: str | None = UNSET, options: Any = UNSET, rule: str | None = UNSET, then: AiThen | None = UNSET) -> Started:
        """Have a model do a task about a subject, beside the requests. What it answers becomes a proposal, which somebody
        applies or dismisses: nothing that a model says runs by itself.

        It is told what the subject itself says, and its comments without internal notes: others read what it answers.
        Refused as `ai.complete` is. With `apply` it is applied at once, in your name, where the policy has
        `automation_apply`, but never where the operation takes something away. An answer to `classify` that is none of the
        options fails the job.
        """
        return self._client.call('ai.run', {'task': task, 'subject': subject, 'apply': apply, 'instructions': instructions, 'options': options, 'rule': rule, 'then': then})

    def summarize(self, *, subject: str, mode: Literal['summary', 'changes'] | None = UNSET, model: str | None = UNSET, provider: str | None = UNSET, since: int | None = UNSET) -> AISummary:
        """Have a model summarize a subject, as you see it and without what is excluded. Refused as `ai.complete` is."""
        return self._client.call('ai.summarize', {'subject': subject, 'mode': mode, 'model': model, 'provider': provider, 'since': since})

    def usage(self, *, days: int | None = UNSET) -> List[AIUsageRow]:
        """Count the calls to models and their tokens, by who asked, what for, provider and model; most tokens first."""
        return self._client.call('ai.usage', {'days': days})


class AnalyticsModule(Module):
    """Analytics: SQL over the events of the org, files of them, and reports that run by themselves. For admins."""

    def export(self, *, format: Literal['ndjson', 'parquet'], from_: str, to: str) -> ExportedEvents:
        """Take the events of some days out as a file, oldest first, with the columns and the events that `analytics.query`
        reads.

        A file holds 200,000 events or 64 MB; where the range has more it is `truncated` at its end.
        """
        return self._client.call('analytics.export', {'format': format, 'from': from_, 'to': to})

    def query(self, *, sql: str) -> QueryResult:
        """Ask the events of the org in SQL: one SELECT over the table `events`, whose payload `json_extract` reads.

        It has all events that anybody is told of, those of projects that you do not see too; what stands in the audit log
        alone is not in it. A query works for 2 seconds at most (422 `query-too-slow`) and answers 1,000 rows or 4 MB,
        `truncated` where there are more. Anything but one SELECT is 422, as is a function that does not only compute.
        """
        return self._client.call('analytics.query', {'sql': sql})

    def report_delete(self, *, id: int) -> List[Report]:
        """Delete a report with what it found. Answers the others."""
        return self._client.call('analytics.report_delete', {'id': id})

    def report_run(self, *, id: int) -> Report:
        """Run a report now, whatever its schedule, and tell its recipients.

        Where its query cannot run, or takes too long, `last_error` says why, what it found before stays, and nobody is
        told. A report that is changed while it runs is 409.
        """
        return self._client.call('analytics.report_run', {'id': id})

    def report_save(self, *, id: int | None = UNSET, name: str, sql: str, every: Literal['manual', 'daily', 'weekly', 'monthly'], recipients: List[str] | None = UNSET) -> Report:
        """Keep a query as a report, or change one: all that it says, with its recipients.

        It runs by itself for as long as whoever saved it last is an admin, and tells its recipients: admins read the first
        rows in their inbox, others its name. A query that cannot run is 422, as is a recipient who is a guest or not here.
        An org has 100 reports at most (409).
        """
        return self._client.call('analytics.report_save', {'id': id, 'name': name, 'sql': sql, 'every': every, 'recipients': recipients})

    def reports(self) -> List[Report]:
        """List the reports by id, each with what it last found."""
        return self._client.call('analytics.reports', {})


class ApiModule(Module):
    """Several calls in one, and the change feed."""

    def batch(self, *, ops: List[BatchCall]) -> Batch:
        """Run up to 50 operations in one transaction: all commit, or on the first error none do.

        Each needs its own scope and right. The error is the failing operation's own, with its `index` and `op` beside.
        A batch in a batch, and operations that answer a job or wait for the outside, are refused (422).
        """
        return self._client.call('api.batch', {'ops': ops})

    def changes(self, *, since: int | None = UNSET, limit: int | None = UNSET) -> Changes:
        """Read the events after a sequence number; repeat with `since` = `next` while `more` is true.

        A `since` older than what is kept is 409 `stale` with `oldest`: fetch what you need anew and go on from there.
        """
        return self._client.call('api.changes', {'since': since, 'limit': limit})


class ApprovalsModule(Module):
    """Approvals: people agree before an issue goes a way of its workflow that asks for it."""

    def cancel(self, *, id: int) -> ApprovalRequest:
        """Take a request back that is pending or approved: whoever asked may, leads of the project and admins.

        One that was decided otherwise is 409.
        """
        return self._client.call('approvals.cancel', {'id': id})

    def decide(self, *, id: int, approve: bool, note: str | None = UNSET) -> ApprovalDecision:
        """Approve or reject a request that asks you: by a session or a personal key, never as an agent (403).

        One no rejects it. You may change your vote while it is pending; one that was decided is 409. Your own requests
        you decide only where the transition allows it. Once enough agree the issue moves at once, with the rights of
        whoever asked; what stands against that is answered as `blocked`, and they can move it when it is mended.
        """
        return self._client.call('approvals.decide', {'id': id, 'approve': approve, 'note': note})

    def list(self, *, key: str) -> List[ApprovalRequest]:
        """List what was asked to be approved of an issue, newest first, the last thousand."""
        return self._client.call('approvals.list', {'key': key})

    def mine(self) -> List[ApprovalRequest]:
        """List what you may decide now, oldest first; then what you asked for yourself and is pending or approved."""
        return self._client.call('approvals.mine', {})

    def request(self, *, key: str, to_status: str, note: str | None = UNSET) -> ApprovalRequest:
        """Ask those whom a transition names to agree before an issue moves along it. Whoever may move it so may ask.

        Teams and fields are asked as the people they stand for now. An issue has one open request for each lane (409). A
        lane that no transition leads to from here, or one that asks nobody, is 422. Editing a field that the transition
        watches, and moving or deleting the issue, cancels the request.
        """
        return self._client.call('approvals.request', {'key': key, 'to_status': to_status, 'note': note})


class AssetsModule(Module):
    """Assets: typed records of what the org has, with values, references and the issues that they are about."""

    def create(self, *, name: str, type: str, owner: str | None = UNSET, status: Literal['active', 'maintenance', 'retired'] | None = UNSET, values: Dict[str, Any] | None = UNSET) -> Asset:
        """Make an asset; its key is that of its type and the next number, and numbers never come again.

        Values are held against the fields of the type: each that does not fit or is missing is named (422); a unique one
        that another asset has is 409, a reference leads to an asset of its type (422).
        """
        return self._client.call('assets.create', {'name': name, 'type': type, 'owner': owner, 'status': status, 'values': values})

    def delete(self, *, key: str) -> Ok:
        """Take an asset away, from its issues too. One that others refer to is 409 `in-use` with `uses`.

        What was said on it and its files are seen no more. They come back with it by undo, and go for good when it cannot
        come back any more, which is after a day.
        """
        return self._client.call('assets.delete', {'key': key})

    def for_issue(self, *, issue: str) -> List[Asset]:
        """List the assets that an issue is about, in the order in which they were linked."""
        return self._client.call('assets.for_issue', {'issue': issue})

    def get(self, *, key: str) -> Asset:
        """Look at one asset with its values and the issues that you see of those linked to it."""
        return self._client.call('assets.get', {'key': key})

    def list(self, *, q: str | None = UNSET, refers_to: str | None = UNSET, status: Literal['active', 'maintenance', 'retired'] | None = UNSET, type: str | None = UNSET) -> List[Asset]:
        """List assets by type and age, 2,000 at most: narrow it where there are more.

        A type or an asset that is not there is 422.
        """
        return self._client.call('assets.list', {'q': q, 'refers_to': refers_to, 'status': status, 'type': type})

    def type_delete(self, *, id: int) -> List[AssetType]:
        """Take a type away; answers those that are left.

        One that has assets stays (409 `in-use` with `uses`), and one that a reference of another type leads to (409).
        """
        return self._client.call('assets.type_delete', {'id': id})

    def type_save(self, *, id: int | None = UNSET, key: str | None = UNSET, name: str, description: str | None = UNSET, icon: str | None = UNSET, position: float | None = UNSET, fields: List[FieldInput] | None = UNSET) -> List[AssetType]:
        """Make a type of assets, or change one: what is not named stays. Answers all types.

        Keys and names are unique without case (409). A field that assets have a value of cannot go (409 `in-use` with
        `uses`); its kind, options and target change only where every value still fits, and it becomes unique only where no
        two are the same (409). A field that becomes required binds whoever makes an asset from then on.
        """
        return self._client.call('assets.type_save', {'id': id, 'key': key, 'name': name, 'description': description, 'icon': icon, 'position': position, 'fields': fields})

    def types(self) -> List[AssetType]:
        """List the types of assets in their order, with their fields and how many assets each has."""
        return self._client.call('assets.types', {})

    def update(self, *, key: str, name: str | None = UNSET, owner: str | Literal[''] | None = UNSET, status: Literal['active', 'maintenance', 'retired'] | None = UNSET, values: Dict[str, Any] | None = UNSET) -> Asset:
        """Change an asset: what is not named stays.

        `active` and `maintenance` follow each other freely. A `retired` one becomes `active` again by its owner or an
        admin (403), and nothing else (409). A required field cannot be cleared (422).
        """
        return self._client.call('assets.update', {'key': key, 'name': name, 'owner': owner, 'status': status, 'values': values})


class AttachmentsModule(Module):
    """Attachments: files on issues, comments, assets, projects and the org, with their bytes in the data file."""

    def add(self, *, data: str, upload: str | None = UNSET, name: str, subject: str, content_type: str | None = UNSET) -> Attachment:
        """Hang a file on an issue, a comment, an asset, a project or the org. Whoever sees the subject sees it.

        Its bytes come as `data`, or by `upload` where it is larger: send it to `/files/upload` first, in pieces where the
        line is bad, and name here what that answered, with `data` empty.

        On an issue whoever may edit it or comment there, on a comment its author, on an asset members, on a project its
        members, on the org admins (403); an archived issue or project takes none (409), and neither does a comment on a
        flag (422). A file on an internal note is internal. The content type is told by the bytes and the name. An empty
        file is one. Above 10 MB of `data`, or 100 MB of an upload, is 413; an upload that is not whole is 409:
        attachments.expect takes it. What is no base64, a name of more than 255 bytes and a file that `allowed_files` of the
        org leaves out are 422. The same bytes are stored once. Search reads texts at once, the first megabyte of a large
        one, and PDFs of up to 10 MB a little later. It runs alone, not inside a batch.
        """
        return self._client.call('attachments.add', {'data': data, 'upload': upload, 'name': name, 'subject': subject, 'content_type': content_type})

    def delete(self, *, id: str) -> Attachment:
        """Put a file into the trash; trash.restore brings it back.

        Whoever added it, those who may edit what it hangs on, and admins (403). On a comment that is its author and the
        leads of the project. Nothing is taken from an archived issue or project (409).
        """
        return self._client.call('attachments.delete', {'id': id})

    def expect(self, *, subject: str, uploads: List[str]) -> List[ExpectedFile]:
        """Name files on a subject that you are still sending; each hangs there by itself as soon as all of it is here.

        Whoever sees the subject sees meanwhile what comes and how much of it is here (attachments.expected). Your own
        uploads alone (404), to where you may add files (as with attachments.add), and each to one place (409); what hangs
        then is judged again, with what you may do at that time. Named there before, it is no change. An upload of more
        than 100 MB is 413, one with a name that `allowed_files` of the org leaves out is 422. It ends without a file when
        you take the upload back or use it elsewhere, when it is not here a day after it began, or when you may not add it
        any more; your upload stays yours then, as long as it is kept.
        """
        return self._client.call('attachments.expect', {'subject': subject, 'uploads': uploads})

    def expected(self, *, subject: str) -> List[ExpectedFile]:
        """List the files that are on their way to a subject and to what hangs on it, and how much of each is here.

        Oldest first, as far as you see what they will hang on. They were named by attachments.expect, comments.create,
        comments.update or issues.create, and become attachments under the ids that they have here.
        """
        return self._client.call('attachments.expected', {'subject': subject})

    def get(self, *, id: str, as_url: bool | None = UNSET) -> AttachmentContent:
        """Get a file: its bytes as base64, or with `as_url` a link to them under this server's address.

        A link is for whoever has it, for five minutes, and ends earlier where you lose sight of the file. What is behind it
        is always saved and never shown, so that HTML and SVG do no harm. With `?w=320` behind it, a picture is shown, and
        smaller. A file of more than 10 MB goes by a link alone (413). Bytes that are not here, since the backup that was
        restored has none, are 404.
        """
        return self._client.call('attachments.get', {'id': id, 'as_url': as_url})

    def list(self, *, subject: str) -> List[Attachment]:
        """List the files on a subject, oldest first. Those on an issue's comments are listed with the comment.

        A picture stands smaller at `/files/<id>?w=320`, for whoever is signed in and sees it. What is still on its way is
        in attachments.expected.
        """
        return self._client.call('attachments.list', {'subject': subject})


class AuditModule(Module):
    """The audit log: every event, and the security acts that stand nowhere else."""

    def export(self, *, actor: str | None = UNSET, actor_kind: Literal['human', 'key', 'agent', 'system', 'automation'] | None = UNSET, from_: int | None = UNSET, to: int | None = UNSET, kind: str | None = UNSET, q: str | None = UNSET, subject: str | None = UNSET) -> Export:
        """Take the audit log out as text, one JSON entry a line, oldest first; at most 50,000 entries.

        They are veiled as in `audit.list`.
        """
        return self._client.call('audit.export', {'actor': actor, 'actor_kind': actor_kind, 'from': from_, 'to': to, 'kind': kind, 'q': q, 'subject': subject})

    def list(self, *, actor: str | None = UNSET, actor_kind: Literal['human', 'key', 'agent', 'system', 'automation'] | None = UNSET, from_: int | None = UNSET, to: int | None = UNSET, kind: str | None = UNSET, q: str | None = UNSET, subject: str | None = UNSET, before: int | None = UNSET, limit: int | None = UNSET) -> AuditPage:
        """List the audit log, newest first: every event, and sign-ins, keys and access beside.

        Owners read all. To admins, what happened in a private project or view that they do not see is `veiled`: `details`
        is empty; what, when, by whom and to which subject stays.
        """
        return self._client.call('audit.list', {'actor': actor, 'actor_kind': actor_kind, 'from': from_, 'to': to, 'kind': kind, 'q': q, 'subject': subject, 'before': before, 'limit': limit})


class AuthModule(Module):
    """Signing in, and the caller's own credentials: sessions, second factor, device codes, grants, the sign-in policy."""

    def device_approve(self, *, user_code: str, approve: bool, scopes: List[str] | None = UNSET) -> Ok:
        """Let a program in, or turn it away. Approving makes a personal key of yours, named after the client.

        The key gets what was asked for, as far as you hold it; where nothing was named, all that you read and write.
        `admin` asks for an elevated session (403). Scopes that were not asked for are 422. A code that is wrong, used or
        older than ten minutes is 404; after five of them in ten minutes it is 429.
        """
        return self._client.call('auth.device_approve', {'user_code': user_code, 'approve': approve, 'scopes': scopes})

    def device_info(self, *, user_code: str) -> DeviceInfo:
        """Look at who asks to be let in with a code, before approving it. `scopes` is what an approval would give.

        A code that is wrong, used or older than ten minutes is 404; after five of them in ten minutes it is 429.
        """
        return self._client.call('auth.device_info', {'user_code': user_code})

    def device_poll(self, *, device_code: str) -> DevicePoll:
        """Ask whether the code was approved. The first answer after that holds the key's secret, no later one does.

        Asking faster than `interval` while it is pending answers `slow_down`: wait five seconds longer from then on.
        A code that was never given out, or is long gone, is 404.
        """
        return self._client.call('auth.device_poll', {'device_code': device_code})

    def device_start(self, *, client: str, scopes: List[str] | None = UNSET, admin: bool = UNSET) -> DeviceStarted:
        """Begin to sign a program in: show `user_code`, send the person to `verification_path`, and poll.

        The code lives ten minutes. Poll with `device_code` every `interval` seconds. A scope that does not exist is 422.
        With `admin` the person has to confirm who they are before they approve.
        """
        return self._client.call('auth.device_start', {'client': client, 'scopes': scopes, 'admin': admin})

    def elevate(self, *, password: str | None = UNSET, code: str | None = UNSET, passkey: AuthElevatePasskey | None = UNSET) -> Elevated:
        """Confirm that it is you, with one of password, code and passkey: the session is elevated for ten minutes.

        A wrong one is 422, and counts as a failed sign-in, with its 429. Whoever has none of them goes to their sign-in
        provider once more, by auth.oidc_start.
        """
        return self._client.call('auth.elevate', {'password': password, 'code': code, 'passkey': passkey})

    def grant_revoke(self, *, id: int) -> List[AppGrant]:
        """End what a connected client may do: its next call is 401. Answers the clients that are left.

        A client that is not yours, or was ended already, is 404.
        """
        return self._client.call('auth.grant_revoke', {'id': id})

    def grants(self) -> List[AppGrant]:
        """List the clients that you connected by OAuth, MCP clients included, newest first.

        `scopes` is what you gave; a client never does more than your role holds now. `last_used_at` may lag by a minute.
        """
        return self._client.call('auth.grants', {})

    def link_login(self, *, token: str) -> LoginDone:
        """Sign in by a link. It works once, and others that were asked for end with it; a browser's session lasts a day.

        A second factor in force is asked for as in auth.login: then it is 401 with `challenge` and `methods` beside the
        detail, for `auth.login_verify` or `auth.passkey_begin`. A link that is used, ended or mistyped, or that the policy
        takes no more, is 404.
        """
        return self._client.call('auth.link_login', {'token': token})

    def link_request(self, *, email: str) -> Ok:
        """Ask for a link that signs in. It is mailed in a moment, works once, and lives 30 minutes.

        The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
        the policy has no `link` among its methods. Ten such links are mailed to an address in an hour, three of them asked
        for from one network address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
        """
        return self._client.call('auth.link_request', {'email': email})

    def login(self, *, email: str, password: str, remember: bool | None = UNSET) -> Login:
        """Sign in with e-mail and password. With a second factor it answers a `challenge` for `auth.login_verify`, or for
        `auth.passkey_begin` where `methods` has `passkey`.

        Wrong password, unknown address, deactivated, and not allowed by the policy are one 401. After ten failures on
        an account from one address, or fifty from an address, in 15 minutes it is 429 with `Retry-After` from there;
        after a hundred on an account each address has one. Browsers that this account signed in from before, and not
        out, are counted apart: they bear fifty failures on it together, and neither they nor others lock each other
        out. Where too many sign in at once it is 503 `busy`. The session is elevated for ten minutes. A browser gets it
        as a cookie.
        """
        return self._client.call('auth.login', {'email': email, 'password': password, 'remember': remember})

    def login_verify(self, *, challenge: str, code: str) -> LoginDone:
        """Finish a sign-in with a code. A code opens once; a challenge lives ten minutes and bears five wrong codes.

        A wrong code and a challenge that ended are one 401; failures count as those of `auth.login`, with its 429.
        """
        return self._client.call('auth.login_verify', {'challenge': challenge, 'code': code})

    def logout(self) -> Ok:
        """End the session of this call, and its streams. A key is not a session (403): revoke it instead.

        A browser is known to your account no longer, and is limited like any other where a sign-in fails.
        """
        return self._client.call('auth.logout', {})

    def me(self) -> Me:
        """Who you are: your profile, role, teams, and the scopes and modules that this call could use.

        Of a key these are its own scopes, cut by what your role holds now.
        """
        return self._client.call('auth.me', {})

    def oidc_finish(self, *, state: str, code: str, iss: str | None = UNSET, provider: str | None = UNSET) -> OidcDone:
        """Finish a sign-in by a provider, with what it sent the browser back with; the page /signin/oidc/ID does it.

        The provider's token must be signed by one of its keys, for this server, this browser and this question. A member is
        known by what the provider calls them; at first by a verified address, where it says so. People of `signup_domains`
        become members where the provider is set so. A state that is used, ended or of another browser, a token that does
        not hold, and somebody who may not come in are one 401; a provider that fails is 502. A second factor in force is
        asked for as in auth.link_login: 401 with `challenge`, `methods` and `return_to`, unless the provider says that one
        was shown and is believed.
        """
        return self._client.call('auth.oidc_finish', {'state': state, 'code': code, 'iss': iss, 'provider': provider})

    def oidc_start(self, *, provider: str, return_to: str | None = UNSET, link: bool | None = UNSET) -> OidcStarted:
        """Ask where to sign in by a provider. The browser that asked goes to `url`, comes back to this site within ten
        minutes, and is signed in by it; no other browser is, since a cookie binds it.

        Whoever is signed in and has no password, code or passkey confirms so that it is them (see auth.elevate). With
        `link` it links the account there; that asks for an elevated session. A provider that is not used is 404; one that
        cannot be reached is 502.
        """
        return self._client.call('auth.oidc_start', {'provider': provider, 'return_to': return_to, 'link': link})

    def passkey_add(self, *, name: str, challenge: str, response: Dict[str, JsonValue]) -> List[Passkey]:
        """Add a passkey. From then on it signs you in, and signing in with your password asks for it as the second factor.

        Asks for an elevated session. The passkey must have verified you (by PIN, finger or face) for this site. A challenge
        that ended and an answer that does not fit are 422; a name or passkey that is there already, and more than 20, are
        409. A passkey lost is removed by you, or by an admin with auth.totp_disable: have two, or an authenticator app.
        """
        return self._client.call('auth.passkey_add', {'name': name, 'challenge': challenge, 'response': response})

    def passkey_begin(self, *, challenge: str | None = UNSET, purpose: Literal['sign-in', 'register', 'elevate'] | None = UNSET) -> PasskeyCeremony:
        """Ask for what a browser hands to `navigator.credentials`: the `options`, and a `challenge` to send back with the
        answer, good once and for five minutes.

        Without sign-in it is for signing in by any passkey that the browser has, so that it tells nothing of who has some;
        with the `challenge` of auth.login it is for the second factor, and 401 where that ended. Signed in it is for adding
        a passkey (`auth.passkey_add`; asks for an elevated session), or with `purpose` `elevate` for auth.elevate. Keys
        cannot (403). Where the policy takes no sign-in by a passkey alone it is 403, and 409 where this server goes by an
        address that browsers have no passkeys for.
        """
        return self._client.call('auth.passkey_begin', {'challenge': challenge, 'purpose': purpose})

    def passkey_delete(self, *, id: str) -> List[Passkey]:
        """Remove one of your passkeys; it signs you in no more. Answers those left.

        Asks for an elevated session. Refused with 409 where no other way to sign in would be left to you that the policy
        takes. Delete it on the device, too, which is not told.
        """
        return self._client.call('auth.passkey_delete', {'id': id})

    def passkey_login(self, *, challenge: str, response: Dict[str, JsonValue]) -> LoginDone:
        """Sign in by a passkey, or finish a sign-in with it as the second factor: what it is, the challenge says.

        A passkey has verified who holds it, by PIN, finger or face, and so counts as two factors: no other is asked for. A
        browser's session that began with it lasts a day. Whatever does not fit is one 401, and uses the challenge up;
        failures count as those of auth.login, with its 429. A passkey that has signed less often than before may have been
        copied: it is refused, and the audit log says so.
        """
        return self._client.call('auth.passkey_login', {'challenge': challenge, 'response': response})

    def passkeys(self) -> List[Passkey]:
        """List your passkeys, oldest first."""
        return self._client.call('auth.passkeys', {})

    def password_change(self, *, current: str, password: str) -> Ok:
        """Change your password. Your other sessions end, and other browsers are known no longer; keys stay. You are told by
        mail where this server sends some.

        A wrong present password is 422 and counts as a failed sign-in, with its 429. A new one that is too short or soon
        guessed is 422 and counts as nothing.
        """
        return self._client.call('auth.password_change', {'current': current, 'password': password})

    def password_forgot(self, *, email: str) -> Ok:
        """Ask for a link by which a new password is set. It is mailed in a moment, works once, and lives 30 minutes.

        The answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where
        this server sends no mail. Ten links are mailed to an address in an hour, three of them asked for from one network
        address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.
        """
        return self._client.call('auth.password_forgot', {'email': email})

    def password_reset(self, *, token: str, password: str) -> Ok:
        """Set a new password by a link. It signs nobody in: a second factor in force is asked for at the next sign-in.

        All sessions of the member end, their other links too, and other browsers are known no longer; keys stay. They are
        told by mail. Failed sign-ins on the account from this address are forgotten, as nobody but who forgot is likely to
        have made them here. A link that is used, ended or mistyped is 404; a password that does not fit is 422 and uses
        nothing up.
        """
        return self._client.call('auth.password_reset', {'token': token, 'password': password})

    def policy(self) -> SignInPolicy:
        """How people may sign in here. Domains and networks are told to admins only."""
        return self._client.call('auth.policy', {})

    def policy_set(self, *, require_2fa: bool | None = UNSET, password_min: int | None = UNSET, session_days: int | None = UNSET, methods: List[str] | None = UNSET, signup_domains: List[str] | None = UNSET, allowed_networks: List[str] | None = UNSET) -> SignInPolicy:
        """Change the sign-in policy; fields that are not named stay. It holds for every open session at once.

        Refused with 409 where it would shut you out: `require_2fa` while you have no second factor, networks that do not
        hold the address you call from; and `link` among `methods` while this server sends no mail. A passkey counts as the
        second factor. `methods` by which no owner could come in (a link alone does not count, as mail may fail), or with
        one that is not there, is 422. Without `passkey` passkeys are a second factor only.
        """
        return self._client.call('auth.policy_set', {'require_2fa': require_2fa, 'password_min': password_min, 'session_days': session_days, 'methods': methods, 'signup_domains': signup_domains, 'allowed_networks': allowed_networks})

    def provider_delete(self, *, id: str) -> List[SignInProvider]:
        """Delete a sign-in provider, with its secret and what it knew members by; it leaves the methods of the policy.

        Asks for an elevated session. Refused with 409 where no owner could sign in without it. Sessions that began there
        go on; where its word was taken for a second factor, it counts no more.
        """
        return self._client.call('auth.provider_delete', {'id': id})

    def provider_save(self, *, id: str, kind: Literal['oidc', 'saml', 'ldap'], label: str, settings: Dict[str, JsonValue], secret: str | None = UNSET, enabled: bool | None = UNSET, create_members: bool | None = UNSET) -> List[SignInProvider]:
        """Make a sign-in provider, or change one: `settings` as a whole, what else is left out stays. Nothing is asked
        there; auth.provider_test tries it.

        People use it when its id is among the `methods` of the policy, too. Asks for an elevated session. Another issuer
        clears the secret, unless a new one comes with it, and leaves links to accounts there without effect. Switching off
        what alone lets an owner in is 409, and so is a twenty-first provider.
        """
        return self._client.call('auth.provider_save', {'id': id, 'kind': kind, 'label': label, 'settings': settings, 'secret': secret, 'enabled': enabled, 'create_members': create_members})

    def provider_test(self, *, id: str, user: str | None = UNSET) -> ProviderTrial:
        """Try a sign-in provider: its discovery document, its keys, and whether it takes this server's name and secret.

        Everything is asked anew. The steps say what to mend; the first names the address that the provider must know to
        send people back to. Nobody signs in, so that what it says of people is not told.
        """
        return self._client.call('auth.provider_test', {'id': id, 'user': user})

    def provider_unlink(self, *, provider: str, member: str | None = UNSET) -> LinkedProviders:
        """Take the account at a provider away that lets you in, as `linked` of auth.me lists it. Answers those left.

        Asks for an elevated session. An admin takes away another's, an owner's only an owner (403). Refused with 409 where
        no other way to sign in would be left to you that the policy takes, and where none would be left to any owner. Where
        members are found by their address, whoever has it there is linked again when they next come. Sessions that began
        so go on: auth.session_revoke ends them.
        """
        return self._client.call('auth.provider_unlink', {'provider': provider, 'member': member})

    def providers(self) -> List[SignInProvider]:
        """List the sign-in providers, oldest first: those that are used, and for admins all, with their settings."""
        return self._client.call('auth.providers', {})

    def session_revoke(self, *, id: str) -> List[Session]:
        """End a session, and its streams; the next call with it is 401. Answers the sessions left of whose it was.

        Your own, and for admins everybody's, an owner's for owners only (403). To end that of this call is to sign out, as
        by auth.logout.
        """
        return self._client.call('auth.session_revoke', {'id': id})

    def sessions(self, *, member: str | None = UNSET) -> List[Session]:
        """List where you are signed in, newest first. Another's sessions are for admins (403)."""
        return self._client.call('auth.sessions', {'member': member})

    def totp_begin(self) -> TotpSecret:
        """Get a secret for an authenticator app; it counts once `auth.totp_confirm` got a code made with it.

        Asks for an elevated session. Beginning again makes a new secret; with a second factor in force it is 409.
        """
        return self._client.call('auth.totp_begin', {})

    def totp_confirm(self, *, code: str) -> RecoveryCodes:
        """Put the second factor in force with a code from the app. Answers ten recovery codes, shown this once.

        Asks for an elevated session. A wrong code is 422; without `auth.totp_begin` before it is 409.
        """
        return self._client.call('auth.totp_confirm', {'code': code})

    def totp_disable(self, *, member: str | None = UNSET) -> Ok:
        """Take the second factor away, with its recovery codes. Asks for an elevated session.

        An admin resets another's, an owner's only an owner (403): all of it then, their passkeys, too, so that whoever lost
        their devices comes in by password or link. Your own passkeys stay (auth.passkey_delete). Without a factor nothing
        changes. Where the policy asks for one, whoever has none can only set one up.
        """
        return self._client.call('auth.totp_disable', {'member': member})


class AutomationModule(Module):
    """Automation: rules that run operations when something happens, at a time, or when somebody presses a button."""

    def catalog(self) -> AutomationCatalog:
        """Look at what rules can be made of: operations, fields for conditions, placeholders, and actions to begin with."""
        return self._client.call('automation.catalog', {})

    def delete(self, *, id: int) -> DeletedRule:
        """Delete a rule with its log; what waits is not run. What it did stays."""
        return self._client.call('automation.delete', {'id': id})

    def list(self) -> List[AutomationRule]:
        """List the rules by id. Admins read all of them; others read what sets each off and which operations it runs, and
        neither queries nor inputs, which may name what they do not see.
        """
        return self._client.call('automation.list', {})

    def log(self, *, rule: int | None = UNSET) -> List[AutomationLogEntry]:
        """List what came of the latest runs, newest first: 200 at most, of 90 days and 1,000 for each rule.

        Runs for something that the caller does not see are left out. Why a run failed, and where a rule went beyond what it
        ran for, its author alone reads the message.
        """
        return self._client.call('automation.log', {'rule': rule})

    def run(self, *, id: int) -> RuleRun:
        """Run a rule now, as its author, and answer its entry in the log, which says what came of it. For admins.

        A rule with a button or with times is run: at once, or in a moment for each issue that its query names. A rule that
        goes by events or by a state changes nothing here: the entry says how often it would have run over past events,
        judged by how issues are now, or for which issues it would run now. One that is off is 409, unless it is only tried.
        """
        return self._client.call('automation.run', {'id': id})

    def save(self, *, id: int | None = UNSET, name: str | None = UNSET, enabled: bool | None = UNSET, trigger: RuleTrigger | None = UNSET, conditions: List[Dict[str, Any]] | None = UNSET, actions: List[RuleAction] | None = UNSET) -> AutomationRule:
        """Make a rule, or change one; fields that are not named stay. For admins.

        Whoever saves it is its author: it runs with what they may at that moment, with the scopes of this call at most, and
        stops when they are no admin any more. It does nothing that only people may do. Operations, fields, queries and
        placeholders that are not there are 422, naming the nearest.

        A rule that set off another, and that the next, stops behind five; the same one runs for the same thing ten times
        within a minute at most; one that fails five times in a row is switched off. What is imported or undone sets
        none off. An org has 200 rules at most (409).
        """
        return self._client.call('automation.save', {'id': id, 'name': name, 'enabled': enabled, 'trigger': trigger, 'conditions': conditions, 'actions': actions})


class BackupsModule(Module):
    """Backups: archives of the whole org, taken while people work, by hand or on a schedule, checked and fetched."""

    def create(self, *, note: str | None = UNSET, attachments: bool | None = UNSET) -> Backup:
        """Take a backup of the whole org while people work: the state of one moment, in one archive, checked.

        It holds all data but the key that seals secrets. One is taken at a time (409).
        """
        return self._client.call('backups.create', {'note': note, 'attachments': attachments})

    def delete(self, *, id: str) -> List[Backup]:
        """Take a backup away for good; answers those that are left."""
        return self._client.call('backups.delete', {'id': id})

    def fetch(self, *, id: str) -> Fetched:
        """Get a link to a backup, good for five minutes and for nobody who is no admin then.

        One that lies in an S3-compatible store is fetched from there, by a link that the store gives.
        """
        return self._client.call('backups.fetch', {'id': id})

    def list(self) -> Backups:
        """List the backups in all places, the latest first, and the schedule."""
        return self._client.call('backups.list', {})

    def restore(self, *, id: str | None = UNSET, upload: str | None = UNSET, scope: str | None = UNSET) -> Restoring:
        """Put a backup in the place of all data, or bring a project of it back beside what is there.

        Owners only. Answers the job that does it. A project comes back under a free key (`WEB2`) with new ids, and nothing
        else changes; the rest is about the whole.

        An archive that is damaged, of a newer version or of another program is refused, at once (409) or by the job, and
        nothing is changed then; so is one that was changed since this server made it. One that was made elsewhere, or has
        no signature, is restored: `origin` of the job's result says so.

        While the data change places, for about a second, every call is refused (503) and streams end. What was there goes
        into a safety copy, which holds every write that was acknowledged; its id is in the job's result. Afterwards
        everybody signs in anew, also whoever restored: sessions, links, grants of connected programs and device codes are
        void, and keys, invitations and people that were revoked, deactivated or erased since the backup stay so. Keys that
        are good in both go on, and see the job under its number.

        One restore runs at a time, and none while a backup is being taken (409). A job that is cut off before the data
        change places changes nothing and is not taken up again; after that it packs the safety copy when the server is
        there again.
        """
        return self._client.call('backups.restore', {'id': id, 'upload': upload, 'scope': scope})

    def schedule_set(self, *, every: Literal['off', 'hourly', 'daily', 'weekly'], keep: int, target: str | None = UNSET) -> BackupSchedule:
        """Say when backups are taken by themselves: hourly, or at three in the morning where the org is, weekly on Monday.

        What the operator did not name in the settings is no place (422), and a store that cannot be used is none yet (409).
        """
        return self._client.call('backups.schedule_set', {'every': every, 'keep': keep, 'target': target})

    def verify(self, *, id: str) -> Verified:
        """Open a backup in a process of its own and check it: checksums, schema, integrity, rows, and each file's bytes.

        `origin` says whether this server made it. One made elsewhere, or unsigned as those of earlier versions are, passes.
        """
        return self._client.call('backups.verify', {'id': id})


class BoardsModule(Module):
    """Boards: the issues of a query in columns of lanes, in the order of their ranks, to be moved by dropping."""

    def columns_set(self, *, id: int, columns: List[ColumnInput]) -> Board:
        """Set the columns of a board: their names, lanes, order and limits. Columns that are not named go.

        A column named by its `id` keeps it. A lane stands in one column; issues in lanes that stand in none are not on the
        board. Who may change the board may do so (403).
        """
        return self._client.call('boards.columns_set', {'id': id, 'columns': columns})

    def copy(self, *, id: int, name: str, project: str | None = UNSET) -> Board:
        """Copy a board that you see: with its condition, columns, filters and fields, on a project or as your own."""
        return self._client.call('boards.copy', {'id': id, 'name': name, 'project': project})

    def delete(self, *, id: int) -> List[Board]:
        """Put a board into the trash; trash.restore brings it back. Answers those left. Its issues stay as they are.

        Who may change it may delete it (403).
        """
        return self._client.call('boards.delete', {'id': id})

    def get(self, *, id: int) -> Board:
        """Look at a board: its columns, filters and fields; `boards.view` answers the issues on it.

        A board on a project is seen by whoever sees the project, any other by its owner alone. Its conditions go
        on meaning what they named when they were saved, and are shown with present names. A lane that is gone is in no
        column any more.
        """
        return self._client.call('boards.get', {'id': id})

    def list(self, *, project: str | None = UNSET, q: str | None = UNSET) -> List[Board]:
        """List the boards that you see, by name."""
        return self._client.call('boards.list', {'project': project, 'q': q})

    def move(self, *, id: int, key: str, column: str, after: str | None = UNSET, lane: str | None = UNSET, swimlane: str | None = UNSET, dry_run: bool | None = UNSET) -> BoardMove:
        """Drop an issue into a column: to a lane of it, into its place in the order and into a row, all of it or nothing.

        A lane is entered as by issues.transition, and what refuses that refuses the drop (409 `workflow-refused`,
        `approval-needed`; 422 where the transition asks for fields). A column that has a `hard` limit takes no issue beyond
        it (409), counting those on the board that you see. The row is set as by issues.update and issues.assign. The order
        is that of issues.rank and needs its right, and `issue.ranked` names the `board`.

        `dry_run` passes the same checks, writes nothing, and answers in `blocked` why the drop would be refused.
        """
        return self._client.call('boards.move', {'id': id, 'key': key, 'column': column, 'after': after, 'lane': lane, 'swimlane': swimlane, 'dry_run': dry_run})

    def quick_filter_save(self, *, id: int, filters: List[FilterInput]) -> Board:
        """Set the quick filters of a board, which `boards.view` takes by their ids. Filters that are not named go.

        A filter named by its `id` keeps it. A condition that cannot be asked is 422. Who may change the board may do so
        (403).
        """
        return self._client.call('boards.quick_filter_save', {'id': id, 'filters': filters})

    def save(self, *, id: int | None = UNSET, name: str, project: str | None = UNSET, tql: str, swimlanes: str | None = UNSET, card_fields: List[str] | None = UNSET, color_by: str | None = UNSET, kind: Literal['kanban', 'sprint'] | None = UNSET) -> Board:
        """Make a board, or change one: fields that are not named stay, null clears `project`, `swimlanes` and `color_by`.

        A new one has a column for each lane of its project's workflow, or of the org's, the done ones in one;
        boards.columns_set makes others. A condition that cannot be asked is 422 with the place in it (`tql-syntax`,
        `tql-name`); one with `order by`, `select` or `group by` too, since a board is in the order of ranks. Your own are
        yours to change, those on a project for its members and leads (403). An owner has 200 boards at most (409).
        """
        return self._client.call('boards.save', {'id': id, 'name': name, 'project': project, 'tql': tql, 'swimlanes': swimlanes, 'card_fields': card_fields, 'color_by': color_by, 'kind': kind})

    def view(self, *, id: int, filters: List[str] | None = UNSET, tql: str | None = UNSET, per_column: int | None = UNSET, cursor: str | None = UNSET) -> BoardView:
        """Show the issues on a board: each column with its number, its sum of estimates and its first issues.

        On it are the issues that fit its condition, the `filters` and `tql`, that you see and whose lane stands in a
        column; archived ones where the condition speaks of them. They stand project by project in the order in which the
        projects were made, in each by rank, and `count` and `estimate` are of all of them. A column whose `next` is not
        null has more: the same call with that as `cursor` answers the column alone, from there on.

        A board with `swimlanes` answers a row for each value of the field that issues on it have, with counts by column and
        the keys of those issues that the columns answer. Without issues:read a board is empty. A condition that names what
        is gone is 422, as is one that takes longer than three seconds.
        """
        return self._client.call('boards.view', {'id': id, 'filters': filters, 'tql': tql, 'per_column': per_column, 'cursor': cursor})


class ChatModule(Module):
    """Chat: commands from Slack, Teams and Discord run operations, and channels there hear of issues."""

    def connection_delete(self, *, id: int) -> ChatConnection:
        """Delete a connection with its secrets, linked accounts and subscriptions; what waited is not sent.

        Answers it as it was.
        """
        return self._client.call('chat.connection_delete', {'id': id})

    def connection_save(self, *, id: int | None = UNSET, name: str | None = UNSET, project: str | None = UNSET, provider: Literal['slack', 'teams', 'discord'] | None = UNSET, secret: str | None = UNSET, bot_token: str | None = UNSET) -> ChatConnection:
        """Make a connection, or change one; fields that are not named stay. For admins who see its project.

        The platform is then told to post to `hook_path` of this site. Its secrets are sealed and never shown again. An org
        has 50 connections at most (409).
        """
        return self._client.call('chat.connection_save', {'id': id, 'name': name, 'project': project, 'provider': provider, 'secret': secret, 'bot_token': bot_token})

    def connections(self) -> List[ChatConnection]:
        """List the connections with chat platforms by id. Errors are told to admins."""
        return self._client.call('chat.connections', {})

    def subscription_delete(self, *, id: int) -> ChatSubscriptionGone:
        """Delete a subscription; what waited is not posted."""
        return self._client.call('chat.subscription_delete', {'id': id})

    def subscription_save(self, *, id: int | None = UNSET, connection: int | None = UNSET, name: str | None = UNSET, events: List[Literal['issue.created', 'issue.updated', 'issue.assigned', 'issue.deleted', 'comment.created']] | None = UNSET, tql: str | None = UNSET, origin: str | None = UNSET, webhook_url: str | None = UNSET) -> ChatSubscription:
        """Make a subscription, or change one; fields that are not named stay. For admins.

        Whoever saves it is its author: the channel hears of what they may hear of, and of nothing once they are no admin.
        Comments that are internal are never posted. What is brought in or undone is not posted either. An org has 100
        subscriptions at most (409).
        """
        return self._client.call('chat.subscription_save', {'id': id, 'connection': connection, 'name': name, 'events': events, 'tql': tql, 'origin': origin, 'webhook_url': webhook_url})

    def subscription_test(self, *, id: int) -> ChatSubscriptionTested:
        """Post a word to the channel now, once. Where the channel does not take it, 502 says what it answered."""
        return self._client.call('chat.subscription_test', {'id': id})

    def subscriptions(self) -> List[ChatSubscription]:
        """List the subscriptions of channels by id. Their queries are told to admins."""
        return self._client.call('chat.subscriptions', {})


class ChecklistsModule(Module):
    """Checklists: small steps of an issue that are ticked off, and templates of them."""

    def add(self, *, key: str, text: str, assignee: str | Literal[''] | None = UNSET, due_date: str | Literal[''] | None = UNSET) -> Checklist:
        """Put items at the end of the checklist of an issue, one for each line.

        Whoever may edit the issue does. An item has 1,000 characters at most (422), an issue 500 items (409).
        """
        return self._client.call('checklists.add', {'key': key, 'text': text, 'assignee': assignee, 'due_date': due_date})

    def apply(self, *, key: str, template: int) -> Checklist:
        """Put the items of a template at the end of the checklist of an issue, whatever its type.

        Those that stand there already, word for word and not ticked, are not put there again.
        """
        return self._client.call('checklists.apply', {'key': key, 'template': template})

    def delete(self, *, id: int) -> Deleted:
        """Take an item off its checklist; undo brings it back."""
        return self._client.call('checklists.delete', {'id': id})

    def list(self, *, key: str) -> Checklist:
        """Look at the checklist of an issue; one that has none has an empty one."""
        return self._client.call('checklists.list', {'key': key})

    def reorder(self, *, key: str, ids: List[int]) -> Checklist:
        """Put the items of a checklist in order. An item of another issue is 422."""
        return self._client.call('checklists.reorder', {'key': key, 'ids': ids})

    def template_delete(self, *, id: int) -> Deleted:
        """Take a template away; issues that have its items keep them, and templates of issues that name it go without."""
        return self._client.call('checklists.template_delete', {'id': id})

    def template_save(self, *, id: int | None = UNSET, name: str, kind: str, items: List[str], auto: bool | None = UNSET) -> List[ChecklistTemplate]:
        """Make a template of a checklist, or change one. A name is unique without case (409); an org has 200 at most.

        Issues that have the items already stay as they are.
        """
        return self._client.call('checklists.template_save', {'id': id, 'name': name, 'kind': kind, 'items': items, 'auto': auto})

    def templates(self) -> List[ChecklistTemplate]:
        """List the templates of checklists by name; guests see those for the types that their projects use."""
        return self._client.call('checklists.templates', {})

    def update(self, *, id: int, text: str | None = UNSET, done: bool | None = UNSET, assignee: str | Literal[''] | None = UNSET, due_date: str | Literal[''] | None = UNSET) -> Checklist:
        """Tick an item off, or change what it says, who does it and until when; answers the whole checklist.

        What is not named stays. An item that is ticked already keeps who did it and when.
        """
        return self._client.call('checklists.update', {'id': id, 'text': text, 'done': done, 'assignee': assignee, 'due_date': due_date})


class CommentsModule(Module):
    """Comments: what people say on a subject, in threads."""

    def create(self, *, subject: str, body: str, body_doc: str | None = UNSET, parent: int | None = UNSET, internal: bool | None = UNSET, anchor: str | None = UNSET, uploads: List[str] | None = UNSET) -> CommentId:
        """Comment on a subject, or reply in a thread.

        Issues, assets (`asset:LAP-1`), flags and change requests of flags (`flag_change:<id>`) take comments, of whoever
        may comment there; who does watches the issue from then on. What is archived or locked takes comments from its
        leads only (403), what is of an archived project from nobody (409). Internal notes are made on issues only, and a
        reply that differs from its thread in `internal` is no better (422). `@handle` outside code and links mentions a
        member, team or agent: the event names those who see the comment; what stands behind the first 100,000 characters
        mentions nobody. `uploads` are as with attachments.expect.
        """
        return self._client.call('comments.create', {'subject': subject, 'body': body, 'body_doc': body_doc, 'parent': parent, 'internal': internal, 'anchor': anchor, 'uploads': uploads})

    def delete(self, *, id: int) -> CommentId:
        """Put a comment into the trash, with its files; trash.restore brings it back.

        Authors delete their own, leads of the project and admins any (403). Replies stay: where the first comment of a
        thread goes, its place is shown without author and body while replies remain.
        """
        return self._client.call('comments.delete', {'id': id})

    def import_(self, *, author: str, body: str, subject: str, created_at: int | None = UNSET, external: str | None = UNSET, parent: int | None = UNSET, internal: bool | None = UNSET) -> CommentId:
        """Bring in a comment from elsewhere, with its author and time. Mentions, mails, watches and triggers nothing."""
        return self._client.call('comments.import', {'author': author, 'body': body, 'subject': subject, 'created_at': created_at, 'external': external, 'parent': parent, 'internal': internal})

    def list(self, *, subject: str) -> List[Comment]:
        """List the comments on a subject, oldest first; guests do not see internal ones.

        The starter of a thread that was deleted while replies remain stands there without author and body.
        """
        return self._client.call('comments.list', {'subject': subject})

    def react(self, *, id: int, emoji: str, on: bool) -> CommentId:
        """React to a comment with an emoji or short code, or take that back. Twice counts once.

        Whoever may comment there reacts; whoever sees it takes back their own. A comment has at most 50 different ones
        (409).
        """
        return self._client.call('comments.react', {'id': id, 'emoji': emoji, 'on': on})

    def resolve(self, *, id: int, resolved: bool) -> CommentId:
        """Mark a thread as resolved, or open it again. Twice is no change.

        Its author does, and whoever may change what it is on (403); a reply is 422. A thread whose first comment was
        deleted is resolved by that one's id, too.
        """
        return self._client.call('comments.resolve', {'id': id, 'resolved': resolved})

    def update(self, *, id: int, body: str, body_doc: str | None = UNSET, uploads: List[str] | None = UNSET) -> CommentId:
        """Change what you said. Authors change their own, and what their agents said; nobody else does (403).

        You can comment there still: what is archived or locked is for its leads (403). Whether it is internal stays as it
        is. Only who was not mentioned before is told of a mention. The same text again is no change. `uploads` are as with
        attachments.expect.
        """
        return self._client.call('comments.update', {'id': id, 'body': body, 'body_doc': body_doc, 'uploads': uploads})


class ComponentsModule(Module):
    """Components: parts of a project, each with somebody who gets its new issues."""

    def delete(self, *, id: int, move_to: int | None = UNSET) -> List[Component]:
        """Take a component away; answers those that the project has left.

        One that issues have needs `move_to` (409 `in-use` with `uses`).
        """
        return self._client.call('components.delete', {'id': id, 'move_to': move_to})

    def list(self, *, project: str) -> List[Component]:
        """List the components of a project by name, the archived ones last."""
        return self._client.call('components.list', {'project': project})

    def save(self, *, id: int | None = UNSET, project: str, name: str, description: str | None = UNSET, lead: str | Literal[''] | None = UNSET, assign: Literal['lead', 'project', 'nobody'] | None = UNSET, archived: bool | None = UNSET) -> Component:
        """Make a component, or change one: fields that are not named stay.

        Leads of the project and admins do. A name is unique in its project without case (409); its lead is an active
        member who sees the project (422). A new one with a lead gives new issues to them unless `assign` says otherwise.
        """
        return self._client.call('components.save', {'id': id, 'project': project, 'name': name, 'description': description, 'lead': lead, 'assign': assign, 'archived': archived})


class DeskModule(Module):
    """The service desk: customers outside, what they may ask for, their portal, and requests by mail and chat."""

    def customer_add(self, *, email: str, name: str) -> CustomerPassword:
        """Add a customer, with a password to hand over: it is in the answer and never shown again.

        It opens the desks where you work, and all once they set one of their own by mail. An address that a customer has is
        409. For members and leads of a project that is a desk.
        """
        return self._client.call('desk.customer_add', {'email': email, 'name': name})

    def customer_block(self, *, id: int, blocked: bool) -> DeskCustomer:
        """Shut a customer out, or let them in again. A block ends their tokens at once, and what they mail is ignored.

        For admins who work at a desk that the customer has to do with, or where they have to do with none.
        """
        return self._client.call('desk.customer_block', {'id': id, 'blocked': blocked})

    def customer_reset(self, *, id: int) -> CustomerPassword:
        """Give a customer a new password to hand over: it is in the answer and never shown again.

        It opens the desks where you work, until they set one of their own by mail. They are signed out everywhere. Refused
        (409) for a customer who is blocked, and while they have to do with requests of desks where you do not work.
        """
        return self._client.call('desk.customer_reset', {'id': id})

    def customers(self, *, q: str | None = UNSET) -> List[DeskCustomer]:
        """List customers by name, the first thousand: those who have to do with requests of desks where you work, and those
        who have to do with none.

        For members and leads of a project that is a desk (403).
        """
        return self._client.call('desk.customers', {'q': q})

    def deflection_stats(self, *, project: str) -> DeflectionStats:
        """Say how often help articles were the answer at a desk in the last thirty days, and how many requests that you see
        came in by its portal. `top` names articles that the portal still shows; to a key without pages:read none.
        """
        return self._client.call('desk.deflection_stats', {'project': project})

    def email_address(self, *, project: str, renew: bool | None = UNSET) -> MailPath:
        """Say where mail to a desk is posted, the same each time unless it is to `renew`: a path of this site, with a token
        that nobody guesses.

        It takes the forms of the inbound services of SendGrid, Mailgun and Postmark, and JSON with `from`, `name`,
        `subject` and `text`. For admins who lead the project. The token is sealed: with another master key than it was made
        with, there is a new one.
        """
        return self._client.call('desk.email_address', {'project': project, 'renew': renew})

    def list(self) -> List[Desk]:
        """List the service desks of the projects that you see, by name."""
        return self._client.call('desk.list', {})

    def portal_article(self, *, id: str) -> PortalArticle:
        """Read a help article: a published page of the space of a desk that is open. Others are 404. Looks are counted."""
        return self._client.call('desk.portal_article', {'id': id})

    def portal_comment(self, *, key: str, body: str) -> Ok:
        """Say something on a request of yours, in 100,000 characters at most. One that is locked or archived takes nothing
        more (409). After twenty requests, answers and changes of yours in an hour it is 429.
        """
        return self._client.call('desk.portal_comment', {'key': key, 'body': body})

    def portal_create(self, *, title: str, type: int, values: Dict[str, Any] | None = UNSET) -> PortalRequest:
        """Ask for something. Answers that do not fit, and such as are missing, are 422 at `values.<key>`, all of them at
        once; an answer to a question that is not shown is not kept. A type that nobody may ask for is 404, one of a desk
        that your password does not open 403. After twenty requests, answers and changes of yours in an hour it is 429.
        """
        return self._client.call('desk.portal_create', {'title': title, 'type': type, 'values': values})

    def portal_form(self, *, type: int, values: Dict[str, Any] | None = UNSET) -> PortalForm:
        """Say what the form of a request type asks once these answers are applied: which questions are shown, which must be
        answered, and what may be chosen.

        An answer that does not fit is as none here; making the request refuses it. An answer to what is no question is 422,
        a type that nobody may ask for 404.
        """
        return self._client.call('desk.portal_form', {'type': type, 'values': values})

    def portal_info(self) -> List[PortalDesk]:
        """List the desks that are open, by name, with what may be asked for. For everybody, signed in or not."""
        return self._client.call('desk.portal_info', {})

    def portal_login(self, *, email: str, password: str) -> PortalSession:
        """Sign a customer in. The token goes as a bearer token with the other operations of the portal, for thirty days.

        Wrong password, unknown address and blocked are one 401, which takes as long. After ten failures on an address from
        one network address, or fifty from there, in 15 minutes it is 429 with `Retry-After`; where too many sign in at once
        503 `busy`.
        """
        return self._client.call('desk.portal_login', {'email': email, 'password': password})

    def portal_logout(self) -> Ok:
        """End the token that this is called with; others of the customer stay."""
        return self._client.call('desk.portal_logout', {})

    def portal_me(self) -> DeskCustomer:
        """Say who is signed in; `requests` counts those that they made and see."""
        return self._client.call('desk.portal_me', {})

    def portal_request(self, *, key: str, cursor: str | None = UNSET) -> PortalThread:
        """Look at a request of yours, with what was said on it last, fifty answers at most; `older` leads to those before.
        One that is not yours is 404, as is one that never was.
        """
        return self._client.call('desk.portal_request', {'key': key, 'cursor': cursor})

    def portal_requests(self) -> List[PortalRequest]:
        """List your requests and those that you take part in, the latest change first, 500 at most."""
        return self._client.call('desk.portal_requests', {})

    def portal_signup(self, *, email: str, name: str, password: str) -> PortalSignup:
        """Make an account. A link is mailed to the address, and desk.portal_verify finishes by it; till then there is none.

        An address that a customer has gets the very same answer, and a letter that says so. A server that sends no mail
        signs in at once, and there a known address is 409. Where no open desk has `open_signup` it is 403. After ten
        letters to an address in an hour, three of them asked for from one network address, it is 429.
        """
        return self._client.call('desk.portal_signup', {'email': email, 'name': name, 'password': password})

    def portal_solved(self, *, article: str, text: str | None = UNSET, solved: bool) -> Ok:
        """Say whether a help article was the answer: desk.deflection_stats counts that it was. One that is none is 404."""
        return self._client.call('desk.portal_solved', {'article': article, 'text': text, 'solved': solved})

    def portal_start_reset(self, *, email: str) -> Ok:
        """Ask for a link by which a customer sets a new password. It is mailed in a moment, works once, and lives half an
        hour.

        The answer is the same, and comes as soon, where no customer has the address, where they are blocked, and where this
        server sends no mail. After ten letters to an address in an hour, three of them asked for from one network address,
        it is 429.
        """
        return self._client.call('desk.portal_start_reset', {'email': email})

    def portal_submit_reset(self, *, token: str, password: str) -> PortalSession:
        """Set a customer's password by a link, and sign them in. All their other tokens and links end.

        A link that is used, over or mistyped is 404; a password that does not fit is 422 and uses nothing up.
        """
        return self._client.call('desk.portal_submit_reset', {'token': token, 'password': password})

    def portal_suggest(self, *, project: str, text: str) -> List[SuggestedArticle]:
        """Suggest help articles of a desk that is open, five at most. One that is not is 404."""
        return self._client.call('desk.portal_suggest', {'project': project, 'text': text})

    def portal_survey(self, *, token: str, score: int, comment: str | None = UNSET) -> Ok:
        """Say how a request went, of which the token is: one rating, which may be changed for seven days, and is given anew
        when the request was reopened and closed again.

        What is said with it becomes an internal note on the request, for the people of the desk alone, and another rating
        changes that note. A token that is mistyped or of a request that is open, gone or closed a month ago is 404, as is
        any while the desk does not ask. After the seven days it is 409. A note counts as an answer of the customer's: the
        twenty-first in an hour is 429.
        """
        return self._client.call('desk.portal_survey', {'token': token, 'score': score, 'comment': comment})

    def portal_transition(self, *, key: str, action: Literal['close', 'reopen', 'approve', 'reject'], note: str | None = UNSET) -> PortalRequest:
        """Close a request of yours, or reopen one that is closed, as long as the desk allows it; or, where you are asked to
        agree before it goes on, do that or refuse.

        It goes the first way of its workflow that leads there, asks for nothing and needs nobody to agree. Where there is
        none, where it is closed or open already, and where nothing asks you it is 409. What you asked for yourself others
        decide, unless the workflow lets you (403). After twenty requests, answers and changes of yours in an hour it is
        429.
        """
        return self._client.call('desk.portal_transition', {'key': key, 'action': action, 'note': note})

    def portal_update(self, *, name: str | None = UNSET, locale: str | None = UNSET, password: str | None = UNSET, current: str | None = UNSET, notify: bool | None = UNSET) -> DeskCustomer:
        """Say what you are called, your language, whether you are mailed, or another password: with that, all other places
        where you are signed in end.

        A password that an agent made opens that agent's desks alone, and so does what it is changed to: whoever made it may
        change it, too. Where this server sends mail the link of desk.portal_start_reset ends that, where it sends none any
        change does. A wrong `current` is 422, and after ten of them in 15 minutes 429, as with signing in.
        """
        return self._client.call('desk.portal_update', {'name': name, 'locale': locale, 'password': password, 'current': current, 'notify': notify})

    def portal_upload(self, *, key: str, name: str, data: str, content_type: str | None = UNSET) -> Attachment:
        """Hang a file on a request of yours: whoever sees the request sees it. One that is locked or archived takes none
        (409), nor one that has a hundred; 100 MB in a day are enough of one customer (409). Above 10 MB it is 413.
        """
        return self._client.call('desk.portal_upload', {'key': key, 'name': name, 'data': data, 'content_type': content_type})

    def portal_verify(self, *, token: str, password: str | None = UNSET) -> PortalSession:
        """Finish a sign-up by the link that was mailed: the account is made, and signed in. A link that is used, over after
        a day, or mistyped is 404; where somebody with the address became a customer meanwhile it is 409. Where no open desk
        has `open_signup` any more it is 403; the link stays for its day.
        """
        return self._client.call('desk.portal_verify', {'token': token, 'password': password})

    def portal_view_file(self, *, key: str, id: str) -> AttachmentContent:
        """Get a file of a request of yours: one that its customers sent, or that hangs on what was said to them. Any other,
        such as one on an internal note, is 404. One of more than 10 MB is 413.
        """
        return self._client.call('desk.portal_view_file', {'key': key, 'id': id})

    def portal_watch(self, *, key: str, add: List[str] | None = UNSET, remove: List[str] | None = UNSET) -> PortalParticipants:
        """Share a request of yours, or say who sees it no more; without both, who does. Whoever asked shares it, and others
        may leave (403).

        Where the desk lets anybody sign up, an address that is not known becomes a customer, who is mailed. Elsewhere the
        colleague is a customer with an address at the same host as yours (422). After twenty in a day, and with fifty who
        see it, it is 409.
        """
        return self._client.call('desk.portal_watch', {'key': key, 'add': add, 'remove': remove})

    def queue_delete(self, *, id: int) -> List[Queue]:
        """Take a queue away; what was in it stays. Answers those that the desk has left."""
        return self._client.call('desk.queue_delete', {'id': id})

    def queue_save(self, *, id: int | None = UNSET, project: str, name: str, tql: str, order: str | None = UNSET, columns: List[str] | None = UNSET, position: float | None = UNSET, team: int | None = UNSET) -> List[Queue]:
        """Make a queue, or change one: what is optional and not named stays. For admins who lead the project.

        A text that cannot be asked is 422 with the place in it (`tql-syntax`, `tql-name`), and so are an order and columns
        that are no fields of issues. Names mean what is called so now, and the queue goes on meaning that. A desk has a
        hundred queues at most (409). Answers those of the desk, whose counts are -1 in a batch.
        """
        return self._client.call('desk.queue_save', {'id': id, 'project': project, 'name': name, 'tql': tql, 'order': order, 'columns': columns, 'position': position, 'team': team})

    def queues(self, *, project: str) -> List[Queue]:
        """List the queues of a desk in their order, each with its issues now, as far as you see them, and how many of these
        are late: open behind their due date.

        `tql.run` with its `tql`, `project`, `order` and `columns` answers what is in it. A count that took too long, or
        whose text cannot be read now, is -1.
        """
        return self._client.call('desk.queues', {'project': project})

    def replies(self, *, project: str | None = UNSET, q: str | None = UNSET) -> List[CannedReply]:
        """List the canned replies that you may use, by folder and name: your own, and shared ones for desks where you work.

        For members and leads of a project that is a desk (403).
        """
        return self._client.call('desk.replies', {'project': project, 'q': q})

    def reply_delete(self, *, id: int) -> List[CannedReply]:
        """Take a canned reply away, as whoever may change it. Answers those that you have left."""
        return self._client.call('desk.reply_delete', {'id': id})

    def reply_render(self, *, id: int, key: str) -> RenderedReply:
        """Fill a canned reply in for a request, to be sent by desk.send_reply. Of who answers it says what the desk shows.

        For members of the project. An issue that is no request is 409, a reply that is for another desk 404.
        """
        return self._client.call('desk.reply_render', {'id': id, 'key': key})

    def reply_save(self, *, id: int | None = UNSET, name: str, text: str, project: str | None = UNSET, folder: str | None = UNSET, shortcut: str | None = UNSET, shared: bool | None = UNSET) -> CannedReply:
        """Make a canned reply, or change one: what is optional and not named stays. A placeholder that is none is 422.

        For members and leads of a project that is a desk. Your own are yours to change; shared ones also leads of the
        project that it is for, and those for all desks also admins (403). Somebody has a thousand at most (409).
        """
        return self._client.call('desk.reply_save', {'id': id, 'name': name, 'text': text, 'project': project, 'folder': folder, 'shortcut': shortcut, 'shared': shared})

    def request_create(self, *, project: str, type: int, customer: str, title: str, values: Dict[str, Any] | None = UNSET, channel: Literal['phone', 'mail', 'chat', 'walk_in'] | None = UNSET) -> Issue:
        """Write a request down for a customer, who is told by mail that it is here and sees it on the portal. For members
        of the project.

        The form is judged as on the portal: what does not fit and what is missing is 422 at `values.<key>`, all of it at
        once. The reporter is the customer, and whoever writes it down watches it. A customer who is blocked, one with 500
        open requests, and a desk that is shut are 409.
        """
        return self._client.call('desk.request_create', {'project': project, 'type': type, 'customer': customer, 'title': title, 'values': values, 'channel': channel})

    def request_type_delete(self, *, id: int, move_to: int | None = UNSET) -> List[RequestType]:
        """Take a request type away; answers those that the desk has left.

        One that requests have needs `move_to` (409 `in-use` with `uses`).
        """
        return self._client.call('desk.request_type_delete', {'id': id, 'move_to': move_to})

    def request_type_save(self, *, id: int | None = UNSET, project: str, name: str, description: str | None = UNSET, icon: str | None = UNSET, group: str | None = UNSET, issue_type: str, fields: List[FormQuestion], approvers: List[str] | None = UNSET, template: int | None = UNSET, position: float | None = UNSET, hidden: bool | None = UNSET) -> List[RequestType]:
        """Make a request type, or change one: what is optional and not named stays. For admins who lead the project.

        Questions stand for fields that issues of the type have in the project, but not for those that name people, teams or
        other things, nor computed ones (422); `show_if` asks for what stands before it on the form. What the layout of
        such issues asks for is asked behind the form. Answers the desk's request types.
        """
        return self._client.call('desk.request_type_save', {'id': id, 'project': project, 'name': name, 'description': description, 'icon': icon, 'group': group, 'issue_type': issue_type, 'fields': fields, 'approvers': approvers, 'template': template, 'position': position, 'hidden': hidden})

    def request_types(self, *, project: str) -> List[RequestType]:
        """List what may be asked for at a desk, in order, with the forms; hidden ones too."""
        return self._client.call('desk.request_types', {'project': project})

    def requester_set(self, *, key: str, requester: str | None = UNSET, add: List[str] | None = UNSET, remove: List[str] | None = UNSET) -> RequestPeople:
        """Say whose request an issue is and who takes part in it. For members of the project, which must be a desk.

        They read title, description and status, and what is said from then on; of what was said before it was a request
        they read nothing. Somebody by an address that no customer has becomes one, and who is a customer of other desks is
        one of this desk then, too: its people see them. An issue that is no request needs a `requester` (409).
        """
        return self._client.call('desk.requester_set', {'key': key, 'requester': requester, 'add': add, 'remove': remove})

    def satisfaction(self, *, project: str, from_: str | None = UNSET, to: str | None = UNSET, by: Literal['agent', 'type', 'week'] | None = UNSET) -> Satisfaction:
        """Say how customers rated what was done for them, by whoever had the request then, by request type or by week (its
        Monday), of the requests that you see. For members of the desk.

        A rating counts on the day of its last change; `low` are those of one and two. Where nobody had the request, or it
        is of no type, `group` is empty.
        """
        return self._client.call('desk.satisfaction', {'project': project, 'from': from_, 'to': to, 'by': by})

    def save(self, *, project: str, name: str | None = UNSET, intro: str | None = UNSET, enabled: bool | None = UNSET, open_signup: bool | None = UNSET, kb_space: str | None = UNSET, show_agents: bool | None = UNSET, survey: bool | None = UNSET, reopen_days: int | None = UNSET, languages: List[str] | None = UNSET, logo: str | None = UNSET, reply_to: str | None = UNSET) -> Desk:
        """Make a project a service desk, or change its settings; what is not named stays. For admins who lead it.

        While it is not `enabled` its requests are not shown on the portal, and what is said on them is mailed to nobody. An
        archived project is 409.
        """
        return self._client.call('desk.save', {'project': project, 'name': name, 'intro': intro, 'enabled': enabled, 'open_signup': open_signup, 'kb_space': kb_space, 'show_agents': show_agents, 'survey': survey, 'reopen_days': reopen_days, 'languages': languages, 'logo': logo, 'reply_to': reply_to})

    def send_reply(self, *, key: str, body: str, to: List[str] | None = UNSET, cc: List[str] | None = UNSET, attachments: List[str] | None = UNSET, status: str | None = UNSET, send_at: int | None = UNSET) -> SentReply:
        """Answer a request: whoever sees it on the portal reads it, and is mailed. Naming others and moving it needs the
        rights of that, and all of it happens or nothing. An issue that is no request is 409. Files are shown on the portal;
        one on an internal note is 422.

        With `send_at` it goes then, in your name and with what you may then: desk.waiting_replies lists what waits, and
        says of an answer that did not go why. Twenty wait on a request at most (409).
        """
        return self._client.call('desk.send_reply', {'key': key, 'body': body, 'to': to, 'cc': cc, 'attachments': attachments, 'status': status, 'send_at': send_at})

    def spam(self, *, key: str, block: bool | None = UNSET) -> Ok:
        """Put a request into the trash that is none, and tell its sender nothing. For members of the project; an issue that
        is no request of a desk is 409, as is one of an archived project.

        With `block` whoever sent it is shut out, at all desks. That is for members of all desks that they have to do with;
        for others an admin does it by desk.customer_block (403).
        """
        return self._client.call('desk.spam', {'key': key, 'block': block})

    def stats(self, *, project: str, from_: str, to: str) -> DeskStats:
        """Say how much came in at a desk in some days and was done, of the requests that you see. For members of it.

        `solved` and `reopened` count requests by what happened to them in these days, `backlog` those that were open at
        their end. The medians are in seconds: `first_reply` of those that came in and were answered, `resolution` of those
        that were solved, from when they came. A request that lies in the trash counts for nothing.
        """
        return self._client.call('desk.stats', {'project': project, 'from': from_, 'to': to})

    def suggest_articles(self, *, key: str) -> List[ScoredArticle]:
        """Suggest help articles of the desk that fit a request, the best first, five at most. For members of the project.

        `score` is how many of the words of title and text stand in it: one in a title counts for two more. A key without
        the scope pages:read is suggested none. An issue that is no request of a desk is 409.
        """
        return self._client.call('desk.suggest_articles', {'key': key})

    def waiting_replies(self, *, project: str, key: str | None = UNSET) -> List[WaitingReply]:
        """List the answers of a desk that are to go at a time, soonest first, and those that did not go, on requests that
        you see: the first thousand. For members of it.
        """
        return self._client.call('desk.waiting_replies', {'project': project, 'key': key})


class DraftsModule(Module):
    """Drafts: unsent texts, which follow a person from device to device and which others may finish where they are shared.

    What the owner of a draft does not see any more is as if it were not there, and so is the draft on it, until they see it
    again.
    """

    def delete(self, *, subject: str, seq: int | None = UNSET) -> Ok:
        """Throw away your draft on a thing, as when it was sent; there is no way back.

        One that another shares goes by its `seq`, from members who may comment there (403). Where `seq` is given and the
        draft was saved meanwhile it stays (409 `stale`, with `current`).
        """
        return self._client.call('drafts.delete', {'subject': subject, 'seq': seq})

    def list(self, *, subject: str | None = UNSET) -> List[Draft]:
        """List your drafts, the latest first; with `subject` yours on it, and behind it those that others share.

        A draft on what you do not see any more is left out, and comes back when you see that again. Guests are shown their
        own alone. Keys and agents see their owner's, as far as they see what these are on.
        """
        return self._client.call('drafts.list', {'subject': subject})

    def save(self, *, subject: str, body: str, data: Dict[str, Any] | None = UNSET, shared: bool | None = UNSET, seq: int | None = UNSET) -> Draft:
        """Save the draft that you have on a thing, or begin one: there is one for each thing that you see.

        With `seq` a draft that was saved, sent or deleted meanwhile is left as it is (409 `stale`, with `current`, which is
        null where it is gone); without it the last word stands. A draft that another shares is changed by its `seq` alone,
        which drafts.list tells, by members who may comment there (403), and stays its owner's, who alone shares it and
        takes it back (403). Sharing needs a thing that takes comments (422). You have 200 drafts at most, with 8 MB in all
        (409); before that is said, those make room whose things you do not see any more.
        """
        return self._client.call('drafts.save', {'subject': subject, 'body': body, 'data': data, 'shared': shared, 'seq': seq})


class EventsModule(Module):
    """Events taken out by the day, as Parquet, for programs that read millions of them. For admins."""

    def export(self, *, from_: str | None = UNSET, to: str | None = UNSET, again: bool | None = UNSET) -> Exporting:
        """Lay the events of some days as Parquet, a file for each day, where `[export]` of the settings says: a folder or
        a bucket.

        Answers the job that does it, one at a time (409). A day that lies there whole is left as it is, and a job that was
        cut off goes on where it was: calling it again costs little. The server does so by itself, too, once a day. Files
        have the events that `analytics.query` reads; `time` is a timestamp in UTC, `payload` a text in JSON.
        """
        return self._client.call('events.export', {'from': from_, 'to': to, 'again': again})


class FieldsModule(Module):
    """Own fields of issues, worklogs, companies and requests: their kinds, options, layouts and values."""

    def delete(self, *, key: str) -> List[Field]:
        """Put a field with its values and options into the trash. Answers the fields that are left.

        It is gone from issues and layouts at once, and comes back to them with its values by trash.restore or undo. Its key
        stays taken for ever.
        """
        return self._client.call('fields.delete', {'key': key})

    def get(self, *, key: str) -> Field:
        """Look at a field by its key, or by a name that one field alone has."""
        return self._client.call('fields.get', {'key': key})

    def layout(self, *, project: str, type: str | None = UNSET) -> List[FieldLayout]:
        """Look at which fields the issues of a project have, type by type.

        Where nobody laid them out these are all that are for the project and the type, none of them required.
        """
        return self._client.call('fields.layout', {'project': project, 'type': type})

    def layout_save(self, *, project: str, type: str, create: List[str], edit: List[str], required: List[str], rules: List[LayoutRule] | None = UNSET) -> FieldLayout:
        """Lay fields out on a type of a project. For its leads and admins.

        A field that stands in neither list takes no value on such issues; what they hold already is hidden, and comes back
        when the field does. A field must be for the project and the type (422). What is computed can stand in `edit` alone.
        Fields that are made later do not come in by themselves. A condition in `tql` is 422.
        """
        return self._client.call('fields.layout_save', {'project': project, 'type': type, 'create': create, 'edit': edit, 'required': required, 'rules': rules})

    def list(self, *, project: str | None = UNSET, on: Literal['issue', 'worklog', 'company', 'request'] | None = UNSET) -> List[Field]:
        """List the fields that you see, in the order in which they were made.

        Members see the fields of all projects and of those that they see, guests such as are laid out in their projects.
        `used` counts the issues with a value that you see.
        """
        return self._client.call('fields.list', {'project': project, 'on': on})

    def option_merge(self, *, key: str, from_: List[str | int], into: str | int) -> Field:
        """Fold options into one: what has them has that one, once, and they are gone.

        The default and the rules of layouts go along. In a cascade the options stand under the same one (422), and those
        that go have none under them (409). The first 500 values are changed in this call and more by a job, which tells of
        each 500 it changed; meanwhile they are shown as the option that stays.
        """
        return self._client.call('fields.option_merge', {'key': key, 'from': from_, 'into': into})

    def options_set(self, *, key: str, options: List[OptionInput]) -> Field:
        """Say which options a field has, as the whole list in order: 1,000 at most.

        For admins, and for those who lead all the projects that the field is limited to. An option is known by its id, else
        by its name; names are unique without case among those that stand under the same one (422). A colour or an archiving
        that is not named stays. Leaving out an option that an issue, the default or a layout's rule has is 409 with `uses`,
        and so is moving one under another; fields.option_merge folds it into another, archiving keeps it.
        """
        return self._client.call('fields.options_set', {'key': key, 'options': options})

    def save(self, *, key: str, name: str, kind: Literal['text', 'paragraph', 'number', 'money', 'bool', 'date', 'datetime', 'duration', 'select', 'multi_select', 'cascade', 'member', 'members', 'team', 'issue', 'page', 'asset', 'url', 'rating', 'formula', 'rollup'], on: Literal['issue', 'worklog', 'company', 'request'] | None = UNSET, description: str | None = UNSET, projects: List[str] | None = UNSET, types: List[str] | None = UNSET, default: Any = UNSET, formula: str | None = UNSET, personal: bool | None = UNSET, min: float | None = UNSET, max: float | None = UNSET, pattern: str | None = UNSET) -> Field:
        """Make a field, or change one: fields that are not named stay; null clears default, min, max and pattern.

        A key is no field or keyword of the query language (422), nor that of a field that is or was (409). A name is unique
        without case among the fields that can stand on one issue (409). There are 200 fields at most (409). `default`,
        `min`, `max`, `pattern` and `formula` must go with the kind (422); they are asked of what is given from now on. A
        formula may name other computed fields, none that leads back to it (422).

        Where issues have values, the kind changes to a wider one alone, which turns them: text to paragraph, number to
        money (in the currency of the default, else `XXX`), date to datetime (at the day's start in the org's zone), select
        to multi_select, member to members, any kind to text. Another kind is 409 with the count. Limits that the new kind
        does not take go; the options of a select go with the change to text. fields.options_set says what may be chosen.
        """
        return self._client.call('fields.save', {'key': key, 'name': name, 'kind': kind, 'on': on, 'description': description, 'projects': projects, 'types': types, 'default': default, 'formula': formula, 'personal': personal, 'min': min, 'max': max, 'pattern': pattern})


class FlagsModule(Module):
    """Feature flags: projects with environments, flags with targeting, segments, change requests, schedules, SDK keys."""

    def archive(self, *, dry_run: bool | None = UNSET, project: str, key: str) -> Flag:
        """Archive a flag: clients answer their own default for it from then on. flags.restore brings it back.

        While others wait for it (409 with `uses`) it stays, and agents leave one that is on in a critical environment to
        people (409 `approval-needed`). One that is archived already stays so.
        """
        return self._client.call('flags.archive', {'dry_run': dry_run, 'project': project, 'key': key})

    def change_apply(self, *, dry_run: bool | None = UNSET, project: str, id: int) -> FlagChange:
        """Apply an approved change now, whose time has not come. Agents leave it to its time (403).

        One that lacks approvals, was decided, or does not fit any more is 409.
        """
        return self._client.call('flags.change_apply', {'dry_run': dry_run, 'project': project, 'id': id})

    def change_cancel(self, *, dry_run: bool | None = UNSET, project: str, id: int) -> FlagChange:
        """Take a change request back: whoever asked for it may, and admins. One that was decided is 409."""
        return self._client.call('flags.change_cancel', {'dry_run': dry_run, 'project': project, 'id': id})

    def change_create(self, *, dry_run: bool | None = UNSET, project: str, kind: Literal['flag', 'segment'], target: str, environment: str, instructions: List[Dict[str, Any]], comment: str | None = UNSET, run_at: int | str | None = UNSET) -> FlagChange:
        """Ask for a change of a flag's targeting, or of a segment. It is applied once enough people approve it.

        `deleteSegment`, alone, asks for a segment to be deleted.

        What does not fit now is refused now (422, 409). Instructions that change nothing are 422.
        """
        return self._client.call('flags.change_create', {'dry_run': dry_run, 'project': project, 'kind': kind, 'target': target, 'environment': environment, 'instructions': instructions, 'comment': comment, 'run_at': run_at})

    def change_get(self, *, project: str, id: int) -> FlagChange:
        """Look at a change request. While it is open `preview` says what it would change now, or why it does not fit."""
        return self._client.call('flags.change_get', {'project': project, 'id': id})

    def change_review(self, *, dry_run: bool | None = UNSET, project: str, id: int, decision: Literal['approve', 'decline', 'comment'], comment: str | None = UNSET) -> FlagChange:
        """Approve or decline a change request, or say something to it. Signed-in people alone may, never a key.

        Once it has as many approvals as the environment asks for it is applied, at its time where it has one; one that
        does not fit any more has failed. One decline is enough. Your own you may approve only where the environment allows
        it (403). One that was decided is 409.
        """
        return self._client.call('flags.change_review', {'dry_run': dry_run, 'project': project, 'id': id, 'decision': decision, 'comment': comment})

    def changes(self, *, limit: int | None = UNSET, cursor: str | None = UNSET, project: str, status: Literal['pending', 'approved', 'declined', 'applied', 'cancelled', 'failed'] | None = UNSET, environment: str | None = UNSET) -> List[FlagChange]:
        """List the change requests of a flag project, newest first, the last thousand; with `limit` a part, and behind the
        last thousand, too.
        """
        return self._client.call('flags.changes', {'limit': limit, 'cursor': cursor, 'project': project, 'status': status, 'environment': environment})

    def check_delete(self, *, dry_run: bool | None = UNSET, project: str, id: int) -> List[FlagCheck]:
        """Delete a saved check; answers those that are left in the flag project. An agent leaves one that is enforced to
        people where its own changes wait for approval (409 `approval-needed`).
        """
        return self._client.call('flags.check_delete', {'dry_run': dry_run, 'project': project, 'id': id})

    def check_save(self, *, dry_run: bool | None = UNSET, project: str, environment: str, name: str, context: Dict[str, Any], expected: Dict[str, Any], enforce: bool | None = UNSET, id: int | None = UNSET) -> FlagCheck:
        """Save what a context is to get in an environment, or change that.

        While it is enforced, every change that would break it there is 409, whichever way it comes; `flags.update` takes
        `bypass`. What is broken already stays as it is. An agent leaves checks that are enforced to people where its own
        changes wait for approval (409 `approval-needed`). A flag that is not there is 404, one that is archived 409, and
        what it never serves 422. An environment has at most 100 (422), and of each name one (409).
        """
        return self._client.call('flags.check_save', {'dry_run': dry_run, 'project': project, 'environment': environment, 'name': name, 'context': context, 'expected': expected, 'enforce': enforce, 'id': id})

    def checks(self, *, project: str, environment: str | None = UNSET) -> List[FlagCheck]:
        """List saved checks with the flags that break them now, by environment and name."""
        return self._client.call('flags.checks', {'project': project, 'environment': environment})

    def clean_up(self, *, dry_run: bool | None = UNSET, project: str, key: str, to: str | None = UNSET) -> CleanUp:
        """Open the issue that removes a stale flag: why it may go, what each environment serves, and what to do.

        The issue goes to the project of work that the flag project is tied to, or that `to` names (422 where there is
        neither), is assigned to those maintainers who are active and see that project, and is linked to the flag. Where
        none of them does, the project says who gets new issues. You need issues:write, and may make issues there.

        A flag that flags.stale does not tell is 409 with what keeps it; so is an archived one. While a clean-up issue of
        the flag is linked and open, in whichever project, the answer is that one and nothing is made; one that you do not
        see is 409. An issue counts as such by its `source`, which is `flag:<project>/<key>`. A flag has at most 100 issues
        (422).
        """
        return self._client.call('flags.clean_up', {'dry_run': dry_run, 'project': project, 'key': key, 'to': to})

    def compare(self, *, project: str, from_: str, to: str) -> Compared:
        """Say which flags and segments differ between two environments; archived flags are left out."""
        return self._client.call('flags.compare', {'project': project, 'from': from_, 'to': to})

    def copy(self, *, dry_run: bool | None = UNSET, project: str, to: str, from_: str, flags: List[str] | None = UNSET, include_segments: bool | None = UNSET) -> Copied:
        """Make the targeting of flags in one environment what it is in another, through the approvals of the one that
        changes. Salts stay what they are there.

        A segment that a flag asks for and that is not there is 422, unless segments are copied too.
        """
        return self._client.call('flags.copy', {'dry_run': dry_run, 'project': project, 'to': to, 'from': from_, 'flags': flags, 'include_segments': include_segments})

    def create(self, *, dry_run: bool | None = UNSET, project: str, key: str, name: str | None = UNSET, kind: Literal['bool', 'string', 'number', 'json'] | None = UNSET, template: str | None = UNSET, variations: List[Dict[str, Any]] | None = UNSET, tags: List[str] | None = UNSET, client_side: bool | None = UNSET, temporary: bool | None = UNSET, maintainers: List[str] | None = UNSET, description: str | None = UNSET, schema: Dict[str, Any] | None = UNSET, defaults: Dict[str, Any] | None = UNSET) -> Flag:
        """Make a flag, which is off in every environment. Without kind and variations it is true or false.

        A key that was given out, be it to a flag that is archived now, is 409. A flag project has at most 10,000 (422).
        """
        return self._client.call('flags.create', {'dry_run': dry_run, 'project': project, 'key': key, 'name': name, 'kind': kind, 'template': template, 'variations': variations, 'tags': tags, 'client_side': client_side, 'temporary': temporary, 'maintainers': maintainers, 'description': description, 'schema': schema, 'defaults': defaults})

    def environment_delete(self, *, dry_run: bool | None = UNSET, project: str, key: str, confirm_key: str | None = UNSET) -> List[Environment]:
        """Delete an environment for good: targeting, segments, history, changes, schedules, counts and SDK keys of it.

        A critical one asks for its key in `confirm_key` (422). Answers the environments that are left.
        """
        return self._client.call('flags.environment_delete', {'dry_run': dry_run, 'project': project, 'key': key, 'confirm_key': confirm_key})

    def environment_save(self, *, dry_run: bool | None = UNSET, project: str, key: str, name: str | None = UNSET, critical: bool | None = UNSET, require_approval: bool | None = UNSET, min_approvals: int | None = UNSET, allow_self_approval: bool | None = UNSET) -> Environment:
        """Make an environment, or change one: fields that are not named stay.

        In a new one every flag is off, with its default variations. A flag project has at most 50 (422). Where the rules
        of approval are loosened, changes that waited and have enough approvals now are applied.
        """
        return self._client.call('flags.environment_save', {'dry_run': dry_run, 'project': project, 'key': key, 'name': name, 'critical': critical, 'require_approval': require_approval, 'min_approvals': min_approvals, 'allow_self_approval': allow_self_approval})

    def environments(self, *, project: str) -> List[Environment]:
        """List the environments of a flag project, in the order in which they were made."""
        return self._client.call('flags.environments', {'project': project})

    def evaluate(self, *, project: str, environment: str, context: Dict[str, Any], key: str | None = UNSET, instructions: List[Dict[str, Any]] | None = UNSET) -> List[Evaluated]:
        """Say what a context gets in an environment, with every step that led to it; of one flag, or of all by key.

        It is not counted, and nothing of the context is kept. With `instructions` it is what the context would get: they
        are about the flag `key`, and what does not fit is 422, as in `flags.update`. An archived flag is answered as
        clients answer it: `ERROR`, `FLAG_NOT_FOUND`. A context that is none, or that has more than 64 KiB of JSON, 16
        levels or 20 kinds, is 422.
        """
        return self._client.call('flags.evaluate', {'project': project, 'environment': environment, 'context': context, 'key': key, 'instructions': instructions})

    def expire(self, *, dry_run: bool | None = UNSET, project: str, key: str, environment: str, targets: List[Dict[str, Any]], at: int | str | None) -> Expiry:
        """Let contexts have a variation of a flag until a time; with null let them keep it.

        Those who are no target yet become one, and a key moves here from another variation. When the time comes the server
        takes them out: where the environment asks for approval, this is what is approved, once. Where a check that is
        enforced would break then, they stay, which is told. With null those who are no target are 422.
        """
        return self._client.call('flags.expire', {'dry_run': dry_run, 'project': project, 'key': key, 'environment': environment, 'targets': targets, 'at': at})

    def export(self, *, dry_run: bool | None = UNSET) -> FlagsExported:
        """Everything that is configured, as one document: settings, own templates, and the flag projects that you see with
        environments, segments, saved checks and flags, archived ones too. No SDK key is in it. For admins.
        """
        return self._client.call('flags.export', {'dry_run': dry_run})

    def get(self, *, project: str, key: str) -> Flag:
        """Look at a flag: targeting in every environment, the flags that wait for it, open changes, schedules, issues."""
        return self._client.call('flags.get', {'project': project, 'key': key})

    def history(self, *, project: str, key: str, environment: str | None = UNSET) -> List[FlagRevision]:
        """List the versions of a flag in an environment, or of the flag itself, newest first: the last thousand, or as many
        as four megabytes hold.

        The oldest is how it was made: what it was then differs from nothing.
        """
        return self._client.call('flags.history', {'project': project, 'key': key, 'environment': environment})

    def impact(self, *, project: str, key: str, environment: str, instructions: List[Dict[str, Any]] | None = UNSET) -> Impact:
        """Say what a change of targeting reaches, and how risky it is, with the reason; without instructions, any change.

        `high`: the environment is critical, and more than a tenth of the evaluations of the last 24 hours would or may be
        answered otherwise, or other flags wait for this one. `medium`: more than a hundredth, or others wait. `none`: the
        instructions change nothing. Else `low`. Instructions that do not fit are 422.
        """
        return self._client.call('flags.impact', {'project': project, 'key': key, 'environment': environment, 'instructions': instructions})

    def insights(self, *, project: str, key: str, environment: str | None = UNSET, hours: int = UNSET) -> Insights:
        """Count evaluations of a flag by hour and variation, oldest first, this hour among them. Counts come with a delay:
        clients send them every five minutes by default.
        """
        return self._client.call('flags.insights', {'project': project, 'key': key, 'environment': environment, 'hours': hours})

    def key_create(self, *, dry_run: bool | None = UNSET, project: str, environment: str, kind: Literal['server', 'client'], expire_others_in_hours: int | None = UNSET) -> NewSdkKey:
        """Make an SDK key. A server key stands in this answer and never again; of a client-side ID nothing is secret."""
        return self._client.call('flags.key_create', {'dry_run': dry_run, 'project': project, 'environment': environment, 'kind': kind, 'expire_others_in_hours': expire_others_in_hours})

    def key_revoke(self, *, dry_run: bool | None = UNSET, project: str, environment: str, id: int, in_hours: int | None = UNSET) -> List[SdkKey]:
        """Revoke an SDK key, now or later. Whoever holds it keeps what they have, and gets no more. Answers the others."""
        return self._client.call('flags.key_revoke', {'dry_run': dry_run, 'project': project, 'environment': environment, 'id': id, 'in_hours': in_hours})

    def keys(self, *, dry_run: bool | None = UNSET, project: str, environment: str) -> List[SdkKey]:
        """List the SDK keys that open an environment, oldest first: a client-side ID whole, a server key by its end."""
        return self._client.call('flags.keys', {'dry_run': dry_run, 'project': project, 'environment': environment})

    def kill_switches(self, *, project: str, environment: str | None = UNSET) -> List[KillSwitch]:
        """List the flags with the tag `kill-switch`, on or off in each environment, or in one."""
        return self._client.call('flags.kill_switches', {'project': project, 'environment': environment})

    def link(self, *, dry_run: bool | None = UNSET, project: str, key: str, issue: str, on: bool) -> List[str]:
        """Say that a flag belongs to an issue, or no more. Answers the keys of the issues that you see on it.

        A flag has at most 100 (422). Asking for what is so already changes nothing.
        """
        return self._client.call('flags.link', {'dry_run': dry_run, 'project': project, 'key': key, 'issue': issue, 'on': on})

    def list(self, *, limit: int | None = UNSET, cursor: str | None = UNSET, project: str, tag: str | None = UNSET, q: str | None = UNSET, archived: bool | None = UNSET, full: bool | None = UNSET) -> List[Flag]:
        """List the flags of a project by key, each with its state in every environment; a part of them with `limit`."""
        return self._client.call('flags.list', {'limit': limit, 'cursor': cursor, 'project': project, 'tag': tag, 'q': q, 'archived': archived, 'full': full})

    def plan_save(self, *, dry_run: bool | None = UNSET, project: str, key: str, environment: str, rule: str | None = UNSET, variation: int, steps: List[PlanStep], checks: List[PlanCheck] | None = UNSET, start_at: int | str | None = UNSET, comment: str | None = UNSET) -> FlagPlan:
        """Roll a variation out step by step, in your name: with what you may do at each of them.

        The others keep what they had before, in its proportions. Checks are looked at every minute, hooks at the end of
        each step. Where one does not hold, the rollout stops, and with `back` serves what was served before. While the flag
        is off, or a hook is not reached, it is held; where somebody else changes what it serves there, it stops. Where a
        change needs approval this makes a change request, and approves all steps at once. What does not fit now is refused
        now (409, 422), and so is a second plan for the same place (409).
        """
        return self._client.call('flags.plan_save', {'dry_run': dry_run, 'project': project, 'key': key, 'environment': environment, 'rule': rule, 'variation': variation, 'steps': steps, 'checks': checks, 'start_at': start_at, 'comment': comment})

    def plan_stop(self, *, dry_run: bool | None = UNSET, project: str, id: int, back: bool | None = UNSET) -> FlagPlan:
        """Stop a rollout, and with `back` serve what was served before it.

        A change request that it waits for is cancelled. Where going back needs approval, and the plan had none, it becomes
        a change request, and the plan stops at once. One that ended is 409, and so is going back where somebody else
        changed meanwhile what is served there.
        """
        return self._client.call('flags.plan_stop', {'dry_run': dry_run, 'project': project, 'id': id, 'back': back})

    def plans(self, *, project: str, key: str | None = UNSET, state: Literal['waiting', 'running', 'held', 'stopped', 'done'] | None = UNSET) -> List[FlagPlan]:
        """List rollouts by a plan, newest first, the last thousand."""
        return self._client.call('flags.plans', {'project': project, 'key': key, 'state': state})

    def project_archive(self, *, dry_run: bool | None = UNSET, project: str) -> Ok:
        """Archive a flag project: it is listed no more, nothing in it changes, and its SDK keys are revoked.

        What was waiting there for its time waits until it is brought back by flags.project_save.
        """
        return self._client.call('flags.project_archive', {'dry_run': dry_run, 'project': project})

    def project_save(self, *, dry_run: bool | None = UNSET, project: str, name: str | None = UNSET, work_project: str | None = UNSET) -> Ok:
        """Make a flag project, or change one: fields that are not named stay. One that was archived comes back.

        A new one has no environments. One that is tied to a project of work is seen by whoever sees that, and changed by
        its members and leads; any other by all members. The key of one that you do not see is 409.
        """
        return self._client.call('flags.project_save', {'dry_run': dry_run, 'project': project, 'name': name, 'work_project': work_project})

    def projects(self) -> List[FlagProject]:
        """List the flag projects that you see, but archived ones, with their environments and how many flags live there."""
        return self._client.call('flags.projects', {})

    def refs(self, *, project: str, key: str | None = UNSET) -> List[FlagReference]:
        """List where code names flags, by key, repository, branch, path and line: the first 10,000 places."""
        return self._client.call('flags.refs', {'project': project, 'key': key})

    def refs_push(self, *, dry_run: bool | None = UNSET, project: str, repository: str, branch: str, commit: str, refs: List[FoundRef]) -> RefsPushed:
        """Say where the code of a branch names flags: this takes the place of what was said of that branch.

        Aliases count for their flag. `kbwork flags refs scan` finds them. A flag project has at most 200 branches (422).
        """
        return self._client.call('flags.refs_push', {'dry_run': dry_run, 'project': project, 'repository': repository, 'branch': branch, 'commit': commit, 'refs': refs})

    def rename(self, *, dry_run: bool | None = UNSET, project: str, key: str, new_key: str) -> Flag:
        """Give a flag another key. The one it had is an alias: programs that ask by it get the same answers, which
        `flags.insights` counts apart too, until the instruction `removeAlias` of `flags.update` drops it.

        Nobody gets another variation by this: contexts are hashed by the first key for good. Flags that wait for this one,
        changes that wait, and saved checks go along. A key that a flag of the project has, or had, is 409, and so is an
        archived flag. A flag has at most 20 aliases (422).
        """
        return self._client.call('flags.rename', {'dry_run': dry_run, 'project': project, 'key': key, 'new_key': new_key})

    def restore(self, *, dry_run: bool | None = UNSET, project: str, key: str, revision: int | None = UNSET) -> Flag:
        """Make a flag what it was, as a new version; or bring it back from the archive. What it was in between stays in
        the history.

        Where the environment of the version asks for approval this makes a change request, which the answer's `changes`
        shows. What that version named and is gone since, such as a segment, is 422.
        """
        return self._client.call('flags.restore', {'dry_run': dry_run, 'project': project, 'key': key, 'revision': revision})

    def schedule_create(self, *, dry_run: bool | None = UNSET, project: str, key: str, environment: str, instructions: List[Dict[str, Any]], run_at: int | str) -> Scheduled:
        """Change the targeting of a flag at a time, in your name: with what you may do then.

        Where a change needs approval this makes a change request for that time. What does not fit now is refused now (422,
        409), and what does not fit then is left undone and told. At most 100 wait for one flag (422).
        """
        return self._client.call('flags.schedule_create', {'dry_run': dry_run, 'project': project, 'key': key, 'environment': environment, 'instructions': instructions, 'run_at': run_at})

    def schedule_delete(self, *, dry_run: bool | None = UNSET, project: str, key: str, id: int) -> Ok:
        """Take a change back that waits for its time."""
        return self._client.call('flags.schedule_delete', {'dry_run': dry_run, 'project': project, 'key': key, 'id': id})

    def schedules(self, *, project: str, key: str | None = UNSET) -> List[FlagSchedule]:
        """List what is to change at a time, soonest first."""
        return self._client.call('flags.schedules', {'project': project, 'key': key})

    def segment_delete(self, *, dry_run: bool | None = UNSET, project: str, environment: str, key: str) -> SegmentDelete:
        """Delete a segment. While flags, archived ones too, or other segments ask for it that is 409 with `uses`; so it is
        while changes or schedules that wait are about it, or name it.

        Where the environment asks for approval, or an agent deletes one in a critical environment, the answer is a change
        request.
        """
        return self._client.call('flags.segment_delete', {'dry_run': dry_run, 'project': project, 'environment': environment, 'key': key})

    def segment_get(self, *, project: str, environment: str, key: str) -> Segment:
        """Look at a segment: who is in it, who is not, by which rules, and what asks for it."""
        return self._client.call('flags.segment_get', {'project': project, 'environment': environment, 'key': key})

    def segment_save(self, *, dry_run: bool | None = UNSET, project: str, environment: str, key: str, name: str | None = UNSET, included: List[str] | None = UNSET, excluded: List[str] | None = UNSET, included_contexts: List[Dict[str, Any]] | None = UNSET, excluded_contexts: List[Dict[str, Any]] | None = UNSET, rules: List[Dict[str, Any]] | None = UNSET) -> Segment:
        """Make a segment; nothing asks for it yet. One of this key is 409: flags.segment_update changes it.

        Where the environment asks for approval, or an agent makes one in a critical environment, it is made empty and what
        is to be in it becomes a change request. A rule that names a segment which is not there is 422. An environment has
        at most 1,000 (422).
        """
        return self._client.call('flags.segment_save', {'dry_run': dry_run, 'project': project, 'environment': environment, 'key': key, 'name': name, 'included': included, 'excluded': excluded, 'included_contexts': included_contexts, 'excluded_contexts': excluded_contexts, 'rules': rules})

    def segment_update(self, *, dry_run: bool | None = UNSET, project: str, environment: str, key: str, instructions: List[Dict[str, Any]], comment: str | None = UNSET) -> SegmentUpdate:
        """Change a segment by ordered instructions, all or nothing.

        Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. An
        instruction that does not fit is 422 with its place; segments that would rest on each other in a circle are 409.
        """
        return self._client.call('flags.segment_update', {'dry_run': dry_run, 'project': project, 'environment': environment, 'key': key, 'instructions': instructions, 'comment': comment})

    def segments(self, *, limit: int | None = UNSET, cursor: str | None = UNSET, project: str, environment: str) -> List[Segment]:
        """List the segments of an environment by key; a part of them with `limit`."""
        return self._client.call('flags.segments', {'limit': limit, 'cursor': cursor, 'project': project, 'environment': environment})

    def settings(self) -> FlagSettings:
        """Look at what the org decided: whether an agent's change to a critical environment waits for approval."""
        return self._client.call('flags.settings', {})

    def settings_set(self, *, dry_run: bool | None = UNSET, agent_writes: Literal['changeRequest', 'direct']) -> FlagSettings:
        """Decide whether an agent's change to a critical environment waits for approval. For admins."""
        return self._client.call('flags.settings_set', {'dry_run': dry_run, 'agent_writes': agent_writes})

    def stale(self, *, project: str) -> List[StaleFlag]:
        """List temporary flags that look ready to be removed, with the reason.

        Such a flag is older than 14 days, waits for no change, and in every environment serves one variation to everybody
        for 14 days, or was not evaluated for 30 days though it was before, or never was.
        """
        return self._client.call('flags.stale', {'project': project})

    def template_delete(self, *, dry_run: bool | None = UNSET, key: str) -> List[FlagTemplate]:
        """Delete a template of your own; flags that were made from it stay. Answers the templates that are left."""
        return self._client.call('flags.template_delete', {'dry_run': dry_run, 'key': key})

    def template_save(self, *, dry_run: bool | None = UNSET, key: str, name: str, kind: Literal['bool', 'string', 'number', 'json'], variations: List[Dict[str, Any]], settings: Dict[str, Any] | None = UNSET) -> List[FlagTemplate]:
        """Make a template of your own, or replace one. Those that come with kbwork stay as they are (409).

        Flags that were made from one do not change with it. Answers all templates.
        """
        return self._client.call('flags.template_save', {'dry_run': dry_run, 'key': key, 'name': name, 'kind': kind, 'variations': variations, 'settings': settings})

    def templates(self) -> List[FlagTemplate]:
        """List what new flags may begin as: the templates that come with kbwork, then the org's own by key."""
        return self._client.call('flags.templates', {})

    def traffic(self, *, project: str, environment: str, hours: int = UNSET) -> List[FlagTraffic]:
        """Count evaluations of every flag of an environment by hour, this hour among them, and say when each was last asked
        for; archived flags are left out. Counts come with a delay: clients send them every five minutes by default.

        `flags.insights` tells one flag by variation.
        """
        return self._client.call('flags.traffic', {'project': project, 'environment': environment, 'hours': hours})

    def trigger_delete(self, *, dry_run: bool | None = UNSET, project: str, id: int) -> List[FlagTrigger]:
        """Delete a trigger: its address opens nothing any more. Answers those that are left in the flag project."""
        return self._client.call('flags.trigger_delete', {'dry_run': dry_run, 'project': project, 'id': id})

    def trigger_save(self, *, dry_run: bool | None = UNSET, project: str, key: str, environment: str, action: Literal['on', 'off', 'variation'], variation: int | None = UNSET, id: int | None = UNSET) -> FlagTrigger:
        """Make an address that does one thing with a flag when it is posted to, or change what one does.

        `url` is shown once: whoever knows it may do that, without a key. It acts in the name of whoever saved it last, with
        what they may do then: where their change would wait for approval, so does this; rules and proposals make none
        (403). A flag has at most 20 (422). What could not be done now is refused now (409, 422).
        """
        return self._client.call('flags.trigger_save', {'dry_run': dry_run, 'project': project, 'key': key, 'environment': environment, 'action': action, 'variation': variation, 'id': id})

    def triggers(self, *, project: str, key: str | None = UNSET) -> List[FlagTrigger]:
        """List the triggers of flags, without their addresses: those are shown once."""
        return self._client.call('flags.triggers', {'project': project, 'key': key})

    def update(self, *, dry_run: bool | None = UNSET, project: str, key: str, environment: str | None = UNSET, instructions: List[Dict[str, Any]], comment: str | None = UNSET, versions: Dict[str, int] | None = UNSET, bypass: bool | None = UNSET) -> FlagUpdate:
        """Change a flag by ordered instructions, all or nothing: its targeting in one environment, or the flag itself.

        Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. What a
        flag is everywhere changes at once; an agent that would change what a critical environment serves so is refused (409
        `approval-needed`). An instruction that does not fit is 422 with its place; an archived flag takes `restoreFlag`
        alone (409); prerequisites that would wait for each other in a circle are 409; so is what breaks a check that is
        enforced (`flags.checks`), and a version of `versions` that moved (`stale`, with the `current` flag).
        """
        return self._client.call('flags.update', {'dry_run': dry_run, 'project': project, 'key': key, 'environment': environment, 'instructions': instructions, 'comment': comment, 'versions': versions, 'bypass': bypass})


class ImportsModule(Module):
    """Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back."""

    def cancel(self, *, id: int) -> Import:
        """Stop an import: its job before its next step, and what came in so far stays until imports.undo takes it back. Of
        one that is being fetched nothing stays.

        One that ended is 409.
        """
        return self._client.call('imports.cancel', {'id': id})

    def get(self, *, id: int) -> Import:
        """Look at an import: what the source holds, what becomes of it, and how far it is."""
        return self._client.call('imports.get', {'id': id})

    def list(self) -> List[Import]:
        """List the imports, the latest first, a hundred at most."""
        return self._client.call('imports.list', {})

    def log(self, *, id: int, level: Literal['info', 'warning', 'error'] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedLogLine:
        """List what was left out or is not as it was at the source, in the order in which it was met.

        `source` is its id there. Of each import the first 10,000 lines are kept; `errors` of the import counts all.
        """
        return self._client.call('imports.log', {'id': id, 'level': level, 'cursor': cursor, 'limit': limit})

    def map_set(self, *, id: int, projects: Dict[str, str] | None = UNSET, names: Dict[str, str] | None = UNSET, types: Dict[str, str | None] | None = UNSET, statuses: Dict[str, str] | None = UNSET, fields: Dict[str, str] | None = UNSET, members: Dict[str, str] | None = UNSET, skip: List[str] | None = UNSET) -> Import:
        """Say what becomes of the source's words, beside what imports.probe proposed. What is not named stays as it is.

        What is no project key, type key, lane, own field or member is 422. `invite` invites the person by their address
        when the import runs; it needs one (422). For an import that was probed and is not at work (409); one whose file
        could not be read is opened anew.
        """
        return self._client.call('imports.map_set', {'id': id, 'projects': projects, 'names': names, 'types': types, 'statuses': statuses, 'fields': fields, 'members': members, 'skip': skip})

    def open(self, *, source: str, file: str | None = UNSET, repository: str | None = UNSET, project: str | None = UNSET, base_url: str | None = UNSET, token: str | None = UNSET, user: str | None = UNSET) -> Import:
        """Begin an import from a file that you sent, or of a repository at GitHub or GitLab. imports.probe reads it.

        A kbz file holds projects of a kbwork, which come back as they were: without `project` under their own key, or
        that with a number behind it. Other sources than those named are not built (422).

        With `repository` a job (`job` of the answer) fetches issues, pull or merge requests, labels and comments, page by
        page. It goes on after a restart, and waits where the limit of calls is used up. When it is done, imports.probe
        reads what came. Why one failed stands in the job and in imports.log. One is fetched at a time (409). `token`, which
        a private repository needs, and GitLab for comments, is kept sealed, and deleted when all is fetched, when that
        fails or is cancelled.
        """
        return self._client.call('imports.open', {'source': source, 'file': file, 'repository': repository, 'project': project, 'base_url': base_url, 'token': token, 'user': user})

    def probe(self, *, id: int, projects: List[str] | None = UNSET) -> Import:
        """Read the source: what is there, what is proposed to become of it, and what does not come along.

        The file is read in a process of its own. One that is cut, empty, or not what it should be is 422 with the place in
        it, and nothing of it remains. Probing anew keeps what imports.map_set said; columns of a table of which it said
        nothing (`guessed` of `found`) are taken anew for what they look like, and that is told.
        """
        return self._client.call('imports.probe', {'id': id, 'projects': projects})

    def run(self, *, id: int, dry_run: bool | None = UNSET, since: int | None = UNSET) -> Started:
        """Bring in what was probed; answers the job, whose result has the figures.

        Projects, types, labels and components that are missing are made. What came in before changes where it changed at
        the source and nobody edited it here since. What is refused is logged with its place and left out. Numbers, authors
        and times are the source's; nobody is notified, and no rule starts. An import at work is 409, as is one whose file
        was not read, or is gone: it is kept for a day. While another one is being taken back that is 409 too.
        """
        return self._client.call('imports.run', {'id': id, 'dry_run': dry_run, 'since': since})

    def undo(self, *, id: int) -> Started:
        """Take an import back, within 30 days: what it made and nobody changed since goes for good; answers the job.

        What somebody changed stays, with what hangs on it, and the job's result lists it under `kept`. Labels,
        components, types, own fields, lanes, workflows and the project that it made go where nothing is left in them.
        What it changed on things that were there before stays as it is. The same file can come in again. One at work,
        or that made nothing, is 409, and so it is while another one comes in.
        """
        return self._client.call('imports.undo', {'id': id})


class InvitesModule(Module):
    """Invites: how people come into the org."""

    def accept(self, *, token: str, name: str, password: str | None = UNSET) -> SignedIn:
        """Accept an invite: you become a member with the role, teams and projects that it names, and are signed in.

        A wrong, used, revoked or expired token is 404, and so is one whose maker may not give what it gives any more: ask
        for a new invite. A password that is shorter than the policy asks or soon guessed is 422, and so is none where
        no sign-in provider finds you by your address. Teams and projects that are gone since are left out.
        """
        return self._client.call('invites.accept', {'token': token, 'name': name, 'password': password})

    def create(self, *, emails: List[str], role: Literal['admin', 'member', 'guest'], teams: List[int] | None = UNSET, projects: List[str] | None = UNSET, message: str | None = UNSET) -> List[Invite]:
        """Invite people by their addresses; each gets an invite that is single use and lives 14 days.

        Admins invite to every role but owner, to admin where they confirmed in the last ten minutes that it is them, and
        into private projects where they lead them. Members invite guests where the
        org takes guests, into projects that they lead and nothing else (403). An address with a pending invite keeps its
        id and gets role, teams, projects and token anew; one of a member is 409, and so is, for members, one that somebody
        else invited. All are invited or none. Where this server sends mail each is mailed their invite, an address once in
        five minutes at most; `path` and `url` lead to it, to hand over where no mail goes out.

        An invite ends with the right to make it: it is revoked when whoever made it leaves, or loses the role or the lead
        that it rests on.
        """
        return self._client.call('invites.create', {'emails': emails, 'role': role, 'teams': teams, 'projects': projects, 'message': message})

    def info(self, *, token: str) -> InviteInfo:
        """Say what an invite is for, before it is accepted. A wrong, used, revoked or expired token is 404."""
        return self._client.call('invites.info', {'token': token})

    def list(self, *, state: Literal['pending', 'accepted', 'revoked', 'expired'] | None = UNSET) -> List[Invite]:
        """List invites, newest first: admins all, others those that they made."""
        return self._client.call('invites.list', {'state': state})

    def resend(self, *, id: int) -> Invite:
        """Send a pending or expired invite again, with a new token that lives 14 days; the old one ends. It is mailed as by
        invites.create.

        You must be allowed to make it (403); one whose maker may not any more is yours from then on. One that was accepted
        or revoked, or whose address belongs to a member by now, is 409.
        """
        return self._client.call('invites.resend', {'id': id})

    def revoke(self, *, id: int) -> List[Invite]:
        """Take back an invite that is pending: its link opens nothing any more. Answers the pending ones that are left.

        Admins revoke every invite, others their own. One that is accepted, revoked or expired is 409.
        """
        return self._client.call('invites.revoke', {'id': id})


class IssuesModule(Module):
    """Issues: the unit of work, with its assignees, labels and place in the hierarchy."""

    def archive(self, *, keys: List[str], on: bool) -> List[Issue]:
        """Put issues aside, or bring them back. An archived one takes no change and is left out of lists.

        All of them or none; one that is as it is to be already is no change. Children and parents stay as they are. In an
        archived project it is 409.
        """
        return self._client.call('issues.archive', {'keys': keys, 'on': on})

    def asset_link(self, *, key: str, asset: str, on: bool, role: str | None = UNSET) -> List[Asset]:
        """Say that an issue is about an asset, or is not; answers those that it is about.

        You change the issue and see the asset (422). What is so already is no change, but for a `role` that differs. A
        retired asset keeps its links and gets no new one, and an issue is about 200 at most (409).
        """
        return self._client.call('issues.asset_link', {'key': key, 'asset': asset, 'on': on, 'role': role})

    def assign(self, *, key: str, assignees: List[str], mode: Literal['set', 'add', 'remove'] | None = UNSET) -> Issue:
        """Say who has an issue: `set` (the default) the whole list, `add` to it or `remove` from it.

        Assignees are active members who see the issue and agents, 20 at most; they watch it from then on.
        """
        return self._client.call('issues.assign', {'key': key, 'assignees': assignees, 'mode': mode})

    def backlinks(self, *, key: str) -> List[Backlink]:
        """List what mentions an issue by its key or a former one: issues and comments, the newest first, then pages.

        200 at most are issues and comments, and as many pages.
        """
        return self._client.call('issues.backlinks', {'key': key})

    def bulk(self, *, keys: List[str] | None = UNSET, tql: str | None = UNSET, changes: BulkChanges, dry_run: bool | None = UNSET, notify: bool | None = UNSET) -> BulkDone:
        """Change many issues at once, named by `keys` or found by `tql`. More than 5,000 are 422.

        Each changes whole, or is skipped with the reason: right, workflow, approval, a field that does not fit, or no issue
        that you see. The others go on. Up to 200 are changed in this call; more by a job in steps of 200, whose result has
        the figures. `dry_run` says what would happen. One undo takes all of it back; the events carry `bulk`, and one
        `issue.updated` tells all that changed of an issue. In a batch the issues are named by `keys` (422).
        """
        return self._client.call('issues.bulk', {'keys': keys, 'tql': tql, 'changes': changes, 'dry_run': dry_run, 'notify': notify})

    def convert(self, *, key: str, type: str, parent: str | None = UNSET, values: Dict[str, Any] | None = UNSET) -> Issue:
        """Give an issue another type of its project, with the level and the workflow of that type.

        Parent and children must still fit: a parent stands on a higher level than its child (409; `parent` names another).
        A lane that the new workflow does not have becomes its first one of the same category, else its start. Values that
        the new type does not have go; what it asks for must be there (422).
        """
        return self._client.call('issues.convert', {'key': key, 'type': type, 'parent': parent, 'values': values})

    def copy(self, *, key: str, project: str | None = UNSET, title: str | None = UNSET, children: bool | None = UNSET, with_: List[Literal['checklists', 'attachments', 'relations', 'comments', 'values']] | None = UNSET) -> Issue:
        """Make an issue like another one, which `clones` it. It begins anew: reported by you, in the start lane.

        Title, text, type, priority, labels, components, assignees, estimate, days and parent are the same, as far as the
        project knows them; comments, files and relations come along where `with` names them, as far as you see them. With
        `children` all below that you see is copied likewise, 200 issues at most (422); where both ends of a relation are
        copied, the copies are related.
        """
        return self._client.call('issues.copy', {'key': key, 'project': project, 'title': title, 'children': children, 'with': with_})

    def create(self, *, project: str, title: str, type: str | None = UNSET, body: str | None = UNSET, body_doc: str | None = UNSET, status: str | None = UNSET, priority: Literal['urgent', 'high', 'medium', 'low', 'none'] | None = UNSET, assignees: List[str] | None = UNSET, labels: List[str] | None = UNSET, components: List[str] | None = UNSET, parent: str | None = UNSET, sprint: int | None = UNSET, milestone: int | None = UNSET, releases: List[str] | None = UNSET, affects: List[str] | None = UNSET, estimate: float | None = UNSET, start_date: str | None = UNSET, due_date: str | None = UNSET, values: Dict[str, Any] | None = UNSET, level: str | None = UNSET, template: int | None = UNSET, relations: List[RelationInput] | None = UNSET, uploads: List[str] | None = UNSET, source: str | None = UNSET, external: str | None = UNSET, imported: Imported | None = UNSET) -> Issue:
        """Make an issue: the next key of its project, in the start lane of its workflow, reported and watched by you.

        Assignees are active members who see it and agents, and watch it too. Where `assignees` is left out, its components
        and the project's `default_assignee` say who gets it: with `rotation` the people of the project take turns.
        Whatever is unknown is 422 naming the nearest; labels of one group exclude each other. Members and reporters of the
        project make issues. `uploads` are as with attachments.expect.
        """
        return self._client.call('issues.create', {'project': project, 'title': title, 'type': type, 'body': body, 'body_doc': body_doc, 'status': status, 'priority': priority, 'assignees': assignees, 'labels': labels, 'components': components, 'parent': parent, 'sprint': sprint, 'milestone': milestone, 'releases': releases, 'affects': affects, 'estimate': estimate, 'start_date': start_date, 'due_date': due_date, 'values': values, 'level': level, 'template': template, 'relations': relations, 'uploads': uploads, 'source': source, 'external': external, 'imported': imported})

    def create_tree(self, *, project: str, items: List[TreeItem]) -> List[Issue]:
        """Make several issues at once, with parents and blocking among them: all or none. Answers them in your order.

        200 at most, and with those that templates add 1,000 in one call (422). A `ref` twice, or items that stand under
        each other in a circle, are 422; what is wrong with an item is told under `items[<n>]`.
        """
        return self._client.call('issues.create_tree', {'project': project, 'items': items})

    def delete(self, *, key: str, children: Literal['keep', 'delete'] | None = UNSET) -> InTrash:
        """Put an issue into the trash with all that hangs on it; trash.restore brings it back under its key.

        Leads delete any issue, members what they reported. Children go to the parent above, or with `delete` along, all
        below too that you see, where you may delete each of them (403) and they are 1,000 at most (409).
        """
        return self._client.call('issues.delete', {'key': key, 'children': children})

    def export_text(self, *, key: str, with_: List[Literal['comments', 'history', 'relations', 'checklist', 'git']] | None = UNSET, max_tokens: int | None = UNSET) -> Brief:
        """Put an issue into one Markdown text: its facts, its description, and what `with` names, as far as you see it.

        Replies stand under their thread, indented as quotes; notes for the team say that they are internal. Where the
        budget is short, the facts stay, the description is cut at its end, and of threads and history the latest stay.
        """
        return self._client.call('issues.export_text', {'key': key, 'with': with_, 'max_tokens': max_tokens})

    def get(self, *, key: str, with_: List[Literal['relations', 'children', 'transitions', 'checklist', 'sla', 'watchers', 'flags']] | None = UNSET) -> Issue:
        """Look at an issue by its key, a former key or `issue:<n>`."""
        return self._client.call('issues.get', {'key': key, 'with': with_})

    def graph(self, *, keys: List[str] | None = UNSET, tql: str | None = UNSET, depth: int | None = UNSET, kinds: List[str] | None = UNSET, edges_only: bool | None = UNSET) -> Graph:
        """Draw the relations around issues, and name the circles among those that have a direction and block.

        Where kinds are named, the circles are among those of them that have a direction. Only what you see is in it, and
        1,000 issues at most: the nearest.
        """
        return self._client.call('issues.graph', {'keys': keys, 'tql': tql, 'depth': depth, 'kinds': kinds, 'edges_only': edges_only})

    def history(self, *, key: str, field: str | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedFieldChange:
        """List how the fields of an issue changed, the latest first.

        Long texts are told by their sizes; a parent that you do not see is not named.
        """
        return self._client.call('issues.history', {'key': key, 'field': field, 'cursor': cursor, 'limit': limit})

    def level_set(self, *, key: str, level: str) -> Issue:
        """Say who sees an issue: `public` every member of the org, `project` whoever sees the project.

        `team:<id>` leaves of those the team, `private` nobody but its reporter, assignees and the project's leads. Leads
        and admins set it. From the next call on it is gone for those who lose sight of it, with its comments and files.
        """
        return self._client.call('issues.level_set', {'key': key, 'level': level})

    def link_add(self, *, key: str, url: str, title: str | None = UNSET, kind: str | None = UNSET) -> List[WebLink]:
        """Add a web link to an issue. An address that it has already takes the title and kind given now.

        An issue has 200 links at most (409).
        """
        return self._client.call('issues.link_add', {'key': key, 'url': url, 'title': title, 'kind': kind})

    def link_delete(self, *, id: int) -> List[WebLink]:
        """Take a web link off its issue; answers what the issue has left."""
        return self._client.call('issues.link_delete', {'id': id})

    def links(self, *, key: str) -> List[WebLink]:
        """List the web links of an issue, oldest first."""
        return self._client.call('issues.links', {'key': key})

    def list(self, *, project: str | None = UNSET, status: str | None = UNSET, assignee: str | None = UNSET, sprint: int | None = UNSET, parent: str | None = UNSET, updated_since: int | None = UNSET, archived: bool | None = UNSET, sort: str | None = UNSET, columns: List[str] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedIssue | PagedIssueColumns:
        """List issues, page by page, whole or with some of their fields.

        Sorted by rank within a project, else the latest change first. Archived ones are left out unless asked for.
        """
        return self._client.call('issues.list', {'project': project, 'status': status, 'assignee': assignee, 'sprint': sprint, 'parent': parent, 'updated_since': updated_since, 'archived': archived, 'sort': sort, 'columns': columns, 'cursor': cursor, 'limit': limit})

    def lock(self, *, key: str, on: bool, reason: str | None = UNSET) -> Issue:
        """Let only leads and admins comment on an issue, or everybody again who may. Leads and admins do it.

        What it says stays open to change. Locking a locked one again changes nothing but the reason.
        """
        return self._client.call('issues.lock', {'key': key, 'on': on, 'reason': reason})

    def merge(self, *, from_: List[str], into: str, comments: bool | None = UNSET) -> Issue:
        """Fold duplicates into an issue: they are closed with the outcome `duplicate` and a `duplicates` relation.

        Their comments, files, votes and watchers move to the issue that stays; who voted for both has one vote. You may
        change all of them. They go to the workflow's lane for duplicates, or its first done lane (409 where it has none),
        whatever transitions lead there. One undo takes all of it back. Customers whose request is folded go on reading
        there what they were told, and customers of the issue that stays read none of it.
        """
        return self._client.call('issues.merge', {'from': from_, 'into': into, 'comments': comments})

    def move(self, *, keys: List[str], project: str, statuses: Dict[str, str] | None = UNSET, values: Dict[str, Any] | None = UNSET, children: bool | None = UNSET) -> List[Issue]:
        """Move issues to another project, where each gets the next number; the old keys keep resolving.

        You work in both projects. What the other project does not know is dropped and named in `issue.moved`: labels,
        components, sprints and field values, and assignees who do not see it. A type that it does not have becomes its
        default type where both are of one level (else 409). A lane that the workflow there does not have needs an entry in
        `statuses` (409). All of them go or none, 1,000 at most with those below them.
        """
        return self._client.call('issues.move', {'keys': keys, 'project': project, 'statuses': statuses, 'values': values, 'children': children})

    def parse(self, *, text: str, project: str | None = UNSET) -> Parsed:
        """Read an issue off one line of text.

        `!high` is a priority, `@ana` somebody who gets it, `#web` a label, `/bug` a type, `~3` an estimate, `in WEB` the
        project, `under WEB-1` the parent. Names with blanks stand in quotation marks: `#"needs info"`. The rest is the
        title, and so is every word that means nothing you can see.

        `due`, `by` and `start` stand before a day, as people say it: `today`, `fri`, the next one, `next fri`, that of the
        week behind this one, `next week`, `in 2w`, `in 3 days`, `5 dec`, `dec 5 2027`, `5.12.`, `eow` (Friday), `eom`,
        `end of year`, `2026-12-01`. In English and, for de, es, fr, it, nl and pt, in the language of the org's locale,
        which says as well whether `5/12` is in May.
        """
        return self._client.call('issues.parse', {'text': text, 'project': project})

    def promote(self, *, from_: str, title: str | None = UNSET, project: str | None = UNSET, type: str | None = UNSET, link: str | None = UNSET) -> Issue:
        """Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on."""
        return self._client.call('issues.promote', {'from': from_, 'title': title, 'project': project, 'type': type, 'link': link})

    def rank(self, *, keys: List[str], after: str | None = UNSET, before: str | None = UNSET) -> NewRanks:
        """Put issues into another place of their project's order: behind one issue or before one.

        Their own order is that of `keys`. Each issue that moved tells `issue.ranked` with its new rank. Where a place is
        crowded its neighbours get new ranks too, in the order that they have; the answer names them, and no event does.
        `seq` of each issue whose rank changed moves, `updated_at` does not. Where nothing moves nothing is told.
        """
        return self._client.call('issues.rank', {'keys': keys, 'after': after, 'before': before})

    def relation_add(self, *, key: str, kind: str, to: List[str], lag_days: int | None = UNSET) -> List[Relation]:
        """Relate an issue to others. You change the issue and see the others; they may be archived.

        A relation that is there already is no change, but for a `lag_days` that differs. Circles are allowed, and shown
        by issues.graph. An issue has 500 relations at most (409).
        """
        return self._client.call('issues.relation_add', {'key': key, 'kind': kind, 'to': to, 'lag_days': lag_days})

    def relation_delete(self, *, id: int) -> List[Relation]:
        """Take a relation away, from either of its ends that you may change; answers what that issue has left."""
        return self._client.call('issues.relation_delete', {'id': id})

    def relation_kind_delete(self, *, key: str, move_to: str | None = UNSET) -> List[RelationKind]:
        """Take a kind of relation away; built-in ones stay (409).

        One that relations have needs `move_to` (409 `in-use` with `uses`); where two issues have that relation already
        they keep it once.
        """
        return self._client.call('issues.relation_kind_delete', {'key': key, 'move_to': move_to})

    def relation_kind_save(self, *, key: str, name: str, inverse: str, directed: bool | None = UNSET, blocks: bool | None = UNSET, color: str | None = UNSET) -> List[RelationKind]:
        """Make a kind of relation, or change one.

        A name or inverse that another kind has is 409. Built-in kinds keep their direction and whether they block (409),
        and so do kinds that relations have (409). An org has 100 kinds at most.
        """
        return self._client.call('issues.relation_kind_save', {'key': key, 'name': name, 'inverse': inverse, 'directed': directed, 'blocks': blocks, 'color': color})

    def relation_kinds(self) -> List[RelationKind]:
        """List the kinds of relations: those that every org has, then its own."""
        return self._client.call('issues.relation_kinds', {})

    def relations(self, *, key: str) -> List[Relation]:
        """List what an issue stands in relation to, as far as you see the other ends."""
        return self._client.call('issues.relations', {'key': key})

    def revision_restore(self, *, key: str, revision: int) -> Issue:
        """Bring title and body back as they were in a revision; what was there since stays a revision.

        The rich form of the text is not kept in revisions: it is cleared, and shown from the Markdown.
        """
        return self._client.call('issues.revision_restore', {'key': key, 'revision': revision})

    def revisions(self, *, key: str, diff: int | None = UNSET) -> List[Revision]:
        """List the texts that an issue had, the present one first and the 200 latest at most.

        The first revision is what its maker wrote. With `diff` each comes with a unified diff of title and body, or null
        where one of the two has more than 3,000 lines.
        """
        return self._client.call('issues.revisions', {'key': key, 'diff': diff})

    def similar(self, *, key: str | None = UNSET, title: str | None = UNSET, body: str | None = UNSET, project: str | None = UNSET, limit: int | None = UNSET) -> List[Similar]:
        """Find issues that say the same, best first: duplicates before they are made.

        Words of the title count most; an issue with less than a fifth of them is none. Only what you see is found,
        archived ones too.
        """
        return self._client.call('issues.similar', {'key': key, 'title': title, 'body': body, 'project': project, 'limit': limit})

    def split(self, *, key: str, parts: List[IssuePart]) -> List[Issue]:
        """Make parts of an issue issues of their own; answers the new ones.

        Each has the type, priority, labels, components, own fields and parent of the issue, is related to it, and gets the
        comments and check items named, which leave it. The first comment of a thread takes its replies along.
        """
        return self._client.call('issues.split', {'key': key, 'parts': parts})

    def template_delete(self, *, id: int) -> List[IssueTemplate]:
        """Take a template away; issues made with it stay as they are."""
        return self._client.call('issues.template_delete', {'id': id})

    def template_save(self, *, id: int | None = UNSET, project: str | None = UNSET, name: str, type: str, input: Dict[str, Any], children: List[TemplateChild] | None = UNSET, checklists: List[int] | None = UNSET) -> List[IssueTemplate]:
        """Make a template, or change one. Leads keep those of their project, admins the org's.

        Inputs are checked as issues.create checks them once the placeholders are filled in; names of labels and people are
        looked up when an issue is made. A name is unique in its project without case (409).
        """
        return self._client.call('issues.template_save', {'id': id, 'project': project, 'name': name, 'type': type, 'input': input, 'children': children, 'checklists': checklists})

    def templates(self, *, project: str | None = UNSET) -> List[IssueTemplate]:
        """List the templates of the org and of the projects that you see, by name."""
        return self._client.call('issues.templates', {'project': project})

    def transition(self, *, key: str, to_status: str, values: Dict[str, Any] | None = UNSET, comment: str | None = UNSET, outcome: Literal['completed', 'cancelled', 'duplicate'] | None = UNSET, if_seq: int | None = UNSET) -> Issue:
        """Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.

        Members go any way that names nobody; a reporter of the project goes those that name `reporter`, with their own.
        No transition, one whose conditions hide it, one that is for others, a check that fails with the given `values` and,
        where the project says so, open blockers of an issue that is closed are 409 `workflow-refused` with the `rule`; one
        with approvers is 409 `approval-needed`. Of several transitions to the lane the first counts that is open to you.
        What it asks for and does not get is 422 at `values.<name>`, as is what it does not ask for. The lane it is in
        already is no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both.

        What the transition does behind the move runs with your rights, and what is refused then refuses the move, unless
        the workflow says that it may. More than 1,000 actions in one call are refused, too (409, rule `then`).
        """
        return self._client.call('issues.transition', {'key': key, 'to_status': to_status, 'values': values, 'comment': comment, 'outcome': outcome, 'if_seq': if_seq})

    def transitions(self, *, key: str) -> List[IssueTransition]:
        """List the ways on from the lane that an issue is in; `why` says what closes one to you.

        Those whose conditions fail are not there. `fields` are what it asks for on the way.
        """
        return self._client.call('issues.transitions', {'key': key})

    def tree(self, *, key: str, depth: int | None = UNSET) -> Tree:
        """Look at an issue with all that stands under it, children by rank. More than 2,000 issues are 422."""
        return self._client.call('issues.tree', {'key': key, 'depth': depth})

    def update(self, *, title: str | None = UNSET, body: str | None = UNSET, body_doc: str | None = UNSET, priority: Literal['urgent', 'high', 'medium', 'low', 'none'] | None = UNSET, labels: List[str] | None = UNSET, components: List[str] | None = UNSET, parent: str | None = UNSET, sprint: int | None = UNSET, milestone: int | None = UNSET, releases: List[str] | None = UNSET, affects: List[str] | None = UNSET, estimate: float | None = UNSET, start_date: str | Literal[''] | None = UNSET, due_date: str | Literal[''] | None = UNSET, reporter: str | None = UNSET, values: Dict[str, Any] | None = UNSET, key: str, if_seq: int | None = UNSET, notify: bool | None = UNSET) -> Issue:
        """Change fields of an issue; fields that are not named stay, and null clears sprint, milestone and estimate.

        Without `if_seq` the last write wins, field by field. A change that changes nothing is no event.
        """
        return self._client.call('issues.update', {'title': title, 'body': body, 'body_doc': body_doc, 'priority': priority, 'labels': labels, 'components': components, 'parent': parent, 'sprint': sprint, 'milestone': milestone, 'releases': releases, 'affects': affects, 'estimate': estimate, 'start_date': start_date, 'due_date': due_date, 'reporter': reporter, 'values': values, 'key': key, 'if_seq': if_seq, 'notify': notify})

    def vote(self, *, key: str, on: bool) -> Votes:
        """Vote for an issue, or take your vote back. Whoever sees it has one vote; twice counts once.

        An archived issue takes no votes (409).
        """
        return self._client.call('issues.vote', {'key': key, 'on': on})

    def voters(self, *, key: str) -> List[Member]:
        """List who voted for an issue, the first vote first."""
        return self._client.call('issues.voters', {'key': key})

    def watch(self, *, key: str, on: bool, members: List[str] | None = UNSET) -> Watchers:
        """Watch an issue, or watch it no longer. To change it for others you need to be able to edit the issue.

        A reporter of a project who sees only their own issues there sees those that they were made to watch, too. Whoever
        has no role in the project cannot watch (422). Twice is no change.
        """
        return self._client.call('issues.watch', {'key': key, 'on': on, 'members': members})

    def watchers(self, *, key: str) -> List[Member]:
        """List who watches an issue, by name."""
        return self._client.call('issues.watchers', {'key': key})


class JobsModule(Module):
    """Jobs: long work that runs beside the requests."""

    def cancel(self, *, id: int) -> Job:
        """Stop a job before its next step; what was committed stays. One that ended is 409."""
        return self._client.call('jobs.cancel', {'id': id})

    def get(self, *, id: int, wait_seconds: int | None = UNSET) -> Job:
        """Look at a job. Its starter and admins see it."""
        return self._client.call('jobs.get', {'id': id, 'wait_seconds': wait_seconds})

    def list(self, *, state: Literal['queued', 'running', 'done', 'failed', 'cancelled'] | None = UNSET, kind: str | None = UNSET, all: bool | None = UNSET) -> List[Job]:
        """List your jobs of the last 30 days, newest first, 1,000 at most; admins may list everybody's (else 403)."""
        return self._client.call('jobs.list', {'state': state, 'kind': kind, 'all': all})


class KeysModule(Module):
    """Keys: what programs sign in with. A key's rights are its scopes, cut by what its owner may do now."""

    def create(self, *, name: str, kind: Literal['personal', 'agent'] = UNSET, agent: str | None = UNSET, scopes: List[str], projects: List[str] | None = UNSET, expires_at: int | None = UNSET, networks: List[str] | None = UNSET) -> KeyWithSecret:
        """Make a key; its secret is in the answer and never shown again. Asks for an elevated session.

        Scopes beyond your role, `system` and `desk:*` are 422; a scope counts only while your role holds it. An agent
        key needs the name of an agent of yours; a new name makes one, a name that somebody or something else has is 409.
        Projects that you do not see are 404. Without `expires_at` it lives until it is revoked; a time in the past is 422.
        """
        return self._client.call('keys.create', {'name': name, 'kind': kind, 'agent': agent, 'scopes': scopes, 'projects': projects, 'expires_at': expires_at, 'networks': networks})

    def list(self, *, all: bool | None = UNSET) -> List[ApiKey]:
        """List your keys, newest first, those that ended too. Admins may list everybody's (others: 403)."""
        return self._client.call('keys.list', {'all': all})

    def revoke(self, *, id: str) -> List[ApiKey]:
        """End a key; the next call with it is 401. Answers the keys of its owner.

        Your own keys, and for admins everybody's. A key may revoke itself; an agent's key no other (403). One that ended
        already stays as it is.
        """
        return self._client.call('keys.revoke', {'id': id})

    def rotate(self, *, id: str, keep_hours: int | None = UNSET) -> KeyWithSecret:
        """Give a key a new secret, which is in the answer and never shown again.

        Asks for an elevated session; a key may rotate itself, by its present secret alone (403). A secret that still worked
        from an earlier rotation ends now. A key that ended is 409.
        """
        return self._client.call('keys.rotate', {'id': id, 'keep_hours': keep_hours})

    def update(self, *, id: str, name: str | None = UNSET, scopes: List[str] | None = UNSET, projects: List[str] | None = UNSET, expires_at: int | None = UNSET, networks: List[str] | None = UNSET) -> ApiKey:
        """Change one of your keys; fields that are not named stay. It holds from the next call on.

        Asks for an elevated session. A key that ended is 409; the rest is refused as in `keys.create`.
        """
        return self._client.call('keys.update', {'id': id, 'name': name, 'scopes': scopes, 'projects': projects, 'expires_at': expires_at, 'networks': networks})


class LabelsModule(Module):
    """Labels: short names on issues and pages, of the org or of one project; a group makes its labels exclusive."""

    def delete(self, *, id: int) -> List[Label]:
        """Take a label away, from every issue and page that carries it too. Answers the labels that are left."""
        return self._client.call('labels.delete', {'id': id})

    def list(self, *, project: str | None = UNSET, q: str | None = UNSET) -> List[Label]:
        """List labels with their use counts. With a project: those an issue of it may carry.

        Counts are of the issues and pages that you see.
        """
        return self._client.call('labels.list', {'project': project, 'q': q})

    def merge(self, *, from_: List[int], into: int) -> List[Label]:
        """Fold labels into one: what carried them carries that one, and they are gone.

        A label of a project folds into one of the same project or of the org, the org's only into the org's (422).
        """
        return self._client.call('labels.merge', {'from': from_, 'into': into})

    def save(self, *, id: int | None = UNSET, name: str, color: str | None = UNSET, project: str | None = UNSET, group: str | Literal[''] | None = UNSET, description: str | None = UNSET) -> Label:
        """Make a label, or change one: fields that are not named stay.

        Admins keep the org's labels, project leads their project's. A name is unique without case among the org's and
        one project's labels (409). A label cannot join a group while an issue carries another label of it (409).
        """
        return self._client.call('labels.save', {'id': id, 'name': name, 'color': color, 'project': project, 'group': group, 'description': description})


class LanesModule(Module):
    """Lanes: the statuses that issues stand in, shared by the org's workflows."""

    def delete(self, *, key: str, move_to: str | None = UNSET) -> List[Lane]:
        """Take a lane away.

        One that holds issues needs `move_to` (409 `in-use`; `uses` are those that you see): they move with history.

        In workflows the other lane takes its place. A workflow that begins there, or that would have a lane without a way
        to it or from it to a done one, needs `move_to` too (409). More than 200 issues move by a job, in steps of 200: the
        lane is out of lists and workflows at once. Called again it goes on with what a cancelled job left.
        """
        return self._client.call('lanes.delete', {'key': key, 'move_to': move_to})

    def list(self, *, project: str | None = UNSET, type: str | None = UNSET) -> List[Lane]:
        """List the lanes, with how many issues you see in each. With a project or type: those of its workflow, in order."""
        return self._client.call('lanes.list', {'project': project, 'type': type})

    def reorder(self, *, keys: List[str]) -> List[Lane]:
        """Put the lanes in order. Workflows keep their own."""
        return self._client.call('lanes.reorder', {'keys': keys})

    def save(self, *, key: str, name: str, category: Literal['todo', 'in_progress', 'done'], color: str | None = UNSET, outcome: Literal['completed', 'cancelled', 'duplicate'] | None = UNSET, wip: int | None = UNSET, stops_sla: bool | None = UNSET, description: str | None = UNSET) -> Lane:
        """Make a lane, or change one; fields that are not named stay.

        Names are unique without case (409); the category of a lane that holds issues cannot change (409). A new lane
        stands behind the others of its category, and in no workflow yet.
        """
        return self._client.call('lanes.save', {'key': key, 'name': name, 'category': category, 'color': color, 'outcome': outcome, 'wip': wip, 'stops_sla': stops_sla, 'description': description})


class MailModule(Module):
    """Mail: the server that it goes by, what went and waits, its texts, and mailboxes that are read."""

    def mailbox_delete(self, *, id: int) -> List[Mailbox]:
        """Delete a mailbox with its password; what came of its mail stays. Answers those that are left."""
        return self._client.call('mail.mailbox_delete', {'id': id})

    def mailbox_save(self, *, id: int | None = UNSET, name: str, protocol: Literal['imap', 'pop', 'hook'], target: MailTargetInput, host: str | None = UNSET, port: int | None = UNSET, security: Literal['starttls', 'tls', 'none'] | None = UNSET, user: str | None = UNSET, password: str | None = UNSET, folder: str | None = UNSET, every_minutes: int | None = UNSET, delete_after: bool | None = UNSET, allow: List[str] | None = UNSET, deny: List[str] | None = UNSET) -> Mailbox:
        """Make a mailbox that is read, or change one; fields that are not named stay. For admins who see its target.

        Mail to a desk becomes a request, or an answer to one. Mail to a project becomes an issue of the member whose
        address it comes from, with what they may, or a comment where it answers to a letter; mail to a space becomes a
        page. Who is no member is heard there only where `allow` names them, in the name of whoever saved the mailbox.

        With `imap` unread mail is taken and marked as read, with `pop` all mail; a `hook` has an address that a mail
        service posts to. The mail server is a public one, unless the operator lists host and port. An org has 50
        mailboxes at most (409).
        """
        return self._client.call('mail.mailbox_save', {'id': id, 'name': name, 'protocol': protocol, 'target': target, 'host': host, 'port': port, 'security': security, 'user': user, 'password': password, 'folder': folder, 'every_minutes': every_minutes, 'delete_after': delete_after, 'allow': allow, 'deny': deny})

    def mailbox_test(self, *, id: int, pull: bool | None = UNSET) -> MailboxTested:
        """Look into a mailbox, and say how many mails wait there. With `pull` they are read a moment later, and the mailbox
        is read again from now on where it was not.

        `ok` false says in `detail` what to mend.
        """
        return self._client.call('mail.mailbox_test', {'id': id, 'pull': pull})

    def mailboxes(self) -> List[Mailbox]:
        """List the mailboxes by id."""
        return self._client.call('mail.mailboxes', {})

    def outbox(self, *, state: Literal['queued', 'sent', 'failed', 'held'] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedOutboxLetter:
        """List the letters of 30 days, newest first, and all that waits. What they say is never shown.

        A letter is written in the transaction that causes it, tried ten times within a day, and then given up: admins hear
        of it by the event `mail.failed`.
        """
        return self._client.call('mail.outbox', {'state': state, 'cursor': cursor, 'limit': limit})

    def retry(self, *, ids: List[int], drop: bool | None = UNSET) -> MailRetried:
        """Send letters again, now and under the Message-ID that they have, or with `drop` never.

        409 where one of them was sent, is for an address that is suppressed, or says nothing any more: what a letter says
        is kept for three days after it was given up, and not at all once it was dropped.
        """
        return self._client.call('mail.retry', {'ids': ids, 'drop': drop})

    def sender(self) -> MailSender:
        """Show the mail server that was saved, and by which one mail goes: that of the operator's settings goes first."""
        return self._client.call('mail.sender', {})

    def sender_set(self, *, host: str, port: int, security: Literal['starttls', 'tls', 'none'], from_: str, user: str | None = UNSET, password: str | None = UNSET, name: str | None = UNSET, signature: str | None = UNSET, test_to: str | None = UNSET) -> MailSender:
        """Save the mail server that mail goes by, at once. For admins, not for agents.

        A server that the operator names in `kbwork.toml` goes first: then this one waits, `source` says `settings`, and
        only `signature` counts. Its address is a public one, unless the operator lists host and port. With `test_to` a
        letter is sent by the new settings first; `said` is what the server answered, and where it does not take the
        letter, 502 says what to mend and nothing is saved.
        """
        return self._client.call('mail.sender_set', {'host': host, 'port': port, 'security': security, 'from': from_, 'user': user, 'password': password, 'name': name, 'signature': signature, 'test_to': test_to})

    def suppressed(self, *, release: str | None = UNSET) -> List[SuppressedAddress]:
        """List the addresses that nothing is sent to, the latest first; with `release`, take one off before.

        An address comes here when a mail server says for good that it is none, or when a report about a letter of ours says
        so. What is for it is held, and goes by `mail.retry` once it was released.
        """
        return self._client.call('mail.suppressed', {'release': release})

    def template_save(self, *, key: str, locale: str, subject: str, body: str) -> List[MailTemplate]:
        """Word a kind of letter in a language, from the next letter on.

        A variable is put in as plain text. Unknown ones are 422 with those that there are, and so is a text without what
        the letter is for, such as its link, or with that inside another address or in the subject. People do so, by no
        limited key: letters hold links to set passwords.
        """
        return self._client.call('mail.template_save', {'key': key, 'locale': locale, 'subject': subject, 'body': body})

    def templates(self, *, locale: str | None = UNSET) -> List[MailTemplate]:
        """List the texts of all kinds of letters by key."""
        return self._client.call('mail.templates', {'locale': locale})


class MaintenanceModule(Module):
    """Care of the single file: whether everything is as it should be, and what mends it."""

    def check(self, *, deep: bool | None = UNSET) -> CareFindings:
        """Look whether the server is as it should be: backups, jobs, mail, the clock, room on the disk.

        Each finding that is not well says what mends it. `deep` reads the whole data file while people work; one such look
        at a time (409). `kbwork doctor` looks at the settings and the rights of the folder besides.
        """
        return self._client.call('maintenance.check', {'deep': deep})


class MembersModule(Module):
    """Members: the people of the org, their roles and profiles."""

    def avatar_set(self, *, data: str | None = UNSET) -> Member:
        """Set or take away your own picture. What is no picture, an SVG or above 1 MB is 422."""
        return self._client.call('members.avatar_set', {'data': data})

    def chat_accounts(self) -> List[ChatAccount]:
        """List your accounts on chat platforms: commands from there are yours."""
        return self._client.call('members.chat_accounts', {})

    def chat_link(self, *, code: str) -> List[ChatAccount]:
        """Link the account on a chat platform that was handed out this code: from then on its commands are yours.

        Signed in only: no key links an account. An account is one member's; whoever had it before has it no more. Answers
        all of yours. A code is good once, for ten minutes (422).
        """
        return self._client.call('members.chat_link', {'code': code})

    def chat_unlink(self, *, id: int) -> List[ChatAccount]:
        """Take away the link of one of your accounts on chat platforms. Answers those that are left; another's is 404."""
        return self._client.call('members.chat_unlink', {'id': id})

    def deactivate(self, *, id: str, on: bool, transfer_to: str | None = UNSET) -> Member:
        """Deactivate a member, or bring one back with `on` false. For admins.

        Their sessions and streams end and their keys and pending invites are revoked at once, for good; history, teams,
        roles in projects and assignments stay, unless `transfer_to` takes the issues over that they work on, reported or
        watch. Owners are deactivated by owners who have just confirmed; the last owner stays (409). Who was invited or
        erased cannot be brought back (409).
        """
        return self._client.call('members.deactivate', {'id': id, 'on': on, 'transfer_to': transfer_to})

    def erase(self, *, id: str, confirm_name: str) -> JobStarted:
        """Erase a person for good. For owners who have just confirmed.

        They are out at once, as with members.deactivate; a job then removes name, address, picture, profile, preferences,
        credentials, keys, marks, what they watch, and what personal fields say of them: in issues that they reported, and
        wherever such a field names them. Their work stays under `former member`, with their id. The name must match (422);
        the last owner stays (409).
        """
        return self._client.call('members.erase', {'id': id, 'confirm_name': confirm_name})

    def export_data(self, *, id: str | None = UNSET) -> JobStarted:
        """Have all that is kept of a person made into one archive: your own data, or, for admins, those of another.

        It is a ZIP file with the profile, the picture and, for each table, the rows that name the person as JSON lines:
        what they wrote, reported, are assigned, watch and chose, where they are signed in, and what they did. Rows about
        things that you do not see are counted and left out, and so are passwords, tokens and the like; of another person
        also drafts, stars and other things that are theirs alone. Files are told by name: attachments.get fetches them.

        The job's result says where it is fetched, by whoever started it, for a day: at most 100 MB (the job fails where it
        is more). While one is being made that one is answered. For others it needs an admin who has just confirmed that it
        is them, and for an owner another owner.
        """
        return self._client.call('members.export_data', {'id': id})

    def get(self, *, id: str) -> Member:
        """Look at one member. Guests find people whom they share something with, and nobody by address (404)."""
        return self._client.call('members.get', {'id': id})

    def list(self, *, q: str | None = UNSET, role: str | None = UNSET, team: int | None = UNSET, state: Literal['active', 'deactivated', 'all'] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedMember:
        """List the people of the org, by name. Guests see those with whom they share a project, a team or an issue.

        An unknown role is 422; a team that you do not see has no members.
        """
        return self._client.call('members.list', {'q': q, 'role': role, 'team': team, 'state': state, 'cursor': cursor, 'limit': limit})

    def mentionable(self, *, subject: str, q: str | None = UNSET) -> List[Mentionable]:
        """List whom a mention on a subject may name, those who see it first; at most 50.

        A member sees it by their own rights, a team where one of its members does, an agent where its owner does.
        """
        return self._client.call('members.mentionable', {'subject': subject, 'q': q})

    def owner_transfer(self, *, to: str) -> List[Member]:
        """Hand the org to somebody: they become an owner, and you an admin. For owners who have just confirmed.

        It takes an active member who is no guest (422). Answers the two of you, the owner first.
        """
        return self._client.call('members.owner_transfer', {'to': to})

    def preferences(self) -> Preferences:
        """Look at your own preferences; null stands for the org's setting or the app's own choice."""
        return self._client.call('members.preferences', {})

    def preferences_set(self, *, set: Dict[str, Any]) -> Preferences:
        """Change your own preferences: keys that are not named stay, null resets one.

        `locale` and `zone` are those of your profile and are checked; what the others hold is the app's affair, 20 kB in
        all. An unknown key is 422 naming the nearest. The answer has every key.
        """
        return self._client.call('members.preferences_set', {'set': set})

    def profile_set(self, *, name: str | None = UNSET, handle: str | None = UNSET, title: str | None = UNSET, pronouns: str | None = UNSET, about: str | None = UNSET, zone: str | Literal[''] | None = UNSET, working_calendar: int | None = UNSET, status: StatusInput | None = UNSET) -> Member:
        """Change your own profile: fields that are not named stay, an empty text clears.

        A handle that a member, team or agent has is 409; one that is kept back, such as `me`, is 422. `until` of a status
        lies ahead (422). A key or agent changes its owner's profile.
        """
        return self._client.call('members.profile_set', {'name': name, 'handle': handle, 'title': title, 'pronouns': pronouns, 'about': about, 'zone': zone, 'working_calendar': working_calendar, 'status': status})

    def transfer(self, *, from_: str, to: str, what: List[Literal['assigned', 'reported', 'watching', 'rules', 'views', 'goals', 'components']] | None = UNSET, tql: str | None = UNSET) -> Changed:
        """Give what one member holds to another. For admins.

        `assigned` takes the issues that are not done, `reported` and `watching` all that are not archived: of the issues
        that you lead, at most 1,000 a call; call again until `changed` is 0. The one who takes over is an active member
        who sees them (422). Rights that stood on holding them go along.
        """
        return self._client.call('members.transfer', {'from': from_, 'to': to, 'what': what, 'tql': tql})

    def update(self, *, id: str, role: Literal['owner', 'admin', 'member', 'guest'] | None = UNSET, name: str | None = UNSET, email: str | None = UNSET, guest_until: int | None = UNSET) -> Member:
        """Change a member's role, name, address or, for a guest, how long they stay. For admins.

        Nobody changes their own role (403). Who makes an admin confirmed in the last ten minutes that it is them, and
        so did owners who make or change an owner; the last one stays (409). An address that another member has is 409.
        Whoever stops being a guest stays for good. Pending invites that somebody may not make with their new role are
        revoked.
        """
        return self._client.call('members.update', {'id': id, 'role': role, 'name': name, 'email': email, 'guest_until': guest_until})

    def workload(self, *, from_: str, to: str, members: List[str] | None = UNSET, team: int | None = UNSET, unit: Literal['points', 'hours', 'issues'] | None = UNSET) -> List[MemberWorkload]:
        """List how much people have planned on each day from one to another, beside what they can.

        An open issue counts for whoever leads it, the first of its assignees: its estimate is spread evenly over the
        working days, Monday to Friday, from its start to its due date. A date that it lacks is that of its sprint; with one
        date alone it stands on that day, with none it is planned nowhere. What people can is the capacity that sprints say,
        spread likewise over the sprint's days; null where none says it, and with `issues`. `over`: more is planned on some
        day than they can. All is of the issues and sprints that you see.
        """
        return self._client.call('members.workload', {'from': from_, 'to': to, 'members': members, 'team': team, 'unit': unit})


class NotificationsModule(Module):
    """Notifications: one inbox for each person and agent, a view of the events that are for them."""

    def archive(self, *, ids: List[int] | None = UNSET, subject: str | None = UNSET, before: int | None = UNSET) -> Unread:
        """Put entries away: they are read and stand among the archived until something new happens to their subject.

        Name them by `ids`, `subject` or `before` (422 without one). `notifications.read` with `on` false brings one back.
        """
        return self._client.call('notifications.archive', {'ids': ids, 'subject': subject, 'before': before})

    def count(self) -> NotificationCount:
        """Count what is unread and awake in your inbox, in all and by reason."""
        return self._client.call('notifications.count', {})

    def list(self, *, state: Literal['unread', 'all', 'archived', 'snoozed'] | None = UNSET, reason: Literal['approval', 'assigned', 'mentioned', 'replied', 'invited', 'shared', 'agent', 'due', 'sla', 'rule', 'report', 'watching'] | None = UNSET, subject: str | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedNotification:
        """List your inbox, the newest first. A subject has one entry, which gathers what happened to it.

        What you do not see any more is left out. Agents have an inbox of their own; a key looks into its owner's. What you
        did yourself is not told; what your agent says to you is, as `agent`. Entries are made a moment after what they
        tell of, and go when they are half a year old, those that were read after 90 days; an inbox holds 1,000.
        """
        return self._client.call('notifications.list', {'state': state, 'reason': reason, 'subject': subject, 'cursor': cursor, 'limit': limit})

    def mute(self, *, subject: str, on: bool, until: int | None = UNSET) -> Muted:
        """Hear no more of an issue, or of all issues of a project. Answers all that you muted.

        You are told still where you are asked by name: when you are assigned or mentioned, and for an approval. What stands
        in the inbox already stays. You can mute 500 things (409).
        """
        return self._client.call('notifications.mute', {'subject': subject, 'on': on, 'until': until})

    def push_add(self, *, endpoint: str, keys: PushKeys, device: str | None = UNSET) -> Ok:
        """Have a browser pushed to. It subscribes with the `push_key` of notifications.settings, and gives these.

        The same endpoint again is the same browser, and yours from then on, whoever used it before. It must be a public
        address with https, unless the operator lists it; that is seen when the first push goes there. An endpoint that is
        gone is forgotten, and one that takes no push ten times in a row. You have 20 browsers at most (409).
        """
        return self._client.call('notifications.push_add', {'endpoint': endpoint, 'keys': keys, 'device': device})

    def push_remove(self, *, endpoint: str) -> Ok:
        """Have a browser of yours pushed to no more. One that is not yours, or not known, is 404."""
        return self._client.call('notifications.push_remove', {'endpoint': endpoint})

    def read(self, *, ids: List[int] | None = UNSET, subject: str | None = UNSET, all: bool | None = UNSET, on: bool | None = UNSET) -> Unread:
        """Mark entries as read, or as unread again. Name them by `ids`, `subject` or `all` (422 without one).

        What is read is neither mailed nor pushed. The next thing that happens to the subject begins its entry anew. An id
        that is not yours is 404.
        """
        return self._client.call('notifications.read', {'ids': ids, 'subject': subject, 'all': all, 'on': on})

    def settings(self) -> NotificationSettings:
        """Look at how you are told of things. Keys and agents are shown their owner's, and what they muted themselves."""
        return self._client.call('notifications.settings', {})

    def settings_set(self, *, channels: Dict[str, List[Literal['inbox', 'mail', 'push', 'chat']]] | None = UNSET, digest: Literal['off', 'daily', 'weekly'] | None = UNSET, digest_at: str | None = UNSET, quiet: QuietHours | None = UNSET, due_before_days: List[int] | None = UNSET, own_projects: List[str] | None = UNSET, delay_minutes: int | None = UNSET) -> NotificationSettings:
        """Change how you are told of things; what is not named stays as it is. Agents do not change it (403).

        What waits to be mailed follows the new settings. Mail needs a server that sends it, `push` a browser of yours
        (notifications.push_add); `chat` has no effect until a chat is connected. An unknown project is 404.
        """
        return self._client.call('notifications.settings_set', {'channels': channels, 'digest': digest, 'digest_at': digest_at, 'quiet': quiet, 'due_before_days': due_before_days, 'own_projects': own_projects, 'delay_minutes': delay_minutes})

    def snooze(self, *, ids: List[int], until: int) -> List[Notification]:
        """Put entries off: they sleep, and are unread again when their time comes.

        What is asked of you by name wakes one sooner; what you merely watch does not. An id that is not yours is 404.
        """
        return self._client.call('notifications.snooze', {'ids': ids, 'until': until})

    def test(self, *, channel: Literal['mail', 'push', 'chat']) -> Tested:
        """Have a test sent to yourself: a letter to your address, or a push to each browser of yours.

        `ok` false says in `detail` what to mend: a server without mail, no address, no browser, a push service that does
        not take it. A letter is handed over a moment later; a browser whose service says that it is gone is forgotten.
        """
        return self._client.call('notifications.test', {'channel': channel})


class OrgModule(Module):
    """The org: its settings, its modules, its usage, and how it begins."""

    def banner_set(self, *, text: str | None = UNSET, level: Literal['info', 'warning'] | None = UNSET, until: int | None = UNSET) -> Org:
        """Show a banner to everybody in the org, change it or take it away. For admins. `until` lies ahead (422)."""
        return self._client.call('org.banner_set', {'text': text, 'level': level, 'until': until})

    def clock_confirm(self) -> OrgClock:
        """Say that the clock is right, where it went ahead by more than an hour. For admins, with elevation.

        After such a step nothing is purged, trimmed or ended by it until it has lasted for a day in which the server ran.
        """
        return self._client.call('org.clock_confirm', {})

    def get(self) -> Org:
        """Look at the org: its settings and which modules are on. Guests find retention, legal and files empty."""
        return self._client.call('org.get', {})

    def logo_set(self, *, data: str | None = UNSET, dark: bool | None = UNSET, portal: bool | None = UNSET) -> Org:
        """Set or take away a picture of the org: of the app, for dark screens, or of the portal. For admins.

        Where one is missing the app's stands in. What is no picture, an SVG or above 1 MB is 422.
        """
        return self._client.call('org.logo_set', {'data': data, 'dark': dark, 'portal': portal})

    def modules_set(self, *, on: List[str] | None = UNSET, off: List[str] | None = UNSET) -> Org:
        """Switch modules on and off. For admins.

        A module that is off hides its operations (404); nothing of it is lost. Those that others rest on, such as issues
        and members, cannot be off (422); an unknown name, or one in both lists, is 422.
        """
        return self._client.call('org.modules_set', {'on': on, 'off': off})

    def setup(self, *, token: str, org: str, name: str, email: str, password: str, project: FirstProject | None = UNSET, sample: bool | None = UNSET, template: str | None = UNSET) -> SignedIn:
        """Make the org with its owner, who is signed in. Works once, with the token of the link that `serve` printed.

        A used, old or wrong token is 404; an org that is there already is 409. A password that is too short or soon guessed
        is 422. With `project` there is a board to work on from the start, with `sample` something to look around in.
        """
        return self._client.call('org.setup', {'token': token, 'org': org, 'name': name, 'email': email, 'password': password, 'project': project, 'sample': sample, 'template': template})

    def update(self, *, name: str | None = UNSET, zone: str | None = UNSET, locale: str | None = UNSET, week_start: int | None = UNSET, slug: str | None = UNSET, default_role: Literal['member', 'guest'] | None = UNSET, guests: bool | None = UNSET, public_links: bool | None = UNSET, retention: RetentionInput | None = UNSET, issue_defaults: IssueDefaultsInput | None = UNSET, allowed_files: List[str] | None = UNSET, legal: Dict[str, str] | None = UNSET) -> Org:
        """Change settings of the org: those that are not named stay. For admins.

        An unknown time zone, workflow or type is 422 naming the nearest. Shorter retention takes away what is older
        within minutes, for good.
        """
        return self._client.call('org.update', {'name': name, 'zone': zone, 'locale': locale, 'week_start': week_start, 'slug': slug, 'default_role': default_role, 'guests': guests, 'public_links': public_links, 'retention': retention, 'issue_defaults': issue_defaults, 'allowed_files': allowed_files, 'legal': legal})

    def usage(self, *, months: int | None = UNSET) -> Usage:
        """Look at the use of the org by month, newest first, and at the calls of each key over these months. For admins.

        `machine_calls` are calls of keys and agents, written down once a minute; calls of people are not counted. `people`
        are the active members of today who were there in that month. `storage_bytes` is known for the present month only.
        `flag_evaluations` and `flag_events` are what the flag service was asked and sent by programs: an upload counts as
        100 events at least, one that comes twice once. There is no allowance: `limits` is empty.
        """
        return self._client.call('org.usage', {'months': months})


class PagesModule(Module):
    """Pages: documents in spaces, as trees, with versions, drafts and links between them."""

    def append(self, *, id: str, body: str, section: str | None = UNSET) -> Page:
        """Add a text at the end of a page or of one of its sections, a blank line apart: as pages.update, for whoever may
        edit it.

        A heading that is not there is 422 with those that are.
        """
        return self._client.call('pages.append', {'id': id, 'body': body, 'section': section})

    def archive(self, *, id: str, on: bool, children: bool | None = UNSET) -> Page:
        """Put a page aside, or bring it back. An archived one is read and takes no change (409); lists and trees leave it
        out, and with it what stands below it is in no tree.

        With `children` those below go along that you may edit, 2,000 at most (409); one that was archived before stays as
        it is. For whoever may edit it (403).
        """
        return self._client.call('pages.archive', {'id': id, 'on': on, 'children': children})

    def backlinks(self, *, id: str) -> List[PageBacklink]:
        """List the pages that link to a page, by a title or slug of it, former ones too; the latest changed first, 200 at
        most.
        """
        return self._client.call('pages.backlinks', {'id': id})

    def broken_links(self, *, space: str) -> List[BrokenLink]:
        """List the links in the pages of a space that lead to no page that you see, 1,000 at most; in pages that you see.

        What is there and not for you is `missing`, as what was never there; `deleted` is what you may bring back.
        """
        return self._client.call('pages.broken_links', {'space': space})

    def children(self, *, id: str, depth: int | None = UNSET) -> List[PageSummary]:
        """List the pages below one, each right behind the one that it stands below, in their order.

        Archived pages are left out, as is what stands below a page that you do not see. 2,000 at most.
        """
        return self._client.call('pages.children', {'id': id, 'depth': depth})

    def copy(self, *, id: str, space: str | None = UNSET, parent: str | None = UNSET, title: str | None = UNSET, children: bool | None = UNSET) -> Page:
        """Copy a page that you see, as it is published: its text, icon, properties and labels, not what was said on it.

        The copy is yours, and narrowed to whom the page is, by itself or from above, where its place is not. For whoever
        may edit where it goes (403). 500 pages at once (409).
        """
        return self._client.call('pages.copy', {'id': id, 'space': space, 'parent': parent, 'title': title, 'children': children})

    def create(self, *, space: str, title: str, parent: str | None = UNSET, body: str | None = UNSET, body_doc: str | None = UNSET, template: int | None = UNSET, icon: str | None = UNSET, draft: bool | None = UNSET, labels: List[str] | None = UNSET, properties: Dict[str, Any] | None = UNSET, after: str | None = UNSET) -> Page:
        """Make a page in a space, below another one or at its top. It is published at once unless `draft` says otherwise.

        For whoever may edit there (403). Its slug is made of its title; where that is or was another page's in the space
        it gets a number. A tree has 20 levels, and 5,000 pages right below one (409).
        """
        return self._client.call('pages.create', {'space': space, 'title': title, 'parent': parent, 'body': body, 'body_doc': body_doc, 'template': template, 'icon': icon, 'draft': draft, 'labels': labels, 'properties': properties, 'after': after})

    def delete(self, *, id: str, children: Literal['keep', 'delete'] | None = UNSET) -> InTrash:
        """Put a page into the trash; trash.restore brings it back with its comments, files and versions.

        Pages below it take its place, or go with it: then all of them come back together, and all must be yours to change
        (403). Out of a page that is narrowed they do not move up, to be seen by others (409). For whoever may edit it;
        2,000 pages at once (409).
        """
        return self._client.call('pages.delete', {'id': id, 'children': children})

    def discard(self, *, id: str) -> Page:
        """Drop the changes of a page that were not published. What was written stays among the versions of those who edit.

        A page that was never published has no other text: it is deleted instead (409).
        """
        return self._client.call('pages.discard', {'id': id})

    def export(self, *, id: str, format: Literal['md', 'html', 'pdf', 'docx'], children: bool | None = UNSET, comments: bool | None = UNSET) -> PageExport:
        """Take a page out as a file, as readers see it, alone or with the pages below it, and answer where it is fetched.

        Pictures that are files here and that you see stand in the document itself; with Markdown all files that the text
        names lie in a folder beside it. Several pages, or a page with files, are one ZIP archive, with a folder for what
        stands below a page. Scripts and pictures from elsewhere are not in it.

        500 pages at once, 10 million characters and 50 MB of files (409); as `pdf` and `docx` 20,000 paragraphs and cells
        (409). Letters that no font of the server prints are 422 with `pdf`.
        """
        return self._client.call('pages.export', {'id': id, 'format': format, 'children': children, 'comments': comments})

    def get(self, *, id: str, version: int | None = UNSET, draft: bool | None = UNSET, format: Literal['md', 'doc', 'both'] | None = UNSET, section: str | None = UNSET) -> Page:
        """Look at a page with its text.

        An older `version` is shown to whoever may edit the page, others see those that were published (404). `draft` is
        for those who may edit it (404); without changes it is the page as it is.
        """
        return self._client.call('pages.get', {'id': id, 'version': version, 'draft': draft, 'format': format, 'section': section})

    def import_(self, *, space: str, parent: str | None = UNSET, format: Literal['md', 'html', 'docx', 'zip'], data: str, title: str | None = UNSET) -> List[Page]:
        """Make pages of a file, published at once; answers them, each behind the one that it stands below.

        For whoever may make pages there (403). The title of a page is what its head says, else `title`, else the first
        heading of its text, else the name of its file; without any it is 422. Labels that are known are put on, others
        become the property `labels`. Files in it hang on the pages that name them, for which a key needs
        `attachments:write`; links between what comes in lead on.

        All of it comes in or nothing: what is broken, leads out of the archive or grows without end is refused by its name
        (422), and what is too large (413). Together 500 pages, 10 million characters, 500 files, 50 MB of files, and 5,000
        entries and 100 MB in an archive. It runs alone, not inside a batch.
        """
        return self._client.call('pages.import', {'space': space, 'parent': parent, 'format': format, 'data': data, 'title': title})

    def list(self, *, space: str | None = UNSET, label: str | None = UNSET, author: str | None = UNSET, q: str | None = UNSET, updated_since: int | None = UNSET, state: Literal['draft', 'published', 'archived'] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedPageSummary:
        """List the pages that you see, without their texts, the latest changed first."""
        return self._client.call('pages.list', {'space': space, 'label': label, 'author': author, 'q': q, 'updated_since': updated_since, 'state': state, 'cursor': cursor, 'limit': limit})

    def lock(self, *, id: str, on: bool) -> Page:
        """Lock a page, so that only those who manage it change it, or take the lock off. For those who manage it (403)."""
        return self._client.call('pages.lock', {'id': id, 'on': on})

    def move(self, *, ids: List[str], space: str | None = UNSET, parent: str | None = UNSET, top: bool | None = UNSET, after: str | None = UNSET) -> List[PageSummary]:
        """Put pages below another one, to the top of a space, or elsewhere in the order; with what stands below them.

        You must be able to edit them and the place where they go (403); into a personal space a page goes only from a space
        that you manage. Out of a page that is narrowed they go by those who manage the space, and that page's owner (403);
        what narrows themselves goes along. A page does not go below itself, and a tree has 20 levels (409): of two moves at
        once that would make a circle one is refused. In another space slugs that are taken get a number, labels of another
        project go, and links by the old address lead on. 2,000 pages change their space at once (409).
        """
        return self._client.call('pages.move', {'ids': ids, 'space': space, 'parent': parent, 'top': top, 'after': after})

    def publish(self, *, id: str, note: str | None = UNSET, notify: bool | None = UNSET) -> Page:
        """Publish a page that is a draft, or the changes of a published one.

        What was published meanwhile is brought together with these, line by line; where both changed the same place it is
        409 `stale`, with both texts. Where there is nothing to publish nothing happens.
        """
        return self._client.call('pages.publish', {'id': id, 'note': note, 'notify': notify})

    def restrict(self, *, id: str, view: List[str] | None = UNSET, edit: List[str] | None = UNSET) -> Page:
        """Narrow a page, and all that stands below it, to some people; its owner and admins see and change it all the same.

        It narrows what the space gives and gives nobody more: whoever has no right there has none here. For those who
        manage the space, and the page's owner (403). What would hide the page from yourself is 409.
        """
        return self._client.call('pages.restrict', {'id': id, 'view': view, 'edit': edit})

    def sync_pull(self, *, id: str, since: int | None = UNSET) -> PageSyncState:
        """Get what others wrote on a page that several write on at once: all, or what came since a clock.

        It is for those who see its draft (404). The document is one of Yjs with one text, `body`: the draft as Markdown,
        or the page where there is none. Where what came since is not kept by itself any more it is all of it, which the
        same document takes in as well. A clock of another document is 409 `stale`: push what you have and pull
        again, or make a new one, without `since`.

        The stream tells by `presence` that there is something to get: `clock` in the `cursor` of whoever pushed.
        """
        return self._client.call('pages.sync_pull', {'id': id, 'since': since})

    def sync_push(self, *, id: str, update: str, clock: int) -> PageSyncClock:
        """Write on a page together with others: what your document has and the page has not. For whoever may edit it (403).

        In the same moment it is the draft of the page, as pages.get answers with `draft`; readers see it when it is
        published. What is sent twice, late or in another order comes to the same text. It is a version about every ten
        minutes, not with each letter, and `page.updated` tells of those; the stream tells of each push by `presence`.

        An update that is none, that holds something else than text, or with which the page would hold more than a million
        characters is 422, and nothing is changed. A `clock` of another document is 409 `stale`. It runs alone, not inside a
        batch.
        """
        return self._client.call('pages.sync_push', {'id': id, 'update': update, 'clock': clock})

    def tasks(self, *, space: str | None = UNSET, page: str | None = UNSET, assignee: str | None = UNSET, done: bool | None = UNSET, due_before: str | None = UNSET) -> List[PageTask]:
        """List the lines with a box to tick, `- [ ] Order it @bo due:2026-12-01`, in the published pages that you see:
        those that are due first, then those without a day, by page and line.

        The first mention on a line is whose it is. What stands in code is no task; of a page 1,000 count. Archived pages
        are left out unless `page` names one. 2,000 at most are answered.
        """
        return self._client.call('pages.tasks', {'space': space, 'page': page, 'assignee': assignee, 'done': done, 'due_before': due_before})

    def template_delete(self, *, id: int) -> List[PageTemplate]:
        """Take a template of pages away; pages made with it stay as they are. Built-in ones stay (403)."""
        return self._client.call('pages.template_delete', {'id': id})

    def template_save(self, *, id: int | None = UNSET, space: str | None = UNSET, name: str, body: str, properties: Dict[str, Any] | None = UNSET, icon: str | None = UNSET) -> List[PageTemplate]:
        """Make a template of pages, or change one. Those who manage a space keep its own (403), admins those of all spaces.

        A name is unique in its space without case (409). An unknown placeholder is 422; what has other signs between its
        braces stays as it is. Built-in ones are not changed (403).
        """
        return self._client.call('pages.template_save', {'id': id, 'space': space, 'name': name, 'body': body, 'properties': properties, 'icon': icon})

    def templates(self, *, space: str | None = UNSET) -> List[PageTemplate]:
        """List what pages may begin with: the templates of the org and of the spaces that you see, by name, then those
        that are built in.
        """
        return self._client.call('pages.templates', {'space': space})

    def update(self, *, id: str, title: str | None = UNSET, body: str | None = UNSET, body_doc: str | None = UNSET, icon: str | None = UNSET, cover: str | None = UNSET, labels: List[str] | None = UNSET, properties: Dict[str, Any] | None = UNSET, owner: str | None = UNSET, version: int | None = UNSET, note: str | None = UNSET, draft: bool | None = UNSET) -> Page:
        """Change a page: what is not named stays. Each text is a new version; what one author saves within ten minutes is
        shown as one.

        With `version` a text that was made of an older one is brought together with what others wrote meanwhile, line by
        line; where both changed the same place it is 409 `stale`, with the page as it is in `current` and your text in
        `yours`, and nothing is written. Without it the last word stands, and what stood there is a version. With `draft`
        the text waits beside the published one, and the answer shows it; the other fields change at once.

        For whoever may edit the page (403); it gets another owner from those who may narrow it: its owner and those who
        manage the space. A page that was never published stays a draft.
        """
        return self._client.call('pages.update', {'id': id, 'title': title, 'body': body, 'body_doc': body_doc, 'icon': icon, 'cover': cover, 'labels': labels, 'properties': properties, 'owner': owner, 'version': version, 'note': note, 'draft': draft})

    def verify(self, *, id: str, days: int | None = UNSET) -> Page:
        """Say that a page is right as it stands, for so many days. Then its owner is told to look at it again.

        What is changed meanwhile leaves that as it is: a slip of the pen costs no check. For whoever may edit it (403); a
        page that was never published has nothing to be checked (409).
        """
        return self._client.call('pages.verify', {'id': id, 'days': days})

    def version_diff(self, *, id: str, from_: int, to: int | None = UNSET) -> PageDiff:
        """Say how two versions of a page differ, line by line. A version that you may not read is 404."""
        return self._client.call('pages.version_diff', {'id': id, 'from': from_, 'to': to})

    def version_restore(self, *, id: str, version: int) -> Page:
        """Let a page have the title and text of an older version again. That is a new version: what it was stays.

        For whoever may edit it (403). Changes that are not published yet stay beside it.
        """
        return self._client.call('pages.version_restore', {'id': id, 'version': version})

    def versions(self, *, id: str, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedPageVersion:
        """List what a page was, the newest first. What one author saved within ten minutes is one version, its last text.

        Versions that were not published are for those who may edit the page. Numbers rise and may leave some out.
        """
        return self._client.call('pages.versions', {'id': id, 'cursor': cursor, 'limit': limit})

    def views(self, *, id: str, days: int | None = UNSET) -> PageViews:
        """Say how often a page was opened, by people in the web app: each counts once a day, drafts and agents do not.

        What was opened a moment ago is counted within a minute or two. 90 days are kept.
        """
        return self._client.call('pages.views', {'id': id, 'days': days})

    def watch(self, *, id: str, on: bool, children: bool | None = UNSET) -> Watching:
        """Watch a page, or watch it no longer: you are told when its text is published, and what is said on it.

        Nobody else is told of it. A page is watched by 1,000 people (409). Twice is no change.
        """
        return self._client.call('pages.watch', {'id': id, 'on': on, 'children': children})


class PresenceModule(Module):
    """Presence: who looks at what right now, or writes on it. Nothing of it is stored."""

    def beat(self, *, subject: str, state: Literal['viewing', 'editing', 'replying', 'left'], cursor: Dict[str, Any] | None = UNSET, window: str | None = UNSET) -> PresencePeople:
        """Say that you look at a thing, or write on it, and hear who else does.

        Say it again each 15 seconds or so, and when it changes: 30 seconds after the last time you are gone. The stream
        tells it as `presence` to those who see the thing, and to guests of those whom they may know. It is in no log and
        in no file. You are in 40 places at most; another takes the place of the one that you told of longest ago.
        """
        return self._client.call('presence.beat', {'subject': subject, 'state': state, 'cursor': cursor, 'window': window})

    def list(self, *, subjects: List[str]) -> List[PresentOn]:
        """See who looks at things right now, or writes on them. What is not there, or not for you, is left out."""
        return self._client.call('presence.list', {'subjects': subjects})


class ProjectsModule(Module):
    """Projects: where issues live, under one key, with their people, types and settings."""

    def archive(self, *, key: str, on: bool) -> Project:
        """Put a project aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.

        For its leads and admins. Its issues stay as they are.
        """
        return self._client.call('projects.archive', {'key': key, 'on': on})

    def copy(self, *, key: str, new_key: str, name: str, with_: List[Literal['members', 'boards', 'views', 'rules', 'templates', 'milestones', 'issues']] | None = UNSET) -> Started:
        """Make a project like another one, which you lead; answers the job that copies what takes longer.

        Types, settings, labels, components and layouts are the same, and so is a shared view that it opens with, not one
        on the project, which stays there; with `templates` its issue templates, with
        `boards` its boards, whose conditions say of the copy what they said of the project, with `members` its people.
        With `issues` the job copies those that you see and that are not archived, parents first, each in the start lane
        and reported by you, 10,000 at most (422); its result names those that could not be made in `skipped`, with the
        reason. Taking it back sends the new project to the trash.
        """
        return self._client.call('projects.copy', {'key': key, 'new_key': new_key, 'name': name, 'with': with_})

    def create(self, *, key: str, name: str, template: int | None = UNSET, description: str | None = UNSET, lead: str | None = UNSET, visibility: Literal['org', 'members', 'private'] | None = UNSET, kind: Literal['software', 'business', 'desk', 'personal'] | None = UNSET, modules: List[str] | None = UNSET) -> Project:
        """Make a project; you lead it.

        `visibility` is `org` unless given: every member works in it. `kind` is `software` unless given and decides the
        types; a `personal` project is always private and its owner's alone. A key that is or was in use is 409.
        """
        return self._client.call('projects.create', {'key': key, 'name': name, 'template': template, 'description': description, 'lead': lead, 'visibility': visibility, 'kind': kind, 'modules': modules})

    def delete(self, *, key: str, confirm_key: str) -> InTrash:
        """Put a project with all its issues into the trash; trash.restore brings it back as it was.

        For admins who lead it: everybody's but private projects. Its key stays taken. An archived one can be deleted.
        """
        return self._client.call('projects.delete', {'key': key, 'confirm_key': confirm_key})

    def get(self, *, key: str) -> Project:
        """Look at a project, by its key or a former one.

        Of a private project that is not theirs, admins see key, name and people.
        """
        return self._client.call('projects.get', {'key': key})

    def health(self, *, key: str) -> ProjectHealth:
        """Look at how a project stands: open, done, late, blocked, unassigned and stale issues, and what was said last."""
        return self._client.call('projects.health', {'key': key})

    def key_change(self, *, key: str, new_key: str) -> Project:
        """Give a project another key. Its issues are called by the new one; the old keys keep working everywhere.

        A key that another project has or had is 409; one of its own former keys may come back.
        """
        return self._client.call('projects.key_change', {'key': key, 'new_key': new_key})

    def list(self, *, q: str | None = UNSET, kind: Literal['software', 'business', 'desk', 'personal'] | None = UNSET, archived: bool | None = UNSET, mine: bool | None = UNSET, label: str | None = UNSET) -> List[Project]:
        """List the projects that you see, by name."""
        return self._client.call('projects.list', {'q': q, 'kind': kind, 'archived': archived, 'mine': mine, 'label': label})

    def member_set(self, *, key: str, who: str, role: Literal['lead', 'member', 'reporter', 'viewer', 'none']) -> List[ProjectMember]:
        """Give somebody a role in a project, or take it with `none`. For its leads and admins.

        Admins may so enter a private project, which its leads are told. The last lead who is active stays (409); guests
        and teams that anybody may join cannot lead. Whoever was the project's `lead` and has the role no more is it no
        more either.
        """
        return self._client.call('projects.member_set', {'key': key, 'who': who, 'role': role})

    def members(self, *, key: str) -> List[ProjectMember]:
        """List who has a role in a project, leads first; a team's members stand with `through` naming the team.

        In a project of visibility `org` every member of the org works as well, without standing here.
        """
        return self._client.call('projects.members', {'key': key})

    def status_delete(self, *, id: int) -> List[ProjectStatus]:
        """Take back what was said of a project: whoever said it, its leads and admins. Answers what is left of it."""
        return self._client.call('projects.status_delete', {'id': id})

    def status_draft(self, *, key: str, since: int | None = UNSET) -> StatusDraft:
        """Gather what moved in a project, as a text to begin a status with. Without an AI provider it is the facts alone.

        Counts and keys are of the issues that you see.
        """
        return self._client.call('projects.status_draft', {'key': key, 'since': since})

    def status_post(self, *, key: str, health: Literal['on_track', 'at_risk', 'off_track', 'paused'], body: str, notify: bool | None = UNSET) -> ProjectStatus:
        """Say how a project goes; whoever leads it does. The facts of the moment are kept beside.

        The latest one is the project's `health`.
        """
        return self._client.call('projects.status_post', {'key': key, 'health': health, 'body': body, 'notify': notify})

    def statuses(self, *, key: str | None = UNSET, since: int | None = UNSET) -> List[ProjectStatus]:
        """List what was said of how projects go, the latest first, 200 at most."""
        return self._client.call('projects.statuses', {'key': key, 'since': since})

    def template_delete(self, *, id: int) -> List[ProjectTemplate]:
        """Take a template away; projects made with it stay as they are. Built-in ones stay (409)."""
        return self._client.call('projects.template_delete', {'id': id})

    def template_save(self, *, id: int | None = UNSET, from_: str | None = UNSET, name: str, description: str | None = UNSET, content: ProjectContent | None = UNSET) -> List[ProjectTemplate]:
        """Make a template of a project, or of content that is given; or change one.

        A new one needs `from` or `content` (422). A name is unique without case (409); built-in ones stay (409). What is in
        it is tried when a project is made with it.
        """
        return self._client.call('projects.template_save', {'id': id, 'from': from_, 'name': name, 'description': description, 'content': content})

    def templates(self) -> List[ProjectTemplate]:
        """List the templates of projects, those that came with kbwork first."""
        return self._client.call('projects.templates', {})

    def update(self, *, key: str, name: str | None = UNSET, description: str | None = UNSET, lead: str | None = UNSET, visibility: Literal['org', 'members', 'private'] | None = UNSET, icon: str | None = UNSET, color: str | None = UNSET, default_type: str | None = UNSET, default_assignee: Literal['none', 'lead', 'component', 'rotation'] | None = UNSET, estimate_scale: int | None = UNSET, calendar: int | None = UNSET, budget: BudgetInput | None = UNSET, start_date: str | Literal[''] | None = UNSET, due_date: str | Literal[''] | None = UNSET, labels: List[str] | None = UNSET, modules: Dict[str, bool] | None = UNSET, reporters_see: Literal['own', 'all'] | None = UNSET, blockers: Literal['warn', 'refuse'] | None = UNSET, auto_archive_days: int | None = UNSET, auto_close_days: int | None = UNSET, triage: bool | None = UNSET, default_view: int | None = UNSET) -> Project:
        """Change a project's settings; fields that are not named stay, an empty string clears a text or a day.

        For its leads and admins. A change that changes nothing is no event. A `lead` who has not that role yet gets it,
        which is told as by projects.member_set and likewise for people alone (403); undo leaves them the role. A
        `default_view` that is deleted, or shared no more, is not shown until it is there again.
        """
        return self._client.call('projects.update', {'key': key, 'name': name, 'description': description, 'lead': lead, 'visibility': visibility, 'icon': icon, 'color': color, 'default_type': default_type, 'default_assignee': default_assignee, 'estimate_scale': estimate_scale, 'calendar': calendar, 'budget': budget, 'start_date': start_date, 'due_date': due_date, 'labels': labels, 'modules': modules, 'reporters_see': reporters_see, 'blockers': blockers, 'auto_archive_days': auto_archive_days, 'auto_close_days': auto_close_days, 'triage': triage, 'default_view': default_view})


class SearchModule(Module):
    """Search: one index over what the caller may see, suggestions for the palette, and what was looked at last."""

    def query(self, *, q: str, kinds: List[str] | None = UNSET, project: str | None = UNSET, space: str | None = UNSET, semantic: bool | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> Found:
        """Search issues, pages, comments, files, assets, projects, spaces, people, teams, labels, views, boards and flags.

        Only what you see is found, and what was written by the next call. Case and accents do not matter; all words must
        occur, the last one as a beginning. An issue whose key it is comes first; newer things, and yours, come before
        others that fit as well. Where nothing fits, words that are a letter or two away are looked for. What is archived
        or retired with all that is on it, and people who left, are found with `is:archived`.
        """
        return self._client.call('search.query', {'q': q, 'kinds': kinds, 'project': project, 'space': space, 'semantic': semantic, 'cursor': cursor, 'limit': limit})

    def recent(self, *, kinds: List[str] | None = UNSET, limit: int | None = UNSET) -> List[SearchHit]:
        """List the issues that you looked at or changed last, the latest first."""
        return self._client.call('search.recent', {'kinds': kinds, 'limit': limit})

    def reindex(self, *, kinds: List[str] | None = UNSET) -> Started:
        """Make the index anew from what is there; answers the job that does. Search goes on meanwhile."""
        return self._client.call('search.reindex', {'kinds': kinds})

    def suggest(self, *, q: str, context: str | None = UNSET, limit: int | None = UNSET) -> List[Suggestion]:
        """Suggest what somebody may mean: an issue by key, then titles, projects, people and operations by name.

        The last word may be the beginning of one. Only what you see is suggested, and operations that your scopes allow.
        """
        return self._client.call('search.suggest', {'q': q, 'context': context, 'limit': limit})


class SpacesModule(Module):
    """Spaces: trees of pages under one key, with who may see and change them."""

    def archive(self, *, key: str, on: bool) -> Space:
        """Put a space aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.

        For whoever manages it (403). Its pages stay as they are.
        """
        return self._client.call('spaces.archive', {'key': key, 'on': on})

    def delete(self, *, key: str, confirm_key: str) -> InTrash:
        """Put a space with all its pages into the trash; trash.restore brings it back as it was. Its key stays taken.

        For admins who manage it: everybody's but personal spaces, and those of private projects that they do not lead. An
        archived one can be deleted.
        """
        return self._client.call('spaces.delete', {'key': key, 'confirm_key': confirm_key})

    def get(self, *, key: str) -> Space:
        """Look at a space, by its key in any case."""
        return self._client.call('spaces.get', {'key': key})

    def list(self, *, q: str | None = UNSET, kind: Literal['team', 'project', 'personal', 'kb'] | None = UNSET, archived: bool | None = UNSET) -> List[Space]:
        """List the spaces that you see, by name."""
        return self._client.call('spaces.list', {'q': q, 'kind': kind, 'archived': archived})

    def save(self, *, key: str, name: str, kind: Literal['team', 'project', 'personal', 'kb'] | None = UNSET, description: str | None = UNSET, icon: str | None = UNSET, project: str | None = UNSET, visibility: Literal['org', 'members', 'public'] | None = UNSET, home: str | None = UNSET, review_days: int | None = UNSET) -> Space:
        """Make a space, or change one: fields that are not named stay, null clears `home` and `review_days`.

        You manage a space that you make. One of kind `project` needs a `project` and follows its people: its leads manage
        it, members edit, reporters comment, viewers read. A `personal` one is its owner's alone, admins see nothing of it.
        The kind is decided when it is made, but that `team` and `kb` may follow each other (422). Changing a space is for
        whoever manages it (403). A key that is or was in use, where you see no space, is 409.
        """
        return self._client.call('spaces.save', {'key': key, 'name': name, 'kind': kind, 'description': description, 'icon': icon, 'project': project, 'visibility': visibility, 'home': home, 'review_days': review_days})

    def stale(self, *, key: str, days: int | None = UNSET) -> List[PageSummary]:
        """List the published pages of a space that nobody changed for so many days, nobody opened for as long, or whose
        check is over, those that were changed longest ago first.

        A page that counts as checked is not listed for its age, but where nobody opens it. Archived pages are left out;
        500 at most are answered.
        """
        return self._client.call('spaces.stale', {'key': key, 'days': days})

    def tree(self, *, key: str, parent: str | None = UNSET, depth: int | None = UNSET) -> List[TreeNode]:
        """List the pages of a space as they stand below each other, those at the top or below one page.

        Archived pages are left out. What stands below a page that you do not see is not shown either. 2,000 pages at most
        are answered: those of the upper levels before those below them.
        """
        return self._client.call('spaces.tree', {'key': key, 'parent': parent, 'depth': depth})


class SprintsModule(Module):
    """Sprints: what a team or some projects want to get done in some weeks, and what came of it."""

    def add(self, *, id: int, keys: List[str], keep_old: bool | None = UNSET) -> Sprint:
        """Put issues into a planned or active sprint; each leaves the one that it was in. All go in or none.

        You keep the sprint and may change each issue (403); they are of its projects (422). What comes into an active one
        or leaves it is told as a change of its scope. A sprint holds 1,000 issues at most (409).
        """
        return self._client.call('sprints.add', {'id': id, 'keys': keys, 'keep_old': keep_old})

    def cadence_set(self, *, team: int | None = UNSET, project: str | None = UNSET, weeks: int, starts_on: int, ahead: int | None = UNSET, auto_start: bool | None = UNSET, auto_complete: bool | None = UNSET, carry: Literal['next', 'backlog'] | None = UNSET) -> List[Sprint]:
        """Have sprints of a team or a project made by themselves; answers the planned ones.

        Each begins on the day of the week behind the last one, and is called as that with the next number. Days are those
        of the org's zone. Leads of the team set it, or members and leads of the project (403). What is not given is as it
        was, or as said there. One whose sprint cannot start since another is active waits for that.
        """
        return self._client.call('sprints.cadence_set', {'team': team, 'project': project, 'weeks': weeks, 'starts_on': starts_on, 'ahead': ahead, 'auto_start': auto_start, 'auto_complete': auto_complete, 'carry': carry})

    def capacity_set(self, *, id: int, capacity: Dict[str, float]) -> Sprint:
        """Set how much each can do in a sprint, the whole list: active members, 200 at most (422).

        Whoever keeps the sprint sets it (403).
        """
        return self._client.call('sprints.capacity_set', {'id': id, 'capacity': capacity})

    def complete(self, *, id: int, unfinished: Literal['next', 'backlog', 'sprint'], sprint: int | None = UNSET, note: str | None = UNSET) -> SprintReport:
        """Complete an active sprint and answer what came of it. All its unfinished issues go on, seen by you or not.

        What is done stays in it; what goes on has it among its `past_sprints`. Without a planned sprint `next` is 409. One
        that is not active is 409.
        """
        return self._client.call('sprints.complete', {'id': id, 'unfinished': unfinished, 'sprint': sprint, 'note': note})

    def create(self, *, name: str, projects: List[str] | None = UNSET, team: int | None = UNSET, goal: str | None = UNSET, start_date: str | None = UNSET, end_date: str | None = UNSET) -> Sprint:
        """Make a planned sprint of one or more projects, of a team, or of both.

        Members and leads of all the projects named make one, and leads of the team; it is not of archived projects (409).
        One that names neither projects nor team is 422, as is an end before the start. 100 planned or active sprints of
        one project or team are the most (409).
        """
        return self._client.call('sprints.create', {'name': name, 'projects': projects, 'team': team, 'goal': goal, 'start_date': start_date, 'end_date': end_date})

    def delete(self, *, id: int) -> List[Sprint]:
        """Delete a sprint; answers those left. Its issues go back to the backlog; undo brings it back with them.

        Members and leads of one of its projects do, and leads of its team (403).
        """
        return self._client.call('sprints.delete', {'id': id})

    def get(self, *, id: int) -> Sprint:
        """Look at a sprint, with counts of the issues that you see. `issues.list` with `sprint` lists them."""
        return self._client.call('sprints.get', {'id': id})

    def list(self, *, project: str | None = UNSET, team: int | None = UNSET, state: Literal['planned', 'active', 'done'] | None = UNSET) -> List[Sprint]:
        """List sprints: the active ones, then the planned ones by their days, then the latest done.

        Counts are of the issues that you see.
        """
        return self._client.call('sprints.list', {'project': project, 'team': team, 'state': state})

    def plan(self, *, id: int) -> SprintPlan:
        """Look at what to plan a sprint by: its backlog by rank, each one's load and capacity, and what fits in.

        The suggestion fills up to what the last three done sprints of the team or projects got done on average, less what
        is in it already: by estimates, or by numbers of issues where nothing is estimated. It is empty without a done one.
        All is of the issues that you see. A sprint of a team alone has what its members are assigned as its backlog.
        """
        return self._client.call('sprints.plan', {'id': id})

    def remove(self, *, id: int, keys: List[str]) -> Sprint:
        """Take issues out of a sprint; those that are not in it are left as they are. They are in no sprint then.

        You keep the sprint and may change each issue (403). What leaves an active one is told as a change of its scope.
        """
        return self._client.call('sprints.remove', {'id': id, 'keys': keys})

    def reopen(self, *, id: int) -> Sprint:
        """Open a done sprint anew: the latest of its team, or of its projects, in the 14 days after it was completed.

        Unfinished issues come back from where completing it put them, if they are still there. While another one of the
        team is active it is 409.
        """
        return self._client.call('sprints.reopen', {'id': id})

    def report(self, *, id: int) -> SprintReport:
        """Tell how a sprint goes, or what came of it: what got done, what came in and went out, and how it stood each day.

        It is what `sprints.complete` answers. Of a planned one there are no days yet.
        """
        return self._client.call('sprints.report', {'id': id})

    def start(self, *, id: int, start_date: str | None = UNSET, end_date: str | None = UNSET, goal: str | None = UNSET) -> Sprint:
        """Start a planned sprint: what is in it now, and how it is estimated, is its plan, and what comes later is scope.

        It needs a last day (422). One of the team is active at a time, and of sprints without a team one in a project: the
        other is named in the 409. So is that it was started or completed already.
        """
        return self._client.call('sprints.start', {'id': id, 'start_date': start_date, 'end_date': end_date, 'goal': goal})

    def update(self, *, id: int, name: str | None = UNSET, goal: str | None = UNSET, start_date: str | None = UNSET, end_date: str | None = UNSET, retro: str | None = UNSET) -> Sprint:
        """Change a sprint: fields that are not named stay, and null clears `retro`.

        Members and leads of one of its projects do, and leads of its team (403). A change that changes nothing is no event.
        """
        return self._client.call('sprints.update', {'id': id, 'name': name, 'goal': goal, 'start_date': start_date, 'end_date': end_date, 'retro': retro})


class StarsModule(Module):
    """Stars: what somebody wants at hand, in an order and folders of their own."""

    def list(self) -> List[Star]:
        """List what you starred, in your order.

        What you do not see any more is left out, and comes back to its place when you see it again. Keys and agents are
        answered their owner's stars, as far as they see what these are on.
        """
        return self._client.call('stars.list', {})

    def reorder(self, *, ids: List[int], folder: str | None = UNSET) -> List[Star]:
        """Put stars in order, or into a folder. Answers all that you starred.

        One that is not yours, or on what you do not see, is 404. An id that comes twice counts where it comes first.
        """
        return self._client.call('stars.reorder', {'ids': ids, 'folder': folder})

    def set(self, *, subject: str, on: bool, folder: str | None = UNSET, label: str | None = UNSET) -> List[Star]:
        """Star a thing, or take the star away. Answers all that you starred.

        A new one comes last. On one that is starred already `folder` and `label` change where they are given. Nobody is
        told. You have 500 stars at most (409); before that is said, those make room whose things you do not see any more.
        """
        return self._client.call('stars.set', {'subject': subject, 'on': on, 'folder': folder, 'label': label})


class SubjectsModule(Module):
    """Names for subjects of any kind."""

    def resolve(self, *, refs: List[str]) -> List[Resolved]:
        """Say what references stand for, in their order. What is not there and what you may not see are the same."""
        return self._client.call('subjects.resolve', {'refs': refs})

    def unfurl(self, *, url: str) -> Unfurled:
        """Say what a page elsewhere calls itself: title, text, picture and site, from its own description.

        It is read without cookies, its first 64 KB, within five seconds. An address that is none, has a name or password
        in it, or spells out one of a private network is 422. A page that cannot be read says nothing: all is null, and
        the answer does not tell why. A picture's address is where the page says it is; it was not looked at.
        """
        return self._client.call('subjects.unfurl', {'url': url})


class SyncModule(Module):
    """Sync: what a client needs that keeps things of its own, and goes on by what changed."""

    def delta(self, *, since: int, access: int | None = UNSET, parts: List[str] | None = UNSET, etags: List[str] | None = UNSET, scopes: SyncScopes = UNSET) -> SyncDelta:
        """Take what changed since a snapshot or a delta: what is there as it is now, and what is gone.

        Small kinds come whole, but for those whose present etag you send. What you may no longer see is gone, like what was
        deleted or left the scopes. `reset` tells you to take a new snapshot (its `etags` spare what you have): `since` is
        older than the events that are kept, all things of a kind changed, or you see other projects than before.
        """
        return self._client.call('sync.delta', {'since': since, 'access': access, 'parts': parts, 'etags': etags, 'scopes': scopes})

    def push(self, *, client: str, writes: List[PushedWrite]) -> Pushed:
        """Do up to 200 writes that waited, in order: each stands or falls alone, unlike in api.batch.

        Each needs its own scope and right. An `id` that was done is not done again for 14 days, so send what got no answer
        again as it is. Where somebody else changed the same field behind `base_seq`, nothing is written and the result is a
        `conflict`: show both, and send what the person decides with a new `base_seq`. Lists conflict only where one side
        takes away what the other added. Reads, batches and what answers a job or waits for the outside are refused.
        """
        return self._client.call('sync.push', {'client': client, 'writes': writes})

    def snapshot(self, *, scopes: SyncScopes = UNSET, parts: List[str] | None = UNSET, etags: List[str] | None = UNSET, cursor: str | None = UNSET) -> SyncSnapshot:
        """Take all that a client keeps: small kinds whole, issues by project and without their texts, the open ones first.

        Go on with `cursor` while there is a `next`, and then with sync.delta from `seq` on. Kinds for which you lack the
        scope, and those of modules that are off, are left out. 409 `stale`: what you see changed between two pages.
        """
        return self._client.call('sync.snapshot', {'scopes': scopes, 'parts': parts, 'etags': etags, 'cursor': cursor})


class TeamsModule(Module):
    """Teams: groups of members with leads, and who of them is on call."""

    def delete(self, *, id: int, move_to: int | None = UNSET) -> List[Team]:
        """Take a team away, with its rota. For admins. Answers the teams that are left.

        One that has a role in projects, or teams below it, needs `move_to` (409 `in-use` with `uses`). One that issues or
        approvals name cannot go before they name another (409). The admins' team and managed ones stay (409).
        """
        return self._client.call('teams.delete', {'id': id, 'move_to': move_to})

    def get(self, *, id: int) -> Team:
        """Look at one team. A team that you may not see is 404."""
        return self._client.call('teams.get', {'id': id})

    def list(self, *, q: str | None = UNSET, mine: bool | None = UNSET) -> List[Team]:
        """List teams: the admins, who always exist, and then the others by name.

        Guests see their own teams and those of their projects, with the people whom they see.
        """
        return self._client.call('teams.list', {'q': q, 'mine': mine})

    def member_set(self, *, id: int, who: str, role: Literal['lead', 'member', 'none']) -> Team:
        """Put somebody into a team, or take them out with `none`. For its leads and admins.

        In an open team members come and go by themselves. Guests may be members, not leads (422); only active people
        come in (422). The last lead may go: then admins manage it. Who is in has the team's roles at once.
        """
        return self._client.call('teams.member_set', {'id': id, 'who': who, 'role': role})

    def on_call(self, *, team: int | None = UNSET, at: int | None = UNSET) -> List[OnCall]:
        """Say who is on call at a moment, by team and level, and until when (at most 53 weeks are looked ahead).

        A level with nobody at that moment, such as outside its hours, is left out.
        """
        return self._client.call('teams.on_call', {'team': team, 'at': at})

    def rota(self, *, id: int, from_: str, to: str) -> Rota:
        """Look at a team's rota with the shifts of some days (of the rota's zone). Without a rota: no levels, no shifts."""
        return self._client.call('teams.rota', {'id': id, 'from': from_, 'to': to})

    def rota_override(self, *, id: int, member: str, from_: int, to: int, level: int | None = UNSET) -> Rota:
        """Let somebody stand in for a time. For the team's leads and admins; its members may take a shift on themselves.

        Where two overlap, the later call wins. A level that the rota does not have, somebody who is no active member of
        the team, and times that do not fit are 422. Answers the rota with the shifts of that time.
        """
        return self._client.call('teams.rota_override', {'id': id, 'member': member, 'from': from_, 'to': to, 'level': level})

    def rota_save(self, *, id: int, levels: List[LevelInput], zone: str, escalate_minutes: int | None = UNSET) -> Rota:
        """Set a team's rota as a whole. For its leads and admins. Answers it with the shifts of the next four weeks.

        The turn of the first of each level began with the last handover before now. Times are those of the zone, also
        where the clock changes. People who are not active members of the team are 422; who leaves later is passed over.
        """
        return self._client.call('teams.rota_save', {'id': id, 'levels': levels, 'zone': zone, 'escalate_minutes': escalate_minutes})

    def save(self, *, id: int | None = UNSET, name: str, handle: str | None = UNSET, description: str | None = UNSET, parent: int | None = UNSET, icon: str | None = UNSET, open: bool | None = UNSET, calendar: int | None = UNSET) -> Team:
        """Make a team, which you lead then, or change one that you lead: fields that are not named stay.

        Admins change all. Names and handles are unique without case (409). A parent needs its lead or an admin (403) and
        no circle (422). A team that has more than the role viewer in a project, or approves moves, cannot be opened
        (409). The admins' team and those that the directory keeps cannot be changed (409).
        """
        return self._client.call('teams.save', {'id': id, 'name': name, 'handle': handle, 'description': description, 'parent': parent, 'icon': icon, 'open': open, 'calendar': calendar})


class TqlModule(Module):
    """The query language over the data: names found, texts run, checked, completed, explained and translated."""

    def check(self, *, tql: str, from_: str | None = UNSET) -> TqlChecked:
        """Say whether a text can be run, what is wrong with it, and how it is written in its tidy form.

        Up to five errors are told, each with its place and what to write instead. A source whose scope is missing is 403.
        """
        return self._client.call('tql.check', {'tql': tql, 'from': from_})

    def complete(self, *, tql: str, cursor: int, project: str | None = UNSET) -> List[TqlCompletion]:
        """Propose what may stand at the cursor: fields, operators, names that you see, functions, clauses; 50 at most.

        `insert` goes in place of the characters between `from` and `to`.
        """
        return self._client.call('tql.complete', {'tql': tql, 'cursor': cursor, 'project': project})

    def count(self, *, tql: str) -> TqlCount:
        """Count the rows that `tql.run` would find; groups where the text groups."""
        return self._client.call('tql.count', {'tql': tql})

    def explain(self, *, tql: str, key: str | None = UNSET) -> TqlExplained:
        """Explain a text: what it means, and for each of its conditions the index and how many rows it leaves by itself.

        `rows` counts what you see, to 10,000; null where a condition alone takes too long. With `key`, `matched` says of
        each condition whether it holds for that issue; one that you do not see is 404. Admins are told the SQL, too.
        """
        return self._client.call('tql.explain', {'tql': tql, 'key': key})

    def fields(self, *, from_: str | None = UNSET, project: str | None = UNSET) -> List[TqlField]:
        """List the fields of a source with their operators and the functions that give values for them.

        `values` are the names that you may write, the most used first, fifty at most; aliases are fields of their own.
        """
        return self._client.call('tql.fields', {'from': from_, 'project': project})

    def run(self, *, tql: str, fields: List[str] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> TqlResult:
        """Find issues, comments, files, assets, projects or members by a text of the query language.

        Rows hold what you see. Archived issues, and those of archived projects, are left out unless the text speaks of
        `archived`, `archived_at` or keys; naming a project brings in its issues though it is archived. Sorted as the text
        says; else, where it asks for words alone, the best fit first (up to 2,000 hits); else by rank inside one project,
        else the latest change first. Ties break by id.

        Assets have the fields of their types by key or name; where types have one of several kinds, write `LAP.note`. The
        retired ones are `archived`, and are among the rows. A computed field of issues is named as any other; one whose
        formula names what you do not see, or that leads back to itself, is 422 `tql-name`. A text leads to 20 formulas.

        A text that cannot be read is 422 `tql-syntax`, one that names what you do not see or what does not fit 422
        `tql-name`, both with `errors`. Each source needs its read scope beside `search:read` (403). What takes longer than
        three seconds is 422 `tql-too-slow`, naming the costly part. `ms` is told in steps of 100, so that an answer which
        did not change keeps its ETag. `notices` tell of names that changed since.
        """
        return self._client.call('tql.run', {'tql': tql, 'fields': fields, 'cursor': cursor, 'limit': limit})

    def translate(self, *, text: str, language: Literal['jql', 'youtrack', 'github', 'plain']) -> TqlTranslated:
        """Translate a text of Jira, YouTrack or GitHub. Names stay as they are: `tql.check` says which are not here.

        `notes` tell what could not be carried over. Plain words without an AI provider are 403 `ai-off`; a text that
        cannot be read even so is 422 `tql-syntax`.
        """
        return self._client.call('tql.translate', {'text': text, 'language': language})


class TrashModule(Module):
    """The trash: what was deleted and can come back, until it is purged."""

    def empty(self, *, kinds: List[str] | None = UNSET, before: int | None = UNSET) -> Started:
        """Purge all that trash.list shows you, or some kinds of it; answers the job that does.

        What others deleted where you see nothing, such as in a private project, stays until its time: it is theirs.
        """
        return self._client.call('trash.empty', {'kinds': kinds, 'before': before})

    def list(self, *, kind: str | None = UNSET, project: str | None = UNSET, space: str | None = UNSET, by: str | None = UNSET, q: str | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedTrashEntry:
        """List what was deleted and you may bring back, the latest first.

        What lies there for `trash_days` of the org's settings is purged; `purge_at` says when.
        """
        return self._client.call('trash.list', {'kind': kind, 'project': project, 'space': space, 'by': by, 'q': q, 'cursor': cursor, 'limit': limit})

    def purge(self, *, ids: List[int]) -> PurgedCount:
        """Remove things for good: their rows, what hangs on them, their history and what events say of them.

        The events themselves stay, with empty payloads. What cannot be brought back by you either is 404. All of it leaves
        the trash at once; what is much, such as a project, goes in steps behind that.
        """
        return self._client.call('trash.purge', {'ids': ids})

    def restore(self, *, ids: List[int], parent: str | None = UNSET) -> Restored:
        """Bring things back to where they were, with their keys and what went with them. Each stands for itself.

        Whoever could delete a thing may bring it back, with a key that has the scope for deleting it. Where its parent or
        place is gone it stays in the trash, with the reason, unless `parent` names another. A name that was taken since
        gets a number.
        """
        return self._client.call('trash.restore', {'ids': ids, 'parent': parent})


class TypesModule(Module):
    """Issue types: name, icon and level in the hierarchy."""

    def delete(self, *, key: str, move_to: str | None = UNSET) -> List[IssueType]:
        """Take an issue type away. Answers those that are left.

        One that issues, templates or fields of it alone name, or that is the only one of a project, needs `move_to` (409
        `in-use`; `uses` are those that you see): the other type takes its place in projects, and its issues become of that
        one with history. Parents and children must fit the other level (409). A lane that the workflow there does not have
        becomes its first one of the same category, else its start; values that the other type does not have go. More than
        200 issues become of the other type by a job, in steps of 200: the type is out of lists and projects at once. Called
        again it goes on with what a cancelled job left.
        """
        return self._client.call('types.delete', {'key': key, 'move_to': move_to})

    def list(self, *, project: str | None = UNSET) -> List[IssueType]:
        """List the issue types, the highest level first; with a project those it has, in its order.

        Guests see the types that their projects use.
        """
        return self._client.call('types.list', {'project': project})

    def projects_set(self, *, project: str, types: List[str], default: str | None = UNSET) -> List[IssueType]:
        """Say which types a project has; for its leads and admins. Taking one off that issues have is 409."""
        return self._client.call('types.projects_set', {'project': project, 'types': types, 'default': default})

    def save(self, *, key: str, name: str, icon: str | None = UNSET, color: str | None = UNSET, level: int | None = UNSET, workflow: int | None = UNSET, description: str | None = UNSET, template: str | None = UNSET) -> List[IssueType]:
        """Make an issue type, or change one: fields that are not named stay. Answers all types.

        A name is unique without case (409), null takes workflow and template off. The level of a type in use changes only
        where every parent and child still fits, its workflow only where that has the lanes in which its issues stand (409;
        workflows.assign says where they go). A draft is no workflow yet, and a template is of the org and the type (422).
        """
        return self._client.call('types.save', {'key': key, 'name': name, 'icon': icon, 'color': color, 'level': level, 'workflow': workflow, 'description': description, 'template': template})


class UndoModule(Module):
    """Undo: taking back what one did in the last 24 hours."""

    def apply(self, *, token: str | None = UNSET, seq: int | None = UNSET, force: bool | None = UNSET, dry_run: bool | None = UNSET) -> Applied:
        """Take back a change of yours, or of your keys and agents, of the last 24 hours.

        It needs the scope of what it takes back. Fields that somebody changed since are 409 with the list in `errors`
        and nothing happens, unless `force` is true. Twice is 409. The undoing is a change itself and can be undone.

        What you may not change now, what is gone, and what would not fit what is there now stays, with the reason in
        `kept`; 409 where nothing is left to take back because of that. Of a change of many hundred things the first are
        set back in this call, and a job goes on with the rest.
        """
        return self._client.call('undo.apply', {'token': token, 'seq': seq, 'force': force, 'dry_run': dry_run})

    def list(self, *, limit: int | None = UNSET, agent: str | None = UNSET) -> List[Undoable]:
        """List what you, your keys and your agents changed in the last 24 hours, newest first."""
        return self._client.call('undo.list', {'limit': limit, 'agent': agent})


class ViewsModule(Module):
    """Views: saved queries with a layout, private, shared or on a project, which may be subscribed to by mail."""

    def copy(self, *, id: int, name: str | None = UNSET) -> View:
        """Copy a view that you see into one of your own: on no project, not shared, with the same query and layout."""
        return self._client.call('views.copy', {'id': id, 'name': name})

    def delete(self, *, id: int) -> List[View]:
        """Put a view into the trash; trash.restore brings it back with those who subscribed to it. Answers those left.

        Who may change it may delete it (403). Nothing of it is mailed meanwhile.
        """
        return self._client.call('views.delete', {'id': id})

    def get(self, *, id: int) -> View:
        """Look at a view; `tql.run` with its `tql`, and its `columns` as `fields`, answers its rows.

        Everybody has the views that they made, that are shared, and that are on a project that they see. A view is its
        text: what somebody else finds with it is what they see themselves. It goes on meaning what it named when it was
        saved: what was renamed is shown with its present name, also where its old name was given to something else, and
        what was deleted finds nothing; `notices` say so. Where it names what the caller does not see, `count` is -1 and
        tql.check says what to write instead.
        """
        return self._client.call('views.get', {'id': id})

    def list(self, *, project: str | None = UNSET, q: str | None = UNSET, mine: bool | None = UNSET) -> List[View]:
        """List the views that you see, by name.

        Counting all of them takes two seconds at most; a count that was not made in that time is -1, and `views.get` makes
        it.
        """
        return self._client.call('views.list', {'project': project, 'q': q, 'mine': mine})

    def save(self, *, id: int | None = UNSET, name: str, tql: str, layout: Literal['list', 'board', 'table', 'calendar', 'timeline'] | None = UNSET, columns: List[str] | None = UNSET, group_by: str | None = UNSET, subgroup_by: str | None = UNSET, sort: str | None = UNSET, project: str | None = UNSET, shared: bool | None = UNSET, icon: str | None = UNSET, external: str | Literal[''] | None = UNSET) -> View:
        """Make a view, or change one: fields that are not named stay, null clears `group_by`, `subgroup_by`, `sort`
        and `project`.

        A text that cannot be asked is 422, with the place in it (`tql-syntax`, `tql-name`), and so is a column, group or
        sort that is no field of its source. Names mean what is called so now, and the view goes on meaning that. Your own
        are yours to change, shared ones also for admins, those on a project for its members and leads (403). Of one that
        others changed meanwhile the last word stands, field by field. An owner has 500 views at most (409). In a batch
        `count` is -1.
        """
        return self._client.call('views.save', {'id': id, 'name': name, 'tql': tql, 'layout': layout, 'columns': columns, 'group_by': group_by, 'subgroup_by': subgroup_by, 'sort': sort, 'project': project, 'shared': shared, 'icon': icon, 'external': external})

    def subscribe(self, *, id: int, every: Literal['off', 'change', 'daily', 'weekly'], at: str | None = UNSET, days: List[int] | None = UNSET, for_: List[str] | None = UNSET) -> List[Subscription]:
        """Have the rows of a view mailed, as each who gets them sees them then. Answers the subscriptions that you may see.

        Everybody subscribes themselves to what they see. Others are subscribed by its owner, by leads of the project that
        it is on, and by admins where it is shared (403); each of them sees it, is active and no guest, and has an address
        (422), and ends it when they like. It ends by itself for whoever leaves or sees the view no more. A time at which
        the server was down is made up for once.

        A server that sends no mail refuses all but `off` (409). One view goes to 200 people at most, and one member gets
        100 (409).
        """
        return self._client.call('views.subscribe', {'id': id, 'every': every, 'at': at, 'days': days, 'for': for_})


class WebhooksModule(Module):
    """Webhooks: events are told to other programs by signed HTTP requests, in order and at least once."""

    def delete(self, *, id: int) -> List[Webhook]:
        """Delete a webhook with its secret and all its deliveries; what waited is not sent. Answers the others."""
        return self._client.call('webhooks.delete', {'id': id})

    def deliveries(self, *, id: int, state: Literal['queued', 'sent', 'failed', 'dropped'] | None = UNSET, cursor: str | None = UNSET, limit: int | None = UNSET) -> PagedDelivery:
        """List what was sent for a webhook and what waits, newest first: the last 1,000 of 30 days, and all that waits.

        Body and answer are shown to who the webhook's author was then, while they may hear of all that is in it; others
        read an empty text and null.
        """
        return self._client.call('webhooks.deliveries', {'id': id, 'state': state, 'cursor': cursor, 'limit': limit})

    def list(self) -> List[Webhook]:
        """List the webhooks by id: what each sends where, and how it fares. Values of headers are not told."""
        return self._client.call('webhooks.list', {})

    def redeliver(self, *, ids: List[int], since: int | None = UNSET) -> Redelivered:
        """Send deliveries again, now and under the ids that they have; one that waits is tried at once.

        With `since` all that the webhooks of these deliveries would be told of the events behind that number is sent again,
        as new deliveries: 1,000 at most, and no further back than 5,000 events (422). `api.changes` reads all there is. A
        delivery that is not there is 404, a webhook that is off 409.
        """
        return self._client.call('webhooks.redeliver', {'ids': ids, 'since': since})

    def rotate_secret(self, *, id: int, keep_hours: int | None = UNSET) -> RotatedSecret:
        """Give a webhook a new secret, which is in the answer and never shown again.

        For `keep_hours` its requests carry two signatures, separated by a comma, so that a receiver may change over when it
        likes. A secret that still signed from an earlier rotation ends now.
        """
        return self._client.call('webhooks.rotate_secret', {'id': id, 'keep_hours': keep_hours})

    def save(self, *, id: int | None = UNSET, name: str, url: str, events: List[str], project: str | None = UNSET, tql: str | None = UNSET, headers: Dict[str, str | None] | None = UNSET, fields: List[str] | None = UNSET, enabled: bool | None = UNSET, batch_seconds: int | None = UNSET) -> SavedWebhook:
        """Make a webhook, or change one; fields that are not named stay. The secret of a new one is shown this once.

        Whoever saves it is its author: it hears what they may hear of, with the scopes of this call, and is switched off
        when they are no admin any more. Saving one that was switched off with `enabled` true switches it on again, for what
        happens from then on. Another host or port in `url` clears the headers, unless they are given anew.

        A kind of event, project or field that is not there is 422 (404 for the project), naming the nearest. An org has 100
        webhooks at most (409).
        """
        return self._client.call('webhooks.save', {'id': id, 'name': name, 'url': url, 'events': events, 'project': project, 'tql': tql, 'headers': headers, 'fields': fields, 'enabled': enabled, 'batch_seconds': batch_seconds})

    def send(self, *, id: int, body: Dict[str, Any]) -> Delivery:
        """Post a body of your own to a webhook's address, beside the events that it hears: a web request, for rules too.

        It goes out when this call stands, signed, with the webhook's headers and `X-Kb-Event: message`; in order with the
        events that wait there, but for the one right before it, and again until it is taken, under one `X-Kb-Delivery`.
        Project and query of the webhook are asked nothing. The body is kept until it was taken. A webhook that is off is
        409, and so is one for which too much waits; a body of more than 512 kB is 422.
        """
        return self._client.call('webhooks.send', {'id': id, 'body': body})

    def test(self, *, id: int, event: str | None = UNSET) -> Delivery:
        """Send a request now and answer what came of it: an event of which nothing is true but its kind.

        It has the sequence number 0, the webhook itself as subject and `test` in its payload, and is signed as any other.
        It is sent once, whether or not the webhook is on; how the webhook fares is not counted by it.
        """
        return self._client.call('webhooks.test', {'id': id, 'event': event})


class WorkflowsModule(Module):
    """Workflows: graphs of lanes and transitions that issues move along."""

    def assign(self, *, id: int, project: str, types: List[str] | None = UNSET, statuses: Dict[str, str] | None = UNSET, dry_run: bool | None = UNSET) -> Assigned:
        """Let the issues of a project, or of some of its types, move along a workflow from now on.

        Lanes that it lacks and that hold issues need an entry in `statuses` (409 naming them); the issues move with
        history. `moved` says for each such lane where they go and how many they are; `warnings` what else is to be known.
        More than 200 issues move by a job, in steps of 200; until then each stands in its old lane, from which only
        transitions from any lane lead on. A draft cannot be assigned (409). With `dry_run` nothing happens.
        """
        return self._client.call('workflows.assign', {'id': id, 'project': project, 'types': types, 'statuses': statuses, 'dry_run': dry_run})

    def copy(self, *, id: int, name: str) -> Workflow:
        """Make a workflow like another one, or like a draft. Nothing moves along it until workflows.assign says so."""
        return self._client.call('workflows.copy', {'id': id, 'name': name})

    def delete(self, *, id: int, move_to: int | None = UNSET) -> List[Workflow]:
        """Take a workflow away, with its draft; or a draft alone. Answers those that are left.

        The one that a new org has stays (409). One that projects or types use needs `move_to` (409 `in-use` with `uses`):
        issues in lanes that the other workflow lacks go to its first lane of the same category, else to its start, with
        history; more than 200 by a job, in steps of 200.
        """
        return self._client.call('workflows.delete', {'id': id, 'move_to': move_to})

    def get(self, *, id: int) -> Workflow:
        """Look at a workflow: its lanes, the transitions between them and who uses it. Drafts are for admins."""
        return self._client.call('workflows.get', {'id': id})

    def list(self, *, project: str | None = UNSET) -> List[Workflow]:
        """List the workflows, those of one project where it is named. Guests see those that their projects use.

        Admins see drafts too, each behind the workflow that it is to become.
        """
        return self._client.call('workflows.list', {'project': project})

    def save(self, *, id: int | None = UNSET, name: str, start: str, lanes: List[str], transitions: List[WorkflowTransition], statuses: Dict[str, str] | None = UNSET, draft: bool | None = UNSET) -> Workflow:
        """Make a workflow, or change one. What it says is the whole: lanes and transitions that are not named go.

        Every lane must be reached from the start, and from each a way must lead to a done lane (422 naming the lane).
        Names are unique without case (409). Lanes that go and hold issues need an entry in `statuses` (409 naming them);
        the issues move with history, more than 200 by a job in steps of 200; saving the same again with `statuses` goes on
        with what a cancelled job left. Keys of transitions are made from their names and stay when a transition is renamed
        by its key.

        `draft` on a workflow in force makes a draft of it, one at most, which has an id of its own and is for admins;
        saving that draft with `draft` false puts it in its place. Conditions (`if`, `check`) are as in automation:
        `{all}`, `{any}`, `{field, op, value}`, `{role}`, `{tql}`; `changed` is for `check`. Operations of `then` run with
        the rights of whoever moves the issue; they must be changes that take nothing away (422).
        """
        return self._client.call('workflows.save', {'id': id, 'name': name, 'start': start, 'lanes': lanes, 'transitions': transitions, 'statuses': statuses, 'draft': draft})

    def simulate(self, *, id: int, key: str | None = UNSET, to_status: str, as_: str | None = UNSET) -> Simulated:
        """Ask whether an issue could go to a lane along a workflow, be it a draft or one that it does not move along.

        Every rule is a step: that a transition leads there, who may go, each condition and check, what is asked for, open
        blockers, who has to agree. Where several transitions lead there the first that is open counts, else the first.
        Admins ask it for somebody else too; what those do not see they cannot move.
        """
        return self._client.call('workflows.simulate', {'id': id, 'key': key, 'to_status': to_status, 'as': as_})

    def stats(self, *, id: int, days: int | None = UNSET) -> List[Road]:
        """Count how often issues went from lane to lane, of those that move along the workflow now and that you see.

        The most used way first. Ways that the workflow has and nobody took are there with 0; so are moves that it has no
        way for, which were made before it was as it is. `median_hours` is how long issues stood in the lane before.
        """
        return self._client.call('workflows.stats', {'id': id, 'days': days})


class Kbwork(ApiClient):
    """A client with one attribute per module and one method per operation."""

    reads = frozenset('access.explain access.grants activity.list activity.recent activity.seen ai.allowed ai.context ai.policy ai.profiles ai.proposals api.changes approvals.list approvals.mine assets.for_issue assets.get assets.list assets.types attachments.expected attachments.get attachments.list auth.device_info auth.grants auth.me auth.passkeys auth.policy auth.sessions automation.catalog automation.list automation.log boards.get boards.list boards.view chat.connections chat.subscriptions checklists.list checklists.templates comments.list components.list desk.customers desk.deflection_stats desk.list desk.queues desk.replies desk.reply_render desk.request_types desk.satisfaction desk.stats desk.suggest_articles desk.waiting_replies drafts.list fields.get fields.layout fields.list flags.change_get flags.changes flags.checks flags.compare flags.environments flags.evaluate flags.get flags.history flags.impact flags.insights flags.kill_switches flags.list flags.plans flags.projects flags.refs flags.schedules flags.segment_get flags.segments flags.settings flags.stale flags.templates flags.traffic flags.triggers invites.list issues.backlinks issues.export_text issues.get issues.graph issues.history issues.links issues.list issues.parse issues.relation_kinds issues.relations issues.revisions issues.similar issues.templates issues.transitions issues.tree issues.voters issues.watchers jobs.get jobs.list keys.list labels.list lanes.list members.chat_accounts members.get members.list members.mentionable members.preferences members.workload notifications.count notifications.list notifications.settings org.get pages.backlinks pages.broken_links pages.children pages.get pages.list pages.sync_pull pages.tasks pages.templates pages.version_diff pages.versions pages.views presence.list projects.get projects.health projects.list projects.members projects.statuses projects.templates search.query search.recent search.suggest spaces.get spaces.list spaces.stale spaces.tree sprints.get sprints.list sprints.plan sprints.report stars.list subjects.resolve sync.delta sync.snapshot teams.get teams.list teams.on_call teams.rota tql.check tql.complete tql.count tql.explain tql.fields tql.run tql.translate trash.list types.list undo.list views.get views.list workflows.get workflows.list workflows.simulate workflows.stats'.split())

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        key_file: str | None = None,
        profile: str | None = None,
        timeout_s: float = 60.0,
    ) -> None:
        super().__init__(url, key, key_file=key_file, profile=profile, timeout_s=timeout_s)
        self.access = AccessModule(self)
        self.activity = ActivityModule(self)
        self.ai = AiModule(self)
        self.analytics = AnalyticsModule(self)
        self.api = ApiModule(self)
        self.approvals = ApprovalsModule(self)
        self.assets = AssetsModule(self)
        self.attachments = AttachmentsModule(self)
        self.audit = AuditModule(self)
        self.auth = AuthModule(self)
        self.automation = AutomationModule(self)
        self.backups = BackupsModule(self)
        self.boards = BoardsModule(self)
        self.chat = ChatModule(self)
        self.checklists = ChecklistsModule(self)
        self.comments = CommentsModule(self)
        self.components = ComponentsModule(self)
        self.desk = DeskModule(self)
        self.drafts = DraftsModule(self)
        self.events = EventsModule(self)
        self.fields = FieldsModule(self)
        self.flags = FlagsModule(self)
        self.imports = ImportsModule(self)
        self.invites = InvitesModule(self)
        self.issues = IssuesModule(self)
        self.jobs = JobsModule(self)
        self.keys = KeysModule(self)
        self.labels = LabelsModule(self)
        self.lanes = LanesModule(self)
        self.mail = MailModule(self)
        self.maintenance = MaintenanceModule(self)
        self.members = MembersModule(self)
        self.notifications = NotificationsModule(self)
        self.org = OrgModule(self)
        self.pages = PagesModule(self)
        self.presence = PresenceModule(self)
        self.projects = ProjectsModule(self)
        self.search = SearchModule(self)
        self.spaces = SpacesModule(self)
        self.sprints = SprintsModule(self)
        self.stars = StarsModule(self)
        self.subjects = SubjectsModule(self)
        self.sync = SyncModule(self)
        self.teams = TeamsModule(self)
        self.tql = TqlModule(self)
        self.trash = TrashModule(self)
        self.types = TypesModule(self)
        self.undo = UndoModule(self)
        self.views = ViewsModule(self)
        self.webhooks = WebhooksModule(self)
        self.workflows = WorkflowsModule(self)


CATALOGUE = r'''
{"version": "0.2.0",
"exit_codes": {"confirm-needed": 2, "idempotency-mismatch": 2, "invalid-input": 2, "invalid-json": 2, "method-not-allowed": 2, "too-large": 2, "tql-name": 2, "tql-syntax": 2, "unauthenticated": 3, "unknown-field": 2, "unsupported-type": 2},
"modules": {
"access": {"about": "Access: rights that are given on one thing, such as a space, to somebody, a team or a role.", "verbs": {
"explain": {"summary": "Say whether somebody may do something with a thing that you see, and what decides it, in the order tested", "doc": "Say whether somebody may do something with a thing that you see, and what decides it, in the order tested.\n\nLooked at are scope and role, whether they see the thing, and what they may do with it. What the input says, and how\nthe thing stands, such as that it is archived, may refuse the call all the same.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What it would be done with, such as `page:12`, `space:HAND` or `WEB-12`."}, {"name": "op", "type": "string", "required": true, "help": "Id of the operation, such as `pages.update`."}, {"name": "who", "type": "string", "nullable": true, "help": "Member; you unless given. Asking about others is for admins."}], "example": {"subject": "space:HAND", "op": "pages.create", "who": "@di"}, "unnamed": true},
"grant_set": {"summary": "Give somebody a right on a space or a page, change it, or take it with `none`", "doc": "Give somebody a right on a space or a page, change it, or take it with `none`. Answers all rights there.\n\nFor its managers and admins (403). A right on a space reaches its pages, one on a page those below it. Everybody of\na role, and a team that anybody may join, can be given `view` and `comment` only; guests never `manage` (422). The\nlast manager of a space stays (409), and a personal space is its owner\u0027s alone (409).", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What the right is on: `space:HAND` or `page:12`."}, {"name": "who", "type": "string", "required": true, "help": "Member, `team:<id>` or `role:<key>`."}, {"name": "level", "type": "string", "required": true, "enum": ["view", "comment", "edit", "manage", "none"], "help": "What they may do there; `none` takes the right away."}, {"name": "expires_at", "type": "int", "nullable": true, "help": "When it ends, in Unix seconds; left out or null: it stays."}], "example": {"subject": "space:HAND", "who": "@di", "level": "edit"}, "answers": "Grant"},
"grants": {"summary": "List who may do what with a space or a page", "doc": "List who may do what with a space or a page: what was given on it, then what comes from what it is in.\n\nWhoever sees the thing reads them. Admins manage what they see, without standing here.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What the rights are on: `space:HAND` or `page:12`."}], "example": {"subject": "space:HAND"}}}},
"activity": {"about": "Activity: what happened to a subject, lately, and since one last looked.", "verbs": {
"list": {"summary": "List the events of a subject that you may hear of, oldest first, the latest 1,000 at most", "doc": "List the events of a subject that you may hear of, oldest first, the latest 1,000 at most.\n\nOf one that was purged, as `issue:<n>`, admins read what is left: kinds, times and actors.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "`issue:WEB-1`, `project:WEB`, `member:<id>` and so on."}, {"name": "since", "type": "int", "nullable": true, "help": "Only events after this sequence number."}], "example": {"subject": "issue:WEB-1"}},
"recent": {"summary": "List the latest events that you may hear of, newest first", "doc": "List the latest events that you may hear of, newest first.", "class": "read", "fields": [{"name": "limit", "type": "int", "nullable": true, "help": "Events to answer; 30 unless given. (1 to 100)"}], "example": {"limit": 10}},
"seen": {"summary": "Count what others did to a subject since you last looked, and in a session remember this look", "doc": "Count what others did to a subject since you last looked, and in a session remember this look.\n\nA key or agent is answered from its owner\u0027s mark and leaves it where it is. The first time all events count.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What you look at, such as `issue:WEB-1`."}], "example": {"subject": "issue:WEB-1"}, "unnamed": true}}},
"ai": {"about": "AI: providers of models, what they may read and use, and answers that become proposals.", "verbs": {
"allowed": {"summary": "Say of each of some subjects, in their order, whether AI may read it", "doc": "Say of each of some subjects, in their order, whether AI may read it. One that you do not see is 404.", "class": "read", "fields": [{"name": "subjects", "type": "string", "required": true, "repeated": true, "help": "What AI would read, such as `issue:WEB-1`."}], "example": {"subjects": ["issue:WEB-1"]}},
"complete": {"summary": "Ask a model by the org\u0027s key, and answer what it says", "doc": "Ask a model by the org\u0027s key, and answer what it says.\n\nChecked in this order: AI is on (403 `ai-off`), provider and model are allowed (422), each subject is there for you\n(404), none is excluded, or quoted in the messages by whole lines (403 `ai-excluded`), tokens are left (429\n`ai-cap`). `max_tokens` are held while it is asked. Where the provider gives no answer that can be used it is 502,\nand costs no tokens.", "class": "write", "fields": [{"name": "feature", "type": "string", "required": true, "help": "What for: usage is grouped by it."}, {"name": "messages", "type": "object", "required": true, "repeated": true, "help": "What was said so far; the first is the user\u0027s."}, {"name": "max_tokens", "type": "int", "nullable": true, "help": "Tokens that the answer has at most; 1024 unless given. (1 to 8192)"}, {"name": "model", "type": "string", "nullable": true, "help": "One of the provider\u0027s models; left out: its default."}, {"name": "provider", "type": "string", "nullable": true, "help": "Id of the provider; left out: the first that is on and has a key."}, {"name": "subjects", "type": "string", "nullable": true, "repeated": true, "help": "What the messages contain: you see each of them, and none is excluded."}, {"name": "system", "type": "string", "nullable": true, "help": "The system text."}], "example": {"feature": "title", "messages": [{"role": "user", "content": "A title for: the cart forgets its vouchers"}], "max_tokens": 60}, "unnamed": true},
"context": {"summary": "Look at what a model would be given of a subject", "doc": "Look at what a model would be given of a subject: what you see of it and may read, without what is excluded.\n\nWhere AI is off it is 403 (`ai-off`), as for a subject that is excluded (`ai-excluded`). The material is bounded:\n`cut` in it says what is missing.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What it is about: `issue:<n>`, or any other subject that search finds."}, {"name": "mode", "type": "string", "nullable": true, "enum": ["summary", "changes", "explain"], "help": "`summary`; `changes`: what happened after `since`; `explain`: rewritten for `profile`."}, {"name": "profile", "type": "string", "nullable": true, "help": "For `explain`: key of a reader profile."}, {"name": "since", "type": "int", "nullable": true, "help": "For `changes`: the sequence number of an event; left out: from the beginning."}], "example": {"subject": "issue:WEB-1", "mode": "summary"}},
"explain": {"summary": "Have a model explain a subject to the reader of a profile", "doc": "Have a model explain a subject to the reader of a profile. Refused as `ai.complete` is.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What to explain: `issue:<n>`, or any other subject that search finds."}, {"name": "profile", "type": "string", "required": true, "help": "Key of the reader profile."}, {"name": "model", "type": "string", "nullable": true, "help": "One of the provider\u0027s models; left out: its default."}, {"name": "provider", "type": "string", "nullable": true, "help": "Id of the provider; left out: the first that is on and has a key."}], "example": {"subject": "issue:WEB-1", "profile": "support"}, "unnamed": true},
"key_revoke": {"summary": "Forget the key of a provider", "doc": "Forget the key of a provider: nothing is asked by it any more. Where there is none nothing happens. For admins.\n\nThe vendor still takes it: revoke it there as well.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider."}], "example": {"id": "local"}, "answers": "AIPolicy", "unnamed": true},
"key_set": {"summary": "Store the key by which the server asks a provider, in the place of the one that is there", "doc": "Store the key by which the server asks a provider, in the place of the one that is there. For admins.", "class": "write", "fields": [{"name": "provider", "type": "string", "required": true, "help": "Id of the provider."}, {"name": "secret", "type": "string", "required": true, "help": "Its API key. It is stored sealed, and never shown again."}, {"name": "label", "type": "string", "nullable": true, "help": "What you call the key."}], "example": {"provider": "local", "secret": "not-a-real-key", "label": "Trial"}, "answers": "AIPolicy", "unnamed": true},
"policy": {"summary": "Look at what AI may do for the org, who offers models, and what was used", "doc": "Look at what AI may do for the org, who offers models, and what was used. Of what is excluded others than admins\nread what they see.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"policy_set": {"summary": "Set what AI may do", "doc": "Set what AI may do. For admins. What is under way when it is switched off comes to its end.\n\nA subject of another form, or one that is not there, is 422. Those that the list holds already may be gone.", "class": "write", "fields": [{"name": "enabled", "type": "bool", "required": true, "help": "Whether AI is on."}, {"name": "browser_keys", "type": "bool", "required": true, "help": "Whether people may use keys of their own, which their browser keeps."}, {"name": "org_keys", "type": "bool", "required": true, "help": "Whether the server may use the stored keys; models that take none it may ask anyway."}, {"name": "excluded", "type": "string", "required": true, "repeated": true, "help": "The whole list of subjects that AI never reads, with all that they contain: `space:<key>`, `project:<key>`, `page:<id>`, `issue:<n>`."}, {"name": "automation_apply", "type": "bool", "nullable": true, "help": "Whether steps of rules that say `apply` change things without review; false unless given."}, {"name": "member_daily_tokens", "type": "int", "nullable": true, "help": "Tokens that one member may use in a UTC day; null: no cap; left out: as it is."}, {"name": "monthly_tokens", "type": "int", "nullable": true, "help": "Tokens that all together may use in a UTC month; null: no cap; left out: as it is."}], "example": {"enabled": true, "browser_keys": false, "org_keys": true, "excluded": ["project:SEC"], "member_daily_tokens": 200000, "monthly_tokens": 5000000}, "answers": "AIPolicy", "unnamed": true},
"profile_delete": {"summary": "Delete a reader profile", "doc": "Delete a reader profile. Answers the others. For admins.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Key of the profile."}], "example": {"id": "support"}, "answers": "ReaderProfile"},
"profile_save": {"summary": "Make a reader profile, or change one", "doc": "Make a reader profile, or change one. For admins. An org has 100 at most (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the profile, lower-case letters, digits and `-`; a new one makes it."}, {"name": "label", "type": "string", "required": true, "help": "What it is called."}, {"name": "instructions", "type": "string", "required": true, "help": "How to write for that reader."}], "example": {"key": "support", "label": "Support", "instructions": "Say what customers notice, and what to tell them. No code."}, "answers": "ReaderProfile"},
"profiles": {"summary": "List the reader profiles by key", "doc": "List the reader profiles by key.", "class": "read", "fields": [], "example": {}},
"proposal_apply": {"summary": "Run the operation of a proposal, as you, and only where whoever asked may do it as well", "doc": "Run the operation of a proposal, as you, and only where whoever asked may do it as well: by a session or a\npersonal key, never as an agent.\n\nWhat refuses you is refused as ever, and the proposal stays. One whose operation does not fit any more becomes\n`failed`, with `error`, and may be applied again. One that was applied or dismissed is 409. What it did is undone by\nitself. Over MCP `confirm` is asked for where the operation takes something away.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the proposal."}], "example": {"id": 1}, "answers": "AIProposal"},
"proposal_dismiss": {"summary": "Dismiss a proposal that is open or failed", "doc": "Dismiss a proposal that is open or failed; another one is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the proposal."}], "example": {"id": 1}, "answers": "AIProposal"},
"proposals": {"summary": "List what models propose about what you see, newest first, 1,000 at most", "doc": "List what models propose about what you see, newest first, 1,000 at most. Nobody has checked the answers.", "class": "read", "fields": [{"name": "state", "type": "string", "nullable": true, "enum": ["open", "applied", "dismissed", "failed"], "help": "Those in this state; `open` unless given."}, {"name": "subject", "type": "string", "nullable": true, "help": "Only those about this, such as `issue:WEB-1`."}], "example": {"state": "open"}},
"provider_delete": {"summary": "Delete a provider with its key", "doc": "Delete a provider with its key. What was used of it stays counted. For admins.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider."}], "example": {"id": "local"}, "answers": "AIPolicy", "unnamed": true},
"provider_models": {"summary": "Ask a provider which models it offers, whether or not it is on", "doc": "Ask a provider which models it offers, whether or not it is on. For admins.\n\nAllowed ones that it lists no more stand behind the others, so that they can be taken out.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider."}], "example": {"id": "local"}, "unnamed": true},
"provider_save": {"summary": "Make a provider, or change one", "doc": "Make a provider, or change one. For admins. Another `base_url` clears its key.\n\nAddresses in private networks are asked where the operator lists host and port in `outbound.allow` alone. An org has\n50 providers at most (409).", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider, lower-case letters, digits and `-`; a new one makes it."}, {"name": "label", "type": "string", "required": true, "help": "What it is called."}, {"name": "kind", "type": "string", "required": true, "enum": ["anthropic", "openai"], "help": "The wire format that it speaks: `anthropic` (messages) or `openai` (chat completions)."}, {"name": "base_url", "type": "string", "required": true, "help": "The address below which it is asked, such as `https://api.example.com/v1`."}, {"name": "default_model", "type": "string", "required": true, "help": "The model that is asked where none is named, one of `models`; empty where there are none yet."}, {"name": "models", "type": "string", "required": true, "repeated": true, "help": "The models that may be picked; `ai.provider_models` says which there are."}, {"name": "enabled", "type": "bool", "required": true, "help": "False: it is not asked."}, {"name": "needs_key", "type": "bool", "required": true, "help": "False for local models that take no key."}, {"name": "browser", "type": "bool", "required": true, "help": "Whether a browser may ask it with the person\u0027s own key."}], "example": {"id": "local", "label": "Our own models", "kind": "openai", "base_url": "http://127.0.0.1:11434/v1", "default_model": "llama3.2", "models": ["llama3.2"], "enabled": true, "needs_key": false, "browser": false}, "answers": "AIPolicy", "unnamed": true},
"run": {"summary": "Have a model do a task about a subject, beside the requests", "doc": "Have a model do a task about a subject, beside the requests. What it answers becomes a proposal, which somebody\napplies or dismisses: nothing that a model says runs by itself.\n\nIt is told what the subject itself says, and its comments without internal notes: others read what it answers.\nRefused as `ai.complete` is. With `apply` it is applied at once, in your name, where the policy has\n`automation_apply`, but never where the operation takes something away. An answer to `classify` that is none of the\noptions fails the job.", "class": "write", "fields": [{"name": "task", "type": "string", "required": true, "enum": ["classify", "summarize", "draft_reply", "prompt"], "help": "`classify` picks one of `options`, `summarize` and `draft_reply` write, `prompt` follows `instructions`."}, {"name": "subject", "type": "string", "required": true, "help": "What it is about: `issue:<n>`, or any other subject that search finds."}, {"name": "apply", "type": "bool", "nullable": true, "help": "Apply it without review, where the org\u0027s policy lets automation do so; else it is proposed."}, {"name": "instructions", "type": "string", "nullable": true, "help": "Guidance for the model; for `prompt` all that is asked."}, {"name": "options", "type": "any", "help": "For `classify`, any JSON: a list of texts, or one text with commas between them."}, {"name": "rule", "type": "string", "nullable": true, "help": "Name of the automation rule that asks, for the record."}, {"name": "then", "type": "object", "nullable": true, "help": "What the answer feeds; left out: a comment on the subject."}], "example": {"task": "classify", "subject": "issue:WEB-1", "options": ["low", "medium", "high"], "then": {"op": "issues.update", "input": {"key": "WEB-1", "priority": "{{answer}}"}}}, "unnamed": true},
"summarize": {"summary": "Have a model summarize a subject, as you see it and without what is excluded", "doc": "Have a model summarize a subject, as you see it and without what is excluded. Refused as `ai.complete` is.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What to summarize: `issue:<n>`, or any other subject that search finds."}, {"name": "mode", "type": "string", "nullable": true, "enum": ["summary", "changes"], "help": "`summary`; `changes`: what happened after `since`."}, {"name": "model", "type": "string", "nullable": true, "help": "One of the provider\u0027s models; left out: its default."}, {"name": "provider", "type": "string", "nullable": true, "help": "Id of the provider; left out: the first that is on and has a key."}, {"name": "since", "type": "int", "nullable": true, "help": "For `changes`: the sequence number of an event; left out: from the beginning."}], "example": {"subject": "issue:WEB-1", "mode": "summary"}, "unnamed": true},
"usage": {"summary": "Count the calls to models and their tokens, by who asked, what for, provider and model", "doc": "Count the calls to models and their tokens, by who asked, what for, provider and model; most tokens first.", "class": "write", "fields": [{"name": "days", "type": "int", "nullable": true, "help": "So many UTC days, today among them; 30 unless given. (1 to 366)"}], "example": {"days": 30}, "unnamed": true}}},
"analytics": {"about": "Analytics: SQL over the events of the org, files of them, and reports that run by themselves. For admins.", "verbs": {
"export": {"summary": "Take the events of some days out as a file, oldest first, with the columns and the events that `analytics.query` reads", "doc": "Take the events of some days out as a file, oldest first, with the columns and the events that `analytics.query`\nreads.\n\nA file holds 200,000 events or 64 MB; where the range has more it is `truncated` at its end.", "class": "write", "fields": [{"name": "format", "type": "string", "required": true, "enum": ["ndjson", "parquet"], "help": "`ndjson` has a JSON object a line; `parquet` is read by programs for data."}, {"name": "from", "type": "string", "required": true, "help": "The first day, in UTC."}, {"name": "to", "type": "string", "required": true, "help": "The last day, which is in it."}], "example": {"format": "ndjson", "from": "2026-11-01", "to": "2026-11-30"}},
"query": {"summary": "Ask the events of the org in SQL", "doc": "Ask the events of the org in SQL: one SELECT over the table `events`, whose payload `json_extract` reads.\n\nIt has all events that anybody is told of, those of projects that you do not see too; what stands in the audit log\nalone is not in it. A query works for 2 seconds at most (422 `query-too-slow`) and answers 1,000 rows or 4 MB,\n`truncated` where there are more. Anything but one SELECT is 422, as is a function that does not only compute.", "class": "write", "fields": [{"name": "sql", "type": "string", "required": true, "help": "One SELECT over `events(seq, kind, subject, actor, actor_kind, via, at, payload)`; `at` is Unix seconds, `payload` JSON."}], "example": {"sql": "select kind, count(*) as number from events group by kind order by number desc"}, "unnamed": true},
"report_delete": {"summary": "Delete a report with what it found", "doc": "Delete a report with what it found. Answers the others.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the report, from `analytics.reports`."}], "example": {"id": 1}},
"report_run": {"summary": "Run a report now, whatever its schedule, and tell its recipients", "doc": "Run a report now, whatever its schedule, and tell its recipients.\n\nWhere its query cannot run, or takes too long, `last_error` says why, what it found before stays, and nobody is\ntold. A report that is changed while it runs is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the report, from `analytics.reports`."}], "example": {"id": 1}},
"report_save": {"summary": "Keep a query as a report, or change one", "doc": "Keep a query as a report, or change one: all that it says, with its recipients.\n\nIt runs by itself for as long as whoever saved it last is an admin, and tells its recipients: admins read the first\nrows in their inbox, others its name. A query that cannot run is 422, as is a recipient who is a guest or not here.\nAn org has 100 reports at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The report to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What it is called. Recipients who are no admins read nothing else."}, {"name": "sql", "type": "string", "required": true, "help": "One SELECT over the table `events`, as `analytics.query` takes it."}, {"name": "every", "type": "string", "required": true, "enum": ["manual", "daily", "weekly", "monthly"], "help": "When it runs by itself: at 08:00 in the org\u0027s zone, `weekly` on Mondays, `monthly` on the first."}, {"name": "recipients", "type": "string", "nullable": true, "repeated": true, "help": "Who is told when it has run: members by id, `me`, `@handle` or address, `team:<id>`, `team:admins`. Left out: nobody of a new one, and of one that is there those who are."}], "example": {"name": "Issues closed each week", "sql": "select strftime(\u0027%Y-%W\u0027, at, \u0027unixepoch\u0027) as week, count(*) as closed from events where kind = \u0027issue.transitioned\u0027 and payload ->> \u0027$.to\u0027 = \u0027done\u0027 group by week", "every": "weekly", "recipients": ["team:admins"]}},
"reports": {"summary": "List the reports by id, each with what it last found", "doc": "List the reports by id, each with what it last found.", "class": "write", "fields": [], "example": {}}}},
"api": {"about": "Several calls in one, and the change feed.", "verbs": {
"batch": {"summary": "Run up to 50 operations in one transaction", "doc": "Run up to 50 operations in one transaction: all commit, or on the first error none do.\n\nEach needs its own scope and right. The error is the failing operation\u0027s own, with its `index` and `op` beside.\nA batch in a batch, and operations that answer a job or wait for the outside, are refused (422).", "class": "write", "fields": [{"name": "ops", "type": "object", "required": true, "repeated": true, "help": "Run in order."}], "example": {"ops": [{"op": "labels.save", "input": {"name": "regression"}}, {"op": "labels.list"}]}, "unnamed": true},
"changes": {"summary": "Read the events after a sequence number", "doc": "Read the events after a sequence number; repeat with `since` = `next` while `more` is true.\n\nA `since` older than what is kept is 409 `stale` with `oldest`: fetch what you need anew and go on from there.", "class": "read", "fields": [{"name": "since", "type": "int", "nullable": true, "help": "A `next`, an `x-kb-seq` or an event\u0027s `seq`; 0 begins at the oldest kept event."}, {"name": "limit", "type": "int", "nullable": true, "help": "Events to scan. (1 to 500)"}], "example": {"since": 0, "limit": 100}, "unnamed": true}}},
"approvals": {"about": "Approvals: people agree before an issue goes a way of its workflow that asks for it.", "verbs": {
"cancel": {"summary": "Take a request back that is pending or approved", "doc": "Take a request back that is pending or approved: whoever asked may, leads of the project and admins.\n\nOne that was decided otherwise is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the request."}], "example": {"id": 1}, "answers": "ApprovalRequest"},
"decide": {"summary": "Approve or reject a request that asks you", "doc": "Approve or reject a request that asks you: by a session or a personal key, never as an agent (403).\n\nOne no rejects it. You may change your vote while it is pending; one that was decided is 409. Your own requests\nyou decide only where the transition allows it. Once enough agree the issue moves at once, with the rights of\nwhoever asked; what stands against that is answered as `blocked`, and they can move it when it is mended.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the request."}, {"name": "approve", "type": "bool", "required": true, "help": "true agrees; one false rejects the request."}, {"name": "note", "type": "string", "nullable": true, "help": "What you say to it."}], "example": {"id": 1, "approve": true, "note": "Looks right"}, "unnamed": true},
"list": {"summary": "List what was asked to be approved of an issue, newest first, the last thousand", "doc": "List what was asked to be approved of an issue, newest first, the last thousand.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"mine": {"summary": "List what you may decide now, oldest first", "doc": "List what you may decide now, oldest first; then what you asked for yourself and is pending or approved.", "class": "read", "fields": [], "example": {}},
"request": {"summary": "Ask those whom a transition names to agree before an issue moves along it", "doc": "Ask those whom a transition names to agree before an issue moves along it. Whoever may move it so may ask.\n\nTeams and fields are asked as the people they stand for now. An issue has one open request for each lane (409). A\nlane that no transition leads to from here, or one that asks nobody, is 422. Editing a field that the transition\nwatches, and moving or deleting the issue, cancels the request.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "to_status", "type": "string", "required": true, "help": "The lane it is to go to, by key or name: a transition that has approvers leads there."}, {"name": "note", "type": "string", "nullable": true, "help": "What those who decide should know."}], "example": {"key": "WEB-5", "to_status": "in_progress", "note": "Tried on the copy"}, "answers": "ApprovalRequest"}}},
"assets": {"about": "Assets: typed records of what the org has, with values, references and the issues that they are about.", "verbs": {
"create": {"summary": "Make an asset", "doc": "Make an asset; its key is that of its type and the next number, and numbers never come again.\n\nValues are held against the fields of the type: each that does not fit or is missing is named (422); a unique one\nthat another asset has is 409, a reference leads to an asset of its type (422).", "class": "write", "fields": [{"name": "name", "type": "string", "required": true, "help": "What people call it."}, {"name": "type", "type": "string", "required": true, "help": "Key of its type."}, {"name": "owner", "type": "string", "nullable": true, "help": "Member who has it, by id, handle or address; left out: nobody."}, {"name": "status", "type": "string", "nullable": true, "enum": ["active", "maintenance", "retired"], "help": "`active` unless given."}, {"name": "values", "type": "object", "nullable": true, "help": "By field key."}], "example": {"name": "Ana\u0027s laptop", "type": "LAP", "values": {"serial": "C02XK0"}}, "answers": "Asset"},
"delete": {"summary": "Take an asset away, from its issues too", "doc": "Take an asset away, from its issues too. One that others refer to is 409 `in-use` with `uses`.\n\nWhat was said on it and its files are seen no more. They come back with it by undo, and go for good when it cannot\ncome back any more, which is after a day.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key or id."}], "example": {"key": "LAP-1"}, "unnamed": true},
"for_issue": {"summary": "List the assets that an issue is about, in the order in which they were linked", "doc": "List the assets that an issue is about, in the order in which they were linked.", "class": "read", "fields": [{"name": "issue", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"issue": "WEB-1"}},
"get": {"summary": "Look at one asset with its values and the issues that you see of those linked to it", "doc": "Look at one asset with its values and the issues that you see of those linked to it.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key or id."}], "example": {"key": "LAP-1"}},
"list": {"summary": "List assets by type and age, 2,000 at most", "doc": "List assets by type and age, 2,000 at most: narrow it where there are more.\n\nA type or an asset that is not there is 422.", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words, each of which stands in the key, the name or a value."}, {"name": "refers_to", "type": "string", "nullable": true, "help": "Assets that have a reference to this one."}, {"name": "status", "type": "string", "nullable": true, "enum": ["active", "maintenance", "retired"], "help": "Only those with this status."}, {"name": "type", "type": "string", "nullable": true, "help": "Key of a type: its assets alone."}], "example": {"type": "LAP", "status": "active"}},
"type_delete": {"summary": "Take a type away", "doc": "Take a type away; answers those that are left.\n\nOne that has assets stays (409 `in-use` with `uses`), and one that a reference of another type leads to (409).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the type, from `assets.types`."}], "example": {"id": 2}, "answers": "AssetType"},
"type_save": {"summary": "Make a type of assets, or change one", "doc": "Make a type of assets, or change one: what is not named stays. Answers all types.\n\nKeys and names are unique without case (409). A field that assets have a value of cannot go (409 `in-use` with\n`uses`); its kind, options and target change only where every value still fits, and it becomes unique only where no\ntwo are the same (409). A field that becomes required binds whoever makes an asset from then on.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The type to change; left out: make one."}, {"name": "key", "type": "string", "nullable": true, "help": "Set when it is made, and the same ever after: `LAP` makes assets `LAP-1`, `LAP-2`."}, {"name": "name", "type": "string", "required": true, "help": "What people call it, unique without case."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon."}, {"name": "position", "type": "number", "nullable": true, "help": "Types are listed by it; a new one comes last."}, {"name": "fields", "type": "object", "nullable": true, "repeated": true, "help": "All of its fields, in order."}], "example": {"key": "MON", "name": "Monitor", "icon": "monitor", "fields": [{"key": "serial", "name": "Serial number", "kind": "text", "required": true, "unique": true}, {"key": "bought", "name": "Bought on", "kind": "date"}]}, "answers": "AssetType"},
"types": {"summary": "List the types of assets in their order, with their fields and how many assets each has", "doc": "List the types of assets in their order, with their fields and how many assets each has.", "class": "read", "fields": [], "example": {}},
"update": {"summary": "Change an asset", "doc": "Change an asset: what is not named stays.\n\n`active` and `maintenance` follow each other freely. A `retired` one becomes `active` again by its owner or an\nadmin (403), and nothing else (409). A required field cannot be cleared (422).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key or id."}, {"name": "name", "type": "string", "nullable": true, "help": "What people call it."}, {"name": "owner", "type": "string", "nullable": true, "help": "A member; an empty text clears it."}, {"name": "status", "type": "string", "nullable": true, "enum": ["active", "maintenance", "retired"], "help": "`active`, in `maintenance`, or `retired`."}, {"name": "values", "type": "object", "nullable": true, "help": "Fields to set; null clears one, the others stay."}], "example": {"key": "LAP-1", "status": "maintenance"}, "answers": "Asset"}}},
"attachments": {"about": "Attachments: files on issues, comments, assets, projects and the org, with their bytes in the data file.", "verbs": {
"add": {"summary": "Hang a file on an issue, a comment, an asset, a project or the org", "doc": "Hang a file on an issue, a comment, an asset, a project or the org. Whoever sees the subject sees it.\n\nIts bytes come as `data`, or by `upload` where it is larger: send it to `/files/upload` first, in pieces where the\nline is bad, and name here what that answered, with `data` empty.\n\nOn an issue whoever may edit it or comment there, on a comment its author, on an asset members, on a project its\nmembers, on the org admins (403); an archived issue or project takes none (409), and neither does a comment on a\nflag (422). A file on an internal note is internal. The content type is told by the bytes and the name. An empty\nfile is one. Above 10 MB of `data`, or 100 MB of an upload, is 413; an upload that is not whole is 409:\nattachments.expect takes it. What is no base64, a name of more than 255 bytes and a file that `allowed_files` of the\norg leaves out are 422. The same bytes are stored once. Search reads texts at once, the first megabyte of a large\none, and PDFs of up to 10 MB a little later. It runs alone, not inside a batch.", "class": "write", "fields": [{"name": "data", "type": "string", "required": true, "bytes": true, "help": "The bytes of the file, at most 10 MB; empty where `upload` names it."}, {"name": "upload", "type": "string", "nullable": true, "help": "Id of a file of at most 100 MB that you sent to `/files/upload`; it is used up."}, {"name": "name", "type": "string", "required": true, "help": "What it is called, at most 255 bytes; folders before it are cut."}, {"name": "subject", "type": "string", "required": true, "help": "What it hangs on: `issue:WEB-1`, `comment:<id>`, `asset:LAP-1`, `project:WEB` or `org:1`."}, {"name": "content_type", "type": "string", "nullable": true, "help": "A hint, where neither the bytes nor the name tell."}], "example": {"subject": "issue:WEB-1", "name": "vouchers.csv", "data": "dm91Y2hlcixkYXkKQS0xLDIwMjYtMTEtMjAK"}, "answers": "Attachment"},
"delete": {"summary": "Put a file into the trash", "doc": "Put a file into the trash; trash.restore brings it back.\n\nWhoever added it, those who may edit what it hangs on, and admins (403). On a comment that is its author and the\nleads of the project. Nothing is taken from an archived issue or project (409).", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the file."}], "example": {"id": "a_0123456789abcdefghijkl"}, "answers": "Attachment"},
"expect": {"summary": "Name files on a subject that you are still sending", "doc": "Name files on a subject that you are still sending; each hangs there by itself as soon as all of it is here.\n\nWhoever sees the subject sees meanwhile what comes and how much of it is here (attachments.expected). Your own\nuploads alone (404), to where you may add files (as with attachments.add), and each to one place (409); what hangs\nthen is judged again, with what you may do at that time. Named there before, it is no change. An upload of more\nthan 100 MB is 413, one with a name that `allowed_files` of the org leaves out is 422. It ends without a file when\nyou take the upload back or use it elsewhere, when it is not here a day after it began, or when you may not add it\nany more; your upload stays yours then, as long as it is kept.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What they are to hang on: `issue:WEB-1`, `comment:<id>`, or whatever else takes files."}, {"name": "uploads", "type": "string", "required": true, "repeated": true, "help": "Ids of files of at most 100 MB each that you send to `/files/upload`, whole or not."}], "example": {"subject": "issue:WEB-1", "uploads": ["u_0123456789abcdefghijkl"]}, "answers": "ExpectedFile"},
"expected": {"summary": "List the files that are on their way to a subject and to what hangs on it, and how much of each is here", "doc": "List the files that are on their way to a subject and to what hangs on it, and how much of each is here.\n\nOldest first, as far as you see what they will hang on. They were named by attachments.expect, comments.create,\ncomments.update or issues.create, and become attachments under the ids that they have here.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What they will hang on, such as `issue:WEB-1`: what hangs there itself, such as its comments, is listed with it."}], "example": {"subject": "issue:WEB-1"}},
"get": {"summary": "Get a file", "doc": "Get a file: its bytes as base64, or with `as_url` a link to them under this server\u0027s address.\n\nA link is for whoever has it, for five minutes, and ends earlier where you lose sight of the file. What is behind it\nis always saved and never shown, so that HTML and SVG do no harm. With `?w=320` behind it, a picture is shown, and\nsmaller. A file of more than 10 MB goes by a link alone (413). Bytes that are not here, since the backup that was\nrestored has none, are 404.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the file."}, {"name": "as_url", "type": "bool", "nullable": true, "help": "Answer a link instead of the bytes; it needs no sign-in and is good for five minutes."}], "example": {"id": "a_0123456789abcdefghijkl"}},
"list": {"summary": "List the files on a subject, oldest first", "doc": "List the files on a subject, oldest first. Those on an issue\u0027s comments are listed with the comment.\n\nA picture stands smaller at `/files/<id>?w=320`, for whoever is signed in and sees it. What is still on its way is\nin attachments.expected.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What they hang on, such as `issue:WEB-1`."}], "example": {"subject": "issue:WEB-1"}}}},
"audit": {"about": "The audit log: every event, and the security acts that stand nowhere else.", "verbs": {
"export": {"summary": "Take the audit log out as text, one JSON entry a line, oldest first", "doc": "Take the audit log out as text, one JSON entry a line, oldest first; at most 50,000 entries.\n\nThey are veiled as in `audit.list`.", "class": "write", "fields": [{"name": "actor", "type": "string", "nullable": true, "help": "A member\u0027s id, `me`, `@handle` or address; `system` or `anonymous`."}, {"name": "actor_kind", "type": "string", "nullable": true, "enum": ["human", "key", "agent", "system", "automation"], "help": "Entries by this sort of actor alone."}, {"name": "from", "type": "int", "nullable": true, "help": "Unix seconds, inclusive."}, {"name": "to", "type": "int", "nullable": true, "help": "Unix seconds, exclusive."}, {"name": "kind", "type": "string", "nullable": true, "help": "A kind of event; a trailing `*` matches a prefix, such as `auth.*`."}, {"name": "q", "type": "string", "nullable": true, "help": "Text anywhere in subject, via or details, as far as you read them."}, {"name": "subject", "type": "string", "nullable": true, "help": "Such as `issue:WEB-1` or `org:1`; of what you do not see as its entries have it, such as `issue:12`."}], "example": {"kind": "key.*"}, "unnamed": true},
"list": {"summary": "List the audit log, newest first", "doc": "List the audit log, newest first: every event, and sign-ins, keys and access beside.\n\nOwners read all. To admins, what happened in a private project or view that they do not see is `veiled`: `details`\nis empty; what, when, by whom and to which subject stays.", "class": "write", "fields": [{"name": "actor", "type": "string", "nullable": true, "help": "A member\u0027s id, `me`, `@handle` or address; `system` or `anonymous`."}, {"name": "actor_kind", "type": "string", "nullable": true, "enum": ["human", "key", "agent", "system", "automation"], "help": "Entries by this sort of actor alone."}, {"name": "from", "type": "int", "nullable": true, "help": "Unix seconds, inclusive."}, {"name": "to", "type": "int", "nullable": true, "help": "Unix seconds, exclusive."}, {"name": "kind", "type": "string", "nullable": true, "help": "A kind of event; a trailing `*` matches a prefix, such as `auth.*`."}, {"name": "q", "type": "string", "nullable": true, "help": "Text anywhere in subject, via or details, as far as you read them."}, {"name": "subject", "type": "string", "nullable": true, "help": "Such as `issue:WEB-1` or `org:1`; of what you do not see as its entries have it, such as `issue:12`."}, {"name": "before", "type": "int", "nullable": true, "help": "The `next_before` of the page above."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"kind": "auth.*", "limit": 20}, "unnamed": true}}},
"auth": {"about": "Signing in, and the caller\u0027s own credentials: sessions, second factor, device codes, grants, the sign-in policy.", "verbs": {
"device_approve": {"summary": "Let a program in, or turn it away", "doc": "Let a program in, or turn it away. Approving makes a personal key of yours, named after the client.\n\nThe key gets what was asked for, as far as you hold it; where nothing was named, all that you read and write.\n`admin` asks for an elevated session (403). Scopes that were not asked for are 422. A code that is wrong, used or\nolder than ten minutes is 404; after five of them in ten minutes it is 429.", "class": "write", "fields": [{"name": "user_code", "type": "string", "required": true, "help": "As the device shows it; dashes and case do not matter."}, {"name": "approve", "type": "bool", "required": true, "help": "false: the program is told that it was denied."}, {"name": "scopes", "type": "string", "nullable": true, "repeated": true, "help": "What to give of what was asked for; left out: all of it that you hold."}], "example": {"user_code": "BCD-FGH-JKL", "approve": true}, "unnamed": true},
"device_info": {"summary": "Look at who asks to be let in with a code, before approving it", "doc": "Look at who asks to be let in with a code, before approving it. `scopes` is what an approval would give.\n\nA code that is wrong, used or older than ten minutes is 404; after five of them in ten minutes it is 429.", "class": "read", "fields": [{"name": "user_code", "type": "string", "required": true, "help": "As the device shows it; dashes and case do not matter."}], "example": {"user_code": "BCD-FGH-JKL"}, "unnamed": true},
"device_poll": {"summary": "Ask whether the code was approved", "doc": "Ask whether the code was approved. The first answer after that holds the key\u0027s secret, no later one does.\n\nAsking faster than `interval` while it is pending answers `slow_down`: wait five seconds longer from then on.\nA code that was never given out, or is long gone, is 404.", "class": "write", "fields": [{"name": "device_code", "type": "string", "required": true, "help": "The secret that `auth.device_start` answered."}], "example": {"device_code": "kbd_from-auth-device-start"}},
"device_start": {"summary": "Begin to sign a program in", "doc": "Begin to sign a program in: show `user_code`, send the person to `verification_path`, and poll.\n\nThe code lives ten minutes. Poll with `device_code` every `interval` seconds. A scope that does not exist is 422.\nWith `admin` the person has to confirm who they are before they approve.", "class": "write", "fields": [{"name": "client", "type": "string", "required": true, "help": "What is shown to the person who approves."}, {"name": "scopes", "type": "string", "nullable": true, "repeated": true, "help": "What the key should hold; left out: what the person\u0027s role reads and writes."}, {"name": "admin", "type": "bool", "help": "Whether it should hold the rights of an admin, too, where the person has them; without `scopes`."}], "example": {"client": "kbwork command line", "scopes": ["issues:read", "issues:write"]}, "unnamed": true},
"elevate": {"summary": "Confirm that it is you, with one of password, code and passkey", "doc": "Confirm that it is you, with one of password, code and passkey: the session is elevated for ten minutes.\n\nA wrong one is 422, and counts as a failed sign-in, with its 429. Whoever has none of them goes to their sign-in\nprovider once more, by auth.oidc_start.", "class": "write", "fields": [{"name": "password", "type": "string", "nullable": true, "help": "Your present password."}, {"name": "code", "type": "string", "nullable": true, "help": "Six digits from the authenticator app, or a recovery code."}, {"name": "passkey", "type": "object", "nullable": true, "help": "A passkey of yours, that signed what `auth.passkey_begin` answered for `purpose` `elevate`."}], "example": {"password": "correct horse battery"}, "unnamed": true},
"grant_revoke": {"summary": "End what a connected client may do", "doc": "End what a connected client may do: its next call is 401. Answers the clients that are left.\n\nA client that is not yours, or was ended already, is 404.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the grant, from `auth.grants`."}], "example": {"id": 1}, "answers": "AppGrant"},
"grants": {"summary": "List the clients that you connected by OAuth, MCP clients included, newest first", "doc": "List the clients that you connected by OAuth, MCP clients included, newest first.\n\n`scopes` is what you gave; a client never does more than your role holds now. `last_used_at` may lag by a minute.", "class": "read", "fields": [], "example": {}},
"link_login": {"summary": "Sign in by a link", "doc": "Sign in by a link. It works once, and others that were asked for end with it; a browser\u0027s session lasts a day.\n\nA second factor in force is asked for as in auth.login: then it is 401 with `challenge` and `methods` beside the\ndetail, for `auth.login_verify` or `auth.passkey_begin`. A link that is used, ended or mistyped, or that the policy\ntakes no more, is 404.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link."}], "example": {"token": "kbl_from-the-link"}},
"link_request": {"summary": "Ask for a link that signs in", "doc": "Ask for a link that signs in. It is mailed in a moment, works once, and lives 30 minutes.\n\nThe answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where\nthe policy has no `link` among its methods. Ten such links are mailed to an address in an hour, three of them asked\nfor from one network address; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address that the link is mailed to."}], "example": {"email": "ana@acme.example"}, "unnamed": true},
"login": {"summary": "Sign in with e-mail and password", "doc": "Sign in with e-mail and password. With a second factor it answers a `challenge` for `auth.login_verify`, or for\n`auth.passkey_begin` where `methods` has `passkey`.\n\nWrong password, unknown address, deactivated, and not allowed by the policy are one 401. After ten failures on\nan account from one address, or fifty from an address, in 15 minutes it is 429 with `Retry-After` from there;\nafter a hundred on an account each address has one. Browsers that this account signed in from before, and not\nout, are counted apart: they bear fifty failures on it together, and neither they nor others lock each other\nout. Where too many sign in at once it is 503 `busy`. The session is elevated for ten minutes. A browser gets it\nas a cookie.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address of the account."}, {"name": "password", "type": "string", "required": true, "help": "Password of the account."}, {"name": "remember", "type": "bool", "nullable": true, "help": "Stay signed in as long as the policy lets you. Without it a browser\u0027s session ends after a day; a program\u0027s only where this is false."}], "example": {"email": "ana@acme.example", "password": "correct horse battery", "remember": true}},
"login_verify": {"summary": "Finish a sign-in with a code", "doc": "Finish a sign-in with a code. A code opens once; a challenge lives ten minutes and bears five wrong codes.\n\nA wrong code and a challenge that ended are one 401; failures count as those of `auth.login`, with its 429.", "class": "write", "fields": [{"name": "challenge", "type": "string", "required": true, "help": "The challenge that `auth.login` answered."}, {"name": "code", "type": "string", "required": true, "help": "Six digits from the authenticator app, or a recovery code."}], "example": {"challenge": "kbl_from-auth-login", "code": "123456"}},
"logout": {"summary": "End the session of this call, and its streams", "doc": "End the session of this call, and its streams. A key is not a session (403): revoke it instead.\n\nA browser is known to your account no longer, and is limited like any other where a sign-in fails.", "class": "write", "fields": [], "example": {}, "unnamed": true},
"me": {"summary": "Who you are", "doc": "Who you are: your profile, role, teams, and the scopes and modules that this call could use.\n\nOf a key these are its own scopes, cut by what your role holds now.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"oidc_finish": {"summary": "Finish a sign-in by a provider, with what it sent the browser back with", "doc": "Finish a sign-in by a provider, with what it sent the browser back with; the page /signin/oidc/ID does it.\n\nThe provider\u0027s token must be signed by one of its keys, for this server, this browser and this question. A member is\nknown by what the provider calls them; at first by a verified address, where it says so. People of `signup_domains`\nbecome members where the provider is set so. A state that is used, ended or of another browser, a token that does\nnot hold, and somebody who may not come in are one 401; a provider that fails is 502. A second factor in force is\nasked for as in auth.link_login: 401 with `challenge`, `methods` and `return_to`, unless the provider says that one\nwas shown and is believed.", "class": "write", "fields": [{"name": "state", "type": "string", "required": true, "help": "`state` of the address that the provider sent the browser back to."}, {"name": "code", "type": "string", "required": true, "help": "`code` of it."}, {"name": "iss", "type": "string", "nullable": true, "help": "`iss` of it, where it has one: the issuer says who it is (RFC 9207)."}, {"name": "provider", "type": "string", "nullable": true, "help": "What stands behind `/signin/oidc/` in it: whoever set out for another provider is refused."}], "example": {"state": "kbl_from-the-provider", "code": "from-the-provider"}},
"oidc_start": {"summary": "Ask where to sign in by a provider", "doc": "Ask where to sign in by a provider. The browser that asked goes to `url`, comes back to this site within ten\nminutes, and is signed in by it; no other browser is, since a cookie binds it.\n\nWhoever is signed in and has no password, code or passkey confirms so that it is them (see auth.elevate). With\n`link` it links the account there; that asks for an elevated session. A provider that is not used is 404; one that\ncannot be reached is 502.", "class": "write", "fields": [{"name": "provider", "type": "string", "required": true, "help": "Id of the provider, as auth.providers lists it."}, {"name": "return_to", "type": "string", "nullable": true, "help": "A path of this site to go on with afterwards; left out: `/`."}, {"name": "link", "type": "bool", "nullable": true, "help": "True links your account there to the one you are signed in with, so that it lets you in from then on."}], "example": {"provider": "acme", "return_to": "/keys"}, "unnamed": true},
"passkey_add": {"summary": "Add a passkey", "doc": "Add a passkey. From then on it signs you in, and signing in with your password asks for it as the second factor.\n\nAsks for an elevated session. The passkey must have verified you (by PIN, finger or face) for this site. A challenge\nthat ended and an answer that does not fit are 422; a name or passkey that is there already, and more than 20, are\n409. A passkey lost is removed by you, or by an admin with auth.totp_disable: have two, or an authenticator app.", "class": "write", "fields": [{"name": "name", "type": "string", "required": true, "help": "What you call it, so that you know it later: 1 to 100 characters, each of your passkeys another."}, {"name": "challenge", "type": "string", "required": true, "help": "The challenge that `auth.passkey_begin` answered."}, {"name": "response", "type": "object", "required": true, "help": "What `navigator.credentials.create` answered, as JSON (`PublicKeyCredential.toJSON`)."}], "example": {"name": "Laptop", "challenge": "kbl_from-passkey-begin", "response": {"type": "public-key"}}, "answers": "Passkey"},
"passkey_begin": {"summary": "Ask for what a browser hands to `navigator.credentials`", "doc": "Ask for what a browser hands to `navigator.credentials`: the `options`, and a `challenge` to send back with the\nanswer, good once and for five minutes.\n\nWithout sign-in it is for signing in by any passkey that the browser has, so that it tells nothing of who has some;\nwith the `challenge` of auth.login it is for the second factor, and 401 where that ended. Signed in it is for adding\na passkey (`auth.passkey_add`; asks for an elevated session), or with `purpose` `elevate` for auth.elevate. Keys\ncannot (403). Where the policy takes no sign-in by a passkey alone it is 403, and 409 where this server goes by an\naddress that browsers have no passkeys for.", "class": "write", "fields": [{"name": "challenge", "type": "string", "nullable": true, "help": "The challenge that a sign-in answered, where a passkey is to be the second factor."}, {"name": "purpose", "type": "string", "nullable": true, "enum": ["sign-in", "register", "elevate"], "help": "What the passkey is to do; left out: `register` where you are signed in, else `sign-in`."}], "example": {}, "unnamed": true},
"passkey_delete": {"summary": "Remove one of your passkeys", "doc": "Remove one of your passkeys; it signs you in no more. Answers those left.\n\nAsks for an elevated session. Refused with 409 where no other way to sign in would be left to you that the policy\ntakes. Delete it on the device, too, which is not told.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the passkey, as auth.passkeys lists it."}], "example": {"id": "p_2k3f9x7c1q8m"}, "answers": "Passkey"},
"passkey_login": {"summary": "Sign in by a passkey, or finish a sign-in with it as the second factor", "doc": "Sign in by a passkey, or finish a sign-in with it as the second factor: what it is, the challenge says.\n\nA passkey has verified who holds it, by PIN, finger or face, and so counts as two factors: no other is asked for. A\nbrowser\u0027s session that began with it lasts a day. Whatever does not fit is one 401, and uses the challenge up;\nfailures count as those of auth.login, with its 429. A passkey that has signed less often than before may have been\ncopied: it is refused, and the audit log says so.", "class": "write", "fields": [{"name": "challenge", "type": "string", "required": true, "help": "The challenge that `auth.passkey_begin` answered."}, {"name": "response", "type": "object", "required": true, "help": "What `navigator.credentials.get` answered, as JSON (`PublicKeyCredential.toJSON`)."}], "example": {"challenge": "kbl_from-passkey-begin", "response": {"type": "public-key"}}},
"passkeys": {"summary": "List your passkeys, oldest first", "doc": "List your passkeys, oldest first.", "class": "read", "fields": [], "example": {}},
"password_change": {"summary": "Change your password", "doc": "Change your password. Your other sessions end, and other browsers are known no longer; keys stay. You are told by\nmail where this server sends some.\n\nA wrong present password is 422 and counts as a failed sign-in, with its 429. A new one that is too short or soon\nguessed is 422 and counts as nothing.", "class": "write", "fields": [{"name": "current", "type": "string", "required": true, "help": "Your present password."}, {"name": "password", "type": "string", "required": true, "help": "The new one: `password_min` of the policy (10 at first) to 256 characters, and not soon guessed: no common words, rows of the keyboard, or what names you or your org, with digits and signs around."}], "example": {"current": "correct horse battery", "password": "a longer sentence of mine"}, "unnamed": true},
"password_forgot": {"summary": "Ask for a link by which a new password is set", "doc": "Ask for a link by which a new password is set. It is mailed in a moment, works once, and lives 30 minutes.\n\nThe answer is the same, and comes as soon, where nobody has the address, where its owner may not sign in, and where\nthis server sends no mail. Ten links are mailed to an address in an hour, three of them asked for from one network\naddress; then it is 429 with `Retry-After`, as it is after fifty failed sign-ins from there.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address that the link is mailed to."}], "example": {"email": "ana@acme.example"}, "unnamed": true},
"password_reset": {"summary": "Set a new password by a link", "doc": "Set a new password by a link. It signs nobody in: a second factor in force is asked for at the next sign-in.\n\nAll sessions of the member end, their other links too, and other browsers are known no longer; keys stay. They are\ntold by mail. Failed sign-ins on the account from this address are forgotten, as nobody but who forgot is likely to\nhave made them here. A link that is used, ended or mistyped is 404; a password that does not fit is 422 and uses\nnothing up.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link."}, {"name": "password", "type": "string", "required": true, "help": "The new one; what fits says auth.password_change."}], "example": {"token": "kbl_from-the-link", "password": "a longer sentence of mine"}, "unnamed": true},
"policy": {"summary": "How people may sign in here", "doc": "How people may sign in here. Domains and networks are told to admins only.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"policy_set": {"summary": "Change the sign-in policy", "doc": "Change the sign-in policy; fields that are not named stay. It holds for every open session at once.\n\nRefused with 409 where it would shut you out: `require_2fa` while you have no second factor, networks that do not\nhold the address you call from; and `link` among `methods` while this server sends no mail. A passkey counts as the\nsecond factor. `methods` by which no owner could come in (a link alone does not count, as mail may fail), or with\none that is not there, is 422. Without `passkey` passkeys are a second factor only.", "class": "write", "fields": [{"name": "require_2fa", "type": "bool", "nullable": true, "help": "Who has no second factor can then only set one up."}, {"name": "password_min", "type": "int", "nullable": true, "help": "Characters that a new password holds at least. (8 to 128)"}, {"name": "session_days", "type": "int", "nullable": true, "help": "Days after which a session ends, used or not; sessions that are open are shortened too. (1 to 365)"}, {"name": "methods", "type": "string", "nullable": true, "repeated": true, "help": "Ways to sign in: `password`, `passkey`, `link`, by mail, and ids of sign-in providers. One by which an owner can come in must stay."}, {"name": "signup_domains", "type": "string", "nullable": true, "repeated": true, "help": "Mail domains whose people may join by themselves; an empty list: none."}, {"name": "allowed_networks", "type": "string", "nullable": true, "repeated": true, "help": "Networks to sign in and call from, such as `203.0.113.0/24`; an empty list: everywhere."}], "example": {"password_min": 12, "session_days": 30}, "answers": "SignInPolicy", "unnamed": true},
"provider_delete": {"summary": "Delete a sign-in provider, with its secret and what it knew members by", "doc": "Delete a sign-in provider, with its secret and what it knew members by; it leaves the methods of the policy.\n\nAsks for an elevated session. Refused with 409 where no owner could sign in without it. Sessions that began there\ngo on; where its word was taken for a second factor, it counts no more.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider."}], "example": {"id": "acme"}},
"provider_save": {"summary": "Make a sign-in provider, or change one", "doc": "Make a sign-in provider, or change one: `settings` as a whole, what else is left out stays. Nothing is asked\nthere; auth.provider_test tries it.\n\nPeople use it when its id is among the `methods` of the policy, too. Asks for an elevated session. Another issuer\nclears the secret, unless a new one comes with it, and leaves links to accounts there without effect. Switching off\nwhat alone lets an owner in is 409, and so is a twenty-first provider.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Short name, which makes a provider where it is new: 1 to 40 lower-case letters, digits and `-`."}, {"name": "kind", "type": "string", "required": true, "enum": ["oidc", "saml", "ldap"], "help": "What it speaks: `oidc`. `saml` and `ldap` are refused with what to take instead."}, {"name": "label", "type": "string", "required": true, "help": "What its button says, such as the name of the company."}, {"name": "settings", "type": "object", "required": true, "help": "All of `issuer`, `client_id`, and as far as they differ from what is usual `scopes`, `token_auth`, `link_by_email`, `trust_email` and `trust_amr`; see the manual."}, {"name": "secret", "type": "string", "nullable": true, "help": "The client secret, which is sealed and never shown; left out: the one that is kept, empty: none."}, {"name": "enabled", "type": "bool", "nullable": true, "help": "Whether it is used; a new one is."}, {"name": "create_members", "type": "bool", "nullable": true, "help": "Whether people of `signup_domains` of the policy become members when they first come; for a new one false."}], "example": {"id": "acme", "kind": "oidc", "label": "Acme", "settings": {"issuer": "https://login.acme.example", "client_id": "kbwork"}, "secret": "from-the-provider"}},
"provider_test": {"summary": "Try a sign-in provider", "doc": "Try a sign-in provider: its discovery document, its keys, and whether it takes this server\u0027s name and secret.\n\nEverything is asked anew. The steps say what to mend; the first names the address that the provider must know to\nsend people back to. Nobody signs in, so that what it says of people is not told.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the provider."}, {"name": "user", "type": "string", "nullable": true, "help": "For a directory only, which is not spoken here: left out."}], "example": {"id": "acme"}, "unnamed": true},
"provider_unlink": {"summary": "Take the account at a provider away that lets you in, as `linked` of auth.me lists it", "doc": "Take the account at a provider away that lets you in, as `linked` of auth.me lists it. Answers those left.\n\nAsks for an elevated session. An admin takes away another\u0027s, an owner\u0027s only an owner (403). Refused with 409 where\nno other way to sign in would be left to you that the policy takes, and where none would be left to any owner. Where\nmembers are found by their address, whoever has it there is linked again when they next come. Sessions that began\nso go on: auth.session_revoke ends them.", "class": "destructive", "fields": [{"name": "provider", "type": "string", "required": true, "help": "Id of the provider."}, {"name": "member", "type": "string", "nullable": true, "help": "Whose account to take away; for admins, left out: one\u0027s own."}], "example": {"provider": "acme"}, "unnamed": true},
"providers": {"summary": "List the sign-in providers, oldest first", "doc": "List the sign-in providers, oldest first: those that are used, and for admins all, with their settings.", "class": "write", "fields": [], "example": {}},
"session_revoke": {"summary": "End a session, and its streams", "doc": "End a session, and its streams; the next call with it is 401. Answers the sessions left of whose it was.\n\nYour own, and for admins everybody\u0027s, an owner\u0027s for owners only (403). To end that of this call is to sign out, as\nby auth.logout.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "A session\u0027s id, or `others`: all of yours but the one of this call."}], "example": {"id": "others"}, "answers": "Session"},
"sessions": {"summary": "List where you are signed in, newest first", "doc": "List where you are signed in, newest first. Another\u0027s sessions are for admins (403).", "class": "read", "fields": [{"name": "member", "type": "string", "nullable": true, "help": "Whose; for admins, left out: your own."}], "example": {}},
"totp_begin": {"summary": "Get a secret for an authenticator app", "doc": "Get a secret for an authenticator app; it counts once `auth.totp_confirm` got a code made with it.\n\nAsks for an elevated session. Beginning again makes a new secret; with a second factor in force it is 409.", "class": "write", "fields": [], "example": {}, "unnamed": true},
"totp_confirm": {"summary": "Put the second factor in force with a code from the app", "doc": "Put the second factor in force with a code from the app. Answers ten recovery codes, shown this once.\n\nAsks for an elevated session. A wrong code is 422; without `auth.totp_begin` before it is 409.", "class": "write", "fields": [{"name": "code", "type": "string", "required": true, "help": "Six digits from the authenticator app."}], "example": {"code": "123456"}, "unnamed": true},
"totp_disable": {"summary": "Take the second factor away, with its recovery codes", "doc": "Take the second factor away, with its recovery codes. Asks for an elevated session.\n\nAn admin resets another\u0027s, an owner\u0027s only an owner (403): all of it then, their passkeys, too, so that whoever lost\ntheir devices comes in by password or link. Your own passkeys stay (auth.passkey_delete). Without a factor nothing\nchanges. Where the policy asks for one, whoever has none can only set one up.", "class": "destructive", "fields": [{"name": "member", "type": "string", "nullable": true, "help": "Whose factor to take away; for admins, left out: one\u0027s own."}], "example": {}, "unnamed": true}}},
"automation": {"about": "Automation: rules that run operations when something happens, at a time, or when somebody presses a button.", "verbs": {
"catalog": {"summary": "Look at what rules can be made of", "doc": "Look at what rules can be made of: operations, fields for conditions, placeholders, and actions to begin with.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"delete": {"summary": "Delete a rule with its log", "doc": "Delete a rule with its log; what waits is not run. What it did stays.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the rule, from `automation.list`."}], "example": {"id": 1}},
"list": {"summary": "List the rules by id", "doc": "List the rules by id. Admins read all of them; others read what sets each off and which operations it runs, and\nneither queries nor inputs, which may name what they do not see.", "class": "read", "fields": [], "example": {}},
"log": {"summary": "List what came of the latest runs, newest first", "doc": "List what came of the latest runs, newest first: 200 at most, of 90 days and 1,000 for each rule.\n\nRuns for something that the caller does not see are left out. Why a run failed, and where a rule went beyond what it\nran for, its author alone reads the message.", "class": "read", "fields": [{"name": "rule", "type": "int", "nullable": true, "help": "Only runs of this rule; left out: those of all."}], "example": {"rule": 1}},
"run": {"summary": "Run a rule now, as its author, and answer its entry in the log, which says what came of it", "doc": "Run a rule now, as its author, and answer its entry in the log, which says what came of it. For admins.\n\nA rule with a button or with times is run: at once, or in a moment for each issue that its query names. A rule that\ngoes by events or by a state changes nothing here: the entry says how often it would have run over past events,\njudged by how issues are now, or for which issues it would run now. One that is off is 409, unless it is only tried.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the rule, from `automation.list`."}], "example": {"id": 1}, "unnamed": true},
"save": {"summary": "Make a rule, or change one", "doc": "Make a rule, or change one; fields that are not named stay. For admins.\n\nWhoever saves it is its author: it runs with what they may at that moment, with the scopes of this call at most, and\nstops when they are no admin any more. It does nothing that only people may do. Operations, fields, queries and\nplaceholders that are not there are 422, naming the nearest.\n\nA rule that set off another, and that the next, stops behind five; the same one runs for the same thing ten times\nwithin a minute at most; one that fails five times in a row is switched off. What is imported or undone sets\nnone off. An org has 200 rules at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The rule to change; left out: make one."}, {"name": "name", "type": "string", "nullable": true, "help": "What it is called; a new one has to have one."}, {"name": "enabled", "type": "bool", "nullable": true, "help": "False switches it off: what waits is not run. A new one is on."}, {"name": "trigger", "type": "object", "nullable": true, "help": "When it runs."}, {"name": "conditions", "type": "object", "nullable": true, "repeated": true, "help": "What must hold besides, all of it: `{field, op, value}`, `{tql}`, `{role}` of whoever acts, `{all}`, `{any}`."}, {"name": "actions", "type": "object", "nullable": true, "repeated": true, "help": "What it does, in order; one that is refused takes back the whole run, unless it says otherwise."}], "example": {"name": "Bugs of the shop are looked at", "trigger": {"kind": "event", "event": "issue.created", "tql": "project = WEB"}, "conditions": [{"field": "type", "op": "=", "value": "bug"}], "actions": [{"op": "issues.update", "input": {"key": "{{key}}", "priority": "high"}}, {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Who looks at it?"}}]}, "answers": "AutomationRule"}}},
"backups": {"about": "Backups: archives of the whole org, taken while people work, by hand or on a schedule, checked and fetched.", "verbs": {
"create": {"summary": "Take a backup of the whole org while people work", "doc": "Take a backup of the whole org while people work: the state of one moment, in one archive, checked.\n\nIt holds all data but the key that seals secrets. One is taken at a time (409).", "class": "write", "fields": [{"name": "note", "type": "string", "nullable": true, "help": "What to note of it, such as `before the move`."}, {"name": "attachments", "type": "bool", "nullable": true, "help": "false leaves out the bytes of files; their names stay. True unless given."}], "example": {"note": "Before the big clean-up"}},
"delete": {"summary": "Take a backup away for good", "doc": "Take a backup away for good; answers those that are left.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the backup, from `backups.list`."}], "example": {"id": "20260301T030000Z-manual-k3f9"}},
"fetch": {"summary": "Get a link to a backup, good for five minutes and for nobody who is no admin then", "doc": "Get a link to a backup, good for five minutes and for nobody who is no admin then.\n\nOne that lies in an S3-compatible store is fetched from there, by a link that the store gives.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the backup, from `backups.list`."}], "example": {"id": "20260301T030000Z-manual-k3f9"}},
"list": {"summary": "List the backups in all places, the latest first, and the schedule", "doc": "List the backups in all places, the latest first, and the schedule.", "class": "write", "fields": [], "example": {}, "unnamed": true},
"restore": {"summary": "Put a backup in the place of all data, or bring a project of it back beside what is there", "doc": "Put a backup in the place of all data, or bring a project of it back beside what is there.\n\nOwners only. Answers the job that does it. A project comes back under a free key (`WEB2`) with new ids, and nothing\nelse changes; the rest is about the whole.\n\nAn archive that is damaged, of a newer version or of another program is refused, at once (409) or by the job, and\nnothing is changed then; so is one that was changed since this server made it. One that was made elsewhere, or has\nno signature, is restored: `origin` of the job\u0027s result says so.\n\nWhile the data change places, for about a second, every call is refused (503) and streams end. What was there goes\ninto a safety copy, which holds every write that was acknowledged; its id is in the job\u0027s result. Afterwards\neverybody signs in anew, also whoever restored: sessions, links, grants of connected programs and device codes are\nvoid, and keys, invitations and people that were revoked, deactivated or erased since the backup stay so. Keys that\nare good in both go on, and see the job under its number.\n\nOne restore runs at a time, and none while a backup is being taken (409). A job that is cut off before the data\nchange places changes nothing and is not taken up again; after that it packs the safety copy when the server is\nthere again.", "class": "destructive", "fields": [{"name": "id", "type": "string", "nullable": true, "help": "A backup on the shelf."}, {"name": "upload", "type": "string", "nullable": true, "help": "An archive from elsewhere: the id that `POST /files/upload` answered. One of the two is named."}, {"name": "scope", "type": "string", "nullable": true, "help": "`all`, or `project:<key>`; `all` unless given."}], "example": {"id": "20260301T030000Z-manual-k3f9"}, "unnamed": true},
"schedule_set": {"summary": "Say when backups are taken by themselves", "doc": "Say when backups are taken by themselves: hourly, or at three in the morning where the org is, weekly on Monday.\n\nWhat the operator did not name in the settings is no place (422), and a store that cannot be used is none yet (409).", "class": "write", "fields": [{"name": "every", "type": "string", "required": true, "enum": ["off", "hourly", "daily", "weekly"], "help": "How often: each hour, day or week, or not at all."}, {"name": "keep", "type": "int", "required": true, "help": "So many of the schedule\u0027s own stay in their place; older ones go. (1 to 365)"}, {"name": "target", "type": "string", "nullable": true, "help": "A place that the operator named in `kbwork.toml`: a folder or a store; null is `backups` beside the data."}], "example": {"every": "daily", "keep": 14, "target": null}, "unnamed": true},
"verify": {"summary": "Open a backup in a process of its own and check it", "doc": "Open a backup in a process of its own and check it: checksums, schema, integrity, rows, and each file\u0027s bytes.\n\n`origin` says whether this server made it. One made elsewhere, or unsigned as those of earlier versions are, passes.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the backup, from `backups.list`."}], "example": {"id": "20260301T030000Z-manual-k3f9"}, "unnamed": true}}},
"boards": {"about": "Boards: the issues of a query in columns of lanes, in the order of their ranks, to be moved by dropping.", "verbs": {
"columns_set": {"summary": "Set the columns of a board", "doc": "Set the columns of a board: their names, lanes, order and limits. Columns that are not named go.\n\nA column named by its `id` keeps it. A lane stands in one column; issues in lanes that stand in none are not on the\nboard. Who may change the board may do so (403).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}, {"name": "columns", "type": "object", "required": true, "repeated": true, "help": "The whole list, from left to right."}], "example": {"id": 1, "columns": [{"name": "Next", "lanes": ["todo"]}, {"name": "Doing", "lanes": ["in_progress", "in_review"], "limit": 5, "hard": true}, {"name": "Done", "lanes": ["done"]}]}, "answers": "Board"},
"copy": {"summary": "Copy a board that you see", "doc": "Copy a board that you see: with its condition, columns, filters and fields, on a project or as your own.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}, {"name": "name", "type": "string", "required": true, "help": "What the copy is called."}, {"name": "project", "type": "string", "nullable": true, "help": "The project that the copy is on; null: none, so that it is yours alone."}], "example": {"id": 1, "name": "Shop floor, mine"}, "answers": "Board"},
"delete": {"summary": "Put a board into the trash", "doc": "Put a board into the trash; trash.restore brings it back. Answers those left. Its issues stay as they are.\n\nWho may change it may delete it (403).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}], "example": {"id": 1}, "answers": "Board"},
"get": {"summary": "Look at a board", "doc": "Look at a board: its columns, filters and fields; `boards.view` answers the issues on it.\n\nA board on a project is seen by whoever sees the project, any other by its owner alone. Its conditions go\non meaning what they named when they were saved, and are shown with present names. A lane that is gone is in no\ncolumn any more.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}], "example": {"id": 1}},
"list": {"summary": "List the boards that you see, by name", "doc": "List the boards that you see, by name.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Only those on this project."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in the name."}], "example": {"project": "WEB"}},
"move": {"summary": "Drop an issue into a column", "doc": "Drop an issue into a column: to a lane of it, into its place in the order and into a row, all of it or nothing.\n\nA lane is entered as by issues.transition, and what refuses that refuses the drop (409 `workflow-refused`,\n`approval-needed`; 422 where the transition asks for fields). A column that has a `hard` limit takes no issue beyond\nit (409), counting those on the board that you see. The row is set as by issues.update and issues.assign. The order\nis that of issues.rank and needs its right, and `issue.ranked` names the `board`.\n\n`dry_run` passes the same checks, writes nothing, and answers in `blocked` why the drop would be refused.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}, {"name": "key", "type": "string", "required": true, "help": "The issue that is dropped; it is on the board, in whatever lane."}, {"name": "column", "type": "string", "required": true, "help": "Id of the column that it goes to."}, {"name": "after", "type": "string", "nullable": true, "help": "The issue of the same project behind which it goes; null: before all of its project in the column."}, {"name": "lane", "type": "string", "nullable": true, "help": "A lane of the column, by key or name, where it holds several; else the first that the issue may enter."}, {"name": "swimlane", "type": "string", "nullable": true, "help": "The value of the board\u0027s `swimlanes` field that it is to have; an empty text clears it, null leaves it."}, {"name": "dry_run", "type": "bool", "nullable": true, "help": "Only say what would become of it, and in `blocked` why it could not be dropped there."}], "example": {"id": 1, "key": "WEB-1", "column": "c3"}, "unnamed": true},
"quick_filter_save": {"summary": "Set the quick filters of a board, which `boards.view` takes by their ids", "doc": "Set the quick filters of a board, which `boards.view` takes by their ids. Filters that are not named go.\n\nA filter named by its `id` keeps it. A condition that cannot be asked is 422. Who may change the board may do so\n(403).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}, {"name": "filters", "type": "object", "required": true, "repeated": true, "help": "The whole list, in order."}], "example": {"id": 1, "filters": [{"name": "Mine", "tql": "mine"}, {"name": "Bugs", "tql": "type = bug"}]}, "answers": "Board"},
"save": {"summary": "Make a board, or change one", "doc": "Make a board, or change one: fields that are not named stay, null clears `project`, `swimlanes` and `color_by`.\n\nA new one has a column for each lane of its project\u0027s workflow, or of the org\u0027s, the done ones in one;\nboards.columns_set makes others. A condition that cannot be asked is 422 with the place in it (`tql-syntax`,\n`tql-name`); one with `order by`, `select` or `group by` too, since a board is in the order of ranks. Your own are\nyours to change, those on a project for its members and leads (403). An owner has 200 boards at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The board to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "project", "type": "string", "nullable": true, "help": "The project that it is on, whose members see and keep it; null: none, so that it is yours alone. Which issues it shows is in its condition alone."}, {"name": "tql", "type": "string", "required": true, "help": "The condition on the issues that it shows, such as `project = WEB and not archived`; empty shows all."}, {"name": "swimlanes", "type": "string", "nullable": true, "help": "The field of issues by whose values its rows are; null: none."}, {"name": "card_fields", "type": "string", "nullable": true, "repeated": true, "help": "Fields that its cards show; `[]`: the usual ones."}, {"name": "color_by", "type": "string", "nullable": true, "help": "The field that colours its cards; null: none."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["kanban", "sprint"], "help": "`kanban` unless given. A `sprint` board shows what its condition says, as any other, in this version."}], "example": {"name": "Shop floor", "project": "WEB", "tql": "project = WEB", "swimlanes": "assignee"}, "answers": "Board"},
"view": {"summary": "Show the issues on a board", "doc": "Show the issues on a board: each column with its number, its sum of estimates and its first issues.\n\nOn it are the issues that fit its condition, the `filters` and `tql`, that you see and whose lane stands in a\ncolumn; archived ones where the condition speaks of them. They stand project by project in the order in which the\nprojects were made, in each by rank, and `count` and `estimate` are of all of them. A column whose `next` is not\nnull has more: the same call with that as `cursor` answers the column alone, from there on.\n\nA board with `swimlanes` answers a row for each value of the field that issues on it have, with counts by column and\nthe keys of those issues that the columns answer. Without issues:read a board is empty. A condition that names what\nis gone is 422, as is one that takes longer than three seconds.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the board."}, {"name": "filters", "type": "string", "nullable": true, "repeated": true, "help": "Ids of quick filters of the board, all of which narrow it."}, {"name": "tql", "type": "string", "nullable": true, "help": "A condition that narrows it further."}, {"name": "per_column", "type": "int", "nullable": true, "help": "Issues of each column; 50 unless given. (0 to 200)"}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of a column: the answer is that column, from there on."}], "example": {"id": 1, "per_column": 20}, "unnamed": true}}},
"chat": {"about": "Chat: commands from Slack, Teams and Discord run operations, and channels there hear of issues.", "verbs": {
"connection_delete": {"summary": "Delete a connection with its secrets, linked accounts and subscriptions", "doc": "Delete a connection with its secrets, linked accounts and subscriptions; what waited is not sent.\n\nAnswers it as it was.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the connection, from `chat.connections`."}], "example": {"id": 1}, "answers": "ChatConnection"},
"connection_save": {"summary": "Make a connection, or change one", "doc": "Make a connection, or change one; fields that are not named stay. For admins who see its project.\n\nThe platform is then told to post to `hook_path` of this site. Its secrets are sealed and never shown again. An org\nhas 50 connections at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The connection to change; left out: make one."}, {"name": "name", "type": "string", "nullable": true, "help": "What it is called; a new one has to have one."}, {"name": "project", "type": "string", "nullable": true, "help": "Where `create` makes issues, and messages become some; with a desk there, they become requests. A new one has to have one."}, {"name": "provider", "type": "string", "nullable": true, "enum": ["slack", "teams", "discord"], "help": "The platform, of a new one alone."}, {"name": "secret", "type": "string", "nullable": true, "help": "What the platform signs with: Slack\u0027s signing secret, the security token of an outgoing webhook of Teams, or the public key of an application of Discord. Left out: as it is."}, {"name": "bot_token", "type": "string", "nullable": true, "help": "With Slack: the bot token (`xoxb-…`), to show links and answer mentions. Empty: none."}], "example": {"name": "Acme", "provider": "slack", "project": "WEB", "secret": "8f742231b10e8888abcd99yyyzzz85a5"}, "answers": "ChatConnection"},
"connections": {"summary": "List the connections with chat platforms by id", "doc": "List the connections with chat platforms by id. Errors are told to admins.", "class": "read", "fields": [], "example": {}},
"subscription_delete": {"summary": "Delete a subscription", "doc": "Delete a subscription; what waited is not posted.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the subscription, from `chat.subscriptions`."}], "example": {"id": 1}},
"subscription_save": {"summary": "Make a subscription, or change one", "doc": "Make a subscription, or change one; fields that are not named stay. For admins.\n\nWhoever saves it is its author: the channel hears of what they may hear of, and of nothing once they are no admin.\nComments that are internal are never posted. What is brought in or undone is not posted either. An org has 100\nsubscriptions at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The subscription to change; left out: make one."}, {"name": "connection", "type": "int", "nullable": true, "help": "Id of the connection whose platform the channel is on; a new one has to have one."}, {"name": "name", "type": "string", "nullable": true, "help": "What it is called, such as the name of the channel; a new one has to have one."}, {"name": "events", "type": "string", "nullable": true, "repeated": true, "enum": ["issue.created", "issue.updated", "issue.assigned", "issue.deleted", "comment.created"], "help": "What is posted; a new one has to say it."}, {"name": "tql", "type": "string", "nullable": true, "help": "Only issues that fit this query when they are told; empty: every issue."}, {"name": "origin", "type": "string", "nullable": true, "help": "Address of this site in links; left out: as the server knows itself."}, {"name": "webhook_url", "type": "string", "nullable": true, "help": "The channel\u0027s incoming webhook; a new one has to have one. It is sealed and never shown; left out: as it is."}], "example": {"connection": 1, "name": "#shop", "events": ["issue.created", "comment.created"], "tql": "project = WEB", "webhook_url": "https://hooks.example.com/services/T0/B0/x"}, "answers": "ChatSubscription"},
"subscription_test": {"summary": "Post a word to the channel now, once", "doc": "Post a word to the channel now, once. Where the channel does not take it, 502 says what it answered.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the subscription."}], "example": {"id": 1}},
"subscriptions": {"summary": "List the subscriptions of channels by id", "doc": "List the subscriptions of channels by id. Their queries are told to admins.", "class": "read", "fields": [], "example": {}}}},
"checklists": {"about": "Checklists: small steps of an issue that are ticked off, and templates of them.", "verbs": {
"add": {"summary": "Put items at the end of the checklist of an issue, one for each line", "doc": "Put items at the end of the checklist of an issue, one for each line.\n\nWhoever may edit the issue does. An item has 1,000 characters at most (422), an issue 500 items (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "text", "type": "string", "required": true, "help": "Each line becomes an item; empty ones are dropped."}, {"name": "assignee", "type": "string", "nullable": true, "help": "A member who sees the issue, `agent:<name>` or `me`."}, {"name": "due_date", "type": "string", "nullable": true, "help": "Until when, `YYYY-MM-DD`."}], "example": {"key": "WEB-1", "text": "Write the test\nMend it", "assignee": "me"}, "answers": "Checklist"},
"apply": {"summary": "Put the items of a template at the end of the checklist of an issue, whatever its type", "doc": "Put the items of a template at the end of the checklist of an issue, whatever its type.\n\nThose that stand there already, word for word and not ticked, are not put there again.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "template", "type": "int", "required": true, "help": "Id of a template, from `checklists.templates`."}], "example": {"key": "WEB-1", "template": 1}, "answers": "Checklist"},
"delete": {"summary": "Take an item off its checklist", "doc": "Take an item off its checklist; undo brings it back.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the item."}], "example": {"id": 1}, "unnamed": true},
"list": {"summary": "Look at the checklist of an issue", "doc": "Look at the checklist of an issue; one that has none has an empty one.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"reorder": {"summary": "Put the items of a checklist in order", "doc": "Put the items of a checklist in order. An item of another issue is 422.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Items of the issue in their new order; those left out follow as they were."}], "example": {"key": "WEB-1", "ids": [2, 1]}, "answers": "Checklist"},
"template_delete": {"summary": "Take a template away", "doc": "Take a template away; issues that have its items keep them, and templates of issues that name it go without.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the template, from `checklists.templates`."}], "example": {"id": 1}, "unnamed": true},
"template_save": {"summary": "Make a template of a checklist, or change one", "doc": "Make a template of a checklist, or change one. A name is unique without case (409); an org has 200 at most.\n\nIssues that have the items already stay as they are.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The template to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What it is called, unique without case."}, {"name": "kind", "type": "string", "required": true, "help": "The type of issue that it is for, by key or name."}, {"name": "items", "type": "string", "required": true, "repeated": true, "help": "Texts of its items, in order."}, {"name": "auto", "type": "bool", "nullable": true, "help": "True: every new issue of the type has the items from the start."}], "example": {"name": "Before release", "kind": "bug", "items": ["Test it", "Tell support"], "auto": true}, "answers": "ChecklistTemplate"},
"templates": {"summary": "List the templates of checklists by name", "doc": "List the templates of checklists by name; guests see those for the types that their projects use.", "class": "read", "fields": [], "example": {}},
"update": {"summary": "Tick an item off, or change what it says, who does it and until when", "doc": "Tick an item off, or change what it says, who does it and until when; answers the whole checklist.\n\nWhat is not named stays. An item that is ticked already keeps who did it and when.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the item."}, {"name": "text", "type": "string", "nullable": true, "help": "What is to be done."}, {"name": "done", "type": "bool", "nullable": true, "help": "True ticks it off, false takes the tick away."}, {"name": "assignee", "type": "string", "nullable": true, "help": "An empty text takes it off."}, {"name": "due_date", "type": "string", "nullable": true, "help": "An empty text clears it."}], "example": {"id": 2, "done": true}, "answers": "Checklist"}}},
"comments": {"about": "Comments: what people say on a subject, in threads.", "verbs": {
"create": {"summary": "Comment on a subject, or reply in a thread", "doc": "Comment on a subject, or reply in a thread.\n\nIssues, assets (`asset:LAP-1`), flags and change requests of flags (`flag_change:<id>`) take comments, of whoever\nmay comment there; who does watches the issue from then on. What is archived or locked takes comments from its\nleads only (403), what is of an archived project from nobody (409). Internal notes are made on issues only, and a\nreply that differs from its thread in `internal` is no better (422). `@handle` outside code and links mentions a\nmember, team or agent: the event names those who see the comment; what stands behind the first 100,000 characters\nmentions nobody. `uploads` are as with attachments.expect.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What it is about, such as `issue:WEB-1`."}, {"name": "body", "type": "string", "required": true, "help": "What is said, in Markdown."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The same text as a rich document: ProseMirror JSON."}, {"name": "parent", "type": "int", "nullable": true, "help": "Any comment of the thread to reply in."}, {"name": "internal", "type": "bool", "nullable": true, "help": "A note for the team: guests and customers never see it. A reply follows its thread."}, {"name": "anchor", "type": "string", "nullable": true, "help": "JSON {`exact`, `prefix`, `suffix`}: the words it is about; for the first comment of a thread."}, {"name": "uploads", "type": "string", "nullable": true, "repeated": true, "help": "Ids of files that you send to `/files/upload`, whole or not: each hangs on the comment when all of it is here."}], "example": {"subject": "issue:WEB-1", "body": "I can see it too, since Tuesday."}},
"delete": {"summary": "Put a comment into the trash, with its files", "doc": "Put a comment into the trash, with its files; trash.restore brings it back.\n\nAuthors delete their own, leads of the project and admins any (403). Replies stay: where the first comment of a\nthread goes, its place is shown without author and body while replies remain.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the comment."}], "example": {"id": 1}},
"import": {"summary": "Bring in a comment from elsewhere, with its author and time", "doc": "Bring in a comment from elsewhere, with its author and time. Mentions, mails, watches and triggers nothing.", "class": "write", "fields": [{"name": "author", "type": "string", "required": true, "help": "A member\u0027s id, handle or address; else the name of somebody who is none."}, {"name": "body", "type": "string", "required": true, "help": "What is said, in Markdown."}, {"name": "subject", "type": "string", "required": true, "help": "What it is about, such as `issue:WEB-1`."}, {"name": "created_at", "type": "int", "nullable": true, "help": "When it was said; now unless given."}, {"name": "external", "type": "string", "nullable": true, "help": "Id at the source: one that the subject has already answers that comment, without an event."}, {"name": "parent", "type": "int", "nullable": true, "help": "Any comment of the thread that it replies in."}, {"name": "internal", "type": "bool", "nullable": true, "help": "A note for the team; a reply follows its thread."}], "example": {"subject": "issue:WEB-1", "author": "Ada", "body": "Seen on the old tracker.", "created_at": 1700000000}},
"list": {"summary": "List the comments on a subject, oldest first", "doc": "List the comments on a subject, oldest first; guests do not see internal ones.\n\nThe starter of a thread that was deleted while replies remain stands there without author and body.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What they are about, such as `issue:WEB-1`."}], "example": {"subject": "issue:WEB-1"}},
"react": {"summary": "React to a comment with an emoji or short code, or take that back", "doc": "React to a comment with an emoji or short code, or take that back. Twice counts once.\n\nWhoever may comment there reacts; whoever sees it takes back their own. A comment has at most 50 different ones\n(409).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the comment."}, {"name": "emoji", "type": "string", "required": true, "help": "One emoji or short code, at most 16 bytes."}, {"name": "on", "type": "bool", "required": true, "help": "False takes it back."}], "example": {"id": 1, "emoji": "👍", "on": true}},
"resolve": {"summary": "Mark a thread as resolved, or open it again", "doc": "Mark a thread as resolved, or open it again. Twice is no change.\n\nIts author does, and whoever may change what it is on (403); a reply is 422. A thread whose first comment was\ndeleted is resolved by that one\u0027s id, too.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "The thread\u0027s first comment."}, {"name": "resolved", "type": "bool", "required": true, "help": "False opens the thread again."}], "example": {"id": 1, "resolved": true}},
"update": {"summary": "Change what you said", "doc": "Change what you said. Authors change their own, and what their agents said; nobody else does (403).\n\nYou can comment there still: what is archived or locked is for its leads (403). Whether it is internal stays as it\nis. Only who was not mentioned before is told of a mention. The same text again is no change. `uploads` are as with\nattachments.expect.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the comment."}, {"name": "body", "type": "string", "required": true, "help": "What is said, in Markdown."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The same text as a rich document; without it the comment has none any more."}, {"name": "uploads", "type": "string", "nullable": true, "repeated": true, "help": "Ids of more files that you send to `/files/upload`: each hangs on the comment when all of it is here."}], "example": {"id": 1, "body": "I can see it too, since Monday."}}}},
"components": {"about": "Components: parts of a project, each with somebody who gets its new issues.", "verbs": {
"delete": {"summary": "Take a component away", "doc": "Take a component away; answers those that the project has left.\n\nOne that issues have needs `move_to` (409 `in-use` with `uses`).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the component, from `components.list`."}, {"name": "move_to", "type": "int", "nullable": true, "help": "The component of the same project that its issues get."}], "example": {"id": 1, "move_to": 2}, "answers": "Component"},
"list": {"summary": "List the components of a project by name, the archived ones last", "doc": "List the components of a project by name, the archived ones last.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"project": "WEB"}},
"save": {"summary": "Make a component, or change one", "doc": "Make a component, or change one: fields that are not named stay.\n\nLeads of the project and admins do. A name is unique in its project without case (409); its lead is an active\nmember who sees the project (422). A new one with a lead gives new issues to them unless `assign` says otherwise.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The component to change; left out: make one."}, {"name": "project", "type": "string", "required": true, "help": "A component stays in the project that it was made for."}, {"name": "name", "type": "string", "required": true, "help": "What it is called, unique in the project without case."}, {"name": "description", "type": "string", "nullable": true, "help": "What belongs to it."}, {"name": "lead", "type": "string", "nullable": true, "help": "A member; an empty text takes the lead off."}, {"name": "assign", "type": "string", "nullable": true, "enum": ["lead", "project", "nobody"], "help": "Who gets a new issue that nobody was named for: its `lead`, as the `project` says, or `nobody`."}, {"name": "archived", "type": "bool", "nullable": true, "help": "An archived one stays on its issues and goes on no other."}], "example": {"project": "WEB", "name": "Checkout", "assign": "lead"}, "answers": "Component"}}},
"desk": {"about": "The service desk: customers outside, what they may ask for, their portal, and requests by mail and chat.", "verbs": {
"customer_add": {"summary": "Add a customer, with a password to hand over", "doc": "Add a customer, with a password to hand over: it is in the answer and never shown again.\n\nIt opens the desks where you work, and all once they set one of their own by mail. An address that a customer has is\n409. For members and leads of a project that is a desk.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Their address, which no other customer has."}, {"name": "name", "type": "string", "required": true, "help": "What they are called."}], "example": {"email": "rita@rivers.example", "name": "Rita Rivers"}, "unnamed": true},
"customer_block": {"summary": "Shut a customer out, or let them in again", "doc": "Shut a customer out, or let them in again. A block ends their tokens at once, and what they mail is ignored.\n\nFor admins who work at a desk that the customer has to do with, or where they have to do with none.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the customer."}, {"name": "blocked", "type": "bool", "required": true, "help": "False lets them in again."}], "example": {"id": 2, "blocked": true}, "answers": "DeskCustomer"},
"customer_reset": {"summary": "Give a customer a new password to hand over", "doc": "Give a customer a new password to hand over: it is in the answer and never shown again.\n\nIt opens the desks where you work, until they set one of their own by mail. They are signed out everywhere. Refused\n(409) for a customer who is blocked, and while they have to do with requests of desks where you do not work.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the customer."}], "example": {"id": 2}, "unnamed": true},
"customers": {"summary": "List customers by name, the first thousand", "doc": "List customers by name, the first thousand: those who have to do with requests of desks where you work, and those\nwho have to do with none.\n\nFor members and leads of a project that is a desk (403).", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words in name or address."}], "example": {"q": "rivers"}},
"deflection_stats": {"summary": "Say how often help articles were the answer at a desk in the last thirty days, and how many requests that you see came in by its portal", "doc": "Say how often help articles were the answer at a desk in the last thirty days, and how many requests that you see\ncame in by its portal. `top` names articles that the portal still shows; to a key without pages:read none.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"project": "WEB"}, "unnamed": true},
"email_address": {"summary": "Say where mail to a desk is posted, the same each time unless it is to `renew`", "doc": "Say where mail to a desk is posted, the same each time unless it is to `renew`: a path of this site, with a token\nthat nobody guesses.\n\nIt takes the forms of the inbound services of SendGrid, Mailgun and Postmark, and JSON with `from`, `name`,\n`subject` and `text`. For admins who lead the project. The token is sealed: with another master key than it was made\nwith, there is a new one.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "renew", "type": "bool", "nullable": true, "help": "True gives the desk another address: mail to the former one is not taken any more."}], "example": {"project": "WEB"}, "unnamed": true},
"list": {"summary": "List the service desks of the projects that you see, by name", "doc": "List the service desks of the projects that you see, by name.", "class": "read", "fields": [], "example": {}},
"portal_article": {"summary": "Read a help article", "doc": "Read a help article: a published page of the space of a desk that is open. Others are 404. Looks are counted.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, from desk.portal_suggest."}], "example": {"id": "p_1"}},
"portal_comment": {"summary": "Say something on a request of yours, in 100,000 characters at most", "doc": "Say something on a request of yours, in 100,000 characters at most. One that is locked or archived takes nothing\nmore (409). After twenty requests, answers and changes of yours in an hour it is 429.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "body", "type": "string", "required": true, "help": "What you say, in Markdown."}], "example": {"key": "WEB-7", "body": "It is still so today."}, "unnamed": true},
"portal_create": {"summary": "Ask for something", "doc": "Ask for something. Answers that do not fit, and such as are missing, are 422 at `values.<key>`, all of them at\nonce; an answer to a question that is not shown is not kept. A type that nobody may ask for is 404, one of a desk\nthat your password does not open 403. After twenty requests, answers and changes of yours in an hour it is 429.", "class": "write", "fields": [{"name": "title", "type": "string", "required": true, "help": "What you ask for, on one line."}, {"name": "type", "type": "int", "required": true, "help": "Id of the request type, from desk.portal_info."}, {"name": "values", "type": "object", "nullable": true, "help": "Answers by key of the question, from desk.portal_form."}], "example": {"title": "My order did not come", "type": 1, "values": {"description": "Since Tuesday"}}},
"portal_form": {"summary": "Say what the form of a request type asks once these answers are applied", "doc": "Say what the form of a request type asks once these answers are applied: which questions are shown, which must be\nanswered, and what may be chosen.\n\nAn answer that does not fit is as none here; making the request refuses it. An answer to what is no question is 422,\na type that nobody may ask for 404.", "class": "write", "fields": [{"name": "type", "type": "int", "required": true, "help": "Id of the request type."}, {"name": "values", "type": "object", "nullable": true, "help": "Answers by key of the question, from desk.portal_form."}], "example": {"type": 1, "values": {"description": "The cart is empty"}}, "unnamed": true},
"portal_info": {"summary": "List the desks that are open, by name, with what may be asked for", "doc": "List the desks that are open, by name, with what may be asked for. For everybody, signed in or not.", "class": "write", "fields": [], "example": {}},
"portal_login": {"summary": "Sign a customer in", "doc": "Sign a customer in. The token goes as a bearer token with the other operations of the portal, for thirty days.\n\nWrong password, unknown address and blocked are one 401, which takes as long. After ten failures on an address from\none network address, or fifty from there, in 15 minutes it is 429 with `Retry-After`; where too many sign in at once\n503 `busy`.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address of the customer."}, {"name": "password", "type": "string", "required": true, "help": "Their password."}], "example": {"email": "rita@rivers.example", "password": "correct horse battery"}},
"portal_logout": {"summary": "End the token that this is called with", "doc": "End the token that this is called with; others of the customer stay.", "class": "write", "fields": [], "example": {}, "unnamed": true},
"portal_me": {"summary": "Say who is signed in", "doc": "Say who is signed in; `requests` counts those that they made and see.", "class": "write", "fields": [], "example": {}, "answers": "DeskCustomer"},
"portal_request": {"summary": "Look at a request of yours, with what was said on it last, fifty answers at most", "doc": "Look at a request of yours, with what was said on it last, fifty answers at most; `older` leads to those before.\nOne that is not yours is 404, as is one that never was.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`older` of the answer before: what was said before that; left out: what was said last."}], "example": {"key": "WEB-7"}, "unnamed": true},
"portal_requests": {"summary": "List your requests and those that you take part in, the latest change first, 500 at most", "doc": "List your requests and those that you take part in, the latest change first, 500 at most.", "class": "write", "fields": [], "example": {}},
"portal_signup": {"summary": "Make an account", "doc": "Make an account. A link is mailed to the address, and desk.portal_verify finishes by it; till then there is none.\n\nAn address that a customer has gets the very same answer, and a letter that says so. A server that sends no mail\nsigns in at once, and there a known address is 409. Where no open desk has `open_signup` it is 403. After ten\nletters to an address in an hour, three of them asked for from one network address, it is 429.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address of whoever signs up."}, {"name": "name", "type": "string", "required": true, "help": "What they are called."}, {"name": "password", "type": "string", "required": true, "help": "What they want to sign in with; what fits says auth.password_change."}], "example": {"email": "nat@north.example", "name": "Nat North", "password": "four birds on a wire"}},
"portal_solved": {"summary": "Say whether a help article was the answer", "doc": "Say whether a help article was the answer: desk.deflection_stats counts that it was. One that is none is 404.", "class": "write", "fields": [{"name": "article", "type": "string", "required": true, "help": "Id of the page, from desk.portal_suggest."}, {"name": "text", "type": "string", "nullable": true, "help": "What was being asked; it is not kept."}, {"name": "solved", "type": "bool", "required": true, "help": "Whether the article was the answer."}], "example": {"article": "p_1", "solved": true}, "unnamed": true},
"portal_start_reset": {"summary": "Ask for a link by which a customer sets a new password", "doc": "Ask for a link by which a customer sets a new password. It is mailed in a moment, works once, and lives half an\nhour.\n\nThe answer is the same, and comes as soon, where no customer has the address, where they are blocked, and where this\nserver sends no mail. After ten letters to an address in an hour, three of them asked for from one network address,\nit is 429.", "class": "write", "fields": [{"name": "email", "type": "string", "required": true, "help": "Address that the link is mailed to."}], "example": {"email": "rita@rivers.example"}, "unnamed": true},
"portal_submit_reset": {"summary": "Set a customer\u0027s password by a link, and sign them in", "doc": "Set a customer\u0027s password by a link, and sign them in. All their other tokens and links end.\n\nA link that is used, over or mistyped is 404; a password that does not fit is 422 and uses nothing up.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link."}, {"name": "password", "type": "string", "required": true, "help": "The new one; what fits says auth.password_change."}], "example": {"token": "kbl_from-the-link", "password": "four birds on a wire"}},
"portal_suggest": {"summary": "Suggest help articles of a desk that is open, five at most", "doc": "Suggest help articles of a desk that is open, five at most. One that is not is 404.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "text", "type": "string", "required": true, "help": "What somebody is about to ask."}], "example": {"project": "WEB", "text": "the cart is empty"}},
"portal_survey": {"summary": "Say how a request went, of which the token is", "doc": "Say how a request went, of which the token is: one rating, which may be changed for seven days, and is given anew\nwhen the request was reopened and closed again.\n\nWhat is said with it becomes an internal note on the request, for the people of the desk alone, and another rating\nchanges that note. A token that is mistyped or of a request that is open, gone or closed a month ago is 404, as is\nany while the desk does not ask. After the seven days it is 409. A note counts as an answer of the customer\u0027s: the\ntwenty-first in an hour is 429.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the letter that asked, or from the request."}, {"name": "score", "type": "int", "required": true, "help": "Five is the best. (1 to 5)"}, {"name": "comment", "type": "string", "nullable": true, "help": "What else there is to say; left out: nothing."}], "example": {"token": "6.1.from-the-letter", "score": 5, "comment": "That was quick."}, "unnamed": true},
"portal_transition": {"summary": "Close a request of yours, or reopen one that is closed, as long as the desk allows it", "doc": "Close a request of yours, or reopen one that is closed, as long as the desk allows it; or, where you are asked to\nagree before it goes on, do that or refuse.\n\nIt goes the first way of its workflow that leads there, asks for nothing and needs nobody to agree. Where there is\nnone, where it is closed or open already, and where nothing asks you it is 409. What you asked for yourself others\ndecide, unless the workflow lets you (403). After twenty requests, answers and changes of yours in an hour it is\n429.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "action", "type": "string", "required": true, "enum": ["close", "reopen", "approve", "reject"], "help": "`approve` and `reject` are for who is asked to agree."}, {"name": "note", "type": "string", "nullable": true, "help": "What to say with it, in Markdown; it is said on the request as by desk.portal_comment."}], "example": {"key": "WEB-7", "action": "close", "note": "It came today."}},
"portal_update": {"summary": "Say what you are called, your language, whether you are mailed, or another password", "doc": "Say what you are called, your language, whether you are mailed, or another password: with that, all other places\nwhere you are signed in end.\n\nA password that an agent made opens that agent\u0027s desks alone, and so does what it is changed to: whoever made it may\nchange it, too. Where this server sends mail the link of desk.portal_start_reset ends that, where it sends none any\nchange does. A wrong `current` is 422, and after ten of them in 15 minutes 429, as with signing in.", "class": "write", "fields": [{"name": "name", "type": "string", "nullable": true, "help": "What you are called."}, {"name": "locale", "type": "string", "nullable": true, "help": "The language that you want to be answered in: one of those of an open desk; an empty text: none said."}, {"name": "password", "type": "string", "nullable": true, "help": "A new one; what fits says auth.password_change."}, {"name": "current", "type": "string", "nullable": true, "help": "The password of now; needed with another one."}, {"name": "notify", "type": "bool", "nullable": true, "help": "Whether you are mailed what is said on your requests."}], "example": {"name": "Sol Rivers", "notify": true}, "answers": "DeskCustomer"},
"portal_upload": {"summary": "Hang a file on a request of yours", "doc": "Hang a file on a request of yours: whoever sees the request sees it. One that is locked or archived takes none\n(409), nor one that has a hundred; 100 MB in a day are enough of one customer (409). Above 10 MB it is 413.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "name", "type": "string", "required": true, "help": "What it is called, at most 255 bytes; folders before it are cut."}, {"name": "data", "type": "string", "required": true, "bytes": true, "help": "Its bytes as base64, at most 10 MB."}, {"name": "content_type", "type": "string", "nullable": true, "help": "A hint, where neither the bytes nor the name tell."}], "example": {"key": "WEB-6", "name": "order.txt", "data": "TnVtYmVyIDE3Cg=="}, "answers": "Attachment"},
"portal_verify": {"summary": "Finish a sign-up by the link that was mailed", "doc": "Finish a sign-up by the link that was mailed: the account is made, and signed in. A link that is used, over after\na day, or mistyped is 404; where somebody with the address became a customer meanwhile it is 409. Where no open desk\nhas `open_signup` any more it is 403; the link stays for its day.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link."}, {"name": "password", "type": "string", "nullable": true, "help": "What they sign in with: whoever reads the mail says it, and not whoever asked. Left out: that of the sign-up."}], "example": {"token": "kbl_from-the-link"}},
"portal_view_file": {"summary": "Get a file of a request of yours", "doc": "Get a file of a request of yours: one that its customers sent, or that hangs on what was said to them. Any other,\nsuch as one on an internal note, is 404. One of more than 10 MB is 413.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "id", "type": "string", "required": true, "help": "Id of the file, from the request."}], "example": {"key": "WEB-6", "id": "a_0123456789abcdefghijkl"}, "answers": "AttachmentContent"},
"portal_watch": {"summary": "Share a request of yours, or say who sees it no more", "doc": "Share a request of yours, or say who sees it no more; without both, who does. Whoever asked shares it, and others\nmay leave (403).\n\nWhere the desk lets anybody sign up, an address that is not known becomes a customer, who is mailed. Elsewhere the\ncolleague is a customer with an address at the same host as yours (422). After twenty in a day, and with fifty who\nsee it, it is 409.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of a request of yours, such as `WEB-12`."}, {"name": "add", "type": "string", "nullable": true, "repeated": true, "help": "Addresses of colleagues who see the request from now on and are mailed what is said."}, {"name": "remove", "type": "string", "nullable": true, "repeated": true, "help": "Addresses, as `participants` has them, of those who do no more."}], "example": {"key": "WEB-6", "add": ["tess@rivers.example"]}, "unnamed": true},
"queue_delete": {"summary": "Take a queue away", "doc": "Take a queue away; what was in it stays. Answers those that the desk has left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the queue."}], "example": {"id": 1}, "answers": "Queue"},
"queue_save": {"summary": "Make a queue, or change one", "doc": "Make a queue, or change one: what is optional and not named stays. For admins who lead the project.\n\nA text that cannot be asked is 422 with the place in it (`tql-syntax`, `tql-name`), and so are an order and columns\nthat are no fields of issues. Names mean what is called so now, and the queue goes on meaning that. A desk has a\nhundred queues at most (409). Answers those of the desk, whose counts are -1 in a batch.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The queue to change; left out: make one."}, {"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by, unique at the desk without case."}, {"name": "tql", "type": "string", "required": true, "help": "Condition on the issues of the project, as `tql.run` takes it; empty: all of them."}, {"name": "order", "type": "string", "nullable": true, "help": "What it is sorted by, as it stands behind `order by`, such as `priority, due desc`; empty: by rank."}, {"name": "columns", "type": "string", "nullable": true, "repeated": true, "help": "Fields that it shows; empty: the usual ones."}, {"name": "position", "type": "number", "nullable": true, "help": "Its place among the others; a new one comes last."}, {"name": "team", "type": "int", "nullable": true, "help": "The team whose work it is; null: none."}], "example": {"project": "WEB", "name": "Waits for us", "tql": "open and assignee is empty", "order": "priority, created", "columns": ["key", "title", "customer"]}, "answers": "Queue"},
"queues": {"summary": "List the queues of a desk in their order, each with its issues now, as far as you see them, and how many of these are late", "doc": "List the queues of a desk in their order, each with its issues now, as far as you see them, and how many of these\nare late: open behind their due date.\n\n`tql.run` with its `tql`, `project`, `order` and `columns` answers what is in it. A count that took too long, or\nwhose text cannot be read now, is -1.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"project": "WEB"}},
"replies": {"summary": "List the canned replies that you may use, by folder and name", "doc": "List the canned replies that you may use, by folder and name: your own, and shared ones for desks where you work.\n\nFor members and leads of a project that is a desk (403).", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Only those that fit at this desk: its own and those for all desks."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in name, text, folder or shortcut."}], "example": {"q": "sorry"}},
"reply_delete": {"summary": "Take a canned reply away, as whoever may change it", "doc": "Take a canned reply away, as whoever may change it. Answers those that you have left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the reply."}], "example": {"id": 1}, "answers": "CannedReply"},
"reply_render": {"summary": "Fill a canned reply in for a request, to be sent by desk.send_reply", "doc": "Fill a canned reply in for a request, to be sent by desk.send_reply. Of who answers it says what the desk shows.\n\nFor members of the project. An issue that is no request is 409, a reply that is for another desk 404.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the reply."}, {"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"id": 1, "key": "WEB-6"}, "unnamed": true},
"reply_save": {"summary": "Make a canned reply, or change one", "doc": "Make a canned reply, or change one: what is optional and not named stays. A placeholder that is none is 422.\n\nFor members and leads of a project that is a desk. Your own are yours to change; shared ones also leads of the\nproject that it is for, and those for all desks also admins (403). Somebody has a thousand at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The reply to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "text", "type": "string", "required": true, "help": "What it says, in Markdown; `{{customer.name}}`, `{{key}}` and the like are filled in."}, {"name": "project", "type": "string", "nullable": true, "help": "The desk that it is for; null: all desks."}, {"name": "folder", "type": "string", "nullable": true, "help": "Heading that it stands under; an empty text: none."}, {"name": "shortcut", "type": "string", "nullable": true, "help": "What one types to get it, unique among the replies that you see without case; an empty text: nothing."}, {"name": "shared", "type": "bool", "nullable": true, "help": "Whether everybody who works at the desk has it; a new one is yours alone."}], "example": {"name": "Sorry for the wait", "text": "Hello {{customer.first_name}},\n\nwe are looking at {{key}} now.", "shortcut": "sorry", "shared": true}, "answers": "CannedReply"},
"request_create": {"summary": "Write a request down for a customer, who is told by mail that it is here and sees it on the portal", "doc": "Write a request down for a customer, who is told by mail that it is here and sees it on the portal. For members\nof the project.\n\nThe form is judged as on the portal: what does not fit and what is missing is 422 at `values.<key>`, all of it at\nonce. The reporter is the customer, and whoever writes it down watches it. A customer who is blocked, one with 500\nopen requests, and a desk that is shut are 409.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "type", "type": "int", "required": true, "help": "Id of the request type, from desk.request_types; hidden ones count."}, {"name": "customer", "type": "string", "required": true, "help": "Who asks: an address that no customer has becomes one."}, {"name": "title", "type": "string", "required": true, "help": "What is asked for, on one line."}, {"name": "values", "type": "object", "nullable": true, "help": "Answers by key of the question, from desk.portal_form."}, {"name": "channel", "type": "string", "nullable": true, "enum": ["phone", "mail", "chat", "walk_in"], "help": "By which way it came; by phone unless given."}], "example": {"project": "WEB", "type": 2, "customer": "tess@rivers.example", "title": "She asks for an invoice", "channel": "phone"}, "answers": "Issue"},
"request_type_delete": {"summary": "Take a request type away", "doc": "Take a request type away; answers those that the desk has left.\n\nOne that requests have needs `move_to` (409 `in-use` with `uses`).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the request type."}, {"name": "move_to", "type": "int", "nullable": true, "help": "The type of the same desk that its requests get."}], "example": {"id": 2}, "answers": "RequestType"},
"request_type_save": {"summary": "Make a request type, or change one", "doc": "Make a request type, or change one: what is optional and not named stays. For admins who lead the project.\n\nQuestions stand for fields that issues of the type have in the project, but not for those that name people, teams or\nother things, nor computed ones (422); `show_if` asks for what stands before it on the form. What the layout of\nsuch issues asks for is asked behind the form. Answers the desk\u0027s request types.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The request type to change; left out: make one."}, {"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "name", "type": "string", "required": true, "help": "What customers choose it by, unique at the desk without case."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its picture."}, {"name": "group", "type": "string", "nullable": true, "help": "Heading that it stands under; an empty text: none."}, {"name": "issue_type", "type": "string", "required": true, "help": "Key or name of the issue type that a request becomes: one of the project\u0027s."}, {"name": "fields", "type": "object", "required": true, "repeated": true, "help": "The form, in order; empty: it asks for a description."}, {"name": "approvers", "type": "string", "nullable": true, "repeated": true, "help": "Who has to agree before it goes on: members, `team:<id>` and `customer:<id>`. They are asked together with those whom the first way from the start of the workflow names that asks anybody (422 where none does)."}, {"name": "template", "type": "int", "nullable": true, "help": "Id of an issue template that fills in what the form does not ask; null: none."}, {"name": "position", "type": "number", "nullable": true, "help": "Its place; a new one comes last."}, {"name": "hidden", "type": "bool", "nullable": true, "help": "True hides it from customers."}], "example": {"project": "WEB", "name": "Something is broken", "issue_type": "bug", "fields": [{"field": "description", "label": "What happened?", "required": true}]}, "answers": "RequestType"},
"request_types": {"summary": "List what may be asked for at a desk, in order, with the forms", "doc": "List what may be asked for at a desk, in order, with the forms; hidden ones too.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"project": "WEB"}},
"requester_set": {"summary": "Say whose request an issue is and who takes part in it", "doc": "Say whose request an issue is and who takes part in it. For members of the project, which must be a desk.\n\nThey read title, description and status, and what is said from then on; of what was said before it was a request\nthey read nothing. Somebody by an address that no customer has becomes one, and who is a customer of other desks is\none of this desk then, too: its people see them. An issue that is no request needs a `requester` (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "requester", "type": "string", "nullable": true, "help": "Who asked. An issue that is no request becomes one; who asked before sees it no more, unless they are added."}, {"name": "add", "type": "string", "nullable": true, "repeated": true, "help": "Customers who see it from now on and are mailed what is said, by id or address."}, {"name": "remove", "type": "string", "nullable": true, "repeated": true, "help": "Customers who do no more."}], "example": {"key": "WEB-6", "add": ["2"]}, "unnamed": true},
"satisfaction": {"summary": "Say how customers rated what was done for them, by whoever had the request then, by request type or by week (its Monday), of the requests that you see", "doc": "Say how customers rated what was done for them, by whoever had the request then, by request type or by week (its\nMonday), of the requests that you see. For members of the desk.\n\nA rating counts on the day of its last change; `low` are those of one and two. Where nobody had the request, or it\nis of no type, `group` is empty.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "from", "type": "string", "nullable": true, "help": "First day, in the zone of the org; thirty days in all unless given."}, {"name": "to", "type": "string", "nullable": true, "help": "Last day; today unless given."}, {"name": "by", "type": "string", "nullable": true, "enum": ["agent", "type", "week"], "help": "What rows stand for; left out: one row for all."}], "example": {"project": "WEB", "by": "agent"}, "unnamed": true},
"save": {"summary": "Make a project a service desk, or change its settings", "doc": "Make a project a service desk, or change its settings; what is not named stays. For admins who lead it.\n\nWhile it is not `enabled` its requests are not shown on the portal, and what is said on them is mailed to nobody. An\narchived project is 409.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "name", "type": "string", "nullable": true, "help": "What customers read; that of the project unless given."}, {"name": "intro", "type": "string", "nullable": true, "help": "What stands above its request types, in Markdown; an empty text: nothing."}, {"name": "enabled", "type": "bool", "nullable": true, "help": "False shuts it: the portal shows neither it nor its requests, and nothing comes in. A new one is open."}, {"name": "open_signup", "type": "bool", "nullable": true, "help": "Whether anybody may make a portal account; a new desk lets nobody."}, {"name": "kb_space", "type": "string", "nullable": true, "help": "Key of the space of pages whose published articles the portal suggests; null: none."}, {"name": "show_agents", "type": "bool", "nullable": true, "help": "Whether customers read the names of those who answer; a new desk answers under its own name."}, {"name": "survey", "type": "bool", "nullable": true, "help": "Whether customers are asked how it went when a request is closed, from now on: on the request, and five minutes later by a letter."}, {"name": "reopen_days", "type": "int", "nullable": true, "help": "So many days after it was closed a customer may reopen a request; null: always. (0 to 3650)"}, {"name": "languages", "type": "string", "nullable": true, "repeated": true, "help": "Languages that the desk answers in, such as `en`."}, {"name": "logo", "type": "string", "nullable": true, "help": "Its picture on the portal: the id of a PNG, JPEG, GIF or WebP of at most 1 MB that hangs on the project, or a path of this site. Null: that of the org."}, {"name": "reply_to", "type": "string", "nullable": true, "help": "Address that answers to the desk\u0027s letters go to; null: that of the server."}], "example": {"project": "WEB", "name": "Web help", "intro": "Ask us about the shop.", "open_signup": true}, "answers": "Desk"},
"send_reply": {"summary": "Answer a request", "doc": "Answer a request: whoever sees it on the portal reads it, and is mailed. Naming others and moving it needs the\nrights of that, and all of it happens or nothing. An issue that is no request is 409. Files are shown on the portal;\none on an internal note is 422.\n\nWith `send_at` it goes then, in your name and with what you may then: desk.waiting_replies lists what waits, and\nsays of an answer that did not go why. Twenty wait on a request at most (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "body", "type": "string", "required": true, "help": "What to say to the customers of the request, in Markdown."}, {"name": "to", "type": "string", "nullable": true, "repeated": true, "help": "Customers who take part from now on, by id or address."}, {"name": "cc", "type": "string", "nullable": true, "repeated": true, "help": "The same; mail programs are told no difference."}, {"name": "attachments", "type": "string", "nullable": true, "repeated": true, "help": "Files to show with it: ids of such as hang on the issue itself, and of what you sent to `/files/upload`."}, {"name": "status", "type": "string", "nullable": true, "help": "The lane that it goes to then, by key or name."}, {"name": "send_at", "type": "int", "nullable": true, "help": "When it goes, within a year: an internal note until then, and deleting that takes it back."}], "example": {"key": "WEB-6", "body": "It is on its way.", "status": "in_progress"}},
"spam": {"summary": "Put a request into the trash that is none, and tell its sender nothing", "doc": "Put a request into the trash that is none, and tell its sender nothing. For members of the project; an issue that\nis no request of a desk is 409, as is one of an archived project.\n\nWith `block` whoever sent it is shut out, at all desks. That is for members of all desks that they have to do with;\nfor others an admin does it by desk.customer_block (403).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "block", "type": "bool", "nullable": true, "help": "Also refuses the sender from now on: they are signed out, and what they mail is ignored."}], "example": {"key": "WEB-6", "block": false}, "unnamed": true},
"stats": {"summary": "Say how much came in at a desk in some days and was done, of the requests that you see", "doc": "Say how much came in at a desk in some days and was done, of the requests that you see. For members of it.\n\n`solved` and `reopened` count requests by what happened to them in these days, `backlog` those that were open at\ntheir end. The medians are in seconds: `first_reply` of those that came in and were answered, `resolution` of those\nthat were solved, from when they came. A request that lies in the trash counts for nothing.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "from", "type": "string", "required": true, "help": "First day, in the zone of the org."}, {"name": "to", "type": "string", "required": true, "help": "Last day."}], "example": {"project": "WEB", "from": "2027-01-01", "to": "2027-01-31"}, "unnamed": true},
"suggest_articles": {"summary": "Suggest help articles of the desk that fit a request, the best first, five at most", "doc": "Suggest help articles of the desk that fit a request, the best first, five at most. For members of the project.\n\n`score` is how many of the words of title and text stand in it: one in a title counts for two more. A key without\nthe scope pages:read is suggested none. An issue that is no request of a desk is 409.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-6"}, "unnamed": true},
"waiting_replies": {"summary": "List the answers of a desk that are to go at a time, soonest first, and those that did not go, on requests that you see", "doc": "List the answers of a desk that are to go at a time, soonest first, and those that did not go, on requests that\nyou see: the first thousand. For members of it.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "key", "type": "string", "nullable": true, "help": "Only those on this request."}], "example": {"project": "WEB"}}}},
"drafts": {"about": "Drafts: unsent texts, which follow a person from device to device and which others may finish where they are shared.\n\nWhat the owner of a draft does not see any more is as if it were not there, and so is the draft on it, until they see it\nagain.", "verbs": {
"delete": {"summary": "Throw away your draft on a thing, as when it was sent", "doc": "Throw away your draft on a thing, as when it was sent; there is no way back.\n\nOne that another shares goes by its `seq`, from members who may comment there (403). Where `seq` is given and the\ndraft was saved meanwhile it stays (409 `stale`, with `current`).", "class": "destructive", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What the draft is on."}, {"name": "seq", "type": "int", "nullable": true, "help": "`seq` of the draft that you mean, for one that another shares."}], "example": {"subject": "issue:WEB-1"}, "unnamed": true},
"list": {"summary": "List your drafts, the latest first", "doc": "List your drafts, the latest first; with `subject` yours on it, and behind it those that others share.\n\nA draft on what you do not see any more is left out, and comes back when you see that again. Guests are shown their\nown alone. Keys and agents see their owner\u0027s, as far as they see what these are on.", "class": "read", "fields": [{"name": "subject", "type": "string", "nullable": true, "help": "`issue:new`, `issue:WEB-1`, `comment:<id>` or another thing: yours on it, and those that others share there."}], "example": {"subject": "issue:WEB-1"}},
"save": {"summary": "Save the draft that you have on a thing, or begin one", "doc": "Save the draft that you have on a thing, or begin one: there is one for each thing that you see.\n\nWith `seq` a draft that was saved, sent or deleted meanwhile is left as it is (409 `stale`, with `current`, which is\nnull where it is gone); without it the last word stands. A draft that another shares is changed by its `seq` alone,\nwhich drafts.list tells, by members who may comment there (403), and stays its owner\u0027s, who alone shares it and\ntakes it back (403). Sharing needs a thing that takes comments (422). You have 200 drafts at most, with 8 MB in all\n(409); before that is said, those make room whose things you do not see any more.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "`issue:new` for an issue to come, else what the text is for: `issue:WEB-1` for a comment on it, `comment:<id>` for an answer to it or another wording, or any other thing."}, {"name": "body", "type": "string", "required": true, "help": "The whole text so far, Markdown."}, {"name": "data", "type": "object", "nullable": true, "help": "What else the form holds, as you like it; it stays where it is left out. 64 KB at most."}, {"name": "shared", "type": "bool", "nullable": true, "help": "True: members who see the thing may finish it. A new one is not shared unless you say so."}, {"name": "seq", "type": "int", "nullable": true, "help": "`seq` of the draft that you changed; 0: there was none."}], "example": {"subject": "issue:WEB-1", "body": "Seen again on Wednesday, so"}, "answers": "Draft"}}},
"events": {"about": "Events taken out by the day, as Parquet, for programs that read millions of them. For admins.", "verbs": {
"export": {"summary": "Lay the events of some days as Parquet, a file for each day, where `[export]` of the settings says", "doc": "Lay the events of some days as Parquet, a file for each day, where `[export]` of the settings says: a folder or\na bucket.\n\nAnswers the job that does it, one at a time (409). A day that lies there whole is left as it is, and a job that was\ncut off goes on where it was: calling it again costs little. The server does so by itself, too, once a day. Files\nhave the events that `analytics.query` reads; `time` is a timestamp in UTC, `payload` a text in JSON.", "class": "write", "fields": [{"name": "from", "type": "string", "nullable": true, "help": "The first day, in UTC; left out: that of the first event that is kept."}, {"name": "to", "type": "string", "nullable": true, "help": "The last day, which is in it; left out, or not over yet: yesterday."}, {"name": "again", "type": "bool", "nullable": true, "help": "Lay those days too that lie there whole, such as after somebody\u0027s data were erased. False unless given."}], "example": {"from": "2026-11-01", "to": "2026-11-30"}, "unnamed": true}}},
"fields": {"about": "Own fields of issues, worklogs, companies and requests: their kinds, options, layouts and values.", "verbs": {
"delete": {"summary": "Put a field with its values and options into the trash", "doc": "Put a field with its values and options into the trash. Answers the fields that are left.\n\nIt is gone from issues and layouts at once, and comes back to them with its values by trash.restore or undo. Its key\nstays taken for ever.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key, id or name of the field."}], "example": {"key": "severity"}, "answers": "Field"},
"get": {"summary": "Look at a field by its key, or by a name that one field alone has", "doc": "Look at a field by its key, or by a name that one field alone has.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key, id or name."}], "example": {"key": "severity"}},
"layout": {"summary": "Look at which fields the issues of a project have, type by type", "doc": "Look at which fields the issues of a project have, type by type.\n\nWhere nobody laid them out these are all that are for the project and the type, none of them required.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "type", "type": "string", "nullable": true, "help": "Key or name of one of its types; left out: all of them."}], "example": {"project": "WEB", "type": "bug"}, "unnamed": true},
"layout_save": {"summary": "Lay fields out on a type of a project", "doc": "Lay fields out on a type of a project. For its leads and admins.\n\nA field that stands in neither list takes no value on such issues; what they hold already is hidden, and comes back\nwhen the field does. A field must be for the project and the type (422). What is computed can stand in `edit` alone.\nFields that are made later do not come in by themselves. A condition in `tql` is 422.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "type", "type": "string", "required": true, "help": "Key or name of the issue type."}, {"name": "create", "type": "string", "required": true, "repeated": true, "help": "Fields that are asked for when an issue is made, in order."}, {"name": "edit", "type": "string", "required": true, "repeated": true, "help": "Fields that an issue shows, in order."}, {"name": "required", "type": "string", "required": true, "repeated": true, "help": "Fields of `create` or `edit` that an issue must have when it is made, and when it becomes one of this type."}, {"name": "rules", "type": "object", "nullable": true, "repeated": true, "help": "Left out: none."}], "example": {"project": "WEB", "type": "bug", "create": [], "edit": [], "required": []}, "answers": "FieldLayout", "unnamed": true},
"list": {"summary": "List the fields that you see, in the order in which they were made", "doc": "List the fields that you see, in the order in which they were made.\n\nMembers see the fields of all projects and of those that they see, guests such as are laid out in their projects.\n`used` counts the issues with a value that you see.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Key of a project: the fields that are for all projects, and its own."}, {"name": "on", "type": "string", "nullable": true, "enum": ["issue", "worklog", "company", "request"], "help": "Fields of `issue`, `worklog`, `company` or `request`; left out: of all four."}], "example": {"project": "WEB", "on": "issue"}},
"option_merge": {"summary": "Fold options into one", "doc": "Fold options into one: what has them has that one, once, and they are gone.\n\nThe default and the rules of layouts go along. In a cascade the options stand under the same one (422), and those\nthat go have none under them (409). The first 500 values are changed in this call and more by a job, which tells of\neach 500 it changed; meanwhile they are shown as the option that stays.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key, id or name of the field."}, {"name": "from", "type": "any", "required": true, "repeated": true, "help": "The options that go, by name or id."}, {"name": "into", "type": "any", "required": true, "help": "The option that stays."}], "example": {"key": "severity", "from": ["Low"], "into": "High"}, "answers": "Field"},
"options_set": {"summary": "Say which options a field has, as the whole list in order", "doc": "Say which options a field has, as the whole list in order: 1,000 at most.\n\nFor admins, and for those who lead all the projects that the field is limited to. An option is known by its id, else\nby its name; names are unique without case among those that stand under the same one (422). A colour or an archiving\nthat is not named stays. Leaving out an option that an issue, the default or a layout\u0027s rule has is 409 with `uses`,\nand so is moving one under another; fields.option_merge folds it into another, archiving keeps it.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key, id or name of the field."}, {"name": "options", "type": "object", "required": true, "repeated": true, "help": "The whole list, in order."}], "example": {"key": "severity", "options": [{"name": "High", "color": "#d64545"}, {"name": "Low"}]}, "answers": "Field"},
"save": {"summary": "Make a field, or change one", "doc": "Make a field, or change one: fields that are not named stay; null clears default, min, max and pattern.\n\nA key is no field or keyword of the query language (422), nor that of a field that is or was (409). A name is unique\nwithout case among the fields that can stand on one issue (409). There are 200 fields at most (409). `default`,\n`min`, `max`, `pattern` and `formula` must go with the kind (422); they are asked of what is given from now on. A\nformula may name other computed fields, none that leads back to it (422).\n\nWhere issues have values, the kind changes to a wider one alone, which turns them: text to paragraph, number to\nmoney (in the currency of the default, else `XXX`), date to datetime (at the day\u0027s start in the org\u0027s zone), select\nto multi_select, member to members, any kind to text. Another kind is 409 with the count. Limits that the new kind\ndoes not take go; the options of a select go with the change to text. fields.options_set says what may be chosen.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "An unknown one makes a field; a key stays as it is and is never given out again."}, {"name": "name", "type": "string", "required": true, "help": "What people read."}, {"name": "kind", "type": "string", "required": true, "enum": ["text", "paragraph", "number", "money", "bool", "date", "datetime", "duration", "select", "multi_select", "cascade", "member", "members", "team", "issue", "page", "asset", "url", "rating", "formula", "rollup"], "help": "What its values are."}, {"name": "on", "type": "string", "nullable": true, "enum": ["issue", "worklog", "company", "request"], "help": "What has the field; `issue` unless given. Decided when it is made."}, {"name": "description", "type": "string", "nullable": true, "help": "What to fill in, for people."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "Keys of the projects that it is for; `[]`: all. Projects that you do not see stay."}, {"name": "types", "type": "string", "nullable": true, "repeated": true, "help": "The issue types that it is for; `[]`: all."}, {"name": "default", "type": "any", "help": "What an issue holds where nothing is given, any JSON that fits the kind; null: nothing."}, {"name": "formula", "type": "string", "nullable": true, "help": "For `formula` and `rollup`: what it computes."}, {"name": "personal", "type": "bool", "nullable": true, "help": "It says something of a person: left out of exports and events, erased with a member."}, {"name": "min", "type": "number", "nullable": true, "help": "Of a number, or of how many characters a text has; null: no limit."}, {"name": "max", "type": "number", "nullable": true, "help": "Greatest number, or most characters of a text; null: no limit."}, {"name": "pattern", "type": "string", "nullable": true, "help": "Is found in a text; `^` and `$` are its very start and end. Null: any text."}], "example": {"key": "severity", "name": "Severity", "kind": "select", "description": "How bad it is"}, "answers": "Field"}}},
"flags": {"about": "Feature flags: projects with environments, flags with targeting, segments, change requests, schedules, SDK keys.", "verbs": {
"archive": {"summary": "Archive a flag", "doc": "Archive a flag: clients answer their own default for it from then on. flags.restore brings it back.\n\nWhile others wait for it (409 with `uses`) it stays, and agents leave one that is on in a critical environment to\npeople (409 `approval-needed`). One that is archived already stays so.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}], "example": {"project": "web", "key": "banner"}, "answers": "Flag"},
"change_apply": {"summary": "Apply an approved change now, whose time has not come", "doc": "Apply an approved change now, whose time has not come. Agents leave it to its time (403).\n\nOne that lacks approvals, was decided, or does not fit any more is 409.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the change request."}], "example": {"project": "web", "id": 1}, "answers": "FlagChange"},
"change_cancel": {"summary": "Take a change request back", "doc": "Take a change request back: whoever asked for it may, and admins. One that was decided is 409.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the change request."}], "example": {"project": "web", "id": 1}, "answers": "FlagChange"},
"change_create": {"summary": "Ask for a change of a flag\u0027s targeting, or of a segment", "doc": "Ask for a change of a flag\u0027s targeting, or of a segment. It is applied once enough people approve it.\n\n`deleteSegment`, alone, asks for a segment to be deleted.\n\nWhat does not fit now is refused now (422, 409). Instructions that change nothing are 422.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "kind", "type": "string", "required": true, "enum": ["flag", "segment"], "help": "Whether a flag or a segment is to change."}, {"name": "target", "type": "string", "required": true, "help": "Key of the flag or segment."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "instructions", "type": "object", "required": true, "repeated": true, "help": "What is to be done, in order."}, {"name": "comment", "type": "string", "nullable": true, "help": "Why, for those who approve."}, {"name": "run_at", "type": "any", "nullable": true, "help": "When it is to be applied once it is approved: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`."}], "example": {"project": "web", "kind": "flag", "target": "checkout", "environment": "test", "instructions": [{"kind": "turnFlagOn"}], "comment": "After the talk with support"}, "answers": "FlagChange"},
"change_get": {"summary": "Look at a change request", "doc": "Look at a change request. While it is open `preview` says what it would change now, or why it does not fit.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the change request."}], "example": {"project": "web", "id": 1}},
"change_review": {"summary": "Approve or decline a change request, or say something to it", "doc": "Approve or decline a change request, or say something to it. Signed-in people alone may, never a key.\n\nOnce it has as many approvals as the environment asks for it is applied, at its time where it has one; one that\ndoes not fit any more has failed. One decline is enough. Your own you may approve only where the environment allows\nit (403). One that was decided is 409.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the change request."}, {"name": "decision", "type": "string", "required": true, "enum": ["approve", "decline", "comment"], "help": "What you decide; `comment` decides nothing."}, {"name": "comment", "type": "string", "nullable": true, "help": "Needed with `comment`."}], "example": {"project": "web", "id": 1, "decision": "comment", "comment": "From when on?"}, "answers": "FlagChange"},
"changes": {"summary": "List the change requests of a flag project, newest first, the last thousand", "doc": "List the change requests of a flag project, newest first, the last thousand; with `limit` a part, and behind the\nlast thousand, too.", "class": "read", "fields": [{"name": "limit", "type": "int", "nullable": true, "help": "So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. (1 to 200)"}, {"name": "cursor", "type": "string", "nullable": true, "help": "The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "status", "type": "string", "nullable": true, "enum": ["pending", "approved", "declined", "applied", "cancelled", "failed"], "help": "Only those with this status."}, {"name": "environment", "type": "string", "nullable": true, "help": "Key of the environment."}], "example": {"project": "web"}},
"check_delete": {"summary": "Delete a saved check", "doc": "Delete a saved check; answers those that are left in the flag project. An agent leaves one that is enforced to\npeople where its own changes wait for approval (409 `approval-needed`).", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the check, from `flags.checks`."}], "example": {"project": "web", "id": 1}, "answers": "FlagCheck"},
"check_save": {"summary": "Save what a context is to get in an environment, or change that", "doc": "Save what a context is to get in an environment, or change that.\n\nWhile it is enforced, every change that would break it there is 409, whichever way it comes; `flags.update` takes\n`bypass`. What is broken already stays as it is. An agent leaves checks that are enforced to people where its own\nchanges wait for approval (409 `approval-needed`). A flag that is not there is 404, one that is archived 409, and\nwhat it never serves 422. An environment has at most 100 (422), and of each name one (409).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "name", "type": "string", "required": true, "help": "What people call it; unique in the environment."}, {"name": "context", "type": "object", "required": true, "help": "Who is looked at, such as `{\"kind\": \"user\", \"key\": \"ana\", \"country\": \"PT\"}`."}, {"name": "expected", "type": "object", "required": true, "help": "What it is to get, by key of the flag: an index of a variation, a value, `{\"value\": 5}` for a number, or null for the caller\u0027s default. Flags that are left out are not held."}, {"name": "enforce", "type": "bool", "nullable": true, "help": "Whether a change that breaks it is refused; left out for a new one: no."}, {"name": "id", "type": "int", "nullable": true, "help": "Of the check that changes; left out: a new one."}], "example": {"project": "web", "environment": "test", "name": "Bo gets the old checkout", "context": {"kind": "user", "key": "bo"}, "expected": {"checkout": false}, "enforce": false, "id": 1}, "answers": "FlagCheck"},
"checks": {"summary": "List saved checks with the flags that break them now, by environment and name", "doc": "List saved checks with the flags that break them now, by environment and name.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "nullable": true, "help": "Of this environment alone."}], "example": {"project": "web", "environment": "test"}},
"clean_up": {"summary": "Open the issue that removes a stale flag", "doc": "Open the issue that removes a stale flag: why it may go, what each environment serves, and what to do.\n\nThe issue goes to the project of work that the flag project is tied to, or that `to` names (422 where there is\nneither), is assigned to those maintainers who are active and see that project, and is linked to the flag. Where\nnone of them does, the project says who gets new issues. You need issues:write, and may make issues there.\n\nA flag that flags.stale does not tell is 409 with what keeps it; so is an archived one. While a clean-up issue of\nthe flag is linked and open, in whichever project, the answer is that one and nothing is made; one that you do not\nsee is 409. An issue counts as such by its `source`, which is `flag:<project>/<key>`. A flag has at most 100 issues\n(422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "to", "type": "string", "nullable": true, "help": "Key of the project of work that gets the issue; left out: the one that the flag project is tied to."}], "example": {"project": "web", "key": "checkout", "to": "WEB"}},
"compare": {"summary": "Say which flags and segments differ between two environments", "doc": "Say which flags and segments differ between two environments; archived flags are left out.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "from", "type": "string", "required": true, "help": "Key of an environment."}, {"name": "to", "type": "string", "required": true, "help": "Key of another."}], "example": {"project": "web", "from": "test", "to": "production"}, "unnamed": true},
"copy": {"summary": "Make the targeting of flags in one environment what it is in another, through the approvals of the one that changes", "doc": "Make the targeting of flags in one environment what it is in another, through the approvals of the one that\nchanges. Salts stay what they are there.\n\nA segment that a flag asks for and that is not there is 422, unless segments are copied too.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "to", "type": "string", "required": true, "help": "Key of the environment that changes."}, {"name": "from", "type": "string", "required": true, "help": "Key of the environment that it becomes like."}, {"name": "flags", "type": "string", "nullable": true, "repeated": true, "help": "Keys of flags; left out: all that differ, a thousand at most."}, {"name": "include_segments", "type": "bool", "nullable": true, "help": "Copy the segments that they ask for too."}], "example": {"project": "web", "from": "test", "to": "production", "flags": ["checkout"]}, "unnamed": true},
"create": {"summary": "Make a flag, which is off in every environment", "doc": "Make a flag, which is off in every environment. Without kind and variations it is true or false.\n\nA key that was given out, be it to a flag that is archived now, is 409. A flag project has at most 10,000 (422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "1 to 128 letters, digits, dots, dashes and underscores; unique in the project, for good."}, {"name": "name", "type": "string", "nullable": true, "help": "Left out: the key."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["bool", "string", "number", "json"], "help": "Left out: that of the template, else of the variations\u0027 values; without any `bool`."}, {"name": "template", "type": "string", "nullable": true, "help": "Key of a template: what is not named here is taken from it."}, {"name": "variations", "type": "object", "nullable": true, "repeated": true, "help": "{`value`, `name`, `description`}; left out for `bool`: true and false."}, {"name": "tags", "type": "string", "nullable": true, "repeated": true, "help": "Words to find it by; `kill-switch` puts it on that list."}, {"name": "client_side", "type": "bool", "nullable": true, "help": "Whether client-side IDs see it; left out: no."}, {"name": "temporary", "type": "bool", "nullable": true, "help": "Whether it is to be removed some day; left out: yes."}, {"name": "maintainers", "type": "string", "nullable": true, "repeated": true, "help": "Members, by id, `me`, `@handle` or e-mail; left out: you."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for."}, {"name": "schema", "type": "object", "nullable": true, "help": "For JSON flags: a JSON schema that every variation fits."}, {"name": "defaults", "type": "object", "nullable": true, "help": "What a new environment serves, as indexes of variations: {`on`, `off`}; left out: the first, and the last."}], "example": {"project": "web", "key": "new-checkout", "name": "New checkout", "template": "release"}, "answers": "Flag"},
"environment_delete": {"summary": "Delete an environment for good", "doc": "Delete an environment for good: targeting, segments, history, changes, schedules, counts and SDK keys of it.\n\nA critical one asks for its key in `confirm_key` (422). Answers the environments that are left.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "confirm_key", "type": "string", "nullable": true, "help": "For a critical environment: its key once more."}], "example": {"project": "web", "key": "test"}, "answers": "Environment"},
"environment_save": {"summary": "Make an environment, or change one", "doc": "Make an environment, or change one: fields that are not named stay.\n\nIn a new one every flag is off, with its default variations. A flag project has at most 50 (422). Where the rules\nof approval are loosened, changes that waited and have enough approvals now are applied.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "A new one makes it: 1 to 64 letters, digits, dots, dashes and underscores."}, {"name": "name", "type": "string", "nullable": true, "help": "Left out for a new one: its key."}, {"name": "critical", "type": "bool", "nullable": true, "help": "What agents change here waits for approval, and it is deleted only by name."}, {"name": "require_approval", "type": "bool", "nullable": true, "help": "What anybody changes here waits for approval."}, {"name": "min_approvals", "type": "int", "nullable": true, "help": "So many people approve; 1 for a new one. (1 to 10)"}, {"name": "allow_self_approval", "type": "bool", "nullable": true, "help": "Whether whoever asks for a change may approve it too."}], "example": {"project": "web", "key": "staging", "name": "Staging"}, "answers": "Environment"},
"environments": {"summary": "List the environments of a flag project, in the order in which they were made", "doc": "List the environments of a flag project, in the order in which they were made.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}], "example": {"project": "web"}},
"evaluate": {"summary": "Say what a context gets in an environment, with every step that led to it", "doc": "Say what a context gets in an environment, with every step that led to it; of one flag, or of all by key.\n\nIt is not counted, and nothing of the context is kept. With `instructions` it is what the context would get: they\nare about the flag `key`, and what does not fit is 422, as in `flags.update`. An archived flag is answered as\nclients answer it: `ERROR`, `FLAG_NOT_FOUND`. A context that is none, or that has more than 64 KiB of JSON, 16\nlevels or 20 kinds, is 422.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "context", "type": "object", "required": true, "help": "Such as `{\"kind\": \"user\", \"key\": \"ana\", \"country\": \"PT\"}`."}, {"name": "key", "type": "string", "nullable": true, "help": "Of this flag alone."}, {"name": "instructions", "type": "object", "nullable": true, "repeated": true, "help": "As if these had been applied to the targeting of the flag `key`; they are not."}], "example": {"project": "web", "environment": "production", "context": {"key": "ana"}, "key": "checkout"}},
"expire": {"summary": "Let contexts have a variation of a flag until a time", "doc": "Let contexts have a variation of a flag until a time; with null let them keep it.\n\nThose who are no target yet become one, and a key moves here from another variation. When the time comes the server\ntakes them out: where the environment asks for approval, this is what is approved, once. Where a check that is\nenforced would break then, they stay, which is told. With null those who are no target are 422.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "targets", "type": "object", "required": true, "repeated": true, "help": "{`contextKind`, `variation`, `values`}: who gets which variation until then."}, {"name": "at", "type": "any", "required": true, "nullable": true, "help": "When they end: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; null: they stay."}], "example": {"project": "web", "key": "checkout", "environment": "test", "targets": [{"contextKind": "user", "variation": 0, "values": ["bo"]}], "at": "2030-03-01T09:00:00Z"}, "unnamed": true},
"export": {"summary": "Everything that is configured, as one document", "doc": "Everything that is configured, as one document: settings, own templates, and the flag projects that you see with\nenvironments, segments, saved checks and flags, archived ones too. No SDK key is in it. For admins.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}], "example": {}, "unnamed": true},
"get": {"summary": "Look at a flag", "doc": "Look at a flag: targeting in every environment, the flags that wait for it, open changes, schedules, issues.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}], "example": {"project": "web", "key": "checkout"}},
"history": {"summary": "List the versions of a flag in an environment, or of the flag itself, newest first", "doc": "List the versions of a flag in an environment, or of the flag itself, newest first: the last thousand, or as many\nas four megabytes hold.\n\nThe oldest is how it was made: what it was then differs from nothing.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "nullable": true, "help": "Left out: of the flag itself."}], "example": {"project": "web", "key": "checkout", "environment": "production"}},
"impact": {"summary": "Say what a change of targeting reaches, and how risky it is, with the reason", "doc": "Say what a change of targeting reaches, and how risky it is, with the reason; without instructions, any change.\n\n`high`: the environment is critical, and more than a tenth of the evaluations of the last 24 hours would or may be\nanswered otherwise, or other flags wait for this one. `medium`: more than a hundredth, or others wait. `none`: the\ninstructions change nothing. Else `low`. Instructions that do not fit are 422.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "instructions", "type": "object", "nullable": true, "repeated": true, "help": "What is to be done; left out: anything at all."}], "example": {"project": "web", "key": "checkout", "environment": "production", "instructions": [{"kind": "turnFlagOff"}]}, "unnamed": true},
"insights": {"summary": "Count evaluations of a flag by hour and variation, oldest first, this hour among them", "doc": "Count evaluations of a flag by hour and variation, oldest first, this hour among them. Counts come with a delay:\nclients send them every five minutes by default.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "nullable": true, "help": "Left out: all environments together."}, {"name": "hours", "type": "int", "help": "How far back, in hours. (1 to 720)"}], "example": {"project": "web", "key": "checkout"}, "unnamed": true},
"key_create": {"summary": "Make an SDK key", "doc": "Make an SDK key. A server key stands in this answer and never again; of a client-side ID nothing is secret.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "kind", "type": "string", "required": true, "enum": ["server", "client"], "help": "`server` for back ends, secret; `client` for browsers and apps, public."}, {"name": "expire_others_in_hours", "type": "int", "nullable": true, "help": "For rotation: the environment\u0027s other keys of this kind end after so many hours. (0 to 8760)"}], "example": {"project": "web", "environment": "production", "kind": "server"}},
"key_revoke": {"summary": "Revoke an SDK key, now or later", "doc": "Revoke an SDK key, now or later. Whoever holds it keeps what they have, and gets no more. Answers the others.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "id", "type": "int", "required": true, "help": "Id of the key, from `flags.keys`."}, {"name": "in_hours", "type": "int", "nullable": true, "help": "It ends after so many hours; left out or 0: now. (0 to 8760)"}], "example": {"project": "web", "environment": "production", "id": 1}},
"keys": {"summary": "List the SDK keys that open an environment, oldest first", "doc": "List the SDK keys that open an environment, oldest first: a client-side ID whole, a server key by its end.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}], "example": {"project": "web", "environment": "production"}},
"kill_switches": {"summary": "List the flags with the tag `kill-switch`, on or off in each environment, or in one", "doc": "List the flags with the tag `kill-switch`, on or off in each environment, or in one.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "nullable": true, "help": "Key of the environment."}], "example": {"project": "web"}},
"link": {"summary": "Say that a flag belongs to an issue, or no more", "doc": "Say that a flag belongs to an issue, or no more. Answers the keys of the issues that you see on it.\n\nA flag has at most 100 (422). Asking for what is so already changes nothing.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "issue", "type": "string", "required": true, "help": "Key of an issue."}, {"name": "on", "type": "bool", "required": true, "help": "Whether it belongs to the flag from now on, or no more."}], "example": {"project": "web", "key": "checkout", "issue": "WEB-1", "on": true}},
"list": {"summary": "List the flags of a project by key, each with its state in every environment", "doc": "List the flags of a project by key, each with its state in every environment; a part of them with `limit`.", "class": "read", "fields": [{"name": "limit", "type": "int", "nullable": true, "help": "So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. (1 to 200)"}, {"name": "cursor", "type": "string", "nullable": true, "help": "The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "tag", "type": "string", "nullable": true, "help": "Only those with this tag."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in key, name or description."}, {"name": "archived", "type": "bool", "nullable": true, "help": "Those that are archived instead of those that are not."}, {"name": "full", "type": "bool", "nullable": true, "help": "With targets, rules and prerequisites in every environment; else with how many there are."}], "example": {"project": "web"}},
"plan_save": {"summary": "Roll a variation out step by step, in your name", "doc": "Roll a variation out step by step, in your name: with what you may do at each of them.\n\nThe others keep what they had before, in its proportions. Checks are looked at every minute, hooks at the end of\neach step. Where one does not hold, the rollout stops, and with `back` serves what was served before. While the flag\nis off, or a hook is not reached, it is held; where somebody else changes what it serves there, it stops. Where a\nchange needs approval this makes a change request, and approves all steps at once. What does not fit now is refused\nnow (409, 422), and so is a second plan for the same place (409).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "rule", "type": "string", "nullable": true, "help": "Id of the rule whose share grows; left out: what is served where no target and no rule fits."}, {"name": "variation", "type": "int", "required": true, "help": "Index of the variation that is rolled out."}, {"name": "steps", "type": "object", "required": true, "repeated": true, "help": "In order: how many get it, and for how long that is held."}, {"name": "checks", "type": "object", "nullable": true, "repeated": true, "help": "What has to hold for it to go on."}, {"name": "start_at", "type": "any", "nullable": true, "help": "When it is to start: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`; left out: at once."}, {"name": "comment", "type": "string", "nullable": true, "help": "Why, for those who approve."}], "example": {"project": "web", "key": "banner", "environment": "test", "variation": 1, "steps": [{"weight": 10000, "hold_minutes": 60}, {"weight": 100000, "hold_minutes": 0}], "checks": [{"kind": "errors", "percent": 1, "back": true}], "start_at": "2030-03-01T09:00:00Z"}, "answers": "FlagPlan"},
"plan_stop": {"summary": "Stop a rollout, and with `back` serve what was served before it", "doc": "Stop a rollout, and with `back` serve what was served before it.\n\nA change request that it waits for is cancelled. Where going back needs approval, and the plan had none, it becomes\na change request, and the plan stops at once. One that ended is 409, and so is going back where somebody else\nchanged meanwhile what is served there.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the plan, from `flags.plans`."}, {"name": "back", "type": "bool", "nullable": true, "help": "Whether to serve what was served before the plan; left out: it stays where it is."}], "example": {"project": "web", "id": 1}, "answers": "FlagPlan"},
"plans": {"summary": "List rollouts by a plan, newest first, the last thousand", "doc": "List rollouts by a plan, newest first, the last thousand.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "nullable": true, "help": "Of this flag alone."}, {"name": "state", "type": "string", "nullable": true, "enum": ["waiting", "running", "held", "stopped", "done"], "help": "Only those in this state."}], "example": {"project": "web", "key": "checkout"}},
"project_archive": {"summary": "Archive a flag project", "doc": "Archive a flag project: it is listed no more, nothing in it changes, and its SDK keys are revoked.\n\nWhat was waiting there for its time waits until it is brought back by flags.project_save.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}], "example": {"project": "web"}, "unnamed": true},
"project_save": {"summary": "Make a flag project, or change one", "doc": "Make a flag project, or change one: fields that are not named stay. One that was archived comes back.\n\nA new one has no environments. One that is tied to a project of work is seen by whoever sees that, and changed by\nits members and leads; any other by all members. The key of one that you do not see is 409.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Its key; a new one makes it: 1 to 64 letters, digits, dots, dashes and underscores, unique without case."}, {"name": "name", "type": "string", "nullable": true, "help": "Left out for a new one: its key."}, {"name": "work_project", "type": "string", "nullable": true, "help": "Key of the project of work that it is tied to; null unties it."}], "example": {"project": "shop", "name": "Shop"}, "unnamed": true},
"projects": {"summary": "List the flag projects that you see, but archived ones, with their environments and how many flags live there", "doc": "List the flag projects that you see, but archived ones, with their environments and how many flags live there.", "class": "read", "fields": [], "example": {}},
"refs": {"summary": "List where code names flags, by key, repository, branch, path and line", "doc": "List where code names flags, by key, repository, branch, path and line: the first 10,000 places.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "nullable": true, "help": "Of this flag alone."}], "example": {"project": "web", "key": "checkout"}},
"refs_push": {"summary": "Say where the code of a branch names flags", "doc": "Say where the code of a branch names flags: this takes the place of what was said of that branch.\n\nAliases count for their flag. `kbwork flags refs scan` finds them. A flag project has at most 200 branches (422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "repository", "type": "string", "required": true, "help": "What the repository is called, such as `acme/shop`."}, {"name": "branch", "type": "string", "required": true, "help": "Which branch this is of."}, {"name": "commit", "type": "string", "required": true, "help": "The commit that was looked through."}, {"name": "refs", "type": "object", "required": true, "repeated": true, "help": "All that names a flag there; none takes the branch away."}], "example": {"project": "web", "repository": "acme/shop", "branch": "main", "commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "refs": [{"key": "checkout", "path": "src/cart.ts", "line": 12, "text": "if (flags.boolean(\u0027checkout\u0027"}]}, "unnamed": true},
"rename": {"summary": "Give a flag another key", "doc": "Give a flag another key. The one it had is an alias: programs that ask by it get the same answers, which\n`flags.insights` counts apart too, until the instruction `removeAlias` of `flags.update` drops it.\n\nNobody gets another variation by this: contexts are hashed by the first key for good. Flags that wait for this one,\nchanges that wait, and saved checks go along. A key that a flag of the project has, or had, is 409, and so is an\narchived flag. A flag has at most 20 aliases (422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "new_key", "type": "string", "required": true, "help": "1 to 128 letters, digits, dots, dashes and underscores, that no flag of the project has or had; an alias of this flag gives it that key again."}], "example": {"project": "web", "key": "banner", "new_key": "top-banner"}, "answers": "Flag"},
"restore": {"summary": "Make a flag what it was, as a new version", "doc": "Make a flag what it was, as a new version; or bring it back from the archive. What it was in between stays in\nthe history.\n\nWhere the environment of the version asks for approval this makes a change request, which the answer\u0027s `changes`\nshows. What that version named and is gone since, such as a segment, is 422.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "revision", "type": "int", "nullable": true, "help": "The version that it is to be again; left out: bring it back from the archive."}], "example": {"project": "web", "key": "checkout", "revision": 1}, "answers": "Flag"},
"schedule_create": {"summary": "Change the targeting of a flag at a time, in your name", "doc": "Change the targeting of a flag at a time, in your name: with what you may do then.\n\nWhere a change needs approval this makes a change request for that time. What does not fit now is refused now (422,\n409), and what does not fit then is left undone and told. At most 100 wait for one flag (422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "instructions", "type": "object", "required": true, "repeated": true, "help": "Instructions on targeting."}, {"name": "run_at", "type": "any", "required": true, "help": "When: Unix milliseconds, or a time such as `2026-03-01T09:00:00Z`."}], "example": {"project": "web", "key": "checkout", "environment": "test", "instructions": [{"kind": "turnFlagOn"}], "run_at": "2030-03-01T09:00:00Z"}},
"schedule_delete": {"summary": "Take a change back that waits for its time", "doc": "Take a change back that waits for its time.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "id", "type": "int", "required": true, "help": "Id of the schedule, from `flags.schedules`."}], "example": {"project": "web", "key": "checkout", "id": 1}, "unnamed": true},
"schedules": {"summary": "List what is to change at a time, soonest first", "doc": "List what is to change at a time, soonest first.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "nullable": true, "help": "Of this flag alone."}], "example": {"project": "web"}},
"segment_delete": {"summary": "Delete a segment", "doc": "Delete a segment. While flags, archived ones too, or other segments ask for it that is 409 with `uses`; so it is\nwhile changes or schedules that wait are about it, or name it.\n\nWhere the environment asks for approval, or an agent deletes one in a critical environment, the answer is a change\nrequest.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "key", "type": "string", "required": true, "help": "Key of the segment."}], "example": {"project": "web", "environment": "test", "key": "beta-testers"}, "unnamed": true},
"segment_get": {"summary": "Look at a segment", "doc": "Look at a segment: who is in it, who is not, by which rules, and what asks for it.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "key", "type": "string", "required": true, "help": "Key of the segment."}], "example": {"project": "web", "environment": "production", "key": "beta-testers"}},
"segment_save": {"summary": "Make a segment", "doc": "Make a segment; nothing asks for it yet. One of this key is 409: flags.segment_update changes it.\n\nWhere the environment asks for approval, or an agent makes one in a critical environment, it is made empty and what\nis to be in it becomes a change request. A rule that names a segment which is not there is 422. An environment has\nat most 1,000 (422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "key", "type": "string", "required": true, "help": "1 to 128 letters, digits, dots, dashes and underscores; unique in the environment, never to be changed."}, {"name": "name", "type": "string", "nullable": true, "help": "Left out: the key."}, {"name": "included", "type": "string", "nullable": true, "repeated": true, "help": "Keys of users who are in it."}, {"name": "excluded", "type": "string", "nullable": true, "repeated": true, "help": "Keys of users who are not in it, whatever the rules say."}, {"name": "included_contexts", "type": "object", "nullable": true, "repeated": true, "help": "The same for other kinds of contexts: {`contextKind`, `values`}."}, {"name": "excluded_contexts", "type": "object", "nullable": true, "repeated": true, "help": "The same for those who are not in it."}, {"name": "rules", "type": "object", "nullable": true, "repeated": true, "help": "{`clauses`, `weight`, `bucketBy`, `rolloutContextKind`, `ruleId`}"}], "example": {"project": "web", "environment": "test", "key": "staff", "included": ["ana", "bo"]}, "answers": "Segment"},
"segment_update": {"summary": "Change a segment by ordered instructions, all or nothing", "doc": "Change a segment by ordered instructions, all or nothing.\n\nWhere the environment asks for approval, or an agent changes a critical one, the answer is a change request. An\ninstruction that does not fit is 422 with its place; segments that would rest on each other in a circle are 409.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "key", "type": "string", "required": true, "help": "Key of the segment."}, {"name": "instructions", "type": "object", "required": true, "repeated": true, "help": "What is to be done, in order, all or nothing."}, {"name": "comment", "type": "string", "nullable": true, "help": "Stands in the change request, where there is one."}], "example": {"project": "web", "environment": "test", "key": "beta-testers", "instructions": [{"kind": "addIncludedTargets", "values": ["di"]}]}, "answers": "Segment", "unnamed": true},
"segments": {"summary": "List the segments of an environment by key", "doc": "List the segments of an environment by key; a part of them with `limit`.", "class": "read", "fields": [{"name": "limit", "type": "int", "nullable": true, "help": "So many at most, and fewer where they are large; left out: all, and with a `cursor` 50. (1 to 200)"}, {"name": "cursor", "type": "string", "nullable": true, "help": "The key, of a change request the id, of the last one of the part before. Behind the last one nothing comes."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}], "example": {"project": "web", "environment": "production"}},
"settings": {"summary": "Look at what the org decided", "doc": "Look at what the org decided: whether an agent\u0027s change to a critical environment waits for approval.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"settings_set": {"summary": "Decide whether an agent\u0027s change to a critical environment waits for approval", "doc": "Decide whether an agent\u0027s change to a critical environment waits for approval. For admins.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "agent_writes", "type": "string", "required": true, "enum": ["changeRequest", "direct"], "help": "What becomes of a change to a critical environment by a key, a connected client or automation: `changeRequest` waits for a person\u0027s approval, `direct` is applied."}], "example": {"agent_writes": "changeRequest"}, "answers": "FlagSettings", "unnamed": true},
"stale": {"summary": "List temporary flags that look ready to be removed, with the reason", "doc": "List temporary flags that look ready to be removed, with the reason.\n\nSuch a flag is older than 14 days, waits for no change, and in every environment serves one variation to everybody\nfor 14 days, or was not evaluated for 30 days though it was before, or never was.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}], "example": {"project": "web"}},
"template_delete": {"summary": "Delete a template of your own", "doc": "Delete a template of your own; flags that were made from it stay. Answers the templates that are left.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "key", "type": "string", "required": true, "help": "Key of the template."}], "example": {"key": "ring"}, "answers": "FlagTemplate"},
"template_save": {"summary": "Make a template of your own, or replace one", "doc": "Make a template of your own, or replace one. Those that come with kbwork stay as they are (409).\n\nFlags that were made from one do not change with it. Answers all templates.", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "key", "type": "string", "required": true, "help": "1 to 64 letters, digits, dots, dashes and underscores."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "kind", "type": "string", "required": true, "enum": ["bool", "string", "number", "json"], "help": "What the flag\u0027s variations are."}, {"name": "variations", "type": "object", "required": true, "repeated": true, "help": "What the flag may serve: {`value`, `name`, `description`}."}, {"name": "settings", "type": "object", "nullable": true, "help": "Fields of a new flag: `description`, `tags`, `temporary`, `clientSide`, `defaults`, `schema`."}], "example": {"key": "beta", "name": "Beta", "kind": "bool", "variations": [{"value": true}, {"value": false}]}, "answers": "FlagTemplate"},
"templates": {"summary": "List what new flags may begin as", "doc": "List what new flags may begin as: the templates that come with kbwork, then the org\u0027s own by key.", "class": "read", "fields": [], "example": {}},
"traffic": {"summary": "Count evaluations of every flag of an environment by hour, this hour among them, and say when each was last asked for", "doc": "Count evaluations of every flag of an environment by hour, this hour among them, and say when each was last asked\nfor; archived flags are left out. Counts come with a delay: clients send them every five minutes by default.\n\n`flags.insights` tells one flag by variation.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "hours", "type": "int", "help": "How far back, in hours. (1 to 168)"}], "example": {"project": "web", "environment": "production"}},
"trigger_delete": {"summary": "Delete a trigger", "doc": "Delete a trigger: its address opens nothing any more. Answers those that are left in the flag project.", "class": "destructive", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "id", "type": "int", "required": true, "help": "Id of the trigger, from `flags.triggers`."}], "example": {"project": "web", "id": 1}, "answers": "FlagTrigger"},
"trigger_save": {"summary": "Make an address that does one thing with a flag when it is posted to, or change what one does", "doc": "Make an address that does one thing with a flag when it is posted to, or change what one does.\n\n`url` is shown once: whoever knows it may do that, without a key. It acts in the name of whoever saved it last, with\nwhat they may do then: where their change would wait for approval, so does this; rules and proposals make none\n(403). A flag has at most 20 (422). What could not be done now is refused now (409, 422).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "required": true, "help": "Key of the environment."}, {"name": "action", "type": "string", "required": true, "enum": ["on", "off", "variation"], "help": "What a post to it does: switch the flag on, or off, or serve a variation where no target and no rule fits."}, {"name": "variation", "type": "int", "nullable": true, "help": "With `variation`: its index."}, {"name": "id", "type": "int", "nullable": true, "help": "Of the trigger that changes; left out: a new one."}], "example": {"project": "web", "key": "checkout", "environment": "test", "action": "off", "id": 1}, "answers": "FlagTrigger"},
"triggers": {"summary": "List the triggers of flags, without their addresses", "doc": "List the triggers of flags, without their addresses: those are shown once.", "class": "read", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "nullable": true, "help": "Of this flag alone."}], "example": {"project": "web", "key": "checkout"}},
"update": {"summary": "Change a flag by ordered instructions, all or nothing", "doc": "Change a flag by ordered instructions, all or nothing: its targeting in one environment, or the flag itself.\n\nWhere the environment asks for approval, or an agent changes a critical one, the answer is a change request. What a\nflag is everywhere changes at once; an agent that would change what a critical environment serves so is refused (409\n`approval-needed`). An instruction that does not fit is 422 with its place; an archived flag takes `restoreFlag`\nalone (409); prerequisites that would wait for each other in a circle are 409; so is what breaks a check that is\nenforced (`flags.checks`), and a version of `versions` that moved (`stale`, with the `current` flag).", "class": "write", "fields": [{"name": "dry_run", "type": "bool", "nullable": true, "help": "Check everything, change nothing, and answer what would have happened."}, {"name": "project", "type": "string", "required": true, "help": "Key of the flag project."}, {"name": "key", "type": "string", "required": true, "help": "Key of the flag."}, {"name": "environment", "type": "string", "nullable": true, "help": "For instructions on targeting; those on the flag itself go without."}, {"name": "instructions", "type": "object", "required": true, "repeated": true, "help": "What is to be done, in order, all or nothing."}, {"name": "comment", "type": "string", "nullable": true, "help": "Stands in the history, and in the change request where there is one."}, {"name": "versions", "type": "object", "nullable": true, "help": "The versions that were read, by `flag` for the flag itself and by environment: where one of them moved since, the change is refused."}, {"name": "bypass", "type": "bool", "nullable": true, "help": "Pass the approval over, and checks that are enforced: owners and admins may, and it is in the audit log."}], "example": {"project": "web", "key": "checkout", "environment": "test", "instructions": [{"kind": "turnFlagOn"}], "comment": "Try it"}, "answers": "Flag", "unnamed": true}}},
"imports": {"about": "Imports: work from other tools, read apart, mapped, brought in by jobs, and taken back.", "verbs": {
"cancel": {"summary": "Stop an import", "doc": "Stop an import: its job before its next step, and what came in so far stays until imports.undo takes it back. Of\none that is being fetched nothing stays.\n\nOne that ended is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}], "example": {"id": 1}},
"get": {"summary": "Look at an import", "doc": "Look at an import: what the source holds, what becomes of it, and how far it is.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}], "example": {"id": 1}},
"list": {"summary": "List the imports, the latest first, a hundred at most", "doc": "List the imports, the latest first, a hundred at most.", "class": "write", "fields": [], "example": {}},
"log": {"summary": "List what was left out or is not as it was at the source, in the order in which it was met", "doc": "List what was left out or is not as it was at the source, in the order in which it was met.\n\n`source` is its id there. Of each import the first 10,000 lines are kept; `errors` of the import counts all.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}, {"name": "level", "type": "string", "nullable": true, "enum": ["info", "warning", "error"], "help": "Lines of this level alone."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"id": 1, "level": "error"}},
"map_set": {"summary": "Say what becomes of the source\u0027s words, beside what imports.probe proposed", "doc": "Say what becomes of the source\u0027s words, beside what imports.probe proposed. What is not named stays as it is.\n\nWhat is no project key, type key, lane, own field or member is 422. `invite` invites the person by their address\nwhen the import runs; it needs one (422). For an import that was probed and is not at work (409); one whose file\ncould not be read is opened anew.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}, {"name": "projects", "type": "object", "nullable": true, "help": "Project of the source -> key of the project where its issues go."}, {"name": "names", "type": "object", "nullable": true, "help": "Project of the source -> name of the project that is made of it; one that is there keeps its own."}, {"name": "types", "type": "object", "nullable": true, "help": "Type of the source -> key of a type, made when it is missing; null: the project\u0027s default."}, {"name": "statuses", "type": "object", "nullable": true, "help": "Status of the source -> lane; `closed:cancelled` is for those that ended so."}, {"name": "fields", "type": "object", "nullable": true, "help": "Field of the source -> `field:<key>` of an own field; an empty text leaves it out. Of a table: column -> that, or what it holds, such as `title`; imports.probe reads the file anew then."}, {"name": "members", "type": "object", "nullable": true, "help": "Person of the source -> member, `invite`, or `name_only`."}, {"name": "skip", "type": "string", "nullable": true, "repeated": true, "help": "What stays out: `labels`, `components`, `comments`, `relations`, `attachments`, types and projects of the source. The whole list."}], "example": {"id": 1, "statuses": {"closed": "done"}, "members": {"ekr": "name_only"}, "skip": ["comments"]}},
"open": {"summary": "Begin an import from a file that you sent, or of a repository at GitHub or GitLab", "doc": "Begin an import from a file that you sent, or of a repository at GitHub or GitLab. imports.probe reads it.\n\nA kbz file holds projects of a kbwork, which come back as they were: without `project` under their own key, or\nthat with a number behind it. Other sources than those named are not built (422).\n\nWith `repository` a job (`job` of the answer) fetches issues, pull or merge requests, labels and comments, page by\npage. It goes on after a restart, and waits where the limit of calls is used up. When it is done, imports.probe\nreads what came. Why one failed stands in the job and in imports.log. One is fetched at a time (409). `token`, which\na private repository needs, and GitLab for comments, is kept sealed, and deleted when all is fetched, when that\nfails or is cancelled.", "class": "write", "fields": [{"name": "source", "type": "string", "required": true, "help": "`github` (its REST answers or the archive file, told apart by content), `gitlab` (its REST answers), `csv`, `trac`, `redmine` or `kbz`."}, {"name": "file", "type": "string", "nullable": true, "help": "`upload` of what `POST /files/upload` answered; not with `repository`."}, {"name": "repository", "type": "string", "nullable": true, "help": "`owner/name` of a repository at GitHub, or `group/subgroup/project` at GitLab, which a job fetches."}, {"name": "project", "type": "string", "nullable": true, "help": "Where all of it goes; made when it is missing."}, {"name": "base_url", "type": "string", "nullable": true, "help": "Where `repository` is fetched from: `https://api.github.com` or `https://gitlab.com` unless given; of a GitHub Enterprise Server `https://HOST/api/v3`, of a GitLab of your own `https://HOST`."}, {"name": "token", "type": "string", "nullable": true, "help": "Secret for that server, kept sealed until all is fetched or the import ends."}, {"name": "user", "type": "string", "nullable": true, "help": "Account at that server, kept sealed until the import ends; GitHub and GitLab take a token alone."}], "example": {"source": "github", "file": "u_2k3f9x7c1q8m5v4b6n0z1a", "project": "TLS"}},
"probe": {"summary": "Read the source", "doc": "Read the source: what is there, what is proposed to become of it, and what does not come along.\n\nThe file is read in a process of its own. One that is cut, empty, or not what it should be is 422 with the place in\nit, and nothing of it remains. Probing anew keeps what imports.map_set said; columns of a table of which it said\nnothing (`guessed` of `found`) are taken anew for what they look like, and that is told.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "Projects of the source that are to come in; all unless given."}], "example": {"id": 1}},
"run": {"summary": "Bring in what was probed", "doc": "Bring in what was probed; answers the job, whose result has the figures.\n\nProjects, types, labels and components that are missing are made. What came in before changes where it changed at\nthe source and nobody edited it here since. What is refused is logged with its place and left out. Numbers, authors\nand times are the source\u0027s; nobody is notified, and no rule starts. An import at work is 409, as is one whose file\nwas not read, or is gone: it is kept for a day. While another one is being taken back that is 409 too.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}, {"name": "dry_run", "type": "bool", "nullable": true, "help": "Count what would come in, and write nothing."}, {"name": "since", "type": "int", "nullable": true, "help": "Only issues and comments that changed after this time: for a move in stages."}], "example": {"id": 1, "dry_run": true}, "unnamed": true},
"undo": {"summary": "Take an import back, within 30 days", "doc": "Take an import back, within 30 days: what it made and nobody changed since goes for good; answers the job.\n\nWhat somebody changed stays, with what hangs on it, and the job\u0027s result lists it under `kept`. Labels,\ncomponents, types, own fields, lanes, workflows and the project that it made go where nothing is left in them.\nWhat it changed on things that were there before stays as it is. The same file can come in again. One at work,\nor that made nothing, is 409, and so it is while another one comes in.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the import."}], "example": {"id": 1}, "unnamed": true}}},
"invites": {"about": "Invites: how people come into the org.", "verbs": {
"accept": {"summary": "Accept an invite", "doc": "Accept an invite: you become a member with the role, teams and projects that it names, and are signed in.\n\nA wrong, used, revoked or expired token is 404, and so is one whose maker may not give what it gives any more: ask\nfor a new invite. A password that is shorter than the policy asks or soon guessed is 422, and so is none where\nno sign-in provider finds you by your address. Teams and projects that are gone since are left out.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link of the invite."}, {"name": "name", "type": "string", "required": true, "help": "Your name as people read it."}, {"name": "password", "type": "string", "nullable": true, "help": "To sign in with; it may be left out where a sign-in provider finds you by your address."}], "example": {"token": "kbi_from-the-link", "name": "Eli Stone", "password": "correct horse battery"}},
"create": {"summary": "Invite people by their addresses", "doc": "Invite people by their addresses; each gets an invite that is single use and lives 14 days.\n\nAdmins invite to every role but owner, to admin where they confirmed in the last ten minutes that it is them, and\ninto private projects where they lead them. Members invite guests where the\norg takes guests, into projects that they lead and nothing else (403). An address with a pending invite keeps its\nid and gets role, teams, projects and token anew; one of a member is 409, and so is, for members, one that somebody\nelse invited. All are invited or none. Where this server sends mail each is mailed their invite, an address once in\nfive minutes at most; `path` and `url` lead to it, to hand over where no mail goes out.\n\nAn invite ends with the right to make it: it is revoked when whoever made it leaves, or loses the role or the lead\nthat it rests on.", "class": "write", "fields": [{"name": "emails", "type": "string", "required": true, "repeated": true, "help": "Addresses to invite."}, {"name": "role", "type": "string", "required": true, "enum": ["admin", "member", "guest"], "help": "Role that they get in the org."}, {"name": "teams", "type": "int", "nullable": true, "repeated": true, "help": "Teams that they join."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "Keys of projects that they get a role in: member, a guest reporter."}, {"name": "message", "type": "string", "nullable": true, "help": "A word from you in the invite."}], "example": {"emails": ["eli@acme.example"], "role": "member", "projects": ["WEB"]}, "answers": "Invite"},
"info": {"summary": "Say what an invite is for, before it is accepted", "doc": "Say what an invite is for, before it is accepted. A wrong, used, revoked or expired token is 404.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link of the invite."}], "example": {"token": "kbi_from-the-link"}, "unnamed": true},
"list": {"summary": "List invites, newest first", "doc": "List invites, newest first: admins all, others those that they made.", "class": "read", "fields": [{"name": "state", "type": "string", "nullable": true, "enum": ["pending", "accepted", "revoked", "expired"], "help": "`pending` unless given."}], "example": {}},
"resend": {"summary": "Send a pending or expired invite again, with a new token that lives 14 days", "doc": "Send a pending or expired invite again, with a new token that lives 14 days; the old one ends. It is mailed as by\ninvites.create.\n\nYou must be allowed to make it (403); one whose maker may not any more is yours from then on. One that was accepted\nor revoked, or whose address belongs to a member by now, is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the invite."}], "example": {"id": 1}, "answers": "Invite"},
"revoke": {"summary": "Take back an invite that is pending", "doc": "Take back an invite that is pending: its link opens nothing any more. Answers the pending ones that are left.\n\nAdmins revoke every invite, others their own. One that is accepted, revoked or expired is 409.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the invite."}], "example": {"id": 1}, "answers": "Invite"}}},
"issues": {"about": "Issues: the unit of work, with its assignees, labels and place in the hierarchy.", "verbs": {
"archive": {"summary": "Put issues aside, or bring them back", "doc": "Put issues aside, or bring them back. An archived one takes no change and is left out of lists.\n\nAll of them or none; one that is as it is to be already is no change. Children and parents stay as they are. In an\narchived project it is 409.", "class": "write", "fields": [{"name": "keys", "type": "string", "required": true, "repeated": true, "help": "Issues by key."}, {"name": "on", "type": "bool", "required": true, "help": "false brings them back."}], "example": {"keys": ["WEB-1"], "on": true}, "answers": "Issue"},
"asset_link": {"summary": "Say that an issue is about an asset, or is not", "doc": "Say that an issue is about an asset, or is not; answers those that it is about.\n\nYou change the issue and see the asset (422). What is so already is no change, but for a `role` that differs. A\nretired asset keeps its links and gets no new one, and an issue is about 200 at most (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "asset", "type": "string", "required": true, "help": "Key or id of the asset."}, {"name": "on", "type": "bool", "required": true, "help": "false takes the link away."}, {"name": "role", "type": "string", "nullable": true, "help": "What the asset is to the issue, in a word of your choice: `affected` unless given, or `cause`."}], "example": {"key": "WEB-1", "asset": "LAP-1", "on": true, "role": "cause"}, "answers": "Asset"},
"assign": {"summary": "Say who has an issue", "doc": "Say who has an issue: `set` (the default) the whole list, `add` to it or `remove` from it.\n\nAssignees are active members who see the issue and agents, 20 at most; they watch it from then on.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "assignees", "type": "string", "required": true, "repeated": true, "help": "Members, `agent:<name>` or `me`; the first leads; `[]` is nobody."}, {"name": "mode", "type": "string", "nullable": true, "enum": ["set", "add", "remove"], "help": "`set` the whole list (unless given), `add` to it or `remove` from it."}], "example": {"key": "WEB-1", "assignees": ["me"]}, "answers": "Issue"},
"backlinks": {"summary": "List what mentions an issue by its key or a former one", "doc": "List what mentions an issue by its key or a former one: issues and comments, the newest first, then pages.\n\n200 at most are issues and comments, and as many pages.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"bulk": {"summary": "Change many issues at once, named by `keys` or found by `tql`", "doc": "Change many issues at once, named by `keys` or found by `tql`. More than 5,000 are 422.\n\nEach changes whole, or is skipped with the reason: right, workflow, approval, a field that does not fit, or no issue\nthat you see. The others go on. Up to 200 are changed in this call; more by a job in steps of 200, whose result has\nthe figures. `dry_run` says what would happen. One undo takes all of it back; the events carry `bulk`, and one\n`issue.updated` tells all that changed of an issue. In a batch the issues are named by `keys` (422).", "class": "write", "fields": [{"name": "keys", "type": "string", "nullable": true, "repeated": true, "help": "Issues by key."}, {"name": "tql", "type": "string", "nullable": true, "help": "One of the two; 5,000 issues at most."}, {"name": "changes", "type": "object", "required": true, "help": "What is to be changed on each of them."}, {"name": "dry_run", "type": "bool", "nullable": true, "help": "Say what would happen and change nothing."}, {"name": "notify", "type": "bool", "nullable": true, "help": "True: it stands in the inboxes of those who watch, like a change of one issue; else in nobody\u0027s."}], "example": {"keys": ["WEB-1", "WEB-2"], "changes": {"priority": "low", "add_labels": ["bug"]}}, "unnamed": true},
"convert": {"summary": "Give an issue another type of its project, with the level and the workflow of that type", "doc": "Give an issue another type of its project, with the level and the workflow of that type.\n\nParent and children must still fit: a parent stands on a higher level than its child (409; `parent` names another).\nA lane that the new workflow does not have becomes its first one of the same category, else its start. Values that\nthe new type does not have go; what it asks for must be there (422).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "type", "type": "string", "required": true, "help": "Key or name of a type of its project."}, {"name": "parent", "type": "string", "nullable": true, "help": "Where it stands from now on; an empty text takes it off its parent."}, {"name": "values", "type": "object", "nullable": true, "help": "Fields that the new type asks for."}], "example": {"key": "WEB-1", "type": "story"}, "answers": "Issue"},
"copy": {"summary": "Make an issue like another one, which `clones` it", "doc": "Make an issue like another one, which `clones` it. It begins anew: reported by you, in the start lane.\n\nTitle, text, type, priority, labels, components, assignees, estimate, days and parent are the same, as far as the\nproject knows them; comments, files and relations come along where `with` names them, as far as you see them. With\n`children` all below that you see is copied likewise, 200 issues at most (422); where both ends of a relation are\ncopied, the copies are related.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "project", "type": "string", "nullable": true, "help": "Where the copy goes; its own project unless given."}, {"name": "title", "type": "string", "nullable": true, "help": "Title of the copy; that of the issue unless given."}, {"name": "children", "type": "bool", "nullable": true, "help": "Whether all issues below are copied, too."}, {"name": "with", "type": "string", "nullable": true, "repeated": true, "enum": ["checklists", "attachments", "relations", "comments", "values"], "help": "What else the copy gets: nothing of it unless named."}], "example": {"key": "WEB-1", "title": "The same for the app", "with": ["relations"]}, "answers": "Issue"},
"create": {"summary": "Make an issue", "doc": "Make an issue: the next key of its project, in the start lane of its workflow, reported and watched by you.\n\nAssignees are active members who see it and agents, and watch it too. Where `assignees` is left out, its components\nand the project\u0027s `default_assignee` say who gets it: with `rotation` the people of the project take turns.\nWhatever is unknown is 422 naming the nearest; labels of one group exclude each other. Members and reporters of the\nproject make issues. `uploads` are as with attachments.expect.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of its project."}, {"name": "title", "type": "string", "required": true, "help": "What it is about, on one line."}, {"name": "type", "type": "string", "nullable": true, "help": "Key or name of a type of the project; its default unless given."}, {"name": "body", "type": "string", "nullable": true, "help": "Description, in Markdown."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The description as a rich document too: ProseMirror JSON."}, {"name": "status", "type": "string", "nullable": true, "help": "A lane that one transition from the workflow\u0027s start leads to."}, {"name": "priority", "type": "string", "nullable": true, "enum": ["urgent", "high", "medium", "low", "none"], "help": "How pressing it is; `none` unless set."}, {"name": "assignees", "type": "string", "nullable": true, "repeated": true, "help": "Members, `agent:<name>` or `me`; the first leads."}, {"name": "labels", "type": "string", "nullable": true, "repeated": true, "help": "Names of its labels."}, {"name": "components", "type": "string", "nullable": true, "repeated": true, "help": "Names of its components."}, {"name": "parent", "type": "string", "nullable": true, "help": "Key of the issue above it; null: none, or none that the caller sees."}, {"name": "sprint", "type": "int", "nullable": true, "help": "A planned or active sprint of its project."}, {"name": "milestone", "type": "int", "nullable": true, "help": "Id of its milestone; null: none. This version has no milestones."}, {"name": "releases", "type": "string", "nullable": true, "repeated": true, "help": "Names of releases that it is for: none can be named in this version."}, {"name": "affects", "type": "string", "nullable": true, "repeated": true, "help": "Names of releases that it was seen in: none can be named in this version."}, {"name": "estimate", "type": "number", "nullable": true, "help": "How much work it is, in points or what the team counts in; null: not estimated."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day, `YYYY-MM-DD`; null: none."}, {"name": "due_date", "type": "string", "nullable": true, "help": "Last day, `YYYY-MM-DD`; null: none."}, {"name": "values", "type": "object", "nullable": true, "help": "Values of own fields, by the field\u0027s key or name."}, {"name": "level", "type": "string", "nullable": true, "help": "`public`, `project` (unless given), `team:<id>` or `private`."}, {"name": "template", "type": "int", "nullable": true, "help": "A template of the org or the project: what it says counts where the input says nothing."}, {"name": "relations", "type": "object", "nullable": true, "repeated": true, "help": "Issues that it is related to from the start."}, {"name": "uploads", "type": "string", "nullable": true, "repeated": true, "help": "Ids of files that you send to `/files/upload`, whole or not: each hangs on the issue when all of it is here."}, {"name": "source", "type": "string", "nullable": true, "help": "Where it comes from, in a word or address of yours."}, {"name": "external", "type": "string", "nullable": true, "help": "Id at the sender: a pair of project and external that exists answers that issue, without an event."}, {"name": "imported", "type": "object", "nullable": true, "help": "What it was elsewhere, for admins who import."}], "example": {"project": "WEB", "title": "The cart forgets its vouchers", "type": "bug", "labels": ["bug"]}, "answers": "Issue"},
"create_tree": {"summary": "Make several issues at once, with parents and blocking among them", "doc": "Make several issues at once, with parents and blocking among them: all or none. Answers them in your order.\n\n200 at most, and with those that templates add 1,000 in one call (422). A `ref` twice, or items that stand under\neach other in a circle, are 422; what is wrong with an item is told under `items[<n>]`.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "items", "type": "object", "required": true, "repeated": true, "help": "In any order."}], "example": {"project": "WEB", "items": [{"ref": "top", "title": "Vouchers", "type": "epic"}, {"ref": "one", "title": "Keep them at sign-in", "parent": "top", "blocks": ["two"]}, {"ref": "two", "title": "Show them in the cart", "parent": "top"}]}, "answers": "Issue"},
"delete": {"summary": "Put an issue into the trash with all that hangs on it", "doc": "Put an issue into the trash with all that hangs on it; trash.restore brings it back under its key.\n\nLeads delete any issue, members what they reported. Children go to the parent above, or with `delete` along, all\nbelow too that you see, where you may delete each of them (403) and they are 1,000 at most (409).", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "children", "type": "string", "nullable": true, "enum": ["keep", "delete"], "help": "`keep` unless given: they go to the parent above."}], "example": {"key": "WEB-1"}, "unnamed": true},
"export_text": {"summary": "Put an issue into one Markdown text", "doc": "Put an issue into one Markdown text: its facts, its description, and what `with` names, as far as you see it.\n\nReplies stand under their thread, indented as quotes; notes for the team say that they are internal. Where the\nbudget is short, the facts stay, the description is cut at its end, and of threads and history the latest stay.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "with", "type": "string", "nullable": true, "repeated": true, "enum": ["comments", "history", "relations", "checklist", "git"], "help": "What to add; parts of modules that are not there add nothing."}, {"name": "max_tokens", "type": "int", "nullable": true, "help": "Counted as four bytes of UTF-8 each; without it all is in the text. (100 to 1000000)"}], "example": {"key": "WEB-1", "with": ["comments", "relations"], "max_tokens": 2000}, "unnamed": true},
"get": {"summary": "Look at an issue by its key, a former key or `issue:<n>`", "doc": "Look at an issue by its key, a former key or `issue:<n>`.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key, former key or `issue:<n>`."}, {"name": "with", "type": "string", "nullable": true, "repeated": true, "enum": ["relations", "children", "transitions", "checklist", "sla", "watchers", "flags"], "help": "Parts to add; parts of modules that are not there stay away. `flags` are the feature flags that belong to it, with what each environment serves: those that you see, and none without the scope flags:read."}], "example": {"key": "WEB-1", "with": ["children", "transitions"]}},
"graph": {"summary": "Draw the relations around issues, and name the circles among those that have a direction and block", "doc": "Draw the relations around issues, and name the circles among those that have a direction and block.\n\nWhere kinds are named, the circles are among those of them that have a direction. Only what you see is in it, and\n1,000 issues at most: the nearest.", "class": "read", "fields": [{"name": "keys", "type": "string", "nullable": true, "repeated": true, "help": "Where to start; or say it with `tql`."}, {"name": "tql", "type": "string", "nullable": true, "help": "A query for where to start; the first 200 that fit."}, {"name": "depth", "type": "int", "nullable": true, "help": "So many relations away; 3 unless given. (0 to 10)"}, {"name": "kinds", "type": "string", "nullable": true, "repeated": true, "help": "Keys or names of kinds; all unless given."}, {"name": "edges_only", "type": "bool", "nullable": true, "help": "True: `nodes` is empty, for whoever has the issues already."}], "example": {"keys": ["WEB-1"], "depth": 2}, "unnamed": true},
"history": {"summary": "List how the fields of an issue changed, the latest first", "doc": "List how the fields of an issue changed, the latest first.\n\nLong texts are told by their sizes; a parent that you do not see is not named.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "field", "type": "string", "nullable": true, "help": "One field only, such as `status` or `assignees`."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"key": "WEB-1"}},
"level_set": {"summary": "Say who sees an issue", "doc": "Say who sees an issue: `public` every member of the org, `project` whoever sees the project.\n\n`team:<id>` leaves of those the team, `private` nobody but its reporter, assignees and the project\u0027s leads. Leads\nand admins set it. From the next call on it is gone for those who lose sight of it, with its comments and files.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "level", "type": "string", "required": true, "help": "`public`, `project` (the default, as is an empty text), `team:<id>` or `private`."}], "example": {"key": "WEB-1", "level": "private"}, "answers": "Issue"},
"link_add": {"summary": "Add a web link to an issue", "doc": "Add a web link to an issue. An address that it has already takes the title and kind given now.\n\nAn issue has 200 links at most (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "url", "type": "string", "required": true, "help": "Address of the page, http or https."}, {"name": "title", "type": "string", "nullable": true, "help": "The address without its scheme unless given."}, {"name": "kind", "type": "string", "nullable": true, "help": "A word of your choice, such as `design` or `docs`; `page` unless given."}], "example": {"key": "WEB-1", "url": "https://example.com/spec", "title": "The specification"}, "answers": "WebLink"},
"link_delete": {"summary": "Take a web link off its issue", "doc": "Take a web link off its issue; answers what the issue has left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the link, from `issues.links`."}], "example": {"id": 1}, "answers": "WebLink"},
"links": {"summary": "List the web links of an issue, oldest first", "doc": "List the web links of an issue, oldest first.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"list": {"summary": "List issues, page by page, whole or with some of their fields", "doc": "List issues, page by page, whole or with some of their fields.\n\nSorted by rank within a project, else the latest change first. Archived ones are left out unless asked for.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Key of the project, or a former one."}, {"name": "status", "type": "string", "nullable": true, "help": "A lane, by key or name."}, {"name": "assignee", "type": "string", "nullable": true, "help": "A member, `agent:<name>`, `me`, or `none` for issues that nobody has."}, {"name": "sprint", "type": "int", "nullable": true, "help": "Id of a sprint: its issues alone."}, {"name": "parent", "type": "string", "nullable": true, "help": "Key of an issue: those right below it."}, {"name": "updated_since", "type": "int", "nullable": true, "help": "Only those that changed at or after this time, in Unix seconds."}, {"name": "archived", "type": "bool", "nullable": true, "help": "True: archived ones too."}, {"name": "sort", "type": "string", "nullable": true, "help": "`rank`, `created`, `updated`, `due`, `priority`, `status`, `key` or `title`, descending with `-` in front."}, {"name": "columns", "type": "string", "nullable": true, "repeated": true, "help": "Fields of issues, such as `key` and `title`: the items hold these alone, in this order. Left out: all of them."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"project": "WEB", "sort": "-updated"}},
"lock": {"summary": "Let only leads and admins comment on an issue, or everybody again who may", "doc": "Let only leads and admins comment on an issue, or everybody again who may. Leads and admins do it.\n\nWhat it says stays open to change. Locking a locked one again changes nothing but the reason.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "on", "type": "bool", "required": true, "help": "False unlocks it."}, {"name": "reason", "type": "string", "nullable": true, "help": "Why it is locked, for people to read."}], "example": {"key": "WEB-1", "on": true, "reason": "It went off the topic"}, "answers": "Issue"},
"merge": {"summary": "Fold duplicates into an issue", "doc": "Fold duplicates into an issue: they are closed with the outcome `duplicate` and a `duplicates` relation.\n\nTheir comments, files, votes and watchers move to the issue that stays; who voted for both has one vote. You may\nchange all of them. They go to the workflow\u0027s lane for duplicates, or its first done lane (409 where it has none),\nwhatever transitions lead there. One undo takes all of it back. Customers whose request is folded go on reading\nthere what they were told, and customers of the issue that stays read none of it.", "class": "write", "fields": [{"name": "from", "type": "string", "required": true, "repeated": true, "help": "Keys of the duplicates, which are closed."}, {"name": "into", "type": "string", "required": true, "help": "The issue that stays."}, {"name": "comments", "type": "bool", "nullable": true, "help": "Whether their comments move; they do unless it is false."}], "example": {"from": ["WEB-2"], "into": "WEB-1"}, "answers": "Issue"},
"move": {"summary": "Move issues to another project, where each gets the next number", "doc": "Move issues to another project, where each gets the next number; the old keys keep resolving.\n\nYou work in both projects. What the other project does not know is dropped and named in `issue.moved`: labels,\ncomponents, sprints and field values, and assignees who do not see it. A type that it does not have becomes its\ndefault type where both are of one level (else 409). A lane that the workflow there does not have needs an entry in\n`statuses` (409). All of them go or none, 1,000 at most with those below them.", "class": "write", "fields": [{"name": "keys", "type": "string", "required": true, "repeated": true, "help": "Issues to move, by key."}, {"name": "project", "type": "string", "required": true, "help": "Where they go."}, {"name": "statuses", "type": "object", "nullable": true, "help": "Lane here -> lane there, by key or name, for lanes that the workflow there does not have."}, {"name": "values", "type": "object", "nullable": true, "help": "Own fields to set on each of them, as the project there has them."}, {"name": "children", "type": "bool", "nullable": true, "help": "Whether all issues below that you see go along; they do unless it is false."}], "example": {"keys": ["WEB-1"], "project": "APP"}, "answers": "Issue"},
"parse": {"summary": "Read an issue off one line of text", "doc": "Read an issue off one line of text.\n\n`!high` is a priority, `@ana` somebody who gets it, `#web` a label, `/bug` a type, `~3` an estimate, `in WEB` the\nproject, `under WEB-1` the parent. Names with blanks stand in quotation marks: `#\"needs info\"`. The rest is the\ntitle, and so is every word that means nothing you can see.\n\n`due`, `by` and `start` stand before a day, as people say it: `today`, `fri`, the next one, `next fri`, that of the\nweek behind this one, `next week`, `in 2w`, `in 3 days`, `5 dec`, `dec 5 2027`, `5.12.`, `eow` (Friday), `eom`,\n`end of year`, `2026-12-01`. In English and, for de, es, fr, it, nl and pt, in the language of the org\u0027s locale,\nwhich says as well whether `5/12` is in May.", "class": "read", "fields": [{"name": "text", "type": "string", "required": true, "help": "The line to read, such as `fix login !high due fri`."}, {"name": "project", "type": "string", "nullable": true, "help": "Where the issue would be made: its labels and types are known by name."}], "example": {"text": "fix login !high @ana #web due fri ~3", "project": "WEB"}, "unnamed": true},
"promote": {"summary": "Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on", "doc": "Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on.", "class": "write", "fields": [{"name": "from", "type": "string", "required": true, "help": "`comment:<id>` or `check:<id>`, and stickies and pages where their modules are there."}, {"name": "title", "type": "string", "nullable": true, "help": "The first words of the text unless given."}, {"name": "project", "type": "string", "nullable": true, "help": "The project of what it hangs on unless given."}, {"name": "type", "type": "string", "nullable": true, "help": "Key or name of a type of the project; its default unless given."}, {"name": "link", "type": "string", "nullable": true, "help": "The relation to the issue that it hangs on; `relates` unless given."}], "example": {"from": "comment:1", "title": "Say in the manual how vouchers work"}, "answers": "Issue"},
"rank": {"summary": "Put issues into another place of their project\u0027s order", "doc": "Put issues into another place of their project\u0027s order: behind one issue or before one.\n\nTheir own order is that of `keys`. Each issue that moved tells `issue.ranked` with its new rank. Where a place is\ncrowded its neighbours get new ranks too, in the order that they have; the answer names them, and no event does.\n`seq` of each issue whose rank changed moves, `updated_at` does not. Where nothing moves nothing is told.", "class": "write", "fields": [{"name": "keys", "type": "string", "required": true, "repeated": true, "help": "Issues of one project, in the order that they are to have."}, {"name": "after", "type": "string", "nullable": true, "help": "The issue of the same project behind which they go."}, {"name": "before", "type": "string", "nullable": true, "help": "The one before which they go."}], "example": {"keys": ["WEB-3"], "before": "WEB-1"}, "unnamed": true},
"relation_add": {"summary": "Relate an issue to others", "doc": "Relate an issue to others. You change the issue and see the others; they may be archived.\n\nA relation that is there already is no change, but for a `lag_days` that differs. Circles are allowed, and shown\nby issues.graph. An issue has 500 relations at most (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "kind", "type": "string", "required": true, "help": "Key or name of a kind, or its inverse name: `blocks`, `blocked by`."}, {"name": "to", "type": "string", "required": true, "repeated": true, "help": "Issues at the other end."}, {"name": "lag_days", "type": "int", "nullable": true, "help": "For scheduling: so many days between the end of one and the start of the other. (-3650 to 3650)"}], "example": {"key": "WEB-1", "kind": "blocks", "to": ["WEB-2"]}, "answers": "Relation"},
"relation_delete": {"summary": "Take a relation away, from either of its ends that you may change", "doc": "Take a relation away, from either of its ends that you may change; answers what that issue has left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the relation, from `issues.relations`."}], "example": {"id": 1}, "answers": "Relation"},
"relation_kind_delete": {"summary": "Take a kind of relation away", "doc": "Take a kind of relation away; built-in ones stay (409).\n\nOne that relations have needs `move_to` (409 `in-use` with `uses`); where two issues have that relation already\nthey keep it once.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the kind to take away."}, {"name": "move_to", "type": "string", "nullable": true, "help": "The kind that its relations become."}], "example": {"key": "tests", "move_to": "relates"}, "answers": "RelationKind"},
"relation_kind_save": {"summary": "Make a kind of relation, or change one", "doc": "Make a kind of relation, or change one.\n\nA name or inverse that another kind has is 409. Built-in kinds keep their direction and whether they block (409),\nand so do kinds that relations have (409). An org has 100 kinds at most.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Of a kind that is there: change it; a new one: make it."}, {"name": "name", "type": "string", "required": true, "help": "As the issue says it that the relation starts from: `blocks`."}, {"name": "inverse", "type": "string", "required": true, "help": "As the other end says it: `blocked by`. Both are one where the kind has no direction."}, {"name": "directed", "type": "bool", "nullable": true, "help": "Unless given: as it was, or true for a new kind whose inverse is another word than its name."}, {"name": "blocks", "type": "bool", "nullable": true, "help": "Takes part in blocking and scheduling."}, {"name": "color", "type": "string", "nullable": true, "help": "Colour as `#rrggbb`."}], "example": {"key": "tests", "name": "tests", "inverse": "tested by"}, "answers": "RelationKind"},
"relation_kinds": {"summary": "List the kinds of relations", "doc": "List the kinds of relations: those that every org has, then its own.", "class": "read", "fields": [], "example": {}},
"relations": {"summary": "List what an issue stands in relation to, as far as you see the other ends", "doc": "List what an issue stands in relation to, as far as you see the other ends.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"revision_restore": {"summary": "Bring title and body back as they were in a revision", "doc": "Bring title and body back as they were in a revision; what was there since stays a revision.\n\nThe rich form of the text is not kept in revisions: it is cleared, and shown from the Markdown.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "revision", "type": "int", "required": true, "help": "Number of the revision to bring back."}], "example": {"key": "WEB-1", "revision": 1}, "answers": "Issue"},
"revisions": {"summary": "List the texts that an issue had, the present one first and the 200 latest at most", "doc": "List the texts that an issue had, the present one first and the 200 latest at most.\n\nThe first revision is what its maker wrote. With `diff` each comes with a unified diff of title and body, or null\nwhere one of the two has more than 3,000 lines.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "diff", "type": "int", "nullable": true, "help": "The revision to compare each one with."}], "example": {"key": "WEB-1", "diff": 1}},
"similar": {"summary": "Find issues that say the same, best first", "doc": "Find issues that say the same, best first: duplicates before they are made.\n\nWords of the title count most; an issue with less than a fifth of them is none. Only what you see is found,\narchived ones too.", "class": "read", "fields": [{"name": "key", "type": "string", "nullable": true, "help": "An issue that is there; or say a title."}, {"name": "title", "type": "string", "nullable": true, "help": "Title to compare with."}, {"name": "body", "type": "string", "nullable": true, "help": "Text to compare with, beside the title."}, {"name": "project", "type": "string", "nullable": true, "help": "Only issues of this one."}, {"name": "limit", "type": "int", "nullable": true, "help": "5 unless given. (1 to 50)"}], "example": {"title": "The cart forgets vouchers"}, "unnamed": true},
"split": {"summary": "Make parts of an issue issues of their own", "doc": "Make parts of an issue issues of their own; answers the new ones.\n\nEach has the type, priority, labels, components, own fields and parent of the issue, is related to it, and gets the\ncomments and check items named, which leave it. The first comment of a thread takes its replies along.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "parts", "type": "object", "required": true, "repeated": true, "help": "The issues to make of it."}], "example": {"key": "WEB-1", "parts": [{"title": "The other half"}]}, "answers": "Issue"},
"template_delete": {"summary": "Take a template away", "doc": "Take a template away; issues made with it stay as they are.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the template, from `issues.templates`."}], "example": {"id": 1}, "answers": "IssueTemplate"},
"template_save": {"summary": "Make a template, or change one", "doc": "Make a template, or change one. Leads keep those of their project, admins the org\u0027s.\n\nInputs are checked as issues.create checks them once the placeholders are filled in; names of labels and people are\nlooked up when an issue is made. A name is unique in its project without case (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The template to change; left out: make one."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project it belongs to; left out or null: the org. Decided when it is made."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "type", "type": "string", "required": true, "help": "Key or name of the issue type it is for."}, {"name": "input", "type": "object", "required": true, "help": "As for issues.create, with `{{title}}`, `{{body}}`, `{{me}}`, `{{me.name}}`, `{{project.key}}`, `{{project.name}}`, `{{today}}` and `{{today+7d}}` in texts."}, {"name": "children", "type": "object", "nullable": true, "repeated": true, "help": "Issues to make under it; `parent` in their input may name another child\u0027s `ref`."}, {"name": "checklists", "type": "int", "nullable": true, "repeated": true, "help": "Templates of checklists; one that is gone since is left out."}], "example": {"project": "WEB", "name": "Defect", "type": "bug", "input": {"body": "Seen by {{me.name}} on {{today}}", "due_date": "{{today+7d}}"}, "children": [{"ref": "test", "input": {"title": "Test for: {{title}}", "type": "subtask"}}]}, "answers": "IssueTemplate"},
"templates": {"summary": "List the templates of the org and of the projects that you see, by name", "doc": "List the templates of the org and of the projects that you see, by name.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Those that an issue of this project may be made with."}], "example": {"project": "WEB"}},
"transition": {"summary": "Move an issue to another lane along its workflow, perhaps with a comment", "doc": "Move an issue to another lane along its workflow, perhaps with a comment: all of it happens or nothing.\n\nMembers go any way that names nobody; a reporter of the project goes those that name `reporter`, with their own.\nNo transition, one whose conditions hide it, one that is for others, a check that fails with the given `values` and,\nwhere the project says so, open blockers of an issue that is closed are 409 `workflow-refused` with the `rule`; one\nwith approvers is 409 `approval-needed`. Of several transitions to the lane the first counts that is open to you.\nWhat it asks for and does not get is 422 at `values.<name>`, as is what it does not ask for. The lane it is in\nalready is no change. Entering a done lane sets the outcome and `done_at`; leaving it clears both.\n\nWhat the transition does behind the move runs with your rights, and what is refused then refuses the move, unless\nthe workflow says that it may. More than 1,000 actions in one call are refused, too (409, rule `then`).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "to_status", "type": "string", "required": true, "help": "A lane, by key or name, that a transition from the present one leads to."}, {"name": "values", "type": "object", "nullable": true, "help": "Fields that the transition asks for, by name: own ones, and `assignee`, `due`, `priority` and the like."}, {"name": "comment", "type": "string", "nullable": true, "help": "What to say beside, in Markdown."}, {"name": "outcome", "type": "string", "nullable": true, "enum": ["completed", "cancelled", "duplicate"], "help": "For a done lane; the lane\u0027s own unless given."}, {"name": "if_seq", "type": "int", "nullable": true, "help": "Refuse (409 `stale`, with `current`) where the issue\u0027s `seq` is another one."}], "example": {"key": "WEB-1", "to_status": "in_progress"}, "answers": "Issue"},
"transitions": {"summary": "List the ways on from the lane that an issue is in", "doc": "List the ways on from the lane that an issue is in; `why` says what closes one to you.\n\nThose whose conditions fail are not there. `fields` are what it asks for on the way.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"tree": {"summary": "Look at an issue with all that stands under it, children by rank", "doc": "Look at an issue with all that stands under it, children by rank. More than 2,000 issues are 422.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "depth", "type": "int", "nullable": true, "help": "So many levels below are shown; 5 unless given. (0 to 12)"}], "example": {"key": "WEB-1", "depth": 2}, "unnamed": true},
"update": {"summary": "Change fields of an issue", "doc": "Change fields of an issue; fields that are not named stay, and null clears sprint, milestone and estimate.\n\nWithout `if_seq` the last write wins, field by field. A change that changes nothing is no event.", "class": "write", "fields": [{"name": "title", "type": "string", "nullable": true, "help": "What it is about, on one line."}, {"name": "body", "type": "string", "nullable": true, "help": "Description, in Markdown."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The description as a rich document too: ProseMirror JSON."}, {"name": "priority", "type": "string", "nullable": true, "enum": ["urgent", "high", "medium", "low", "none"], "help": "How pressing it is; `none` unless set."}, {"name": "labels", "type": "string", "nullable": true, "repeated": true, "help": "The whole list; `[]` takes all off."}, {"name": "components", "type": "string", "nullable": true, "repeated": true, "help": "Names of components, the whole list; `[]` takes all off."}, {"name": "parent", "type": "string", "nullable": true, "help": "An empty string clears it."}, {"name": "sprint", "type": "int", "nullable": true, "help": "A planned or active sprint of its project; null takes it out of its sprint."}, {"name": "milestone", "type": "int", "nullable": true, "help": "Id of its milestone; null: none. This version has no milestones."}, {"name": "releases", "type": "string", "nullable": true, "repeated": true, "help": "Names of releases that it is for: none can be named in this version."}, {"name": "affects", "type": "string", "nullable": true, "repeated": true, "help": "Names of releases that it was seen in: none can be named in this version."}, {"name": "estimate", "type": "number", "nullable": true, "help": "How much work it is, in points or what the team counts in; null: not estimated."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day, `YYYY-MM-DD`; an empty text clears it."}, {"name": "due_date", "type": "string", "nullable": true, "help": "Last day, `YYYY-MM-DD`; an empty text clears it."}, {"name": "reporter", "type": "string", "nullable": true, "help": "For leads and admins."}, {"name": "values", "type": "object", "nullable": true, "help": "Own fields by key; null clears one, others stay."}, {"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "if_seq", "type": "int", "nullable": true, "help": "Refuse (409 `stale`, with `current`) where the issue\u0027s `seq` is another one."}, {"name": "notify", "type": "bool", "nullable": true, "help": "False: it stands in nobody\u0027s inbox. What happened is told in the log all the same."}], "example": {"key": "WEB-1", "title": "The cart forgets its vouchers at sign-in", "priority": "high"}, "answers": "Issue"},
"vote": {"summary": "Vote for an issue, or take your vote back", "doc": "Vote for an issue, or take your vote back. Whoever sees it has one vote; twice counts once.\n\nAn archived issue takes no votes (409).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "on", "type": "bool", "required": true, "help": "False takes your vote back."}], "example": {"key": "WEB-1", "on": true}, "unnamed": true},
"voters": {"summary": "List who voted for an issue, the first vote first", "doc": "List who voted for an issue, the first vote first.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}},
"watch": {"summary": "Watch an issue, or watch it no longer", "doc": "Watch an issue, or watch it no longer. To change it for others you need to be able to edit the issue.\n\nA reporter of a project who sees only their own issues there sees those that they were made to watch, too. Whoever\nhas no role in the project cannot watch (422). Twice is no change.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}, {"name": "on", "type": "bool", "required": true, "help": "False ends it."}, {"name": "members", "type": "string", "nullable": true, "repeated": true, "help": "You, unless given."}], "example": {"key": "WEB-1", "on": true}, "unnamed": true},
"watchers": {"summary": "List who watches an issue, by name", "doc": "List who watches an issue, by name.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "The issue: its key, a former key or `issue:<n>`."}], "example": {"key": "WEB-1"}}}},
"jobs": {"about": "Jobs: long work that runs beside the requests.", "verbs": {
"cancel": {"summary": "Stop a job before its next step", "doc": "Stop a job before its next step; what was committed stays. One that ended is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the job."}], "example": {"id": 1}, "answers": "Job"},
"get": {"summary": "Look at a job", "doc": "Look at a job. Its starter and admins see it.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the job."}, {"name": "wait_seconds", "type": "int", "nullable": true, "help": "Wait so long at most; answers earlier when the job ends. (0 to 25)"}], "example": {"id": 1, "wait_seconds": 0}},
"list": {"summary": "List your jobs of the last 30 days, newest first, 1,000 at most", "doc": "List your jobs of the last 30 days, newest first, 1,000 at most; admins may list everybody\u0027s (else 403).", "class": "read", "fields": [{"name": "state", "type": "string", "nullable": true, "enum": ["queued", "running", "done", "failed", "cancelled"], "help": "Only those in this state."}, {"name": "kind", "type": "string", "nullable": true, "help": "Only those that do this, such as `projects.copy`."}, {"name": "all", "type": "bool", "nullable": true, "help": "Everybody\u0027s; for admins."}], "example": {}}}},
"keys": {"about": "Keys: what programs sign in with. A key\u0027s rights are its scopes, cut by what its owner may do now.", "verbs": {
"create": {"summary": "Make a key", "doc": "Make a key; its secret is in the answer and never shown again. Asks for an elevated session.\n\nScopes beyond your role, `system` and `desk:*` are 422; a scope counts only while your role holds it. An agent\nkey needs the name of an agent of yours; a new name makes one, a name that somebody or something else has is 409.\nProjects that you do not see are 404. Without `expires_at` it lives until it is revoked; a time in the past is 422.", "class": "write", "fields": [{"name": "name", "type": "string", "required": true, "help": "What you call it."}, {"name": "kind", "type": "string", "enum": ["personal", "agent"], "help": "`personal` acts as you; `agent` acts as an agent of yours, under its own name."}, {"name": "agent", "type": "string", "nullable": true, "help": "Name of the agent, for kind `agent`; a new name makes one."}, {"name": "scopes", "type": "string", "required": true, "repeated": true, "help": "What it may do: at most what your role holds."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "Keys of the projects it sees; left out or empty: all that you see."}, {"name": "expires_at", "type": "int", "nullable": true, "help": "When it ends, in Unix seconds; left out: when it is revoked."}, {"name": "networks", "type": "string", "nullable": true, "repeated": true, "help": "Networks it may call from, such as `203.0.113.0/24`; left out or empty: everywhere."}], "example": {"name": "deploy script", "scopes": ["issues:read", "issues:write"]}},
"list": {"summary": "List your keys, newest first, those that ended too", "doc": "List your keys, newest first, those that ended too. Admins may list everybody\u0027s (others: 403).", "class": "read", "fields": [{"name": "all", "type": "bool", "nullable": true, "help": "Everybody\u0027s; for admins."}], "example": {}},
"revoke": {"summary": "End a key", "doc": "End a key; the next call with it is 401. Answers the keys of its owner.\n\nYour own keys, and for admins everybody\u0027s. A key may revoke itself; an agent\u0027s key no other (403). One that ended\nalready stays as it is.", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the key."}], "example": {"id": "k_0123456789abcdef"}, "answers": "ApiKey"},
"rotate": {"summary": "Give a key a new secret, which is in the answer and never shown again", "doc": "Give a key a new secret, which is in the answer and never shown again.\n\nAsks for an elevated session; a key may rotate itself, by its present secret alone (403). A secret that still worked\nfrom an earlier rotation ends now. A key that ended is 409.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the key."}, {"name": "keep_hours", "type": "int", "nullable": true, "help": "Hours that the present secret works on beside the new one; left out: none. (0 to 72)"}], "example": {"id": "k_0123456789abcdef", "keep_hours": 24}},
"update": {"summary": "Change one of your keys", "doc": "Change one of your keys; fields that are not named stay. It holds from the next call on.\n\nAsks for an elevated session. A key that ended is 409; the rest is refused as in `keys.create`.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the key."}, {"name": "name", "type": "string", "nullable": true, "help": "What you call it."}, {"name": "scopes", "type": "string", "nullable": true, "repeated": true, "help": "What it may do, the whole list."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "An empty list lifts the limit."}, {"name": "expires_at", "type": "int", "nullable": true, "help": "null: it lives until it is revoked."}, {"name": "networks", "type": "string", "nullable": true, "repeated": true, "help": "An empty list lifts the limit."}], "example": {"id": "k_0123456789abcdef", "name": "deploy script", "expires_at": null}, "answers": "ApiKey"}}},
"labels": {"about": "Labels: short names on issues and pages, of the org or of one project; a group makes its labels exclusive.", "verbs": {
"delete": {"summary": "Take a label away, from every issue and page that carries it too", "doc": "Take a label away, from every issue and page that carries it too. Answers the labels that are left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the label, from `labels.list`."}], "example": {"id": 1}, "answers": "Label"},
"list": {"summary": "List labels with their use counts", "doc": "List labels with their use counts. With a project: those an issue of it may carry.\n\nCounts are of the issues and pages that you see.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Key of a project: its labels and the org\u0027s."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in the name or description."}], "example": {"project": "WEB"}},
"merge": {"summary": "Fold labels into one", "doc": "Fold labels into one: what carried them carries that one, and they are gone.\n\nA label of a project folds into one of the same project or of the org, the org\u0027s only into the org\u0027s (422).", "class": "write", "fields": [{"name": "from", "type": "int", "required": true, "repeated": true, "help": "The labels that go."}, {"name": "into", "type": "int", "required": true, "help": "The label that stays."}], "example": {"from": [2], "into": 1}, "answers": "Label"},
"save": {"summary": "Make a label, or change one", "doc": "Make a label, or change one: fields that are not named stay.\n\nAdmins keep the org\u0027s labels, project leads their project\u0027s. A name is unique without case among the org\u0027s and\none project\u0027s labels (409). A label cannot join a group while an issue carries another label of it (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The label to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What it says."}, {"name": "color", "type": "string", "nullable": true, "help": "Colour as `#rrggbb`."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project it belongs to; null: the org. Decided when it is made, but null lifts it to the org."}, {"name": "group", "type": "string", "nullable": true, "help": "Labels of one group exclude each other on an issue; null takes it out of its group."}, {"name": "description", "type": "string", "nullable": true, "help": "When to use it."}], "example": {"name": "regression", "color": "#d64545", "description": "It worked before"}, "answers": "Label"}}},
"lanes": {"about": "Lanes: the statuses that issues stand in, shared by the org\u0027s workflows.", "verbs": {
"delete": {"summary": "Take a lane away", "doc": "Take a lane away.\n\nOne that holds issues needs `move_to` (409 `in-use`; `uses` are those that you see): they move with history.\n\nIn workflows the other lane takes its place. A workflow that begins there, or that would have a lane without a way\nto it or from it to a done one, needs `move_to` too (409). More than 200 issues move by a job, in steps of 200: the\nlane is out of lists and workflows at once. Called again it goes on with what a cancelled job left.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key or name of the lane."}, {"name": "move_to", "type": "string", "nullable": true, "help": "The lane that takes its issues and its place in workflows."}], "example": {"key": "backlog", "move_to": "todo"}, "answers": "Lane"},
"list": {"summary": "List the lanes, with how many issues you see in each", "doc": "List the lanes, with how many issues you see in each. With a project or type: those of its workflow, in order.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "The lanes that its default type moves through, in the workflow\u0027s order."}, {"name": "type", "type": "string", "nullable": true, "help": "Of one issue type: in the project where that is named too."}], "example": {"project": "WEB"}},
"reorder": {"summary": "Put the lanes in order", "doc": "Put the lanes in order. Workflows keep their own.", "class": "write", "fields": [{"name": "keys", "type": "string", "required": true, "repeated": true, "help": "The first lanes, in their new order; those that are not named follow as they are."}], "example": {"keys": ["todo", "backlog"]}, "answers": "Lane"},
"save": {"summary": "Make a lane, or change one", "doc": "Make a lane, or change one; fields that are not named stay.\n\nNames are unique without case (409); the category of a lane that holds issues cannot change (409). A new lane\nstands behind the others of its category, and in no workflow yet.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Small letters, digits and `_`; an unknown one makes a lane."}, {"name": "name", "type": "string", "required": true, "help": "What people read, unique without case."}, {"name": "category", "type": "string", "required": true, "enum": ["todo", "in_progress", "done"], "help": "Whether issues in it are not begun, in work or done."}, {"name": "color", "type": "string", "nullable": true, "help": "Colour as `#rrggbb`."}, {"name": "outcome", "type": "string", "nullable": true, "enum": ["completed", "cancelled", "duplicate"], "help": "For done lanes; `completed` unless given."}, {"name": "wip", "type": "int", "nullable": true, "help": "How many issues should stand in it at most; null takes the limit off. (1 to 10000)"}, {"name": "stops_sla", "type": "bool", "nullable": true, "help": "Whether the clock of service levels stands still in it."}, {"name": "description", "type": "string", "nullable": true, "help": "When issues stand in it."}], "example": {"key": "blocked", "name": "Blocked", "category": "in_progress"}, "answers": "Lane"}}},
"mail": {"about": "Mail: the server that it goes by, what went and waits, its texts, and mailboxes that are read.", "verbs": {
"mailbox_delete": {"summary": "Delete a mailbox with its password", "doc": "Delete a mailbox with its password; what came of its mail stays. Answers those that are left.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Number of the mailbox, from `mail.mailboxes`."}], "example": {"id": 1}},
"mailbox_save": {"summary": "Make a mailbox that is read, or change one", "doc": "Make a mailbox that is read, or change one; fields that are not named stay. For admins who see its target.\n\nMail to a desk becomes a request, or an answer to one. Mail to a project becomes an issue of the member whose\naddress it comes from, with what they may, or a comment where it answers to a letter; mail to a space becomes a\npage. Who is no member is heard there only where `allow` names them, in the name of whoever saved the mailbox.\n\nWith `imap` unread mail is taken and marked as read, with `pop` all mail; a `hook` has an address that a mail\nservice posts to. The mail server is a public one, unless the operator lists host and port. An org has 50\nmailboxes at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The mailbox to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What it is called."}, {"name": "protocol", "type": "string", "required": true, "enum": ["imap", "pop", "hook"], "help": "How it is read; it stays what it is."}, {"name": "target", "type": "object", "required": true, "help": "What mail becomes: one of its fields."}, {"name": "host", "type": "string", "nullable": true, "help": "Name of the mail server; not with `hook`."}, {"name": "port", "type": "int", "nullable": true, "help": "Its port; left out: the usual one. (1 to 65535)"}, {"name": "security", "type": "string", "nullable": true, "enum": ["starttls", "tls", "none"], "help": "How the connection is secured; at first `starttls` with port 143 or 110, else `tls`. `none` only where the operator lists host and port."}, {"name": "user", "type": "string", "nullable": true, "help": "Who signs in there."}, {"name": "password", "type": "string", "nullable": true, "help": "Kept where it is left out and host, port and user stay; sealed, and never shown."}, {"name": "folder", "type": "string", "nullable": true, "help": "The folder that is read, with `imap`; at first `INBOX`."}, {"name": "every_minutes", "type": "int", "nullable": true, "help": "How often it is read; at first every 5 minutes. (1 to 1440)"}, {"name": "delete_after", "type": "bool", "nullable": true, "help": "Whether mail is deleted there once it was taken."}, {"name": "allow", "type": "string", "nullable": true, "repeated": true, "help": "Addresses, and domains as `example.com`, that are heard; empty: all. Who is named here is heard by a project and a space though they are no member."}, {"name": "deny", "type": "string", "nullable": true, "repeated": true, "help": "Addresses and domains that are not heard."}], "example": {"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}}},
"mailbox_test": {"summary": "Look into a mailbox, and say how many mails wait there", "doc": "Look into a mailbox, and say how many mails wait there. With `pull` they are read a moment later, and the mailbox\nis read again from now on where it was not.\n\n`ok` false says in `detail` what to mend.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Number of the mailbox, from `mail.mailboxes`."}, {"name": "pull", "type": "bool", "nullable": true, "help": "Whether it is to be read now."}], "example": {"id": 1}, "unnamed": true},
"mailboxes": {"summary": "List the mailboxes by id", "doc": "List the mailboxes by id.", "class": "write", "fields": [], "example": {}},
"outbox": {"summary": "List the letters of 30 days, newest first, and all that waits", "doc": "List the letters of 30 days, newest first, and all that waits. What they say is never shown.\n\nA letter is written in the transaction that causes it, tried ten times within a day, and then given up: admins hear\nof it by the event `mail.failed`.", "class": "write", "fields": [{"name": "state", "type": "string", "nullable": true, "enum": ["queued", "sent", "failed", "held"], "help": "Only those that stand so; left out: all of them."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"state": "failed"}},
"retry": {"summary": "Send letters again, now and under the Message-ID that they have, or with `drop` never", "doc": "Send letters again, now and under the Message-ID that they have, or with `drop` never.\n\n409 where one of them was sent, is for an address that is suppressed, or says nothing any more: what a letter says\nis kept for three days after it was given up, and not at all once it was dropped.", "class": "write", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Numbers of letters, from `mail.outbox`."}, {"name": "drop", "type": "bool", "nullable": true, "help": "Whether they are to be sent no more, instead of now."}], "example": {"ids": [1]}, "unnamed": true},
"sender": {"summary": "Show the mail server that was saved, and by which one mail goes", "doc": "Show the mail server that was saved, and by which one mail goes: that of the operator\u0027s settings goes first.", "class": "write", "fields": [], "example": {}},
"sender_set": {"summary": "Save the mail server that mail goes by, at once", "doc": "Save the mail server that mail goes by, at once. For admins, not for agents.\n\nA server that the operator names in `kbwork.toml` goes first: then this one waits, `source` says `settings`, and\nonly `signature` counts. Its address is a public one, unless the operator lists host and port. With `test_to` a\nletter is sent by the new settings first; `said` is what the server answered, and where it does not take the\nletter, 502 says what to mend and nothing is saved.", "class": "write", "fields": [{"name": "host", "type": "string", "required": true, "help": "Name of the mail server."}, {"name": "port", "type": "int", "required": true, "help": "Its port: mostly 587 with `starttls`, 465 with `tls`. (1 to 65535)"}, {"name": "security", "type": "string", "required": true, "enum": ["starttls", "tls", "none"], "help": "How the connection is secured. `none` goes without a user alone."}, {"name": "from", "type": "string", "required": true, "help": "The address that mail comes from."}, {"name": "user", "type": "string", "nullable": true, "help": "Who signs in there; empty: nobody. Left out: as it is."}, {"name": "password", "type": "string", "nullable": true, "help": "Kept where it is left out and host, port and user stay; sealed, and never shown."}, {"name": "name", "type": "string", "nullable": true, "help": "What the sender is called; left out: as it is, at first the org\u0027s name."}, {"name": "signature", "type": "string", "nullable": true, "help": "Text under every letter; empty: none. Left out: as it is."}, {"name": "test_to", "type": "string", "nullable": true, "help": "An address that a test letter is sent to first: where the server does not take it, nothing is saved."}], "example": {"host": "smtp.acme.example", "port": 587, "security": "starttls", "from": "work@acme.example"}},
"suppressed": {"summary": "List the addresses that nothing is sent to, the latest first", "doc": "List the addresses that nothing is sent to, the latest first; with `release`, take one off before.\n\nAn address comes here when a mail server says for good that it is none, or when a report about a letter of ours says\nso. What is for it is held, and goes by `mail.retry` once it was released.", "class": "write", "fields": [{"name": "release", "type": "string", "nullable": true, "help": "An address that mail may go to again."}], "example": {}, "unnamed": true},
"template_save": {"summary": "Word a kind of letter in a language, from the next letter on", "doc": "Word a kind of letter in a language, from the next letter on.\n\nA variable is put in as plain text. Unknown ones are 422 with those that there are, and so is a text without what\nthe letter is for, such as its link, or with that inside another address or in the subject. People do so, by no\nlimited key: letters hold links to set passwords.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "The kind of letter, from `mail.templates`."}, {"name": "locale", "type": "string", "required": true, "help": "The language of its readers: that of their profile, else of the org. A text of `de` counts for `de-AT`, too."}, {"name": "subject", "type": "string", "required": true, "help": "With `{{name}}` where a variable stands; empty with an empty body: the built-in text again."}, {"name": "body", "type": "string", "required": true, "help": "Plain text with the same; the letter has it in HTML as well, with addresses of pages as links."}], "example": {"key": "auth.sign_in", "locale": "de", "subject": "Anmelden bei {{org}}", "body": "Hallo {{name}},\n\nhier geht es hinein: {{link}}"}},
"templates": {"summary": "List the texts of all kinds of letters by key", "doc": "List the texts of all kinds of letters by key.", "class": "write", "fields": [{"name": "locale", "type": "string", "nullable": true, "help": "The language whose texts are wanted, as readers of it get them; left out: the org\u0027s, and all others that were worded."}], "example": {}}}},
"maintenance": {"about": "Care of the single file: whether everything is as it should be, and what mends it.", "verbs": {
"check": {"summary": "Look whether the server is as it should be", "doc": "Look whether the server is as it should be: backups, jobs, mail, the clock, room on the disk.\n\nEach finding that is not well says what mends it. `deep` reads the whole data file while people work; one such look\nat a time (409). `kbwork doctor` looks at the settings and the rights of the folder besides.", "class": "write", "fields": [{"name": "deep", "type": "bool", "nullable": true, "help": "Read the whole data file, too: its integrity and every reference in it. It takes a while where there is much."}], "example": {}, "unnamed": true}}},
"members": {"about": "Members: the people of the org, their roles and profiles.", "verbs": {
"avatar_set": {"summary": "Set or take away your own picture", "doc": "Set or take away your own picture. What is no picture, an SVG or above 1 MB is 422.", "class": "write", "fields": [{"name": "data", "type": "string", "nullable": true, "help": "A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes the picture away."}], "example": {"data": "iVBORw0KGgo="}, "answers": "Member"},
"chat_accounts": {"summary": "List your accounts on chat platforms", "doc": "List your accounts on chat platforms: commands from there are yours.", "class": "read", "fields": [], "example": {}},
"chat_link": {"summary": "Link the account on a chat platform that was handed out this code", "doc": "Link the account on a chat platform that was handed out this code: from then on its commands are yours.\n\nSigned in only: no key links an account. An account is one member\u0027s; whoever had it before has it no more. Answers\nall of yours. A code is good once, for ten minutes (422).", "class": "write", "fields": [{"name": "code", "type": "string", "required": true, "help": "The code that `link` handed out in the chat within the last ten minutes."}], "example": {"code": "BCDFG-HJKLM"}, "answers": "ChatAccount"},
"chat_unlink": {"summary": "Take away the link of one of your accounts on chat platforms", "doc": "Take away the link of one of your accounts on chat platforms. Answers those that are left; another\u0027s is 404.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the link, from `members.chat_accounts`."}], "example": {"id": 1}, "answers": "ChatAccount"},
"deactivate": {"summary": "Deactivate a member, or bring one back with `on` false", "doc": "Deactivate a member, or bring one back with `on` false. For admins.\n\nTheir sessions and streams end and their keys and pending invites are revoked at once, for good; history, teams,\nroles in projects and assignments stay, unless `transfer_to` takes the issues over that they work on, reported or\nwatch. Owners are deactivated by owners who have just confirmed; the last owner stays (409). Who was invited or\nerased cannot be brought back (409).", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Member id, e-mail address or `@handle`."}, {"name": "on", "type": "bool", "required": true, "help": "False brings them back."}, {"name": "transfer_to", "type": "string", "nullable": true, "help": "Who takes over what they work on; left out: it stays with them."}], "example": {"id": "@cy", "on": true, "transfer_to": "@di"}, "answers": "Member"},
"erase": {"summary": "Erase a person for good", "doc": "Erase a person for good. For owners who have just confirmed.\n\nThey are out at once, as with members.deactivate; a job then removes name, address, picture, profile, preferences,\ncredentials, keys, marks, what they watch, and what personal fields say of them: in issues that they reported, and\nwherever such a field names them. Their work stays under `former member`, with their id. The name must match (422);\nthe last owner stays (409).", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Member id, e-mail address or `@handle`."}, {"name": "confirm_name", "type": "string", "required": true, "help": "Their name as it is shown, so that nobody else is erased by mistake."}], "example": {"id": "@cy", "confirm_name": "Cy Moss"}, "unnamed": true},
"export_data": {"summary": "Have all that is kept of a person made into one archive", "doc": "Have all that is kept of a person made into one archive: your own data, or, for admins, those of another.\n\nIt is a ZIP file with the profile, the picture and, for each table, the rows that name the person as JSON lines:\nwhat they wrote, reported, are assigned, watch and chose, where they are signed in, and what they did. Rows about\nthings that you do not see are counted and left out, and so are passwords, tokens and the like; of another person\nalso drafts, stars and other things that are theirs alone. Files are told by name: attachments.get fetches them.\n\nThe job\u0027s result says where it is fetched, by whoever started it, for a day: at most 100 MB (the job fails where it\nis more). While one is being made that one is answered. For others it needs an admin who has just confirmed that it\nis them, and for an owner another owner.", "class": "write", "fields": [{"name": "id", "type": "string", "nullable": true, "help": "Member id, e-mail address or `@handle`; left out: you."}], "example": {}, "unnamed": true},
"get": {"summary": "Look at one member", "doc": "Look at one member. Guests find people whom they share something with, and nobody by address (404).", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Member id, e-mail address, `@handle` or `me`."}], "example": {"id": "@ana"}},
"list": {"summary": "List the people of the org, by name", "doc": "List the people of the org, by name. Guests see those with whom they share a project, a team or an issue.\n\nAn unknown role is 422; a team that you do not see has no members.", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words in name, handle or, for who may see it, address."}, {"name": "role", "type": "string", "nullable": true, "help": "Only those with this role in the org."}, {"name": "team", "type": "int", "nullable": true, "help": "Members of this team; 0 stands for the admins."}, {"name": "state", "type": "string", "nullable": true, "enum": ["active", "deactivated", "all"], "help": "`active` unless given; `all` has the invited and the erased, too."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"q": "ana", "state": "active"}},
"mentionable": {"summary": "List whom a mention on a subject may name, those who see it first", "doc": "List whom a mention on a subject may name, those who see it first; at most 50.\n\nA member sees it by their own rights, a team where one of its members does, an agent where its owner does.", "class": "read", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What the mention would stand on, such as `issue:12` or `WEB-12`."}, {"name": "q", "type": "string", "nullable": true, "help": "How name or handle begin, or words in the name."}], "example": {"subject": "issue:1", "q": "an"}},
"owner_transfer": {"summary": "Hand the org to somebody", "doc": "Hand the org to somebody: they become an owner, and you an admin. For owners who have just confirmed.\n\nIt takes an active member who is no guest (422). Answers the two of you, the owner first.", "class": "destructive", "fields": [{"name": "to", "type": "string", "required": true, "help": "The member who is to own the org."}], "example": {"to": "@di"}, "answers": "Member"},
"preferences": {"summary": "Look at your own preferences", "doc": "Look at your own preferences; null stands for the org\u0027s setting or the app\u0027s own choice.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"preferences_set": {"summary": "Change your own preferences", "doc": "Change your own preferences: keys that are not named stay, null resets one.\n\n`locale` and `zone` are those of your profile and are checked; what the others hold is the app\u0027s affair, 20 kB in\nall. An unknown key is 422 naming the nearest. The answer has every key.", "class": "write", "fields": [{"name": "set", "type": "object", "required": true, "help": "`locale`, `zone`, `theme`, `week_start`, `start_page`, `shortcuts`, `editor`, `density`; null resets one."}], "example": {"set": {"theme": "dark", "week_start": 1}}, "answers": "Preferences", "unnamed": true},
"profile_set": {"summary": "Change your own profile", "doc": "Change your own profile: fields that are not named stay, an empty text clears.\n\nA handle that a member, team or agent has is 409; one that is kept back, such as `me`, is 422. `until` of a status\nlies ahead (422). A key or agent changes its owner\u0027s profile.", "class": "write", "fields": [{"name": "name", "type": "string", "nullable": true, "help": "Your name as people read it."}, {"name": "handle", "type": "string", "nullable": true, "help": "What `@` names you by, without the sign; unique."}, {"name": "title", "type": "string", "nullable": true, "help": "What you do, such as `Designer`."}, {"name": "pronouns", "type": "string", "nullable": true, "help": "How to speak of you, such as `she/her`."}, {"name": "about", "type": "string", "nullable": true, "help": "Some words about you, in Markdown."}, {"name": "zone", "type": "string", "nullable": true, "help": "Your time zone by name, such as `Europe/Berlin`; an empty text: the org\u0027s."}, {"name": "working_calendar", "type": "int", "nullable": true, "help": "The calendar of your working days; null: the org\u0027s."}, {"name": "status", "type": "object", "nullable": true, "help": "What you are up to; null: nothing to say."}], "example": {"title": "Designer", "status": {"emoji": "palm", "text": "Back on Monday"}}, "answers": "Member"},
"transfer": {"summary": "Give what one member holds to another", "doc": "Give what one member holds to another. For admins.\n\n`assigned` takes the issues that are not done, `reported` and `watching` all that are not archived: of the issues\nthat you lead, at most 1,000 a call; call again until `changed` is 0. The one who takes over is an active member\nwho sees them (422). Rights that stood on holding them go along.", "class": "write", "fields": [{"name": "from", "type": "string", "required": true, "help": "Who hands over; they may have left."}, {"name": "to", "type": "string", "required": true, "help": "Who takes over: member id, e-mail address or `@handle`."}, {"name": "what", "type": "string", "nullable": true, "repeated": true, "enum": ["assigned", "reported", "watching", "rules", "views", "goals", "components"], "help": "Everything that can be handed over unless given."}, {"name": "tql", "type": "string", "nullable": true, "help": "A query that narrows the issues."}], "example": {"from": "@cy", "to": "@di", "what": ["assigned"]}, "unnamed": true},
"update": {"summary": "Change a member\u0027s role, name, address or, for a guest, how long they stay", "doc": "Change a member\u0027s role, name, address or, for a guest, how long they stay. For admins.\n\nNobody changes their own role (403). Who makes an admin confirmed in the last ten minutes that it is them, and\nso did owners who make or change an owner; the last one stays (409). An address that another member has is 409.\nWhoever stops being a guest stays for good. Pending invites that somebody may not make with their new role are\nrevoked.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Member id, e-mail address or `@handle`."}, {"name": "role", "type": "string", "nullable": true, "enum": ["owner", "admin", "member", "guest"], "help": "Role in the org."}, {"name": "name", "type": "string", "nullable": true, "help": "Name as people read it."}, {"name": "email", "type": "string", "nullable": true, "help": "Address that they sign in with."}, {"name": "guest_until", "type": "int", "nullable": true, "help": "Unix seconds at which a guest is deactivated; null: they stay."}], "example": {"id": "@di", "role": "admin"}, "answers": "Member"},
"workload": {"summary": "List how much people have planned on each day from one to another, beside what they can", "doc": "List how much people have planned on each day from one to another, beside what they can.\n\nAn open issue counts for whoever leads it, the first of its assignees: its estimate is spread evenly over the\nworking days, Monday to Friday, from its start to its due date. A date that it lacks is that of its sprint; with one\ndate alone it stands on that day, with none it is planned nowhere. What people can is the capacity that sprints say,\nspread likewise over the sprint\u0027s days; null where none says it, and with `issues`. `over`: more is planned on some\nday than they can. All is of the issues and sprints that you see.", "class": "read", "fields": [{"name": "from", "type": "string", "required": true, "help": "The first day."}, {"name": "to", "type": "string", "required": true, "help": "The last one; 92 days at most."}, {"name": "members", "type": "string", "nullable": true, "repeated": true, "help": "Member ids, `@handle`s, e-mail addresses or `me`; everybody who has something planned unless given."}, {"name": "team", "type": "int", "nullable": true, "help": "The members of this team alone."}, {"name": "unit", "type": "string", "nullable": true, "enum": ["points", "hours", "issues"], "help": "`points` and `hours` are what estimates say, whichever of them your team estimates in; `issues` counts how many are under way. Default `points`."}], "example": {"from": "2026-11-23", "to": "2026-11-29"}, "unnamed": true}}},
"notifications": {"about": "Notifications: one inbox for each person and agent, a view of the events that are for them.", "verbs": {
"archive": {"summary": "Put entries away", "doc": "Put entries away: they are read and stand among the archived until something new happens to their subject.\n\nName them by `ids`, `subject` or `before` (422 without one). `notifications.read` with `on` false brings one back.", "class": "write", "fields": [{"name": "ids", "type": "int", "nullable": true, "repeated": true, "help": "Entries by id."}, {"name": "subject", "type": "string", "nullable": true, "help": "The one on this, such as `issue:WEB-1`; where there is none nothing is done."}, {"name": "before", "type": "int", "nullable": true, "help": "All whose newest event happened before this, in Unix seconds."}], "example": {"subject": "issue:WEB-2"}, "unnamed": true},
"count": {"summary": "Count what is unread and awake in your inbox, in all and by reason", "doc": "Count what is unread and awake in your inbox, in all and by reason.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"list": {"summary": "List your inbox, the newest first", "doc": "List your inbox, the newest first. A subject has one entry, which gathers what happened to it.\n\nWhat you do not see any more is left out. Agents have an inbox of their own; a key looks into its owner\u0027s. What you\ndid yourself is not told; what your agent says to you is, as `agent`. Entries are made a moment after what they\ntell of, and go when they are half a year old, those that were read after 90 days; an inbox holds 1,000.", "class": "read", "fields": [{"name": "state", "type": "string", "nullable": true, "enum": ["unread", "all", "archived", "snoozed"], "help": "`unread` unless given, without those that sleep; `all`: whatever is not archived."}, {"name": "reason", "type": "string", "nullable": true, "enum": ["approval", "assigned", "mentioned", "replied", "invited", "shared", "agent", "due", "sla", "rule", "report", "watching"], "help": "Those that came for this."}, {"name": "subject", "type": "string", "nullable": true, "help": "The one on this, such as `issue:WEB-1`."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"state": "unread"}},
"mute": {"summary": "Hear no more of an issue, or of all issues of a project", "doc": "Hear no more of an issue, or of all issues of a project. Answers all that you muted.\n\nYou are told still where you are asked by name: when you are assigned or mentioned, and for an approval. What stands\nin the inbox already stays. You can mute 500 things (409).", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "An issue or project, such as `issue:WEB-1` or `project:WEB`."}, {"name": "on", "type": "bool", "required": true, "help": "False: you hear of it again."}, {"name": "until", "type": "int", "nullable": true, "help": "Until when, in Unix seconds; for good unless given."}], "example": {"subject": "issue:WEB-1", "on": true}, "unnamed": true},
"push_add": {"summary": "Have a browser pushed to", "doc": "Have a browser pushed to. It subscribes with the `push_key` of notifications.settings, and gives these.\n\nThe same endpoint again is the same browser, and yours from then on, whoever used it before. It must be a public\naddress with https, unless the operator lists it; that is seen when the first push goes there. An endpoint that is\ngone is forgotten, and one that takes no push ten times in a row. You have 20 browsers at most (409).", "class": "write", "fields": [{"name": "endpoint", "type": "string", "required": true, "help": "The address that the browser gave for being pushed to."}, {"name": "keys", "type": "object", "required": true, "help": "The browser\u0027s keys, as it gave them: `p256dh` and `auth`."}, {"name": "device", "type": "string", "nullable": true, "help": "What you call it, such as `Firefox on my laptop`."}], "example": {"endpoint": "https://push.example.com/send/abc", "keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}, "device": "Firefox on my laptop"}, "unnamed": true},
"push_remove": {"summary": "Have a browser of yours pushed to no more", "doc": "Have a browser of yours pushed to no more. One that is not yours, or not known, is 404.", "class": "destructive", "fields": [{"name": "endpoint", "type": "string", "required": true, "help": "The address that the browser gave."}], "example": {"endpoint": "https://push.example.com/send/abc"}, "unnamed": true},
"read": {"summary": "Mark entries as read, or as unread again", "doc": "Mark entries as read, or as unread again. Name them by `ids`, `subject` or `all` (422 without one).\n\nWhat is read is neither mailed nor pushed. The next thing that happens to the subject begins its entry anew. An id\nthat is not yours is 404.", "class": "write", "fields": [{"name": "ids", "type": "int", "nullable": true, "repeated": true, "help": "Entries by id."}, {"name": "subject", "type": "string", "nullable": true, "help": "The one on this, such as `issue:WEB-1`; where there is none nothing is done."}, {"name": "all", "type": "bool", "nullable": true, "help": "True: all that are unread, those that sleep too."}, {"name": "on", "type": "bool", "nullable": true, "help": "False makes them unread again, with what they had last."}], "example": {"all": true}, "unnamed": true},
"settings": {"summary": "Look at how you are told of things", "doc": "Look at how you are told of things. Keys and agents are shown their owner\u0027s, and what they muted themselves.", "class": "read", "fields": [], "example": {}, "unnamed": true},
"settings_set": {"summary": "Change how you are told of things", "doc": "Change how you are told of things; what is not named stays as it is. Agents do not change it (403).\n\nWhat waits to be mailed follows the new settings. Mail needs a server that sends it, `push` a browser of yours\n(notifications.push_add); `chat` has no effect until a chat is connected. An unknown project is 404.", "class": "write", "fields": [{"name": "channels", "type": "object", "nullable": true, "help": "Reason to its ways: `inbox`, `mail`, `push`, `chat`. `[]`: not at all; any way stands in the inbox, too."}, {"name": "digest", "type": "string", "nullable": true, "enum": ["off", "daily", "weekly"], "help": "`daily` or `weekly`: one letter with all that would be mailed; `off`: a letter for each subject."}, {"name": "digest_at", "type": "string", "nullable": true, "help": "When the digest comes, and dates that are near, as `08:00` in the zone of your profile."}, {"name": "quiet", "type": "object", "nullable": true, "help": "When no mail and no push comes: it waits for the end of that. Null: they always may."}, {"name": "due_before_days", "type": "int", "nullable": true, "repeated": true, "help": "So many days before an issue of yours is due you are told, and the day after; `[]`: never. (0 to 30)"}, {"name": "own_projects", "type": "string", "nullable": true, "repeated": true, "help": "Keys of projects of which you hear as if you watched each issue, new ones too."}, {"name": "delay_minutes", "type": "int", "nullable": true, "help": "So long a letter waits for what you read in the inbox meanwhile. (0 to 1440)"}], "example": {"channels": {"watching": ["inbox"]}, "digest": "daily", "digest_at": "07:30"}, "answers": "NotificationSettings", "unnamed": true},
"snooze": {"summary": "Put entries off", "doc": "Put entries off: they sleep, and are unread again when their time comes.\n\nWhat is asked of you by name wakes one sooner; what you merely watch does not. An id that is not yours is 404.", "class": "write", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Entries by id."}, {"name": "until", "type": "int", "required": true, "help": "When they are unread again, in Unix seconds: later than now, and within a year."}], "example": {"ids": [3], "until": 1800003600}, "answers": "Notification"},
"test": {"summary": "Have a test sent to yourself", "doc": "Have a test sent to yourself: a letter to your address, or a push to each browser of yours.\n\n`ok` false says in `detail` what to mend: a server without mail, no address, no browser, a push service that does\nnot take it. A letter is handed over a moment later; a browser whose service says that it is gone is forgotten.", "class": "write", "fields": [{"name": "channel", "type": "string", "required": true, "enum": ["mail", "push", "chat"], "help": "The way that is tried."}], "example": {"channel": "chat"}, "unnamed": true}}},
"org": {"about": "The org: its settings, its modules, its usage, and how it begins.", "verbs": {
"banner_set": {"summary": "Show a banner to everybody in the org, change it or take it away", "doc": "Show a banner to everybody in the org, change it or take it away. For admins. `until` lies ahead (422).", "class": "write", "fields": [{"name": "text", "type": "string", "nullable": true, "help": "Markdown; empty takes the banner away, left out: the text stays."}, {"name": "level", "type": "string", "nullable": true, "enum": ["info", "warning"], "help": "`info` unless given."}, {"name": "until", "type": "int", "nullable": true, "help": "Unix seconds at which it goes by itself; null: it stays."}], "example": {"text": "We move the server on Sunday.", "level": "info"}, "answers": "Org"},
"clock_confirm": {"summary": "Say that the clock is right, where it went ahead by more than an hour", "doc": "Say that the clock is right, where it went ahead by more than an hour. For admins, with elevation.\n\nAfter such a step nothing is purged, trimmed or ended by it until it has lasted for a day in which the server ran.", "class": "write", "fields": [], "example": {}, "unnamed": true},
"get": {"summary": "Look at the org", "doc": "Look at the org: its settings and which modules are on. Guests find retention, legal and files empty.", "class": "read", "fields": [], "example": {}},
"logo_set": {"summary": "Set or take away a picture of the org", "doc": "Set or take away a picture of the org: of the app, for dark screens, or of the portal. For admins.\n\nWhere one is missing the app\u0027s stands in. What is no picture, an SVG or above 1 MB is 422.", "class": "write", "fields": [{"name": "data", "type": "string", "nullable": true, "help": "A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes it away."}, {"name": "dark", "type": "bool", "nullable": true, "help": "The one for dark screens."}, {"name": "portal", "type": "bool", "nullable": true, "help": "The one of the customer portal."}], "example": {"data": "iVBORw0KGgo=", "dark": true}, "answers": "Org"},
"modules_set": {"summary": "Switch modules on and off", "doc": "Switch modules on and off. For admins.\n\nA module that is off hides its operations (404); nothing of it is lost. Those that others rest on, such as issues\nand members, cannot be off (422); an unknown name, or one in both lists, is 422.", "class": "write", "fields": [{"name": "on", "type": "string", "nullable": true, "repeated": true, "help": "Names of modules to switch on."}, {"name": "off", "type": "string", "nullable": true, "repeated": true, "help": "Names of modules to switch off."}], "example": {"off": ["comments"]}, "answers": "Org"},
"setup": {"summary": "Make the org with its owner, who is signed in", "doc": "Make the org with its owner, who is signed in. Works once, with the token of the link that `serve` printed.\n\nA used, old or wrong token is 404; an org that is there already is 409. A password that is too short or soon guessed\nis 422. With `project` there is a board to work on from the start, with `sample` something to look around in.", "class": "write", "fields": [{"name": "token", "type": "string", "required": true, "help": "From the link that the first start printed."}, {"name": "org", "type": "string", "required": true, "help": "Name of the org."}, {"name": "name", "type": "string", "required": true, "help": "Your name as people read it."}, {"name": "email", "type": "string", "required": true, "help": "Your address, to sign in with."}, {"name": "password", "type": "string", "required": true, "help": "To sign in with; what fits says auth.password_change."}, {"name": "project", "type": "object", "nullable": true, "help": "A project to begin with, led by you, with a board."}, {"name": "sample", "type": "bool", "nullable": true, "help": "Fill in sample data: a project `SAMPLE` with work at every stage, which goes when it is deleted."}, {"name": "template", "type": "string", "nullable": true, "help": "Not offered by this version."}], "example": {"token": "from-the-link", "org": "Acme", "name": "Ana Lund", "email": "ana@acme.example", "password": "correct horse battery"}},
"update": {"summary": "Change settings of the org", "doc": "Change settings of the org: those that are not named stay. For admins.\n\nAn unknown time zone, workflow or type is 422 naming the nearest. Shorter retention takes away what is older\nwithin minutes, for good.", "class": "write", "fields": [{"name": "name", "type": "string", "nullable": true, "help": "Name of the org as people read it."}, {"name": "zone", "type": "string", "nullable": true, "help": "Time zone by name, such as `Europe/Berlin`."}, {"name": "locale", "type": "string", "nullable": true, "help": "A language tag, such as `en` or `de-CH`."}, {"name": "week_start", "type": "int", "nullable": true, "help": "0 is Sunday, 1 Monday. (0 to 6)"}, {"name": "slug", "type": "string", "nullable": true, "help": "Short name for addresses: small letters, digits and `-`."}, {"name": "default_role", "type": "string", "nullable": true, "enum": ["member", "guest"], "help": "The role of those who come in by themselves."}, {"name": "guests", "type": "bool", "nullable": true, "help": "Members may invite guests into projects that they lead."}, {"name": "public_links", "type": "bool", "nullable": true, "help": "Whether things may be shown to the public by link."}, {"name": "retention", "type": "object", "nullable": true, "help": "How many days things are kept; those that are not named stay, null keeps for ever."}, {"name": "issue_defaults", "type": "object", "nullable": true, "help": "For new projects; those that are not named stay, null: as the product has it."}, {"name": "allowed_files", "type": "string", "nullable": true, "repeated": true, "help": "Endings (`.pdf`) or media types (`image/*`) that may be attached; none: all."}, {"name": "legal", "type": "object", "nullable": true, "help": "Texts and addresses by name, such as `imprint` and `privacy`; the whole of it, at most 50."}], "example": {"zone": "Europe/Berlin", "week_start": 1, "retention": {"trash_days": 60}}, "answers": "Org"},
"usage": {"summary": "Look at the use of the org by month, newest first, and at the calls of each key over these months", "doc": "Look at the use of the org by month, newest first, and at the calls of each key over these months. For admins.\n\n`machine_calls` are calls of keys and agents, written down once a minute; calls of people are not counted. `people`\nare the active members of today who were there in that month. `storage_bytes` is known for the present month only.\n`flag_evaluations` and `flag_events` are what the flag service was asked and sent by programs: an upload counts as\n100 events at least, one that comes twice once. There is no allowance: `limits` is empty.", "class": "write", "fields": [{"name": "months", "type": "int", "nullable": true, "help": "The present month and those before it. (1 to 36)"}], "example": {"months": 3}, "unnamed": true}}},
"pages": {"about": "Pages: documents in spaces, as trees, with versions, drafts and links between them.", "verbs": {
"append": {"summary": "Add a text at the end of a page or of one of its sections, a blank line apart", "doc": "Add a text at the end of a page or of one of its sections, a blank line apart: as pages.update, for whoever may\nedit it.\n\nA heading that is not there is 422 with those that are.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "body", "type": "string", "required": true, "help": "What is added, Markdown."}, {"name": "section", "type": "string", "nullable": true, "help": "Words of a heading: it is added at the end of what stands below that; left out: at the end of the page."}], "example": {"id": "HAND/welcome", "body": "- Ask Cy for a key.", "section": "First day"}, "answers": "Page"},
"archive": {"summary": "Put a page aside, or bring it back", "doc": "Put a page aside, or bring it back. An archived one is read and takes no change (409); lists and trees leave it\nout, and with it what stands below it is in no tree.\n\nWith `children` those below go along that you may edit, 2,000 at most (409); one that was archived before stays as\nit is. For whoever may edit it (403).", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "on", "type": "bool", "required": true, "help": "false brings it back."}, {"name": "children", "type": "bool", "nullable": true, "help": "True: the pages below it too."}], "example": {"id": "HAND/welcome", "on": true}, "answers": "Page"},
"backlinks": {"summary": "List the pages that link to a page, by a title or slug of it, former ones too", "doc": "List the pages that link to a page, by a title or slug of it, former ones too; the latest changed first, 200 at\nmost.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}], "example": {"id": "HAND/welcome"}},
"broken_links": {"summary": "List the links in the pages of a space that lead to no page that you see, 1,000 at most", "doc": "List the links in the pages of a space that lead to no page that you see, 1,000 at most; in pages that you see.\n\nWhat is there and not for you is `missing`, as what was never there; `deleted` is what you may bring back.", "class": "read", "fields": [{"name": "space", "type": "string", "required": true, "help": "Key of the space, in any case."}], "example": {"space": "HAND"}, "unnamed": true},
"children": {"summary": "List the pages below one, each right behind the one that it stands below, in their order", "doc": "List the pages below one, each right behind the one that it stands below, in their order.\n\nArchived pages are left out, as is what stands below a page that you do not see. 2,000 at most.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "depth", "type": "int", "nullable": true, "help": "How many levels below it; 1 unless given. (1 to 20)"}], "example": {"id": "HAND/welcome"}},
"copy": {"summary": "Copy a page that you see, as it is published", "doc": "Copy a page that you see, as it is published: its text, icon, properties and labels, not what was said on it.\n\nThe copy is yours, and narrowed to whom the page is, by itself or from above, where its place is not. For whoever\nmay edit where it goes (403). 500 pages at once (409).", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "space", "type": "string", "nullable": true, "help": "Key of the space, in any case."}, {"name": "parent", "type": "string", "nullable": true, "help": "Id of the page below which the copy goes; left out: below the same one, in another space at its top."}, {"name": "title", "type": "string", "nullable": true, "help": "Title of the copy; the same unless given."}, {"name": "children", "type": "bool", "nullable": true, "help": "True: the pages below it too, as far as you see them."}], "example": {"id": "HAND/welcome", "title": "Welcome to the shop"}, "answers": "Page"},
"create": {"summary": "Make a page in a space, below another one or at its top", "doc": "Make a page in a space, below another one or at its top. It is published at once unless `draft` says otherwise.\n\nFor whoever may edit there (403). Its slug is made of its title; where that is or was another page\u0027s in the space\nit gets a number. A tree has 20 levels, and 5,000 pages right below one (409).", "class": "write", "fields": [{"name": "space", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "title", "type": "string", "required": true, "help": "Its title."}, {"name": "parent", "type": "string", "nullable": true, "help": "Id of the page that it stands below; left out: it stands at the top."}, {"name": "body", "type": "string", "nullable": true, "help": "Its text as Markdown. `[[Title]]` and `[[space/slug]]` link to pages, `WEB-12` to an issue."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The same as ProseMirror JSON, for display; needs `body`."}, {"name": "template", "type": "int", "nullable": true, "help": "Id of what it begins with, from `pages.templates`: its text, properties and icon, as far as you give none."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon, or a sign."}, {"name": "draft", "type": "bool", "nullable": true, "help": "True: only you and those who may edit it see it, until it is published."}, {"name": "labels", "type": "string", "nullable": true, "repeated": true, "help": "Names of its labels."}, {"name": "properties", "type": "object", "nullable": true, "help": "What else is known of it, by names of your choice; any JSON."}, {"name": "after", "type": "string", "nullable": true, "help": "Id of the page behind which it goes, right below the same one; last unless given."}], "example": {"space": "HAND", "title": "How we review", "body": "# Before\n\nRead [[Welcome]] first."}, "answers": "Page"},
"delete": {"summary": "Put a page into the trash", "doc": "Put a page into the trash; trash.restore brings it back with its comments, files and versions.\n\nPages below it take its place, or go with it: then all of them come back together, and all must be yours to change\n(403). Out of a page that is narrowed they do not move up, to be seen by others (409). For whoever may edit it;\n2,000 pages at once (409).", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "children", "type": "string", "nullable": true, "enum": ["keep", "delete"], "help": "What becomes of the pages below it: they move up (`keep`, unless given), or go with it."}], "example": {"id": "HAND/welcome"}, "unnamed": true},
"discard": {"summary": "Drop the changes of a page that were not published", "doc": "Drop the changes of a page that were not published. What was written stays among the versions of those who edit.\n\nA page that was never published has no other text: it is deleted instead (409).", "class": "destructive", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}], "example": {"id": "HAND/welcome"}, "answers": "Page"},
"export": {"summary": "Take a page out as a file, as readers see it, alone or with the pages below it, and answer where it is fetched", "doc": "Take a page out as a file, as readers see it, alone or with the pages below it, and answer where it is fetched.\n\nPictures that are files here and that you see stand in the document itself; with Markdown all files that the text\nnames lie in a folder beside it. Several pages, or a page with files, are one ZIP archive, with a folder for what\nstands below a page. Scripts and pictures from elsewhere are not in it.\n\n500 pages at once, 10 million characters and 50 MB of files (409); as `pdf` and `docx` 20,000 paragraphs and cells\n(409). Letters that no font of the server prints are 422 with `pdf`.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "format", "type": "string", "required": true, "enum": ["md", "html", "pdf", "docx"], "help": "`md` is Markdown with what else is known of the page at its head, `html` a file that needs nothing else; `pdf` is for printers, `docx` for word processors."}, {"name": "children", "type": "bool", "nullable": true, "help": "True: the pages below it too, as far as you see them."}, {"name": "comments", "type": "bool", "nullable": true, "help": "True: what was said on the pages too."}], "example": {"id": "HAND/welcome", "format": "md"}},
"get": {"summary": "Look at a page with its text", "doc": "Look at a page with its text.\n\nAn older `version` is shown to whoever may edit the page, others see those that were published (404). `draft` is\nfor those who may edit it (404); without changes it is the page as it is.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "version", "type": "int", "nullable": true, "help": "What it was; left out: what it is now."}, {"name": "draft", "type": "bool", "nullable": true, "help": "True: with the changes that are not published yet, for those who may edit it."}, {"name": "format", "type": "string", "nullable": true, "enum": ["md", "doc", "both"], "help": "The text as Markdown (`md`), as a document where it was written so (`doc`), or `both`, which it is unless given."}, {"name": "section", "type": "string", "nullable": true, "help": "Words of a heading: only what stands below it, as Markdown."}], "example": {"id": "HAND/welcome"}},
"import": {"summary": "Make pages of a file, published at once", "doc": "Make pages of a file, published at once; answers them, each behind the one that it stands below.\n\nFor whoever may make pages there (403). The title of a page is what its head says, else `title`, else the first\nheading of its text, else the name of its file; without any it is 422. Labels that are known are put on, others\nbecome the property `labels`. Files in it hang on the pages that name them, for which a key needs\n`attachments:write`; links between what comes in lead on.\n\nAll of it comes in or nothing: what is broken, leads out of the archive or grows without end is refused by its name\n(422), and what is too large (413). Together 500 pages, 10 million characters, 500 files, 50 MB of files, and 5,000\nentries and 100 MB in an archive. It runs alone, not inside a batch.", "class": "write", "fields": [{"name": "space", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "parent", "type": "string", "nullable": true, "help": "Id of the page below which they go; left out: they go to the top."}, {"name": "format", "type": "string", "required": true, "enum": ["md", "html", "docx", "zip"], "help": "`md` is Markdown, with what is known of the page at its head where that stands there; `docx` a document of a word processor; `zip` an archive of such files: an export of ours, of Notion or Confluence, a vault of Obsidian, or any folders."}, {"name": "data", "type": "string", "required": true, "bytes": true, "help": "The bytes of the file, at most 10 MB."}, {"name": "title", "type": "string", "nullable": true, "help": "Title of the page, where the head of the file says none; of an archive that of a new page, below which the rest goes."}], "example": {"space": "HAND", "format": "md", "data": "LS0tCnRpdGxlOiAiSG93IHdlIHBhY2siCi0tLQoKLSBbIF0gUGFwZXIgZmlyc3QuCg=="}, "answers": "Page"},
"list": {"summary": "List the pages that you see, without their texts, the latest changed first", "doc": "List the pages that you see, without their texts, the latest changed first.", "class": "read", "fields": [{"name": "space", "type": "string", "nullable": true, "help": "Key of the space, in any case."}, {"name": "label", "type": "string", "nullable": true, "help": "Only those with this label."}, {"name": "author", "type": "string", "nullable": true, "help": "Only those that this member made."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in the title."}, {"name": "updated_since", "type": "int", "nullable": true, "help": "Only those that were changed since then, in Unix seconds."}, {"name": "state", "type": "string", "nullable": true, "enum": ["draft", "published", "archived"], "help": "Only those in this state; archived ones are left out unless asked for."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"space": "HAND"}},
"lock": {"summary": "Lock a page, so that only those who manage it change it, or take the lock off", "doc": "Lock a page, so that only those who manage it change it, or take the lock off. For those who manage it (403).", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "on", "type": "bool", "required": true, "help": "false takes the lock off."}], "example": {"id": "HAND/welcome", "on": true}, "answers": "Page"},
"move": {"summary": "Put pages below another one, to the top of a space, or elsewhere in the order", "doc": "Put pages below another one, to the top of a space, or elsewhere in the order; with what stands below them.\n\nYou must be able to edit them and the place where they go (403); into a personal space a page goes only from a space\nthat you manage. Out of a page that is narrowed they go by those who manage the space, and that page\u0027s owner (403);\nwhat narrows themselves goes along. A page does not go below itself, and a tree has 20 levels (409): of two moves at\nonce that would make a circle one is refused. In another space slugs that are taken get a number, labels of another\nproject go, and links by the old address lead on. 2,000 pages change their space at once (409).", "class": "write", "fields": [{"name": "ids", "type": "string", "required": true, "repeated": true, "help": "Pages, in the order that they are to have; what stands below them goes along."}, {"name": "space", "type": "string", "nullable": true, "help": "Key of the space, in any case."}, {"name": "parent", "type": "string", "nullable": true, "help": "Id of the page below which they go; left out: they stay below theirs, unless `top` or `space` says otherwise."}, {"name": "top", "type": "bool", "nullable": true, "help": "True: to the top of their space, or of `space`."}, {"name": "after", "type": "string", "nullable": true, "help": "Id of the page behind which they go, right below the same one; last unless given."}], "example": {"ids": ["HAND/how-we-plan"], "top": true}, "answers": "PageSummary"},
"publish": {"summary": "Publish a page that is a draft, or the changes of a published one", "doc": "Publish a page that is a draft, or the changes of a published one.\n\nWhat was published meanwhile is brought together with these, line by line; where both changed the same place it is\n409 `stale`, with both texts. Where there is nothing to publish nothing happens.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "note", "type": "string", "nullable": true, "help": "What is new, for the list of versions and those who watch it."}, {"name": "notify", "type": "bool", "nullable": true, "help": "False: who watches it hears nothing."}], "example": {"id": "HAND/how-we-plan"}, "answers": "Page"},
"restrict": {"summary": "Narrow a page, and all that stands below it, to some people", "doc": "Narrow a page, and all that stands below it, to some people; its owner and admins see and change it all the same.\n\nIt narrows what the space gives and gives nobody more: whoever has no right there has none here. For those who\nmanage the space, and the page\u0027s owner (403). What would hide the page from yourself is 409.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "view", "type": "string", "nullable": true, "repeated": true, "help": "Members and `team:<id>` who see it; `[]`: as its space. Left out: it stays."}, {"name": "edit", "type": "string", "nullable": true, "repeated": true, "help": "Members and `team:<id>` who change it; `[]`: as its space. Left out: it stays. They see it as well."}], "example": {"id": "HAND/welcome", "view": ["@bo", "@cy"], "edit": []}, "answers": "Page"},
"sync_pull": {"summary": "Get what others wrote on a page that several write on at once", "doc": "Get what others wrote on a page that several write on at once: all, or what came since a clock.\n\nIt is for those who see its draft (404). The document is one of Yjs with one text, `body`: the draft as Markdown,\nor the page where there is none. Where what came since is not kept by itself any more it is all of it, which the\nsame document takes in as well. A clock of another document is 409 `stale`: push what you have and pull\nagain, or make a new one, without `since`.\n\nThe stream tells by `presence` that there is something to get: `clock` in the `cursor` of whoever pushed.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "since", "type": "int", "nullable": true, "help": "The `clock` up to which you have it; left out: you have nothing."}], "example": {"id": "HAND/welcome"}, "unnamed": true},
"sync_push": {"summary": "Write on a page together with others", "doc": "Write on a page together with others: what your document has and the page has not. For whoever may edit it (403).\n\nIn the same moment it is the draft of the page, as pages.get answers with `draft`; readers see it when it is\npublished. What is sent twice, late or in another order comes to the same text. It is a version about every ten\nminutes, not with each letter, and `page.updated` tells of those; the stream tells of each push by `presence`.\n\nAn update that is none, that holds something else than text, or with which the page would hold more than a million\ncharacters is 422, and nothing is changed. A `clock` of another document is 409 `stale`. It runs alone, not inside a\nbatch.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "update", "type": "string", "required": true, "bytes": true, "help": "An update of your Yjs document (version 1) as base64: its one text is `body`."}, {"name": "clock", "type": "int", "required": true, "help": "The one that pages.sync_pull answered with what your document was made of, or a later one."}], "example": {"id": "HAND/welcome", "update": "AAA=", "clock": 2}, "unnamed": true},
"tasks": {"summary": "List the lines with a box to tick, `- [ ] Order it @bo due:2026-12-01`, in the published pages that you see", "doc": "List the lines with a box to tick, `- [ ] Order it @bo due:2026-12-01`, in the published pages that you see:\nthose that are due first, then those without a day, by page and line.\n\nThe first mention on a line is whose it is. What stands in code is no task; of a page 1,000 count. Archived pages\nare left out unless `page` names one. 2,000 at most are answered.", "class": "read", "fields": [{"name": "space", "type": "string", "nullable": true, "help": "Key of the space, in any case."}, {"name": "page", "type": "string", "nullable": true, "help": "Only those of this page: its id, or `<space>/<slug>`."}, {"name": "assignee", "type": "string", "nullable": true, "help": "Only those of this member, `team:<id>` or `agent:<name>`; `me`: yours."}, {"name": "done", "type": "bool", "nullable": true, "help": "True: only those that are ticked; false: only those that are not."}, {"name": "due_before", "type": "string", "nullable": true, "help": "Only those that are due before this day."}], "example": {"space": "HAND", "done": false}, "unnamed": true},
"template_delete": {"summary": "Take a template of pages away", "doc": "Take a template of pages away; pages made with it stay as they are. Built-in ones stay (403).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the template, from `pages.templates`."}], "example": {"id": 101}, "answers": "PageTemplate"},
"template_save": {"summary": "Make a template of pages, or change one", "doc": "Make a template of pages, or change one. Those who manage a space keep its own (403), admins those of all spaces.\n\nA name is unique in its space without case (409). An unknown placeholder is 422; what has other signs between its\nbraces stays as it is. Built-in ones are not changed (403).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The template to change; left out: make one."}, {"name": "space", "type": "string", "nullable": true, "help": "Key of the space that it is for; left out or null: any. Decided when it is made."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "body", "type": "string", "required": true, "help": "The text, Markdown: `{{date}}` becomes the day, `{{author}}` the name of whoever makes the page, `{{title}}` its title, `{{space}}` the name of its space."}, {"name": "properties", "type": "object", "nullable": true, "help": "What else is known of such a page; texts in it may have the same placeholders."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon, or a sign; an empty text clears it."}], "example": {"space": "HAND", "name": "Visit", "body": "**When:** {{date}}\n**With:** {{author}}\n\n## What we saw\n", "properties": {"kind": "visit"}}, "answers": "PageTemplate"},
"templates": {"summary": "List what pages may begin with", "doc": "List what pages may begin with: the templates of the org and of the spaces that you see, by name, then those\nthat are built in.", "class": "read", "fields": [{"name": "space", "type": "string", "nullable": true, "help": "Those that a page of this space may begin with; left out: all that you see."}], "example": {"space": "HAND"}},
"update": {"summary": "Change a page", "doc": "Change a page: what is not named stays. Each text is a new version; what one author saves within ten minutes is\nshown as one.\n\nWith `version` a text that was made of an older one is brought together with what others wrote meanwhile, line by\nline; where both changed the same place it is 409 `stale`, with the page as it is in `current` and your text in\n`yours`, and nothing is written. Without it the last word stands, and what stood there is a version. With `draft`\nthe text waits beside the published one, and the answer shows it; the other fields change at once.\n\nFor whoever may edit the page (403); it gets another owner from those who may narrow it: its owner and those who\nmanage the space. A page that was never published stays a draft.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "title", "type": "string", "nullable": true, "help": "Its title; links by the old one go on leading here."}, {"name": "body", "type": "string", "nullable": true, "help": "Its whole text as Markdown."}, {"name": "body_doc", "type": "string", "nullable": true, "help": "The same as ProseMirror JSON, for display; needs `body`."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon, or a sign; an empty text clears it."}, {"name": "cover", "type": "string", "nullable": true, "help": "Address of the picture above it; an empty text or null clears it."}, {"name": "labels", "type": "string", "nullable": true, "repeated": true, "help": "Names of its labels, the whole list."}, {"name": "properties", "type": "object", "nullable": true, "help": "What else is known of it, all of it; any JSON."}, {"name": "owner", "type": "string", "nullable": true, "help": "Member who looks after it, and may narrow it to some people."}, {"name": "version", "type": "int", "nullable": true, "help": "The version that your text was made of: what others changed since is kept, or you are told."}, {"name": "note", "type": "string", "nullable": true, "help": "What you changed, for the list of versions."}, {"name": "draft", "type": "bool", "nullable": true, "help": "True: readers see the text when it is published; what they see now stays."}], "example": {"id": "HAND/welcome", "title": "Welcome aboard"}, "answers": "Page"},
"verify": {"summary": "Say that a page is right as it stands, for so many days", "doc": "Say that a page is right as it stands, for so many days. Then its owner is told to look at it again.\n\nWhat is changed meanwhile leaves that as it is: a slip of the pen costs no check. For whoever may edit it (403); a\npage that was never published has nothing to be checked (409).", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "days", "type": "int", "nullable": true, "help": "For so many days it counts as checked, 90 unless given; 0 takes it back. (0 to 3650)"}], "example": {"id": "HAND/welcome", "days": 90}, "answers": "Page"},
"version_diff": {"summary": "Say how two versions of a page differ, line by line", "doc": "Say how two versions of a page differ, line by line. A version that you may not read is 404.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "from", "type": "int", "required": true, "help": "Number of the older version."}, {"name": "to", "type": "int", "nullable": true, "help": "Number of the newer one; left out: the page as readers see it."}], "example": {"id": "HAND/welcome", "from": 1, "to": 2}, "unnamed": true},
"version_restore": {"summary": "Let a page have the title and text of an older version again", "doc": "Let a page have the title and text of an older version again. That is a new version: what it was stays.\n\nFor whoever may edit it (403). Changes that are not published yet stay beside it.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "version", "type": "int", "required": true, "help": "Number of the version whose text comes back."}], "example": {"id": "HAND/welcome", "version": 1}, "answers": "Page"},
"versions": {"summary": "List what a page was, the newest first", "doc": "List what a page was, the newest first. What one author saved within ten minutes is one version, its last text.\n\nVersions that were not published are for those who may edit the page. Numbers rise and may leave some out.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"id": "HAND/welcome"}},
"views": {"summary": "Say how often a page was opened, by people in the web app", "doc": "Say how often a page was opened, by people in the web app: each counts once a day, drafts and agents do not.\n\nWhat was opened a moment ago is counted within a minute or two. 90 days are kept.", "class": "read", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "days", "type": "int", "nullable": true, "help": "So many days, today among them; 30 unless given. (1 to 90)"}], "example": {"id": "HAND/welcome", "days": 30}, "unnamed": true},
"watch": {"summary": "Watch a page, or watch it no longer", "doc": "Watch a page, or watch it no longer: you are told when its text is published, and what is said on it.\n\nNobody else is told of it. A page is watched by 1,000 people (409). Twice is no change.", "class": "write", "fields": [{"name": "id", "type": "string", "required": true, "help": "Id of the page, or `<space>/<slug>`, also by a slug that it had."}, {"name": "on", "type": "bool", "required": true, "help": "False ends it."}, {"name": "children", "type": "bool", "nullable": true, "help": "True: the pages below it too, new ones among them."}], "example": {"id": "HAND/welcome", "on": true}, "unnamed": true}}},
"presence": {"about": "Presence: who looks at what right now, or writes on it. Nothing of it is stored.", "verbs": {
"beat": {"summary": "Say that you look at a thing, or write on it, and hear who else does", "doc": "Say that you look at a thing, or write on it, and hear who else does.\n\nSay it again each 15 seconds or so, and when it changes: 30 seconds after the last time you are gone. The stream\ntells it as `presence` to those who see the thing, and to guests of those whom they may know. It is in no log and\nin no file. You are in 40 places at most; another takes the place of the one that you told of longest ago.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What you look at: `WEB-1`, `comment:<id>` or any other thing that you see."}, {"name": "state", "type": "string", "required": true, "enum": ["viewing", "editing", "replying", "left"], "help": "What you do there; `left` ends it at once."}, {"name": "cursor", "type": "object", "nullable": true, "help": "Where in it you are, as your client likes it, 1,000 bytes of JSON at most."}, {"name": "window", "type": "string", "nullable": true, "help": "A word of yours for the tab that says so, so that one does not speak for another."}], "example": {"subject": "issue:WEB-1", "state": "viewing"}, "unnamed": true},
"list": {"summary": "See who looks at things right now, or writes on them", "doc": "See who looks at things right now, or writes on them. What is not there, or not for you, is left out.", "class": "read", "fields": [{"name": "subjects", "type": "string", "required": true, "repeated": true, "help": "What to look at: `WEB-1`, `project:WEB` and so on."}], "example": {"subjects": ["WEB-1", "project:WEB"]}}}},
"projects": {"about": "Projects: where issues live, under one key, with their people, types and settings.", "verbs": {
"archive": {"summary": "Put a project aside, or bring it back", "doc": "Put a project aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.\n\nFor its leads and admins. Its issues stay as they are.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "on", "type": "bool", "required": true, "help": "false brings it back."}], "example": {"key": "WEB", "on": true}, "answers": "Project"},
"copy": {"summary": "Make a project like another one, which you lead", "doc": "Make a project like another one, which you lead; answers the job that copies what takes longer.\n\nTypes, settings, labels, components and layouts are the same, and so is a shared view that it opens with, not one\non the project, which stays there; with `templates` its issue templates, with\n`boards` its boards, whose conditions say of the copy what they said of the project, with `members` its people.\nWith `issues` the job copies those that you see and that are not archived, parents first, each in the start lane\nand reported by you, 10,000 at most (422); its result names those that could not be made in `skipped`, with the\nreason. Taking it back sends the new project to the trash.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "new_key", "type": "string", "required": true, "help": "Key of the copy: 2 to 10 capitals and digits, the first a letter."}, {"name": "name", "type": "string", "required": true, "help": "What the copy is called."}, {"name": "with", "type": "string", "nullable": true, "repeated": true, "enum": ["members", "boards", "views", "rules", "templates", "milestones", "issues"], "help": "What else comes along; parts of modules that are not there add nothing."}], "example": {"key": "WEB", "new_key": "SHOP", "name": "Shop", "with": ["members", "issues"]}, "unnamed": true},
"create": {"summary": "Make a project", "doc": "Make a project; you lead it.\n\n`visibility` is `org` unless given: every member works in it. `kind` is `software` unless given and decides the\ntypes; a `personal` project is always private and its owner\u0027s alone. A key that is or was in use is 409.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "2 to 10 capitals and digits, the first a letter; it is never given to another project."}, {"name": "name", "type": "string", "required": true, "help": "What people read."}, {"name": "template", "type": "int", "nullable": true, "help": "What it begins with, from projects.templates."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for, in Markdown."}, {"name": "lead", "type": "string", "nullable": true, "help": "Member who leads it, beside you."}, {"name": "visibility", "type": "string", "nullable": true, "enum": ["org", "members", "private"], "help": "Who sees it; `org` unless given."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["software", "business", "desk", "personal"], "help": "Sort of project; `software` unless given."}, {"name": "modules", "type": "string", "nullable": true, "repeated": true, "help": "Modules to switch on."}], "example": {"key": "SHOP", "name": "Shop", "description": "The shop and its blog"}, "answers": "Project"},
"delete": {"summary": "Put a project with all its issues into the trash", "doc": "Put a project with all its issues into the trash; trash.restore brings it back as it was.\n\nFor admins who lead it: everybody\u0027s but private projects. Its key stays taken. An archived one can be deleted.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "confirm_key", "type": "string", "required": true, "help": "The key once more: with the project go its issues and all else in it."}], "example": {"key": "WEB", "confirm_key": "WEB"}, "unnamed": true},
"get": {"summary": "Look at a project, by its key or a former one", "doc": "Look at a project, by its key or a former one.\n\nOf a private project that is not theirs, admins see key, name and people.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"key": "WEB"}},
"health": {"summary": "Look at how a project stands", "doc": "Look at how a project stands: open, done, late, blocked, unassigned and stale issues, and what was said last.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"key": "WEB"}, "unnamed": true},
"key_change": {"summary": "Give a project another key", "doc": "Give a project another key. Its issues are called by the new one; the old keys keep working everywhere.\n\nA key that another project has or had is 409; one of its own former keys may come back.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "new_key", "type": "string", "required": true, "help": "The key from now on: 2 to 10 capitals and digits, the first a letter."}], "example": {"key": "WEB", "new_key": "SHOP"}, "answers": "Project"},
"list": {"summary": "List the projects that you see, by name", "doc": "List the projects that you see, by name.", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words in key or name."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["software", "business", "desk", "personal"], "help": "Only those of this sort."}, {"name": "archived", "type": "bool", "nullable": true, "help": "True: archived ones too."}, {"name": "mine", "type": "bool", "nullable": true, "help": "True: those where you or a team of yours have a role."}, {"name": "label", "type": "string", "nullable": true, "help": "Only those with this label."}], "example": {}},
"member_set": {"summary": "Give somebody a role in a project, or take it with `none`", "doc": "Give somebody a role in a project, or take it with `none`. For its leads and admins.\n\nAdmins may so enter a private project, which its leads are told. The last lead who is active stays (409); guests\nand teams that anybody may join cannot lead. Whoever was the project\u0027s `lead` and has the role no more is it no\nmore either.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "who", "type": "string", "required": true, "help": "Member, or `team:<id>`."}, {"name": "role", "type": "string", "required": true, "enum": ["lead", "member", "reporter", "viewer", "none"], "help": "What they may do in the project; `none` takes it away."}], "example": {"key": "WEB", "who": "@di", "role": "member"}, "answers": "ProjectMember"},
"members": {"summary": "List who has a role in a project, leads first", "doc": "List who has a role in a project, leads first; a team\u0027s members stand with `through` naming the team.\n\nIn a project of visibility `org` every member of the org works as well, without standing here.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}], "example": {"key": "WEB"}},
"status_delete": {"summary": "Take back what was said of a project", "doc": "Take back what was said of a project: whoever said it, its leads and admins. Answers what is left of it.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the status, from `projects.statuses`."}], "example": {"id": 1}, "answers": "ProjectStatus"},
"status_draft": {"summary": "Gather what moved in a project, as a text to begin a status with", "doc": "Gather what moved in a project, as a text to begin a status with. Without an AI provider it is the facts alone.\n\nCounts and keys are of the issues that you see.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "since", "type": "int", "nullable": true, "help": "The last status unless given, else a week ago."}], "example": {"key": "WEB"}, "unnamed": true},
"status_post": {"summary": "Say how a project goes", "doc": "Say how a project goes; whoever leads it does. The facts of the moment are kept beside.\n\nThe latest one is the project\u0027s `health`.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "health", "type": "string", "required": true, "enum": ["on_track", "at_risk", "off_track", "paused"], "help": "How it goes."}, {"name": "body", "type": "string", "required": true, "help": "How it goes in words, in Markdown."}, {"name": "notify", "type": "bool", "nullable": true, "help": "True: it stands in the inboxes of the project\u0027s people."}], "example": {"key": "WEB", "health": "at_risk", "body": "The new cart waits for the payment provider."}, "answers": "ProjectStatus"},
"statuses": {"summary": "List what was said of how projects go, the latest first, 200 at most", "doc": "List what was said of how projects go, the latest first, 200 at most.", "class": "read", "fields": [{"name": "key", "type": "string", "nullable": true, "help": "A project; all that you see unless given."}, {"name": "since", "type": "int", "nullable": true, "help": "Only what was said from this time on, in Unix seconds."}], "example": {"key": "WEB"}},
"template_delete": {"summary": "Take a template away", "doc": "Take a template away; projects made with it stay as they are. Built-in ones stay (409).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the template, from `projects.templates`."}], "example": {"id": 4}, "answers": "ProjectTemplate"},
"template_save": {"summary": "Make a template of a project, or of content that is given", "doc": "Make a template of a project, or of content that is given; or change one.\n\nA new one needs `from` or `content` (422). A name is unique without case (409); built-in ones stay (409). What is in\nit is tried when a project is made with it.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The template to change; left out: make one."}, {"name": "from", "type": "string", "nullable": true, "help": "Key of the project whose content it takes."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by, unique without case."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for."}, {"name": "content", "type": "object", "nullable": true, "help": "In place of `from`."}], "example": {"name": "Service", "content": {"types": ["task", "bug"], "labels": [{"name": "urgent"}]}}, "answers": "ProjectTemplate"},
"templates": {"summary": "List the templates of projects, those that came with kbwork first", "doc": "List the templates of projects, those that came with kbwork first.", "class": "read", "fields": [], "example": {}},
"update": {"summary": "Change a project\u0027s settings", "doc": "Change a project\u0027s settings; fields that are not named stay, an empty string clears a text or a day.\n\nFor its leads and admins. A change that changes nothing is no event. A `lead` who has not that role yet gets it,\nwhich is told as by projects.member_set and likewise for people alone (403); undo leaves them the role. A\n`default_view` that is deleted, or shared no more, is not shown until it is there again.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "name", "type": "string", "nullable": true, "help": "What people read."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for, in Markdown."}, {"name": "lead", "type": "string", "nullable": true, "help": "Member who leads it; they get the role lead."}, {"name": "visibility", "type": "string", "nullable": true, "enum": ["org", "members", "private"], "help": "Who works in it: every member (`org`), those with a role and admins (`members`), or those with a role alone."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon."}, {"name": "color", "type": "string", "nullable": true, "help": "Colour of it."}, {"name": "default_type", "type": "string", "nullable": true, "help": "Key or name of the type that a new issue has."}, {"name": "default_assignee", "type": "string", "nullable": true, "enum": ["none", "lead", "component", "rotation"], "help": "Who gets a new issue that nobody was named for."}, {"name": "estimate_scale", "type": "int", "nullable": true, "help": "Not offered by this version."}, {"name": "calendar", "type": "int", "nullable": true, "help": "Not offered by this version."}, {"name": "budget", "type": "object", "nullable": true, "help": "What may be spent; null: no limit."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day, `YYYY-MM-DD`; an empty text clears it."}, {"name": "due_date", "type": "string", "nullable": true, "help": "Last day, `YYYY-MM-DD`; an empty text clears it."}, {"name": "labels", "type": "string", "nullable": true, "repeated": true, "help": "Words that projects are found by, the whole list."}, {"name": "modules", "type": "object", "nullable": true, "help": "Name to on or off; those that are not named stay."}, {"name": "reporters_see", "type": "string", "nullable": true, "enum": ["own", "all"], "help": "Whether reporters see their own issues or all."}, {"name": "blockers", "type": "string", "nullable": true, "enum": ["warn", "refuse"], "help": "Whether an issue with open blockers may be closed with a warning, or not at all."}, {"name": "auto_archive_days", "type": "int", "nullable": true, "help": "Closed issues that nobody changed for so many days are archived, once a day; null: never. (1 to 3650)"}, {"name": "auto_close_days", "type": "int", "nullable": true, "help": "Open ones are closed as cancelled. Those with open issues below, or that only an approval closes, stay. (1 to 3650)"}, {"name": "triage", "type": "bool", "nullable": true, "help": "Whether new issues wait to be sorted first."}, {"name": "default_view", "type": "int", "nullable": true, "help": "The view that its issues are opened with: one on the project, or a shared one that is on none; null: none."}], "example": {"key": "WEB", "name": "Web shop"}, "answers": "Project"}}},
"search": {"about": "Search: one index over what the caller may see, suggestions for the palette, and what was looked at last.", "verbs": {
"query": {"summary": "Search issues, pages, comments, files, assets, projects, spaces, people, teams, labels, views, boards and flags", "doc": "Search issues, pages, comments, files, assets, projects, spaces, people, teams, labels, views, boards and flags.\n\nOnly what you see is found, and what was written by the next call. Case and accents do not matter; all words must\noccur, the last one as a beginning. An issue whose key it is comes first; newer things, and yours, come before\nothers that fit as well. Where nothing fits, words that are a letter or two away are looked for. What is archived\nor retired with all that is on it, and people who left, are found with `is:archived`.", "class": "read", "fields": [{"name": "q", "type": "string", "required": true, "help": "Words, \"phrases\", -without, and `kind:`, `in:` (a project), `by:` (a person) and `is:` (`open`, `done`, `mine`, `unassigned`, `archived`). A query in the query language is taken for one."}, {"name": "kinds", "type": "string", "nullable": true, "repeated": true, "help": "`issue`, `page`, `comment`, `attachment`, `asset`, `project`, `space`, `member`, `team`, `label`, `view`, `board`, `flag`; all unless given."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project, or a former one."}, {"name": "space", "type": "string", "nullable": true, "help": "Key of a space: pages of it, and what is on them."}, {"name": "semantic", "type": "bool", "nullable": true, "help": "By meaning, where the org has a provider for it; else words."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"q": "vouchers is:open", "project": "WEB"}},
"recent": {"summary": "List the issues that you looked at or changed last, the latest first", "doc": "List the issues that you looked at or changed last, the latest first.", "class": "read", "fields": [{"name": "kinds", "type": "string", "nullable": true, "repeated": true, "help": "`issue`; all unless given."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"limit": 10}},
"reindex": {"summary": "Make the index anew from what is there", "doc": "Make the index anew from what is there; answers the job that does. Search goes on meanwhile.", "class": "write", "fields": [{"name": "kinds", "type": "string", "nullable": true, "repeated": true, "help": "As in search.query; all unless given."}], "example": {}, "unnamed": true},
"suggest": {"summary": "Suggest what somebody may mean", "doc": "Suggest what somebody may mean: an issue by key, then titles, projects, people and operations by name.\n\nThe last word may be the beginning of one. Only what you see is suggested, and operations that your scopes allow.", "class": "read", "fields": [{"name": "q", "type": "string", "required": true, "help": "The beginning of what somebody types."}, {"name": "context", "type": "string", "nullable": true, "help": "The subject where somebody is: issues of the same project come first."}, {"name": "limit", "type": "int", "nullable": true, "help": "12 unless given. (1 to 50)"}], "example": {"q": "vou", "context": "project:WEB"}}}},
"spaces": {"about": "Spaces: trees of pages under one key, with who may see and change them.", "verbs": {
"archive": {"summary": "Put a space aside, or bring it back", "doc": "Put a space aside, or bring it back. An archived one is read and takes no change (409); lists leave it out.\n\nFor whoever manages it (403). Its pages stay as they are.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "on", "type": "bool", "required": true, "help": "false brings it back."}], "example": {"key": "HAND", "on": true}, "answers": "Space"},
"delete": {"summary": "Put a space with all its pages into the trash", "doc": "Put a space with all its pages into the trash; trash.restore brings it back as it was. Its key stays taken.\n\nFor admins who manage it: everybody\u0027s but personal spaces, and those of private projects that they do not lead. An\narchived one can be deleted.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "confirm_key", "type": "string", "required": true, "help": "The key once more: with the space go its pages and all else in it."}], "example": {"key": "HAND", "confirm_key": "HAND"}, "unnamed": true},
"get": {"summary": "Look at a space, by its key in any case", "doc": "Look at a space, by its key in any case.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the space, in any case."}], "example": {"key": "HAND"}},
"list": {"summary": "List the spaces that you see, by name", "doc": "List the spaces that you see, by name.", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words in key or name."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["team", "project", "personal", "kb"], "help": "Only those of this sort."}, {"name": "archived", "type": "bool", "nullable": true, "help": "True: archived ones too."}], "example": {}},
"save": {"summary": "Make a space, or change one", "doc": "Make a space, or change one: fields that are not named stay, null clears `home` and `review_days`.\n\nYou manage a space that you make. One of kind `project` needs a `project` and follows its people: its leads manage\nit, members edit, reporters comment, viewers read. A `personal` one is its owner\u0027s alone, admins see nothing of it.\nThe kind is decided when it is made, but that `team` and `kb` may follow each other (422). Changing a space is for\nwhoever manages it (403). A key that is or was in use, where you see no space, is 409.", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "2 to 20 letters and digits, the first a letter. An unknown one makes a space; a key stays as it is."}, {"name": "name", "type": "string", "required": true, "help": "What people read."}, {"name": "kind", "type": "string", "nullable": true, "enum": ["team", "project", "personal", "kb"], "help": "`team` unless given. `project` follows the people of a project, `personal` is yours alone, `kb` holds articles for a desk."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for, in Markdown."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon, or a sign; an empty text clears it."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project, or a former one."}, {"name": "visibility", "type": "string", "nullable": true, "enum": ["org", "members", "public"], "help": "Who works in it: every member (`org`, which it is unless given, and `public`), or those who were given a right (`members`)."}, {"name": "home", "type": "string", "nullable": true, "help": "Id of the page that it opens with; null: none."}, {"name": "review_days", "type": "int", "nullable": true, "help": "After how many days a page should be looked at again; null: nobody is asked. (1 to 3650)"}], "example": {"key": "OPS", "name": "Operations", "description": "How we run things"}, "answers": "Space"},
"stale": {"summary": "List the published pages of a space that nobody changed for so many days, nobody opened for as long, or whose check is over, those that were changed longest ago first", "doc": "List the published pages of a space that nobody changed for so many days, nobody opened for as long, or whose\ncheck is over, those that were changed longest ago first.\n\nA page that counts as checked is not listed for its age, but where nobody opens it. Archived pages are left out;\n500 at most are answered.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "days", "type": "int", "nullable": true, "help": "For so many days nobody changed or opened them; left out: the `review_days` of the space, or 180. (1 to 3650)"}], "example": {"key": "HAND", "days": 180}},
"tree": {"summary": "List the pages of a space as they stand below each other, those at the top or below one page", "doc": "List the pages of a space as they stand below each other, those at the top or below one page.\n\nArchived pages are left out. What stands below a page that you do not see is not shown either. 2,000 pages at most\nare answered: those of the upper levels before those below them.", "class": "read", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key of the space, in any case."}, {"name": "parent", "type": "string", "nullable": true, "help": "Id of the page whose children are asked for; left out: those at the top."}, {"name": "depth", "type": "int", "nullable": true, "help": "How many levels; 1 unless given. (1 to 20)"}], "example": {"key": "HAND", "depth": 2}}}},
"sprints": {"about": "Sprints: what a team or some projects want to get done in some weeks, and what came of it.", "verbs": {
"add": {"summary": "Put issues into a planned or active sprint", "doc": "Put issues into a planned or active sprint; each leaves the one that it was in. All go in or none.\n\nYou keep the sprint and may change each issue (403); they are of its projects (422). What comes into an active one\nor leaves it is told as a change of its scope. A sprint holds 1,000 issues at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "keys", "type": "string", "required": true, "repeated": true, "help": "Issues to put in, by key."}, {"name": "keep_old", "type": "bool", "nullable": true, "help": "Whether the sprint that they leave stays among their former ones (`past_sprints`); a done one does anyway."}], "example": {"id": 2, "keys": ["WEB-1", "WEB-2"]}, "answers": "Sprint"},
"cadence_set": {"summary": "Have sprints of a team or a project made by themselves", "doc": "Have sprints of a team or a project made by themselves; answers the planned ones.\n\nEach begins on the day of the week behind the last one, and is called as that with the next number. Days are those\nof the org\u0027s zone. Leads of the team set it, or members and leads of the project (403). What is not given is as it\nwas, or as said there. One whose sprint cannot start since another is active waits for that.", "class": "write", "fields": [{"name": "team", "type": "int", "nullable": true, "help": "Id of the team whose sprints they are; one of the two."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project whose sprints they are."}, {"name": "weeks", "type": "int", "required": true, "help": "How many weeks each takes; 0 ends it, and the sprints that are there stay. (0 to 26)"}, {"name": "starts_on", "type": "int", "required": true, "help": "The day of the week on which each starts: 0 is Sunday, 1 Monday. (0 to 6)"}, {"name": "ahead", "type": "int", "nullable": true, "help": "How many planned ones there always are; 1 unless given. (1 to 12)"}, {"name": "auto_start", "type": "bool", "nullable": true, "help": "Whether each starts by itself on its first day; not unless given."}, {"name": "auto_complete", "type": "bool", "nullable": true, "help": "Whether each is completed by itself when its last day is over; not unless given."}, {"name": "carry", "type": "string", "nullable": true, "enum": ["next", "backlog"], "help": "Where unfinished issues go then: to the `next` planned one, or to the `backlog`; `next` unless given."}], "example": {"project": "WEB", "weeks": 2, "starts_on": 1, "ahead": 2, "auto_start": true}, "answers": "Sprint"},
"capacity_set": {"summary": "Set how much each can do in a sprint, the whole list", "doc": "Set how much each can do in a sprint, the whole list: active members, 200 at most (422).\n\nWhoever keeps the sprint sets it (403).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "capacity", "type": "object", "required": true, "help": "Member (id, `me`, `@handle`) -> how much they can do, in hours or points; who is not named has none said."}], "example": {"id": 2, "capacity": {"me": 20}}, "answers": "Sprint"},
"complete": {"summary": "Complete an active sprint and answer what came of it", "doc": "Complete an active sprint and answer what came of it. All its unfinished issues go on, seen by you or not.\n\nWhat is done stays in it; what goes on has it among its `past_sprints`. Without a planned sprint `next` is 409. One\nthat is not active is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "unfinished", "type": "string", "required": true, "enum": ["next", "backlog", "sprint"], "help": "Where issues go that are not done: to the `next` planned one of its team or projects, to the `backlog`, or to the `sprint` that is named."}, {"name": "sprint", "type": "int", "nullable": true, "help": "Id of the sprint that they go to, with `sprint`."}, {"name": "note", "type": "string", "nullable": true, "help": "What there is to say of it; it stands in the event."}], "example": {"id": 2, "unfinished": "backlog", "note": "Vouchers stay for next week"}, "answers": "SprintReport", "unnamed": true},
"create": {"summary": "Make a planned sprint of one or more projects, of a team, or of both", "doc": "Make a planned sprint of one or more projects, of a team, or of both.\n\nMembers and leads of all the projects named make one, and leads of the team; it is not of archived projects (409).\nOne that names neither projects nor team is 422, as is an end before the start. 100 planned or active sprints of\none project or team are the most (409).", "class": "write", "fields": [{"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "projects", "type": "string", "nullable": true, "repeated": true, "help": "Keys of the projects whose issues go in; left out: it is of its team alone."}, {"name": "team", "type": "int", "nullable": true, "help": "Id of its team; null: none."}, {"name": "goal", "type": "string", "nullable": true, "help": "What it is for."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day."}, {"name": "end_date", "type": "string", "nullable": true, "help": "Last day."}], "example": {"name": "Sprint 15", "projects": ["WEB"], "goal": "Checkout without an account", "start_date": "2027-03-01", "end_date": "2027-03-12"}, "answers": "Sprint"},
"delete": {"summary": "Delete a sprint", "doc": "Delete a sprint; answers those left. Its issues go back to the backlog; undo brings it back with them.\n\nMembers and leads of one of its projects do, and leads of its team (403).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}], "example": {"id": 3}, "answers": "Sprint"},
"get": {"summary": "Look at a sprint, with counts of the issues that you see", "doc": "Look at a sprint, with counts of the issues that you see. `issues.list` with `sprint` lists them.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}], "example": {"id": 2}},
"list": {"summary": "List sprints", "doc": "List sprints: the active ones, then the planned ones by their days, then the latest done.\n\nCounts are of the issues that you see.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Those of this project alone."}, {"name": "team", "type": "int", "nullable": true, "help": "Those of this team alone."}, {"name": "state", "type": "string", "nullable": true, "enum": ["planned", "active", "done"], "help": "`planned`, `active` or `done` ones alone."}], "example": {"project": "WEB"}},
"plan": {"summary": "Look at what to plan a sprint by", "doc": "Look at what to plan a sprint by: its backlog by rank, each one\u0027s load and capacity, and what fits in.\n\nThe suggestion fills up to what the last three done sprints of the team or projects got done on average, less what\nis in it already: by estimates, or by numbers of issues where nothing is estimated. It is empty without a done one.\nAll is of the issues that you see. A sprint of a team alone has what its members are assigned as its backlog.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}], "example": {"id": 3}, "unnamed": true},
"remove": {"summary": "Take issues out of a sprint", "doc": "Take issues out of a sprint; those that are not in it are left as they are. They are in no sprint then.\n\nYou keep the sprint and may change each issue (403). What leaves an active one is told as a change of its scope.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "keys", "type": "string", "required": true, "repeated": true, "help": "Issues to take out, by key."}], "example": {"id": 2, "keys": ["WEB-6"]}, "answers": "Sprint"},
"reopen": {"summary": "Open a done sprint anew", "doc": "Open a done sprint anew: the latest of its team, or of its projects, in the 14 days after it was completed.\n\nUnfinished issues come back from where completing it put them, if they are still there. While another one of the\nteam is active it is 409.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}], "example": {"id": 1}, "answers": "Sprint"},
"report": {"summary": "Tell how a sprint goes, or what came of it", "doc": "Tell how a sprint goes, or what came of it: what got done, what came in and went out, and how it stood each day.\n\nIt is what `sprints.complete` answers. Of a planned one there are no days yet.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}], "example": {"id": 2}, "unnamed": true},
"start": {"summary": "Start a planned sprint", "doc": "Start a planned sprint: what is in it now, and how it is estimated, is its plan, and what comes later is scope.\n\nIt needs a last day (422). One of the team is active at a time, and of sprints without a team one in a project: the\nother is named in the 409. So is that it was started or completed already.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day; that which is set unless given, else today."}, {"name": "end_date", "type": "string", "nullable": true, "help": "Last day; that which is set unless given."}, {"name": "goal", "type": "string", "nullable": true, "help": "What it is for; as it is unless given."}], "example": {"id": 3, "start_date": "2027-02-15", "end_date": "2027-02-26"}, "answers": "Sprint"},
"update": {"summary": "Change a sprint", "doc": "Change a sprint: fields that are not named stay, and null clears `retro`.\n\nMembers and leads of one of its projects do, and leads of its team (403). A change that changes nothing is no event.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the sprint."}, {"name": "name", "type": "string", "nullable": true, "help": "What people choose it by."}, {"name": "goal", "type": "string", "nullable": true, "help": "An empty text clears it."}, {"name": "start_date", "type": "string", "nullable": true, "help": "First day; null: it stays."}, {"name": "end_date", "type": "string", "nullable": true, "help": "Last day; null: it stays."}, {"name": "retro", "type": "string", "nullable": true, "help": "Id of the page that looks back on it; null: none."}], "example": {"id": 2, "goal": "Vouchers that survive a sign-in"}, "answers": "Sprint"}}},
"stars": {"about": "Stars: what somebody wants at hand, in an order and folders of their own.", "verbs": {
"list": {"summary": "List what you starred, in your order", "doc": "List what you starred, in your order.\n\nWhat you do not see any more is left out, and comes back to its place when you see it again. Keys and agents are\nanswered their owner\u0027s stars, as far as they see what these are on.", "class": "read", "fields": [], "example": {}},
"reorder": {"summary": "Put stars in order, or into a folder", "doc": "Put stars in order, or into a folder. Answers all that you starred.\n\nOne that is not yours, or on what you do not see, is 404. An id that comes twice counts where it comes first.", "class": "write", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Stars of yours in their new order: they share out the places that they have. Others stay where they are."}, {"name": "folder", "type": "string", "nullable": true, "help": "Folder to put them into; null takes them out of theirs. Left out: each stays in its own."}], "example": {"ids": [2, 1]}, "answers": "Star"},
"set": {"summary": "Star a thing, or take the star away", "doc": "Star a thing, or take the star away. Answers all that you starred.\n\nA new one comes last. On one that is starred already `folder` and `label` change where they are given. Nobody is\ntold. You have 500 stars at most (409); before that is said, those make room whose things you do not see any more.", "class": "write", "fields": [{"name": "subject", "type": "string", "required": true, "help": "What to star: `WEB-1`, `project:WEB`, `view:3` or any other thing that you see."}, {"name": "on", "type": "bool", "required": true, "help": "False takes the star away."}, {"name": "folder", "type": "string", "nullable": true, "help": "Folder to put it into; null takes it out of its folder. Folders are there as long as something lies in them."}, {"name": "label", "type": "string", "nullable": true, "help": "What you call it; null: by its title."}], "example": {"subject": "issue:WEB-1", "on": true, "folder": "Shop"}, "answers": "Star"}}},
"subjects": {"about": "Names for subjects of any kind.", "verbs": {
"resolve": {"summary": "Say what references stand for, in their order", "doc": "Say what references stand for, in their order. What is not there and what you may not see are the same.", "class": "read", "fields": [{"name": "refs", "type": "string", "required": true, "repeated": true, "help": "`kind:id`, issue keys, addresses of this site, `@handle` or `#label`."}], "example": {"refs": ["WEB-1", "@ana", "project:WEB"]}},
"unfurl": {"summary": "Say what a page elsewhere calls itself", "doc": "Say what a page elsewhere calls itself: title, text, picture and site, from its own description.\n\nIt is read without cookies, its first 64 KB, within five seconds. An address that is none, has a name or password\nin it, or spells out one of a private network is 422. A page that cannot be read says nothing: all is null, and\nthe answer does not tell why. A picture\u0027s address is where the page says it is; it was not looked at.", "class": "write", "fields": [{"name": "url", "type": "string", "required": true, "help": "The address of a page, http or https."}], "example": {"url": "https://example.com/"}, "unnamed": true}}},
"sync": {"about": "Sync: what a client needs that keeps things of its own, and goes on by what changed.", "verbs": {
"delta": {"summary": "Take what changed since a snapshot or a delta", "doc": "Take what changed since a snapshot or a delta: what is there as it is now, and what is gone.\n\nSmall kinds come whole, but for those whose present etag you send. What you may no longer see is gone, like what was\ndeleted or left the scopes. `reset` tells you to take a new snapshot (its `etags` spare what you have): `since` is\nolder than the events that are kept, all things of a kind changed, or you see other projects than before.", "class": "read", "fields": [{"name": "since", "type": "int", "required": true, "help": "The `seq` of the snapshot or of the delta before."}, {"name": "access", "type": "int", "nullable": true, "help": "The `access` of the snapshot or of the delta before: where it is another now, `reset` says so. Send it, or compare what comes back."}, {"name": "parts", "type": "string", "nullable": true, "repeated": true, "help": "Kinds to tell of, such as `issue` and `label`; left out: all."}, {"name": "etags", "type": "string", "nullable": true, "repeated": true, "help": "Those of the small kinds that you have: the others come whole, each time that you ask."}, {"name": "scopes", "type": "object", "help": "What is kept, as in sync.snapshot."}], "example": {"since": 0, "scopes": {"projects": ["WEB"]}}},
"push": {"summary": "Do up to 200 writes that waited, in order", "doc": "Do up to 200 writes that waited, in order: each stands or falls alone, unlike in api.batch.\n\nEach needs its own scope and right. An `id` that was done is not done again for 14 days, so send what got no answer\nagain as it is. Where somebody else changed the same field behind `base_seq`, nothing is written and the result is a\n`conflict`: show both, and send what the person decides with a new `base_seq`. Lists conflict only where one side\ntakes away what the other added. Reads, batches and what answers a job or waits for the outside are refused.", "class": "write", "fields": [{"name": "client", "type": "string", "required": true, "help": "The installation that writes, as in the header `X-KB-Client`; it comes back as `origin` in the events."}, {"name": "writes", "type": "object", "required": true, "repeated": true, "help": "Done in this order."}], "example": {"client": "laptop-7f3a", "writes": [{"id": "1", "op": "issues.update", "input": {"key": "WEB-1", "priority": "high"}, "base_seq": 0}]}},
"snapshot": {"summary": "Take all that a client keeps", "doc": "Take all that a client keeps: small kinds whole, issues by project and without their texts, the open ones first.\n\nGo on with `cursor` while there is a `next`, and then with sync.delta from `seq` on. Kinds for which you lack the\nscope, and those of modules that are off, are left out. 409 `stale`: what you see changed between two pages.", "class": "read", "fields": [{"name": "scopes", "type": "object", "help": "What is kept."}, {"name": "parts", "type": "string", "nullable": true, "repeated": true, "help": "Kinds to send, such as `issue` and `label`; left out: all."}, {"name": "etags", "type": "string", "nullable": true, "repeated": true, "help": "Those of parts that you have: their rows are left out where they are the same."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}], "example": {"scopes": {"projects": ["WEB"], "closed_days": 30}, "parts": ["issue", "label"]}}}},
"teams": {"about": "Teams: groups of members with leads, and who of them is on call.", "verbs": {
"delete": {"summary": "Take a team away, with its rota", "doc": "Take a team away, with its rota. For admins. Answers the teams that are left.\n\nOne that has a role in projects, or teams below it, needs `move_to` (409 `in-use` with `uses`). One that issues or\napprovals name cannot go before they name another (409). The admins\u0027 team and managed ones stay (409).", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the team."}, {"name": "move_to", "type": "int", "nullable": true, "help": "The team that takes its place in projects and over its sub-teams."}], "example": {"id": 1, "move_to": 2}, "answers": "Team"},
"get": {"summary": "Look at one team", "doc": "Look at one team. A team that you may not see is 404.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "0 stands for the admins."}], "example": {"id": 1}},
"list": {"summary": "List teams", "doc": "List teams: the admins, who always exist, and then the others by name.\n\nGuests see their own teams and those of their projects, with the people whom they see.", "class": "read", "fields": [{"name": "q", "type": "string", "nullable": true, "help": "Words in name, handle or description."}, {"name": "mine", "type": "bool", "nullable": true, "help": "True: those that you are in."}], "example": {"mine": true}},
"member_set": {"summary": "Put somebody into a team, or take them out with `none`", "doc": "Put somebody into a team, or take them out with `none`. For its leads and admins.\n\nIn an open team members come and go by themselves. Guests may be members, not leads (422); only active people\ncome in (422). The last lead may go: then admins manage it. Who is in has the team\u0027s roles at once.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the team."}, {"name": "who", "type": "string", "required": true, "help": "Member id, e-mail address, `@handle` or `me`."}, {"name": "role", "type": "string", "required": true, "enum": ["lead", "member", "none"], "help": "Whether they lead it; `none` takes them out."}], "example": {"id": 1, "who": "@di", "role": "member"}, "answers": "Team"},
"on_call": {"summary": "Say who is on call at a moment, by team and level, and until when (at most 53 weeks are looked ahead)", "doc": "Say who is on call at a moment, by team and level, and until when (at most 53 weeks are looked ahead).\n\nA level with nobody at that moment, such as outside its hours, is left out.", "class": "read", "fields": [{"name": "team", "type": "int", "nullable": true, "help": "One team; left out: every team that you see."}, {"name": "at", "type": "int", "nullable": true, "help": "Unix seconds; now unless given."}], "example": {"team": 1}, "unnamed": true},
"rota": {"summary": "Look at a team\u0027s rota with the shifts of some days (of the rota\u0027s zone)", "doc": "Look at a team\u0027s rota with the shifts of some days (of the rota\u0027s zone). Without a rota: no levels, no shifts.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the team."}, {"name": "from", "type": "string", "required": true, "help": "The first day, `YYYY-MM-DD`."}, {"name": "to", "type": "string", "required": true, "help": "The last day, inclusive; at most 366 days."}], "example": {"id": 1, "from": "2026-11-01", "to": "2026-11-30"}, "unnamed": true},
"rota_override": {"summary": "Let somebody stand in for a time", "doc": "Let somebody stand in for a time. For the team\u0027s leads and admins; its members may take a shift on themselves.\n\nWhere two overlap, the later call wins. A level that the rota does not have, somebody who is no active member of\nthe team, and times that do not fit are 422. Answers the rota with the shifts of that time.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the team."}, {"name": "member", "type": "string", "required": true, "help": "Who stands in."}, {"name": "from", "type": "int", "required": true, "help": "When they begin, in Unix seconds."}, {"name": "to", "type": "int", "required": true, "help": "Unix seconds, exclusive; at most 366 days later."}, {"name": "level", "type": "int", "nullable": true, "help": "1 unless given. (1 to 10)"}], "example": {"id": 1, "member": "@di", "from": 1800000000, "to": 1800086400}, "answers": "Rota", "unnamed": true},
"rota_save": {"summary": "Set a team\u0027s rota as a whole", "doc": "Set a team\u0027s rota as a whole. For its leads and admins. Answers it with the shifts of the next four weeks.\n\nThe turn of the first of each level began with the last handover before now. Times are those of the zone, also\nwhere the clock changes. People who are not active members of the team are 422; who leaves later is passed over.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the team."}, {"name": "levels", "type": "object", "required": true, "repeated": true, "help": "Who is asked first, second, ...; none takes the rota away."}, {"name": "zone", "type": "string", "required": true, "help": "The time zone of handovers and hours."}, {"name": "escalate_minutes", "type": "int", "nullable": true, "help": "After how long the next level is asked; null: never by itself. (1 to 10080)"}], "example": {"id": 1, "levels": [{"members": ["@ana", "@di"], "handover": "mon 09:00", "weeks": 1}], "zone": "Europe/Berlin", "escalate_minutes": 15}, "answers": "Rota", "unnamed": true},
"save": {"summary": "Make a team, which you lead then, or change one that you lead", "doc": "Make a team, which you lead then, or change one that you lead: fields that are not named stay.\n\nAdmins change all. Names and handles are unique without case (409). A parent needs its lead or an admin (403) and\nno circle (422). A team that has more than the role viewer in a project, or approves moves, cannot be opened\n(409). The admins\u0027 team and those that the directory keeps cannot be changed (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The team to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What people read, unique without case."}, {"name": "handle", "type": "string", "nullable": true, "help": "Made from the name unless given."}, {"name": "description", "type": "string", "nullable": true, "help": "What it is for, in Markdown."}, {"name": "parent", "type": "int", "nullable": true, "help": "The team above; null: none."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon."}, {"name": "open", "type": "bool", "nullable": true, "help": "Members come and go by themselves."}, {"name": "calendar", "type": "int", "nullable": true, "help": "Not offered by this version."}], "example": {"name": "Design", "description": "How it looks and feels", "open": true}, "answers": "Team"}}},
"tql": {"about": "The query language over the data: names found, texts run, checked, completed, explained and translated.", "verbs": {
"check": {"summary": "Say whether a text can be run, what is wrong with it, and how it is written in its tidy form", "doc": "Say whether a text can be run, what is wrong with it, and how it is written in its tidy form.\n\nUp to five errors are told, each with its place and what to write instead. A source whose scope is missing is 403.", "class": "read", "fields": [{"name": "tql", "type": "string", "required": true, "help": "A text of the query language."}, {"name": "from", "type": "string", "nullable": true, "help": "What the text is about where it does not say so: `issues` (unless given), `comments`, `attachments`, `assets`, `projects`, `members`."}], "example": {"tql": "status was done before -7d and open"}, "unnamed": true},
"complete": {"summary": "Propose what may stand at the cursor", "doc": "Propose what may stand at the cursor: fields, operators, names that you see, functions, clauses; 50 at most.\n\n`insert` goes in place of the characters between `from` and `to`.", "class": "read", "fields": [{"name": "tql", "type": "string", "required": true, "help": "A text of the query language."}, {"name": "cursor", "type": "int", "required": true, "help": "Where the cursor stands: characters from the beginning."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of a project: its lanes, components and own fields only, beside the org\u0027s."}], "example": {"tql": "status = in", "cursor": 11, "project": "WEB"}, "unnamed": true},
"count": {"summary": "Count the rows that `tql.run` would find", "doc": "Count the rows that `tql.run` would find; groups where the text groups.", "class": "read", "fields": [{"name": "tql", "type": "string", "required": true, "help": "A text of the query language."}], "example": {"tql": "mine open"}, "unnamed": true},
"explain": {"summary": "Explain a text", "doc": "Explain a text: what it means, and for each of its conditions the index and how many rows it leaves by itself.\n\n`rows` counts what you see, to 10,000; null where a condition alone takes too long. With `key`, `matched` says of\neach condition whether it holds for that issue; one that you do not see is 404. Admins are told the SQL, too.", "class": "read", "fields": [{"name": "tql", "type": "string", "required": true, "help": "A text of the query language."}, {"name": "key", "type": "string", "nullable": true, "help": "An issue: why it is in or out."}], "example": {"tql": "project = WEB and open and status unchanged for 14d", "key": "WEB-1"}, "unnamed": true},
"fields": {"summary": "List the fields of a source with their operators and the functions that give values for them", "doc": "List the fields of a source with their operators and the functions that give values for them.\n\n`values` are the names that you may write, the most used first, fifty at most; aliases are fields of their own.", "class": "read", "fields": [{"name": "from", "type": "string", "nullable": true, "help": "What fields are of, such as `issues` (unless given)."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of a project: only own fields that its issues may have."}], "example": {"from": "issues", "project": "WEB"}},
"run": {"summary": "Find issues, comments, files, assets, projects or members by a text of the query language", "doc": "Find issues, comments, files, assets, projects or members by a text of the query language.\n\nRows hold what you see. Archived issues, and those of archived projects, are left out unless the text speaks of\n`archived`, `archived_at` or keys; naming a project brings in its issues though it is archived. Sorted as the text\nsays; else, where it asks for words alone, the best fit first (up to 2,000 hits); else by rank inside one project,\nelse the latest change first. Ties break by id.\n\nAssets have the fields of their types by key or name; where types have one of several kinds, write `LAP.note`. The\nretired ones are `archived`, and are among the rows. A computed field of issues is named as any other; one whose\nformula names what you do not see, or that leads back to itself, is 422 `tql-name`. A text leads to 20 formulas.\n\nA text that cannot be read is 422 `tql-syntax`, one that names what you do not see or what does not fit 422\n`tql-name`, both with `errors`. Each source needs its read scope beside `search:read` (403). What takes longer than\nthree seconds is 422 `tql-too-slow`, naming the costly part. `ms` is told in steps of 100, so that an answer which\ndid not change keeps its ETag. `notices` tell of names that changed since.", "class": "read", "fields": [{"name": "tql", "type": "string", "required": true, "help": "The query; empty finds every issue that you see and that is not archived."}, {"name": "fields", "type": "string", "nullable": true, "repeated": true, "help": "Columns, where the text has no `select`: fields or what is counted from them, such as `estimate * 2`."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Rows of a page; 50 unless given. A `limit` in the text bounds the whole result. (1 to 500)"}], "example": {"tql": "project = WEB and open order by updated desc", "fields": ["key", "title", "assignee"]}},
"translate": {"summary": "Translate a text of Jira, YouTrack or GitHub", "doc": "Translate a text of Jira, YouTrack or GitHub. Names stay as they are: `tql.check` says which are not here.\n\n`notes` tell what could not be carried over. Plain words without an AI provider are 403 `ai-off`; a text that\ncannot be read even so is 422 `tql-syntax`.", "class": "read", "fields": [{"name": "text", "type": "string", "required": true, "help": "The query in the other language."}, {"name": "language", "type": "string", "required": true, "enum": ["jql", "youtrack", "github", "plain"], "help": "`plain`: everyday words, which need an AI provider."}], "example": {"text": "assignee = currentUser() and resolution = Unresolved order by updated", "language": "jql"}, "unnamed": true}}},
"trash": {"about": "The trash: what was deleted and can come back, until it is purged.", "verbs": {
"empty": {"summary": "Purge all that trash.list shows you, or some kinds of it", "doc": "Purge all that trash.list shows you, or some kinds of it; answers the job that does.\n\nWhat others deleted where you see nothing, such as in a private project, stays until its time: it is theirs.", "class": "destructive", "fields": [{"name": "kinds", "type": "string", "nullable": true, "repeated": true, "help": "All kinds unless given."}, {"name": "before", "type": "int", "nullable": true, "help": "Only what was deleted before this time."}], "example": {"kinds": ["issue"]}, "unnamed": true},
"list": {"summary": "List what was deleted and you may bring back, the latest first", "doc": "List what was deleted and you may bring back, the latest first.\n\nWhat lies there for `trash_days` of the org\u0027s settings is purged; `purge_at` says when.", "class": "read", "fields": [{"name": "kind", "type": "string", "nullable": true, "help": "`issue`, `comment`, `project` and so on."}, {"name": "project", "type": "string", "nullable": true, "help": "Key of the project, or a former one."}, {"name": "space", "type": "string", "nullable": true, "help": "Key of a space: what was deleted in it."}, {"name": "by", "type": "string", "nullable": true, "help": "Who deleted it."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in the title."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"kind": "issue"}},
"purge": {"summary": "Remove things for good", "doc": "Remove things for good: their rows, what hangs on them, their history and what events say of them.\n\nThe events themselves stay, with empty payloads. What cannot be brought back by you either is 404. All of it leaves\nthe trash at once; what is much, such as a project, goes in steps behind that.", "class": "destructive", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Entries, from `trash.list`."}], "example": {"ids": [1]}, "unnamed": true},
"restore": {"summary": "Bring things back to where they were, with their keys and what went with them", "doc": "Bring things back to where they were, with their keys and what went with them. Each stands for itself.\n\nWhoever could delete a thing may bring it back, with a key that has the scope for deleting it. Where its parent or\nplace is gone it stays in the trash, with the reason, unless `parent` names another. A name that was taken since\ngets a number.", "class": "write", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Entries, from `trash.list`."}, {"name": "parent", "type": "string", "nullable": true, "help": "Where to put it when its old place is gone: an issue for a sub-issue; an empty text for none."}], "example": {"ids": [1]}, "unnamed": true}}},
"types": {"about": "Issue types: name, icon and level in the hierarchy.", "verbs": {
"delete": {"summary": "Take an issue type away", "doc": "Take an issue type away. Answers those that are left.\n\nOne that issues, templates or fields of it alone name, or that is the only one of a project, needs `move_to` (409\n`in-use`; `uses` are those that you see): the other type takes its place in projects, and its issues become of that\none with history. Parents and children must fit the other level (409). A lane that the workflow there does not have\nbecomes its first one of the same category, else its start; values that the other type does not have go. More than\n200 issues become of the other type by a job, in steps of 200: the type is out of lists and projects at once. Called\nagain it goes on with what a cancelled job left.", "class": "destructive", "fields": [{"name": "key", "type": "string", "required": true, "help": "Key or name of the type."}, {"name": "move_to", "type": "string", "nullable": true, "help": "The type that its issues have from then on, with its level, workflow and fields."}], "example": {"key": "story", "move_to": "task"}, "answers": "IssueType"},
"list": {"summary": "List the issue types, the highest level first", "doc": "List the issue types, the highest level first; with a project those it has, in its order.\n\nGuests see the types that their projects use.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Key of the project, or a former one."}], "example": {"project": "WEB"}},
"projects_set": {"summary": "Say which types a project has", "doc": "Say which types a project has; for its leads and admins. Taking one off that issues have is 409.", "class": "write", "fields": [{"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "types", "type": "string", "required": true, "repeated": true, "help": "All types that its issues may have, in order."}, {"name": "default", "type": "string", "nullable": true, "help": "Key or name of the one that a new issue has."}], "example": {"project": "WEB", "types": ["task", "bug", "epic"], "default": "task"}, "answers": "IssueType"},
"save": {"summary": "Make an issue type, or change one", "doc": "Make an issue type, or change one: fields that are not named stay. Answers all types.\n\nA name is unique without case (409), null takes workflow and template off. The level of a type in use changes only\nwhere every parent and child still fits, its workflow only where that has the lanes in which its issues stand (409;\nworkflows.assign says where they go). A draft is no workflow yet, and a template is of the org and the type (422).", "class": "write", "fields": [{"name": "key", "type": "string", "required": true, "help": "An unknown one makes a type."}, {"name": "name", "type": "string", "required": true, "help": "What people read, unique without case."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon."}, {"name": "color", "type": "string", "nullable": true, "help": "Colour as `#rrggbb`."}, {"name": "level", "type": "int", "nullable": true, "help": "2 initiative, 1 epic, 0 work, -1 sub-task; 0 unless given. (-2 to 5)"}, {"name": "workflow", "type": "int", "nullable": true, "help": "The workflow of its issues where a project has no other for them; null: the project\u0027s."}, {"name": "description", "type": "string", "nullable": true, "help": "When to use it."}, {"name": "template", "type": "string", "nullable": true, "help": "A template of the org for issues of this type, by name or id, which forms offer first; null: none."}], "example": {"key": "pull-request", "name": "Pull request", "icon": "git-pull-request"}, "answers": "IssueType"}}},
"undo": {"about": "Undo: taking back what one did in the last 24 hours.", "verbs": {
"apply": {"summary": "Take back a change of yours, or of your keys and agents, of the last 24 hours", "doc": "Take back a change of yours, or of your keys and agents, of the last 24 hours.\n\nIt needs the scope of what it takes back. Fields that somebody changed since are 409 with the list in `errors`\nand nothing happens, unless `force` is true. Twice is 409. The undoing is a change itself and can be undone.\n\nWhat you may not change now, what is gone, and what would not fit what is there now stays, with the reason in\n`kept`; 409 where nothing is left to take back because of that. Of a change of many hundred things the first are\nset back in this call, and a job goes on with the rest.", "class": "write", "fields": [{"name": "token", "type": "string", "nullable": true, "help": "From the answer of a bulk change, or of undo.list."}, {"name": "seq", "type": "int", "nullable": true, "help": "Any event of the change; one of the two."}, {"name": "force", "type": "bool", "nullable": true, "help": "Set back fields that were changed since, too."}, {"name": "dry_run", "type": "bool", "nullable": true, "help": "Say what would be set back and change nothing."}], "example": {"seq": 10, "dry_run": true}, "unnamed": true},
"list": {"summary": "List what you, your keys and your agents changed in the last 24 hours, newest first", "doc": "List what you, your keys and your agents changed in the last 24 hours, newest first.", "class": "read", "fields": [{"name": "limit", "type": "int", "nullable": true, "help": "Changes to answer; 20 unless given. (1 to 200)"}, {"name": "agent", "type": "string", "nullable": true, "help": "Name of an agent of yours: its changes only."}], "example": {"limit": 5}}}},
"views": {"about": "Views: saved queries with a layout, private, shared or on a project, which may be subscribed to by mail.", "verbs": {
"copy": {"summary": "Copy a view that you see into one of your own", "doc": "Copy a view that you see into one of your own: on no project, not shared, with the same query and layout.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the view."}, {"name": "name", "type": "string", "nullable": true, "help": "`Copy of` and its name unless given."}], "example": {"id": 1, "name": "My week, shorter"}, "answers": "View"},
"delete": {"summary": "Put a view into the trash", "doc": "Put a view into the trash; trash.restore brings it back with those who subscribed to it. Answers those left.\n\nWho may change it may delete it (403). Nothing of it is mailed meanwhile.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the view."}], "example": {"id": 1}, "answers": "View"},
"get": {"summary": "Look at a view", "doc": "Look at a view; `tql.run` with its `tql`, and its `columns` as `fields`, answers its rows.\n\nEverybody has the views that they made, that are shared, and that are on a project that they see. A view is its\ntext: what somebody else finds with it is what they see themselves. It goes on meaning what it named when it was\nsaved: what was renamed is shown with its present name, also where its old name was given to something else, and\nwhat was deleted finds nothing; `notices` say so. Where it names what the caller does not see, `count` is -1 and\ntql.check says what to write instead.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the view."}], "example": {"id": 1}},
"list": {"summary": "List the views that you see, by name", "doc": "List the views that you see, by name.\n\nCounting all of them takes two seconds at most; a count that was not made in that time is -1, and `views.get` makes\nit.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Only those on this project."}, {"name": "q", "type": "string", "nullable": true, "help": "Words in the name."}, {"name": "mine", "type": "bool", "nullable": true, "help": "Only those that you made."}], "example": {"project": "WEB"}},
"save": {"summary": "Make a view, or change one", "doc": "Make a view, or change one: fields that are not named stay, null clears `group_by`, `subgroup_by`, `sort`\nand `project`.\n\nA text that cannot be asked is 422, with the place in it (`tql-syntax`, `tql-name`), and so is a column, group or\nsort that is no field of its source. Names mean what is called so now, and the view goes on meaning that. Your own\nare yours to change, shared ones also for admins, those on a project for its members and leads (403). Of one that\nothers changed meanwhile the last word stands, field by field. An owner has 500 views at most (409). In a batch\n`count` is -1.", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The view to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What people choose it by."}, {"name": "tql", "type": "string", "required": true, "help": "The query, as `tql.run` takes it; kept as it is written, with its comments. Empty finds all issues."}, {"name": "layout", "type": "string", "nullable": true, "enum": ["list", "board", "table", "calendar", "timeline"], "help": "`list` unless given."}, {"name": "columns", "type": "string", "nullable": true, "repeated": true, "help": "Fields of the query\u0027s source, or what is computed from them; empty: the usual ones."}, {"name": "group_by", "type": "string", "nullable": true, "help": "A field of the source."}, {"name": "subgroup_by", "type": "string", "nullable": true, "help": "A field of the source, by which the rows of each group are grouped in turn; it needs `group_by` to be seen."}, {"name": "sort", "type": "string", "nullable": true, "help": "A field of the source, with `-` in front for descending; an `order by` in the query comes first."}, {"name": "project", "type": "string", "nullable": true, "help": "The project that it is on, whose members see and keep it; null: none, so that it is yours. What the query finds is in its text alone."}, {"name": "shared", "type": "bool", "nullable": true, "help": "Everybody sees a view that is shared and on no project, guests too; each finds what they see themselves."}, {"name": "icon", "type": "string", "nullable": true, "help": "Name of its icon."}, {"name": "external", "type": "string", "nullable": true, "help": "Id at the sender, unique among your views: one that you have already is answered as it is."}], "example": {"name": "My week", "tql": "mine open due <= +7d", "columns": ["key", "title", "due"], "sort": "due"}, "answers": "View"},
"subscribe": {"summary": "Have the rows of a view mailed, as each who gets them sees them then", "doc": "Have the rows of a view mailed, as each who gets them sees them then. Answers the subscriptions that you may see.\n\nEverybody subscribes themselves to what they see. Others are subscribed by its owner, by leads of the project that\nit is on, and by admins where it is shared (403); each of them sees it, is active and no guest, and has an address\n(422), and ends it when they like. It ends by itself for whoever leaves or sees the view no more. A time at which\nthe server was down is made up for once.\n\nA server that sends no mail refuses all but `off` (409). One view goes to 200 people at most, and one member gets\n100 (409).", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the view."}, {"name": "every", "type": "string", "required": true, "enum": ["off", "change", "daily", "weekly"], "help": "`change`: when the result is another one, every 15 minutes at most; `daily` and `weekly`: by the clock; `off`: no more."}, {"name": "at", "type": "string", "nullable": true, "help": "For `daily` and `weekly`: the time, in the zone of whoever gets it; 08:00 unless given."}, {"name": "days", "type": "int", "nullable": true, "repeated": true, "help": "For `daily` and `weekly`: the days, 1 is Monday; all unless given, and Monday for `weekly`. (1 to 7)"}, {"name": "for", "type": "string", "nullable": true, "repeated": true, "help": "Members by id, `me`, `@handle` or address; you unless given."}], "example": {"id": 1, "every": "off"}}}},
"webhooks": {"about": "Webhooks: events are told to other programs by signed HTTP requests, in order and at least once.", "verbs": {
"delete": {"summary": "Delete a webhook with its secret and all its deliveries", "doc": "Delete a webhook with its secret and all its deliveries; what waited is not sent. Answers the others.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the webhook, from `webhooks.list`."}], "example": {"id": 1}},
"deliveries": {"summary": "List what was sent for a webhook and what waits, newest first", "doc": "List what was sent for a webhook and what waits, newest first: the last 1,000 of 30 days, and all that waits.\n\nBody and answer are shown to who the webhook\u0027s author was then, while they may hear of all that is in it; others\nread an empty text and null.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the webhook."}, {"name": "state", "type": "string", "nullable": true, "enum": ["queued", "sent", "failed", "dropped"], "help": "Only those that stand so; left out: all of them."}, {"name": "cursor", "type": "string", "nullable": true, "help": "`next` of the page before; left out: the first page."}, {"name": "limit", "type": "int", "nullable": true, "help": "Entries of a page; 50 unless given. (1 to 200)"}], "example": {"id": 1, "state": "failed"}},
"list": {"summary": "List the webhooks by id", "doc": "List the webhooks by id: what each sends where, and how it fares. Values of headers are not told.", "class": "write", "fields": [], "example": {}},
"redeliver": {"summary": "Send deliveries again, now and under the ids that they have", "doc": "Send deliveries again, now and under the ids that they have; one that waits is tried at once.\n\nWith `since` all that the webhooks of these deliveries would be told of the events behind that number is sent again,\nas new deliveries: 1,000 at most, and no further back than 5,000 events (422). `api.changes` reads all there is. A\ndelivery that is not there is 404, a webhook that is off 409.", "class": "write", "fields": [{"name": "ids", "type": "int", "required": true, "repeated": true, "help": "Deliveries, from `webhooks.deliveries`."}, {"name": "since", "type": "int", "nullable": true, "help": "Sequence number of an event: everything behind it is sent again that these deliveries\u0027 webhooks hear. With no `ids`: that every webhook hears which is on."}], "example": {"ids": [], "since": 0}, "unnamed": true},
"rotate_secret": {"summary": "Give a webhook a new secret, which is in the answer and never shown again", "doc": "Give a webhook a new secret, which is in the answer and never shown again.\n\nFor `keep_hours` its requests carry two signatures, separated by a comma, so that a receiver may change over when it\nlikes. A secret that still signed from an earlier rotation ends now.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the webhook."}, {"name": "keep_hours", "type": "int", "nullable": true, "help": "Hours that both secrets sign; left out: the new one alone. (0 to 720)"}], "example": {"id": 1, "keep_hours": 24}, "unnamed": true},
"save": {"summary": "Make a webhook, or change one", "doc": "Make a webhook, or change one; fields that are not named stay. The secret of a new one is shown this once.\n\nWhoever saves it is its author: it hears what they may hear of, with the scopes of this call, and is switched off\nwhen they are no admin any more. Saving one that was switched off with `enabled` true switches it on again, for what\nhappens from then on. Another host or port in `url` clears the headers, unless they are given anew.\n\nA kind of event, project or field that is not there is 422 (404 for the project), naming the nearest. An org has 100\nwebhooks at most (409).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The webhook to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What it is called."}, {"name": "url", "type": "string", "required": true, "help": "Where events are posted, with `https` or `http`."}, {"name": "events", "type": "string", "required": true, "repeated": true, "help": "Kinds of events, such as `issue.created`; `issue.*` is all that begin so, `*` all. None: it is told what `webhooks.send` sends there alone."}, {"name": "project", "type": "string", "nullable": true, "help": "Only what happens in this project; null: all that you may hear of."}, {"name": "tql", "type": "string", "nullable": true, "help": "Only events of issues that fit this condition when they are told; empty: all events."}, {"name": "headers", "type": "object", "nullable": true, "help": "Headers that go along, the whole set; null in the place of a value keeps the one that is there."}, {"name": "fields", "type": "string", "nullable": true, "repeated": true, "help": "What of the subject goes along as `data`, such as `title` and `assignees`."}, {"name": "enabled", "type": "bool", "nullable": true, "help": "False switches it off; what waited is dropped."}, {"name": "batch_seconds", "type": "int", "nullable": true, "help": "Gather events for so long into one request; 0: send each by itself. (0 to 3600)"}], "example": {"name": "Shop window", "url": "https://hooks.example.com/kbwork", "events": ["issue.*", "comment.created"], "project": "WEB", "fields": ["title", "status"]}},
"send": {"summary": "Post a body of your own to a webhook\u0027s address, beside the events that it hears", "doc": "Post a body of your own to a webhook\u0027s address, beside the events that it hears: a web request, for rules too.\n\nIt goes out when this call stands, signed, with the webhook\u0027s headers and `X-Kb-Event: message`; in order with the\nevents that wait there, but for the one right before it, and again until it is taken, under one `X-Kb-Delivery`.\nProject and query of the webhook are asked nothing. The body is kept until it was taken. A webhook that is off is\n409, and so is one for which too much waits; a body of more than 512 kB is 422.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the webhook, from `webhooks.list`: it says the address, the headers and what signs."}, {"name": "body", "type": "object", "required": true, "help": "The body of the request, as JSON, just as it is to come."}], "example": {"id": 1, "body": {"text": "WEB-12 is done"}}},
"test": {"summary": "Send a request now and answer what came of it", "doc": "Send a request now and answer what came of it: an event of which nothing is true but its kind.\n\nIt has the sequence number 0, the webhook itself as subject and `test` in its payload, and is signed as any other.\nIt is sent once, whether or not the webhook is on; how the webhook fares is not counted by it.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the webhook, on or off."}, {"name": "event", "type": "string", "nullable": true, "help": "Kind of event that the test is said to be; left out: one that the webhook hears."}], "example": {"id": 1, "event": "issue.created"}}}},
"workflows": {"about": "Workflows: graphs of lanes and transitions that issues move along.", "verbs": {
"assign": {"summary": "Let the issues of a project, or of some of its types, move along a workflow from now on", "doc": "Let the issues of a project, or of some of its types, move along a workflow from now on.\n\nLanes that it lacks and that hold issues need an entry in `statuses` (409 naming them); the issues move with\nhistory. `moved` says for each such lane where they go and how many they are; `warnings` what else is to be known.\nMore than 200 issues move by a job, in steps of 200; until then each stands in its old lane, from which only\ntransitions from any lane lead on. A draft cannot be assigned (409). With `dry_run` nothing happens.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow, from `workflows.list`."}, {"name": "project", "type": "string", "required": true, "help": "Key of the project, or a former one."}, {"name": "types", "type": "string", "nullable": true, "repeated": true, "help": "Of the project, by key or name; none: all of them, and those that it will have."}, {"name": "statuses", "type": "object", "nullable": true, "help": "Lane that the workflow lacks -> lane of it that takes its issues."}, {"name": "dry_run", "type": "bool", "nullable": true, "help": "Say what would move and change nothing."}], "example": {"id": 1, "project": "WEB", "types": ["bug"], "dry_run": true}, "unnamed": true},
"copy": {"summary": "Make a workflow like another one, or like a draft", "doc": "Make a workflow like another one, or like a draft. Nothing moves along it until workflows.assign says so.", "class": "write", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow or draft."}, {"name": "name", "type": "string", "required": true, "help": "Of the copy."}], "example": {"id": 1, "name": "Another"}, "answers": "Workflow"},
"delete": {"summary": "Take a workflow away, with its draft", "doc": "Take a workflow away, with its draft; or a draft alone. Answers those that are left.\n\nThe one that a new org has stays (409). One that projects or types use needs `move_to` (409 `in-use` with `uses`):\nissues in lanes that the other workflow lacks go to its first lane of the same category, else to its start, with\nhistory; more than 200 by a job, in steps of 200.", "class": "destructive", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow or draft."}, {"name": "move_to", "type": "int", "nullable": true, "help": "The workflow along which its issues move from then on."}], "example": {"id": 2, "move_to": 1}, "answers": "Workflow"},
"get": {"summary": "Look at a workflow", "doc": "Look at a workflow: its lanes, the transitions between them and who uses it. Drafts are for admins.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow or draft."}], "example": {"id": 1}},
"list": {"summary": "List the workflows, those of one project where it is named", "doc": "List the workflows, those of one project where it is named. Guests see those that their projects use.\n\nAdmins see drafts too, each behind the workflow that it is to become.", "class": "read", "fields": [{"name": "project", "type": "string", "nullable": true, "help": "Those that issues of this project move along."}], "example": {}},
"save": {"summary": "Make a workflow, or change one", "doc": "Make a workflow, or change one. What it says is the whole: lanes and transitions that are not named go.\n\nEvery lane must be reached from the start, and from each a way must lead to a done lane (422 naming the lane).\nNames are unique without case (409). Lanes that go and hold issues need an entry in `statuses` (409 naming them);\nthe issues move with history, more than 200 by a job in steps of 200; saving the same again with `statuses` goes on\nwith what a cancelled job left. Keys of transitions are made from their names and stay when a transition is renamed\nby its key.\n\n`draft` on a workflow in force makes a draft of it, one at most, which has an id of its own and is for admins;\nsaving that draft with `draft` false puts it in its place. Conditions (`if`, `check`) are as in automation:\n`{all}`, `{any}`, `{field, op, value}`, `{role}`, `{tql}`; `changed` is for `check`. Operations of `then` run with\nthe rights of whoever moves the issue; they must be changes that take nothing away (422).", "class": "write", "fields": [{"name": "id", "type": "int", "nullable": true, "help": "The workflow, or the draft, to change; left out: make one."}, {"name": "name", "type": "string", "required": true, "help": "What people read, unique without case."}, {"name": "start", "type": "string", "required": true, "help": "The lane in which issues begin."}, {"name": "lanes", "type": "string", "required": true, "repeated": true, "help": "By key or name, in the order in which people see them."}, {"name": "transitions", "type": "object", "required": true, "repeated": true, "help": "All of them, in order."}, {"name": "statuses", "type": "object", "nullable": true, "help": "Lane that goes -> lane that takes its issues."}, {"name": "draft", "type": "bool", "nullable": true, "help": "true keeps it beside what is in force; false puts it in force. Left out, it stays what it is."}], "example": {"name": "Short", "start": "todo", "lanes": ["todo", "done"], "transitions": [{"name": "Finish", "from": ["todo"], "to": "done"}, {"name": "Take up again", "from": ["done"], "to": "todo"}]}, "answers": "Workflow"},
"simulate": {"summary": "Ask whether an issue could go to a lane along a workflow, be it a draft or one that it does not move along", "doc": "Ask whether an issue could go to a lane along a workflow, be it a draft or one that it does not move along.\n\nEvery rule is a step: that a transition leads there, who may go, each condition and check, what is asked for, open\nblockers, who has to agree. Where several transitions lead there the first that is open counts, else the first.\nAdmins ask it for somebody else too; what those do not see they cannot move.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow or draft."}, {"name": "key", "type": "string", "nullable": true, "help": "An issue; left out: one that begins in the workflow\u0027s start, of which the graph alone is asked."}, {"name": "to_status", "type": "string", "required": true, "help": "Lane to go to, by key or name."}, {"name": "as", "type": "string", "nullable": true, "help": "A member; for admins."}], "example": {"id": 1, "to_status": "done"}, "unnamed": true},
"stats": {"summary": "Count how often issues went from lane to lane, of those that move along the workflow now and that you see", "doc": "Count how often issues went from lane to lane, of those that move along the workflow now and that you see.\n\nThe most used way first. Ways that the workflow has and nobody took are there with 0; so are moves that it has no\nway for, which were made before it was as it is. `median_hours` is how long issues stood in the lane before.", "class": "read", "fields": [{"name": "id", "type": "int", "required": true, "help": "Id of the workflow."}, {"name": "days", "type": "int", "nullable": true, "help": "How far back; 90 unless given. (1 to 3650)"}], "example": {"id": 1, "days": 30}, "unnamed": true}}}}}
'''


def main() -> None:
    """The command line: ends the process with the exit code."""
    try:
        code = main_of(json.loads(CATALOGUE), sys.argv[1:])
    except KeyboardInterrupt:
        tell("Stopped.")
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
