"""One request: what its head says of who calls and from where, and its body, counted while it comes."""

import json
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.types import Message, Receive, Scope, Send

from kbwork.api.http.body import Body
from kbwork.api.http.compression import fitted
from kbwork.api.http.exchange import ANSWER, Answer
from kbwork.api.http.response import Response
from kbwork.api.http.site import Frame
from kbwork.base import ids
from kbwork.base.clock import monotonic
from kbwork.base.errors import InvalidInput, NotAllowed, TooLarge, UnsupportedType
from kbwork.base.peers import peer_of
from kbwork.core.operations.call import CLIENT_CHARS, Credentials

SESSION_COOKIE = "kb"
DEVICE_COOKIE = "kb_device"
"""Over https `__Host-` stands before it and before that of the session: no neighbouring site can set them."""
_DEVICE_DAYS = 400
_DAY_S = 86400
_JSON = b"application/json"
_UTF_8 = ("utf-8", "us-ascii")
"""Charsets whose texts are UTF-8 as they are."""


class RequestTooLong(Exception):
    """The client went away, or the body took too long: nobody is there to answer."""


class Head:
    """The head of one request, read when it is asked for."""

    __slots__ = (
        "_base_url",
        "_cookies",
        "_headers",
        "_new_device",
        "_page",
        "_request",
        "_sent",
        "address",
        "method",
    )

    def __init__(
        self,
        headers: dict[bytes, bytes],
        method: str,
        address: str | None,
        base_url: str,
        sent: Sequence[tuple[bytes, bytes]] = (),
    ) -> None:
        """`sent` are the headers one by one, where some may have been sent twice."""
        self._headers = headers
        self._sent = sent
        self._base_url = base_url
        self._cookies: dict[str, str] | None = None
        self._request: str | None = None
        self._new_device: str | None = None
        self._page = False
        self.method = method
        self.address = address

    @property
    def request(self) -> str:
        """The name of this request, in logs and problems."""
        if self._request is None:
            self._request = ids.request_id()
        return self._request

    def text(self, name: str) -> str | None:
        """A header as text, or None."""
        value = self._headers.get(name.encode())
        return value.decode("latin-1") if value is not None else None

    @property
    def accepted(self) -> bytes | None:
        """In which codings it takes the answer."""
        return self._headers.get(b"accept-encoding")

    @property
    def length(self) -> int | None:
        value = self._headers.get(b"content-length", b"")
        return int(value) if value.isdigit() else None

    @property
    def json(self) -> bool:
        kind = self._headers.get(b"content-type", b"")
        return kind == _JSON or kind.split(b";")[0].strip().lower() == _JSON

    @property
    def utf_8(self) -> bool:
        """Whether the body is not announced in another charset."""
        kind = self._headers.get(b"content-type", b"")
        if b";" not in kind:  # of nearly every call
            return True
        _, *more = kind.decode("latin-1").lower().split(";")
        pairs = (part.partition("=") for part in more)
        named = [value.strip().strip('"') for name, _, value in pairs if name.strip() == "charset"]
        return all(name in _UTF_8 for name in named)

    @property
    def encoded(self) -> bool:
        coding = self._headers.get(b"content-encoding")
        return coding is not None and coding.strip().lower() not in (b"identity", b"")

    @property
    def secure(self) -> bool:
        return self._base_url.startswith("https:")

    @property
    def own_origin(self) -> str:
        """The origin that pages of this site have: the configured address, else the one that was asked."""
        if self._base_url:
            parts = urlsplit(self._base_url)
            return f"{parts.scheme}://{parts.netloc}"
        return f"http://{self.text('host') or ''}"

    @property
    def browser(self) -> bool:
        """A page of this site is calling."""
        if self._page:
            return True
        origin = self._headers.get(b"origin")
        return origin is not None and origin.decode("latin-1") == self.own_origin

    def take_as_page(self) -> None:
        """A browser goes to a page that acts at once, and says no Origin then: what the page does must be harmless
        where another site sent the browser here."""
        self._page = True

    @property
    def cookie_token(self) -> str | None:
        if b"cookie" not in self._headers:
            return None
        return self.cookies.get(self._named(SESSION_COOKIE))

    @property
    def cookies(self) -> dict[str, str]:
        if self._cookies is None:
            from http.cookies import CookieError, SimpleCookie  # noqa: PLC0415 - for browsers alone

            jar: SimpleCookie = SimpleCookie()
            try:
                jar.load(self.text("cookie") or "")
            except CookieError:
                jar.clear()
            self._cookies = {name: morsel.value for name, morsel in jar.items()}
        return self._cookies

    @property
    def bearer(self) -> str | None:
        """The bearer token; an Authorization of another sort, or two of them, is a token nobody has."""
        value = self._headers.get(b"authorization")
        if value is None:
            return None
        kind, _, token = value.decode("latin-1").partition(" ")
        if (kind != "Bearer" and kind.lower() != "bearer") or self._is_twice(b"authorization"):
            return ""
        return token.strip()

    def _is_twice(self, name: bytes) -> bool:
        """Whether a header was sent more than once; `text` has the last."""
        return len(self._headers) < len(self._sent) and sum(name == one for one, _ in self._sent) > 1

    @property
    def device(self) -> str | None:
        """The browser's device cookie; a browser without one is given it when it signs in."""
        if not self.browser:
            return None
        found = self.cookies.get(self._named(DEVICE_COOKIE))
        if found is None:
            found = self._new_device = self._new_device or ids.token("d_")
        return found

    def credentials(self) -> Credentials:
        """The bearer token wins; a cookie counts where there is none."""
        token = self.bearer
        if token is None:
            token = self.cookie_token
        browser = self.browser
        device = self.device if browser else None
        return Credentials(token, self.address, self.request, browser, device, client=self.client)

    @property
    def client(self) -> str | None:
        """What the program that calls says of itself. Raises InvalidInput where it is too long or cannot be printed."""
        found = self.text("x-kb-client")
        if found is not None and not (
            0 < len(found) <= CLIENT_CHARS and found.isascii() and found.isprintable()
        ):
            raise InvalidInput(
                f"X-KB-Client should be 1 to {CLIENT_CHARS} printable ASCII characters.", field="X-KB-Client"
            )
        return found

    def into_cookie(self, body: bytes, lives_s: Callable[[str], int]) -> tuple[bytes, list[str]]:
        """Move the `token` of a sign-in from the answer into a cookie that scripts cannot read.

        `lives_s` says how long a session may live: the cookie of one that ends within a day goes with the browser. A
        new browser is told which it is, also where it is half way in.
        """
        answer = json.loads(body)
        token = answer.get("token")
        cookies = []
        if self._new_device is not None:
            cookies.append(self._cookie(self._named(DEVICE_COOKIE), self._new_device, _DEVICE_DAYS * _DAY_S))
        if not token:
            return body, cookies
        answer["token"] = ""
        seconds = lives_s(token)
        cookies.append(self.session_cookie(token, seconds if seconds > _DAY_S else None))
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode(), cookies

    def cookie(self, name: str) -> str | None:
        """What a cookie of this site holds, beside those of members' sessions and devices."""
        return self.cookies.get(self._named(name)) if b"cookie" in self._headers else None

    def own_cookie(self, name: str, value: str, seconds: int) -> str:
        """Sets such a cookie, which scripts cannot read."""
        return self._cookie(self._named(name), value, seconds)

    def session_cookie(self, token: str, seconds: int | None) -> str:
        return self._cookie(self._named(SESSION_COOKIE), token, seconds)

    def clear_cookies(self) -> list[str]:
        return [self._cookie(self._named(SESSION_COOKIE), "", 0)]

    def _named(self, cookie: str) -> str:
        return f"__Host-{cookie}" if self.secure else cookie

    def _cookie(self, name: str, value: str, seconds: int | None) -> str:
        """Without a time it lasts until the browser is closed."""
        age = f"; Max-Age={seconds}" if seconds is not None else ""
        secure = "; Secure" if self.secure else ""
        return f"{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}"


