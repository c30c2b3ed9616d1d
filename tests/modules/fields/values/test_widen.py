"""Changing the kind of a field: what its values become, and what is refused."""

import typing
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.modules.fields.model import Kind
from kbwork.modules.fields.values.widen import wider
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import field, issue, put, values

WIDER = {
    ("text", "paragraph"),
    ("number", "money"),
    ("date", "datetime"),
    ("select", "multi_select"),
    ("member", "members"),
}


def change(world: World, kind: str, who: str = "bo", **more: Any) -> dict[str, Any]:
    return dict(call(world, who, "fields.save", key="own_one", name="Own one", kind=kind, **more))


def test_every_pair_of_kinds() -> None:
    kinds = typing.get_args(Kind)
    found = {(one, other) for one in kinds for other in kinds if one != other and wider(one, other)}
    assert found == WIDER | {(one, "text") for one in kinds if one != "text"}


@pytest.mark.parametrize(
    ("kind", "to", "given", "after"),
    [
        ("text", "paragraph", "a", "a"),
        ("paragraph", "text", "a\nb", "a\nb"),
        ("url", "text", "https://a.example", "https://a.example"),
        ("number", "money", 5.5, {"amount": 5.5, "currency": "XXX"}),
        ("number", "text", 5.0, "5"),
        ("money", "text", {"amount": 5, "currency": "EUR"}, "5 EUR"),
        ("bool", "text", False, "no"),
        ("date", "datetime", "2026-03-01", 1_772_323_200),
        ("date", "text", "2026-03-01", "2026-03-01"),
        ("datetime", "text", 1_772_323_200, "2026-03-01T00:00:00Z"),
        ("duration", "text", 3_725, "1:02:05"),
        ("rating", "text", 4, "4"),
        ("select", "multi_select", "High", ["High"]),
        ("select", "text", "High", "High"),
        ("multi_select", "text", ["Low", "High"], "High, Low"),
        ("member", "text", "@di", "Di Park"),
        ("members", "text", ["@di", "@cy"], "Di Park, Cy Moss"),
        ("team", "text", 1, "Shop"),
        ("issue", "text", "WEB-1", "WEB-1"),
    ],
)
def test_values_live_on_in_the_wider_kind_and_come_back(
    world: World, kind: str, to: str, given: Any, after: Any
) -> None:
    field(world, "own_one", kind, ["High", "Low"] if "select" in kind else None)
    call(world, "bo", "teams.save", name="Shop")
    issue(world)
    put(world, "WEB-1", {"own_one": given})
    before = values(world, "WEB-1")
    seq = world.database.seq
    options = change(world, to)["options"]
    assert values(world, "WEB-1") == {"own_one": after}
    assert bool(options) == (to == "multi_select")
    assert world.events_since(seq) == [("field.saved", "org:1")]
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert values(world, "WEB-1") == before
    assert call(world, "bo", "fields.get", key="own_one")["kind"] == kind


def test_a_cascade_becomes_a_path(world: World) -> None:
    field(world, "own_one", "cascade")
    call(
        world,
        "bo",
        "fields.options_set",
        key="own_one",
        options=[{"name": "EU"}, {"name": "Berlin", "parent": "EU"}],
    )
    issue(world)
    put(world, "WEB-1", {"own_one": ["EU", "Berlin"]})
    seq = world.database.seq
    change(world, "text")
    assert values(world, "WEB-1") == {"own_one": "EU / Berlin"}
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert values(world, "WEB-1") == {"own_one": ["EU", "Berlin"]}


def test_a_member_becomes_the_first_of_several(world: World) -> None:
    field(world, "own_one", "member")
    issue(world)
    put(world, "WEB-1", {"own_one": "@di"})
    change(world, "members")
    put(world, "WEB-1", {"own_one": ["@di", "@cy"]})
    assert values(world, "WEB-1") == {"own_one": [world.people["di"].id, world.people["cy"].id]}


