"""Signing in: what pages ask of the module that judges it, before anybody is signed in."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class MailedLinks(Extension):
    """Declared once."""

    address: Callable[[Read, str, str], str]
    """(token, purpose) -> the address of the member for whom the link opens something. Raises NotFound where it opens
    nothing any more."""


@dataclass(frozen=True, kw_only=True)
class SetupLinks(Extension):
    """Declared once."""

    require: Callable[[Read, str], None]
    """Of a token. Raises Conflict where the org is set up, NotFound where the link is over."""
    are_needed: Callable[[Read], bool]
    """Whether there is no org yet, and so nobody to sign in."""


@dataclass(frozen=True, kw_only=True)
class SignInWays(Extension):
    """Declared once."""

    offered: Callable[[Read], frozenset[str]]
    """Which of `password`, `link` and `passkey` a page of this server may offer."""
