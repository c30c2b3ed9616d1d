"""Reads what somebody sent, in a process of its own: `python -m kbwork.pagefiles.reader FORM`.

The bytes are on standard input, the title on the command line behind the form; on standard output stands what
`found.packed` makes.
"""

import os
import sys

from kbwork.pagefiles import archive, confluence, documents, folders, single
from kbwork.pagefiles.found import FoundFile, FoundPages, ImportRefused, packed, packed_refusal
from kbwork.pagefiles.front_matter import one_line
from kbwork.pagefiles.tree import Forest, PageNode

MOST_CPU_S = 20
MOST_MEMORY = 1_500_000_000


def read(form: str, data: bytes, title: str) -> FoundPages:
    """Raises ImportRefused."""
    found = _archive(data, title) if form == "zip" else _one(form, data, title)
    found.require_fitting()
    return found


def _one(form: str, data: bytes, title: str) -> FoundPages:
    files: list[FoundFile] = []
    document = single.read(form, data, "The file", files)
    head, body = document.head, document.body
    words = (head.title if form == "md" else "") or title
    if not words:
        words, body = documents.heading_off(body)
    words = one_line(words or document.said)
    if not words:
        raise ImportRefused(
            "The page has no title: give it one in `title`, or let its text begin with a heading."
        )
    return Forest([PageNode(words, "the file", body, head)], {}, files).found()


def _archive(data: bytes, title: str) -> FoundPages:
    entries = archive.unpacked(data)
    index = confluence.index_of(entries)
    found = confluence.read(entries, index) if index is not None else folders.read(entries)
    return found.below(one_line(title)) if title else found


def _bound() -> None:
    """What a file makes grow, or go on, without end ends this process, not the machine."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on every system

    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main(argv: list[str]) -> int:
    """Read one file."""
    form, title = argv
    os.umask(0o077)
    sys.set_int_max_str_digits(0)  # a head of a page holds no number that takes long
    _bound()
    try:
        answer = packed(read(form, sys.stdin.buffer.read(), title))
    except ImportRefused as error:
        answer = packed_refusal(error)
    except (MemoryError, RecursionError):
        why = "The file needs more memory than an import may use: bring it in in parts."
        answer = packed_refusal(ImportRefused(why, large=True))
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
