"""Forms as services post them: in parts, with files among these, or as one line."""

from typing import NamedTuple
from urllib.parse import parse_qsl

from kbwork.api import form_parts
from kbwork.api.form_parts import FormPart
from kbwork.base.errors import InvalidInput

Fields = dict[str, str]
MOST_PARTS = 500
MOST_FILES = 200
FIELD_BYTES = 2_000_000
"""So much of one field is read."""


class FormParts(NamedTuple):
    fields: dict[str, bytes]
    """The first of each name."""
    files: list[FormPart]


def of_parts(body: bytes, content_type: str) -> FormParts:
    """What is in `multipart/form-data`. Raises InvalidInput."""
    fields: dict[str, bytes] = {}
    files: list[FormPart] = []
    for part in form_parts.parts(body, content_type, MOST_PARTS):
        if part.file is None:
            fields.setdefault(part.name, part.data[:FIELD_BYTES])
        elif len(files) < MOST_FILES:
            files.append(part)
    return FormParts(fields, files)


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
