"""Whom an address stands for."""

import pytest

from kbwork.base.peers import peer_of


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:c000:207", "192.0.2.7"),
        ("2001:db8::1", "2001:0db8:0000:0000::/64"),
        ("2001:db8::ffff:2:3:4", "2001:0db8:0000:0000::/64"),
        ("2001:db8:0:1::1", "2001:0db8:0000:0001::/64"),
        ("fe80::1%eth0", "fe80:0000:0000:0000::/64"),
        ("::1", "0000:0000:0000:0000::/64"),
        ("", ""),
    ],
)
def test_an_address_stands_for_one_ipv4_address_or_one_ipv6_network(address: str, peer: str) -> None:
    assert peer_of(address) == peer
