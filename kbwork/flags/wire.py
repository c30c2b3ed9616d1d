"""The three addresses of the service that a client talks to: the snapshot, the stream and the events."""

import base64
import contextlib
import gzip
import http.client
import json
import os
import socket
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from kbwork.flags.options import Options

TIMEOUT_S = 10.0
SILENCE_S = 60.0
"""A stream on which nothing comes for so long is dead; the service says something every 25 seconds."""
_MOST_BYTES = 1 << 28
_MOST_LINE = 1 << 20
_LIBRARY = "kbwork-python/1"


class Lost(Exception):
    """The service cannot be reached, or answers what is no answer; the text says why."""


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """An answer whole. `retry_after_s` is what a 429 asks for."""

    status: int
    body: bytes
    etag: str | None
    retry_after_s: float | None


@dataclass(frozen=True, slots=True)
class Message:
    """An event of the stream; `kind` is empty for the lines that only keep it open."""

    kind: str
    data: str


class Wire:
    """One service and one key."""

    def __init__(self, options: Options) -> None:
        parts = urlsplit(options.base_url)
        self._host, self._port = parts.hostname or "", parts.port
        self._tls = options.trusted() if parts.scheme == "https" else None
        self._proxy = None if options.proxy is None else _Proxy.of(options.proxy)
        self._prefix = f"{parts.path.rstrip('/')}/sdk/v1"
        self._headers = {
            "Authorization": f"Bearer {options.credential}",
            "User-Agent": _LIBRARY,
            "Accept-Encoding": "gzip",
        }
        if self._proxy is not None and self._tls is None:  # it is asked for the whole address, and forwards
            self._prefix = f"http://{parts.netloc.rpartition('@')[2]}{self._prefix}"
            self._headers |= self._proxy.headers

    def snapshot(
        self, etag: str | None, since: int | None = None, version: int | None = None
    ) -> ServiceAnswer:
        """Ask for the snapshot, or what changed since a version; 304 where it is the one of this tag. Raises Lost.

        `version` is the one that is wanted, where it is known: caches on the way have kept no older one by that name.
        """
        named = {"since": since, "version": version}
        query = "&".join(f"{name}={number}" for name, number in named.items() if number is not None)
        return self._ask("GET", f"/snapshot?{query}".rstrip("?"), {"If-None-Match": etag} if etag else {})

    def send(self, batch: dict[str, Any]) -> ServiceAnswer:
        """Send a batch of events. Raises Lost."""
        body = json.dumps(batch, ensure_ascii=False).encode("utf-8", "replace")
        return self._ask("POST", "/events", {"Content-Type": "application/json"}, body)

    @contextlib.contextmanager
    def stream(self) -> Iterator["SnapshotStream"]:
        """The stream, open. Raises Lost."""
        connection = self._connection(SILENCE_S)
        try:
            with _clear():
                connection.connect()
                sock = connection.sock
                plain = self._headers | {"Accept-Encoding": "identity"}
                connection.request("GET", f"{self._prefix}/stream", headers=plain)
                answer = connection.getresponse()
            yield SnapshotStream(sock, answer)
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None
    ) -> ServiceAnswer:
        connection = self._connection(TIMEOUT_S)
        try:
            with _clear():
                connection.request(method, self._prefix + path, body, self._headers | headers)
                answer = connection.getresponse()
                content = answer.read(_MOST_BYTES)
                if answer.headers.get("Content-Encoding") == "gzip":
                    content = gzip.decompress(content)
        finally:
            connection.close()
        return ServiceAnswer(answer.status, content, answer.headers.get("ETag"), _seconds(answer))

    def _connection(self, timeout_s: float) -> http.client.HTTPConnection:
        proxy = self._proxy
        host, port = (self._host, self._port) if proxy is None else (proxy.host, proxy.port)
        if self._tls is None:
            return http.client.HTTPConnection(host, port, timeout=timeout_s)
        made = http.client.HTTPSConnection(host, port, timeout=timeout_s, context=self._tls)
        if proxy is not None:
            made.set_tunnel(self._host, self._port or http.client.HTTPS_PORT, proxy.headers)
        return made


@dataclass(frozen=True, slots=True)
class _Proxy:
    """What stands between, and how it is told who asks."""

    host: str
    port: int | None
    headers: dict[str, str]

    @classmethod
    def of(cls, address: str) -> "_Proxy":
        parts = urlsplit(address)
        headers = {}
        if parts.username is not None:
            who = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            headers["Proxy-Authorization"] = f"Basic {base64.b64encode(who.encode()).decode()}"
        return cls(parts.hostname or "", parts.port, headers)


class SnapshotStream:
    """A stream that answered. It is cut from another thread where nobody wants it any more."""

    def __init__(self, sock: socket.socket, answer: http.client.HTTPResponse) -> None:
        self._sock = sock
        self._answer = answer
        self.status = answer.status
        self.retry_after_s = _seconds(answer)

    def messages(self) -> Iterator[Message]:
        """Each message as it comes, until the stream ends. Raises Lost where it breaks."""
        kind, data = "", list[str]()
        with _clear():
            while line := self._answer.readline(_MOST_LINE):
                name, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(":")
                if name == "event":
                    kind = value.removeprefix(" ")
                elif name == "data":
                    data.append(value.removeprefix(" "))
                elif line.strip() == b"":
                    if kind or data:
                        yield Message(kind or "message", "\n".join(data))
                    kind, data = "", []
                elif name == "":
                    yield Message("", "")

    def drop(self) -> None:
        """Behind a fork, in the child: let go of it, while the parent reads on."""
        with contextlib.suppress(OSError):
            os.close(self._sock.detach())

    def cut(self) -> None:
        """End it at once."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def _clear() -> Iterator[None]:
    """Whatever breaks on the way is one thing to a client."""
    try:
        yield
    except (OSError, EOFError, http.client.HTTPException, ValueError, zlib.error) as error:
        raise Lost(f"{type(error).__name__}: {error}") from None


def _seconds(answer: http.client.HTTPResponse) -> float | None:
    text = answer.headers.get("Retry-After") or ""
    return min(float(text), 3600.0) if text.isascii() and text.isdigit() else None
