"""Work that goes on though whoever waits for it does not."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def uncut(work: Coroutine[Any, Any, None]) -> None:
    """Whoever is cancelled meanwhile waits all the same: there is no half of it."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
