"""Semantic patches: what each instruction does, and what it refuses with which words."""

import copy
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from kbwork.flagengine import Context, Snapshot
from kbwork.flagengine.patch import checks, flag_instructions, segment_instructions, targeting_instructions
from kbwork.flagengine.patch.apply import apply
from kbwork.flagengine.patch.checks import PatchContext, Wrong
from kbwork.flagengine.patch.differences import differences

CLAUSE = {"attribute": "plan", "op": "in", "values": ["gold"]}
STORED = {"contextKind": "user", "attribute": "plan", "op": "in", "values": ["gold"], "negate": False}
SPLIT = {"variations": [{"variation": 0, "weight": 30_000}, {"variation": 1, "weight": 70_000}]}


def world(**more: Any) -> PatchContext:
    numbers = itertools.count(1)
    found: dict[str, Any] = {
        "variations": 3,
        "segments": {"beta"},
        "flags": {"other": 2, "third": 1},
        "new_id": lambda: f"new{next(numbers)}",
        "people": {"m_1", "m_2"},
    }
    return PatchContext(**found | more)


def config() -> dict[str, Any]:
    return targeting_instructions.new(3, off=1, on=0, salt="pepper")


def target(*instructions: Any, before: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    start = before or config()
    kept = copy.deepcopy(start)
    try:
        return apply(targeting_instructions.INSTRUCTIONS, start, list(instructions), world(**more))
    finally:
        assert start == kept, "what was given is changed"


def ruled(*names: str) -> dict[str, Any]:
    return target(
        *({"kind": "addRule", "clauses": [CLAUSE], "variation": 0, "ruleId": name} for name in names)
    )


def test_switching_and_serving() -> None:
    found = target(
        {"kind": "turnFlagOn"},
        {"kind": "updateOffVariation", "variation": None},
        {"kind": "updateFallthroughVariationOrRollout", "rollout": SPLIT},
        {"kind": "updateTrackEvents", "value": True},
    )
    assert (found["on"], found["offVariation"], found["trackEvents"]) == (True, None, True)
    assert found["fallthrough"] == {"rollout": SPLIT | {"contextKind": "user"}}
    assert target({"kind": "turnFlagOff"}, before=found)["on"] is False
    assert found["salt"] == "pepper"


def test_a_key_stands_in_one_target_of_its_kind() -> None:
    found = target(
        {"kind": "addTargets", "variation": 0, "values": ["a", "b", "a"]},
        {"kind": "addTargets", "variation": 1, "values": ["b", "c"]},
        {"kind": "addTargets", "variation": 1, "values": ["b"], "contextKind": "org"},
    )
    assert [(one["contextKind"], one["variation"], one["values"]) for one in found["targets"]] == [
        ("user", 0, ["a"]),
        ("user", 1, ["b", "c"]),
        ("org", 1, ["b"]),
    ]
    left = target(
        {"kind": "removeTargets", "variation": 0, "values": ["a", "nobody"]},
        {"kind": "removeTargets", "variation": 0, "values": ["c"]},
        before=found,
    )
    assert [one["values"] for one in left["targets"]] == [["b", "c"], ["b"]]
    listed = [{"contextKind": "org", "variation": 2, "values": ["x"]}]
    assert target({"kind": "replaceTargets", "targets": listed}, before=found)["targets"] == listed
    assert target({"kind": "replaceTargets", "targets": []}, before=found)["targets"] == []


def test_rules_are_added_in_their_place_and_changed_by_their_id() -> None:
    found = target(
        {
            "kind": "addRule",
            "clauses": [CLAUSE],
            "rollout": SPLIT,
            "description": "Half",
            "beforeRuleId": "b",
        },
        {"kind": "updateRuleVariationOrRollout", "ruleId": "a", "rollout": SPLIT},
        {"kind": "updateRuleDescription", "ruleId": "b", "description": "Second"},
        {"kind": "addClauses", "ruleId": "b", "clauses": [CLAUSE | {"negate": True}]},
        before=ruled("a", "b"),
    )
    assert [rule["id"] for rule in found["rules"]] == ["a", "new1", "b"]
    assert "variation" not in found["rules"][0]
    assert found["rules"][1] == {
        "id": "new1",
        "description": "Half",
        "clauses": [STORED],
        "rollout": SPLIT | {"contextKind": "user"},
        "trackEvents": False,
    }
    assert found["rules"][2]["clauses"] == [STORED, STORED | {"negate": True}]
    fewer = target({"kind": "removeClauses", "ruleId": "b", "clauseIndexes": [0, 0]}, before=found)
    assert fewer["rules"][2]["clauses"] == [STORED | {"negate": True}]
    turned = target({"kind": "reorderRules", "ruleIds": ["b", "a", "new1"]}, before=found)
    assert [rule["id"] for rule in turned["rules"]] == ["b", "a", "new1"]
    assert target({"kind": "removeRule", "ruleId": "a"}, before=found)["rules"] == found["rules"][1:]
    anew = target({"kind": "replaceRules", "rules": [{"clauses": [CLAUSE], "variation": 2}]}, before=found)
    assert [(rule["id"], rule["variation"]) for rule in anew["rules"]] == [("new1", 2)]


def test_prerequisites_are_of_other_flags() -> None:
    found = target(
        {"kind": "addPrerequisite", "key": "other", "variation": 1},
        {"kind": "addPrerequisite", "key": "third", "variation": 0},
        {"kind": "updatePrerequisite", "key": "other", "variation": 0},
        {"kind": "removePrerequisite", "key": "third"},
    )
    assert found["prerequisites"] == [{"key": "other", "variation": 0}]


def test_a_whole_configuration_is_put_back_as_it_was_answered() -> None:
    found = ruled("a") | {"on": True}
    assert target({"kind": "replaceConfig", "config": found | {"version": 7}}) == found
    brought = {name: value for name, value in found.items() if name != "salt"}
    assert (
        target({"kind": "replaceConfig", "config": brought}, before=config() | {"salt": "mine"})["salt"]
        == "mine"
    )
    assert target({"kind": "replaceConfig", "config": brought | {"salt": "old"}})["salt"] == "old"


RULE = {"kind": "addRule", "clauses": [CLAUSE], "variation": 0}


def clause(**changed: Any) -> dict[str, Any]:
    return RULE | {"clauses": [{name: one for name, one in (CLAUSE | changed).items() if one is not ...}]}


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ("turnFlagOn", "instructions[0] should be an object with a kind"),
        ({"kind": 1}, "should be an object with a kind"),
        ({"kind": "turnOn"}, "instructions[0].kind is 'turnOn', which is no instruction here; they are turnFlagOn"),
        ({"kind": "turnFlagOn", "value": 1}, "(turnFlagOn): value is not known here; the fields are: kind"),
        ({"kind": "updateOffVariation"}, "variation is missing"),
        ({"kind": "updateOffVariation", "variation": 3}, "variation is 3, and the variations are 0 to 2"),
        ({"kind": "updateOffVariation", "variation": True}, "should be the index of a variation"),
        ({"kind": "updateOffVariation", "variation": 0.5}, "should be the index of a variation"),
        ({"kind": "updateFallthroughVariationOrRollout"}, "a variation or a rollout, one of the two"),
        ({"kind": "updateFallthroughVariationOrRollout", "variation": 0, "rollout": SPLIT}, "one of the two"),
        ({"kind": "addTargets", "variation": 0, "values": []}, "values should have at least 1 item"),
        ({"kind": "addTargets", "variation": 0, "values": "a"}, "values should be a list"),
        ({"kind": "addTargets", "variation": 0, "values": [""]}, "values[0] should not be empty"),
        ({"kind": "addTargets", "variation": 0, "values": [1]}, "values[0] should be text"),
        ({"kind": "addTargets", "variation": 0, "values": ["a"], "contextKind": "multi"}, "contextKind should be"),
        (
            {"kind": "replaceTargets", "targets": [{"variation": n, "values": ["a"]} for n in (0, 1)]},
            "targets[1].values has 'a', which another target of the kind user has",
        ),
        (RULE | {"clauses": []}, "clauses should have at least 1 item"),
        (RULE | {"ruleId": "a"}, "ruleId is 'a', which another rule has"),
        (RULE | {"ruleId": "a b"}, "ruleId should be 1 to 64 letters"),
        (RULE | {"beforeRuleId": "z"}, "beforeRuleId is 'z', and the flag has no such rule here; its rules are: a"),
        (clause(op="resembles"), "clauses[0].op should be one of in, startsWith"),
        (clause(op=["in"]), "clauses[0].op should be one of"),
        (clause(attribute=...), "clauses[0].attribute should name an attribute"),
        (clause(attribute=""), "clauses[0].attribute should name an attribute"),
        (clause(attribute="/a//b"), "such as /address/city: '/a//b' has an empty part"),
        (clause(attribute="/a/"), "such as /address/city: '/a/' has an empty part"),
        (clause(attribute="/"), "such as /address/city: nothing stands behind the slash"),
        (clause(attribute="/a~2b"), "'/a~2b' has a ~ without 0 or 1 behind it; ~0 stands for ~, and ~1 for /"),
        (clause(attribute="/a~"), "'/a~' has a ~ without 0 or 1 behind it"),
        (clause(values=[]), "clauses[0].values should have at least 1 item"),
        (clause(values=[None]), "clauses[0].values[0] should be text, a number, true or false"),
        (clause(values=[{}]), "clauses[0].values[0] should be text"),
        (clause(negate="no"), "clauses[0].negate should be true or false"),
        (clause(nope=1), "clauses[0].nope is not known here"),
        (clause(op="contains", values=[1]), "clauses[0].values[0] should be text"),
        (clause(op="lessThan", values=["1"]), "should be a number"),
        (clause(op="lessThan", values=[True]), "should be a number"),
        (clause(op="before", values=["2024-02-30T00:00:00Z"]), "should be a date such as"),
        (clause(op="after", values=["today"]), "should be a date such as"),
        (clause(op="semVerEqual", values=["v1"]), "should be a version such as"),
        (clause(op="matches", values=["(a+)+"]), "is no pattern that can be used: at character 5: a repeat"),
        (clause(op="segmentMatch", values=["beta"]), "attribute should be left out"),
        (clause(op="segmentMatch", attribute=..., values=["x"]), "names the segment 'x', which this environment"),
        (RULE | {"variation": None, "rollout": {}}, "rollout.variations is missing"),
        (
            RULE | {"variation": None, "rollout": {"variations": [{"variation": 0, "weight": 99_999}]}},
            "rollout.variations has weights that sum to 99999, and they should sum to 100000",
        ),
        (
            RULE | {"variation": None, "rollout": {"variations": [{"variation": 0, "weight": -1}]}},
            "rollout.variations[0].weight should be a whole number from 0 to 100000",
        ),
        (
            RULE | {"variation": None, "rollout": {"variations": [{"variation": 9, "weight": 100_000}]}},
            "rollout.variations[0].variation is 9",
        ),
        (RULE | {"variation": None, "rollout": SPLIT | {"bucketBy": "/"}}, "rollout.bucketBy should name"),
        (RULE | {"variation": None, "rollout": SPLIT | {"contextKind": ""}}, "rollout.contextKind should be"),
        ({"kind": "removeRule", "ruleId": ["a"]}, 'ruleId is ["a"], and the flag has no such rule here'),
        ({"kind": "removeRule", "ruleId": None}, "ruleId is null, and the flag has no such rule here"),
        ({"kind": "removeRule", "ruleId": "x" * 101}, f"ruleId is '{'x' * 100}'..., and the flag has no such rule"),
        ({"kind": "removeRule", "ruleId": [0] * 99}, f"ruleId is [{'0, ' * 33}..., and the flag has no such rule"),
        ({"kind": "removePrerequisite", "key": [True]}, "key is [true], which is no prerequisite of the flag here"),
        ({"kind": "k" * 101}, f"instructions[0].kind is '{'k' * 100}'..., which is no instruction here"),
        ({"kind": "turnFlagOn", "x" * 101: 1}, f"(turnFlagOn): {'x' * 100}... is not known here"),
        (RULE | {"description": []}, "description should be text"),
        (RULE | {"description": {}}, "description should be text"),
        (RULE | {"description": 0}, "description should be text"),
        (RULE | {"description": False}, "description should be text"),
        (RULE | {"description": "a\0b"}, "description cannot hold the character U+0000"),
        (
            {"kind": "replaceRules", "rules": [{"clauses": [CLAUSE], "variation": 0, "description": []}]},
            "rules[0].description should be text",
        ),
        (
            {"kind": "updateRuleDescription", "ruleId": "a", "description": "\0"},
            "description cannot hold the character U+0000",
        ),
        ({"kind": "updateOffVariation", "variation": 10**200}, f"variation is 1{'0' * 99}..., and the variations are"),
        ({"kind": "updateRuleDescription", "ruleId": "a", "description": None}, "description should be text"),
        ({"kind": "removeClauses", "ruleId": "a", "clauseIndexes": [0]}, "take the rule away with removeRule"),
        ({"kind": "removeClauses", "ruleId": "a", "clauseIndexes": [1]}, "clauseIndexes[0] should be an index"),
        ({"kind": "reorderRules", "ruleIds": []}, "ruleIds should name every rule once: a"),
        ({"kind": "reorderRules", "ruleIds": ["a", "a"]}, "ruleIds should name every rule once"),
        ({"kind": "reorderRules", "ruleIds": [["a"]]}, "ruleIds should name every rule once"),
        ({"kind": "addPrerequisite", "key": "me", "variation": 0}, "key is 'me', and the project has no other flag"),
        ({"kind": "addPrerequisite", "key": "third", "variation": 1}, "variation is 1, and the variations are 0 to 0"),
        ({"kind": "updatePrerequisite", "key": "other", "variation": 0}, "is no prerequisite of the flag here"),
        ({"kind": "removePrerequisite", "key": "other"}, "which is no prerequisite of the flag here; they are: none"),
        ({"kind": "updateTrackEvents", "value": 1}, "value should be true or false"),
        ({"kind": "replaceConfig", "config": {}}, "config.on is missing"),
        ({"kind": "replaceConfig", "config": config() | {"rules": [{}]}}, "config.rules[0].clauses is missing"),
        ({"kind": "replaceConfig", "config": config() | {"fallthrough": {"x": 1}}}, "fallthrough.x is not known"),
        ({"kind": "replaceConfig", "config": config() | {"salt": ""}}, "config.salt should not be empty"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_place(instruction: Any, says: str) -> None:
    before = ruled("a")
    with pytest.raises(Wrong) as told:
        target({"kind": "turnFlagOn"} if instruction is None else instruction, before=before)
    assert says in str(told.value)
    with pytest.raises(Wrong) as told:
        target({"kind": "turnFlagOn"}, instruction, before=before)
    assert str(told.value).startswith("instructions[1]")


@pytest.mark.parametrize(
    "number", [10**400, -(10**400), float("inf"), float("nan")], ids=["large", "small", "inf", "nan"]
)
@pytest.mark.parametrize("op", ["in", "lessThan", "greaterThanOrEqual", "before", "after"])
def test_a_clause_has_no_number_that_is_no_double(op: str, number: float) -> None:
    clause = {"attribute": "age", "op": op, "values": [1.7e308, number]}
    with pytest.raises(Wrong, match=r"clauses\[0\]\.values\[1\] holds a number that is too large"):
        target({"kind": "addRule", "clauses": [clause], "variation": 0})


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", 10**400),
        ("number", float("-inf")),
        ("json", -(10**400)),
        ("json", {"a": [{"b": 10**400}]}),
    ],
    ids=["number", "infinite", "json", "within"],
)
def test_a_flag_serves_no_number_that_is_no_double(kind: str, value: Any) -> None:
    with pytest.raises(Wrong, match=r"variations\[0\]\.value holds a number that is too large"):
        flag_instructions.variations([{"value": value}], "variations", kind, None, world())
    before = meta(kind=kind, variations=[{"value": 1, "name": "", "description": ""}])
    with pytest.raises(Wrong, match=r"value holds a number that is too large"):
        wide({"kind": "addVariation", "value": value}, before=before)


