"""Options: who sets them, how they keep their ids, and how they are merged."""

from typing import Any

import pytest

from kbwork.base.errors import InvalidInput
from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.fields.sample_values import field, issue, put, values
from tests.modules.fields.test_fields import heard

GREY = "#5f6b7a"


def options(world: World, key: str) -> list[dict[str, Any]]:
    return list(call(world, "bo", "fields.get", key=key)["options"])


def names(world: World, key: str) -> list[str]:
    return [option["name"] for option in options(world, key)]


def option(ident: int, name: str, **more: Any) -> dict[str, Any]:
    return {"id": ident, "name": name, "color": GREY, "archived": False, "parent": None} | more


def test_options_are_set_as_a_whole_list(world: World) -> None:
    field(world, "severity", "select")
    seq = world.database.seq
    wanted = [{"name": " High ", "color": "#D64545"}, {"name": "Low"}]
    answer = call(world, "bo", "fields.options_set", key="severity", options=wanted)
    assert answer["options"] == [option(1, "High", color="#d64545"), option(2, "Low")]
    changes = {"options": {"from": [], "to": ["High", "Low"]}}
    assert heard(world, "cy", seq) == [
        ("field.saved", "org:1", {"key": "severity", "name": "Severity", "changes": changes})
    ]
    seq = world.database.seq
    call(world, "bo", "fields.options_set", key="severity", options=wanted)
    assert world.events_since(seq) == []


def test_an_option_is_known_by_id_or_name_and_keeps_what_is_not_named(world: World) -> None:
    field(world, "severity", "select", ["High", "Low"])
    wanted = [
        {"name": "LOW", "archived": True},
        {"id": 1, "name": "Highest", "color": "#000000"},
        {"name": "Mid"},
    ]
    call(world, "bo", "fields.options_set", key="severity", options=wanted)
    assert options(world, "severity") == [
        option(2, "LOW", archived=True),
        option(1, "Highest", color="#000000"),
        option(3, "Mid"),
    ]
    call(
        world,
        "bo",
        "fields.options_set",
        key="severity",
        options=[{"id": 1, "name": "High"}, {"name": "low"}],
    )
    assert options(world, "severity") == [option(1, "High", color="#000000"), option(2, "low", archived=True)]


@pytest.mark.parametrize(
    ("kind", "wanted", "path"),
    [
        ("text", [{"name": "a"}], "key"),
        ("select", [{"name": "a"}, {"name": "A"}], "options[1].name"),
        ("select", [{"name": ""}], "options[0].name"),
        ("select", [{"id": 9, "name": "a"}], "options[0].id"),
        ("select", [{"name": "a"}, {"name": "b", "parent": "a"}], "options[1].parent"),
        ("select", [{"name": "a", "color": "red"}], "options[0].color"),
        ("cascade", [{"name": "a", "parent": "b"}, {"name": "b"}], "options[0].parent"),
        (
            "cascade",
            [{"name": "a"}, {"name": "x", "parent": "a"}, {"name": "X", "parent": "a"}],
            "options[2].name",
        ),
        (
            "cascade",
            [{"name": "a"}]
            + [{"name": step, "parent": above} for above, step in ("ab", "bc", "cd", "de", "ef")],
            "options[5].parent",
        ),
        ("select", [{"name": str(number)} for number in range(1001)], "options"),
    ],
)
def test_what_does_not_fit_is_named(world: World, kind: str, wanted: list[Any], path: str) -> None:
    field(world, "own_one", kind)
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "fields.options_set", key="own_one", options=wanted)
    assert (refusal.value.slug, [error["path"] for error in refusal.value.errors]) == (
        "invalid-input",
        [path],
    )


def test_a_thousand_options_are_no_trouble(world: World) -> None:
    field(world, "own_one", "select", [f"Option {number}" for number in range(1000)])
    issue(world)
    put(world, "WEB-1", {"own_one": "option 999"})
    assert values(world, "WEB-1") == {"own_one": "Option 999"}


def test_a_used_option_is_not_left_out(world: World) -> None:
    field(world, "severity", "select", ["High", "Low"])
    issue(world)
    put(world, "WEB-1", {"severity": "Low"})
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "fields.options_set", key="severity", options=[{"name": "High"}])
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 1)
    call(world, "bo", "fields.options_set", key="severity", options=[{"name": "Low"}])
    assert names(world, "severity") == ["Low"]


