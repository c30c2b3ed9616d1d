"""Another key for a flag: what asks by the one before gets the same."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.ports.flags import Answered
from kbwork.flagengine import Context, Snapshot
from kbwork.modules.flags.delivery.flag_source import SOURCE
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent, flag, patch, serve, shop, state, version
from tests.modules.flags.test_checks import held
from tests.modules.flags.test_delivery import HALF, ON, served

Json = dict[str, Any]


def rename(world: World, new_key: str, key: str = "checkout", who: str = "cy", **more: Any) -> Json:
    done: Json = call(world, who, "flags.rename", project="shop", key=key, new_key=new_key, **more)
    return done


def answers(world: World, key: str) -> list[Any]:
    snapshot = Snapshot(served(world))
    return [snapshot.evaluate(key, Context({"key": f"u{number}"}), None).value for number in range(60)]


def test_a_renamed_flag_answers_by_both_keys_as_before(world: World) -> None:
    shop(world)
    flag(world)
    patch(world, "cy", "test", ON, HALF)
    before, seq, moved = answers(world, "checkout"), world.database.seq, version(world, "test")
    done = rename(world, "pay")
    assert (done["key"], done["aliases"]) == ("pay", ["checkout"])
    assert world.events_since(seq) == [
        ("flag.updated", "flag:shop/checkout"),
        ("flag.renamed", "flag:shop/checkout"),
    ]
    assert version(world, "test") == moved + 1
    assert answers(world, "checkout") == answers(world, "pay") == before
    assert len({*before}) == 2
    assert call(world, "di", "flags.get", project="shop", key="checkout")["key"] == "pay"
    assert [one["key"] for one in call(world, "di", "flags.list", project="shop")] == ["pay"]
    asked = {"project": "shop", "environment": "test", "context": {"key": "ana"}}
    assert [one["key"] for one in call(world, "di", "flags.evaluate", **asked)] == ["pay"]
    again = rename(world, "buy", "pay")
    assert again["aliases"] == ["checkout", "pay"]
    assert answers(world, "buy") == answers(world, "pay") == before
    back = rename(world, "checkout", "buy")
    assert (back["key"], back["aliases"]) == ("checkout", ["pay", "buy"])
    assert answers(world, "checkout") == answers(world, "buy") == before
    seq = world.database.seq
    assert rename(world, "checkout")["key"] == "checkout"
    rename(world, "other", dry_run=True)
    assert world.events_since(seq) == []


def test_an_alias_is_dropped_by_an_instruction_and_nobodys_ever_after(world: World) -> None:
    shop(world)
    flag(world)
    patch(world, "cy", "test", ON)
    rename(world, "pay")
    drop = {"kind": "removeAlias", "key": "checkout"}
    with refused("invalid-input"):
        patch(world, "cy", None, drop | {"key": "none"}, key="pay")
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=True)
    with refused("approval-needed"):
        agent(world).call("flags.update", {"project": "shop", "key": "pay", "instructions": [drop]})
    assert patch(world, "cy", None, drop, key="pay")["flag"]["aliases"] == []
    assert "checkout" not in served(world)["flags"]
    with refused("not-found"):
        call(world, "cy", "flags.get", project="shop", key="checkout")
    with refused("conflict"):
        flag(world, "checkout")
    flag(world, "banner")
    with refused("conflict"):
        rename(world, "checkout", "banner")
    assert rename(world, "checkout", "pay")["key"] == "checkout"


def test_what_cannot_be_its_key_is_refused(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "banner")
    for wrong in ("", "a b", "x" * 129):
        with refused("invalid-input"):
            rename(world, wrong)
    with refused("conflict"):
        rename(world, "banner")
    with refused("not-found"):
        rename(world, "pay", "none")
    rename(world, "pay")
    with refused("conflict"):
        rename(world, "checkout", "banner")
    with refused("conflict"):
        flag(world, "checkout")
    call(world, "cy", "flags.archive", project="shop", key="banner")
    with refused("conflict"):
        rename(world, "other", "banner")
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    call(world, "ana", "flags.project_save", project="shop", work_project="SECR")
    with refused("not-found"):
        rename(world, "other", "pay")
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    with refused("not-allowed"):
        rename(world, "other", "pay")


def test_whatever_names_it_goes_along(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "banner")
    serve(world, 0)
    wait = {"kind": "addPrerequisite", "key": "checkout", "variation": 0}
    patch(world, "cy", "test", ON, wait, key="banner")
    held(world, expected={"checkout": 0, "banner": 0})
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    own = patch(world, "cy", "production", ON)["change"]["id"]
    other = patch(world, "cy", "production", wait, key="banner")["change"]["id"]
    subject = "flag:shop/checkout"
    call(world, "cy", "comments.create", subject=subject, body="Why?")
    versions = call(world, "cy", "flags.history", project="shop", key="banner", environment="test")
    rename(world, "pay")
    assert [one["key"] for one in state(world, key="banner")["prerequisites"]] == ["pay"]
    assert call(world, "cy", "flags.get", project="shop", key="pay")["dependents"] == ["banner"]
    (check,) = call(world, "cy", "flags.checks", project="shop")
    assert (check["expected"], check["broken"]) == ({"pay": 0, "banner": 0}, [])
    assert [one["id"] for one in call(world, "cy", "flags.get", project="shop", key="pay")["changes"]] == [
        own
    ]
    for change in (own, other):
        done = call(world, "di", "flags.change_review", project="shop", id=change, decision="approve")
        assert (done["status"], done["preview"]) == ("applied", None)
    assert [one["key"] for one in state(world, "production", "banner")["prerequisites"]] == ["pay"]
    call(world, "cy", "flags.restore", project="shop", key="banner", revision=versions[0]["id"])
    assert [one["key"] for one in state(world, key="banner")["prerequisites"]] == ["pay"]
    for name in (subject, "flag:shop/pay"):
        assert len(call(world, "cy", "comments.list", subject=name)) == 1
    (found,) = call(world, "cy", "subjects.resolve", refs=["flag:shop/pay"])
    assert (found["subject"], found["path"]) == (subject, "/flags/shop/pay")


def test_evaluations_by_the_key_before_are_counted_apart(world: World) -> None:
    shop(world)
    flag(world)
    serve(world, 0)
    rename(world, "pay")
    here = world.database.read_now(lambda tx: tx.value("select id from flag_environment where key = 'test'"))
    hour = world.clock.now() // 3600

    def told(key: str) -> Answered:
        return Answered(environment=here, flag=key, version=1, variation=0, hour=hour)

    world.database.write_now(
        lambda tx: SOURCE.count(tx, {told("pay"): 5, told("checkout"): 2, told("none"): 9})
    )
    found = call(world, "cy", "flags.insights", project="shop", key="pay", environment="test")
    assert [one["count"] for one in found["series"]] == [7]
    assert found["aliases"] == [{"key": "checkout", "count": 2, "evaluated_at": hour * 3600}]
    patch(world, "cy", None, {"kind": "removeAlias", "key": "checkout"}, key="pay")
    assert call(world, "cy", "flags.insights", project="shop", key="pay")["aliases"] == []


def test_it_is_found_by_its_key_of_today(world: World) -> None:
    shop(world)
    flag(world)
    rename(world, "pay-now")
    eventually(lambda: call(world, "cy", "search.query", q="pay-now", kinds=["flag"])["items"])
    (hit,) = call(world, "cy", "search.query", q="pay-now", kinds=["flag"])["items"]
    assert hit["path"] == "/flags/shop/pay-now"


def test_of_two_at_once_each_has_its_own(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "banner")

    def name(key: str) -> str:
        try:
            return str(rename(world, "new", key)["key"])
        except KbworkProblem as problem:
            return problem.slug

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(name, ("checkout", "banner"))) == ["conflict", "new"]
