"""Computed fields by name: filtered and sorted by, shown, and bounded."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.tx import Read
from kbwork.modules.tql import language, query_parser
from kbwork.modules.tql.compile.query import compiled
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import caller


def formula(world: World, key: str, text: str, **more: Any) -> None:
    call(world, "bo", "fields.save", key=key, name=key.title(), kind="formula", formula=text, **more)


@pytest.fixture
def sums(world: World) -> World:
    """A parent of two in WEB with computed fields, and one issue elsewhere."""
    formula(world, "cost", "estimate * 100")
    formula(world, "below", "sum(estimate)")
    formula(world, "total", "cf.cost + cf.below")
    formula(world, "said", "comments", projects=["WEB"])
    for title, estimate in (("Parent", 1), ("Alone", 9)):
        call(world, "bo", "issues.create", project="WEB", title=title, estimate=estimate)
    for estimate in (2, 4):
        step = {"project": "WEB", "title": "Step", "type": "subtask", "parent": "WEB-1", "estimate": estimate}
        call(world, "bo", "issues.create", **step)
    call(world, "cy", "issues.create", project="SEC", title="Other")
    return world


def keys(world: World, who: str, tql: str) -> list[str]:
    return [row[0] for row in call(world, who, "tql.run", tql=tql, fields=["key"])["rows"]]


def test_issues_are_found_and_sorted_by_what_a_formula_comes_to(sums: World) -> None:
    for text, wanted in {
        "cost > 200 order by cost desc": ["WEB-2", "WEB-4"],
        "cf.cost = 100..200 order by key": ["WEB-1", "WEB-3"],
        "Below = 6": ["WEB-1"],
        "total = 106": ["WEB-1"],
        "parent.total = 106 order by key": ["WEB-3", "WEB-4"],
        "cost is empty": ["SEC-1"],
        "said = 0 order by total desc, key": ["WEB-2", "WEB-4", "WEB-3", "WEB-1"],
        "said is empty": ["SEC-1"],
        "cost > parent.cost order by key": ["WEB-3", "WEB-4"],
        "cost * 2 = 400": ["WEB-3"],
    }.items():
        assert keys(sums, "cy", text) == wanted, text
        told = call(sums, "cy", "tql.check", tql=text)["normal"]
        assert call(sums, "cy", "tql.check", tql=told)["normal"] == told
    assert (
        call(sums, "cy", "tql.check", tql="Below = 6 order by total")["normal"]
        == "cf.below = 6 order by cf.total"
    )


def test_a_roll_up_gathers_the_children_of_each_row_and_makes_no_group(sums: World) -> None:
    rows = call(sums, "cy", "tql.run", tql="project = WEB order by key", fields=["key", "below", "total"])
    assert rows["rows"] == [["WEB-1", 6, 106], ["WEB-2", 0, 900], ["WEB-3", 0, 200], ["WEB-4", 0, 400]]
    assert [column["name"] for column in rows["columns"]] == ["key", "cf.below", "cf.total"]
    grouped = "project = WEB select sum(below), max(total), share(total > 300) group by type order by type"
    assert call(sums, "cy", "tql.run", tql=grouped)["rows"] == [
        ["subtask", 0, 400, 0.5],
        ["task", 6, 900, 0.5],
    ]


def test_what_a_formula_says_is_asked_in_the_statement(sums: World) -> None:
    def ask(tx: Read) -> None:
        for text in ("cost > 200", "total >= 106 and said = 0", "parent.cost = 100"):
            plan = compiled(tx, query_parser.query(tx, text).query, "issues")
            assert plan.rest == (), text
        assert language.values(tx, {"twice": "cf.total * 2"}, [1]) == {1: {"twice": 212}}

    sums.database.read_now(ask, caller(sums, "cy"))


def test_a_formula_that_leads_back_to_itself_is_refused(sums: World) -> None:
    with refused("tql-name") as wrong:
        formula(sums, "cost", "cf.total - 1")
    assert wrong.value.errors[0]["path"] == "formula"
    formula(sums, "cost", "estimate * 100 + 0")
    sums.database.write_now(
        lambda tx: tx.update(
            "field", tx.value("select id from field where key = 'cost'"), formula="cf.total - 1"
        )
    )
    for text in ("cost > 1", "order by total", "parent.cost = 1"):
        with refused("tql-name"):
            keys(sums, "cy", text)
    answer = call(sums, "cy", "tql.check", tql="open and cost > 1")
    assert (answer["errors"][0]["position"], answer["errors"][0]["length"]) == (9, 4)
    assert "leads back to itself" in answer["errors"][0]["message"]
    assert call(sums, "cy", "issues.get", key="WEB-1")["values"]["cost"] is None
    assert "cost" not in {one["name"] for one in call(sums, "cy", "tql.fields")}


def test_formulas_in_formulas_are_bounded(sums: World) -> None:
    formula(sums, "f0", "estimate")
    for at in range(1, 4):
        formula(sums, f"f{at}", f"cf.f{at - 1} + cf.f{at - 1}")
    assert keys(sums, "cy", "f3 = 8") == ["WEB-1"]
    with refused("tql-name"):
        keys(sums, "cy", "f3 = 8 and f2 = 4")
    with refused("tql-name"):
        formula(sums, "f4", "cf.f3 + cf.f3")


def test_a_formula_is_a_value_with_its_kind_and_no_past(sums: World) -> None:
    fields = {one["name"]: one for one in call(sums, "cy", "tql.fields", project="WEB")}
    assert (fields["cost"]["kind"], fields["cost"]["custom"], "was" in fields["cost"]["operators"]) == (
        "number", True, False,
    )  # fmt: skip
    for text, said in (
        ("cost was 3", "History is kept of fields"),
        ("cost.name = x", "`cf.cost` is computed"),
        ("cost ~ x", "is for texts"),
    ):
        answer = call(sums, "cy", "tql.check", tql=text)
        assert said in answer["errors"][0]["message"], text


def test_a_formula_tells_nobody_what_they_do_not_see(sums: World) -> None:
    formula(sums, "talk", "commented")
    secret = sums.session("cy").call("keys.create", {"name": "n", "scopes": ["search:read", "issues:read"]})[
        "secret"
    ]
    with Kbwork(sums.url, secret) as narrow:
        for text in ("talk is empty", "order by talk", "parent.talk = today"):
            with refused("insufficient-scope"):
                narrow.call("tql.count", {"tql": text})
        assert narrow.call("tql.count", {"tql": "below = 6"}) == {"count": 1}
        values = narrow.call("issues.get", {"key": "WEB-1"})["values"]
        assert (values.get("talk"), values["below"]) == (None, 6)
    private = {"project": "WEB", "title": "Step", "type": "subtask", "parent": "WEB-1", "estimate": 50}
    call(sums, "bo", "issues.create", **private, level="private")
    assert keys(sums, "bo", "below = 56") == ["WEB-1"]
    assert keys(sums, "cy", "below = 56") == []
    assert keys(sums, "cy", "below = 6") == ["WEB-1"]
