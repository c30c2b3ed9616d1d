"""Many pages: lists and trees ask as little of them as of few, and each statement by an index."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.core.things import rank_keys
from kbwork.db.tx import Read, Write
from kbwork.modules import pages
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import page, space

MANY = 10_000


@pytest.fixture
def many(world: World) -> World:
    """A handbook of a hundred chapters of a hundred pages each; one chapter is Cy's alone."""
    space(world)
    first = int(page(world, "Chapter"))

    def grow(tx: Write) -> None:
        row = tx.one("select * from page where id = :id", id=first)
        assert row is not None
        columns = ", ".join(row)
        for number in range(1, MANY):
            chapter = number < 100
            made = row | {
                "id": first + number,
                "parent": None if chapter else first + number % 100,
                "rank": rank_keys.of_number(first + number),
                "title": f"Page {number}",
                "slug": f"page-{number}",
                "updated_at": tx.now - number,
            }
            tx.execute(
                f"insert into page ({columns}) values ({', '.join(':' + name for name in row)})", **made
            )

        tx.execute("insert into page_slug select space, slug, id from page where id > :id", id=first)

    world.database.write_now(grow)
    call(world, "cy", "pages.restrict", id=str(first + 7), view=["@cy"])
    return world


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    found: list[str] = []
    run = Read._run

    def noted(self: Read, sql: str, binds: dict[str, Any]) -> list[tuple[Any, ...]]:
        if self.caller.member is not None:  # what the server does by itself meanwhile is none of it
            found.append(sql)
        return run(self, sql, binds)

    with monkeypatch.context() as patch:
        patch.setattr(Read, "_run", noted)
        yield found


@pytest.mark.parametrize(
    "asked",
    [
        ("pages.list", {"limit": 20}, {"limit": 200}),
        ("pages.list", {"space": "HAND", "limit": 20}, {"space": "HAND", "limit": 200}),
        ("pages.children", {"id": "100"}, {"id": "2"}),
        ("spaces.tree", {"key": "HAND", "parent": "100"}, {"key": "HAND"}),
    ],
)
@pytest.mark.parametrize("who", ["cy", "di"])
def test_a_long_list_takes_no_more_statements_than_a_short_one(
    many: World, monkeypatch: pytest.MonkeyPatch, who: str, asked: tuple[str, dict[str, Any], dict[str, Any]]
) -> None:
    op, *values = asked
    counts = []
    for value in values:
        call(many, who, op, **value)  # what is kept of who sees what is there
        with counted(monkeypatch) as found:
            call(
                many, who, op, **value | ({"limit": value["limit"] - 1} if "limit" in value else {"depth": 1})
            )
        counts.append(len(set(found)))
    assert counts[1] <= counts[0] + 1
    assert counts[1] < 25


def test_who_is_kept_out_counts_what_they_see(many: World) -> None:
    assert call(many, "cy", "spaces.get", key="HAND")["pages"] == MANY
    assert call(many, "di", "spaces.get", key="HAND")["pages"] == MANY - 100
    assert len(call(many, "di", "spaces.tree", key="HAND", depth=1)) == 99
    assert len(call(many, "di", "pages.list", limit=200)["items"]) == 200
    found = list(many.session("di").every("pages.list", limit=200, space="HAND"))
    assert len({one["id"] for one in found}) == MANY - 100