class Request:
    """One request, as far as its head says it."""

    __slots__ = ("cls", "counted", "found", "head", "path", "since")

    def __init__(self, path: str, head: Head) -> None:
        self.since = monotonic()
        """When it began to be answered."""
        self.path = path
        self.head = head
        self.cls = "other"
        """In the metrics: the class of the operation, once that is known."""
        self.counted = True
        """Whether the metrics count it."""
        self.found: object = None
        """What the door found it to be, kept for a refusal. It holds no Request: that would be a circle to collect."""


class AsgiRequest(Request):
    """One request by ASGI, its body as it comes, and where its answer goes."""

    __slots__ = ("_whole", "receive", "scope", "send")

    def __init__(self, scope: Scope, receive: Receive, send: Send, site: Frame) -> None:
        client = scope.get("client")
        sent = scope["headers"]
        proxies = site.proxies
        address = proxies.caller(client[0] if client else None, _joined(sent) if proxies else {})
        head = Head(dict(sent), scope["method"], address, site.base_url, sent)
        super().__init__(scope["path"], head)
        self.scope = scope
        self.receive = Body(receive, site.bodies, peer_of(address or ""))
        self.send = send
        self._whole: Answer = scope.get("extensions", {}).get(ANSWER) or _by_asgi(send)
        """Where a whole answer goes: to the server at once where it offers that, else as ASGI has it."""

    async def answer(self, response: Response) -> None:
        """Send a whole answer."""
        await self._whole(await fitted(response, self.head.accepted))


