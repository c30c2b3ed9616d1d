"""Teams: who makes, leads and leaves them, and who is on call."""

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from kbwork.modules.teams.shifts import ShiftSpan, Turns, laid_out, stood_in
from tests.conftest import World
from tests.modules.calls import call, refused

DAY = 86400


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def team(world: World, who: str = "cy", **value: Any) -> Any:
    return call(world, who, "teams.save", **({"name": "Design"} | value))


def people(team: dict[str, Any], world: World) -> dict[str, str]:
    known = {person.id: handle for handle, person in world.people.items()}
    return {known[one["who"]]: one["role"] for one in team["members"]}


def test_a_member_makes_a_team_and_leads_it(world: World) -> None:
    seq = world.database.seq
    made = team(world, description="How it looks", icon="palette")
    assert made == {
        "id": 1,
        "name": "Design",
        "handle": "design",
        "description": "How it looks",
        "icon": "palette",
        "parent": None,
        "open": False,
        "builtin": False,
        "members": [{"who": world.people["cy"].id, "role": "lead"}],
        "calendar": None,
        "managed": False,
    }
    assert world.events_since(seq) == [("team.saved", "team:1"), ("team.members_changed", "team:1")]
    assert call(world, "di", "teams.get", id=1) == made
    assert call(world, "cy", "members.get", id="me")["teams"] == [1]
    with refused("insufficient-scope"):
        team(world, "gus", name="Guests")


def test_the_admins_are_a_team_that_follows_the_roles(world: World) -> None:
    (admins,) = call(world, "cy", "teams.list")
    assert (admins["id"], admins["builtin"], people(admins, world)) == (
        0,
        True,
        {"ana": "lead", "bo": "member"},
    )
    call(world, "ana", "members.update", id="@di", role="admin")
    assert people(call(world, "cy", "teams.get", id=0), world) == {
        "ana": "lead",
        "bo": "member",
        "di": "member",
    }
    for op, value in (
        ("teams.save", {"id": 0, "name": "Bosses"}),
        ("teams.member_set", {"id": 0, "who": "@cy", "role": "member"}),
        ("teams.delete", {"id": 0}),
    ):
        with refused("conflict"):
            world.session("ana").call(op, value)
    with refused("conflict"):
        team(world, name="admins")
    assert [one["id"] for one in call(world, "bo", "teams.list", mine=True)] == [0]
    assert call(world, "cy", "teams.list", mine=True) == []


def test_names_and_handles_are_unique_without_case(world: World) -> None:
    team(world)
    for value in (
        {"name": "DESIGN"},
        {"name": "Other", "handle": "Design"},
        {"name": "Other", "handle": "cy"},
    ):
        with refused("conflict"):
            world.session("di").call("teams.save", value)
    with refused("invalid-input"):
        team(world, "di", name="Other", handle="all")
    assert team(world, "di", name="Cy")["handle"] == "cy2"
    with refused("conflict"):
        call(world, "di", "members.profile_set", handle="design")


def test_leads_change_their_team_and_admins_all(world: World) -> None:
    team(world)
    with refused("not-allowed"):
        call(world, "di", "teams.save", id=1, name="Mine")
    seq = world.database.seq
    changed = call(world, "bo", "teams.save", id=1, name="Look", description="New")
    assert (changed["name"], changed["handle"], changed["open"]) == ("Look", "design", False)
    (event,) = call(world, "di", "api.changes", since=seq)["events"]
    assert event["payload"] == {
        "name": "Look",
        "fields": ["description"],
        "changes": {"name": {"from": "Design", "to": "Look"}},
    }
    seq = world.database.seq
    call(world, "cy", "teams.save", id=1, name="Look")
    assert world.events_since(seq) == []
    call(world, "bo", "undo.apply", seq=seq)
    assert call(world, "cy", "teams.get", id=1)["name"] == "Design"
    with refused("not-found"):
        call(world, "bo", "teams.save", id=9, name="Nine")
    with refused("invalid-input"):
        call(world, "cy", "teams.save", id=1, name="Design", calendar=4)


