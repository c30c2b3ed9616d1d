"""The door for what others post: `POST /in/email/<token>`, `POST /in/chat/<id>`, `POST /in/rule/<token>`,
`POST /in/flag/<token>`."""

import asyncio
import json
import logging
from typing import Any

from pydantic_core import to_json

from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, read_body
from kbwork.api.http.response import response
from kbwork.api.http.site import Site
from kbwork.api.inbound import mail_forms, said
from kbwork.base.caller import ANONYMOUS, SYSTEM
from kbwork.base.errors import NotFound, Unauthenticated, UnsupportedType
from kbwork.base.text import whole_number
from kbwork.core.hooks import MailHook, SignedHook, TokenHook
from kbwork.core.operations.call import AuthorizedCall, Credentials

MOST_BYTES = 12 * 1024 * 1024
"""Of a mail with all that hangs on it."""
SIGNED_BYTES = 512 * 1024
SAID_BYTES = 256 * 1024
_TOKEN_CHARS = 200
_UNPROVEN = "Nothing proves that this comes from where it says."

Hook = MailHook | SignedHook | TokenHook


class InboundDoor(Endpoint):
    """It takes what comes as the server itself: the token in the path, or the operation, says what is proved by it."""

    door = "inbound"
    log = logging.getLogger("kbwork.inbound")

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        registry = site.dispatcher.registry
        self._hooks: list[Hook] = [
            *registry.of(MailHook),
            *registry.of(SignedHook),
            *registry.of(TokenHook),
        ]

    async def answer(self, request: AsgiRequest) -> int:
        request.cls = "write"
        path = request.scope["path"]
        hook = next((one for one in self._hooks if path.startswith(one.beginning)), None)
        rest = path.removeprefix(hook.beginning) if hook is not None else ""
        self._dispatcher.count_nobody(request.head.address)
        if hook is None or not await self._opens(hook, rest):
            raise NotFound("Nothing is taken in here.")
        if request.head.method != "POST":
            raise wrong_method("What comes in here is posted.", "POST")
        if request.head.encoded:
            raise UnsupportedType("The body comes as it is, without a content encoding.")
        if isinstance(hook, MailHook):
            request.receive.known = True
            told = await self._mail(hook, request, await self._body(request, MOST_BYTES), rest)
        elif isinstance(hook, TokenHook):
            request.receive.known = True
            body = await self._body(request, SAID_BYTES)
            asked = {"token": rest, "said": said.read(body, request.head.text("content-type") or "")}
            told = await self._take(hook.op, request, asked)
        else:
            told = await self._signed(hook, request, await self._body(request, SIGNED_BYTES), rest)
        answer = response(200, told, {"Cache-Control": "no-store"})
        await request.answer(answer)
        return answer.status

    async def _opens(self, hook: Hook, rest: str) -> bool:
        """Asked of a module that is on."""
        op = self._dispatcher.registry.require(hook.op)
        if not rest or len(rest) > _TOKEN_CHARS or op.module in self._dispatcher.modules_off():
            return False
        if isinstance(hook, SignedHook):
            return whole_number(rest) is not None
        return await self._dispatcher.database.read(
            lambda tx: hook.opens(tx, rest), ANONYMOUS, name="inbound"
        )

    async def _body(self, request: AsgiRequest, most: int) -> bytes:
        most = min(most, self._site.bodies.largest_bytes)
        return await read_body(request.receive, most, request.head.length)

    async def _mail(self, hook: MailHook, request: AsgiRequest, body: bytes, token: str) -> bytes:
        mail = await asyncio.to_thread(mail_forms.read, body, request.head.text("content-type") or "")
        return await self._take(hook.op, request, mail | {"token": token})

    async def _signed(self, hook: SignedHook, request: AsgiRequest, body: bytes, rest: str) -> bytes:
        """Raises Unauthenticated where the operation refuses it, and for a body that is no text: nobody signs such."""
        found = {name: request.head.text(name) for name in hook.headers}
        headers = {name: value for name, value in found.items() if value is not None}
        try:
            asked = {hook.number: whole_number(rest), "headers": headers, "body": body.decode()}
        except UnicodeDecodeError:
            raise Unauthenticated(_UNPROVEN) from None
        told = json.loads(await self._take(hook.op, request, asked))
        if told["result"] == "refused":
            raise Unauthenticated(_UNPROVEN)
        return to_json(told["reply"]) if told["reply"] is not None else b""

    async def _take(self, op_id: str, request: AsgiRequest, asked: dict[str, Any]) -> bytes:
        caller = SYSTEM.within(
            address=request.head.address, request=request.head.request, browser=False, device=None
        )
        op = self._dispatcher.registry.require(op_id)
        call = AuthorizedCall(op, caller, Credentials(), self._dispatcher.database.access, "inbound")
        return (await self._dispatcher.run(call, to_json(asked))).body
