"""Forms with a file in them, as a browser without scripts sends them."""

import re
from typing import NamedTuple

from kbwork.base.errors import InvalidInput

KIND = "multipart/form-data"
MOST_BYTES = 11 * 1024 * 1024
_MOST_PARTS = 20
_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)
_NAME = re.compile(r'[;\s]name="([^"\r\n]{1,200})"', re.IGNORECASE)
_FILE_NAME = re.compile(r'[;\s]filename="([^"\r\n]{0,2000})"', re.IGNORECASE)
_TYPE = re.compile(r"content-type:\s*([^\r\n]{1,200})", re.IGNORECASE)
_HEAD_BYTES = 8192


class SentFile(NamedTuple):
    """A file of a form."""

    name: str
    type: str
    data: bytes


def parse(body: bytes, content_type: str) -> tuple[dict[str, list[str]], dict[str, SentFile]]:
    """(fields, files by name of the field), the first file of each. Raises InvalidInput."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise InvalidInput("The form does not say what stands between its parts.")
    parts = (b"\r\n" + body).split(b"\r\n--" + found[1].encode("latin-1"), _MOST_PARTS + 1)
    if len(parts) > _MOST_PARTS + 1:
        raise InvalidInput(f"A form holds at most {_MOST_PARTS} parts.")
    fields: dict[str, list[str]] = {}
    files: dict[str, SentFile] = {}
    for part in parts[1:]:
        head, blank, content = part.partition(b"\r\n\r\n")
        said = head[:_HEAD_BYTES].decode("utf-8", "replace")
        name, file = _NAME.search(said), _FILE_NAME.search(said)
        if not blank or name is None:
            continue
        if file is None:
            fields.setdefault(name[1], []).append(content.decode("utf-8", "replace"))
        elif file[1]:
            kind = _TYPE.search(said)
            sent = SentFile(file[1].replace("%22", '"'), kind[1].strip() if kind is not None else "", content)
            files.setdefault(name[1], sent)
    return fields, files
