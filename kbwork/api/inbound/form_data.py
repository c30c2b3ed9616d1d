"""Forms as services post them: in parts, or as one line. Files among the parts are passed over."""

import re
from urllib.parse import parse_qsl

from kbwork.base.errors import InvalidInput

Fields = dict[str, str]
MOST_PARTS = 500
_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)
_NAME = re.compile(rb'[;\s]name="([^"\r\n]{1,200})"', re.IGNORECASE)
_FILE = re.compile(rb"[;\s]filename\*?=", re.IGNORECASE)
_HEAD_BYTES = 8192
FIELD_BYTES = 2_000_000
"""So much of one field is read."""


def of_parts(body: bytes, content_type: str) -> dict[str, bytes]:
    """The fields of `multipart/form-data`, the first of each name. Raises InvalidInput."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise InvalidInput("The form does not say what stands between its parts.")
    between = b"--" + found[1].encode("latin-1")
    parts = body.split(between, MOST_PARTS + 1)
    if len(parts) > MOST_PARTS + 1:
        raise InvalidInput(f"A form has {MOST_PARTS} parts at most.")
    fields: dict[str, bytes] = {}
    for part in parts[1:]:
        head, blank, content = part.partition(b"\r\n\r\n")
        name = _NAME.search(head[:_HEAD_BYTES])
        if blank and name is not None and _FILE.search(head[:_HEAD_BYTES]) is None:
            text = content.removesuffix(b"\r\n")[:FIELD_BYTES]
            fields.setdefault(name[1].decode("utf-8", "replace"), text)
    return fields


def of_line(body: bytes) -> Fields:
    """The fields of `application/x-www-form-urlencoded`. Raises InvalidInput."""
    try:
        pairs = parse_qsl(
            body.decode("ascii", "replace"),
            keep_blank_values=True,
            max_num_fields=MOST_PARTS,
            errors="replace",
        )
    except ValueError:
        raise InvalidInput(f"A form has {MOST_PARTS} fields at most.") from None
    fields: Fields = {}
    for name, value in pairs:
        fields.setdefault(name, value[:FIELD_BYTES])
    return fields