def test_a_schema_holds_no_number_that_is_no_double() -> None:
    with pytest.raises(Wrong, match="schema holds a number that is too large"):
        flag_instructions.schema({"maximum": 10**5000}, "schema", "json", world())


def test_null_leaves_out() -> None:
    rule = {
        "clauses": [CLAUSE | {"negate": None}],
        "variation": 0,
        "id": "a",
        "description": None,
        "trackEvents": None,
    }
    assert target({"kind": "replaceRules", "rules": [rule]}) == ruled("a")
    asked = RULE | {"ruleId": "a", "description": None, "rollout": None, "beforeRuleId": None}
    assert target(asked) == ruled("a")
    assert (
        target({"kind": "replaceConfig", "config": config() | {"trackEvents": None, "salt": None}})
        == config()
    )
    body = dict.fromkeys(("key", "name", *checks.BODY))
    assert segment({"kind": "replaceBody", "body": body}) == segment_instructions.new("pepper") | NAMES


def test_keys_of_contexts_are_taken_as_they_are() -> None:
    odd = ["a\0b", " a\tb\n"]
    found = target({"kind": "addTargets", "variation": 0, "values": odd})
    assert [one["values"] for one in found["targets"]] == [odd]
    assert target({"kind": "replaceTargets", "targets": found["targets"]}) == found
    assert segment({"kind": "addIncludedTargets", "values": odd})["included"] == odd
    assert segment({"kind": "replaceBody", "body": {"excluded": odd}})["excluded"] == odd


