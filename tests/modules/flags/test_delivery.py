"""What environments serve of flags: their salts, their numbers, and nothing that only people read."""

from typing import Any

import pytest

from kbwork.db import migrate
from kbwork.modules.flags.delivery import snapshots
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import DAY_S, aged, flag, patch, serve, shop, state, version

ON = {"kind": "turnFlagOn"}
HALF = {
    "kind": "updateFallthroughVariationOrRollout",
    "rollout": {"variations": [{"variation": 0, "weight": 50_000}, {"variation": 1, "weight": 50_000}]},
}


def served(world: World, environment: str = "test") -> dict[str, Any]:
    """The snapshot that client libraries get."""

    def read(tx: Any) -> dict[str, Any]:
        row = tx.one("select * from flag_environment where key = :key", key=environment)
        return snapshots.data(tx, row)

    return world.database.read_now(read)


def salt(world: World, environment: str) -> str:
    found: str = served(world, environment)["flags"]["checkout"]["salt"]
    return found


def evaluated(world: World, context: dict[str, Any], environment: str = "test") -> Any:
    asked = {"project": "shop", "environment": environment, "key": "checkout", "context": context}
    (found,) = call(world, "cy", "flags.evaluate", **asked)
    return found["value"]


def test_a_flag_spreads_contexts_alike_in_every_environment(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.environment_save", project="shop", key="late")
    environments = ("test", "production", "late")
    assert len({salt(world, environment) for environment in environments}) == 1
    assert int(salt(world, "late"), 16) >= 0
    assert len(salt(world, "late")) == 16
    for environment in environments:
        patch(world, "ana", environment, ON, HALF)
    people = [{"key": f"u{number}"} for number in range(40)]
    answers = [[evaluated(world, person, environment) for person in people] for environment in environments]
    assert answers[0] == answers[1] == answers[2]
    assert {True, False} == set(answers[0])


def test_flags_of_earlier_versions_keep_their_first_salt(world: World) -> None:
    shop(world)
    for key in ("checkout", "banner"):
        flag(world, key)
    (text,) = [text for name, text in migrate.files() if name.endswith("_flag_salt")]
    *_, fill = migrate.statements(text)

    def as_before(tx: Any) -> None:
        tx.execute("update flag set salt = ''")
        tx.execute(
            "update flag_config set config = json_set(config, '$.salt', 'e' || environment) where flag = 1"
        )
        tx.execute("delete from flag_config where flag = 2")
        tx.execute(fill.strip())

    world.database.write_now(as_before)
    first, second = world.database.write_now(lambda tx: tx.column("select salt from flag order by id"))
    assert (first, len(second)) == ("e1", 16)


def test_an_earlier_version_comes_back_without_its_salt(world: World) -> None:
    shop(world, "test")
    flag(world)
    patch(world, "cy", "test", ON, HALF)
    history = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    config = served(world)["flags"]["checkout"] | {"fallthrough": {"variation": 0}, "salt": "theirs"}
    named = ("on", "offVariation", "fallthrough", "targets", "rules", "prerequisites", "salt")
    patch(world, "cy", "test", {"kind": "replaceConfig", "config": {name: config[name] for name in named}})
    assert salt(world, "test") == "theirs"
    call(world, "cy", "flags.restore", project="shop", key="checkout", revision=history[0]["id"])
    assert "rollout" in state(world)["fallthrough"]
    assert salt(world, "test") == "theirs"


def test_whole_numbers_are_doubles_wherever_they_stand(world: World) -> None:
    shop(world, "test")
    flag(world)
    large = {"attribute": "n", "op": "in", "values": [2**53 + 1]}
    patch(world, "cy", "test", ON, {"kind": "addRule", "variation": 0, "clauses": [large]})
    serve(world, 1)
    (clause,) = served(world)["flags"]["checkout"]["rules"][0]["clauses"]
    assert clause["values"] == [2.0**53]
    assert type(clause["values"][0]) is float
    assert evaluated(world, {"key": "a", "n": 2**53 + 1}) is True
    assert evaluated(world, {"key": "a", "n": 2**53}) is True
    assert evaluated(world, {"key": "a", "n": 2**53 - 1}) is False


def test_what_only_people_read_is_not_served(world: World) -> None:
    shop(world, "test")
    flag(world)
    rule = {
        "variation": 0,
        "description": "Secret plan",
        "clauses": [{"attribute": "key", "op": "in", "values": ["a"]}],
    }
    patch(world, "cy", "test", {"kind": "addRule", **rule})
    where = {"project": "shop", "environment": "test"}
    call(
        world,
        "cy",
        "flags.segment_save",
        **where,
        key="staff",
        name="Secret staff",
        rules=[{"clauses": rule["clauses"]}],
    )
    assert state(world)["rules"][0]["description"] == "Secret plan"
    assert "Secret" not in str(served(world))
    assert "description" not in str(served(world))


def test_a_name_of_a_variation_decides_no_answer(world: World) -> None:
    shop(world, "test")
    flag(world)
    before = version(world, "test")
    patch(world, "cy", None, {"kind": "updateVariation", "index": 0, "name": "On"})
    assert version(world, "test") == before
    patch(world, "cy", None, {"kind": "turnOnClientSideAvailability"})
    assert version(world, "test") == before + 1


def test_a_preview_tells_a_circle(world: World) -> None:
    shop(world, "test")
    for key in ("checkout", "banner"):
        flag(world, key)
    waits = {"kind": "addPrerequisite", "variation": 0}
    one = {"project": "shop", "environment": "test", "kind": "flag"}
    asked = call(
        world, "cy", "flags.change_create", **one, target="checkout", instructions=[waits | {"key": "banner"}]
    )
    patch(world, "cy", "test", waits | {"key": "checkout"}, key="banner")
    found = call(world, "cy", "flags.change_get", project="shop", id=asked["id"])["preview"]
    assert (found["fits"], "checkout -> banner -> checkout" in found["why"]) == (False, True)


def test_a_segment_does_not_ask_for_itself(world: World) -> None:
    shop(world, "test")
    where = {"project": "shop", "environment": "test", "key": "staff"}
    call(world, "cy", "flags.segment_save", **where)
    itself = {"kind": "addRule", "clauses": [{"op": "segmentMatch", "values": ["staff"]}]}
    with refused("conflict"):
        call(world, "cy", "flags.segment_update", **where, instructions=[itself])


def test_a_text_that_is_spelt_like_a_segment_holds_nothing(world: World) -> None:
    shop(world, "test")
    flag(world)
    where = {"project": "shop", "environment": "test"}
    call(world, "cy", "flags.segment_save", **where, key="beta")
    targets = [{"kind": "addTargets", "variation": 0, "values": ["beta"]}]
    call(world, "cy", "flags.change_create", **where, kind="flag", target="checkout", instructions=targets)
    call(world, "cy", "flags.segment_delete", **where, key="beta")


@pytest.mark.parametrize(("prerequisite", "is_stale"), [(False, True), (True, False)])
def test_rules_that_serve_what_all_get_make_no_difference(
    world: World, prerequisite: bool, is_stale: bool
) -> None:
    shop(world, "test")
    for key in ("checkout", "gate"):
        flag(world, key)
    rule = {"kind": "addRule", "variation": 0, "clauses": [{"attribute": "key", "op": "in", "values": ["a"]}]}
    patch(world, "cy", "test", rule, {"kind": "addTargets", "variation": 0, "values": ["b"]})
    serve(world, 0)
    if prerequisite:
        patch(world, "cy", "test", {"kind": "addPrerequisite", "key": "gate", "variation": 0})
    aged(world, 15 * DAY_S)
    stale = {one["key"]: one["reason"] for one in call(world, "cy", "flags.stale", project="shop")}
    assert stale["checkout"].startswith("serves_one: ") == is_stale