def test_teams_stand_under_teams_that_one_leads_and_in_no_circle(world: World) -> None:
    team(world)
    team(world, "di", name="Icons")
    with refused("not-allowed"):
        call(world, "di", "teams.save", id=2, name="Icons", parent=1)
    assert call(world, "bo", "teams.save", id=2, name="Icons", parent=1)["parent"] == 1
    for parent in (1, 2, 77):
        with refused("invalid-input"):
            call(world, "bo", "teams.save", id=1, name="Design", parent=parent)
    assert call(world, "di", "teams.save", id=2, name="Icons", parent=None)["parent"] is None


def test_leads_say_who_is_in_a_closed_team(world: World) -> None:
    team(world)
    with refused("not-allowed"):
        call(world, "di", "teams.member_set", id=1, who="me", role="member")
    seq = world.database.seq
    assert people(call(world, "cy", "teams.member_set", id=1, who="@di", role="member"), world) == {
        "cy": "lead",
        "di": "member",
    }
    assert world.events_since(seq) == [("team.members_changed", "team:1")]
    seq = world.database.seq
    call(world, "cy", "teams.member_set", id=1, who="@di", role="member")
    assert world.events_since(seq) == []
    with refused("not-allowed"):
        call(world, "di", "teams.member_set", id=1, who="me", role="none")
    with refused("invalid-input"):
        call(world, "cy", "teams.member_set", id=1, who="@gus", role="lead")
    call(world, "cy", "teams.member_set", id=1, who="@gus", role="member")
    assert people(call(world, "cy", "teams.member_set", id=1, who="me", role="none"), world) == {
        "di": "member",
        "gus": "member",
    }
    assert people(call(world, "bo", "teams.member_set", id=1, who="@di", role="lead"), world)["di"] == "lead"
    call(world, "bo", "members.deactivate", id="@di", on=True)
    assert people(call(world, "bo", "teams.get", id=1), world) == {"gus": "member"}
    with refused("invalid-input"):
        call(world, "bo", "teams.member_set", id=1, who="@di", role="member")


def test_members_come_and_go_in_an_open_team_by_themselves(world: World) -> None:
    team(world, open=True)
    assert (
        people(call(world, "di", "teams.member_set", id=1, who="me", role="member"), world)["di"] == "member"
    )
    for value in (
        {"who": "me", "role": "lead"},
        {"who": "@bo", "role": "member"},
        {"who": "@cy", "role": "none"},
    ):
        with refused("not-allowed"):
            world.session("di").call("teams.member_set", {"id": 1, **value})
    assert people(call(world, "di", "teams.member_set", id=1, who="me", role="none"), world) == {"cy": "lead"}


def test_a_team_with_rights_in_a_project_cannot_be_opened(world: World) -> None:
    team(world)
    call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="member")
    with refused("conflict"):
        call(world, "cy", "teams.save", id=1, name="Design", open=True)
    call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="viewer")
    assert call(world, "cy", "teams.save", id=1, name="Design", open=True)["open"] is True
    with refused("conflict"):
        call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="member")


def test_who_is_in_a_team_sees_its_projects_at_once(world: World) -> None:
    team(world)
    call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="member")
    assert call(world, "gus", "projects.list") == []
    call(world, "cy", "teams.member_set", id=1, who="@gus", role="member")
    assert [project["key"] for project in call(world, "gus", "projects.list")] == ["SEC"]
    call(world, "cy", "teams.member_set", id=1, who="@gus", role="none")
    assert call(world, "gus", "projects.list") == []


def test_a_guest_sees_only_teams_of_theirs_and_of_their_projects(world: World) -> None:
    team(world)
    team(world, "di", name="Other")
    seq = world.database.seq
    call(world, "di", "teams.save", id=2, name="Other", description="changed")
    assert call(world, "gus", "teams.list") == []
    assert call(world, "gus", "api.changes", since=seq)["events"] == []
    for number in (0, 1, 2):
        with refused("not-found"):
            call(world, "gus", "teams.get", id=number)
    call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="member")
    call(world, "cy", "projects.member_set", key="SEC", who="@gus", role="viewer")
    assert [one["id"] for one in call(world, "gus", "teams.list")] == [1]
    assert call(world, "gus", "members.get", id="@cy")["teams"] == [1]


