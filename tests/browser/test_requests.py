"""Requests of customers in the web app: whose they are, and notes that cannot be taken for replies."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.conftest import help_desk
from tests.modules.desk.helpdesk import HelpDesk
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["help_desk", "node", "opens"]

pytestmark = pytest.mark.long


def pressed(page: Page) -> str:
    return page.get_by_role("group", name="Who reads it").locator("[aria-pressed=true]").inner_text()


def test_a_note_stays_here_and_a_reply_goes_out(help_desk: HelpDesk, opens: Opens) -> None:
    key = help_desk.rita.ask("My order did not come")
    help_desk.rita.call("desk.portal_comment", key=key, body="It was due on Monday.")
    page = opens("cy", f"/issues/{key}")
    expect(page.locator(".fields")).to_contain_text("Request of Rita Rivers")
    said = page.get_by_role("list", name="Comments").locator(".said").first
    expect(said).to_contain_text("Rita Rivers")
    expect(said.get_by_text("Customer", exact=True)).to_be_visible()
    assert pressed(page) == "Internal note"
    assert faults(page) == []
    note = page.get_by_label("Write an internal note")
    note.fill("She is right: the parcel is lost.")
    page.get_by_role("button", name="Add internal note").click()
    expect(page.locator(".thread.internal")).to_contain_text("the parcel is lost")
    page.get_by_role("button", name="Reply to Rita Rivers").click()
    reply = page.get_by_label("Reply to Rita Rivers", exact=True)
    reply.fill("We send it again today.")
    page.reload()
    expect(reply).to_have_value("We send it again today.")  # and it stays a reply
    expect(page.get_by_text("Customers of this request read it and are mailed.")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("m")
    expect(reply).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Sent to Rita Rivers")).to_be_visible()
    expect(page.get_by_label("Write an internal note")).to_have_value(
        ""
    )  # the next one goes out only if one says so
    shown = [one["body"] for one in help_desk.rita.thread(key)["comments"]]
    assert shown == ["It was due on Monday.", "We send it again today."]


def test_an_issue_is_no_request_until_it_is_one(help_desk: HelpDesk, world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    expect(page.get_by_label("Write a comment")).to_be_visible()
    expect(page.get_by_role("group", name="Who reads it")).to_have_count(0)
    call(world, "cy", "desk.requester_set", key=key, requester=help_desk.nat.email)
    expect(page.get_by_role("group", name="Who reads it")).to_be_visible()
    assert pressed(page) == "Internal note"
    expect(page.locator(".fields")).to_contain_text("Request of Nat Rivers")
