"""What customers say of themselves, and whom they share requests with."""

from typing import Any

import pytest

from kbwork.modules import auth
from tests.conftest import World
from tests.modules.calls import call, call_nobody, refused
from tests.modules.desk.helpdesk import SECRET, HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters

OTHER = "six mice under a stair"


def test_a_customer_says_who_they_are(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    call(world, "ana", "desk.save", project="WEB", languages=["en", "de"], logo="/logo/portal")
    desk = call_nobody(world, "desk.portal_info")[0]
    assert (desk["languages"], desk["logo"]) == (["en", "de"], "/logo/portal")
    seq = world.database.seq
    found = rita.call("desk.portal_update", name="Rita R.", locale="de", notify=False)
    assert (found["name"], found["locale"], found["notify"]) == ("Rita R.", "de", False)
    assert world.events_since(seq) == []
    assert rita.call("desk.portal_update", locale="") == found | {"locale": None}
    seen = call(world, "cy", "desk.customers", q="Rita R.")
    assert (seen[0]["name"], seen[0]["notify"]) == ("Rita R.", False)
    for wrong in (
        {"locale": "fr"},
        {"name": " "},
        {"password": OTHER},
        {"password": "short", "current": "x"},
    ):
        with refused("invalid-input"):
            rita.call("desk.portal_update", **wrong)


def test_another_password_ends_what_was_signed_in_elsewhere(world: World) -> None:
    open_desk(world)
    made = call_nobody(world, "desk.portal_signup", email="nat@north.example", name="Nat", password=SECRET)
    signed_in = {"email": "nat@north.example", "password": SECRET}
    other = call_nobody(world, "desk.portal_login", **signed_in)["token"]
    client = type(world.session("ana"))
    with client(world.url, made["token"]) as here, client(world.url, other) as there:
        with refused("invalid-input"):
            here.call("desk.portal_update", {"password": OTHER, "current": "wrong horse"})
        there.call("desk.portal_me", {})
        here.call("desk.portal_update", {"password": OTHER, "current": SECRET})
        here.call("desk.portal_me", {})
        with refused("unauthenticated"):
            there.call("desk.portal_me", {})
        for _ in range(9):
            with refused("invalid-input"):
                here.call("desk.portal_update", {"password": SECRET, "current": "wrong horse"})
        with refused("rate-limited"):
            here.call("desk.portal_update", {"password": SECRET, "current": OTHER})
    world.advance(3600)
    with refused("unauthenticated"):
        call_nobody(world, "desk.portal_login", **signed_in)
    call_nobody(world, "desk.portal_login", **signed_in | {"password": OTHER})


def test_who_wants_no_letters_gets_none(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        key = rita.ask()
        rita.call("desk.portal_update", notify=False)
        assert rita.call("desk.portal_watch", key=key, add=[nat.email]) == {"participants": [nat.email]}
        call(mailed, "cy", "desk.send_reply", key=key, body="Here")
        assert letters(mailed, rita.email) == []
        assert len(letters(mailed, nat.email)) == 2


def test_a_request_is_shared_and_left(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    key = rita.ask()
    assert rita.call("desk.portal_watch", key=key) == {"participants": []}
    with refused("not-found"):
        nat.call("desk.portal_watch", key=key)
    seq = world.database.seq
    found = rita.call("desk.portal_watch", key=key, add=[nat.email.upper(), "new@lake.example"])
    assert sorted(found["participants"]) == sorted([nat.email, "new@lake.example"])
    assert [kind for kind, _ in world.events_since(seq)] == ["desk.customer_created", "desk.request_shared"]
    assert nat.thread(key)["request"]["key"] == key
    seq = world.database.seq
    rita.call("desk.portal_watch", key=key, add=[nat.email])
    assert world.events_since(seq) == []
    for value in ({"add": ["more@lake.example"]}, {"remove": ["new@lake.example"]}):
        with refused("not-allowed"):
            nat.call("desk.portal_watch", key=key, **value)
    nat.call("desk.portal_watch", key=key, remove=[nat.email])
    with refused("not-found"):
        nat.thread(key)
    for wrong in ({"remove": [nat.email]}, {"remove": [rita.email]}, {"add": ["no address"]}):
        with refused("invalid-input"):
            rita.call("desk.portal_watch", key=key, **wrong)


def test_a_closed_desk_lets_in_nobody_new(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    call(world, "ana", "desk.save", project="WEB", open_signup=False)
    call(world, "ana", "desk.customer_add", email="lou@lake.example", name="Lou")
    key = rita.ask()
    refusals: list[dict[str, Any]] = []
    for address in ("lou@lake.example", "nobody@lake.example", "nobody@rivers.example"):
        with refused("invalid-input") as told:
            rita.call("desk.portal_watch", key=key, add=[address])
        refusals.append({"detail": told.value.detail})
    assert refusals[0] == refusals[1]  # it does not tell who is a customer elsewhere
    assert rita.call("desk.portal_watch", key=key, add=[nat.email])["participants"] == [nat.email]


@pytest.mark.parametrize("day", [0, 86400])
def test_nobody_shares_with_the_whole_world(help_desk: HelpDesk, day: int) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    rita.call("desk.portal_watch", key=key, add=[f"n{number}@lake.example" for number in range(20)])
    world.advance(day)
    if day:
        rita.call("desk.portal_watch", key=key, add=["more@lake.example"])
        return
    with refused("conflict"):
        rita.call("desk.portal_watch", key=rita.ask(), add=["more@lake.example"])


def test_nobody_is_put_out_of_a_request_by_a_name(help_desk: HelpDesk) -> None:
    rita, nat = help_desk.rita, help_desk.nat
    with customer(help_desk.world, "vic") as vic:
        key = rita.ask()
        rita.call("desk.portal_watch", key=key, add=[nat.email, vic.email])
        nat.call("desk.portal_update", name=vic.email)
        with refused("not-allowed"):
            nat.call("desk.portal_watch", key=key, remove=[vic.email])
        assert rita.call("desk.portal_watch", key=key) == {"participants": [nat.email, vic.email]}


def test_taking_somebody_out_again_shares_no_more_than_twenty_times_a_day(help_desk: HelpDesk) -> None:
    rita = help_desk.rita
    key = rita.ask()
    with refused("invalid-input"):
        rita.call("desk.portal_watch", key=key, add=["a@lake.example"], remove=["A@lake.example"])
    for number in range(20):
        rita.call("desk.portal_watch", key=key, add=[f"n{number}@lake.example"])
        rita.call("desk.portal_watch", key=key, remove=[f"n{number}@lake.example"])
    with refused("conflict"):
        rita.call("desk.portal_watch", key=key, add=["one-more@lake.example"])


@pytest.mark.parametrize("op", ["desk.portal_login", "desk.portal_update"])
def test_who_is_blocked_while_their_password_is_looked_at_comes_to_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, op: str
) -> None:
    open_desk(world)
    made = call_nobody(world, "desk.portal_signup", email="nat@north.example", name="Nat", password=SECRET)
    verified = auth.verified

    def blocks(stored: str | None, password: str) -> bool:
        call(world, "ana", "desk.customer_block", id=made["customer"]["id"], blocked=True)
        return verified(stored, password)

    monkeypatch.setattr(auth, "verified", blocks)
    with type(world.session("ana"))(world.url, made["token"]) as nat, refused("unauthenticated"):
        if op == "desk.portal_login":
            call_nobody(world, op, email="nat@north.example", password=SECRET)
        else:
            nat.call(op, {"name": "Other", "password": OTHER, "current": SECRET})
    monkeypatch.undo()
    call(world, "ana", "desk.customer_block", id=made["customer"]["id"], blocked=False)
    found = call_nobody(world, "desk.portal_login", email="nat@north.example", password=SECRET)["customer"]
    assert found["name"] == "Nat"
