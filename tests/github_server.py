"""GitHub at the far end: its REST interface over one repository, page by page, and every fault that a test asks for."""

import contextlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "ghp_canary0123456789secret"
AT = "2020-01-0{}T00:00:00Z"


@dataclass
class Answer:
    """Given once instead of a page."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


class GitHubServer:
    """`lists` is what the repository holds, by the path below it; `private` asks for the token."""

    def __init__(self, *, private: bool = False) -> None:
        self.lists: dict[str, list[Any]] = {
            "issues": [],
            "labels": [],
            "issues/comments": [],
            "pulls/comments": [],
        }
        self.size = 2
        """So much is on a page, whatever is asked for."""
        self.private = private
        self.instead: dict[str, list[Answer]] = {}
        """By path and query below the repository; each is given once."""
        self.asked: list[str] = []
        self.tokens: set[str | None] = set()
        self.held: dict[str, threading.Event] = {}
        """What is not answered before the event."""
        far = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = far._answer(self.path, self.headers.get("Authorization"))
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
        self.base = f"http://{self.place}/api/v3"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        for event in self.held.values():
            event.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def issue(self, number: int, **more: Any) -> None:
        """Add an issue with a comment."""
        about = {"url": f"{self.base}/repos/acme/shop/issues/{number}"}
        user = {"user": {"login": "cy"}}
        times = {"created_at": AT.format(1), "updated_at": AT.format(2), "closed_at": None}
        self.lists["issues"].append(
            {"number": number, "title": f"Issue {number}", "body": "", "state": "open", "comments": 1}
            | {"html_url": f"https://github.com/acme/shop/issues/{number}", "labels": [], "assignees": []}
            | {"repository_url": f"{self.base}/repos/acme/shop"}
            | about
            | user
            | times
            | more
        )
        self.lists["issues/comments"].append(
            {"id": number * 100, "issue_url": about["url"], "body": f"Said of {number}"} | user | times
        )

    def _answer(self, target: str, token: str | None) -> Answer:
        parts = urlsplit(target)
        path = parts.path.removeprefix("/api/v3/repos/acme/shop")
        page = int(parse_qs(parts.query).get("page", ["1"])[0])
        name = path.lstrip("/") + (f"?page={page}" if page > 1 else "")
        self.asked.append(name)
        self.tokens.add(token)
        if name in self.held:
            self.held[name].wait(30)
        if self.instead.get(name):
            return self.instead[name].pop(0)
        if token is not None and token != f"Bearer {TOKEN}":
            return Answer(401, body=b'{"message": "Bad credentials"}')
        if path.startswith("/api") or (self.private and token is None):
            return Answer(404, body=b'{"message": "Not Found"}')
        if not path:
            return Answer(body=b'{"full_name": "acme/shop"}')
        return self._page(path.lstrip("/"), page, parts.query)

    def _page(self, name: str, page: int, query: str) -> Answer:
        held = self.lists[name][(page - 1) * self.size : page * self.size]
        headers = {}
        if len(self.lists[name]) > page * self.size:
            kept = "&".join(one for one in query.split("&") if not one.startswith("page="))
            url = f"{self.base}/repos/acme/shop/{name}?{kept}&page={page + 1}"
            headers["Link"] = f'<{self.base}/other?page=1>; rel="first", <{url}>; rel="next"'
        return Answer(headers=headers, body=json.dumps(held).encode())