def test_a_refusal_lists_some_of_many() -> None:
    many = ruled(*(f"r{number}" for number in range(12)))
    with pytest.raises(Wrong, match=r"its rules are: r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 and 2 more$"):
        target({"kind": "removeRule", "ruleId": "x"}, before=many)


@pytest.mark.parametrize("instructions", [None, {}, [], "turnFlagOn", [{"kind": "turnFlagOn"}] * 501])
def test_instructions_are_a_list_of_some(instructions: Any) -> None:
    with pytest.raises(Wrong, match=r"^instructions should"):
        apply(targeting_instructions.INSTRUCTIONS, config(), instructions, world())


def test_instructions_of_another_scope_say_how_they_are_sent() -> None:
    with pytest.raises(Wrong) as told:
        apply(
            targeting_instructions.INSTRUCTIONS,
            config(),
            [{"kind": "updateName", "value": "x"}],
            world(),
            elsewhere={"updateName": "is sent without environmentKey"},
        )
    assert str(told.value) == "instructions[0] (updateName) is sent without environmentKey"


def meta(**changed: Any) -> dict[str, Any]:
    return {
        "kind": "string",
        "name": "Night",
        "description": "",
        "tags": ["ui"],
        "maintainers": ["m_1"],
        "temporary": True,
        "clientSide": False,
        "archived": False,
        "variations": [{"value": text, "name": "", "description": ""} for text in ("a", "b", "c")],
        "defaults": {"on": 0, "off": 1},
        "schema": None,
        **changed,
    }


