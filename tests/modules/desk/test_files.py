"""Files of requests: what customers send, and what of the desk's they see."""

import base64
import contextlib
from typing import Any

import pytest

from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import Customer, HelpDesk

DATA = base64.b64encode(b"Number 17\n").decode()


def sent(who: Customer, key: str, name: str = "order.txt", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = who.call("desk.portal_upload", **{"key": key, "name": name, "data": DATA} | more)
    return found


def names(who: Customer, key: str) -> list[str]:
    return [one["name"] for one in who.thread(key)["files"]]


def test_a_customer_sends_a_file_and_gets_it_back(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    key = rita.ask()
    seq = world.database.seq
    made = sent(rita, key, "../secret/order.txt")
    assert (made["name"], made["created_by"], made["size"]) == ("order.txt", f"customer:{rita.id}", 10)
    assert world.events_since(seq) == [("attachment.added", "issue:1")]
    assert [one["id"] for one in call(world, "cy", "attachments.list", subject=f"issue:{key}")] == [
        made["id"]
    ]
    assert rita.call("desk.portal_view_file", key=key, id=made["id"])["data"] == DATA
    other = nat.ask()
    for where in (key, other):
        with refused("not-found"):
            nat.call("desk.portal_view_file", key=where, id=made["id"])
    with refused("not-found"):
        sent(nat, key)
    call(world, "cy", "desk.requester_set", key=key, add=[nat.email])
    assert names(nat, key) == ["order.txt"]
    call(world, "ana", "attachments.delete", id=made["id"])
    assert names(nat, key) == []
    with refused("not-found"):
        rita.call("desk.portal_view_file", key=key, id=made["id"])


def test_files_of_the_team_never_leave(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    note = call(world, "cy", "comments.create", subject=f"issue:{key}", body="Hush", internal=True)["id"]
    said = call(world, "cy", "comments.create", subject=f"issue:{key}", body="Here")["id"]
    made = {
        where: call(world, "cy", "attachments.add", subject=where, name=f"{at}.txt", data=DATA)["id"]
        for at, where in enumerate((f"issue:{key}", f"comment:{note}", f"comment:{said}"))
    }
    assert names(rita, key) == ["2.txt"]
    assert rita.call("desk.portal_view_file", key=key, id=made[f"comment:{said}"])["data"] == DATA
    for where in (f"issue:{key}", f"comment:{note}"):
        with refused("not-found"):
            rita.call("desk.portal_view_file", key=key, id=made[where])
    call(world, "cy", "comments.delete", id=said)
    assert names(rita, key) == []


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"data": "no base64!"}, "invalid-input"),
        ({"name": ".."}, "invalid-input"),
        ({"key": "WEB-99"}, "not-found"),
        ({"name": "run.exe"}, "invalid-input"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(help_desk: HelpDesk, value: dict[str, Any], slug: str) -> None:
    world, rita = help_desk.world, help_desk.rita
    call(world, "ana", "org.update", allowed_files=[".txt"])
    key = rita.ask()
    with refused(slug):
        sent(rita, **{"key": key} | value)
    call(world, "ana", "issues.lock", key=key, on=True)
    with refused("conflict"):
        sent(rita, key)


def test_a_request_takes_a_hundred_files(help_desk: HelpDesk) -> None:
    rita = help_desk.rita
    key = rita.ask()
    for number in range(100):
        sent(rita, key, f"{number}.txt")
    with refused("conflict"):
        sent(rita, key)


def test_an_answer_shows_files(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    note = call(world, "cy", "comments.create", subject=f"issue:{key}", body="Hush", internal=True)["id"]
    mine, hushed = (
        call(world, "cy", "attachments.add", subject=where, name=name, data=DATA)["id"]
        for where, name in ((f"issue:{key}", "plan.txt"), (f"comment:{note}", "canaryword.txt"))
    )
    seq = world.database.seq
    for wrong in (hushed, "a_nosuch"):
        with refused("invalid-input" if wrong == hushed else "not-found"):
            call(world, "cy", "desk.send_reply", key=key, body="Here", attachments=[wrong])
    assert world.events_since(seq) == []
    call(world, "cy", "desk.send_reply", key=key, body="Here", attachments=[mine, mine])
    assert names(rita, key) == ["plan.txt"]
    assert rita.call("desk.portal_view_file", key=key, id=mine)["data"] == DATA


def test_a_file_that_is_too_large_for_an_answer_is_named_and_not_sent(
    help_desk: HelpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rita = help_desk.rita
    key = rita.ask()
    made = sent(rita, key)
    for most in (10, 9):
        monkeypatch.setattr("kbwork.modules.attachments.files.MOST_DATA_BYTES", most)
        with contextlib.nullcontext() if most == 10 else refused("too-large"):
            assert rita.call("desk.portal_view_file", key=key, id=made["id"])["data"] == DATA
    assert names(rita, key) == ["order.txt"]
