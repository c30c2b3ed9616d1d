"""What SQL finds is what the evaluator finds, for everybody, whichever way the plan goes."""

import math
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.db.database import Database
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.compile.query import Choice, compiled
from kbwork.modules.tql.execute import groups
from kbwork.modules.tql.execute.query_run import QueryRun
from kbwork.modules.tql.items.world import world
from kbwork.tql import tree as t
from kbwork.tql.evaluator.rows import rows as result_rows
from kbwork.tql.normal_form import normal
from tests.conftest import NOW, Person
from tests.modules.tql.office import Office, caller
from tests.modules.tql.oracle.world import OracleWorld
from tests.modules.tql.random_conditions import AssetGrower, Grower

pytestmark = pytest.mark.long
NAMES = ("ana", "bo", "cy", "di", "gus")
EACH = int(os.environ.get("KBWORK_TQL_QUERIES", "500")) // len(NAMES)
"""Conditions that each of the five asks."""
_AT_ONCE = 50
"""One read has so many seconds."""


@dataclass
class Filled:
    """An org with a past."""

    database: Database
    people: dict[str, Person]


@pytest.fixture(scope="module")
def filled(
    template: tuple[Path, dict[str, Person]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Filled]:
    folder = tmp_path_factory.mktemp("tql") / "data"
    shutil.copytree(template[0], folder)
    clock = FixedClock(NOW)
    database = open_data(folder, clock)
    Office(database, template[1], clock).fill(180, days=60)
    yield Filled(database, template[1])
    database.close()


def found(tx: Read, query: t.QueryNode, *, aside: bool | None) -> set[int]:
    """The issues that the statement finds, archived ones too."""
    plan = compiled(tx, query, "issues", Choice(aside=aside, archived=True))
    ids = tx.column(f"select n0.id from {plan.table} where {plan.where}", **plan.frame.all_binds)
    assert len(ids) == len(set(ids))
    things = world(tx).items.of("issues").take(ids)
    return {thing.at for thing in things if plan.frame.evaluator.matches(t.AndNode(plan.rest), thing)}


@pytest.mark.parametrize("name", NAMES)
def test_generated_conditions_find_the_same_by_sql_and_by_the_evaluator(filled: Filled, name: str) -> None:
    def compare(tx: Read, seeds: range) -> int:
        tx.deadline = math.inf  # the statements are many, and a busy machine is slow
        asked, oracle = 0, OracleWorld(tx)
        for seed in seeds:
            text = Grower(seed).condition(seed % 3) + (" as of -25d" if seed % 5 == 0 else "")
            try:
                query = query_parser.query(tx, text).query
            except Problem:  # it names what this one does not see
                continue
            frame = compiled(tx, query, "issues").frame
            every, evaluator = oracle.library.shelf("issues").all(), oracle.evaluator(frame.as_of)
            things = [thing for thing in every if thing.row["created_at"] <= (frame.as_of or tx.now)]
            wanted = {thing.at for thing in things if evaluator.matches(query.where, thing)}
            for aside in (True, False, None):
                assert found(tx, query, aside=aside) == wanted, (name, text, aside)
            assert query.where is not None
            complement = replace(query, where=t.negation(query.where))
            assert found(tx, complement, aside=None) == {thing.at for thing in things} - wanted, (name, text)
            asked += 1
        return asked

    first, asked = NAMES.index(name) * 10_000, 0
    for begin in range(first, first + 10_000, _AT_ONCE):
        seeds = range(begin, begin + _AT_ONCE)
        asked += filled.database.read_now(partial(compare, seeds=seeds), caller(filled.people[name]))
        if asked >= EACH:
            return
    raise AssertionError(f"only {asked} conditions could be asked")


@pytest.mark.parametrize("name", NAMES)
def test_generated_conditions_on_assets_find_the_same_too(filled: Filled, name: str) -> None:
    def compare(tx: Read, seeds: range) -> int:
        tx.deadline = math.inf  # the statements are many, and a busy machine is slow
        asked, oracle = 0, OracleWorld(tx)
        things = oracle.library.shelf("assets").all()
        for seed in seeds:
            text = f"from assets {AssetGrower(seed).condition(seed % 3)}"
            try:
                query = query_parser.query(tx, text).query
            except Problem:  # it names what this one does not see
                continue
            assert query.where is not None
            told = normal(query)
            assert normal(query_parser.query(tx, told).query) == told
            for where in (query.where, t.negation(query.where)):
                for aside in (True, False):
                    plan = compiled(tx, replace(query, where=where), "assets", Choice(aside=aside))
                    ids = tx.column(
                        f"select n0.id from {plan.table} where {plan.where}", **plan.frame.all_binds
                    )
                    assert len(ids) == len(set(ids))
                    evaluator, loader = plan.frame.evaluator, world(tx).items.of("assets")
                    found = {
                        one.at for one in loader.take(ids) if evaluator.matches(t.AndNode(plan.rest), one)
                    }
                    wanted = {one.at for one in things if oracle.evaluator().matches(where, one)}
                    assert found == wanted, (name, text, aside)
            asked += 1
        return asked

    who = caller(filled.people[name])
    asked = 0
    for begin in range(0, EACH, _AT_ONCE):
        seeds = range(begin, min(begin + _AT_ONCE, EACH))
        asked += filled.database.read_now(partial(compare, seeds=seeds), who)
    assert asked >= EACH * 4 // 5 if name != "gus" else asked == 0


GROUPS = (
    "select count() group by status",
    "select count() as n, avg(estimate) as mean group by assignee having mean > 1 or n > 3 order by n desc, mean",
    "select count(), p85(cycle), median(lead) group by week(closed) order by week(closed)",
    "select share(overdue), share(label = bug), count() group by label order by share(overdue) desc",
    "select count(distinct status), max(created), min(due), list(key, 2) group by project, type order by project",
    "select count() as n group by month(due), bucket(estimate, 1, 3, 8) order by n desc, month(due)",
    "select sum(cf.score), list(cf.region) group by cf.regions order by sum(cf.score)",
    "select count() group by parent.status, parent order by parent",
    "select count() group by status as of -20d",
    "open select count(), list(assignee) group by reporter limit 2",
    "select count(), sum(estimate) * 2, max(cf.seen_on)",
    "estimate > 100 select count(), sum(estimate), avg(estimate), share(open)",
    "select count(), list(asset) group by asset.owner order by count(), asset.owner",
    "select count(), sum(checks), max(checks_done) group by asset order by asset",
    "select count(), sum(below), avg(third), list(double) group by web_score, sort order by web_score, sort",
    "select max(late), sum(steps), share(double > 4) group by doers order by doers",
    "select count() group by day(created) having count() > 2 order by day(created) desc",
)


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name in ("cy", "gus") for text in GROUPS if "asset" not in text or name == "cy"],
)
def test_groups_are_the_same_by_columns_and_by_things(filled: Filled, name: str, text: str) -> None:
    def compare(tx: Read) -> None:
        query = query_parser.query(tx, text).query
        plan = compiled(tx, query, "issues")
        ids = tx.column(
            f"select n0.id from {plan.table} where {plan.where} order by n0.id", **plan.frame.all_binds
        )
        oracle = OracleWorld(tx)
        things: list[Any] = oracle.library.shelf("issues").take(ids)
        gathered = groups.gathered_rows(tx, plan, query)
        assert gathered is not None, text
        wanted = result_rows(query, things, oracle)
        if query.order:
            assert gathered == wanted
        else:
            assert sorted(gathered, key=repr) == sorted(wanted, key=repr)

    filled.database.read_now(compare, caller(filled.people[name]))


