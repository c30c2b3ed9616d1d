"""Whole answers, and how doors report them to the metrics."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

Observe = Callable[[str, str, int, float], None]
_STRAY = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What no value of a header holds: a line break would begin another header."""


class Response(NamedTuple):
    """One whole answer."""

    status: int
    lines: bytes
    """Those of the headers, with names in lower case, each ended by CR LF."""
    body: bytes
    packs: Callable[[bytes, bytes], bytes] | None = None
    """What makes fewer bytes of the body in a coding, for who takes them so (`compression`); None where nothing may."""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The lines as ASGI has them."""
        found = (line.split(b": ", 1) for line in self.lines.split(b"\r\n")[:-1])
        return [(name, value) for name, value in found]


def response(
    status: int,
    body: bytes,
    headers: Mapping[str, str],
    *,
    content_type: str = "application/json",
    cookies: Iterable[str] = (),
) -> Response:
    """A whole answer. Raises ValueError where a value holds what no header may."""
    found = [
        *((name.lower(), value) for name, value in headers.items()),
        ("x-content-type-options", "nosniff"),
        *(("set-cookie", cookie) for cookie in cookies),
    ]
    if status != 304:
        found += [("content-type", content_type), ("content-length", str(len(body)))]
    return Response(status, header_lines(found), body)


def header_lines(headers: Iterable[tuple[str, str]]) -> bytes:
    """The lines of headers whose names are in lower case. Raises ValueError where a value holds what none may."""
    found = list(headers)
    if _STRAY.search("".join([value for _, value in found])):
        raise ValueError(f"A header holds a character that none may: {found}")
    return "".join([f"{name}: {value}\r\n" for name, value in found]).encode("latin-1")
