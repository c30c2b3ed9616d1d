"""Invites: who may invite whom where, and what becomes of a token."""

import hashlib
import threading
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.ports import mail
from tests.conftest import NOW, PASSWORD, World
from tests.modules.calls import call, call_nobody, eventually, refused

DAYS_14 = 14 * 86400


def token(invite: dict[str, Any]) -> str:
    return str(invite["path"]).partition("token=")[2]


@pytest.fixture(autouse=True)
def address_noted(request: pytest.FixtureRequest) -> None:
    """The server writes its own address down a moment after its start."""
    world: World = request.getfixturevalue("mailed" if "mailed" in request.fixturenames else "world")
    eventually(lambda: world.database.write_now(mail.origin) == world.url)


def invite(world: World, who: str = "bo", email: str = "eli@acme.example", **value: Any) -> Any:
    return call(world, who, "invites.create", **({"emails": [email], "role": "member"} | value))[0]


def accept(world: World, invite: dict[str, Any], name: str = "Eli Stone") -> Any:
    return call_nobody(world, "invites.accept", token=token(invite), name=name, password=PASSWORD)


def test_an_admin_invites_and_the_address_stands_in_no_event(world: World) -> None:
    seq = world.database.seq
    made = invite(world, email="Eli@acme.example", projects=["WEB"])
    assert token(made).startswith("kbi_")
    assert made == {
        "id": 1,
        "email": "Eli@acme.example",
        "role": "member",
        "teams": [],
        "projects": ["WEB"],
        "state": "pending",
        "invited_by": world.people["bo"].id,
        "created_at": NOW,
        "expires_at": NOW + DAYS_14,
        "accepted_by": None,
        "path": made["path"],
        "url": world.url + made["path"],
    }
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert kinds == ["member.invited", "invite.created"]
    heard = call(world, "ana", "api.changes", since=seq)["events"]
    digest = hashlib.sha256(b"eli@acme.example").hexdigest()[:16]
    assert heard[1]["payload"] == {"invite": 1, "email": digest, "role": "member"}
    assert [event["kind"] for event in call(world, "cy", "api.changes", since=seq)["events"]] == [
        "member.invited"
    ]
    assert call(world, "ana", "invites.list") == [made | {"path": None, "url": None}]
    assert call(world, "cy", "invites.list") == []
    stored = world.database.read_now(lambda tx: tx.one("select * from invite"))
    assert token(made) not in str(stored)


