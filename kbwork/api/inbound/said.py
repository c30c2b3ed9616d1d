"""What a program posts that is free in what it says: a JSON object, a form, a text, or nothing."""

from typing import Any

from kbwork.api.inbound import form_data
from kbwork.base.errors import InvalidInput, UnsupportedType
from kbwork.core.operations import strict_json

TEXT = "text"
"""What a plain text is called."""


def read(body: bytes, content_type: str) -> dict[str, Any]:
    """The names and values of it. Raises InvalidInput, InvalidJson or UnsupportedType."""
    kind = content_type.partition(";")[0].strip().lower()
    if not body.strip():
        return {}
    if kind == "application/json" or kind.endswith("+json"):
        return strict_json.parse(body)
    if kind == "application/x-www-form-urlencoded":
        return dict(form_data.of_line(body))
    if kind == "text/plain":
        return {TEXT: _decoded(body)}
    raise UnsupportedType("What is said here comes as a JSON object, as a form, or as plain text.")


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise InvalidInput("The text is not UTF-8.") from None
