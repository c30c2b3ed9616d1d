"""Which addresses a request may go to: public ones only, in whatever disguise they come."""

import ipaddress
from urllib.parse import urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
MOST_CHARS = 4000
_PORTS = {"http": 80, "https": 443}
_GLOBAL_V6 = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "168.63.129.16/32",  # answers a cloud's machines with their secrets, from a public address
        "192.88.99.0/24",  # relays to IPv6
        "2001::/32",  # Teredo: the real address hides in it
        "3fff::/20",  # documentation
    )
)


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """Where a request goes, parsed once: what was checked is what is asked."""

    scheme: str
    host: str
    """In ASCII and lower case; IPv6 without brackets."""
    port: int
    path: str
    """With the query."""

    @property
    def place(self) -> str:
        """`host:port`, as the operator lists exceptions."""
        return f"{self.bracketed}:{self.port}"

    @property
    def bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def host_header(self) -> str:
        return self.bracketed if self.port == _PORTS[self.scheme] else self.place

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host_header}{self.path}"


def parse(url: str, *, field: str = "url") -> RequestTarget:
    """A target from the address of a page. Raises InvalidInput for what is no plain http or https address."""
    if len(url) > MOST_CHARS or any(ord(char) <= 32 or char in '\x7f\\"<>^`{|}' for char in url):
        raise InvalidInput("This is no address of a page: it holds signs that none has.", field=field)
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _ascii_host(parts.hostname or "")
    except ValueError:
        raise InvalidInput("This is no address of a page.", field=field) from None
    if parts.scheme not in _PORTS or not host or "%" in host:
        raise InvalidInput("Write the address of a page as https://example.com/page.", field=field)
    if "@" in parts.netloc:
        raise InvalidInput("An address with a name or password in it is not asked.", field=field)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return RequestTarget(parts.scheme, host, port or _PORTS[parts.scheme], _ascii_path(path))


def literal(host: str) -> Address | None:
    """The address that a host spells out, or None where it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether everybody on the Internet reaches the same thing there."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return is_public(inner)
        if address not in _GLOBAL_V6:
            return False
    refused = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not refused and not any(address in network for network in _REFUSED)


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to: mapped, 6to4 or NAT64."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour


def _ascii_host(host: str) -> str:
    if host.isascii():
        return host.lower().rstrip(".")
    return host.encode("idna").decode("ascii").lower().rstrip(".")


def _ascii_path(path: str) -> str:
    return "".join(
        char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode()) for char in path
    )
