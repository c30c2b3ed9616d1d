"""The one client for requests to elsewhere: public addresses only, checked where they are connected to."""

import asyncio
import ssl
from collections.abc import Iterable
from urllib.parse import urlencode, urljoin

import httptools

from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.operations.external import FetchedPage, ServiceCall
from kbwork.worker import addresses, places
from kbwork.worker.addresses import RequestTarget
from kbwork.worker.trust import client_context

DEADLINE_S = 5.0
MOST_BYTES = 64 * 1024
_MOST_HEADER_BYTES = 16 * 1024
_REDIRECTS = 3
_ADDRESSES = 3
_MOVED = (301, 302, 303, 307, 308)
_FAILED = "That page could not be read"
SERVICE_DEADLINE_S = 10.0
SERVICE_BYTES = 256 * 1024
_CUT_S = 0.5
"""So long after its time an answer that is cut is put together."""
_UNREACHED = "That service gave no answer that can be used"


class Outbound:
    """Gets pages. `allowed` are the operator's exceptions as `host:port`: only they may lie in a private network.

    Whatever goes wrong out there is the same UpstreamFailed, so that nobody learns from the answer what is there.
    Proxies of the environment are not asked: they would resolve names anew, behind the check.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(place.lower() for place in allowed)

    async def fetch(self, url: str, call: ServiceCall | None = None, /) -> FetchedPage:
        """Get a page: the first 64 KB, within five seconds in all, along at most three redirects.

        With a `call` a service is asked: 256 KB within ten seconds unless it says otherwise, no more than that, and no
        redirect is followed.
        Raises InvalidInput for an address that is none, that spells out a private one, or that is not `secure` where it
        is to be, UpstreamFailed for all else.
        """
        target = addresses.parse(url)
        spelt = addresses.literal(target.host)
        if spelt is not None and not addresses.is_public(spelt) and not self._is_allowed(target):
            raise InvalidInput("Private networks are refused.", field="url")
        if call is not None and call.secure and target.scheme != "https" and not self._is_allowed(target):
            raise InvalidInput("This is asked by https alone.", field="url")
        failed = _FAILED if call is None else _UNREACHED
        try:
            wait_s = DEADLINE_S if call is None else call.deadline_s or SERVICE_DEADLINE_S
            ends = asyncio.get_running_loop().time() + wait_s
            async with asyncio.timeout_at(ends if call is None or not call.cut else ends + _CUT_S):
                return await (self._follow(target) if call is None else self._ask(target, call, ends))
        except UpstreamFailed as failure:
            raise UpstreamFailed(failed, internal=failure.internal) from None
        except (TimeoutError, OSError, ssl.SSLError, UnicodeError, httptools.HttpParserError) as error:
            raise UpstreamFailed(failed, internal=f"{target.url}: {type(error).__name__}: {error}") from None

    async def _follow(self, target: RequestTarget) -> FetchedPage:
        for _ in range(_REDIRECTS + 1):
            answer = await self._ask(target)
            if answer.status not in _MOVED or "location" not in answer.headers:
                return answer
            try:
                target = addresses.parse(urljoin(target.url, answer.headers["location"]))
            except InvalidInput as problem:
                raise UpstreamFailed(_FAILED, internal=f"{target.url} redirects: {problem.detail}") from None
        raise UpstreamFailed(_FAILED, internal=f"more than {_REDIRECTS} redirects, the last to {target.url}")

    async def _ask(
        self, target: RequestTarget, call: ServiceCall | None = None, ends: float = 0.0
    ) -> FetchedPage:
        """One request on a connection of its own; `ends` is when its time is up, where the answer is cut then."""
        reader, writer = await self._connected(target)
        try:
            writer.write(_request(target, call))
            await writer.drain()
            if call is None:
                return await _read(reader, target, MOST_BYTES)
            most = call.most_bytes or SERVICE_BYTES
            if call.cut:
                return await _read_cut(reader, target, most, ends)
            answer = await _read(reader, target, most + 1)
            if len(answer.body) > most:
                raise UpstreamFailed(_UNREACHED, internal=f"{target.url} answers more than {most} bytes")
            return answer
        finally:
            writer.transport.abort()

    async def _connected(self, target: RequestTarget) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to one of the checked addresses, not to the name: it might lead elsewhere by now."""
        secure = target.scheme == "https"
        tls = await asyncio.to_thread(client_context) if secure else None
        refused: OSError | None = None
        for address in (await self._checked(target))[:_ADDRESSES]:
            try:
                return await asyncio.open_connection(
                    address,
                    target.port,
                    ssl=tls,
                    server_hostname=target.host if secure else None,
                )
            except OSError as error:
                refused = error
        raise refused or OSError("the name has no address")

    async def _checked(self, target: RequestTarget) -> list[str]:
        """The addresses of a target."""
        return await places.checked(target.host, target.port, self._allowed, failed=_FAILED)

    def _is_allowed(self, target: RequestTarget) -> bool:
        return target.place in self._allowed


