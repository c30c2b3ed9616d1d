"""Customers as agents keep them, and how customers come by themselves."""

import re
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import SECRET, HelpDesk, customer, open_desk


def letters(world: World, address: str) -> list[dict[str, Any]]:
    """What is queued to an address, oldest first."""

    def look(tx: Write) -> list[dict[str, Any]]:
        return tx.all("select * from mail where address = :address order by id", address=address)

    found: list[dict[str, Any]] = world.database.write_now(look)
    return found


def link(letter: dict[str, Any]) -> str:
    found = re.search(r"token=(\S+)", letter["text"])
    assert found is not None
    return found[1]


def test_an_added_customer_is_told_with_a_password_once(world: World) -> None:
    open_desk(world)
    seq = world.database.seq
    added = call(world, "cy", "desk.customer_add", email="Rita@Rivers.example", name="Rita Rivers")
    password = added.pop("password")
    assert len(password) == 16
    assert added == {
        "customer": {
            "id": 1,
            "name": "Rita Rivers",
            "email": "Rita@Rivers.example",
            "active": True,
            "blocked": False,
            "requests": 0,
            "created_at": world.clock.now(),
            "last_seen_at": None,
            "locale": None,
            "notify": True,
            "limited": True,
        }
    }
    assert world.events_since(seq) == [("desk.customer_created", "customer:1")]
    assert call(world, "cy", "desk.customers") == [added["customer"]]
    with refused("conflict"):
        call(world, "bo", "desk.customer_add", email="rita@rivers.EXAMPLE", name="Another")
    session = call_nobody(world, "desk.portal_login", email="rita@rivers.example", password=password)
    assert session["token"].startswith("kbp_")


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("desk.customers", {}),
        ("desk.customer_add", {"email": "a@b.example", "name": "A"}),
        ("desk.customer_reset", {"id": 1}),
    ],
)
def test_customers_are_for_whoever_works_at_a_desk(world: World, op: str, value: dict[str, Any]) -> None:
    with refused("not-allowed"):
        call(world, "cy", op, **value)
    open_desk(world)
    with refused("not-allowed"):
        call(world, "gus", op, **value)


def test_a_member_sees_customers_of_their_desks_and_those_of_none(world: World) -> None:
    """SEC is Cy's; Di reports there, and Ana and Bo lead it as admins."""
    open_desk(world)
    open_desk(world, "SEC", name="Security help")
    kinds = call(world, "ana", "desk.request_types", project="SEC")
    with customer(world, "rita") as rita, customer(world, "nat") as nat:
        rita.ask(type=kinds[0]["id"])
        nat.ask()
        for who, seen in (("cy", ["Nat Rivers", "Rita Rivers"]), ("di", ["Nat Rivers"])):
            assert [one["name"] for one in call(world, who, "desk.customers")] == seen
        for op in ("desk.customer_reset",):
            with refused("not-found"):
                call(world, "di", op, id=rita.id)
        assert call(world, "cy", "desk.customers", q="NAT")[0]["requests"] == 1
        nat.ask(type=kinds[0]["id"])
        assert [one["requests"] for one in call(world, "di", "desk.customers")] == [1]
        with refused("conflict"):
            call(world, "di", "desk.customer_reset", id=nat.id)