def test_the_option_of_a_default_or_rule_is_not_left_out(world: World) -> None:
    field(world, "severity", "select", ["High", "Low", "Mid", "None"])
    call(world, "bo", "fields.save", key="severity", name="Severity", kind="select", default="Low")
    rule = {"if": {"field": "severity", "op": "in", "value": ["High"]}, "set": {"severity": "Mid"}}
    laid_out = {"create": ["severity"], "edit": [], "required": []}
    call(world, "bo", "fields.layout_save", project="WEB", type="bug", **laid_out, rules=[rule])
    every = ["High", "Low", "Mid"]
    for kept in (["Low", "Mid"], ["High", "Mid"], ["High", "Low"]):
        with refused("in-use"):
            call(world, "bo", "fields.options_set", key="severity", options=[{"name": name} for name in kept])
    call(world, "bo", "fields.options_set", key="severity", options=[{"name": name} for name in every])


def test_options_of_a_cascade_stand_under_each_other(world: World) -> None:
    field(world, "place", "cascade")
    wanted = [
        {"name": "EU"},
        {"name": "Berlin", "parent": "eu"},
        {"name": "US"},
        {"name": "Berlin", "parent": "US"},
    ]
    call(world, "bo", "fields.options_set", key="place", options=wanted)
    assert options(world, "place") == [
        option(1, "EU"),
        option(2, "Berlin", parent=1),
        option(3, "US"),
        option(4, "Berlin", parent=3),
    ]
    issue(world)
    put(world, "WEB-1", {"place": ["US", "Berlin"]})
    moved = [
        {"name": "EU"},
        {"id": 2, "name": "Berlin", "parent": 1},
        {"id": 4, "name": "Boston", "parent": 1},
        {"name": "US"},
    ]
    with refused("in-use"):
        call(world, "bo", "fields.options_set", key="place", options=moved)
    put(world, "WEB-1", {"place": ["EU"]})
    call(world, "bo", "fields.options_set", key="place", options=moved)
    put(world, "WEB-1", {"place": ["EU", "Boston"]})
    with pytest.raises(InvalidInput):
        put(world, "WEB-1", {"place": ["US", "Boston"]})


def test_who_leads_all_projects_of_a_field_sets_its_options(world: World) -> None:
    field(world, "org_wide", "select")
    field(world, "sec", "select", projects=["SEC"])
    field(world, "both", "select", projects=["SEC", "WEB"])
    wanted = {"options": [{"name": "a"}]}
    seq = world.database.seq
    call(world, "cy", "fields.options_set", key="sec", **wanted)
    assert world.events_since(seq) == [("field.saved", "project:SEC")]
    for who, key in (("cy", "org_wide"), ("cy", "both"), ("di", "sec")):
        with refused("not-allowed"):
            call(world, who, "fields.options_set", key=key, **wanted)
    with refused("insufficient-scope"):
        call(world, "gus", "fields.options_set", key="org_wide", **wanted)
    with refused("not-found"):
        call(world, "cy", "fields.options_set", key="none", **wanted)
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert names(world, "sec") == []


def test_setting_options_is_taken_back_unless_one_is_used(world: World) -> None:
    field(world, "severity", "select", ["High"])
    seq = world.database.seq
    call(world, "bo", "fields.options_set", key="severity", options=[{"name": "Highest"}, {"name": "Low"}])
    issue(world)
    put(world, "WEB-1", {"severity": "Low"})
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)
    put(world, "WEB-1", {"severity": None})
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert options(world, "severity") == [option(1, "High")]


def test_merging_moves_values_once_and_tells_it(world: World) -> None:
    field(world, "tags", "multi_select", ["a", "b", "c", "d"])
    for wanted in (["a"], ["b", "c"], ["c", "d", "b"], ["d"]):
        put(world, issue(world), {"tags": wanted})
    seq = world.database.seq
    answer = call(world, "bo", "fields.option_merge", key="tags", from_=["B", 1], into="c")
    assert [each["name"] for each in answer["options"]] == ["c", "d"]
    seen = [values(world, f"WEB-{number}")["tags"] for number in (1, 2, 3, 4)]
    assert seen == [["c"], ["c"], ["c", "d"], ["d"]]
    payload = {"key": "tags", "name": "Tags", "from": ["b", "a"], "into": "c", "issues": 3}
    assert heard(world, "cy", seq) == [("field.option_merged", "org:1", payload)]
    call(world, "bo", "undo.apply", seq=seq + 1)
    seen = [values(world, f"WEB-{number}")["tags"] for number in (1, 2, 3, 4)]
    assert seen == [["a"], ["b", "c"], ["b", "c", "d"], ["d"]]
    assert names(world, "tags") == ["a", "b", "c", "d"]


