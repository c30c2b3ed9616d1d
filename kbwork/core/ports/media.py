"""Pictures and files that the server sends from the data file: declared by modules, served by a door."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read

if TYPE_CHECKING:
    from kbwork.core.operations.external import External

Picture = tuple[str, bytes]
"""(media type, bytes)."""


@dataclass(frozen=True, slots=True)
class PiecedData:
    """Bytes that are read a piece at a time, each for itself."""

    size: int
    piece_bytes: int
    """Of each piece but the last."""
    read: Callable[[Read, int], bytes | None]
    """The piece with this number, from 0 on; None where it is gone meanwhile."""
    asked: range | None = None
    """The bytes that are wanted of it; None: all."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file that is saved under its name and never shown: whatever is in it, no browser runs it."""

    name: str
    type: str
    data: bytes | Path | PiecedData
    """What is in it, or where that is: then it may be of any size."""
    etag: str | None = None
    """Names what is in it; who was cut off asks for the rest of that."""


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """A picture that was made smaller."""

    type: str
    data: bytes
    etag: str


class MakeSmaller(Protocol):
    """Gets what an operation holds that waits for the outside, what follows the path, and the width that is asked for,
    as it was sent. Raises NotFound as `Find` does, InvalidInput for a width or a file of which none is made, Busy."""

    def __call__(self, out: "External", ref: str, width: str) -> Awaitable[SmallPicture]: ...


class Find(Protocol):
    """Gets what follows the path; answers a picture, a file, or None. Raises NotFound where there is more to say."""

    def __call__(self, tx: Read, ref: str) -> Picture | Download | None: ...


@dataclass(frozen=True, kw_only=True)
class Media:
    """What stands at a path: `find` gets what follows it.

    `public` is sent to whoever asks; the rest to signed-in callers, as far as `find` lets them see it.
    """

    path: str
    home: str
    find: Find
    public: bool = False
    threaded: bool = False
    """It may be large, and is read on a thread."""
    smaller: MakeSmaller | None = None
    """Makes its pictures smaller, where `?w=` asks for that."""

    @property
    def read_name(self) -> str:
        """What its reads are called where reads are timed."""
        return f"media {self.path}"
