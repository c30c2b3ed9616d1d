"""`POST /files/upload?name=`: raw bytes of any size, streamed to disk, for operations that read a whole file."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.types import Scope

from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import (
    AsgiRequest,
    Head,
    Request,
    RequestTooLong,
    require_length,
    require_own_page,
    too_large,
)
from kbwork.api.http.response import Response, response
from kbwork.api.http.site import Site
from kbwork.base.errors import InvalidInput, Problem, StorageFull, UnsupportedType
from kbwork.base.model import Name
from kbwork.core.operations.call import AuthorizedCall
from kbwork.core.operations.dispatch import check_person
from kbwork.core.ports.uploads import IncomingFile, UploadedFile, UploadPoint

_PIECE_BYTES = 64 * 1024
_PROGRESS_BYTES = 256 * 1024
"""Whoever sends so much has the usual time for a body anew."""
_LOOK_BYTES = 16 * 1024 * 1024
"""How often the room on the disk is looked at."""
_NAME: TypeAdapter[str] = TypeAdapter(Name)


class Uploads(Endpoint):
    """The one door whose bodies may be larger than a call's."""

    door = "upload"
    log = logging.getLogger("kbwork.uploads")

    def __init__(self, site: Site, *, max_bytes: int, piece_s: float) -> None:
        """`piece_s` is how long a quarter of a megabyte may be on its way."""
        super().__init__(site)
        self._max_bytes = max_bytes
        self._piece_s = piece_s
        self.paths = {intake.path: intake for intake in site.dispatcher.registry.of(UploadPoint)}

    async def answer(self, request: AsgiRequest) -> int:
        request.cls = "write"
        intake = self.paths[request.scope["path"]]
        name, admitted = self._admit(request.scope, request.head, intake)
        answer = await self._take(request, intake, name, admitted)
        headers = {"Cache-Control": "no-store", **admitted.rate_headers}
        await request.answer(response(200, answer, headers))
        return 200

    def refuse(self, request: Request, problem: Problem) -> Response:
        problem.headers.setdefault("Connection", "close")  # what is left of the body is not waited for
        return super().refuse(request, problem)

    def _admit(self, scope: Scope, head: Head, intake: UploadPoint) -> tuple[str, AuthorizedCall]:
        """Judge what the head says, before a byte of the body is read."""
        if scope["method"] != "POST":
            raise wrong_method(f"Send the bytes as POST {intake.path}?name=file.json.", "POST")
        admitted = self._dispatcher.admit(intake.op, head.credentials())
        check_person(admitted.op, admitted.caller, self._dispatcher.clock.now())
        require_own_page(head)
        if head.encoded:
            raise UnsupportedType("Send the bytes as they are, without a Content-Encoding.")
        require_length(head, self._max_bytes)
        self._require_room(head.length or 0)
        return _name(scope), admitted

    async def _take(
        self, request: AsgiRequest, intake: UploadPoint, name: str, admitted: AuthorizedCall
    ) -> bytes:
        """Stream the body to disk and note it, or leave nothing behind."""
        folder = self._dispatcher.database.folder.path / intake.folder
        landing = await asyncio.to_thread(IncomingFile, folder)
        kept = False
        try:
            async for piece in self._pieces(request):
                await asyncio.to_thread(landing.take, piece)
                del piece  # the next one may be long on its way
            arrived = await asyncio.to_thread(landing.finish, name)
            answer = await self._note(intake, arrived, admitted)
            kept = True
        finally:
            landing.close(keep=kept)
        return answer

    async def _note(self, intake: UploadPoint, arrived: UploadedFile, admitted: AuthorizedCall) -> bytes:
        caller = self._dispatcher.judged_again(admitted)
        database = self._dispatcher.database
        return to_json(await database.write(lambda tx: intake.arrived(tx, arrived), caller))

    async def _pieces(self, request: AsgiRequest) -> AsyncIterator[bytes]:
        """The body in pieces, as large as there is room for. Raises TooLarge, StorageFull, or RequestTooLong."""
        request.receive.flows = request.receive.known = True
        patient = _patience(request.scope, self._piece_s)
        size = looked = held = 0
        parts: list[bytes] = []
        more = True
        while more:
            message = await request.receive()
            if message["type"] == "http.disconnect":
                raise RequestTooLong(f"{size} of {request.head.length or 'unknown'} bytes came")
            parts.append(message.pop("body", b""))
            more = message.get("more_body", False)
            held += len(parts[-1])
            size += len(parts[-1])
            patient(size)
            if size > self._max_bytes:
                raise too_large(self._max_bytes)
            if size - looked >= _LOOK_BYTES:
                looked = size
                self._require_room(0)
            if held and (not more or held >= _PIECE_BYTES or request.receive.bodies.crowded):
                piece = b"".join(parts)
                parts.clear()
                yield piece
                del piece
                held = 0
                request.receive.let_go()

    def _require_room(self, more_bytes: int) -> None:
        """Raises StorageFull where the disk has no room for it beside what the data need."""
        if not self._dispatcher.database.folder.has_room(more_bytes):
            raise StorageFull("The disk has no room for this file: make room, then send it again.")


def _name(scope: Scope) -> str:
    found = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).get("name", [])
    try:
        return _NAME.validate_python(found[0] if len(found) == 1 else "")[:255]
    except ValidationError:
        raise InvalidInput(
            "Say once what the file is called: /files/upload?name=archive.json", field="name"
        ) from None


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