def test_only_admins_block(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    with refused("insufficient-scope"):
        call(world, "cy", "desk.customer_block", id=rita.id, blocked=True)
    seq = world.database.seq
    call(world, "bo", "desk.customer_block", id=rita.id, blocked=True)
    call(world, "bo", "desk.customer_block", id=rita.id, blocked=True)
    assert world.events_since(seq) == [("desk.customer_blocked", f"customer:{rita.id}")]
    with refused("conflict"):
        call(world, "bo", "desk.customer_reset", id=rita.id)
    assert call(world, "bo", "desk.customer_block", id=rita.id, blocked=False)["blocked"] is False
    with refused("unauthenticated"):
        rita.call("desk.portal_me")


def test_without_mail_a_sign_up_signs_in_at_once(world: World) -> None:
    open_desk(world)
    asked = {"email": "nat@north.example", "name": "Nat North", "password": SECRET}
    made = call_nobody(world, "desk.portal_signup", **asked)
    assert (made["customer"]["name"], made["verify"]) == ("Nat North", False)
    with Kbwork(world.url, made["token"]) as nat:
        assert nat.call("desk.portal_me", {})["id"] == made["customer"]["id"]
    with refused("conflict"):
        call_nobody(world, "desk.portal_signup", **asked)
    with refused("invalid-input"):
        call_nobody(world, "desk.portal_signup", **asked | {"password": "password12345"})
    call(world, "ana", "desk.save", project="WEB", open_signup=False)
    with refused("not-allowed"):
        call_nobody(world, "desk.portal_signup", **asked)


def test_a_sign_up_is_finished_by_a_letter(mailed: World) -> None:
    open_desk(mailed)
    asked = {"email": "nat@north.example", "name": "Nat North", "password": SECRET}
    waiting = {"customer": None, "token": None, "verify": True}
    assert call_nobody(mailed, "desk.portal_signup", **asked) == waiting
    mailed.advance(1)
    eventually(lambda: letters(mailed, "nat@north.example"))
    assert call(mailed, "ana", "desk.customers") == []
    token = link(letters(mailed, "nat@north.example")[0])
    session = call_nobody(mailed, "desk.portal_verify", token=token)
    assert session["customer"]["active"] is True
    with refused("not-found"):
        call_nobody(mailed, "desk.portal_verify", token=token)
    assert call_nobody(mailed, "desk.portal_login", email="nat@north.example", password=SECRET)["token"]


def test_a_link_lets_nobody_new_in_once_sign_up_is_closed(mailed: World) -> None:
    open_desk(mailed)
    asked = {"email": "nat@north.example", "name": "Nat North", "password": SECRET}
    call_nobody(mailed, "desk.portal_signup", **asked)
    mailed.advance(1)
    eventually(lambda: letters(mailed, "nat@north.example"))
    token = link(letters(mailed, "nat@north.example")[0])
    for change in ({"open_signup": False}, {"enabled": False, "open_signup": True}):
        call(mailed, "ana", "desk.save", project="WEB", **change)
        seq = mailed.database.seq
        with refused("not-allowed"):
            call_nobody(mailed, "desk.portal_verify", token=token)
        assert mailed.events_since(seq) == []
    call(mailed, "ana", "desk.save", project="WEB", enabled=True)
    assert call_nobody(mailed, "desk.portal_verify", token=token)["customer"]["active"]


def test_who_reads_the_mail_says_the_password_and_not_who_asked(mailed: World) -> None:
    open_desk(mailed)
    asked = {"email": "nat@north.example", "name": "Nat North", "password": "chosen by somebody else"}
    call_nobody(mailed, "desk.portal_signup", **asked)
    mailed.advance(1)
    eventually(lambda: letters(mailed, "nat@north.example"))
    token = link(letters(mailed, "nat@north.example")[0])
    with refused("invalid-input"):
        call_nobody(mailed, "desk.portal_verify", token=token, password="short")
    assert call_nobody(mailed, "desk.portal_verify", token=token, password=SECRET)["token"]
    with refused("unauthenticated"):
        call_nobody(mailed, "desk.portal_login", email=asked["email"], password=asked["password"])
    assert call_nobody(mailed, "desk.portal_login", email=asked["email"], password=SECRET)["token"]


def test_a_known_address_gets_the_same_answer_and_a_letter_that_says_so(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita:
        asked = {"email": rita.email, "name": "Somebody", "password": SECRET}
        assert call_nobody(mailed, "desk.portal_signup", **asked) == {
            "customer": None,
            "token": None,
            "verify": True,
        }
        mailed.advance(1)
        eventually(lambda: letters(mailed, rita.email))
        assert "you have one" in letters(mailed, rita.email)[0]["text"]
        assert [one["name"] for one in call(mailed, "ana", "desk.customers")] == ["Rita Rivers"]


def test_a_forgotten_password_is_set_anew_by_a_letter(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita:
        for email in (rita.email, "nobody@rivers.example"):
            assert call_nobody(mailed, "desk.portal_start_reset", email=email) == {"ok": True}
        mailed.advance(1)
        eventually(lambda: letters(mailed, rita.email))
        assert letters(mailed, "nobody@rivers.example") == []
        token = link(letters(mailed, rita.email)[0])
        with refused("invalid-input"):
            call_nobody(mailed, "desk.portal_submit_reset", token=token, password="short")
        session = call_nobody(mailed, "desk.portal_submit_reset", token=token, password=SECRET)
        assert session["customer"]["id"] == rita.id
        with refused("unauthenticated"):
            rita.call("desk.portal_me")
        with refused("not-found"):
            call_nobody(mailed, "desk.portal_submit_reset", token=token, password=SECRET)


def test_a_link_to_a_new_password_opens_nothing_for_who_was_blocked_meanwhile(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita:
        call_nobody(mailed, "desk.portal_start_reset", email=rita.email)
        mailed.advance(1)
        eventually(lambda: letters(mailed, rita.email))
        call(mailed, "ana", "desk.customer_block", id=rita.id, blocked=True)
        with refused("not-found"):
            token = link(letters(mailed, rita.email)[0])
            call_nobody(mailed, "desk.portal_submit_reset", token=token, password=SECRET)


def test_guesses_are_counted_apart_from_those_on_members(world: World) -> None:
    open_desk(world)
    with customer(world, "rita") as rita:
        for _ in range(10):
            with refused("unauthenticated"):
                call_nobody(world, "desk.portal_login", email=rita.email, password="wrong guess")
        with refused("rate-limited"):
            call_nobody(world, "desk.portal_login", email=rita.email, password="wrong guess")
        world.advance(16 * 60)
        with refused("unauthenticated"):
            call_nobody(world, "desk.portal_login", email=rita.email, password="wrong guess")
