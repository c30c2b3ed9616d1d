"""Random texts over real fields: the check refuses or the evaluator answers, and not is always the complement."""

import random

import pytest

from kbwork.tql.checker.query import check
from kbwork.tql.errors import TqlError
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.evaluator.rows import rows
from kbwork.tql.items import Item
from kbwork.tql.normal_form import normal
from kbwork.tql.tree import NotNode
from tests.tql.language import SOURCES
from tests.tql.office import Office, crowd
from tests.tql.random_trees import Gardener
from tests.tql.world import SmallWorld

FIELDS = (
    *dict.fromkeys(field.name for field in SOURCES["issues"].table.values()),
    "score",
    "parent.estimate",
    "sprint.end",
)
_VALUES = """
5 1.2.3 done high bug @ana me() empty true today 2026-10 2026-10-01T10:00 -7d +2wd 3h 2h30min WEB-1 label score estimate
due created spent parent.due membersOf(core) openSprints() startOf(week) endOf(sprint) now() EU "x" due+1d estimate*2
spent/1h similar(WEB-1) assignedEver(me()) day(closed) bucket(estimate,1,5) workingDays(created,due)
"""
VALUES = _VALUES.split()
_TERMS = """
{f} = {v}
{f} != {v}
{f} < {v}
{f} >= {v}
{f} ~ log
{f} in ({v}, {w})
{f} not in ({v})
{f} has all ({v}, {w})
{f} = {v}..
{f} between {v} and {w}
{f} is empty
{f} was {v}
{f} was empty at {v}
{f} was not in ({v}, {w}) before {v}
{f} was {v} during -3w.. for > 2d
{f} changed
{f} changed to {v} by {w}
{f} changed from {v} after {w} > 1 times
{f} unchanged for 3d
{f} in (from issues where {f} = {v})
{v} = {w}
children any ({f} = {v})
blocked by ({f} != {v})
comments count > 0 (created < {v})
"""
TERMS = _TERMS.strip().splitlines()


def test_what_passes_the_check_can_be_asked_and_has_a_complement() -> None:
    chance, world = random.Random(11), SmallWorld()
    items = crowd(15)
    things: list[Item] = [*items]
    evaluator = Evaluator(Office(items={"issues": things}))
    passed = 0
    for _ in range(6_000):
        picked = {"f": chance.choice(FIELDS), "v": chance.choice(VALUES), "w": chance.choice(VALUES)}
        text = chance.choice(TERMS).format(**picked)
        try:
            query = check(text, world).query
        except TqlError:
            continue
        passed += 1
        told = normal(query)
        assert normal(check(told, world).query) == told, text
        assert query.where is not None
        for item in items:
            assert evaluator.matches(query.where, item) != evaluator.matches(NotNode(query.where), item), text
    assert passed > 500


@pytest.mark.long
def test_what_is_grown_out_of_real_names_gives_rows() -> None:
    fields = (
        *((name,) for name in ("status", "assignee", "estimate", "label", "due", "title")),
        ("parent", "estimate"),
    )
    words, items, world = ("done", "review", "security", "ana", "high", "2.0", "week"), crowd(6), SmallWorld()
    passed = 0
    for seed in range(6_000):
        text = normal(Gardener(seed, fields, words).query(seed % 2))
        try:
            query = check(text, world).query
        except TqlError:
            continue
        passed += 1
        assert isinstance(rows(query, items, Office()), list), text
        told = normal(query)
        assert normal(check(told, world).query) == told, text
    assert passed > 500
