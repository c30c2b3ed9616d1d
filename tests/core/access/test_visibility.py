"""Who hears of an event: the condition in SQL, and the look at a page of events, say the same."""

from functools import partial

import pytest

from kbwork.core.access import identify, visibility
from kbwork.core.events import feed
from kbwork.core.things.thing import chains, condition
from kbwork.db.tx import Read
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, shop


def lived_in(world: World) -> None:
    """Events of every audience, on things that not everybody sees."""
    for who, lead, project in (("cy", "bo", "WEB"), ("di", "cy", "SEC"), ("di", "di", "PRV")):
        key = call(world, who, "issues.create", project=project, title="One")["key"]
        call(world, who, "comments.create", subject=f"issue:{key}", body="Said", internal=True)
        call(world, lead, "issues.level_set", key=key, level="private")
    call(world, "cy", "issues.delete", key="WEB-1")
    call(world, "cy", "views.save", name="Mine", tql="open")
    call(world, "ana", "teams.save", name="Shop")
    call(world, "ana", "keys.create", name="k", scopes=["issues:read"])
    call(world, "ana", "org.update", name="Acme & Co")
    shop(world, "test")
    flag(world)
    call(world, "ana", "comments.create", subject="flag:shop/checkout", body="Said of a flag")
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="member")


def both(tx: Read, member: str) -> tuple[list[int], list[int]]:
    """What this member hears of, by the one and by the other."""
    caller = identify.of_member(tx, member)
    assert caller is not None
    as_member = tx.as_caller(caller)
    rows = as_member.all(f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e order by e.seq")
    condition = visibility.events(as_member, [row["subject"] for row in rows])
    said = as_member.column(
        f"select e.seq from events e where {condition} order by e.seq", **visibility.binds(as_member)
    )
    return said, [row["seq"] for row in visibility.heard(as_member, rows)]


@pytest.mark.parametrize("handle", ["ana", "bo", "cy", "di", "gus"])
def test_a_page_of_events_is_heard_as_the_condition_says(world: World, handle: str) -> None:
    lived_in(world)
    said, heard = world.database.write_now(partial(both, member=world.people[handle].id))
    assert heard == said
    assert heard
    assert len(heard) < world.database.seq


def test_what_is_asked_does_not_grow_with_the_kinds_of_things(world: World) -> None:
    """Each kind that occurs is asked by one statement, of it and what it hangs on alone."""
    kinds = visibility.things(world.database.write_now(lambda tx: tx)).values()
    for kind in kinds:
        restorable = [kind.trash.restorable] if kind.trash is not None else []
        for said in (kind.seen, *restorable):
            for hosts in chains(kind, kinds):
                assert len(condition(said, hosts) or "") < 6000, (kind.name, [host.name for host in hosts])
