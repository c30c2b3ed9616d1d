"""REST: `POST /api/v1/<op>`. A bare ASGI endpoint and one dict between the socket and the dispatcher."""

import logging

from starlette.types import Send

from kbwork.api.http.endpoint import NOT_COUNTED, Endpoint
from kbwork.api.http.problems import send_problem, wrong_method
from kbwork.api.http.request import (
    Head,
    Request,
    read_body,
    require_json,
    require_length,
    require_own_page,
)
from kbwork.api.http.response import respond
from kbwork.base.errors import NotFound, Problem
from kbwork.core.operations.call import AuthorizedCall, OperationResult

_PREFIX = "/api/v1/"


class Rest(Endpoint):
    """The door for programs, and for pages of this site by cookie."""

    door = "rest"
    log = logging.getLogger("kbwork.rest")

    async def answer(self, request: Request) -> int:
        head, path = request.head, request.scope["path"]
        if "." not in path:  # no name of an operation, so it is no call to be counted
            nothing = NotFound(f"Nothing lives at {path}: see /docs for what there is.")
            await send_problem(request.send, nothing, head.request)
            return NOT_COUNTED
        admitted = self._admit(path.removeprefix(_PREFIX), head)
        request.cls = admitted.op.cls
        body = await read_body(request.receive, self._site.max_body_bytes, head.length)
        reply = await self._dispatcher.run(
            admitted, body, key=head.text("idempotency-key"), if_none_match=head.text("if-none-match")
        )
        return await self._answer(request.send, head, admitted, reply)

    async def refuse(self, request: Request, problem: Problem) -> int:
        seq = {"x-kb-seq": str(self._dispatcher.database.seq)}
        await send_problem(request.send, problem, request.head.request, seq)
        return problem.status

    def _admit(self, op_id: str, head: Head) -> AuthorizedCall:
        if head.method != "POST":
            self._dispatcher.registry.require(op_id)
            raise wrong_method(f"Call it as POST {_PREFIX}{op_id} with a JSON object as body.", "POST")
        admitted = self._dispatcher.admit(op_id, head.credentials())
        require_own_page(head)
        require_json(head)
        require_length(head, self._site.max_body_bytes)
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
