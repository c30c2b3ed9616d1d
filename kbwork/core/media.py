"""Pictures that the server shows from the data file, such as members': declared by modules, served by a door."""

from dataclasses import dataclass
from typing import Protocol

from kbwork.db.tx import Read


class Find(Protocol):
    """Gets what follows the path; answers (media type, bytes), or None."""

    def __call__(self, tx: Read, ref: str) -> tuple[str, bytes] | None: ...


@dataclass(frozen=True, kw_only=True)
class Media:
    """What stands at a path: `find` gets what follows it and answers (media type, bytes), or None.

    `public` is shown to whoever asks; the rest to signed-in callers, as far as `find` lets them see it.
    """

    path: str
    home: str
    find: Find
    public: bool = False
