"""One exchange with a provider: asked again only where it says that it did nothing, and for a bounded time in all."""

import json
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.operations.external import External, FetchedPage, ServiceCall

DEADLINE_S = 120.0
MOST_BYTES = 1024 * 1024
_LONGEST_REST_S = 10
_TRIES = 3
_NOT_DONE = frozenset({429, 503, 529})
"""It did nothing and says so: there are too many just now."""
FAILED = "The provider gave no answer that can be used."
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model said, and the tokens that it took as its provider counts them; None where that does not."""

    text: str
    input_tokens: int | None
    output_tokens: int | None


class Unreadable(Exception):
    """An answer that is not what the format says; the text says what is wrong, and nothing of what came."""


def fail(why: str) -> NoReturn:
    """The same to everybody who asks, so that nobody learns what is there; the log tells why."""
    raise UpstreamFailed(FAILED, internal=f"AI provider: {why}")


async def ask(out: External, url: str, call: ServiceCall, read: Callable[[Any], T]) -> T:
    """What `read` makes of the JSON that is answered. Raises UpstreamFailed."""
    ends = monotonic() + DEADLINE_S
    page = await _page(out, url, call, ends)
    if page.status != 200:
        fail(f"answered {page.status}")
    if "json" not in page.headers.get("content-type", "").lower():
        fail("answered something else than JSON")
    try:
        return await out.thread(lambda: read(_parsed(page.body)))
    except Unreadable as error:
        fail(f"answered JSON of another form: {error}")


async def _page(out: External, url: str, call: ServiceCall, ends: float) -> FetchedPage:
    for left in range(_TRIES - 1, -1, -1):
        try:
            page = await out.ask(
                url, replace(call, most_bytes=MOST_BYTES, deadline_s=max(0.001, ends - monotonic()))
            )
        except InvalidInput as problem:
            fail(
                f"its address may not be asked: {problem.detail} The operator lists such in `outbound.allow`."
            )
        except UpstreamFailed as failure:
            raise UpstreamFailed(FAILED, internal=failure.internal) from None
        rest_s = _rest_s(page)
        if page.status not in _NOT_DONE or not left or rest_s is None or monotonic() + rest_s >= ends:
            return page
        await out.rest(rest_s)
    raise AssertionError("the last try answers")


def _rest_s(page: FetchedPage) -> float | None:
    """How long it asks to wait; None where that is too long."""
    said = page.headers.get("retry-after", "1")
    if not (said.isascii() and said.isdigit() and len(said) < 6):
        return None
    return float(said) if int(said) <= _LONGEST_REST_S else None


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable("it is none") from None


def tokens(value: Any) -> int | None:
    """A number of tokens; None for what is none."""
    return value if type(value) is int and 0 <= value <= 10**8 else None


def members(value: Any) -> dict[str, Any]:
    """Raises Unreadable for what is no object."""
    if not isinstance(value, dict):
        raise Unreadable("an object is missing")
    return value


def entries(value: Any) -> list[Any]:
    """Raises Unreadable for what is no list."""
    if not isinstance(value, list):
        raise Unreadable("a list is missing")
    return value


def price(value: Any) -> float | None:
    """US dollars for one token, as a number or as text; answered for a million."""
    try:
        found = float(value) * 1_000_000
    except (TypeError, ValueError):
        return None
    return round(found, 6) if 0 <= found < 10**6 else None
