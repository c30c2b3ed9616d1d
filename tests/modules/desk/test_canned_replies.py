"""Canned replies: whose they are, what is filled in, and what is refused."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import HelpDesk, open_desk

TEXT = "Hello {{customer.first_name}}, {{ key }} {{title}} ({{request_type}}) is {{status}}.\n\n{{me.name}}, {{desk}}"


def saved(world: World, who: str = "cy", **value: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "desk.reply_save", **{"name": "Sorry", "text": TEXT} | value)
    return found


def names(world: World, who: str, **value: Any) -> list[str]:
    return [one["name"] for one in call(world, who, "desk.replies", **value)]


def test_a_reply_is_made_changed_and_taken_away(help_desk: HelpDesk) -> None:
    world = help_desk.world
    seq = world.database.seq
    value = {"shortcut": "sorry", "folder": "First words", "project": "WEB", "shared": True}
    made = saved(world, "ana", **value)
    assert made == {
        "id": 1,
        "name": "Sorry",
        "text": TEXT,
        "project": "WEB",
        "folder": "First words",
        "shortcut": "sorry",
        "shared": True,
        "uses": 0,
    }
    assert world.events_since(seq) == [("canned.saved", "project:WEB")]
    assert call(world, "cy", "desk.replies", project="WEB", q="WORDS sorry") == [made]
    assert names(world, "cy", q="nothing such") == []
    seq = world.database.seq
    saved(world, "ana", id=1)
    assert world.events_since(seq) == []
    changed = saved(world, "ana", id=1, folder="", project=None, shortcut="")
    assert changed == made | {"folder": None, "project": None, "shortcut": None}
    call(world, "ana", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "desk.replies") == [made]
    assert call(world, "ana", "desk.reply_delete", id=1) == []
    call(world, "ana", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "desk.replies") == [made]


def test_of_an_own_reply_others_hear_nothing(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world, name="canaryword")
    assert names(world, "cy") == ["canaryword"]
    assert names(world, "ana") == names(world, "bo") == []
    for op, value in (
        ("desk.reply_save", {"id": 1, "name": "Mine", "text": "x"}),
        ("desk.reply_delete", {"id": 1}),
        ("desk.reply_render", {"id": 1, "key": help_desk.rita.ask()}),
    ):
        with refused("not-found"):
            call(world, "bo", op, **value)
    assert "canaryword" not in str(call(world, "bo", "activity.recent"))
    saved(world, "bo", shortcut="sorry")  # a shortcut is unique among what one sees
    saved(world, id=1, shortcut="SORRY")
    saved(world, name="Others", shortcut="hello", shared=True)
    with refused("conflict"):
        saved(world, "bo", shortcut="Hello")


def test_who_keeps_shared_replies(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world, shared=True)
    saved(world, name="Of the web", project="WEB", shared=True)
    with refused("not-allowed"):
        saved(world, "di", id=1)
    with refused("not-allowed"):
        call(world, "di", "desk.reply_delete", id=2)
    assert saved(world, "ana", id=1, name="Better")["name"] == "Better"
    assert saved(world, "bo", id=2, name="Best")["name"] == "Best"  # bo leads it
    with refused("not-allowed"):
        call(world, "gus", "desk.replies")
    with refused("not-allowed"):
        saved(world, "gus")


def test_a_reply_of_another_desk_is_not_there(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world, name="Everywhere", shared=True)
    call(world, "ana", "projects.create", key="OPS", name="Operations", visibility="members")
    open_desk(world, "OPS")
    made = saved(world, "ana", name="canaryword", project="OPS", shared=True)
    assert names(world, "cy") == ["Everywhere"]
    with refused("not-found"):
        call(world, "cy", "desk.replies", project="OPS")
    with refused("not-found"):
        saved(world, project="OPS")
    with refused("not-found"):
        call(world, "cy", "desk.reply_render", id=made["id"], key=help_desk.rita.ask())
    with refused("not-found"):
        call(world, "ana", "desk.reply_render", id=made["id"], key="WEB-1")
    assert names(world, "ana", project="WEB") == ["Everywhere"]


@pytest.mark.parametrize("shown", [True, False])
def test_placeholders_are_filled_in_and_say_no_more_than_the_portal(help_desk: HelpDesk, shown: bool) -> None:
    world = help_desk.world
    call(world, "ana", "desk.save", project="WEB", show_agents=shown)
    saved(world)
    key = help_desk.rita.ask("{{desk}} is slow")
    text = call(world, "cy", "desk.reply_render", id=1, key=key)["text"]
    me = call(world, "cy", "auth.me")["member"]["name"] if shown else "Web help"
    status = help_desk.rita.thread(key)["request"]["status"]
    assert text == (
        f"Hello Rita, {key} {{{{desk}}}} is slow (Something is broken) is {status}.\n\n{me}, Web help"
    )
    assert call(world, "cy", "desk.replies")[0]["uses"] == 1


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"text": "Hello {{customer.password}}"}, "invalid-input"),
        ({"text": "  "}, "invalid-input"),
        ({"shortcut": "two words"}, "invalid-input"),
        ({"project": "NOPE"}, "not-found"),
        ({"project": "PRV"}, "not-found"),
        ({"id": 99}, "not-found"),
    ],
)
def test_a_reply_that_does_not_fit_is_refused(help_desk: HelpDesk, value: dict[str, Any], slug: str) -> None:
    with refused(slug):
        saved(help_desk.world, **value)


def test_a_reply_is_for_requests_that_one_sees(help_desk: HelpDesk) -> None:
    world = help_desk.world
    saved(world)
    plain = call(world, "cy", "issues.create", project="WEB", title="No request")["key"]
    with refused("conflict"):
        call(world, "cy", "desk.reply_render", id=1, key=plain)
    with refused("not-found"):
        call(world, "cy", "desk.reply_render", id=1, key="WEB-99")
    assert call(world, "cy", "desk.replies")[0]["uses"] == 0
