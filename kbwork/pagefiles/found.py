"""What was found in a file: pages in their order and the files that they name. Both ends of the reader know it."""

import json
import re
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import BODY_CHARS

MOST_PAGES = 500
MOST_CHARS = 10_000_000
MOST_FILES = 500
MOST_FILE_BYTES = 50_000_000
_MOST_OF_ONE = 10 * 1024 * 1024
"""Bytes of a file that comes along: as many as a call brings by itself."""
_LENGTH_BYTES = 8
TOKEN = re.compile("\0([pf])([0-9]{1,6})\0")
"""Stands in a text for a page (`p`) or a file (`f`) by its number: no text holds this character by itself."""


@dataclass(slots=True)
class FoundPage:
    """A page as it is to be; what it names has numbers in place of ids."""

    title: str
    body: str
    source: str
    """Where it was found, for whoever is refused."""
    parent: int | None = None
    """The number of the page that it stands below; it comes before this one."""
    icon: str | None = None
    labels: list[str] = field(default_factory=list)
    properties: dict[str, Any] = field(default_factory=dict)
    draft: bool = False
    files: list[int] = field(default_factory=list)
    """Numbers of files that hang on it though no text names them."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as it was found."""

    name: str
    source: str
    data: bytes


@dataclass(frozen=True, slots=True)
class FoundPages:
    """All that a file brings, each page behind the one that it stands below."""

    pages: list[FoundPage]
    files: list[FoundFile]

    def below(self, title: str) -> "FoundPages":
        """The same below a page of this title."""
        for page in self.pages:
            page.parent = page.parent + 1 if page.parent is not None else 0
            page.body = TOKEN.sub(
                lambda one: page_token(int(one[2]) + 1) if one[1] == "p" else one[0], page.body
            )
        return FoundPages([FoundPage(title, "", "the archive"), *self.pages], self.files)

    def require_fitting(self) -> None:
        """Raises ImportRefused where it is more than comes in at once."""
        if len(self.pages) > MOST_PAGES:
            raise ImportRefused(f"{MOST_PAGES} pages are brought in at once at most.", large=True)
        for page in self.pages:
            if len(page.body) > BODY_CHARS:
                raise ImportRefused(
                    f"{page.source} holds more than a million characters: cut it up.", large=True
                )
        if sum(len(page.body) for page in self.pages) > MOST_CHARS:
            raise ImportRefused(
                f"The pages hold more than {MOST_CHARS // 1_000_000} million characters.", large=True
            )
        if len(self.files) > MOST_FILES:
            raise ImportRefused(f"{MOST_FILES} files are brought in at once at most.", large=True)
        for file in self.files:
            if len(file.data) > _MOST_OF_ONE:
                raise ImportRefused(
                    f"The file {file.source} holds more than 10 MB: attach it by itself.", large=True
                )
        if sum(len(file.data) for file in self.files) > MOST_FILE_BYTES:
            raise ImportRefused(f"The files hold more than {MOST_FILE_BYTES // 1_000_000} MB.", large=True)


class ImportRefused(Exception):
    """Why a file is not taken, in words for whoever sent it."""

    def __init__(self, why: str, *, large: bool = False) -> None:
        super().__init__(why)
        self.large = large


def page_token(number: int) -> str:
    return f"\0p{number}\0"


def file_token(number: int) -> str:
    return f"\0f{number}\0"


def packed(found: FoundPages) -> bytes:
    """As one process hands it to another: what is known as JSON, and behind it the bytes of the files."""
    head = {
        "pages": [
            {
                "title": one.title,
                "body": one.body,
                "source": one.source,
                "parent": one.parent,
                "icon": one.icon,
                "labels": one.labels,
                "properties": one.properties,
                "draft": one.draft,
                "files": one.files,
            }
            for one in found.pages
        ],
        "files": [{"name": one.name, "source": one.source, "size": len(one.data)} for one in found.files],
    }
    return _framed(head) + b"".join(one.data for one in found.files)


def packed_refusal(error: ImportRefused) -> bytes:
    return _framed({"refused": str(error), "large": error.large})


def _framed(head: dict[str, Any]) -> bytes:
    text = json.dumps(head).encode()
    return len(text).to_bytes(_LENGTH_BYTES, "big") + text


def unpacked(data: bytes) -> FoundPages:
    """What `packed` made. Raises ImportRefused where that was the answer, ValueError where it is cut."""
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "big")
    head = json.loads(data[_LENGTH_BYTES:start])
    if "refused" in head:
        raise ImportRefused(head["refused"], large=head["large"])
    files: list[FoundFile] = []
    for one in head["files"]:
        files.append(FoundFile(one["name"], one["source"], data[start : start + one["size"]]))
        start += one["size"]
    if start != len(data):
        raise ValueError("the answer of the reader is cut")
    return FoundPages([FoundPage(**one) for one in head["pages"]], files)
