"""HTTP/1.1 to one server over kept connections, each used by one thread at a time."""

from __future__ import annotations

import contextlib
import http.client
import ssl
import urllib.parse
import weakref
from collections import deque
from typing import IO, NamedTuple, Union

from kbwork import __version__
from kbwork.client.errors import NotSignedIn, Unreachable

Connection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]  # noqa: UP007 - Python 3.9 runs this line


class HttpResponse(NamedTuple):
    """One HTTP answer; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Transport:
    """Connections to one server. `timeout_s` bounds each wait for the network."""

    def __init__(self, url: str, key: str | None, timeout_s: float) -> None:
        parts = _parts(url)
        if key and not (key.isascii() and key.isprintable()):
            raise NotSignedIn("The key holds signs that no key has.")
        self.url = url
        self.timeout_s = timeout_s
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._key = key
        self._idle: deque[Connection] = deque()
        self._end = weakref.finalize(self, _close_all, self._idle)

    def exchange(self, path: str, body: bytes | None, headers: dict[str, str]) -> HttpResponse:
        """POST the body, or GET where there is none. Raises Unreachable."""
        while True:
            connection, kept = self._take()
            try:
                response = self._send(connection, path, body, headers)
                answer = HttpResponse(response.status, _headers(response), response.read())
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                if kept and not _timed_out(error):
                    continue  # the server closed a kept connection meanwhile: the next one, at last a new one
                raise self._unreachable(error) from error
            except BaseException:
                connection.close()
                raise
            if connection.sock is None:
                connection.close()
            else:
                self._idle.append(connection)
            return answer

    def open(
        self, path: str, headers: dict[str, str], timeout_s: float
    ) -> tuple[Connection, http.client.HTTPResponse]:
        """GET an answer that is read as it comes, on a connection of its own. Raises Unreachable."""
        connection = self._connect(timeout_s)
        try:
            return connection, self._send(connection, path, None, headers)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error

    def send(self, path: str, file: IO[bytes], length: int) -> HttpResponse:
        """POST a file as it is, on a connection of its own. Raises Unreachable."""
        connection = self._connect(self.timeout_s)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(length)}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it says why before all is sent
                connection.request("POST", self._prefix + path, file, headers)
            response = connection.getresponse()
            return HttpResponse(response.status, _headers(response), response.read())
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()

    def close(self) -> None:
        """Close the connections that are not in use."""
        _close_all(self._idle)

    def _take(self) -> tuple[Connection, bool]:
        try:
            return self._idle.pop(), True
        except IndexError:
            return self._connect(self.timeout_s), False

    def _connect(self, timeout_s: float) -> Connection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)

    def _send(
        self, connection: Connection, path: str, body: bytes | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        sent = {"User-Agent": f"kbwork/{__version__}", "Accept": "application/json", **headers}
        if self._key:
            sent["Authorization"] = f"Bearer {self._key}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection.request("GET" if body is None else "POST", self._prefix + path, body, sent)
        return connection.getresponse()

    def _unreachable(self, error: Exception) -> Unreachable:
        if _timed_out(error):
            return Unreachable(f"{self.url} did not answer in time", again=False)
        broken = isinstance(error, ssl.SSLCertVerificationError)
        return Unreachable(
            f"{self.url} cannot be reached: {str(error) or type(error).__name__}", again=not broken
        )


def _parts(url: str) -> urllib.parse.SplitResult:
    try:
        parts = urllib.parse.urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise Unreachable(f"{url} is no address such as https://work.example.org", again=False)
    return parts


def _timed_out(error: Exception) -> bool:
    return isinstance(error, TimeoutError) or "timed out" in str(error)


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _close_all(idle: deque[Connection]) -> None:
    while idle:
        idle.pop().close()
