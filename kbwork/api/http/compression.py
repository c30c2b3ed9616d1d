"""gzip for texts: answers of reads, and pages that are the same for everybody.

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
"""Of a list of issues a fifth of its bytes is left; one level more takes half as long again for 2 % of them."""
_PAGES: Final = 128
_GZIP: Final = 16 + zlib.MAX_WBITS
_LENGTH: Final = re.compile(rb"^content-length: [0-9]+\r\n", re.MULTILINE)
_STRONG: Final = re.compile(rb'^etag: "', re.MULTILINE)
_VARY: Final = b"vary: accept-encoding\r\n"


def packed(body: bytes) -> bytes:
    """A body in gzip."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


@lru_cache(_PAGES)
def packed_once(body: bytes) -> bytes:
    """As `packed`, of a body that is sent again and again, and is kept as it is, too."""
    return packed(body)


def fit(response: Response, accepted: bytes | None) -> Response | Coroutine[Any, Any, Response]:
    """The answer as it goes to who sent this `Accept-Encoding`: at once, or by what is to be awaited."""
    if response.packs is None or len(response.body) < LEAST_BYTES:
        return response
    if accepted is None or not takes_gzip(accepted):
        return response._replace(lines=response.lines + _VARY)
    if len(response.body) > _AT_ONCE_BYTES:
        return _fit_aside(response)
    return _fitted(response)


async def fitted(response: Response, accepted: bytes | None) -> Response:
    """As `fit`."""
    found = fit(response, accepted)
    return found if isinstance(found, Response) else await found


@lru_cache(64)
def takes_gzip(accepted: bytes) -> bool:
    """Whether an `Accept-Encoding` takes gzip: it names that, or everything, and not with a weight of none."""
    weights: dict[bytes, bool] = {}
    for part in accepted.lower().split(b","):
        name, *parameters = (one.strip() for one in part.split(b";"))
        weights[name] = not any(_is_zero(one) for one in parameters)
    return weights.get(b"gzip", weights.get(b"x-gzip", weights.get(b"*", False)))


def _is_zero(parameter: bytes) -> bool:
    name, _, value = parameter.partition(b"=")
    return name.strip() == b"q" and value.strip(b" 0") in (b"", b".")


async def _fit_aside(response: Response) -> Response:
    return await asyncio.to_thread(_fitted, response)


def _fitted(response: Response) -> Response:
    """Its ETag is a weak one from here on: these are not the bytes that it was made of."""
    assert response.packs is not None
    body = response.packs(response.body)
    told = b"content-length: %d\r\ncontent-encoding: gzip\r\n" % len(body)
    lines = _STRONG.sub(b'etag: W/"', _LENGTH.sub(told, response.lines))
    return response._replace(lines=lines + _VARY, body=body)
