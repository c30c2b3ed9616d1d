"""A provider at the far end of the wire: it speaks both formats, keeps what it was asked, and answers as it is told."""

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.raw)
        return found

    @property
    def text(self) -> str:
        """All that the model is told, in one."""
        said = [self.body.get("system", "")] + [one["content"] for one in self.body["messages"]]
        return "\n".join(said)


Acts = Callable[[Asked, BaseHTTPRequestHandler], None]


class Recorder:
    """`says` is what the model answers; `acts` does something else with the wire, once for each entry."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.says = "Vouchers are lost."
        self.tokens: tuple[Any, Any] = (120, 8)
        self.acts: list[Acts] = []
        self.models: list[dict[str, Any]] = [{"id": "small"}, {"id": "large"}]
        self.over = threading.Event()
        self.go_on = threading.Event()
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._take(self.rfile.read(int(self.headers["Content-Length"])))

            def do_GET(self) -> None:
                self._take(b"")

            def do_OPTIONS(self) -> None:
                """Pages of others may ask it, as those of vendors."""
                asked = self.headers["Access-Control-Request-Headers"]
                recorder.send(self, {}, Access_Control_Allow_Headers=asked)

            def _take(self, raw: bytes) -> None:
                came = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, raw)
                recorder.asked.append(came)
                act = recorder.acts.pop(0) if recorder.acts else recorder.answers
                act(came, self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            request_queue_size = 128

            def handle_error(self, *_: object) -> None:
                """Who asks may hang up on what it is told."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.over.set()
        self.go_on.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    @property
    def told(self) -> str:
        """All that came, as one text."""
        return "\n".join(one.path + json.dumps(one.headers) + one.raw.decode() for one in self.asked)

    def answers(self, came: Asked, handler: BaseHTTPRequestHandler) -> None:
        """As a provider does, in the format of the path."""
        if came.path.partition("?")[0].endswith("/models"):
            self.send(handler, {"data": self.models})
        elif came.path.endswith("/messages"):
            usage = {"input_tokens": self.tokens[0], "output_tokens": self.tokens[1]}
            self.send(handler, {"content": [{"type": "text", "text": self.says}], "usage": usage})
        elif came.path.endswith("/chat/completions"):
            usage = {"prompt_tokens": self.tokens[0], "completion_tokens": self.tokens[1]}
            said = {"message": {"role": "assistant", "content": self.says}}
            self.send(handler, {"choices": [said], "usage": usage})
        else:
            self.send(handler, {"error": "no such path"}, 404)

    def send(self, handler: BaseHTTPRequestHandler, value: Any, status: int = 200, **headers: Any) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        handler.send_response(status)
        told = {name.replace("_", "-"): text for name, text in headers.items()}
        own = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
        for name, text in (own | told).items():
            handler.send_header(name, text)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    # -- what some do ----------------------------------------------------------------------------------------

    def refuses(self, status: int, **headers: Any) -> Acts:
        """Answer this status."""
        return lambda _, handler: self.send(handler, {"error": "key sk-secret is wrong"}, status, **headers)

    def sends(self, body: bytes, **headers: Any) -> Acts:
        """Answer just this."""
        return lambda _, handler: self.send(handler, body, **headers)

    def waits(self, came: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Answer when the test says so."""
        self.go_on.wait(30)
        self.answers(came, handler)

    def never(self, _: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Never answer."""
        self.over.wait(30)

    def hangs_up(self, _: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Close without a word."""
        handler.connection.shutdown(socket.SHUT_RDWR)

    def babbles(self, _: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Answer what is no HTTP."""
        handler.wfile.write(b"\x00\xff SSH-2.0 nonsense\r\n" * 20)

    def floods(self, _: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Answer a gigabyte."""
        handler.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n"
        )
        piece = b" " * 65_536
        for _number in range(16_384):
            handler.wfile.write(piece)

    def redirects(self, _: Asked, handler: BaseHTTPRequestHandler) -> None:
        """Lead elsewhere."""
        self.send(handler, {}, 307, Location=f"http://{self.place}/elsewhere")
