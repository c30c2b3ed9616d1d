"""`/files/upload`: raw bytes of any size, at once or in pieces, streamed to disk for what reads whole files."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qs

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json
from starlette.types import Scope

from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Head, Request, require_length, require_own_page
from kbwork.api.http.response import Response, response
from kbwork.api.http.site import Site
from kbwork.api.uploads import tus
from kbwork.api.uploads.growth import Growth
from kbwork.api.uploads.pieces import pieces, require_room
from kbwork.base.errors import Conflict, InvalidInput, Problem, RateLimited, TooLarge, UnsupportedType
from kbwork.base.model import Name
from kbwork.core.operations.call import AuthorizedCall
from kbwork.core.operations.dispatch import authorize, check_person
from kbwork.core.ports.uploads import (
    AnnouncedFile,
    IncomingFile,
    OpenUpload,
    UploadedFile,
    UploadPoint,
    UploadRight,
    make_empty,
    new_id,
)

_NAME: TypeAdapter[str] = TypeAdapter(Name, config=ConfigDict(defer_build=True))
_SPEAKS_TUS: Final = "tus"
"""What such a request was found to be."""
_AT_ONCE = 10
"""Files of one member that come in at the same time."""
_BODIES = ("POST", "PATCH")


class Uploads(Endpoint):
    """The one door whose bodies may be larger than a call's."""

    door = "upload"
    log = logging.getLogger("kbwork.uploads")

    def __init__(self, site: Site, *, max_bytes: int, piece_s: float) -> None:
        """`piece_s` is how long a quarter of a megabyte may be on its way."""
        super().__init__(site)
        self._max_bytes = max_bytes
        self._piece_s = piece_s
        self._folder = site.dispatcher.database.folder
        self._coming: Counter[str] = Counter()
        """Member -> how many of their files come in."""
        self._growing: set[str] = set()
        """The files to which something is being added."""
        self.paths = {point.path: point for point in site.dispatcher.registry.of(UploadPoint)}
        self.below = tuple(f"{path}/" for path in self.paths)

    async def answer(self, request: AsgiRequest) -> int:
        request.cls = "write"
        path, method = request.scope["path"], tus.method(request.head)
        point = self.paths.get(path)
        if point is not None and method == "POST" and not tus.is_spoken(request.head):
            made = await self._at_once(request, point)
        else:
            request.found = _SPEAKS_TUS
            made = await self._in_pieces(request, method)
        await request.answer(made)
        return made.status

    def refuse(self, request: Request, problem: Problem) -> Response:
        if request.head.method in _BODIES:
            problem.headers.setdefault("Connection", "close")  # what is left of the body is not waited for
        if request.found == _SPEAKS_TUS:
            problem.headers.setdefault("Tus-Resumable", tus.VERSION)
            problem.headers.setdefault("Cache-Control", "no-store")
        return super().refuse(request, problem)

    # -- who may send what ---------------------------------------------------------------------------------

    def _admit(self, head: Head, point: UploadPoint) -> tuple[AuthorizedCall, int]:
        """Judge what the head says, before a byte of the body is read: the call, and how large its file may be."""
        right = self._right(head, point)
        admitted = self._dispatcher.admit(right.op, head.credentials())
        check_person(admitted.op, admitted.caller, self._dispatcher.clock.now())
        require_own_page(head)
        return admitted, self._most_bytes(right)

    def _right(self, head: Head, point: UploadPoint) -> UploadRight:
        """The first that the caller has, else the last: that refuses them. Raises Unauthenticated."""
        caller = self._dispatcher.identify(head.credentials())
        for right in point.rights[:-1]:
            op = self._dispatcher.registry.require(right.op)
            with contextlib.suppress(Problem):
                authorize(op, caller)
                check_person(op, caller, self._dispatcher.clock.now())
                if op.module not in self._dispatcher.modules_off():
                    return right
        return point.rights[-1]

    def _most_bytes(self, right: UploadRight) -> int:
        return min(self._max_bytes, right.most_bytes or self._max_bytes)

    @contextlib.contextmanager
    def _one_more(self, member: str) -> Iterator[None]:
        """Raises RateLimited where too many files of one member come in."""
        if self._coming[member] >= _AT_ONCE:
            raise RateLimited(
                f"{_AT_ONCE} files of yours are coming in: send this one when one of them is here.",
                retry_after_s=5,
            )
        self._coming[member] += 1
        try:
            yield
        finally:
            self._coming[member] -= 1
            if not self._coming[member]:
                del self._coming[member]

    # -- at once -------------------------------------------------------------------------------------------

    async def _at_once(self, request: AsgiRequest, point: UploadPoint) -> Response:
        head = request.head
        admitted, most_bytes = self._admit(head, point)
        if head.encoded:
            raise UnsupportedType("Send the bytes as they are, without a Content-Encoding.")
        require_length(head, most_bytes)
        size = head.length or 0
        require_room(self._folder.has_room, size)
        name = _name(request.scope)
        await self._dispatcher.database.read(
            lambda tx: point.require_place(tx, size), admitted.caller, name="uploads"
        )
        with self._one_more(admitted.caller.me()):
            answer = await self._take(request, (point, name, most_bytes), admitted)
        return response(200, answer, {"Cache-Control": "no-store", **admitted.rate_headers})

    async def _take(
        self, request: AsgiRequest, asked: tuple[UploadPoint, str, int], admitted: AuthorizedCall
    ) -> bytes:
        """Stream the body to disk and note it, or leave nothing behind."""
        point, name, most_bytes = asked
        landing = await asyncio.to_thread(IncomingFile, self._folder.path / point.folder)
        kept = False
        try:
            async for piece in pieces(request, most_bytes, self._folder.has_room, self._piece_s):
                await asyncio.to_thread(landing.take, piece)
                del piece  # the next one may be long on its way
            arrived = await asyncio.to_thread(landing.finish, name)
            answer = await self._note(point, arrived, admitted)
            kept = True
        finally:
            landing.close(keep=kept)
        return answer

    async def _note(self, point: UploadPoint, arrived: UploadedFile, admitted: AuthorizedCall) -> bytes:
        caller = self._dispatcher.judged_again(admitted)
        return to_json(await self._dispatcher.database.write(lambda tx: point.arrived(tx, arrived), caller))

    # -- in pieces -----------------------------------------------------------------------------------------

    async def _in_pieces(self, request: AsgiRequest, method: str) -> Response:
        path, head = request.scope["path"], request.head
        place = next(place for place in self.paths if path == place or path.startswith(f"{place}/"))
        point, ident = self.paths[place], path.removeprefix(place).removeprefix("/")
        if method == "OPTIONS":
            return tus.answer(204, tus.spoken(self._spoken_size(head, point)))
        if method not in (("HEAD", "PATCH", "DELETE") if ident else ("POST",)):
            raise _wrong_method(point, ident)
        tus.require_version(head)
        admitted, most_bytes = self._admit(head, point)
        if method == "POST":
            return await self._create(request, point, admitted, most_bytes)
        if method == "HEAD":
            found = await self._found(point, ident, admitted)
            return tus.answer(200, tus.standing(found) | {"Upload-Length": str(found.size)})
        with self._alone(ident):
            found = await self._found(point, ident, admitted)
            if method == "PATCH":
                return tus.answer(204, tus.standing(await self._add(request, point, admitted, found)))
            await self._dispatcher.database.write(lambda tx: point.dropped(tx, ident), admitted.caller)
            return tus.answer(204, {})

    def _spoken_size(self, head: Head, point: UploadPoint) -> int:
        """How large a file may be; of nobody known what most may send."""
        right = point.rights[-1]
        with contextlib.suppress(Problem):
            right = self._right(head, point)
        self._dispatcher.count_nobody(head.address)
        return self._most_bytes(right)

    async def _create(
        self, request: AsgiRequest, point: UploadPoint, admitted: AuthorizedCall, most_bytes: int
    ) -> Response:
        head = request.head
        announced = AnnouncedFile(new_id(), tus.name(head), tus.length(head))
        if announced.size > most_bytes:
            raise TooLarge(f"A file holds at most {most_bytes} bytes; this one has {announced.size}.")
        if head.length and not tus.has_piece(head):
            raise UnsupportedType(
                f"What comes with the announcement is of the file: `Content-Type: {tus.PIECE}`."
            )
        require_room(self._folder.has_room, announced.size)
        with self._alone(announced.id):
            made = await self._announce(point, announced, admitted)
            if tus.has_piece(head) and made.size:
                made = await self._add(request, point, admitted, made)
        where = {"Location": f"{point.path}/{made.id}"}
        return tus.answer(201, where | tus.standing(made))

    async def _announce(
        self, point: UploadPoint, announced: AnnouncedFile, admitted: AuthorizedCall
    ) -> OpenUpload:
        """The file is there first: what is noted has one."""
        folder = self._folder.path / point.folder
        await asyncio.to_thread(make_empty, folder, announced.id)
        try:
            return await self._dispatcher.database.write(
                lambda tx: point.announced(tx, announced), admitted.caller
            )
        except BaseException:
            (folder / announced.id).unlink(missing_ok=True)
            raise

    async def _found(self, point: UploadPoint, ident: str, admitted: AuthorizedCall) -> OpenUpload:
        database = self._dispatcher.database
        return await database.read(lambda tx: point.found(tx, ident), admitted.caller, name="uploads")

    async def _add(
        self, request: AsgiRequest, point: UploadPoint, admitted: AuthorizedCall, found: OpenUpload
    ) -> OpenUpload:
        """Add what the request brings, and keep what of it came. Raises Conflict where it begins elsewhere."""
        head = request.head
        tus.require_piece(head)
        begins = tus.offset(head) if tus.method(head) == "PATCH" else 0
        if begins != found.offset:
            problem = Conflict(f"Of this file {found.offset} bytes are here; the piece begins at {begins}.")
            problem.headers["Upload-Offset"] = str(found.offset)
            raise problem
        require_length(head, found.size - found.offset)
        if found.whole:
            return found
        require_room(self._folder.has_room, found.size - found.offset)
        with self._one_more(admitted.caller.me()):
            growth = Growth(self._dispatcher, point, admitted, found)
            return await growth.take(
                pieces(request, found.size - found.offset, self._folder.has_room, self._piece_s)
            )

    @contextlib.contextmanager
    def _alone(self, ident: str) -> Iterator[None]:
        """Raises Conflict while somebody else adds to the file."""
        if ident in self._growing:
            raise Conflict("Another piece of this file is coming in; wait for it, then ask how much is here.")
        self._growing.add(ident)
        try:
            yield
        finally:
            self._growing.discard(ident)


def _wrong_method(point: UploadPoint, ident: str) -> Problem:
    if not ident:
        return wrong_method(
            f"Send the bytes as POST {point.path}?name=file.json, or in pieces by tus {tus.VERSION}.",
            "POST, OPTIONS",
        )
    return wrong_method(
        f"Ask for {point.path}/<id> by HEAD, add to it by PATCH, take it back by DELETE.",
        "HEAD, PATCH, DELETE, OPTIONS",
    )


def _name(scope: Scope) -> str:
    found = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).get("name", [])
    try:
        return _NAME.validate_python(found[0] if len(found) == 1 else "")[:255]
    except ValidationError:
        raise InvalidInput(
            "Say once what the file is called: /files/upload?name=archive.json", field="name"
        ) from None
