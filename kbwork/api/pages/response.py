"""What a page handler answers, and the headers that every page carries."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.operations import etag
from kbwork.core.ports.media import Download, PiecedData, SmallPicture

HTML = "text/html; charset=utf-8"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "form-action 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
SAFETY = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""With `X-Content-Type-Options: nosniff`, which every answer of the server has."""


@dataclass(frozen=True, slots=True)
class PageResponse:
    """One whole answer. One with an ETag is asked for again by it, and is the same for everybody unless `private`."""

    body: bytes | Path | PiecedData
    status: int = 200
    kind: str = HTML
    headers: dict[str, str] = field(default_factory=dict)
    etag: str | None = None
    private: bool = False
    in_parts: bool = False
    """A part of it may be asked for."""

    @property
    def size(self) -> int:
        """Of what is no file on disk."""
        assert not isinstance(self.body, Path)
        return len(self.body) if isinstance(self.body, bytes) else self.body.size


@dataclass(frozen=True, slots=True)
class Again:
    """Go on with the form that was interrupted: it is in the visit now, for this path."""

    path: str


def lasting(body: bytes, kind: str = HTML, **headers: str) -> PageResponse:
    """What changes with the version of the program alone. A header is named with `_` for `-`."""
    named = _named({"Cache-Control": "no-cache"}, headers)
    return PageResponse(body, kind=kind, headers=named, etag=etag.of(body))


def download(file: Download) -> PageResponse:
    """A file to be saved: whatever is in it, no browser shows or runs it, and nobody on the way keeps it."""
    plain = re.sub(r"[^A-Za-z0-9 ._()-]", "_", file.name)
    headers = {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "private, no-store",
    }
    if file.etag is None:
        return PageResponse(file.data, kind=file.type, headers=headers)
    headers["Accept-Ranges"] = "bytes"
    return PageResponse(
        file.data, kind=file.type, headers=headers, etag=file.etag, private=True, in_parts=True
    )


def small_picture(found: SmallPicture) -> PageResponse:
    """A picture for a page of this site. Whoever has it asks each time, since they may have lost sight of it."""
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Vary": "Authorization, Cookie",
    }
    return PageResponse(found.data, kind=found.type, headers=headers, etag=found.etag, private=True)


def redirect(path: str, **headers: str) -> PageResponse:
    """Go and look there: what a form that succeeded answers. A header is named with `_` for `-`."""
    return PageResponse(b"", 303, headers=_named({"Location": path, "Cache-Control": "no-store"}, headers))


def _named(ours: dict[str, str], headers: Mapping[str, str]) -> dict[str, str]:
    return ours | {name.replace("_", "-"): value for name, value in headers.items()}
