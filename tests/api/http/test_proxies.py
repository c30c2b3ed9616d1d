"""Whose address a call has: that of the connection, or the one that a trusted proxy names."""

import http.client
import json
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from kbwork.api.http.protocol import Bounds, ConnectionLimits
from kbwork.api.http.proxies import TrustedProxies
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import PASSWORD, World

PROXY, INNER = "10.0.0.9", "10.0.0.7"
A, B = "192.0.2.7", "192.0.2.8"


@pytest.mark.parametrize(
    ("chain", "caller"),
    [
        (A, A),
        (f"  {A} ", A),
        (f"{B}, {A}", A),
        (f"{B},{A},{INNER}", A),
        (f"{B}, {A}, {INNER}, {INNER}", A),
        (f"{INNER}, {INNER}", INNER),
        (f"{A}:4711", A),
        ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]:80", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        (f"::ffff:{A}", A),
        (f"{A}, unknown", PROXY),
        (f"{A}, _hidden, {INNER}", INNER),
        (f"{A}, 300.1.1.1", PROXY),
        ("", PROXY),
        (",", PROXY),
        (f"{A},", PROXY),
        (f"fe80::1%eth0, {A}", A),
        ("x" * 10_000, PROXY),
    ],
)
def test_the_caller_is_the_right_most_hop_that_is_no_trusted_proxy(chain: str, caller: str) -> None:
    proxies = TrustedProxies(["10.0.0.0/8"])
    assert proxies.caller(PROXY, {b"x-forwarded-for": chain.encode()}) == caller
    assert proxies.caller(B, {b"x-forwarded-for": chain.encode()}) == B


@pytest.mark.parametrize(
    ("said", "caller"),
    [
        (f"for={A}", A),
        (f"For={A};proto=https;by=203.0.113.4", A),
        (f'proto=https; for="{A}:80"', A),
        ('for="[2001:db8::7]:4711"', "2001:db8::7"),
        (f"for={B}, for={A}", A),
        (f"for={A}, for={INNER};host=a", A),
        (f'for={A};host="a,b"', PROXY),
        (f"for={A}, proto=https", PROXY),
        (f"for={A}, for=unknown", PROXY),
        (f"xfor={A}", PROXY),
        ('for="', PROXY),
        ("", PROXY),
    ],
)
def test_the_standard_header_is_read_as_well(said: str, caller: str) -> None:
    assert TrustedProxies(["10.0.0.0/8"]).caller(PROXY, {b"forwarded": said.encode()}) == caller


def test_the_standard_header_counts_where_the_usual_one_is_not_there() -> None:
    """Proxies that write the usual one pass on what the caller wrote into the other."""
    both = {b"x-forwarded-for": A.encode(), b"forwarded": f"for={B}".encode()}
    assert TrustedProxies([PROXY]).caller(PROXY, both) == A


def test_nobody_is_trusted_who_is_not_named() -> None:
    fields = {b"x-forwarded-for": A.encode()}
    assert TrustedProxies().caller(PROXY, fields) == PROXY
    assert TrustedProxies(["::1"]).caller("127.0.0.1", fields) == "127.0.0.1"
    assert TrustedProxies(["::1/128", "127.0.0.1"]).caller("::ffff:127.0.0.1", fields) == A
    assert TrustedProxies(["127.0.0.1"]).caller(None, fields) is None


def test_a_trusted_proxy_has_as_many_connections_as_there_are() -> None:
    crowd = ConnectionLimits(Bounds(connections=5, per_address=1), trusts=TrustedProxies([PROXY]).trusts)
    assert [crowd.enter(PROXY) for _ in range(3)] == [None] * 3
    assert crowd.enter(A) is None
    assert crowd.enter(A) is not None


@pytest.fixture
def settings() -> Settings:
    """The tests themselves are the proxy."""
    return Settings(
        limits=LimitSettings(enabled=False), server=ServerSettings(trusted_proxies=("127.0.0.0/8",))
    )


def answered(world: World, method: str, path: str, body: object = None, **headers: str) -> int:
    with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)) as connection:
        content = None if body is None else json.dumps(body).encode()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, content, {"Content-Type": "application/json", **sent})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def sign_in(world: World, hop: str, who: str = "cy", password: str = "wrong") -> int:
    body = {"email": f"{who}@acme.example", "password": password}
    return answered(world, "POST", "/api/v1/auth.login", body, X_Forwarded_For=f"203.0.113.99, {hop}")


def test_who_guesses_behind_a_proxy_locks_out_nobody_else_behind_it(world: World) -> None:
    assert [sign_in(world, A) for _ in range(11)] == [401] * 10 + [429]
    assert [sign_in(world, A, f"nobody{number}") for number in range(41)] == [401] * 40 + [429]
    assert sign_in(world, A, password=PASSWORD) == 429
    assert sign_in(world, B, password=PASSWORD) == 200


def test_of_an_account_that_very_many_guess_at_each_address_has_one(world: World) -> None:
    for number in range(10):
        assert [sign_in(world, f"198.51.100.{number}") for _ in range(10)] == [401] * 10
    assert [sign_in(world, A) for _ in range(2)] == [401, 429]
    assert sign_in(world, B, password=PASSWORD) == 200
    assert sign_in(world, A, "di", password=PASSWORD) == 200


@pytest.mark.parametrize("whole", [True, False])
def test_a_key_for_networks_is_held_to_the_address_behind_the_proxy(world: World, whole: bool) -> None:
    made = world.session("ana").call(
        "keys.create", {"name": "near", "scopes": ["projects:read"], "networks": ["192.0.2.7/32"]}
    )
    for hop, status in ((A, 200), (B, 401)):
        with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)) as connection:
            connection.putrequest("POST", "/api/v1/projects.list")
            for name, value in (
                ("Content-Type", "application/json"),
                ("Content-Length", "2"),
                ("Authorization", f"Bearer {made['secret']}"),
                ("X-Forwarded-For", B if not whole else hop),
                *([] if whole else [("X-Forwarded-For", hop)]),  # which the application reads
            ):
                connection.putheader(name, value)
            connection.endheaders(b"{}")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status


def test_figures_are_for_admins_where_a_proxy_asks_from_this_machine(world: World) -> None:
    assert answered(world, "GET", "/metrics") == 401
    token = world.people["ana"].key
    assert answered(world, "GET", "/metrics", Authorization=f"Bearer {token}") == 200
