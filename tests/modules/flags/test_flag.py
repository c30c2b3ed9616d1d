"""Flags: projects, making, instructions, versions, history, restoring."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import flag, patch, serve, shop, state, version

ON = {"kind": "turnFlagOn"}
OFF = {"kind": "turnFlagOff"}


# Projects.


def test_admins_make_a_flag_project_and_members_see_it(world: World) -> None:
    seq = world.database.seq
    shop(world)
    assert world.events_since(seq) == [("environment.saved", "flag_project:shop")] * 3
    flag(world)
    assert call(world, "cy", "flags.projects") == [
        {"project": "shop", "name": "shop", "environments": ["test", "production"], "flags": 1}
    ]
    assert [one["key"] for one in call(world, "cy", "flags.environments", project="SHOP")] == [
        "test",
        "production",
    ]
    with refused("insufficient-scope"):
        call(world, "cy", "flags.project_save", project="mine")
    with refused("insufficient-scope"):
        call(world, "gus", "flags.projects")


def test_a_project_that_is_tied_is_seen_and_changed_as_that_one(world: World) -> None:
    shop(world, work_project="SEC")
    flag(world, who="cy")
    assert call(world, "di", "flags.get", project="shop", key="checkout")["key"] == "checkout"
    with refused("not-allowed"):
        patch(world, "di", "test", ON)  # Di is a reporter there
    call(world, "bo", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "bo", "flags.project_save", project="own", work_project="OWN")
    assert [one["project"] for one in call(world, "cy", "flags.projects")] == ["shop"]
    with refused("not-found"):
        call(world, "cy", "flags.list", project="own")
    call(world, "ana", "flags.project_save", project="shop", work_project=None)
    patch(world, "di", "test", ON)


def test_a_key_that_is_limited_to_projects_has_the_tied_ones_alone(world: World) -> None:
    shop(world)
    call(world, "ana", "flags.project_save", project="web", work_project="WEB")
    made = call(world, "cy", "keys.create", name="web", scopes=["read"], projects=["WEB"])
    client = world._client("limited", made["secret"])
    assert [one["project"] for one in client.call("flags.projects", {})] == ["web"]
    with refused("not-found"):
        client.call("flags.environments", {"project": "shop"})


def test_an_archived_project_changes_no_more_and_loses_its_keys(world: World) -> None:
    shop(world)
    flag(world)
    key = call(world, "ana", "flags.key_create", project="shop", environment="test", kind="server")
    seq = world.database.seq
    call(world, "ana", "flags.project_archive", project="shop")
    assert [kind for kind, _ in world.events_since(seq)] == ["sdk_key.revoked", "environment.saved"]
    assert call(world, "cy", "flags.projects") == []
    with refused("conflict"):
        patch(world, "cy", "test", ON)
    assert call(world, "cy", "flags.get", project="shop", key="checkout")["key"] == "checkout"
    call(world, "ana", "flags.project_save", project="shop")
    patch(world, "cy", "test", ON)
    assert key["id"] not in [
        one["id"] for one in call(world, "ana", "flags.keys", project="shop", environment="test")
    ]


@pytest.mark.parametrize("key", ["", "a b", "a/b", "ä", "x" * 65])
def test_a_project_key_is_plain(world: World, key: str) -> None:
    with refused("invalid-input"):
        call(world, "ana", "flags.project_save", project=key)


def test_a_purged_issue_takes_its_flags_along_no_more(world: World) -> None:
    shop(world)
    flag(world)
    key = call(world, "cy", "issues.create", project="WEB", title="Ship it")["key"]
    call(world, "cy", "flags.link", project="shop", key="checkout", issue=key, on=True)
    call(world, "cy", "issues.delete", key=key)
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    assert call(world, "cy", "flags.get", project="shop", key="checkout")["issues"] == []


@pytest.mark.parametrize("visibility", ["org", "private"])
def test_a_project_of_work_that_goes_does_not_shut_its_flags_in(world: World, visibility: str) -> None:
    call(world, "ana", "projects.create", key="OLD", name="Old", visibility=visibility)
    shop(world, work_project="OLD")
    flag(world, who="ana")
    serve(world, 0)
    call(world, "ana", "flags.segment_save", project="shop", environment="test", key="staff")
    call(world, "ana", "flags.key_create", project="shop", environment="test", kind="server")
    asked = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "test"}
    change = call(world, "ana", "flags.change_create", **asked, instructions=[OFF])["id"]
    call(world, "ana", "flags.change_review", project="shop", id=change, decision="comment", comment="Why?")
    call(world, "ana", "projects.delete", key="OLD", confirm_key="OLD")
    seen = [one["project"] for one in call(world, "ana", "flags.projects")]
    assert seen == (["shop"] if visibility == "org" else [])
    assert call(world, "cy", "flags.projects") == []
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: call(world, "ana", "trash.list")["items"] == [])
    left = call(world, "cy", "flags.projects")
    assert [one["project"] for one in left] == (["shop"] if visibility == "org" else [])
    call(world, "ana", "flags.project_save", project="shop")


# Environments.


def test_a_new_environment_has_every_flag_off_with_its_defaults(world: World) -> None:
    shop(world, "test")
    flag(world, variations=[{"value": "a"}, {"value": "b"}, {"value": "c"}], defaults={"on": 1, "off": 2})
    made = call(world, "ana", "flags.environment_save", project="shop", key="live", critical=True)
    assert made == {
        "project": "shop",
        "key": "live",
        "name": "live",
        "critical": True,
        "require_approval": False,
        "min_approvals": 1,
        "allow_self_approval": False,
    }
    assert state(world, "live") == {
        "on": False,
        "off_variation": 2,
        "fallthrough": {"variation": 1},
        "track_events": False,
        "version": 1,
        "targets": [],
        "rules": [],
        "prerequisites": [],
        "expiring": [],
    }


def test_a_critical_environment_is_deleted_by_name_and_takes_all_along(world: World) -> None:
    shop(world)
    flag(world)
    serve(world, 0, "production")
    call(world, "ana", "flags.segment_save", project="shop", environment="production", key="staff")
    call(world, "ana", "flags.key_create", project="shop", environment="production", kind="client")
    change = {"kind": "flag", "target": "checkout", "environment": "production", "instructions": [OFF]}
    made = call(world, "cy", "flags.change_create", project="shop", **change)
    said = {"decision": "comment", "comment": "Why?"}
    call(world, "bo", "flags.change_review", project="shop", id=made["id"], **said)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    for confirm in ({}, {"confirm_key": "test"}):
        with refused("invalid-input"):
            call(world, "ana", "flags.environment_delete", project="shop", key="production", **confirm)
    asked = {"project": "shop", "key": "production", "confirm_key": "production"}
    left = call(world, "ana", "flags.environment_delete", **asked, dry_run=True)
    assert [one["key"] for one in left] == ["test"]
    assert "production" in call(world, "cy", "flags.get", project="shop", key="checkout")["environments"]
    call(world, "ana", "flags.environment_delete", **asked)
    assert list(call(world, "cy", "flags.get", project="shop", key="checkout")["environments"]) == ["test"]
    with refused("not-found"):
        call(world, "cy", "flags.segments", project="shop", environment="production")


@pytest.mark.parametrize("key", ["flag", "a b", ""])
def test_an_environment_key_is_plain_and_not_the_word_for_the_flag_itself(world: World, key: str) -> None:
    shop(world)
    with refused("invalid-input"):
        call(world, "ana", "flags.environment_save", project="shop", key=key)


# Making.


def test_a_flag_without_more_is_on_or_off(world: World) -> None:
    shop(world, "test")
    seq = world.database.seq
    made = flag(world, name="New checkout")
    assert world.events_since(seq) == [("flag.created", "flag:shop/checkout")]
    assert made | {"environments": None} == {
        "project": "shop",
        "key": "checkout",
        "name": "New checkout",
        "description": "",
        "kind": "bool",
        "variations": [
            {"value": True, "name": "", "description": ""},
            {"value": False, "name": "", "description": ""},
        ],
        "tags": [],
        "maintainers": [world.people["cy"].id],
        "temporary": True,
        "client_side": False,
        "defaults": {"on": 0, "off": 1},
        "schema": None,
        "archived": False,
        "version": 1,
        "environments": None,
        "aliases": [],
    }
    whole = call(world, "di", "flags.get", project="shop", key="checkout")
    assert {name: whole[name] for name in ("dependents", "changes", "schedules", "issues")} == {
        "dependents": [],
        "changes": [],
        "schedules": [],
        "issues": [],
    }


def test_a_flag_from_a_template_takes_what_is_not_named(world: World) -> None:
    shop(world)
    made = flag(world, template="kill-switch", tags=["payments"])
    assert (made["temporary"], made["tags"], made["variations"][0]["name"]) == (False, ["payments"], "On")
    own = {"key": "ring", "name": "Ring", "kind": "number", "variations": [{"value": 1}, {"value": 2.5}]}
    call(world, "ana", "flags.template_save", **own, settings={"temporary": False, "clientSide": True})
    made = flag(world, "ring", template="ring")
    assert (made["kind"], made["client_side"]) == ("number", True)
    with refused("conflict"):
        call(world, "ana", "flags.template_save", **own | {"key": "release"})
    with refused("insufficient-scope"):
        call(world, "cy", "flags.template_save", **own)
    assert [one["key"] for one in call(world, "cy", "flags.templates")][-1] == "ring"
    keys = [one["key"] for one in call(world, "ana", "flags.template_delete", key="ring")]
    assert keys == ["release", "kill-switch", "experiment", "entitlement"]
    with refused("not-found"):
        flag(world, "other", template="ring")


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"key": "a b"}, "key"),
        ({"key": "x" * 129}, "key"),
        ({"kind": "string"}, "variations"),
        ({"kind": "bool", "variations": [{"value": 1}]}, "variations[0].value"),
        ({"variations": [{"value": 1}, {"value": 1.0}]}, "variations[1].value"),
        ({"variations": []}, "variations"),
        ({"variations": [{"value": "a", "colour": "red"}]}, "variations[0].colour"),
        ({"defaults": {"on": 0, "off": 2}}, "defaults.off"),
        ({"maintainers": ["m_nobody"]}, "maintainers"),
        ({"schema": {"type": "object"}}, "schema"),
        ({"variations": [{"value": {}}], "schema": {"type": "nonsense"}}, "schema"),
        ({"variations": [{"value": {"a": 1}}], "schema": {"required": ["b"]}}, "variations[0].value"),
        ({"variations": [{"value": None}], "schema": {"type": "object"}}, "variations[0].value"),
        ({"variations": [{"value": {}}], "schema": {"$ref": "http://127.0.0.1:1/x"}}, "variations[0].value"),
    ],
)
def test_what_does_not_fit_a_flag_is_named(world: World, more: dict[str, Any], place: str) -> None:
    shop(world, "test")
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.create", **{"project": "shop", "key": "checkout"} | more)
    assert (problem.value.slug, problem.value.errors[0]["path"]) == ("invalid-input", place)
    assert call(world, "cy", "flags.list", project="shop") == []


@pytest.mark.parametrize(
    "schema",
    [
        {
            "properties": {
                "a": {"$schema": "https://json-schema.org/draft/2020-12/schema", "pattern": "^(b+)+$"}
            }
        },
        {"$schema": "http://json-schema.org/draft-07/schema#"},
        {"allOf": [{}] * 2600},
        {"$id": "http://[bad", "$ref": "x"},
        {"properties": {"a": {"pattern": "("}}},
        {"properties": {"a": {"patternProperties": {"(?=a)": {}}}}},
        {"$ref": "#"},
        {"type": "number", "multipleOf": 0},
    ],
)
def test_a_schema_that_leaves_the_bounds_is_refused(world: World, schema: dict[str, Any]) -> None:
    shop(world)
    with refused("invalid-input"):
        flag(world, variations=[{"value": {"a": "b" * 60 + "c"}}], schema=schema)


def test_one_request_has_so_many_schemas(world: World) -> None:
    shop(world)
    flag(world, variations=[{"value": {}}])
    sets = [{"kind": "updateJsonSchema", "schema": {"minProperties": 0, "title": str(n)}} for n in range(4)]
    patch(world, "cy", None, *sets[:3])
    with refused("invalid-input"):
        patch(world, "cy", None, *sets)


def test_work_on_long_lists_is_bounded(world: World) -> None:
    shop(world)
    flag(world)
    many = [f"u{n}" for n in range(50_000)]
    patch(world, "cy", "test", {"kind": "addTargets", "variation": 0, "values": many})
    more = [{"kind": "addTargets", "variation": 0, "values": [f"v{n}"]} for n in range(200)]
    with refused("invalid-input"):
        patch(world, "cy", "test", *more)
    clause = {"attribute": "key", "op": "matches", "values": [f"^a{n}$" for n in range(3000)]}
    with refused("invalid-input"):
        patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "clauses": [clause]})


def test_a_schema_that_would_take_for_ever_is_refused(world: World) -> None:
    shop(world, "test")
    deep: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    schema = {"$defs": deep | {"d40": {}}, "$ref": "#/$defs/d0"}
    with refused("invalid-input"):
        flag(world, variations=[{"value": {}}], schema=schema)
    flag(
        world, variations=[{"value": {"a": "b" * 9000}}], schema={"properties": {"a": {"pattern": "^(b+)+$"}}}
    )


def test_a_key_is_given_out_once(world: World) -> None:
    shop(world)
    flag(world)
    with refused("conflict"):
        flag(world)
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    with refused("conflict"):
        flag(world)
    flag(world, "Checkout")  # keys tell cases apart


def test_a_dry_run_says_what_would_be_and_leaves_nothing(world: World) -> None:
    shop(world)
    seq = world.database.seq
    assert flag(world, dry_run=True)["version"] == 1
    assert (world.database.seq, call(world, "cy", "flags.list", project="shop")) == (seq, [])
    flag(world)
    moved, seq = version(world, "test"), world.database.seq
    done = patch(world, "cy", "test", ON, dry_run=True)
    assert (done["outcome"], done["flag"]["environments"]["test"]["on"]) == ("applied", True)
    assert (state(world)["on"], version(world, "test"), world.database.seq) == (False, moved, seq)


# Listing.


def test_flags_are_found_by_tag_words_and_archive(world: World) -> None:
    shop(world, "test")
    flag(world, "a", name="Vouchers at checkout", tags=["cart"])
    flag(world, "b", description="For the Äpfel team")
    flag(world, "c")
    call(world, "cy", "flags.archive", project="shop", key="c")

    def keys(**asked: Any) -> list[str]:
        return [one["key"] for one in call(world, "di", "flags.list", project="shop", **asked)]

    assert keys() == ["a", "b"]
    assert keys(tag="cart") == ["a"]
    assert keys(q="CHECKOUT vou") == ["a"]
    assert keys(q="äpfel") == ["b"]
    assert keys(archived=True) == ["c"]
    (one,) = call(world, "di", "flags.list", project="shop", tag="cart")
    assert one["environments"]["test"]["counts"] == {"targets": 0, "rules": 0, "prerequisites": 0}
    (one,) = call(world, "di", "flags.list", project="shop", tag="cart", full=True)
    assert one["environments"]["test"]["rules"] == []


# Instructions.


def test_instructions_change_one_environment_and_its_version_moves_once(world: World) -> None:
    shop(world)
    flag(world)
    before, other, seq = version(world, "test"), version(world, "production"), world.database.seq
    done = patch(
        world,
        "cy",
        "test",
        ON,
        {"kind": "addTargets", "variation": 1, "values": ["di"]},
        comment="Di waits",
    )
    assert done["outcome"] == "applied"
    assert done["diff"] == {
        "test": [
            {"path": "/on", "from": False, "to": True},
            {
                "path": "/targets/0",
                "from": None,
                "to": {"contextKind": "user", "variation": 1, "values": ["di"]},
            },
        ]
    }
    assert world.events_since(seq) == [("flag.updated", "flag:shop/checkout")]
    assert (version(world, "test"), version(world, "production")) == (before + 1, other)
    assert done["flag"]["environments"]["test"]["version"] == 2
    assert done["flag"]["environments"]["production"]["version"] == 1
    assert done["flag"]["version"] == 1


def test_what_changes_nothing_leaves_no_trace(world: World) -> None:
    shop(world)
    flag(world)
    before, seq = version(world, "test"), world.database.seq
    for environment, instruction in (("test", OFF), (None, {"kind": "makeFlagTemporary"})):
        done = patch(world, "cy", environment, instruction)
        assert (done["outcome"], done["diff"], done["change"]) == ("unchanged", {}, None)
    assert (version(world, "test"), world.database.seq) == (before, seq)


def test_instructions_hold_all_or_nothing(world: World) -> None:
    shop(world)
    flag(world)
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as problem:
        patch(world, "cy", "test", ON, {"kind": "removeRule", "ruleId": "none"})
    assert "instructions[1]" in problem.value.detail
    assert (state(world)["on"], world.database.seq) == (False, seq)


@pytest.mark.parametrize(
    ("environment", "instruction"),
    [
        ("test", {"kind": "updateName", "value": "x"}),
        (None, ON),
        ("test", {"kind": "nonsense"}),
        ("test", {"kind": "turnFlagOn", "value": True}),
        ("test", {"kind": "addTargets", "variation": 2, "values": ["a"]}),
        ("test", {"kind": "addPrerequisite", "key": "other", "variation": 0}),
        ("test", {"kind": "addPrerequisite", "key": "checkout", "variation": 0}),
        (
            "test",
            {"kind": "addRule", "variation": 0, "clauses": [{"op": "segmentMatch", "values": ["none"]}]},
        ),
        (None, {"kind": "addTags", "values": "x"}),
        (None, {"kind": "addMaintainers", "values": ["m_none"]}),
    ],
)
def test_an_instruction_that_does_not_fit_is_refused(
    world: World, environment: str | None, instruction: dict[str, Any]
) -> None:
    shop(world)
    flag(world)
    with refused("invalid-input"):
        patch(world, "cy", environment, instruction)


def test_a_new_value_moves_every_environment_and_a_new_name_none(world: World) -> None:
    shop(world)
    flag(world)
    before = [version(world, key) for key in ("test", "production")]
    patch(world, "cy", None, {"kind": "updateName", "value": "Checkout of 2027"})
    assert [version(world, key) for key in ("test", "production")] == before
    done = patch(world, "cy", None, {"kind": "turnOnClientSideAvailability"})
    assert [version(world, key) for key in ("test", "production")] == [one + 1 for one in before]
    assert (done["flag"]["version"], done["flag"]["environments"]["test"]["version"]) == (3, 1)


def test_flags_do_not_wait_for_each_other_in_a_circle(world: World) -> None:
    shop(world)
    for key in ("a", "b", "c"):
        flag(world, key)
    for key, wanted in (("a", "b"), ("b", "c")):
        patch(world, "cy", "test", {"kind": "addPrerequisite", "key": wanted, "variation": 0}, key=key)
    with pytest.raises(KbworkProblem) as problem:
        patch(world, "cy", "test", {"kind": "addPrerequisite", "key": "a", "variation": 0}, key="c")
    assert (problem.value.slug, "c -> a -> b -> c" in problem.value.detail) == ("conflict", True)
    patch(world, "cy", "production", {"kind": "addPrerequisite", "key": "a", "variation": 0}, key="c")
    assert call(world, "cy", "flags.get", project="shop", key="a")["dependents"] == ["c"]


def test_versions_that_were_read_are_asked_for_again(world: World) -> None:
    shop(world)
    flag(world)
    patch(world, "cy", "test", ON, versions={"test": 1, "production": 1, "flag": 1})
    with pytest.raises(KbworkProblem) as problem:
        patch(world, "di", "test", OFF, versions={"test": 1})
    assert (problem.value.slug, problem.value.extra["current"]["environments"]["test"]["version"]) == (
        "stale",
        2,
    )
    with refused("stale"):
        patch(world, "di", "test", OFF, versions={"gone": 1})
    patch(world, "di", "test", OFF, versions={"production": 1})


def test_two_at_once_lose_nothing(world: World) -> None:
    shop(world)
    flag(world)
    before = version(world, "test")

    def add(number: int) -> None:
        who = ("cy", "di", "bo", "ana")[number % 4]
        patch(world, who, "test", {"kind": "addTargets", "variation": 0, "values": [f"u{number}"]})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(24)))
    (target,) = state(world)["targets"]
    assert sorted(target["values"]) == sorted(f"u{number}" for number in range(24))
    assert (state(world)["version"], version(world, "test")) == (25, before + 24)


# The archive.


def test_an_archived_flag_takes_nothing_but_its_return(world: World) -> None:
    shop(world)
    flag(world)
    seq = world.database.seq
    assert call(world, "cy", "flags.archive", project="shop", key="checkout")["archived"] is True
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    for environment, instruction in (("test", ON), (None, {"kind": "updateName", "value": "x"})):
        with refused("conflict"):
            patch(world, "cy", environment, instruction)
    asked = {"project": "shop", "key": "checkout", "environment": "test", "context": {"key": "ana"}}
    [found] = call(world, "cy", "flags.evaluate", **asked)
    assert found == {
        "key": "checkout",
        "value": None,
        "variation": None,
        "reason": "ERROR",
        "error_kind": "FLAG_NOT_FOUND",
        "steps": [],
    }
    with refused("conflict"):
        call(world, "cy", "flags.evaluate", **asked, instructions=[ON])
    patch(world, "cy", None, {"kind": "restoreFlag"})
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    assert call(world, "cy", "flags.restore", project="shop", key="checkout")["archived"] is False
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert kinds == ["flag.archived", "flag.restored", "flag.archived", "flag.restored"]


def test_a_flag_that_others_wait_for_stays(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "base")
    patch(world, "cy", "test", {"kind": "addPrerequisite", "key": "base", "variation": 0})
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.archive", project="shop", key="base")
    assert (problem.value.slug, problem.value.extra["uses"]) == ("in-use", ["checkout"])
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    call(world, "cy", "flags.archive", project="shop", key="base")
    with refused("conflict"):
        call(world, "cy", "flags.restore", project="shop", key="checkout")
    call(world, "cy", "flags.restore", project="shop", key="base")
    call(world, "cy", "flags.restore", project="shop", key="checkout")


# History.


def test_history_has_every_version_with_who_and_what(world: World) -> None:
    shop(world)
    flag(world)
    patch(world, "di", "test", ON, comment="Go")
    newest, first = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    assert (newest["who"], newest["comment"], newest["diff"]) == (
        world.people["di"].id,
        "Go",
        [{"path": "/on", "from": False, "to": True}],
    )
    assert first["who"] == world.people["cy"].id
    patch(world, "di", None, {"kind": "updateName", "value": "Pay"})
    newest, _ = call(world, "cy", "flags.history", project="shop", key="checkout")
    assert newest["diff"] == [{"path": "/name", "from": "checkout", "to": "Pay"}]


def test_of_long_lists_versions_have_what_came_and_what_went_and_are_made_again(world: World) -> None:
    shop(world)
    flag(world)
    keys = [f"u{n}" for n in range(10_000)]
    add = {"kind": "addTargets", "variation": 0}
    patch(world, "cy", "test", add | {"values": keys})
    long = [{"path": "/targets/0/values", "added": ["ana"], "removed": []}]
    assert patch(world, "cy", "test", add | {"values": ["ana"]})["diff"] == {"test": long}
    where = {"project": "shop", "key": "checkout"}
    newest, before, _ = call(world, "cy", "flags.history", **where, environment="test")
    assert newest["diff"] == long
    asked = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "test"}
    gone = {"kind": "removeTargets", "variation": 0, "values": ["u1"]}
    made = call(world, "cy", "flags.change_create", **asked, instructions=[gone])
    shown = call(world, "cy", "flags.change_get", project="shop", id=made["id"])
    left = [{"path": "/targets/0/values", "added": [], "removed": ["u1"]}]
    assert shown["preview"]["diff"] == {"test": left}
    call(world, "cy", "flags.restore", **where, revision=before["id"])
    assert state(world)["targets"] == [{"contextKind": "user", "variation": 0, "values": keys}]
    newest, *_ = call(world, "cy", "flags.history", **where, environment="test")
    assert newest["diff"] == [{"path": "/targets/0/values", "added": [], "removed": ["ana"]}]
    written = world.database.write_now(
        lambda tx: tx.column("select diff from flag_revision order by id desc limit 2")
    )
    assert max(map(len, written)) < 100


def test_a_flag_is_made_what_it_was_as_a_new_version(world: World) -> None:
    shop(world)
    flag(world)
    rule = {
        "kind": "addRule",
        "variation": 0,
        "ruleId": "r1",
        "clauses": [{"attribute": "key", "op": "in", "values": ["di"]}],
    }
    patch(world, "cy", "test", ON, rule)
    patch(world, "cy", "test", {"kind": "removeRule", "ruleId": "r1"})
    there = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    found = call(world, "di", "flags.restore", project="shop", key="checkout", revision=there[1]["id"])
    assert [one["id"] for one in found["environments"]["test"]["rules"]] == ["r1"]
    assert found["environments"]["test"]["version"] == 4
    patch(world, "cy", None, {"kind": "updateName", "value": "Pay"}, {"kind": "addTags", "values": ["x"]})
    oldest = call(world, "cy", "flags.history", project="shop", key="checkout")[-1]
    found = call(world, "di", "flags.restore", project="shop", key="checkout", revision=oldest["id"])
    assert (found["name"], found["tags"], found["version"]) == ("checkout", [], 3)
    with refused("not-found"):
        call(world, "di", "flags.restore", project="shop", key="checkout", revision=9999)
    flag(world, "other")
    with refused("not-found"):
        call(world, "di", "flags.restore", project="shop", key="other", revision=oldest["id"])


def test_what_a_version_named_and_is_gone_is_named(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", project="shop", environment="test", key="staff")
    clause = {"op": "segmentMatch", "values": ["staff"]}
    patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "ruleId": "r1", "clauses": [clause]})
    patch(world, "cy", "test", {"kind": "removeRule", "ruleId": "r1"})
    call(world, "cy", "flags.segment_delete", project="shop", environment="test", key="staff")
    there = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    with refused("invalid-input"):
        call(world, "cy", "flags.restore", project="shop", key="checkout", revision=there[1]["id"])


# Evaluating.


def test_an_evaluation_says_what_and_why_and_keeps_nothing(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "other")
    serve(world, 0)
    asked = {
        "project": "shop",
        "environment": "test",
        "context": {"key": "ana", "mail": "canary@acme.example"},
    }
    (found,) = call(world, "di", "flags.evaluate", **asked, key="checkout")
    assert (found["value"], found["variation"], found["reason"]) == (True, 0, "DEFAULT")
    assert found["steps"]
    every = call(world, "di", "flags.evaluate", **asked)
    assert [(one["key"], one["value"], one["reason"]) for one in every] == [
        ("checkout", True, "DEFAULT"),
        ("other", False, "DISABLED"),
    ]
    for bad in ({}, {"key": ""}, {"kind": "multi"}, {"kind": "a b", "key": "x"}):
        with refused("invalid-input"):
            call(world, "di", "flags.evaluate", **asked | {"context": bad})
    with refused("not-found"):
        call(world, "di", "flags.evaluate", **asked, key="none")


def test_an_evaluation_says_what_instructions_would_make_of_it(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "other")
    asked = {"project": "shop", "environment": "test", "context": {"key": "ana"}}
    rule = {
        "kind": "addRule",
        "ruleId": "staff",
        "variation": 0,
        "clauses": [{"attribute": "key", "op": "in", "values": ["ana"]}],
    }
    before = state(world)
    (found,) = call(
        world, "di", "flags.evaluate", **asked, key="checkout", instructions=[{"kind": "turnFlagOn"}, rule]
    )
    assert (found["value"], found["reason"], found["rule_id"]) == (True, "TARGETING_MATCH", "staff")
    assert state(world) == before
    (now,) = call(world, "di", "flags.evaluate", **asked, key="checkout")
    assert (now["value"], now["reason"]) == (False, "DISABLED")
    circle = {"kind": "addPrerequisite", "key": "other", "variation": 0}
    back = {"kind": "addPrerequisite", "key": "checkout", "variation": 0}
    patch(world, "cy", "test", back, key="other")
    for slug, more in (
        ("invalid-input", {"key": "checkout", "instructions": [{"kind": "turn"}]}),
        ("invalid-input", {"key": "checkout", "instructions": []}),
        ("invalid-input", {"instructions": [rule]}),
        ("conflict", {"key": "checkout", "instructions": [circle]}),
    ):
        with refused(slug):
            call(world, "di", "flags.evaluate", **asked, **more)


def test_a_context_is_evaluated_within_the_limits_of_remote_evaluation(world: World) -> None:
    def nested(levels: int) -> Any:
        return {"key": "ana", "more": json.loads("[" * (levels - 1) + "]" * (levels - 1))}

    def multi(kinds: int) -> Any:
        return {"kind": "multi", "none": None, **{f"k{number}": {"key": "x"} for number in range(kinds)}}

    def large(size: int) -> Any:
        return {"key": "ana", "more": "ü" * ((size - len('{"key":"ana","more":""}')) // 2) + "x"}

    shop(world)
    flag(world)
    place = {"project": "shop", "environment": "test"}
    for fits in (nested(16), multi(20), large(65_536)):
        (found,) = call(world, "di", "flags.evaluate", **place, context=fits)
        assert found["reason"] == "DISABLED"
    for beyond, why in (
        (nested(17), "at most 16 levels deep"),
        (multi(21), "of at most 20 kinds"),
        (large(65_538), "at most 64 KiB of JSON"),
    ):
        with refused("invalid-input") as problem:
            call(world, "di", "flags.evaluate", **place, context=beyond)
        assert problem.value.errors == [{"path": "context", "message": f"`context` should be {why}."}]


# Links.


def test_a_flag_names_its_issues_to_those_who_see_them(world: World) -> None:
    shop(world)
    flag(world)
    seq = world.database.seq
    for who, project in (("cy", "WEB"), ("di", "PRV")):
        key = call(world, who, "issues.create", project=project, title="Ship it")["key"]
        call(world, who, "flags.link", project="shop", key="checkout", issue=key, on=True)
        call(world, who, "flags.link", project="shop", key="checkout", issue=key, on=True)
    assert [kind for kind, _ in world.events_since(seq)].count("flag.linked") == 2
    assert call(world, "di", "flags.get", project="shop", key="checkout")["issues"] == ["WEB-1", "PRV-1"]
    assert call(world, "cy", "flags.get", project="shop", key="checkout")["issues"] == ["WEB-1"]
    with refused("not-found"):
        call(world, "cy", "flags.link", project="shop", key="checkout", issue="PRV-1", on=False)
    left = call(world, "di", "flags.link", project="shop", key="checkout", issue="PRV-1", on=False)
    assert left == ["WEB-1"]
    told = [
        one for one in call(world, "cy", "api.changes", since=seq)["events"] if one["kind"] == "flag.linked"
    ]
    assert [one["payload"]["issue"] is None for one in told] == [False, True, True]


def test_a_key_that_reads_no_issues_links_none(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "issues.create", project="WEB", title="Ship it")
    made = call(world, "cy", "keys.create", name="flags", scopes=["write"])
    client = world._client("flags", made["secret"])
    for key in ("WEB-1", "WEB-99"):
        with refused("not-found"):
            client.call("flags.link", {"project": "shop", "key": "checkout", "issue": key, "on": True})


# The whole.


def test_everything_configured_comes_as_one_document_without_keys(world: World) -> None:
    shop(world)
    flag(world)
    secret = call(world, "ana", "flags.key_create", project="shop", environment="test", kind="server")[
        "secret"
    ]
    data = call(world, "ana", "flags.export")["data"]
    assert [one["project"] for one in data["projects"]] == ["shop"]
    assert data["projects"][0]["flags"][0]["environments"]["test"]["rules"] == []
    assert secret not in str(data)
    with refused("insufficient-scope"):
        call(world, "cy", "flags.export")


def test_sdk_keys_are_shown_once_and_end_when_told(world: World) -> None:
    shop(world)
    where = {"project": "shop", "environment": "test"}
    server = call(world, "ana", "flags.key_create", **where, kind="server")
    client = call(world, "ana", "flags.key_create", **where, kind="client")
    assert (server["secret"][:4], len(server["secret"]), server["value"]) == ("srv_", 44, None)
    assert (client["secret"][:4], len(client["secret"]), client["value"]) == ("cli_", 28, client["secret"])
    shown = call(world, "ana", "flags.keys", **where)
    assert server["secret"] not in str(shown)
    assert [one["value"] for one in shown] == [None, client["value"]]
    newer = call(world, "ana", "flags.key_create", **where, kind="server", expire_others_in_hours=2)
    ends = {one["id"]: one["expires_at"] for one in call(world, "ana", "flags.keys", **where)}
    assert ends == {server["id"]: world.clock.now() + 7200, client["id"]: None, newer["id"]: None}
    call(
        world, "ana", "flags.key_revoke", **where, id=server["id"], in_hours=5
    )  # never later than it was to end
    left = call(world, "ana", "flags.key_revoke", **where, id=client["id"])
    assert [(one["id"], one["expires_at"]) for one in left] == [
        (server["id"], world.clock.now() + 7200),
        (newer["id"], None),
    ]
    world.clock.advance(7200)
    assert [one["id"] for one in call(world, "ana", "flags.keys", **where)] == [newer["id"]]
    with refused("not-found"):
        call(world, "ana", "flags.key_revoke", **where, id=client["id"])
    with refused("insufficient-scope"):
        call(world, "cy", "flags.keys", **where)


def test_flag_scopes_have_two_names(world: World) -> None:
    shop(world)
    flag(world)
    for scope, may_write, may_keep in (("read", False, False), ("write", True, False), ("admin", True, True)):
        made = call(world, "ana", "keys.create", name=scope, scopes=[scope])
        client = world._client(f"scope {scope}", made["secret"])
        assert client.call("flags.get", {"project": "shop", "key": "checkout"})["key"] == "checkout"
        one = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [ON]}
        if may_write:
            client.call("flags.update", one)
        else:
            with refused("insufficient-scope"):
                client.call("flags.update", one)
        if may_keep:
            client.call("flags.settings_set", {"agent_writes": "direct"})
        else:
            with refused("insufficient-scope"):
                client.call("flags.settings_set", {"agent_writes": "direct"})
