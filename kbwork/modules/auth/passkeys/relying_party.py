"""For whom passkeys sign: a name that browsers bind them to, and the one origin whose pages may ask."""

import ipaddress
from urllib.parse import urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core.own_address import own_address
from kbwork.db.tx import Read

_LOCAL = "localhost"
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """As WebAuthn calls it. A passkey that was made for one `id` signs for no other."""

    id: str
    origin: str


def relying_party(tx: Read) -> RelyingParty:
    """That of the running server: the name in its address, or localhost on this machine alone.

    Raises Conflict where browsers would refuse: an IP address is no name, and elsewhere they ask for https.
    """
    address = own_address(tx)
    parts = urlsplit(address.origin)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port not in (None, _PORTS.get(parts.scheme)) else ""
    if _is_loopback(host) and not address.fixed:
        return RelyingParty(_LOCAL, f"http://{_LOCAL}{port}")
    if host != _LOCAL and (parts.scheme != "https" or _ip(host) is not None):
        raise Conflict(
            f"Passkeys need an address with a name over https, and this server goes by {address.origin or 'none'}: its"
            " operator sets server.base_url, such as https://work.example.org, or http://localhost:8080 for this"
            " machine alone."
        )
    return RelyingParty(host, f"{parts.scheme}://{host}{port}")


def _is_loopback(host: str) -> bool:
    found = _ip(host)
    return found is not None and found.is_loopback


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
