"""What one changed lately, in Chromium: it is looked over, and any of it is taken back."""

import pytest
from playwright.sync_api import expect

from tests.browser.app import Opens, choose, choose_command, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def test_any_of_what_one_changed_is_taken_back(world: World, opens: Opens) -> None:
    first, second = issue(world, title="Vouchers"), issue(world, title="Gift cards")
    page = opens("cy", "/projects/WEB")
    for key in (first, second):
        row(page, key).get_by_role("button", name="Priority").click()
        choose(page, "Urgent")
    settled(page)
    page.keyboard.press("Control+k")
    choose_command(page, "What I changed")
    dialog = page.get_by_role("dialog", name="What I changed")
    mine = dialog.get_by_role("listitem")
    expect(mine.nth(1)).to_contain_text("Vouchers")
    assert faults(page) == []
    mine.nth(1).get_by_role("button", name="Take back").click()
    expect(mine.nth(1)).to_contain_text("Taken back")
    expect(mine.nth(0)).to_contain_text("Gift cards")  # nothing moved
    page.keyboard.press("Escape")
    expect(row(page, first).get_by_role("button", name="Priority: No priority")).to_be_visible()
    expect(row(page, second).get_by_role("button", name="Priority: Urgent")).to_be_visible()
    page.keyboard.press("Control+z")  # what is back already is not taken back by the key
    note = page.get_by_role("status").filter(has_text="Taken back")
    expect(note).to_contain_text(second)
    note.get_by_role("button", name="What I changed").click()
    expect(mine.nth(0)).to_contain_text("Gift cards")
    expect(mine.nth(0).get_by_role("button", name="Take back")).to_be_visible()  # so can that be


def test_what_somebody_changed_since_is_set_back_only_by_who_says_so(world: World, opens: Opens) -> None:
    key = issue(world, "cy", title="Vouchers")
    call(world, "cy", "issues.update", key=key, priority="high")
    call(world, "bo", "issues.update", key=key, priority="low")
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("g")
    page.keyboard.press("u")
    mine = page.get_by_role("dialog", name="What I changed").get_by_role("listitem")
    expect(mine.first).to_contain_text("something changed since")
    mine.first.get_by_role("button", name="What stands against").click()
    expect(mine.first).to_contain_text("priority was changed since")
    assert faults(page) == []
    mine.first.get_by_role("button", name="All the same").click()
    expect(mine.first).to_contain_text("Taken back")
    eventually(lambda: call(world, "cy", "issues.get", key=key)["priority"] == "none")  # it says so at once
    page.keyboard.press("Escape")
    expect(row(page, key).get_by_role("button", name="Priority: No priority")).to_be_visible()