def test_accepting_makes_an_active_member_with_a_session_in_their_teams_and_projects(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Design")
    made = invite(world, teams=[team["id"]], projects=["SEC"])
    told = call_nobody(world, "invites.info", token=token(made))
    assert told == {
        "org": "Acme",
        "email": "eli@acme.example",
        "role": "member",
        "by": "Bo Tran",
        "methods": ["password", "passkey"],
    }
    seq = world.database.seq
    answer = accept(world, made)
    member = answer["member"]
    assert (member["name"], member["handle"], member["state"]) == ("Eli Stone", "eli.stone", "active")
    assert (member["email"], member["teams"]) == ("eli@acme.example", [team["id"]])
    assert [kind for kind, _ in world.events_since(seq)] == [
        "member.joined",
        "team.members_changed",
        "project.members_changed",
        "invite.accepted",
    ]
    with Kbwork(world.url, answer["token"]) as eli:
        assert eli.call("members.get", {"id": "me"})["id"] == member["id"]
        assert [p["key"] for p in eli.call("projects.list", {"mine": True})] == ["SEC"]
    with refused("not-found"):
        accept(world, made)
    (listed,) = call(world, "bo", "invites.list", state="accepted")
    assert (listed["accepted_by"], listed["path"]) == (member["id"], None)


def test_a_token_is_used_once_even_by_two_at_once(world: World) -> None:
    made = invite(world)
    outcomes: list[str] = []

    def try_it(name: str) -> None:
        try:
            accept(world, made, name)
            outcomes.append("in")
        except KbworkProblem as problem:
            outcomes.append(problem.slug)

    threads = [threading.Thread(target=try_it, args=(name,)) for name in ("One", "Two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(outcomes) == ["in", "not-found"]


def test_a_password_that_does_not_fit_uses_nothing_up(world: World) -> None:
    made = invite(world)
    passwords: list[dict[str, str]] = [{}, {"password": "short"}]
    for value in passwords:
        with refused("invalid-input"):
            call_nobody(world, "invites.accept", token=token(made), name="Eli", **value)
    assert accept(world, made)["member"]["state"] == "active"


def test_an_address_with_a_pending_invite_keeps_its_id_and_gets_all_else_anew(world: World) -> None:
    first = invite(world)
    world.clock.advance(60)
    seq = world.database.seq
    second = invite(world, email="ELI@acme.example", role="guest", projects=["WEB"])
    assert (second["id"], second["role"], second["expires_at"]) == (first["id"], "guest", NOW + 60 + DAYS_14)
    assert [kind for kind, _ in world.events_since(seq)] == ["member.role_changed", "invite.created"]
    with refused("not-found"):
        accept(world, first)
    assert accept(world, second)["member"]["role"] == "guest"


def test_the_address_of_a_member_is_refused_and_nobody_is_invited(world: World) -> None:
    with refused("conflict"):
        call(world, "bo", "invites.create", emails=["new@acme.example", "CY@acme.example"], role="member")
    assert call(world, "bo", "invites.list") == []
    call(world, "bo", "members.deactivate", id="@cy", on=True)
    with refused("conflict"):
        invite(world, email="cy@acme.example")


def test_members_invite_guests_into_projects_that_they_lead_and_nothing_else(world: World) -> None:
    made = invite(world, "cy", "out@side.example", role="guest", projects=["SEC"])
    assert call(world, "cy", "invites.list") == [made | {"path": None, "url": None}]
    assert call(world, "di", "invites.list") == []
    for value in (
        {"role": "member", "projects": ["SEC"]},
        {"role": "admin", "projects": ["SEC"]},
        {"role": "guest"},
        {"role": "guest", "projects": ["SEC", "WEB"]},
    ):
        with refused("not-allowed"):
            invite(world, "cy", "other@side.example", **value)
    with refused("not-found"):
        invite(world, "cy", "other@side.example", role="guest", projects=["PRV"])
    with refused("invalid-input"):
        invite(world, "bo", "other@side.example", role="owner")
    with refused("insufficient-scope"):
        invite(world, "gus", "other@side.example", role="guest", projects=["SEC"])
    invite(world, "bo", "admins@side.example", role="admin")
    with refused("conflict"):
        invite(world, "cy", "admins@side.example", role="guest", projects=["SEC"])
    guest = accept(world, made, "Out Sider")
    with Kbwork(world.url, guest["token"]) as outsider:
        assert [p["my_role"] for p in outsider.call("projects.list", {})] == ["reporter"]
    call(world, "bo", "org.update", guests=False)
    with refused("not-allowed"):
        invite(world, "cy", "third@side.example", role="guest", projects=["SEC"])


def test_a_revoked_invite_opens_nothing_and_the_invited_member_is_gone(world: World) -> None:
    made = invite(world)
    (invited,) = [
        m for m in call(world, "bo", "members.list", state="all")["items"] if m["state"] == "invited"
    ]
    assert (invited["name"], invited["email"]) == ("eli", "eli@acme.example")
    with refused("not-found"):
        call(world, "cy", "invites.revoke", id=made["id"])
    seq = world.database.seq
    assert call(world, "bo", "invites.revoke", id=made["id"]) == []
    assert world.events_since(seq) == [("invite.revoked", "org:1")]
    assert "invited" not in [m["state"] for m in call(world, "bo", "members.list", state="all")["items"]]
    for op in ("invites.info", "invites.accept"):
        with refused("not-found"):
            call_nobody(
                world,
                op,
                token=token(made),
                **({} if op == "invites.info" else {"name": "Eli", "password": PASSWORD}),
            )
    for op in ("invites.revoke", "invites.resend"):
        with refused("conflict"):
            call(world, "bo", op, id=made["id"])


def test_an_invite_ends_after_14_days_and_may_be_sent_again(world: World) -> None:
    made = invite(world)
    seq = world.database.seq
    world.advance(DAYS_14)
    with refused("not-found"):
        call_nobody(world, "invites.info", token=token(made))
    eventually(lambda: world.events_since(seq) == [("invite.revoked", "org:1")])
    fresh = call_nobody(world, "auth.login", email="bo@acme.example", password=PASSWORD)["token"]
    with Kbwork(world.url, fresh) as bo:
        assert [one["state"] for one in bo.call("invites.list", {"state": "expired"})] == ["expired"]
        again = bo.call("invites.resend", {"id": made["id"]})
    assert (again["id"], again["state"]) == (made["id"], "pending")
    assert token(again) != token(made)
    assert accept(world, again)["member"]["state"] == "active"


def test_sending_again_ends_the_old_token(world: World) -> None:
    made = invite(world)
    seq = world.database.seq
    again = call(world, "bo", "invites.resend", id=made["id"])
    assert world.events_since(seq) == [("invite.created", "org:1")]
    with refused("not-found"):
        call_nobody(world, "invites.info", token=token(made))
    assert call_nobody(world, "invites.info", token=token(again))["role"] == "member"


@pytest.mark.parametrize("wrong", ["kbi_", "nonsense", "kbs_" + "a" * 43])
def test_a_wrong_token_is_no_invite(world: World, wrong: str) -> None:
    with refused("not-found"):
        call_nobody(world, "invites.info", token=wrong)
    with refused("not-found"):
        call_nobody(world, "invites.accept", token=wrong, name="Eli", password=PASSWORD)


def test_what_does_not_fit_is_refused(world: World) -> None:
    wrong: list[dict[str, Any]] = [
        {"emails": []},
        {"emails": ["no address"]},
        {"emails": [f"a{n}@x.example" for n in range(101)]},
        {"teams": [99]},
        {"teams": [0]},
    ]
    for value in wrong:
        with refused("invalid-input"):
            call(world, "bo", "invites.create", **({"emails": ["a@x.example"], "role": "member"} | value))
    with refused("not-found"):
        invite(world, projects=["NOPE"])


def test_an_address_named_twice_is_invited_once(world: World) -> None:
    made = call(
        world, "bo", "invites.create", emails=["a@x.example", "b@x.example", "A@x.example"], role="member"
    )
    assert [one["email"] for one in made] == ["a@x.example", "b@x.example"]


def test_who_accepts_while_somebody_else_is_signed_in_is_still_themselves(world: World) -> None:
    made = invite(world, role="guest", projects=["SEC"])
    seq = world.database.seq
    answer = world.session("bo").call(
        "invites.accept", {"token": token(made), "name": "Eli", "password": PASSWORD}
    )
    eli = answer["member"]["id"]
    events = call(world, "ana", "api.changes", since=seq)["events"]
    assert [(event["kind"], event["actor"], event["via"]) for event in events] == [
        ("member.joined", eli, None),
        ("project.members_changed", world.people["bo"].id, None),
        ("invite.accepted", eli, None),
    ]
    with Kbwork(world.url, answer["token"]) as client:
        assert client.call("members.get", {"id": "me"})["id"] == eli


def test_an_invited_member_has_the_role_of_their_invite(world: World) -> None:
    invite(world)
    for value in ({"role": "admin"}, {"email": "other@acme.example"}):
        with refused("conflict"):
            call(world, "bo", "members.update", id="eli@acme.example", **value)
    with refused("conflict"):
        call(world, "ana", "members.deactivate", id="eli@acme.example", on=True)
    with refused("conflict"):
        call(world, "ana", "members.erase", id="eli@acme.example", confirm_name="eli")


# by mail


def letters(world: World) -> list[dict[str, Any]]:
    return world.database.write_now(lambda tx: tx.all("select * from mail order by id"))


def test_an_invite_is_mailed_in_the_words_of_who_gets_it(mailed: World) -> None:
    made = invite(mailed, email="Eli@stone.example", message="Come & <help> us.")
    (letter,) = letters(mailed)
    assert (letter["address"], letter["state"]) == ("Eli@stone.example", "queued")
    assert letter["subject"] == "Bo Tran invites you to Acme"
    assert made["url"] == mailed.url + made["path"]
    for text in ("Bo Tran", "Acme", "as member", made["url"], "Eli@stone.example", "14 days"):
        assert text in letter["text"]
        assert text in letter["html"]
    assert "Come & <help> us." in letter["text"]
    assert "Come &amp; &lt;help&gt; us." in letter["html"]
    assert accept(mailed, made)["member"]["state"] == "active"


def test_sent_again_it_is_mailed_with_its_new_link_and_floods_nobody(mailed: World) -> None:
    first = invite(mailed)
    for _ in range(3):
        again = call(mailed, "bo", "invites.resend", id=first["id"])
        call(mailed, "bo", "invites.revoke", id=again["id"])
        first = invite(mailed)
    assert len(letters(mailed)) == 1
    mailed.clock.advance(300)
    again = call(mailed, "bo", "invites.resend", id=first["id"])
    assert len(letters(mailed)) == 2
    assert again["url"] in letters(mailed)[-1]["text"]


def test_what_is_refused_mails_nobody(mailed: World) -> None:
    with refused("conflict"):
        call(mailed, "bo", "invites.create", emails=["new@acme.example", "cy@acme.example"], role="member")
    assert letters(mailed) == []


def test_where_no_mail_goes_out_the_link_is_there_to_hand_over(world: World) -> None:
    made = invite(world)
    assert made["url"] == f"{world.url}/invite?token={token(made)}"
    assert letters(world) == []
    (told,) = call(world, "bo", "invites.list")
    assert (told["path"], told["url"]) == (None, None)


def test_an_address_that_no_mail_goes_to_is_invited_all_the_same(mailed: World) -> None:
    made = invite(mailed, email="eli,bo@stone.example")
    assert made["path"] is not None
    assert letters(mailed) == []
