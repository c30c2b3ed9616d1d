"""A connection as the ASGI side writes to it."""

import asyncio
import fcntl
import sys
import termios
from collections.abc import Callable
from typing import Any

_LONG_BYTES = 8 * 1024
_PROGRESS_BYTES = 16 * 1024  # in one stall period: less is as good as nothing


class Line(asyncio.Transport):
    """The transport as the ASGI side has it: counts what is written, leaves hanging up to the protocol."""

    def __init__(
        self, wire: asyncio.Transport, loop: asyncio.AbstractEventLoop, hang_up: Callable[[], None]
    ) -> None:
        super().__init__()
        self._wire = wire
        self._loop = loop
        self._hang_up = hang_up
        self._parted = False
        self._written = 0
        self._taken = 0
        self._since: float | None = None
        self._head = b""
        """What waits for the rest of this turn of the loop."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write it; the head of an answer goes with the body that mostly follows at once, as one call of the system."""
        if self._parted:
            return
        self._written += len(data)
        if self._head:
            head, self._head = self._head, b""
            self._wire.write(head + data)
        elif data[:9] == b"HTTP/1.1 ":
            self._head = bytes(data)
            self._loop.call_soon(self.flush)
        else:
            self._wire.write(data)

    def write_whole(self, head: bytes, body: bytes) -> None:
        """Write an answer that is there as a whole, by one call of the system; a long body is not copied for that."""
        if self._parted:
            return
        self._written += len(head) + len(body)
        if self._head:  # a word before it waits for the end of this turn
            head, self._head = self._head + head, b""
        if len(body) > _LONG_BYTES:
            self._wire.writelines((head, body))
        else:
            self._wire.write(head + body)

    def flush(self) -> None:
        """Write the head that waits."""
        if self._head:
            data, self._head = self._head, b""
            if not self._wire.is_closing():
                self._wire.write(data)

    def close(self) -> None:
        self._hang_up()

    def part(self) -> None:
        """Send what is written and then the end of the stream; what the peer still sends can be read."""
        self.flush()
        self._parted = True
        if not self._wire.is_closing():
            self._wire.write_eof()

    def is_closing(self) -> bool:
        return self._parted or self._wire.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._wire.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._wire.pause_reading()

    def resume_reading(self) -> None:
        self._wire.resume_reading()

    def stalled(self, now: float, limit_s: float) -> bool:
        """Whether for that long the peer took next to nothing of what waits for it."""
        waiting = self._wire.get_write_buffer_size()
        if not waiting:
            self._since = None
            return False
        taken = self._written - waiting - _unacknowledged(self._wire)
        if self._since is None or taken - self._taken >= _PROGRESS_BYTES:
            self._since, self._taken = now, taken
        return now - self._since >= limit_s


def _unacknowledged(wire: asyncio.Transport) -> int:
    """Bytes that the kernel holds because the peer has not taken them yet; 0 where it cannot tell."""
    try:
        held = fcntl.ioctl(wire.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except (OSError, ValueError):
        return 0
    return int.from_bytes(held, sys.byteorder)
