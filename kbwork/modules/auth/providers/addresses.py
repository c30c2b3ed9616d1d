"""Which addresses of a provider are taken."""

import re
from urllib.parse import urlsplit

from kbwork.base.errors import InvalidInput

_CHARS = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()+*,;=%-]+\Z")
"""What is in no address is refused: it would be read in one way here and in another by a browser."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def require_address(address: str, field: str, *, secure: bool = False) -> None:
    """Raises InvalidInput for what is no https address; http is for this machine alone, and not where `secure`."""
    if not (_CHARS.match(address) and _leads(address, secure=secure)):
        raise InvalidInput(f"Write {field} as https://login.example.com.", field=field)


def _leads(address: str, *, secure: bool) -> bool:
    try:
        parts = urlsplit(address)
        host, named = parts.hostname, parts.port is None or parts.port > 0
    except ValueError:
        return False
    local = parts.scheme == "http" and host in _LOOPBACK and not secure
    return bool(host) and named and parts.username is None and (parts.scheme == "https" or local)
