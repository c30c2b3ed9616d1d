"""What a server holds while many connections drip large bodies, and what it keeps of that afterwards.

python -m tests.bench drip [--bodies 45,180]

The connections come from four addresses of loopback, and each announces the largest body that there may be. `public`
are sign-ins; `member` are calls with a key, `form` those of pages, `upload` files: they end up on disk.
"""

import asyncio
import json
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.bench import kill
from tests.bench.streams import pss_kb

_ANNOUNCED = 16 * 1024 * 1024
_PIECE = 256 * 1024
_ADDRESSES = 4
_PATHS = {
    "public": "/api/v1/auth.login",
    "member": "/api/v1/comments.create",
    "form": "/signin",
    "upload": "/files/upload?name=a.json",
}
_QUIET_S = 3.0
"""So long nothing was taken any more when a server holds what it will hold."""


class _Drip(asyncio.Protocol):
    """Sends pieces as long as they are taken, but never the last byte."""

    def __init__(self, head: bytes, told: Counter[str]) -> None:
        self._head, self._told = head, told
        self._left = _ANNOUNCED - 1
        self._read = b""
        self.transport: Any = None
        self.sent_at = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.transport.set_write_buffer_limits(high=1)
        self.transport.write(self._head)
        self._go_on()

    def resume_writing(self) -> None:
        self._go_on()

    def _go_on(self) -> None:
        self.sent_at = time.monotonic()
        if self._left and not self.transport.is_closing():
            size = min(_PIECE, self._left)
            self._left -= size
            self.transport.write(b" " * size)
            if not self.transport.get_write_buffer_size():
                asyncio.get_running_loop().call_soon(self._go_on)

    def data_received(self, data: bytes) -> None:
        if not self._read:
            self._told[data[9:12].decode()] += 1
        self._read += data

    def connection_lost(self, exc: Exception | None) -> None:
        self._left = 0


async def _flood(server: kill.Server, kind: str, count: int) -> dict[str, Any]:
    """So many at once; what was held at most and after they were gone, in MiB beyond what it was before."""
    pid = server.process.pid
    before, told = pss_kb(pid), Counter[str]()
    loop = asyncio.get_running_loop()
    drips = []
    for number in range(count):
        lines = [f"POST {_PATHS[kind]} HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
        lines.append(f"Content-Length: {_ANNOUNCED}")
        lines.append(f"Content-Type: application/{'x-www-form-urlencoded' if kind == 'form' else 'json'}")
        if kind in ("member", "upload"):
            lines.append(f"Authorization: Bearer {server.key}")
        if kind == "form":
            lines.append(f"Origin: {server.url}")
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        drip = _Drip(head, told)
        here = (f"127.0.0.{2 + number % _ADDRESSES}", 0)
        await loop.create_connection(lambda drip=drip: drip, "127.0.0.1", server.port, local_addr=here)  # type: ignore[misc]
        drips.append(drip)
    most = 0
    async with asyncio.timeout(120):
        while time.monotonic() - max(drip.sent_at for drip in drips) < _QUIET_S:
            most = max(most, pss_kb(pid))
            await asyncio.sleep(0.02)
    for drip in drips:
        if not drip.transport.is_closing():
            drip.transport.abort()
    await asyncio.sleep(_QUIET_S)
    return {
        "kind": kind,
        "bodies": count,
        "held_mib": round((most - before) / 1024, 1),
        "kept_mib": round((pss_kb(pid) - before) / 1024, 1),
        **{f"answered_{status}": number for status, number in sorted(told.items())},
    }


def main(arguments: list[str]) -> None:
    """`drip [--bodies N,N]`; 45 and 180 unless given."""
    asked = arguments[arguments.index("--bodies") + 1] if "--bodies" in arguments else "45,180"
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for kind in _PATHS:
        for count in map(int, asked.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                data = Path(folder) / "data"
                server = kill.serve(data, kill.init(data), KBWORK_LIMITS_ENABLED="false")
                try:
                    print(json.dumps(asyncio.run(_flood(server, kind, count))))
                finally:
                    server.kill()
