"""Targets that end by themselves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent, flag, patch, shop, state
from tests.modules.flags.test_checks import held

Json = dict[str, Any]
HOUR_S = 3600
DAY_S = 86400
BO = {"contextKind": "user", "variation": 0, "values": ["bo"]}


def at_work(world: World) -> None:
    """The shop, whose flag is on and serves false."""
    shop(world)
    flag(world)
    through = {"kind": "updateFallthroughVariationOrRollout", "variation": 1}
    patch(world, "cy", "test", {"kind": "turnFlagOn"}, through)


def later(world: World, seconds: int = HOUR_S) -> int:
    return (world.clock.now() + seconds) * 1000


def expire(world: World, at: Any, *targets: Json, who: str = "cy", **more: Any) -> Json:
    asked = {"project": "shop", "key": "checkout", "environment": "test", "targets": list(targets or (BO,))}
    done: Json = call(world, who, "flags.expire", **asked | more, at=at)
    return done


def served(world: World, key: str, environment: str = "test") -> Any:
    (found,) = call(
        world,
        "cy",
        "flags.evaluate",
        project="shop",
        environment=environment,
        key="checkout",
        context={"kind": "user", "key": key},
    )
    return found["value"]


def test_a_target_is_given_for_a_time_and_ends_by_itself(world: World) -> None:
    at_work(world)
    seq = world.database.seq
    at = later(world)
    done = expire(world, at, {"variation": 0, "values": ["bo", "di"]})
    assert done["outcome"] == "applied"
    assert done["targets"] == [{"contextKind": "user", "variation": 0, "values": ["bo", "di"], "at": at}]
    assert world.events_since(seq) == [("flag.updated", "flag:shop/checkout")]
    assert state(world)["expiring"] == done["targets"]
    assert (served(world, "bo"), served(world, "eva")) == (True, False)
    assert expire(world, at, {"variation": 0, "values": ["bo", "di"]})["outcome"] == "unchanged"
    (kept,) = expire(world, None)["targets"]
    assert kept["values"] == ["di"]
    world.clock.advance(HOUR_S)
    eventually(lambda: not state(world)["expiring"])
    assert (served(world, "bo"), served(world, "di")) == (True, False)
    newest = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")[0]
    assert (newest["who"], newest["comment"]) == ("system", "Their time has come")


def test_what_cannot_end_is_refused(world: World) -> None:
    at_work(world)
    for at, target in (
        (world.clock.now() * 1000, BO),
        ("tomorrow", BO),
        (None, BO),
        (later(world), {"values": ["bo"]}),
        (later(world), BO | {"variation": 7}),
        (later(world), BO | {"values": []}),
        (later(world), BO | {"more": 1}),
    ):
        with refused("invalid-input"):
            expire(world, at, target)
    with refused("not-found"):
        expire(world, later(world), key="none")
    with refused("not-found"):
        expire(world, later(world), environment="none")
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    with refused("conflict"):
        expire(world, later(world))


def test_only_who_changes_flags_lets_them_end(world: World) -> None:
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    shop(world, work_project="SECR")
    flag(world, who="ana")
    with refused("not-found"):
        expire(world, later(world))
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    with refused("not-allowed"):
        expire(world, later(world))


def test_who_becomes_another_target_or_none_ends_no_more(world: World) -> None:
    at_work(world)
    expire(world, later(world), {"variation": 0, "values": ["bo", "di", "eva"]})
    patch(world, "cy", "test", {"kind": "addTargets", "variation": 1, "values": ["bo"]})
    patch(world, "cy", "test", {"kind": "removeTargets", "variation": 0, "values": ["di"]})
    (left,) = state(world)["expiring"]
    assert left["values"] == ["eva"]
    first = expire(world, later(world, 60), {"variation": 1, "values": ["bo"]})["targets"]
    assert [one["values"] for one in first] == [["bo"], ["eva"]]
    patch(world, "cy", "test", {"kind": "replaceTargets", "targets": []})
    assert state(world)["expiring"] == []


def test_it_is_approved_once_where_approval_is_needed(world: World) -> None:
    at_work(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    done = expire(world, later(world))
    assert (done["outcome"], done["targets"]) == ("changeRequest", [])
    call(world, "di", "flags.change_review", project="shop", id=done["change"]["id"], decision="approve")
    assert served(world, "bo") is True
    call(
        world,
        "ana",
        "flags.environment_save",
        project="shop",
        key="test",
        require_approval=False,
        critical=True,
    )
    asked = {
        "project": "shop",
        "key": "checkout",
        "environment": "test",
        "targets": [BO],
        "at": later(world, 60),
    }
    assert agent(world).call("flags.expire", asked)["outcome"] == "changeRequest"
    world.clock.advance(HOUR_S)
    eventually(lambda: not state(world)["expiring"])
    assert served(world, "bo") is False


def test_a_check_that_would_break_keeps_them_which_is_told(world: World) -> None:
    at_work(world)
    expire(world, later(world))
    held(world, expected={"checkout": True})
    seq = world.database.seq
    world.clock.advance(HOUR_S)
    eventually(lambda: not state(world)["expiring"])
    assert served(world, "bo") is True
    told = [
        one
        for one in call(world, "ana", "api.changes", since=seq)["events"]
        if one["kind"] == "flag.scheduled"
    ]
    assert told[0]["payload"]["state"].startswith("failed: The check 'Bo'")


def test_a_flag_that_comes_back_from_the_archive_has_them_no_more(world: World) -> None:
    at_work(world)
    expire(world, later(world))
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    world.clock.advance(HOUR_S)
    eventually(lambda: not state(world)["expiring"])
    call(world, "cy", "flags.restore", project="shop", key="checkout")
    assert served(world, "bo") is False


def test_copies_and_earlier_versions_end_as_they_did(world: World) -> None:
    at_work(world)
    at = later(world)
    expire(world, at)
    call(world, "cy", "flags.copy", **{"project": "shop", "from": "test", "to": "production"})
    assert state(world, "production")["expiring"] == state(world)["expiring"]
    assert not call(world, "cy", "flags.compare", **{"project": "shop", "from": "test", "to": "production"})[
        "flags"
    ]
    versions = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    expire(world, None)
    assert state(world)["expiring"] == []
    call(world, "cy", "flags.restore", project="shop", key="checkout", revision=versions[0]["id"])
    assert [one["at"] for one in state(world)["expiring"]] == [at]
    call(world, "cy", "flags.restore", project="shop", key="checkout", revision=versions[1]["id"])
    assert state(world)["expiring"] == []


def test_a_clock_that_is_set_ends_nothing_before_its_time_and_all_of_it_then(world: World) -> None:
    at_work(world)
    began = world.clock.now()
    expire(world, later(world, 2 * DAY_S))
    world.clock.set(began + 30 * DAY_S)
    assert not world.database.read_now(lambda tx: tx.trusted_now * 1000 >= later(world, -28 * DAY_S))
    assert len(state(world)["expiring"]) == 1
    world.clock.set(began - 600)
    assert len(state(world)["expiring"]) == 1
    world.clock.set(began)
    world.clock.advance(2 * DAY_S)
    eventually(lambda: not state(world)["expiring"])
    history = call(world, "ana", "flags.history", project="shop", key="checkout", environment="test")
    assert [one["comment"] for one in history].count("Their time has come") == 1


def test_two_at_once_both_come_to_pass(world: World) -> None:
    at_work(world)

    def give(name: str) -> str:
        done = expire(world, later(world), {"variation": 0, "values": [name]}, who=name)
        return str(done["outcome"])

    with ThreadPoolExecutor(2) as both:
        assert list(both.map(give, ("cy", "di"))) == ["applied", "applied"]
    assert sorted(key for one in state(world)["expiring"] for key in one["values"]) == ["cy", "di"]
