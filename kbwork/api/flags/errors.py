"""Refusals of the flag REST: {`error`: {`code`, `message`}}, in its names."""

import re
from typing import Any, Final

from kbwork.api.flags.routes import Bound
from kbwork.api.flags.texts import Texts
from kbwork.base.errors import InsufficientScope, Internal, NotFound, Problem

CODES: Final = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    429: "rate_limited",
    500: "internal",
    503: "unavailable",
}
"""Status -> code in the answers of flags; whatever else is refused is `invalid_request`."""
_STATUSES = {422: 400, 502: 503, 507: 503}
"""Statuses that the contract does not have -> those that it has for them."""


class Refusals:
    """Problems, told in the words of these paths."""

    def __init__(self, bound: list[Bound]) -> None:
        self._texts = Texts(bound)

    def told(
        self, problem: Problem, bound: Bound | None, request: str, *, by_key: bool
    ) -> tuple[int, dict[str, Any]]:
        """Status and body. `by_key`: a key lacks the scope, and not the role of a person."""
        status = _STATUSES.get(problem.status, problem.status)
        if isinstance(problem, NotFound) and bound is not None and _in_body(problem, bound):
            status = 400  # the path is right, what the body says of it is not
        code = CODES.get(status, "invalid_request")
        if isinstance(problem, InsufficientScope) and by_key:
            code = "insufficient_scope"
        text = _our_field(problem.detail, bound.spoken) if bound is not None else problem.detail
        message = self._texts.spoken(text)
        if isinstance(problem, Internal):
            message += f" The log has it under the request {request}."
        return status, {"error": {"code": code, "message": message}}


def _in_body(problem: Problem, bound: Bound) -> bool:
    """Whether what is not there was named in the body, and not in the path or the query."""
    return problem.extra.get("field") in bound.body.values()


def _our_field(text: str, spoken: dict[str, str]) -> str:
    """The field that a refusal begins with, as it is called here."""
    found = re.match(r"([a-z_]+)(?=[:.\[])", text)
    if found is None or found[1] not in spoken:
        return text
    return spoken[found[1]] + text[found.end() :]
