"""In whatever form a list is read, its pages are those of one plain statement over all that the caller sees."""

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kbwork.base.caller import Caller
from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.access import identify
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.issue import list_page, read
from kbwork.modules.issues.issue.list_page import SORTS
from kbwork.modules.issues.issue.read import IssuesList
from kbwork.modules.projects import ISSUE_SEEN
from tests.conftest import World
from tests.house import company

FORMS: dict[str, dict[str, int]] = {
    "as it comes": {},
    "few are sorted": {"_SORTING": 1, "_FEW_PROJECTS": 1000},
    "all are sorted": {"_SORTING": 10**9, "_LOOKED_AT": 1},
    "walked along": {"_SORTING": 10**9, "MOST_SORTED": -1},
    "walked along in vain": {"_SORTING": 10**9, "_LOOKED_AT": 4},
    "nothing is sorted": {"_SORTING": 10**9, "_LOOKED_AT": 4, "MOST_SORTED": -1},
}
"""What of the bounds is other than it is."""
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"status": "done"},
    {"assignee": "me"},
    {"assignee": "none"},
    {"sprint": 2},
    {"parent": "issue:3"},
    {"updated_since": 1_700_000_020},
    {"archived": True},
    {"archived": True, "status": "done", "updated_since": 1_700_000_005},
    {"status": "done", "assignee": "me"},
    {"project": "WEB"},
    {"project": "OPN", "status": "done"},
    {"project": "ALL", "assignee": "none"},
    {"project": "VUE", "archived": True},
)
ORDERS = (None, *SORTS, *(f"-{name}" for name in SORTS))


@pytest.fixture(scope="module")
def lived(world_of_module: World) -> World:
    """The company, whose issues differ in all that lists go by, some of them archived. It is only looked at."""
    company.found(world_of_module)
    world_of_module.database.write_now(_differ)
    return world_of_module


def _differ(tx: Write) -> None:
    tx.execute(
        "update issue set due_date = iif(id % 3, '2026-01-0' || (1 + id % 7), null), sprint = id % 4,"
        ' priority = json_extract(\'["urgent", "high", "medium", "low", "none"]\', \'$[\' || (id % 5) || \']\'),'
        " created_at = 1700000000 + id % 11, updated_at = 1700000000 + id * 7 % 31,"
        " lane = 1 + id % 5, title = substr('zAbaB', 1 + id % 4, 2) || id % 6, parent = iif(id % 6, null, 3),"
        " archived_at = iif(id % 13, archived_at, 1700000000)"
    )


@contextmanager
def bounds(patch: pytest.MonkeyPatch, form: str) -> Iterator[None]:
    with patch.context() as within:
        for name, value in FORMS[form].items():
            within.setattr(list_page, name, value)
        yield


def viewers(world: World) -> list[Caller]:
    keys = [one.token for one in company.keys(world, "VUE")] + [world.people["di"].key]
    return [
        world.database.read_now(
            lambda tx, key=key: identify.admit_address(identify.lookup(tx, key), None, tx.now)  # type: ignore[misc]  # bound by default
        )
        for key in keys
    ]


def plain(tx: Read, args: IssuesList) -> list[int]:
    """All that fit, in order, without a thought of how many there are."""
    name, descending = read._order(args)
    asked = read._asked(tx, args, name, descending=descending)
    keys, way = SORTS[name].down if descending else SORTS[name].up, "desc" if descending else "asc"
    awake = "" if args.archived else " and p.archived_at is null"
    return tx.column(
        "select i.id from issue i join project p on p.id = i.project join lane l on l.id = i.lane"
        f" where {' and '.join([ISSUE_SEEN, *asked.conditions])}{awake}"
        f" order by {', '.join(f'{key} {way}' for key in (*keys, 'i.id'))}",
        **asked.binds,
    )


def paged(tx: Read, asked: dict[str, Any], limit: int, *, whole: bool) -> list[int]:
    """The ids of all pages, read as rows or as ids alone."""
    found: list[int] = []
    cursor: str | None = None
    while True:
        page, cursor = read._page(tx, IssuesList(**asked, limit=limit, cursor=cursor), whole=whole)
        found += [row["id"] if whole else row[0] for row in page]
        if cursor is None:
            return found


@pytest.mark.parametrize("form", FORMS)
def test_pages_are_those_of_one_plain_statement(
    lived: World, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    dice = random.Random(form)
    compared = refused = 0
    for caller in viewers(lived):
        for order, filters in dice.sample(list(itertools.product(ORDERS, FILTERS)), 40):
            asked = filters | ({"sort": order} if order else {})
            pages, whole = dice.choice((1, 2, 7, 20)), dice.choice((True, False))

            def compare(
                tx: Read, asked: dict[str, Any] = asked, pages: int = pages, whole: bool = whole
            ) -> None:
                expected = plain(tx, IssuesList(**asked))
                limit = min(200, max(2, len(expected) // pages))
                with bounds(monkeypatch, form):
                    found = paged(tx, asked, limit, whole=whole)
                assert found == expected, (caller.role, asked, limit, whole)  # noqa: B023 - called here

            try:
                lived.database.read_now(compare, caller)
            except InvalidInput:
                refused += 1
            except NotFound:
                continue
            compared += 1
    assert compared > 100
    assert (refused > 0) == ("MOST_SORTED" in FORMS[form])


def test_too_many_are_not_sorted(lived: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no index has in order is refused above a bound; what one has is not, nor what a filter narrows."""
    cy = viewers(lived)[2]

    def refused(**asked: Any) -> bool:
        try:
            lived.database.read_now(lambda tx: read.list_(tx, IssuesList(**asked)), cy)
        except InvalidInput as problem:
            return bool(problem.extra["errors"][0]["path"] == "sort")
        return False

    monkeypatch.setattr(list_page, "_SORTING", 10**9)
    assert not any(refused(sort=sort) for sort in SORTS)
    monkeypatch.setattr(list_page, "MOST_SORTED", 60)
    assert [sort for sort in SORTS if refused(sort=sort)] == ["priority", "title"]
    assert [sort for sort in SORTS if refused(sort=sort, archived=True)] == [
        "rank",
        "created",
        "updated",
        "priority",
        "title",
    ]
    assert not refused(sort="title", updated_since=1_700_000_030)
