"""One piece of a file on its way to disk: what of it came is kept, also where the connection ends in between."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from kbwork.api.uploads.pieces import LOOK_BYTES
from kbwork.base.errors import Conflict, Problem, TooLarge
from kbwork.core.operations.call import AuthorizedCall
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.ports.uploads import GrowingFile, OpenUpload, UploadPoint


class Growth:
    """What is said to be here was made durable before it is said."""

    def __init__(
        self, dispatcher: Dispatcher, point: UploadPoint, admitted: AuthorizedCall, found: OpenUpload
    ) -> None:
        self._dispatcher = dispatcher
        self._point = point
        self._admitted = admitted
        self._upload = found

    async def take(self, body: AsyncIterator[bytes]) -> OpenUpload:
        """Add the body to the file; answers how it stands. Raises what reading the body raises.

        A body that is longer than what was missing is refused, and nothing of it counts but what was settled before:
        what the file should be is not known then.
        """
        path = self._dispatcher.database.folder.path / self._point.folder / self._upload.id
        try:
            file = await asyncio.to_thread(GrowingFile, path, self._upload.offset)
        except FileNotFoundError:
            raise Conflict("What was here of this file is gone: announce it anew.") from None
        try:
            try:
                await self._flow(file, body)
            except TooLarge:
                raise
            except Exception:
                with contextlib.suppress(Problem):  # why it ended is told
                    await self._settle(file)
                raise
            return await self._settle(file)
        finally:
            file.close()

    async def _flow(self, file: GrowingFile, body: AsyncIterator[bytes]) -> None:
        settled = file.offset
        async for piece in body:
            await asyncio.to_thread(file.take, piece)
            del piece  # the next one may be long on its way
            if file.offset - settled >= LOOK_BYTES and file.offset < self._upload.size:
                settled = (await self._settle(file)).offset

    async def _settle(self, file: GrowingFile) -> OpenUpload:
        """Make durable what came, and note it. Raises what judging the caller again raises."""
        offset = await asyncio.to_thread(file.settle)
        point, ident = self._point, self._upload.id
        sha256 = await asyncio.to_thread(file.sha256) if offset == self._upload.size else None
        caller = self._dispatcher.judged_again(self._admitted)
        return await self._dispatcher.database.write(
            lambda tx: point.completed(tx, ident, sha256) if sha256 else point.came(tx, ident, offset), caller
        )
