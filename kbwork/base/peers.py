"""Whom an address stands for: what is counted by address is counted by peer."""

import ipaddress

_NETWORK_BYTES = 8


def peer_of(address: str) -> str:
    """What one peer has for itself: an IPv4 address, or the /64 of an IPv6 address.

    IPv4 that is written as IPv6 (`::ffff:192.0.2.7`) is IPv4. Whoever has a /64 calls from 2^64 addresses at will.
    """
    if ":" not in address:
        return address
    found = ipaddress.IPv6Address(address)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return found.packed[:_NETWORK_BYTES].hex(":", 2) + "::/64"
