"""A new issue in Chromium: what is there already is shown, and a pasted list becomes several."""

import pytest
from playwright.sync_api import expect

from tests.browser.app import Opens, opens, row
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
# Its dialog is closed before it was drawn again.
WRITTEN_AND_LEFT = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.closest("dialog").dispatchEvent(new Event("cancel", { cancelable: true }));
}"""


def test_what_is_there_already_is_shown_and_a_list_becomes_several(world: World, opens: Opens) -> None:
    there = issue(world, title="The cart forgets its vouchers")
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    page.keyboard.type("The cart forgets vouchers")
    expect(page.get_by_text("Is it one of these?")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="The cart forgets its vouchers").last.click()
    page.wait_for_url(f"**/issues/{there}")
    page.keyboard.press("c")
    page.get_by_placeholder("What is to be done?").fill("")
    page.evaluate(PASTE, "- [ ] First\n2. Second\n\n* Third <b>one</b>\n")
    expect(page.get_by_role("listitem").filter(has_text="Third <b>one</b>")).to_be_visible()
    assert faults(page) == []
    expect(page.get_by_role("button", name="Make 3 issues")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 issues made")).to_be_visible()
    page.get_by_role("link", name="Website").first.click()
    for key in ("WEB-2", "WEB-3", "WEB-4"):
        expect(row(page, key)).to_be_visible()
    assert call(world, "cy", "issues.get", key="WEB-4")["title"] == "Third <b>one</b>"
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Taken back: 3 issues made")).to_be_visible()
    expect(page.locator(".row.issue")).to_have_count(1)


def test_of_a_pasted_table_the_first_column_is_taken(world: World, opens: Opens) -> None:
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    page.evaluate(PASTE, "Title\tStatus\nPick fonts\tIn progress\n\tDone\nTest the form\t\n")
    expect(page.locator(".several li")).to_have_text(["Pick fonts", "Test the form"])
    expect(page.get_by_role("link", name="Bring in all columns")).to_be_visible()
    page.evaluate(PASTE, "-\tFirst\n\t- Second\n  * [x]\tThird")
    expect(page.locator(".several li")).to_have_text(["First", "Second", "Third"])
    expect(page.get_by_role("link", name="Bring in all columns")).to_have_count(0)
    page.keyboard.type("Before them")
    expect(page.locator(".several li").first).to_have_text("Before them")
    page.keyboard.press("Enter")
    expect(page.get_by_text("4 issues made")).to_be_visible()
    assert call(world, "cy", "issues.get", key="WEB-1")["title"] == "Before them"


def test_each_of_several_begins_where_it_is_meant_to(world: World, opens: Opens) -> None:
    """Whoever makes more than one takes no hand off the keys, and finds the project as they left it."""
    page = opens("cy", "/projects/WEB/board")
    expect(page.locator("main")).to_contain_text("or paste a list")
    page.keyboard.press("c")
    dialog, title = page.get_by_role("dialog", name="New issue"), page.get_by_label("Title", exact=True)
    dialog.get_by_label("Create more").check()
    expect(title).to_be_focused()
    for words, lane in (("Basket", "In progress"), ("Voucher", "To do")):
        dialog.locator(".chip[title=Status]").click()
        page.get_by_role("option", name=lane).click()
        expect(title).to_be_focused()
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        expect(page.get_by_label(lane, exact=True).locator(".card")).to_contain_text(words)
    dialog.get_by_role("button", name="Close").click()
    card = page.locator(".card").filter(has_text="Basket")
    card.get_by_role("button", name="Assignee: Nobody").click()
    page.get_by_role("option", name="Cy").click()
    expect(card.get_by_role("button", name="Assignee: Cy")).to_be_visible()
    expect(page.locator(".peek")).to_have_count(0)
    page.get_by_role("link", name="My work").click()
    page.get_by_role("link", name="Website").click()
    page.wait_for_url("**/projects/WEB/board")
    page.keyboard.press("c")
    expect(dialog.get_by_label("Create more")).to_be_checked()


def test_what_is_shared_stands_behind_what_is_written(world: World, opens: Opens) -> None:
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    title, body = page.get_by_placeholder("What is to be done?"), page.get_by_label("Description")
    expect(title).to_be_focused()
    page.keyboard.type("Vouchers")
    body.evaluate(WRITTEN_AND_LEFT, "They are lost.")
    expect(page.locator("dialog")).to_have_count(0)
    page.goto(f"{world.url}/?new=Broken&text=See+there&link=http://a.example/1")
    expect(title).to_have_value("Vouchers")
    expect(body).to_have_value("They are lost.\n\nBroken\n\nSee there\n\nhttp://a.example/1")
