"""A service at the far end of a wire: pages of JSON behind paths, and every fault that a test asks for."""

import contextlib
import hashlib
import json
import threading
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Answer:
    """Given once instead of a page."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


class FarServer:
    """`lists` is what the repository holds, by the path below it; `private` asks for the token for all of it."""

    def __init__(self, root: str, token_header: str, *, private: bool = False) -> None:
        self.lists: dict[str, list[Any]] = {}
        self.size = 2
        """So much is on a page, whatever is asked for."""
        self.private = private
        self.instead: dict[str, list[Answer]] = {}
        """By path and query below the repository; each is given once."""
        self.asked: list[str] = []
        self.unchanged: list[str] = []
        """What was asked for by one who had it already."""
        self.tokens: set[str | None] = set()
        self.held: dict[str, threading.Event] = {}
        """What is not answered before the event."""
        self.root = root
        far = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                far.tokens.add(self.headers.get(token_header))
                answer = far._answer(self.path, self.headers)
                self.send_response(answer.status)
                for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):  # who asks may have had enough
                    self.wfile.write(answer.body)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self.server = f"http://{self.place}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        for event in self.held.values():
            event.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def _answer(self, target: str, headers: Message) -> Answer:
        parts = urlsplit(target)
        path = parts.path.removeprefix(self.root)
        page = int(parse_qs(parts.query).get("page", ["1"])[0])
        name = path.lstrip("/") + (f"?page={page}" if page > 1 else "")
        self.asked.append(name)
        if name in self.held:
            self.held[name].wait(30)
        if self.instead.get(name):
            return self.instead[name].pop(0)
        refused = self.refusal(path, headers, parts.query)
        if refused is not None:
            return refused
        if not path:
            return Answer(body=json.dumps(self.about()).encode())
        return self._page(path.lstrip("/"), page, parts.query, headers.get("If-None-Match"))

    def about(self) -> dict[str, Any]:
        """What is said of the repository itself."""
        raise NotImplementedError

    def refusal(self, path: str, headers: Message, query: str) -> Answer | None:
        """What is answered to one who may not see this, or asks for what is not there."""
        raise NotImplementedError

    def _page(self, name: str, page: int, query: str, known: str | None) -> Answer:
        held = self.lists[name][(page - 1) * self.size : page * self.size]
        headers = {}
        if len(self.lists[name]) > page * self.size:
            kept = "&".join(one for one in query.split("&") if not one.startswith("page="))
            url = f"{self.server}{self.root}/{name}?{kept}&page={page + 1}"
            headers["Link"] = f'<{self.server}/other?page=1>; rel="first", <{url}>; rel="next"'
        body = json.dumps(held).encode()
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if known == etag:
            self.unchanged.append(name + (f"?page={page}" if page > 1 else ""))
            return Answer(304, {"ETag": etag}, b"")
        return Answer(headers=headers | {"ETag": etag}, body=body)
