"""Problems as whole answers."""

from collections.abc import Mapping

from pydantic_core import to_json

from kbwork.api.http.response import Response, response
from kbwork.base.errors import MethodNotAllowed, Problem, Unauthenticated


def refusal(problem: Problem, request: str, first: Mapping[str, str] | None = None) -> Response:
    """`application/problem+json` to the request of this name; the headers `first` stand before those of the problem."""
    headers = refusal_headers(problem, {**(first or {}), "Cache-Control": "no-store"})
    document = to_json(problem.document(request))
    return response(problem.status, document, headers, content_type="application/problem+json")


def refusal_headers(problem: Problem, first: Mapping[str, str]) -> dict[str, str]:
    """The headers of a refusal: those of the door first, then what the problem says."""
    headers = {**first, **problem.headers}
    if isinstance(problem, Unauthenticated):
        headers.setdefault("WWW-Authenticate", "Bearer")
    return headers


def wrong_method(detail: str, allow: str) -> MethodNotAllowed:
    """The refusal of a method; `allow` are those that there are."""
    problem = MethodNotAllowed(detail)
    problem.headers["Allow"] = allow
    return problem
