"""REST: `POST /api/v1/<op>`. One dict between the socket and the dispatcher, which reads the body (`strict_json`)."""

import logging
from collections.abc import Coroutine
from typing import Any, NamedTuple

from kbwork.api.http.body import PUBLIC_BYTES
from kbwork.api.http.compression import fit, packed
from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.exchange import Fields, Peer
from kbwork.api.http.problems import refusal, wrong_method
from kbwork.api.http.request import (
    AsgiRequest,
    Head,
    Request,
    read_body,
    require_json,
    require_length,
    require_own_page,
    require_size,
)
from kbwork.api.http.response import Response
from kbwork.base.errors import NotFound, Problem
from kbwork.core.operations.call import AuthorizedCall, Credentials, OperationResult, Pass

PREFIX = "/api/v1/"


class _Shown(NamedTuple):
    """The head of the last call on a connection, without the length of its body, and what was found of it."""

    fields: Fields
    who: Credentials
    known: Pass


class Rest(Endpoint):
    """The door for programs, and for pages of this site by cookie.

    A request is judged by its head, then answered when its body is there: it may come with the head, straight from the
    connection, or piece by piece by ASGI.
    """

    door = "rest"
    log = logging.getLogger("kbwork.rest")
    in_a_task = False

    async def answer(self, request: AsgiRequest) -> int:
        admitted = self._admit(request)
        request.receive.known = not admitted.op.public
        body = await read_body(request.receive, self._most_bytes(admitted), request.head.length)
        response = await self._run(request, admitted, body)
        await request.answer(response)
        return response.status

    def call(
        self, op_id: str, peer: Peer, fields: Fields, body: bytes
    ) -> Response | Coroutine[Any, Any, Response]:
        """Answer a POST that is there as a whole: at once where a read is quick, else by what is to be awaited."""
        fields.pop(b"content-length", None)
        request = self.begin(PREFIX + op_id, peer, fields)
        head = request.head
        try:
            admitted = self._admit_again(op_id, peer, request, fields)
            require_size(body, self._most_bytes(admitted))
            known = fields.get(b"if-none-match")
            reply = self._dispatcher.at_once(
                admitted, body, known.decode("latin-1") if known is not None else None
            )
            if reply is None:
                return self.finish(request, self._made(head, admitted, body))
            response = self._answer(head, admitted, reply)
        except Exception as error:  # as of other requests
            response = self._refused(request, error)
        self._count(request, response.status)
        return fit(response, head.accepted)

    def _admit_again(self, op_id: str, peer: Peer, request: Request, fields: Fields) -> AuthorizedCall:
        """As `_admit`. What was found of the head of the call before is not found out again, if this has the same."""
        shown = peer.shown
        if isinstance(shown, _Shown) and shown.fields == fields:
            op = self._dispatcher.registry.operations[op_id]
            who = shown.who if op.road == "read" else shown.who._replace(request=request.head.request)
            admitted = self._dispatcher.admit(op_id, who, shown.known)
            request.cls = op.cls
            return admitted
        admitted = self._admit(request)
        if admitted.known is not None and b"cookie" not in fields and b"origin" not in fields:
            peer.shown = _Shown(fields, admitted.who, admitted.known)
        return admitted

    def _admit(self, request: Request) -> AuthorizedCall:
        head, path = request.head, request.path
        if "." not in path:
            request.counted = False  # it is no name of an operation, and so no call
            raise NotFound(f"Nothing lives at {path}: see /docs for what there is.")
        op_id = path.removeprefix(PREFIX)
        if head.method != "POST":
            self._dispatcher.registry.require(op_id)
            raise wrong_method(f"Call it as POST {PREFIX}{op_id} with a JSON object as body.", "POST")
        # Whoever sends more than any call takes is told before anything else: nobody reads it to its end.
        require_length(head, self._site.bodies.largest_bytes)
        admitted = self._dispatcher.admit(op_id, head.credentials())
        require_own_page(head)
        require_json(head)
        require_length(head, self._most_bytes(admitted))
        request.cls = admitted.op.cls
        return admitted

    def _most_bytes(self, admitted: AuthorizedCall) -> int:
        """How much the body of a call holds."""
        return PUBLIC_BYTES if admitted.op.public else self._site.bodies.largest_bytes

    async def _run(self, request: Request, admitted: AuthorizedCall, body: bytes) -> Response:
        reply = self._dispatcher.at_once(admitted, body, request.head.text("if-none-match"))
        if reply is None:
            return await self._made(request.head, admitted, body)
        return self._answer(request.head, admitted, reply)

    async def _made(self, head: Head, admitted: AuthorizedCall, body: bytes) -> Response:
        key, known = head.text("idempotency-key"), head.text("if-none-match")
        reply = await self._dispatcher.make(admitted, body, key=key, if_none_match=known)
        return self._answer(head, admitted, reply)

    def refuse(self, request: Request, problem: Problem) -> Response:
        seq = {"x-kb-seq": str(self._dispatcher.database.seq)} if request.counted else None
        return refusal(problem, request.head.request, seq)

    def _answer(self, head: Head, admitted: AuthorizedCall, reply: OperationResult) -> Response:
        rate = ""
        if admitted.rate_headers:
            rate = "".join([f"{name.lower()}: {value}\r\n" for name, value in admitted.rate_headers.items()])
        if reply.etag is not None:
            kept = f"etag: {reply.etag}\r\ncache-control: private, no-cache\r\n"
        else:
            kept = "cache-control: no-store\r\n"
        if reply.replayed:
            kept += "idempotent-replayed: true\r\n"
        lines = f"x-kb-seq: {reply.seq}\r\n{rate}{kept}x-content-type-options: nosniff\r\n"
        if not reply.fresh:
            return Response(304, lines.encode(), b"")
        body = reply.body
        if head.browser:
            body, cookies = self._cookies(head, admitted, body)
            lines += "".join(f"set-cookie: {cookie}\r\n" for cookie in cookies)
        lines += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        return Response(200, lines.encode("latin-1"), body, packed if admitted.op.compressible else None)

    def _cookies(self, head: Head, admitted: AuthorizedCall, body: bytes) -> tuple[bytes, list[str]]:
        """What a page is told: it gets its session as a cookie that its scripts cannot read."""
        if admitted.op.signs_in:
            return head.into_cookie(body, self._dispatcher.session_lives_s)
        ends = admitted.op.id == "auth.logout" and admitted.caller.session is not None
        return body, head.clear_cookies() if ends else []