PLAIN = {name: value for name, value in meta().items() if name not in ("archived", "kind", "schema")}


def wide(*instructions: Any, before: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return apply(flag_instructions.INSTRUCTIONS, before or meta(), list(instructions), world(**more))


def test_what_a_flag_is_everywhere() -> None:
    found = wide(
        {"kind": "updateName", "value": "Day"},
        {"kind": "updateDescription", "value": "Light"},
        {"kind": "addTags", "values": ["web", "api", "ui"]},
        {"kind": "removeTags", "values": ["web"]},
        {"kind": "addMaintainers", "values": ["m_2"]},
        {"kind": "removeMaintainers", "values": ["m_1"]},
        {"kind": "makeFlagPermanent"},
        {"kind": "turnOnClientSideAvailability"},
        {"kind": "addVariation", "value": "d", "name": "Dee"},
        {"kind": "updateVariation", "index": 0, "description": "First"},
        {"kind": "updateVariation", "index": 1, "value": "b2"},
        {"kind": "updateDefaultVariations", "onVariation": 3, "offVariation": 0},
        {"kind": "archiveFlag"},
    )
    assert found == meta(
        name="Day",
        description="Light",
        tags=["api", "ui"],
        maintainers=["m_2"],
        temporary=False,
        clientSide=True,
        archived=True,
        variations=[
            {"value": "a", "name": "", "description": "First"},
            {"value": "b2", "name": "", "description": ""},
            {"value": "c", "name": "", "description": ""},
            {"value": "d", "name": "Dee", "description": ""},
        ],
        defaults={"on": 3, "off": 0},
    )
    assert wide({"kind": "replaceMeta", "meta": PLAIN}, before=found) == meta(archived=True)
    assert wide({"kind": "replaceMeta", "meta": PLAIN | {"kind": None}}, before=found) == meta(archived=True)


def test_of_a_variation_changes_what_is_named() -> None:
    named = wide({"kind": "updateVariation", "index": 0, "name": "Ay", "description": "One\nTwo"})
    assert named["variations"][0] == {"value": "a", "name": "Ay", "description": "One\nTwo"}
    same = {"kind": "updateVariation", "index": 0, "value": "a", "name": None, "description": None}
    assert wide(same, before=named) == named
    bare = wide({"kind": "updateVariation", "index": 0, "name": "", "description": ""}, before=named)
    assert bare["variations"][0] == {"value": "a", "name": "", "description": ""}
    new = wide({"kind": "addVariation", "value": "d", "name": None, "description": None})
    assert new["variations"][3] == {"value": "d", "name": "", "description": ""}
    nothing = wide({"kind": "updateVariation", "index": 0, "value": None}, before=meta(kind="json"))
    assert nothing["variations"][0] == {"value": None, "name": "", "description": ""}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (9007199254740993, 9007199254740992, True),
        (2**64, float(2**64), True),
        (9007199254740991, 9007199254740992, False),
        (1, 1.0, True),
        (0, -0.0, True),
        (1, True, False),
        ([1, {"a": 2, "b": 9007199254740993}], [1.0, {"b": 9007199254740992, "a": 2.0}], True),
        ([1], [True], False),
        ("1", 1, False),
        ("\ud800", "\ufffd", True),
        ({"a": None}, {}, False),
    ],
)
def test_values_are_one_where_the_engine_reads_one(one: Any, other: Any, same: bool) -> None:
    listed = [{"value": one}, {"value": other}]
    before = meta(kind="json", variations=[{"value": one, "name": "", "description": ""}])
    roads: list[Callable[[], Any]] = [
        lambda: flag_instructions.variations(listed, "variations", "json", None, world()),
        lambda: wide({"kind": "addVariation", "value": other}, before=before),
    ]
    for road in roads:
        if not same:
            road()
            continue
        with pytest.raises(Wrong, match=r"value is the value of variation 0$"):
            road()


