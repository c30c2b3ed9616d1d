"""Layouts: who lays fields out, what is asked for, and rules that depend on what is given."""

from typing import Any

import pytest

from kbwork.base.errors import InvalidInput
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.db.tx import Write
from kbwork.modules import fields
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import acting, field
from tests.modules.fields.test_fields import heard

BUG = {"project": "WEB", "type": "bug"}
NOTHING: dict[str, list[str]] = {"create": [], "edit": [], "required": []}


def layout(world: World, who: str = "cy") -> dict[str, Any]:
    (found,) = call(world, who, "fields.layout", **BUG)
    return dict(found)


def filled(world: World, given: dict[str, Any], who: str = "cy", **facts: Any) -> dict[str, Any]:
    """What a new bug of WEB would hold. Raises InvalidInput where something required is missing."""

    def make(tx: Write) -> dict[str, Any]:
        project = tx.value("select id from project where key = 'WEB'")
        bug = tx.value("select id from issue_type where key = 'bug'")
        values = fields.resolve(tx, project, bug, given)
        values = fields.defaults(tx, project, bug, values, facts)
        fields.required(tx, project, bug, values, facts)
        keys = {row["id"]: row["key"] for row in tx.all("select id, key from field")}
        return {keys[ident]: [value.value for value in each] for ident, each in values.items() if each}

    return acting(world, who, make)


def missing(world: World, given: dict[str, Any], who: str = "cy", **facts: Any) -> list[str]:
    """The paths of the values that are asked for and not there."""
    try:
        filled(world, given, who, **facts)
    except InvalidInput as refusal:
        return [error["path"] for error in refusal.extra["errors"]]
    return []


def test_without_a_layout_there_are_all_fields_that_may_be_there(world: World) -> None:
    field(world, "one", "text")
    field(world, "two", "formula", formula="1")
    field(world, "sec", "text", projects=["SEC"])
    field(world, "tasks", "text", types=["task"])
    field(world, "firm", "text", on="company")
    assert layout(world) == BUG | {"create": ["one"], "edit": ["one", "two"], "required": [], "rules": []}
    every = call(world, "cy", "fields.layout", project="WEB")
    assert [each["type"] for each in every] == ["task", "epic", "story", "bug", "subtask"]
    assert [each["edit"] for each in every if each["type"] == "task"] == [["one", "two", "tasks"]]


def test_a_lead_lays_fields_out_and_those_of_the_project_hear_of_it(world: World) -> None:
    for key in ("one", "two", "three"):
        field(world, key, "text")
    seq = world.database.seq
    wanted = {"create": ["Three", "one"], "edit": ["one", "two", "one"], "required": ["three"]}
    answer = call(world, "cy", "fields.layout_save", project="SEC", type="Bug", **wanted)
    assert answer == {
        "project": "SEC",
        "type": "bug",
        "create": ["three", "one"],
        "edit": ["one", "two"],
        "required": ["three"],
        "rules": [],
    }
    assert world.events_since(seq) == [("layout.saved", "project:SEC")]
    payload = {
        "project": "SEC",
        "type": "bug",
        "name": "Bug",
        "changes": {
            "create": {"from": ["one", "two", "three"], "to": ["three", "one"]},
            "edit": {"from": ["one", "two", "three"], "to": ["one", "two"]},
            "required": {"from": [], "to": ["three"]},
        },
    }
    assert heard(world, "di", seq) == [("layout.saved", "project:SEC", payload)]
    assert heard(world, "gus", seq) == []
    seq = world.database.seq
    call(world, "cy", "fields.layout_save", project="SEC", type="Bug", **wanted)
    assert world.events_since(seq) == []


def test_what_is_there_already_is_no_change(world: World) -> None:
    field(world, "one", "text")
    seq = world.database.seq
    call(world, "bo", "fields.layout_save", **BUG, create=["one"], edit=["one"], required=[])
    assert world.events_since(seq) == []
    field(world, "two", "text")
    assert layout(world)["edit"] == ["one", "two"]


def test_who_does_not_lead_the_project_lays_nothing_out(world: World) -> None:
    for who, project, slug in (
        ("cy", "WEB", "not-allowed"),
        ("di", "SEC", "not-allowed"),
        ("ana", "PRV", "not-found"),
        ("gus", "WEB", "insufficient-scope"),
    ):
        with refused(slug):
            call(world, who, "fields.layout_save", project=project, type="task", **NOTHING)


def test_an_archived_project_takes_no_layout(world: World) -> None:
    acting(world, "bo", lambda tx: tx.execute("update project set archived_at = 5 where key = 'WEB'"))
    with refused("conflict"):
        call(world, "bo", "fields.layout_save", **BUG, **NOTHING)


