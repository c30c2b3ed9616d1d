"""An invite gives what its maker may give now, and ends with the right to make it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import PASSWORD, World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.test_invites import DAYS_14, accept, invite, token

GUEST = {"role": "guest", "projects": ["SEC"]}


def team_of_leads(world: World) -> None:
    """Di leads SEC by a team."""
    team = call(world, "bo", "teams.save", name="Leads")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@di", role="member")
    call(world, "cy", "projects.member_set", key="SEC", who=f"team:{team}", role="lead")


def second_lead(world: World) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="lead")


@dataclass(frozen=True)
class Loss:
    """`by` calls `op`, and `maker` may not make this invite any more."""

    maker: str
    invite: dict[str, Any]
    by: str
    op: str
    value: dict[str, Any]
    told: list[str]
    """The events of the operation."""
    before: Callable[[World], None] = field(default=lambda world: None)


LOSSES = {
    "an admin is deactivated": Loss(
        "bo",
        {"role": "admin"},
        "ana",
        "members.deactivate",
        {"id": "@bo", "on": True},
        ["member.deactivated"],
    ),
    "an admin is erased": Loss(
        "bo",
        {"role": "admin"},
        "ana",
        "members.erase",
        {"id": "@bo", "confirm_name": "Bo Tran"},
        ["member.deactivated"],
    ),
    "an admin becomes a member": Loss(
        "bo",
        {"role": "admin"},
        "ana",
        "members.update",
        {"id": "@bo", "role": "member"},
        ["member.role_changed"],
    ),
    "an admin who invited into a team becomes a member": Loss(
        "bo",
        {"role": "guest", "projects": ["WEB"], "teams": [1]},
        "ana",
        "members.update",
        {"id": "@bo", "role": "member"},
        ["member.role_changed"],
        team_of_leads,
    ),
    "a lead is deactivated": Loss(
        "cy", GUEST, "bo", "members.deactivate", {"id": "@cy", "on": True}, ["member.deactivated"]
    ),
    "a lead becomes a guest": Loss(
        "cy", GUEST, "bo", "members.update", {"id": "@cy", "role": "guest"}, ["member.role_changed"]
    ),
    "a lead leads no more": Loss(
        "cy",
        GUEST,
        "di",
        "projects.member_set",
        {"key": "SEC", "who": "@cy", "role": "member"},
        ["project.members_changed", "project.updated"],
        second_lead,
    ),
    "who led by a team leaves it": Loss(
        "di",
        GUEST,
        "bo",
        "teams.member_set",
        {"id": 1, "who": "@di", "role": "none"},
        ["team.members_changed"],
        team_of_leads,
    ),
    "the project is deleted": Loss(
        "cy", GUEST, "bo", "projects.delete", {"key": "SEC", "confirm_key": "SEC"}, ["project.deleted"]
    ),
    "the project is hidden from the admin": Loss(
        "ana",
        {"role": "member", "projects": ["WEB"]},
        "bo",
        "projects.update",
        {"key": "WEB", "visibility": "private"},
        ["project.updated"],
    ),
    "the org takes no guests": Loss("cy", GUEST, "bo", "org.update", {"guests": False}, ["org.updated"]),
}


def refuses(world: World, made: dict[str, Any]) -> None:
    """The invite opens nothing, and says no more than one that never was."""
    answers = []
    for secret in (token(made), "kbi_mistyped"):
        for op, more in (("invites.info", {}), ("invites.accept", {"name": "Eli", "password": PASSWORD})):
            with refused("not-found") as found:
                call_nobody(world, op, token=secret, **more)
            answers.append(found.value.detail)
    assert len(set(answers)) == 1
    assert "ask for a new one" in answers[0]


def states(world: World) -> dict[str, str]:
    """Address -> state of the member."""
    found = world.database.write_now(lambda tx: tx.tuples("select email, state from member"))
    return dict(found)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_pending_invite_ends_with_the_right_to_make_it(world: World, loss: Loss) -> None:
    loss.before(world)
    made = invite(world, loss.maker, **loss.invite)
    kept = invite(world, "ana", "fay@acme.example")
    seq = world.database.seq
    call(world, loss.by, loss.op, **loss.value)
    told = world.events_since(seq)
    assert [kind for kind, _ in told[: len(loss.told) + 1]] == [*loss.told, "invite.revoked"]
    assert [kind for kind, _ in told].count("invite.revoked") == 1
    refuses(world, made)
    assert "eli@acme.example" not in states(world)
    assert [one["id"] for one in call(world, "ana", "invites.list", state="revoked")] == [made["id"]]
    assert [one["id"] for one in call(world, "ana", "invites.list")] == [kept["id"]]


def test_it_is_told_to_admins_with_the_reason_by_whoever_took_the_right(world: World) -> None:
    invite(world, role="admin")
    seq = world.database.seq
    call(world, "ana", "members.update", id="@bo", role="member")
    heard = call(world, "ana", "api.changes", since=seq)["events"]
    revoked = heard[1]
    assert (revoked["kind"], revoked["actor"]) == ("invite.revoked", world.people["ana"].id)
    assert (revoked["payload"]["role"], revoked["payload"]["reason"]) == ("admin", "right_lost")
    heard_by_bo = call(world, "bo", "api.changes", since=seq)["events"]
    assert [event["kind"] for event in heard_by_bo] == ["member.role_changed"]


def test_an_invite_by_a_key_ends_with_the_right_of_its_owner(world: World) -> None:
    made = world.key("bo").call("invites.create", {"emails": ["eli@acme.example"], "role": "member"})[0]
    call(world, "ana", "members.update", id="@bo", role="member")
    refuses(world, made)


def test_what_its_maker_may_still_give_goes_on(world: World) -> None:
    """Whoever hands the org over is an admin still, and who leads a project may invite guests into it."""
    by_owner = invite(world, "ana", role="admin")
    by_lead = invite(world, "bo", "out@side.example", role="guest", projects=["WEB"])
    call(world, "ana", "members.owner_transfer", to="@bo")
    call(world, "bo", "members.update", id="@ana", role="admin", name="Ana L.")
    assert accept(world, by_owner)["member"]["role"] == "admin"
    call(world, "bo", "members.owner_transfer", to="@ana")
    seq = world.database.seq
    call(world, "ana", "members.update", id="@bo", role="member")
    assert [kind for kind, _ in world.events_since(seq)] == ["member.role_changed"]
    assert accept(world, by_lead, "Out Sider")["member"]["role"] == "guest"


def test_a_project_that_is_gone_is_left_out_while_another_remains(world: World) -> None:
    call(world, "cy", "projects.create", key="OPS", name="Operations")
    made = invite(world, "cy", role="guest", projects=["SEC", "OPS"])
    call(world, "bo", "projects.delete", key="OPS", confirm_key="OPS")
    with Kbwork(world.url, accept(world, made)["token"]) as eli:
        assert [one["key"] for one in eli.call("projects.list", {})] == ["SEC"]


def test_who_comes_back_has_no_invite_back(world: World) -> None:
    made = invite(world, "bo", role="admin")
    for on in (True, False):
        call(world, "ana", "members.deactivate", id="@bo", on=on)
    refuses(world, made)


def test_undo_of_what_took_the_right_brings_no_invite_back(world: World) -> None:
    """Its token was told to be dead, and the invited member is gone: a new invite is one call."""
    made = invite(world, "ana", projects=["WEB"])
    seq = world.database.seq
    call(world, "bo", "projects.update", key="WEB", visibility="private")
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert [kind for kind, _ in world.events_since(seq)] == [
        "project.updated",
        "invite.revoked",
        "project.updated",
    ]
    refuses(world, made)
    assert call(world, "ana", "projects.get", key="WEB")["visibility"] == "org"
    assert "eli@acme.example" not in states(world)


@pytest.mark.parametrize(
    ("maker", "value", "change"),
    [
        ("bo", {"role": "admin"}, "update member set role = 'member' where id = :id"),
        ("bo", {"role": "member"}, "update member set state = 'deactivated' where id = :id"),
        ("cy", GUEST, "update project_member set role = 'member' where who = :id"),
        ("cy", GUEST, "delete from project_member where who = :id"),
    ],
)
def test_accepting_judges_the_maker_as_they_are_now(
    world: World, maker: str, value: dict[str, Any], change: str
) -> None:
    """Also where the right was lost before invites ended with it; the next change of rights revokes it then."""
    made = invite(world, maker, **value)
    world.database.write_now(lambda tx: tx.execute(change, id=world.people[maker].id))
    before, seq = states(world), world.database.seq
    refuses(world, made)
    assert (states(world), world.events_since(seq)) == (before, [])
    call(world, "ana", "members.update", id="@gus", name="Gus F.")
    assert world.events_since(seq)[-1] == ("invite.revoked", "org:1")


def test_an_invite_that_is_sent_again_for_somebody_who_may_not_is_of_who_sends_it(world: World) -> None:
    made, other = invite(world, role="admin"), invite(world, "ana", "fay@acme.example")
    world.advance(DAYS_14)
    eventually(lambda: "eli@acme.example" not in states(world))
    fresh = call_nobody(world, "auth.login", email="ana@acme.example", password=PASSWORD)["token"]
    with Kbwork(world.url, fresh) as ana:
        ana.call("members.update", {"id": "@bo", "role": "member"})
        again = ana.call("invites.resend", {"id": made["id"]})
        assert again["invited_by"] == world.people["ana"].id
        assert ana.call("invites.resend", {"id": other["id"]})["invited_by"] == other["invited_by"]
    assert accept(world, again)["member"]["role"] == "admin"


def test_an_admin_invites_into_a_private_project_only_where_they_lead_it(world: World) -> None:
    """Others could not be let in when they accept."""
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="member")
    with refused("not-allowed"):
        invite(world, projects=["PRV"])
    call(world, "di", "projects.member_set", key="PRV", who="@bo", role="lead")
    with Kbwork(world.url, accept(world, invite(world, projects=["PRV"]))["token"]) as eli:
        assert "PRV" in [one["key"] for one in eli.call("projects.list", {})]


def test_whoever_invites_an_admin_confirms_who_they_are(world: World) -> None:
    """A key that fell into other hands makes no admins, nor does a session that was left open."""
    wanted = {"emails": ["eli@acme.example"], "role": "admin"}
    made = invite(world, "bo", role="admin")
    seq = world.database.seq
    for client in (world.key("bo"), world.session("bo")):
        if client is world.session("bo"):
            world.clock.advance(601)
        for op, value in (("invites.create", wanted), ("invites.resend", {"id": made["id"]})):
            with refused("elevation-needed"):
                client.call(op, value)
    assert world.database.seq == seq
    call(world, "bo", "auth.elevate", password=PASSWORD)
    assert call(world, "bo", "invites.resend", id=made["id"])["role"] == "admin"
