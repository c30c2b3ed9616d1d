"""Clients of both languages, each asked in the same way, over one service."""

import json
import os
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kbwork.flags import Client, recorder
from tests.flags.service import CLIENT_ID, MIRA, SDK_KEY, Service

KINDS = ("python", "node", "page")


class Answer(NamedTuple):
    """What a flag served."""

    value: bool
    reason: str
    error: str | None = None


class State(NamedTuple):
    """How a client stands with the service."""

    version: int | None
    connected: bool
    error: str | None


class DrivenClient(ABC):
    """One of them."""

    @abstractmethod
    def served(self, flag: str, *, fallback: bool) -> Answer: ...

    @abstractmethod
    def ready(self, timeout_ms: int) -> bool: ...

    @abstractmethod
    def state(self) -> State: ...

    @abstractmethod
    def flush(self) -> bool: ...

    @abstractmethod
    def clock(self, ahead_s: int) -> None:
        """Its machine's clock is ahead by so much, or behind."""

    @abstractmethod
    def close(self) -> None: ...


class PythonClient(DrivenClient):
    """In this process."""

    def __init__(self, service: Service, patch: pytest.MonkeyPatch, **options: Any) -> None:
        self._client = Client(sdk_key=SDK_KEY, base_url=service.url, **options)
        self._patch = patch
        self._now = recorder._now

    def served(self, flag: str, *, fallback: bool) -> Answer:
        found = self._client.boolean_detail(flag, fallback, MIRA)
        return Answer(found.value, found.reason, found.error_kind)

    def ready(self, timeout_ms: int) -> bool:
        return self._client.ready(timeout_ms)

    def state(self) -> State:
        status = self._client.status
        return State(self._client.version, status.connected, status.last_error)

    def flush(self) -> bool:
        return self._client.flush()

    def clock(self, ahead_s: int) -> None:
        self._patch.setattr(recorder, "_now", lambda: self._now() + 1000 * ahead_s)

    def close(self) -> None:
        self._client.close()


class NodeClient(DrivenClient):
    """A program of its own; with a client-side ID it is the client of pages."""

    def __init__(self, node: str, library: Path, service: Service, kind: str, **options: Any) -> None:
        key = {"clientId": CLIENT_ID, "context": MIRA} if kind == "page" else {"sdkKey": SDK_KEY}
        told = key | {"baseUrl": service.url} | {_camel(name): value for name, value in options.items()}
        self._process = subprocess.Popen(
            [node, "driven.mjs", "page" if kind == "page" else "server", json.dumps(told)],
            cwd=library,
            env={"PATH": os.environ["PATH"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _do(self, what: str, **told: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"what": what} | told) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def served(self, flag: str, *, fallback: bool) -> Answer:
        found = self._do("served", flag=flag, fallback=fallback, context=MIRA)
        return Answer(found["value"], found["reason"], found.get("errorKind"))

    def ready(self, timeout_ms: int) -> bool:
        return bool(self._do("ready", timeoutMs=timeout_ms))

    def state(self) -> State:
        found = self._do("state")
        return State(found["version"], found["connected"], found["lastError"])

    def flush(self) -> bool:
        return bool(self._do("flush"))

    def clock(self, ahead_s: int) -> None:
        self._do("clock", aheadMs=ahead_s * 1000)

    def close(self) -> None:
        with self._process:
            self._do("close")
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(timeout=10)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
