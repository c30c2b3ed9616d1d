"""Browsers are pushed to: only they can read it, and their services know who sends."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from kbwork.base.errors import UpstreamFailed
from kbwork.core.seal import Seal
from kbwork.db.tx import Write
from kbwork.modules.notifications.push.encryption import BrowserKeys, encrypted
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from kbwork.worker.addresses import RequestTarget
from kbwork.worker.outbound import Outbound
from tests.conftest import NOW, World
from tests.modules.calls import call, eventually, refused
from tests.modules.notifications.inboxes import issue
from tests.modules.notifications.push_service import Browser, PushService, coded, raw

RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""The example of RFC 8291, section 5."""


@pytest.fixture
def service() -> Iterator[PushService]:
    with closing(PushService()) as made:
        yield made


@pytest.fixture
def settings(service: PushService) -> Settings:
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(service.place,)))


def server_key(world: World) -> str:
    """Made by the server by itself."""
    eventually(lambda: call(world, "cy", "notifications.settings")["push_key"])
    return str(call(world, "cy", "notifications.settings")["push_key"])


def add(world: World, who: str, endpoint: str, browser: Browser, **more: Any) -> None:
    server_key(world)  # a browser subscribes with it
    assert call(world, who, "notifications.push_add", endpoint=endpoint, keys=browser.keys, **more) == {
        "ok": True
    }


def devices(world: World, who: str = "cy") -> list[str]:
    return [one["device"] for one in call(world, who, "notifications.settings")["devices"]]


@pytest.mark.quick
def test_the_browser_of_the_standard_reads_what_we_write() -> None:
    number = int.from_bytes(raw(RECEIVER), "big")
    browser = Browser(ec.derive_private_key(number, ec.SECP256R1()), raw(SECRET))
    assert browser.read(raw(MESSAGE)) == b"When I grow up, I want to be a watermelon"
    written = encrypted(b"From here", BrowserKeys(browser.public, browser.auth))
    assert browser.read(written) == b"From here"


def test_what_is_for_somebody_is_pushed_to_their_browser_at_once(world: World, service: PushService) -> None:
    browser, key = Browser(), server_key(world)
    add(world, "cy", service.endpoint("cy"), browser, device="Firefox")
    assert devices(world) == ["Firefox"]
    issue(world, assignees=["@cy"])
    world.advance(1)
    eventually(lambda: service.came)
    ((path, headers, body),) = service.came
    told = json.loads(browser.read(body))
    assert told == {
        "id": told["id"],
        "subject": "issue:1",
        "title": "WEB-1 Cart",
        "reason": "assigned",
        "text": "assigned it to you",
        "actor": world.people["ana"].id,
        "path": "/issues/WEB-1",
    }
    assert (path, headers["content-encoding"], headers["ttl"]) == ("/cy", "aes128gcm", "86400")
    _require_signed(headers["authorization"], key, f"http://{service.place}")


