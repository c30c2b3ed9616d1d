"""Members: who sees whom, who may change whom, and how somebody leaves."""

import base64
import threading
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import scopes
from kbwork.db.tx import Read
from tests.conftest import NOW, PASSWORD, World
from tests.modules.calls import call, eventually, refused
from tests.modules.fields.sample_values import field

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()


def handles(page: Any) -> list[str]:
    return [member["handle"] for member in page["items"]]


def test_members_are_listed_by_name_in_pages_and_the_whole_shape_is_there(world: World) -> None:
    first = call(world, "cy", "members.list", limit=3)
    assert handles(first) == ["ana", "bo", "cy"]
    second = call(world, "cy", "members.list", limit=3, cursor=first["next"])
    assert (handles(second), second["next"]) == (["di", "gus"], None)
    people = world.people
    assert first["items"][1] == {
        "id": people["bo"].id,
        "name": "Bo Tran",
        "handle": "bo",
        "email": "bo@acme.example",
        "avatar": None,
        "role": "admin",
        "state": "active",
        "kind": "person",
        "title": None,
        "zone": None,
        "locale": None,
        "teams": [],
        "status": None,
        "two_factor": None,
        "managed": False,
        "guest_until": None,
        "last_seen_at": None,
        "created_at": NOW,
    }
    with refused("invalid-input"):
        call(world, "cy", "members.list", q="o", cursor=first["next"])


def test_lists_are_narrowed_by_words_role_state_and_team(world: World) -> None:
    assert handles(call(world, "cy", "members.list", q="lund an")) == ["ana"]
    assert handles(call(world, "cy", "members.list", q="gus@acme")) == ["gus"]
    assert handles(call(world, "cy", "members.list", role="member")) == ["cy", "di"]
    assert handles(call(world, "cy", "members.list", team=0)) == ["ana", "bo"]
    call(world, "bo", "members.deactivate", id="@di", on=True)
    assert handles(call(world, "cy", "members.list")) == ["ana", "bo", "cy", "gus"]
    assert handles(call(world, "cy", "members.list", state="deactivated")) == ["di"]
    assert handles(call(world, "cy", "members.list", state="all")) == ["ana", "bo", "cy", "di", "gus"]
    with refused("invalid-input"):
        call(world, "cy", "members.list", role="boss")


def test_a_guest_sees_only_people_whom_they_share_something_with(world: World) -> None:
    assert handles(call(world, "gus", "members.list")) == ["gus"]
    for ref in ("@cy", world.people["cy"].id, "cy@acme.example"):
        with refused("not-found"):
            call(world, "gus", "members.get", id=ref)
    call(world, "cy", "projects.member_set", key="SEC", who="@gus", role="member")
    assert handles(call(world, "gus", "members.list")) == ["cy", "di", "gus"]
    cy = call(world, "gus", "members.get", id="@cy")
    assert (cy["email"], cy["last_seen_at"], cy["two_factor"]) == (None, None, None)
    with refused("not-found"):
        call(world, "gus", "members.get", id="cy@acme.example")
    assert call(world, "gus", "members.list", q="cy@acme")["items"] == []
    assert call(world, "gus", "members.get", id="me")["email"] == "gus@acme.example"


def test_a_guest_sees_who_works_on_an_issue_that_they_see(world: World) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@gus", role="reporter")
    issue = call(world, "gus", "issues.create", project="SEC", title="It leaks")
    assert handles(call(world, "gus", "members.list")) == ["cy", "di", "gus"]
    call(world, "bo", "issues.assign", key=issue["key"], assignees=["@bo"])
    assert handles(call(world, "gus", "members.list")) == ["bo", "cy", "di", "gus"]


