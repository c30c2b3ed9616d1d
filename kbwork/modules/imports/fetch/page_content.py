"""Looks into a page of JSON; as `python -m`, the page is on stdin.

A large one is looked into in a process of its own: reading it here would hold up everybody, and may take hundreds of
MB.
"""

import json
import sys
from typing import Any

from typing_extensions import TypedDict

HERE_BYTES = 512 * 1024
"""So much is read in the time of a slice of other work."""
MOST_ELEMENTS = 10_000
"""A page has a hundred; what is not paged, such as the links of an issue, has more."""
_MOST_NUMBER = 2**31 - 1


class PageContent(TypedDict):
    """What a list holds."""

    count: int
    """How many elements."""
    numbered: list[tuple[int, int]]
    """Of those that have one, the number within their project, and how many comments are on it."""


def looked_into(body: bytes) -> PageContent | None:
    """What a list holds; None for what is no list of JSON, or one of far too many."""
    found = _document(body)
    if not isinstance(found, list) or len(found) > MOST_ELEMENTS:
        return None
    return PageContent(
        count=len(found),
        numbered=[
            (one["iid"], max(0, _whole(one.get("user_notes_count"))))
            for one in found
            if isinstance(one, dict) and 0 < _whole(one.get("iid")) <= _MOST_NUMBER
        ],
    )


def small_object(body: bytes) -> dict[str, Any] | None:
    """An object, where that is what a small body holds."""
    found = _document(body) if len(body) <= HERE_BYTES else None
    return found if isinstance(found, dict) else None


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _document(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def main(_argv: list[str]) -> int:
    """Look into what stdin brings."""
    json.dump(looked_into(sys.stdin.buffer.read()), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
