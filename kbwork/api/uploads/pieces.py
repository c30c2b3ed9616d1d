"""A body that flows to disk: in pieces as large as there is room for, held to what was promised and to its pace."""

from collections.abc import AsyncIterator, Callable

from starlette.types import Scope

from kbwork.api.http.request import AsgiRequest, RequestTooLong, too_large
from kbwork.base.errors import StorageFull

HasRoom = Callable[[int], bool]
"""Whether the disk has room for so many bytes more."""
_PIECE_BYTES = 64 * 1024
_PROGRESS_BYTES = 256 * 1024
"""Whoever sends so much has the usual time for a body anew."""
LOOK_BYTES = 16 * 1024 * 1024
"""How often the room on the disk is looked at, and what came made durable."""


async def pieces(
    request: AsgiRequest, most_bytes: int, has_room: HasRoom, piece_s: float
) -> AsyncIterator[bytes]:
    """The body. Raises TooLarge before what is too much, StorageFull, or RequestTooLong where no more comes.

    `piece_s` is how long a quarter of a megabyte may be on its way.
    """
    request.receive.flows = request.receive.known = True
    patient = _patience(request.scope, piece_s)
    size = looked = held = 0
    parts: list[bytes] = []
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            if held:  # what came is kept by who keeps parts
                yield b"".join(parts)
            raise RequestTooLong(f"{size} of {request.head.length or 'unknown'} bytes came")
        parts.append(message.pop("body", b""))
        more = message.get("more_body", False)
        held += len(parts[-1])
        size += len(parts[-1])
        patient(size)
        if size > most_bytes:
            raise too_large(most_bytes)
        if size - looked >= LOOK_BYTES:
            looked = size
            require_room(has_room, 0)
        if held and (not more or held >= _PIECE_BYTES or request.receive.bodies.crowded):
            piece = b"".join(parts)
            parts.clear()
            yield piece
            del piece
            held = 0
            request.receive.let_go()


def require_room(has_room: HasRoom, more_bytes: int) -> None:
    """Raises StorageFull where the disk has no room for it beside what the data need."""
    if not has_room(more_bytes):
        raise StorageFull("The disk has no room for this file: make room, then send it again.")


def _patience(scope: Scope, piece_s: float) -> Callable[[int], None]:
    """Gives a body that comes along the time for its next piece."""
    allow = scope.get("extensions", {}).get("kbwork.body_time", {}).get("allow")
    came = 0

    def patient(size: int) -> None:
        nonlocal came
        if allow is not None and size - came >= _PROGRESS_BYTES:
            came = size
            allow(piece_s)

    return patient
