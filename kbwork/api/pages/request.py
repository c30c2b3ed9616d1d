"""One request for a page: who looks, what was typed, and the calls made in their name."""

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

from pydantic_core import to_json
from starlette.types import Scope

from kbwork.api import form_parts
from kbwork.api.http.body import PUBLIC_BYTES, Body
from kbwork.api.http.request import Head, read_body
from kbwork.api.pages.response import PageResponse, download, small_picture
from kbwork.base.caller import ANONYMOUS, Caller
from kbwork.base.errors import InvalidInput, NotAllowed, Problem, Unauthenticated, UnsupportedType
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.external import External
from kbwork.core.ports.extension import Extension
from kbwork.core.ports.media import Download, Media, PiecedData
from kbwork.db.tx import Read, Write

T = TypeVar("T")
E = TypeVar("E", bound=Extension)
_FORM = "application/x-www-form-urlencoded"
_MOST_BYTES = 256 * 1024
PORTAL_COOKIE = "kb_portal"
_WITH_FILES = frozenset({"/portal/file"})
"""Forms that have a file in them."""
_MOST_FIELDS = 1000
_MOST_FILE_BYTES = 11 * 1024 * 1024
_MOST_PARTS = 20
PIECES = "media in pieces"
"""What their reads are called."""
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")
_NEVER_CARRIED = frozenset({"password", "current", "code"})


class Form:
    """The fields of a form or of a query, each with all that was sent under its name."""

    def __init__(self, fields: dict[str, list[str]] | None = None) -> None:
        self._fields = fields or {}

    @classmethod
    def parse(cls, text: str) -> "Form":
        """Raises InvalidInput where there are too many fields to be a form of ours."""
        try:
            return cls(parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="replace"))
        except ValueError:
            raise InvalidInput(f"A form holds at most {_MOST_FIELDS} fields.") from None

    def text(self, name: str, default: str = "") -> str:
        """The field, line ends as one sign; the default where it was not sent."""
        return self._fields.get(name, [default])[0].replace("\r\n", "\n")

    def all(self, name: str) -> list[str]:
        return list(self._fields.get(name, []))

    def only(self, *names: str) -> dict[str, str]:
        """These fields as texts, for an operation."""
        return {name: self.text(name) for name in names}

    def carried(self) -> str:
        """The form as text, to be sent again later; without what must not lie about in a page."""
        return urlencode(
            {name: found for name, found in self._fields.items() if name not in _NEVER_CARRIED}, doseq=True
        )


