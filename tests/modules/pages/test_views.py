"""How often pages are opened: by whom it counts, and what is told of it."""

import pytest

from kbwork.core.jobs import noted
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import page, space

DAY_S = 86_400


def write_down(world: World) -> None:
    """As the worker does once a minute, and when it stops."""
    found = world.database.take_noted()

    def write(tx: Write) -> None:
        noted.write_down(tx, found)

    world.database.write_now(write)


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Rules", who="di")


def test_each_person_counts_once_a_day(world: World, ident: str) -> None:
    for who in ("cy", "di", "di", "ana"):
        call(world, who, "pages.get", id=ident)
        call(world, who, "pages.get", id="HAND/rules", format="md")
    seq = world.database.seq
    write_down(world)
    assert world.database.seq == seq
    world.clock.advance(DAY_S)
    call(world, "di", "pages.get", id=ident)
    write_down(world)
    write_down(world)
    told = call(world, "cy", "pages.views", id=ident, days=2)
    assert told == {"views": 4, "people": 3, "daily": [3, 1]}
    assert call(world, "cy", "pages.views", id=ident)["daily"][-3:] == [0, 3, 1]
    assert call(world, "cy", "pages.list")["items"][0]["counts"]["views_30d"] == 4
    assert call(world, "cy", "tql.run", tql="from pages views > 3")["total"] == 1
    world.clock.advance(5 * DAY_S)
    assert call(world, "cy", "pages.views", id=ident, days=5)["views"] == 0
    assert call(world, "cy", "pages.views", id=ident, days=90)["views"] == 4


def test_drafts_older_versions_keys_and_lists_do_not_count(world: World, ident: str) -> None:
    draft = page(world, "Plans", draft=True)
    call(world, "cy", "pages.get", id=draft)
    call(world, "cy", "pages.get", id=ident, version=1)
    call(world, "cy", "pages.get", id=ident, draft=True)
    call(world, "cy", "pages.list")
    call(world, "cy", "spaces.tree", key="HAND")
    world.key("cy").call("pages.get", {"id": ident})
    write_down(world)
    for one in (ident, draft):
        assert call(world, "cy", "pages.views", id=one)["views"] == 0


def test_what_is_gone_or_not_seen_is_not_counted_or_told(world: World, ident: str) -> None:
    call(world, "cy", "pages.restrict", id=ident, view=["@cy", "@di"])
    with refused("not-found"):
        call(world, "gus", "pages.views", id=ident)
    call(world, "di", "pages.get", id=ident)
    entry = call(world, "di", "pages.delete", id=ident)["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    write_down(world)
    assert world.database.read_now(lambda tx: tx.value("select count(*) from page_visit")) == 0
