"""Files that calls bring: their name, their bytes from base64, their type and what of them can be read."""

import base64
import binascii
import hashlib
import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, TooLarge
from kbwork.base.text import cleaned
from kbwork.db.rows import UploadRow
from kbwork.modules.attachments.content import media_types

MOST_DATA_BYTES = 10 * 1024 * 1024
"""Of a file that a call brings or takes as base64; larger ones come by an upload and go by a link."""
_HEAD_BYTES = 1024 * 1024
"""So much of a file is looked at: what it is, and what of it is searched, stands there."""
MOST_NAME_BYTES = 255
MOST_CHARS = 200_000
"""Of a file's text, for search."""
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # they make `exe.png` of `gnp.exe`


def _name(text: str) -> str:
    name = " ".join(_TURNING.sub("", cleaned(text)).split())
    name = re.split(r"[/\\]", name)[-1].strip()
    if name in ("", ".", ".."):
        raise PydanticCustomError("file-name", "should be the name of a file")
    if len(name.encode()) > MOST_NAME_BYTES:
        raise PydanticCustomError("file-name", "holds at most 255 bytes")
    return name


FileName = Annotated[str, Field(min_length=1, max_length=8000), AfterValidator(_name)]
"""A name; folders before it are cut."""
_NAME = TypeAdapter(FileName, config=ConfigDict(defer_build=True))


def _media_type(text: str) -> str:
    found = media_types.media_type(text)
    if found is None and text.strip():
        raise PydanticCustomError("media-type", "should be a media type such as text/csv")
    return found or ""


MediaType = Annotated[str, Field(max_length=255), AfterValidator(_media_type)]
Base64 = Annotated[str, Field(json_schema_extra={"maxLength": 16 * 1024 * 1024, "contentEncoding": "base64"})]
"""Bytes as base64. How long it is the door limits, as it does any body: that is 413."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came in."""

    name: str
    type: str
    size: int
    hash: bytes
    text: str | None
    """What search reads; None where that is not to be had, or only by a job."""
    data: bytes | None = None
    """None for one that was sent before."""
    pieces: int | None = None
    """What its bytes are known by, where they were written before it is there."""


def taken(name: str, data: str, claimed: str | None) -> File:
    """A file from base64, with or without `data:...;base64,` before it: some 50 ms for 10 MB, so on a thread.

    Raises InvalidInput where it is no base64, TooLarge above 10 MB.
    """
    return of_bytes(name, decoded(data), claimed)


def of_bytes(name: str, content: bytes, claimed: str | None) -> File:
    """A file whose bytes are at hand: work for a thread. Raises TooLarge above 10 MB."""
    if len(content) > MOST_DATA_BYTES:
        raise TooLarge(
            f"As base64 a file holds at most 10 MB; {name} has {len(content)} bytes. Send it to /files/upload, and name"
            " it in `upload`."
        )
    found = media_types.detect(content, name, claimed or None)
    text = media_types.searchable_text(content, found, MOST_CHARS)
    return File(name, found, len(content), hashlib.sha256(content).digest(), text or None, content)


def sent(path: Path, name: str, claimed: str | None, upload: UploadRow) -> File:
    """A file that was sent, without its bytes: its head is looked at."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    found = media_types.detect(head, name, claimed or None)
    text = media_types.searchable_text(head, found, MOST_CHARS)
    return File(name, found, upload["size"], bytes.fromhex(upload["sha256"]), text or None)


def name_of(text: str) -> str:
    """The name of a file that somebody gave it elsewhere: one that is none becomes `file`."""
    try:
        return _NAME.validate_python(text)
    except ValidationError:
        return "file"


def claimed(text: str) -> str | None:
    """The media type that somebody says a file has; None for what is none."""
    return media_types.media_type(text)


def decoded(text: str) -> bytes:
    """Bytes from base64, with or without `data:...;base64,` before it. Raises InvalidInput."""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("This is not base64.", field="data") from None


def fits(name: str, content_type: str, allowed: list[str]) -> bool:
    """Whether the org takes such files. `allowed` holds endings (`.pdf`) and media types (`image/*`); none: all."""
    if not allowed:
        return True
    for entry in allowed:
        if "/" in entry:
            family = entry.removesuffix("*")
            if content_type == entry or (family != entry and content_type.startswith(family)):
                return True
        elif name.lower().endswith("." + entry.removeprefix("*").removeprefix(".")):
            return True
    return False
