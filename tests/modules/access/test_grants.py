"""Rights on spaces and pages: who gives which to whom, and when they end."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.modules.access import grants
from tests.conftest import NOW, World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import payloads
from tests.modules.pages.wiki import page, space
from tests.modules.together import slugs, together


def rights(world: World, who: str, subject: str) -> list[tuple[str, str, str]]:
    """(name, level, from)."""
    return [
        (one["name"], one["level"], one["from"]) for one in call(world, who, "access.grants", subject=subject)
    ]


def test_a_right_is_given_changed_and_taken(world: World) -> None:
    space(world, visibility="members")
    seq = world.database.seq
    di = world.people["di"].id
    given = call(world, "cy", "access.grant_set", subject="space:hand", who="@di", level="view")
    assert [(one["who"], one["level"], one["from"]) for one in given] == [
        (world.people["cy"].id, "manage", "here"),
        (di, "view", "here"),
        ("team:admins", "manage", "org"),
    ]
    assert given[1] == {
        "who": di,
        "name": "Di Park",
        "level": "view",
        "from": "here",
        "expires_at": None,
        "granted_by": world.people["cy"].id,
        "granted_at": NOW,
    }
    assert call(world, "di", "spaces.get", key="HAND")["my_level"] == "view"
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="edit")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="edit")
    assert call(world, "di", "spaces.get", key="HAND")["my_level"] == "edit"
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="none")
    with refused("not-found"):
        call(world, "di", "spaces.get", key="HAND")
    assert [kind for kind, _ in world.events_since(seq)] == [
        "access.granted",
        "access.granted",
        "access.revoked",
    ]
    assert payloads(world, seq, "access.granted")[1] == {
        "who": di,
        "level": "edit",
        "changes": {"level": {"from": "view", "to": "edit"}},
    }
    assert payloads(world, seq, "access.revoked")[0]["level"] == "none"


def test_rights_on_a_page_are_shown_with_those_of_its_space(world: World) -> None:
    space(world)
    above = page(world, "Above")
    below = page(world, "Below", parent=above)
    call(world, "cy", "access.grant_set", subject=f"page:{above}", who="@gus", level="view")
    call(world, "cy", "access.grant_set", subject="page:HAND/below", who="role:guest", level="comment")
    assert rights(world, "gus", f"page:{below}") == [
        ("Everybody with the role guest", "comment", "here"),
        ("Gus Field", "view", "space"),
        ("Cy Moss", "manage", "space"),
        ("Admins", "manage", "org"),
        ("Everybody with the role member", "edit", "org"),
    ]
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    assert rights(world, "di", "space:SITE") == [("Bo Tran", "manage", "project")]


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"subject": "space:NONE"}, "not-found"),
        ({"subject": "issue:1"}, "invalid-input"),
        ({"subject": "WEB-1"}, "not-found"),
        ({"who": "@nobody"}, "invalid-input"),
        ({"who": "team:99"}, "invalid-input"),
        ({"who": "role:king"}, "invalid-input"),
        ({"who": "role:member", "level": "edit"}, "invalid-input"),
        ({"who": "@gus", "level": "manage"}, "invalid-input"),
        ({"who": "@cy", "level": "none"}, "conflict"),
        ({"who": "@cy", "level": "edit"}, "conflict"),
        ({"who": "@cy", "level": "manage", "expires_at": NOW + 60}, "conflict"),
        ({"expires_at": NOW}, "invalid-input"),
        ({"subject": "space:OWN"}, "conflict"),
    ],
)
def test_rights_that_cannot_be_given_are_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    space(world)
    space(world, key="OWN", kind="personal")
    with refused(slug):
        call(
            world,
            "cy",
            "access.grant_set",
            **{"subject": "space:HAND", "who": "@di", "level": "view"} | asked,
        )


def test_rights_are_given_by_people_who_manage(world: World) -> None:
    space(world)
    with refused("not-allowed"):
        call(world, "di", "access.grant_set", subject="space:HAND", who="@gus", level="view")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="manage")
    call(world, "di", "access.grant_set", subject="space:HAND", who="@cy", level="none")
    with refused("conflict"):
        call(world, "di", "access.grant_set", subject="space:HAND", who="@di", level="none")
    agent = call(
        world,
        "di",
        "keys.create",
        name="bot",
        kind="agent",
        agent="bot",
        scopes=["members:write", "members:read"],
    )
    with Kbwork(world.url, agent["secret"]) as bot, refused("not-allowed"):
        bot.call("access.grant_set", {"subject": "space:HAND", "who": "@gus", "level": "view"})


def test_a_right_ends_when_its_time_has_come(world: World) -> None:
    space(world)
    page(world, "Zebra")
    seq = world.database.seq
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="view", expires_at=NOW + 60)
    assert call(world, "gus", "pages.get", id="1")["my_level"] == "view"
    world.advance(61)
    eventually(lambda: ("access.revoked", "space:HAND") in world.events_since(seq))
    with refused("not-found"):
        call(world, "gus", "pages.get", id="1")


def test_an_open_team_is_given_little(world: World) -> None:
    space(world, visibility="members")
    team = call(world, "bo", "teams.save", name="Readers", open=True)["id"]
    with refused("invalid-input"):
        call(world, "cy", "access.grant_set", subject="space:HAND", who=f"team:{team}", level="edit")
    call(world, "cy", "access.grant_set", subject="space:HAND", who=f"team:{team}", level="comment")
    call(world, "bo", "teams.member_set", id=team, who="@di", role="member")
    assert call(world, "di", "spaces.get", key="HAND")["my_level"] == "comment"


def test_who_is_not_here_any_more_is_given_nothing_and_loses_what_they_had(world: World) -> None:
    space(world)
    asked = {"subject": "space:HAND", "who": world.people["di"].id}
    call(world, "cy", "access.grant_set", **asked, level="edit")
    call(world, "ana", "members.deactivate", id="@di", on=True)
    with refused("invalid-input"):
        call(world, "cy", "access.grant_set", **asked, level="view")
    call(world, "cy", "access.grant_set", **asked, level="none")
    assert "Di Park" not in [name for name, _, _ in rights(world, "cy", "space:HAND")]


def test_a_thing_has_so_many_rights_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space(world)
    monkeypatch.setattr(grants, "MOST", 2)
    asked = {"subject": "space:HAND", "level": "view"}
    call(world, "cy", "access.grant_set", who="@di", **asked)
    with refused("conflict"):
        call(world, "cy", "access.grant_set", who="@gus", **asked)
    changed = call(world, "cy", "access.grant_set", who="@di", **asked | {"level": "edit"})
    assert [one["level"] for one in changed if one["who"] == world.people["di"].id] == ["edit"]


def test_rights_are_read_by_who_sees_the_thing_and_told_to_them(world: World) -> None:
    space(world, visibility="members")
    seq = world.database.seq
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@bo", level="view")
    for who, slug in (("di", "not-found"), ("gus", "insufficient-scope")):
        with refused("not-found"):
            call(world, who, "access.grants", subject="space:HAND")
        with refused(slug):
            call(world, who, "access.grant_set", subject="space:HAND", who="@gus", level="view")
        assert payloads(world, seq, "access.granted", who) == []
    assert payloads(world, seq, "access.granted", "bo")[0]["who"] == world.people["bo"].id
    for scopes, slug in ((["members:read"], "insufficient-scope"), (["members:write"], "not-found")):
        secret = call(world, "cy", "keys.create", name="narrow", scopes=scopes)["secret"]
        with Kbwork(world.url, secret) as narrow, refused(slug):  # a space is nothing that it may read
            narrow.call("access.grant_set", {"subject": "space:HAND", "who": "@di", "level": "view"})


def test_of_two_managers_who_take_the_right_from_each_other_one_stays(world: World) -> None:
    space(world)
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="manage")
    asked = {"subject": "space:HAND", "level": "none"}
    found = together(world, "ana", [("access.grant_set", asked | {"who": who}) for who in ("@cy", "@di")])
    assert slugs(found) == ["conflict"]
    managers = [
        name
        for name, level, source in rights(world, "ana", "space:HAND")
        if (level, source) == ("manage", "here")
    ]
    assert len(managers) == 1


def test_a_right_is_set_anew_and_not_undone(world: World) -> None:
    space(world)
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="edit")
    assert [one["can"] for one in call(world, "cy", "undo.list") if one["op"] == "access.grant_set"] in (
        [],
        [False],
    )
