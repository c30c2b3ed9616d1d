"""The event stream: server-sent events over a connection that is opened anew where it left off."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from typing import Any

from kbwork.client.errors import KbworkProblem, Unreachable
from kbwork.client.transport import Connection, Transport

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
