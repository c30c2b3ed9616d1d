"""The words of tus 1.0: what its headers ask, and how it answers."""

import base64
import binascii
from collections.abc import Mapping
from email.utils import formatdate

from pydantic import ConfigDict, TypeAdapter, ValidationError

from kbwork.api.http.request import Head
from kbwork.api.http.response import Response, header_lines
from kbwork.base.errors import InvalidInput, UnsupportedType
from kbwork.base.model import Name
from kbwork.core.ports.uploads import OpenUpload

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,expiration,termination"
PIECE = "application/offset+octet-stream"
METHODS = "OPTIONS, POST, HEAD, PATCH, DELETE"
_MOST_DIGITS = 18
_MOST_METADATA = 4096
_NAME: TypeAdapter[str] = TypeAdapter(Name, config=ConfigDict(defer_build=True))


class OtherVersion(InvalidInput):
    """Of tus, or none; it is answered with those that are spoken here."""

    status = 412

    def __init__(self, said: str | None) -> None:
        super().__init__(f"Send `Tus-Resumable: {VERSION}`; this said {said or 'nothing'!r:.40}.")
        self.headers["Tus-Version"] = VERSION


def method(head: Head) -> str:
    """What is asked: a POST may say that it is another one."""
    said = head.text("x-http-method-override")
    return said.upper() if said is not None and head.method == "POST" else head.method


def is_spoken(head: Head) -> bool:
    """Whether a POST announces a file, and is none itself."""
    return any(
        head.text(name) is not None for name in ("tus-resumable", "upload-length", "upload-defer-length")
    )


def require_version(head: Head) -> None:
    """Raises OtherVersion."""
    if (said := head.text("tus-resumable")) != VERSION:
        raise OtherVersion(said)


def length(head: Head) -> int:
    """How large the file will be. Raises InvalidInput."""
    if head.text("upload-defer-length") is not None:
        raise InvalidInput(
            "A file whose size is not known yet does not come in pieces here: say it in Upload-Length.",
            field="Upload-Length",
        )
    return _number(head, "Upload-Length")


def offset(head: Head) -> int:
    """Where the piece begins. Raises InvalidInput."""
    return _number(head, "Upload-Offset")


def _number(head: Head, name: str) -> int:
    said = (head.text(name.lower()) or "").strip()
    if not (said.isascii() and said.isdigit() and len(said.lstrip("0")) <= _MOST_DIGITS):
        raise InvalidInput(f"{name} should be a number of bytes, such as 1048576.", field=name)
    return int(said)


def has_piece(head: Head) -> bool:
    """Whether the request brings bytes of the file."""
    return (head.text("content-type") or "").partition(";")[0].strip().lower() == PIECE


def require_piece(head: Head) -> None:
    """Raises UnsupportedType."""
    if not has_piece(head) or head.encoded:
        raise UnsupportedType(f"Send the bytes as they are, as `Content-Type: {PIECE}`.")


def name(head: Head) -> str:
    """What the file is called, by `filename` of the metadata; `file` where nothing is said. Raises InvalidInput."""
    said = head.text("upload-metadata") or ""
    if len(said) > _MOST_METADATA:
        raise InvalidInput(
            f"Upload-Metadata holds at most {_MOST_METADATA} characters.", field="Upload-Metadata"
        )
    found: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in said.split(","))):
        key, _, value = pair.partition(" ")
        if key in found:
            raise InvalidInput(f"Upload-Metadata says {key[:40]!r} twice.", field="Upload-Metadata")
        found[key] = value.strip()
    return _name(found["filename"]) if "filename" in found else "file"


def _name(encoded: str) -> str:
    try:
        text = base64.b64decode(encoded, validate=True).decode()
        return _NAME.validate_python(text)[:255]
    except (binascii.Error, ValueError, ValidationError):
        raise InvalidInput(
            "`filename` of Upload-Metadata should be the name of the file in UTF-8, as base64.",
            field="Upload-Metadata",
        ) from None


def spoken(most_bytes: int) -> Mapping[str, str]:
    """What a client asks first."""
    return {"Tus-Version": VERSION, "Tus-Extension": EXTENSIONS, "Tus-Max-Size": str(most_bytes)}


def standing(upload: OpenUpload) -> dict[str, str]:
    """How much of a file is here, and until when."""
    return {
        "Upload-Offset": str(upload.offset),
        "Upload-Expires": formatdate(upload.expires_at, usegmt=True),
    }


def answer(status: int, headers: Mapping[str, str]) -> Response:
    """An answer without a body."""
    said = {"cache-control": "no-store", "tus-resumable": VERSION, "x-content-type-options": "nosniff"}
    said |= {key.lower(): value for key, value in headers.items()}
    if status != 204:
        said["content-length"] = "0"
    return Response(status, header_lines(said.items()), b"")