def test_a_team_in_use_needs_another_that_takes_its_place(world: World) -> None:
    team(world)
    team(world, "cy", name="Look")
    team(world, "cy", name="Icons", parent=1)
    call(world, "cy", "projects.member_set", key="SEC", who="team:1", role="member")
    with refused("insufficient-scope"):
        call(world, "cy", "teams.delete", id=1)
    with refused("in-use"):
        call(world, "bo", "teams.delete", id=1)
    with refused("invalid-input"):
        call(world, "bo", "teams.delete", id=1, move_to=1)
    with refused("conflict"):
        call(world, "bo", "teams.delete", id=1, move_to=0)
    seq = world.database.seq
    left = call(world, "bo", "teams.delete", id=1, move_to=2)
    assert [(one["id"], one["parent"]) for one in left] == [(0, None), (3, 2), (2, None)]
    assert world.events_since(seq) == [
        ("project.members_changed", "project:SEC"),
        ("project.members_changed", "project:SEC"),
        ("team.saved", "team:3"),
        ("team.deleted", "team:1"),
    ]
    roles = {one["who"]: one["role"] for one in call(world, "cy", "projects.members", key="SEC")}
    assert roles["team:2"] == "member"
    assert "team:1" not in roles
    assert [e["kind"] for e in call(world, "cy", "api.changes", since=seq)["events"]][-1] == "team.deleted"


def test_a_team_that_issues_name_stays(world: World) -> None:
    team(world)
    call(world, "cy", "issues.create", project="SEC", title="Quiet", level="team:1")
    team(world, name="Look")
    with refused("in-use"):
        call(world, "bo", "teams.delete", id=1, move_to=2)


LEVELS = [{"members": ["@cy", "@di"], "handover": "mon 09:00", "weeks": 1}]


def rota(world: World, **value: Any) -> Any:
    return call(
        world, "cy", "teams.rota_save", **({"id": 1, "levels": LEVELS, "zone": "Europe/Berlin"} | value)
    )


def test_a_rota_lays_turns_out_and_says_who_is_on_call(world: World) -> None:
    team(world)
    call(world, "cy", "teams.member_set", id=1, who="@di", role="member")
    assert call(world, "di", "teams.rota", id=1, from_="2027-01-15", to="2027-01-15") == {
        "team": 1,
        "levels": [],
        "shifts": [],
        "escalate_minutes": None,
    }
    assert call(world, "di", "teams.on_call") == []
    cy, di = world.people["cy"].id, world.people["di"].id
    seq = world.database.seq
    saved = rota(world, escalate_minutes=15)
    assert world.events_since(seq) == [("team.rota_saved", "team:1")]
    assert saved["levels"] == [{"members": [cy, di], "handover": "mon 09:00", "weeks": 1, "hours": None}]
    assert saved["escalate_minutes"] == 15
    monday = at("2027-01-18T09:00")
    shown = call(world, "di", "teams.rota", id=1, from_="2027-01-18", to="2027-01-31")
    assert shown["shifts"] == [
        {"level": 1, "member": cy, "from": at("2027-01-18T00:00"), "to": monday, "override": False},
        {"level": 1, "member": di, "from": monday, "to": monday + 7 * DAY, "override": False},
        {
            "level": 1,
            "member": cy,
            "from": monday + 7 * DAY,
            "to": at("2027-02-01T00:00"),
            "override": False,
        },
    ]
    assert call(world, "bo", "teams.on_call") == [{"team": 1, "level": 1, "member": cy, "until": monday}]
    assert call(world, "bo", "teams.on_call", team=1, at=monday)[0]["member"] == di
    call(world, "bo", "members.deactivate", id="@di", on=True)
    assert call(world, "bo", "teams.on_call", team=1, at=monday)[0]["member"] == cy
    rota(world, levels=[])
    assert call(world, "bo", "teams.on_call") == []


