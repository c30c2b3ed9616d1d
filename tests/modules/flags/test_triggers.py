"""Triggers: addresses that change a flag when they are posted to."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from kbwork.core.access import identify, impersonate
from kbwork.db.tx import Write
from kbwork.modules.flags.trigger.ops import FlagsTriggerSave, trigger_save
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.test_inbound import post
from tests.modules.flags.flag_project import agent, flag, patch, serve, shop, state
from tests.modules.flags.test_checks import held

Json = dict[str, Any]


def made(world: World, who: str = "cy", **more: Any) -> Json:
    """A trigger of the flag, which switches it off in the environment test."""
    asked = {"project": "shop", "key": "checkout", "environment": "test", "action": "off"}
    found: Json = call(world, who, "flags.trigger_save", **asked | more)
    return found


def path_of(world: World, trigger: Json) -> str:
    url = str(trigger["url"])
    assert url.startswith(f"{world.url}/in/flag/")
    return url.removeprefix(world.url)


def pull(world: World, path: str, body: bytes = b"", kind: str = "") -> tuple[int, Any]:
    return post(world, path, body, kind)


def at_work(world: World, **project: Any) -> None:
    shop(world, **project)
    flag(world, who="ana")
    serve(world, 0)


def test_a_post_does_what_the_trigger_does(world: World) -> None:
    at_work(world)
    seq = world.database.seq
    one = made(world)
    assert one == {
        "id": one["id"],
        "key": "checkout",
        "environment": "test",
        "action": "off",
        "variation": None,
        "url": one["url"],
        "created_by": world.people["cy"].id,
        "created_at": world.clock.now(),
        "used_at": None,
        "uses": 0,
    }
    assert world.events_since(seq) == [("flag.trigger_saved", "flag:shop/checkout")]
    path, seq = path_of(world, one), world.database.seq
    assert pull(world, path, b'{"alert": "red"}', "application/json") == (200, {"outcome": "applied"})
    assert pull(world, path) == (200, {"outcome": "unchanged"})
    assert state(world)["on"] is False
    assert world.events_since(seq) == [("flag.updated", "flag:shop/checkout")]
    newest = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")[0]
    assert (newest["who"], newest["comment"]) == (world.people["cy"].id, f"Trigger {one['id']}")
    (listed,) = call(world, "di", "flags.triggers", project="shop", key="checkout")
    assert (listed["url"], listed["uses"], listed["used_at"]) == (None, 2, world.clock.now())
    assert made(world, "di", id=one["id"], action="on")["url"] is None
    assert pull(world, path) == (200, {"outcome": "applied"})
    made(world, id=one["id"], action="variation", variation=1)
    assert pull(world, path) == (200, {"outcome": "applied"})
    assert (state(world)["on"], state(world)["fallthrough"]) == (True, {"variation": 1})
    made(world, "di", dry_run=True)
    assert call(world, "cy", "flags.trigger_delete", project="shop", id=one["id"]) == []
    assert pull(world, path)[0] == 404


def test_what_no_trigger_can_do_is_refused(world: World) -> None:
    at_work(world)
    one = made(world)
    for wrong in (
        {"action": "variation"},
        {"variation": 0},
        {"action": "variation", "variation": 7},
        {"action": "x"},
    ):
        with refused("invalid-input"):
            made(world, **wrong)
    flag(world, "banner")
    for missing in (
        {"key": "none"},
        {"environment": "none"},
        {"id": 900},
        {"id": one["id"], "key": "banner"},
    ):
        with refused("not-found"):
            made(world, **missing)
    with refused("not-found"):
        call(world, "cy", "flags.trigger_delete", project="shop", id=900)
    for _ in range(19):
        made(world)
    with refused("invalid-input"):
        made(world)
    call(world, "cy", "flags.archive", project="shop", key="banner")
    with refused("conflict"):
        made(world, key="banner")


def test_what_opens_nothing_is_not_taken(world: World) -> None:
    at_work(world)
    path = path_of(world, made(world))
    for wrong in ("/in/flag/", "/in/flag/guessed", f"{path}x", "/in/flag/" + "x" * 500):
        assert pull(world, wrong)[0] == 404
    assert post(world, path, b"", "", "GET")[0] == 405
    assert pull(world, path, b"<a/>", "text/xml")[0] == 415
    call(world, "ana", "org.modules_set", off=["flags"])
    assert pull(world, path)[0] == 404
    call(world, "ana", "org.modules_set", on=["flags"])
    call(world, "ana", "flags.project_archive", project="shop")
    assert pull(world, path)[0] == 404
    with refused("insufficient-scope"):
        call(world, "ana", "flags.ingest", token=path.rpartition("/")[2], said={})


def test_it_does_no_more_than_its_maker_may(world: World) -> None:
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="member")
    at_work(world, work_project="SECR")
    with refused("not-found"):
        call(world, "di", "flags.triggers", project="shop")
    path = path_of(world, made(world))
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    assert pull(world, path)[0] == 403
    with refused("not-allowed"):
        made(world)
    assert [one["uses"] for one in call(world, "cy", "flags.triggers", project="shop")] == [0]
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="none")
    assert pull(world, path)[0] == 403
    assert state(world)["on"] is True


def test_it_refuses_when_its_maker_is_gone_or_the_flag_is_archived(world: World) -> None:
    at_work(world)
    gone, left = path_of(world, made(world)), path_of(world, made(world, "di"))
    call(world, "ana", "members.deactivate", id=world.people["cy"].id, on=True)
    assert pull(world, gone)[0] == 403
    call(world, "di", "flags.archive", project="shop", key="checkout")
    assert pull(world, left)[0] == 409
    call(world, "di", "flags.restore", project="shop", key="checkout")
    assert pull(world, left) == (200, {"outcome": "applied"})


def test_what_an_agent_made_waits_where_its_own_changes_do_and_ends_with_its_key(world: World) -> None:
    at_work(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=True)
    robot = agent(world)
    asked = {"project": "shop", "key": "checkout", "environment": "test", "action": "off"}
    path = path_of(world, robot.call("flags.trigger_save", asked))
    assert pull(world, path) == (200, {"outcome": "changeRequest"})
    assert pull(world, path_of(world, made(world))) == (200, {"outcome": "applied"})
    for key in call(world, "cy", "keys.list"):
        call(world, "cy", "keys.revoke", id=key["id"])
    assert pull(world, path)[0] == 403


def test_a_rule_makes_none_for_it_would_act_as_a_person(world: World) -> None:
    at_work(world)

    def make(tx: Write) -> None:
        found = identify.of_member(tx, world.people["cy"].id)
        assert found is not None
        with impersonate.instead(tx, dataclasses.replace(found, kind="automation")):
            trigger_save(
                tx, FlagsTriggerSave(project="shop", key="checkout", environment="test", action="off")
            )

    with pytest.raises(NotAllowed):
        world.database.write_now(make)


def test_it_waits_for_approval_and_is_held_by_checks(world: World) -> None:
    at_work(world)
    path = path_of(world, made(world))
    held(world)
    assert pull(world, path)[0] == 409
    call(world, "cy", "flags.check_delete", project="shop", id=1)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    assert pull(world, path) == (200, {"outcome": "changeRequest"})
    (change,) = call(world, "cy", "flags.changes", project="shop")
    assert (change["requested_by"], change["status"]) == (world.people["cy"].id, "pending")
    patch(world, "ana", "test", {"kind": "turnFlagOff"}, bypass=True)
    assert pull(world, path) == (200, {"outcome": "unchanged"})


def test_who_posts_too_often_is_told_to_wait(world: World) -> None:
    at_work(world)
    path, other = path_of(world, made(world)), path_of(world, made(world))
    assert [pull(world, path)[0] for _ in range(11)] == [200] * 10 + [429]
    assert pull(world, other)[0] == 200
    world.clock.advance(61)
    assert pull(world, path)[0] == 200


def test_two_posts_at_once_are_one_change(world: World) -> None:
    at_work(world)
    path = path_of(world, made(world))
    with ThreadPoolExecutor(2) as both:
        told = [answer["outcome"] for _, answer in both.map(lambda _: pull(world, path), range(2))]
    assert sorted(told) == ["applied", "unchanged"]
