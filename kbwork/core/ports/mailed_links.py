"""Links that are mailed: what pages ask of the module that makes them, before anybody is signed in."""

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
    signs_in: Callable[[Read], bool]
    """Whether people may sign in by such a link."""