def test_somebody_stands_in(world: World) -> None:
    team(world)
    call(world, "cy", "teams.member_set", id=1, who="@di", role="member")
    rota(world)
    cy, di = world.people["cy"].id, world.people["di"].id
    noon = at("2027-01-16T12:00")
    seq = world.database.seq
    shown = call(world, "di", "teams.rota_override", id=1, member="me", from_=noon, to=noon + 3600)
    assert shown["shifts"] == [{"level": 1, "member": di, "from": noon, "to": noon + 3600, "override": True}]
    assert world.events_since(seq) == [("team.rota_saved", "team:1")]
    assert call(world, "di", "teams.on_call", at=noon) == [
        {"team": 1, "level": 1, "member": di, "until": noon + 3600}
    ]
    assert call(world, "di", "teams.on_call", at=noon + 3600)[0]["member"] == cy
    with refused("not-allowed"):
        call(world, "di", "teams.rota_override", id=1, member="@cy", from_=noon, to=noon + 3600)
    for value in (
        {"member": "@bo", "from": noon, "to": noon + 1},
        {"member": "@di", "from": noon, "to": noon},
        {"member": "@di", "from": noon, "to": noon + 1, "level": 2},
        {"member": "@di", "from": noon, "to": noon + 400 * DAY},
    ):
        with refused("invalid-input"):
            world.session("cy").call("teams.rota_override", {"id": 1, **value})


@pytest.mark.parametrize(
    "value",
    [
        {"levels": [LEVELS[0] | {"handover": "monday"}]},
        {"levels": [LEVELS[0] | {"weeks": 0}]},
        {"levels": [LEVELS[0] | {"hours": "9-17"}]},
        {"levels": [LEVELS[0] | {"members": ["@bo"]}]},
        {"levels": [LEVELS[0] | {"members": []}]},
        {"zone": "Mars/Olympus"},
        {"escalate_minutes": 0},
    ],
)
def test_a_rota_that_does_not_fit_is_refused(world: World, value: dict[str, Any]) -> None:
    team(world)
    call(world, "cy", "teams.member_set", id=1, who="@di", role="member")
    with refused("invalid-input"):
        rota(world, **value)
    with refused("not-allowed"):
        call(world, "di", "teams.rota_save", id=1, levels=[], zone="UTC")
    for days in (("2027-02-01", "2027-01-01"), ("2027-01-01", "2029-01-01")):
        with refused("invalid-input"):
            call(world, "di", "teams.rota", id=1, from_=days[0], to=days[1])


def test_turns_keep_to_the_wall_clock_where_it_changes() -> None:
    turns = Turns(1, ("a", "b"), "mon 09:00", 1, None, at("2026-10-20T12:00"), "Europe/Berlin")
    spans = laid_out(turns, at("2026-10-19T09:00"), at("2026-11-02T09:00"))
    assert spans == [
        ShiftSpan(1, "a", at("2026-10-19T09:00"), at("2026-10-26T09:00")),
        ShiftSpan(1, "b", at("2026-10-26T09:00"), at("2026-11-02T09:00")),
    ]
    assert spans[0].to_at - spans[0].from_at == 7 * DAY + 3600


def test_hours_narrow_each_day_and_may_pass_midnight() -> None:
    turns = Turns(2, ("a",), "mon 00:00", 1, "22:00-06:00", at("2027-01-04T00:00", "UTC"), "UTC")
    assert laid_out(turns, at("2027-01-05T00:00", "UTC"), at("2027-01-06T00:00", "UTC")) == [
        ShiftSpan(2, "a", at("2027-01-05T00:00", "UTC"), at("2027-01-05T06:00", "UTC")),
        ShiftSpan(2, "a", at("2027-01-05T22:00", "UTC"), at("2027-01-06T00:00", "UTC")),
    ]


def test_the_later_of_two_who_stand_in_wins() -> None:
    spans = stood_in(
        [ShiftSpan(1, "a", 0, 100), ShiftSpan(2, "x", 0, 100)],
        [ShiftSpan(1, "b", 20, 60, override=True), ShiftSpan(1, "c", 50, 80, override=True)],
    )
    assert [(s.level, s.member, s.from_at, s.to_at) for s in spans] == [
        (1, "a", 0, 20),
        (1, "b", 20, 50),
        (1, "c", 50, 80),
        (1, "a", 80, 100),
        (2, "x", 0, 100),
    ]
