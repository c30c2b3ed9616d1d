"""The fields of an issue that not every issue has, in Chromium: type, components, estimate, start and parent."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def add(page: Page, field: str) -> None:
    page.locator(".fields").get_by_role("button", name="Field", exact=True).click()
    choose(page, field)
    expect(page.get_by_role("dialog", name=field)).to_be_visible()


def test_fields_are_added_by_click_and_changed_by_keys(world: World, opens: Opens) -> None:
    call(world, "ana", "components.save", project="WEB", name="Checkout")
    above = issue(world, title="All of it", type="epic")
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    fields = page.locator(".fields")
    for field, choice, shown in (
        ("Estimate", "3", "Estimate: 3"),
        ("Components", "check", "Components: Checkout"),
        ("Start", "5 dec", "Start: From"),
    ):
        add(page, field)
        page.keyboard.type(choice)
        expect(page.get_by_role("option").first).to_be_visible()  # a day in words is read by the server
        page.keyboard.press("Enter")
        expect(fields.get_by_role("button", name=shown)).to_be_visible()
        if field == "Components":  # several may be chosen: it stays
            page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    add(page, "Parent")
    choose(page, "all of")
    expect(fields.get_by_role("link", name=above)).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Shift+E")
    choose(page, "2,5")
    expect(fields.get_by_role("button", name="Estimate: 2.5")).to_be_visible()
    page.keyboard.press("Shift+T")
    choose(page, "bug")
    expect(fields.get_by_role("button", name="Type: Bug")).to_be_visible()
    settled(page)
    found = call(world, "cy", "issues.get", key=key)
    assert (found["type"], found["components"], found["estimate"], found["parent"]) == (
        "bug",
        ["Checkout"],
        2.5,
        above,
    )
    assert found["start_date"].endswith("-12-05")
    page.keyboard.press("Control+z")
    expect(fields.get_by_role("button", name="Type: Task")).to_be_visible()
    page.keyboard.press("Shift+P")
    choose(page, "below none")
    expect(fields.get_by_role("link")).to_have_count(0)
    settled(page)
    assert call(world, "cy", "issues.get", key=key)["parent"] is None


def test_a_type_that_does_not_fit_is_refused_in_its_field_alone(world: World, opens: Opens) -> None:
    above = issue(world, title="All of it", type="epic")
    key = issue(world, parent=above)
    page = opens("cy", "/projects/WEB")
    row(page, key).click()
    page.keyboard.press("Shift+E")
    choose(page, "8")
    page.keyboard.press("Shift+T")
    choose(page, "epic")
    expect(row(page, key).locator(".refused")).to_be_visible()
    settled(page)
    found = call(world, "cy", "issues.get", key=key)
    assert (found["type"], found["estimate"], found["parent"]) == ("task", 8, above)


def test_a_day_in_words_is_shown_before_it_is_taken(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("j")
    page.keyboard.press("d")
    box = page.locator("dialog.popover input")
    expect(box).to_be_focused()
    page.keyboard.type("5 feb")
    expect(page.get_by_role("option").first).to_contain_text("Feb 5")
    assert call(world, "cy", "issues.get", key=key)["due_date"] is None
    page.keyboard.press("Enter")
    expect(row(page, key)).to_contain_text("Feb 5")
    settled(page)
    assert call(world, "cy", "issues.get", key=key)["due_date"] == "2027-02-05"
    page.keyboard.press("d")
    expect(box).to_be_focused()
    page.keyboard.type("in the blue of the evening")
    expect(page.get_by_text("Nothing fits")).to_be_visible()