def test_a_profile_is_set_by_its_owner_and_events_hold_no_personal_values(world: World) -> None:
    seq = world.database.seq
    shown = call(
        world,
        "cy",
        "members.profile_set",
        name="Cy M.",
        handle="@CyM",
        title="Designer",
        zone="Europe/Berlin",
        status={"emoji": "palm", "text": "away", "until": NOW + 60},
    )
    assert (shown["name"], shown["handle"], shown["title"], shown["zone"]) == (
        "Cy M.",
        "cym",
        "Designer",
        "Europe/Berlin",
    )
    assert shown["status"] == {"emoji": "palm", "text": "away", "until": NOW + 60}
    assert world.events_since(seq) == [("member.updated", f"member:{world.people['cy'].id}")]
    (event,) = call(world, "bo", "api.changes", since=seq)["events"]
    assert event["payload"] == {
        "fields": ["status", "title", "zone"],
        "changes": {"name": {"from": "Cy Moss", "to": "Cy M."}, "handle": {"from": "cy", "to": "cym"}},
    }
    assert call(world, "gus", "api.changes", since=seq)["events"] == []
    seq = world.database.seq
    call(world, "cy", "members.profile_set", name="Cy M.", title="Designer")
    assert world.events_since(seq) == []
    assert call(world, "cy", "members.profile_set", title="", status=None)["title"] is None


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"handle": "bo"}, "conflict"),
        ({"handle": "BO"}, "conflict"),
        ({"handle": "me"}, "invalid-input"),
        ({"handle": "no spaces"}, "invalid-input"),
        ({"handle": "m_abcdefghijkl"}, "invalid-input"),
        ({"zone": "Europe/Berln"}, "invalid-input"),
        ({"working_calendar": 7}, "invalid-input"),
        ({"status": {"text": "x", "until": NOW}}, "invalid-input"),
        ({"name": "  "}, "invalid-input"),
        ({"role": "owner"}, "unknown-field"),
    ],
)
def test_a_profile_that_does_not_fit_is_refused(world: World, value: dict[str, Any], slug: str) -> None:
    with refused(slug):
        world.session("cy").call("members.profile_set", value)


def test_a_status_goes_by_itself(world: World) -> None:
    call(world, "cy", "members.profile_set", status={"text": "lunch", "until": NOW + 60})
    seq = world.database.seq
    world.advance(61)
    eventually(
        lambda: call(world, "di", "members.get", id="@cy")["status"] is None and world.database.seq > seq
    )
    assert world.events_since(seq) == [("member.updated", f"member:{world.people['cy'].id}")]


def test_a_picture_is_told_by_its_bytes(world: World) -> None:
    shown = call(world, "cy", "members.avatar_set", data=f"data:image/png;base64,{PNG}")
    assert shown["avatar"].startswith(f"/avatars/{world.people['cy'].id}?v=")
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()
    for data in ("no base64!", svg, base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 1_000_000).decode()):
        with refused("invalid-input"):
            call(world, "cy", "members.avatar_set", data=data)
    assert call(world, "cy", "members.avatar_set")["avatar"] == shown["avatar"]
    assert call(world, "cy", "members.avatar_set", data=None)["avatar"] is None


def test_preferences_are_ones_own_and_only_known_keys_are_kept(world: World) -> None:
    nothing = dict.fromkeys(
        ("locale", "zone", "theme", "week_start", "start_page", "shortcuts", "editor", "density")
    )
    assert call(world, "cy", "members.preferences") == nothing
    value = {"theme": "dark", "zone": "Asia/Tokyo", "shortcuts": {"go": "g"}}
    assert call(world, "cy", "members.preferences_set", set=value) == nothing | value
    assert call(world, "cy", "members.get", id="me")["zone"] == "Asia/Tokyo"
    assert call(world, "di", "members.preferences") == nothing
    assert call(world, "cy", "members.preferences_set", set={"theme": None}) == nothing | {
        "zone": "Asia/Tokyo",
        "shortcuts": {"go": "g"},
    }
    for bad in ({"them": "dark"}, {"zone": "Nowhere"}, {"locale": 7}, {"editor": "x" * 30_000}):
        with refused("invalid-input"):
            call(world, "cy", "members.preferences_set", set=bad)


