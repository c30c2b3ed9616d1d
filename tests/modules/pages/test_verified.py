"""Pages that count as checked: until when, who says so, who is told that it is over."""

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.notifications.inboxes import told
from tests.modules.pages.wiki import page, space

DAY_S = 86_400


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Rules", who="di")


def test_a_page_counts_as_checked_until_a_time_and_through_changes(world: World, ident: str) -> None:
    seq = world.database.seq
    done = call(world, "cy", "pages.verify", id=ident)
    assert done["verified_until"] == done["updated_at"] + 90 * DAY_S
    assert done["verified_by"] == world.people["cy"].id
    assert world.events_since(seq) == [("page.verified", f"page:{ident}")]
    call(world, "di", "pages.update", id=ident, body="Another")
    assert call(world, "di", "pages.get", id=ident)["verified_until"] == done["verified_until"]
    call(world, "di", "pages.verify", id=ident, days=0)
    assert call(world, "di", "pages.get", id=ident)["verified_by"] is None
    call(world, "di", "undo.apply", seq=world.database.seq)
    assert call(world, "di", "pages.get", id=ident)["verified_until"] == done["verified_until"]


def test_who_may_edit_it_says_so_and_of_what_readers_see(world: World, ident: str) -> None:
    call(world, "cy", "pages.lock", id=ident, on=True)
    with refused("not-allowed"):
        call(world, "di", "pages.verify", id=ident)
    draft = page(world, "Plans", draft=True)
    with refused("conflict"):
        call(world, "cy", "pages.verify", id=draft)
    with refused("not-found"):
        call(world, "di", "pages.verify", id="99")
    with refused("invalid-input"):
        call(world, "cy", "pages.verify", id=ident, days=-1)


def test_its_owner_is_told_once_when_it_is_over(world: World, ident: str) -> None:
    call(world, "cy", "pages.verify", id=ident, days=1)
    assert told(world, "di") == []
    world.clock.advance(DAY_S + 120)
    eventually(lambda: told(world, "di"))
    assert len(told(world, "di")) == 1
    assert told(world, "cy") == []
    found = call(world, "cy", "tql.run", tql="from pages where verified < now()")["rows"]
    assert [row[1] for row in found] == ["Rules"]
