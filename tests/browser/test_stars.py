"""What somebody starred, in Chromium: it stands at the left, in their order, with its sign."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose_command, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import page, space
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def starred(tab: Page) -> Any:
    return tab.get_by_role("region", name="Starred").get_by_role("link")


def test_what_is_starred_stands_at_the_left_in_order(world: World, opens: Opens) -> None:
    space(world)
    rules = page(world, "Rules", icon="rocket")
    page(world, "Rules of the house")
    key = issue(world, title="Vouchers")
    call(world, "cy", "stars.set", subject=key, on=True)
    call(world, "cy", "stars.set", subject="space:HAND", on=True, label="Our book")
    tab = opens("cy", f"/pages/{rules}")
    expect(starred(tab)).to_have_text(["Vouchers", "Our book"])
    tab.locator(".top").get_by_role("button", name="Star", exact=True).click()
    expect(starred(tab).nth(2)).to_have_text("🚀Rules")
    expect(starred(tab).nth(2)).to_have_attribute("aria-current", "page")
    assert faults(tab) == []
    call(world, "bo", "issues.update", key=key, title="Gift cards")
    expect(starred(tab).first).to_have_text("Gift cards")
    starred(tab).first.click()
    tab.wait_for_url(f"**/issues/{key}")
    tab.keyboard.press("Control+k")
    choose_command(tab, "Our book")
    tab.wait_for_url("**/spaces/HAND")
    tab.goto(f"{world.url}/issues/{key}")
    tab.get_by_role("button", name="Take the star away").click()
    expect(starred(tab)).to_have_text(["Our book", "🚀Rules"])
    assert [one["label"] for one in call(world, "cy", "stars.list")] == ["Our book", None]
