"""Asking for pages, and for what texts name: rows, relations, names, and who sees what."""

from functools import partial
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.compile.query import Choice, compiled
from kbwork.modules.tql.items.world import world as tql_world
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import page, space
from tests.modules.tql.office import caller


@pytest.fixture
def wiki(world: World) -> World:
    """A tree, a draft, one put aside, one that is narrowed, one in another space; and issues that name them."""
    space(world)
    call(world, "cy", "spaces.save", key="OPS", name="Operations")
    call(world, "ana", "labels.save", name="guide")
    for title in ("Old cart", "New cart", "Lamp"):
        call(world, "bo", "issues.create", project="WEB", title=title)
    about = {"audience": "new people", "level": 2}
    top = page(world, "Welcome", body="See [[Rules]] and WEB-1.", labels=["guide"], properties=about)
    rules = page(world, "Rules", parent=top, who="di", body="As [[Welcome]] says. Zebra yak.")
    page(world, "Small print", parent=rules, body="For WEB-2, as [[OPS/alarms]] says")
    page(world, "Plans", draft=True)
    call(world, "cy", "pages.archive", id=page(world, "Ancient", body="WEB-1"), on=True)
    secret = page(world, "Secret", body="cnry WEB-3 [[Rules]]", parent=top)
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])
    page(world, "Alarms", space="OPS")
    call(world, "bo", "issues.update", key="WEB-2", body=f"After WEB-1, see [[HAND/rules]] and /pages/{top}.")
    call(world, "bo", "comments.create", subject="issue:WEB-3", body=f"page:{rules} says so")
    return world


def titles(world: World, who: str, tql: str) -> list[str]:
    return [row[0] for row in call(world, who, "tql.run", tql=tql, fields=["title"])["rows"]]


FOUND = {
    "from pages order by title": ["Alarms", "Plans", "Rules", "Secret", "Small print", "Welcome"],
    "from pages archived": ["Ancient"],
    "from pages state = archived": ["Ancient"],
    "from pages draft": ["Plans"],
    "from pages state = draft": ["Plans"],
    "from pages restricted": ["Secret"],
    "from pages space = OPS": ["Alarms"],
    "from pages space = Operations": ["Alarms"],
    "from pages space.name = operations and space.kind = team": ["Alarms"],
    'from pages text ~ "zebra"': ["Rules"],
    'from pages title ~ "small*"': ["Small print"],
    "from pages author = @di": ["Rules"],
    "from pages owner = @di and updater = @di": ["Rules"],
    "from pages label = guide": ["Welcome"],
    "from pages property = audience": ["Welcome"],
    'from pages property = "audience=New People" and property = "level=2"': ["Welcome"],
    "from pages property is not empty": ["Welcome"],
    "from pages parent is empty and space = HAND order by title": ["Plans", "Welcome"],
    "from pages parent = page:welcome order by title": ["Rules", "Secret"],
    "from pages parent.title = rules": ["Small print"],
    "from pages parent.parent = page:1": ["Small print"],
    'from pages under page:"HAND/welcome" order by title': ["Rules", "Secret", "Small print"],
    "from pages under (author = @di)": ["Small print"],
    "from pages above page:small-print order by title": ["Rules", "Welcome"],
    "from pages above any and draft": [],
    "from pages under none and not draft order by title": ["Alarms", "Welcome"],
    "from pages id = 2": ["Rules"],
    "from pages id in (page:1, page:2) order by id": ["Welcome", "Rules"],
    "from pages mentions page:rules order by title": ["Secret", "Welcome"],
    "from pages mentions WEB-2": ["Small print"],
    "from pages mentions (WEB-1, WEB-2) order by title": ["Small print", "Welcome"],
    "from pages mentions (space = OPS)": ["Small print"],
    "from pages mentions (from issues title ~ cart) order by title": ["Small print", "Welcome"],
    "from pages mentions none order by title": ["Alarms", "Plans"],
    "from pages mentioned in page:small-print": ["Alarms"],
    "from pages mentioned in WEB-2 order by title": ["Rules", "Welcome"],
    "from pages mentioned in (from issues WEB-3)": ["Rules"],
    "from pages mentioned in any order by title": ["Alarms", "Rules", "Welcome"],
    "from pages version >= 2": [],
    "from pages views = 0 and verified is empty and space = OPS": ["Alarms"],
    "from pages created = today and id = page:rules": ["Rules"],
    "mentions page:rules order by key": ["New cart", "Lamp"],
    'mentions page:"HAND/welcome"': ["New cart"],
    "mentions WEB-1": ["New cart"],
    "mentions (from pages where author = @di) order by key": ["New cart", "Lamp"],
    "mentions (title ~ old)": ["New cart"],
    "mentions any order by key": ["New cart", "Lamp"],
    "mentions none": ["Old cart"],
    "mentioned in page:welcome": ["Old cart"],
    "mentioned in (from pages where space = HAND) order by key": ["Old cart", "New cart", "Lamp"],
    "mentioned in WEB-2": ["Old cart"],
    "mentioned in any order by key": ["Old cart", "New cart", "Lamp"],
    "mentioned in none": [],
}  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_a_text_and_its_tidy_form_find_what_they_say(wiki: World, text: str) -> None:
    assert titles(wiki, "cy", text) == FOUND[text]
    told = call(wiki, "cy", "tql.check", tql=text)["normal"]
    assert titles(wiki, "cy", told) == FOUND[text], told


