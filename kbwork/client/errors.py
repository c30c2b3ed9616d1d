"""What a call can end with but its answer."""

from __future__ import annotations

from typing import Any


class KbworkError(Exception):
    """A call that has no answer."""

    exit_code = 1


class KbworkProblem(KbworkError):
    """The server refused (RFC 9457): `detail` says what to mend, `errors` which fields do not fit.

    `slug` is the last part of the problem's `type`, such as `not-found`; `extra` holds its other members.
    """

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.slug = str(document.get("type", "")).rpartition("/")[2] or f"http-{status}"
        self.title = str(document.get("title") or f"HTTP {status}")
        self.detail = str(document.get("detail") or "")
        self.request_id = document.get("request_id")
        known = ("type", "title", "status", "detail", "request_id")
        self.extra = {name: value for name, value in document.items() if name not in known}
        self.errors: list[dict[str, Any]] = self.extra.get("errors") or []
        self.sent: dict[str, Any] = {}
        """The fields of the call, where an operation was refused."""
        super().__init__(f"{self.title}: {self.detail}" if self.detail else self.title)


class Unreachable(KbworkError):
    """No answer came. `again`: the call may be repeated at once."""

    exit_code = 4

    def __init__(self, text: str, *, again: bool = True) -> None:
        self.again = again
        super().__init__(text)


class NotSignedIn(KbworkError):
    """No server is known, or the sign-in was turned down."""

    exit_code = 3