class PageRequest:
    """What a page handler holds."""

    def __init__(self, scope: Scope, head: Head, dispatcher: Dispatcher) -> None:
        self.head = head
        self.path: str = scope["path"]
        self._query_text: str = scope.get("query_string", b"").decode("latin-1")
        self.query = Form.parse(self._query_text)
        self.form = Form()
        self.files: dict[str, form_parts.FormPart] = {}
        """Those of the form, by its fields."""
        self.cookies: list[str] = []
        self.now = dispatcher.clock.now()
        self._dispatcher = dispatcher
        self._me: dict[str, Any] | None = None

    @property
    def address(self) -> str:
        """Scheme, host and port of this site, for what is shown to be copied."""
        return self.head.own_origin

    @property
    def used_scopes(self) -> frozenset[str]:
        """The scopes that some operation asks for. Others may be held, and open nothing yet."""
        operations = self._dispatcher.registry.operations.values()
        return frozenset(scope for operation in operations for scope in operation.scopes)

    @property
    def full_path(self) -> str:
        """The path with its query, to come back to."""
        return f"{self.path}?{self._query_text}" if self._query_text else self.path

    async def read_form(self, receive: Body) -> None:
        """Take the form in. Raises NotAllowed where it was sent by a page of another site."""
        site = self.head.text("sec-fetch-site")
        if not self.head.browser or site not in (None, "same-origin"):
            raise NotAllowed(
                f"This form was not sent from a page of {self.address}. Open the page there and send it again; "
                "programs call the operations under /api/v1/."
            )
        await self._take_form(receive)

    async def read_open_form(self, receive: Body) -> None:
        """Take in what a program posts, too: for what a link in a letter proves by itself, and no cookie."""
        if self._kind == _FORM:
            await self._take_form(receive)

    @property
    def _kind(self) -> str:
        return (self.head.text("content-type") or "").partition(";")[0].strip().lower()

    async def _take_form(self, receive: Body) -> None:
        if self._kind == form_parts.KIND and self.path in _WITH_FILES and not self.head.encoded:
            await self._take_files(receive)
            return
        if self._kind != _FORM or self.head.encoded:
            raise UnsupportedType(f"A form comes as {_FORM}.")
        receive.known = self._is_known()
        most_bytes = _MOST_BYTES if receive.known else PUBLIC_BYTES
        body = await read_body(receive, most_bytes, self.head.length)
        self.form = Form.parse(body.decode("latin-1"))

    async def _take_files(self, receive: Body) -> None:
        """Of whoever is signed in: nobody else sends so much."""
        receive.known = self._is_known()
        if not receive.known:
            raise Unauthenticated("Sign in to send a file.")
        body = await read_body(receive, _MOST_FILE_BYTES, self.head.length)
        kind = self.head.text("content-type") or ""
        fields: dict[str, list[str]] = {}
        for part in await asyncio.to_thread(form_parts.parts, body, kind, _MOST_PARTS):
            if part.file is None:
                fields.setdefault(part.name, []).append(part.text)
            elif part.file:  # else none was chosen
                self.files.setdefault(part.name, part)
        self.form = Form(fields)

    def _is_known(self) -> bool:
        """Whether somebody sends the form who is signed in: as a member, or as a customer on the portal."""
        who = self.head.credentials()
        if self.path.startswith("/portal/"):
            who = who._replace(token=self.head.cookie(PORTAL_COOKIE), device=None)
        caller = self._dispatcher.identify(who, public=True)
        return caller.member is not None or caller.customer is not None

    async def media(self) -> PageResponse | None:
        """The picture or file that a module sends from this path, if it does and the caller may see it.

        A picture's address changes with its bytes, so it may be kept for a day. Raises Unauthenticated or RateLimited.
        """
        for media in self._dispatcher.registry.media:
            if not self.path.startswith(media.path):
                continue
            caller = self._dispatcher.identify(self.head.credentials(), public=media.public)
            nobody = caller.role == "anonymous"
            if nobody:
                self._dispatcher.count_nobody(self.head.address)
            found = await self._sent(media, caller)
            if nobody and found is not None:
                self._dispatcher.count_found(self.head.address)
            if found is not None:
                return found
        return None

    async def _sent(self, media: Media, caller: Caller) -> PageResponse | None:
        if media.smaller is not None and (width := self.query.all("w")):
            return await self._smaller(media, caller, width[0])
        find = partial(media.find, ref=self.path.removeprefix(media.path))
        found = await self._dispatcher.database.read(find, caller, name=media.read_name)
        if isinstance(found, Download):
            return download(found)
        if found is None:
            return None
        kind, body = found
        headers = {"Cache-Control": "private, max-age=86400", "Content-Security-Policy": "sandbox"}
        return PageResponse(body, kind=kind, headers=headers)

    async def _smaller(self, media: Media, caller: Caller, width: str) -> PageResponse:
        assert media.smaller is not None
        out = External(self._dispatcher.database, caller, lambda fn: fn)
        return small_picture(await media.smaller(out, self.path.removeprefix(media.path), width))

    async def piece(self, data: PiecedData, number: int) -> bytes | None:
        """A part of a file that is on its way to who may see it."""
        return await self._dispatcher.database.read(lambda tx: data.read(tx, number), name=PIECES)

    async def call(self, op_id: str, fields: dict[str, Any] | None = None, *, key: str | None = None) -> Any:
        """Run an operation as whoever looks. A session that begins goes into a cookie. Raises a Problem."""
        admitted = self._dispatcher.admit(op_id, self.head.credentials())
        reply = await self._dispatcher.run(admitted, to_json(fields or {}), key=key)
        body = reply.body
        if admitted.op.signs_in and self.head.browser:
            body, cookies = self.head.into_cookie(body, self._dispatcher.session_lives_s)
            self.cookies += cookies
        return json.loads(body)

    async def call_by(
        self, token: str | None, op_id: str, fields: dict[str, Any] | None = None, *, key: str | None = None
    ) -> Any:
        """Run an operation as whoever has this token, who is no member; None: as nobody. Raises a Problem."""
        who = self.head.credentials()._replace(token=token, device=None)
        admitted = self._dispatcher.admit(op_id, who)
        reply = await self._dispatcher.run(admitted, to_json(fields or {}), key=key)
        return json.loads(reply.body)

    async def look(self, fn: Callable[[Read], T]) -> T:
        """Read for a page before anybody is signed in. Raises RateLimited."""
        self._dispatcher.count_nobody(self.head.address)
        nobody = ANONYMOUS.within(
            address=self.head.address, request=None, browser=self.head.browser, device=None
        )
        return await self._dispatcher.database.read(fn, nobody, name="page")

    async def settle(self, fn: Callable[[Write], T]) -> T:
        """Write what a link proves by itself, before anybody is signed in. Raises RateLimited."""
        self._dispatcher.count_nobody(self.head.address)

        def settled(tx: Write) -> T:
            tx.op = "page"
            return fn(tx)

        return await self._dispatcher.database.write(settled, ANONYMOUS)

    async def beside(self, work: Callable[[], T]) -> T:
        """Work for anybody that takes a moment. Raises RateLimited."""
        self._dispatcher.count_nobody(self.head.address)
        return await asyncio.to_thread(work)

    async def change(self, fn: Callable[[Write], T]) -> T:
        """Write as whoever is signed in, where no operation does it. Raises Unauthenticated."""
        caller = self._dispatcher.identify(self.head.credentials())
        return await self._dispatcher.database.write(fn, caller)

    def extension(self, point: type[E]) -> E:
        """What a module declared for this point."""
        (found,) = self._dispatcher.registry.of(point)
        return found

    @property
    def modules(self) -> dict[str, frozenset[str]]:
        """The modules that are on, each with the scopes of which one opens something of it."""
        off = self._dispatcher.modules_off()
        found: dict[str, frozenset[str]] = {}
        for op in self._dispatcher.registry.operations.values():
            if not op.public and op.module not in off:
                found[op.module] = found.get(op.module, frozenset()) | frozenset(op.scopes)
        return found

    async def me(self) -> dict[str, Any]:
        """Who is signed in, as `auth.me` answers it. Raises Unauthenticated."""
        if self._me is None:
            self._me = await self.call("auth.me")
        assert self._me is not None
        return self._me

    async def me_or_none(self) -> dict[str, Any] | None:
        """Who is signed in, or None."""
        if self.head.cookie_token is None and self.head.bearer is None:
            return None
        try:
            return await self.me()
        except Unauthenticated:
            return None

    @property
    def known_me(self) -> dict[str, Any] | None:
        """Who is signed in, where that was asked already."""
        return self._me

    def forget_me(self) -> None:
        """Somebody else is signed in from now on, or nobody."""
        self._me = None


def own_path(text: str) -> str:
    """A path of this site that may be gone to; `/` for anything else."""
    return text if _OWN_PATH.fullmatch(text) else "/"


def field_errors(problem: Problem | None) -> dict[str, str]:
    """Field -> what is wrong with it."""
    if problem is None:
        return {}
    return {error["path"]: error["message"] for error in problem.extra.get("errors", []) if error["path"]}
