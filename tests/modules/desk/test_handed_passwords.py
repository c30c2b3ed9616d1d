"""A password that an agent made opens that agent's desks, until the customer has one of their own."""

import re

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.desk.helpdesk import SECRET, Customer, HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters


def elsewhere(world: World, rita: Customer) -> str:
    """A request at a desk where Di does not work."""
    open_desk(world, "SEC", name="Safety")
    kind = call(world, "cy", "desk.request_types", project="SEC")[0]["id"]
    asked = {"project": "SEC", "type": kind, "customer": rita.email, "title": "canaryword"}
    return str(call(world, "cy", "desk.request_create", **asked)["key"])


def test_it_opens_the_desks_of_whoever_made_it(help_desk: HelpDesk) -> None:
    world = help_desk.world
    with customer(world, "zoe", "di") as zoe:
        assert zoe.call("desk.portal_me")["limited"] is True
        own = zoe.ask()
        other = elsewhere(world, zoe)
        assert [one["key"] for one in zoe.call("desk.portal_requests")] == [own]
        assert zoe.call("desk.portal_me")["requests"] == 1
        for op, value in (
            ("desk.portal_request", {}),
            ("desk.portal_comment", {"body": "x"}),
            ("desk.portal_upload", {"name": "a.txt", "data": ""}),
            ("desk.portal_transition", {"action": "close"}),
            ("desk.portal_watch", {"add": []}),
        ):
            with refused("not-found"):
                zoe.call(op, key=other, **value)
        kind = call(world, "cy", "desk.request_types", project="SEC")[0]["id"]
        with refused("not-allowed"):
            zoe.ask("Elsewhere", kind)
        found = zoe.call("desk.portal_update", password=SECRET, current=password_of(world, zoe))
        assert found["limited"] is False  # no mail is sent here: nobody has more than the password to show
        assert {one["key"] for one in zoe.call("desk.portal_requests")} == {own, other}


def password_of(world: World, who: Customer) -> str:
    """One that is known, in the place of that which was handed over, with the same desks and token."""
    from kbwork.modules import auth

    hashed = auth.hashed("known to both of us")
    world.database.write_now(
        lambda tx: tx.execute("update customer set password = :p where id = :id", p=hashed, id=who.id)
    )
    return "known to both of us"


def test_only_a_letter_ends_that_where_mail_is_sent(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "zoe", "di") as zoe:
        other = elsewhere(mailed, zoe)
        changed = "six birds on a wire"
        found = zoe.call("desk.portal_update", password=changed, current=password_of(mailed, zoe))
        assert (found["limited"], found["requests"]) == (True, 0)
        token = call_nobody(mailed, "desk.portal_login", email=zoe.email, password=changed)["token"]
        with Kbwork(mailed.url, token) as again, refused("not-found"):
            again.call("desk.portal_request", {"key": other})
        call_nobody(mailed, "desk.portal_start_reset", email=zoe.email)
        mailed.advance(1)
        eventually(lambda: any("/portal/reset" in one["text"] for one in letters(mailed, zoe.email)))
        text = next(one["text"] for one in letters(mailed, zoe.email) if "/portal/reset" in one["text"])
        link = re.search(r"token=(\S+)", text)
        assert link is not None
        made = call_nobody(mailed, "desk.portal_submit_reset", token=link[1], password=SECRET)
        assert (made["customer"]["limited"], made["customer"]["requests"]) == (False, 1)
        with Kbwork(mailed.url, made["token"]) as own:
            assert own.call("desk.portal_request", {"key": other})["request"]["title"] == "canaryword"
        with refused("not-found"):
            call(mailed, "di", "desk.customer_reset", id=zoe.id)


def test_what_comes_by_mail_is_bound_to_no_password(help_desk: HelpDesk) -> None:
    world = help_desk.world
    with customer(world, "zoe", "di") as zoe:
        other = elsewhere(world, zoe)
        call(world, "cy", "desk.send_reply", key=other, body="Hello")
        assert zoe.call("desk.portal_requests") == []
        listed = call(world, "cy", "desk.customers", q="zoe")
        assert (listed[0]["limited"], listed[0]["requests"]) == (True, 1)