ORDERS = (
    "order by priority desc, estimate",
    "order by due empty first",
    "order by estimate desc",
    "order by status, type desc",
    "order by key desc",
    "order by closed desc, created",
    "order by assignee, key",
    "order by cf.score desc, due",
    "order by created + 1d desc",
    "order by reporter, due desc",
    "order by cf.tool, cf.tool.owner desc",
    "order by double desc, below, third",
    "order by heading, most desc, late desc",
    "order by asset desc, checks desc, checks_done",
    "project = WEB",
    "",
    "order by votes, watchers desc limit 17",
)


@pytest.mark.parametrize("text", ORDERS)
def test_pages_are_one_order_cut_in_pieces_and_the_evaluators(filled: Filled, text: str) -> None:
    def compare(tx: Read) -> None:
        run = QueryRun(tx, query_parser.query(tx, text))
        whole = run.ids(1000)
        query, order = run.query, run._order()  # the order that is asked for where the text says none
        oracle = OracleWorld(tx)
        things: list[Any] = oracle.library.shelf("issues").take(sorted(whole))
        if order and order[-1].descending:
            things.reverse()
        wanted = result_rows(t.QueryNode(order=order, limit=query.limit), things, oracle)
        by_key = {thing.id: thing.at for thing in things}
        assert whole == [by_key[row[0]] for row in wanted]
        paged, place = [], None
        for _ in range(len(whole)):
            page = QueryRun(tx, query_parser.query(tx, text)).page(7, place)
            paged += [int(str(subject).partition(":")[2]) for subject in page.subjects or ()]
            assert page.total == len(whole)
            place = page.next
            if place is None:
                break
        assert paged == whole

    filled.database.read_now(compare, caller(filled.people["ana"]))


