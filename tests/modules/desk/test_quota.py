"""How much a customer sends by the portal, and how much of what was said they read at once."""

import html
import re

import pytest

from tests.api.pages.test_pages import Browser, Seen
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import SECRET, HelpDesk, open_desk

HOUR_S = 3600


def links(page: Seen) -> list[str]:
    return [html.unescape(one) for one in re.findall(r'<a href="([^"]+)"', page.text)]


def test_a_customer_sends_twenty_requests_and_answers_an_hour(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    key = rita.ask()
    rita.call("desk.portal_transition", key=key, action="close", note="It came")
    rita.call("desk.portal_transition", key=key, action="reopen")
    world.advance(600)
    for number in range(17):
        rita.call("desk.portal_comment", key=key, body=f"Number {number}")
    seq = world.database.seq
    with refused("rate-limited") as refusal:
        rita.call("desk.portal_comment", key=key, body="Once more")
    assert "go on in 50 minutes" in str(refusal.value)
    for op, value in (
        ("desk.portal_transition", {"key": key, "action": "close", "note": "Once more"}),
        ("desk.portal_transition", {"key": key, "action": "close"}),
        ("desk.portal_create", {"title": "Once more", "type": 1, "values": {}}),
    ):
        with refused("rate-limited"):
            rita.call(op, **value)
    assert world.events_since(seq) == []
    nat.call("desk.portal_comment", key=nat.ask(), body="That is another customer")
    world.advance(HOUR_S - 600)
    rita.call("desk.portal_comment", key=key, body="Once more")
    assert rita.thread(key)["comments"][-1]["body"] == "Once more"


def test_a_request_that_is_closed_and_reopened_again_and_again_counts(help_desk: HelpDesk) -> None:
    """Whoever works on it hears of each, as of an answer."""
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    for number in range(19):
        rita.call("desk.portal_transition", key=key, action=("close", "reopen")[number % 2])
    seq = world.database.seq
    with refused("rate-limited") as refusal:
        rita.call("desk.portal_transition", key=key, action="reopen")
    assert "requests, answers and changes" in str(refusal.value)
    assert (world.events_since(seq), rita.thread(key)["request"]["category"]) == ([], "done")
    world.advance(HOUR_S)
    for _ in range(25):  # what is refused does not count
        with refused("conflict"):
            rita.call("desk.portal_transition", key=key, action="close")
    rita.call("desk.portal_transition", key=key, action="reopen")


def test_what_is_refused_does_not_count(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(world, "ana", "issues.lock", key=key, on=True)
    for _ in range(25):
        with refused("conflict"):
            rita.call("desk.portal_comment", key=key, body="Number 17")
    call(world, "ana", "issues.lock", key=key, on=False)
    rita.call("desk.portal_comment", key=key, body="Number 17")


@pytest.mark.parametrize(
    ("op", "field", "more"),
    [
        ("desk.portal_comment", "body", {}),
        ("desk.portal_transition", "note", {"action": "close"}),
    ],
)
def test_a_customer_says_no_more_at_once_than_a_mail_does(
    help_desk: HelpDesk, op: str, field: str, more: dict[str, str]
) -> None:
    rita, key = help_desk.rita, help_desk.rita.ask()
    with refused("invalid-input") as refusal:
        rita.call(op, key=key, **{field: "x" * 100_001}, **more)
    assert refusal.value.extra["errors"][0]["path"] == field
    assert "100,000" in str(refusal.value)
    rita.call(op, key=key, **{field: "x" * 100_000}, **more)


def test_a_description_is_no_longer_either(help_desk: HelpDesk) -> None:
    with refused("invalid-input") as refusal:
        help_desk.rita.ask(description="x" * 100_001)
    assert refusal.value.extra["errors"][0]["path"] == "values.description"
    help_desk.rita.ask(description="x" * 100_000)


def test_what_was_said_is_read_in_parts_the_latest_first(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    assert rita.thread(key)["older"] is None
    for number in range(120):
        call(world, "cy", "comments.create", subject=f"issue:{key}", body=f"Answer {number}")
        call(world, "cy", "comments.create", subject=f"issue:{key}", body="Note", internal=True)
    read: list[str] = []
    part = rita.thread(key)
    read[:0] = [one["body"] for one in part["comments"]]
    assert read == [f"Answer {number}" for number in range(70, 120)]
    while part["older"] is not None:
        part = rita.call("desk.portal_request", key=key, cursor=part["older"])
        assert len(part["comments"]) in (50, 20)
        read[:0] = [one["body"] for one in part["comments"]]
    assert read == [f"Answer {number}" for number in range(120)]
    cursor = rita.thread(key)["older"]
    with refused("invalid-input"):
        rita.call("desk.portal_request", key=rita.ask(), cursor=cursor)
    with refused("not-found"):
        help_desk.nat.call("desk.portal_request", key=key, cursor=cursor)


def test_the_page_says_that_there_is_more_and_leads_there(world: World) -> None:
    open_desk(world)
    browser = Browser(world.url)
    page = browser.get("/portal/signup")
    browser.fill(page, "/portal/signup", name="Nat North", email="nat@north.example", password=SECRET)
    browser.post("/portal/new", {"type": 2, "title": "My order", "asked": ["description"]})
    for number in range(51):
        call(world, "cy", "comments.create", subject="issue:WEB-1", body=f"Answer {number}.")
    latest = browser.get("/portal/requests/WEB-1")
    assert ("Answer 0." in latest.words, "Answer 1." in latest.words) == (False, True)
    (way,) = [one for one in links(latest) if "cursor=" in one]
    earlier = browser.get(way)
    assert ("Answer 0." in earlier.words, "Answer 1." in earlier.words) == (True, False)
    assert not any("cursor=" in one for one in links(earlier))
    assert "/portal/requests/WEB-1" in links(earlier)
    world.advance(2 * HOUR_S)
    late = browser.get(way)
    assert (late.status, "Answer 50." in late.words) == (200, True)