def test_a_layout_is_taken_back(world: World) -> None:
    field(world, "one", "text")
    seq = world.database.seq
    call(world, "bo", "fields.layout_save", **BUG, **NOTHING)
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert layout(world)["edit"] == ["one"]
    field(world, "two", "text")
    assert layout(world)["edit"] == ["one", "two"]


def test_a_field_that_goes_leaves_the_layout_and_comes_back_to_it(world: World) -> None:
    field(world, "one", "text")
    field(world, "two", "text")
    rule = {"if": {"field": "one", "op": "empty"}, "require": ["two"]}
    call(
        world, "bo", "fields.layout_save", **BUG, create=["two"], edit=["one"], required=["two"], rules=[rule]
    )
    seq = world.database.seq
    call(world, "bo", "fields.delete", key="two")
    assert layout(world)["create"] == []
    assert missing(world, {}) == []
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert (layout(world)["create"], layout(world)["required"]) == (["two"], ["two"])


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        ({"create": ["none"]}, "create[0]"),
        ({"edit": ["one", "sec"]}, "edit[1]"),
        ({"edit": ["firm"]}, "edit[0]"),
        ({"required": ["one"]}, "required[0]"),
        ({"create": ["sum_up"]}, "create[0]"),
        ({"edit": ["sum_up"], "required": ["sum_up"]}, "required[0]"),
        ({"type": "feature"}, "type"),
    ],
)
def test_what_cannot_be_laid_out_is_named(world: World, bad: dict[str, Any], path: str) -> None:
    field(world, "one", "text")
    field(world, "sum_up", "formula", formula="1")
    field(world, "sec", "text", projects=["SEC"])
    field(world, "firm", "text", on="company")
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "fields.layout_save", **(BUG | NOTHING | bad))
    assert (refusal.value.slug, [error["path"] for error in refusal.value.errors]) == (
        "invalid-input",
        [path],
    )


def test_all_that_is_required_is_asked_for_at_once(world: World) -> None:
    for key in ("one", "two", "three"):
        field(world, key, "text")
    every = ["one", "two", "three"]
    call(world, "bo", "fields.layout_save", **BUG, create=every, edit=[], required=["one", "three"])
    assert missing(world, {}) == ["values.one", "values.three"]
    assert missing(world, {"three": "x", "one": None}) == ["values.one"]
    assert missing(world, {"three": "x", "one": "x"}) == []
    call(world, "bo", "fields.save", key="one", name="One", kind="text", default="given")
    assert missing(world, {"three": "x"}) == []


@pytest.fixture
def ruled(world: World) -> World:
    """Fields that conditions ask for, on the bugs of WEB."""
    field(world, "kind_of", "select", ["Crash", "Typo"])
    field(world, "places", "multi_select", ["app", "web"])
    field(world, "site", "cascade")
    tree = [{"name": "EU"}, {"name": "Berlin", "parent": "EU"}]
    call(world, "bo", "fields.options_set", key="site", options=tree)
    for key in ("steps", "note", "since_day"):
        field(world, key, "date" if key == "since_day" else "text")
    field(world, "hits", "number", max=10)
    field(world, "costs", "money")
    field(world, "owner", "member")
    field(world, "urgent", "bool")
    field(world, "see_also", "issue")
    return world


