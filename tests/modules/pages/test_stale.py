"""Pages that nobody looks after: by their age, by who opens them, by their checks."""

import pytest

from kbwork.modules.pages.people import views
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.test_views import DAY_S, write_down
from tests.modules.pages.wiki import page, space, titles


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Rules", who="di")


def stale(world: World, who: str = "cy", **asked: object) -> list[str]:
    return titles(world.key(who).call("spaces.stale", {"key": "HAND"} | asked))


def read(world: World, ident: str) -> None:
    """As the worker notes that Di opened it: sessions end sooner than pages grow stale."""
    di = world.people["di"].id
    world.database.write_now(lambda tx: views.VISITS.write(tx, [(int(ident), tx.now // DAY_S, di)]))


def change(world: World, ident: str) -> None:
    world.key("cy").call("pages.update", {"id": ident, "body": "Anew"})


def test_a_page_is_stale_when_nobody_changed_or_opened_it(world: World, ident: str) -> None:
    world.clock.advance(181 * DAY_S)
    assert stale(world) == ["Rules"]
    change(world, ident)
    assert stale(world) == ["Rules"]
    read(world, ident)
    assert stale(world) == []
    assert stale(world, days=1) == []
    world.clock.advance(100 * DAY_S)
    assert stale(world) == []
    assert stale(world, days=30) == ["Rules"]
    world.clock.advance(100 * DAY_S)
    read(world, ident)
    assert stale(world) == ["Rules"]


def test_a_visit_counts_longer_than_it_is_kept(world: World, ident: str) -> None:
    world.clock.advance(100 * DAY_S)
    read(world, ident)
    world.clock.advance(95 * DAY_S)
    change(world, ident)
    assert stale(world) == []
    assert stale(world, days=90) == ["Rules"]


def test_a_check_counts_until_it_is_over(world: World, ident: str) -> None:
    call(world, "cy", "pages.verify", id=ident, days=300)
    world.clock.advance(200 * DAY_S)
    read(world, ident)
    assert stale(world) == []
    world.clock.advance(101 * DAY_S)
    read(world, ident)
    change(world, ident)
    assert stale(world) == ["Rules"]
    world.key("cy").call("pages.verify", {"id": ident})
    assert stale(world) == []


def test_the_space_says_after_how_many_days(world: World, ident: str) -> None:
    world.clock.advance(11 * DAY_S)
    assert stale(world) == []
    call(world, "cy", "spaces.save", key="HAND", name="Handbook", review_days=10)
    assert stale(world) == ["Rules"]
    assert stale(world, days=12) == []
    with refused("invalid-input"):
        call(world, "cy", "spaces.stale", key="HAND", days=0)


def test_only_what_is_published_and_seen_is_told(world: World, ident: str) -> None:
    page(world, "Plans", draft=True)
    secret = page(world, "Wages")
    old = page(world, "Old rules")
    call(world, "cy", "pages.archive", id=old, on=True)
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])
    gone = page(world, "Gone")
    call(world, "cy", "pages.delete", id=gone)
    world.clock.advance(181 * DAY_S)
    assert stale(world) == ["Rules", "Wages"]
    assert stale(world, "di") == ["Rules"]
    with refused("not-found"):
        stale(world, "gus")


def test_who_opens_it_is_noted_with_the_visit_and_gone_with_the_page(world: World, ident: str) -> None:
    call(world, "di", "pages.get", id=ident)
    write_down(world)
    assert world.database.read_now(lambda tx: tx.value("select day from page_opened")) > 0
    entry = call(world, "di", "pages.delete", id=ident)["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    assert world.database.read_now(lambda tx: tx.value("select count(*) from page_opened")) == 0
