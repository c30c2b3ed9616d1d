"""The names that this server goes by. Somebody else's name in `Host` is a browser led here by somebody else's page."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from kbwork.base.peers import address_of

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
FOR_ANYBODY = frozenset({b"/healthz", b"/readyz"})
"""Paths that are answered under whatever name: who watches a machine knows it by others, and learns nothing there."""


def own_hosts(base_url: str, bound: str, others: Iterable[str] = ()) -> frozenset[str]:
    """Our names without ports: that of our address, `others`, and the machine's own where we listen there."""
    named = urlsplit(base_url).hostname
    names = {_bracketed(named)} if named else set()
    names |= {other.lower() for other in others}
    try:
        at = ipaddress.ip_address(bound.strip("[]"))
        local = at.is_loopback or at.is_unspecified
    except ValueError:
        local = bound == "localhost"
    return frozenset(names | LOOPBACK if local else names)


def bare(host: str) -> str:
    """The name in a `Host` header, without its port."""
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def of_address(address: str) -> str:
    """An address of this machine as `Host` says it."""
    try:
        return _bracketed(str(address_of(address)))
    except ValueError:
        return ""


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
