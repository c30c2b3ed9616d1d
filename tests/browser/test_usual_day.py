"""A usual day in Chromium: what a person who leads a team does from the morning to the evening, in one tab."""

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, opens, row, settled
from tests.browser.test_flags import pending, review, strict
from tests.browser.test_issue_page import PASTE, PICTURE
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, state
from tests.modules.notifications.inboxes import follow
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def go(page: Page, place: str) -> None:
    page.get_by_role("navigation", name="Places").get_by_role("link", name=place).click()


def triage(page: Page) -> None:
    """What waits is read from the first to the last, answered where an answer is due, and done with."""
    go(page, "Inbox")
    expect(page.locator(".entry")).to_have_count(2)
    page.keyboard.press("j")
    expect(page.locator(".about .said").last).to_contain_text("when will it be done?")
    page.keyboard.press("m")
    page.keyboard.type("Today.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".about .said").last).to_contain_text("Today.")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.locator(".entry")).to_have_count(1)
    page.keyboard.press("e")
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()


def plan(page: Page, first: str, second: str) -> None:
    """Two cards are begun: one by mouse, one by keys."""
    go(page, "Website")
    page.get_by_role("button", name="Board", exact=True).click()
    doing = page.get_by_role("region", name="In progress")
    row(page, first).drag_to(doing)
    expect(doing.locator(".card .key")).to_have_text([first])
    row(page, second).get_by_role("link").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(doing.locator(".card")).to_have_count(2)


def edit_twenty(page: Page, keys: list[str]) -> None:
    """Each below the cursor gets somebody, by one key and a few letters, and the hands stay on the keys."""
    page.get_by_role("button", name="List", exact=True).click()
    expect(row(page, keys[0])).to_be_visible()
    page.locator(".list").focus()
    for _ in keys:
        page.keyboard.press("j")
        page.keyboard.press("a")
        choose(page, "cy")
    expect(page.locator(".row.issue").filter(has=page.get_by_label("Assignee: Cy Moss"))).to_have_count(
        len(keys)
    )


def show(page: Page, key: str) -> None:
    """A picture is said more than words: it is pasted into a comment."""
    row(page, key).get_by_role("link").click()
    expect(page.locator("article h1")).to_be_visible()
    page.keyboard.press("m")
    page.keyboard.type("It looks like this: ")
    page.evaluate(PASTE, ["shot.png", base64.b64encode(PICTURE).decode()])
    expect(page.get_by_role("button", name="shot.png", exact=True)).to_be_visible()
    page.keyboard.press("Control+Enter")
    picture = page.locator(".said").get_by_role("img", name="shot.png")
    expect(picture).to_be_visible()
    page.go_back()


def raise_all(page: Page) -> None:
    """All that is shown gets more pressing at once, after a look at what would change."""
    expect(page.locator(".row.issue").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("p")
    choose(page, "high")
    page.get_by_role("button", name="Change 22 issues").click()
    expect(page.get_by_role("status").filter(has_text="22 issues changed.")).to_be_visible()


def roll_out(page: Page) -> None:
    """A quarter gets the feature, once somebody else has agreed."""
    go(page, "Flags")
    page.locator(".row.flag").get_by_role("link").first.click()
    page.get_by_role("button", name="production").first.click()
    page.get_by_label("Everybody else", exact=True).first.select_option(label="Shares of several…")
    page.get_by_label("Share of true").fill("25")
    dialog = review(page)
    dialog.get_by_label("Why, for those who approve").fill("It held in test for a week")
    dialog.get_by_role("button", name="Ask for approval").click()
    expect(pending(page)).to_have_count(0)


def test_somebody_works_a_day_without_a_terminal(world: World, opens: Opens) -> None:
    strict(world)
    flag(world, "checkout")
    keys = [issue(world, title=f"Number {at}") for at in range(22)]
    call(world, "bo", "issues.assign", key=keys[1], assignees=["@ana"])
    call(world, "bo", "comments.create", subject=f"issue:{keys[0]}", body="@ana when will it be done?")
    follow(world)
    page = opens("ana")
    triage(page)
    plan(page, keys[0], keys[1])
    edit_twenty(page, keys[2:])
    show(page, keys[2])
    raise_all(page)
    roll_out(page)
    bo = opens("bo", "/flags/shop?show=changes")
    bo.locator(".lines > li").get_by_role("link").first.click()
    bo.get_by_role("button", name="Approve").click()
    expect(bo.locator(".flag-head")).to_contain_text("Applied")
    settled(page)
    shares = state(world, "production", "checkout")["fallthrough"]["rollout"]["variations"]
    assert [(one["variation"], one["weight"]) for one in shares] == [(0, 25_000), (1, 75_000)]
    assert call(world, "ana", "tql.count", tql="priority = high and assignee = cy")["count"] == 20
    assert call(world, "ana", "tql.count", tql="status = 'In progress'")["count"] == 2
    [said] = call(world, "ana", "comments.list", subject=f"issue:{keys[2]}")
    assert said["body"].startswith("It looks like this: \n![shot.png](/files/")