def test_an_admin_changes_roles_but_not_their_own_nor_an_owners(world: World) -> None:
    seq = world.database.seq
    assert (
        call(world, "bo", "members.update", id="@cy", role="guest", guest_until=NOW + 100)["role"] == "guest"
    )
    cy = world.people["cy"].id
    assert world.events_since(seq) == [
        ("member.updated", f"member:{cy}"),
        ("member.role_changed", f"member:{cy}"),
    ]
    assert call(world, "bo", "members.update", id="@cy", role="member")["guest_until"] is None
    for value in (
        {"id": "me", "role": "member"},
        {"id": "@ana", "name": "Anna"},
        {"id": "@cy", "role": "owner"},
    ):
        with refused("not-allowed"):
            world.session("bo").call("members.update", value)
    with refused("conflict"):
        call(world, "bo", "members.update", id="@cy", email="DI@acme.example")
    with refused("invalid-input"):
        call(world, "bo", "members.update", id="@cy", guest_until=NOW + 100)
    with refused("insufficient-scope"):
        call(world, "cy", "members.update", id="@di", role="guest")


def test_owners_are_made_by_owners_who_have_just_confirmed(world: World) -> None:
    with refused("elevation-needed"):
        world.key("ana").call("members.update", {"id": "@bo", "role": "owner"})
    call(world, "ana", "members.update", id="@bo", role="owner")
    with refused("not-allowed"):
        call(world, "ana", "members.update", id="me", role="admin")
    call(world, "bo", "members.update", id="@ana", role="admin")
    with refused("conflict"):
        call(world, "bo", "members.deactivate", id="me", on=True)
    world.clock.advance(601)
    with refused("elevation-needed"):
        call(world, "bo", "members.update", id="@ana", role="owner")


