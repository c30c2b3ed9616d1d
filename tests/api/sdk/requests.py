"""SDK keys, and what is asked with them over real HTTP."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.conftest import World
from tests.modules.calls import call

Json = dict[str, Any]
FLAGS = "/ofrep/v1/evaluate/flags"
SNAPSHOT, STREAM, EVENTS = (f"/sdk/v1/{name}" for name in ("snapshot", "stream", "events"))
ANA = {"targetingKey": "ana"}


@dataclass(frozen=True)
class Answered:
    """An answer whole; names of headers are small."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def told(self) -> tuple[int, Any]:
        """The status and the body."""
        return self.status, self.json


def sdk_key(world: World, kind: str = "server", environment: str = "test") -> str:
    """A new key of the shop."""
    made = call(world, "ana", "flags.key_create", project="shop", environment=environment, kind=kind)
    secret: str = made["secret"]
    return secret


def revoke(world: World, key: str, environment: str = "test", **more: Any) -> None:
    """End a key of the shop."""
    where = {"project": "shop", "environment": environment}
    keys = call(world, "ana", "flags.keys", **where)
    (found,) = [one["id"] for one in keys if one["last4"] == key[-4:]]
    call(world, "ana", "flags.key_revoke", id=found, **where, **more)


def ask(
    world: World,
    method: str,
    path: str,
    body: bytes | object = b"",
    /,
    key: str | None = None,
    **headers: str,
) -> Answered:
    """One request; what is no bytes is sent as JSON. `If_None_Match` is sent as `If-None-Match`."""
    found = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        found["Authorization"] = f"Bearer {key}"
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
        found.setdefault("Content-Type", "application/json")
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=10)
    try:
        connection.request(method, path, body or None, found)
        answer = connection.getresponse()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return Answered(answer.status, told, answer.read())
    finally:
        connection.close()


def evaluate(world: World, key: str, flag: str, context: object = ANA) -> Answered:
    """One flag by OFREP."""
    return ask(world, "POST", f"{FLAGS}/{flag}", {"context": context}, key=key)


def evaluate_all(world: World, key: str, context: object = ANA, **headers: str) -> Answered:
    """Every flag by OFREP."""
    return ask(world, "POST", FLAGS, {"context": context}, key=key, **headers)


class Listener:
    """One open stream."""

    def __init__(self, world: World, key: str | None, query: str = "") -> None:
        self._connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=10)
        headers = {"Authorization": f"Bearer {key}"} if key is not None else {}
        self._connection.request("GET", STREAM + query, headers=headers)
        self.answer = self._connection.getresponse()

    def messages(self) -> Iterator[dict[str, str]]:
        """Each message as its fields; comments have the field `""`. Ends when the stream does."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            if line == "\n":
                yield fields
                fields = {}
            else:
                name, _, value = line.rstrip("\n").partition(":")
                fields[name] = value.removeprefix(" ")

    def events(self, count: int) -> list[tuple[str, Any]]:
        """(event, data) of the next ones."""
        found: list[tuple[str, Any]] = []
        for message in self.messages():
            if "event" in message:
                found.append((message["event"], json.loads(message["data"])))
                if len(found) == count:
                    break
        return found

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@contextmanager
def listening(world: World, key: str | None, query: str = "") -> Iterator[Listener]:
    listener = Listener(world, key, query)
    try:
        yield listener
    finally:
        listener.close()
