"""REST: `POST /api/v1/<op>`. A bare ASGI endpoint and one dict between the socket and the dispatcher."""

import logging

from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from kbwork.api.http.boundary import error_boundary
from kbwork.api.http.request import Head, browser_refused, read_body, too_large
from kbwork.api.http.response import Observe, respond
from kbwork.base.clock import monotonic
from kbwork.base.errors import (
    MethodNotAllowed,
    NotAllowed,
    Problem,
    Unauthenticated,
    UnsupportedType,
)
from kbwork.core.operations.call import AuthorizedCall, OperationResult
from kbwork.core.operations.dispatch import Dispatcher

log = logging.getLogger("kbwork.rest")
_PREFIX = "/api/v1/"


class Rest:
    """The door for programs, and for pages of this site by cookie."""

    def __init__(
        self, dispatcher: Dispatcher, *, base_url: str, max_body_bytes: int, observe: Observe
    ) -> None:
        self._dispatcher = dispatcher
        self._base_url = base_url
        self._max_body_bytes = max_body_bytes
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = monotonic()
        head = Head(scope, self._base_url)
        label = "other"

        async def serve() -> int:
            nonlocal label
            admitted = self._admit(scope, head)
            label = admitted.op.cls
            body = await read_body(receive, self._max_body_bytes, head.length)
            reply = await self._dispatcher.run(
                admitted, body, key=head.text("idempotency-key"), if_none_match=head.text("if-none-match")
            )
            return await self._answer(send, head, admitted, reply)

        status = await error_boundary(log, head, serve, lambda problem: self._refuse(send, head, problem))
        self._observe("rest", label, status, monotonic() - started)

    def _admit(self, scope: Scope, head: Head) -> AuthorizedCall:
        op_id = scope["path"].removeprefix(_PREFIX)
        if scope["method"] != "POST":
            self._dispatcher.registry.require(op_id)
            problem = MethodNotAllowed(f"Call it as POST {_PREFIX}{op_id} with a JSON object as body.")
            problem.headers["Allow"] = "POST"
            raise problem
        admitted = self._dispatcher.admit(op_id, head.credentials())
        if refused := browser_refused(head):
            raise NotAllowed(refused)
        if not head.json or head.encoded:
            raise UnsupportedType(
                "Send the body as `Content-Type: application/json`, without a Content-Encoding."
            )
        if head.length is not None and head.length > self._max_body_bytes:
            raise too_large(self._max_body_bytes)
        return admitted

    async def _answer(self, send: Send, head: Head, admitted: AuthorizedCall, reply: OperationResult) -> int:
        headers = {"x-kb-seq": str(reply.seq), **admitted.rate_headers}
        body = reply.body
        if reply.etag is not None:
            headers |= {"ETag": reply.etag, "Cache-Control": "private, no-cache"}
        else:
            headers["Cache-Control"] = "no-store"
        if reply.replayed:
            headers["Idempotent-Replayed"] = "true"
        cookies: list[str] = []
        if admitted.op.signs_in and head.browser:
            body, cookies = head.into_cookie(body)
        elif admitted.op.id == "auth.logout" and admitted.caller.session is not None and head.browser:
            cookies = head.clear_cookies()
        if not reply.fresh:
            await respond(send, 304, b"", headers)
            return 304
        await respond(send, 200, body, headers, cookies=cookies)
        return 200

    async def _refuse(self, send: Send, head: Head, problem: Problem) -> int:
        headers = {
            "x-kb-seq": str(self._dispatcher.database.seq),
            "Cache-Control": "no-store",
            **problem.headers,
        }
        if isinstance(problem, Unauthenticated):
            headers["WWW-Authenticate"] = "Bearer"
        document = to_json(problem.document(head.request))
        await respond(send, problem.status, document, headers, content_type=b"application/problem+json")
        return problem.status
