"""Who calls, where a proxy that is trusted says for whom it asks."""

import ipaddress
from collections.abc import Iterable, Iterator
from functools import lru_cache

from kbwork.api.http.exchange import Fields
from kbwork.base.peers import Address, address_of


class TrustedProxies:
    """The proxies whose word is taken, by the networks in which they are.

    The caller is the right-most hop that is none of them, of `X-Forwarded-For` or `Forwarded`: what stands left of it,
    anybody may have written.
    """

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks = [ipaddress.ip_network(network, strict=False) for network in networks]
        self._found = lru_cache(4096)(self._behind)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def trusts(self, address: str | None) -> bool:
        """Whether this is one of them."""
        found = _address(address or "")
        return found is not None and any(found in network for network in self._networks)

    def caller(self, peer: str | None, fields: Fields) -> str | None:
        """The address of whoever calls by this peer of a connection. `fields` are the headers by their names.

        `X-Forwarded-For` wins, which nearly every proxy writes, while many pass on a `Forwarded` that the caller wrote.
        """
        if not self._networks or peer is None:
            return peer
        for name, standard in ((b"x-forwarded-for", False), (b"forwarded", True)):
            if (header := fields.get(name)) is not None:
                return self._found(peer, header.decode("latin-1"), standard=standard)
        return peer

    def _behind(self, peer: str, header: str, *, standard: bool) -> str:
        nearest = peer
        for hop in _standard_hops(header) if standard else reversed(header.split(",")):
            if not self.trusts(nearest):
                break
            address = _address(_bare(hop.strip()))
            if address is None:
                break  # a hop without a name or an address: the nearest that is known stands for it
            nearest = str(address)
        return nearest


def _standard_hops(header: str) -> Iterator[str]:
    """The hops of a `Forwarded` (RFC 7239), the last first; one that says not for whom is empty.

    A comma in quotes parts what belongs together, and leaves no address on either side of it.
    """
    for element in reversed(header.split(",")):
        pairs = (part.partition("=") for part in element.split(";"))
        yield next(
            (value.strip().strip('"') for name, _, value in pairs if name.strip().lower() == "for"), ""
        )


def _bare(hop: str) -> str:
    """A hop without its port: `192.0.2.7:80`, `[2001:db8::7]:80`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _address(text: str) -> Address | None:
    try:
        return address_of(text)
    except ValueError:
        return None