def _joined(sent: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers by their names; of one that was sent more than once all that it says."""
    found: dict[bytes, bytes] = {}
    for name, value in sent:
        found[name] = found[name] + b"," + value if name in found else value
    return found


def _by_asgi(send: Send) -> Answer:
    async def answer(response: Response) -> None:
        status, headers = response.status, response.headers
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    return answer


def require_own_page(head: Head) -> None:
    """A request that lives on a cookie must come from a page of this site. Raises NotAllowed."""
    if head.cookie_token is None or head.bearer is not None or head.method in ("GET", "HEAD"):
        return
    site = head.text("sec-fetch-site")
    if not head.browser or site not in (None, "same-origin"):
        raise NotAllowed(
            "A session in a cookie is for pages of this site: the Origin does not fit. Programs send a key."
        )


def require_json(head: Head, what: str = "body") -> None:
    """Raises UnsupportedType where the body is not announced as plain JSON."""
    if not head.json or head.encoded:
        raise UnsupportedType(
            f"Send the {what} as `Content-Type: application/json`, without a Content-Encoding."
        )
    require_utf_8(head, what)


def require_utf_8(head: Head, what: str = "body") -> None:
    """Raises UnsupportedType where the body is announced in another charset."""
    if not head.utf_8:
        raise UnsupportedType(f"Send the {what} in UTF-8: no other charset is spoken here.")


def require_length(head: Head, most_bytes: int) -> None:
    """Raises TooLarge where more than that is announced."""
    if head.length is not None and head.length > most_bytes:
        raise too_large(most_bytes)


def too_large(most_bytes: int) -> TooLarge:
    """The refusal of a body; the connection ends with it, since what is left of the body is not waited for."""
    problem = TooLarge(f"A body holds at most {most_bytes} bytes.")
    problem.headers["Connection"] = "close"
    return problem


def require_size(body: bytes, most_bytes: int) -> None:
    """Raises TooLarge where the body, which is there, holds more than that."""
    if len(body) > most_bytes:
        raise too_large(most_bytes)


async def read_body(receive: Receive, most_bytes: int, length: int | None) -> bytes:
    """The whole body, counted while it comes.

    Raises TooLarge, RequestTooLong when the client went away, or Busy where too much is being sent.
    """
    message = await receive()
    if message["type"] == "http.disconnect":
        raise RequestTooLong("the client closed")
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        require_size(body, most_bytes)
        return body
    parts, size = [body], len(body)
    while message.get("more_body", False):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestTooLong(f"{size} of {length} bytes came")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most_bytes:
            raise too_large(most_bytes)
    return b"".join(parts)


def replayed(body: bytes, rest: Receive) -> Receive:
    """`receive` for an application that has yet to read the body, which was read here; what else comes is of `rest`."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return unread.pop() if unread else await rest()

    return receive