def test_values_are_compared_within_bounds() -> None:
    long = [{"value": [place] * 20_000, "name": "", "description": ""} for place in range(100)]
    before = meta(kind="json", variations=long)
    name, value = (
        {"kind": "updateVariation", "index": 0} | new for new in ({"name": "Nought"}, {"value": 1})
    )
    wide(*[name] * 20, value, before=before)
    with pytest.raises(Wrong, match=r"instructions\[\d\] \(updateVariation\): value is too much at once"):
        wide(*[value] * 9, before=before)


@pytest.mark.parametrize(
    ("instruction", "kind", "says"),
    [
        ({"kind": "updateName", "value": ""}, "string", "value should not be empty"),
        ({"kind": "updateName", "value": "x" * 501}, "string", "value should have at most 500 characters"),
        ({"kind": "updateName", "value": "a\0b"}, "string", "value cannot hold the character U+0000"),
        ({"kind": "updateDescription", "value": "\0"}, "string", "value cannot hold the character U+0000"),
        ({"kind": "updateDescription", "value": None}, "string", "value should be text"),
        ({"kind": "addTags", "values": ["a", "b\0"]}, "string", "values[1] cannot hold the character U+0000"),
        ({"kind": "addVariation", "value": "d", "name": []}, "string", "(addVariation): name should be text"),
        ({"kind": "addVariation", "value": "d", "description": 0}, "string", "description should be text"),
        ({"kind": "addVariation", "value": "d", "name": "\0"}, "string", "name cannot hold the character"),
        ({"kind": "updateVariation", "index": 0, "name": []}, "string", "name should be text"),
        ({"kind": "updateVariation", "index": 0, "name": False}, "string", "name should be text"),
        ({"kind": "updateVariation", "index": 0, "description": {}}, "string", "description should be text"),
        ({"kind": "updateVariation", "index": 0, "name": None}, "string", "a description to change"),
        ({"kind": "updateVariation", "index": 0, "value": None}, "string", "value should be text"),
        (
            {"kind": "replaceMeta", "meta": PLAIN | {"variations": [{"value": "a", "description": []}]}},
            "string",
            "meta.variations[0].description should be text",
        ),
        ({"kind": "replaceMeta", "meta": PLAIN | {"kind": "bool"}}, "string", "meta.kind should stay string"),
        ({"kind": "addTags", "values": []}, "string", "values should have at least 1 item"),
        (
            {"kind": "addMaintainers", "values": ["m_9"]},
            "string",
            "values[0] is 'm_9', which is no id of a member",
        ),
        ({"kind": "addVariation", "value": 1}, "string", "value should be text: the flag's kind is string"),
        ({"kind": "addVariation", "value": 1}, "bool", "value should be true or false"),
        ({"kind": "addVariation", "value": True}, "number", "value should be a number"),
        ({"kind": "addVariation", "value": "a"}, "string", "value is the value of variation 0"),
        (
            {"kind": "addVariation", "value": "x" * 70_000},
            "json",
            "value should have at most 65,536 characters",
        ),
        ({"kind": "updateVariation", "index": 0}, "string", "a value, a name or a description to change"),
        (
            {"kind": "updateVariation", "index": 0, "value": "b"},
            "string",
            "value is the value of variation 1",
        ),
        ({"kind": "updateVariation", "index": 3, "name": "x"}, "string", "index is 3"),
        ({"kind": "updateDefaultVariations", "onVariation": 0}, "string", "offVariation is missing"),
        (
            {"kind": "updateJsonSchema", "schema": {}},
            "string",
            "schema is for JSON flags, and this one is string",
        ),
        (
            {"kind": "updateJsonSchema", "schema": 1},
            "json",
            "schema should be a JSON schema, an object, or null",
        ),
        (
            {"kind": "updateJsonSchema", "schema": {"type": "number"}},
            "json",
            "variation 0 does not fit: no number",
        ),
        ({"kind": "replaceMeta", "meta": {}}, "string", "meta.name is missing"),
        (
            {"kind": "replaceMeta", "meta": {**meta(), "archived": True}},
            "string",
            "meta.archived is not known here",
        ),
    ],
)
def test_what_does_not_fit_a_flag_is_named(instruction: Any, kind: str, says: str) -> None:
    def fits(_: dict[str, Any], values: tuple[Any, ...]) -> str | None:
        return "no number" if values else None

    with pytest.raises(Wrong) as told:
        wide(instruction, before=meta(kind=kind), fits=fits)
    assert says in str(told.value)


