"""Every way a call can be refused. `detail` says what to mend; `internal` goes to the log only."""

import contextlib
from collections.abc import Iterator
from typing import Any, ClassVar


class Problem(Exception):
    """A refusal that a caller can act on (RFC 9457).

    A subclass fixes the slug of its `type`, its `title`, its HTTP `status`, the `exit_code` of the command
    line and whether the same call may succeed `later`. `extra` stands beside the members of the RFC.
    """

    slug: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong here"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    later: ClassVar[bool] = False

    def __init__(self, detail: str, *, internal: str | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.internal = internal
        self.extra = extra
        self.headers: dict[str, str] = {}

    def document(self, request: str) -> dict[str, Any]:
        """The body of `application/problem+json`."""
        return {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "request_id": request,
            **self.extra,
        }


@contextlib.contextmanager
def located(place: str) -> Iterator[None]:
    """What is refused inside is refused at this place of the input, such as `items[2]`."""
    try:
        yield
    except Problem as problem:
        problem.detail = f"{place}: {problem.detail}"
        for error in problem.extra.get("errors", ()):
            error["path"] = f"{place}.{error['path']}" if error["path"] else place
        raise


class InvalidJson(Problem):
    slug, title, status, exit_code = "invalid-json", "The body is not a JSON object", 400, 2


class Unauthenticated(Problem):
    slug, title, status, exit_code = "unauthenticated", "Sign in first", 401, 3


class NotAllowed(Problem):
    slug, title, status = "not-allowed", "You may not do this", 403


class InsufficientScope(Problem):
    slug, title, status = "insufficient-scope", "The key or role lacks a scope", 403


class ElevationNeeded(Problem):
    slug, title, status = "elevation-needed", "Confirm that it is you", 403


class AiOff(Problem):
    slug, title, status = "ai-off", "AI is switched off", 403


class AiExcluded(Problem):
    slug, title, status = "ai-excluded", "AI may not read this", 403


class NotFound(Problem):
    slug, title, status = "not-found", "No such thing", 404


class MethodNotAllowed(Problem):
    slug, title, status, exit_code = "method-not-allowed", "This address takes another method", 405, 2


class Conflict(Problem):
    slug, title, status = "conflict", "It does not fit what is there", 409


class Stale(Problem):
    slug, title, status = "stale", "It changed in between", 409


class WorkflowRefused(Problem):
    slug, title, status = "workflow-refused", "The workflow refuses this move", 409


class ApprovalNeeded(Problem):
    slug, title, status = "approval-needed", "Somebody has to approve this first", 409


class MasterKeyLost(Problem):
    slug, title, status = "master-key-lost", "The master key is another one", 409


class InUse(Problem):
    slug, title, status = "in-use", "It is still in use", 409


class TooLarge(Problem):
    slug, title, status, exit_code = "too-large", "The body is too large", 413, 2


class UnsupportedType(Problem):
    slug, title, status, exit_code = "unsupported-type", "Send JSON without a content encoding", 415, 2


class IdempotencyMismatch(Problem):
    slug, title, status, exit_code = "idempotency-mismatch", "This key was used for another call", 422, 2


class InvalidInput(Problem):
    """`errors`: [{`path`, `message`, `allowed`?}]."""

    slug, title, status, exit_code = "invalid-input", "A field does not fit", 422, 2

    def __init__(
        self, detail: str, *, field: str | None = None, allowed: list[Any] | None = None, **extra: Any
    ) -> None:
        if field is not None:
            error: dict[str, Any] = {"path": field, "message": detail}
            if allowed is not None:
                error["allowed"] = allowed
            extra.setdefault("errors", [error])
        super().__init__(detail, **extra)


class UnknownField(InvalidInput):
    slug, title = "unknown-field", "There is no such field"


class TqlSyntax(Problem):
    slug, title, status, exit_code = "tql-syntax", "The query cannot be read", 422, 2


class TqlName(Problem):
    slug, title, status, exit_code = "tql-name", "The query names something unknown", 422, 2


class TqlTooSlow(Problem):
    slug, title, status = "tql-too-slow", "The query takes too long", 422


class QueryTooSlow(Problem):
    slug, title, status = "query-too-slow", "The SQL query takes too long", 422


class ConfirmNeeded(Problem):
    slug, title, status, exit_code = "confirm-needed", "Confirm the destructive call", 422, 2


class RateLimited(Problem):
    slug, title, status, later = "rate-limited", "Too many calls", 429, True

    def __init__(self, detail: str, *, retry_after_s: int) -> None:
        super().__init__(detail)
        self.headers["Retry-After"] = str(max(1, retry_after_s))


class AllowanceUsed(Problem):
    slug, title, status = "allowance-used", "The month's allowance is used up", 429


class AiCap(Problem):
    slug, title, status = "ai-cap", "The token allowance is used up", 429


class Internal(Problem):
    slug, title, status, later = "internal", "Something went wrong here", 500, True


class UpstreamFailed(Problem):
    slug, title, status, later = "upstream-failed", "The other side failed", 502, True


class Busy(Problem):
    slug, title, status, later = "busy", "The server is busy", 503, True

    def __init__(self, detail: str, *, retry_after_s: int = 1, internal: str | None = None) -> None:
        super().__init__(detail, internal=internal)
        self.headers["Retry-After"] = str(retry_after_s)


class StorageFull(Problem):
    slug, title, status, later = "storage-full", "The disk is full", 507, True

    def __init__(self, detail: str, *, internal: str | None = None) -> None:
        super().__init__(detail, internal=internal)
        self.headers["Retry-After"] = "5"


def every_problem() -> list[type[Problem]]:
    """All problem types, by slug: what the contract, the problem pages and the docs are made from.

    Those of doors that speak another protocol have no slug of their own, and are none.
    """
    found: list[type[Problem]] = []
    waiting: list[type[Problem]] = [Problem]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if "slug" in vars(kind):
                found.append(kind)
            waiting.append(kind)
    return sorted(found, key=lambda kind: kind.slug)