def test_what_sql_finds_is_what_the_evaluator_finds_for_everybody(wiki: World) -> None:
    def compare(tx: Read, text: str) -> None:
        asked = query_parser.query(tx, text)
        query, source = asked.query, asked.source
        assert query.where is not None
        told = normal(query)
        assert normal(query_parser.query(tx, told).query) == told
        every: list[Any] = list(tql_world(tx).all(source))
        found: list[set[Any]] = []
        for where in (query.where, t.negation(query.where)):
            for aside in (True, False):
                plan = compiled(
                    tx, t.QueryNode(query.source, where), source, Choice(aside=aside, archived=True)
                )
                loader, evaluator = tql_world(tx).items.of(source), plan.frame.evaluator
                ids = tx.column(f"select n0.id from {plan.table} where {plan.where}", **plan.frame.all_binds)
                held = {one.at for one in loader.take(ids) if evaluator.matches(t.AndNode(plan.rest), one)}
                assert held == {one.at for one in every if evaluator.matches(where, one)}, (text, aside)
                found.append(held)
        assert found[0] == found[1] == {one.at for one in every} - found[2]

    for who in ("ana", "cy", "di"):
        for text in FOUND.keys() - {"from pages order by title"}:
            condition = text.partition(" order by ")[0]
            wiki.database.read_now(partial(compare, text=condition), caller(wiki.people[who]))
    assert len(FOUND) > 50


def test_cells_are_as_the_shape_has_them(wiki: World) -> None:
    answer = call(wiki, "cy", "tql.run", tql="from pages parent = page:1 and author = @di")
    assert [column["name"] for column in answer["columns"]] == ["id", "title", "space", "updated"]
    assert answer["rows"][0][:3] == ["2", "Rules", "HAND"]
    assert answer["subjects"] == ["page:2"]
    shown = "id, parent, author, label, state, version, views, verified, property"
    rows = call(wiki, "cy", "tql.run", tql=f"from pages id = 1 select {shown}")["rows"]
    assert rows == [
        ["1", None, wiki.people["cy"].id, ["guide"], "published", 1, 0, None,
         ["audience", "audience=new people", "level", "level=2"]],
    ]  # fmt: skip
    grouped = "from pages select count() group by space order by space"
    assert call(wiki, "cy", "tql.run", tql=grouped)["rows"] == [["HAND", 5], ["OPS", 1]]


def test_what_somebody_does_not_see_is_in_no_answer(wiki: World) -> None:
    seen = ["Alarms", "Plans", "Rules", "Small print", "Welcome"]
    assert titles(wiki, "di", "from pages order by title") == seen
    for text in (
        "from pages cnry",
        "from pages mentions page:rules and title = Secret",
        "from pages mentions WEB-3",
        "mentioned in (from pages where text ~ cnry)",
        "from pages restricted",
    ):
        assert titles(wiki, "di", text) == [], text
    assert titles(wiki, "di", "from pages mentions page:rules") == ["Welcome"]
    assert titles(wiki, "di", "mentioned in any order by key") == ["Old cart", "New cart"]
    for text in ("mentions page:secret", "from pages parent = page:secret", "from pages under page:6"):
        with refused("tql-name"):
            titles(wiki, "di", text)
    call(wiki, "cy", "spaces.save", key="HAND", name="Handbook", visibility="members")
    assert titles(wiki, "di", "from pages order by title") == ["Alarms"]
    with refused("tql-name"):
        titles(wiki, "di", "from pages space = HAND")
    call(wiki, "ana", "pages.delete", id="2")
    assert titles(wiki, "cy", "from pages title = Rules") == []


def test_pages_need_their_scope_and_their_module(wiki: World) -> None:
    secret = wiki.session("cy").call(
        "keys.create", {"name": "n", "scopes": ["search:read", "issues:read", "comments:read"]}
    )["secret"]
    with Kbwork(wiki.url, secret) as narrow:
        for text in ("from pages", "mentioned in (from pages where draft)"):
            with pytest.raises(KbworkProblem) as refusal:
                narrow.call("tql.run", {"tql": text})
            assert (refusal.value.slug, refusal.value.extra["scopes"]) == (
                "insufficient-scope",
                ["pages:read"],
            )
        with refused("tql-name"):
            narrow.call("tql.run", {"tql": "mentions page:1"})
        found = narrow.call("tql.run", {"tql": "mentions any order by key", "fields": ["key"]})["rows"]
        assert found == [["WEB-2"]]
    call(wiki, "ana", "org.modules_set", off=["pages"])
    for text in ("from pages", "mentions page:1", "mentioned in (from pages where draft)"):
        with refused("tql-name"):
            titles(wiki, "cy", text)


def test_an_unknown_page_is_refused_as_an_unknown_issue_is(wiki: World) -> None:
    for text, said in (
        ("mentions page:nowhere", "There is no page called so in what you see."),
        ("from pages under page:99", "There is no page called so in what you see."),
        ("from pages parent = nowhere", "There is no page called so in what you see."),
        ("mentions WEB-99", "There is no issue called so in what you see."),
        ("from pages blocks any", "`blocks` is no relation of pages."),
        ("from pages refers to any", "`refers to` is no relation of pages."),
        ("from members mentions any", "`mentions` is no relation of members."),
    ):
        answer = call(wiki, "cy", "tql.check", tql=text)
        assert answer["errors"][0]["message"] == said, text


def test_completion_proposes_pages_and_their_fields(wiki: World) -> None:
    def labels(text: str) -> list[str]:
        return [one["label"] for one in call(wiki, "cy", "tql.complete", tql=text, cursor=len(text))]

    assert "pages" in labels("from ")
    assert {"space", "verified", "mentions", "under", "restricted"} <= set(labels("from pages "))
    assert {"Handbook", "Operations"} <= set(labels("from pages space = "))
    assert "page:2" in labels("from pages parent = ")
