"""Pictures that calls bring: which formats there are, and how they are told by their first bytes."""

import base64
import binascii
import hashlib

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput

MOST_BYTES = 1_000_000
MOST_CHARS = 1_400_000
"""The same as base64, with a `data:` prefix."""
FORMATS = ("image/png", "image/jpeg", "image/gif", "image/webp")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture; `digest` changes with its bytes, so an address that holds it may be kept for ever."""

    type: str
    data: bytes
    digest: str


def picture(text: str, *, field: str = "data") -> Picture:
    """A picture from base64, with or without `data:...;base64,` before it.

    Raises InvalidInput where it is no base64, above 1 MB, or no PNG, JPEG, GIF or WebP. SVG is refused: it may hold
    scripts.
    """
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("This is not base64.", field=field) from None
    if len(data) > MOST_BYTES:
        raise InvalidInput("A picture holds at most 1 MB.", field=field)
    found = _type(data)
    if found is None:
        raise InvalidInput(
            "This is no picture that is taken here: send PNG, JPEG, GIF or WebP.",
            field=field,
            allowed=list(FORMATS),
        )
    return Picture(found, data, hashlib.sha256(data).hexdigest()[:12])


def _type(data: bytes) -> str | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None