def test_statements_about_pages_find_them_by_indexes(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as found:
        for op, value in (
            ("pages.list", {"space": "HAND"}),
            ("pages.get", {"id": "HAND/page-150"}),
            ("pages.children", {"id": "5", "depth": 2}),
            ("spaces.tree", {"key": "HAND", "depth": 1}),
            ("pages.backlinks", {"id": "5"}),
        ):
            call(many, "di", op, **value)
    asked = {sql for sql in found if " page p " in sql or "from page " in sql}
    assert len(asked) > 4

    def walks(tx: Read) -> list[str]:
        sight = visibility.binds(tx)
        lines = []
        for sql in asked:
            names = dict.fromkeys(
                ("ids", "parents", "space", "id", "page", "pages", "most", "label", "key"), 1
            )
            plan = tx._connection.execute(f"explain query plan {sql}", _Any(sight | names)).fetchall()
            told = [str(row[3]) for row in plan]
            lines += [f"{one} in {sql}" for one in told if one.startswith("SCAN p") and "USING" not in one]
        return lines

    assert many.database.write_now(walks) == []


class _Any(dict[str, Any]):
    """A value for each name: a plan rests on none."""

    def __missing__(self, _name: str) -> int:
        return 1


def test_articles_of_a_knowledge_base_are_read_by_nobody_in_particular(world: World) -> None:
    space(world, key="HELP", kind="kb", visibility="members")
    space(world)
    first = page(world, "Returns", space="HELP", body="Thirty days")
    page(world, "Delivery", space="HELP", body="Two days, see Returns")
    page(world, "Later", space="HELP", body="days", draft=True)
    hidden = page(world, "Inner", space="HELP", body="days")
    page(world, "Below", space="HELP", body="days", parent=hidden)
    call(world, "cy", "pages.restrict", id=hidden, view=["@cy"])
    call(world, "cy", "pages.update", id=first, body="canary days", draft=True)
    other = page(world, "Elsewhere", body="days")

    def look(tx: Read) -> list[Any]:
        return [
            [one.title for one in pages.articles(tx, "help", "returns DAYS")],
            [one.title for one in pages.articles(tx, "HELP", "")],
            [one.title for one in pages.articles(tx, "HELP", "", limit=1)],
            [one.title for one in pages.articles(tx, "HAND", "days")],
            pages.article(tx, "HELP", first),
            pages.article(tx, "HELP", "returns") == pages.article(tx, "HELP", first),
            pages.article(tx, "HELP", hidden),
            pages.article(tx, "HELP", other),
            pages.page_text(tx, first),
        ]

    found = world.database.write_now(look)
    assert found[:4] == [["Returns", "Delivery"], ["Returns", "Delivery"], ["Returns"], []]
    assert (found[4].id, found[4].body) == (first, "Thirty days")
    assert found[5:] == [True, None, None, None]
    call(world, "bo", "spaces.archive", key="HELP", on=True)
    assert world.database.write_now(lambda tx: pages.articles(tx, "HELP", "")) == []


def test_a_personal_space_goes_with_who_is_erased(world: World) -> None:
    space(world, key="OWN", kind="personal")
    above = page(world, "Mine", space="OWN", body="canary")
    page(world, "Below", space="OWN", parent=above)
    space(world)
    page(world, "Everybody's")
    call(world, "ana", "members.deactivate", id="@cy", on=True)
    job = call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")["job"]
    while call(world, "ana", "jobs.get", id=job)["state"] in ("queued", "running"):
        pass
    left = world.database.write_now(lambda tx: tx.column("select title from page"))
    assert left == ["Everybody's"]
    assert world.database.write_now(lambda tx: tx.value("select name from space where key = 'OWN'")) == ""


def test_a_question_of_many_words_folds_no_article_for_each_of_them(world: World) -> None:
    call(world, "bo", "spaces.save", key="HELP", name="Help", kind="kb")
    body = "Ärger mit der Post\n" * 25_000
    for number in range(20):
        call(world, "bo", "pages.create", space="HELP", title=f"{number}", body=body)
    words = " ".join(f"word{number}" for number in range(20))

    def look(tx: Read) -> tuple[float, float]:
        """How much of the processor that takes, and to fold each of them once."""
        begun = time.thread_time()
        assert pages.articles(tx, "HELP", words) == []
        looked = time.thread_time()
        for _ in range(20):
            folded(body)
        return looked - begun, time.thread_time() - looked

    took, once = world.database.write_now(look)
    assert took < 10 * once  # for each word it would be more than twenty times
