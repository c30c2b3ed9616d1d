"""The far end of the wire: a service that answers as it is told, over real HTTP, and remembers what it was asked."""

import gzip
import json
import os
import queue
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Unpack
from urllib.parse import parse_qs, urlsplit

from kbwork.flagengine.envelope import SnapshotKey
from kbwork.flags import Client
from kbwork.flags.options import ClientOptions

SDK_KEY = "srv_" + "k" * 40
CLIENT_ID = "cli_" + "c" * 24
MIRA = {"key": "mira", "email": "mira@acme.example"}
_SILENT_S = 60


def flag(value: Any = True, **changed: Any) -> dict[str, Any]:
    return {
        "version": 4,
        "on": True,
        "offVariation": 1,
        "fallthrough": {"variation": 0},
        "salt": "s",
        "variations": [{"value": value}, {"value": False}],
        **changed,
    }


def sealed(content: bytes, version: int, base: int | None = None) -> bytes:
    """As the service seals a snapshot, or a delta."""
    key = SnapshotKey.of(SDK_KEY, b"0123456789abcdef")
    return key.seal(content, version=version, nonce=os.urandom(12), base=base)


class Service:
    """One environment. What is set here counts for the next request."""

    def __init__(self) -> None:
        self.flags: dict[str, Any] = {"on": flag()}
        self.segments: dict[str, Any] = {}
        self.version = 1
        self.status = {"snapshot": 200, "stream": 200, "events": 202}
        self.statuses: dict[str, list[int]] = {"snapshot": [], "stream": [], "events": []}
        """Answered first, one after another."""
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.batches: list[dict[str, Any]] = []
        self.streams: list[queue.Queue[str | None]] = []
        self.telling = threading.Lock()
        """A change is in what a stream says first, or is told on it: never between the two."""
        self.garbled = False
        self.is_silent = False
        """Nothing is answered, until the line ends."""
        self.edition = "e"
        """How editions begin: another server, or one that was set back, has others."""
        self.past: dict[int, dict[str, Any]] = {}
        """The versions that are known, as they were asked for."""
        self.since: list[str | None] = []
        """What each request for a snapshot named."""
        self.wanted: list[str | None] = []
        """By which version it asked."""
        self.older: list[bytes] = []
        """Answered first, one after another, as a cache on the way does that kept them."""
        self.damaged = 0
        """So many answers to pages are damaged on the way."""
        self.rigged: list[bytes] = []
        """Answered first, one after another, to whoever names a version."""
        self.waiting = threading.Event()
        self.url = ""

    def data(self) -> dict[str, Any]:
        return {
            "format": 1,
            "edition": f"{self.edition}{self.version}",
            "environment": {"id": 1, "key": "production", "version": self.version},
            "flags": dict(self.flags),
            "segments": dict(self.segments),
        }

    def content(self) -> bytes:
        return json.dumps(self.data()).encode()

    def delta(self, since: int) -> dict[str, Any]:
        """What changed since a version that is known."""
        old, new = self.past[since], self.data()
        parts = ("flags", "segments")
        return new | {
            "base": {"version": since, "edition": old["edition"]},
            "removed": {part: sorted(old[part].keys() - new[part].keys()) for part in parts},
            **{
                part: {key: one for key, one in new[part].items() if old[part].get(key) != one}
                for part in parts
            },
        }

    def envelope(self, content: bytes, base: int | None) -> bytes:
        found = sealed(content, self.version, base)
        return found[:-1] + bytes([found[-1] ^ 1]) if self.garbled else found

    def answered(self, since: str | None, *, public: bool) -> bytes:
        """The body of a snapshot, or of a delta where the version is known."""
        self.since.append(since)
        if since is not None and self.rigged:
            return gzip.compress(self.rigged.pop(0)) if public else self.rigged.pop(0)
        base = int(since) if since is not None else None
        if base not in self.past or base == self.version:
            base = None
        self.past[self.version] = self.data()
        content = self.content() if base is None else json.dumps(self.delta(base)).encode()
        if public:
            packed = gzip.compress(content)
            self.damaged -= 1
            return packed if self.damaged < 0 else packed[:10] + b"\xff" + packed[11:]
        return self.envelope(content, base)

    def change(self, **flags: Any) -> None:
        """Another version, told on the streams."""
        with self.telling:
            self.flags = self.flags | flags
            self.version += 1
            self.say("change", {"version": self.version, "flags": sorted(flags), "segments": []})

    def say(self, kind: str, data: Any) -> None:
        for stream in self.streams:
            stream.put(f"event: {kind}\nid: {self.version}\ndata: {json.dumps(data)}\n\n")

    def hang_up(self) -> None:
        """End the streams that are open, and the lines of those who wait for an answer."""
        streams, self.streams = self.streams, []
        for stream in streams:
            stream.put(None)
        waiting, self.waiting = self.waiting, threading.Event()
        waiting.set()

    def count(self, path: str) -> int:
        return sum(name == path for name, _ in self.asked)

    def next_status(self, name: str) -> int:
        return self.statuses[name].pop(0) if self.statuses[name] else self.status[name]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        name = self._name()
        if self.service.is_silent:
            self.service.waiting.wait(_SILENT_S)
            self.close_connection = True
            return
        status = self.service.next_status(name)
        if status != 200:
            self._answer(status, b"", {"Retry-After": "1"} if status == 429 else {})
        elif name == "stream":
            self._stream()
        else:
            self._snapshot()

    def do_POST(self) -> None:
        name = self._name()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.service.next_status(name)
        self.service.batches.append(body | {"answered": status})
        self._answer(status, b'{"accepted":1,"ignored":0}', {"Retry-After": "1"} if status == 429 else {})

    def _name(self) -> str:
        name = urlsplit(self.path).path.removeprefix("/sdk/v1/")
        self.service.asked.append((name, dict(self.headers)))
        assert self.headers["Authorization"].startswith(("Bearer srv_", "Bearer cli_"))
        return name

    def _snapshot(self) -> None:
        tag = f'"{self.service.version}-1"'
        if self.headers["If-None-Match"] == tag:
            self._answer(304, b"", {})
        else:
            public = self.headers["Authorization"].endswith(CLIENT_ID)
            query = parse_qs(urlsplit(self.path).query)
            self.service.wanted.append(query.get("version", [None])[0])
            if self.service.older:
                self._answer(200, self.service.older.pop(0), {"ETag": '"older"'})
                return
            body = self.service.answered(query.get("since", [None])[0], public=public)
            self._answer(200, body, {"ETag": tag, **({"Content-Encoding": "gzip"} if public else {})})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        said: queue.Queue[str | None] = queue.Queue()
        with self.service.telling:
            hello = json.dumps({"version": self.service.version})
            said.put(f"retry: 2000\n\n:\n\nevent: hello\ndata: {hello}\n\n")
            self.service.streams.append(said)
        while (text := said.get()) is not None:
            try:
                self.wfile.write(text.encode())
                self.wfile.flush()
            except OSError:
                return
        self.close_connection = True


def made(service: Service, **more: Unpack[ClientOptions]) -> Client:
    """A client of this service."""
    options: ClientOptions = {"sdk_key": SDK_KEY, "base_url": service.url, "init_timeout_ms": 5000}
    return Client(**(options | more))


@contextmanager
def served(port: int = 0, tls: ssl.SSLContext | None = None) -> Iterator[Service]:
    """A service on a port of its own."""
    service = Service()
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    service.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.hang_up()
        server.shutdown()
        server.server_close()
        thread.join(10)
