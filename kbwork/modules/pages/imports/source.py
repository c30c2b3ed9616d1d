"""What somebody sent, read in a process of its own."""

import subprocess

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, Problem, TooLarge
from kbwork.core import own_programs
from kbwork.core.operations.turns import TurnPool
from kbwork.modules.attachments import files
from kbwork.pagefiles.found import FoundPage, FoundPages, ImportRefused, unpacked

READERS = TurnPool(
    "kbwork-page-import", 1, 8, "Too many files are being brought in just now", runs_programs=True
)
MOST_S = 90
"""What a file may take on a machine that has other things to do, too; of the processor it gets 20 seconds."""
_READER = "kbwork.pagefiles.reader"


@dataclass(frozen=True, slots=True)
class ReadPages:
    """Pages as they were found, and their files as they are kept."""

    pages: list[FoundPage]
    files: list[files.File]


def read(form: str, data: str, title: str) -> ReadPages:
    """The pages in a file that came as base64: work for a thread. Raises InvalidInput or TooLarge."""
    content = files.decoded(data)
    if len(content) > files.MOST_DATA_BYTES:
        raise TooLarge("As base64 a file holds at most 10 MB: bring it in in parts.")
    if not content:
        raise InvalidInput("The file is empty.", field="data")
    try:
        found = _found(form, content, title)
    except ImportRefused as error:
        raise _problem(error) from None
    kept = [files.of_bytes(files.name_of(one.name), one.data, None) for one in found.files]
    return ReadPages(found.pages, kept)


def _found(form: str, content: bytes, title: str) -> FoundPages:
    """Raises ImportRefused."""
    try:
        done = own_programs.run(_READER, form, title, given=content, most_s=MOST_S)
    except subprocess.TimeoutExpired:
        raise ImportRefused("Reading the file takes too long: bring it in in parts.", large=True) from None
    if done.returncode != 0:
        raise ImportRefused(
            "The file cannot be read: it is broken, or takes more time or memory than an import may use."
        )
    return unpacked(done.stdout)


def _problem(error: ImportRefused) -> Problem:
    return TooLarge(str(error)) if error.large else InvalidInput(str(error), field="data")
