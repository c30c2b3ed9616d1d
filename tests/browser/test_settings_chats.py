"""Chats in the settings of the web app: connected, channels that hear, and one's own accounts."""

import pytest
from playwright.sync_api import expect

from tests.browser.app import Opens, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.chat.conftest import receiver, settings
from tests.modules.chat.platforms import SECRET, Somebody, connected
from tests.modules.webhooks.receiver import Receiver
from tests.web.conftest import node

__all__ = ["node", "opens", "receiver", "settings"]

pytestmark = pytest.mark.long


def test_a_workspace_is_connected_and_a_channel_hears(world: World, receiver: Receiver, opens: Opens) -> None:
    page = opens("bo", "/settings/chats")
    expect(page.get_by_text("There is no connection yet.")).to_be_visible()
    page.get_by_role("button", name="New connection").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Name").fill("Acme")
    page.keyboard.press("Enter")
    expect(dialog.locator(".wrong")).to_be_visible()  # without what the platform signs with
    expect(dialog.get_by_label("Name")).to_have_value("Acme")
    dialog.get_by_label("What the platform signs with").fill(SECRET)
    page.keyboard.press("Enter")
    expect(dialog.locator(".copied code")).to_contain_text("/in/chat/1")
    expect(dialog.get_by_label("What the platform signs with")).to_have_value("")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="New channel").click()
    dialog.get_by_label("Name").fill("#shop")
    dialog.get_by_label("Only of issues that fit", exact=True).press_sequentially("priority = ")
    dialog.get_by_label("Address of the channel").fill("nowhere")
    dialog.get_by_role("button", name="Make").click()
    expect(dialog.locator(".wrong").first).to_be_visible()
    dialog.get_by_label("Only of issues that fit", exact=True).fill("priority = high")
    dialog.get_by_label("Address of the channel").fill(receiver.url("channel"))
    dialog.get_by_role("button", name="Make").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Post a word to #shop").click()
    expect(page.get_by_role("status").filter(has_text="#shop took it.")).to_be_visible()
    receiver.says["/channel"] = 404
    page.get_by_role("button", name="Post a word to #shop").click()
    expect(page.get_by_role("status").filter(has_text="404")).to_be_visible()
    receiver.says["/channel"] = 200
    call(world, "ana", "issues.create", project="WEB", title="Lamps flicker", priority="high")
    comes(page, lambda: any("Lamps flicker" in str(one.body) for one in receiver.of("channel")), True)
    assert faults(page) == []
    page.get_by_role("button", name="Acme", exact=True).click()
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(dialog).to_have_count(0)
    assert call(world, "bo", "chat.connections") == []


def test_an_account_is_linked_by_its_code_and_others_read_whom_to_ask(world: World, opens: Opens) -> None:
    somebody = Somebody(world, connected(world))
    page = opens("cy", "/settings/chats")
    expect(page.locator(".reason")).to_contain_text("Only admins change this. Ask")
    expect(page.get_by_role("button", name="New connection")).to_have_count(0)
    code = page.get_by_label("Code")
    code.fill("WRONG")
    code.press("Enter")
    expect(page.locator(".form .wrong")).to_be_visible()
    expect(code).to_have_value("WRONG")
    said = somebody.hears("link").replace("`", " ").replace("*", " ")
    code.fill(next(word.strip(".,:") for word in said.split() if word.isupper() and len(word) > 5))
    code.press("Enter")
    accounts = page.get_by_role("region", name="Your accounts there")
    expect(accounts).to_contain_text("Rita")
    assert faults(page) == []
    accounts.get_by_role("button", name="Unlink").click()
    accounts.get_by_role("group", name="Unlink").get_by_role("button", name="Unlink").click()
    expect(page.get_by_text("None of yours is linked.")).to_be_visible()
    page.get_by_role("button", name="slack").click()
    expect(page.locator("dialog").get_by_label("Name")).to_be_disabled()
