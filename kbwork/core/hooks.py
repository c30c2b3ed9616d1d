"""Paths that other services post to: a token in the path opens one, or a signature, and the server does what comes."""

from collections.abc import Callable

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.core.seal import Seal
from kbwork.db.tx import Read


@dataclass(frozen=True, slots=True)
class PathToken:
    """What opens a path, and how that is kept: sealed, to be shown again, and as a digest, to be found by."""

    plain: str
    sealed: bytes
    digest: bytes


def new_token(tx: Read, about: str) -> PathToken:
    """Another one. `about`: the place to which its sealed form is bound."""
    plain = ids.token("")
    return PathToken(plain, Seal(tx.secret).seal(plain.encode(), about), ids.digest(plain))


@dataclass(frozen=True, kw_only=True)
class SignedHook(Extension):
    """Where a service posts what it signs. Declared by the module whose operation proves and takes it."""

    beginning: str
    """Of the path; behind it stands the number of what it is posted to."""
    op: str
    """The operation that takes it, with the `body` as it came, those `headers`, and the number. It answers `result`,
    `accepted` or `refused`, and `reply`: any JSON, or None for an empty answer."""
    number: str
    """What the operation calls the number."""
    headers: tuple[str, ...]
    """Those that it wants, by small names."""


@dataclass(frozen=True, kw_only=True)
class TokenHook(Extension):
    """Where whoever knows a token posts what they like. Declared by the module whose operation takes it."""

    beginning: str
    """Of the path; behind it stands the token."""
    opens: Callable[[Read, str], bool]
    """Whether a token opens something: asked before the body is read."""
    op: str
    """The operation that takes it, with `token` and what was `said`, an object."""


@dataclass(frozen=True, kw_only=True)
class MailHook(Extension):
    """Where mail comes in. Declared by the module whose operation takes it."""

    beginning: str
    """Of the path; behind it stands the token."""
    opens: Callable[[Read, str], bool]
    """Whether a token opens something: asked before the body is read."""
    op: str
    """The operation that takes it, with `token`, `from`, `name`, `subject`, `text`, `message_id`, `in_reply_to`,
    `references`, `to` and `automatic`."""
