"""Addresses as they are written, and whom one stands for: what is counted by address is counted by peer."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NETWORK_BYTES = 8


def address_of(text: str) -> Address:
    """What a text says, IPv4 that is written as IPv6 (`::ffff:192.0.2.7`) as IPv4. Raises ValueError."""
    found = ipaddress.ip_address(text)
    return getattr(found, "ipv4_mapped", None) or found


def peer_of(address: str) -> str:
    """What one peer has for itself: an IPv4 address, or the /64 of an IPv6 address.

    Whoever has a /64 calls from 2^64 addresses at will.
    """
    if ":" not in address:
        return address
    found = address_of(address)
    if found.version == 4:
        return str(found)
    return found.packed[:_NETWORK_BYTES].hex(":", 2) + "::/64"