def test_a_variation_that_is_served_stays() -> None:
    fewer = {name: value for name, value in meta().items() if name not in ("archived", "kind")}
    fewer["variations"] = fewer["variations"][:2]
    assert len(wide({"kind": "replaceMeta", "meta": fewer})["variations"]) == 2
    with pytest.raises(Wrong, match="leaves out variation 2, which is still served somewhere"):
        wide({"kind": "replaceMeta", "meta": fewer}, used={0, 2})


NAMES = {"name": "Beta", "description": "", "tags": []}


def segment(*instructions: Any, before: dict[str, Any] | None = None) -> dict[str, Any]:
    start = before or segment_instructions.new("pepper") | NAMES
    return apply(segment_instructions.INSTRUCTIONS, start, list(instructions), world(segment="beta"))


def test_segments() -> None:
    found = segment(
        {"kind": "addIncludedTargets", "values": ["a", "b"]},
        {"kind": "addIncludedTargets", "values": ["acme"], "contextKind": "org"},
        {"kind": "addExcludedTargets", "values": ["c"]},
        {"kind": "removeIncludedTargets", "values": ["a", "z"]},
        {
            "kind": "addRule",
            "clauses": [CLAUSE],
            "weight": 5000,
            "bucketBy": "/team",
            "rolloutContextKind": "org",
        },
        {"kind": "addRule", "clauses": [CLAUSE], "ruleId": "r"},
        {"kind": "removeRule", "ruleId": "r"},
        {"kind": "updateName", "value": "Pilots"},
        {"kind": "addTags", "values": ["x"]},
    )
    assert (found["included"], found["excluded"]) == (["b"], ["c"])
    assert found["includedContexts"] == [{"contextKind": "org", "values": ["acme"]}]
    assert found["rules"] == [
        {
            "ruleId": "new1",
            "clauses": [STORED],
            "weight": 5000,
            "bucketBy": "/team",
            "rolloutContextKind": "org",
        }
    ]
    assert (found["name"], found["tags"]) == ("Pilots", ["x"])
    gone = segment({"kind": "removeIncludedTargets", "values": ["acme"], "contextKind": "org"}, before=found)
    assert gone["includedContexts"] == []
    body = segment({"kind": "replaceBody", "body": {"included": ["q"], "rules": []}}, before=found)
    assert (body["included"], body["excluded"], body["rules"], body["salt"]) == (["q"], [], [], "pepper")
    assert (body["name"], body["tags"]) == ("Pilots", ["x"])
    sent = {"key": "beta", "name": " Testers  of beta ", "included": ["q"]}
    whole = segment({"kind": "replaceBody", "body": sent}, before=found)
    assert whole == body | {"name": "Testers of beta"}


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ({"kind": "addIncludedTargets", "values": []}, "values should have at least 1 item"),
        ({"kind": "addRule", "clauses": [], "weight": 1}, "clauses should have at least 1 item"),
        (
            {"kind": "addRule", "clauses": [CLAUSE], "weight": 100_001},
            "weight should be a whole number from 0",
        ),
        ({"kind": "addRule", "clauses": [CLAUSE], "variation": 1}, "variation is not known here"),
        (
            {"kind": "removeRule", "ruleId": "x"},
            "ruleId is 'x', and the segment has no such rule; its rules are: none",
        ),
        ({"kind": "removeRule", "ruleId": None}, "ruleId is null, and the segment has no such rule"),
        ({"kind": "replaceBody", "body": {"included": [1]}}, "body.included[0] should be text"),
        ({"kind": "replaceBody", "body": {"included": 0}}, "body.included should be a list"),
        (
            {"kind": "replaceBody", "body": {"key": "gamma"}},
            "body.key is 'gamma': a segment keeps its key, 'beta'",
        ),
        ({"kind": "replaceBody", "body": {"key": 1}}, "body.key is 1: a segment keeps its key, 'beta'"),
        ({"kind": "replaceBody", "body": {"name": ""}}, "body.name should not be empty"),
        ({"kind": "replaceBody", "body": {"name": []}}, "body.name should be text"),
        (
            {"kind": "replaceBody", "body": {"tags": []}},
            "body.tags is not known here; the fields are: key, name, inc",
        ),
        ({"kind": "replaceBody", "body": []}, "body should be an object"),
        ({"kind": "updateName", "value": "a\0b"}, "value cannot hold the character U+0000"),
        (
            {
                "kind": "replaceBody",
                "body": {"excludedContexts": [{"contextKind": "org", "values": ["a"]}] * 2},
            },
            "body.excludedContexts[1].contextKind is 'org', which stands there already",
        ),
        ({"kind": "turnFlagOn"}, "is 'turnFlagOn', which is no instruction here"),
    ],
)
def test_what_does_not_fit_a_segment_is_named(instruction: Any, says: str) -> None:
    with pytest.raises(Wrong) as told:
        segment(instruction)
    assert says in str(told.value)


