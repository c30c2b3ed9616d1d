"""The inbox of the web app in Chromium: what waits for somebody, why, and what they do with it by keys alone."""

from collections.abc import Sized
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from tests.browser.app import Opens, choose, comes, intercept, opens, unanswered
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, shop, state
from tests.modules.notifications.inboxes import follow
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

NASTY = "<img src=x onerror=alert(1)> asks @cy"


def lines(page: Page) -> Locator:
    return page.locator(".entry .name")


def test_what_waits_comes_at_once_is_read_and_done_with_by_keys(world: World, opens: Opens) -> None:
    mine, other = issue(world, title="Mine"), issue(world, title="Other")
    page = opens("cy", "/inbox")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    second = page.context.new_page()
    second.goto(f"{world.url}/")
    call(world, "bo", "issues.assign", key=mine, assignees=["@cy"])
    call(world, "bo", "comments.create", subject=f"issue:{other}", body=NASTY)
    follow(world)
    for tab in (page, second):
        expect(tab.get_by_label("2 unread")).to_be_visible()
    expect(lines(page)).to_have_text(["WEB-2 Other", "WEB-1 Mine"])
    expect(page.locator(".entry").first).to_contain_text("you were mentioned")
    assert faults(page) == []
    page.keyboard.press("j")
    expect(page.locator(".about .said").last).to_contain_text("asks @cy")
    expect(page.get_by_label("1 unread")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    page.keyboard.press("m")  # answered on the spot
    page.keyboard.type("On it")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".about .said").last).to_contain_text("On it")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.locator(".entry.on")).to_contain_text("Mine")
    expect(lines(page)).to_have_text(["WEB-1 Mine"])
    page.keyboard.press("h")
    choose(page, "tomorrow")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    expect(second.locator(".unread-count")).to_have_count(0)
    assert [one["title"] for one in call(world, "cy", "notifications.list", state="archived")["items"]] == [
        "WEB-2 Other"
    ]
    page.get_by_role("button", name="Snoozed").click()
    expect(page.locator(".entry")).to_contain_text("Mine")
    page.get_by_role("button", name="Done", exact=True).first.click()
    page.locator(".entry").click()
    page.get_by_role("button", name="Back to the inbox").click()
    page.get_by_role("button", name="Unread", exact=True).click()
    expect(page.locator(".entry")).to_contain_text("Other")


def test_an_entry_says_what_it_came_for_and_that_more_came_behind_it(world: World, opens: Opens) -> None:
    key = issue(world, title="Basket")
    call(world, "cy", "issues.watch", key=key, on=True)
    follow(world)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Is it so, @cy?")
    call(world, "bo", "issues.update", key=key, priority="low")
    call(world, "bo", "issues.transition", key=key, to_status="in_progress")
    follow(world)
    page = opens("cy", "/inbox")
    entry = page.locator(".entry")
    expect(entry).to_contain_text("Bo Tran mentioned you: Is it so")
    expect(entry).to_contain_text("you were mentioned · 2 things more")
    page.keyboard.press("j")
    expect(page.locator(".news li")).to_have_count(3)


def test_less_of_it_and_how_one_is_told(world: World, opens: Opens) -> None:
    key = issue(world, title="Loud")
    call(world, "cy", "issues.watch", key=key, on=True)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Again")
    follow(world)
    page = opens("cy", "/inbox")
    page.locator(".entry").click()
    page.get_by_role("button", name="Fewer like this").click()
    choose(page, "loud")
    expect(page.get_by_role("status").filter(has_text="You will hear less of this.")).to_be_visible()
    page.get_by_role("link", name="How you are told").click()
    expect(page.get_by_text(f"{key} Loud")).to_be_visible()
    page.get_by_label("you watch it: Mail").check()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.get_by_label("Together").select_option("daily")
    page.get_by_label("At", exact=True).fill("07:30")
    page.get_by_label("No mail and no push from").first.check()
    page.get_by_role("textbox", name="Before something of yours is due").fill("1, 3")
    page.keyboard.press("Tab")
    page.get_by_label("Website").check()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page) == []
    page.get_by_role("button", name="Hear of it again").click()
    expect(page.get_by_text("Nothing.", exact=True)).to_be_visible()

    def told() -> tuple[Any, ...]:
        found = call(world, "cy", "notifications.settings")
        when = found["digest"], found["digest_at"], found["quiet"]["from"], found["due_before_days"]
        return found["channels"]["watching"], *when, found["own_projects"], found["muted"]

    comes(page, told, (["inbox", "mail"], "daily", "07:30", "20:00", [1, 3], ["WEB"], []))


def test_on_a_phone_what_was_closed_stays_until_one_goes_on(world: World, opens: Opens) -> None:
    key = issue(world, title="Loud")
    call(world, "bo", "issues.assign", key=key, assignees=["@cy"])
    follow(world)
    page = opens("cy", "/inbox")
    page.set_viewport_size({"width": 390, "height": 800})
    page.locator(".entry").click()
    expect(page.locator(".entries")).to_be_hidden()
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".entry")).to_be_visible()
    with page.expect_response("**/notifications.list"):
        call(world, "bo", "issues.assign", key=issue(world, title="Next"), assignees=["@cy"])
        follow(world)
    expect(lines(page)).to_have_text(["WEB-2 Next", f"{key} Loud"])
    page.get_by_role("link", name="How you are told").click()
    page.go_back()
    expect(lines(page)).to_have_text(["WEB-2 Next"])


