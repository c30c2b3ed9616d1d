"""Rows of whole queries: groups, aggregates, order, and a look back."""

from datetime import date
from typing import Any

from kbwork.tql.checker.query import check
from kbwork.tql.evaluator.rows import rows
from kbwork.tql.items import Item, Record, Spell
from tests.tql.office import NOW, Office, ago, at, crowd, issue, value
from tests.tql.world import SmallWorld
from tests.tql.written_texts import small_world_examples

WORK: list[Item] = [
    issue(
        "WEB-2",
        type="bug",
        estimate=5,
        label=("1", "2"),
        status="done",
        priority="low",
        closed=at("2026-11-17T10:00"),
    ),
    issue(
        "WEB-10",
        type="task",
        estimate=1,
        label=("1",),
        status="todo",
        priority="urgent",
        due=date(2026, 11, 1),
    ),
    issue("API-3", type="bug", label=(), status="review", priority="high", closed=at("2026-11-19T10:00")),
    issue("WEB-1", type="task", estimate=3, label=("2",), status="todo", closed=at("2026-11-09T00:00")),
]


def ask(text: str, items: list[Item] | None = None) -> list[tuple[Any, ...]]:
    return rows(check(text, SmallWorld()).query, WORK if items is None else items, Office())


def keys(text: str) -> list[str]:
    return [row[0] for row in ask(text)]


def test_rows_are_ids_until_columns_are_selected() -> None:
    assert keys("type = bug") == ["WEB-2", "API-3"]
    assert ask("type = bug select key, estimate * 2 as double, label") == [
        ("WEB-2", 10, ("1", "2")),
        ("API-3", None, None),
    ]


def test_order_is_by_meaning_and_missing_values_come_last() -> None:
    assert keys("order by key") == ["API-3", "WEB-1", "WEB-2", "WEB-10"]
    assert keys("order by priority desc") == ["WEB-10", "API-3", "WEB-2", "WEB-1"]
    assert keys("order by priority empty first") == ["WEB-1", "WEB-2", "API-3", "WEB-10"]
    assert keys("order by status, estimate desc") == ["WEB-1", "WEB-10", "API-3", "WEB-2"]
    assert keys("order by estimate limit 2") == ["WEB-10", "WEB-1"]


def test_aggregates_without_groups_give_one_row() -> None:
    assert ask("select count(), count(distinct type), sum(estimate), avg(estimate), max(estimate)") == [
        (4, 2, 9, 3, 5)
    ]
    assert ask("type = epic select count(), sum(estimate), avg(estimate), share(open)") == [
        (0, 0, None, None)
    ]
    assert ask("select median(estimate), p50(estimate), p85(estimate), list(type, 1)") == [(3, 3, 5, "bug")]
    assert ask("select share(type = bug), list(type)") == [(0.5, ("bug", "task"))]


def test_groups_are_rows_and_several_values_stand_in_several_groups() -> None:
    assert ask("select count() as n group by label order by n desc") == [("1", 2), ("2", 2), (None, 1)]
    assert ask("select count() as n group by type, label having n > 1 or type = task order by label") == [
        ("task", "1", 1),
        ("task", "2", 1),
    ]
    assert ask("closed is not empty select count() group by week(closed) order by week(closed)") == [
        (date(2026, 11, 9), 1),
        (date(2026, 11, 16), 2),
    ]
    assert ask(
        "select count() group by bucket(estimate, 0, 3, 10) order by count() desc, list(key) desc"
    ) == [
        (3, 2),
        (0, 1),
        (None, 1),
    ]


def test_a_look_back_counts_what_was_there() -> None:
    past = {"status": [Spell("todo", ago(days=20), ago(days=5)), Spell("done", ago(days=5))]}
    old: Item = issue("WEB-5", created=ago(days=20), status="done", past=past)
    new: Item = issue("WEB-6", created=NOW - 60, status="todo", past={"status": [Spell("todo", NOW - 60)]})
    assert ask("select count() group by status", [old, new]) == [("done", 1), ("todo", 1)]
    assert ask("as of -10d select count() group by status", [old, new]) == [("todo", 1)]


def test_a_rollup_gathers_the_children() -> None:
    children: list[Item] = [issue(estimate=2), issue(estimate=3), issue()]
    parent = issue(links={"children": children})
    assert value("sum(estimate) + count()", parent) == 8
    assert value("share(estimate > 2) * 3", parent) == 1


def test_every_example_gives_rows() -> None:
    items: list[Item] = [*crowd(40)]
    for text in small_world_examples():
        assert isinstance(ask(text, items), list)


def test_nothing_gives_no_rows() -> None:
    assert ask("open", []) == []
    assert ask("select count()", []) == [(0,)]
    assert ask("select count() group by type", []) == []
    assert ask("", [Record("WEB-1")]) == [("WEB-1",)]
