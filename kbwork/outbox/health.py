"""What the doctor says of the outbox, with or without a server beside."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from kbwork.base.clock import wall
from kbwork.core.data_check import Finding
from kbwork.db.connection import Unusable
from kbwork.db.tx import Read
from kbwork.outbox import messages
from kbwork.outbox.jetstream import EventStream
from kbwork.outbox.keeper import LATE_S
from kbwork.outbox.messages import StreamEnd
from kbwork.settings import OutboxSettings

T = TypeVar("T")


class DataReader(Protocol):
    """Reads the data, whoever serves them."""

    def __call__(self, look: Callable[[Read], T], /) -> T: ...


def look(at: OutboxSettings, read: DataReader) -> Iterator[Finding]:
    """Whether it is filled."""
    try:
        yield _found(at, read)
    except Unusable as error:
        yield Finding("outbox", False, f"the outbox: {error}")


def _found(at: OutboxSettings, read: DataReader) -> Finding:
    """Raises Unusable."""
    org = read(messages.org)
    if org is None:
        return Finding("outbox", True, "the outbox begins once there is an org")
    place, end = asyncio.run(_looked(at, org))
    if end is None:
        return Finding("outbox", True, f"the stream {place} is not there yet: the server makes it")
    reached = read(lambda tx: messages.place(tx, org, end, None))
    if isinstance(reached, str):
        raise Unusable(f"{place} cannot be gone on with: {reached}")
    first = read(lambda tx: messages.first_waiting(tx, reached))
    said = f"the stream {place} has all up to event {reached:,}"
    waits = 0 if first is None else max(0.0, wall() - first)
    if waits > LATE_S:
        return Finding(
            "outbox", False, f"{said}, and the next has waited for {waits:.0f} s: is the server running?"
        )
    return Finding("outbox", True, said)


async def _looked(at: OutboxSettings, org: str) -> tuple[str, StreamEnd | None]:
    line = await EventStream.connected(at, org)
    try:
        return line.place, await line.end()
    finally:
        await line.close()
