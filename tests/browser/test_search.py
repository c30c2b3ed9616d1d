"""The page of search in Chromium: hits of every kind, narrowed by buttons that write what one could type, and worked on
by keys.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Opens, choose, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def hits(page: Page) -> Locator:
    return page.locator(".hit .title")


def chip(page: Page, name: str) -> Locator:
    return page.locator(".narrow").get_by_role("button", name=name)


def asked(page: Page) -> str:
    found: str = page.get_by_label("Search everything").input_value()
    return found


def test_all_that_fits_is_narrowed_and_worked_on_where_it_stands(world: World, opens: Opens) -> None:
    late = issue(world, title="Vouchers expire too late")
    other = issue(world, title="Something else")
    call(world, "bo", "comments.create", subject=f"issue:{other}", body="the voucher says <img src=x> & more")
    page = opens("cy")
    page.keyboard.press("/")
    box = page.locator("dialog.palette input")
    expect(box).to_be_focused()
    page.keyboard.type("voucher")
    page.get_by_role("option", name="All that fits “voucher”").click()
    expect(page).to_have_url(f"{world.url}/search?q=voucher")
    expect(hits(page)).to_have_count(2)
    expect(page.locator(".hit mark")).to_have_text(["voucher"])
    expect(page.locator(".hit .said-of")).to_have_text(["the voucher says <img src=x> & more"])
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    chip(page, "Comments 1").click()
    assert asked(page) == "voucher kind:comment"
    expect(hits(page)).to_have_count(1)
    expect(chip(page, "Issues 1")).to_be_visible()  # how many there are without the filter
    page.reload()
    expect(chip(page, "Comments 1")).to_have_attribute("aria-pressed", "true")
    chip(page, "Comments 1").click()
    expect(hits(page)).to_have_count(2)
    page.get_by_label("Search everything").focus()
    page.keyboard.press("ArrowDown")  # to the hits, of which the first is on
    while "late" not in page.locator(".hit.on .title").inner_text():
        page.keyboard.press("j")
    page.keyboard.press("p")
    choose(page, "urgent")
    comes(page, lambda: call(world, "cy", "issues.get", key=late)["priority"], "urgent")
    expect(page.locator(".hits")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("aside.peek [data-title]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("aside.peek")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{world.url}/issues/{late}")
    page.go_back()
    expect(hits(page)).to_have_count(2)


def test_who_goes_over_what_is_found_asks_for_none_of_it(world: World, opens: Opens) -> None:
    for number in range(4):
        issue(world, title=f"Printer {number}")
    page = opens("cy", "/search")
    page.get_by_label("Search everything").fill("printer")
    expect(hits(page)).to_have_count(4)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    assert "api.batch" not in asked
    page.keyboard.press("Escape")
    with page.expect_request("**/api/v1/api.batch"):
        page.keyboard.press("Space")
    expect(page.locator(".peek article")).to_be_visible()
    assert asked.count("api.batch") == 1


def test_what_is_found_becomes_a_list_and_what_is_not_says_what_to_do(world: World, opens: Opens) -> None:
    key = issue(world, title="Printer on fire")
    page = opens("cy", "/search")
    expect(
        page.get_by_text("You looked at these last").or_(page.get_by_text("What are you looking for?"))
    ).to_be_visible()
    expect(page.get_by_label("Search everything")).to_be_focused()
    page.keyboard.type("printer is:done")
    expect(page.get_by_text("Nothing fits.")).to_be_visible()
    page.get_by_role("button", name="Look without the filters").click()
    expect(hits(page)).to_have_text(["Printer on fire"])
    page.get_by_label("Search everything").fill("printer in:NOPE")
    expect(page.locator(".empty strong")).to_contain_text("NOPE")
    page.get_by_label("Search everything").fill("printer")
    expect(page.get_by_role("status").filter(has_text="1 found")).to_be_visible()
    page.get_by_role("link", name="As a list of issues").click()
    expect(page.locator(".row.issue .key")).to_have_text([key])
    page.go_back()
    expect(hits(page)).to_have_text(["Printer on fire"])
    page.context.set_offline(True)
    page.get_by_label("Search everything").fill("prnter fire")
    expect(
        page.get_by_text("The server does not answer: what is found is found in the titles")
    ).to_be_visible()
    expect(hits(page)).to_have_text(["Printer on fire"])
    page.context.set_offline(False)