def test_two_settings_that_are_turned_at_once_are_both_kept(world: World, opens: Opens) -> None:
    page = opens("cy", "/inbox/settings")
    held: list[Route] = []
    intercept(page, "**/notifications.settings_set", held.append)
    page.get_by_label("you watch it: Mail").check()
    page.get_by_label("you watch it: This browser").check()  # before the server answered
    while len(held) < 2:
        page.wait_for_timeout(20)
    for call_ in held:
        call_.continue_()
        call_.request.response()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert call(world, "cy", "notifications.settings")["channels"]["watching"] == ["inbox", "mail", "push"]


def test_an_answer_from_before_takes_nothing_away_that_is_read(world: World, opens: Opens) -> None:
    key = issue(world, title="Looked at")
    call(world, "cy", "issues.watch", key=key, on=True)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="First")
    follow(world)
    page = opens("cy", "/inbox")
    expect(page.locator(".entry")).to_have_count(1)
    late: list[tuple[Route, APIResponse]] = []
    reads: list[Route] = []

    def answer(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    intercept(page, "**/notifications.list", answer)
    intercept(page, "**/notifications.read", reads.append)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Second")
    follow(world)
    wait(page, late)
    page.locator(".entry").click()
    wait(page, reads)
    route, before = late[0]
    route.fulfill(response=before)
    page.wait_for_timeout(100)
    with page.expect_response("**/notifications.list"):
        reads[0].continue_()
    page.wait_for_timeout(100)
    expect(page.locator(".entry")).to_have_count(1)
    expect(page.get_by_role("button", name="Fewer like this")).to_be_visible()


def test_an_entry_that_is_looked_at_stays_when_others_come_before_it_is_known_to_be_read(
    world: World, opens: Opens
) -> None:
    first, second = issue(world, title="First"), issue(world, title="Second")
    call(world, "bo", "issues.assign", key=first, assignees=["@cy"])
    follow(world)
    page = opens("cy", "/inbox")
    listed: list[str] = []
    page.on(
        "response", lambda answer: listed.append(answer.url) if "notifications.list" in answer.url else None
    )
    with unanswered(page, "notifications.read", page.locator(".entry")):
        call(world, "bo", "issues.assign", key=second, assignees=["@cy"])
        follow(world)
        expect(lines(page)).to_have_text(["WEB-2 Second", "WEB-1 First"])
        expect(page.locator(".entry.unread .name")).to_have_text("WEB-2 Second")
        listed.clear()
    wait(page, listed)
    page.wait_for_timeout(100)
    expect(lines(page)).to_have_text(["WEB-2 Second", "WEB-1 First"])
    expect(page.locator(".entry.on")).to_contain_text("First")
    expect(page.get_by_role("button", name="Fewer like this")).to_be_visible()
    expect(page.get_by_label("1 unread")).to_be_visible()


def test_what_came_while_the_stream_was_broken_is_shown_when_there_is_one_again(
    world: World, opens: Opens
) -> None:
    key = issue(world, title="Looked at")
    call(world, "cy", "issues.watch", key=key, on=True)
    page = opens("cy", "/inbox")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    held: list[Route] = []
    intercept(page, "**/api/v1/stream?*", held.append)
    assert world.app is not None
    stream = world.app.stream
    assert stream._loop is not None
    stream._loop.call_soon_threadsafe(stream.close)
    wait(page, held)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Meanwhile")
    follow(world)
    page.wait_for_timeout(100)
    expect(page.locator(".entry")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".entry")).to_have_count(1)


def wait(page: Page, until: Sized) -> None:
    """Until something is in it."""
    for _ in range(200):
        if len(until):
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing came")


def draw(page: Page, entry: Locator, by: int) -> None:
    """By a finger, from its middle."""
    session = page.context.new_cdp_session(page)
    box = entry.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, moved in (("touchStart", 0), ("touchMove", by / 2), ("touchMove", by), ("touchEnd", None)):
        points = [] if moved is None else [{"x": x + moved, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


def test_on_a_phone_an_entry_is_drawn_aside(world: World, opens: Opens) -> None:
    first, second = issue(world, title="First"), issue(world, title="Second")
    for key in (first, second):
        call(world, "bo", "issues.assign", key=key, assignees=["@cy"])
    follow(world)
    page = opens("cy", "/inbox")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(lines(page)).to_have_count(2)
    draw(page, page.locator(".entry").last, -60)  # too little: it goes back to its place
    expect(lines(page)).to_have_count(2)
    draw(page, page.locator(".entry").last, -180)
    expect(lines(page)).to_have_text([f"{second} Second"])
    draw(page, page.locator(".entry").first, 180)
    choose(page, "tomorrow")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()

    def kept(state: str) -> list[str]:
        return [one["title"] for one in call(world, "cy", "notifications.list", state=state)["items"]]

    comes(page, lambda: (kept("archived"), kept("snoozed")), ([f"{first} First"], [f"{second} Second"]))


def test_a_change_of_a_flag_is_decided_there(world: World, opens: Opens) -> None:
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    flag(world)
    call(
        world,
        "cy",
        "flags.change_create",
        project="shop",
        kind="flag",
        target="checkout",
        environment="production",
        instructions=[{"kind": "turnFlagOn"}],
    )
    follow(world)
    page = opens("bo", "/inbox")
    expect(page.locator(".entry")).to_have_count(1)
    page.keyboard.press("j")
    about = page.locator(".about")
    expect(about).to_contain_text("Turn targeting on.")
    expect(about).to_contain_text("Because you are asked to approve")
    assert faults(page) == []
    about.get_by_role("button", name="Approve").click()
    expect(about).to_contain_text("Applied")
    comes(page, lambda: state(world, "production")["on"], True)
    page.keyboard.press("e")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    follow(world)
    asking = opens("cy", "/inbox")
    expect(asking.locator(".entry")).to_have_count(1)
    expect(asking.locator(".entry")).to_contain_text(
        "you asked for the approval"
    )  # who asked decides nothing
