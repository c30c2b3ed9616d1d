"""Help articles that fit a request, for whoever answers it."""

from typing import Any

import pytest

from kbwork.app import registry
from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, call_nobody, refused
from tests.modules.desk.helpdesk import HelpDesk


def written(world: World) -> list[str]:
    """Three articles, of which one is a draft."""
    call(world, "ana", "spaces.save", key="HELP", name="Help", kind="kb", visibility="org")
    made = [
        call(world, "ana", "pages.create", space="HELP", title=title, body=body, draft=draft)["id"]
        for title, body, draft in (
            ("Return a parcel", "Print the label within 30 days.", False),
            ("Where is my order?", "Look at the parcel number.", False),
            ("A parcel canaryword", "Not yet.", True),
        )
    ]
    call(world, "ana", "desk.save", project="WEB", kb_space="HELP")
    return made


def test_articles_that_fit_are_suggested_the_best_first(help_desk: HelpDesk) -> None:
    world = help_desk.world
    pages = written(world)
    key = help_desk.rita.ask("How do I return a parcel?")
    found = call(world, "cy", "desk.suggest_articles", key=key)
    assert [one["page"] for one in found] == [str(one) for one in pages[:2]]
    assert found[0] == {
        "page": str(pages[0]),
        "title": "Return a parcel",
        "excerpt": "Print the label within 30 days.",
        "score": found[0]["score"],
    }
    assert found[0]["score"] > found[1]["score"] > 0
    none = help_desk.rita.ask("Zzz")
    assert call(world, "cy", "desk.suggest_articles", key=none) == []


def test_an_excerpt_is_of_where_the_words_stand(help_desk: HelpDesk) -> None:
    """As words stand in a question: with a mark behind them, among many others."""
    world = help_desk.world
    written(world)
    body = "Before all else. " * 40 + "Print the sticker within 30 days."
    call(world, "ana", "pages.create", space="HELP", title="Posting", body=body)
    key = help_desk.rita.ask("Sticker? " + " ".join(f"word{number}" for number in range(40)))
    [found] = [
        one for one in call(world, "cy", "desk.suggest_articles", key=key) if one["title"] == "Posting"
    ]
    assert (found["excerpt"][0], "Print the sticker" in found["excerpt"]) == ("…", True)


def test_without_articles_nothing_is_suggested(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask("How do I return a parcel?")
    assert call(world, "cy", "desk.suggest_articles", key=key) == []
    written(world)
    made = call(world, "cy", "keys.create", name="narrow", scopes=["issues:read"])
    with Kbwork(world.url, made["secret"]) as narrow:
        assert narrow.call("desk.suggest_articles", {"key": key}) == []
    call(world, "ana", "org.modules_set", off=["pages"])
    assert call(world, "cy", "desk.suggest_articles", key=key) == []


def test_articles_are_suggested_to_members_for_requests(help_desk: HelpDesk) -> None:
    world = help_desk.world
    key = help_desk.rita.ask()
    with refused("not-found"):
        call(world, "gus", "desk.suggest_articles", key=key)
    plain = call(world, "cy", "issues.create", project="WEB", title="Ours")["key"]
    with refused("conflict"):
        call(world, "cy", "desk.suggest_articles", key=plain)
    hidden = call(world, "di", "issues.create", project="PRV", title="Hers")["key"]
    for other in (hidden, "WEB-99"):
        with refused("not-found"):
            call(world, "cy", "desk.suggest_articles", key=other)


def test_how_often_articles_helped_names_none_that_is_shown_no_more(help_desk: HelpDesk) -> None:
    world = help_desk.world
    pages = written(world)
    for page in pages[:2]:
        call_nobody(world, "desk.portal_solved", article=str(page), solved=True)

    def top(who: str = "cy") -> list[Any]:
        found: list[Any] = call(world, who, "desk.deflection_stats", project="WEB")["top"]
        return found

    assert top() == [["Return a parcel", 1], ["Where is my order?", 1]]
    call(world, "ana", "pages.delete", id=pages[0])
    assert top() == [["Where is my order?", 1]]
    assert call(world, "cy", "desk.deflection_stats", project="WEB")["solved"] == 2
    with Kbwork(
        world.url, call(world, "cy", "keys.create", name="narrow", scopes=["issues:read"])["secret"]
    ) as narrow:
        assert narrow.call("desk.deflection_stats", {"project": "WEB"})["top"] == []
    call(world, "ana", "desk.save", project="WEB", kb_space=None)
    assert top() == []


def test_requests_that_one_does_not_see_are_not_counted(help_desk: HelpDesk) -> None:
    world = help_desk.world
    keys = [help_desk.rita.ask() for _ in "12"]
    call(world, "ana", "issues.level_set", key=keys[0], level="private")
    counts = [call(world, who, "desk.deflection_stats", project="WEB")["requests"] for who in ("ana", "di")]
    assert counts == [2, 1]


@pytest.mark.parametrize("op", ["desk.portal_suggest", "desk.suggest_articles", "desk.deflection_stats"])
def test_a_search_through_articles_starts_on_a_thread(op: str) -> None:
    """Nobody who asks the portal without signing in holds the loop with a question of many words."""
    assert registry().require(op).threaded
