"""Parts of files: who was cut off asks for what is missing."""

import re

from kbwork.api.http.request import Head

_ONE = re.compile(r"bytes=([0-9]{1,15})?-([0-9]{1,15})?")


def part(head: Head, etag: str, size: int) -> range | None:
    """The bytes that are asked for, none where the file ends before them; None: all of it.

    Several parts at once, units that are no bytes, and parts of a file that is another by now are all of it, too.
    """
    asked = _ONE.fullmatch(head.text("range") or "")
    if asked is None or head.method != "GET" or asked[0] == "bytes=-":
        return None
    if head.text("if-range") not in (None, etag):
        return None
    first, last = (int(said) if said is not None else None for said in asked.groups())
    if first is None:
        return range(max(0, size - (last or 0)), size)
    if last is not None and last < first:
        return None
    return range(first, size if last is None else min(size, last + 1))


def told(asked: range, size: int) -> str:
    """What `Content-Range` says of it."""
    return f"bytes {asked.start}-{asked.stop - 1}/{size}" if asked else f"bytes */{size}"