PLANS = {
    "project = WEB and status = done order by rank": "issue_lane",
    "assignee = @cy": "issue_assignee_who",
    "label = bug": "issue_label_label",
    "component = Editor": "issue_component_component",
    "watched": "issue_watcher_who",
    "starred": "star_of",
    "overdue and due > -400d": "issue_due",
    "due = 2027-03": "issue_due_any",
    "closed > -7d order by closed": "issue_done",
    "status unchanged for 14d and category = in_progress": "issue_status_at",
    "cf.score = 2": "issue_value_field",
    "cf.region = EU": "issue_value_field",
    "status was done before -7d": "span_value",
    "status changed to done by @cy after -30d": "span_by",
    "parent = WEB-1": "issue_parent",
    "blocks WEB-3": "relation_dst",
    "blocked by WEB-3": "relation_src",
    "title ~ login": "search_text",
    "comments any (author = @cy)": "comment_",
    "": "issue_updated",
    "reporter = @gus": "issue_reporter",
    "asset = LAP-1": "SEARCH u1 USING PRIMARY KEY (asset=?)",
    "asset.owner = @cy": "asset_owner",
    "checks any (assignee = @cy)": "check_item_assignee",
    "checks none (assignee = @cy)": "check_item_issue",
    "linked assets any (serial is not empty)": "asset_issue_issue",
}


@pytest.mark.parametrize("text", PLANS)
def test_each_predicate_is_found_by_an_index(filled: Filled, text: str) -> None:
    def plan(tx: Read) -> str:
        run = QueryRun(tx, query_parser.query(tx, text))
        keys = run._keys()
        assert keys is not None
        found = compiled(tx, run.query, "issues", Choice(aside=True))
        order = ", ".join(key.said for key in keys)
        rows = tx.all(
            f"explain query plan select 1 from {found.table} where {found.where} order by {order} limit 51",
            **found.frame.all_binds,
        )
        return "\n".join(row["detail"] for row in rows)

    said = filled.database.read_now(plan, caller(filled.people["bo"]))
    if text != "title ~ login":  # what it finds is looked up before
        assert PLANS[text] in said, said
    assert "SCAN n0\n" not in f"{said}\n", said


PAST = [
    "status was done",
    "status was done before -7d",
    "status was not done for 2d",
    "status was in (done, todo) by @cy",
    "due was empty",
    "due was empty before -7d",
    "status changed",
    "status changed from todo to done",
    "status changed to done by @cy after -30d",
    "status changed >= 2 times",
    "priority changed from high",
    "due changed to empty",
    "label changed to bug",
    "status unchanged for 14d",
    "estimate unchanged for 14d",
    "assignee was @cy",
    "category was done",
]


@pytest.mark.parametrize("aside", [True, False])
@pytest.mark.parametrize("text", PAST)
def test_the_past_is_found_by_an_index_in_both_of_its_tables(
    filled: Filled, text: str, *, aside: bool
) -> None:
    """What waits to be written into the history is read with it by a view, which SQLite has to see through."""

    def plan(tx: Read) -> str:
        run = QueryRun(tx, query_parser.query(tx, text))
        found = compiled(tx, run.query, "issues", Choice(aside=aside))
        rows = tx.all(
            f"explain query plan select 1 from {found.table} where {found.where}", **found.frame.all_binds
        )
        return "\n".join(row["detail"] for row in rows)

    said = filled.database.read_now(plan, caller(filled.people["bo"]))
    assert "span_waiting" in said
    assert "AUTOMATIC" not in said, said
    assert "SCAN span\n" not in f"{said}\n", said
