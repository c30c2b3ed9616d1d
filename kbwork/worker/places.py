"""Where a connection may go: to the public addresses of a name, or to a place that the operator lists."""

import ipaddress
from collections.abc import Collection

from kbwork.base.errors import UpstreamFailed
from kbwork.worker import addresses, names


def place(host: str, port: int) -> str:
    """`host:port`, as the operator lists exceptions."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def checked(host: str, port: int, allowed: Collection[str], *, failed: str) -> list[str]:
    """The addresses of a host; one bad address among those of a name refuses the name. Raises UpstreamFailed, which
    says `failed`, and OSError where the name has none."""
    spelt = addresses.literal(host)
    known = [str(spelt)] if spelt is not None else await names.addresses_of(host, port)
    if place(host, port) not in allowed:
        for address in known:
            if not addresses.is_public(ipaddress.ip_address(address.partition("%")[0])):
                internal = f"{place(host, port)} leads to {address}, which is not public"
                raise UpstreamFailed(failed, internal=internal)
    return known
