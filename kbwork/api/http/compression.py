"""Brotli or gzip for texts: answers of reads, and pages that are the same for everybody.

An answer says by whom it is packed, and most say nobody. What changes something, what signs in, pages of one person and
links that open something are not: how long a packed text is tells whoever may choose a part of it about the rest.
"""

import asyncio
import re
import zlib
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any, Final

from kbwork.api.http.response import Response

LEAST_BYTES: Final = 1024
"""What is shorter fits into one packet as it is."""
_AT_ONCE_BYTES: Final = 16 * 1024
"""So much is packed in 0.25 ms; what is longer, beside the loop."""
_LEVEL: Final = 5
"""Of gzip: a fifth of a list of issues is left; one level more takes half as long again for 2 % of that."""
_QUALITY: Final = 6
"""Of Brotli: of a long text a quarter less than gzip leaves. One more takes a third longer for 2 % of that."""
_QUALITY_AT_ONCE: Final = 4
"""As quick as gzip, and smaller."""
_PAGES: Final = 128
_GZIP: Final = 16 + zlib.MAX_WBITS
_LENGTH: Final = re.compile(rb"^content-length: [0-9]+\r\n", re.MULTILINE)
_WEIGHT: Final = re.compile(rb"[01](\.[0-9]{0,3})?")
_STRONG: Final = re.compile(rb'^etag: "', re.MULTILINE)
_VARY: Final = b"vary: accept-encoding\r\n"


def packed(body: bytes, coding: bytes) -> bytes:
    """A body in `br` or `gzip`."""
    if coding == b"br":
        import brotli  # noqa: PLC0415  # browsers take it, over https or at home

        made: bytes = brotli.compress(
            body, quality=_QUALITY if len(body) > _AT_ONCE_BYTES else _QUALITY_AT_ONCE
        )
        return made
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


@lru_cache(_PAGES)
def packed_once(body: bytes, coding: bytes) -> bytes:
    """As `packed`, of a body that is sent again and again, and is kept as it is, too."""
    return packed(body, coding)


def fit(response: Response, accepted: bytes | None) -> Response | Coroutine[Any, Any, Response]:
    """The answer as it goes to who sent this `Accept-Encoding`: at once, or by what is to be awaited."""
    if response.packs is None or len(response.body) < LEAST_BYTES:
        return response
    coding = best(accepted) if accepted is not None else None
    if coding is None:
        return response._replace(lines=response.lines + _VARY)
    if len(response.body) > _AT_ONCE_BYTES:
        return _fit_aside(response, coding)
    return _fitted(response, coding)


async def fitted(response: Response, accepted: bytes | None) -> Response:
    """As `fit`."""
    found = fit(response, accepted)
    return found if isinstance(found, Response) else await found


@lru_cache(64)
def best(accepted: bytes) -> bytes | None:
    """Which of `br` and `gzip` an `Accept-Encoding` takes: the one that it gives more weight, the smaller of equals."""
    weights: dict[bytes, float] = {}
    for part in accepted.lower().split(b","):
        name, *parameters = (one.strip() for one in part.split(b";"))
        weights[name] = min((_weight(one) for one in parameters), default=1.0)
    gzip = weights.get(b"gzip", weights.get(b"x-gzip", weights.get(b"*", 0.0)))
    brotli = weights.get(b"br", 0.0)  # whoever says `*` alone may be older than it
    if max(gzip, brotli) <= 0:
        return None
    return b"br" if brotli >= gzip else b"gzip"


def _weight(parameter: bytes) -> float:
    """Of `q=0.5`, 0.5; of what is no weight, 1."""
    name, _, value = parameter.partition(b"=")
    if name.strip() != b"q" or not _WEIGHT.fullmatch(value.strip()):
        return 1.0
    return float(value)


async def _fit_aside(response: Response, coding: bytes) -> Response:
    return await asyncio.to_thread(_fitted, response, coding)


def _fitted(response: Response, coding: bytes) -> Response:
    """Its ETag is a weak one from here on: these are not the bytes that it was made of."""
    assert response.packs is not None
    body = response.packs(response.body, coding)
    told = b"content-length: %d\r\ncontent-encoding: %s\r\n" % (len(body), coding)
    lines = _STRONG.sub(b'etag: W/"', _LENGTH.sub(told, response.lines))
    return response._replace(lines=lines + _VARY, body=body)