def test_amounts_take_the_currency_of_the_default(world: World) -> None:
    field(world, "own_one", "number", default=3, max=9)
    issue(world)
    put(world, "WEB-1", {"own_one": 5})
    after = change(world, "money", default={"amount": 1, "currency": "chf"})
    assert (after["default"], after["max"]) == ({"amount": 1, "currency": "CHF"}, 9)
    assert values(world, "WEB-1") == {"own_one": {"amount": 5, "currency": "CHF"}}


def test_days_begin_where_the_org_is(world: World) -> None:
    call(world, "bo", "org.update", zone="America/New_York")
    field(world, "own_one", "date", default="2026-03-01")
    issue(world)
    put(world, "WEB-1", {"own_one": "2026-03-01"})
    assert change(world, "datetime")["default"] == 1_772_341_200
    assert values(world, "WEB-1") == {"own_one": 1_772_341_200}


@pytest.mark.parametrize(
    ("kind", "to", "given"),
    [
        ("paragraph", "number", "5"),
        ("text", "number", "5"),
        ("number", "duration", 5),
        ("money", "number", {"amount": 1, "currency": "EUR"}),
        ("datetime", "date", 5),
        ("multi_select", "select", ["High"]),
        ("select", "cascade", "High"),
        ("members", "member", ["@di"]),
        ("text", "url", "https://a.example"),
    ],
)
def test_a_kind_that_is_not_wider_is_refused_with_the_count(
    world: World, kind: str, to: str, given: Any
) -> None:
    field(world, "own_one", kind, ["High", "Low"] if "select" in kind else None)
    for _ in range(2):
        put(world, issue(world), {"own_one": given})
    with pytest.raises(KbworkProblem) as refusal:
        change(world, to)
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("conflict", 2)
    for number in (1, 2):
        put(world, f"WEB-{number}", {"own_one": None})
    assert change(world, to)["kind"] == to


def test_a_computed_field_takes_no_values_along(world: World) -> None:
    field(world, "own_one", "text")
    put(world, issue(world), {"own_one": "x"})
    with refused("conflict"):
        change(world, "formula", formula="1")


def test_values_that_are_lost_are_counted(world: World) -> None:
    field(world, "own_one", "paragraph")
    put(world, issue(world), {"own_one": "x" * 4001})
    put(world, issue(world), {"own_one": "x" * 4000})
    with pytest.raises(KbworkProblem) as refusal:
        change(world, "text")
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("conflict", 1)
    assert len(values(world, "WEB-1")["own_one"]) == 4001


def test_an_issue_that_the_admin_does_not_see_is_not_named(world: World) -> None:
    field(world, "own_one", "issue")
    call(world, "di", "issues.create", project="PRV", title="Di's own")
    put(world, issue(world), {"own_one": "PRV-1"}, who="di")
    with pytest.raises(KbworkProblem) as refusal:
        change(world, "text")
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("conflict", 1)


def test_limits_that_the_new_kind_does_not_take_go(world: World) -> None:
    field(world, "own_one", "text", min=1, max=5, pattern="^a", default="abc")
    after = change(world, "number")
    assert (after["min"], after["max"], after["pattern"], after["default"]) == (1, 5, None, None)
    with refused("invalid-input"):
        change(world, "bool", max=5)
    assert change(world, "bool")["max"] is None


def test_a_kind_comes_back_only_where_all_values_fit(world: World) -> None:
    field(world, "own_one", "number")
    put(world, issue(world), {"own_one": 5})
    seq = world.database.seq
    change(world, "text")
    put(world, issue(world), {"own_one": "many"})
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)
    assert values(world, "WEB-1") == {"own_one": "5"}
    put(world, "WEB-2", {"own_one": None})
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert values(world, "WEB-1") == {"own_one": 5}


def test_a_day_before_the_first_moment_is_counted(world: World) -> None:
    field(world, "own_one", "date")
    put(world, issue(world), {"own_one": "1969-12-31"})
    with pytest.raises(KbworkProblem) as refusal:
        change(world, "datetime")
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("conflict", 1)