def _require_signed(header: str, key: str, origin: str) -> None:
    """By the key that the browser was subscribed with, for this push service alone (RFC 8292)."""
    token, named = header.removeprefix("vapid t=").split(", k=")
    said, _, signature = token.rpartition(".")
    head, claims = (json.loads(raw(part)) for part in said.split("."))
    assert (named, head["alg"]) == (key, "ES256")
    assert claims == {"aud": origin, "exp": claims["exp"], "sub": "mailto:postmaster@kbwork.invalid"}
    assert NOW < claims["exp"] <= NOW + 86400
    made = raw(signature)
    r, s = (int.from_bytes(half, "big") for half in (made[:32], made[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    point.verify(encode_dss_signature(r, s), said.encode(), ec.ECDSA(hashes.SHA256()))


def test_a_test_says_what_came_of_it_and_forgets_browsers_that_are_gone(
    world: World, service: PushService
) -> None:
    server_key(world)
    assert call(world, "cy", "notifications.test", channel="push")["ok"] is False
    browser = Browser()
    for name in ("here", "gone", "broken"):
        add(world, "cy", service.endpoint(name), browser, device=name)
    service.says = {"/gone": 410, "/broken": 500}
    assert call(world, "cy", "notifications.test", channel="push") == {
        "ok": True,
        "detail": "1 of 3 browsers were told. 1 had gone and are forgotten.",
    }
    assert devices(world) == ["here", "broken"]
    for _ in range(9):
        assert call(world, "cy", "notifications.test", channel="push")["ok"] is True
    assert devices(world) == ["here"], "what takes nothing ten times in a row is given up"
    assert call(world, "cy", "notifications.test", channel="push") == {
        "ok": True,
        "detail": "1 of 1 browsers were told.",
    }


def test_no_push_goes_to_a_private_address_that_the_operator_does_not_list(
    world: World, service: PushService
) -> None:
    server_key(world)
    with closing(PushService()) as other:
        add(world, "cy", other.endpoint("cy"), Browser())
        assert call(world, "cy", "notifications.test", channel="push") == {
            "ok": False,
            "detail": "0 of 1 browsers were told. The push services of the others did not take it.",
        }
        assert other.came == []


def test_no_push_goes_in_the_clear_to_where_the_operator_does_not_list(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def noted(_: Outbound, target: RequestTarget, *more: Any) -> None:
        asked.append(target.url)
        raise UpstreamFailed("It is not asked.")

    monkeypatch.setattr(Outbound, "_ask", noted)
    add(world, "cy", "http://push.example.com/plain", Browser())
    add(world, "cy", "https://push.example.com/sealed", Browser())
    told = call(world, "cy", "notifications.test", channel="push")["detail"]
    assert told == "0 of 2 browsers were told. The push services of the others did not take it."
    assert asked == ["https://push.example.com/sealed"]


def test_a_browser_is_of_who_subscribed_it_last_and_is_taken_away_by_them(
    world: World, service: PushService
) -> None:
    browser, seq = Browser(), world.database.seq
    for who in ("cy", "cy", "di"):
        add(world, who, service.endpoint("one"), browser)
    assert (devices(world), devices(world, "di")) == ([], ["A browser"])
    with refused("not-found"):
        call(world, "cy", "notifications.push_remove", endpoint=service.endpoint("one"))
    assert call(world, "di", "notifications.push_remove", endpoint=service.endpoint("one")) == {"ok": True}
    assert devices(world, "di") == []
    assert world.events_since(seq) == []


def test_what_is_no_browser_is_refused(world: World) -> None:
    browser, endpoint = Browser(), "https://push.example.com/one"
    wrong: list[dict[str, Any]] = [
        {"endpoint": "ftp://push.example.com", "keys": browser.keys},
        {"endpoint": endpoint, "keys": browser.keys | {"auth": coded(b"short")}},
        {"endpoint": endpoint, "keys": browser.keys | {"p256dh": coded(b"\x04" + b"1" * 64)}},
        {"endpoint": endpoint, "keys": browser.keys | {"p256dh": "?"}},
    ]
    for value in wrong:
        with refused("invalid-input"):
            call(world, "cy", "notifications.push_add", **value)
    for number in range(20):
        add(world, "cy", f"{endpoint}{number}", browser)
    with refused("conflict"):
        call(world, "cy", "notifications.push_add", endpoint=endpoint, keys=browser.keys)


def test_neither_endpoint_nor_secret_lies_in_clear(world: World) -> None:
    browser = Browser()
    add(world, "cy", "https://push.example.com/secret-name", browser)
    server_key(world)
    rows = world.database.write_now(
        lambda tx: [tx.one("select * from push_device"), tx.one("select * from push_server")]
    )
    assert None not in rows
    assert b"secret-name" not in repr(rows).encode()
    assert coded(browser.auth) not in repr(rows)


def test_a_key_that_another_master_key_sealed_is_made_anew_and_browsers_subscribe_again(world: World) -> None:
    before = server_key(world)
    add(world, "cy", "https://push.example.com/one", Browser())

    def spoil(tx: Write) -> None:
        tx.execute("update push_server set sealed = :other", other=Seal(b"1" * 32).seal(b"x", "push server"))

    world.database.write_now(spoil)
    world.advance(10)
    eventually(lambda: server_key(world) != before)
    assert devices(world) == []
