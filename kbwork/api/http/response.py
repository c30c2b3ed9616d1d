"""Whole answers over ASGI, and how doors report them to the metrics."""

from collections.abc import Callable, Iterable

from starlette.types import Send

Observe = Callable[[str, str, int, float], None]


async def respond(  # noqa: PLR0913 - the parts of an answer, four of them by name
    send: Send,
    status: int,
    body: bytes,
    headers: dict[str, str],
    *,
    content_type: bytes = b"application/json",
    cookies: Iterable[str] = (),
) -> None:
    """One whole answer."""
    found = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    found.append((b"x-content-type-options", b"nosniff"))
    found.extend((b"set-cookie", cookie.encode()) for cookie in cookies)
    if status != 304:
        found += [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": found})
    await send({"type": "http.response.body", "body": body})
