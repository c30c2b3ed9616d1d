"""Asking the flag REST in tests: one request as it is written, and a project to ask about."""

import http.client
import json
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.conftest import World


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: Any

    @property
    def code(self) -> str:
        """The code of a refusal, whose shape is checked on the way."""
        assert set(self.body) == {"error"}
        assert set(self.body["error"]) == {"code", "message"}
        assert isinstance(self.body["error"]["message"], str)
        return str(self.body["error"]["code"])

    @property
    def message(self) -> str:
        return str(self.body["error"]["message"])


def ask(
    world: World, token: str | None, method: str, path: str, body: Any = None, /, **headers: str
) -> Answer:
    """`path` begins behind `/api/v1`, or with `//` at the root. `body` is JSON, or bytes as they are."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    found = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        found["Authorization"] = f"Bearer {token}"
    if body is not None:
        found.setdefault("Content-Type", "application/json")
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        connection.request(method, path[1:] if path.startswith("//") else f"/api/v1{path}", body, found)
        answer = connection.getresponse()
        text = answer.read()
        return Answer(
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            json.loads(text) if text else None,
        )
    finally:
        connection.close()


def session(world: World, who: str = "ana") -> str:
    return world.people[who].session


def key_of(world: World, who: str, scopes: list[str], *, kind: str = "personal") -> str:
    """A new key of somebody, with these scopes alone."""
    value: dict[str, Any] = {"name": f"{kind} {' '.join(scopes)}", "scopes": scopes, "kind": kind}
    if kind == "agent":
        value["agent"] = f"bot-{who}-{len(world.clients)}-{'-'.join(scopes)}".replace(":", "-")
    return str(world.session(who).call("keys.create", value)["secret"])


class Place:
    """The flag project `web` with `test` and the critical `production`, asked about by somebody."""

    def __init__(self, world: World, who: str = "ana") -> None:
        self.world = world
        self.token = session(world, who)
        self.org = world.session("ana").call("org.get", {})["slug"]

    def __call__(self, method: str, path: str, body: Any = None, /, **headers: str) -> Answer:
        """`path` is below the org."""
        return ask(self.world, self.token, method, f"/orgs/{self.org}{path}", body, **headers)

    def done(self, method: str, path: str, body: Any = None, /, **headers: str) -> Any:
        """The body of what has to be done."""
        answer = self(method, path, body, **headers)
        assert answer.status in (200, 201), answer
        return answer.body

    def fill(self) -> "Place":
        """Two environments, two flags and a segment."""
        self.done("POST", "/projects", {"key": "web", "name": "Website"})
        self.done("POST", "/projects/web/environments", {"key": "test"})
        self.done("POST", "/projects/web/environments", {"key": "production", "critical": True})
        self.done("POST", "/projects/web/flags", {"key": "checkout", "name": "Checkout"})
        self.done("POST", "/projects/web/flags", {"key": "banner", "tags": ["kill-switch"]})
        self.done(
            "POST", "/projects/web/environments/test/segments", {"key": "staff", "included": ["ana", "bo"]}
        )
        return self
