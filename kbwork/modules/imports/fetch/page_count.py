"""Counts what is in a page of JSON; as `python -m`, the page is on stdin.

A large one is counted in a process of its own: reading it here would hold up everybody, and may take hundreds of MB.
"""

import json
import sys
from typing import Any

HERE_BYTES = 512 * 1024
"""So much is read in the time of a slice of other work."""


def elements(body: bytes) -> int | None:
    """How many elements a list has; None for what is no list of JSON."""
    found = _document(body)
    return len(found) if isinstance(found, list) else None


def is_repository(body: bytes) -> bool:
    """Whether it is an answer about a repository, which is a small one."""
    found = _document(body) if len(body) <= HERE_BYTES else None
    return isinstance(found, dict) and "full_name" in found


def _document(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


if __name__ == "__main__":
    json.dump(elements(sys.stdin.buffer.read()), sys.stdout)