def test_two_owners_who_demote_each_other_leave_one(world: World) -> None:
    call(world, "ana", "members.update", id="@bo", role="owner")
    outcomes: list[str] = []

    def demote(who: str, other: str) -> None:
        try:
            call(world, who, "members.update", id=other, role="admin")
            outcomes.append("done")
        except KbworkProblem as problem:
            outcomes.append(problem.slug)

    threads = [threading.Thread(target=demote, args=pair) for pair in (("ana", "@bo"), ("bo", "@ana"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert outcomes.count("done") == 1
    assert len(call(world, "cy", "members.list", role="owner")["items"]) == 1


def test_an_owner_hands_the_org_over(world: World) -> None:
    seq = world.database.seq
    answer = call(world, "ana", "members.owner_transfer", to="@di")
    assert [(member["handle"], member["role"]) for member in answer] == [("di", "owner"), ("ana", "admin")]
    assert [kind for kind, _ in world.events_since(seq)] == ["member.role_changed"] * 2
    with refused("not-allowed"):
        call(world, "ana", "members.owner_transfer", to="@bo")
    for to in ("me", "@gus"):
        with refused("invalid-input"):
            call(world, "di", "members.owner_transfer", to=to)
    with refused("elevation-needed"):
        world.key("bo").call("members.owner_transfer", {"to": "@cy"})


def test_who_is_deactivated_is_out_at_once_and_comes_back_without_keys(world: World) -> None:
    key, session = world.key("cy"), world.session("cy")
    assert session.call("members.get", {"id": "me"})["handle"] == "cy"
    seq = world.database.seq
    assert call(world, "bo", "members.deactivate", id="@cy", on=True)["state"] == "deactivated"
    assert world.events_since(seq) == [("member.deactivated", f"member:{world.people['cy'].id}")]
    for client in (key, session):
        with refused("unauthenticated"):
            client.call("members.get", {"id": "me"})
    seq = world.database.seq
    call(world, "bo", "members.deactivate", id="@cy", on=True)
    assert world.events_since(seq) == []
    assert call(world, "bo", "members.deactivate", id="@cy", on=False)["state"] == "active"
    assert world.events_since(seq) == [("member.reactivated", f"member:{world.people['cy'].id}")]
    with refused("unauthenticated"):
        key.call("members.get", {"id": "me"})
    with refused("not-allowed"):
        call(world, "bo", "members.deactivate", id="@ana", on=True)
    with refused("conflict"):
        call(world, "ana", "members.deactivate", id="me", on=True)
    (undoable,) = [change for change in call(world, "bo", "undo.list") if change["seq"] == seq + 1]
    assert (undoable["can"], undoable["why"]) == (False, "who may sign in is set anew")


def test_work_goes_over_to_somebody_else(world: World) -> None:
    mine = call(world, "cy", "issues.create", project="WEB", title="Mine", assignees=["@cy", "@bo"])
    done = call(world, "di", "issues.create", project="WEB", title="Done", assignees=["@cy"])
    call(world, "di", "issues.transition", key=done["key"], to_status="done")
    hidden = call(world, "di", "issues.create", project="PRV", title="Hidden")
    seq = world.database.seq
    assert call(world, "bo", "members.transfer", from_="@cy", to="@di", what=["assigned", "reported"]) == {
        "changed": 2
    }
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert kinds == ["issue.updated", "issue.assigned", "issue.updated", "member.transferred"]
    di, bo, cy = (world.people[name].id for name in ("di", "bo", "cy"))
    after = call(world, "di", "issues.get", key=mine["key"])
    assert (after["assignees"], after["reporter"]) == ([di, bo], di)
    assert call(world, "di", "issues.get", key=done["key"])["assignees"] == [cy]
    assert call(world, "bo", "members.transfer", from_="@di", to="@bo", what=["reported"]) == {"changed": 2}
    assert call(world, "di", "issues.get", key=hidden["key"])["reporter"] == di
    for value in ({"from": "@cy", "to": "@cy"}, {"from": "@cy", "to": "@di", "tql": "status = done"}):
        with refused("invalid-input"):
            world.session("bo").call("members.transfer", value)
    assert call(world, "bo", "members.transfer", from_="@cy", to="@di", what=["rules", "goals"]) == {
        "changed": 0
    }


def test_who_leaves_hands_their_work_over_in_the_same_call(world: World) -> None:
    issue = call(world, "cy", "issues.create", project="WEB", title="Mine", assignees=["@cy"])
    call(world, "bo", "members.deactivate", id="@cy", on=True, transfer_to="@di")
    assert call(world, "di", "issues.get", key=issue["key"])["assignees"] == [world.people["di"].id]
    with refused("invalid-input"):
        call(world, "bo", "members.deactivate", id="@di", on=True, transfer_to="@cy")
    assert call(world, "bo", "members.get", id="@di")["state"] == "active"


def test_a_guest_whose_time_is_over_is_deactivated(world: World) -> None:
    call(world, "bo", "members.update", id="@gus", guest_until=NOW + 60)
    seq = world.database.seq
    world.advance(61)
    gus = world.people["gus"].id
    eventually(lambda: world.events_since(seq) == [("member.deactivated", f"member:{gus}")])
    with refused("unauthenticated"):
        call(world, "gus", "members.get", id="me")
    back = call(world, "bo", "members.deactivate", id="@gus", on=False)
    assert (back["state"], back["guest_until"]) == ("active", None)


def test_who_is_erased_leaves_their_work_and_nothing_else(world: World) -> None:
    cy = world.people["cy"].id
    call(world, "cy", "members.profile_set", title="Designer", pronouns="they")
    call(world, "cy", "members.avatar_set", data=PNG)
    issue = call(world, "cy", "issues.create", project="WEB", title="Mine")
    team = call(world, "cy", "teams.save", name="Design")
    for who, slug in (("bo", "not-allowed"), ("cy", "insufficient-scope")):
        with refused(slug):
            call(world, who, "members.erase", id="@cy", confirm_name="Cy Moss")
    with refused("invalid-input"):
        call(world, "ana", "members.erase", id="@cy", confirm_name="Cy")
    with refused("elevation-needed"):
        world.key("ana").call("members.erase", {"id": "@cy", "confirm_name": "Cy Moss"})
    seq = world.database.seq
    job = call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")["job"]
    with refused("unauthenticated"):
        call(world, "cy", "members.get", id="me")
    eventually(lambda: call(world, "ana", "jobs.get", id=job)["state"] == "done")
    assert [kind for kind, _ in world.events_since(seq)] == [
        "member.deactivated",
        "member.erased",
        "job.finished",
    ]
    shown = call(world, "di", "members.get", id=cy)
    assert (shown["name"], shown["state"], shown["handle"]) == ("former member", "erased", cy)
    assert [shown[name] for name in ("email", "title", "avatar", "zone", "teams")] == [
        None,
        None,
        None,
        None,
        [],
    ]
    assert call(world, "di", "issues.get", key=issue["key"])["reporter"] == cy
    assert call(world, "di", "teams.get", id=team["id"])["members"] == []
    left = world.database.read_now(lambda tx: tx.one("select * from member where id = :id", id=cy))
    assert left is not None
    assert "Moss" not in str(left)
    assert "acme.example" not in str(left)
    with refused("conflict"):
        call(world, "bo", "members.deactivate", id=cy, on=False)


def test_a_mention_names_who_sees_the_subject_first(world: World) -> None:
    issue = call(world, "cy", "issues.create", project="SEC", title="Secret")
    found = call(world, "cy", "members.mentionable", subject=issue["key"])
    people = {one["name"]: one["can_see"] for one in found}
    assert people == {
        "Ana Lund": True,
        "Bo Tran": True,
        "Cy Moss": True,
        "Di Park": False,
        "Gus Field": False,
    }
    assert [one["can_see"] for one in found] == [True, True, True, False, False]
    team = call(world, "di", "teams.save", name="Dials")
    assert call(world, "cy", "members.mentionable", subject=issue["key"], q="@di") == [
        {"kind": "member", "id": world.people["di"].id, "name": "Di Park", "can_see": False},
        {"kind": "team", "id": f"team:{team['id']}", "name": "Dials", "can_see": False},
    ]
    with refused("not-found"):
        call(world, "di", "members.mentionable", subject=issue["key"])


def test_an_agent_changes_nobody(world: World) -> None:
    made = call(
        world,
        "bo",
        "keys.create",
        name="bot",
        kind="agent",
        agent="bot",
        scopes=sorted(scopes.ADMIN - {"read", "write"}),
    )
    with Kbwork(world.url, made["secret"]) as agent:
        for op, value in (
            ("members.update", {"id": "@cy", "role": "guest"}),
            ("members.deactivate", {"id": "@cy", "on": True}),
            ("members.transfer", {"from": "@cy", "to": "@di"}),
            ("invites.create", {"emails": ["e@x.example"], "role": "guest"}),
        ):
            with refused("not-allowed"):
                agent.call(op, value)


def test_personal_fields_hold_nothing_of_who_was_erased(world: World) -> None:
    cy, di = world.people["cy"].id, world.people["di"].id
    field(world, "phone", "text", personal=True)
    field(world, "contacts", "members", personal=True)
    field(world, "reviewer", "member")
    own = call(world, "cy", "issues.create", project="WEB", title="Mine", values={"phone": "555 123"})["key"]
    values = {"phone": "555 999", "contacts": ["@cy", "@di"], "reviewer": "@cy"}
    other = call(world, "di", "issues.create", project="WEB", title="Hers", values=values)["key"]
    call(world, "di", "issues.update", key=own, values={"phone": "555 124"})
    call(world, "cy", "issues.watch", key=other, on=True)
    job = call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")["job"]
    eventually(lambda: call(world, "ana", "jobs.get", id=job)["state"] == "done")
    assert call(world, "di", "issues.get", key=own)["values"] == {}
    assert call(world, "di", "issues.get", key=other)["values"] == {
        "phone": "555 999",
        "contacts": [di],
        "reviewer": cy,
    }
    watchers = call(world, "di", "issues.get", key=other, with_=["watchers"])["watchers"]
    assert [one["id"] for one in watchers] == [di]

    def left(tx: Read) -> list[str]:
        spans = tx.column(
            "select value from spell where field in (select 'field:' || id from field where personal)"
        )
        return spans + tx.column(
            "select 1 from undo where json(images) glob '*555 12*' or member = :cy", cy=cy
        )

    assert sorted(map(str, world.database.write_now(left))) == ["555 999", di]


def test_whoever_makes_an_admin_confirms_who_they_are(world: World) -> None:
    with refused("elevation-needed"):
        world.key("bo").call("members.update", {"id": "@di", "role": "admin"})
    world.clock.advance(601)
    with refused("elevation-needed"):
        call(world, "bo", "members.update", id="@di", role="admin")
    assert call(world, "bo", "members.update", id="@di", role="guest")["role"] == "guest"
    call(world, "bo", "auth.elevate", password=PASSWORD)
    assert call(world, "bo", "members.update", id="@di", role="admin")["role"] == "admin"
