"""Answers of reads, kept until the next commit, or as long as the document that they are: most polls are answered
without running anything."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable

from kbwork.core.operations.declare import Rendered
from kbwork.db.documents import Entry

MOST_BYTES = 16 * 1024 * 1024
"""320 lists of fifty issues: what is asked again within one minute and one commit."""
_ENTRY_BYTES = 500
"""What an entry takes beside its input and its answer."""
MOST_TEXT_BYTES = 2 * 1024 * 1024
"""40 lists of fifty issues."""
LONG_TEXT_BYTES = MOST_TEXT_BYTES // 8
"""One that is longer would take the place of many."""
MOST_DOCUMENTS = 16_384
"""About 400 bytes each beside the document."""
Version = tuple[int, int]
"""The number of the commit and the minute at which an answer was made."""


def of(body: bytes) -> str:
    """A strong ETag: a hash of the answer."""
    return of_digest(digest(body))


def digest(body: bytes) -> bytes:
    """What an ETag says of an answer."""
    return hashlib.blake2b(body, digest_size=16).digest()


def of_digest(found: bytes) -> str:
    """The ETag of an answer with this digest."""
    return f'"{found.hex()}"'


def matches(header: str | None, etag: str) -> bool:
    """Whether `If-None-Match` (a list, or `*`) holds this ETag."""
    if header is None:
        return False
    if header == etag or header.strip() == "*":
        return True
    return etag in (part.strip().removeprefix("W/") for part in header.split(","))


class Answers:
    """(caller, op, input) -> the answer at one version of the data, the least used dropped first.

    No answer outlives its version, so all go when the first of another one is asked for. One that is put together of
    documents counts as if it was there as a text: nobody else may hold those any more.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, bytes], tuple[Rendered, int]] = OrderedDict()
        """With the length of each as a text."""
        self._version: Version | None = None
        self._bytes = 0

    def get(self, key: tuple[str, str, bytes], version: Version) -> Rendered | None:
        """The answer made at this version, or None."""
        if version != self._version:
            self.clear()
            self._version = version
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: tuple[str, str, bytes], version: Version, made: Rendered, text: bytes) -> Rendered:
        """Keep an answer, unless others were asked for at another version while it was made; answers it as it is kept:
        the text of a long one, which nobody else keeps, comes along."""
        if len(text) > LONG_TEXT_BYTES:
            made = made._replace(body=text)
        if version != self._version:
            return made
        if key in self._kept:
            self._drop(key)
        self._kept[key] = made, len(text)
        self._bytes += len(text) + len(key[2]) + _ENTRY_BYTES
        while self._bytes > MOST_BYTES:
            self._drop(next(iter(self._kept)))
        return made

    def clear(self) -> None:
        self._kept.clear()
        self._bytes = 0

    def _drop(self, key: tuple[str, str, bytes]) -> None:
        self._bytes -= self._kept.pop(key)[1] + len(key[2]) + _ENTRY_BYTES


class AnswerTexts:
    """(caller, op, ETag) -> the answer, the least used dropped first.

    What an ETag says holds whatever is written meanwhile, so that who asks in another way, or again, gets the same text
    without putting it together.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, bytes], bytes] = OrderedDict()
        self._bytes = 0

    def of(self, caller: str, op: str, made: Rendered) -> bytes:
        """The text of an answer."""
        if isinstance(made.body, bytes):
            return made.body
        key = (caller, op, made.digest)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        found = made.text()
        if len(found) > LONG_TEXT_BYTES:
            return found
        self._kept[key] = found
        self._bytes += len(found) + _ENTRY_BYTES
        while self._bytes > MOST_TEXT_BYTES:
            _, old = self._kept.popitem(last=False)
            self._bytes -= len(old) + _ENTRY_BYTES
        return found

    def clear(self) -> None:
        self._kept.clear()
        self._bytes = 0


class DocumentAnswers:
    """(caller, op, input) -> an answer that is one document, the least used dropped first.

    Commits that are about something else do not end them. The bodies are those of the documents, and counted there.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, bytes], tuple[int, Rendered]] = OrderedDict()

    def get(
        self, key: tuple[str, str, bytes], access: int, holds: Callable[[Entry], bool]
    ) -> Rendered | None:
        """The answer made at this state of access, if its document still holds."""
        found = self._kept.get(key)
        if found is None:
            return None
        made_at, made = found
        if made_at != access or made.entry is None or not holds(made.entry):
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return made

    def put(self, key: tuple[str, str, bytes], access: int, made: Rendered) -> None:
        """Keep what was answered from a document, to somebody with the rights of this state of access."""
        self._kept[key] = (access, made)
        if len(self._kept) > MOST_DOCUMENTS:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        self._kept.clear()