def test_merging_takes_the_default_and_rules_along(world: World) -> None:
    field(world, "severity", "select", ["High", "Low", "Mid"])
    call(world, "bo", "fields.save", key="severity", name="Severity", kind="select", default="Low")
    condition = {
        "any": [
            {"field": "severity", "op": "in", "value": ["High", "Low"]},
            {"field": "severity", "op": "=", "value": "Low"},
        ]
    }
    rule = {"if": condition, "show": [], "require": [], "set": {"severity": "Low"}}
    laid_out = {"create": ["severity"], "edit": [], "required": []}
    call(world, "bo", "fields.layout_save", project="WEB", type="bug", **laid_out, rules=[rule])
    assert (
        call(world, "bo", "fields.option_merge", key="severity", from_=["Low"], into="High")["default"]
        == "High"
    )
    (after,) = call(world, "cy", "fields.layout", project="WEB", type="bug")
    assert after["rules"] == [
        {
            "if": {
                "any": [
                    {"field": "severity", "op": "in", "value": ["High"]},
                    {"field": "severity", "op": "=", "value": "High"},
                ]
            },
            "show": [],
            "require": [],
            "set": {"severity": "High"},
        }
    ]


def test_merging_within_a_cascade_stays_on_one_level(world: World) -> None:
    field(world, "place", "cascade")
    tree = [
        {"name": "EU"},
        {"name": "Berlin", "parent": "EU"},
        {"name": "Bonn", "parent": "EU"},
        {"name": "US"},
    ]
    call(world, "bo", "fields.options_set", key="place", options=tree)
    put(world, issue(world), {"place": ["EU", "Bonn"]})
    for source, into, slug in (
        ("Bonn", "US", "invalid-input"),
        ("EU", "US", "conflict"),
        ("EU", "EU", "invalid-input"),
    ):
        with refused(slug):
            call(world, "bo", "fields.option_merge", key="place", from_=[source], into=into)
    call(world, "bo", "fields.option_merge", key="place", from_=["Bonn"], into="Berlin")
    assert values(world, "WEB-1") == {"place": ["EU", "Berlin"]}


def test_merging_what_is_not_there_is_refused(world: World) -> None:
    field(world, "severity", "select", ["High", "Low"])
    for wanted, path in (
        ({"from_": ["Hig"], "into": "Low"}, "from"),
        ({"from_": ["High"], "into": 9}, "into"),
    ):
        with pytest.raises(KbworkProblem) as refusal:
            call(world, "bo", "fields.option_merge", key="severity", **wanted)
        assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", path)


def test_a_value_does_not_come_back_without_its_option(world: World) -> None:
    field(world, "severity", "select", ["High", "Low", "Mid"])
    put(world, issue(world), {"severity": "Low"})
    seq = world.database.seq
    call(world, "bo", "fields.option_merge", key="severity", from_=["Low"], into="High")
    put(world, "WEB-1", {"severity": "Mid"})
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)
    assert values(world, "WEB-1") == {"severity": "Mid"}


def test_what_many_issues_have_is_merged_step_by_step_and_taken_back_as_one(world: World) -> None:
    field(world, "tags", "multi_select", ["a", "b", "c", "d"])
    keys = [issue(world, values={"tags": ["a", "b", "c"]}) for _ in range(200)]
    answer = call(world, "bo", "fields.option_merge", key="tags", from_=["a", "b", "c"], into="d")
    assert [option["name"] for option in answer["options"]] == ["d"]

    def held() -> list[dict[str, Any]]:
        return world.database.write_now(
            lambda tx: tx.all("select value, count(*) as n from issue_value group by value order by value")
        )

    assert call(world, "cy", "issues.get", key=keys[-1])["values"]["tags"] == ["d"]
    eventually(lambda: held() == [{"value": 4, "n": 200}])
    (token,) = {row["token"] for row in call(world, "bo", "undo.list") if row["op"] == "fields.option_merge"}
    call(world, "bo", "undo.apply", token=token)
    eventually(lambda: [row["n"] for row in held()] == [200, 200, 200])
    eventually(lambda: call(world, "cy", "issues.get", key=keys[0])["values"]["tags"] == ["a", "b", "c"])
    assert names(world, "tags") == ["a", "b", "c", "d"]