class _Answer:
    """Collects what the parser finds."""

    def __init__(self) -> None:
        self.begun = False
        """Its head has come."""
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.header_bytes = 0
        self.ended = False
        self._parser = httptools.HttpResponseParser(self)

    def on_headers_complete(self) -> None:
        self.begun = True

    def on_header(self, name: bytes, value: bytes) -> None:
        self.header_bytes += len(name) + len(value)
        self.headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.ended = True

    async def fill(self, reader: asyncio.StreamReader, target: RequestTarget, most_bytes: int) -> None:
        """Take in what comes, until it ends or is enough."""
        raw = 0
        while not self.ended and len(self.body) < most_bytes:
            data = await reader.read(16 * 1024)
            if not data:
                break
            raw += len(data)
            self._parser.feed_data(data)
            if self.header_bytes > _MOST_HEADER_BYTES or raw > most_bytes + 4 * _MOST_HEADER_BYTES:
                raise UpstreamFailed(_FAILED, internal=f"{target.url} answers with too much around the page")

    def page(self, target: RequestTarget, most_bytes: int) -> FetchedPage:
        """What came. Raises UpstreamFailed where that is nothing."""
        status = self._parser.get_status_code()
        if not status:
            raise UpstreamFailed(_FAILED, internal=f"{target.url} closed without an answer")
        return FetchedPage(target.url, status, self.headers, bytes(self.body[:most_bytes]))


def _request(target: RequestTarget, call: ServiceCall | None) -> bytes:
    form = urlencode(call.form).encode() if call is not None and call.form is not None else None
    content = call.content if call is not None and form is None else form
    lines = [
        f"{'GET' if content is None else 'POST'} {target.path} HTTP/1.1",
        f"Host: {target.host_header}",
        "User-Agent: kbwork",
        f"Accept: {'text/html,*/*;q=0.5' if call is None else 'application/json'}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if call is not None and call.authorization is not None:
        lines.append(f"Authorization: {call.authorization}")
    if call is not None and call.headers is not None:
        lines += [f"{name}: {value}" for name, value in call.headers.items()]
    if form is not None:
        lines.append("Content-Type: application/x-www-form-urlencoded")
    if content is not None:
        lines.append(f"Content-Length: {len(content)}")
    assert not any("\r" in line or "\n" in line for line in lines), "a line of a head is one line"
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (content or b"")


async def _read(reader: asyncio.StreamReader, target: RequestTarget, most_bytes: int) -> FetchedPage:
    """Read until the answer ends, the connection does, or enough has come."""
    answer = _Answer()
    await answer.fill(reader, target, most_bytes)
    return answer.page(target, most_bytes)


async def _read_cut(
    reader: asyncio.StreamReader, target: RequestTarget, most_bytes: int, ends: float
) -> FetchedPage:
    """The same; what goes wrong behind the head of the answer, or takes too long, ends it there."""
    answer = _Answer()
    try:
        async with asyncio.timeout_at(ends):
            await answer.fill(reader, target, most_bytes)
    except (TimeoutError, OSError, httptools.HttpParserError, UpstreamFailed):
        if not answer.begun:
            raise
    return answer.page(target, most_bytes)
