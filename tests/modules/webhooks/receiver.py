"""A receiver at the far end of the wire: it keeps what came, and answers as it is told to.

It checks signatures by what the manual says, with nothing of the product.
"""

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Came:
    """One request."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.raw)
        return found

    @property
    def delivery(self) -> str:
        return self.headers["x-kb-delivery"]

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.body["events"]]

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for event in self.body["events"]]

    def signed_by(self, secret: str, now: int) -> bool:
        """Whether one of the signatures is of this secret, and the time is near."""
        timestamp = self.headers["x-kb-timestamp"]
        told = timestamp.encode() + b"." + self.delivery.encode() + b"." + self.raw
        right = "v1=" + hmac.new(secret.encode(), told, hashlib.sha256).hexdigest()
        offered = self.headers["x-kb-signature"].split(",")
        return abs(now - int(timestamp)) <= 300 and any(hmac.compare_digest(right, one) for one in offered)


Answers = Callable[[Came, BaseHTTPRequestHandler], None]


class Receiver:
    """Takes what is posted. `says` is what a path answers instead of 204; `acts` does something else with the wire."""

    def __init__(self) -> None:
        self.came: list[Came] = []
        self.says: dict[str, int] = {}
        self.acts: dict[str, Answers] = {}
        self.over = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                came = Came(self.path, {k.lower(): v for k, v in self.headers.items()}, raw)
                receiver.came.append(came)
                if self.path in receiver.acts:
                    receiver.acts[self.path](came, self)
                    return
                self.send_response(receiver.says.get(self.path, 204))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                """Who sends may hang up on what it is told."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def url(self, name: str = "hook") -> str:
        return f"http://{self.place}/{name}"

    def of(self, name: str) -> list[Came]:
        """What came to one path."""
        return [one for one in self.came if one.path == f"/{name}"]

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    # -- what hostile ones do --------------------------------------------------------------------------------

    def never(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Never answer."""
        self.over.wait(30)

    def drips(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Take it, and never come to the end of the answer."""
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not self.over.wait(0.2):
            handler.wfile.write(b".")
            handler.wfile.flush()

    def floods(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Answer a gigabyte."""
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
        piece = b"x" * 65_536
        for _number in range(16_384):
            handler.wfile.write(piece)

    def babbles(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Answer what is no HTTP."""
        handler.wfile.write(b"\x00\xff SSH-2.0 nonsense\r\n" * 20)

    def hangs_up(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Close without a word."""
        handler.connection.shutdown(socket.SHUT_RDWR)

    def redirects(self, _: Came, handler: BaseHTTPRequestHandler) -> None:
        """Lead elsewhere."""
        handler.send_response(307)
        handler.send_header("Location", self.url("elsewhere"))
        handler.send_header("Content-Length", "0")
        handler.end_headers()