def lay_out(world: World, *rules: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    keys = [each["key"] for each in call(world, "bo", "fields.list")]
    wanted = {"create": keys, "edit": keys, "required": required or []}
    return dict(call(world, "bo", "fields.layout_save", **BUG, **wanted, rules=list(rules)))


CASES: list[tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]] = [
    ({"field": "kind_of", "op": "=", "value": "crash"}, [{"kind_of": "Crash"}], [{}, {"kind_of": "Typo"}]),
    ({"field": "kind_of", "op": "!=", "value": "Crash"}, [{}, {"kind_of": "Typo"}], [{"kind_of": "Crash"}]),
    ({"field": "Kind of", "op": "in", "value": ["Crash", 2]}, [{"kind_of": "Typo"}], [{}]),
    ({"field": "places", "op": "=", "value": "web"}, [{"places": ["app", "web"]}], [{}, {"places": ["app"]}]),
    (
        {"field": "places", "op": "!=", "value": "web"},
        [{}, {"places": ["app"]}],
        [{"places": ["app", "web"]}],
    ),
    (
        {"field": "site", "op": "=", "value": ["EU", "Berlin"]},
        [{"site": ["EU", "Berlin"]}],
        [{"site": ["EU"]}],
    ),
    ({"field": "site", "op": "=", "value": ["EU"]}, [{"site": ["EU", "Berlin"]}, {"site": ["EU"]}], [{}]),
    ({"field": "hits", "op": ">", "value": 3}, [{"hits": 3.5}], [{"hits": 3}, {}]),
    ({"field": "hits", "op": "<=", "value": 30}, [{"hits": 10}], [{}]),
    ({"field": "costs", "op": ">=", "value": 5}, [{"costs": {"amount": 5, "currency": "EUR"}}], [{}]),
    (
        {"field": "since_day", "op": "<", "value": "2026-01-01"},
        [{"since_day": "2025-12-31"}],
        [{"since_day": "2026-01-01"}],
    ),
    (
        {"field": "note", "op": "~", "value": "LOGIN page"},
        [{"note": "the page of login"}],
        [{"note": "login"}, {}],
    ),
    ({"field": "urgent", "op": "=", "value": False}, [{"urgent": False}], [{"urgent": True}, {}]),
    ({"field": "owner", "op": "=", "value": "@di"}, [{"owner": "@di"}], [{"owner": "@cy"}]),
    ({"field": "see_also", "op": "not_empty"}, [{"see_also": "WEB-1"}], [{}]),
    ({"field": "note", "op": "empty"}, [{}, {"note": ""}], [{"note": "x"}]),
    (
        {"all": [{"field": "hits", "op": ">", "value": 1}, {"any": [{"field": "note", "op": "empty"}]}]},
        [{"hits": 2}],
        [{"hits": 2, "note": "x"}, {}],
    ),
    ({"all": []}, [{}], []),
    ({"any": []}, [], [{}]),
    ({"role": "member"}, [{}], []),
    ({"role": "lead"}, [], [{}]),
    ({"role": "team:admins"}, [], [{}]),
]


@pytest.mark.parametrize(("condition", "true", "false"), CASES)
def test_a_rule_asks_where_its_condition_holds(
    ruled: World, condition: dict[str, Any], true: list[dict[str, Any]], false: list[dict[str, Any]]
) -> None:
    call(ruled, "bo", "issues.create", project="WEB", title="One")
    lay_out(ruled, {"if": condition, "require": ["steps"]})
    assert [missing(ruled, given) for given in true] == [["values.steps"]] * len(true)
    assert [missing(ruled, given) for given in false] == [[]] * len(false)


def test_a_rule_asks_for_what_every_issue_has(ruled: World) -> None:
    for condition in (
        {"field": "priority", "op": "in", "value": ["Urgent", "high"]},
        {"field": "label", "op": "=", "value": "Crash"},
        {"field": "estimate", "op": ">", "value": 3},
        {"field": "title", "op": "~", "value": "log out"},
        {"field": "due", "op": "not_empty"},
    ):
        lay_out(ruled, {"if": condition, "require": ["steps"]})
        facts: dict[str, Any] = {
            "priority": "urgent",
            "label": ["a", "crash"],
            "estimate": 5,
            "title": "Out of the log",
            "due": "2026-01-01",
        }
        assert missing(ruled, {}, **facts) == ["values.steps"], condition
        assert missing(ruled, {}) == [], condition


def test_a_role_is_that_of_who_acts(ruled: World) -> None:
    call(ruled, "bo", "teams.save", name="Shop")
    call(ruled, "bo", "teams.member_set", id=1, who="@cy", role="member")
    for role, asked in (
        ("admin", ["bo"]),
        ("lead", ["bo", "ana"]),
        ("team:1", ["bo", "cy"]),
        ("team:admins", ["bo", "ana"]),
    ):
        lay_out(ruled, {"if": {"role": role}, "require": ["steps"]})
        found = [who for who in ("bo", "ana", "cy") if missing(ruled, {}, who)]
        assert found == asked, role


def test_what_rules_show_is_hidden_else_and_what_is_hidden_is_not_required(ruled: World) -> None:
    shows = {"if": {"field": "kind_of", "op": "=", "value": "Crash"}, "show": ["steps"]}
    lay_out(ruled, shows, required=["steps", "note"])
    assert missing(ruled, {"kind_of": "Typo"}) == ["values.note"]
    assert missing(ruled, {"kind_of": "Crash"}) == ["values.steps", "values.note"]


def test_a_rule_fills_in_what_is_not_given(ruled: World) -> None:
    fills = {
        "if": {"field": "kind_of", "op": "=", "value": "Crash"},
        "set": {"urgent": True, "places": ["web"]},
    }
    later = {"if": {"all": []}, "set": {"urgent": False, "hits": 1}}
    lay_out(ruled, fills, later)
    assert filled(ruled, {"kind_of": "Crash"}) == {"kind_of": [1], "urgent": [1], "places": [4], "hits": [1]}
    assert filled(ruled, {"kind_of": "Typo", "hits": None}) == {"kind_of": [2], "urgent": [0]}


