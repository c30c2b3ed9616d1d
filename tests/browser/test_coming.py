"""What others bring into a list while somebody is in it, in Chromium: it waits, and moves nothing under the pointer."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, opens, row
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def new(page: Page, count: int) -> Any:
    return page.locator(".came").get_by_role("button", name=f"{count} new")


def test_what_others_make_waits_while_somebody_is_in_the_list(world: World, opens: Opens) -> None:
    first = issue(world, title="Vouchers")
    page = opens("cy", "/projects/WEB")
    expect(row(page, first)).to_be_visible()
    early = issue(world, "bo", title="Nobody is in it yet")
    expect(row(page, early)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator(".row.on")).to_have_count(1)
    late, later = issue(world, "bo", title="Gift cards"), issue(world, "bo", title="Receipts")
    expect(new(page, 2)).to_be_visible()
    expect(page.locator(".row.issue")).to_have_count(2)
    assert faults(page) == []
    page.keyboard.press("c")
    expect(page.get_by_placeholder("What is to be done?")).to_be_focused()
    page.keyboard.type("My own")
    page.keyboard.press("Enter")
    expect(page.locator(".row.issue").filter(has_text="My own")).to_be_visible()  # at once
    expect(new(page, 2)).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("u")
    for key in (late, later):
        expect(row(page, key)).to_be_visible()
    expect(new(page, 2)).to_have_count(0)
    page.keyboard.press("p")  # the cursor stayed where it was
    choose(page, "urgent")
    expect(page.locator(".row.on").get_by_role("button", name="Priority: Urgent")).to_be_visible()


def test_what_comes_to_fit_waits_too_but_not_by_ones_own_doing(world: World, opens: Opens) -> None:
    high, low = (issue(world, "bo", title=name, priority=name) for name in ("high", "low"))
    page = opens("cy", "/projects/WEB?tql=priority+%3D+high")
    row(page, high).click()
    expect(page.locator("article")).to_be_visible()
    call(world, "bo", "issues.update", key=low, priority="high")
    new(page, 1).click()
    expect(row(page, low)).to_be_visible()
    row(page, low).get_by_role("button", name="Priority").click()
    choose(page, "low")
    expect(row(page, low)).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(row(page, low)).to_be_visible()
    expect(new(page, 1)).to_have_count(0)
