"""Problems as whole answers, for doors beside REST."""

from typing import Any

from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from kbwork.api.http.response import respond
from kbwork.base import ids
from kbwork.base.errors import NotFound, Problem, Unauthenticated


async def send_problem(send: Send, problem: Problem, request: str | None = None) -> None:
    """Answer with `application/problem+json`."""
    headers: dict[str, Any] = {"Cache-Control": "no-store", **problem.headers}
    if isinstance(problem, Unauthenticated):
        headers.setdefault("WWW-Authenticate", "Bearer")
    document = to_json(problem.document(request or ids.request_id()))
    await respond(send, problem.status, document, headers, content_type=b"application/problem+json")


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Nothing lives at this path."""
    await send_problem(send, NotFound(f"Nothing lives at {scope['path']}: see /docs for what there is."))
