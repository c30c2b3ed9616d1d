"""The client for programs with an event loop: evaluations are the same plain calls, what waits is awaited."""

import asyncio
from types import TracebackType
from typing import Self

from kbwork.flags.core import Core


class AsyncClient(Core):
    """As `Client`. Evaluations wait for nothing, so they are not awaited; the loop is never held up."""

    async def ready(self, timeout_ms: int | None = None) -> bool:
        """Wait for the first snapshot, `init_timeout_ms` at most; False where none came, and it goes on trying."""
        return await asyncio.to_thread(self._wait, timeout_ms)

    async def flush(self, timeout_s: float | None = 10.0) -> bool:
        """Send what was counted now; False where it took longer."""
        return await asyncio.to_thread(self._flush, timeout_s)

    async def close(self) -> None:
        """Send what was counted, and stop. Flags are answered still, as they are."""
        await asyncio.to_thread(self._close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
