"""What the doors below one org have in common: the org in the path, the query, and bodies."""

from collections.abc import Iterable
from typing import Any, Literal
from urllib.parse import parse_qs, unquote_to_bytes

from starlette.types import Scope

from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, read_body, require_json, require_length
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, MethodNotAllowed, NotFound
from kbwork.base.text import whole_number
from kbwork.core import org_settings
from kbwork.core.operations.dispatch import Dispatcher

QueryKind = Literal["text", "whole", "truth", "texts"]
ORG_ID = "1"
"""Numbers of more digits are not exact everywhere."""
_SHOWN_CHARS = 100
_TRUTHS = {"true": True, "1": True, "": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class OrgRequest:
    """What the address of a request says: its parts below the root, decoded, and the query."""

    parts: tuple[str, ...]
    query: dict[str, str]


def parse_request(scope: Scope) -> OrgRequest:
    """Raises NotFound where a part is no UTF-8, InvalidInput where the query is none."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    try:
        parts = tuple(unquote_to_bytes(part).decode() for part in raw.split(b"/")[1:])
    except UnicodeDecodeError:
        raise NotFound("Nothing lives at this address: it is not UTF-8.") from None
    try:
        found = parse_qs(scope["query_string"].decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput("The query should be UTF-8.") from None
    return OrgRequest(parts, {name: values[-1] for name, values in found.items()})


def parameter(name: str, text: str, kind: QueryKind) -> Any:
    """A query parameter's value; a truth may be named alone. Raises InvalidInput."""
    if kind == "truth":
        if text.lower() not in _TRUTHS:
            raise InvalidInput(f"{name}: should be true or false", field=name)
        return _TRUTHS[text.lower()]
    if kind == "texts":
        return text.split(",")
    if kind == "text":
        return text
    if whole_number(text.removeprefix("-")) is None:
        raise InvalidInput(f"{name}: should be a whole number", field=name)
    return int(text)


def whole_id(text: str) -> int:
    """An id in a path. Raises NotFound where it is no number: then there is no such thing."""
    number = whole_number(text)
    if number is None:
        raise NotFound(f"There is nothing with the id {text[:_SHOWN_CHARS]!r} here: ids are whole numbers.")
    return number


def other_method(method: str, known: Iterable[str]) -> MethodNotAllowed:
    """The refusal of a method, with those that there are."""
    there = ", ".join(sorted(known))
    return wrong_method(f"This path takes {there}, not {method}.", there)


def require_org(dispatcher: Dispatcher, name: str) -> None:
    """Raises NotFound where this is not the org of the data file: its id or its slug."""
    slug = dispatcher.database.read_now(lambda tx: org_settings.get(tx, "org.slug"))
    if name not in (ORG_ID, f"org:{ORG_ID}", slug):
        raise NotFound(f"There is no org {name[:_SHOWN_CHARS]!r} here; take its slug or the id {ORG_ID}.")


async def body_of(request: AsgiRequest, most_bytes: int, *, needed: bool) -> bytes:
    """The body of a change by whom was let in; where it is not `needed` there may be none.

    Raises UnsupportedType, TooLarge, RequestTooLong, or Busy where too much is being sent.
    """
    head = request.head
    if needed or head.length:
        require_json(head)
    require_length(head, most_bytes)
    request.receive.known = True
    body = await read_body(request.receive, most_bytes, head.length)
    if body:
        require_json(head)
    return body