def test_what_is_stored_is_sound() -> None:
    """What went through the strict reading is evaluated without an error, and reads the same again."""
    rule = {"kind": "addRule", "clauses": [{"op": "segmentMatch", "values": ["beta"]}], "rollout": SPLIT}
    found = target({"kind": "turnFlagOn"}, rule, clause(op="matches", values=[r"^g\w+d$"]))
    assert checks.config(found, "", world(), "x") == found
    snapshot = Snapshot.of(
        {
            "flags": {"f": found | {"variations": [{"value": n} for n in range(3)]}},
            "segments": {"beta": segment_instructions.new("s")},
        }
    )
    detail = snapshot.evaluate("f", Context({"key": "mira", "plan": "gold"}))
    assert (detail.value, detail.reason, detail.rule_index) == (0, "TARGETING_MATCH", 1)


def test_differences_are_paths_with_both_values() -> None:
    before = ruled("a")
    after = target(
        {"kind": "turnFlagOn"},
        {"kind": "addTargets", "variation": 0, "values": ["x"]},
        {"kind": "updateRuleVariationOrRollout", "ruleId": "a", "variation": 1},
        before=before,
    )
    assert differences(before, before) == []
    assert differences(before, after) == [
        {"path": "/on", "from": False, "to": True},
        {"path": "/targets/0", "from": None, "to": {"contextKind": "user", "variation": 0, "values": ["x"]}},
        {"path": "/rules/0/variation", "from": 0, "to": 1},
    ]
    assert differences({"a/b": 1}, {"a/b": True}) == [{"path": "/a~1b", "from": 1, "to": True}]


def test_of_long_lists_differences_are_what_came_and_what_went() -> None:
    keys = [f"u{n}" for n in range(100_000)]
    found = differences({"included": keys}, {"included": [*keys[1:], "ana"]})
    assert found == [{"path": "/included", "added": ["ana"], "removed": ["u0"]}]
    few = keys[:100]
    assert differences(few[:-1], few) == [{"path": "", "from": few[:-1], "to": few}]
    assert differences(few, [*few, "ana"]) == [{"path": "", "added": ["ana"], "removed": []}]
    many = [*few, "ana"]
    assert differences(many, few) == [{"path": "", "added": [], "removed": ["ana"]}]
    assert differences(many, [])[0]["removed"] == many
    assert differences(many, many[::-1]) == [{"path": "", "added": [], "removed": []}]
    others: list[Any] = [[*many, "ana"], [*many, 1], None, {}, "text"]
    for other in others:
        assert differences(many, other) == [{"path": "", "from": many, "to": other}]