def test_rules_are_answered_as_they_were_given(ruled: World) -> None:
    di = ruled.people["di"].id
    given = {
        "if": {
            "all": [
                {"field": "kind_of", "op": "in", "value": ["Crash"]},
                {"field": "site", "op": "=", "value": ["EU", "Berlin"]},
                {"field": "urgent", "op": "=", "value": True},
                {"field": "owner", "op": "=", "value": di},
                {"field": "priority", "op": "=", "value": "high"},
                {"field": "note", "op": "~", "value": "x"},
                {"any": [{"role": "lead"}, {"field": "hits", "op": "empty"}]},
            ]
        },
        "show": ["steps"],
        "require": ["note"],
        "set": {"site": ["EU"], "costs": {"amount": 3, "currency": "EUR"}},
    }
    assert lay_out(ruled, given)["rules"] == [given]
    options = call(ruled, "bo", "fields.get", key="kind_of")["options"]
    wanted = [{"id": options[0]["id"], "name": "Fall"}, {"id": options[1]["id"], "name": "Typo"}]
    call(ruled, "bo", "fields.options_set", key="kind_of", options=wanted)
    (rule,) = layout(ruled)["rules"]
    assert rule["if"]["all"][0] == {"field": "kind_of", "op": "in", "value": ["Fall"]}


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ({"if": {"tql": "priority = high"}}, "rules[0].if.tql"),
        ({"if": {}}, "rules[0].if"),
        ({"if": {"field": "hits"}}, "rules[0].if"),
        ({"if": {"field": "hits", "op": "=", "value": 1, "more": 2}}, "rules[0].if"),
        ({"if": {"all": {"role": "lead"}}}, "rules[0].if.all"),
        ({"if": {"all": [{"role": "lead"}, {"role": "boss"}]}}, "rules[0].if.all[1].role"),
        ({"if": {"role": "team:9"}}, "rules[0].if.role"),
        ({"if": {"field": "hitz", "op": "=", "value": 1}}, "rules[0].if.field"),
        ({"if": {"field": "priorty", "op": "=", "value": 1}}, "rules[0].if.field"),
        ({"if": {"field": 3, "op": "=", "value": 1}}, "rules[0].if.field"),
        ({"if": {"field": "hits", "op": "==", "value": 1}}, "rules[0].if.op"),
        ({"if": {"field": "hits", "op": "changed"}}, "rules[0].if.op"),
        ({"if": {"field": "hits", "op": "~", "value": "1"}}, "rules[0].if.op"),
        ({"if": {"field": "note", "op": "<", "value": "a"}}, "rules[0].if.op"),
        ({"if": {"field": "see_also", "op": "=", "value": "WEB-1"}}, "rules[0].if.op"),
        ({"if": {"field": "hits", "op": "="}}, "rules[0].if.value"),
        ({"if": {"field": "hits", "op": "empty", "value": 1}}, "rules[0].if.value"),
        ({"if": {"field": "hits", "op": "=", "value": "many"}}, "rules[0].if.value"),
        ({"if": {"field": "hits", "op": "=", "value": None}}, "rules[0].if.value"),
        ({"if": {"field": "hits", "op": "in", "value": []}}, "rules[0].if.value"),
        ({"if": {"field": "kind_of", "op": "=", "value": "Fall"}}, "rules[0].if.value"),
        ({"if": {"field": "priority", "op": "=", "value": True}}, "rules[0].if.value"),
        ({"if": {"all": []}, "show": ["none"]}, "rules[0].show[0]"),
        ({"if": {"all": []}, "require": ["none"]}, "rules[0].require[0]"),
        ({"if": {"all": []}, "set": {"none": 1}}, "rules[0].set.none"),
        ({"if": {"all": []}, "set": {"hits": 11}}, "rules[0].set.hits"),
        ({"if": {"all": [{"role": "lead"}] * 50}}, "rules[0].if.all[49]"),
    ],
)
def test_a_rule_that_does_not_fit_is_named(ruled: World, rule: dict[str, Any], path: str) -> None:
    with pytest.raises(KbworkProblem) as refusal:
        lay_out(ruled, rule)
    assert (refusal.value.slug, [error["path"] for error in refusal.value.errors]) == (
        "invalid-input",
        [path],
    )


def test_conditions_stand_in_each_other_five_deep(ruled: World) -> None:
    condition: dict[str, Any] = {"role": "lead"}
    for _ in range(4):
        condition = {"all": [condition]}
    lay_out(ruled, {"if": condition})
    with refused("invalid-input"):
        lay_out(ruled, {"if": {"any": [condition]}})
