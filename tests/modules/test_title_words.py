"""The palette finds titles by the beginnings of their words, the same by whichever road it looks."""

import random
from typing import Any

import pytest

from kbwork.base.word_list import WordList
from kbwork.db.connection import words_of
from kbwork.db.tx import Read
from kbwork.modules.projects import issue_access
from kbwork.modules.search import title_words
from tests.conftest import World
from tests.house import company
from tests.modules.calls import call

TITLES = (
    "Zebra crossing",
    "Zebras of Sèvres",
    "zéb_ra-zebu",
    "Überzebra 2024",
    "zebrafish, zebroid",
    "ZEB",
    "日本語の本",
)
TYPED: tuple[str, ...] = (
    "z",
    "zeb",
    "zebr",
    "zebra",
    "zebraf",
    "zebra cros",
    "sevr",
    "Sèvr",
    "uber",
    "überz",
    "2024",
    "2024 uber",
)
TYPED += ("zebrax", "zeb_ra", "zebu zebr", "zebr -zebu", '"zebra cross', "zebra ", "日本語", "fish")


def keep(tx: Read) -> None:
    while title_words.KEPT.take(tx):
        pass


def suggested(world: World, who: str) -> dict[str, list[str]]:
    return {
        text: [one["id"] for one in call(world, who, "search.suggest", q=text) if one["kind"] == "issue"]
        for text in TYPED
    }


def test_a_list_of_words_finds_what_begins_so() -> None:
    dice = random.Random(4)
    made = ["".join(dice.choices("abcdé", k=dice.randrange(1, 7))) for _ in range(6000)]
    words = WordList(str.split)
    first = sorted(set(made[:3000]))
    words.take(first[:1000], after="", last=False)
    assert words.beginning("a", 9) is None
    words.write(" ".join(made[3000:4000]))
    words.take(first[1000:], after=first[999], last=True)
    for word in made[4000:]:
        words.write(word)
    for start in ("", "a", "ab", "dcé", "abcde", "x", *made[::200]):
        expected = sorted({word for word in made if word.startswith(start)})
        assert words.beginning(start, len(made)) == expected
        assert words.beginning(start, len(expected)) == expected
        assert not expected or words.beginning(start, len(expected) - 1) is None
    assert words.letters == len("\n".join(sorted(set(made)))) - len(words._blocks) + 1
    words.clear()
    assert words.beginning("a", 9) is None
    words.take(["ab"], after="", last=True)
    assert words.beginning("a", 9) == ["ab"]


def test_a_piece_of_other_data_is_not_taken() -> None:
    words = WordList(str.split)
    words.take(["a", "b"], after="", last=False)
    words.take(["y"], after="x", last=True)
    assert words.beginning("", 9) is None


def test_too_many_words_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.base.word_list._MOST_LETTERS", 20)
    words = WordList(str.split)
    words.take(["alpha", "beta", "gamma", "delta", "epsilon"], after="", last=True)
    words.write("alphabet")
    assert (words.beginning("alpha", 9), words._blocks) == (None, [])


def test_words_are_made_as_the_index_makes_them(world: World) -> None:
    texts = [*TITLES, "a.b/c", "İstanbul ẞ ǅ ﬁ", "x\u0301y", "\U0001d518\U0001d52b end \ud800"]
    for number, text in enumerate(texts):
        world.database.write_now(
            lambda tx, number=number, text=text: tx.execute(  # type: ignore[misc]  # bound by default
                "insert into search_entry (kind, ref, title, body) values ('issue', :ref, :title, '')",
                ref=9000 + number,
                title=text.encode(errors="replace").decode(),
            )
        )
    stored = set(
        world.database.read_now(
            lambda tx: tx.column("select term from search_column_word where col = 'title'")
        )
    )
    made = words_of()
    assert {word for text in texts for word in made(text)} <= stored


def test_every_road_to_a_title_suggests_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    company.found(world)
    people = ("ana", "bo", "cy", "di", "gus")
    for number, title in enumerate(TITLES * 3):
        call(world, "di", "issues.create", project=("WEB", "ALL", "MEM", "OPN")[number % 4], title=title)
    words = world.database._catalogue.title_words
    words.clear()
    with monkeypatch.context() as patch:
        patch.setattr(words, "take", lambda *_, **__: None)
        unknown = {who: suggested(world, who) for who in people}
    assert sum(len(found) for one in unknown.values() for found in one.values()) > 100
    world.database.read_now(keep)
    assert {who: suggested(world, who) for who in people} == unknown
    monkeypatch.setattr(issue_access, "_LITTLE", 0)
    monkeypatch.setattr(issue_access, "_TAKING", 0)
    world.clock.advance(60)
    few = world.database.read_now(lambda tx: issue_access.few(tx, 50))
    assert few is not None
    assert {who: suggested(world, who) for who in people} == unknown


def test_a_word_is_found_as_soon_as_it_was_written(world: World) -> None:
    def found(text: str) -> list[str]:
        return [one["title"] for one in call(world, "cy", "search.suggest", q=text) if one["kind"] == "issue"]

    world.database.read_now(keep)
    assert found("quok") == []
    key = call(world, "cy", "issues.create", project="WEB", title="Quokka of today")["key"]
    assert found("quok") == ["Quokka of today"]
    call(world, "cy", "issues.update", key=key, title="Wombat of today")
    assert (found("quok"), found("womb")) == ([], ["Wombat of today"])


def test_a_query_finds_the_same_for_those_who_see_few(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    company.found(world)
    asked: tuple[dict[str, Any], ...] = (
        {"tql": "open order by updated desc"},
        {"tql": "archived order by key"},
        {"tql": 'text ~ "zebra*"', "limit": 100},
        {"tql": "priority = none order by title desc", "limit": 7},
    )
    people = ("ana", "bo", "cy", "di", "gus")

    def answers() -> list[Any]:
        return [call(world, who, "tql.run", **one)["rows"] for who in people for one in asked]

    before = answers()
    monkeypatch.setattr(issue_access, "_LITTLE", 0)
    monkeypatch.setattr(issue_access, "_TAKING", 0)
    world.clock.advance(60)
    assert answers() == before
