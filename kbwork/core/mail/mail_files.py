"""Files that hang on mails: bounded, and without the little pictures that signatures bring along."""

import base64
import binascii
from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from kbwork.base.dataclasses import dataclass
from kbwork.base.model import Input

MOST = 20
"""Files of one mail that are looked at."""
_ORNAMENT_BYTES = 32 * 1024
"""A picture in the text is no larger where it is part of a signature."""


@dataclass(frozen=True, slots=True)
class MailFile:
    """A file as it came."""

    name: str
    data: bytes | None
    """None where it cannot be read."""
    type: str = ""
    """What the mail says that it is."""
    related: bool = False
    """It stands in the text, as pictures do."""

    @property
    def is_ornament(self) -> bool:
        """Whether it is a picture of a signature, by all that one can tell."""
        is_picture = self.related and self.type.startswith("image/")
        return is_picture and self.data is not None and len(self.data) <= _ORNAMENT_BYTES


class PostedFile(Input):
    data: Annotated[str, Field(json_schema_extra={"maxLength": 16 * 1024 * 1024}, repr=False)]
    """Its bytes as base64."""
    name: Annotated[str, Field(max_length=8000)]
    """What it is called."""
    content_type: Annotated[str, Field(max_length=255)] | None = None
    """What the mail says that it is."""
    related: bool | None = None
    """Whether it stands in the text, as pictures do."""


PostedFiles = Annotated[list[PostedFile], Field(max_length=500)]


def read(posted: Iterable[PostedFile]) -> list[MailFile]:
    """The files that a door was given. Some 50 ms for 10 MB, so on a thread."""
    return [
        MailFile(one.name, _decoded(one.data), (one.content_type or "").lower(), bool(one.related))
        for one in posted
    ]


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
