"""Without the master key that something was sealed with, whoever needs it is told how to go on."""

import os

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.seal import Seal
from tests.conftest import World
from tests.modules.auth.test_auth import CY, code, login, post, with_factor
from tests.modules.calls import call, refused


def lose_master_key(world: World) -> None:
    """As if the data had come to a server with another one."""
    assert world.app is not None
    key = os.urandom(32)
    world.app.dispatcher.seal = Seal(key)
    world.database._catalogue.secret = key


def test_a_second_factor_is_taken_away_by_an_admin(world: World) -> None:
    secret, recovery = with_factor(world, "cy")
    lose_master_key(world)
    world.advance(60)
    challenge = login(world, CY).body["challenge"]
    for typed in (code(secret, world.clock.now()), recovery[0]):
        answer = post(world, "auth.login_verify", challenge=challenge, code=typed)
        assert (answer.status, answer.slug) == (409, "master-key-lost")
        assert "auth.totp_disable" in answer.body["detail"]
    call(world, "ana", "auth.totp_disable", member="@cy")
    assert login(world, CY).body["token"]


def test_a_second_factor_that_was_begun_is_begun_anew(world: World) -> None:
    session = world.people["cy"].session
    begun = post(world, "auth.totp_begin", session).body
    lose_master_key(world)
    answer = post(world, "auth.totp_confirm", session, code=code(begun["secret"], world.clock.now()))
    assert (answer.status, answer.slug) == (409, "master-key-lost")
    assert "auth.totp_begin" in answer.body["detail"]
    with_factor(world, "cy")


def test_a_call_whose_answer_was_kept_is_not_made_again(world: World) -> None:
    asked = {"project": "WEB", "title": "Once"}
    with Kbwork(world.url, world.people["ana"].key) as client:
        client.call("issues.create", asked, idempotency_key="k")
        lose_master_key(world)
        seq = world.database.seq
        with refused("master-key-lost"):
            client.call("issues.create", asked, idempotency_key="k")
        assert world.database.seq == seq
