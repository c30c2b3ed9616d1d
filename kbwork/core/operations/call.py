"""What a door hands in and gets back."""

from dataclasses import dataclass, field

from kbwork.base.caller import Caller
from kbwork.core.operations.declare import Operation


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who says they are calling, from where, and how."""

    token: str | None = None
    address: str | None = None
    request: str | None = None
    """Request id: in problems, in the log and in the audit log."""
    browser: bool = False
    """The request carries an `Origin` of this site: a session goes into a cookie."""
    device: str | None = None
    mcp: bool = False
    """The request came to the MCP door, where alone the tokens of connected clients count."""


@dataclass(frozen=True, slots=True)
class AuthorizedCall:
    """A call that passed operation, caller, scope and rate: its body may be read now."""

    op: Operation
    caller: Caller
    who: Credentials
    access: int
    """The state of access that they were judged by; when it moved since, they are judged again."""
    bucket: str
    """Whose rate paid for the call."""
    rate_headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OperationResult:
    """An answer: JSON bytes, or nothing where the caller's ETag still holds (`fresh` is False then)."""

    body: bytes
    seq: int
    etag: str | None = None
    fresh: bool = True
    replayed: bool = False
